"""The HTTP core: what is read, routed, limited, and how it stops."""

import io
import json
import logging
import re
import socket
import sys
import threading
import time
from functools import partial

import pytest

from tests.apps.server.running import ask, running
from treewright.apps.server.access_log import LogFormatter, log_request
from treewright.apps.server.http_server import Connection
from treewright.apps.server.jobs import BackgroundJob
from treewright.apps.server.limits import Limits
from treewright.apps.server.messages import (
    HttpError,
    Request,
    Response,
    event_stream,
    json_response,
    json_stream,
    text_response,
)
from treewright.apps.server.routing import Route
from treewright.apps.server.static_pages import pages
from treewright.errors import TreewrightError


def echo(request):
    return json_response(
        {
            "method": request.method,
            "path": request.path,
            "values": request.path_values,
            "query": request.query,
            "body": request.body.decode("latin-1"),
        }
    )


ECHO = Route("GET POST PUT", "/echo/{name}/{rest...}", echo)


def raw(server, data, close=True):
    """Send bytes as they are; return all that comes back."""
    with socket.create_connection((server.host, server.port), timeout=20) as client:
        client.sendall(data)
        if close:
            client.shutdown(socket.SHUT_WR)
        pieces = []
        while piece := client.recv(65536):
            pieces.append(piece)
        return b"".join(pieces)


@pytest.fixture(scope="module")
def server():
    def fail(request):
        raise ZeroDivisionError("a secret")

    def wrong(request):
        raise TreewrightError("too bad. Do better")

    form = Route("GET POST", "/form", lambda request: json_response(request.form()), cross_origin=True)
    routes = [ECHO, form, Route("GET", "/fail", fail), Route("GET", "/wrong", wrong, errors="text")]
    with running(routes, limits=Limits(body_bytes=10_000, head_bytes=20_000, idle_seconds=1)) as server:
        yield server


def test_values_of_a_path_are_decoded(server):
    status, _, body = ask(server, "GET", "/echo/a%20b/c/%C3%A4?x=1")
    assert status == 200
    assert json.loads(body)["values"] == {"name": "a b", "rest": "c/ä"}


@pytest.mark.parametrize(
    ("asked", "status"),
    {"GET /nowhere": 404, "POST /health": 405, "GET /wrong": 400, "GET /fail": 500, "BREW /health": 501}.items(),
)
def test_errors_have_their_status_and_no_details(server, asked, status):
    found, _, body = ask(server, *asked.split())
    assert found == status
    assert b"secret" not in body
    assert b"Traceback" not in body


def test_a_user_error_is_told(server):
    assert ask(server, "GET", "/wrong")[2] == b"too bad. Do better\n"


def test_head_is_get_without_a_body(server):
    status, headers, body = ask(server, "HEAD", "/health")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 0


def test_requests_on_one_connection_in_one_piece(server):
    request = b"POST /echo/a/%d HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nx%d"
    last = b"GET /echo/a/9 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = raw(server, request % (1, 1) + request % (2, 2) + last, close=False)
    assert answer.count(b"HTTP/1.1 200 OK") == 3
    assert [part in answer for part in (b'"body": "x1"', b'"body": "x2"', b'"path": "/echo/a/9"')] == [True] * 3


def test_chunks_and_continue(server):
    head = (
        b"POST /echo/a/b HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        b"Expect: 100-continue\r\nConnection: close\r\n\r\n"
    )
    answer = raw(server, head + b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK")
    assert b'"body": "abcde"' in answer


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\x16\x03\x01\x02\0\x01\0\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nA : b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\n  folded\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10001\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n", 413),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"x" * 30_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 200 + b"\r\n", 431),
        (b"GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 421),
        (b"GET http://localhost/health HTTP/1.0\r\n\r\n", 200),
    ],
)
def test_what_is_sent_on_the_wire(server, data, status):
    assert raw(server, data).split(b"\r\n")[0].split()[1] == str(status).encode()


