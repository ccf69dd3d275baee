"""Steps in a row: chosen, left out, added, trained one by one, and those of other packages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.kinds.pipeline.test_pipeline import bare, toy_pipeline
from tests.through_a_file import kept
from tests.toy import DEV, TEST, TRAIN, toy_parser
from treewright.apps.cli import main
from treewright.errors import CombinationError, ModelFileError, TreewrightError
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.steps import kinds
from treewright.steps.pipeline import Pipeline, chosen_steps
from treewright.steps.step import Step
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU

TEXT = "The girl saw a goose."
SMALL = {"tagger_iterations": 2, "tagger_seeds": 1}


def shouted(sentence: tw.Sentence) -> None:
    """Change a sentence in place."""
    for word in sentence:
        word.misc["Loud"] = "Yes"


def unknown_nouns(sentence: tw.Sentence) -> tw.Sentence:
    """Return another sentence."""
    return tw.Sentence.from_conllu(sentence.to_conllu().replace("\tNOUN\t", "\tX\t"))


def words() -> Block:
    """The toy treebank without tags and trees."""
    return Block(bare(TEST), CONLLU, "words")


def parsed(step: Step, block: Block) -> bytes:
    return bytes(step.parse_block(block).data)


def cut(text: bytes, *columns: int) -> list[list[bytes]]:
    """Return columns of all lines."""
    rows = [line.split(b"\t") for line in text.split(b"\n")]
    return [[row[column] for column in columns] if len(row) == 10 else row for row in rows]


@cache
def small_tagger() -> Step:
    return tw.train(TRAIN, step="tagger", **SMALL)


# Any number of steps


def test_a_pipeline_of_one_step_does_what_the_step_does() -> None:
    parser = toy_parser()
    alone = Pipeline([parser])
    assert [*alone.steps] == ["parser"]
    assert [*parser.steps] == ["parser"]
    block = next(read_blocks(TEST))
    assert parsed(alone, block) == parsed(parser, block)
    assert alone.relations == parser.relations
    assert alone.lacks.keys() == parser.lacks.keys()
    with pytest.raises(CombinationError, match="a step at least"):
        Pipeline([])


def test_a_pipeline_of_four_steps() -> None:
    model = toy_pipeline().with_step(unknown_nouns, after="tagger")
    assert [*model.steps] == ["tokenizer", "tagger", "unknown_nouns", "parser"]
    found = list(model.parse_text("The old baker saw a goose. The girl sang."))
    assert len(found) == 2
    assert {word.upos for sentence in found for word in sentence} >= {"X", "DET"}
    assert all(sentence.root for sentence in found)
    assert "NOUN" not in parsed(model, words()).decode()
    assert model.capabilities == toy_pipeline().capabilities


def test_a_step_may_come_twice_under_two_names(tmp_path: Path) -> None:
    """The second parser has the last word; the file brings both back."""
    other = tw.train(TRAIN, system="arc-standard", features="lean", iterations=1)
    model = toy_pipeline().with_step(other, "second")
    assert [*model.steps] == ["tokenizer", "tagger", "parser", "second"]
    first = Block(parsed(toy_pipeline(), words()), CONLLU, "first")
    assert parsed(model, words()) == parsed(other, first)
    assert model.trees(words()).text(model.relations) == parsed(model, words())
    model.save(tmp_path / "model.tw")
    again = tw.load(tmp_path / "model.tw")
    assert [*again.steps] == [*model.steps]
    assert parsed(again, words()) == parsed(model, words())


def test_a_name_stands_for_one_step() -> None:
    with pytest.raises(CombinationError, match="there is a step 'tagger' already"):
        toy_pipeline().with_step(small_tagger())
    with pytest.raises(CombinationError, match=r"'taggr'.*'tagger'"):
        toy_pipeline().with_step(shouted, after="taggr")


def test_a_pipeline_never_changes() -> None:
    model = toy_pipeline()
    model.steps.clear()
    model.with_step(shouted)
    model.without(["parser"])
    assert [*model.steps] == ["tokenizer", "tagger", "parser"]


# Some of the steps


def test_some_of_the_steps_in_their_order(tmp_path: Path) -> None:
    model = toy_pipeline()
    some, rest = model.only(["tagger", "tokenizer"]), model.without(["parser"])
    assert [*some.steps] == [*rest.steps] == ["tokenizer", "tagger"]
    assert parsed(some, words()) == parsed(rest, words()) == parsed(model.steps["tagger"], words())
    rest.save(tmp_path / "rest.tw")
    assert parsed(tw.load(tmp_path / "rest.tw"), words()) == parsed(rest, words())
    for wrong in (model.only, model.without):
        with pytest.raises(CombinationError, match=r"step 'parsr'.*'parser'"):
            wrong(["parsr"])
    with pytest.raises(CombinationError, match="a step at least"):
        model.without(["parser", "tagger", "tokenizer"])


def test_what_steps_that_were_left_out_could_do_is_refused() -> None:
    model = toy_pipeline()
    without = model.without(["parser"])
    with pytest.raises(CombinationError, match="beam"):
        without.parse_block(words(), beam=4)
    with pytest.raises(CombinationError, match="a tokeniser"):
        list(model.without(["tokenizer"]).parse_text("The girl sang."))
    with pytest.raises(CombinationError, match="no tagger"):
        model.without(["tagger"]).parse_block(words(), tag=True)


def test_words_are_tagged_without_a_parser(tmp_path: Path) -> None:
    """From text and from a treebank; what is no business of the tagger stays."""
    text, model = raw_text(read_blocks(TEST)).encode(), toy_pipeline()
    tagged, whole = tmp_path / "tagged.conllu", tmp_path / "whole.conllu"
    model.without(["parser"]).parse_file(text, tagged)
    model.parse_file(text, whole)
    assert cut(tagged.read_bytes(), 0, 1, 2, 3, 4, 5, 8, 9) == cut(whole.read_bytes(), 0, 1, 2, 3, 4, 5, 8, 9)
    rows = [row for row in cut(tagged.read_bytes(), 6, 7) if len(row) == 2]
    assert {column for row in rows for column in row} == {b"_"}
    scores = tw.evaluate(TEST, whole).ud
    assert scores["UPOS"].f1 > 90


def test_the_command_line_chooses_steps(tmp_path: Path) -> None:
    """A treebank without tags, by a pipeline with its steps chosen, and by its tagger alone."""
    (tmp_path / "words.conllu").write_bytes(bare(TEST))
    toy_pipeline().save(tmp_path / "model.tw")
    toy_pipeline().steps["tagger"].save(tmp_path / "tagger.tw")
    ways = {
        "tagger.tw": [],
        "model.tw": ["--steps", "tokenizer,tagger"],
        str(tmp_path / "model.tw"): ["--without", "parser"],
    }
    found = set()
    for number, (model, chosen) in enumerate(ways.items()):
        out = tmp_path / f"{number}.conllu"
        assert (
            main(["parse", "-q", str(tmp_path / model), str(tmp_path / "words.conllu"), "-o", str(out), *chosen]) == 0
        )
        found.add(out.read_bytes())
    assert found == {parsed(toy_pipeline().steps["tagger"], words())}


def test_the_command_line_chooses_steps_for_text(tmp_path: Path) -> None:
    toy_pipeline().save(tmp_path / "model.tw")
    (tmp_path / "text.txt").write_text("The girl sang. The baker slept.\n", encoding="utf-8")
    out = tmp_path / "out.conllu"
    told = ["parse", "-q", str(tmp_path / "model.tw"), str(tmp_path / "text.txt"), "-o", str(out), "--steps"]
    assert main([*told, "tokenizer"]) == 0
    assert {tuple(row) for row in cut(out.read_bytes(), 2, 3, 6, 7) if len(row) == 4} == {(b"_",) * 4}
    assert main([*told, "tokenizer,tagger"]) == 0
    assert cut(out.read_bytes(), 1, 3)[4] == [b"The", b"DET"]
    assert main([*told, "tagger"]) == 2
    assert main([*told, "tokenizer,nothing"]) == 2


# Functions


def test_a_function_is_a_step() -> None:
    model = toy_pipeline().with_step(shouted)
    text = parsed(model, words())
    assert text.count(b"Loud=Yes") == words().n_words
    before = parsed(toy_pipeline(), words())
    assert cut(text, 0, 1, 2, 3, 4, 5, 6, 7, 8) == cut(before, 0, 1, 2, 3, 4, 5, 6, 7, 8)
    one = model.parse_words(["The", "girl", "sang"])
    assert [word.misc for word in one] == [{"Loud": "Yes"}] * 3
    assert "shouted" in repr(model)


def test_steps_behind_the_parser_leave_its_trees_and_relations() -> None:
    plain, model = toy_pipeline(), toy_pipeline().with_step(shouted)
    assert model.relations == plain.relations != []
    assert model.trees(words()).heads == plain.trees(words()).heads
    before, after = (each.k_best(TEXT, 2) for each in (plain, model))
    assert [found.sentence.to_conllu() for found in after] == [found.sentence.to_conllu() for found in before]
    assert model.info == plain.info


def test_a_function_is_not_saved(tmp_path: Path) -> None:
    model = toy_pipeline().with_step(shouted, "loud")
    with pytest.raises(CombinationError, match="the step loud is a function, which no model file can hold") as error:
        model.save(tmp_path / "model.tw")
    assert "model.with_step(function)" in str(error.value)
    assert not [*tmp_path.iterdir()]
    model.without(["loud"]).save(tmp_path / "model.tw")
    assert parsed(tw.load(tmp_path / "model.tw").with_step(shouted), words()) == parsed(model, words())  # type: ignore[attr-defined]


def test_a_function_gives_a_sentence_or_nothing() -> None:
    with pytest.raises(TreewrightError, match="the step str gave a str"):
        toy_pipeline().with_step(str).parse_block(words())  # type: ignore[arg-type]
    with pytest.raises(CombinationError, match="a dict is no step"):
        toy_pipeline().with_step({})  # type: ignore[arg-type]


def test_a_function_keeps_the_columns_that_it_gets() -> None:
    """Sentences of another format come back in their own columns, or not at all."""
    (block,) = read_blocks(b"1\tgirls\t_\tNN\tNNS\t_\t2\tx\t_\t_\n2\tsing\t_\tVB\tVB\t_\t0\ty\t_\t_\n\n", "conllx")
    seen = []
    assert bytes(Pipeline([toy_parser()]).with_step(seen.append, "seen").parse_block(block).data)
    assert seen[0].layout is block.layout
    with pytest.raises(TreewrightError, match="the step other gave a sentence with other columns"):
        Pipeline([toy_parser()]).with_step(lambda _: tw.Sentence.from_words(["a"]), "other").parse_block(block)


# Training step by step


def test_a_step_is_trained_alone(tmp_path: Path) -> None:
    tagger = small_tagger()
    assert [*tagger.steps] == ["tagger"]
    tagger.save(tmp_path / "tagger.tw")
    again = tw.load(tmp_path / "tagger.tw")
    assert parsed(again, words()) == parsed(tagger, words())
    assert again.info["recipe"]["step"] == "tagger"
    assert "beam" not in again.info["recipe"]
    with pytest.raises(CombinationError, match="iterations has no effect here: only the tagger is trained"):
        tw.train(TRAIN, step="tagger", iterations=2)


def test_a_step_goes_on_from_a_step_or_from_a_pipeline() -> None:
    few = {"tagger_iterations": 1, "tagger_seeds": 1}
    for base in (small_tagger(), toy_pipeline().without(["parser"]), toy_pipeline()):
        options = {"step": "tagger"} if len(base.steps) > 1 else {}
        found = tw.train(DEV, init_from=base, **options, **few)  # type: ignore[arg-type]
        assert [*found.steps] == ["tagger"]
        assert found._details()["known_words"] >= base.steps["tagger"]._details()["known_words"]
    with pytest.raises(CombinationError, match="a pipeline goes on from a pipeline"):
        tw.train(DEV, init_from=small_tagger(), pipeline=True)


def test_a_tagger_says_which_columns_it_fills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_tagger().save(tmp_path / "tagger.tw")
    assert main(["info", str(tmp_path / "tagger.tw")]) == 0
    assert re.search("^columns +LEMMA, UPOS, FEATS$", capsys.readouterr().out, re.MULTILINE)


def test_the_command_line_trains_a_step(tmp_path: Path) -> None:
    options = [word for name, value in SMALL.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    made = tmp_path / "tagger.tw"
    assert main(["train", "-q", TRAIN, "-o", str(made), "--step", "tagger", *options]) == 0
    small_tagger().save(tmp_path / "same.tw")
    assert kept(tw.load(made))[1] == kept(small_tagger())[1]


def test_a_step_of_another_model_is_kept(tmp_path: Path) -> None:
    """Its arrays are the same bytes, and the parser learns from its tags."""
    old = tmp_path / "old.tw"
    small_tagger().save(old)
    made = tmp_path / "made.tw"
    few = ["--tokenizer-iterations", "1", "--iterations", "1"]
    assert main(["train", "-q", TRAIN, "-o", str(made), "--pipeline", "--keep-step", f"tagger={old}", *few]) == 0
    model = tw.load(made)
    assert [*model.steps] == ["tokenizer", "tagger", "parser"]
    assert kept(model.steps["tagger"]) == kept(small_tagger())
    assert model.info["recipe"]["keep_step"] == f"tagger={old}"
    with pytest.raises(CombinationError, match="tagger_iterations has no effect here: the tagger is kept"):
        tw.train(TRAIN, pipeline=True, keep_step=f"tagger={old}", tagger_iterations=3)
    with pytest.raises(CombinationError, match="has the steps tagger only"):
        tw.train(TRAIN, pipeline=True, keep_step=f"parser={old}")
    with pytest.raises(CombinationError, match="give STEP=MODEL"):
        tw.train(TRAIN, pipeline=True, keep_step="tagger")


# Other packages


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with a step and a kind of step, installed."""
    (tmp_path / "my_steps.py").write_text(
        '''"""Steps of another package."""

def marked(sentence):
    for word in sentence:
        word.misc["Marked"] = "Yes"
''',
        encoding="utf-8",
    )
    kind = tmp_path / "my_kind"
    kind.mkdir()
    (kind / "__init__.py").write_text(
        '''"""A kind of step that writes a value to XPOS."""

from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    models={"stamp": "stamp:Stamp"},
    check="stamp:check",
    recipe="stamp:StampRecipe",
    training="stamp:strategy",
    step="stamp",
)
''',
        encoding="utf-8",
    )
    (kind / "stamp.py").write_text(
        '''"""A step that writes a value to XPOS."""

from dataclasses import dataclass

from treewright.errors import ModelFileError
from treewright.options.recipe import Recipe
from treewright.steps.step import Step


@dataclass(frozen=True)
class StampRecipe(Recipe):
    kind = "stamp"


class Stamp(Step):
    kind = role = "stamp"
    gives = ("XPOS",)

    def annotate(self, block, call):
        rows = [line.split(b"\\t") for line in bytes(block.data).split(b"\\n")]
        value = self.settings["value"].encode()
        return b"\\n".join(b"\\t".join([*row[:4], value, *row[5:]] if len(row) > 1 else row) for row in rows)

    def to_file(self):
        return {"kind": self.kind, "settings": self.settings, "info": self.info}, {}

    @classmethod
    def from_file(cls, header, arrays):
        return cls(header["settings"], header["info"])


def check(header, arrays):
    if not isinstance(header["settings"].get("value"), str):
        raise ModelFileError("the model is damaged: settings.value is no text")


def strategy(recipe, base=None, estimator=None):
    raise NotImplementedError
''',
        encoding="utf-8",
    )
    info = tmp_path / "my_steps-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-steps\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[treewright.steps]\nmarked = my_steps:marked\n[treewright.kinds]\nstamp = my_kind:KIND\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    kinds.plugin_kinds.cache_clear()
    yield tmp_path
    kinds.plugin_kinds.cache_clear()
    for name in [name for name in sys.modules if name.startswith(("my_steps", "my_kind"))]:
        del sys.modules[name]


