"""What the handlers of the studio answer, field by field, with a parser that is made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from treewright import __version__
from treewright.apps.server.application import Application
from treewright.apps.server.messages import Request
from treewright.apps.server.model_store import ModelStore
from treewright.apps.server.service import Service
from treewright.apps.studio import checking, loop, routes
from treewright.apps.studio.drafts import Draft
from treewright.apps.studio.learning import CurvePoint
from treewright.apps.studio.sentence_names import digest_of
from treewright.apps.studio.suggesting import Suggestion
from treewright.errors import TreewrightError

ANNOTATED = "# sent_id = s1\n# text = a b\n1\ta\tA\tNOUN\tN\tX=1\t0\troot\t_\t_\n2\tb\tB\tVERB\tV\t_\t1\tdep\t_\t_\n\n"
WAITING = "# sent_id = s2\n1\tc\tC\tNOUN\tN\t_\t_\t_\t_\t_\n2\td\tD\tNOUN\tN\t_\t_\t_\t_\t_\n\n"
POINT = CurvePoint(3, 6, 1, 0.5, 0.25, 0.125)
NAMES = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


def suggested(parser: object, texts: list[str]) -> list[Suggestion]:
    """Suggest a chain for every sentence; the longer its text, the less sure."""
    assert parser == "the parser"
    found = []
    for text in texts:
        if "impossible" in text:
            raise TreewrightError("there is no such tree")
        n = len(Draft(text).words())
        found.append(Suggestion(list(range(n)), ["root", *["dep"] * (n - 1)], [1 / len(text)] * n, [["_"] * 4] * n))
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a project with two files; nothing is learnt in the background."""
    (tmp_path / "a.conllu").write_text(ANNOTATED * 3 + WAITING, encoding="utf-8", newline="")
    (tmp_path / "b.conllu").write_text(WAITING.replace("s2", "s3 longer"), encoding="utf-8", newline="")
    monkeypatch.setattr(loop, "learn", lambda done, recipe: ("the parser", POINT))
    monkeypatch.setattr(loop, "suggestions", suggested)
    monkeypatch.setattr(loop, "alternatives", lambda parser, text: [[(0, "root")], [(1, "dep"), (1, "obj")]])
    monkeypatch.setattr(loop.Loop, "learn_soon", loop.Loop.learn_now)
    return tmp_path


class Client:
    """Asks an application as browsers do, without sockets."""

    def __init__(self, folder: Path | None) -> None:
        service = Service(ModelStore({}), folder=folder)
        self.application = Application(service, routes.routes(service))

    def get(self, name: str, status: int = 200, **values: object) -> Any:
        return self._asked(Request("GET", f"/studio/api/{name}", urlencode(values)), status)

    def now(self, **place: Any) -> dict[str, Any]:
        """Return what names a sentence, as it is now, for a change of it."""
        shown = self.get("sentence", **place)
        return {name: shown[name] for name in ("file", "id", "revision")}

    def post(self, name: str, status: int = 200, **values: object) -> Any:
        return self._asked(Request("POST", f"/studio/api/{name}", body=json.dumps(values).encode()), status)

    def _asked(self, request: Request, status: int) -> Any:
        response = self.application.answer(request)
        assert isinstance(response.body, bytes)
        assert response.status == status, response.body
        return json.loads(response.body)


@pytest.fixture
def client(folder: Path) -> Client:
    return Client(folder)


def message(answer: Any) -> str:
    status, text = answer["error"]["status"], answer["error"]["message"]
    assert 400 <= status < 500
    return str(text)


PLACE = {"file": "a.conllu", "n": 3}
SHOWN = {
    **PLACE,
    "id": digest_of("sent_id s2"),
    "text": "c d",
    "count": 4,
    "canUndo": False,
    "canRedo": False,
    "saved": True,
    "comments": ["# sent_id = s2"],
    "tokens": [
        dict(zip(NAMES, ("1", "c", "C", "NOUN", "N", *"_____"), strict=True)),
        dict(zip(NAMES, ("2", "d", "D", "NOUN", "N", *"_____"), strict=True)),
    ],
    "findings": [],
    "suggestion": {
        "heads": [0, 1],
        "relations": ["root", "dep"],
        "confidences": [1 / len(WAITING)] * 2,
        "tags": [["_"] * 4] * 2,
        "doubt": 1 - 1 / len(WAITING),
        "choices": [[[0, "root"]], [[1, "dep"], [1, "obj"]]],
    },
    "rightToLeft": False,
    "conflict": None,
    "parser": 1,
    "learning": False,
}


