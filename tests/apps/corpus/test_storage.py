"""Files here and elsewhere: what each may answer, and what is told of it."""

from __future__ import annotations

import errno
import os
import sys

import pytest

from treewright.apps.corpus import storage
from treewright.apps.corpus.storage import MissingFile
from treewright.apps.corpus.store import RunStore
from treewright.errors import OutputError, TreebankError, TreewrightError

fsspec = pytest.importorskip("fsspec")


class LibraryError(Exception):
    """As a library of remote storage declares them, without a base of Python's."""


class Broken(fsspec.AbstractFileSystem):
    """A file system that answers everything with one error."""

    protocol = "broken"
    cachable = False
    error: Exception

    def _fail(self, *_args, **_options):
        raise self.error

    _open = open = size = ls = exists = rm_file = makedirs = put_file = isdir = find = glob = mv = _fail


@pytest.fixture
def broken(monkeypatch):
    """Return what sets the error of addresses with `broken://`."""
    fsspec.register_implementation("broken", Broken, clobber=True)

    def raising(error):
        monkeypatch.setattr(Broken, "error", error, raising=False)

    return raising


#: what is asked of a file → how
QUESTIONS = {
    "open": storage.open_bytes,
    "read": storage.read_bytes,
    "size": storage.size_of,
    "names": storage.names_in,
    "exists": storage.exists,
    "remove": storage.remove,
    "files": storage.remote_files,
    "pattern": lambda path: storage.remote_files(path + "*"),
}
OF_STORAGE = [
    PermissionError(errno.EACCES, "Forbidden"),
    TimeoutError("Forbidden"),
    ValueError("Forbidden"),
    NotImplementedError("Forbidden"),
    LibraryError("Forbidden"),
]


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("error", OF_STORAGE, ids=lambda error: type(error).__name__)
def test_what_storage_says_is_told_in_a_line(ask, error, broken):
    broken(error)
    with pytest.raises(TreebankError, match=r"^broken://a/b\*?: cannot be .*Forbidden\)\. Check address and rights$"):
        ask("broken://a/b")


@pytest.mark.parametrize("ask", [*QUESTIONS.values(), storage.make_folder], ids=[*QUESTIONS, "make"])
def test_a_fault_of_a_program_speaks_for_itself(ask, broken):
    broken(TypeError("a fault"))
    with pytest.raises(TypeError, match="a fault"):
        ask("broken://a/b")


def test_writing_elsewhere(broken):
    broken(LibraryError("no quota"))
    with pytest.raises(OutputError, match=r"^broken://a/b: cannot be written \(no quota\)\. Check address, rights"):
        storage.write_bytes("broken://a/b", b"x")
    broken(TypeError("a fault"))
    with pytest.raises(TypeError, match="a fault"):
        storage.write_bytes("broken://a/b", b"x")


@pytest.mark.parametrize("error", [FileNotFoundError(), *OF_STORAGE], ids=lambda error: type(error).__name__)
def test_folders_that_need_not_be_made(error, broken):
    """Object stores have none; who may not write learns so when writing."""
    broken(error)
    storage.make_folder("broken://a/b")


@pytest.mark.parametrize("ask", [storage.open_bytes, storage.read_bytes, storage.size_of])
@pytest.mark.parametrize("place", ["memory://gone/a", "gone/a", "file://gone/a"])
def test_a_file_that_is_not_there(ask, place):
    with pytest.raises(MissingFile, match=rf"^{place}: no such file\. Check the path\.$"):
        ask(place)


@pytest.mark.parametrize("folder", ["memory://gone", "gone"])
def test_nothing_is_in_a_folder_that_is_not_there(folder):
    assert storage.names_in(folder) == []
    assert not storage.exists(storage.join(folder, "a"))
    storage.remove(storage.join(folder, "a"))


def test_what_this_machine_says_is_told_in_a_line(tmp_path):
    for ask, done in [(storage.open_bytes, "read"), (storage.read_bytes, "read"), (storage.remove, "removed")]:
        with pytest.raises(
            TreebankError, match=rf"be {done} \(Is a directory\)\. Check the path, the rights and the disk\.$"
        ):
            ask(str(tmp_path))
    with pytest.raises(TreebankError, match=r": is a directory\. Give a file\.$"):
        storage.size_of(str(tmp_path))
    (tmp_path / "a").write_bytes(b"x")
    with pytest.raises(TreebankError, match=r"cannot be read \(Not a directory\)"):
        storage.names_in(str(tmp_path / "a"))
    with pytest.raises(OutputError, match=r"the folder cannot be made \(Not a directory\)"):
        storage.make_folder(str(tmp_path / "a" / "b"))
    with pytest.raises(TreebankError, match="null byte"):
        storage.open_bytes("a\0b")


@pytest.mark.parametrize("where", ["local", "file", "memory"])
def test_what_is_written_can_be_read(where, tmp_path):
    folder = {"local": str(tmp_path), "file": f"file://{tmp_path}", "memory": f"memory://{tmp_path.name}"}[where]
    folder = storage.join(folder, "sub")
    storage.make_folder(folder)
    for name in "ba":
        storage.write_bytes(storage.join(folder, name), b"0123456789")
    path = storage.join(folder, "a")
    assert storage.read_bytes(path) == b"0123456789"
    assert storage.read_bytes(path, 3) == b"3456789"
    assert storage.read_bytes(path, 3, 2) == b"34"
    assert (storage.size_of(path), storage.exists(path)) == (10, True)
    assert storage.names_in(folder) == ["a", "b"]
    storage.remove(path)
    assert storage.names_in(folder) == ["b"]


