"""What every parser gets from the class it is of: reasons, warnings, defaults, files. The parser here does nothing."""

from __future__ import annotations

import inspect
import io
import re
import warnings
from array import array
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from treewright.learners.feature_index import FeatureIndex
from treewright.treebank.blocks.block import Block

import treewright as tw
from treewright.errors import CombinationError, ModelFileError, TreewrightError, TreewrightWarning
from treewright.features.templates import Function
from treewright.kinds.graph.writing import ArcArrays, GraphWritingParser
from treewright.kinds.transition import machine_weights
from treewright.kinds.transition.engines.beam_partition import aspects
from treewright.kinds.transition.machine_weights import MachineWeights
from treewright.learners.batch import Machine
from treewright.steps import loading, pickling
from treewright.steps.best_trees import BestTree, k_best_text
from treewright.steps.border.container import PACKED
from treewright.steps.call import BEAM, K_BEST, PLAIN, TEXT, TREES, Call
from treewright.steps.model_card import card_of
from treewright.steps.model_file import write_model
from treewright.steps.parser import Parser, TreeParser, Trees, as_bytes, empty_trees
from treewright.steps.reader import blocks_of
from treewright.steps.sentence_limit import check_sentences
from treewright.steps.step import Step
from treewright.systems import make_system
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.sentence_names import PLAIN_NAMES, SentenceNames
from treewright.treebank.formats.conllu import CONLLU

FULL = "1\tgirls\tgirl\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
BARE = "1\tgirls\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
TWO = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
EMPTY = "# nothing\n\n"


class Plain(TreeParser):
    """Attaches every word to the root."""

    _LACKS: ClassVar[dict[str, str]] = {TEXT: "it splits no text"}

    def __init__(self, *columns: str) -> None:
        super().__init__({}, {"columns": columns} if columns else {}, ["root"])

    @classmethod
    def from_file(cls, header: Any, arrays: Any) -> Plain:
        return cls()

    def to_file(self) -> Any:
        return {"kind": "plain", "é": 1}, {}

    def trees(self, block: Block, options: Call = PLAIN) -> Trees:
        return empty_trees(block, options.confidence)


class Unable(Plain):
    """Can do nothing, and says why of some things."""

    trees = Parser.trees

    @property
    def lacks(self) -> dict[str, str]:
        return {TREES: "no trees here", TEXT: "no text here", BEAM: "no beam here", K_BEST: "one tree"}


def block_of(text: str, source: str = "a file") -> Block:
    return Block(text.encode(), CONLLU, source, 1)


# What it cannot do


def test_reasons_are_given_for_what_a_parser_lacks() -> None:
    parser, block = Unable(), block_of(FULL)
    calls = [
        ("no trees here", lambda: parser.trees(block)),
        ("one tree", lambda: parser.best_trees(block, 0, PLAIN)),
        ("no text here", lambda: list(parser.parse_text("girls sing"))),
        ("no text here", lambda: parser.split("girls sing", PLAIN, PLAIN_NAMES)),
        ("no text here", lambda: list(blocks_of(parser, b"girls sing", "text", PLAIN))),
        ("beam: no beam here", lambda: parser.parse_block(block, beam=2).data),
    ]
    for reason, call in calls:
        with pytest.raises(CombinationError, match=f"^{reason}$"):
            call()
    assert str(parser._refusal("wings")) == "this model has no wings"
    assert Plain()._details() == {"relations": 1}


def test_raw_text_is_told_from_treebanks(tmp_path: Path) -> None:
    parser, path = Unable(), tmp_path / "a.txt"
    path.write_text("x")  # one character
    with pytest.raises(CombinationError, match=f"^{re.escape(str(path))}: no text here$"):
        list(blocks_of(parser, path, None, PLAIN))
    for source in (FULL.encode(), io.BytesIO(FULL.encode())):
        (block,) = blocks_of(parser, source, None, PLAIN)
        assert block.n_words == 1
    (block,) = blocks_of(parser, b"girls\tNOUN\t0\troot\n\n", "malt-tab", PLAIN)
    assert block.layout.name == "malt-tab"
    (block,) = blocks_of(parser, [tw.Sentence.from_conllu(FULL)], None, PLAIN)  # nothing to look into
    assert block.n_words == 1
    path.write_text("")
    assert list(blocks_of(parser, path, None, PLAIN)) == []
    path.write_text(FULL)
    (block,) = blocks_of(parser, path, "conllu", PLAIN)  # a format that is given counts, not the name
    assert block.n_words == 1
    with pytest.raises(CombinationError, match=r"^--id-prefix names the sentences of raw text: a treebank keeps"):
        list(blocks_of(parser, FULL.encode(), None, PLAIN, SentenceNames("p")))