def test_what_the_page_needs_first(client: Client, folder: Path) -> None:
    wanted = {"version": __version__, "project": folder.name, "user": ""}
    assert client.get("about") == wanted
    assert Client(None).get("about") == {**wanted, "project": None}
    assert "--project" in message(Client(None).get("project", 404))


def test_the_page_is_at_the_root_for_those_who_get_it(client: Client) -> None:
    response = client.application.answer(Request("GET", "/"))
    assert (response.status, b"main.js" in bytes(response.body)) == (200, True)
    assert client.application.answer(Request("POST", "/")).status == 405
    assert client.application.answer(Request("GET", "/main.js")).status == 200


def test_what_takes_long_waits_in_line() -> None:
    found = routes.routes(Service(ModelStore({})))
    assert [route.pattern for route in found if route.heavy] == [
        f"/studio/api/{name}" for name in ("agreement", "pair", "ud", "try_rules", "rewrite")
    ]
    assert [route.pattern for route in found][-2:] == ["/", "/{file...}"]


def test_the_files_of_a_project(client: Client, folder: Path) -> None:
    (folder / "bad.conllu").write_text("1\tx\n\n", encoding="utf-8")
    now = client.now(**PLACE)
    client.post("edit", **now, edit={"do": "attach", "word": 1, "head": 0})
    found = client.get("project")
    assert found["folder"] == folder.name
    assert found["files"] == [
        {"name": "a.conllu", "sentences": 4, "annotated": 3, "unsaved": [3], "conflicts": []},
        {"name": "b.conllu", "sentences": 1, "annotated": 0, "unsaved": [], "conflicts": []},
    ]
    assert found["recovered"] == []
    (problem,) = found["problems"]
    assert "bad.conllu:1: a line that cannot be read (columns)" in problem
    assert "is open in another server" in message(Client(folder).get("project", 423))
    other = Client(folder)
    assert other.post("takeover")["recovered"] == [["a.conllu", now["id"]]]
    for name in ("edit", "undo", "save"):
        more = {"edit": {"do": "attach", "word": 1, "head": 2}} if name == "edit" else {}
        assert "is open in another server" in message(client.post(name, 423, **now, **more))
    assert "is open in another server" in message(client.get("sentence", 423, **PLACE))
    assert client.post("takeover")["files"][0]["unsaved"] == [3]
    assert "is open in another server" in message(other.get("sentences", 423, file="a.conllu"))


def test_conflicts_and_how_they_end(client: Client, folder: Path) -> None:
    edit = {"do": "attach", "word": 1, "head": 0}
    shown = client.post("edit", **client.now(**PLACE), edit=edit)
    theirs = WAITING.replace("\tc\tC", "\tc\tCC")
    (folder / "a.conllu").write_text(ANNOTATED * 3 + theirs, encoding="utf-8", newline="")
    assert client.get("project")["files"][0]["conflicts"] == [3]
    assert client.get("sentences", file="a.conllu")["rows"][3]["conflict"]
    conflict = client.get("sentence", **PLACE)["conflict"]
    assert conflict == {"mine": WAITING.replace("N\t_\t_\t_", "N\t_\t0\t_", 1), "theirs": theirs}
    assert client.get("sentence", **{**PLACE, "n": 0})["conflict"] is None
    old = {name: shown[name] for name in ("file", "id", "revision")}
    assert "was changed meanwhile" in message(client.post("save", 409, **old))
    stale = client.post("save", 409, **client.now(**PLACE))
    assert "choose one of the versions first" in message(stale)
    assert (stale["error"]["status"], stale["conflict"]) == (409, conflict)
    now = client.now(**PLACE)
    assert "Choose from mine, theirs, edit" in message(client.post("decide", 400, **now, choice="x"))
    assert "no sentence of CoNLL-U" in message(client.post("decide", 400, **now, choice="edit", text="x"))
    done = client.post("decide", **now, choice="mine")
    assert done["conflict"] is None
    assert client.post("save", **client.now(**PLACE))["tokens"][0]["lemma"] == "C"
    # The other way round
    client.post("edit", **client.now(**PLACE), edit={**edit, "head": 2})
    (folder / "a.conllu").write_text(ANNOTATED * 3 + theirs, encoding="utf-8", newline="")
    client.get("project")
    assert client.post("decide", **client.now(**PLACE), choice="theirs")["tokens"][0]["lemma"] == "CC"
    (folder / "a.conllu").write_text("1\tx\n\n", encoding="utf-8")
    (problem,) = client.get("project")["problems"]
    assert "a.conllu:1" in problem


