"""Measures and their classes of numbers, as the language has them."""

from __future__ import annotations

import pytest

from treewright.features.explanation import explain_template, needs
from treewright.features.language import parse_model


@pytest.mark.parametrize(
    "text",
    [
        "distance(stack[0], input[0], 0|1|2|5)",
        "valency(all, stack[0])",
        "valency(left, stack[0], 0|1)",
        "heads(stack[0])",
        "labels(heads, stack[0])",
        "w(h2(stack[0])) & p(h3(input[0]))",
        "exists(ld(stack[0]))",
        "linked(stack[0], input[0])",
    ],
)
def test_reads_back_what_it_prints(text):
    assert str(parse_model(text)) == text + "\n"


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("p(stack[0])", "the part of speech (UPOS) of the top of the stack"),
        ("l(ld(stack[1]))", "the relation of the leftmost left dependent of the word 1 below the top of the stack"),
        (
            "suffix(lower(w(input[0])), 3)",
            "the last 3 characters of the word form in lower case of the next word of the input",
        ),
        ("prefix(w(input[1]), 1)", "the first character of the word form of the second word of the input"),
        ("w(token[stack[0] - 1])", "the word form of the word just before the top of the stack"),
        (
            "w(token[stack[0] + 2]) & move(1)",
            "the word form of the word 2 places after the top of the stack, with the kind of the move before the last",
        ),
        ("each(feats(input[9]))", "each single item of the morphology (FEATS) of the 10th word of the input"),
        ("feat(Case, context[0])", "the feature Case of the word 0 of the context (the words passed over)"),
        ("shape(column(MISC, list[0]))", "the shape of the column MISC of the word 0 of the list"),
        ("plugin(length, stack[0])", "the value of length of the top of the stack"),
        (
            "distance(stack[0], input[0], 0|2)",
            "the distance from the top of the stack to the next word of the input (in classes from 0, 2)",
        ),
        ("valency(all, stack[0])", "the number of dependents of the top of the stack"),
        ("labels(left, stack[0])", "the set of relations of the dependents on its left of the top of the stack"),
        ("labels(heads, stack[0])", "the set of relations of the top of the stack"),
        ("w(h2(stack[0]))", "the word form of the head before the latest of the top of the stack"),
        ("heads(stack[0])", "the number of heads of the top of the stack so far"),
        ("exists(stack[0])", "whether there is such a word: the top of the stack"),
        (
            "linked(stack[0], input[0])",
            "whether, and in which direction, the top of the stack and the next word of the input are linked",
        ),
        ("move(0)", "the kind of the last move"),
    ],
)
def test_in_words(template, words):
    assert explain_template(parse_model(template).templates[0]) == words


def test_columns_in_words():
    assert needs(parse_model("p(stack[0])\nfeat(Case, stack[0])")) == "columns it needs: UPOS, FEATS"
    assert needs(parse_model("l(stack[0])")) == "columns it needs: none"