def test_a_client_that_trickles_gets_no_more_time(server):
    with socket.create_connection((server.host, server.port), timeout=20) as client:
        start = time.monotonic()
        client.sendall(b"GET /health HTTP/1.1\r\n")
        try:
            while time.monotonic() - start < 15:
                client.sendall(b"A: b\r\n")
                time.sleep(0.3)
        except OSError:
            pass
        assert time.monotonic() - start < 15


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"data=a+b%26%C3%A4&parser", "application/x-www-form-urlencoded"),
        (
            b'--XX\r\nContent-Disposition: form-data; name="data"\r\n\r\na b&\xc3\xa4\r\n'
            b'--XX\r\nContent-Disposition: form-data; name="parser"\r\n\r\n\r\n--XX--\r\n',
            "multipart/form-data; boundary=XX",
        ),
    ],
)
def test_forms(server, body, kind):
    status, headers, answer = ask(server, "POST", "/form?data=old&x=1", body, {"Content-Type": kind})
    assert status == 200
    assert json.loads(answer) == {"data": "a b&ä", "parser": "", "x": "1"}
    assert headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"data=%ff", "application/x-www-form-urlencoded", 400),
        (b"a=b&" * 200, "application/x-www-form-urlencoded", 400),
        (b"abc", "multipart/form-data; boundary=XX", 400),
        (b"abc", "multipart/form-data", 400),
        (b"--XX\r\n\r\nabc\r\n--XX--", "multipart/form-data; boundary=XX", 400),
        (b"{}", "application/json", 415),
    ],
)
def test_forms_that_are_none(server, body, kind, status):
    assert ask(server, "POST", "/form", body, {"Content-Type": kind})[0] == status


def test_compressed_bodies_are_not_read(server):
    assert ask(server, "POST", "/echo/a/b", b"x", {"Content-Encoding": "gzip"})[0] == 415


def test_strange_pages_reach_only_what_is_meant_for_them(server):
    strange = {"Origin": "http://evil.example", "Content-Type": "text/plain"}
    assert ask(server, "POST", "/echo/a/b", b"x", strange)[0] == 403
    assert ask(server, "GET", "/form?a=b", None, strange)[0] == 200
    own = {"Origin": f"http://{server.host}:{server.port}"}
    assert ask(server, "POST", "/echo/a/b", b"x", own)[0] == 200


def test_preflight(server):
    status, headers, _ = ask(server, "OPTIONS", "/form", None, {"Access-Control-Request-Method": "POST"})
    assert (status, headers["Access-Control-Allow-Origin"]) == (204, "*")
    status, headers, _ = ask(server, "OPTIONS", "/echo/a/b", None, {"Access-Control-Request-Method": "POST"})
    assert (status, "Access-Control-Allow-Origin" in headers) == (204, False)
    assert ask(server, "OPTIONS", "/nowhere")[0] == 404


def test_token():
    with running([ECHO], token="secret") as server:
        path = "/echo/a/b"
        assert ask(server, "GET", "/health")[0] == 200
        status, headers, _ = ask(server, "GET", path)
        assert (status, "WWW-Authenticate" in headers) == (401, True)
        assert ask(server, "GET", path, None, {"Authorization": "Bearer wrong"})[0] == 401
        assert ask(server, "GET", path, None, {"Authorization": "Bearer secret"})[0] == 200
        assert ask(server, "GET", path, None, {"Authorization": "Basic dTpzZWNyZXQ="})[0] == 200
        assert ask(server, "GET", path, None, {"Authorization": "Basic ä"})[0] == 401
        status, headers, _ = ask(server, "GET", path + "?token=secret")
        assert status == 200
        cookie = headers["Set-Cookie"].partition(";")[0]
        assert ask(server, "GET", path, None, {"Cookie": cookie})[0] == 200
        assert ask(server, "GET", path, None, {"Cookie": cookie + "x"})[0] == 401


def test_few_run_some_wait_and_the_rest_come_again():
    go = threading.Event()

    def slow(request):
        go.wait(20)
        return text_response("done")

    limits = Limits(at_once=1, waiting=1, seconds=20)
    with running([Route("GET", "/slow", slow, heavy=True)], limits=limits) as server:
        found = []
        threads = [threading.Thread(target=lambda: found.append(ask(server, "GET", "/slow")[:2])) for _ in range(4)]
        for thread in threads:
            thread.start()
        while len(found) < 2:
            time.sleep(0.01)
        assert ask(server, "GET", "/health")[0] == 200  # what does not compute does not wait
        go.set()
        for thread in threads:
            thread.join()
        assert sorted(status for status, _ in found) == [200, 200, 429, 429]
        assert all("Retry-After" in headers for status, headers in found if status == 429)


