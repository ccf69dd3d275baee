"""The paths of a team: who does what, how far two annotators agree, and what was decided where they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.apps.server.messages import HttpError, Request, Response, json_response, text_response

if TYPE_CHECKING:
    from treewright.apps.studio.project import Place
    from treewright.apps.studio.routes import Studio


class TeamRoutes:
    """The handlers; whoever has a token of an annotator sees only that annotator's layer."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    def team(self, request: Request) -> Response:
        """List the annotators, and how far they are."""
        from treewright.apps.studio.team import progress

        users = [user for user in self.studio.service.users if request.user in ("", user)]
        project = self.studio.project
        project.refresh()
        found = [one._asdict() for one in progress(project, users)]
        return json_response({"users": users, "lead": not request.user, "progress": found})

    def assign(self, request: Request) -> Response:
        """Give sentences of a file, by their numbers from 1, to annotators."""
        from treewright.apps.studio.team import assign

        only_lead(request)
        fields = request.json_fields()
        file, users = fields.text("file"), fields.texts("users")
        first, last = fields.integer("first", 1, minimum=1), fields.integer("last", 0)
        keep = fields.flag("keep_trees")
        fields.finish()
        strangers = [user for user in users if user not in self.studio.service.users]
        if strangers or not users:
            raise HttpError(400, f"users: no annotator {strangers[0] if strangers else 'is named'}")
        project = self.studio.project
        numbers = range(first - 1, min(last or len(project.file(file)), len(project.file(file))))
        return json_response({"assigned": assign(project, file, numbers, users, keep)})

    def agreement(self, request: Request) -> Response:
        """Compare two annotators: how far they agree, and on which sentences they do not."""
        only_lead(request)
        from treewright.apps.studio.adjudication import disagreements, same_sentences
        from treewright.apps.studio.agreement import agreement

        form, project = request.form(), self.studio.project
        with project.lock:
            first, second = (project.file(form.get(name, "")) for name in ("first", "second"))
            pairs = list(same_sentences(first, second))
            sides = [first.text_at(n) for n, _ in pairs], [second.text_at(n) for _, n in pairs]
            target = project.files.get(form.get("target", ""))
            there = dict(same_sentences(first, target)) if target is not None else {}
            found = agreement(*sides)
            differing = {one.sentence for one in found.differences}
            open_words = []
            for place in sorted(differing):
                number = pairs[place][0]
                text = target.text_at(there[number]) if target is not None and number in there else None
                words = disagreements(sides[0][place], sides[1][place], text)
                waiting = sum(one.decided is None for one in words)
                open_words.append({"n": number, "differences": len(words), "open": waiting})
        return json_response(
            {
                **{key: value for key, value in found._asdict().items() if key != "differences"},
                "relations": [one._asdict() for one in found.relations],
                "alone": len(first) + len(second) - 2 * len(pairs),
                "differing": open_words,
            }
        )

    def pair(self, request: Request) -> Response:
        """Show a sentence as two annotators see it, and what was decided."""
        only_lead(request)
        from treewright.apps.studio.adjudication import agreed, disagreements, drawings, place_in
        from treewright.apps.studio.drafts import Draft
        from treewright.apps.studio.listing import shown_text
        from treewright.apps.studio.team import is_note

        form, project = request.form(), self.studio.project
        with project.lock:
            first, second = (project.file(form.get(name, "")) for name in ("first", "second"))
            at = number(form.get("n", ""))
            here = project.place(form["first"], at)
            other = place_in(second, first, at)
            if other is None:
                raise HttpError(404, f"{form['second']} does not have the sentence")
            target = project.files.get(form.get("target", ""))
            there = place_in(target, first, at) if target is not None else None
            shown = None
            if there is not None:
                shown = project.sentence(project.place(form["target"], there))
            texts = first.text_at(at), second.text_at(other)
        words = disagreements(*texts, shown.text if shown is not None else None)
        return json_response(
            {
                "n": at,
                "text": shown_text(texts[0]),
                "forms": [cells[1] for _, cells in Draft(texts[0]).words()],
                "drawings": drawings(*texts, number(form.get("width", "0"))),
                "differences": [one._asdict() for one in words],
                "agreed": agreed(*texts),
                "notes": [[line for line in text.split("\n") if is_note(line)] for text in texts],
                "id": here.key,
                "target": None
                if shown is None or there is None or target is None
                else {"file": form["target"], "id": target.keys[there], "n": there, "revision": shown.revision},
            }
        )

    def agree(self, request: Request) -> Response:
        """Write the sentences on which both annotators agree into the file for decisions, where they have no trees."""
        from treewright.apps.studio.adjudication import agreed, same_sentences
        from treewright.apps.studio.sentence_state import is_annotated

        only_lead(request)
        fields = request.json_fields()
        names = {name: fields.text(name) for name in ("first", "second", "target")}
        fields.finish()
        project, written = self.studio.project, 0
        with project.lock:
            first, second, target = (project.file(name) for name in names.values())
            there = dict(same_sentences(first, target))
            todo: list[tuple[Place, list[tuple[str, str] | None]]] = []
            for one, other in same_sentences(first, second):
                if one in there and not is_annotated(target.text_at(there[one])):
                    arcs = agreed(first.text_at(one), second.text_at(other))
                    todo.append((project.place(names["target"], there[one]), arcs))
            for place, arcs in todo:
                known = [arc for arc in arcs if arc is not None]
                if known and len(known) == len(arcs):
                    tree = {
                        "do": "tree",
                        "heads": [int(head) for head, _ in known],
                        "relations": [one for _, one in known],
                    }
                    shown = project.edit(place, tree, project.sentence(place).revision, request.user)
                    project.save(place, shown.revision)
                    written += 1
        return json_response({"written": written})

    def export(self, request: Request) -> Response:
        """Return a file as it is shown, without notes and what was said of decisions."""
        from treewright.apps.studio.team import without_remarks

        name = request.form().get("file", "")
        check_sight(request, name)
        project = self.studio.project
        with project.lock:
            text = "".join(map(without_remarks, project.file(name).texts))
        response = text_response(text)
        plain = "".join(sign if (sign.isalnum() and sign.isascii()) or sign in "._-" else "-" for sign in name)
        response.headers["Content-Disposition"] = f'attachment; filename="{plain}"'
        return response

    def copy(self, request: Request) -> Response:
        """Copy a file of the project, for the decisions of whoever adjudicates two others."""
        only_lead(request)
        from treewright.apps.studio.sentence_names import ENCODING
        from treewright.apps.studio.sentence_state import joined

        fields = request.json_fields()
        source, name = fields.text("from"), fields.text("file")
        fields.finish()
        with self.studio.project.lock:
            texts = list(self.studio.project.file(source).texts)
        return self.studio.new_file(name, joined(texts).encode(*ENCODING), len(texts))


def check_sight(request: Request, file: str) -> None:
    """Refuse a file that whoever asks may not see: it is as if it were not there."""
    from treewright.apps.studio.team import is_visible

    if not is_visible(file, request.user):
        raise HttpError(404, f"{request.user} has no file {file[:200]!r}: a layer has what was assigned")


def only_lead(request: Request) -> None:
    """Refuse what only whoever leads the project may do."""
    if request.user:
        raise HttpError(403, f"{request.user} annotates: this is for whoever leads the project")


def number(text: str) -> int:
    """Return a number of a request."""
    if not text.isdecimal() or len(text) > 9:
        raise HttpError(400, f"{text[:20]!r} is not a number")
    return int(text)
