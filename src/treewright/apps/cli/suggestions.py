"""What to say about an option that a command does not have: what the same thing is called here, or how it is done.

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

_INPUT = "input files treebank raw sentence gold"
_MODEL = "model models teacher parser"
#: names of our arguments → names elsewhere that may mean them; of those that a command has, the first counts
_THEIRS = {
    _INPUT: "conllu corpus data file i in infile input input_file test text text_file train train_file training"
    " treebank",
    _MODEL: "model model_file model_name model_path m",
    "dev": "dev_file development eval_file heldout valid validation",
    "folds": "k_fold k_folds kfold n_folds n_splits",
    "format to": "f format",
    "format": "informat input_format",
    "gold": "gold_file",
    f"gold {_INPUT}": "gold",
    f"init_from {_MODEL}": "load",
    "init_from": "checkpoint continue continue_from finetune resume",
    "jobs threads": "cores cpus j jobs n_jobs n_process num_threads num_workers parallel processes threads workers",
    "json to": "json",
    "k_best": "kbest n_best nbest",
    "lang": "language",
    "licence": "license",
    "output": "model_dir o out outfile output_dir output_file save save_dir save_path",
    f"parser system {_MODEL}": "parser",
    "pipeline": "lemmatizer tagger tokenizer",
    "presegmented": "no_ssplit one_sentence_per_line sentence_per_line ssplit",
    "pretokenized": "no_tokenization no_tokenizer pretokenised skip_tokenization tokenised tokenized",
    "quiet": "silent",
    "single_root": "multiple_roots",
    "system first": "pred predicted prediction sys system system_file",
    "time_limit": "budget timeout",
    "to output": "html",
    "to": "outformat output_format",
}
#: name elsewhere → names of our arguments that it may mean
ARGUMENTS = {name: (ours,) for name, ours in SYNONYMS.items()} | {
    theirs: tuple(ours.split()) for ours, names in _THEIRS.items() for theirs in names.split()
}
#: where a command means something of its own: (command, name elsewhere) → our argument, maybe with its value
OF_COMMANDS = {
    ("train", "model"): "output",
    ("distill", "model"): "output",
    ("distill", "student"): "output",
    ("pretrain", "model"): "output",
    ("eval", "raw"): "raw_text",
    ("info", "config"): "print recipe",
    ("info", "features"): "print features",
    ("serve", "workers"): "jobs",
    ("trace", "features"): "top",
    ("trace", "graph"): "deps",
    ("analyze", "sentences"): "draw",
    ("show", "tags"): "below",
    ("show", "format"): "to",
    ("trace", "format"): "to",
    ("crossval", "keep_parses"): "output",
    ("tune", "speed"): "least_speed",
    **{(command, form): f"to {form}" for command in ("analyze", "trace") for form in ("html", "json")},
    **{("show", kind): f"to {kind}" for kind in ("svg", "png", "pdf", "html", "tikz", "displacy", "brat")},
}
#: how something is done here → names elsewhere of what commands have no argument for
_ADVICE = {
    "TREEWRIGHT_DEBUG=1 before the command shows where a fault is": "debug",
    "A parser has the language of its treebank: choose the treebank, or the model": "lang language",
    "A command shows what it does unless --quiet is given": "v verbose",
    "Networks are trained and run on processors: leave it out": "cpu cuda device gpu",
    "With --dev, the best round is kept; --time-limit ends a training": "early_stopping patience",
    "A model splits raw text if it has a tokeniser: leave it out": "tokenise tokenize",
}
ADVICE = {name: advice for advice, names in _ADVICE.items() for name in names.split()}
_PLACES = ("first", "second", "third")


def no_option(parser: ArgumentParser, flag: str) -> str:
    """Return what to say about an option that a command does not have."""
    hint = _hint(parser, flag)
    return f"there is no option {flag}{f'. {hint}' if hint else ''}"


def _hint(parser: ArgumentParser, flag: str) -> str:
    name = flag.lstrip("-").replace("-", "_").lower()
    command = parser.prog.split()[-1]
    ours, _, value = OF_COMMANDS.get((command, name), "").partition(" ")
    actions = {action.dest: action for action in parser._actions}
    if name == "format" and not ours and {"format", "to"} <= actions.keys():
        return "Did you mean --from (what is read) or --to (what is written)?"
    action = next((actions[each] for each in (ours, *ARGUMENTS.get(name, ()), name) if each in actions), None)
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
