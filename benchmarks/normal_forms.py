"""Composed and decomposed text, with the same trees: the figures of docs/results/tokenising.md.

    python benchmarks/normal_forms.py TREEBANKS NAME… [--models english english-fast] [--speed fastest]

TREEBANKS is a folder with a folder for each treebank, as Universal Dependencies publishes them. All sentences of a
treebank are parsed by each model, and by a pipeline trained on its training set (on the dev set where there is none):
raw text and given words, composed (NFC) and decomposed (NFD). Forms come back as they were given; all else must be the
same, and text must come back to the byte.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import normalize

from treebank_arguments import parser_for
from treewright.treebank.blocks.block import Block

import treewright as tw
from treewright.errors import TreewrightWarning
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.kinds.tokenizer.restoring import restored_text
from treewright.steps.step import Step
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU


def sentences_of(conllu: str) -> list[str]:
    """Return the sentences of a treebank, each as text in NFC."""
    return normalize("NFC", conllu).removesuffix("\n\n").split("\n\n")


def parsed_text(model: Step, text: str) -> str:
    """Return the parse of raw text; it must come back to the byte."""
    conllu = "".join(sentence.to_conllu() for sentence in model.parse_text(text))
    if restored_text(conllu) != text:
        raise SystemExit("the text does not come back as it was")
    return conllu


def parsed_words(model: Step, conllu: str) -> str:
    """Return the parse of given words."""
    return model.parse_block(Block(conllu.encode(), CONLLU, "the treebank"), tag=True).data.decode()


def different(composed: Sequence[str], decomposed: Sequence[str]) -> int:
    """Return how many of the sentences are not among the others."""
    return (Counter(composed) - Counter(decomposed)).total()


def main() -> None:
    """Print how many sentences differ."""
    parser = parser_for(__doc__)
    parser.add_argument("--models", nargs="*", default=["english", "english-fast"])
    parser.add_argument("--speed", default="fastest", help="of the pipelines that are trained (fastest)")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", TreewrightWarning)  # models of other languages parse the text, too
    print("treebank, model: sentences; characters more in NFD; sentences of raw text, of words, that differ")
    for name in arguments.names:
        files = sorted((arguments.treebanks / name).glob("*.conllu"))
        learnt = next((file for file in files if "-train" in file.name), files[0])
        with TemporaryDirectory() as folder:
            own = Path(folder) / "pipeline.tw"
            tw.train(learnt, pipeline=True, speed=arguments.speed, on_error="fix").save(own)
            for model_name in (*arguments.models, own):
                compare(name, tw.load(model_name), files, str(getattr(model_name, "stem", model_name)))


def compare(name: str, model: Step, files: Sequence[Path], model_name: str) -> None:
    """Parse all sentences of a treebank both ways, and print what differs."""
    sentences = decomposed = raw = words = 0
    for file in files:
        blocks = list(read_blocks(file))
        given = normalize("NFC", b"".join(block.data for block in blocks).decode())
        text = normalize("NFC", raw_text(blocks))
        apart = normalize("NFD", text)
        sentences += sum(block.n_sentences for block in blocks)
        decomposed += len(apart) - len(text)
        raw += different(*(sentences_of(parsed_text(model, one)) for one in (text, apart)))
        words += different(*(sentences_of(parsed_words(model, one)) for one in (given, normalize("NFD", given))))
    print(f"{name}, {model_name}: {sentences:,}; {decomposed:,}; {raw}, {words}", flush=True)


if __name__ == "__main__":
    main()