def test_a_sentence_that_is_gone(client: Client, folder: Path) -> None:
    shown = client.post("edit", **client.now(**PLACE), edit={"do": "attach", "word": 1, "head": 0})
    other = client.now(**{**PLACE, "n": 1})
    (folder / "a.conllu").write_text(ANNOTATED, encoding="utf-8", newline="")
    found = client.get("sentence", file="a.conllu", id=shown["id"])
    assert (found["n"], found["count"], found["conflict"]["theirs"], found["saved"]) == (1, 2, None, False)
    gone = client.post("undo", 409, **other)
    assert ("no longer in a.conllu" in message(gone), gone["gone"]) == (True, True)
    assert "no longer in" in message(client.get("sentence", 404, file="a.conllu", id=other["id"]))
    assert client.post("decide", **client.now(file="a.conllu", n=1), choice="theirs") == {"gone": True}
    assert client.get("project")["files"][0]["sentences"] == 1


def test_a_full_disk_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    now = client.now(**PLACE)
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", lambda descriptor: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        for name, more in (("edit", {"edit": {"do": "attach", "word": 1, "head": 0}}), ("add", None)):
            fields = {"file": "new", "conllu": ANNOTATED} if more is None else {**now, **more}
            found = client.post(name, 507, **fields)
            assert "The disk is full" in found["error"]["message"]
    shown = client.get("sentence", **PLACE)
    assert (shown["revision"], shown["saved"]) == (now["revision"], True)
    assert len(client.get("project")["files"]) == 2


def test_a_sentence(client: Client) -> None:
    found = client.get("sentence", **PLACE)
    assert found.pop("revision")
    assert 'data-head="0" data-dependent="1"' in found.pop("drawing")
    assert found == SHOWN
    assert client.get("sentence", file="a.conllu", id=SHOWN["id"])["n"] == 3
    shown = client.get("sentence", file="a.conllu")  # the first
    assert (shown["n"], shown["suggestion"], shown["parser"]) == (0, None, 1)
    assert "has no file ;" in message(client.get("sentence", 400))
    told = message(client.get("sentence", 400, file="a.conllu", n="x" * 30))
    assert told == f"n: '{'x' * 20}' is not the number of a sentence"
    assert "is not the number" in message(client.get("sentence", 400, file="a.conllu", n="1" * 10))
    assert "has 4 sentences" in message(client.get("sentence", 400, file="a.conllu", n="1" * 9))


def test_what_no_tree_has_gets_no_suggestion(client: Client) -> None:
    comments = {"do": "comments", "comments": ["impossible"]}
    assert client.post("edit", **client.now(**PLACE), edit=comments)["suggestion"] is None


def test_a_sentence_from_right_to_left(client: Client, folder: Path) -> None:
    (folder / "a.conllu").write_text(WAITING.replace("\tc\t", "\tספר\t"), encoding="utf-8", newline="")
    shown = client.get("sentence", file="a.conllu", n=0)
    assert (shown["rightToLeft"], shown["count"]) == (True, 1)


