"""Files in, a file out: formats, numbers of sentences, and what is told on the way."""

import gzip
from pathlib import Path

import pytest

import treewright as tw
from tests.kinds.pipeline.test_pipeline import toy_pipeline
from tests.toy import DEV, TEST, toy_parser
from treewright.steps.call import call_from
from treewright.steps.files import Counts, parse_files

TREES = [DEV, TEST]


def parse(sources, target, *, parser=None, confidence=False, **how):
    call = call_from({"confidence": confidence})
    return parse_files(parser or toy_parser(), [str(source) for source in sources], target, call, **how)


def trees(path):
    """Return the trees of a file. Malt-XML writes the relation of the root in capitals."""
    return [[(word.form, word.head, (word.deprel or "").lower()) for word in sentence] for sentence in tw.read(path)]


def test_counts_and_progress(tmp_path):
    told = []
    counts = parse(TREES, tmp_path / "both.conllu", progress=told.append)
    banks = [list(tw.read(path)) for path in TREES]
    assert counts == Counts(sum(map(len, banks)), sum(len(sentence) for bank in banks for sentence in bank))
    assert sum(told) == sum(Path(path).stat().st_size for path in TREES)
    assert counts.sentences == sum(1 for _ in tw.read(tmp_path / "both.conllu"))
    one = parse([TEST], tmp_path / "one.conllu")
    assert one == Counts(len(banks[1]), sum(map(len, banks[1])))


@pytest.mark.parametrize("ending", ["conllu", "conllx", "tab", "xml", "conllu.gz"])
def test_the_name_of_the_output_says_its_format(tmp_path, ending):
    parse([TEST], tmp_path / f"out.{ending}")
    parse([TEST], tmp_path / "plain.conllu")
    assert trees(tmp_path / f"out.{ending}") == trees(tmp_path / "plain.conllu")
    if ending == "conllu.gz":
        unpacked = gzip.decompress((tmp_path / "out.conllu.gz").read_bytes())
        assert unpacked == (tmp_path / "plain.conllu").read_bytes()


def test_a_format_can_be_asked_for(tmp_path):
    parse([TEST], tmp_path / "out.txt", to="conllx")
    parse([TEST], tmp_path / "out.conllx")
    assert (tmp_path / "out.txt").read_bytes() == (tmp_path / "out.conllx").read_bytes()


def test_words_and_tags_come_back_with_trees(tmp_path):
    """Two columns of Malt-TAB hold no tree; what was read as Malt-TAB is written as Malt-TAB, with a tree."""
    lines = [[f"{word.form}\t{word.upos}" for word in sentence] for sentence in tw.read(TEST)]
    bare = tmp_path / "words.tab"
    bare.write_text("\n\n".join("\n".join(words) for words in lines) + "\n\n")
    with pytest.warns(tw.TreewrightWarning):
        parse([bare], tmp_path / "parsed", format="malt-tab")
    rows = [line.split("\t") for line in (tmp_path / "parsed").read_text().splitlines() if line]
    assert [row[:2] for row in rows] == [line.split("\t") for words in lines for line in words]
    assert {len(row) for row in rows} == {4}
    with pytest.warns(tw.TreewrightWarning):
        parse([bare], tmp_path / "sure", format="malt-tab", confidence=True)
    assert "Confidence=" in (tmp_path / "sure").read_text()


def test_an_empty_file_is_named(tmp_path):
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    with pytest.warns(tw.TreewrightWarning, match=r"empty\.conllu: no sentences in it"):
        assert parse([TEST, empty], tmp_path / "out.conllu").sentences == sum(1 for _ in tw.read(TEST))


def test_sentences_are_numbered_across_texts(tmp_path):
    texts = []
    for name in ("a", "b"):
        texts.append(tmp_path / f"{name}.txt")
        texts[-1].write_text("The girl sang. The baker slept.\n")
    names = {"id_prefix": "x-", "names": ["first"]}
    parse(texts, tmp_path / "out.conllu", format="text", parser=toy_pipeline(), **names)
    found = list(tw.read(tmp_path / "out.conllu"))
    assert [sentence.sent_id for sentence in found] == ["x-1", "x-2", "x-3", "x-4"]
    comments = (tmp_path / "out.conllu").read_text().splitlines()
    assert [line for line in comments if line.startswith("# newdoc")] == ["# newdoc id = first", "# newdoc"]


def test_a_header_is_kept_for_one_file_alone(tmp_path):
    plus = tmp_path / "words.conllup"
    parse([TEST], plus)
    assert plus.read_text().startswith("# global.columns")
    parse([plus, plus], tmp_path / "twice.conllup")
    assert (tmp_path / "twice.conllup").read_text().count("# global.columns") == 1
    parse([plus], tmp_path / "once.conllup")
    assert (tmp_path / "once.conllup").read_bytes() == plus.read_bytes()
