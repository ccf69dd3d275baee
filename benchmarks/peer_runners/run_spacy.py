"""spaCy's parser component, trained from scratch, with its default network for CPUs.

By default that network looks at words alone. So that spaCy has what the others have, tags and features are embedded
beside the words.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

from measured import Row, best_speed, main, sentences, write

#: the default (HashEmbedCNN), with POS and MORPH among what is embedded
NETWORK = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "parser",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
    "tok2vec": {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {
            "@architectures": "spacy.MultiHashEmbed.v2",
            "width": 96,
            "include_static_vectors": False,
            "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE", "POS", "MORPH"],
            "rows": [2000, 1000, 1000, 1000, 100, 1000],
        },
        "encode": {
            "@architectures": "spacy.MaxoutWindowEncoder.v2",
            "width": 96,
            "depth": 4,
            "window_size": 1,
            "maxout_pieces": 3,
        },
    },
}


def doc_of(nlp: Any, rows: list[Row], gold: bool) -> Any:
    from spacy.tokens import Doc

    words = [row[1].replace(" ", "_") for row in rows]
    known = {"words": words, "pos": [row[3] for row in rows], "morphs": [row[5].replace("_", "") for row in rows]}
    if not gold:
        return Doc(nlp.vocab, **known)
    heads = [int(row[6]) - 1 if row[6] != "0" else place for place, row in enumerate(rows)]
    deps = ["ROOT" if row[6] == "0" else row[7] for row in rows]
    return Doc(nlp.vocab, **known, heads=heads, deps=deps)


def las_of(nlp: Any, gold: list[list[Row]]) -> float:
    right = total = 0
    for doc, rows in zip(nlp.pipe([doc_of(nlp, rows, False) for rows in gold], batch_size=64), gold, strict=True):
        for token, row in zip(doc, result_rows(doc, rows), strict=True):
            right += row[6:8] == rows[token.i][6:8]
            total += 1
    return right / max(1, total)


def result_rows(doc: Any, rows: list[Row]) -> list[Row]:
    found = []
    for token, row in zip(doc, rows, strict=True):
        root = token.head.i == token.i
        head, relation = ("0", "root") if root else (str(token.head.i + 1), token.dep_ or "dep")
        found.append([*row[:6], head, relation, *row[8:]])
    return found


def train(options: argparse.Namespace) -> dict[str, Any]:
    import spacy
    from spacy.training import Example
    from spacy.util import minibatch

    random.seed(1)
    spacy.util.fix_random_seed(1)
    nlp = spacy.blank("xx")
    # Its default least frequency of 30 drops the rarer relations.
    nlp.add_pipe("parser", config={"min_action_freq": 1, "model": NETWORK})
    gold, dev = list(sentences(options.train)), list(sentences(options.dev))[:400]
    examples = [Example(doc_of(nlp, rows, False), doc_of(nlp, rows, True)) for rows in gold]
    optimizer = nlp.initialize(lambda: examples)
    best, without, epochs = -1.0, 0, 0
    start = time.process_time()
    while without < int(options.choices.get("patience", "6")) and time.process_time() - start < options.limit:
        random.shuffle(examples)
        for batch in minibatch(examples, 16):
            nlp.update(batch, sgd=optimizer, drop=0.1)
            if time.process_time() - start > options.limit and epochs:
                break
        epochs += 1
        with nlp.use_params(optimizer.averages):
            las = las_of(nlp, dev)
            without += 1
            if las > best:
                best, without = las, 0
                nlp.to_disk(options.model)
    return {"note": f"{epochs} epochs"}


def parse(options: argparse.Namespace) -> float:
    import spacy

    nlp = spacy.load(options.model)
    test = list(sentences(options.test))
    tokens = sum(map(len, test))
    parser = nlp.get_pipe("parser")
    passes = [[doc_of(nlp, rows, False) for rows in test] for _ in range(3)]

    def once() -> list[Any]:
        return list(parser.pipe(passes.pop(), batch_size=256))

    speed, docs = best_speed(tokens, once, passes=3)
    write(options.output, [result_rows(doc, rows) for doc, rows in zip(docs, test, strict=True)])
    return speed


if __name__ == "__main__":
    main(train, parse)