@pytest.mark.parametrize("name", ["parse_blocks", "parse_stream", "pipe", "parse_file", "parse_text"])
def test_one_thread_is_the_default(name: str, tmp_path: Path) -> None:
    parser = Plain()
    if name == "parse_text":
        with pytest.raises(CombinationError):
            list(parser.parse_text("girls sing"))
    elif name == "parse_file":
        assert parser.parse_file(FULL.encode(), tmp_path / "out.conllu") == (1, 1)
    else:
        assert list(getattr(parser, name)([])) == []
    parameters = inspect.signature(getattr(Parser, name)).parameters
    assert parameters["threads"].default == 1
    assert name != "pipe" or parameters["batch_size"].default == 256


def test_relations_that_are_not_text_are_bytes_as_they_were() -> None:
    class Named(Plain):
        def __init__(self) -> None:
            Parser.__init__(self, {}, {}, ["a\udcff"])

    assert as_bytes(Named().relations) == [b"a\xff"]
    assert b"\ta\xff\t" in Named().parse_block(block_of(FULL)).data
    assert Named()._feature_text == ""


def test_what_fills_in_columns_gets_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Call] = []
    monkeypatch.setattr(Step, "_missing", lambda self, block, call: seen.append(call) or [])
    monkeypatch.setattr(Plain, "best_trees", lambda self, block, number, call: seen.append(call) or [])
    Plain().parse_block(block_of(FULL), confidence=True)
    Graphs("obj").parse_block(block_of(FULL), confidence=True)
    list(Plain().parse_blocks([block_of(FULL)], confidence=True))
    assert Plain().k_best(FULL, 3) == []
    assert seen == [Call(confidence=True)] * 3 + [Call(k_best=3)]


# What is told of missing columns


def told(parser: Parser, *texts: str, source: str = "a file") -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = list(parser.parse_blocks(block_of(text, source) for text in texts))
    assert len(found) == len(texts)
    assert all(each.category is TreewrightWarning for each in caught)
    return [str(each.message) for each in caught]


def test_missing_columns_are_told_once_for_the_first_words() -> None:
    parser = Plain("LEMMA")
    message = "a file: LEMMA empty, but the model was trained with it: expect worse trees"
    assert told(parser, BARE, BARE) == [message]
    assert told(parser, FULL, BARE) == []
    assert told(parser, EMPTY, BARE) == [message]
    assert told(parser, EMPTY) == []
    assert told(Plain("LEMMA", "UPOS"), BARE, source="") == [
        "the input: LEMMA, UPOS empty, but the model was trained with them: expect worse trees"
    ]
    assert told(Plain(), BARE) == []  # an older model does not know its columns


# Texts


def test_a_document_has_the_text_that_was_given_or_that_of_its_words() -> None:
    given, words = Plain().pipe([TWO, tw.Sentence.from_conllu(TWO)])
    assert (given.text, words.text) == (TWO, "a b")


def test_documents_keep_their_words_and_bytes() -> None:
    empty = next(Plain().pipe([tw.Document(b"")]))
    assert empty.to_bytes() == b""
    before, _, after = Plain().pipe([FULL, tw.Document(b""), FULL])
    assert before.to_bytes() == after.to_bytes()
    odd = tw.Sentence.from_block(Block(FULL.encode().replace(b"girl\t", b"g\xff\t"), CONLLU, "x"), 0)
    assert b"\tg\xff\t" in Plain()(odd).to_bytes()
    with pytest.raises(TreewrightError) as error:
        Plain()(["girls"])  # type: ignore[arg-type]
    assert str(error.value).endswith(
        "to nlp.parse_words(words), and texts with something beside them to nlp.pipe(pairs, as_tuples=True)"
    )


# Model files


