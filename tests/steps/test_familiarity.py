"""A model says when a text is unlike what it was trained with, and how much of a text it knows."""

from __future__ import annotations

import warnings

import pytest
from treewright.kinds.tagger.words import lower_key

import treewright as tw
from tests.apps.cli.running import refuse, run
from tests.toy import TEST, toy_parser
from treewright.steps.familiarity import Familiarity
from treewright.treebank.sentences.sentence import sentences_in

ITALIAN = "Il gatto dorme sul divano della nonna e sogna i topi che non ha preso."
PLAIN = "The old man sat near the window and read the long letter from his sister again."


@pytest.mark.parametrize(
    ("words", "unknown", "small", "usual", "foreign"),
    [
        (11, 9, 9, 0.15, True),
        (11, 3, 3, 0.15, False),
        (3, 3, 3, 0.15, True),
        (3, 3, 1, 0.15, False),  # names
        (2, 2, 2, 0.15, False),  # too few to say
        (5, 4, 4, 0.15, False),  # too few to say, with one that is known
        (6, 6, 6, 0.15, True),
        (20, 12, 12, 0.15, False),
        (20, 18, 8, 0.15, False),  # a list of names
        (20, 13, 13, 0.5, False),  # a small treebank knows few words
        (200, 190, 190, 0.5, True),
        (0, 0, 0, 0.15, False),
        (10, 10, 10, 0.0, True),
    ],
)
def test_what_counts_as_foreign(words, unknown, small, usual, foreign):
    assert Familiarity(words, unknown, small, usual).is_foreign == foreign


@pytest.mark.parametrize(
    "text", ["Le chat dort.", "Привет, как дела?", "Il gatto dorme sul divano e non vuole mangiare."]
)
def test_short_texts_in_other_languages(text):
    with pytest.warns(tw.TreewrightWarning, match="^the texts: unlike the training data"):
        tw.load("english")(text)


@pytest.mark.parametrize(
    "text",
    [
        "Dogs bark.",
        "The blickets frimmed.",
        "Hi Tom,",
        "Kind regards,\nZelda Tindlewick",
        "- milk\n- eggs\n- flour\n- thimbles",
        "CHAPTER TWO\n\nHOW OTTERS JUGGLE",
        "Jan Novák, Petra Černá, Łukasz Wiśniewski",
        "Dear Mrs. Tindlewick,\n\nThe wombat snored. Our zither player yawned.\n\nBest,\nZelda Quux",
        "lol omg thx",
        "12 + 34 = 46",
        "https://example.com/foo",
        "Zürich Łódź Kraków",
    ],
)
def test_names_lists_and_headings_are_no_other_language(text):
    for name in ("english", "english-fast"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tw.load(name)(text)


def test_a_foreign_text_is_told_once():
    model = tw.load("english-fast")
    with pytest.warns(tw.TreewrightWarning, match="unlike the training data"):
        model(ITALIAN)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model(PLAIN)
    result = run("parse", "english-fast", ITALIAN)
    assert result.returncode == 0
    assert result.stderr.count(b"warning: the text: unlike the training data") == 1


#: words of the toy treebank that the lexicon only has as names
NAMES = {"apple", "village", "hill"}


def test_words_are_counted_by_the_lexicon():
    model = tw.load("english-fast")
    keys = {*model.steps["tagger"].lexicon.keys}
    block = next(tw.read(TEST).blocks())
    forms = [word.form for sentence in sentences_in([block]) for word in sentence]
    words = [form for form in forms if any(character.isalpha() or character > "~" for character in form)]
    unknown = [form for form in words if lower_key(form.encode()) not in keys or form in NAMES]
    known = model._familiarity(block)
    assert known is not None
    small = [form for form in unknown if form[0] == form[0].lower()]
    assert (known.words, known.unknown, known.small) == (len(words), len(unknown), len(small))
    usual = 100 * (1 - model.steps["tagger"].info["unseen"])
    assert (
        str(known) == f"the model knows {len(words) - len(unknown):,} of {len(words):,} words; about {usual:.0f} % are"
        " usual in texts like its training data"
    )


def test_check_reports_instead_of_parsing(tmp_path):
    for name, text in (("a.txt", PLAIN), ("b.txt", ITALIAN)):
        (tmp_path / name).write_text(text)
    result = run("parse", "english-fast", "--check", str(tmp_path / "a.txt"))
    assert result.returncode == 0
    assert b"Latin 100 %" in result.stdout
    result = run("parse", "english-fast", "--check", str(tmp_path))
    header, _, first, second = result.stdout.decode().splitlines()
    assert header.split()[0] == "input"
    assert (first.split()[0], second.split()[0]) == ("a.txt", "b.txt")
    assert second.endswith("unlike the training data")
    assert not first.rstrip().endswith("data")
    assert result.returncode == 1


def test_check_needs_a_tagger(tmp_path):
    toy_parser().save(tmp_path / "m.tw")
    assert "--check needs a tagger" in refuse("parse", str(tmp_path / "m.tw"), str(TEST), "--check")
