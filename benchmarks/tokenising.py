"""Tokens, sentences and words of raw text, whatever its spacing: the figures of docs/results/tokenising.md.

    python benchmarks/tokenising.py TREEBANKS NAME… [--part test] [--raw FILE [--clusters 256]] [--stripped KIND]

TREEBANKS is a folder with a folder for each treebank, as Universal Dependencies publishes them. A tokeniser is trained
on the training set (on the dev set where there is none, and then judged on the test set), and splits the text of the
dev or test set in many spacings. Scores are F1 of CoNLL 2018. `--raw`: word clusters of raw text are features.
`--stripped`: the treebank itself has no punctuation, in training too, as in scripts that write no full stop.
"""

from __future__ import annotations

import random
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

from treebank_arguments import parser_for
from treewright.features.word_clusters import WordClusters

from treewright.evaluation.report import official_scores
from treewright.kinds.tokenizer.augmentation import is_unspaced, lowered, unpunctuated
from treewright.kinds.tokenizer.raw_text import (
    SurfaceSentence,
    SurfaceToken,
    label,
    paragraphs,
    raw_text,
    surface_sentences,
)
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.kinds.tokenizer.training import train_tokenizer
from treewright.lexicon.clustering import clusters_of_text
from treewright.treebank.files.reading import read_blocks

WIDTH = 80  # columns of wrapped text
LONG = 2_000_000  # characters of text that speed is measured on
N_CLUSTERS = 256  # the default of a pipeline
SHOWN = ("Tokens", "Sentences", "Words")
STRIPPED = ("words", "phrases", "solid")  # spaces between words; between phrases, for punctuation; none at all
PHRASE = 0.8  # share of marks within sentences that are spaces between phrases


def part_of(folder: Path, part: str) -> Path | None:
    """Return the file of a part of a treebank."""
    return next(iter(sorted(folder.glob(f"*-{part}.conllu"))), None)


