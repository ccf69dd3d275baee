"""Trees of parsers, beside a treebank: what learns from them, and what does not."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import treewright as tw
from tests.toy import TRAIN
from treewright.kinds.tagger.tagger import Tagger
from treewright.training.gathering import MADE, SILVER, gather, own_part

SCRIPT = Path(__file__).parents[3] / "tools" / "silver_trees.py"
OTHER = "".join(
    f"1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n2\t{noun}\t{noun}x\tNOUN\t_\tNumber=Sing\t3\tnsubj\t2:x\t_\n"
    f"3\tzorks\tzorkx\tVERB\t_\t_\t0\troot\t0:root\tSpaceAfter=No\n4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_\n\n"
    for noun in ("blig", "blag", "blog")
)
SHORT = {"iterations": 1, "tagger_iterations": 1, "tokenizer_iterations": 1, "jackknife": 0, "widen": "none"}


def test_tagger_and_parser_learn_from_them(tmp_path: Path) -> None:
    """Their words are known, their lemmas are not; the tokeniser and the treebank's numbers stay as they are."""
    file = tmp_path / "silver.conllu"
    file.write_text(OTHER, encoding="utf-8")
    plain = tw.train_pipeline(TRAIN, features="tiny", **SHORT)
    model = tw.train_pipeline(TRAIN, features="tiny", silver=str(file), **SHORT)
    assert "trees of parsers: 12 words" in model.info["training"]["notes"]
    assert model.info["training"]["words"] == plain.info["training"]["words"]
    old, new = plain.steps["tagger"], model.steps["tagger"]
    assert isinstance(old, Tagger)
    assert isinstance(new, Tagger)
    assert {*new.lexicon.keys} > {*old.lexicon.keys}
    assert new.known.keys == old.known.keys
    before, after = (each.steps["tokenizer"].to_file()[1] for each in (plain, model))
    assert {name: bytes(array) for name, (_, array) in before.items()} == {
        name: bytes(array) for name, (_, array) in after.items()
    }


def test_a_treebanks_own_sentences_are_those_without_a_mark() -> None:
    marked = OTHER.replace("det\t_\t_", "det\t_\tMade=Parsed")
    blocks = gather((OTHER + marked).encode()).blocks
    assert [sum(own_part(block, marks).n_sentences for block in blocks) for marks in ((MADE, SILVER), (MADE,))] == [
        3,
        6,
    ]


@pytest.mark.skipif(not SCRIPT.exists(), reason="tools/ is not part of the package")
def test_models_agree_on_what_they_parse_alike(tmp_path: Path) -> None:
    """Models that are the same agree on all sentences; the length of a sentence and of all is limited."""
    script = runpy.run_path(str(SCRIPT))
    text = ["Dogs bark. They sleep all day long in the shade of the trees.", "Birds sing."]
    model = tw.load("english-fast")
    kept = list(script["agreed"](text, [model, model], 5))
    assert [[word.form for word in sentence] for sentence in kept] == [["Dogs", "bark", "."], ["Birds", "sing", "."]]
    (tmp_path / "a.txt").write_text("\n".join([*text, "", " "]), encoding="utf-8")
    assert sorted(script["paragraphs_in"](tmp_path / "a.txt", 1)) == sorted(text)
