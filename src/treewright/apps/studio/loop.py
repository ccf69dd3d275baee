"""The loop of annotation: after each saved tree the parser learns again, and says which sentence should come next.

Learning happens in the background, one training at a time; what is saved meanwhile is learnt by the next one. The page
asks for suggestions whenever it likes and gets those of the latest parser.
"""

from __future__ import annotations

import json
import logging
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from treewright.apps.studio.learning import LEAST, CurvePoint, learn
from treewright.apps.studio.project import Place, Project, is_annotated
from treewright.apps.studio.project_lock import FOLDER
from treewright.apps.studio.suggesting import Suggestion, is_tagged, suggestions
from treewright.errors import TreewrightError
from treewright.steps.step import Step
from treewright.treebank.files.output import output_error

if TYPE_CHECKING:
    from treewright.recipes.keywords import RecipeOptions

log = logging.getLogger("treewright.apps.server")


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

    def suggestion(self, text: str) -> Suggestion | None:
        """Return a tree around what a sentence has; None before the first parser."""
        parser = self.parser
        return None if parser is None else suggestions(parser, [text])[0]

    def next_sentence(self, but: Place | None = None) -> Place | None:
        """Return the sentence that the parser is least sure of; in order before there is a parser."""
        for doubt in self.waiting or self._in_order():
            if doubt.place == but:
                continue
            with suppress(TreewrightError):  # it, or its file, is gone
                if not is_annotated(self.project.sentence(doubt.place).text):
                    return doubt.place
        return None

    def _in_order(self) -> list[Doubt]:
        return [Doubt(place, 1.0) for place, text in self.project.all_sentences() if not is_annotated(text)]

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
        sentences = self.project.all_sentences()
        done = [text for _, text in sentences if is_annotated(text)]
        learnt = learn(done, self._recipe_for(done, [text for _, text in sentences if not is_annotated(text)]))
        if learnt is None:
            self.problem = f"the parser learns from {LEAST} annotated sentences on"
            self.waiting = []
            return
        parser, point = learnt
        left = [(place, text) for place, text in sentences if not is_annotated(text)]
        found = suggestions(parser, [text for _, text in left])
        doubts = [Doubt(place, one.doubt) for (place, _), one in zip(left, found, strict=True)]
        self.waiting = sorted(doubts, key=lambda one: -one.doubt)
        self.parser, self.problem = parser, ""
        self.version += 1
        self._add_point(point)

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
