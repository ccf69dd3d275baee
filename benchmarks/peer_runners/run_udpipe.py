"""UDPipe 1 (PyPI ufal.udpipe): its neural parser over gold tokens and tags, greedy or with its own beam."""

from __future__ import annotations

import argparse
import time
from typing import Any

from measured import main


def read(ud: Any, path: str) -> list[Any]:
    source = ud.InputFormat.newConlluInputFormat()
    with open(path, encoding="utf-8") as file:
        source.setText(file.read())
    found, error = [], ud.ProcessingError()
    while True:
        sentence = ud.Sentence()
        if not source.nextSentence(sentence, error):
            break
        found.append(sentence)
    return found


def train(options: argparse.Namespace) -> dict[str, Any]:
    import ufal.udpipe as ud

    rounds = options.choices.get("iterations", "10")
    settings = f"iterations={rounds}"  # ten is its default too, and so is all else
    train_set, dev_set = ud.Sentences(), ud.Sentences()
    for sentence in read(ud, options.train):
        train_set.append(sentence)
    for sentence in read(ud, options.dev):
        dev_set.append(sentence)
    error = ud.ProcessingError()
    model = ud.Trainer.train("morphodita_parsito", train_set, dev_set, "none", "none", settings, error)
    if error.occurred():
        raise SystemExit(error.message)
    with open(options.model, "wb") as file:
        file.write(model.encode("latin1", "surrogateescape") if isinstance(model, str) else bytes(model))
    return {"note": f"{rounds} round{'' if rounds == '1' else 's'}"}


def parse(options: argparse.Namespace) -> float:
    import ufal.udpipe as ud

    model = ud.Model.load(options.model)
    if not model:
        raise SystemExit("the model cannot be loaded")
    how = f"beam_search={options.choices.get('beam', '1')}"
    writer = ud.OutputFormat.newConlluOutputFormat()

    def once() -> tuple[list[Any], float]:
        batch = read(ud, options.test)  # parsing changes sentences: fresh ones each time, not counted
        start = time.process_time()
        for sentence in batch:
            model.parse(sentence, how)
        return batch, time.process_time() - start

    best, spent = 0.0, 0.0
    for _ in range(5):
        batch, took = once()
        tokens = sum(len(sentence.words) - 1 for sentence in batch)
        best, spent = max(best, tokens / took), spent + took
        if spent > 4:
            break
    with open(options.output, "w", encoding="utf-8") as file:
        file.writelines(writer.writeSentence(sentence) for sentence in batch)
    return best


if __name__ == "__main__":
    main(train, parse)
