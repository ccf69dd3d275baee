"""The reference pages name all that there is, and nothing that there is not."""

import argparse
import re
from pathlib import Path

import pytest

import treewright
from tests.outside import module_at
from treewright import errors
from treewright.apps.cli import program
from treewright.features import language, templates
from treewright.features.bundled import bundled_models
from treewright.options.option import flags_of
from treewright.recipes.catalogue import all_options
from treewright.treebank.checks.validation import CODES
from treewright.treebank.formats.registry import formats

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"


def page(name):
    return (REFERENCE / name).read_text(encoding="utf-8")


def section(text, title):
    match = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert match, f"there is no section {title}"
    return match[1]


def first_cells(text):
    """Return what stands in code marks in the first column of the tables of a page."""
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def options_of(command):
    parsers = [program.build_parser(command)]
    for action in parsers[0]._actions:  # those of its own actions, as `corpus plan`
        if isinstance(action, argparse._SubParsersAction):
            parsers += action.choices.values()
    return {name for each in parsers for action in each._actions for name in action.option_strings} - {"-h", "--help"}


@pytest.mark.parametrize("command", program.COMMANDS)
def test_command_line_names_every_option(command):
    told = {name for name in first_cells(section(page("command-line.md"), command)) if name.startswith("-")}
    if command in ("crossval", "distill", "tune"):  # which refer to the tables of train
        left_out = program.command_module(command).LEFT_OUT
        told |= {flag for name, one in all_options().items() if name not in left_out for flag in flags_of(one.first)}
    assert told == options_of(command)


def test_the_tables_of_options_are_those_of_the_declarations():
    assert module_at("tools/option_tables.py").option_tables() in page("command-line.md")


def test_command_line_names_every_command():
    text = page("command-line.md")
    assert set(re.findall(r"^\| \[`(\w+)`\]", text, re.MULTILINE)) == set(program.COMMANDS)


def names_told(title):
    return {name.split("(")[0].split("[")[0] for name in first_cells(section(FEATURES, title))}


FEATURES = page("feature-language.md")


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Addresses", {*templates.BASES, *templates.STEPS, "token"}),
        ("Attributes of a word", {*templates.ATTRIBUTES, "feat", "column", "plugin"}),
        ("Mappings", {*templates.MAPPINGS}),
        ("Measures", {*templates.MEASURES}),
    ],
)
def test_feature_language_names_every_function(title, names):
    assert names_told(title) == names


def test_feature_functions_are_those_of_the_parser():
    with pytest.raises(errors.FeatureModelError) as caught:
        language.parse_model("nonsense(stack[0])")
    listed = set(re.search(r"\((.*?)\)", str(caught.value))[1].split(", "))
    titles = ("Attributes of a word", "Mappings", "Measures")
    assert set().union(*map(names_told, titles)) == listed


def test_every_bundled_model_is_told():
    assert set(bundled_models()) <= first_cells(section(FEATURES, "Bundled models"))


def test_every_format_is_told():
    told = first_cells(page("file-formats.md").split("## Reading")[0])
    built_in = {f.name for f in formats() if type(f).__module__.startswith("treewright.")}
    assert told == built_in


def test_every_error_and_problem_is_told():
    text = page("errors.md")
    classes = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Warning | errors.TreewrightError)
    }
    assert first_cells(text.split("## Problems")[0]) == classes
    assert first_cells(section(text, "Problems of treebanks")) == set(CODES)


def test_every_public_name_is_told():
    told = set(re.findall(r"\btw\.(\w+)", page("python-api.md")))
    assert told == set(treewright.__all__)
