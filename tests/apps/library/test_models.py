"""Models that are looked for, installed, updated and removed by name, from a real server on this machine."""

from __future__ import annotations

import hashlib
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import treewright as tw
from tests.toy import toy_parser
from treewright.apps.cli import main
from treewright.apps.library.fetching import fetch
from treewright.apps.library.index import Entry, index_text, read_index
from treewright.errors import ModelFileError, TreewrightError
from treewright.treebank.files.locks import lock


class Server(http.server.ThreadingHTTPServer):
    """Files of a folder, in ranges too; it counts requests, and can break off an answer."""

    folder: Path
    asked: list[tuple[str, str]]
    breaks_after = 0
    knows_ranges = True


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        asked = self.headers.get("Range", "")
        self.server.asked.append((self.path, asked))
        file = self.server.folder / self.path.lstrip("/")
        if self.path == "/elsewhere/index.json":
            self.send_response(302)
            self.send_header("Location", "http://example.invalid/index.json")
            self.end_headers()
            return
        if not file.is_file():
            self.send_error(404)
            return
        data = file.read_bytes()
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.server.knows_ranges else 0
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        if self.server.breaks_after and not start:
            data = data[: self.server.breaks_after]
            self.close_connection = True
        self.wfile.write(data[start:])

    def log_message(self, *arguments: Any) -> None: ...


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "own"
    monkeypatch.setenv("TREEWRIGHT_MODELS", str(folder))
    return folder


@pytest.fixture
def published(tmp_path: Path) -> Path:
    folder = tmp_path / "published"
    folder.mkdir()
    publish(folder)
    return folder


def publish(folder: Path, description: str = "the toy village") -> None:
    parser = toy_parser()
    parser.info["description"] = description
    parser.save(folder / "xx_toy.tw")
    data = (folder / "xx_toy.tw").read_bytes()
    languages = ["xx", "Villagish", "pt-BR"]
    entry = Entry(
        "xx_toy",
        "xx_toy.tw",
        len(data),
        hashlib.sha256(data).hexdigest(),
        languages,
        "xx",
        "MIT",
        description,
        scores={"raw text": {"LAS": 81.5}},
    )
    (folder / "index.json").write_text(index_text([entry]), encoding="utf-8")


@pytest.fixture
def server(published: Path) -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as server:
        server.folder, server.asked = published, []
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_port}/"


def test_a_model_is_installed_by_the_name_of_its_language(
    server: Server, own_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ModelFileError, match="`treewright models search villagish`"):
        tw.load("villagish")
    assert not server.asked  # nothing is fetched unasked
    assert main(["models", "install", "Villagish", "--index", address(server)]) == 0
    assert "xx_toy installed" in capsys.readouterr().err
    for name in ("villagish", "xx", "pt_br", "xx_toy"):
        assert tw.load(name).relations == toy_parser().relations
    before = len(server.asked)
    assert main(["models", "install", "xx", "--index", address(server)]) == 0
    assert "is here already" in capsys.readouterr().err
    assert server.asked[before:] == [("/index.json", "")]
    main(["models", "--names"])
    assert "xx_toy" in capsys.readouterr().out.split("\n")
    assert main(["models", "remove", "villagish"]) == 0
    assert [path.name for path in own_folder.iterdir()] == ["names.json"]
    with pytest.raises(ModelFileError):
        tw.load("xx")