def test_the_list_of_sentences(client: Client, folder: Path) -> None:
    client.post(
        "edit", **client.now(file="a.conllu", n=1), edit={"do": "comments", "comments": ["text=x = y", "#sent_id =z"]}
    )
    client.post("edit", **client.now(file="a.conllu", n=2), edit={"do": "comments", "comments": []})
    client.post(
        "edit", **client.now(file="a.conllu", n=0), edit={"do": "comments", "comments": ["text = " + "x" * 300]}
    )
    found = client.get("sentences", file="a.conllu")
    assert found["file"] == "a.conllu"
    keys = [one.pop("key") for one in found["rows"]]
    assert keys == [client.get("sentence", file="a.conllu", n=n)["id"] for n in range(4)]
    row = {"annotated": True, "unsaved": True, "conflict": False, "doubt": None}
    assert found.pop("rows") == [
        {**row, "n": 0, "id": "", "text": "x" * 200},
        {**row, "n": 1, "id": "z", "text": "x = y"},
        {**row, "n": 2, "id": "", "text": "a b"},
        {**row, "n": 3, "id": "s2", "text": "c d", "annotated": False, "unsaved": False, "doubt": None},
    ]
    assert found == {
        "file": "a.conllu", "count": 4, "sentences": 4, "annotated": 3, "from": 0, "at": None, "named": None
    }  # fmt: skip
    client.post("learn")
    assert client.get("sentences", file="a.conllu")["rows"][3]["doubt"] == 1 - 1 / len(WAITING)
    assert client.get("sentences", file="b.conllu")["file"] == "b.conllu"
    assert "has no file ;" in message(client.get("sentences", 400))


def test_a_page_that_shows_the_latest_is_told_so(client: Client) -> None:
    shown = client.get("sentence", **PLACE)
    marks = [shown["revision"], shown["parser"], str(shown["learning"]).lower(), shown["n"], shown["count"]]
    known = " ".join(map(str, marks))
    assert client.get("sentence", **PLACE, known=known) == {"same": True}
    client.post("edit", **client.now(**PLACE), edit={"do": "attach", "word": 1, "head": 0})
    assert client.get("sentence", **PLACE, known=known)["revision"] != shown["revision"]


def test_the_parser_names_the_relation_of_a_new_arc(client: Client) -> None:
    edit = {"do": "attach", "word": 2, "head": 1, "relation": "mine"}
    assert client.post("edit", **client.now(**PLACE), edit=edit)["tokens"][1]["deprel"] == "mine"
    client.post("learn")
    assert client.post("edit", **client.now(**PLACE), edit=edit, guess=True)["tokens"][1]["deprel"] == "dep"
    wrong = {"do": "attach", "word": 9, "head": 1}
    assert "no token 9" in message(client.post("edit", 400, **client.now(**PLACE), edit=wrong, guess=True))


def numbers(client: Client, **wanted: object) -> list[int]:
    found = client.get("sentences", file="a.conllu", **wanted)
    assert found["count"] >= len(found["rows"])
    return [row["n"] for row in found["rows"]]


def test_what_somebody_looks_for(client: Client, folder: Path) -> None:
    client.post("learn")
    assert (numbers(client, state="waiting"), numbers(client, state="unsure")) == ([3], [3])
    assert (numbers(client, state="done"), numbers(client, text="C D")) == ([0, 1, 2], [3])
    client.post("edit", **client.now(file="a.conllu", n=1), edit={"do": "attach", "word": 1, "head": None})
    assert (numbers(client, state="done"), numbers(client, state="unsaved")) == ([0, 2], [1])
    assert numbers(client, text="pattern { V [form=c] }") == [3]
    assert numbers(client, text="pattern { N -[root]-> V }", state="all") == [0, 2]  # as they are here
    assert client.get("sentences", 400, file="a.conllu", text="pattern { ")
    assert numbers(client, state="waiting") == [1, 3]
    assert numbers(client, state="invalid") == []
    client.post("edit", **client.now(file="a.conllu", n=0), edit={"do": "attach", "word": 1, "head": 2})
    client.post("edit", **client.now(file="a.conllu", n=0), edit={"do": "attach", "word": 2, "head": 1})
    assert numbers(client, state="invalid") == [0]  # a cycle
    client.post("undo", **client.now(file="a.conllu", n=0))
    client.post("undo", **client.now(file="a.conllu", n=0))
    assert numbers(client, state="invalid") == []
    (folder / "a.conllu").write_text(
        ANNOTATED * 2 + ANNOTATED.replace("\t0\t", "\t2\t") + WAITING, encoding="utf-8", newline=""
    )
    client.get("project")
    assert numbers(client, state="invalid") == [2]
    assert "list of sentences" in message(client.get("sentences", 400, file="a.conllu", state="x"))


