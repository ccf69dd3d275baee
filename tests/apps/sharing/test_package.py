"""A model as a wheel, and models found by name."""

import base64
import hashlib
import json
import sys
import zipfile
from email.parser import Parser as MailParser
from pathlib import Path

import pytest

import treewright as tw
from treewright.apps.cli import main
from treewright.apps.sharing.wheel import About, write_wheel
from treewright.errors import TreewrightError
from treewright.steps.named_models import find_model, named_models, path_of

SENTENCE = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    (folder / "train.conllu").write_text(SENTENCE * 3)
    path = folder / "Dogs-2.tw"
    tw.train(folder / "train.conllu", iterations=1, licence="CC0-1.0", description="Dogs that bark").save(path)
    return path


def installed(wheel: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unpack a wheel where Python looks, which is what pip does with one of this kind."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    monkeypatch.syspath_prepend(folder)


def test_a_packaged_model_is_found_by_its_name(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert path_of("dogs_2") is None
    assert main(["package", str(model), "-o", str(tmp_path), "--lang", "en"]) == 0
    wheel = tmp_path / "treewright_model_dogs_2-1.0.0-py3-none-any.whl"
    assert str(wheel) in capsys.readouterr().err
    installed(str(wheel), tmp_path / "site", monkeypatch)

    assert path_of("dogs_2") is not None
    assert "treewright_model_dogs_2" not in sys.modules  # finding it runs nothing of it
    assert Path(find_model("dogs_2")).read_bytes() == model.read_bytes()
    assert tw.load("dogs_2").parse_words(["Dogs", "bark"]).root.form == "bark"
    (tmp_path / "in.conllu").write_text(SENTENCE)
    assert main(["parse", "dogs_2", "in.conllu", "-o", "out.conllu"]) == 0
    assert (tmp_path / "out.conllu").read_text() == SENTENCE
    assert main(["info", "dogs_2"]) == 0
    capsys.readouterr()

    assert main(["models", "--json"]) == 0
    by_name = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    row = by_name["dogs_2"]
    assert (row["package"], row["version"]) == ("treewright-model-dogs-2", "1.0.0")
    assert (row["description"], row["licence"]) == ("Dogs that bark", "CC0-1.0")
    assert main(["models", "--names"]) == 0
    assert capsys.readouterr().out.split() == [one.name for one in named_models()]

    (tmp_path / "dogs_2").write_text("a file goes first")
    assert find_model("dogs_2") == "dogs_2"


def test_the_wheel_is_as_the_standard_wants_it(model: Path, tmp_path: Path) -> None:
    about = About("dogs", "2.1", licence_text="Do what you like.\n", author="A. Dog")
    path = write_wheel(model, about, tmp_path)
    first = Path(path).read_bytes()
    assert Path(write_wheel(model, about, tmp_path)).read_bytes() == first
    info = "treewright_model_dogs-2.1.dist-info"
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    record = files.pop(f"{info}/RECORD").decode().splitlines()
    digests = {
        name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=") for name, data in files.items()
    }
    rows = [f"{name},sha256={digests[name].decode()},{len(data)}" for name, data in files.items()]
    assert record == [*rows, f"{info}/RECORD,,"]
    fields = MailParser().parsestr(files[f"{info}/METADATA"].decode())
    assert (fields["Name"], fields["Version"], fields["Author"]) == ("treewright-model-dogs", "2.1", "A. Dog")
    assert fields["License"] == "CC0-1.0"
    assert fields["Requires-Dist"] == f"treewright>={tw.__version__}"
    assert files[f"{info}/licenses/LICENSE"] == b"Do what you like.\n"
    card = files["treewright_model_dogs/README.md"].decode()
    assert card.startswith("---\nlibrary_name: treewright\n")
    assert 'tw.load("dogs")' in card
    assert "3 sentences, 6 words" in card


@pytest.mark.parametrize(
    ("name", "version"), [("Dogs", "1.0"), ("2dogs", "1.0"), ("a-b", "1.0"), ("dogs", "one"), ("dogs", "1.0-2")]
)
def test_names_and_versions_that_pip_would_change_are_rejected(name: str, version: str) -> None:
    with pytest.raises(TreewrightError, match="is no"):
        About(name, version)


def test_a_model_without_a_licence_is_not_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(SENTENCE)
    tw.train("train.conllu", iterations=1).save("cats.tw")
    assert main(["package", "cats.tw"]) == 2
    assert "--licence" in capsys.readouterr().err
    assert main(["package", "cats.tw", "--licence", "MIT", "-o", "nowhere"]) == 2
    assert "existing folder" in capsys.readouterr().err
    assert main(["package", "cats.tw", "--licence", "MIT"]) == 0
    assert [file.name for file in tmp_path.glob("*.whl")] == ["treewright_model_cats-1.0.0-py3-none-any.whl"]
