"""Parsing speed on one core, side by side with UDPipe's greedy parser in the same run.

    python benchmarks/speed.py TRAIN DEV TEST [--features rich lean] [--udpipe MODEL] [--rounds 15]

Prints tokens per second of parsing alone (from scanned text to heads and relations), from file to file, with two
threads, and the ratios. Two processes that share nothing show what two threads can gain at most: two cores may share
units and caches. Machines are noisy: runs alternate, and the best of several counts for each side. UDPipe's
speed does not depend on how long its parser was trained; without --udpipe one is trained on a few sentences.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from treewright.kinds.transition.engines.walk import Scratch

import treewright as tw
from treewright.treebank.files.reading import read_blocks


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("train", type=Path)
    arguments.add_argument("dev", type=Path)
    arguments.add_argument("test", type=Path)
    arguments.add_argument("--features", nargs="+", default=["rich", "lean"])
    arguments.add_argument("--udpipe", type=Path)
    arguments.add_argument("--rounds", type=int, default=15)
    arguments.add_argument("--repeats", type=int, default=7)
    arguments.add_argument("--models", type=Path, help="folder to keep trained models in")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.models or Path(temporary)
        folder.mkdir(exist_ok=True)
        peer = udpipe(options, folder)
        print("| features | LAS | parsing, tokens/s | × UDPipe | file to file | share | 2 threads | 2 processes | MB |")
        print("|---|---|---|---|---|---|---|---|---|", flush=True)
        for features in options.features:
            print(row(features, options, folder, peer), flush=True)


def row(features: str, options: argparse.Namespace, folder: Path, peer: Callable[[], float] | None) -> str:
    """Train or load a model and measure it against the peer."""
    model = folder / f"{features}.tw"
    if not model.exists():
        tw.train(options.train, options.dev, features=features, iterations=options.rounds, on_error="fix").save(model)
    parser = tw.load(str(model))
    out = str(folder / "out.conllu")
    big = repeated(options.test, folder, 24)
    best = {"parse": 0.0, "file": 0.0, "threads": 0.0, "one": 0.0, "two": 0.0, "peer": 0.0}
    for _ in range(options.repeats):
        best["parse"] = max(best["parse"], parsing(parser, options.test))
        best["file"] = max(best["file"], files(parser, big, out, 1))
        best["threads"] = max(best["threads"], files(parser, big, out, 2))
        best["one"] = max(best["one"], processes(parser, options.test, 1))
        best["two"] = max(best["two"], processes(parser, options.test, 2))
        if peer is not None:
            best["peer"] = max(best["peer"], peer())
    parser.parse_file(str(options.test), out)
    las = tw.evaluate(str(options.test), out).las
    ratio = f"{best['parse'] / best['peer']:.1f}" if peer else "-"
    return (
        f"| {features} | {las:.2f} | {best['parse']:,.0f} | {ratio} | {best['file']:,.0f} "
        f"| {100 * best['file'] / best['parse']:.0f} % | {best['threads'] / best['file']:.2f}× "
        f"| {best['two'] / best['one']:.2f}× "
        f"| {os.path.getsize(model) / 1e6:.1f} |"
    )


def parsing(parser: tw.Step, test: Path) -> float:
    """Tokens per second of parsing scanned blocks, CPU time."""
    blocks = list(read_blocks(str(test)))
    scratch = Scratch(parser.engine.extractor)
    words = sum(block.n_words for block in blocks)
    heads, labels = array("i", bytes(4 * words)), array("i", bytes(4 * words))
    start = time.process_time()
    for block in blocks:
        parser.engine.parse_block(block, heads, labels, scratch)
    return words / (time.process_time() - start)


def processes(parser: tw.Step, test: Path, n: int, times: int = 12) -> float:
    """Rounds of parsing a second by so many processes, each on its own, wall time."""
    context = multiprocessing.get_context("fork")
    together = context.Barrier(n + 1)

    def work() -> None:
        together.wait()
        for _ in range(times):
            parsing(parser, test)

    workers = [context.Process(target=work) for _ in range(n)]
    for worker in workers:
        worker.start()
    together.wait()
    start = time.perf_counter()
    for worker in workers:
        worker.join()
    return n * times / (time.perf_counter() - start)


def files(parser: tw.Step, source: str, target: str, threads: int) -> float:
    """Tokens per second from file to file, wall time."""
    start = time.perf_counter()
    _, words = parser.parse_file(source, target, threads=threads)
    return words / (time.perf_counter() - start)


def repeated(test: Path, folder: Path, times: int) -> str:
    """Return a file that holds the test set several times."""
    path = folder / "big.conllu"
    path.write_bytes(test.read_bytes() * times)
    return str(path)


def udpipe(options: argparse.Namespace, folder: Path) -> Callable[[], float] | None:
    """Return a function that measures UDPipe's greedy parser, or None where it is not installed."""
    try:
        import ufal.udpipe as ud
    except ImportError:
        print("(ufal.udpipe is not installed: pip install 'treewright[bench]')")
        return None
    path = options.udpipe or folder / "udpipe.model"
    if not path.exists():
        sentences = ud.Sentences()
        for sentence in read_udpipe(ud, options.train, 1200):
            sentences.append(sentence)
        settings = "iterations=1;transition_system=projective;transition_oracle=dynamic;structured_interval=0"
        model = ud.Trainer.train(
            "morphodita_parsito", sentences, ud.Sentences(), "none", "none", settings, ud.ProcessingError()
        )
        path.write_bytes(model.encode("latin1", "surrogateescape") if isinstance(model, str) else bytes(model))
    model = ud.Model.load(str(path))

    def measure() -> float:
        batch = list(read_udpipe(ud, options.test, 400))
        words = sum(len(sentence.words) - 1 for sentence in batch)
        start = time.process_time()
        for sentence in batch:
            model.parse(sentence, "beam_search=1")
        return words / (time.process_time() - start)

    return measure


def read_udpipe(ud: Any, path: Path, most: int) -> Iterator[Any]:
    """Yield the first sentences of a file as UDPipe's objects."""
    reader = ud.InputFormat.newConlluInputFormat()
    reader.setText(path.read_text(encoding="utf-8"))
    error = ud.ProcessingError()
    for _ in range(most):
        sentence = ud.Sentence()
        if not reader.nextSentence(sentence, error):
            return
        yield sentence


if __name__ == "__main__":
    main()
