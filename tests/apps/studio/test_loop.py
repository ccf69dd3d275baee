"""The loop: learning in the background, suggestions around fixed arcs, the least sure sentence first."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.apps.studio.projects import Sentence, make_project, toy_sentences
from tests.toy import TRAIN
from treewright.apps.studio.agreement import agreement
from treewright.apps.studio.drafts import Draft
from treewright.apps.studio.learning import is_held_out, learn
from treewright.apps.studio.loop import Loop
from treewright.apps.studio.project import Project
from treewright.apps.studio.suggesting import blanked, suggestions
from treewright.errors import TreewrightError

if TYPE_CHECKING:
    from treewright.recipes.keywords import RecipeOptions

RECIPE: RecipeOptions = {"features": "lean", "iterations": 2}


@pytest.fixture(scope="module")
def annotated() -> list[str]:
    return toy_sentences(TRAIN, 60)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(make_project(tmp_path, 60, 12))


def test_the_least_sure_sentence_comes_next(project: Project, annotated: list[str]) -> None:
    loop = Loop(project, RECIPE)
    assert loop.next_sentence() == project.place("a.conllu", 60)  # in order, before there is a parser
    assert loop.suggestion(Sentence(project, 60).shown.text) is None
    loop.learn_soon()
    assert loop.wait(60)
    assert loop.problem == ""
    assert [one.doubt for one in loop.waiting] == sorted((one.doubt for one in loop.waiting), reverse=True)
    place = loop.next_sentence()
    assert place == loop.waiting[0].place
    found = loop.suggestion(project.sentence(place).text)
    assert found is not None
    shown = project.sentence(place)
    shown = project.edit(place, {"do": "tree", "heads": found.heads, "relations": found.relations}, shown.revision)
    project.save(place, shown.revision)
    assert loop.next_sentence() == loop.waiting[1].place
    loop.learn_soon()
    assert loop.wait(60)
    assert len(loop.waiting) == 11
    held_out = sum(map(is_held_out, annotated))
    assert loop.curve[0].held_out >= held_out
    assert loop.curve[0].las > 0.3
    assert Loop(project, RECIPE).curve == loop.curve


def test_sentences_without_tags_get_some(tmp_path: Path) -> None:
    project = Project(make_project(tmp_path, 40, 4))
    sentence = Sentence(project, 41)
    for _, cells in Draft(sentence.shown.text).words():
        for column in ("LEMMA", "UPOS", "XPOS", "FEATS"):
            sentence.edit({"do": "cell", "token": cells[0], "column": column, "value": ""})
    sentence.save()
    loop = Loop(project, RECIPE)
    loop.learn_now()
    found = loop.suggestion(sentence.shown.text)
    assert found is not None
    assert all(tags[1] != "_" for tags in found.tags)
    edit = {"do": "tree", "heads": found.heads, "relations": found.relations, "tags": found.tags}
    assert [cells[3] for _, cells in Draft(sentence.edit(edit).text).words()] == [tags[1] for tags in found.tags]


def test_suggestions_keep_what_is_fixed(annotated: list[str]) -> None:
    learnt = learn(annotated, RECIPE)
    assert learnt is not None
    rng = random.Random(1)
    fixed = [[n for n in range(1, 30) if rng.random() < 0.3] for _ in annotated]
    texts = [blanked(text, own) for text, own in zip(annotated, fixed, strict=True)]
    for text, own, found in zip(annotated, fixed, suggestions(learnt[0], texts), strict=True):
        for number, (_, cells) in enumerate(Draft(text).words(), 1):
            if number in own:
                assert (str(found.heads[number - 1]), found.relations[number - 1]) == (cells[6], cells[7])
                assert found.confidences[number - 1] == 1
        assert 0 <= found.doubt <= 1


def test_too_few_sentences_to_learn_from(annotated: list[str]) -> None:
    assert learn(annotated[:2], RECIPE) is None
    learnt = learn(annotated[:6], RECIPE)
    assert learnt is not None
    assert learnt[1].las is None  # nothing is held out yet


def words(*arcs: tuple[int, str]) -> str:
    return "".join(f"{n}\tw\t_\t_\t_\t_\t{head}\t{rel}\t_\t_\n" for n, (head, rel) in enumerate(arcs, 1)) + "\n"


def test_agreement_against_the_formula() -> None:
    """Kappa of a table from a textbook: 20 both yes, 15 both no, 5 and 10 apart: 0.4."""
    first = [words((0, "yes"))] * 25 + [words((0, "no"))] * 25
    second = [words((0, "yes"))] * 20 + [words((0, "no"))] * 5 + [words((0, "yes"))] * 10 + [words((0, "no"))] * 15
    found = agreement(first, second)
    assert found.kappa == pytest.approx(0.4)
    assert [one.kappa for one in found.relations] == [pytest.approx(0.4)] * 2
    assert [(one.relation, one.first, one.second, one.both) for one in found.relations] == [
        ("yes", 25, 30, 20),
        ("no", 25, 20, 15),
    ]
    assert (found.uas, found.las) == (1.0, 0.7)


def test_agreement_by_enumeration() -> None:
    """Against chance agreement counted over all pairs of words, one of each annotator."""
    rng = random.Random(3)
    for _ in range(30):
        sides = [[(rng.randint(0, 2), rng.choice("abc")) for _ in range(rng.randint(3, 3))] for _ in range(2)]
        found = agreement([words(*sides[0])], [words(*sides[1])])
        labels = [[relation for _, relation in side] for side in sides]
        seen = sum(a == b for a, b in zip(*labels, strict=True)) / 3
        chance = sum(a == b for a in labels[0] for b in labels[1]) / 9
        assert found.kappa == (None if chance == 1 else pytest.approx((seen - chance) / (1 - chance)))
        assert found.uas == pytest.approx(sum(a[0] == b[0] for a, b in zip(*sides, strict=True)) / 3)
        assert len(found.differences) == sum(a != b for a, b in zip(*sides, strict=True))


def test_agreement_lists_what_differs() -> None:
    first = [words((0, "a"), (1, "b")), words((0, "a"), (1, "c"), (1, "c"))]
    second = [words((0, "a"), (1, "b")), words((0, "a"), (1, "d"), (2, "c"))]
    found = agreement(first, second)
    assert found.differences == [
        (1, 2, ("1", "c"), ("1", "d")),
        (1, 3, ("1", "c"), ("2", "c")),
    ]
    assert (found.sentences, found.skipped, found.words, found.uas, found.las) == (2, 0, 5, 0.8, 0.6)
    counts = [(one.relation, one.first, one.second, one.both) for one in found.relations]
    assert counts == [("a", 2, 2, 2), ("c", 2, 1, 1), ("b", 1, 1, 1), ("d", 0, 1, 0)]
    assert [one.kappa for one in found.relations] == [pytest.approx(k) for k in (1.0, 6 / 11, 1.0, 0.0)]


def test_agreement_of_nothing() -> None:
    found = agreement([], [])
    assert found == (0, 0, 0, None, None, None, [], [])
    one = words((0, "root"))
    assert agreement([one], [one]).kappa is None  # chance alone agrees on everything


def test_agreement_leaves_out_what_cannot_be_compared() -> None:
    one = words((0, "root"), (1, "obj"))
    found = agreement([one, one, one], [one, blanked(one), one.replace("\tw\t", "\tv\t")])
    assert (found.sentences, found.skipped, found.words, found.las) == (1, 2, 2, 1.0)
    with pytest.raises(TreewrightError, match="same sentences"):
        agreement([one], [])