def test_the_same_model_gives_the_same_bytes(tmp_path: Path) -> None:
    """The order of settings and arrays makes no difference."""
    arrays = {"a": ("U8", bytes(1 << 18)), "b": ("U8", bytes(1 << 18)), "c": ("U64", array("Q"))}
    written = []
    for order in (1, -1):
        header = dict([("kind", "x"), ("info", {})][::order])
        write_model(tmp_path / "model", header, dict([*arrays.items()][::order]))
        written.append((tmp_path / "model").read_bytes())
    assert written[0] == written[1]
    assert len(written[0]) < 1 << 17  # packed, unless a call says otherwise
    assert PACKED.encode() in written[0]
    write_model(tmp_path / "model", {"kind": "x"}, {"a": ("U8", b"1")})
    assert PACKED.encode() not in (tmp_path / "model").read_bytes()


@pytest.mark.parametrize("readable", [True, False])
def test_what_another_learner_learnt_is_read_by_that_learner(readable: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = SimpleNamespace(from_file=lambda settings, arrays: ("made of", settings, [*arrays]))
    kinds = {"liblinear": SimpleNamespace(machine=machine if readable else None)}
    monkeypatch.setattr(machine_weights, "learner_class", lambda name: kinds[name])
    settings = {"learner": "liblinear", "machine": {"x": 1}, "n_classes": 6}
    arrays = {"features": memoryview(array("Q", [5, 7])).cast("B")}
    if readable:
        found = MachineWeights.from_file(settings, arrays)
        assert isinstance(found, MachineWeights)
        assert (found.learner, found.machine, len(found), found.n_classes) == (
            *("liblinear", ("made of", {"x": 1}, ["features"])),
            *(len(FeatureIndex(arrays["features"])), 6),
        )
        return
    with pytest.raises(ModelFileError, match=r"^the learner 'liblinear' cannot be read from a file$"):
        MachineWeights.from_file(settings, arrays)


def test_what_another_learner_learnt_is_kept_with_the_features_that_it_knows() -> None:
    class Told(Machine):
        settings, arrays = {"x": 1}, {"more": ("U8", b"ab")}

        def scorer(self, index: Any, plain: Any, n_classes: int) -> Any:
            return index, plain, n_classes

    index = FeatureIndex(memoryview(array("Q", [5, 7])).cast("B"))
    weights = MachineWeights("liblinear", Told(), index, 6)
    assert weights.settings == {"learner": "liblinear", "n_classes": 6, "machine": {"x": 1, "n_features": len(index)}}
    assert weights.typed_arrays == {"features": ("U64", index.keys_buffer), "more": ("U8", b"ab")}
    assert weights.scorer(make_system("arc-eager")) == (index, [0, 1], 6)


def test_learners_of_other_packages_must_be_allowed() -> None:
    with pytest.raises(TreewrightError, match="'mine'"):
        MachineWeights.from_file({"learner": "mine"}, {})


# Sentences that are too long


def test_a_block_as_long_as_a_sentence_may_be_is_fine() -> None:
    block = block_of(FULL * 2)
    check_sentences(block, 2)
    check_sentences(block, 1)
    with pytest.raises(
        TreewrightError, match=r"Split the sentence, or use a transition parser \(--system arc-eager\)$"
    ):
        check_sentences(block, 0)


# Trees as text


def test_only_ends_of_lines_are_taken_from_the_end_of_a_sentence() -> None:
    """A last column that ends in a space or an X keeps it."""
    for end in (" ", "X", "\x0b"):
        block = block_of(f"1\tgirls\t_\t_\t_\t_\t_\t_\t_\tA={end}\n\n")
        tree = BestTree(array("i", [0]), array("i", [0]), 1.0, None)
        assert k_best_text(block, 0, [tree], ["root"]).endswith(f"\t0\troot\t_\tA={end}\n\n".encode())


# Graphs


class Graphs(GraphWritingParser):
    """Attaches the second word to the first, by a relation that may lead through an empty node."""

    from_file, to_file = Plain.from_file, Plain.to_file

    def __init__(self, relation: str) -> None:
        super().__init__({}, {}, [relation])

    def arcs(self, block: Block, options: Call) -> ArcArrays:
        sure = array("f", [0.5] * block.n_sentences) if options.confidence else None
        words = [block.words_of(sentence)[-1] for sentence in range(block.n_sentences)]
        return ArcArrays(array("i", words), array("i", [1] * len(words)), array("i", [0] * len(words)), sure)


def test_graphs_are_written_with_confidences_and_empty_nodes() -> None:
    block = block_of(TWO)
    assert Graphs("obj").parse_block(block, confidence=True).data.decode() == TWO.replace(
        "2\tb\t_\t_\t_\t_\t_\t_\t_\t_", "2\tb\t_\t_\t_\t_\t_\t_\t1:obj\tConfidence=0.500"
    )
    rows = Graphs("conj>obj").parse_block(block).data.decode().splitlines()
    assert [row.split("\t")[0] for row in rows if row] == ["1", "1.1", "2"]
    assert [row.split("\t")[8] for row in rows if row] == ["_", "1:conj", "1.1:obj"]
    assert Graphs("obj").parse_graphs(block) == [[[], [(1, "obj")]]]


@pytest.mark.parametrize(("source", "shown"), [("a file", "a file"), ("", "the input")])
def test_graphs_need_a_column(source: str, shown: str) -> None:
    (read,) = read_blocks(b"a\tX\t0\troot\n\n", "malt-tab")
    block = Block(read.data, read.layout, source)
    with pytest.raises(TreewrightError) as error:
        Graphs("obj").parse_block(block)
    assert str(error.value) == (
        f"{shown}: malt-tab has no column DEPS for graphs. Convert it to CoNLL-U first: treewright convert"
    )


# Cards


def test_a_card_has_a_row_for_every_fact() -> None:
    made = SimpleNamespace(
        info={"recipe": {"system": "arc-x"}, "treebank": "T", "description": "D", "licence": "L", "dev": {"las": 8.5}},
        _details=lambda: {"steps": ["tagger", "parser"]},
        origin=SimpleNamespace(path="/m.tw"),
        relations=["a", "b", "c"],
        capabilities={"trees", "beam"},
    )
    assert cells(card_of(made))[1:] == [  # type: ignore[arg-type]
        *("file", "/m.tw", "steps", "tagger, parser", "system", "arc-x", "treebank", "T", "description", "D"),
        *("licence", "L", "relations", "3", "dev las", "8.50", "can do", "beam, trees"),
    ]
    shown = card_of(Plain())
    assert cells(shown)[0].replace("&lt;", "<").startswith("<tests.kinds.transition.test_plain_parser.Plain object")
    assert cells(shown)[1:4] == ["relations", "1", "can do"]


def cells(page: str) -> list[str]:
    """Return the texts of a table; the first is its caption."""
    return re.findall(r">([^<>]+)<", page)


# Pickles


def test_a_file_that_is_not_there_has_no_state(tmp_path: Path) -> None:
    assert loading.Origin.of(tmp_path / "none").state == (0, 0, 0)


def test_a_fingerprint_is_a_size_and_a_hash_of_twelve_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"ab")
    # blake2b of "abab", since the beginning and the end are both all of it
    assert pickling.fingerprint(str(path)) == "2-" + pickling.blake2b(b"abab", digest_size=12).hexdigest()
    assert len(pickling.fingerprint(str(path))) == 2 + 24


