"""The suites of plain sentences say what can be found in them, and the bundled models get most of them right."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import treewright as tw

ROOT = Path(__file__).parents[1]
SUITES = ROOT / "tests" / "suites"

pytestmark = pytest.mark.skipif(not (ROOT / "benchmarks").exists(), reason="benchmarks/ is not part of the package")


@pytest.fixture
def scores(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script that scores models on a suite."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    monkeypatch.delitem(sys.modules, "plain_sentences", raising=False)
    import plain_sentences

    module: ModuleType = plain_sentences
    return module


@pytest.mark.parametrize(("suite", "sentences", "kinds"), [("english", 400, 20), ("italian", 40, 5)])
def test_every_sentence_says_what_can_be_found_in_it(
    scores: ModuleType, suite: str, sentences: int, kinds: int
) -> None:
    found = list(scores.sentences_of(SUITES / f"plain_{suite}.txt"))
    assert len(found) >= sentences
    assert len({sentence.kind for sentence in found}) >= kinds
    assert max(Counter(sentence.text for sentence in found).values()) == 1
    for sentence in found:
        assert sentence.expected, sentence.text
        for each in sentence.expected:
            forms = [name.partition("#")[0] for name in (*each.words, *filter(None, [each.head]))]
            assert all(form in sentence.text for form in forms), sentence


@pytest.mark.parametrize(("model", "most"), [("english", 0.12), ("english-fast", 0.21)])
def test_bundled_models_get_most_of_them_right(scores: ModuleType, model: str, most: float) -> None:
    suite = list(scores.sentences_of(SUITES / "plain_english.txt"))
    wrong = scores.wrong_by_kind(tw.load(model), suite)
    assert sum(map(len, wrong.values())) <= most * len(suite)


def test_what_is_expected_is_looked_for(scores: ModuleType, tmp_path: Path) -> None:
    model = tw.load("english-fast")
    suite = tmp_path / "suite.txt"

    def mistakes(line: str) -> list[str]:
        suite.write_text(f"## kind\n{line}\n", encoding="utf-8")
        (sentence,) = scores.sentences_of(suite)
        found: list[str] = sentence.mistakes(model)
        return found

    assert not mistakes(
        "The cat chased the dog. | root=chased/VERB nsubj=cat/NOUN det(dog)=the obj|obl=dog cat/NOUN|PROPN"
    )
    wrong = "root=cat nsubj=dog chased/NOUN det(cat)=the obj(cat)=dog cow/NOUN root=cat|chased The#2"
    assert mistakes(f"The cat chased the dog. | {wrong}") == wrong.replace("root=cat|chased ", "").split()
    assert mistakes("It rains. We stay. | We/PRON") == ["cut into 2 sentences"]
    with pytest.raises(SystemExit, match="is not like"):
        mistakes("It rains. | nsubj(=It")
