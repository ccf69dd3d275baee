"""A team: layers that nobody else sees, assignment, decisions, notes, export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treewright.apps.server.application import Application
from treewright.apps.server.messages import Request
from treewright.apps.server.model_store import ModelStore
from treewright.apps.server.service import Service
from treewright.apps.studio import loop, routes
from treewright.apps.studio.team import tokens_of
from treewright.errors import TreewrightError

LEAD, ANNA, BEN = "the-lead-s-token", "token-of-anna", "token-of-ben"


def sentence(number: int, tree: str = "2:det 0:root") -> str:
    arcs = [arc.split(":") for arc in tree.split()] if tree else [["_", "_"]] * 2
    rows = [f"{n}\tw{number}{n}\tl\tNOUN\t_\t_\t{head}\t{rel}\t_\t_\n" for n, (head, rel) in enumerate(arcs, 1)]
    return f"# sent_id = s{number}\n" + "".join(rows) + "\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.conllu").write_text("".join(sentence(n, "") for n in range(4)), encoding="utf-8")
    monkeypatch.setattr(loop.Loop, "learn_soon", lambda self: None)
    return tmp_path


class Person:
    """Somebody with a token."""

    def __init__(self, application: Application, token: str) -> None:
        self.application, self.headers = application, {"authorization": f"Bearer {token}"}

    def _ask(self, status: int, method: str, name: str, query: str = "", body: bytes = b"") -> Any:
        headers = {**self.headers, **({"content-type": "application/json"} if body else {})}
        answer = self.application.answer(Request(method, f"/studio/api/{name}", query, headers, body))
        assert answer.status == status, answer.body
        return answer.body if name == "export" else json.loads(answer.body)

    def get(self, name: str, status: int = 200, **values: object) -> Any:
        return self._ask(status, "GET", name, "&".join(f"{key}={value}" for key, value in values.items()))

    def post(self, name: str, status: int = 200, **fields: object) -> Any:
        return self._ask(status, "POST", name, "", json.dumps(fields).encode())

    def edit(self, file: str, n: int, **edit: object) -> Any:
        now = self.get("sentence", file=file, n=n)
        changed = self.post("edit", file=file, id=now["id"], revision=now["revision"], edit=edit)
        return self.post("save", file=file, id=now["id"], revision=changed["revision"])


@pytest.fixture
def people(folder: Path) -> tuple[Person, Person, Person]:
    service = Service(ModelStore({}), folder=folder, users=["anna", "ben"])
    users = {ANNA: "anna", BEN: "ben"}
    application = Application(service, routes.routes(service), LEAD, None, users)
    lead, anna, ben = (Person(application, token) for token in (LEAD, ANNA, BEN))
    return lead, anna, ben


def test_assigned_sentences_make_a_layer_for_each(people, folder):
    lead, _, _ = people
    given = {"file": "a.conllu", "first": 1, "last": 2, "users": ["anna", "ben"]}
    assert lead.post("assign", **given) == {"assigned": {"anna": 2, "ben": 2}}
    layer = folder / "layers" / "anna" / "a.conllu"
    assert layer.read_text(encoding="utf-8") == sentence(0, "") + sentence(1, "")
    lead.edit("layers/anna/a.conllu", 0, do="attach", word=1, head=2, relation="det")
    annotated = layer.read_text(encoding="utf-8")
    assert lead.post("assign", **{**given, "last": 3}) == {"assigned": {"anna": 1, "ben": 1}}
    assert layer.read_text(encoding="utf-8") == annotated + sentence(2, "")  # what is there stays
    assert "no annotator carl" in lead.post("assign", 400, **{**given, "users": ["carl"]})["error"]["message"]
    found = lead.get("team")["progress"]
    assert [(one["user"], one["file"], one["sentences"], one["annotated"]) for one in found] == [
        ("anna", "a.conllu", 3, 0),
        ("ben", "a.conllu", 3, 0),
    ]


def test_an_annotator_sees_one_layer_and_nothing_else(people):
    lead, anna, ben = people
    lead.post("assign", file="a.conllu", last=2, users=["anna", "ben"])
    mine, theirs = "layers/anna/a.conllu", "layers/ben/a.conllu"
    assert [file["name"] for file in anna.get("project")["files"]] == [mine]
    assert anna.get("about")["user"] == "anna"
    now = ben.get("sentence", file=theirs, n=0)
    change = {"file": theirs, "id": now["id"], "revision": now["revision"]}
    for hidden in (theirs, "a.conllu", "layers/anna2/a.conllu"):
        for name in ("sentence", "sentences", "export", "ud"):
            anna.get(name, 404, file=hidden)
    anna.post("edit", 404, **change, edit={"do": "attach", "word": 1, "head": 0})
    for name in ("save", "undo", "redo"):
        anna.post(name, 404, **change)
    anna.post("decide", 404, **change, choice="mine")
    for name, fields in (("assign", {}), ("takeover", {}), ("add", {}), ("copy", {}), ("agree", {})):
        anna.post(name, 403, **fields)
    anna.get("agreement", 403)
    anna.get("pair", 403)
    assert [one["user"] for one in anna.get("team")["progress"]] == ["anna"]
    assert anna.get("next")["next"]["file"] == mine
    assert all(one["file"] == mine for one in anna.get("loop")["waiting"])
    anna.headers["authorization"] = "Bearer nobody"
    anna.get("project", 401)


def test_from_two_annotations_to_one(people, folder):
    lead, anna, ben = people
    lead.post("assign", file="a.conllu", users=["anna", "ben"])
    names = {"first": "layers/anna/a.conllu", "second": "layers/ben/a.conllu", "target": "a.conllu"}
    for n in range(2):
        anna.edit(names["first"], n, do="tree", heads=[2, 0], relations=["det", "root"])
        ben.edit(names["second"], n, do="tree", heads=[2, 0], relations=["amod" if n else "det", "root"])
    anna.edit(names["first"], 1, do="note", text="an article\nor not?")
    found = lead.get("agreement", **names)
    assert (found["words"], found["skipped"], found["differing"]) == (4, 2, [{"n": 1, "differences": 1, "open": 1}])
    assert lead.post("agree", **names) == {"written": 1}
    assert lead.post("agree", **names) == {"written": 0}
    pair = lead.get("pair", **names, n=1)
    assert pair["notes"] == [["# note = anna: an article or not?"], []]
    assert pair["agreed"] == [None, ["0", "root"]]
    target = {key: pair["target"][key] for key in ("file", "id", "revision")}
    decision = {"do": "decide", "word": 1, "head": 2, "relation": "nmod", "agreed": pair["agreed"]}
    changed = lead.post("edit", **target, edit=decision)
    lead.post("save", **{**target, "revision": changed["revision"]})
    first = sentence(1, "2:nmod 0:root").replace("\n1\t", "\n# adjudicated = 1\n1\t")
    assert (folder / "a.conllu").read_text(encoding="utf-8") == sentence(0) + first + sentence(2, "") + sentence(3, "")
    assert lead.get("agreement", **names)["differing"][0]["open"] == 0
    exported = lead.get("export", file="a.conllu").decode()
    assert exported == sentence(0) + sentence(1, "2:nmod 0:root") + sentence(2, "") + sentence(3, "")
    assert "adjudicated" not in lead.get("export", file="a.conllu").decode()
    assert anna.get("export", file=names["first"]).decode().startswith(sentence(0))


def test_the_parser_learns_from_no_layer(people, folder, monkeypatch):
    lead, anna, _ = people
    lead.post("assign", file="a.conllu", users=["anna"])
    anna.edit("layers/anna/a.conllu", 0, do="tree", heads=[2, 0], relations=["det", "root"])
    given: list[list[str]] = []
    monkeypatch.setattr(loop, "learn", lambda texts, recipe: given.append(texts))
    handler = next(route.handler for route in lead.application.routes.all if route.pattern.endswith("/next"))
    handler.__self__.studio.opened()[1].learn_now()
    assert given == [[]]


def test_tokens_stay_the_same(tmp_path):
    first = tokens_of(tmp_path, ["anna"])
    again = tokens_of(tmp_path, ["ben", "anna"])
    assert again["anna"] == first["anna"] != again["ben"]
    assert (tmp_path / ".treewright" / "users.json").stat().st_mode & 0o077 == 0
    for name in ("", "a/b", "lead", "..", "x" * 41):
        with pytest.raises(TreewrightError, match="--user"):
            tokens_of(tmp_path, [name])
    (tmp_path / ".treewright" / "users.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(TreewrightError, match="not as it was written"):
        tokens_of(tmp_path, ["anna"])