def test_an_index_can_be_searched(
    published: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TREEWRIGHT_INDEX", str(published))
    assert main(["models", "search", "villagish"]) == 0
    out = capsys.readouterr().out
    assert "xx_toy  (Villagish, " in out
    assert "LAS 81.5 from raw text" in out
    assert main(["models", "search", "xx", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["default_of"] == "xx"
    assert main(["models", "search", "klingon"]) == 1
    assert main(["models", "install", "klingon"]) == 2
    assert "no model or language called 'klingon'" in capsys.readouterr().err


def test_what_changed_is_updated(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "install", "xx", "--index", address(server)]) == 0
    assert main(["models", "update"]) == 0
    assert [path for path, _ in server.asked] == ["/index.json", "/xx_toy.tw", "/index.json"]
    publish(server.folder, "a larger village")
    assert main(["models", "update", "-q"]) == 0
    assert tw.load("xx").info["description"] == "a larger village"
    capsys.readouterr()


def test_fetching_goes_on_where_it_broke_off(server: Server, own_folder: Path) -> None:
    server.breaks_after = 1000
    index = address(server)
    assert main(["models", "install", "xx", "--index", index]) == 2
    assert not (own_folder / "xx_toy.tw").exists()
    server.breaks_after = 0
    assert main(["models", "install", "xx", "--index", index]) == 0
    assert server.asked[-1] == ("/xx_toy.tw", "bytes=1000-")
    assert (own_folder / "xx_toy.tw").read_bytes() == (server.folder / "xx_toy.tw").read_bytes()
    assert sorted(path.name for path in own_folder.iterdir()) == ["names.json", "xx_toy.json", "xx_toy.tw"]


def test_servers_without_ranges_begin_anew(server: Server, own_folder: Path) -> None:
    server.breaks_after, index = 1000, address(server)
    main(["models", "install", "xx", "--index", index])
    server.breaks_after, server.knows_ranges = 0, False
    assert main(["models", "install", "xx", "--index", index]) == 0
    assert (own_folder / "xx_toy.tw").read_bytes() == (server.folder / "xx_toy.tw").read_bytes()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda data: data[:-1] + b"?", "its digest is not the one that the index names"),
        (lambda data: data + b"?", "more bytes than the index says"),
        (lambda data: data[:-1], "the connection broke off"),
    ],
)
def test_files_that_are_not_what_the_index_says(
    server: Server, own_folder: Path, capsys: pytest.CaptureFixture[str], change: Any, told: str
) -> None:
    file = server.folder / "xx_toy.tw"
    file.write_bytes(change(file.read_bytes()))
    assert main(["models", "install", "xx", "--index", address(server)]) == 2
    assert told in capsys.readouterr().err
    assert not list(own_folder.glob("*.tw"))


def test_only_one_process_fetches_a_model(server: Server, own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (entry,) = read_index(address(server))
    own_folder.mkdir()
    waiting = own_folder / f".xx_toy.arriving.{entry.sha256[:16]}.part"
    with waiting.open("ab") as file:
        lock(file.fileno())
        assert main(["models", "install", "xx", "--index", address(server)]) == 2
    assert "another process is fetching this model" in capsys.readouterr().err
    assert main(["models", "install", "xx", "--index", address(server)]) == 0


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("http://example.invalid/", "fetched by https alone"),
        ("{server}elsewhere/", "http://example.invalid/index.json: models are fetched by https alone"),
        ("{server}nothing/", "the server answers 404"),
        ("http://127.0.0.1:9/", "cannot be fetched"),
        ("no/folder.json", "cannot be read"),
    ],
)
def test_places_without_an_index(server: Server, capsys: pytest.CaptureFixture[str], place: str, told: str) -> None:
    assert main(["models", "search", "xx", "--index", place.format(server=address(server))]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    [
        {"file": "../xx_toy.tw"},
        {"file": "/etc/passwd"},
        {"name": "a/b"},
        {"sha256": "0"},
        {"bytes": -1},
        {"bytes": 1 << 60},
        {"scores": {"raw text": {"LAS": "high"}}},
    ],
)
def test_an_index_is_checked(published: Path, change: dict[str, Any]) -> None:
    path = published / "index.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    values["models"][0] |= change
    path.write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(TreewrightError, match="not an index of models"):
        read_index(str(published))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2, "models": []}', "[" * 100_000, "\x00"])
def test_other_files_are_no_index(published: Path, text: str) -> None:
    (published / "index.json").write_text(text, encoding="utf-8")
    with pytest.raises(TreewrightError, match="not an index of models"):
        read_index(str(published))


def test_a_full_disk_is_told(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = read_index(str(published))
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 10}))
    with pytest.raises(TreewrightError, match="do not fit on the disk"):
        fetch(str(published / entry.file), str(tmp_path / "x.tw"), entry.bytes, entry.sha256)


def test_newer_indexes_may_say_more(published: Path) -> None:
    path = published / "index.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    values["models"][0]["colour"] = "green"
    path.write_text(json.dumps(values), encoding="utf-8")
    assert [entry.name for entry in read_index(str(published))] == ["xx_toy"]
