"""Slow sources of texts: what is there is parsed, instead of waiting for more."""

from __future__ import annotations

import queue
import threading

import pytest

import treewright as tw
from tests.toy import toy_parser
from treewright.steps.arrivals import groups_as_they_come


def test_lists_are_cut():
    assert list(groups_as_they_come([1, 2, 3, 4, 5], 2)) == [[1, 2], [3, 4], [5]]
    assert list(groups_as_they_come(iter([1, 2]), 1)) == [[1], [2]]
    assert list(groups_as_they_come([], 3)) == []


def test_all_items_come_in_order():
    groups = list(groups_as_they_come(iter(range(1000)), 7))
    assert [item for group in groups for item in group] == list(range(1000))
    assert max(map(len, groups)) <= 7


class Fed:
    """An iterator that gives what it is fed, and waits for more."""

    def __init__(self) -> None:
        self.queue: queue.Queue[object] = queue.Queue()

    def __iter__(self):
        return iter(self.queue.get, "end")


def test_what_is_there_does_not_wait():
    fed = Fed()
    groups = groups_as_they_come(fed, 100)
    for items in (["a"], ["b", "c", "d"]):
        for item in items:
            fed.queue.put(item)
        found: list[object] = []
        while len(found) < len(items):
            found += next(groups)  # the test would hang here
        assert found == items
    assert next(groups) == []  # nothing more for now: what is under way can be finished
    fed.queue.put("end")
    assert [group for group in groups if group] == []


def test_errors_of_the_source_come_after_what_it_gave():
    def texts():
        yield "a"
        raise ValueError("broken")

    groups = groups_as_they_come(texts(), 10)
    assert next(groups) == ["a"]
    with pytest.raises(ValueError, match="broken"):
        next(groups)


def test_who_stops_early_leaves_no_reader_behind():
    def endless():
        number = 0
        while True:
            yield (number := number + 1)

    groups = groups_as_they_come(endless(), 2)
    next(groups)
    readers = [thread for thread in threading.enumerate() if thread.name == "treewright-reader"]
    groups.close()
    for thread in readers:
        thread.join(timeout=30)
    assert readers
    assert not any(thread.is_alive() for thread in readers)


@pytest.mark.parametrize("threads", [1, 3])
def test_documents_come_as_texts_do(threads):
    fed = Fed()
    documents = toy_parser().pipe(fed, threads)
    for word in ("girls", "dogs"):
        fed.queue.put(tw.Sentence.from_words([word]))
        assert next(documents)[0][0].form == word
    fed.queue.put("end")
    assert list(documents) == []


def test_what_is_under_way_hears_at_once_that_nothing_follows(monkeypatch):
    waits = []
    real = queue.Queue.get

    def get(self, block=True, timeout=None):
        waits.append(timeout)
        return real(self, block, timeout)

    fed = Fed()
    groups = groups_as_they_come(fed, 10)
    fed.queue.put("a")
    monkeypatch.setattr(queue.Queue, "get", get)
    assert next(groups) == ["a"]
    waits.clear()
    assert next(groups) == []
    assert {*waits} - {None} == {0}
    monkeypatch.undo()
    fed.queue.put("end")
    assert [*groups] in ([], [[]])
