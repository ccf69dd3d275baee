"""The loop of annotation: after each saved tree the parser learns again, and says which sentence should come next.

Learning happens in the background, one training at a time; what is saved meanwhile is learnt by the next one. The page
asks for suggestions whenever it likes and gets those of the latest parser.
"""

from __future__ import annotations

import json
import logging
import threading
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from treewright.apps.studio.learning import LEAST, CurvePoint, learn, spread
from treewright.apps.studio.project import OnDisk, Place, Project, is_annotated
from treewright.apps.studio.project_lock import FOLDER
from treewright.apps.studio.suggesting import Suggestion, alternatives, is_tagged, suggestions
from treewright.errors import TreewrightError
from treewright.steps.step import Step
from treewright.treebank.files.output import output_error

if TYPE_CHECKING:
    from treewright.recipes.keywords import RecipeOptions

log = logging.getLogger("treewright.apps.server")


MOST_LEARNT = 3000  # sentences, so that suggestions come in seconds
MOST_JUDGED = 2000  # sentences that wait


class Doubt(NamedTuple):
    """A sentence that waits for annotation, and how unsure the parser is of it."""

    place: Place
    doubt: float


class Loop:
    """The parser of a project, as good as what has been annotated."""

    def __init__(self, project: Project, recipe: RecipeOptions | None = None) -> None:
        self.project, self.recipe = project, recipe
        self.parser: Step | None = None
        self.curve: list[CurvePoint] = self._read_curve()
        self.waiting: list[Doubt] = []
        self.problem = ""
        self.version = 0  # of the parser
        self.shown = ("", 0)  # the file and the number of the sentence that somebody annotates
        self._wanted = threading.Condition()
        self._asked = self._done = 0
        self._thread: threading.Thread | None = None

    # What the page asks

    def learn_soon(self) -> None:
        """Learn again from what is on disk, in the background."""
        with self._wanted:
            self._asked += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="studio-loop", daemon=True)
                self._thread.start()
            self._wanted.notify_all()

    @property
    def is_learning(self) -> bool:
        """Is a training under way, or about to begin?"""
        return self._asked != self._done

    def wait(self, seconds: float) -> bool:
        """Wait until everything asked for is learnt; return whether it is."""
        with self._wanted:
            return self._wanted.wait_for(lambda: not self.is_learning, seconds)

    def learn_first(self) -> None:
        """Learn if nothing has been learnt yet: somebody annotates."""
        if not self._asked and self.parser is None:
            self.learn_soon()

    def suggestion(self, text: str) -> Suggestion | None:
        """Return a tree around what a sentence has; None before the first parser."""
        parser = self.parser
        return None if parser is None else suggestions(parser, [text])[0]

    def alternatives(self, text: str) -> list[list[tuple[int, str]]]:
        """Return what else the parser thinks of, word by word; nothing before the first parser."""
        parser = self.parser
        return [] if parser is None else alternatives(parser, text)

    def relation(self, text: str, word: int) -> str | None:
        """Return the relation that the parser gives a word, with the head that it has."""
        with suppress(TreewrightError):  # no tree has the arcs so far
            found = self.suggestion(text)
            return None if found is None else found.relations[word - 1]
        return None

    def next_sentence(self, after: Place | None = None, in_order: bool = False) -> Place | None:
        """Return the sentence without a tree that comes next: the one that the parser is least sure of.

        Before there is a parser, and ``in_order``, it is the first one behind ``after``.
        """
        for place in self._in_order(after) if in_order or not self.waiting else (doubt.place for doubt in self.waiting):
            if place != after and self._waits(place):
                return place
        return None if in_order or not self.waiting else self.next_sentence(after, in_order=True)

    def _waits(self, place: Place) -> bool:
        with suppress(TreewrightError):  # it, or its file, is gone
            return not is_annotated(self.project.sentence(place).text)
        return False

    def _in_order(self, after: Place | None) -> Iterator[Place]:
        """Yield the sentences without trees behind a place, then those before it."""
        files = self.project.on_disk()
        found = [(number, n) for number, file in enumerate(files) for n in file.numbers(attached=False)]
        start = 0
        if after is not None:
            here = next((number for number, file in enumerate(files) if file.file == after.file), 0)
            at = self.project.disk_number(after)
            start = bisect_right(found, (here, -1 if at is None else at))
        for number, n in (*found[start:], *found[:start]):
            yield files[number].place(n)

    # In the background

    def _work(self) -> None:
        while True:
            with self._wanted:
                self._wanted.wait_for(lambda: self.is_learning)
                asked = self._asked
            try:
                self.learn_now()
            except TreewrightError as error:
                self.problem = str(error)
            except Exception:  # the loop goes on with the parser that it has
                log.exception("learning failed")
                self.problem = "learning failed; the server's log says more"
            with self._wanted:
                self._done = asked
                self._wanted.notify_all()

    def learn_now(self) -> None:
        """Train on all annotated sentences, then order the others by doubt."""
        files = self.project.on_disk()
        done, waiting = (
            [(file, number) for file in files for number in file.numbers(attached)] for attached in (True, False)
        )
        texts = [file.version[number] for file, number in spread(done, MOST_LEARNT)]
        left = [(file.place(number), file.version[number]) for file, number in self._nearest(waiting)]
        learnt = learn(texts, self._recipe_for(texts, [text for _, text in left]))
        if learnt is None:
            self.problem = f"the parser learns from {LEAST} annotated sentences on"
            self.waiting = []
            return
        parser, point = learnt
        found = suggestions(parser, [text for _, text in left])
        doubts = [Doubt(place, one.doubt) for (place, _), one in zip(left, found, strict=True)]
        self.waiting = sorted(doubts, key=lambda one: -one.doubt)
        self.parser, self.problem = parser, ""
        self.version += 1
        self._add_point(point)

    def _nearest(self, waiting: list[tuple[OnDisk, int]]) -> list[tuple[OnDisk, int]]:
        """Return the sentences whose doubt is asked for: of very many, those that come next."""
        if len(waiting) <= MOST_JUDGED:
            return waiting
        names = [file.file for file in self.project.on_disk()]
        here = (names.index(self.shown[0]), self.shown[1]) if self.shown[0] in names else (0, 0)
        start = next((n for n, (file, number) in enumerate(waiting) if (names.index(file.file), number) >= here), 0)
        return [*waiting[start:], *waiting[:start]][:MOST_JUDGED]

    def _recipe_for(self, done: list[str], left: list[str]) -> RecipeOptions:
        """Return what to train: with a tagger where sentences wait that have no tags."""
        recipe: RecipeOptions = {**(self.recipe or {})}
        if any(map(is_tagged, done)) and not all(map(is_tagged, left)):
            if "system" not in recipe:
                recipe["seeds"] = 1  # the person waits: no mean of several trainings
            return {**recipe, "pipeline": True, "jackknife": 0, "tokenizer_iterations": 1, "tagger_iterations": 5}
        return recipe

    # The learning curve

    def _add_point(self, point: CurvePoint) -> None:
        if point.las is not None and (not self.curve or self.curve[-1].sentences != point.sentences):
            self.curve.append(point)
            path = self.project.folder / FOLDER / "curve.jsonl"
            try:
                path.parent.mkdir(exist_ok=True)
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(point._asdict()) + "\n")
            except OSError as error:  # the parser is there all the same
                self.problem = str(output_error(path, error))

    def _read_curve(self) -> list[CurvePoint]:
        path = self.project.folder / FOLDER / "curve.jsonl"
        if not path.exists():
            return []
        points = []
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                points.append(CurvePoint(**json.loads(line)))
            except (ValueError, TypeError):
                continue  # cut short by a crash
        return points
