"""Several inputs, globs, folders; outputs named after inputs; endings; typos."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.apps.cli.running import refuse, run, succeed
from tests.kinds.pipeline.test_pipeline import toy_pipeline
from tests.toy import DEV, TEST, TRAIN
from treewright.apps.cli.inputs import expanded, jobs_for
from treewright.apps.cli.program import _parsed, build_parser
from treewright.errors import TreewrightError

SPACES = "1 The the DET _ _ 2 det _ _\n2 girl girl NOUN _ _ 0 root _ _\n\n"


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "toy.tw"
    toy_pipeline().save(path)
    return path


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("The girl sang. The baker slept.\n")
    (folder / "bad.txt").write_bytes(b"\xff\xff\n")
    (folder / "empty.txt").write_text("")
    (folder / "sub" / "b.txt").write_text("A goose slept.\n")
    (folder / "notes.md").write_text("not parsed")
    return folder


def comments(text: bytes) -> list[str]:
    return [line for line in text.decode().splitlines() if line.startswith(("# newdoc", "# sent_id"))]


def test_names_of_inputs_and_outputs(texts: Path, tmp_path: Path) -> None:
    found = expanded([str(texts)])
    assert [each.name for each in found] == ["a.txt", "bad.txt", "empty.txt", "sub/b.txt"]
    assert [each.document for each in found] == ["a", "bad", "empty", "sub/b"]
    assert [each.name for each in expanded([str(texts / "*.txt")])] == ["a.txt", "bad.txt", "empty.txt"]
    out = tmp_path / "out"
    jobs = jobs_for(found, f"{out}/", None)
    assert [job.output for job in jobs][3] == f"{out}/sub/b.conllu"
    assert jobs_for(found[:1], f"{out}/", "json")[0].output == f"{out}/a.json"
    with pytest.raises(TreewrightError, match="would both be written"):
        jobs_for([*expanded([str(texts / "a.txt")]), *expanded([str(texts / "a.txt")])], f"{out}/", None)
    with pytest.raises(TreewrightError, match="no file matches"):
        expanded([str(texts / "*.xyz")])
    with pytest.raises(TreewrightError, match="given twice"):
        expanded(["-", "-"])


def test_a_folder_to_a_folder_whatever_a_bad_file_does(pipeline: Path, texts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("parse", pipeline, texts, "-o", f"{out}/")
    assert done.returncode == 2
    told = done.stderr.decode().splitlines()
    assert "bad.txt:1: byte 0xff" in told[0]
    assert told[-1].startswith("1 of 4 files failed")
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*.*")) == [
        "a.conllu",
        "empty.conllu",
        "sub/b.conllu",
    ]
    assert comments((out / "a.conllu").read_bytes()) == ["# newdoc id = a", "# sent_id = 1", "# sent_id = 2"]
    assert (out / "empty.conllu").read_bytes() == b""


def test_several_texts_to_one_file(pipeline: Path, texts: Path, tmp_path: Path) -> None:
    done = run("parse", pipeline, texts, "--id-prefix", "x-")
    assert done.returncode == 2
    assert b"left out: " in done.stderr
    assert comments(done.stdout) == [
        *("# newdoc id = a", "# sent_id = x-1", "# sent_id = x-2", "# newdoc id = sub/b", "# sent_id = x-3")
    ]
    target = tmp_path / "all.json"
    succeed("parse", pipeline, texts / "a.txt", texts / "sub", "-o", target)
    assert [sentence["sent_id"] for sentence in json.loads(target.read_text())] == ["1", "2", "3"]
    assert "treebank keeps its own" in refuse("parse", pipeline, TEST, "--id-prefix", "x")


def test_convert_many(tmp_path: Path) -> None:
    succeed("convert", TRAIN, DEV, "-o", tmp_path / "both.conllu")
    assert (tmp_path / "both.conllu").read_bytes() == Path(TRAIN).read_bytes() + Path(DEV).read_bytes()
    succeed("convert", TRAIN, DEV, "-o", f"{tmp_path}/out/", "--to", "jsonl")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["dev.jsonl", "train.jsonl"]
    assert "says no format" in refuse("convert", TRAIN, tmp_path / "x.doc")
    assert "say where to write with -o" in refuse("convert", TRAIN, DEV, TEST)


def test_spaces_for_tabs_are_an_error_with_its_line(pipeline: Path, tmp_path: Path) -> None:
    named = tmp_path / "spaces.conllu"
    named.write_text(SPACES)
    assert "spaces.conllu:1: expected 10 columns (conllu), found a line without tabs" in refuse(
        "parse", pipeline, named
    )
    assert ":1: expected 10 columns" in refuse("parse", pipeline, "-", stdin=SPACES.encode())


def test_typos_and_abbreviations(pipeline: Path) -> None:
    assert "Did you mean --threads? See `treewright parse --help`" in refuse("parse", pipeline, TEST, "--thraeds", "2")
    assert "Did you mean 'skip'? Choose from fail, skip, fix. See `treewright train --help`" in refuse(
        "train", TRAIN, "-o", "x.tw", "--on-error", "skipp"
    )
    assert "Did you mean 'conllx'?" in refuse("convert", TEST, "--to", "connlx")
    assert "Did you mean 'arc-hybrid'?" in refuse("train", TRAIN, "-o", "x.tw", "--system", "arc-hibrid")
    assert "unknown command 'trian'. Did you mean 'train'? See `treewright --help`" in refuse("trian")
    assert "--nonsense" in refuse("--nonsense")
    assert "ambiguous" in refuse("parse", pipeline, TEST, "--pre")
    assert succeed("conv", TEST, "--t", "conllu") == Path(TEST).read_bytes()


def test_options_without_effect_are_rejected() -> None:
    for options in (("--conventions", "--json"), ("--conventions", "--by", "upos"), ("--unlabelled", "--graph")):
        assert "leave" in refuse("eval", TEST, TEST, *options)
    assert "give one of them" in refuse("info", "english", "--json", "--print", "recipe")
    assert "is for `features convert`" in refuse("features", "show", "rich", "--to", "notation")
    assert "leave out --top" in refuse("analyze", TEST, TEST, "--to", "json", "--top", "3")
    assert "this is a treebank" in refuse("parse", "english", TEST, "--ranges")
    assert "Did you mean 'deprel'?" in refuse("eval", TEST, TEST, "--by", "deprle")


def test_the_ending_decides_the_form_of_an_analysis(tmp_path: Path) -> None:
    for name, start in (("a.html", "<!"), ("a.json", "{"), ("a.txt", "")):
        assert succeed("analyze", TEST, TEST, "-o", tmp_path / name) == b""
        assert (tmp_path / name).read_text().startswith(start)


def test_the_headline_comes_first() -> None:
    lines = succeed("eval", TEST, TEST).decode().splitlines()
    assert lines[3].startswith("LAS 100.00  UAS 100.00  (all words, punctuation included; full relations)")
    assert "CoNLL 2018" in lines[5]
    assert "without punctuation" not in "\n".join(lines)
    assert b"without punctuation" in succeed("eval", TEST, TEST, "--conventions")


def test_files_may_follow_the_options_of_every_command() -> None:
    for command in ("crossval", "validate"):
        arguments = _parsed(build_parser(command), ["a", "--json", "b"])
        assert [*getattr(arguments, "treebank", ()), *getattr(arguments, "files", ())] == ["a", "b"]
