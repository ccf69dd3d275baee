"""Formats: guessed from content, read, and written again."""

import pytest

from treewright.errors import TreebankError
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.treebank import read
from treewright.treebank.files.writing import convert, write
from treewright.treebank.formats import registry
from treewright.treebank.formats.registry import Format, Sample, format_named, guess

U = "1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_\n2\tcat\tcat\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
X = "1\tDe\tde\tArt\tArt\tbep|onzijd\t2\tdet\t_\t_\n2\tkat\tkat\tN\tN\tsoort|ev\t0\tROOT\t_\t_\n\n"
PLUS = "# global.columns = ID FORM UPOS X:Y\n1-2\tab\t_\t_\n1\ta\tX\t1\n2\tb\tX\t*\n\n"
NINE = (
    "1\tA\ta\ta\tD\tD\tf\tf\t2\t2\tNMOD\tNMOD\t_\t_\t_\tA1\n"
    "2\tb\tb\tb\tN\tN\t_\t_\t3\t3\tSBJ\tSBJ\tY\tb.01\tA0\t_\n"
    "3\tc\tc\tc\tV\tV\t_\t_\t0\t0\tROOT\tROOT\tY\tc.01\t_\t_\n\n"
    "1\td\td\td\tV\tV\t_\t_\t0\t0\tROOT\tROOT\t_\t_\n\n"
)
TAB = "#\tSYM\t2\tdep\n7\tNUM\t0\tROOT\n\nword\tN\t0\tROOT\n\n"
TWO = "#\tSYM\n7\tNUM\n\n"
XML = '<?xml version="1.0"?><treebank><body/></treebank>'


def guessed(text, name="file"):
    return guess(Sample(text.encode(), name)).name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (U, "conllu"),
        (X, "conllx"),
        (PLUS, "conllu-plus"),
        ("\ufeff" + PLUS, "conllu-plus"),
        (NINE, "conll09"),
        (TAB, "malt-tab"),
        (TWO, "malt-tab"),
        (XML, "malt-xml"),
        ("\ufeff\n" + XML, "malt-xml"),
        ("# only a comment\n\n", "conllu"),
        ("\n\n", "conllu"),
        ("# sent_id = a\n" + X, "conllu"),
        (X.replace("\t_\t_\n", "\t2:det\tx=y\n", 1), "conllu"),
        ("1-2\tDekat\t_\t_\t_\t_\t_\t_\t_\t_\n" + X, "conllu"),
        (U.replace("\t_\t_\n", "\t2\tdet\n"), "conllx"),
        ("1 The the DET\n\n", "conllu"),
        ("1\tThe\tDET\n\n", "conllu"),
    ],
)
def test_guess(text, name):
    assert guessed(text) == name
    assert guessed(text.replace("\n", "\r\n")) == name


def test_the_name_of_the_file_decides_in_doubt_only():
    assert guessed(X, "x.conllu.gz") == "conllu"
    assert guessed(TAB, "x.conllu") == "malt-tab"


@pytest.mark.parametrize("text", ["hello world\n", "\0\1\2", "{}\n"])
def test_what_is_no_treebank_is_refused_with_the_list_of_formats(text):
    with pytest.raises(TreebankError, match="conll09, conllu, conllu-plus, conllx, json, jsonl, malt-tab"):
        guessed(text)


@pytest.mark.parametrize("text", [U, X, PLUS, NINE, TAB, TWO])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_unchanged_means_the_same_bytes(tmp_path, text, line_end, bom):
    data = (bom + text.replace("\n", line_end)).encode()
    path = tmp_path / "out"
    write(read_blocks(data, block_bytes=20), path)
    assert path.read_bytes() == data
    write(read(data), path)
    assert path.read_bytes() == data
    sentences = list(read(data))
    for sentence in sentences:
        assert len(sentence) == len(sentence.words)
    write(sentences, path)
    assert path.read_bytes() == data
    convert(data, path)
    assert path.read_bytes() == data


def only_sentences(text, **kwargs):
    return list(read(text.encode(), **kwargs))


def test_conllx_tags_have_the_roles_of_upos_and_xpos():
    text = X.replace("\tde\tArt\tArt", "\tde\tArt\tArtDef").replace("\t_\t_\n", "\t2\tmod\n", 1)
    token = only_sentences(text)[0][0]
    assert (token.upos, token.xpos, token["PHEAD"], token["PDEPREL"]) == ("Art", "ArtDef", "2", "mod")