def test_who_waits_too_long_comes_again():
    go = threading.Event()
    route = Route("GET", "/slow", lambda request: Response(body=b"" if go.wait(20) else b"late"), heavy=True)
    with running([route], limits=Limits(at_once=1, seconds=0.05)) as server:
        first = threading.Thread(target=ask, args=(server, "GET", "/slow"))
        first.start()
        while not server._application.service.gate.running:
            time.sleep(0.01)
        status, headers, _ = ask(server, "GET", "/slow")
        assert (status, "Retry-After" in headers) == (503, True)
        go.set()
        first.join()


GET_HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_too_many_connections_are_sent_away():
    started, go = threading.Event(), threading.Event()

    def slow(request):
        started.set()
        go.wait(20)
        return text_response("done")

    with (
        running([Route("GET", "/slow", slow)], limits=Limits(connections=1)) as server,
        socket.create_connection((server.host, server.port)) as client,
    ):
        client.sendall(GET_HEALTH.replace(b"health", b"slow"))
        assert started.wait(20)
        assert raw(server, b"").startswith(b"HTTP/1.1 503")
        go.set()
        assert client.recv(100).startswith(b"HTTP/1.1 200")


def test_who_holds_the_most_connections_without_a_request_makes_room():
    def connected(address):
        return socket.create_connection((server.host, server.port), 20, source_address=(address, 0))

    with running([], limits=Limits(connections=4)) as server:
        with connected("127.0.0.1") as first:
            first.sendall(GET_HEALTH)
            assert first.recv(1000).startswith(b"HTTP/1.1 200")
            greedy = [connected("127.0.0.2") for _ in range(3)]
            for one in greedy:
                one.sendall(b"GET /health HTTP/1.1\r\nHost: loc")  # and no more
            for _ in range(200):
                if len(server._connections) == 4:
                    break
                time.sleep(0.01)
            with connected("127.0.0.1") as second:
                second.sendall(GET_HEALTH)
                assert second.recv(1000).startswith(b"HTTP/1.1 200")
                assert greedy[0].recv(100) == b""
                first.sendall(GET_HEALTH)  # the fair one is still served
                assert first.recv(1000).startswith(b"HTTP/1.1 200")
                greedy[1].sendall(b"alhost\r\n\r\n")
                assert greedy[1].recv(1000).startswith(b"HTTP/1.1 200")
            for one in greedy:
                one.close()
        for _ in range(20):  # of a single client, the oldest makes room
            greedy.append(connected("127.0.0.3"))
        greedy[-1].sendall(GET_HEALTH)
        assert greedy[-1].recv(1000).startswith(b"HTTP/1.1 200")
        for one in greedy:
            one.close()


