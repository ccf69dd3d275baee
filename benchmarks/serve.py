"""How fast and how sturdy the server is: ``python benchmarks/serve.py WHAT [--model MODEL] [--number N]``.

WHAT is one of

* ``requests``: requests with one short sentence, on connections that stay open and on new ones
* ``core``: a request that parses nothing, against the standard library's own server
* ``bodies``: words per second with bodies of 100 kB, against ``treewright parse`` on the same text
* ``latency``: how long answers take when requests come evenly, half as many as the server could answer
* ``clients``: 64 clients at once; every answer must be that of its own request
* ``memory``: memory after many requests, in ten steps
* ``fuzz``: many random requests, proper and broken; none may give a 500 (``FUZZ_SEED=2`` for others)
* ``start``: processor time from the command to the first answer

The server is a process of its own. Rates are per second of its processor time, so they say what one core does and
do not depend on what else runs; latencies are by the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from needed import BENCH, needed

SEED = int(os.environ.get("FUZZ_SEED", "1"))
TICK = 1 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01  # the least processor time that is counted
SENTENCE = "The horse raced past the barn fell."
NOUNS = ["horse", "barn", "letter", "window", "dog", "music", "teacher", "garden", "answer", "river"]
VERBS = ["sees", "likes", "paints", "finds", "wants", "hears"]


class Client:
    """A connection that sends bytes as they are and reads one answer at a time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None

    def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request and return status and body of the answer."""
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=120)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(request)
        return self.answer()

    def send_and_close(self, data: bytes) -> tuple[int, bytes]:
        """Send bytes that may have no end of their own, and return the first answer, if any."""
        with socket.create_connection(("127.0.0.1", self._port), timeout=120) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            pieces = []
            while piece := connection.recv(65536):
                pieces.append(piece)
        found = b"".join(pieces).removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
        return (int(found[9:12]), found) if found else (0, b"")

    def answer(self) -> tuple[int, bytes]:
        """Read one answer."""
        assert self._socket is not None
        data = b""
        while b"\r\n\r\n" not in data:
            piece = self._socket.recv(65536)
            if not piece:
                self.close()
                return (int(data[9:12]), b"") if data else (0, b"")
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        while len(body) < length:
            piece = self._socket.recv(1 << 20)
            if not piece:
                break
            body += piece
        if b"Connection: close" in head:
            self.close()
        return int(head[9:12]), body

    def close(self) -> None:
        """Close the connection; the next request opens one."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def post(fields: dict[str, str], close: bool = False) -> bytes:
    body = urlencode(fields).encode()
    head = "POST /process HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    return (head + "Connection: close\r\n" * close + f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def all_steps(text: str, close: bool = False) -> bytes:
    return post({"data": text, "tokenizer": "", "tagger": "", "parser": ""}, close)


