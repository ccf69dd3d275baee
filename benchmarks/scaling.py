"""Whether the cost per token stays flat: over files of more and more sentences, and over longer and longer sentences.

    python benchmarks/scaling.py MODEL FILE [--most 1000000] [--longest 1000] [--repeats 3]

FILE (CoNLL-U) is repeated to 1,000, 10,000, … sentences, and its words are joined to sentences of 10, 30, 100, … words
(in files of about the same number of words), with IDs that fit. Each is parsed from file to file with `parse_file`; the
best of several runs counts, in nanoseconds per token, beside its ratio to the first row. Runs of all sizes alternate,
so that a machine that slows down does not look like a cost that grows; files of fewer than 200,000 tokens are parsed
several times over. The last column is the memory that was resident afterwards, over that after the first row: it
must not grow.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import treewright as tw

ENOUGH_TOKENS = 200_000
LENGTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--most", type=int, default=1_000_000, help="sentences in the largest file")
    arguments.add_argument("--longest", type=int, default=1_000, help="words in the longest sentences")
    arguments.add_argument("--repeats", type=int, default=3)
    arguments.add_argument("--threads", type=int, default=1)
    options = arguments.parse_args()
    warnings.simplefilter("ignore")
    parser = tw.load(str(options.model))
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sizes = [size for size in (10**k for k in range(3, 10)) if size < options.most] + [options.most]
        files = {size: more_sentences(options.file, folder / f"{size}.conllu", size) for size in sizes}
        show("sentences", files, parser, options)
        for path in files.values():
            path.unlink()
        lengths = [length for length in LENGTHS if length <= options.longest]
        files = {length: longer_sentences(options.file, folder / f"{length}.long", length) for length in lengths}
        print()
        show("words per sentence", files, parser, options)


def show(what: str, files: dict[int, Path], parser: tw.Step, options: argparse.Namespace) -> None:
    """Measure every file several times, in turns, and print the best of each."""
    best = dict.fromkeys(files, float("inf"))
    tokens = dict.fromkeys(files, 0)
    memory: dict[int, float] = {}
    measure(parser, next(iter(files.values())), options.threads)  # once unmeasured
    for _ in range(options.repeats):
        for size, path in files.items():
            cost, tokens[size] = measure(parser, path, options.threads)
            best[size] = min(best[size], cost)
            memory.setdefault(size, resident())
    first = next(iter(files))
    print(f"| {what} | tokens | ns per token | ratio to the first | memory, MB |\n|---|---|---|---|---|")
    for size in files:
        cost, growth = best[size], memory[size] - memory[first]
        print(f"| {size:,} | {tokens[size]:,} | {cost:,.0f} | {cost / best[first]:.2f} | {growth:+.1f} |")


def measure(parser: tw.Step, path: Path, threads: int) -> tuple[float, int]:
    """Return nanoseconds per token of parsing a file to a file, and its tokens."""
    out = path.with_suffix(".out")
    done = 0
    start = time.perf_counter_ns()
    while True:
        _, tokens = parser.parse_file(path, out, threads=threads)
        done += tokens
        if done >= ENOUGH_TOKENS:
            break
    spent = time.perf_counter_ns() - start
    out.unlink()
    return spent / done, tokens


def more_sentences(source: Path, target: Path, count: int) -> Path:
    """Repeat the sentences of a file until the number is reached."""
    sentences = [text + b"\n\n" for text in source.read_bytes().split(b"\n\n") if text.strip()]
    whole, rest = divmod(count, len(sentences))
    with target.open("wb") as out:
        together = b"".join(sentences)
        for _ in range(whole):
            out.write(together)
        out.write(b"".join(sentences[:rest]))
    return target


def longer_sentences(source: Path, target: Path, length: int) -> Path:
    """Join the words of a file into sentences of one length; each pass uses all words of the file."""
    words = list(words_of(source))
    total = max(ENOUGH_TOKENS, 5 * length) // length * length
    with target.open("wb") as out:
        for at in range(total):
            number = at % length + 1
            _, form, lemma, upos, xpos, feats, *_, misc = words[at % len(words)]
            row = (str(number).encode(), form, lemma, upos, xpos, feats, b"_", b"_", b"_", misc)
            out.write(b"\t".join(row) + (b"\n\n" if number == length else b"\n"))
    return target


def words_of(source: Path) -> Iterator[list[bytes]]:
    """Yield the rows of words, without multiword tokens and empty nodes."""
    for line in source.read_bytes().split(b"\n"):
        row = line.rstrip(b"\r").split(b"\t")
        if len(row) == 10 and row[0].isdigit():
            yield row


def resident() -> float:
    """Return the memory of this process, in MB."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise SystemExit("this system has no /proc/self/status to read the memory from")


if __name__ == "__main__":
    main()