def test_a_client_that_has_left_stops_the_work():
    ended = threading.Event()

    def work(request):
        try:
            for _ in range(1000):
                request.check_time()
                time.sleep(0.01)
            return text_response("done")
        finally:
            ended.set()

    lines = []
    with running([Route("POST", "/work", work)]) as server:
        server.access_log = lambda request, response, sent, seconds: lines.append((response.status, sent))
        with socket.create_connection((server.host, server.port)) as client:
            client.sendall(b"POST /work HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
        assert ended.wait(5)
        for _ in range(200):
            if lines:
                break
            time.sleep(0.01)
    assert lines == [(499, 0)]


def test_long_answers_are_sent_while_they_are_made():
    def parts():
        yield "["
        for number in range(30_000):
            yield f'"{"é" * 50}", ' if number != 20_000 or not cut else stop()
        yield "0]"

    def stop():
        raise HttpError(503, "too late")

    cut = False
    route = Route("GET", "/long", lambda request: json_stream(request, parts()))
    short = Route("GET", "/short", lambda request: json_stream(request, ["[", "1", "]"]))
    with running([route, short]) as server:
        status, headers, body = ask(server, "GET", "/long")
        assert (status, headers["Transfer-Encoding"]) == (200, "chunked")
        assert json.loads(body) == ["é" * 50] * 30_000 + [0]
        old = raw(server, b"GET /long HTTP/1.0\r\n\r\n", close=False)
        assert b"chunked" not in old
        assert old.endswith(body)
        status, headers, body = ask(server, "GET", "/short")
        assert (headers["Content-Length"], body) == ("3", b"[1]")
        assert raw(server, b"HEAD /long HTTP/1.1\r\nHost: localhost\r\n\r\n", close=False).endswith(b"\r\n\r\n")
        cut = True
        found = raw(server, b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n", close=False)
        assert len(found) > 1 << 20
        assert not found.endswith(b"0\r\n\r\n")  # the client sees that it is not complete


def test_only_the_time_that_it_takes_to_make_an_answer_counts(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    request = Request("GET", "/", deadline=10.0)

    def parts(seconds):
        for _ in range(5):
            now[0] += seconds
            yield "x" * 100_000

    for _ in request.in_time(parts(1.5)):
        now[0] += 100  # a slow client
    request = Request("GET", "/", deadline=now[0] + 10.0)
    with pytest.raises(HttpError, match="takes too long"):
        list(request.in_time(parts(2.5)))


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "", "http://", "//", "http://localhost:1"])
def test_a_malformed_origin_is_strange(server, origin):
    assert ask(server, "GET", "/echo/a/b", None, {"Origin": origin})[0] == 403
    wire = f"GET /echo/a/b HTTP/1.0\r\nOrigin: {origin}\r\n\r\n".encode()
    assert raw(server, wire).startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize("host", ["", " ", ":8000", "[", "[]", "[::1", "evil.example"])
def test_a_host_that_is_empty_or_strange_is_refused(server, host):
    answer = raw(server, f"GET /health HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    if host == "[::1":  # a name of this server
        assert answer.startswith(b"HTTP/1.1 200")
    else:
        assert answer.startswith(b"HTTP/1.1 421")


def test_nothing_in_a_log_line_ends_it_or_moves_the_cursor():
    stream = io.StringIO()
    with running([]) as server:
        server.access_log = partial(log_request, stream)
        raw(server, b'GET /a\x1b[2J"\x00\x7f\x85\xe9\\n HTTP/1.1\r\nHost: localhost\r\n\r\n')
    (line,) = stream.getvalue().splitlines()
    assert r'"GET /a\x1b[2J\"\x00\x7f\x85\xe9\\n" 404' in line


def test_messages_of_the_log_are_indented_and_visible():
    record = logging.LogRecord("x", logging.ERROR, "", 0, "it failed: %s", ("a\x1b\rb\nc",), None)
    assert LogFormatter("server: %(message)s").format(record) == "server: it failed: a\\x1b\\rb\n  c"
    try:
        raise ValueError("one\ntreewright serve: two\x07 é")
    except ValueError:
        record.exc_info = sys.exc_info()
    *_, last, end = LogFormatter("%(message)s").format(record).split("\n")
    assert (last, end) == ("  ValueError: one", "  treewright serve: two\\x07 é")


def test_a_stop_finishes_what_is_under_way():
    started, go, found = threading.Event(), threading.Event(), []

    def slow(request):
        started.set()
        go.wait(20)
        return text_response("done")

    with running([Route("GET", "/slow", slow)]) as server:
        idle = socket.create_connection((server.host, server.port))
        idle.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        idle.recv(1000)
        client = threading.Thread(target=lambda: found.append(ask(server, "GET", "/slow")))
        client.start()
        started.wait(20)
        server.stop()
        assert idle.recv(1000) == b""  # an idle connection closes at once
        go.set()
        client.join()
        idle.close()
    assert found[0][0] == 200
    assert found[0][2] == b"done"


def test_a_stop_between_an_answer_and_the_next_request_does_not_wait(monkeypatch):
    """A connection that was not yet idle when the server asked all idle ones to close is none that keeps it up."""
    asked, close_if_idle = threading.Event(), Connection.close_if_idle

    def ask_to_close(connection):
        close_if_idle(connection)
        asked.set()

    def stop_meanwhile(*_):  # the answer is on its way, and the connection does not wait for a request yet
        server.stop()
        asked.wait(20)

    monkeypatch.setattr(Connection, "close_if_idle", ask_to_close)
    with running([]) as server:
        server.access_log = stop_meanwhile
        with socket.create_connection((server.host, server.port), timeout=10) as client:
            client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert client.recv(1000).startswith(b"HTTP/1.1 200")
            assert client.recv(1000) == b""


def test_jobs_can_be_watched_and_cancelled():
    go = threading.Event()

    def work(job):
        job.report({"step": 1})
        go.wait(20)
        job.report({"step": 2})
        return {"answer": 42}

    def watch(request):
        return event_stream(service.jobs.get(request.path_values["id"]).states())

    with running([Route("GET", "/events/{id}", watch)]) as server:
        service = server._application.service
        job = service.jobs.start("test", work)
        cancelled = service.jobs.start("test", work)
        cancelled.cancel()
        go.set()
        status, headers, body = ask(server, "GET", f"/events/{job.id}")
        assert (status, headers["Content-Type"]) == (200, "text/event-stream")
        last = json.loads(body.strip().split(b"\n\n")[-1].removeprefix(b"data: "))
        assert last == {
            "id": job.id,
            "kind": "test",
            "status": "done",
            "progress": {"step": 2},
            "result": {"answer": 42},
            "seconds": last["seconds"],
        }
        assert cancelled.wait(20)
        assert cancelled.status == "cancelled"
        assert ask(server, "GET", "/events/none")[0] == 404


def test_a_job_that_fails_says_so_without_details():
    with running() as server:
        jobs = server._application.service.jobs

        def bug(job):
            raise ZeroDivisionError("a secret")

        def wrong(job):
            raise HttpError(400, "no such thing")

        states = []
        for function in (bug, wrong):
            job = jobs.start("test", function)
            job.wait(20)
            states.append(job.state())
        assert [state["status"] for state in states] == ["failed", "failed"]
        assert "secret" not in str(states)
        assert states[1]["error"] == "no such thing"


def test_the_number_of_jobs_is_limited():
    with running() as server:
        jobs = server._application.service.jobs
        jobs.most_running, jobs.most_kept = 1, 3
        go = threading.Event()
        job = jobs.start("test", lambda job: go.wait(20))
        with pytest.raises(HttpError, match="running already"):
            jobs.start("test", lambda job: None)
        go.set()
        job.wait(20)
        for _ in range(5):
            assert jobs.start("test", lambda job: None).wait(20)
        assert len(jobs._jobs) <= 3
        with pytest.raises(HttpError):
            jobs.get(job.id)


def test_pages_come_from_their_folder_only(tmp_path):
    folder = tmp_path / "pages"
    (folder / "js").mkdir(parents=True)
    (folder / "index.html").write_text("<p>hello")
    (folder / "js" / "a.js").write_text("1")
    (tmp_path / "secret.txt").write_text("secret")
    with running(pages("/studio", folder)) as server:
        status, headers, body = ask(server, "GET", "/studio/")
        assert (status, body, headers["Content-Type"]) == (200, b"<p>hello", "text/html; charset=utf-8")
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert ask(server, "GET", "/studio/", None, {"If-None-Match": headers["ETag"]})[0] == 304
        assert ask(server, "GET", "/studio")[1]["Location"] == "/studio/"
        assert ask(server, "GET", "/studio/js/a.js")[2] == b"1"
        for path in ("/studio/../secret.txt", "/studio/%2e%2e/secret.txt", "/studio/%2e%2e%2fsecret.txt"):
            assert ask(server, "GET", path)[0] == 404
        assert ask(server, "GET", f"/studio/{tmp_path}/secret.txt")[0] == 404


def test_metrics_count_requests_by_pattern(server):
    ask(server, "GET", "/echo/metrics/1")
    ask(server, "GET", "/health")
    status, _, body = ask(server, "GET", "/metrics")
    text = body.decode()
    assert status == 200
    assert 'treewright_requests_total{method="GET",path="/echo/{name}/{rest...}",status="200"}' in text
    assert 'treewright_request_seconds_bucket{path="/health",le="+Inf"}' in text
    assert re.search(r"^treewright_connections [1-9]", text, re.MULTILINE)


def test_a_job_is_told_of_in_its_own_words():
    job = BackgroundJob("test")
    assert job.state()["status"] == "running"
    assert not job.wait(0)
