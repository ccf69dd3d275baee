"""What is said of an option that a command does not have: what the same thing is called here, or how it is done.

People come from other tools and type what these taught them. Only what is known to mean the same, or is spelt almost
the same, is suggested: a wrong guess costs more time than none.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from treewright.errors import nearest
from treewright.recipes.synonyms import SYNONYMS

if TYPE_CHECKING:
    from treewright.apps.cli.argument_parser import ArgumentParser

_MODEL = ("model", "models", "teacher", "parser")
_INPUT = ("input", "files", "treebank", "raw", "sentence", "gold")
_PREDICTED = ("system", "first")
_WORKERS = ("jobs", "threads")

#: name elsewhere → names of our arguments that it may mean; of those that a command has, the first
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "budget": ("time_limit",),
    "conllu": _INPUT,
    "cores": _WORKERS,
    "corpus": _INPUT,
    "cpu": _WORKERS,
    "cpus": _WORKERS,
    "data": _INPUT,
    "development": ("dev",),
    "eval_file": ("dev",),
    "file": _INPUT,
    "format": ("format", "to"),
    "gold": ("gold", *_INPUT),
    "gold_file": ("gold",),
    "heldout": ("dev",),
    "html": ("to", "output"),
    "in": _INPUT,
    "infile": _INPUT,
    "informat": ("format",),
    "input": _INPUT,
    "input_file": _INPUT,
    "input_format": ("format",),
    "jobs": _WORKERS,
    "json": ("json", "to"),
    "kbest": ("k_best",),
    "language": ("lang",),
    "license": ("licence",),
    "load": ("init_from", *_MODEL),
    "model": _MODEL,
    "model_file": _MODEL,
    "multiple_roots": ("single_root",),
    "n_best": ("k_best",),
    "nbest": ("k_best",),
    "n_process": _WORKERS,
    "num_threads": _WORKERS,
    "num_workers": _WORKERS,
    "out": ("output",),
    "outfile": ("output",),
    "outformat": ("to",),
    "output_dir": ("output",),
    "output_file": ("output",),
    "output_format": ("to",),
    "parallel": _WORKERS,
    "parser": ("parser", "system", *_MODEL),
    "pred": _PREDICTED,
    "predicted": _PREDICTED,
    "prediction": _PREDICTED,
    "processes": _WORKERS,
    "resume": ("init_from",),
    "save": ("output",),
    "silent": ("quiet",),
    "sys": _PREDICTED,
    "system": _PREDICTED,
    "system_file": _PREDICTED,
    "test": _INPUT,
    "text": _INPUT,
    "text_file": _INPUT,
    "train": _INPUT,
    "train_file": _INPUT,
    "training": _INPUT,
    "treebank": _INPUT,
    "valid": ("dev",),
    "validation": ("dev",),
    "workers": _WORKERS,
    **{theirs: (ours,) for theirs, ours in SYNONYMS.items()},
    "n_jobs": _WORKERS,
}
#: where a command means something of its own: (command, name elsewhere) → our argument, maybe with its value
OF_COMMANDS = {
    ("train", "model"): "output",
    ("distill", "model"): "output",
    ("distill", "student"): "output",
    ("eval", "raw"): "raw_text",
    ("info", "config"): "print recipe",
    ("info", "features"): "print features",
    ("analyze", "html"): "to html",
    ("analyze", "json"): "to json",
    ("trace", "json"): "to json",
    ("trace", "html"): "to html",
    ("serve", "workers"): "jobs",
    ("trace", "features"): "top",
    ("trace", "graph"): "deps",
    ("analyze", "sentences"): "draw",
    ("show", "tags"): "below",
    ("crossval", "keep_parses"): "output",
    ("tune", "speed"): "least_speed",
    **{("show", kind): f"to {kind}" for kind in ("svg", "png", "pdf", "html", "tikz", "displacy", "brat")},
}
_LANGUAGE = "A parser has the language of the treebank that it was trained on: choose the treebank, or the model"
_VERBOSE = "What a command does is shown as long as --quiet is not given"
_DEVICE = "Networks are trained and run on processors: leave it out"
#: name elsewhere → how the same is done here, where a command has no argument for it
ADVICE = {
    "debug": "TREEWRIGHT_DEBUG=1 before the command shows where a fault is",
    "lang": _LANGUAGE,
    "language": _LANGUAGE,
    "verbose": _VERBOSE,
    "device": _DEVICE,
    "gpu": _DEVICE,
}
_PLACES = ("first", "second", "third")


def no_option(parser: ArgumentParser, flag: str) -> str:
    """Return what to say of an option that a command does not have."""
    hint = _hint(parser, flag)
    return f"there is no option {flag}{f'. {hint}' if hint else ''}"


def _hint(parser: ArgumentParser, flag: str) -> str:
    name = flag.lstrip("-").replace("-", "_").lower()
    command = parser.prog.split()[-1]
    ours, _, value = OF_COMMANDS.get((command, name), "").partition(" ")
    actions = {action.dest: action for action in parser._actions}
    action = next((actions[each] for each in (ours, *ARGUMENTS.get(name, ())) if each in actions), None)
    if action is not None:
        return _in_words(parser, action, value)
    if name in ADVICE:
        return ADVICE[name]
    match = nearest(flag, parser._option_string_actions)
    return f"Did you mean {match}?" if match else ""


def _in_words(parser: ArgumentParser, action: argparse.Action, value: str = "") -> str:
    """Return how an argument is given."""
    if action.option_strings:
        flag = max(action.option_strings[:2], key=len)  # not -o; the one that switches on, not that which switches off
        return f"Did you mean {flag}{f' {value}' if value else ''}?"
    positional = [each for each in parser._actions if not each.option_strings]
    formatter = parser._get_formatter()
    name = formatter._metavar_formatter(action, action.dest.upper())(1)[0]
    usage = parser.usage_line() % {"prog": parser.prog}
    return f"{name} is the {_PLACES[positional.index(action)]} argument, without a flag: {usage}"