def test_elsewhere_a_file_appears_whole_or_not_at_all(broken):
    """Where `put` is not whole, the file is put aside and moved."""
    done = []

    class Slow(Broken):
        protocol = ("slow", "slower")

        def put_file(self, source, target):
            done.append(("put", target, open(source, "rb").read()))  # noqa: SIM115

        def mv(self, source, target):
            done.append(("move", source, target))

    fsspec.register_implementation("slow", Slow, clobber=True)
    storage.write_bytes("slow://a/b", b"x")
    (put, aside, data), (move, source, target) = done
    assert (put, move, data, source) == ("put", "move", b"x", aside)
    assert aside.startswith(f"{target}.")
    assert aside.endswith(".part")
    assert len(aside) == len(target) + len(".") + 12 + len(".part")


def test_addresses_that_no_file_system_knows():
    with pytest.raises(TreewrightError, match=r"^nowhere://a: .*nowhere.*\. Check the address$"):
        storage.open_bytes("nowhere://a")


def test_paths_and_addresses():
    assert storage.is_remote("s3://bucket/a")
    assert not storage.is_remote("file:///a")
    assert not storage.is_remote("a/b")
    assert storage.plain("file:///a/b") == "/a/b"
    assert storage.plain("a/b") == "a/b"
    assert storage.join("s3://bucket/aX/", "b", "c") == "s3://bucket/aX/b/c"
    assert storage.join("a/", "b") == os.path.join("a/", "b")
    assert storage.join("file:///a", "b") == os.path.join("/a", "b")
    assert storage.base_name("s3://bucket/a/bX/") == "bX"
    assert storage.base_name("a/b") == "b"
    assert storage.base_name("a/b/") == ""


def test_folders_that_are_there_already(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(Broken, "makedirs", lambda self, path, **options: asked.append((path, options)))
    fsspec.register_implementation("broken", Broken, clobber=True)
    storage.make_folder("broken://a/b")
    assert asked == [("a/b", {"exist_ok": True})]
    for _ in range(2):
        storage.make_folder(str(tmp_path / "sub"))


def test_what_is_listed_is_never_old(broken, monkeypatch):
    asked = []
    monkeypatch.setattr(Broken, "invalidate_cache", lambda self, path: asked.append(path))
    monkeypatch.setattr(Broken, "ls", lambda self, path, detail: [f"{path}/x"])
    assert storage.names_in("broken://a/b") == ["x"]
    assert asked == ["a/b"]


def test_addresses_need_fsspec(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(
        TreewrightError, match=r"^s3://a needs fsspec, which is not installed: pip install 'treewright\[c"
    ):
        storage.open_bytes("s3://a")


def test_addresses_need_what_opens_them(monkeypatch):
    def missing(path):
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr(fsspec.core, "url_to_fs", missing)
    with pytest.raises(TreewrightError, match=r"^s3://a: Install s3fs to access S3$"):
        storage.open_bytes("s3://a")


def test_a_disk_that_fails_while_it_is_read(broken, monkeypatch):
    class Failing:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def read(self, size):
            raise OSError(errno.EIO, "Input/output error")

    broken(OSError())
    monkeypatch.setattr(Broken, "open", lambda self, path, mode: Failing())
    with pytest.raises(TreebankError, match=r"^broken://a: cannot be read \(.*Input/output error\)\. Check address"):
        storage.read_bytes("broken://a")


@pytest.mark.parametrize("protocol", ["s3", ("s3", "s3a"), "memory"])
def test_object_stores_show_a_file_when_all_of_it_is_there(protocol, broken, monkeypatch):
    puts = []
    monkeypatch.setattr(Broken, "put_file", lambda self, source, target: puts.append(target))
    monkeypatch.setattr(Broken, "protocol", protocol)
    storage.write_bytes("broken://a/b", b"x")
    assert [target.removeprefix("broken://") for target in puts] == ["a/b"]


def test_files_that_an_address_means():
    for name in ("x/a.txt", "x/b.txt", "x/sub/c.txt"):
        storage.write_bytes(f"memory://means/{name}", b"1")
    below = [("a.txt", "x/a.txt"), ("b.txt", "x/b.txt"), ("sub/c.txt", "x/sub/c.txt")]
    found = storage.remote_files("memory://means/x")
    assert [(name, address.rpartition("means/")[2]) for address, name in found] == below
    found = storage.remote_files("memory://means/x/*")
    assert [name for _, name in found] == ["a.txt", "b.txt"]
    assert all(storage.read_bytes(address) == b"1" for address, _ in found)
    assert storage.remote_files("memory://means/x/a.txt") == [("memory://means/x/a.txt", "a.txt")]
    for pattern in ("x/?.txt", "x/[ab].txt"):
        assert len(storage.remote_files(f"memory://means/{pattern}")) == 2
    storage.write_bytes("memory://meansX/a", b"1")
    assert [name for _, name in storage.remote_files("memory://meansX/")] == ["a"]
    with pytest.raises(TreewrightError, match="no file matches"):
        storage.remote_files("memory://means/y*")


# What the folder of a run makes of it


def test_a_folder_without_a_run_has_no_settings(tmp_path):
    assert RunStore(str(tmp_path)).settings() is None
    assert RunStore("memory://no-run").settings() is None
    assert RunStore(str(tmp_path)).record(1) is None
    assert RunStore(str(tmp_path)).failure(1) is None


def test_what_cannot_be_read_is_not_taken_for_missing(broken, tmp_path):
    broken(PermissionError(errno.EACCES, "Forbidden"))
    store = RunStore("broken://a")
    for ask in (store.settings, lambda: store.record(1), lambda: store.failure(1), store.failed):
        with pytest.raises(TreebankError, match="Forbidden"):
            ask()
    path = tmp_path / "no such file"
    (path / "corpus.json").mkdir(parents=True)
    with pytest.raises(TreebankError, match="Is a directory"):
        RunStore(str(path)).settings()
