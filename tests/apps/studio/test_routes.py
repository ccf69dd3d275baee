"""What the pages ask the server, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.apps.server.running import ask, running
from tests.apps.studio.projects import make_project
from treewright.apps.studio.checking import ud_findings, ud_validator
from treewright.apps.studio.routes import PAGE, routes

API = "/studio/api"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_project(tmp_path, 40, 4)


@pytest.fixture
def server(folder: Path):
    with running(routes, folder=folder) as server:
        yield server


def get(server, name, status=200, **values):
    found, _, body = ask(server, "GET", f"{API}/{name}?{urlencode(values)}")
    assert found == status, body
    return json.loads(body)


def post(server, name, status=200, **values):
    found, _, body = ask(server, "POST", f"{API}/{name}", json.dumps(values).encode())
    assert found == status, body
    return json.loads(body)


def test_the_page_and_its_files_are_there(server):
    status, headers, body = ask(server, "GET", "/")
    assert status == 200
    assert b"main.js" in body
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    for file in PAGE.iterdir():
        assert ask(server, "GET", f"/{file.name}")[2] == file.read_bytes()
    assert ask(server, "GET", "/../routes.py")[0] == 404


def test_a_round_of_the_loop(server, folder):
    project = get(server, "project")
    assert project["files"][0] == {"name": "a.conllu", "sentences": 44, "annotated": 40, "unsaved": [], "conflicts": []}
    place = {"file": "a.conllu", "n": 40}
    for _ in range(600):
        shown = get(server, "sentence", **place)
        if shown["suggestion"]:
            break
    suggestion = shown["suggestion"]
    assert len(suggestion["heads"]) == len(suggestion["confidences"])
    other = (suggestion["heads"][0] + 1) % (len(suggestion["heads"]) + 1) or 2
    edit = {"do": "attach", "word": 1, "head": other, "relation": "obj"}

    def now():
        shown = get(server, "sentence", **place)
        return {name: shown[name] for name in ("file", "id", "revision")}

    first = now()
    shown = post(server, "edit", **first, edit=edit)
    assert shown["suggestion"]["heads"][0] == other  # parsed again around it
    assert shown["suggestion"]["confidences"][0] == 1
    stale = post(server, "edit", 409, **first, edit=edit)
    assert stale["revision"] == shown["revision"]
    tree = {"do": "tree", "heads": shown["suggestion"]["heads"], "relations": shown["suggestion"]["relations"]}
    post(server, "edit", **now(), edit=tree)
    assert not post(server, "undo", **now())["saved"]
    assert post(server, "redo", **now())["suggestion"] is None
    assert post(server, "save", **now())["saved"]
    assert (folder / "a.conllu").read_text(encoding="utf-8").count("\tobj\t") > 0
    assert get(server, "project")["files"][0]["annotated"] == 41
    assert get(server, "next", **now())["next"]["n"] > 40
    assert "curve" in get(server, "loop")


def test_other_files_cannot_be_named(server):
    for name in ("../secret.conllu", "/etc/passwd", "b.conllu"):
        assert "no file" in get(server, "sentence", 400, file=name, n=0)["error"]["message"]
    assert get(server, "sentence", 400, file="a.conllu", n=99)
    assert get(server, "sentence", 400, file="a.conllu", n="x")
    assert post(server, "add", 400, file="../x", conllu="1\ta" + "\t_" * 8 + "\n\n")
    shown = get(server, "sentence", file="a.conllu", n=0)
    assert post(server, "edit", 400, file="a.conllu", id=shown["id"], revision=shown["revision"], edit={"do": "fly"})
    assert post(server, "edit", 400, file="../x", id=shown["id"], revision=shown["revision"], edit={"do": "fly"})


def test_files_are_added_and_copied_and_compared(server, folder):
    conllu = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    assert post(server, "add", 201, file="new", conllu=conllu) == {"file": "new.conllu", "sentences": 1}
    post(server, "add", 409, file="new", conllu=conllu)
    post(server, "copy", 201, **{"from": "new.conllu", "file": "copy.conllu"})
    assert (folder / "copy.conllu").read_text(encoding="utf-8") == conllu
    found = get(server, "agreement", first="new.conllu", second="copy.conllu")
    assert (found["las"], found["differing"]) == (1.0, [])
    assert get(server, "agreement", first="a.conllu", second="copy.conllu")["sentences"] == 0
    assert "relations" in get(server, "vocabulary")
    assert len(get(server, "sentences", file="new.conllu")["rows"]) == 1


def test_without_a_project_the_page_says_so():
    with running(routes) as server:
        assert "--project" in get(server, "project", 404)["error"]["message"]
        assert get(server, "about")["project"] is None


def test_the_validator_of_ud_where_it_is_installed(server):
    if ud_validator() is None:
        pytest.skip("UD's validator is not installed: pip install udtools")
    text = "# sent_id = 1\n# text = a\n1\ta\ta\tNUON\t_\t_\t0\troot\t_\t_\n\n"
    assert any("NUON" in one.message and one.tokens == ("1",) for one in ud_findings(text, "en"))
    assert get(server, "ud", file="a.conllu", n=0, language="en")["installed"]
    assert ud_findings(text, "--help") == []