@pytest.mark.usefixtures("package")
def test_a_step_of_another_package_is_found_by_its_name(tmp_path: Path) -> None:
    model = chosen_steps(toy_pipeline(), ["tagger", "marked"], None)
    assert [*model.steps] == ["tagger", "marked"]
    assert parsed(model, words()).count(b"Marked=Yes") == words().n_words
    with pytest.raises(CombinationError, match=r"'markd'.*'marked'"):
        chosen_steps(toy_pipeline(), ["markd"], None)
    toy_parser().save(tmp_path / "parser.tw")
    out = tmp_path / "out.conllu"
    assert main(["parse", "-q", str(tmp_path / "parser.tw"), DEV, "-o", str(out), "--steps", "parser,marked"]) == 0
    assert out.read_bytes().count(b"Marked=Yes") == sum(block.n_words for block in read_blocks(DEV))


@pytest.mark.usefixtures("package")
def test_a_kind_of_another_package_is_loaded_and_saved(tmp_path: Path) -> None:
    from my_kind.stamp import Stamp  # type: ignore[import-not-found]

    model = toy_pipeline().with_step(Stamp({"value": "yes"}, {}), after="tagger")
    assert [*model.steps] == ["tokenizer", "tagger", "stamp", "parser"]
    model.save(tmp_path / "model.tw")
    again = tw.load(tmp_path / "model.tw")
    assert isinstance(again.steps["stamp"], Stamp)
    text = parsed(again, words())
    assert text == parsed(model, words())
    assert text.count(b"\tyes\t") == words().n_words
    Stamp({"value": 5}, {}).save(tmp_path / "bad.tw")
    with pytest.raises(ModelFileError, match=r"bad\.tw: the model is damaged: settings.value is no text"):
        tw.load(tmp_path / "bad.tw")


