import random
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_cases import all_trees, is_tree, nonprojective_words, path_to_root, trees
from treewright.treebank.blocks.interner import Interner
from treewright.treebank.lifting.deprojectivizer import Deprojectivizer
from treewright.treebank.lifting.lifting import projectivize
from treewright.treebank.lifting.projectivity import is_projective

from treewright.errors import TreewrightError
from treewright.treebank.lifting.lifted_labels import SCHEMES, LiftedLabel, decode, encode

MARKING = [scheme for scheme in SCHEMES if scheme != "baseline"]
LABELS = ["nsubj", "obj", "obl:arg", "root", "a↑b", "↓", "\\", "x\\↑", "", "a↑b↓"]


def lift(heads: list[int], labels: list[str], scheme: str) -> tuple[list[int], list[str], Interner]:
    relations = Interner(dict.fromkeys(labels))
    new_heads = array("i", heads)
    numbers = array("i", [relations.number(label) for label in labels])
    lifted = projectivize(new_heads, numbers, array("i", [0, len(heads)]), relations, scheme)
    assert lifted == sum(a != b for a, b in zip(heads, new_heads, strict=True))
    return list(new_heads), [relations.strings[number] for number in numbers], relations


def undo(heads: list[int], labels: list[str], scheme: str) -> tuple[list[int], list[str]]:
    relations = list(dict.fromkeys(labels))
    undoer = Deprojectivizer(relations, scheme)
    new_heads = array("i", heads)
    numbers = array("i", [relations.index(label) for label in labels])
    moved = undoer.undo_all(new_heads, numbers, array("i", [0, len(heads)]))
    assert moved == sum(a != b for a, b in zip(heads, new_heads, strict=True))
    return list(new_heads), [undoer.decoded_relations[number] for number in numbers]


def lift_by_the_paper(heads: list[int]) -> tuple[list[int], set[int]]:
    heads, on_path = list(heads), set()
    while crossing := nonprojective_words(heads):
        word = min(crossing, key=lambda d: (abs(heads[d - 1] - d), d))
        on_path.add(heads[word - 1])
        heads[word - 1] = heads[heads[word - 1] - 1]
    return heads, on_path


def undo_by_the_paper(heads: list[int], labels: list[str], scheme: str) -> list[int]:
    heads, marks = list(heads), [decode(label, scheme) for label in labels]
    words = range(1, len(heads) + 1)

    def children(node: int) -> list[int]:
        return [word for word in words if heads[word - 1] == node]

    def search(word: int, over_path: bool) -> int:
        level = [heads[word - 1]]
        while level:
            below = [c for node in level for c in children(node) if c != word]
            if over_path:
                below = [c for c in below if marks[c - 1].on_path]
            for c in below:
                if scheme == "path":
                    if not any(marks[g - 1].on_path for g in children(c) if g != word):
                        return c
                elif marks[c - 1].base == marks[word - 1].head:
                    return c
            level = below
        return 0

    order = [0]
    for node in order:
        order.extend(children(node))
    for word in order[1:]:
        if marks[word - 1].lifted:
            target = search(word, scheme != "head")
            if not target and scheme == "head+path":
                target = search(word, False)
            heads[word - 1] = target or heads[word - 1]
    return heads


@st.composite
def labelled_trees(draw: st.DrawFn) -> tuple[list[int], list[str]]:
    heads = draw(trees())
    labels = st.sampled_from(LABELS)
    return heads, draw(st.lists(labels, min_size=len(heads), max_size=len(heads)))


@pytest.mark.parametrize("n", range(1, 6))
def test_every_small_tree_is_lifted_as_in_the_paper(n: int) -> None:
    for heads in all_trees(n):
        expected, on_path = lift_by_the_paper(heads)
        labels = [f"r{word}" for word in range(1, n + 1)]
        lifted, encoded, _ = lift(heads, labels, "head+path")
        assert lifted == expected, heads
        for word, label in enumerate(encoded, 1):
            moved = heads[word - 1] != lifted[word - 1]
            head = labels[heads[word - 1] - 1] if moved else None
            wanted = LiftedLabel(labels[word - 1], moved, head, word in on_path)
            assert decode(label, "head+path") == wanted