def test_malt_tab_has_no_ids_and_its_tag_is_upos():
    first, second = only_sentences(TAB)
    assert [(t.id, t.form, t.upos, t.xpos, t.head, t.deprel) for t in first] == [
        (1, "#", "SYM", "_", 2, "dep"),
        (2, "7", "NUM", "_", 0, "ROOT"),
    ]
    assert len(second) == 1
    assert [t.head for t in only_sentences(TWO)[0]] == [None, None]


def test_malt_tab_wants_both_head_and_relation_or_neither():
    with pytest.raises(TreebankError, match=r"the text:2: expected 4 columns .malt-tab., found 3"):
        only_sentences("a\tN\t0\tROOT\nb\tN\t1\n\n", format="malt-tab")


def test_conllu_plus_has_the_columns_of_its_first_line():
    [sentence] = only_sentences(PLUS)
    assert [token["X:Y"] for token in sentence.tokens] == ["_", "1", "*"]
    assert sentence.metadata["global.columns"] == "ID FORM UPOS X:Y"
    assert sentence[0].head is None
    assert sentence[0].lemma == "_"


@pytest.mark.parametrize(
    ("first", "problem"),
    [
        ("# text = a", "does not list the columns"),
        ("# global.columns =", "no columns"),
        ("# global.columns = ID FORM ID", "ID is listed twice"),
        ("# global.columns = ID LEMMA", "no column FORM"),
    ],
)
def test_conllu_plus_with_a_bad_first_line(first, problem):
    with pytest.raises(TreebankError, match=problem) as caught:
        only_sentences(first + "\n1\ta\n\n", format="conllu-plus")
    assert caught.value.line == 1


def test_global_columns_count_in_the_first_line_only():
    assert guessed("\n" + PLUS) != "conllu-plus"


def test_conll09_arguments_and_roles():
    first, second = only_sentences(NINE)
    assert first.heads == [2, 3, 0]
    assert first.deprels == ["NMOD", "SBJ", "ROOT"]
    assert [t.upos for t in first] == ["D", "N", "V"]
    assert first[1]["PRED"] == "b.01"
    assert first[0]["APREDS"].split("\x1f") == ["", "_", "A1"]
    assert second[0]["APREDS"] == ""


def test_conll09_with_a_short_line_or_a_separator_names_the_line():
    with pytest.raises(TreebankError, match=r"the text:2: expected at least 14 columns .conll09., found 10"):
        only_sentences(NINE.split("\n")[0] + "\n" + U, format="conll09")
    with pytest.raises(TreebankError, match=r"the text:1: control character"):
        only_sentences(NINE.replace("A1", "\x1f"))


def test_an_unknown_format_is_refused_with_the_list():
    with pytest.raises(
        TreebankError, match=r"'conll'. Did you mean 'conllx'\? Choose from conll09, conllu, conllu-plus, conllx"
    ):
        format_named("conll")


class Shouted(Format):
    """A format of a plug-in: words in one line."""

    name = "shouted"
    description = "words in capitals, one sentence per line"

    def confidence(self, sample):
        return 1.0 if sample.text.isupper() and b"\t" not in sample.text else 0.0


class EntryPoint:
    name = "shouted"
    value = "shouted:Shouted"

    def load(self):
        return Shouted()


@pytest.fixture
def plugin(monkeypatch):
    monkeypatch.setattr(registry, "_plugins_loaded", False)
    format_named("conllu")  # so that the built-in formats are there to be copied
    monkeypatch.setattr(registry, "_added", dict(registry._added))
    entry = EntryPoint()
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [entry])
    return entry


def test_plug_ins_add_formats_by_name_and_by_content(plugin):
    assert guessed("HELLO WORLD\n") == "shouted"
    assert format_named("shouted").description.startswith("words")
    assert "shouted" in [format.name for format in registry.formats()]


def test_a_broken_plug_in_is_named(plugin, monkeypatch):
    monkeypatch.setattr(EntryPoint, "load", lambda self: 1 / 0)
    with pytest.raises(TreebankError, match=r"format shouted .*shouted:Shouted"):
        format_named("shouted")


def test_a_name_can_be_registered_once(plugin):
    with pytest.raises(ValueError, match="already"):
        registry.register(format_named("conllu"))
