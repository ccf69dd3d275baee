"""Whatever is given as a pattern or as rules: it works, or one message says what is wrong. Nothing hangs."""

from __future__ import annotations

import random

import pytest

from tests.optional import needs
from tests.query.randomly import random_pattern, random_sentence
from treewright.errors import TreewrightError
from treewright.query.finding import find
from treewright.query.keys import parse_keys
from treewright.query.language.patterns import parse_pattern, parse_patterns
from treewright.query.language.tokens import PatternError
from treewright.query.matching import matches
from treewright.query.rewriting.rewriter import Rewriter
from treewright.treebank.sentences.sentence import Sentence

pytestmark = needs("hypothesis")

PIECES = (
    *(
        "pattern",
        "with",
        "without",
        "global",
        "{",
        "}",
        "[",
        "]",
        "X",
        "Y",
        "e",
        ":",
        ";",
        ",",
        "|",
        "!",
        "*",
        "->",
        "-[",
    ),
    *("]->", "->>", "<", "<<", ">", "><", "<>", "=", ".", "upos", "VERB", '"a"', 're"a.*"', "/b/i", "1", "-2", "label"),
    *(
        "delta",
        "length",
        "depth",
        "(",
        ")",
        "is_tree",
        "sent_id",
        "%",
        "\n",
        "/*",
        "*/",
        "__id__",
        "X$",
        "é",
        "\\",
        "^",
    ),
)
RULE_PIECES = (
    *PIECES,
    *(
        "rule",
        "package",
        "strat",
        "commands",
        "Onf",
        "Seq",
        "Iter",
        "add_edge",
        "del_edge",
        "add_node",
        "del_node",
        "==>",
    ),
    *(
        "shift",
        "shift_in",
        "=[",
        "]=>",
        ":<",
        ":>",
        "unorder",
        "insert",
        "append_feats",
        "del_feat",
        "+",
        "import",
        "r",
        "main",
    ),
)
SENTENCE = Sentence.from_conllu(
    "1\ta\tb\tVERB\tV\tCase=Nom\t0\troot\t0:root\t_\n2\tc\td\tNOUN\tN\t_\t1\tobj\t1:obj\tA=b\n\n"
)


def tried(make):
    """Return what a function makes, or None if it says in one line what is wrong, and where."""
    try:
        return make()
    except TreewrightError as error:
        message = str(error)
        assert "\n" not in message
        assert len(message) < 1000
        if isinstance(error, PatternError):
            assert message.startswith(
                ("the pattern", "the rules", "the key", "the strategy", "more than", "a strategy", "a node")
            )
        return None


def test_any_text_is_a_pattern_or_an_error():
    from hypothesis import given, settings
    from hypothesis import strategies as st

    words = st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join)

    @settings(max_examples=400, deadline=None)
    @given(st.one_of(st.text(max_size=60), words, words.map(lambda text: f"pattern {{ X []; {text} }}")))
    def check(text):
        for pattern in tried(lambda: parse_patterns(text)) or ():
            tried(lambda pattern=pattern: matches(SENTENCE, pattern))
        tried(lambda: parse_keys([text], parse_pattern("pattern { e: X -> Y }")))

    check()


def test_any_text_is_rules_or_an_error():
    from hypothesis import given, settings
    from hypothesis import strategies as st

    words = st.lists(st.sampled_from(RULE_PIECES), max_size=20).map(" ".join)
    command = words.map(lambda text: f"rule r {{ pattern {{ e: X -> Y }} commands {{ {text} }} }}")

    @settings(max_examples=400, deadline=None)
    @given(st.one_of(st.text(max_size=60), words, command))
    def check(text):
        rewriter = tried(lambda: Rewriter(text, most_steps=50))
        if rewriter is not None:
            tried(lambda: rewriter.rewrite(SENTENCE))

    check()


def test_patterns_that_are_cut_or_changed_at_random():
    chance = random.Random(5)
    for _ in range(300):
        text = random_pattern(chance)
        place = chance.randrange(len(text))
        changed = chance.choice((text[:place], text[:place] + chance.choice('{}[];:<>-="/\\x1') + text[place + 1 :]))
        pattern = tried(lambda changed=changed: parse_pattern(changed))
        if pattern is not None:
            tried(lambda pattern=pattern: matches(random_sentence(chance), pattern))


def test_a_pattern_that_connects_nothing_ends():
    words = Sentence.from_words([f"w{number}" for number in range(60)])
    found = find([words], "pattern { A []; B []; C []; D []; E []; F [] }")
    with pytest.raises(TreewrightError, match=r"more than 20,000,000 possible beginnings.*Connect its nodes"):
        found.count()


def test_an_expression_on_a_long_value_is_refused_before_it_hangs():
    long = Sentence.from_words(["a" * 3000])
    assert len(matches(long, "pattern { X [form=/a.*a/] }")) == 1
    with pytest.raises(TreewrightError, match=r"5 repetitions without end, too many for a value of 3,000 characters"):
        matches(long, "pattern { X [form=/.*b.*b.*b.*b.*b/] }")


@pytest.mark.parametrize(
    "expression", ['re"\\(a*\\)*b"', "/(a+)+b/", "/(a|b*)*c/", "/a*a*a*a*a*a*a*a*b/", "/(?:x{0,500})+/"]
)
def test_expressions_that_would_take_for_ever_are_refused(expression):
    with pytest.raises(PatternError, match="repetition"):
        parse_pattern(f"pattern {{ X [form={expression}] }}")


def test_rules_may_be_nested_deeply_and_long():
    assert tried(lambda: Rewriter("package p { " * 500)) is None
    assert tried(lambda: Rewriter("strat main { " + "Onf (" * 500)) is None
    assert tried(lambda: parse_pattern("pattern { " + "X -> Y; " * 900 + "}")) is not None
    assert tried(lambda: parse_pattern("x" * (1 << 21))) is None
    assert tried(lambda: parse_pattern("pattern { " + "X -> Y; " * 3000 + "}")) is None
    assert tried(lambda: parse_pattern("pattern { " + "; ".join(f"X{n} []" for n in range(50_000)) + " }")) is None
    twice = "pattern { " + "; ".join(f"X [a{n}]|[b{n}]" for n in range(30)) + " }"
    assert tried(lambda: matches(SENTENCE, twice)) is None
    many = "pattern { " + "; ".join(f"X{number} [upos=V{number}]" for number in range(80)) + " }"
    assert tried(lambda: matches(SENTENCE, many)) is None
