"""How many keys a correction takes: somebody who knows the gold trees corrects suggestions on the page, in Chromium.

    python benchmarks/annotation_keys.py hu_szeged-ud-train.conllu [--learnt 200] [--corrections 60]

The parser has learnt the first sentences; then come the next ones. Of all words that are wrong, the one that takes the
fewest keys is corrected first, in the way that takes the fewest keys: whatever the page offers is used. Each correction
counts as one, also where head and relation were wrong. The key that accepts a sentence is not counted.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

FURTHEST = 12  # keys to a word
FILE = "project.conllu"


class Way(NamedTuple):
    """Keys that do something, and what they are."""

    keys: list[str]
    name: str


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("treebank", type=Path)
    arguments.add_argument("--learnt", type=int, default=200)
    arguments.add_argument("--corrections", type=int, default=60)
    options = arguments.parse_args()
    texts = [text + "\n\n" for text in options.treebank.read_text(encoding="utf-8").split("\n\n") if text.strip()]
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), texts, options.learnt) as address:
        counts = play(address, texts, options.learnt, options.corrections)
    words = counts.pop("corrections")
    keys = counts.pop("keys")
    print(f"{options.treebank.name}: {keys} keys for {words} corrections, {keys / words:.2f} each")
    print(", ".join(f"{name} {count}" for name, count in counts.most_common()))


class served:
    """A studio on a folder with annotated sentences and others that wait; its parser learns once."""

    def __init__(self, folder: Path, texts: list[str], learnt: int) -> None:
        from treewright.apps.server.application import Application
        from treewright.apps.server.http_server import HttpServer
        from treewright.apps.server.interfaces import v1
        from treewright.apps.server.limits import Limits
        from treewright.apps.server.model_store import ModelStore
        from treewright.apps.server.service import Service
        from treewright.apps.studio import loop, routes
        from treewright.apps.studio.suggesting import blanked

        waiting = [blanked(text) for text in texts[learnt : learnt + 300]]
        (folder / FILE).write_text("".join([*texts[:learnt], *waiting]), encoding="utf-8")
        loop.Loop.learn_soon = lambda self: None if self.version else self.learn_now()  # type: ignore[method-assign]
        service = Service(ModelStore({}), Limits(), folder)
        self.server = HttpServer(Application(service, [*v1.routes(service), *routes.routes(service)]))

    def __enter__(self) -> str:
        threading.Thread(target=self.server.serve, daemon=True).start()
        return self.server.address

    def __exit__(self, *error: object) -> None:
        self.server.stop()


def play(address: str, texts: list[str], first: int, most: int) -> Counter[str]:
    """Correct sentences until there are enough corrections; return what was counted."""
    from playwright.sync_api import sync_playwright

    counts: Counter[str] = Counter()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(60_000)
        for number in range(first, first + 300):
            page.goto(f"{address}/#annotate?file={FILE}&n={number}")
            page.reload()
            page.wait_for_selector(".tw-suggested")
            page.wait_for_timeout(200)
            page.focus("svg.tree")
            Annotator(page, address, number, gold_of(texts[number]), counts).correct()
            if counts["corrections"] >= most:
                break
        browser.close()
    return counts


def gold_of(text: str) -> list[tuple[int, str]]:
    """Return head and relation of every word."""
    rows = [line.split("\t") for line in text.split("\n")]
    return [(int(row[6]), row[7]) for row in rows if row[0].isdecimal()]


class Annotator:
    """Somebody who corrects a sentence."""

    def __init__(self, page: Any, address: str, number: int, gold: list[tuple[int, str]], counts: Counter[str]) -> None:
        self.page, self.gold, self.counts = page, gold, counts
        self.url = f"{address}/studio/api/sentence?file={FILE}&n={number}"
        self.vocabulary = page.request.get(f"{address}/studio/api/vocabulary").json()
        self.last: tuple[str, object] | None = None
        self.touched: set[int] = set()

    def correct(self) -> None:
        """Correct word after word."""
        for _ in range(100):
            self.look()
            wrong = [n for n, arc in enumerate(self.gold, 1) if self.arc(n) != arc]
            if not wrong:
                break
            ways = self.ways_to_words()
            word = min(wrong, key=lambda n: len(ways[n].keys) + len(self.best_fix(n).keys))
            fix = self.best_fix(word)
            self.counts["corrections"] += word not in self.touched
            self.touched.add(word)
            self.counts["keys"] += len(ways[word].keys) + len(fix.keys)
            self.counts["moving"] += len(ways[word].keys)
            self.counts[fix.name] += len(fix.keys)
            for key in (*ways[word].keys, *fix.keys):
                self.page.keyboard.press(key)
                self.page.wait_for_timeout(40)
            self.wait()
        self.touched.clear()

    def look(self) -> None:
        """Take note of what the page shows."""
        self.shown = self.page.request.get(self.url).json()
        self.words = [token for token in self.shown["tokens"] if token["id"].isdecimal()]
        self.selected = int(self.page.get_attribute(".tw-node.selected", "data-id"))

    def wait(self) -> None:
        """Wait until the page shows what was done."""
        for _ in range(100):
            self.page.wait_for_timeout(50)
            now = self.page.request.get(self.url).json()["revision"]
            if now != self.shown["revision"] and self.page.evaluate("!document.querySelector('dialog').open"):
                self.page.wait_for_timeout(60)
                return
        raise RuntimeError("nothing was done")

    def arc(self, n: int) -> tuple[int, str]:
        """Return the head and the relation that are shown for a word."""
        word, suggestion = self.words[n - 1], self.shown["suggestion"]
        if word["head"] != "_":
            own = word["deprel"]
            return int(word["head"]), own if own != "_" or not suggestion else suggestion["relations"][n - 1]
        return suggestion["heads"][n - 1], suggestion["relations"][n - 1]

    def doubtful(self) -> list[int]:
        """Return the words in the order of the space bar."""
        open_words = [n for n, word in enumerate(self.words, 1) if word["head"] == "_"]
        return sorted(open_words, key=lambda n: (self.shown["suggestion"]["confidences"][n - 1], n))

    def steps(self, n: int) -> Iterator[tuple[str, int]]:
        """Yield the keys that lead from a word to another one."""
        count, doubtful = len(self.words), self.doubtful()
        sign = -1 if self.shown["rightToLeft"] else 1
        yield "ArrowRight", min(max(n + sign, 1), count)
        yield "ArrowLeft", min(max(n - sign, 1), count)
        yield from (("Home", 1), ("End", count), ("ArrowUp", self.arc(n)[0] or n))
        yield "ArrowDown", next((other for other in range(1, count + 1) if self.arc(other)[0] == n), n)
        if doubtful:
            place = doubtful.index(n) + 1 if n in doubtful else 0
            yield " ", doubtful[place % len(doubtful)]

    def ways_to_words(self) -> dict[int, Way]:
        """Return the shortest way to every word from the one that is chosen."""
        found = {self.selected: Way([], "moving")}
        edge = [self.selected]
        for _ in range(FURTHEST):
            new = []
            for n in edge:
                for key, to in self.steps(n):
                    if to not in found:
                        found[to] = Way([*found[n].keys, key], "moving")
                        new.append(to)
            edge = new
        return {n: found.get(n, Way(["ArrowRight"] * 99, "moving")) for n in range(1, len(self.words) + 1)}

    def best_fix(self, n: int) -> Way:
        """Return the fewest keys that bring a word nearer to what it should be."""
        return min(self.fixes(n), key=lambda way: len(way.keys))

    def fixes(self, n: int) -> Iterator[Way]:
        """Yield ways to correct a word; where the head is wrong, the parser's relation may have to follow."""
        head, relation = self.gold[n - 1]
        choices = [
            tuple(arc) for arc in (self.shown["suggestion"] or {"choices": []})["choices"][n - 1 : n] for arc in arc
        ]
        now = choices.index(self.arc(n)) if self.arc(n) in choices else -1
        if (head, relation) in choices and len(choices) > 1:
            yield Way(["v"] * ((choices.index((head, relation)) - now) % len(choices)), "v")
        if self.arc(n)[0] != head:
            yield Way(list(str(head)), "number of the head")
            return
        yield self.relation_keys(n, choices, head, relation)

    def relation_keys(self, n: int, choices: list[Any], head: int, relation: str) -> Way:
        """Return the keys that give a word its relation in the dialog."""
        likely = [own for _, own in sorted(choices, key=lambda arc: arc[0] != head)]
        tags = self.vocabulary["relationsByTags"].get(f"{self.tag(n)} {self.tag(head) if head else 'ROOT'}", [])
        own = self.arc(n)[1]
        ranked = [one for one in dict.fromkeys([*likely, *tags]) if one != own]
        used = list(dict.fromkeys([*ranked, *self.vocabulary["used"]]))
        listed = list(dict.fromkeys([*used, *self.vocabulary["relations"]]))
        place = listed.index(relation) if relation in listed else 99
        if place == 0:
            return Way(["r", "Enter"], "first relation of the list")
        if place < 9:
            return Way(["r", str(place + 1)], "relation by its digit")
        for size in range(1, len(relation) + 1):
            start = relation[:size]
            fitting = [one for one in used if one.startswith(start)] or [one for one in listed if one.startswith(start)]
            if fitting == [relation]:
                return Way(["r", *start], "relation by its letters")
            exact_first = sorted((one for one in listed if one.startswith(start)), key=lambda one: one != start)
            if exact_first[0] == relation:
                return Way(["r", *start, "Enter"], "relation by its letters")
        return Way(["r", *relation, "Enter"], "relation in full")

    def tag(self, n: int) -> str:
        """Return the part of speech of a word."""
        own = self.words[n - 1]["upos"]
        return own if own != "_" or not self.shown["suggestion"] else self.shown["suggestion"]["tags"][n - 1][1]


if __name__ == "__main__":
    main()
