"""Problems of the graphs in DEPS, in the same words as those of trees (validation.py)."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.errors import TreebankError
from treewright.treebank.block import Block
from treewright.treebank.graph import Arc, arcs_of_sentence
from treewright.treebank.validation import BAD_DEPS, SELF_ARC, UNREACHED, Problem, sentence_problem


def check_graphs(block: Block) -> Iterator[Problem]:
    """Yield what is wrong with the graphs of a block; sentences without any arc have none, and are passed over."""
    if block.layout.deps < 0:
        return
    for sentence in range(block.n_sentences):
        words = block.words_of(sentence)
        try:
            graph = arcs_of_sentence(block, sentence)
        except TreebankError as error:
            line = error.line or block.line_of(sentence)
            yield sentence_problem(block, BAD_DEPS, error.problem, line, sentence)
            continue
        for word, arcs in enumerate(graph, 1):
            if any(head == word for head, _ in arcs):
                yield sentence_problem(
                    block,
                    SELF_ARC,
                    f"word {word} is its own head in DEPS",
                    block.line_of_word(words[word - 1]),
                    sentence,
                    (word,),
                )
        lost = _unreached(graph)
        if lost:
            named = ", ".join(map(str, lost[:5])) + (", …" if len(lost) > 5 else "")
            message = f"no way from the root to word{'s' if len(lost) > 1 else ''} {named} in DEPS"
            yield sentence_problem(
                block, UNREACHED, message, block.line_of_word(words[lost[0] - 1]), sentence, tuple(lost)
            )


def _unreached(graph: list[list[Arc]]) -> list[int]:
    """Return the words that no path leads to from the root; none where there is no graph."""
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