@given(trees(max_words=30))
def test_larger_trees_are_lifted_as_in_the_paper(heads: list[int]) -> None:
    lifted, labels, _ = lift(heads, ["dep"] * len(heads), "baseline")
    assert lifted == lift_by_the_paper(heads)[0]
    assert labels == ["dep"] * len(heads)


@given(labelled_trees(), st.sampled_from(SCHEMES))
def test_lifting_gives_a_projective_tree(tree: tuple[list[int], list[str]], scheme: str) -> None:
    heads, labels = tree
    lifted, _, _ = lift(heads, labels, scheme)
    assert is_tree(lifted)
    assert is_projective(array("i", lifted))
    for word, head in enumerate(lifted, 1):
        assert head in path_to_root(heads, word)
    if heads.count(0) == 1:
        assert lifted.count(0) == 1


@given(labelled_trees(), st.sampled_from(SCHEMES))
def test_labels_always_survive(tree: tuple[list[int], list[str]], scheme: str) -> None:
    heads, labels = tree
    lifted, encoded, _ = lift(heads, labels, scheme)
    restored, decoded = undo(lifted, encoded, scheme)
    assert decoded == labels
    assert is_tree(restored)
    if is_projective(array("i", heads)):
        assert restored == heads


@given(labelled_trees(), st.sampled_from(MARKING), st.data())
def test_undoing_whatever_a_parser_may_predict(
    tree: tuple[list[int], list[str]], scheme: str, data: st.DataObject
) -> None:
    heads, _ = tree
    texts = ["r", "s", "r↑s", "s↑r", "r↑", "r↓", "s↓", "r↑s↓", "s↑", "x↑unknown", "z↑z↑z"]
    labels = [data.draw(st.sampled_from(texts)) for _ in heads]
    restored, decoded = undo(heads, labels, scheme)
    assert restored == undo_by_the_paper(heads, labels, scheme)
    assert decoded == [decode(label, scheme).base for label in labels]
    assert is_tree(restored)
    assert 1 <= restored.count(0) <= heads.count(0)


@pytest.mark.parametrize(("scheme", "most"), [("head", 2), ("path", 1), ("head+path", 2)])
def test_few_lifted_words_always_find_back_if_relations_differ(scheme: str, most: int) -> None:
    """With more lifted words one may look for its head before that head is back in its place."""
    seen = 0
    for n in range(3, 7):
        for heads in all_trees(n):
            labels = [f"r{word}" for word in range(n)]
            lifted, encoded, _ = lift(heads, labels, scheme)
            if 1 <= sum(a != b for a, b in zip(heads, lifted, strict=True)) <= most:
                seen += 1
                assert undo(lifted, encoded, scheme) == (heads, labels)
    assert seen > 1000


def test_path_needs_no_relations_to_find_one_lifted_word() -> None:
    seen = 0
    for heads in all_trees(6):
        labels = ["dep"] * len(heads)
        lifted, encoded, _ = lift(heads, labels, "path")
        if sum(a != b for a, b in zip(heads, lifted, strict=True)) == 1:
            seen += 1
            assert undo(lifted, encoded, "path") == (heads, labels)
    assert seen > 1000


def test_round_trip_on_random_trees_is_better_the_more_a_label_says() -> None:
    """Trees far less projective than language, so figures far below those of a treebank."""
    chance = random.Random(5)
    right, lifted_words = dict.fromkeys(SCHEMES, 0), 0
    for _ in range(400):
        n = chance.randint(5, 20)
        heads = [0] + [max(1, word - chance.randint(1, 4)) for word in range(2, n + 1)]
        for _ in range(2):  # two words are torn from their place and hung elsewhere
            word = chance.randint(2, n)
            other = chance.randint(1, n)
            if word not in [other, *path_to_root(heads, other)]:
                heads[word - 1] = other
        labels = [chance.choice(["nsubj", "obj", "obl", "nmod", "conj", "det"]) for _ in heads]
        for scheme in SCHEMES:
            lifted, encoded, _ = lift(heads, labels, scheme)
            restored, _ = undo(lifted, encoded, scheme)
            moved = [word for word in range(n) if lifted[word] != heads[word]]
            right[scheme] += sum(restored[word] == heads[word] for word in moved)
            lifted_words += len(moved) * (scheme == "baseline")
    assert lifted_words > 200
    assert right["baseline"] == 0
    assert 0.3 * lifted_words < right["path"] < right["head"] < right["head+path"]
    assert right["head"] > 0.5 * lifted_words
    assert right["head+path"] > 0.6 * lifted_words


