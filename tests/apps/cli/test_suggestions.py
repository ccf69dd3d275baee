"""What is said of options that a command does not have."""

import pytest

from tests.apps.cli.running import refuse
from treewright.apps.cli.overview import COMMANDS
from treewright.apps.cli.program import build_parser
from treewright.apps.cli.suggestions import ARGUMENTS, OF_COMMANDS
from treewright.errors import nearest, unknown
from treewright.recipes.catalogue import all_options
from treewright.recipes.synonyms import SYNONYMS


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("train", "t.conllu", "--epochs", "5"), "no option --epochs. Did you mean --iterations?"),
        (("train", "t.conllu", "-o", "m", "--lr=0.1"), "no option --lr. Did you mean --rate?"),
        (("train", "t.conllu", "--model", "m"), "Did you mean --output?"),
        (("train", "t.conllu", "-o", "m", "--workers", "2"), "Did you mean --threads?"),
        (("train", "t.conllu", "-o", "m", "--random-state", "2"), "Did you mean --seed?"),
        (("train", "t.conllu", "-o", "m", "--algorithm", "x"), "Did you mean --system?"),
        (("train", "t.conllu", "-o", "m", "--guide", "x"), "no option --guide. See"),
        (("train", "t.conllu", "-o", "m", "--verbose"), "shows what it does unless --quiet is given"),
        (("parse", "--model", "m", "x"), "MODEL is the first argument, without a flag: treewright parse [MODEL]"),
        (("parse", "m", "--input", "x"), "INPUT is the second argument"),
        (("parse", "m", "x", "--lang", "en"), "A parser has the language of its treebank"),
        (("parse", "m", "x", "--output-format", "conllu"), "Did you mean --to?"),
        (("parse", "m", "x", "--format", "conllu"), "Did you mean --from (what is read) or --to (what is written)?"),
        (("show", "x", "--format", "svg"), "Did you mean --to?"),
        (("parse", "m", "x", "--cpu"), "Networks are trained and run on processors"),
        (("parse", "m", "x", "--tokenize"), "A model splits raw text if it has a tokeniser"),
        (("parse", "m", "x", "--skip-tokenization"), "Did you mean --pretokenized?"),
        (("train", "t.conllu", "-o", "m", "--patience", "3"), "With --dev, the best round is kept"),
        (("train", "t.conllu", "--save-dir", "m"), "Did you mean --output?"),
        (("train", "t.conllu", "-o", "m", "--bert", "x"), "Did you mean --encoder?"),
        (("train", "t.conllu", "-o", "m", "--batch-size", "8"), "Did you mean --batch-words?"),
        (("distill", "t", "r", "--teacher", "x"), "TEACHER is the first argument"),
        (("serve", "--threads", "2"), "Did you mean --jobs?"),
        (("crossval", "x", "--n-splits", "5"), "Did you mean --folds?"),
        (("parse", "m", "x", "--xyzzy"), "there is no option --xyzzy. See `treewright parse --help`"),
        (("crossval", "x", "--workers", "2"), "Did you mean --jobs?"),
        (("eval", "--gold", "g", "--pred", "p"), "GOLD is the first argument, without a flag: treewright eval GOLD"),
        (("eval", "g", "--pred", "p"), "SYSTEM is the second argument"),
        (("show", "x", "--svg"), "Did you mean --to svg?"),
        (("validate", "x", "--language", "fr"), "Did you mean --lang?"),
        (("corpus", "run", "p", "--model", "m", "-o", "f"), "treewright corpus run PLAN MODEL -o FOLDER"),
    ],
)
def test_other_names_lead_to_ours(words: tuple[str, ...], said: str) -> None:
    assert said in refuse(*words)


def test_only_near_spellings_are_suggested() -> None:
    flags = ["--zero-cost", "--tag", "--method", "--threads", "--k-best"]
    assert [nearest(name, flags) for name in ("--epochs", "--lang", "--model")] == [None] * 3
    assert [nearest(name, flags) for name in ("--thread", "--kbest", "--TAGS")] == ["--threads", "--k-best", "--tag"]


def test_names_of_python_and_files_have_synonyms() -> None:
    assert unknown("option", "epochs", all_options(), SYNONYMS) == "unknown option 'epochs'. Did you mean 'iterations'?"
    assert unknown("colour", "blue", ("red", "green")) == "unknown colour 'blue'. Choose from red, green"


def test_all_that_is_suggested_exists() -> None:
    assert set(SYNONYMS.values()) <= set(all_options())
    assert not set(SYNONYMS) & set(all_options())
    declared: dict[str, set[str]] = {}
    for command in COMMANDS:
        declared[command] = {action.dest for action in build_parser(command)._actions}
    for (command, name), ours in OF_COMMANDS.items():
        assert ours.partition(" ")[0] in declared[command], (command, name)
    everywhere = set().union(*declared.values())
    assert {ours for candidates in ARGUMENTS.values() for ours in candidates} <= everywhere
