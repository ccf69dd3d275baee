"""Threads read a little ahead, never the whole file, and give results in order."""

from __future__ import annotations

import pkgutil
import threading
import time
from importlib import import_module

import pytest
from treewright.treebank.blocks.block import Block

import treewright.steps
from tests.toy import toy_parser
from treewright.treebank.formats.conllu import CONLLU


def in_order():
    """Return `zip_in_order`, wherever it is defined."""
    names = sorted(module.name for module in pkgutil.iter_modules(treewright.steps.__path__))
    modules = (import_module(f"treewright.steps.{name}") for name in names)
    return next(found for module in modules if (found := getattr(module, "zip_in_order", None)))


class Counted:
    """Counts the items that have been taken from it."""

    def __init__(self, items):
        self.items, self.taken = items, 0

    def __iter__(self):
        for item in self.items:
            self.taken += 1
            yield item


@pytest.mark.parametrize(("threads", "ahead"), [(2, 5), (3, 7)])
def test_at_most_twice_as_many_items_as_threads_wait(threads, ahead):
    source = Counted(range(30))
    under_way = [source.taken - received for received, _ in enumerate(in_order()(str, source, threads))]
    # Until the source ends, every result leaves exactly the same number of items under way.
    assert under_way == [min(ahead, 30 - received) for received in range(30)]


@pytest.mark.parametrize("threads", [2, 4])
def test_results_come_in_the_order_of_the_items(threads):
    def slow_first(number):
        time.sleep(0.02 if number % 3 == 0 else 0)
        return number * number

    assert list(in_order()(slow_first, iter(range(12)), threads)) == [(n, n * n) for n in range(12)]


def test_two_threads_work_at_the_same_time():
    both = threading.Barrier(2, timeout=20)
    assert [result for _, result in in_order()(lambda _: both.wait() >= 0, range(4), 2)] == [True] * 4


def test_one_thread_is_the_callers():
    class Asking(type(toy_parser())):
        def annotate(self, block, call):
            threads.add(threading.current_thread())
            return block.data

    threads = set()
    parser = toy_parser()
    parser.__class__ = Asking
    blocks = [Block(b"1\tdogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n", CONLLU, "") for _ in range(3)]
    try:
        assert len(list(parser.parse_blocks(blocks))) == 3
    finally:
        parser.__class__ = Asking.__base__  # other tests share this parser
    assert threads == {threading.current_thread()}


def test_an_error_stops_the_work():
    def broken(number):
        if number == 2:
            raise ValueError("item 2")
        return number

    source = Counted(range(100))
    stream = in_order()(broken, source, 2)
    assert [next(stream), next(stream)] == [(0, 0), (1, 1)]
    with pytest.raises(ValueError, match="item 2"):
        next(stream)
    assert source.taken == 2 * 2 + 1 + 2


def test_who_stops_early_leaves_no_work_behind():
    done = []
    stream = in_order()(lambda number: time.sleep(0.01) or done.append(number), range(100), 2)
    next(stream)
    stream.close()
    assert len(done) <= 5


@pytest.mark.parametrize(("threads", "ahead"), [(1, 1), (2, 5)])
def test_a_parser_reads_no_further_ahead(threads, ahead):
    text = b"".join(b"%d\tdogs\tdog\tNOUN\t_\tNumber=Plur\t_\t_\t_\t_\n" % n for n in (1, 2)) + b"\n"
    source = Counted([Block(text, CONLLU, f"block {n}") for n in range(9)])
    parsed = toy_parser().parse_blocks(source, threads=threads)
    assert next(parsed).source == "block 0"
    assert source.taken == ahead
    assert [block.source for block in parsed] == [f"block {n}" for n in range(1, 9)]
