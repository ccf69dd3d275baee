"""The model card: what a model is, how good it is and how to use it, with the front matter that registries read."""

from __future__ import annotations

import json
from typing import Any

SCORES = {"uas": "UAS", "las": "LAS"}
#: what a card says of the options of training; the rest is in the model, `treewright info --print recipe` shows it
SHOWN_OPTIONS = ("system", "features", "learner", "policy", "lifting", "beam", "iterations", "seed", "pipeline")


def model_card(name: str, wheel: str, details: dict[str, Any], licence: str) -> str:
    """Return the card as Markdown, without its front matter; ``details`` are what `treewright info --json` shows."""
    training, dev = details.get("training", {}), details.get("dev", {})
    lines = [f"# {name}", "", details.get("description") or "A dependency parser.", "", *_use(name, wheel), ""]
    if dev:
        lines += ["## Scores", "", f"On the dev set (`{dev.get('name', 'unknown')}`), which also chose the model:", ""]
        lines += [*_scores(dev), ""]
    lines += ["## Training", ""]
    lines += [f"- treebank: `{training.get('name', 'unknown')}`{_size(training)}"]
    lines += [f"- {note}" for note in training.get("notes", [])]
    recipe = details.get("recipe", {})
    lines += [f"- {key}: {recipe[key]}" for key in SHOWN_OPTIONS if recipe.get(key) not in (None, "", False)]
    lines += [f"- made by treewright {details.get('version', 'of an unknown version')}"]
    lines += ["", f"`treewright info {name} --print recipe` shows all options.", ""]
    lines += ["## Licence", "", licence, ""]
    return "\n".join(lines)


def front_matter(name: str, details: dict[str, Any], licence: str, language: str | None) -> str:
    """Return the YAML at the top of a card, for registries; JSON strings are YAML strings."""
    lines = ["library_name: treewright", "tags: [dependency-parsing]"]
    lines += ["license: other", f"license_name: {json.dumps(licence)}"]
    if language:
        lines.insert(0, f"language: {language}")
    dev = details.get("dev", {})
    scores = [(title, dev[key]) for key, title in SCORES.items() if isinstance(dev.get(key), (int, float))]
    if scores:
        lines += ["model-index:", f"- name: {name}", "  results:"]
        lines += ["  - task: {type: token-classification, name: Dependency parsing}"]
        lines += [f"    dataset: {{type: conllu, name: {json.dumps(dev.get('name', 'dev'))}, split: validation}}"]
        lines += ["    metrics:"]
        lines += [f"    - {{type: {title.lower()}, name: {title}, value: {value}}}" for title, value in scores]
    return "\n".join(["---", *lines, "---", "", ""])


def _use(name: str, wheel: str) -> list[str]:
    return [
        "## Use",
        "",
        "```console",
        f"$ pip install {wheel}",
        f"$ treewright parse {name} input.txt -o parsed.conllu",
        "```",
        "",
        "```python",
        "import treewright as tw",
        "",
        f'parser = tw.load("{name}")',
        "```",
    ]


def _scores(dev: dict[str, Any]) -> list[str]:
    rows = {title: dev[key] for key, title in SCORES.items() if key in dev}
    lines = ["| score | |", "|---|---|", *(f"| {title} | {value} |" for title, value in rows.items())]
    raw = dev.get("raw_text", {})
    return lines + [f"| {title}, from raw text | {value} |" for title, value in raw.items()]


def _size(training: dict[str, Any]) -> str:
    sentences, words = training.get("sentences"), training.get("words")
    return f", {sentences:,} sentences, {words:,} words" if sentences is not None and words is not None else ""