def test_pages_of_the_list_and_places_in_it(client: Client) -> None:
    assert numbers(client, **{"from": 1, "most": 2}) == [1, 2]
    key = client.get("sentence", file="a.conllu", n=3)["id"]
    found = client.get("sentences", file="a.conllu", id=key, most=2)
    assert (found["from"], found["at"], [row["n"] for row in found["rows"]]) == (2, 3, [2, 3])
    for name in ("4", "s2"):
        found = client.get("sentences", file="a.conllu", named=name)
        assert (found["named"], found["at"]) == (key, 3)
    for name in ("5", "0", "s9", "²"):
        assert client.get("sentences", file="a.conllu", named=name)["named"] is None
    client.post("edit", **client.now(file="a.conllu", n=0), edit={"do": "comments", "comments": ["# sent_id = mine"]})
    assert client.get("sentences", file="a.conllu", named="mine")["at"] == 0
    assert client.get("sentences", file="a.conllu", state="done", id=key)["at"] is None


def test_the_next_sentence_in_order(client: Client, folder: Path) -> None:
    (folder / "a.conllu").write_text(WAITING + ANNOTATED + WAITING * 2, encoding="utf-8", newline="")
    place = {"file": "a.conllu", "id": client.get("sentence", file="a.conllu", n=2)["id"]}
    found = [client.get("next", order="file", **place)["next"]]
    for _ in range(2):
        place = {name: found[-1][name] for name in ("file", "id")}
        found.append(client.get("next", order="file", **place)["next"])
    assert [(one["file"], one["n"]) for one in found] == [("a.conllu", 3), ("b.conllu", 0), ("a.conllu", 0)]


def test_edits_and_back(client: Client, folder: Path) -> None:
    edit = {"do": "attach", "word": 2, "head": 1, "relation": "obj"}
    first = client.now(**PLACE)
    shown = client.post("edit", **first, edit=edit, by="Ann")
    assert (shown["saved"], shown["canUndo"], shown["canRedo"]) == (False, True, False)
    assert shown["revision"] != first["revision"]
    assert shown["findings"] == [{"severity": "info", "message": "1 of 2 words have no head yet", "tokens": []}]
    for name in ("edit", "undo", "redo", "save", "decide"):
        more = {"edit": {"edit": edit}, "decide": {"choice": "mine"}}.get(name, {})
        stale = client.post(name, 409, **first, **more)
        assert "changed meanwhile" in message(stale)
        assert stale["revision"] == shown["revision"]
        for missing in ("id", "revision"):
            fields = {key: value for key, value in first.items() if key != missing}
            assert missing in message(client.post(name, 400, **fields, **more))
        assert "unknown field 'z'" in message(client.post(name, 400, **first, **more, z=1))
    client.post("edit", **client.now(**PLACE), edit={**edit, "relation": "x"})
    client.post("edit", **client.now(**PLACE), edit={**edit, "relation": "y"})
    shown = client.post("undo", **client.now(**PLACE))
    assert (shown["tokens"][1]["deprel"], shown["canRedo"]) == ("x", True)
    assert client.post("redo", **client.now(**PLACE))["tokens"][1]["deprel"] == "y"
    now = client.now(**PLACE)
    assert "edit: must be an object {...}" in message(client.post("edit", 400, **now, edit=[1]))
    arcs = {"do": "enhanced", "token": "1", "arcs": [["2", "\ud800"]]}
    assert "no sentence of CoNLL-U" in message(client.post("edit", 400, **now, edit=arcs))
    assert client.now(**PLACE) == now
    journal = (folder / ".treewright" / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line).get("by") for line in journal] == [None, "Ann", *[None] * (len(journal) - 2)]


def test_the_vocabulary_is_that_of_all_files(client: Client) -> None:
    found = client.get("vocabulary")
    assert found["upos"][:2] == ["NOUN", "VERB"]
    assert found["xpos"] == ["N", "V"]