def test_a_parser_that_was_pickled_here_comes_back_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pickling, "_loaded", lambda shown, expected: f"{shown} {expected}")
    parsers = []
    for name in "ab":
        (tmp_path / name).write_text(name)
        parsers.append(Plain())
        parsers[-1].origin = loading.Origin.of(tmp_path / name)
    calls = [pickling.reduced(parser) for parser in parsers]
    for parser, (function, key) in zip(parsers, calls, strict=True):
        assert function is pickling.step_at
        assert key == (str(tmp_path / Path(str(key[0])).name), pickling.fingerprint(str(key[0])))
        assert pickling.step_at(*key) is parser  # type: ignore[arg-type]
    pickling._kept.cache_clear()
    assert pickling.step_at("elsewhere", "1-2") == "elsewhere 1-2"


def test_a_model_of_the_package_is_looked_for_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pickling, "FOLDER", str(tmp_path))
    monkeypatch.setattr("treewright.steps.loading.load_step", lambda path: f"loaded {path}")
    path = tmp_path / "m.tw"
    path.write_bytes(b"x")
    found = pickling.fingerprint(str(path))
    assert pickling._loaded("treewright:m", found) == f"loaded {path}"
    assert pickling._loaded(str(path), found) == f"loaded {path}"


def test_a_pickle_keeps_letters_as_they_are() -> None:
    assert pickling._packed(Plain()) == ('{"kind": "plain", "é": 1}', {})


# Beams


def test_a_feature_without_addresses_looks_at_the_past() -> None:
    function: Function = SimpleNamespace(addresses=(), name="x")  # type: ignore[assignment]
    assert aspects(function) == {("past", 0)}