class Server:
    """A server in a process of its own."""

    def __init__(self, model: str, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [sys.executable, "-m", "treewright", "serve", model, "--port", str(self.port), *options]
        self.process = needed("psutil", BENCH).Popen(command, stderr=subprocess.PIPE)
        while True:
            try:
                Client(self.port).ask(b"GET /health HTTP/1.0\r\n\r\n")
                return
            except ConnectionRefusedError:
                if self.process.poll() is not None:
                    sys.exit("the server did not start")
                time.sleep(0.005)

    def seconds(self) -> float:
        """Return the processor time of the server so far."""
        times = self.process.cpu_times()
        return times.user + times.system

    def memory(self) -> int:
        """Return the memory of the server, in bytes."""
        return int(self.process.memory_info().rss)

    def stop(self) -> None:
        """Stop the server, as a supervisor does."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


@contextmanager
def served(model: str, *options: str) -> Iterator[Server]:
    server = Server(model, "--quiet", *options)
    try:
        Client(server.port).ask(all_steps(SENTENCE))
        yield server
    finally:
        server.stop()


def requests(model: str, number: int) -> None:
    with served(model) as server:
        for name, close in (("connections that stay open", False), ("a new connection each", True)):
            client, request = Client(server.port), all_steps(SENTENCE, close)
            start = server.seconds()
            for _ in range(number):
                assert client.ask(request)[0] == 200
            print(f"{name}: {number / max(server.seconds() - start, TICK):,.0f} requests/s of processor time")


PLAIN = """
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version, wbufsize, disable_nagle_algorithm = "HTTP/1.1", -1, True

    def do_GET(self):
        body = json.dumps({"status": "ok"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""


def core(model: str, number: int) -> None:
    request = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"

    def cost(process: Any, port: int) -> float:
        client = Client(port)
        client.ask(request)
        start = sum(process.cpu_times()[:2])
        for _ in range(number):
            assert client.ask(request)[0] == 200
        return 1000 * (sum(process.cpu_times()[:2]) - start) / number

    with served(model) as server:
        ours = cost(server.process, server.port)
    plain = needed("psutil", BENCH).Popen([sys.executable, "-c", PLAIN], stdout=subprocess.PIPE, text=True)
    theirs = cost(plain, int(plain.stdout.readline()))
    plain.terminate()
    print(f"a request without parsing: {ours:.3f} ms; http.server of the standard library: {theirs:.3f} ms")


def text_of(size: int, seed: int = 1) -> str:
    dice = random.Random(seed)
    sentences = []
    while sum(map(len, sentences)) < size:
        phrase = f"The {dice.choice(NOUNS)} {dice.choice(VERBS)} the {dice.choice(NOUNS)}"
        more = f" that {dice.choice(VERBS)} a {dice.choice(NOUNS)}" * dice.randrange(3)
        sentences.append(f"{phrase}{more} near the {dice.choice(NOUNS)}. ")
    return "".join(sentences)[:size]


def bodies(model: str, number: int) -> None:
    import treewright as tw
    from treewright.steps.named_models import find_model

    parser = tw.load(find_model(model))
    text = text_of(100_000)
    target = Path(os.devnull)
    words = 0
    by_parse = []
    for _ in range(number):
        start = time.process_time()
        words = parser.parse_file(text.encode(), target, format="text")[1]
        by_parse.append(time.process_time() - start)
    with served(model) as server:
        client, request = Client(server.port), all_steps(text)
        client.ask(request)
        start = server.seconds()
        for _ in range(number):
            assert client.ask(request)[0] == 200
        by_server = max(server.seconds() - start, TICK) / number
    mean = sum(by_parse) / number
    print(f"parse: {words / mean:,.0f} words/s; server: {words / by_server:,.0f} words/s; {mean / by_server:.1%}")


def latency(model: str, number: int) -> None:
    with served(model) as server:
        client, request = Client(server.port), all_steps(SENTENCE)
        start = server.seconds()
        for _ in range(500):
            client.ask(request)
        pause = 2 * max(server.seconds() - start, TICK) / 500
        taken, due = [], time.perf_counter()
        for _ in range(number):
            due += pause
            time.sleep(max(0.0, due - time.perf_counter()))
            begun = time.perf_counter()
            client.ask(request)
            taken.append(time.perf_counter() - begun)
    taken.sort()
    print(
        f"{1 / pause:,.0f} requests/s: "
        + ", ".join(
            f"p{share:g} {1000 * taken[min(number - 1, int(number * share / 100))]:.1f} ms"
            for share in (50, 90, 99, 99.9)
        )
    )


def clients(model: str, number: int) -> None:
    wrong: list[tuple[int, bytes]] = []

    def run(which: int, port: int) -> None:
        client, dice = Client(port), random.Random(which)
        for turn in range(number // 64):
            words = [f"w{which}x{turn}", *dice.choices(NOUNS, k=dice.randrange(1, 20))]
            fields = {
                "data": " ".join(words),
                "input": "horizontal",
                "output": "horizontal",
                "tagger": "",
                "parser": "",
            }
            status, answer = client.ask(post(fields))
            if status != 200 or json.loads(answer)["result"].split() != words:
                wrong.append((status, answer))

    with served(model) as server:
        threads = [threading.Thread(target=run, args=(which, server.port)) for which in range(64)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(f"64 clients, {number // 64 * 64:,} requests, {len(wrong)} dropped or mixed up {wrong[:2] or ''}")


def memory(model: str, number: int) -> None:
    dice = random.Random(1)
    with served(model) as server:
        client = Client(server.port)
        mixed = [
            all_steps(text_of(2000 if seed % 20 == 1 else dice.choice((20, 40, 80)), seed), seed % 10 == 0)
            for seed in range(200)
        ]
        for step in range(11):
            if step:
                for _ in range(number // 10):
                    assert client.ask(dice.choice(mixed))[0] == 200
            print(f"{step * (number // 10):>9,} requests: {server.memory() / 1e6:.1f} MB", flush=True)


def start(model: str, number: int) -> None:
    taken = []
    for _ in range(number):
        server = Server(model, "--quiet")
        client = Client(server.port)
        client.ask(b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n")
        before_model = server.seconds()
        client.ask(all_steps(SENTENCE))
        taken.append((before_model, server.seconds()))
        server.stop()
    first, parsed = (sorted(times)[number // 2] for times in zip(*taken, strict=True))
    print(
        f"to the first answer {first:.2f} s, to the first parse {parsed:.2f} s of processor time (median of {number})"
    )


def fuzz(model: str, number: int) -> None:
    sys.path.insert(0, str(Path(__file__).parent))
    from fuzzing.requests import random_request

    dice = random.Random(SEED)
    found: Counter[int] = Counter()
    with served(model, "--max-body", "1", "--max-seconds", "30") as server:
        client = Client(server.port)
        for turn in range(number):
            request, proper = random_request(dice)
            try:
                status, answer = client.ask(request) if proper else Client(server.port).send_and_close(request)
            except OSError:
                client.close()
                status, answer = 0, b""
            found[status] += 1
            if status == 500 or server.process.poll() is not None:
                print(f"request {turn}: {request[:2000]!r} → {status} {answer[:500]!r}")
            if turn % 5000 == 4999:
                print(f"{turn + 1:,}: {found[500]} with 500, {server.memory() / 1e6:.0f} MB", flush=True)
        memory_now = server.memory()
    shown = ", ".join(f"{status or 'closed'}: {times:,}" for status, times in sorted(found.items()))
    print(f"{number:,} requests, {found[500]} with 500 ({shown}); {memory_now / 1e6:.0f} MB at the end")


NUMBERS = {
    requests: 5000,
    core: 4000,
    bodies: 20,
    latency: 5000,
    clients: 6400,
    memory: 100_000,
    fuzz: 100_000,
    start: 7,
}


def main() -> None:
    known = {function.__name__: function for function in NUMBERS}
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=known)
    arguments.add_argument("--model", default="english")
    arguments.add_argument("--number", type=int)
    given = arguments.parse_args()
    run = known[given.what]
    run(given.model, given.number or NUMBERS[run])


if __name__ == "__main__":
    main()
