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


def shortened(*words: str) -> list[str]:
    """Return the forms of short sentences cut from one of words like `dog/NOUN/2/nsubj`."""
    rows = [word.split("/") for word in words]
    lines = (
        f"{n}\t{form}\t_\t{upos}\t_\t_\t{head}\t{rel}\t_\t_\n" for n, (form, upos, head, rel) in enumerate(rows, 1)
    )
    try:
        block = with_short_sentences(gather(("".join(lines) + "\n").encode()), 9, seed=1).blocks[-1]
    except TreebankError:
        return []
    return [
        " ".join(block.value(word, 1).decode() for word in block.words_of(number))
        for number in range(block.n_sentences)
    ]


DOGS, BARK, STOP = "Dogs/NOUN/2/nsubj", "bark/VERB/0/root", "./PUNCT/2/punct"


def test_a_predicate_is_a_verb_that_is_built_like_a_sentence() -> None:
    assert shortened(DOGS, BARK, STOP) == ["Dogs bark ."]
    assert shortened(DOGS, "cute/ADJ/0/root", STOP) == []
    assert shortened(DOGS, BARK, "run/VERB/2/conj", STOP) == ["Dogs bark ."]
    inside = ("He/PRON/2/nsubj", "says/VERB/0/root", "dogs/NOUN/4/nsubj")
    assert shortened(*inside, "bark/VERB/2/ccomp", "./PUNCT/4/punct") == []
    assert shortened(*inside, "bark/VERB/2/conj", "./PUNCT/4/punct") == ["Dogs bark ."]


def test_a_stop_comes_last() -> None:
    assert shortened(DOGS, BARK, ",/PUNCT/2/punct", "cats/NOUN/2/obj") == []
    assert shortened(DOGS, BARK, ",/PUNCT/2/punct", "cats/NOUN/2/obj", STOP) == ["Dogs bark cats ."]
    assert shortened("Bark/VERB/0/root", ",/PUNCT/1/punct", "dogs/NOUN/1/nsubj") == []


def test_short_is_ten_words_with_the_stop() -> None:
    for more, is_short in ((7, True), (8, False)):
        auxiliaries = [f"a{number}/AUX/{more + 2}/aux" for number in range(more)]
        found = shortened(f"Dogs/NOUN/{more + 2}/nsubj", *auxiliaries, BARK, f"./PUNCT/{more + 2}/punct")
        assert (len(found) == 1) == is_short


def test_a_relative_clause_stays_if_its_subject_is_a_pronoun() -> None:
    end = ("left/VERB/1/acl:relcl", "bark/VERB/0/root", "./PUNCT/4/punct")
    assert shortened("Dogs/NOUN/4/nsubj", "that/PRON/3/nsubj", *end) == ["Dogs that left bark ."]
    assert shortened("Dogs/NOUN/4/nsubj", "men/NOUN/3/nsubj", *end) == ["Dogs bark ."]
    assert shortened("Dogs/NOUN/4/nsubj", "that/PRON/3/obj", *end) == ["Dogs bark ."]
    assert shortened("Dogs/NOUN/3/nsubj", "left/VERB/1/acl:relcl", "bark/VERB/0/root", "./PUNCT/3/punct") == [
        "Dogs bark ."
    ]


def test_a_sentence_begins_large_where_the_one_it_is_from_does() -> None:
    assert shortened("and/CCONJ/3/cc", "dogs/NOUN/3/nsubj", "bark/VERB/0/root", "./PUNCT/3/punct") == ["dogs bark ."]
    assert shortened("And/CCONJ/3/cc", "dogs/NOUN/3/nsubj", "bark/VERB/0/root", "./PUNCT/3/punct") == ["Dogs bark ."]
    assert shortened("And/CCONJ/3/cc", "big dogs/NOUN/3/nsubj", "bark/VERB/0/root", "./PUNCT/3/punct") == [
        "Big dogs bark ."
    ]


@pytest.mark.parametrize("seed", range(4))
def test_a_nested_sentence_is_chosen_first_whatever_the_seed(seed: int) -> None:
    data = with_short_sentences(gather((LONG * 9 + NESTED).encode()), 1, seed=seed)
    assert b"who" in data.blocks[-1].data
    assert data.blocks[-1].source == data.blocks[0].source


def test_the_remedy_is_to_do_without() -> None:
    data = gather(LONG.replace("nsubj", "dep").encode())
    with pytest.raises(TreebankError, match="Leave --short-sentences out") as caught:
        with_short_sentences(data, 5, seed=1)
    assert caught.value.source == data.name
