"""Tags as a parser meets them outside a treebank: those of a tagger, with its mistakes.

The training set is tagged by jack-knifing, part by part, each by a tagger that has not seen it; the other sets by a
tagger that learnt from the whole training set.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from treewright.text.pipeline_training import JACKKNIFE, jackknifed
from treewright.text.tagger.training import TaggerOptions, train_tagger
from treewright.training.gathering import gather
from treewright.treebank.output import open_output
from treewright.treebank.reading import read_blocks


def with_predicted_tags(
    sources: dict[str, bytes], parts: int | None = None, cache: str | None = None
) -> dict[str, bytes]:
    """Return treebanks with predicted tags in place of the gold ones.

    ``cache`` is a folder that keeps them: many cells of an experiment need the same.
    """
    parts = JACKKNIFE if parts is None else parts
    digest = sha256(f"{parts}".encode())
    for role, text in sorted(sources.items()):
        digest.update(f" {role} {len(text)} ".encode() + text)
    files = {role: Path(cache or "", f"{digest.hexdigest()[:20]}-{role}.conllu.gz") for role in sources}
    if cache is not None and all(path.is_file() for path in files.values()):
        return {role: b"".join(block.data for block in read_blocks(path)) for role, path in files.items()}
    options = TaggerOptions()
    data = gather(sources["train"], None, "fix", True)
    tagger = train_tagger(data.blocks, options=options)
    tagged = {"train": b"".join(block.data for block in jackknifed(data, parts, options))}
    for role in sources:
        if role != "train":
            tagged[role] = b"".join(tagger.tagged(block).data for block in read_blocks(sources[role]))
    if cache is not None:
        for role, text in tagged.items():
            with open_output(files[role]) as output:
                output.write(text)
    return tagged
