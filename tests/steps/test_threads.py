"""One parser, many threads: the same results, errors that reach the caller, and nothing left over."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.every_kind import available, save_all, treebank
from treewright.errors import TreebankError
from treewright.steps.parser import Parser
from treewright.treebank.files.reading import read_blocks


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return save_all(tmp_path_factory.mktemp("models"))


def blocks() -> list[Block]:
    return list(read_blocks(treebank(), block_bytes=400))


@pytest.mark.parametrize("kind", available())
def test_eight_threads_give_what_one_gives(kind: str, models: dict[str, Path]) -> None:
    parser = Parser.load(models[kind])
    given = blocks()
    expected = [parser.parse_text_block(block) for block in given]
    work = [number % len(given) for number in range(8 * len(given))]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: parser.parse_text_block(given[number]), work))
    assert found == [expected[number] for number in work]
    assert list(parser.parse_texts(iter(given), threads=3)) == expected


def threads_and_files() -> tuple[int, int]:
    gc.collect()
    return threading.active_count(), len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


@pytest.mark.parametrize("kind", ["arc-eager", "exact-1", "pipeline", "dag-arc-eager"])
def test_a_generator_that_is_closed_early_leaves_nothing(kind: str, models: dict[str, Path]) -> None:
    parser = Parser.load(models[kind])
    before = threads_and_files()
    for _ in range(5):
        texts = parser.parse_texts(iter(blocks() * 20), threads=4)
        next(iter(texts))
        texts.close()
    assert threads_and_files() == before


def test_errors_of_a_reader_and_of_a_worker_reach_the_caller(models: dict[str, Path]) -> None:
    parser = Parser.load(models["exact-1"])
    before = threads_and_files()

    def broken() -> Iterator[Block]:
        yield from blocks()
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(parser.parse_texts(broken(), threads=4))
    words = "".join(f"{n}\ta\t_\tX\t_\t_\t_\t_\t_\t_\n" for n in range(1, 5003)) + "\n"
    with pytest.raises(TreebankError, match="all pairs"):
        list(parser.parse_texts(iter([*blocks(), *read_blocks(words.encode())]), threads=4))
    assert threads_and_files() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("kind", ["arc-eager", "exact-1", "neural", "pipeline"])
def test_a_process_forked_after_loading_parses_alike(kind: str, models: dict[str, Path], tmp_path: Path) -> None:
    parser = Parser.load(models[kind])
    block = next(iter(read_blocks(treebank())))
    expected = parser.parse_text_block(block)
    child = os.fork()
    if child == 0:
        try:
            (tmp_path / "child").write_bytes(parser.parse_text_block(block))
        finally:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert (tmp_path / "child").read_bytes() == expected


def test_nothing_grows_with_the_number_of_sentences(models: dict[str, Path]) -> None:
    parser = Parser.load(models["arc-eager"])
    given = list(read_blocks(treebank() * 40))

    def resident() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    if not os.path.exists("/proc/self/statm"):
        pytest.skip("there is no /proc here")
    for _ in parser.parse_texts(iter(given * 3), threads=2):
        pass
    before = resident()
    for _ in parser.parse_texts(iter(given * 12), threads=2):
        pass
    assert resident() - before < 24 << 20
    assert tw.Treebank(treebank())
