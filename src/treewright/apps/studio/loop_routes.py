"""The paths of the loop: which sentence should come next, what the parser has learnt, and how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.apps.server.messages import Request, Response, json_response

if TYPE_CHECKING:
    from treewright.apps.studio.project import Place
    from treewright.apps.studio.routes import Studio


class LoopRoutes:
    """The handlers."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    def next_sentence(self, request: Request) -> Response:
        """Tell which sentence should come next: the one that the parser is least sure of, or the next in order."""
        form = request.form()
        here = named_place(form.get("file", ""), form.get("id", ""))
        place = self.studio.opened()[1].next_sentence(here, in_order=form.get("order") == "file", user=request.user)
        return json_response({"next": None if place is None else self._link(place)})

    def _link(self, place: Place) -> dict[str, object]:
        return {"file": place.file, "id": place.key, "n": self.studio.project.sentence(place).number}

    def learn(self, request: Request) -> Response:
        """Learn again now."""
        self.studio.opened()[1].learn_soon()
        return self.loop_state(request)

    def loop_state(self, request: Request) -> Response:
        """Tell how the loop stands: the learning curve, and which sentences the parser is least sure of."""
        from treewright.apps.studio.team import is_visible

        project, loop = self.studio.opened()
        loop.learn_first()
        with project.lock:
            seen = [one for one in loop.waiting if is_visible(one.place.file, request.user)]
            there = [one for one in seen if one.place.key in project.files.get(one.place.file, ())]
            waiting = [{**self._link(one.place), "doubt": one.doubt} for one in there[:50]]
        return json_response(
            {
                "learning": loop.is_learning,
                "version": loop.version,
                "problem": loop.problem,
                "curve": [point._asdict() for point in loop.curve],
                "waiting": waiting,
                "left": len(there),
            }
        )


def named_place(file: str, key: str) -> Place:
    """Return the name of a sentence."""
    from treewright.apps.studio.project import Place

    return Place(file, key)
