"""The parts of the studio, with parsers that are made up: the loop, learning, suggestions, files, counts."""

from __future__ import annotations

import json
import logging
import math
import os
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.apps.studio.projects import Sentence, killed
from treewright.apps.studio import learning, loop, suggesting
from treewright.apps.studio.journal import Journal
from treewright.apps.studio.learning import CurvePoint, is_held_out, learn, score
from treewright.apps.studio.loop import Loop
from treewright.apps.studio.project import Project
from treewright.apps.studio.sentence_names import digest_of
from treewright.apps.studio.suggesting import Suggestion, is_tagged, suggestions
from treewright.apps.studio.vocabulary import UD_RELATIONS, UD_TAGS, ProjectVocabulary
from treewright.errors import TreewrightError
from treewright.training import trainer

TREE = "1\ta\tA\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tb\tB\tVERB\t_\t_\t0\troot\t_\t_\n\n"
BARE = "1\tc\tC\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
POINT = CurvePoint(3, 6, 1, 0.5, 0.25, 0.125)


def bare(word: str) -> str:
    return BARE.replace("\tc\t", f"\t{word}\t")


def write(path: Path, *texts: str) -> None:
    """Write a file at another time than the last."""
    path.write_text("".join(texts), encoding="utf-8", errors="surrogateescape", newline="")
    os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns + len(texts)))


# The loop


