"""Both conventions, side by side, and what happens where one of them is not defined."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.evaluation.comparison import only_punctuation
from treewright.treebank.blocks.block import Block, Layout

from tests.evaluation import generated_treebanks as generated
from treewright.errors import TreewrightError
from treewright.evaluation import evaluate

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
LAYOUT = Layout("conllu", COLUMNS)

GOLD = """\
# sent_id = a
1	Dogs	dog	NOUN	_	_	2	nsubj	_	_
2	bark	bark	VERB	_	_	0	root	_	_
3	$	$	PUNCT	_	_	2	punct	_	_

# sent_id = b
1	Run	run	VERB	_	_	0	root	_	_
2	—	—	SYM	_	_	1	obl:mod	_	_

"""
SYSTEM = """\
# sent_id = a
1	Dogs	dog	NOUN	_	_	2	nsubj	_	_
2	bark	bark	VERB	_	_	0	root	_	_
3	$	$	PUNCT	_	_	1	punct	_	_

# sent_id = b
1	Run	run	VERB	_	_	0	root	_	_
2	—	—	SYM	_	_	1	obl	_	_

"""


def without_trees(treebank: str) -> list[list[list[str]]]:
    return [
        [line.split("\t") for line in sentence.split("\n") if line.split("\t")[0].isdigit()]
        for sentence in treebank.split("\n\n")[:-1]
    ]


def test_the_plain_scores_are_of_all_words_and_full_relations() -> None:
    evaluation = evaluate(GOLD.encode(), SYSTEM.encode())
    assert evaluation.uas == 80
    assert evaluation.las == 60
    assert evaluation.label_accuracy == 80
    assert evaluation.exact_match == 0
    assert evaluation.root_accuracy == 100
    assert evaluation.ud["LAS"].f1 == 80


@pytest.mark.parametrize(
    ("convention", "uas", "las", "exact"),
    [
        ({}, 80, 60, 0),
        ({"relation": "universal"}, 80, 80, 50),
        ({"punctuation": "upos"}, 100, 75, 50),
        ({"punctuation": "form"}, 75, 75, 50),
        ({"average": "macro"}, 100 * (2 / 3 + 1) / 2, 100 * (2 / 3 + 1 / 2) / 2, 0),
        ({"punctuation": "upos", "relation": "universal", "average": "macro"}, 100, 100, 100),
    ],
)
def test_conventions(convention: dict[str, str], uas: float, las: float, exact: float) -> None:
    scores = evaluate(GOLD.encode(), SYSTEM.encode()).attachment(**convention)
    assert (scores.uas, scores.las, scores.exact_match) == pytest.approx((uas, las, exact))


def test_an_unknown_convention_is_refused_with_the_known_ones() -> None:
    with pytest.raises(TreewrightError, match="all, upos, form"):
        evaluate(GOLD.encode(), GOLD.encode()).attachment(punctuation="none")


def expected(gold: str, system: str, punctuation: str, relation: str) -> tuple[float, ...]:
    """Count in the plainest way there is."""

    def scored(columns: list[str]) -> bool:
        if punctuation == "upos":
            return columns[3] != "PUNCT"
        return punctuation == "all" or not only_punctuation(columns[1])

    def label(columns: list[str]) -> str:
        return columns[7] if relation == "full" else columns[7].split(":")[0]

    words = heads = labels = both = exact = exact_heads = roots = right_roots = 0
    for ours, theirs in zip(without_trees(gold), without_trees(system), strict=True):
        pairs = [(a, b) for a, b in zip(ours, theirs, strict=True) if scored(a)]
        right = [(a[6] == b[6], label(a) == label(b)) for a, b in pairs]
        words += len(pairs)
        heads += sum(h for h, _ in right)
        labels += sum(r for _, r in right)
        both += sum(h and r for h, r in right)
        exact += bool(pairs) and all(h and r for h, r in right)
        exact_heads += bool(pairs) and all(h for h, _ in right)
        roots += sum(a[6] == "0" for a, _ in pairs)
        right_roots += sum(a[6] == b[6] == "0" for a, b in pairs)
    return words, heads, labels, both, exact, exact_heads, roots, right_roots


@settings(max_examples=120, deadline=None)
@given(st.randoms(use_true_random=True))
def test_equal_to_plain_counting(random: Random) -> None:
    gold = generated.conllu(random, generated.sentences(random, generated.text(random)))
    system = generated.disturbed(random, gold)
    evaluation = evaluate(gold.encode(), system.encode())
    for punctuation in ("all", "upos", "form"):
        for relation in ("full", "universal"):
            counts = expected(gold, system, punctuation, relation)
            words, heads, labels, both, exact, exact_heads, roots, right_roots = counts
            scores = evaluation.attachment(punctuation, relation)
            assert scores.words == words
            assert (scores.uas, scores.label_accuracy, scores.las) == pytest.approx(
                tuple(100 * part / max(words, 1) for part in (heads, labels, both))
            )
            assert scores.exact_match == pytest.approx(100 * exact / max(scores.sentences, 1))
            assert scores.unlabelled_exact_match == pytest.approx(100 * exact_heads / max(scores.sentences, 1))
            assert scores.root_accuracy == pytest.approx(100 * right_roots / max(roots, 1))


@pytest.mark.parametrize(
    ("form", "punctuation"),
    [
        *((form, True) for form in ("...", "—", "«", "¿?", "。", "𐄀", "_")),
        *((form, False) for form in ("$", "a", "é.", ".é", "語", "+", "𝒳", "'s", "1")),
    ],
)
def test_punctuation_by_form(form: str, punctuation: bool) -> None:
    assert only_punctuation(form) is punctuation
    text = f"1\tw\t_\tX\t_\t_\t0\troot\t_\t_\n2\t{form}\t_\tX\t_\t_\t1\tdep\t_\t_\n\n".encode()
    assert evaluate(text, text).attachment("form").words == 2 - punctuation


def test_other_words_leave_the_official_scores_only() -> None:
    gold = "1\tab\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    system = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
    evaluation = evaluate(Block(gold.encode(), LAYOUT, "g.conllu"), Block(system.encode(), LAYOUT, "s.conllu"))
    assert evaluation.ud["Words"].f1 == 0
    with pytest.raises(TreewrightError, match=r"g.conllu:1: .*'ab'.*'a' \(s.conllu:1\)"):
        _ = evaluation.las
    assert evaluation.headline.startswith("LAS over all words is not defined, as the words differ")
    assert "g.conllu:1" in str(evaluation)
    assert evaluation.to_dict()["attachment"] is None


def test_another_text_of_multiword_tokens_leaves_the_scores_word_by_word() -> None:
    words = "1\tde\t_\tX\t_\t_\t0\troot\t_\t_\n2\tel\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
    gold = "1-2\tdel" + "\t_" * 8 + "\n" + words
    evaluation = evaluate(gold.encode(), words.encode())
    assert evaluation.las == 100
    with pytest.raises(TreewrightError, match="texts of the two files differ"):
        _ = evaluation.ud
    assert evaluation.to_dict()["ud"] is None
    assert "texts of the two files differ" in str(evaluation)


def test_several_roots_are_no_matter_for_the_older_conventions() -> None:
    text = b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    evaluation = evaluate(text, text)
    assert evaluation.las == 100
    with pytest.raises(TreewrightError, match="multiple_roots=True"):
        _ = evaluation.ud
    assert evaluate(text, text, multiple_roots=True).ud["LAS"].f1 == 100


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (GOLD, GOLD.replace("Dogs", "Cats")),
        (GOLD, GOLD.split("\n\n")[0] + "\n\n"),
        (GOLD.split("\n\n")[0] + "\n\n", GOLD),
        (GOLD, ""),
    ],
)
def test_other_texts_have_no_scores_at_all(gold: str, system: str) -> None:
    with pytest.raises(TreewrightError, match="text"):
        evaluate(gold.encode(), system.encode())


def test_a_cycle_has_no_scores_at_all() -> None:
    bad = GOLD.replace("2\tnsubj", "3\tnsubj").replace("2\tpunct", "1\tpunct")
    with pytest.raises(TreewrightError, match="cycle"):
        evaluate(GOLD.encode(), bad.encode())


def test_files_and_their_errors(tmp_path: object) -> None:
    path = f"{tmp_path}/gold.conllu"
    with pytest.raises(TreewrightError, match=r"gold\.conllu"):
        evaluate(path, path)
    with open(path, "w", encoding="utf-8") as file:
        file.write(GOLD)
    evaluation = evaluate(path, path)
    assert evaluation.las == 100
    assert evaluation.gold == path


def test_table_and_json_say_which_convention_is_which() -> None:
    evaluation = evaluate(GOLD.encode(), SYSTEM.encode())
    table = str(evaluation)
    assert "LAS 60.00  UAS 80.00  (all words, punctuation included; full relations)" in table
    assert "CoNLL 2018" in table
    assert "mean over words" not in table
    assert "all words, full relations, mean over words" in evaluation.to_text(conventions=True)
    assert "LAS 60.00" in evaluation._repr_html_()
    data = json.loads(json.dumps(evaluation.to_dict()))
    assert data["las"] == 60
    assert data["convention"] == "all words, full relations, mean over words"
    assert len(data["attachment"]) == 12
    assert data["ud"]["LAS"]["f1"] == 80


def test_two_empty_treebanks() -> None:
    evaluation = evaluate(b"", b"")
    assert evaluation.las == 0
    assert evaluation.ud["LAS"].f1 == 0


def test_roots_are_those_of_the_gold_treebank() -> None:
    """A root that the system has and the gold treebank lacks counts for nothing, one that it lacks is missed."""
    gold = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tx\t_\t_\n\n"
    system = "1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    assert evaluate((gold + gold).encode(), (gold + system).encode()).root_accuracy == 50
    assert evaluate(gold.encode(), system.encode()).root_accuracy == 0
    assert evaluate(gold.encode(), gold.replace("root", "x").encode()).root_accuracy == 100
    two = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    assert evaluate(gold.encode(), two.encode(), multiple_roots=True).root_accuracy == 100
    assert evaluate(two.encode(), gold.encode(), multiple_roots=True).root_accuracy == 50


def test_a_sentence_is_exact_without_relations_if_all_heads_are_right() -> None:
    gold = "".join(f"{word}\ta\t_\tX\t_\t_\t{word - 1}\tx\t_\t_\n" for word in (1, 2, 3)) + "\n"
    other_relation, other_head = gold.replace("\t2\tx\t", "\t2\ty\t"), gold.replace("\t2\tx\t", "\t1\tx\t")
    shares = [evaluate(gold.encode(), text.encode()).attachment() for text in (other_relation, other_head)]
    assert [(scores.unlabelled_exact_match, scores.exact_match) for scores in shares] == [(100, 0), (0, 0)]


@pytest.mark.parametrize("sign", "!\"#%&'()*,-./:;?@[\\]_{}")
def test_every_sign_of_ascii_that_is_punctuation_is_left_out_by_form(sign: str) -> None:
    gold = f"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\t{sign}\t_\tX\t_\t_\t1\tx\t_\t_\n\n"
    assert evaluate(gold.encode(), gold.encode()).attachment(punctuation="form").words == 1
    assert evaluate(gold.encode(), gold.encode()).attachment().words == 2
