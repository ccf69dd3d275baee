"""The paths of rewriting: try rules on some sentences of a file, apply them, take that back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from treewright.apps.server.json_fields import JsonFields
from treewright.apps.server.messages import HttpError, Request, Response, json_response
from treewright.apps.studio.loop_routes import named_place
from treewright.apps.studio.team_routes import check_sight
from treewright.errors import TreewrightError

if TYPE_CHECKING:
    from treewright.apps.studio.project import Place, Shown
    from treewright.apps.studio.routes import Studio

T = TypeVar("T")
MOST = 500  # sentences at a time


class RewritingRoutes:
    """The handlers. Every sentence is changed by an edit of its own, with its own revision."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    def try_rules(self, request: Request) -> Response:
        """Tell which of some sentences rules would change, and draw the first of them; nothing is changed."""
        from treewright.apps.studio.listing import shown_text
        from treewright.apps.studio.rewriting import Version, changed_lines, drawn_change, trial

        fields = request.json_fields()
        name = _file(request, fields)
        keys, rules = _no_more(fields.texts("ids")), fields.text("rules")
        width = fields.integer("width", 0)
        fields.finish()
        project = self.studio.project
        project.refresh(name)
        with project.lock:
            file = project.file(name)
            states = [file[key] for key in dict.fromkeys(keys) if key in file]
            versions = [Version(one.key, file.number_of(one.key), one.revision, one.text) for one in states]
        versions.sort(key=lambda one: one.number)
        found = trial(versions, rules)
        first = None
        if found.changed:
            before = found.changed[0]
            first = {
                "n": before.number,
                "text": shown_text(found.first),
                "lines": changed_lines(before.text, found.first),
                "drawing": drawn_change(before.text, found.first, width),
            }
        changed = [{"id": one.key, "n": one.number, "revision": one.revision} for one in found.changed]
        return json_response({"tried": len(versions), "changed": changed, "rules": found.rules, "first": first})

    def rewrite(self, request: Request) -> Response:
        """Apply rules to sentences, in the versions on which they were tried."""
        fields = request.json_fields()
        name, versions = _file(request, fields), _versions(fields)
        edit = {"do": "rewrite", "rules": fields.text("rules")}
        fields.finish()
        project = self.studio.project
        return _each(name, versions, lambda place, revision: project.edit(place, edit, revision, request.user))

    def take_back(self, request: Request) -> Response:
        """Undo the last edit of sentences, in the versions that rules have made."""
        fields = request.json_fields()
        name, versions = _file(request, fields), _versions(fields)
        fields.finish()
        return _each(name, versions, self.studio.project.undo)


def _each(name: str, versions: list[list[str]], change: Callable[[Place, str], Shown]) -> Response:
    """Change sentences one by one; 409 with what has changed all the same, where others were changed meanwhile."""
    from treewright.apps.studio.project import OutOfDate, ProjectInUse

    changed: list[dict[str, object]] = []
    stale, problem = 0, ""
    for key, revision in versions:
        try:
            shown = change(named_place(name, key), revision)
        except OutOfDate:
            stale += 1
        except TreewrightError as error:  # a full disk, say
            if not changed:
                raise HttpError(423, str(error)) if isinstance(error, ProjectInUse) else error from None
            problem = str(error)
            break
        else:
            if shown.revision == revision:  # nothing to do, so nothing to take back
                continue
            changed.append({"id": key, "n": shown.number, "revision": shown.revision})
    if stale and not problem:
        were = "sentence was" if stale == 1 else "sentences were"
        problem = f"{stale} {were} changed or saved meanwhile and left as they are"
    if not problem:
        return json_response({"changed": changed})
    return json_response({"error": {"status": 409, "message": problem}, "changed": changed}, 409)


def _file(request: Request, fields: JsonFields) -> str:
    name = fields.text("file")
    check_sight(request, name)
    return name


def _versions(fields: JsonFields) -> list[list[str]]:
    """Return which sentences a change is about: pairs of a name and a revision."""
    return _no_more(fields.values("sentences", "a list of pairs: the id of a sentence and its revision", _is_pair))


def _no_more(chosen: list[T]) -> list[T]:
    if len(chosen) > MOST:
        raise HttpError(400, f"{len(chosen)} sentences: choose {MOST} or fewer")
    return chosen


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(each, str) for each in value)
