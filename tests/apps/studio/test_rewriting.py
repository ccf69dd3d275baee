"""Rules applied to sentences that somebody has chosen, without a browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.apps.server.running import running
from tests.apps.studio.projects import Sentence, killed, make_project
from tests.apps.studio.test_routes import get, post
from treewright.apps.studio.edits import edited
from treewright.apps.studio.project import Project
from treewright.apps.studio.routes import routes

RULES = "rule articles {\n  pattern { e: N -[det]-> D }\n  commands { e.2 = art }\n}"
TWICE = "package p { rule one { pattern { X [upos=ADJ] } commands { X.upos = NOUN } } }\nstrat main { Onf (p) }"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_project(tmp_path, 12, 0)


@pytest.fixture
def server(folder: Path):
    with running(routes, folder=folder) as server:
        yield server


def listed(server, text: str = "") -> list[str]:
    found = get(server, "sentences", file="a.conllu", text=text)
    return [row["key"] for row in found["rows"]]


def pairs(answer) -> list[list[str]]:
    return [[one["id"], one["revision"]] for one in answer["changed"]]


def text_of(server, key: str) -> list[str]:
    return [token["deprel"] for token in get(server, "sentence", file="a.conllu", id=key)["tokens"]]


def test_find_try_rewrite_undo(server, folder):
    on_disk = (folder / "a.conllu").read_bytes()
    found = listed(server, "pattern { N -[det]-> D }")
    before = {key: text_of(server, key) for key in listed(server)}
    tried = post(server, "try_rules", file="a.conllu", ids=listed(server), rules=RULES)
    assert tried["tried"] == 12
    assert [one["id"] for one in tried["changed"]] == found
    assert tried["rules"]["articles"] == sum(line.count("det") for line in before.values())
    assert "<svg" in tried["first"]["drawing"]
    assert "det:art" in tried["first"]["drawing"]
    assert any(line.startswith("+") and "\tdet:art\t" in line for line in tried["first"]["lines"])
    assert {key: text_of(server, key) for key in before} == before  # nothing yet
    chosen = pairs(tried)[1:4]
    assert post(server, "rewrite", file="a.conllu", sentences=chosen, rules=TWICE.replace("ADJ", "none")) == {
        "changed": []
    }
    done = post(server, "rewrite", file="a.conllu", sentences=chosen, rules=RULES)
    assert [one["id"] for one in done["changed"]] == [key for key, _ in chosen]
    for key, old in before.items():
        changed = [name.replace("det", "det:art") for name in old] if key in dict(chosen) else old
        assert text_of(server, key) == changed
    assert len(get(server, "project")["files"][0]["unsaved"]) == 3
    post(server, "take_back", file="a.conllu", sentences=pairs(done))
    assert {key: text_of(server, key) for key in before} == before
    assert get(server, "project")["files"][0]["unsaved"] == []
    assert (folder / "a.conllu").read_bytes() == on_disk


def test_a_sentence_that_was_changed_meanwhile_stays(server):
    tried = pairs(post(server, "try_rules", file="a.conllu", ids=listed(server), rules=RULES))[:3]
    (key, revision), others = tried[1], [tried[0][0], tried[2][0]]
    edit = {"do": "cell", "token": "1", "column": "LEMMA", "value": "mine"}
    post(server, "edit", file="a.conllu", id=key, revision=revision, edit=edit)
    kept = text_of(server, key)
    done = post(server, "rewrite", 409, file="a.conllu", sentences=tried, rules=RULES)
    assert "1 sentence was changed" in done["error"]["message"]
    assert [one["id"] for one in done["changed"]] == others
    assert text_of(server, key) == kept
    first, second = done["changed"]
    post(server, "edit", file="a.conllu", id=first["id"], revision=first["revision"], edit=edit)
    back = post(server, "take_back", 409, file="a.conllu", sentences=pairs(done))
    assert [one["id"] for one in back["changed"]] == [second["id"]]
    assert "det:art" in text_of(server, first["id"])


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("rule r {\n pattern { X [upos=] } commands { X.a = b } }", "the rules:2:"),
        ("rule r { pattern { X [] } commands { Y.a = b } }", "the rules:1:"),
        ('include "secret.grs"', "the rules:1:"),
        ("rule r { pattern { X [upos] } commands { del_node X } }", "sentence 1: "),
        ("rule r { pattern { X [] } commands { del_node X } }", "the rules:1:38"),
        ("%" * 20_001, "20,000 characters"),
    ],
)
def test_wrong_rules_are_one_message(server, rules, message):
    keys = listed(server)
    found = post(server, "try_rules", 400, file="a.conllu", ids=keys, rules=rules)["error"]["message"]
    assert message in found
    assert "\n" not in found
    shown = get(server, "sentence", file="a.conllu", id=keys[0])
    post(server, "rewrite", 400, file="a.conllu", sentences=[[keys[0], shown["revision"]]], rules=rules)
    assert get(server, "sentence", file="a.conllu", id=keys[0])["revision"] == shown["revision"]


def test_not_too_many_and_only_files_of_the_project(server):
    assert "500" in post(server, "try_rules", 400, file="a.conllu", ids=["x"] * 501, rules=RULES)["error"]["message"]
    post(server, "try_rules", 400, file="../x", ids=[], rules=RULES)
    post(server, "rewrite", 400, file="a.conllu", sentences=["x"], rules=RULES)
    assert post(server, "try_rules", file="a.conllu", ids=["gone"], rules=RULES)["tried"] == 0


def test_what_stands_around_a_sentence_stays():
    row = "1\told\told\tADJ\t_\t_\t0\troot\t_\t_\r\n"
    text = f"\ufeff# sent_id = a\r\n{row}\r\n\r\n"
    after = edited(text, {"do": "rewrite", "rules": TWICE})
    assert after == text.replace("ADJ", "NOUN")
    assert edited(after, {"do": "rewrite", "rules": TWICE}) == after


def test_the_journal_brings_it_back(folder):
    project = Project(folder)
    sentence = Sentence(project)
    after = sentence.edit({"do": "rewrite", "rules": RULES}, "me").text
    assert "det:art" in after
    last = json.loads((folder / ".treewright" / "journal.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert last["edit"]["rules"] == RULES
    killed(project)
    again = Sentence(Project(folder))
    assert again.shown.text == after
    assert "det:art" not in again.undo().text