def test_new_files(client: Client, folder: Path) -> None:
    text = "1\ta\t_\t_\t_\t_\t0\troot\t_\tx \n\n"
    assert client.post("add", 201, file="new", conllu=text.replace("x ", "X") + "\n") == {
        "file": "new.conllu",
        "sentences": 1,
    }
    assert (folder / "new.conllu").read_text(encoding="utf-8") == text.replace("x ", "X")
    assert client.post("add", 201, file="spaced", conllu=text)["sentences"] == 1
    assert (folder / "spaced.conllu").read_text(encoding="utf-8") == text
    assert message(client.post("add", 409, file="new", conllu=text)) == (
        "new.conllu is there already: choose another name"
    )
    assert message(client.post("add", 400, file="n", conllu="# x\n")) == "conllu: no words in it"
    assert message(client.post("add", 400, file="n", conllu="1\tx\n\n")).startswith("n:1: ")
    assert message(client.post("add", 400, file="../x", conllu=text)).startswith("file '../x': use letters")
    client.post("edit", **client.now(file="a.conllu", n=0), edit={"do": "comments", "comments": []})
    (folder / "b.conllu").write_bytes(WAITING.replace("c", "é").encode("latin-1"))
    client.get("project")
    for name, sentences in (("a", 4), ("b", 1)):
        answer = client.post("copy", 201, **{"from": f"{name}.conllu", "file": f"of-{name}.conllu"})
        assert answer == {"file": f"of-{name}.conllu", "sentences": sentences}
    assert (folder / "of-b.conllu").read_bytes() == (folder / "b.conllu").read_bytes()
    assert (folder / "of-a.conllu").read_text(encoding="utf-8") == (
        ANNOTATED.split("\n", 2)[2] + ANNOTATED * 2 + WAITING
    )
    assert client.get("sentences", file="of-a.conllu")["file"] == "of-a.conllu"
    for name, fields in (("add", {"conllu": text}), ("copy", {"from": "a.conllu"})):
        assert "unknown field 'z'" in message(client.post(name, 400, file="n", z=1, **fields))


def test_the_next_sentence(client: Client) -> None:
    first, second = ({**client.now(**place), "n": place["n"]} for place in ({"file": "b.conllu", "n": 0}, PLACE))
    for each in (first, second):
        del each["revision"]
    assert client.get("next") == {"next": first}
    assert client.get("next", **first) == {"next": second}
    assert client.get("next", **second) == {"next": first}
    assert client.get("next", file="b.conllu", id="x") == {"next": first}
    for place in (first, second):
        tree = {"do": "tree", "heads": [0, 1], "relations": ["root", "x"]}
        client.post("edit", **client.now(**place), edit=tree)
    assert client.get("next") == {"next": None}


