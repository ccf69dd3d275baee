"""Find problems in the graphs of DEPS; validation.py reports them together with those of trees."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.errors import TreebankError
from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph import Arc, arcs_of_sentence

BAD_DEPS = "bad-deps"
SELF_ARC = "self-arc"
UNREACHED = "unreached"

Finding = tuple[int, int, str, str, tuple[int, ...]]  # sentence, line, code, message, words


def find_graph_problems(block: Block) -> Iterator[Finding]:
    """Yield the problems of a block's graphs; a sentence without arcs has none."""
    for sentence in range(block.n_sentences if block.layout.deps >= 0 else 0):
        words = block.words_of(sentence)
        try:
            graph = arcs_of_sentence(block, sentence)
        except TreebankError as error:
            yield sentence, error.line, BAD_DEPS, error.problem, ()
            continue
        for word, arcs in enumerate(graph, 1):
            if any(head == word for head, _ in arcs):
                line = block.line_of_word(words[word - 1])
                yield sentence, line, SELF_ARC, f"word {word} is its own head in DEPS", (word,)
        if lost := unreached(graph):
            named = ", ".join(map(str, lost[:5])) + (", …" if len(lost) > 5 else "")
            message = f"no path in DEPS leads from the root to word{'s' if len(lost) > 1 else ''} {named}"
            yield sentence, block.line_of_word(words[lost[0] - 1]), UNREACHED, message, tuple(lost)


def unreached(graph: list[list[Arc]]) -> list[int]:
    """Return the words that cannot be reached from the root; none if the graph has no arcs."""
    if not any(graph):
        return []
    children: dict[int, list[int]] = {}
    for word, arcs in enumerate(graph, 1):
        for head, _ in arcs:
            children.setdefault(head, []).append(word)
    reached, waiting = {0}, [0]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in reached:
                reached.add(child)
                waiting.append(child)
    return [word for word in range(1, len(graph) + 1) if word not in reached]