class Learner:
    """Stands in for training: says what it is given, and fails as asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.given: list[tuple[list[str], Any]] = []
        self.answer: Any = ("parser", POINT)
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        monkeypatch.setattr(loop, "learn", self.learn)
        monkeypatch.setattr(loop, "suggestions", self.suggestions)

    def learn(self, done: list[str], recipe: Any) -> Any:
        assert self.may_go_on.wait(10)
        self.given.append((done, recipe))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    @staticmethod
    def suggestions(parser: str, texts: list[str]) -> list[Suggestion]:
        """The doubt is the number in a word."""
        return [
            Suggestion([0], [parser], [1 - int("0" + "".join(filter(str.isdigit, text.split("\t")[1]))) / 10], [])
            for text in texts
        ]


@pytest.fixture
def learner(monkeypatch: pytest.MonkeyPatch) -> Learner:
    return Learner(monkeypatch)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    write(tmp_path / "a.conllu", TREE, bare("c2"), bare("d9"), TREE, bare("e5"))
    return Project(tmp_path)


def test_a_new_loop_knows_nothing(project: Project) -> None:
    new = Loop(project)
    assert (new.parser, new.curve, new.waiting, new.problem, new.version) == (None, [], [], "", 0)
    assert (new.is_learning, new.wait(0)) == (False, True)
    assert new.suggestion(TREE) is None
    places = [project.place("a.conllu", n) for n in (1, 2, 4)]
    assert list(new._in_order(None)) == places
    assert list(new._in_order(places[1])) == [places[2], *places[:2]]


def test_the_order_of_doubt(project: Project, learner: Learner) -> None:
    new = Loop(project, {"iterations": 3})
    new.learn_now()
    numbers = [project.sentence(one.place).number for one in new.waiting]
    assert list(zip(numbers, [round(one.doubt, 6) for one in new.waiting], strict=True)) == [
        (2, 0.9),
        (4, 0.5),
        (1, 0.2),
    ]
    assert learner.given == [([TREE, TREE], {"iterations": 3})]
    assert (new.parser, new.version, new.curve) == ("parser", 1, [POINT])
    new.learn_now()
    assert (new.version, new.curve) == (2, [POINT])
    places = [project.place("a.conllu", n) for n in (2, 4)]
    assert [new.next_sentence(), new.next_sentence(places[0])] == places
    write(project.folder / "a.conllu", TREE, bare("c2"), TREE, bare("e5"))
    project.refresh()
    assert new.next_sentence() == places[1]  # the other one was deleted
    assert new.suggestion(bare("x7")) == Suggestion([0], ["parser"], [pytest.approx(0.3)], [])


def test_learning_in_the_background(project: Project, learner: Learner) -> None:
    new = Loop(project)
    learner.may_go_on.clear()
    for _ in range(3):
        new.learn_soon()
    assert new.is_learning
    assert not new.wait(0.05)
    (thread,) = [each for each in threading.enumerate() if each.name == "studio-loop" and each is new._thread]
    assert thread.daemon
    learner.may_go_on.set()
    assert new.wait(10)
    assert not new.is_learning
    assert 1 <= len(learner.given) <= 3
    before = len(learner.given)
    new.learn_soon()
    assert new.wait(10)
    assert len(learner.given) == before + 1


def test_the_loop_goes_on_after_errors(project: Project, learner: Learner, caplog: pytest.LogCaptureFixture) -> None:
    new = Loop(project)
    learner.answer = TreewrightError("no words")
    new.learn_soon()
    assert new.wait(10)
    assert (new.problem, new.parser, caplog.records) == ("no words", None, [])
    learner.answer = ValueError("a fault")
    with caplog.at_level(logging.ERROR, "treewright.apps.server"):
        new.learn_soon()
        assert new.wait(10)
    assert new.problem == "learning failed; the server's log says more"
    assert [record.message for record in caplog.records] == ["learning failed"]
    learner.answer = ("parser", POINT)
    new.learn_soon()
    assert new.wait(10)
    assert (new.problem, new.parser) == ("", "parser")
    learner.answer = None
    new.learn_soon()
    assert new.wait(10)
    assert new.problem == "the parser learns from 3 annotated sentences on"
    assert (new.parser, new.waiting) == ("parser", [])


TAGGER = {"pipeline": True, "jackknife": 0, "tokenizer_iterations": 1, "tagger_iterations": 5}


@pytest.mark.parametrize(
    ("done", "left", "given", "recipe"),
    [
        ([TREE], [BARE], None, {}),
        ([TREE], [BARE.replace("NOUN", "_")], None, {"seeds": 1, **TAGGER}),
        ([TREE, BARE.replace("NOUN", "_")], [BARE, BARE.replace("NOUN", "_")], None, {"seeds": 1, **TAGGER}),
        ([BARE.replace("NOUN", "_")], [BARE.replace("NOUN", "_")], None, {}),
        ([], [BARE.replace("NOUN", "_")], None, {}),
        ([TREE], [], None, {}),
        ([TREE], [BARE.replace("NOUN", "_")], {"system": "x", "k": 1}, {"system": "x", "k": 1, **TAGGER}),
        ([TREE], [BARE], {"k": 1}, {"k": 1}),
    ],
)
def test_a_tagger_is_trained_where_one_is_needed(
    done: list[str], left: list[str], given: Any, recipe: Any, project: Project
) -> None:
    assert Loop(project, given)._recipe_for(done, left) == recipe


def test_the_learning_curve_is_kept(project: Project) -> None:
    new = Loop(project)
    later = POINT._replace(sentences=5)
    for point in (POINT._replace(las=None), POINT, POINT._replace(las=0.75), later, POINT):
        new._add_point(point)
    assert new.curve == [POINT, later, POINT]
    path = project.folder / ".treewright" / "curve.jsonl"
    assert path.read_text(encoding="utf-8").splitlines()[0] == json.dumps(POINT._asdict())
    lines = path.read_text(encoding="utf-8")
    path.write_text(f'nonsense\n{{"x": 1}}\n3\n{lines}{{"sent', encoding="utf-8")
    assert Loop(project).curve == [POINT, later, POINT]


# Learning


def numbered(k: int) -> str:
    return TREE.replace("\ta\t", f"\ta{k}\t")


HELD_OUT = [text for text in map(numbered, range(200)) if is_held_out(text)]
LEARNT = [text for text in map(numbered, range(200)) if not is_held_out(text)]


def test_which_sentences_are_held_out() -> None:
    """Pinned: if it changed, sentences that were for scoring would be learnt from."""
    assert [k for k in range(60) if is_held_out(numbered(k))] == [10, 15, 27, 33, 36, 37, 57, 59]
    for text in HELD_OUT[:3]:
        assert is_held_out(text.replace("nsubj", "obj").replace("NOUN", "X"))
    assert not is_held_out("1\ta\udcff" + "\t_" * 8 + "\n\n")


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return what is given to training, which returns at once."""
    given: list[Any] = []

    def train(*arguments: Any, **options: Any) -> str:
        given.append((*arguments, options))
        return "parser"

    monkeypatch.setattr(trainer, "train", train)
    monkeypatch.setattr(learning, "score", lambda parser, gold: (parser, len(gold)))
    return given