def test_base_relations_that_occur_encoded_only_are_added() -> None:
    undoer = Deprojectivizer(["root", "acl↑nsubj↓"], "head+path")
    assert undoer.decoded_relations == ["root", "acl↑nsubj↓", "acl", "nsubj"]
    assert undoer.n_encoded == 1


def test_relations_are_left_alone_without_encoding() -> None:
    assert undo([0, 1], ["a↑b", "x\\↓"], "baseline") == ([0, 1], ["a↑b", "x\\↓"])


@given(st.text(), st.text(), st.booleans(), st.booleans())
def test_every_relation_can_be_encoded(base: str, head: str, lifted: bool, on_path: bool) -> None:
    for scheme in MARKING:
        label = LiftedLabel(base, lifted, head if lifted and scheme != "path" else None, on_path and scheme != "head")
        assert decode(encode(label), scheme) == label


def test_a_relation_that_is_not_utf8_survives() -> None:
    label = b"caf\xe9".decode("utf-8", "surrogateescape")
    lifted, encoded, _ = lift([2, 0, 2, 1], [label] * 4, "head")
    assert undo(lifted, encoded, "head") == ([2, 0, 2, 1], [label] * 4)


def test_sentences_of_a_corpus_do_not_mix() -> None:
    relations = Interner(["nsubj", "root", "obj", "acl"])
    heads, labels = [2, 0, 2, 1], [0, 1, 2, 3]
    all_heads, all_labels = array("i", heads * 3), array("i", labels * 3)
    offsets = array("i", [0, 4, 4, 8, 12])
    assert projectivize(all_heads, all_labels, offsets, relations, "head") == 3
    assert list(all_heads) == [2, 0, 2, 2] * 3
    undoer = Deprojectivizer(relations.strings, "head")
    assert undoer.undo_all(all_heads, all_labels, offsets) == 3
    assert (list(all_heads), list(all_labels)) == (heads * 3, labels * 3)


def test_nothing_changes_if_a_sentence_is_not_a_tree() -> None:
    heads, labels = array("i", [2, 0, 2, 1, 2, 1]), array("i", [0] * 6)
    relations = Interner(["dep"])
    with pytest.raises(TreewrightError, match="sentence 2 is not a tree"):
        projectivize(heads, labels, array("i", [0, 4, 6]), relations, "head")
    assert list(heads) == [2, 0, 2, 1, 2, 1]
    assert relations.strings == ["dep"]


def test_undoing_keeps_heads_that_are_not_a_tree_and_cleans_labels() -> None:
    for heads in ([2, 1], [0, 7], [-1, 1]):
        assert undo(heads, ["a↑b", "b"], "head") == (heads, ["a", "b"])


def test_labels_outside_the_relations_are_refused_or_left() -> None:
    with pytest.raises(ValueError, match="not in the relations"):
        projectivize(array("i", [0]), array("i", [4]), array("i", [0, 1]), Interner(["dep"]), "head")
    labels = array("i", [-1, 0, 99])
    Deprojectivizer(["a↑b"], "head").undo_all(array("i", [0, 1, 1]), labels, array("i", [0, 3]))
    assert list(labels) == [-1, 1, 99]


def test_an_unknown_scheme_is_refused_with_the_known_ones() -> None:
    with pytest.raises(TreewrightError, match="baseline, head, path, head\\+path"):
        Deprojectivizer([], "tail")


@pytest.mark.parametrize("scheme", MARKING)
def test_a_long_sentence_with_many_crossings_ends(scheme: str) -> None:
    n = 100_000
    heads = [0, *range(1, n)]
    for word in range(10, n, 10):  # each such word hangs on the child of its head's head
        heads[word - 1] = word - 3
        heads[word - 2] = word - 4
    lifted, encoded, _ = lift(heads, ["dep"] * n, scheme)
    assert is_projective(array("i", lifted))
    assert lifted != heads
    undone, labels = undo(lifted, encoded, scheme)
    assert labels == ["dep"] * n
    assert undone.count(0) == 1
