"""How long the studio takes with 100,000 sentences: to the first tree, to the next one, and how much memory.

    python benchmarks/studio_large.py [--sentences 100000] [--treebank FILE.conllu]

Writes the sentences of a treebank (default: the toy one) over and over, each with a sent_id of its own, serves them,
and looks at them in Chromium as an annotator does. Times are by the clock, from the key or the address to the tree on
the page. Needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TOY = ROOT / "examples" / "toy" / "train.conllu"
NEXT = 20  # sentences
TREE = "svg.tree .tw-arc"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sentences", type=int, default=100_000)
    arguments.add_argument("--treebank", type=Path, default=TOY)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.conllu"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(made(options.treebank, options.sentences))
        print(f"{options.sentences:,} sentences, {path.stat().st_size >> 20} MB")
        command = [
            sys.executable,
            "-m",
            "treewright",
            "serve",
            "--project",
            folder,
            "--port",
            "0",
            "--access-log",
            os.devnull,
        ]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            try:
                assert server.stderr is not None
                address = next(found[0] for line in server.stderr if (found := re.search(r"http://\S+", line)))
                measure(address.rstrip("/"), server.pid, options.sentences)
            finally:
                server.terminate()


def made(treebank: Path, sentences: int) -> Iterator[str]:
    """Yield sentences of a treebank over and over, with names of their own."""
    texts = [text for text in treebank.read_text(encoding="utf-8").split("\n\n") if text.strip()]
    for number in range(sentences):
        lines = [line for line in texts[number % len(texts)].split("\n") if not line.startswith("# sent_id")]
        yield "\n".join([f"# sent_id = large-{number + 1}", *lines]) + "\n\n"


def measure(address: str, process: int, sentences: int) -> None:
    """Print what an annotator waits for."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{address}/#parse?text=")  # the browser is warm, the project is not open yet
        page.wait_for_selector("main[data-ready='parse']")
        start = time.perf_counter()
        page.goto(f"{address}/#annotate?file=large.conllu&n={sentences // 2}")
        page.wait_for_selector(TREE)
        print(f"first tree: {time.perf_counter() - start:.2f} s, {memory(process)} MB")
        page.wait_for_timeout(1500)
        print(f"next sentence, median of {NEXT}: {statistics.median(next_times(page)):.3f} s, {memory(process)} MB")
        for what, text in (("go to a sent_id", f"large-{sentences - 1}"), ("find a text", "teachers")):
            print(f"{what}: {searched(page, text):.2f} s")
        page.keyboard.press("Escape")
        page.select_option("select[aria-label='Which sentences']", "all")
        page.focus("svg.tree")
        print(f"edit, save: {saved(page):.2f} s, {memory(process)} MB at most {memory(process, 'VmHWM')} MB")
        browser.close()


LOOK = """() => new Promise((done) => {
    const start = performance.now(), name = () => document.querySelector(".layout strong").textContent, old = name();
    const end = () => requestAnimationFrame(() => done(performance.now() - start));
    const look = () => (name() !== old ? end() : setTimeout(look, 2));
    const press = new KeyboardEvent("keydown", { key: "]", bubbles: true });
    document.querySelector("svg.tree").dispatchEvent(press);
    look();
})"""


def next_times(page: Any) -> list[float]:
    """Return the seconds from a key to the next tree, several times."""
    page.focus("svg.tree")
    times = []
    for _ in range(NEXT):
        times.append(page.evaluate(LOOK) / 1000)
        page.wait_for_timeout(150)
    return times


def searched(page: Any, text: str) -> float:
    """Return the seconds that a search takes."""
    old = page.inner_text(".layout strong"), page.inner_text(".finder [role=status]")
    page.fill(".finder input", text)
    start = time.perf_counter()
    page.keyboard.press("Enter")
    page.wait_for_function(
        "([a, b]) => document.querySelector('.layout strong').textContent !== a"
        " || document.querySelector('.finder [role=status]').textContent !== b",
        arg=list(old),
    )
    return time.perf_counter() - start


def saved(page: Any) -> float:
    """Return the seconds that an edit and its save take."""
    start = time.perf_counter()
    page.keyboard.press("x")
    page.wait_for_selector("strong + span:text-is('not saved')")
    page.keyboard.press("Control+s")
    page.wait_for_selector("strong + span:text-is('saved')")
    return time.perf_counter() - start


def memory(process: int, what: str = "VmRSS") -> int:
    """Return the memory of a process in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(re.findall(rf"{what}:\s+(\d+)", status)[0]) >> 10


if __name__ == "__main__":
    main()