def test_the_state_of_the_loop(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = [
        {"file": "b.conllu", "id": client.now(file="b.conllu")["id"], "n": 0, "doubt": 1 - 1 / (len(WAITING) + 7)},
        {**PLACE, "id": SHOWN["id"], "doubt": 1 - 1 / len(WAITING)},
    ]
    state = {"learning": False, "version": 1, "problem": "", "curve": [POINT._asdict()], "waiting": waiting, "left": 2}
    assert client.get("loop") == state
    assert client.post("learn") == {**state, "version": 2}
    client.post("save", **client.now(**PLACE))
    assert client.get("loop")["version"] == 3
    monkeypatch.setattr(loop, "learn", lambda done, recipe: None)
    found = client.post("learn")
    assert (found["problem"], found["waiting"]) == ("the parser learns from 3 annotated sentences on", [])
    monkeypatch.setattr(loop, "learn", lambda done, recipe: ("the parser", POINT))
    assert client.post("learn")["problem"] == ""


def test_only_the_first_that_wait_are_listed(client: Client, folder: Path) -> None:
    (folder / "b.conllu").write_text(WAITING * 60, encoding="utf-8", newline="")
    client.get("project")
    found = client.post("learn")
    assert (len(found["waiting"]), found["left"]) == (50, 61)


def test_the_agreement_of_two_files(client: Client, folder: Path) -> None:
    (folder / "c.conllu").write_text(
        ANNOTATED * 2 + ANNOTATED.replace("dep", "obj") + WAITING, encoding="utf-8", newline=""
    )
    client.get("project")
    found = client.get("agreement", first="a.conllu", second="c.conllu")
    assert found["relations"][0] == {"relation": "root", "first": 3, "second": 3, "both": 3, "kappa": 1.0}
    assert found["differing"] == [{"n": 2, "differences": 1, "open": 1}]
    assert (found["sentences"], found["skipped"], found["las"], found["alone"]) == (3, 1, 5 / 6, 0)
    found = client.get("agreement", first="a.conllu", second="b.conllu")
    assert (found["sentences"], found["alone"]) == (0, 5)
    assert "has no file ;" in message(client.get("agreement", 400, second="b.conllu"))


def test_decisions_are_kept_with_the_file(client: Client, folder: Path) -> None:
    """Also where sentences stand elsewhere in the other files."""
    second = WAITING + ANNOTATED.replace("s1", "s9").replace("dep", "obj")
    (folder / "c.conllu").write_text(second, encoding="utf-8", newline="")
    (folder / "a.conllu").write_text(ANNOTATED.replace("s1", "s9") + WAITING, encoding="utf-8", newline="")
    client.get("project")
    names = {"first": "a.conllu", "second": "c.conllu", "target": "t.conllu"}
    assert client.get("agreement", **names)["differing"] == [{"n": 0, "differences": 1, "open": 1}]
    pair = client.get("pair", **names, n=0, width=500)
    assert (pair["target"], len(pair["drawings"]), pair["forms"]) == (None, 2, ["a", "b"])
    assert "dep → obj" in pair["drawings"][0]
    wanted = {"word": 2, "form": "b", "first": ["1", "dep"], "second": ["1", "obj"], "decided": None}
    assert pair["differences"] == [wanted]
    client.post("copy", 201, **{"from": "c.conllu", "file": "t.conllu"})
    target = client.get("pair", **names, n=0)["target"]
    assert (target["file"], target["n"]) == ("t.conllu", 1)
    edit = {"do": "decide", "word": 2, "head": 1, "relation": "iobj"}
    del target["n"]
    client.post("edit", **target, edit=edit)
    assert client.get("pair", **names, n=0)["differences"] == [{**wanted, "decided": ["1", "iobj"]}]
    assert client.get("agreement", **names)["differing"] == [{"n": 0, "differences": 1, "open": 0}]
    now = client.now(file="t.conllu", n=1)
    client.post("save", **now)
    assert "# adjudicated = 2\n" in (folder / "t.conllu").read_text(encoding="utf-8")
    client.post("undo", **client.now(file="t.conllu", n=1))
    assert client.get("agreement", **names)["differing"][0]["open"] == 1
    assert "does not have the sentence" in message(client.get("pair", 404, first="b.conllu", second="a.conllu", n=0))


def test_the_validator_sees_the_suggestion(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(text: str, language: str) -> list[checking.SentenceFinding]:
        heads = ",".join(cells[6] for _, cells in Draft(text).words())
        return [checking.SentenceFinding("error", f"{language}: {heads}", ("1",))]

    monkeypatch.setattr(checking, "ud_findings", found)
    monkeypatch.setattr(checking, "ud_validator", lambda: None)
    finding = {"severity": "error", "message": "en: 0,1", "tokens": ["1"]}
    assert client.get("ud", **PLACE, language="en") == {"installed": False, "findings": [finding]}
    monkeypatch.setattr(checking, "ud_validator", lambda: "udvalidate")
    answer = client.get("ud", file="a.conllu")
    assert answer == {"installed": True, "findings": [{**finding, "message": ": 0,1"}]}
    client.post("edit", **client.now(file="a.conllu", n=0), edit={"do": "attach", "word": 1, "head": None})
    client.post("edit", **client.now(**PLACE), edit={"do": "attach", "word": 1, "head": 2})
    assert client.get("ud", **PLACE)["findings"][0]["message"] == ": 0,1"
    client.post("edit", **client.now(**PLACE), edit={"do": "tree", "heads": [2, 0], "relations": ["x", "root"]})
    assert client.get("ud", **PLACE)["findings"][0]["message"] == ": 2,0"
    assert "has no file ;" in message(client.get("ud", 400))
