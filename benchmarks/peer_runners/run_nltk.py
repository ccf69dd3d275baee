"""NLTK's TransitionParser: arc-eager, a support vector machine with a polynomial kernel (scikit-learn)."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pickle
from typing import Any

from measured import Row, best_speed, main, sentences, write


def graph_of(rows: list[Row]) -> Any:
    from nltk.parse import DependencyGraph

    # Its own columns: word, lemma, coarse and fine tag, features, head, relation. It cannot have blanks in words.
    lines = []
    for row in rows:
        form, lemma = row[1].replace(" ", "_"), row[2].replace(" ", "_")
        lines.append("\t".join([row[0], form, lemma, row[3], row[3], row[5], *row[6:8], "_", "_"]))
    return DependencyGraph("\n".join(lines) + "\n", top_relation_label="root")


def train(options: argparse.Namespace) -> dict[str, Any]:
    import nltk
    from nltk.parse.transitionparser import TransitionParser

    cut = int(options.choices.get("sentences", "1000"))
    gold = [graph_of(rows) for rows, _ in zip(sentences(options.train), range(cut), strict=False)]
    os.mkdir(options.model)
    nltk.data.path.append(options.model)  # it writes to its data folders only
    parser = TransitionParser("arc-eager")
    with contextlib.redirect_stdout(io.StringIO()):
        parser.train(gold, os.path.join(options.model, "svm"), verbose=False)
    # Its model file has the machine, and the numbers of features and moves stay behind in the object.
    with open(os.path.join(options.model, "numbers"), "wb") as file:
        pickle.dump(vars(parser), file)
    return {"note": f"first {len(gold):,} sentences"}


def parse(options: argparse.Namespace) -> float:
    import nltk
    from nltk.parse.transitionparser import TransitionParser

    nltk.data.path.append(options.model)
    test = list(sentences(options.test))
    graphs = [graph_of(rows) for rows in test]
    tokens = sum(map(len, test))
    parser = TransitionParser("arc-eager")
    with open(os.path.join(options.model, "numbers"), "rb") as file:
        vars(parser).update(pickle.load(file))  # our own file, written a moment ago
    machine = os.path.join(options.model, "svm")
    speed, parsed = best_speed(tokens, lambda: parser.parse(graphs, machine), passes=1)
    write(options.output, [result_rows(graph, rows) for graph, rows in zip(parsed, test, strict=True)])
    return speed


def result_rows(graph: Any, rows: list[Row]) -> list[Row]:
    found = []
    for row in rows:
        node = graph.nodes[int(row[0])]
        head = node["head"] or 0
        relation = node["rel"] or "dep"
        found.append([*row[:6], str(head), "root" if head == 0 else relation, *row[8:]])
    return found


if __name__ == "__main__":
    main(train, parse)
