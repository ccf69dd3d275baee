"""A folder of treebanks becomes models, an index and a report, also when it is interrupted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import treewright as tw
from tests.every_kind import treebank
from treewright.apps.cli import main
from treewright.apps.library import building
from treewright.apps.library.index import read_index
from treewright.apps.library.treebanks import treebanks_in

NO_TEXT = b"1\t_\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A release: a treebank with all parts, one that has a test part alone, and one without text."""
    folder = tmp_path / "release"
    for name in ("UD_Villagish-Toy", "UD_Villagish-Small", "UD_Silent-None", "tools"):
        (folder / name).mkdir(parents=True)
    whole = folder / "UD_Villagish-Toy"
    for part in ("train", "dev", "test"):
        (whole / f"xx_toy-ud-{part}.conllu").write_bytes(treebank())
    (whole / "README.md").write_text("# Summary\n\n=== metadata\nLicense: CC BY-SA 4.0\n", encoding="utf-8")
    (folder / "UD_Villagish-Small" / "xx_small-ud-test.conllu").write_bytes(treebank())
    (folder / "UD_Silent-None" / "zz_none-ud-train.conllu").write_bytes(NO_TEXT)
    (folder / "tools" / "validate.py").write_text("pass\n", encoding="utf-8")
    return folder


def build(release: Path, output: Path, *options: str) -> int:
    return main(["models", "build", str(release), "-o", str(output), "--speed", "fast", "-q", *options])


def test_what_a_release_holds(release: Path) -> None:
    found = {one.name: one for one in treebanks_in(str(release))}
    assert found.keys() == {"xx_toy", "xx_small", "zz_none"}
    assert found["xx_toy"].languages[:2] == ["xx", "Villagish"]
    assert found["xx_toy"].licence == "CC BY-SA 4.0"
    assert found["xx_small"].train
    assert not found["xx_small"].test
    assert "learnt from its test part" in found["xx_small"].note


def test_a_release_becomes_models(release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "out"
    monkeypatch.setattr(building, "FOLDS", 2)
    assert build(release, output) == 1
    index = {entry.name: entry for entry in read_index(str(output))}
    assert index.keys() == {"xx_toy", "xx_small"}
    assert index["xx_toy"].default_of == "xx"
    assert index["xx_toy"].scores.keys() == {"raw text", "gold tags"}
    assert index["xx_small"].scores["folds"]
    assert "has no text" in (output / "zz_none.failed.txt").read_text(encoding="utf-8")
    page = (output / "report.html").read_text(encoding="utf-8")
    assert "<td>xx_toy</td>" in page
    assert "zz_none" in page
    assert (output / "treewright_model_xx_toy-1.0.0-py3-none-any.whl").is_file()
    assert tw.load(output / "xx_toy.tw").info["licence"] == "CC BY-SA 4.0"


def test_an_interrupted_build_goes_on(release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output, made = tmp_path / "out", building._made
    shutil.rmtree(release / "UD_Silent-None")
    names: list[str] = []

    def counted(one: building.FoundTreebank, settings: building.Settings) -> building.Entry:
        names.append(one.name)
        if len(names) == 2:
            raise KeyboardInterrupt
        return made(one, settings)

    monkeypatch.setattr(building, "FOLDS", 2)
    monkeypatch.setattr(building, "_made", counted)
    assert build(release, output) == 130
    assert build(release, output) == 0
    assert names == ["xx_small", "xx_toy", "xx_toy"]
    text = (output / "index.json").read_bytes()
    assert build(release, output, "--newer") == 0
    assert len(names) == 3
    assert (output / "index.json").read_bytes() == text
    with (release / "UD_Villagish-Toy" / "xx_toy-ud-dev.conllu").open("ab") as file:
        file.write(treebank())
    assert build(release, output) == 0
    assert len(names) == 3
    assert build(release, output, "--newer") == 0
    assert names[3:] == ["xx_toy"]


def test_shards_and_names(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out"
    assert build(release, output, "--only", "xx_toy", "--shard", "2/2") == 0
    assert not list(output.glob("*.tw"))  # it is the third of three
    assert build(release, output, "--only", "xx_toy", "--shard", "1/2") == 0
    assert [path.name for path in output.glob("*.tw")] == ["xx_toy.tw"]
    record = json.loads((output / "xx_toy.json").read_text(encoding="utf-8"))
    assert record["asked"]["speed"] == "fast"
    for options, told in ((("--only", "yy"), "no treebank called yy"), (("--shard", "3/2"), "write it as 2/8")):
        assert build(release, output, *options) == 2
        assert told in capsys.readouterr().err
