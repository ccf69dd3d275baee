"""Parsing with a network and with votes: the best of all trees, whatever the batch, the thread and the file."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.kinds.network.models import HIDDEN, random_parser
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import CombinationError, ModelFileError
from treewright.kinds.exact.parser import ExactParser
from treewright.kinds.network import parser as parser_module
from treewright.kinds.network.parser import Member, NeuralParser, batches
from treewright.oracles.exhaustive import all_trees, obeys
from treewright.steps.certificate import Certificate
from treewright.steps.parser import Parser
from treewright.systems.rules.rule import PAIR, Rule, rows_of
from treewright.treebank.files.reading import read_blocks

LABELS = ("root", "nsubj", "obj", "det", "punct", "obl", "case")


def blocks_of(path: str) -> list[Block]:
    return list(read_blocks(path))


@pytest.fixture(scope="module")
def block() -> Block:
    return blocks_of(DEV)[0]


@pytest.fixture(scope="module")
def greedy() -> Parser:
    return tw.train(TRAIN, features="malt", iterations=1)


def short_sentences(block: Block, most: int) -> list[int]:
    return [number for number in range(block.n_sentences) if 1 < len(block.words_of(number)) <= most]


def trees_over(n: int, single_root: bool = True) -> list[list[int]]:
    return list(all_trees(n, projective=False, single_root=single_root))


def arc_sum(arcs: list[float], heads: Iterable[int], n: int) -> float:
    """Return the sum of the scores of arcs, dependent by head, the root first."""
    return sum(arcs[dep * (n + 1) + head] for dep, head in enumerate(heads, 1))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("single_root", [True, False])
def test_the_tree_is_the_best_of_all(block: Block, greedy: Parser, seed: int, single_root: bool) -> None:
    members = [Member("greedy", greedy, 0.7, 0.3)]
    parser = random_parser([block], LABELS, seed, members, single_root=single_root)
    votes = greedy.trees(block).heads
    checked = 0
    for number in short_sentences(block, 5)[:6]:
        words = block.words_of(number)
        n, encoded = len(words), parser.encode(block, number, number + 1)
        arcs, voted = parser.network.arcs(encoded).tolist(), votes[words.start : words.stop]
        found = list(parser.trees(block).heads[words.start : words.stop])
        scores = {
            tuple(heads): arc_sum(arcs, heads, n) + 0.7 * sum(map(int.__eq__, heads, voted))
            for heads in trees_over(n, single_root)
        }
        assert scores[tuple(found)] == pytest.approx(max(scores.values()), abs=1e-5)
        checked += 1
    assert checked


def test_leaves_govern_nothing(block: Block) -> None:
    """Of all trees without arcs from leaves, the best one; where all words are leaves, the rule is waived."""
    tags = ["PUNCT", "DET", "ADP"]
    parser = random_parser([block], LABELS, 8, leaf_tags=tags)
    heads, upos = parser.trees(block).heads, block.layout.upos
    for number in range(block.n_sentences):
        words = block.words_of(number)
        own = [block.value(word, upos).decode() in tags for word in words]
        if not all(own):
            assert not any(own[head - 1] for head in heads[words.start : words.stop] if head)
            assert not own[heads[words.start : words.stop].index(0)]
    for number in short_sentences(block, 5)[:4]:
        words, n = block.words_of(number), len(block.words_of(number))
        leaves = [place for place, word in enumerate(words, 1) if block.value(word, upos).decode() in tags]
        arcs = parser.network.arcs(parser.encode(block, number, number + 1)).tolist()
        scores = [arc_sum(arcs, tree, n) for tree in trees_over(n) if obeys(tree, leaves, True)]
        found = arc_sum(arcs, heads[words.start : words.stop], n)
        assert found == pytest.approx(max(scores), abs=1e-5)


def test_the_k_best_are_the_k_best_of_all(block: Block) -> None:
    parser = random_parser([block], LABELS, 5)
    number = short_sentences(block, 4)[0]
    n = len(block.words_of(number))
    arcs = parser.network.arcs(parser.encode(block, number, number + 1)).tolist()
    scores = sorted((arc_sum(arcs, heads, n) for heads in trees_over(n)), reverse=True)
    found = list(parser.best_trees(block, number, parser._checked({"k_best": 5})))
    assert [tree.score for tree in found] == pytest.approx(scores[: len(found)], abs=1e-5)
    assert list(found[0].heads) == list(parser.trees(block).heads[block.words_of(number).start :][:n])


def test_relations_are_the_best_of_network_and_votes(block: Block, greedy: Parser) -> None:
    for weight, relations in (
        (0.0, greedy.relations),
        (1.0, greedy.relations),
        (100.0, greedy.relations),
        (9.0, LABELS),
    ):
        parser = random_parser([block], relations, 2, [Member("greedy", greedy, 1.0, weight)])
        voted, trees = greedy.trees(block), parser.trees(block)
        for number in range(min(20, block.n_sentences)):
            words, encoded = block.words_of(number), parser.encode(block, number, number + 1)
            rows = array("i", [0, *trees.heads[words.start : words.stop]])
            scores = parser.network.relation_scores(encoded, rows).tolist()
            for row, word in enumerate(words, 1):
                own = scores[row]
                vote = greedy.relations[voted.labels[word]]
                if voted.heads[word] == trees.heads[word] and vote in relations:
                    own[relations.index(vote)] += weight
                assert own[trees.labels[word]] == pytest.approx(max(own), abs=1e-4)


def test_batches_and_threads_do_not_matter(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = random_parser([block], LABELS, retag=True)
    expected = parser.parse_block(block, tag=True).data
    for rows in (1, 37, 100_000):
        monkeypatch.setattr(parser_module, "MOST_ROWS", rows)
        assert parser.parse_block(block, tag=True).data == expected
    many = [block] * 6
    assert [block.data for block in parser.parse_blocks(many, threads=2, tag=True)] == [expected] * 6


def test_a_model_file_gives_the_same_trees(block: Block, greedy: Parser, tmp_path: Path) -> None:
    parser = random_parser([block], LABELS, 3, [Member("greedy", greedy, 0.5, 0.5)], retag=True)
    parser.save(tmp_path / "a.tw")
    loaded = Parser.load(tmp_path / "a.tw")
    assert isinstance(loaded, NeuralParser)
    assert loaded.parse_block(block, tag=True).data == parser.parse_block(block, tag=True).data
    loaded.save(tmp_path / "b.tw")
    assert (tmp_path / "a.tw").read_bytes() == (tmp_path / "b.tw").read_bytes()


def test_what_a_parser_says_of_itself(block: Block, greedy: Parser) -> None:
    rule = Rule(PAIR, "nsubj", ("nsubj",), 1, 20)
    member = Member("greedy", greedy, 0.5, 0.25)
    parser = random_parser([block], LABELS, 1, [member], True, leaf_tags=["PUNCT"], rules=rows_of([rule]))
    own: dict[str, Any] = dict(parser.settings["network"])
    assert "UPOS" in own.pop("tag_values")
    assert parser._details() == {
        "system": "hybrid",
        "network": own,
        "leaf_tags": ["PUNCT"],
        "members": {"greedy": [0.5, 0.25]},
        "relations": len(LABELS),
        "rules": {"nsubj never beside nsubj": "broken by 1 of 20"},
    }
    assert repr(parser) == f"<NeuralParser: {HIDDEN} units, greedy>"
    alone = random_parser([block], LABELS)
    assert {"system": "neural", "members": {}, "leaf_tags": []}.items() <= alone._details().items()
    assert "rules" not in alone._details()
    assert repr(alone) == f"<NeuralParser: {HIDDEN} units>"


@pytest.mark.parametrize("most", [20, 50, 200, 10_000])
def test_batches_are_of_about_the_same_size(block: Block, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each begins where the one before ends, at most half a sentence from where equal parts would have it."""
    monkeypatch.setattr(parser_module, "MOST_ROWS", most)
    rows = [len(block.words_of(number)) + 1 for number in range(block.n_sentences)]
    found = list(batches(block))
    assert [first for first, _ in found] == [0, *(last for _, last in found[:-1])]
    assert found[-1][1] == block.n_sentences
    n_wanted = -(-sum(rows) // most)
    if n_wanted < len(rows) / 3:
        assert len(found) == n_wanted
        for number, (_, last) in enumerate(found, 1):
            assert abs(sum(rows[:last]) - number * sum(rows) / n_wanted) <= max(rows) / 2


def test_batches_have_only_so_many_arcs_to_score(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    arcs = [(len(block.words_of(number)) + 1) ** 2 for number in range(block.n_sentences)]
    monkeypatch.setattr(parser_module, "MOST_ROWS", 1 << 30)
    for most in {sum(arcs[first : first + 3]) for first in range(9)}:
        monkeypatch.setattr(parser_module, "MOST_ARCS", most)
        borders, used = [0], 0
        for number, more in enumerate(arcs):
            if used and used + more > most:
                borders.append(number)
                used = 0
            used += more
        assert [first for first, _ in batches(block)] == borders


def test_a_network_without_its_members(block: Block, greedy: Parser) -> None:
    parser = random_parser([block], LABELS, 3, [Member("greedy", greedy, 50.0, 50.0)])
    alone = parser.alone()
    assert list(alone.members) == []
    assert alone.trees(block).heads == random_parser([block], LABELS, 3).trees(block).heads != parser.trees(block).heads


def test_members_vote_as_far_as_they_have_weight(block: Block, greedy: Parser) -> None:
    weights = {"greedy": (0.0, 0.5), "beam": (0.0, 0.0), "exact": (0.0, 0.0)}
    parser = random_parser([block], LABELS, 3, [Member(name, greedy, *own) for name, own in weights.items()])
    assert {member.name: member[2:] for member in parser.members} == weights
    assert [member.name for member in parser.voters] == ["greedy"]
    assert parser.exact is None
    searching = Member("exact", greedy, 0.5, 0.0)
    assert random_parser([block], LABELS, 3, [*parser.members[2:], searching]).exact == searching


@pytest.mark.parametrize(
    ("votes", "kind", "is_read"),
    [
        ((0, 0), "transition", True),
        ((1, 2), "transition", True),
        ((999_999, 0), "transition", True),
        ((1_000_000, 0), "transition", False),
        ((-1, 0.5), "transition", False),
        ((1, 1), "neural", False),
    ],
)
def test_weights_of_members_are_checked(
    block: Block, greedy: Parser, votes: tuple[float, float], kind: str, is_read: bool
) -> None:
    header, arrays = random_parser([block], LABELS, 3, [Member("greedy", greedy, 1.0, 1.0)]).to_file()
    changed = {**header, "settings": {**header["settings"], "votes": [votes]}}
    changed["members"] = [{**header["members"][0], "kind": kind}]
    own = {name: values for name, (_, values) in arrays.items()}
    if is_read:
        assert NeuralParser.from_file(changed, own).members[0][2:] == votes
    else:
        with pytest.raises(ModelFileError, match="its members cannot be read"):
            NeuralParser.from_file(changed, own)


def test_given_arcs_stay_in_every_batch(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree is the best of those that have the given arcs, and no others from words without dependents."""
    monkeypatch.setattr(parser_module, "MOST_ROWS", 60)
    head, parser = block.layout.head, random_parser([block], LABELS, 9, leaf_tags=["PUNCT", "DET"])
    rows = [line.split(b"\t") for line in block.data.split(b"\n")]
    for row in rows:
        if len(row) > 1 and int(row[0]) % 2:
            row[head] = row[head + 1] = b"_"
    given = Block(b"\n".join(map(b"\t".join, rows)), block.layout)
    found = parser.trees(given, parser._checked({"keep_arcs": True}))
    kept = [-1 if given.value(word, head) == b"_" else int(given.value(word, head)) for word in range(given.n_words)]
    assert all(one in (-1, other) for one, other in zip(kept, found.heads, strict=True))
    upos, checked = block.layout.upos, 0
    for number in short_sentences(block, 5)[:4]:
        words, n = block.words_of(number), len(block.words_of(number))
        own = kept[words.start : words.stop]
        tags = [block.value(word, upos) for word in words]
        free = {head for head in own if head > 0} | {place for place, head in enumerate(own, 1) if head == 0}
        leaves = [place for place, tag in enumerate(tags, 1) if tag in (b"PUNCT", b"DET") and place not in free]
        arcs = parser.network.arcs(parser.encode(block, number, number + 1)).tolist()
        possible = [
            arc_sum(arcs, tree, n)
            for tree in trees_over(n)
            if obeys(tree, leaves, True) and all(one in (-1, other) for one, other in zip(own, tree, strict=True))
        ]
        assert arc_sum(arcs, found.heads[words.start : words.stop], n) == pytest.approx(max(possible), abs=1e-5)
        checked += 1
    assert checked


@pytest.mark.parametrize("seed", range(3))
def test_the_tree_is_the_best_of_those_without_forbidden_heads(block: Block, seed: int) -> None:
    """The head that every other word would have is forbidden."""
    parser = random_parser([block], LABELS, seed)
    free, rows = parser.trees(block).heads, [line.split(b"\t") for line in block.data.split(b"\n")]
    for word, row in enumerate(row for row in rows if len(row) > 1):
        row[6:10] = b"_", b"_", b"_", f"NotHead={free[word]}".encode() if word % 2 else b"_"
    given = Block(b"\n".join(map(b"\t".join, rows)), block.layout)
    found = parser.trees(given, parser._checked({"keep_arcs": True})).heads
    checked = 0
    for number in short_sentences(block, 5):
        words, n = block.words_of(number), len(block.words_of(number))
        arcs = parser.network.arcs(parser.encode(block, number, number + 1)).tolist()
        possible = [
            arc_sum(arcs, tree, n)
            for tree in trees_over(n)
            if all(head != free[word] for word, head in zip(words, tree, strict=True) if word % 2)
        ]
        if possible:
            assert arc_sum(arcs, found[words.start : words.stop], n) == pytest.approx(max(possible), abs=1e-5)
            checked += 1
    assert checked > 3


def test_confidences_are_probabilities(block: Block) -> None:
    parser = random_parser([block], LABELS, 4)
    trees = parser.trees(block, parser._checked({"confidence": True}))
    assert trees.confidences is not None
    assert all(0 < value <= 1 for value in trees.confidences)
    number = short_sentences(block, 6)[0]
    words = block.words_of(number)
    arcs, width = parser.network.arcs(parser.encode(block, number, number + 1)).tolist(), len(words) + 1
    for dep, word in enumerate(words, 1):
        expected = math.exp(arcs[dep * width + trees.heads[word]])
        assert trees.confidences[word] == pytest.approx(expected, rel=1e-4)


def test_tags_are_written_only_where_wanted(block: Block) -> None:
    parser = random_parser([block], LABELS, 6, retag=True)
    plain = Block(parser.parse_block(block).data, block.layout)
    tagged = Block(parser.parse_block(block, tag=True).data, block.layout)
    upos = block.layout.upos
    own = [block.value(word, upos) for word in range(block.n_words)]
    assert [plain.value(word, upos) for word in range(block.n_words)] == own
    assert [tagged.value(word, upos) for word in range(block.n_words)] != own
    known = {value.encode() for value in parser.network.settings["tag_values"]["UPOS"]}
    assert {tagged.value(word, upos) for word in range(block.n_words)} <= known
    assert [tagged.value(word, block.layout.form) for word in range(block.n_words)] == [
        block.value(word, block.layout.form) for word in range(block.n_words)
    ]
    with pytest.raises(CombinationError, match="tag"):
        random_parser([block], LABELS)._checked({"tag": True})


def test_tags_that_words_come_with_vote(block: Block) -> None:
    """With a vote that outweighs all scores, UPOS stays; what has no vote is the network's."""
    plain = random_parser([block], LABELS, 6, retag=True)
    voting = NeuralParser(plain.settings, {**plain.arrays, "tag_votes.UPOS": array("f", [1e5])}, plain.info)
    without, tagged = (Block(parser.parse_block(block, tag=True).data, block.layout) for parser in (plain, voting))

    def column(source: Block, number: int) -> list[bytes]:
        return [source.value(word, number) for word in range(block.n_words)]

    assert column(tagged, block.layout.upos) == column(block, block.layout.upos) != column(without, block.layout.upos)
    for number in (block.layout.lemma, block.layout.feats):
        assert column(tagged, number) == column(without, number) != column(block, number)


def test_empty_and_odd_sentences_are_parsed(block: Block) -> None:
    parser = random_parser([block], LABELS)
    for words in (["a"], ["😀", "\u200b"], ["x" * 5000, "."], ["."] * 60):
        assert len(parser.parse_words(words)) == len(words)
    assert Block(parser.parse_block(blocks_of(TEST)[0]).data, block.layout).n_sentences


@pytest.mark.parametrize("name", ["arc_mix.weight", "layer1.recurrent.scales", "tables.upos.weight", "arc_dep.bias"])
def test_arrays_of_another_size_are_rejected(block: Block, name: str) -> None:
    parser = random_parser([block], LABELS)
    arrays = {**parser.arrays, name: parser.arrays[name][:-1]}
    with pytest.raises(ModelFileError, match=name):
        NeuralParser(parser.settings, arrays, {})  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e30])
def test_numbers_that_are_none_are_rejected(block: Block, value: float) -> None:
    parser = random_parser([block], LABELS)
    changed = array("f", parser.arrays["layer0.bias"])
    changed[3] = value
    with pytest.raises(ModelFileError, match=r"layer0\.bias"):
        NeuralParser(parser.settings, {**parser.arrays, "layer0.bias": changed}, {})  # type: ignore[arg-type]


def test_an_exact_member_searches_with_the_scores_of_the_network(block: Block) -> None:
    """The tree is the best of all by arcs of both and grandparents of one, and a certificate says so."""
    exact = tw.train(TRAIN, system="exact", iterations=1, adviser="none")
    assert isinstance(exact, ExactParser)
    parser = random_parser([block], exact.relations, 7, [Member("exact", exact, 0.5, 0.0)])
    certificates: list[Certificate] = []
    found = parser.trees(block, parser._checked({"certified": lambda one, n: certificates.append(one), "exact": True}))
    assert len(certificates) == block.n_sentences
    assert all(certificate.optimal for certificate in certificates)
    for number in short_sentences(block, 4)[:3]:
        words, n = block.words_of(number), len(block.words_of(number))
        arcs = parser.network.arcs(parser.encode(block, number, number + 1)).tolist()
        decoder = exact.new_decoder()
        decoder.load(block, number)
        own = decoder.arc_scores()

        scores = {
            tuple(heads): 2 * arc_sum(arcs, heads, n)
            + sum(own[head * (n + 1) + dep] for dep, head in enumerate(heads, 1))
            + sum(decoder.part_score(heads[head - 1], head, dep) for dep, head in enumerate(heads, 1) if head)
            for heads in trees_over(n)
        }
        best = max(scores.values())
        assert scores[tuple(found.heads[words.start : words.stop])] == pytest.approx(best, abs=1e-4)
    with pytest.raises(CombinationError, match="k_best"):
        parser._checked({"k_best": 2})