def test_one_in_eight_is_held_out(trained: list[Any]) -> None:
    texts = [*HELD_OUT[:5], *LEARNT[:3]]
    found = learn([text.rstrip("\n") + "\n" for text in texts], {"iterations": 2})
    assert found is not None
    parser, point = found
    assert trained == [
        ("".join(LEARNT[:3]).encode(), "".join(HELD_OUT[:5]).encode(), {"on_error": "skip", "iterations": 2})
    ]
    assert (parser, point[:-1]) == ("parser", (3, 6, 5, "parser", 5))
    assert 0 <= point.seconds < 60
    assert point.seconds == round(point.seconds, 3)


def test_without_enough_to_score_all_are_learnt(trained: list[Any]) -> None:
    texts = [HELD_OUT[0], LEARNT[0], HELD_OUT[1].replace("\n", "\r\n")]
    found = learn(texts)
    assert found is not None
    joined = HELD_OUT[0] + LEARNT[0] + HELD_OUT[1].replace("\n", "\r\n").rstrip() + "\n\n"
    assert trained == [(joined.encode(), None, {"on_error": "skip"})]
    assert found[1][:3] == (3, 6, 0)
    assert learn(texts[:2]) is None
    assert learn([*HELD_OUT[:5], *LEARNT[:2]]) is None


def test_bytes_that_are_no_utf8_are_learnt_as_they_are(trained: list[Any]) -> None:
    learn([text.replace("\ta", "\t\udce9") for text in LEARNT[:3]])
    assert b"\t\xe9" in trained[0][0]


def test_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(parser: str, texts: list[str]) -> list[Suggestion]:
        assert all("\t_\t_\t_\t_\n" in text for text in texts)
        return [Suggestion([2, 0], ["nsubj", "root"], [], []), Suggestion([2, 1], ["obj", "x"], [], [])]

    monkeypatch.setattr(learning, "suggestions", found)
    assert score("parser", [TREE, TREE]) == (0.75, 0.5)  # type: ignore[arg-type]
    monkeypatch.setattr(learning, "suggestions", lambda parser, texts: [])
    assert score("parser", []) == (None, None)  # type: ignore[arg-type]


# Suggestions


class MadeUpParser:
    """Gives every word the head before it; its confidences are as given."""

    def __init__(self, capabilities: tuple[str, ...] = (), confidences: Any = None) -> None:
        self.capabilities, self.confidences = capabilities, confidences
        self.relations = ["a", "b"]
        self.asked: list[tuple[int, str]] = []

    @staticmethod
    def _checked(options: Any) -> Any:
        assert options == {"keep_arcs": True, "confidence": True}
        return options

    def trees(self, block: Any, options: Any) -> Any:
        self.asked.append((block.n_sentences, block.source))
        heads = [word - block.words_of(s)[0] for s in range(block.n_sentences) for word in block.words_of(s)]
        sure = None if self.confidences is None else (self.confidences * block.n_words)[: block.n_words]
        return SimpleNamespace(
            block=block, heads=heads, labels=[word % 3 for word in range(block.n_words)], more_relations=["c"],
            confidences=sure,
        )  # fmt: skip


def test_what_is_suggested() -> None:
    parser: Any = MadeUpParser(confidences=[0.5, math.nan, 1.5, -0.5])
    odd = TREE.replace("\ta\t", "\t\udcff\t")
    found = suggestions(parser, [TREE, odd])
    assert found[0] == Suggestion([0, 1], ["a", "b"], [0.5, 0.0], [["A", "NOUN", "_", "_"], ["B", "VERB", "_", "_"]])
    assert found[1].relations == ["c", "a"]
    assert found[1].confidences == [1.0, 0.0]
    assert parser.asked == [(2, "the project")]
    assert suggestions(MadeUpParser(), [TREE])[0].confidences == [1.0, 1.0]  # type: ignore[arg-type]
    assert suggestions(parser, []) == []


def test_many_sentences_are_parsed_in_several_pieces() -> None:
    parser: Any = MadeUpParser()
    assert len(suggestions(parser, [TREE] * 401)) == 401
    assert [n for n, _ in parser.asked] == [200, 200, 1]


