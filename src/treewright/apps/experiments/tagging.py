"""Tags as a parser meets them outside a treebank: those of a tagger, with its mistakes.

The training set is tagged by jack-knifing, part by part, each by a tagger that has not seen it; the other sets by a
tagger that learnt from the whole training set.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

from treewright.kinds.pipeline.jackknife import jackknifed
from treewright.kinds.pipeline.recipe import PipelineRecipe
from treewright.kinds.tagger.recipe import COLLINS_2002, TaggerRecipe
from treewright.kinds.tagger.training import train_tagger
from treewright.training.gathering import gather
from treewright.treebank.files.output import OutputFile
from treewright.treebank.files.reading import read_blocks


def with_predicted_tags(
    sources: dict[str, bytes], parts: int | None = None, cache: str | None = None, search: str | None = None
) -> dict[str, bytes]:
    """Return treebanks with predicted tags in place of the gold ones.

    ``cache`` is a folder that keeps them: many cells of an experiment need the same. ``search``: how the tagger
    searches; ``viterbi`` is our structured perceptron, ``collins-2002`` that of Collins (2002).
    """
    parts = PipelineRecipe().jackknife if parts is None else parts
    recipe = TaggerRecipe(**(COLLINS_2002 if search == "collins-2002" else {"search": search} if search else {}))
    digest = sha256(f"{parts}{search or ''}".encode())
    for role, text in sorted(sources.items()):
        digest.update(f" {role} {len(text)} ".encode() + text)
    files = {role: Path(cache or "", f"{digest.hexdigest()[:20]}-{role}.conllu.gz") for role in sources}
    if cache is not None:
        if not _are_there(files):
            _in_a_child(lambda: _tagged(sources, parts, files, recipe))
        if _are_there(files):
            return {role: b"".join(block.data for block in read_blocks(path)) for role, path in files.items()}
    return _tagged(sources, parts, files if cache is not None else {}, recipe)


def _are_there(files: Mapping[str, Path]) -> bool:
    return all(path.is_file() for path in files.values())


def _in_a_child(work: Callable[[], object]) -> None:
    """Do some work in a process of its own, so that its memory is not taken for that of a training.

    Where this is impossible or fails, nothing has happened: whoever needs the result does the work again, and meets
    the error.
    """
    if not hasattr(os, "fork"):
        return
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def _tagged(
    sources: Mapping[str, bytes], parts: int, files: Mapping[str, Path], recipe: TaggerRecipe
) -> dict[str, bytes]:
    """Return treebanks with predicted tags, and keep them in files if there are names for them."""
    data = gather(sources["train"], None, "fix", True)
    tagger = train_tagger(data.blocks, recipe)
    tagged = {"train": b"".join(block.data for block in jackknifed(data, parts, recipe))}
    for role in sources:
        if role != "train":
            tagged[role] = b"".join(tagger.tagged(block).data for block in read_blocks(sources[role]))
    for role, path in files.items():
        with OutputFile(path) as output:
            output.write(tagged[role])
    return tagged
