"""Short sentences that are cut from trees."""

from __future__ import annotations

from pathlib import Path

import pytest

import treewright as tw
from tests.toy import DEV, TRAIN
from treewright.errors import TreebankError
from treewright.kinds.pipeline.short_sentences import with_short_sentences
from treewright.training.gathering import gather

LONG = """\
1	Yesterday	yesterday	NOUN	NN	_	5	obl:tmod	_	_
2	two	two	NUM	CD	_	4	nummod	_	_
3	very	very	ADV	RB	_	2	advmod	_	_
4	dogs	dog	NOUN	NNS	Number=Plur	5	nsubj	4:nsubj	_
5	chased	chase	VERB	VBD	Tense=Past	0	root	0:root	_
6	the	the	DET	DT	_	7	det	_	_
7	cat	cat	NOUN	NN	_	5	obj	_	_
8	that	that	PRON	WDT	_	9	nsubj	_	_
9	slept	sleep	VERB	VBD	_	7	acl:relcl	_	SpaceAfter=No
10	.	.	PUNCT	.	_	5	punct	_	_

"""
SHORT = """\
1	Dogs	dog	NOUN	NNS	Number=Plur	2	nsubj	_	_
2	chased	chase	VERB	VBD	Tense=Past	0	root	_	_
3	the	the	DET	DT	_	4	det	_	_
4	cat	cat	NOUN	NN	_	2	obj	_	_
5	.	.	PUNCT	.	_	2	punct	_	_

"""


def test_a_predicate_keeps_subject_and_object_but_no_clauses() -> None:
    data = with_short_sentences(gather(LONG.encode()), 5, seed=1)
    assert data.blocks[-1].data.decode() == SHORT
    assert data.notes == ["1 short sentences added, of 1 in its trees"]


NESTED = """\
1	The	the	DET	DT	_	2	det	_	_
2	girl	girl	NOUN	NN	_	6	nsubj	_	_
3	who	who	PRON	WP	_	4	nsubj	_	_
4	sang	sing	VERB	VBD	_	2	acl:relcl	_	_
5	loudly	loudly	ADV	RB	_	4	advmod	_	_
6	left	leave	VERB	VBD	_	0	root	_	_
7	early	early	ADV	RB	_	6	advmod	_	_
8	.	.	PUNCT	.	_	6	punct	_	_

"""


def test_a_subject_keeps_its_relative_clause() -> None:
    data = with_short_sentences(gather(NESTED.encode()), 5, seed=1)
    block = data.blocks[-1]
    assert [block.value(word, 1) for word in range(block.n_words)] == [b"The", b"girl", b"who", b"sang", b"left", b"."]
    assert [block.head_of(word) for word in range(block.n_words)] == [2, 5, 4, 2, 0, 5]


def test_nested_sentences_come_first() -> None:
    chosen = with_short_sentences(gather((LONG * 3 + NESTED).encode()), 1, seed=1).blocks[-1]
    assert b"who" in chosen.data


def test_pronouns_alone_are_no_subjects() -> None:
    with pytest.raises(TreebankError, match="no short sentences"):
        with_short_sentences(gather(LONG.replace("dog	NOUN", "dog	PRON").encode()), 5, seed=1)


def test_a_sample_depends_on_the_seed_alone() -> None:
    whole = gather(TRAIN)
    first, again, other = (with_short_sentences(whole, 20, seed).blocks[-1] for seed in (1, 1, 2))
    assert first.n_sentences == 20
    assert first.data == again.data != other.data
    assert not first.problems


def test_every_short_sentence_is_a_tree(tmp_path: Path) -> None:
    block = with_short_sentences(gather(TRAIN), 10**6, seed=1).blocks[-1]  # gather checks what it reads
    path = tmp_path / "short.conllu"
    path.write_bytes(block.data)
    assert gather(path).n_sentences == block.n_sentences > 50


def test_treebanks_without_subjects_are_rejected() -> None:
    with pytest.raises(TreebankError, match="no short sentences"):
        with_short_sentences(gather(LONG.replace("nsubj", "dep").encode()), 5, seed=1)


def test_pipelines_learn_from_them() -> None:
    options = {"jackknife": 2, "iterations": 1, "tagger_iterations": 1, "tokenizer_iterations": 1}
    model = tw.train_pipeline(TRAIN, DEV, short_sentences=30, **options)
    assert model.info["training"]["sentences"] == gather(TRAIN).n_sentences + 30
    assert model.info["recipe"]["short_sentences"] == 30
    assert "30 short sentences" in " ".join(model.info["training"]["notes"])