def test_sentences_with_tags_are_parsed_apart_where_the_parser_tags() -> None:
    plain = BARE.replace("NOUN", "_")
    texts = [plain, TREE, plain, plain, TREE]
    parser: Any = MadeUpParser((suggesting.TAGGER,))
    assert [len(one.heads) for one in suggestions(parser, texts)] == [1, 2, 1, 1, 2]
    assert [n for n, _ in parser.asked] == [2, 3]
    parser = MadeUpParser()
    suggestions(parser, texts)
    assert [n for n, _ in parser.asked] == [5]


@pytest.mark.parametrize(
    ("row", "tagged"), [("_\t_\t_", False), ("N\t_\t_", True), ("_\tN\t_", True), ("_\t_\tA=1", False)]
)
def test_tags_are_parts_of_speech(row: str, tagged: bool) -> None:
    assert is_tagged(BARE.replace("NOUN\t_\t_", row)) is tagged


def test_doubt() -> None:
    assert Suggestion([], [], [0.5, 0.75], []).doubt == 0.375
    assert Suggestion([], [], [], []).doubt == 0.0


# Projects


LEMMA = {"do": "cell", "token": "1", "column": "LEMMA", "value": "l"}


def events(folder: Path) -> list[dict[str, Any]]:
    return [{**json.loads(line), "time": 0} for line in Journal(folder).lines()]