def spacings(sentences: list[SurfaceSentence], raw: str) -> Iterator[tuple[str, str]]:
    """Yield names of spacings with the text in them."""
    texts = [label(sentence).text for sentence in sentences]
    unspaced = not any(" " in text.strip() for text in texts[:5])
    joined = "".join(texts) if unspaced else raw
    yield "as in the treebank", raw
    yield "a sentence a line", "\n".join(texts) + "\n"
    yield "a sentence a line, CRLF", "\r\n".join(texts) + "\r\n"
    yield "a space between sentences, no paragraphs", " ".join(texts)
    for name, space in (("two spaces", "  "), ("tabs", "\t"), ("no-break spaces", "\xa0"), ("ideographic", "\u3000")):
        yield name, space.join(texts) if unspaced else raw.replace(" ", space)
    if unspaced:
        yield "nothing between sentences", joined
        yield "wrapped", "\n".join(joined[at : at + WIDTH // 2] for at in range(0, len(joined), WIDTH // 2))
    else:
        wrapped = "\n\n".join(
            textwrap.fill(part, WIDTH, break_long_words=False, break_on_hyphens=False) for part in raw.split("\n\n")
        )
        yield "wrapped", wrapped
        yield "wrapped, CRLF", wrapped.replace("\n", "\r\n")


def bare_texts(sentences: list[SurfaceSentence]) -> Iterator[tuple[str, list[SurfaceSentence]]]:
    """Yield the treebank without capitals, without punctuation, and without both."""
    small = [lowered(sentence) for sentence in sentences]
    yield "no capitals", small
    yield "no punctuation", [each for each in map(unpunctuated, sentences) if each.tokens]
    yield "no capitals, no punctuation", [each for each in map(unpunctuated, small) if each.tokens]
    if is_unspaced(sentences):
        bare = (unpunctuated(sentence, spaced=False) for sentence in sentences)
        yield "no punctuation, no spaces", [each for each in bare if each.tokens]


def gold(sentences: list[SurfaceSentence], spaces: bool = False) -> bytes:
    """Return the sentences as CoNLL-U, with trees that say nothing; ``spaces``: with SpaceAfter=No."""
    lines = []
    for sentence in sentences:
        number = 1
        for token in sentence.tokens:
            misc = "_" if token.space_after or not spaces else "SpaceAfter=No"
            if len(token.words) > 1:
                lines.append(f"{number}-{number + len(token.words) - 1}\t{token.form}" + "\t_" * 7 + f"\t{misc}")
            for word in token.words:
                lines.append(_word(number, word, misc if len(token.words) == 1 else "_"))
                number += 1
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


def _word(number: int, form: str, misc: str = "_") -> str:
    head, relation = (0, "root") if number == 1 else (1, "dep")
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t{misc}"


def with_trees(conllu: bytes) -> bytes:
    """Return tokens with trees that say nothing: the scorer wants some."""
    lines = []
    for line in conllu.decode().split("\n"):
        columns = line.split("\t")
        lines.append(_word(int(columns[0]), columns[1]) if len(columns) == 10 and columns[0].isdigit() else line)
    return "\n".join(lines).encode()


def show(name: str, tokenizer: Tokenizer, text: str, wanted: bytes) -> None:
    """Print a row of scores."""
    scores = official_scores(wanted, with_trees(tokenizer.tokenize(text)))
    print(f"| {name} | " + " | ".join(f"{scores[each].f1:.2f}" for each in SHOWN) + " |", flush=True)


def measure(folder: Path, part: str, clusters: WordClusters | None) -> None:
    """Train and judge a tokeniser."""
    train = part_of(folder, "train")
    judged = part_of(folder, part if train else "test")
    start = time.process_time()
    tokenizer = train_tokenizer(read_blocks(str(train or part_of(folder, "dev"))), clusters=clusters)
    seconds = time.process_time() - start
    blocks = list(read_blocks(str(judged)))
    sentences = list(surface_sentences(blocks))
    wanted, raw = gold(sentences), raw_text(blocks)
    copies = max(1, LONG // len(raw))
    start = time.process_time()
    tokenizer.tokenize("\n\n".join([raw] * copies))
    speed = copies * sum(block.n_words for block in blocks) / (time.process_time() - start)
    print(f"\n{folder.name}: trained in {seconds:.1f} s; {speed / 1e6:.2f} million words a second\n")
    print("| text | " + " | ".join(SHOWN) + " |\n|---|---|---|---|")
    for name, text in spacings(sentences, raw):
        show(name, tokenizer, text, wanted)
    for name, bare in bare_texts(sentences):
        text = "\n\n".join(part.text for part in paragraphs(bare))
        show(name, tokenizer, text, gold(bare))
        show(f"{name}, no paragraphs", tokenizer, ("" if "no spaces" in name else " ").join(text.split()), gold(bare))


def stripped(sentences: list[SurfaceSentence], kind: str) -> list[SurfaceSentence]:
    """Return a treebank as if its script wrote no full stops, nor paragraphs; see STRIPPED."""
    chance = random.Random(1)
    found = []
    for sentence in map(lowered, sentences):
        tokens: list[SurfaceToken] = []
        for token in sentence.tokens:
            if any(map(str.isalnum, token.form)):
                tokens.append(token)
            elif tokens and (kind == "words" or (kind == "phrases" and chance.random() < PHRASE)):
                tokens[-1] = tokens[-1]._replace(space_after=kind == "phrases" or token.space_after)
        if tokens:
            tokens[-1] = tokens[-1]._replace(space_after=kind != "solid")
            found.append(SurfaceSentence(tokens, "", False))
    return found


def measure_stripped(folder: Path, part: str, kind: str) -> None:
    """Train and judge three tokenisers on text without punctuation."""
    train = part_of(folder, "train")
    files = (train or part_of(folder, "dev"), part_of(folder, part if train else "test"))
    learnt, judged = (stripped(list(surface_sentences(read_blocks(str(file)))), kind) for file in files)
    wanted, text = gold(judged), "".join(part.text for part in paragraphs(judged))
    for seed in (1, 2, 3):
        tokenizer = train_tokenizer(
            read_blocks(gold(learnt, spaces=True), "conllu"), TokenizerRecipe(seed=seed, seeds=1)
        )
        show(f"{folder.name}, {kind}, seed {seed}", tokenizer, text, wanted)


def main() -> None:
    """Measure the treebanks named."""
    parser = parser_for(__doc__)
    parser.add_argument("--part", choices=("dev", "test"), default="test")
    parser.add_argument("--raw", metavar="FILE", help="raw text of the language of all treebanks")
    parser.add_argument("--clusters", type=int, default=N_CLUSTERS, help=f"of its words ({N_CLUSTERS})")
    parser.add_argument("--stripped", choices=STRIPPED, help="learn from text without punctuation and judge on it")
    arguments = parser.parse_args()
    if arguments.stripped:
        for name in arguments.names:
            measure_stripped(arguments.treebanks / name, arguments.part, arguments.stripped)
        return
    raw = arguments.raw
    clusters = clusters_of_text([raw], arguments.clusters, raw) if raw else None
    for name in arguments.names:
        measure(arguments.treebanks / name, arguments.part, clusters)


if __name__ == "__main__":
    main()
