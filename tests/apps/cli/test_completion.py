"""Completion scripts, run by the shells themselves where they are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from treewright.apps.cli import main
from treewright.apps.cli.commands.completion_command import SHELLS
from treewright.apps.cli.program import COMMANDS

#: what is typed, with the word to complete last → what must be offered, and what must not
CASES = [
    (["tr"], {"train", "trace"}, {"parse"}),
    (["train", "--sys"], {"--system"}, {"--style"}),
    (["train", "--system", "arc-"], {"arc-eager", "arc-hybrid", "arc-standard"}, {"covington"}),
    (["show", "--style", ""], {"arcs", "indented"}, {"--style"}),
    (["completion", ""], set(SHELLS), {"train"}),
    (["validate", "--level", ""], {"1", "5"}, {"6"}),
    (["train", "--help", ""], {"neural", "all"}, {"--system"}),
    (["convert", "--from", "conllu"], {"conllu", "conllu-plus"}, {"text"}),
]
BASH = """
source "$1"; shift
COMP_WORDS=(treewright "$@"); COMP_CWORD=$#
_treewright 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scripts")
    with pytest.MonkeyPatch.context() as patch:
        for shell in SHELLS:
            with (folder / shell).open("w") as file:
                patch.setattr("sys.stdout", file)
                assert main(["completion", shell]) == 0
    return folder


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_in_every_script(scripts: Path, shell: str) -> None:
    text = (scripts / shell).read_text()
    assert all(command in text for command in COMMANDS)
    if shutil.which(shell):
        subprocess.run([shell, "-n", str(scripts / shell)], check=True)


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
@pytest.mark.parametrize(("words", "offered", "not_offered"), CASES)
def test_bash_completes(scripts: Path, words: list[str], offered: set[str], not_offered: set[str]) -> None:
    command = ["bash", "-c", BASH, "bash", str(scripts / "bash"), *words]
    found = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert found >= offered
    assert not found & not_offered


@pytest.mark.skipif(not shutil.which("fish"), reason="no fish")
@pytest.mark.parametrize(("words", "offered", "not_offered"), CASES)
def test_fish_completes(scripts: Path, words: list[str], offered: set[str], not_offered: set[str]) -> None:
    line = "treewright " + " ".join(words)
    command = ["fish", "--no-config", "-c", f"source {scripts / 'fish'}; complete -C '{line}'"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = {row.partition("\t")[0] for row in output.splitlines()}
    assert found >= offered
    assert not found & not_offered


def test_bash_completes_models_and_files(scripts: Path, tmp_path: Path) -> None:
    if not shutil.which("bash"):
        pytest.skip("no bash")
    (tmp_path / "fr mine.tw").touch()
    known = "treewright() { echo fr_sequoia; echo english; }\n"
    command = ["bash", "-c", known + BASH, "bash", str(scripts / "bash"), "parse", "fr"]
    output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert output.splitlines() == ["fr_sequoia", "fr mine.tw"]