def test_which_files_belong_to_a_project(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    for name in ("b", ".hidden", "sub/a", ".git/c"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write(folder / f"{name}.conllu", BARE)
    (folder / "folder.conllu").mkdir()
    write(tmp_path / "outside.conllu", BARE)
    (folder / "link.conllu").symlink_to(tmp_path / "outside.conllu")
    (folder / "inner.conllu").symlink_to(folder / "b.conllu")
    project = Project(folder)
    assert list(project.files) == ["b.conllu", "inner.conllu", "sub/a.conllu"]
    assert project.problems == []
    with pytest.raises(TreewrightError, match=r"has no file x; it has b\.conllu, inner\.conllu, sub/a\.conllu"):
        project.file("x")
    with pytest.raises(TreewrightError, match=rf"^{folder}/b\.conllu is not a folder\. Give a folder with"):
        Project(folder / "b.conllu")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(TreewrightError, match="has no file x; it has none"):
        Project(empty).file("x")


def test_what_the_journal_notes(project: Project) -> None:
    first, second = Sentence(project), Sentence(project, 1)
    after = first.lemma("l").text
    first.lemma("l")  # changes nothing
    first.undo()
    first.undo()  # there is nothing before
    first.redo()
    first.redo()
    second.undo()
    second.save()  # it is on disk
    first.save()
    again = first.edit({**LEMMA, "value": "m"}, by="Ann").text
    digests = [digest_of(text) for text in (TREE, bare("c2"), bare("d9"), TREE, bare("e5"))]
    file, key = {"file": "a.conllu", "time": 0}, first.place.key
    where = {**file, "id": key}
    edit = {"what": "edit", **where, "edit": LEMMA, "before": TREE, "after": after, "first": True, "sentence": 0}
    assert events(project.folder) == [
        {"what": "file", **file, "digests": digests, "ids": {}, "gone": {}},
        edit,
        {"what": "undo", **where},
        {"what": "redo", **where},
        {"what": "save", **where},
        {"what": "edit", **where, "edit": {**LEMMA, "value": "m"}, "before": after, "after": again, "by": "Ann"},
    ]
    write(project.folder / "a.conllu", bare("new"), again, bare("d9"), TREE, bare("e5"))
    project.refresh()
    second = Sentence(project, 2)
    assert second.lemma("l").number == 2
    project.close()
    digests = [digest_of(text) for text in (bare("new"), again, bare("d9"), TREE, bare("e5"))]
    found = events(project.folder)[6:]
    assert found[:2] == [
        {"what": "disk", **where, "base": again},
        {"what": "file", **file, "digests": digests, "ids": {key: 1}, "gone": {}},
    ]
    assert found[2]["sentence"] == 2


def test_saving_looks_at_its_own_file_only(project: Project) -> None:
    write(project.folder / "new.conllu", BARE)
    first = Sentence(project)
    first.lemma("l")
    first.save()
    assert list(project.files) == ["a.conllu"]
    assert project.refresh()
    assert list(project.files) == ["a.conllu", "new.conllu"]
    assert not project.refresh("a.conllu")


def test_a_journal_of_an_older_version_is_followed(project: Project) -> None:
    """It names sentences by their numbers, which hold no longer where others came or went."""
    project.close()
    twice, e5 = TREE, bare("e5")
    edits: list[dict[str, Any]] = []
    for number, before in ((3, twice), (4, e5), (9, bare("c2"))):
        after = before.replace("\tA\t", "\tB\t").replace("\tC\t", "\tB\t")
        where = {"what": "edit", "file": "a.conllu", "sentence": number}
        edits.append({**where, "edit": LEMMA, "before": before, "after": after})
    journal = project.folder / ".treewright" / "journal.jsonl"
    journal.write_text("".join(json.dumps(edit) + "\n" for edit in edits), encoding="utf-8")
    write(project.folder / "a.conllu", TREE, bare("c2"), bare("d9"), TREE, bare("new"), e5)
    again = Project(project.folder)
    assert again.problems == []
    assert [again.sentence(place).number for place in again.recovered] == [1, 3, 5]
    assert [again.sentence(place).text for place in again.recovered] == [edits[n]["after"] for n in (2, 0, 1)]
    last = Sentence(again, 5)
    last.lemma("x")
    last.save()
    killed(again)
    assert Sentence(Project(project.folder), 5).undo().text == edits[1]["after"]


# Counts


def test_what_a_treebank_uses() -> None:
    text = (
        "1\ta\t_\tA\tx\tF=1|G=2\t2\tr1\t2:e:1|0:f\t_\n2\tb\t_\tB\ty\tF=1\t0\troot\t_\tm:n\n"
        "3\tc\t_\tA\tx\t_\t2\tr1\t2:e:1\t_\n4\td\t_\t_\t_\t_\t5\tr2\t_\t_\n5\te\t_\tC\tz\t_\t12\tr3\t_\t_\n"
        "6\tf\t_\tC\tz\t_\t_\tr4\t_\t_\n7\tg\t_\tC\tz\t_\t1\t_\t_\t_\n"
        "8\th\t_\tD\t_\t_\t11\tr5\t_\t_\n9\ti\t_\tD\t_\t_\t11\tr6\t_\t_\n"
        "10\tj\t_\tD\t_\t_\t11\tr6\t_\t_\n11\tk\t_\tE\t_\t_\t_\t_\t_\t_\n\n"
    )
    counted = ProjectVocabulary([text, text])
    assert counted.tags == {"A": 4, "B": 2, "_": 2, "C": 6, "D": 6, "E": 2}
    assert counted.own_tags == {"x": 4, "y": 2, "_": 10, "z": 6}
    assert counted.relations == {"r1": 4, "root": 2, "r2": 2, "r3": 2, "r5": 2, "r6": 4}
    found: dict[str, Any] = counted.to_json()
    assert found["relations"][:6] == ["r1", "r6", "root", "r2", "r3", "r5"]
    assert found["relations"][6:] == [name for name in UD_RELATIONS if name != "root"]
    assert found["relationsByTags"] == {
        "A B": ["r1"],
        "B ROOT": ["root"],
        "_ C": ["r2"],
        "C ROOT": ["r3"],
        "D E": ["r6", "r5"],
    }
    assert found["upos"] == ["C", "D", "A", "B", "E", *UD_TAGS]
    assert found["xpos"] == ["z", "x", "y"]
    assert found["feats"] == ["F=1", "G=2"]
    assert found["enhanced"] == ["e:1", "f", *UD_RELATIONS]
    assert ProjectVocabulary([]).to_json()["xpos"] == []


def test_only_what_is_most_frequent_is_offered() -> None:
    rows = [f"{k}\tw\t_\tX\tt{k}\t_\t1\tr{k}\t_\t_\n" for k in range(1, 500)]
    found: dict[str, Any] = ProjectVocabulary(["".join(rows) + "\n"]).to_json()
    assert len(found["xpos"]) == 400
    assert found["relationsByTags"] == {"X X": [f"r{k}" for k in range(1, 13)]}