def test_a_kind_that_is_not_installed_is_named(tmp_path: Path) -> None:
    class Stranger(type(toy_parser())):  # type: ignore[misc]
        kind = "stranger"

    parser = toy_parser()
    Stranger(parser.settings, parser.weights, parser.info).save(tmp_path / "model.tw")
    with pytest.raises(ModelFileError, match=r"model\.tw: a model of kind 'stranger', which this"):
        tw.load(tmp_path / "model.tw")


def test_an_entry_point_that_is_no_kind_is_refused(package: Path) -> None:
    (package / "my_steps-1.0.dist-info" / "entry_points.txt").write_text(
        "[treewright.kinds]\nstamp = my_steps:marked\n", encoding="utf-8"
    )
    with pytest.raises(CombinationError, match="the plug-in stamp names no Kind: my_steps:marked is a function"):
        kinds.all_kinds()


#: what users call; the reference of the Python API tells of each
FOR_USERS = {
    *("capabilities", "k_best", "lacks", "load", "origin", "parse", "parse_block", "parse_blocks", "parse_file"),
    *("parse_stream", "parse_text", "parse_words", "pipe", "save", "steps"),
    *("only", "parser", "tagger", "tokenizer", "with_step", "without"),
}
#: what a kind of step fills in
FOR_KINDS = {*("annotate", "best_trees", "blocks", "from_file", "gives", "needs", "role", "split", "to_file", "trees")}


def test_a_step_shows_what_users_call_and_what_kinds_fill_in() -> None:
    assert {name for name in dir(Step) if not name.startswith("_")} == FOR_USERS | FOR_KINDS
    told = (Path(__file__).parents[2] / "docs/reference/python-api.md").read_text(encoding="utf-8")
    assert {name for name in FOR_USERS - {"load"} if f"`p.{name}" not in told} == set()  # which is tw.load


def test_steps_have_names() -> None:
    model = tw.load("english-fast")
    assert model.tagger is model.steps["tagger"]
    assert model.tokenizer.steps.keys() == {"tokenizer"}
    alone = model.tagger.with_step(model.parser)
    assert alone.steps.keys() == {"tagger", "parser"}
    assert alone.only(["parser"]).steps.keys() == alone.without(["tagger"]).steps.keys() == {"parser"}
    with pytest.raises(AttributeError, match="no step 'tokenizer': the model has tagger, parser"):
        _ = alone.tokenizer
