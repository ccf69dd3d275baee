"""The commands, by what one wants, and the help page that shows them."""

from __future__ import annotations

from itertools import chain

#: what one wants → command → what it does, in a line; the code is in the module of that name
GROUPS = {
    "train": {
        "train": "train a parser on a treebank",
        "pretrain": "learn from raw text what parsers then look at",
        "tune": "search for the templates and options that suit a treebank",
        "distill": "teach a fast parser with a slow one and raw text",
    },
    "parse": {
        "parse": "parse text or treebanks with a trained parser",
        "corpus": "parse a corpus of any size, on one machine or many",
        "serve": "answer over HTTP, for existing clients and browsers",
    },
    "look at trees and errors": {
        "show": "draw the trees and graphs of a treebank",
        "eval": "score a parse against a gold treebank",
        "analyze": "say what a parse gets wrong, or how two parses differ",
        "trace": "show a parse step by step",
    },
    "treebanks": {
        "find": "find a pattern, in Grew's notation",
        "validate": "check a treebank and say what is wrong where",
        "convert": "convert a treebank from one format to another",
    },
    "research": {
        "experiment": "run a grid of trainings and compare what they give",
        "crossval": "cross-validate a parser on a treebank",
        "presets": "list what `train --as` sets, and where the paper says so",
        "features": "show, check and convert feature models",
    },
    "models and this program": {
        "info": "show what a model is and how it was made",
        "models": "list the models that are found by name",
        "compose": "make one model of the steps of several",
        "package": "make a package of a model that pip installs",
        "completion": "print the completion script of a shell",
    },
}
COMMANDS = dict(chain.from_iterable(map(dict.items, GROUPS.values())))
EXAMPLES = """\
examples (`treewright COMMAND --help` shows the options of a command):
  treewright parse english "The cat sat on the mat."
  treewright train train.conllu --dev dev.conllu -o model.tw
"""


def overview() -> str:
    """Return the help page of the program."""
    lines = ["usage: treewright [--version] COMMAND …", "", "Build dependency parsers: train, parse, score."]
    for title, commands in GROUPS.items():
        lines += ["", f"{title}:", *(f"  {name:11} {text}" for name, text in commands.items())]
    return "\n".join([*lines, "", EXAMPLES])
