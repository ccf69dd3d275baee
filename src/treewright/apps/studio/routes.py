"""The paths of the studio: its pages, and what they ask of a project.

The project is opened when a page first asks for it, so that the server starts at once. A request names a file of the
project; other files cannot be named.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from treewright.apps.server.interfaces.v1_other import TAGS, check_size, checked_sentences
from treewright.apps.server.json_fields import JsonFields
from treewright.apps.server.messages import HttpError, Request, Response, json_response
from treewright.apps.server.routing import Handler, Route
from treewright.apps.server.safe_paths import inside, plain_name
from treewright.apps.server.service import Service
from treewright.apps.server.static_pages import pages
from treewright.apps.studio.loop_routes import LoopRoutes, named_place
from treewright.apps.studio.rewriting_routes import RewritingRoutes
from treewright.apps.studio.team_routes import TeamRoutes, check_sight, only_lead
from treewright.errors import TreewrightError

if TYPE_CHECKING:
    from treewright.apps.studio.listing import Listing
    from treewright.apps.studio.loop import Loop
    from treewright.apps.studio.project import Place, Project, Shown

PAGE = Path(__file__).parent / "page"
TRACING = PAGE.parents[1] / "tracing" / "page"  # the traces of the page Step are those of `treewright trace`
API = "/studio/api"
NAMES = {"project_state": "project", "loop_state": "loop", "next_sentence": "next"}
HEAVY = ("agreement", "pair", "ud", "try_rules", "rewrite")
NO_PROJECT = "no project is open. Start with `treewright serve --project FOLDER`, a folder with .conllu files"


def routes(service: Service) -> list[Route]:
    """Return the routes of the studio; its pages come last, since they answer every other path."""
    studio = Studio(service)
    team, loop, rewriting = TeamRoutes(studio), LoopRoutes(studio), RewritingRoutes(studio)
    looking = [studio.about, studio.project_state, studio.sentences, studio.sentence, studio.vocabulary]
    looking += [loop.next_sentence, loop.loop_state, team.team, team.agreement, team.pair, team.export, studio.ud]
    changing = [studio.edit, studio.undo, studio.redo, studio.save, studio.decide]
    changing += [studio.draw, loop.learn, studio.add, team.copy, team.assign, team.agree, studio.takeover]
    changing += [rewriting.try_rules, rewriting.rewrite, rewriting.take_back]
    return [
        *(Route("GET", f"{API}/{_name(each)}", each, heavy=_name(each) in HEAVY) for each in looking),
        *(Route("POST", f"{API}/{_name(each)}", each, heavy=_name(each) in HEAVY) for each in changing),
        *_pages(),
    ]


def _name(handler: Handler) -> str:
    """Return what a path calls a handler: `next` for `next_sentence`."""
    return NAMES.get(handler.__name__, handler.__name__)


def _pages() -> list[Route]:
    """Return the routes of the page; `/` by itself, since other clients POST to it."""
    found = pages("/", PAGE)

    def index(request: Request) -> Response:
        request.path_values["file"] = ""
        return found[0].handler(request)

    return [*pages("/tracing", TRACING), Route("GET", "/", index), *found]


class Studio:
    """The handlers, and the project that they work on."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._opened: tuple[Project, Loop] | None = None
        self._lock = threading.Lock()
        self._listing: Listing | None = None

    def opened(self, takeover: bool = False) -> tuple[Project, Loop]:
        """Return the project and its loop; the first call opens them and begins to learn.

        423, while another server has the project, unless it is to be taken over.
        """
        from treewright.apps.studio.loop import Loop
        from treewright.apps.studio.project import Project, ProjectInUse

        with self._lock:
            try:
                if self._opened is None:
                    if self.service.folder is None:
                        raise HttpError(404, NO_PROJECT)
                    project = Project(self.service.folder, takeover)
                    self._opened = project, Loop(project)
                elif not self._opened[0].owner.is_mine:
                    self._opened[0].open(takeover)
            except ProjectInUse as error:
                raise HttpError(423, str(error)) from None
            return self._opened

    @property
    def project(self) -> Project:
        """The project."""
        return self.opened()[0]

    # Looking

    def about(self, request: Request) -> Response:
        """Tell what the page needs before anything else."""
        from treewright import __version__

        project = self.service.folder.name if self.service.folder is not None else None
        return json_response({"version": __version__, "project": project, "user": request.user})

    def project_state(self, request: Request) -> Response:
        """List the files, what was recovered after a crash, and conflicts with what others wrote to disk."""
        from treewright.apps.studio.team import is_visible, layer

        project = self.project
        project.refresh()
        with project.lock:
            files = [
                {
                    "name": name,
                    "sentences": len(file),
                    "annotated": file.attached,
                    "unsaved": [file.number_of(state.key) for state in file.touched if state.is_unsaved],
                    "conflicts": [file.number_of(state.key) for state in file.touched if state.in_conflict],
                }
                for name, file in project.files.items()
                if is_visible(name, request.user)
            ]
            recovered = [list(place) for place in project.recovered if is_visible(place.file, request.user)]
            problems = [one for one in project.problems if layer(request.user, "") in one or not request.user]
        return json_response(
            {"folder": project.folder.name, "files": files, "recovered": recovered, "problems": problems}
        )

    def sentences(self, request: Request) -> Response:
        """List the sentences of a file, or those that somebody looks for: a page of them, from one on or around one."""
        from treewright.apps.studio.listing import MOST, Listing, Search, number_named, rows

        project, loop = self.opened()
        form = request.form()
        check_sight(request, form.get("file", ""))
        search = Search(form.get("file", ""), form.get("state", "all"), form.get("text", ""))
        most = min(_number(form.get("most", "100")), MOST)
        with project.lock:
            file = project.file(search.file)
            doubts = {one.place.key: one.doubt for one in loop.waiting if one.place.file == search.file}
            self._listing = self._listing or Listing()
            numbers = self._listing.numbers(file, search, doubts)
            named = number_named(file, form["named"]) if "named" in form else None
            here = file.number_of(form["id"]) if form.get("id", "") in file else named
            at = None if here is None or here not in numbers else numbers.index(here)
            first = _number(form["from"]) if "from" in form else max(0, (at or 0) - most // 2)
            found = rows(file, numbers[first : first + most], doubts)
        return json_response(
            {
                "file": search.file,
                "count": len(numbers),
                "sentences": len(file),
                "annotated": file.attached,
                "from": first,
                "at": at,
                "named": None if named is None else file.keys[named],
                "rows": found,
            }
        )

    def sentence(self, request: Request) -> Response:
        """Show one sentence, by its name or its number, with what the parser suggests for it.

        ``known`` is what a page shows already, as far as it may change: where it is the same, that is the answer.
        """
        place = self._asked(request)
        known = request.form().get("known")
        if known is not None and known == self._mark(place):
            return json_response({"same": True})
        return self._show(request, place)

    def _mark(self, place: Place) -> str:
        """Return what tells whether a sentence is still as a page shows it; nothing where it is gone."""
        project, loop = self.opened()
        with project.lock, suppress(TreewrightError):
            shown, count = project.sentence(place), len(project.file(place.file))
            return f"{shown.revision} {loop.version} {str(loop.is_learning).lower()} {shown.number} {count}"
        return ""

    def _asked(self, request: Request) -> Place:
        """Return the sentence that a request for something to look at is about."""
        form, project = request.form(), self.project
        name = form.get("file", "")
        check_sight(request, name)
        project.file(name)
        project.refresh(name)
        if "id" in form:
            return named_place(name, form["id"])
        return project.place(name, _number(form.get("n", "0")))

    def _show(
        self, request: Request, place: Place, shown: Shown | None = None, status: int = 200, **more: object
    ) -> Response:
        from treewright.apps.studio.project import OutOfDate
        from treewright.apps.studio.shown import shown_sentence

        project, loop = self.opened()
        try:
            shown = shown or project.sentence(place)
        except OutOfDate as error:
            code = 404 if status == 200 else status
            return json_response({"error": {"status": code, "message": str(error)}, "gone": True}, code)
        width = _number(parse_qs(request.query).get("width", ["0"])[-1])
        data = shown_sentence(project, loop, place, shown, width)
        return json_response({**data, **more}, status)

    def vocabulary(self, request: Request) -> Response:
        """Return what the treebank uses, for completion."""
        from treewright.apps.studio.vocabulary import ProjectVocabulary, texts_to_count

        return json_response(ProjectVocabulary(texts_to_count(self.project.on_disk())).to_json())

    # Editing

    def edit(self, request: Request) -> Response:
        """Edit a sentence."""
        from treewright.apps.studio.team import LEAD

        fields = request.json_fields()
        place, revision = _named(request, fields)
        edit, guess = fields.raw("edit"), fields.flag("guess")
        by = fields.text("by", "") if not request.user else request.user
        fields.declare("by")
        fields.finish()
        if not isinstance(edit, dict):
            raise HttpError(400, "edit: must be an object {...}")
        if edit.get("do") == "note":
            edit = {**edit, "by": request.user or LEAD}
        if guess:
            edit = self._with_relation(place, edit)
        return self._changed(request, place, lambda: self.project.edit(place, edit, revision, by))

    def _with_relation(self, place: Place, edit: dict[str, object]) -> dict[str, object]:
        """Return an edit that attaches a word, with the relation that the parser gives it under its new head."""
        from treewright.apps.studio.edits import edited

        project, loop = self.opened()
        with suppress(TreewrightError):  # what is wrong with it is said when it is made
            text = edited(project.sentence(place).text, {**edit, "relation": "_"})
            word = edit["word"]
            relation = loop.relation(text, word) if isinstance(word, int) else None
            if relation is not None:
                return {**edit, "relation": relation}
        return edit

    def undo(self, request: Request) -> Response:
        """Undo an edit."""
        place, revision = self._only_named(request)
        return self._changed(request, place, lambda: self.project.undo(place, revision))

    def redo(self, request: Request) -> Response:
        """Redo an edit."""
        place, revision = self._only_named(request)
        return self._changed(request, place, lambda: self.project.redo(place, revision))

    def save(self, request: Request) -> Response:
        """Write a sentence to its file; the parser learns from it in the background."""
        place, revision = self._only_named(request)
        project, loop = self.opened()

        def saved() -> Shown:
            shown = project.save(place, revision)
            loop.learn_soon()
            return shown

        return self._changed(request, place, saved)

    def decide(self, request: Request) -> Response:
        """End a conflict with what is on disk: keep mine, take theirs, or write something else."""
        fields = request.json_fields()
        place, revision = _named(request, fields)
        choice, text = fields.choice("choice", ("mine", "theirs", "edit")), fields.text("text", "")
        fields.finish()
        return self._changed(request, place, lambda: self.project.decide(place, revision, choice, text))

    def _changed(self, request: Request, place: Place, change: Callable[[], Shown | None]) -> Response:
        """Make a change and show the sentence; 409 with the sentence as it is where someone else was faster."""
        from treewright.apps.studio.project import OutOfDate, ProjectInUse

        try:
            shown = change()
        except OutOfDate as error:
            return self._show(request, place, None, 409, error={"status": 409, "message": str(error)})
        except ProjectInUse as error:
            raise HttpError(423, str(error)) from None
        return json_response({"gone": True}) if shown is None else self._show(request, place, shown)

    @staticmethod
    def _only_named(request: Request) -> tuple[Place, str]:
        fields = request.json_fields()
        named = _named(request, fields)
        fields.finish()
        return named

    def takeover(self, request: Request) -> Response:
        """Take the project over from another server, which then writes no more."""
        only_lead(request)
        request.json_fields().finish()
        self.opened(takeover=True)
        return self.project_state(request)

    def draw(self, request: Request) -> Response:
        """Draw sentences, or their differences from others; ``sure`` says how sure each arc is."""
        from treewright.apps.studio.drawings import drawn_from

        fields = request.json_fields()
        tags, width = fields.choice("tags", TAGS, "upos"), fields.integer("width", 0)
        sentences = checked_sentences(fields.text("conllu"), "conllu")
        others = checked_sentences(fields.text("other"), "other") if "other" in fields else []
        sure = fields.values("sure", "a list of lists of numbers", _is_row) if "sure" in fields else []
        fields.declare("other", "sure")
        fields.finish()
        check_size(sentences)
        drawings = [
            drawn_from(sentence, other, tags, own or (), width)
            for sentence, other, own in zip_longest(sentences, others[: len(sentences)], sure[: len(sentences)])
        ]
        return json_response({"drawings": drawings})

    def add(self, request: Request) -> Response:
        """Add a file with sentences to the project, such as parsed text to be corrected."""
        from treewright.treebank.blocks.block import Block
        from treewright.treebank.checks.problems import check
        from treewright.treebank.formats.conllu import CONLLU

        only_lead(request)
        fields = request.json_fields()
        name, text = fields.text("file"), fields.text("conllu")
        fields.finish()
        block = Block(text.encode(), CONLLU, name)
        check(block)
        if not block.n_words:
            raise HttpError(400, "conllu: no words in it")
        return self.new_file(name, text.rstrip("\n").encode() + b"\n\n", block.n_sentences)

    def new_file(self, name: str, data: bytes, sentences: int) -> Response:
        """Write a file that the project does not have yet."""
        from treewright.treebank.files.output import OutputFile

        project = self.project
        name = plain_name(name, "file")
        if not name.endswith(".conllu"):
            name += ".conllu"
        path = inside(project.folder, name)
        with project.lock, project.owner.writing():
            if path.exists():
                raise HttpError(409, f"{name} is there already: choose another name")
            with OutputFile(path) as output:
                output.write(data)
            project.refresh()
        return json_response({"file": name, "sentences": sentences}, 201)

    def ud(self, request: Request) -> Response:
        """Ask UD's own validator about a sentence."""
        from treewright.apps.studio.checking import ud_findings, ud_validator
        from treewright.apps.studio.shown import with_suggestion

        form = request.form()
        place = self._asked(request)
        project, loop = self.opened()
        found = ud_findings(with_suggestion(loop, project.sentence(place).text), form.get("language", ""))
        installed = ud_validator() is not None
        return json_response({"installed": installed, "findings": [one._asdict() for one in found]})


def _named(request: Request, fields: JsonFields) -> tuple[Place, str]:
    """Return the sentence that a change is about, and which version of it."""
    file = fields.text("file")
    check_sight(request, file)
    return named_place(file, fields.text("id")), fields.text("revision")


def _is_row(value: object) -> bool:
    return isinstance(value, list) and all(each is None or isinstance(each, (int, float)) for each in value)


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise HttpError(400, f"n: {text[:20]!r} is not the number of a sentence")
    return int(text)
