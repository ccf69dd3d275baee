"""Output files: whole or not at all."""

import bz2
import gzip
import io
import lzma
import os
import stat
import subprocess
import sys
import tempfile
import threading
import time

import pytest

from treewright.errors import TreewrightError
from treewright.treebank.files.output import OutputFile, check_writable


def write_all(path, *pieces):
    with OutputFile(path) as output:
        for piece in pieces:
            output.write(piece)


def test_the_file_appears_at_the_end(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with OutputFile(path) as output:
        output.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_after_a_failure_all_is_as_it_was(tmp_path, error):
    path = tmp_path / "out.gz"
    path.write_bytes(b"old")

    def fail():
        with OutputFile(path) as output:
            output.write(b"new")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("suffix", "decompress"),
    [("", bytes), (".gz", gzip.decompress), (".bz2", bz2.decompress), (".xz", lzma.decompress)],
)
def test_compression_by_suffix_and_always_the_same_bytes(tmp_path, monkeypatch, suffix, decompress):
    one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    write_all(one, b"text" * 100, b"more")
    monkeypatch.setattr(time, "time", lambda: 1e9)
    write_all(two, b"text" * 100, b"more")
    assert decompress(one.read_bytes()) == b"text" * 100 + b"more"
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("refused", [False, True])
def test_the_disk_begins_before_the_end_if_it_can(tmp_path, monkeypatch, suffix, refused):
    """Compressed or not, each byte is sent once, in order; a system that takes no advice is no error."""
    sent = []

    def advise(file, start, size, advice):
        sent.append((start, size))
        if refused:
            raise OSError("no advice")

    monkeypatch.setattr("treewright.treebank.files.output.SENT_AT_ONCE", 100)
    monkeypatch.setattr("os.posix_fadvise", advise, raising=False)
    monkeypatch.setattr("os.POSIX_FADV_DONTNEED", 4, raising=False)
    pieces = [os.urandom(size) for size in (40, 40, 40, 300, 0, 99, 1)]
    write_all(tmp_path / f"out{suffix}", *pieces)
    written = (tmp_path / f"out{suffix}").read_bytes()
    assert (gzip.decompress(written) if suffix else written) == b"".join(pieces)
    assert len(sent) == 3
    assert [start for start, _ in sent] == [0, *(start + size for start, size in sent[:-1])]
    assert suffix or sent == [(0, 120), (120, 300), (420, 100)]


def test_permissions_are_those_of_any_new_file_or_of_the_old_one(tmp_path):
    plain, path = tmp_path / "plain", tmp_path / "out"
    plain.write_bytes(b"")
    write_all(path, b"x")
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o640)
    write_all(path, b"y")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_all(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_standard_output(monkeypatch):
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer))
    write_all("-", b"text")
    assert buffer.getvalue() == b"text"
    assert not buffer.closed


def test_without_standard_output(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(TreewrightError, match="standard output is not available"):
        write_all("-", b"text")


def test_directory_and_missing_folder_are_refused_early(tmp_path):
    with pytest.raises(TreewrightError, match="is a directory"):
        write_all(tmp_path)
    with pytest.raises(TreewrightError, match=r"folder .* does not exist\. Create it"):
        write_all(tmp_path / "none" / "out")
    with pytest.raises(TreewrightError, match="not a valid file name"):
        write_all("")
    with pytest.raises(TreewrightError, match="cannot be written"):
        write_all(tmp_path / ("x" * 300))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(TreewrightError, match="does not exist"):
        write_all(tmp_path / "file" / "out")


def test_a_name_of_the_longest_length_is_fine(tmp_path):
    write_all(tmp_path / ("x" * 255), b"x")
    write_all(tmp_path / ("é" * 127), b"x")
    write_all(tmp_path / ("𝄞" * 63), b"x")


def test_a_read_only_file_is_refused_early_even_for_root(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(TreewrightError, match=r"the file is read-only.*permissions"):
        write_all(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_of_others_is_refused_early(tmp_path, monkeypatch):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    monkeypatch.setattr("treewright.treebank.files.output._may_write", lambda _: False)
    with pytest.raises(TreewrightError, match="read-only"):
        write_all(path, b"new")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_without_permission(tmp_path):
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(TreewrightError, match="Change the permissions"):
            write_all(tmp_path / "other", b"new")
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("size", [10, 10_000_000])
def test_full_disk_when_writing_or_closing(size):
    with pytest.raises(TreewrightError, match="disk is full"):
        write_all("/dev/full", b"x" * size)


class FullDisk(io.RawIOBase):
    def writable(self):
        return True

    def write(self, data):
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
@pytest.mark.parametrize("size", [10, 1_000_000])
def test_full_disk_leaves_the_old_file(tmp_path, monkeypatch, suffix, size):
    path = tmp_path / f"out{suffix}"
    path.write_bytes(b"old")

    def open_on_full_disk(descriptor, mode):
        os.close(descriptor)
        return io.BufferedWriter(FullDisk())

    monkeypatch.setattr("treewright.treebank.files.output.open", open_on_full_disk, raising=False)
    with pytest.raises(TreewrightError, match="disk is full"):
        write_all(path, os.urandom(size))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="needs /dev/stdout")
@pytest.mark.parametrize("redirected", [False, True])
def test_dev_stdout_is_what_the_shell_opened(tmp_path, redirected):
    code = (
        "from treewright.treebank.files.output import OutputFile\n"
        "with OutputFile('/dev/stdout') as output: output.write(b'text')"
    )
    path = tmp_path / "out"
    with path.open("wb") as file:
        done = subprocess.run(
            [sys.executable, "-c", code],
            stdout=file if redirected else subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
        )
        inode = os.fstat(file.fileno()).st_ino
    assert (path.read_bytes() if redirected else done.stdout) == b"text"
    assert path.stat().st_ino == inode


def test_a_failure_after_the_temporary_file_was_made_removes_it(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(1, "not here")

    path = tmp_path / "out"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "chmod", fail)
    with pytest.raises(TreewrightError, match="not here"):
        write_all(path, b"new")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
@pytest.mark.parametrize("busy", ["open", "chmod", "fsync", "replace"])
def test_a_signal_while_the_disk_is_busy_leaves_no_temporary_file(tmp_path, monkeypatch, busy):
    path = tmp_path / "out.txt"
    path.write_bytes(b"old")
    call = getattr(os, busy)

    def interrupted(*arguments, **options):
        monkeypatch.undo()
        if busy == "open":
            os.close(call(*arguments, **options))
        raise KeyboardInterrupt

    monkeypatch.setattr(os, busy, interrupted)
    with pytest.raises(KeyboardInterrupt), OutputFile(path) as out:
        out.write(b"new")
    assert os.listdir(tmp_path) == ["out.txt"]
    assert path.read_bytes() == b"old"


def test_a_signal_while_a_file_is_tried_leaves_nothing(tmp_path, monkeypatch):
    def interrupted(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr("treewright.treebank.files.output._lock", interrupted)
    with pytest.raises(KeyboardInterrupt):
        check_writable(tmp_path / "out.txt")
    assert os.listdir(tmp_path) == []


def test_devices_and_pipes_are_written_directly(tmp_path):
    write_all(os.devnull, b"x")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_all(pipe, b"through")
    reader.join()
    assert received == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="no files in memory on this system")
def test_files_in_memory_are_written_as_a_whole_or_not_at_all() -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = os.path.join(folder, "x")
        for text in (b"old", b"new"):
            with OutputFile(path) as output:
                output.write(text)
                if text == b"new":
                    assert open(path, "rb").read() == b"old"  # noqa: SIM115
        assert os.listdir(folder) == ["x"]
