"""Blocks for tests, written from heads and relations."""

from collections.abc import Sequence

from treewright.treebank.blocks.block import Block, Layout

CONLLU = Layout("conllu", ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"))


def sentence_of(heads: Sequence[int | str], relations: Sequence[str] = (), comments: Sequence[str] = ()) -> bytes:
    """A sentence with the words w1, w2, …; without relations, roots are `root` and others `dep`."""
    lines = list(comments)
    for number, head in enumerate(heads, 1):
        relation = relations[number - 1] if relations else "root" if head == 0 else "dep"
        lines.append(f"{number}\tw{number}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_")
    return "\n".join([*lines, "", ""]).encode()


def block_of(*sentences: bytes, first_line: int = 1) -> Block:
    return Block(b"".join(sentences), CONLLU, "test.conllu", first_line)
