"""Limits: bodies, words, sentences, time; each with its own answer."""

import json
import threading
import time

import pytest

from tests.apps.server.conftest import all_routes
from tests.apps.server.running import ask, running
from treewright.apps.server.http_server import HttpServer
from treewright.apps.server.limits import SMALL_BODY, Budget, Limits
from treewright.apps.server.messages import HttpError, text_response
from treewright.apps.server.model_store import ModelStore, named
from treewright.apps.server.routing import Route, Routes

LIMITS = Limits(words=50, sentence_words=10, body_bytes=4 * SMALL_BODY, all_bodies_bytes=5 * SMALL_BODY)


@pytest.fixture(scope="module")
def small(models):
    with running(all_routes, ModelStore(named(models)), limits=LIMITS) as server:
        yield server


def parse(server, data):
    status, _, body = ask(server, "POST", "/v1/parse", json.dumps(data))
    return status, json.loads(body)


def test_words(small):
    assert parse(small, {"text": "a b c d e . " * 8, "layout": "horizontal"})[0] == 200
    status, answer = parse(small, {"text": "a b c d e . " * 9, "layout": "horizontal"})
    assert status == 413
    assert "more than 50 words" in answer["error"]["message"]


@pytest.mark.parametrize("wish", [{"model": "toy-exact"}, {"beam": 4}])
def test_long_sentences_where_they_take_long(small, wish):
    assert parse(small, {"words": [["a"] * 10], **wish})[0] == 200
    assert parse(small, {"words": [["a"] * 11], **wish})[0] == 413
    assert parse(small, {"words": [["a"] * 11]})[0] == 200


def test_large_bodies_together():
    held, go = threading.Event(), threading.Event()

    def hold(request):
        held.set()
        go.wait(20)
        return text_response(str(len(request.body)))

    with running([Route("POST", "/hold", hold)], limits=LIMITS) as server:
        answers = []
        first = threading.Thread(target=lambda: answers.append(ask(server, "POST", "/hold", b"x" * 4 * SMALL_BODY)))
        first.start()
        held.wait(20)
        status, headers, _ = ask(server, "POST", "/hold", b"x" * 2 * SMALL_BODY)
        assert (status, "Retry-After" in headers) == (503, True)
        go.set()
        first.join()
        assert answers[0][0] == 200
        assert ask(server, "POST", "/hold", b"x" * 4 * SMALL_BODY)[0] == 200  # it was given back


def test_a_client_with_its_answer_may_ask_again_at_once(monkeypatch):
    give_back = Budget.give_back

    def slow(budget, size):
        time.sleep(0.2 if size else 0)
        give_back(budget, size)

    monkeypatch.setattr(Budget, "give_back", slow)
    with running(
        [Route("POST", "/size", lambda request: text_response(str(len(request.body))))], limits=LIMITS
    ) as server:
        for _ in range(3):
            status, _, body = ask(server, "POST", "/size", b"x" * 4 * SMALL_BODY)
            assert (status, int(body)) == (200, 4 * SMALL_BODY)


def test_a_client_reads_why_its_large_body_was_rejected():
    limits = Limits(body_bytes=16 * SMALL_BODY, all_bodies_bytes=2 * SMALL_BODY)
    with running(limits=limits) as server:
        status, headers, body = ask(server, "POST", "/size", b"x" * 16 * SMALL_BODY)
        assert (status, headers["Retry-After"]) == (503, "5")
        assert b"try later" in body


def test_the_budget_counts():
    budget = Budget(3 * SMALL_BODY)
    assert budget.take(SMALL_BODY) == 0
    taken = budget.take(2 * SMALL_BODY)
    with pytest.raises(HttpError):
        budget.take(2 * SMALL_BODY)
    budget.give_back(taken)
    assert budget.take(3 * SMALL_BODY)


def test_time(models):
    with running(all_routes, ModelStore(named(models)), limits=Limits(seconds=0.0)) as server:
        status, headers, body = ask(server, "POST", "/v1/parse", json.dumps({"text": "The girl sleeps."}))
        assert (status, headers["Retry-After"]) == (503, "1")
        assert b"takes too long" in body


def test_a_pattern_answers_what_a_plain_path_does_not():
    def named_by(text):
        return lambda request: text_response(text)

    routes = Routes([Route("POST", "/", named_by("a")), Route("GET", "/{file...}", named_by("b"))])
    assert routes.find("POST", "/")[0].methods == "POST"
    assert routes.find("GET", "/")[1] == {"file": ""}
    assert routes.find("HEAD", "/x/y")[1] == {"file": "x/y"}
    with pytest.raises(HttpError) as error:
        routes.find("PUT", "/")
    assert error.value.headers["Allow"] == "GET, POST"


def test_a_server_stops_twice(models):
    with running() as server:
        assert isinstance(server, HttpServer)
        server.stop()
        server.stop()
