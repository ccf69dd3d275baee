"""The lists of features of tagger, lemmatiser and tokeniser: trained models know features by the numbers in them."""

from __future__ import annotations

import hashlib

import pytest

import treewright as tw
from tests.apps.cli.running import succeed
from treewright.features.feature_lists import LISTED, listed_features, text_of_features
from treewright.steps.call import PLAIN
from treewright.steps.pipeline import Pipeline
from treewright.steps.reader import blocks_of
from treewright.treebank.files.text_format import RAW

PAGE = """\
The Harbour Office, 14 Quay St., opens at 8.30 a.m. on Mondays; it doesn't open on Sundays (see
www.harbour-office.example/hours?day=sun or mail desk@harbour-office.example). Dr. Ellen O'Reilly, who's run it since
1998, told us: "We've never lost a parcel - not one!" Was she joking? Perhaps... but she wasn't smiling.

Last year 1,234.5 tonnes of salt went through the port, up 3% from 2019, worth about $2.6m (£2m). "Can't complain," said
Mr. Li Wei, the harbour master's deputy, "though the cranes are older than I am." He's 61. The cranes date from the
'50s, i.e. before containers; they'll be replaced by 2030, the U.S. maker A. B. Crane & Sons Inc. says.

HOW TO SEND A PARCEL
1. Fill in form B-12/a.
2. Hand it in - and don't forget the stamp :-)

i went there yesterday and nobody was in so i left the box at the door hope thats ok #parcel @harbour 👍

Visitors whose dogs aren't on a lead gonna be asked to leave! Cannot find your ship? Ask the watch-keeper: he knows all
of them, from the Maria-Louise to the "Old Grey Lady". 他们说（这个）很好！ไม่มีอะไร ครับ
"""
#: what the bundled models make of this page, without trees: to be pinned again when they are trained again
PINNED = {"english": "0032c4440d407961", "english-fast": "0cb0f13f697fc7ba"}
#: how many features a list has, and the hash of all with their numbers
LISTS = {
    "tagger": (100, "913bbd6f1ca0ea9c"),
    "lemmatizer": (25, "3a17be071f1b0513"),
    "tokenizer": (130, "e5ed325f6065ee73"),
    "splits": (19, "a38989e762743f4c"),
    "enhanced": (41, "ec023c5220852d9d"),
}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


@pytest.mark.parametrize("name", LISTED)
def test_numbers_stay(name: str) -> None:
    """A new feature changes this pin; a change of an old one's number or values makes trained models worse."""
    features = [feature for section in listed_features(name).values() for feature in section]
    assert (len(features), digest(repr(features).encode())) == LISTS[name]


@pytest.mark.parametrize("name", LISTED)
def test_no_two_features_have_the_same_key(name: str) -> None:
    for features in listed_features(name).values():
        assert len(set(features)) == len(features)
        assert all(1 <= len(values) <= 3 for _, values in features)


@pytest.mark.parametrize(("name", "room"), [("tagger", 128), ("lemmatizer", 32), ("tokenizer", 160), ("splits", 24)])
def test_there_is_room(name: str, room: int) -> None:
    """Keys are written to arrays of this size: MOST_KEYS, LEMMA_KEYS, SPLIT_KEYS."""
    assert sum(map(len, listed_features(name).values())) <= room


def test_numbers_count_on_and_ranges_are_spelled_out() -> None:
    features = listed_features("lemmatizer")["word"]
    assert features[:3] == [(1, ("tag",)), (2, ("tag", "suffix(word[0], 1)")), (3, ("tag", "suffix(word[0], 2)"))]
    assert features[10] == (12, ("tag", "shape(word[0])"))


@pytest.mark.parametrize("name", PINNED)
def test_bundled_models_give_the_same_words_and_tags(name: str) -> None:
    pipeline = tw.load(name)
    assert isinstance(pipeline, Pipeline)
    words = list(blocks_of(pipeline, PAGE.encode(), RAW, PLAIN))
    tagger = pipeline.steps["tagger"]
    assert digest(b"".join(tagger.annotate(block, PLAIN) for block in words)) == PINNED[name]


@pytest.mark.parametrize("name", LISTED)
def test_lists_are_shown(name: str) -> None:
    assert succeed("features", "show", name).decode() == text_of_features(name)
