"""Files in, a file out: one or several inputs are parsed as one stream."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from treewright.errors import TreewrightWarning
from treewright.steps.in_order import parsed_in_order
from treewright.steps.reader import Reader
from treewright.treebank.files.sentence_names import SentenceNames
from treewright.treebank.files.source import Source, name_of
from treewright.treebank.files.writing import WRITTEN_AS_READ, write_pieces
from treewright.treebank.formats.registry import format_for_path, format_named

if TYPE_CHECKING:
    from treewright.steps.call import Call
    from treewright.steps.step import Step

_WITHOUT_TREES = "malt-tab"  # has room for trees even if the input had none: the output keeps this format
_WITH_HEADER = ("conllu-plus",)  # which only the first of several files may bring along


class Counts(NamedTuple):
    """How much was parsed."""

    sentences: int
    words: int


def parse_files(
    step: Step,
    sources: Sequence[Source],
    target: str | os.PathLike[str],
    call: Call,
    *,
    format: str | None = None,
    to: str | None = None,
    id_prefix: str = "",
    names: Sequence[str] = (),
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Counts:
    """Parse inputs into one file; returns how many sentences and words there were. Numbers of sentences go on.

    ``format``: of the inputs, guessed if not given; ``to``: of the output, by its name if not given, else as the input;
    ``names`` of the files, by which raw texts are called, and ``id_prefix``: what their sentences begin with.
    """
    wanted = format_named(to) if to is not None else format_for_path(os.fspath(target))
    reader = Reader(step, call, format, SentenceNames(id_prefix), progress)
    blocks = reader.blocks(zip_longest(sources, names, fillvalue=""))
    if wanted is None:
        first = list(islice(blocks, 1))
        if first:  # the format of the input is kept where it has room for trees
            name, has_trees = first[0].layout.name, first[0].layout.head >= 0
            is_kept = has_trees or (name == _WITHOUT_TREES and not (call.confidence or call.k_best))
            wanted = format_named(name if is_kept else "conllu")
        blocks = chain(first, blocks)
    as_read = WRITTEN_AS_READ + _WITH_HEADER * (len(sources) == 1)
    write_pieces(parsed_in_order(step, blocks, threads, call), target, wanted, as_read)
    for source in reader.empty:
        warnings.warn(f"{name_of(source)}: no sentences in it", TreewrightWarning, stacklevel=2)
    return Counts(reader.sentences, reader.words)
