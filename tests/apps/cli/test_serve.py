"""The command ``serve`` as a process: it starts, answers, logs, and stops when it is told to."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

from tests.toy import DEV, toy_parser
from treewright.apps.cli import main

MAIN = "import sys; from treewright.apps.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "toy.tw"
    toy_parser().save(path)
    return path


class Serving:
    """A server in a process of its own."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, "-c", MAIN, "serve", "--port", "0", *map(str, arguments)],
            stderr=subprocess.PIPE,
            text=True,
        )
        self.greeting = self.process.stderr.readline()
        self.port = int(re.search(r"http://\S+?:(\d+)/", self.greeting)[1])

    def ask(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, response.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def test_it_answers_and_stops(model, tmp_path):
    log = tmp_path / "access.log"
    with Serving(model, "--access-log", log, "--allow-host", "nlp.example") as server:
        assert "serves toy on http://127.0.0.1:" in server.greeting
        status, body = server.ask("/models")
        assert status == 200
        assert json.loads(body)["models"] == {"toy": ["parser"]}
        assert server.ask("/process?token=secret", Host="evil.example")[0] == 421
        assert server.ask("/models", Host="nlp.example")[0] == 200
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) == 0
        assert "Traceback" not in server.process.stderr.read()
    lines = log.read_text().splitlines()  # in the order in which answers ended
    assert any(re.fullmatch(r'127\.0\.0\.1 - - \[.+\] "GET /models" 200 \d+ \d\.\d{4}', line) for line in lines)
    assert any('"GET /process" 421' in line for line in lines)
    assert "secret" not in "".join(lines)


def test_a_stop_finishes_the_answer_under_way(model):
    with open(DEV, "rb") as file:
        body = b"data=" + file.read().replace(b"%", b"%25").replace(b"+", b"%2B").replace(b"&", b"%26") * 20
    with Serving(model) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            head = f"POST /process?parser= HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
            client.sendall(head.encode() + b"Content-Type: application/x-www-form-urlencoded\r\n\r\n" + body[:100])
            time.sleep(0.2)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.2)
            client.sendall(body[100:])
            answer = b""
            while piece := client.recv(1 << 20):
                answer += piece
        assert answer.startswith(b"HTTP/1.1 200 OK")
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["model"] == "toy"
        assert server.process.wait(30) == 0


def test_other_machines_need_a_token(model):
    with Serving(model, "--host", "0.0.0.0") as server:
        token = re.search(r"\?token=(\S+)", server.greeting)[1]
        assert server.ask("/models")[0] == 401
        assert server.ask("/models", Authorization=f"Bearer {token}")[0] == 200
        assert server.ask("/health")[0] == 200


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.tw"], "none.tw: no such model"),
        (["--port", "70000"], "a port is a number"),
        (["--max-words", "0"], "must be more than 0"),
        (["--token", "short"], "at least 8 characters"),
        (["--project", "nowhere"], "no such folder"),
        (["--host", "0.0.0.0", "--allow-host", "a.b"], "every name is allowed"),
        (["--waiting", "-1"], "must not be negative"),
        (["--host", "256.0.0.1"], "cannot listen"),
        (["--access-log", "nowhere/log"], "cannot be written"),
        ([os.curdir], "no models"),
    ],
)
def test_wrong_arguments(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["serve", *arguments, *([] if "--port" in arguments else ["--port", "0"])]) == 2
    assert said in capsys.readouterr().err
