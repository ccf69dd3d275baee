"""The tagger: it learns the toy treebank, its file brings it back, and damaged parts are refused."""

from __future__ import annotations

from array import array
from functools import cache
from random import Random

import pytest
from treewright.features.word_clusters import WordClusters, cluster_key
from treewright.kinds.tagger.decoder import sign_tags
from treewright.kinds.tagger.tags import MOST_COARSE, TagSet, coarse_columns, components_of
from treewright.kinds.tagger.words import EncodedWords
from treewright.learners.frozen import prune
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.through_a_file import again, kept
from tests.toy import TEST, TRAIN
from treewright.errors import CombinationError, ModelFileError, TreebankError
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.schema import check
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tagger.training import column_accuracy, strategy, train_tagger
from treewright.kinds.tagger.vocabulary import known_words
from treewright.steps.blocks import block_of
from treewright.steps.familiarity import USUAL
from treewright.training.gathering import Gathered
from treewright.training.loop import Training
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU


@cache
def toy_tagger() -> Tagger:
    return train_tagger(read_blocks(TRAIN), TaggerRecipe(iterations=4))


def test_the_toy_treebank_is_learnt() -> None:
    tagger = toy_tagger()
    assert tagger.columns == ["LEMMA", "UPOS", "FEATS"]
    scores = column_accuracy(tagger, list(read_blocks(TEST)))
    assert min(scores.values()) > 95, scores


def test_only_its_columns_change() -> None:
    text = (
        "# text = don't  go\n0.1\tghost\t_\t_\t_\t_\t_\t_\t3:x\t_\n"
        "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n1\tdo\tx\tY\tZ\tA=b\t2\tdep\t_\t_\n2\tn't\t_\t_\tQ\t_\t0\troot\t_\tM=1\n\n"
    )
    block = Block(text.encode(), CONLLU, "t")
    tagged = toy_tagger().annotate(block).decode()
    for before, after in zip(text.split("\n"), tagged.split("\n"), strict=True):
        old, new = before.split("\t"), after.split("\t")
        if len(old) == 10 and old[0].isdigit():
            assert [new[k] for k in (0, 1, 4, 6, 7, 8, 9)] == [old[k] for k in (0, 1, 4, 6, 7, 8, 9)]
            assert new[3] != "Y"
        else:
            assert before == after


def test_settings_and_arrays_bring_it_back() -> None:
    tagger = toy_tagger()
    same = again(tagger)
    for block in read_blocks(TEST):
        assert same.annotate(block) == tagger.annotate(block)


@pytest.mark.parametrize(
    "name", ["known.masks", "lemmas.rules", "lexicon.classes", "lexicon.class_codes", "lexicon.closed", "lemmas.times"]
)
def test_every_key_of_a_file_has_its_value(name: str) -> None:
    header, arrays = kept(toy_tagger())
    check(header, arrays)
    width = 8 if name == "lexicon.class_codes" else 4 if name == "known.masks" else 1 if name == "lexicon.closed" else 2
    with pytest.raises(ModelFileError, match="damaged"):
        check(header, {**arrays, name: arrays[name][:-width]})


def test_words_of_a_file_are_of_a_class_that_it_has() -> None:
    """Here there is one class only."""
    block = Block(b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n" * 3, CONLLU, "x")
    header, arrays = kept(train_tagger([block]))
    assert arrays["lexicon.classes"] == array("H", [0]).tobytes()
    check(header, arrays)
    with pytest.raises(ModelFileError, match=r"lexicon.classes.*outside of 0 to 0"):
        check(header, {**arrays, "lexicon.classes": memoryview(array("H", [1]).tobytes())})


def test_a_tagger_with_fewer_weights_is_smaller_and_else_the_same() -> None:
    tagger = toy_tagger()
    fewer = tagger.with_weights(prune(tagger.weights, 40))
    assert 0 < len(fewer.weights) < len(tagger.weights)
    (few, _), (whole, _) = kept(fewer), kept(tagger)
    assert few["settings"] | {"weights": None} == whole["settings"] | {"weights": None}
    same = tagger.with_weights(tagger.weights)
    for block in read_blocks(TEST):
        assert same.annotate(block) == tagger.annotate(block)


def test_same_seed_same_tagger() -> None:
    same = kept(train_tagger(read_blocks(TRAIN), TaggerRecipe(iterations=4)))[1]
    for name, data in kept(toy_tagger())[1].items():
        assert same[name] == data, name


def test_a_tag_is_the_sum_of_its_parts() -> None:
    assert components_of(("NOUN", "NN", "Case=Nom|Number=Sing")) == [
        "UPOS=NOUN",
        "XPOS=NN",
        "FEATS=Case=Nom|Number=Sing",
        "Case=Nom",
        "Number=Sing",
    ]
    tags = TagSet([("NOUN", "_", "_"), ("VERB", "_", "_")])
    assert tags.components[:1] == ["UPOS=NOUN"]
    assert len(tags) == 2


def test_the_tags_of_signs() -> None:
    tags = [("NOUN", "", ""), ("PUNCT", "a", ""), ("SYM", "", ""), ("PUNCT", "b", "")]
    assert sign_tags(tags) == [[], [1, 3], [2], [1, 3, 2]]
    assert sign_tags(tags[:2]) == [[], [1], [1], [1]]
    assert sign_tags(tags[:1]) == [[], [], [], []]  # then every tag is tried


def test_unknown_signs_are_what_they_may_be() -> None:
    """After the noun here, nearly all are punctuation, but a currency is a symbol."""
    line = "1\ta\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\t{}\t_\t{}\t_\t_\t1\tx\t_\t_\n\n"
    signs = [(".", "PUNCT"), ("!", "PUNCT"), ("?", "PUNCT"), (";", "PUNCT"), ("+", "SYM")] * 8
    text = "".join(line.format(*sign) for sign in signs)
    tagger = train_tagger([Block(text.encode(), CONLLU, "x")], TaggerRecipe(iterations=3, seeds=1))
    tagged = tagger.tagged(Block("".join(line.format(sign, "_") for sign in "§€").encode(), CONLLU, "x"))
    assert [tagged.value(word, tagged.layout.upos) for word in (1, 3)] == [b"PUNCT", b"SYM"]


def test_an_empty_form_has_no_lemma() -> None:
    assert toy_tagger().annotate(Block(b"1\t\t" + b"_\t" * 7 + b"_\n\n", CONLLU, "x")).split(b"\t")[2] == b"_"


def test_a_treebank_without_tags_is_refused() -> None:
    block = Block(b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", CONLLU, "bare.conllu")
    lemmas = Block(b"1\ta\tb\t_\t_\t_\t0\troot\t_\t_\n\n", CONLLU, "lemmas.conllu")
    for untagged in (block, lemmas):
        with pytest.raises(TreebankError, match=r"no tags[^:]*(\n.*)*A tagger needs UPOS, XPOS or FEATS"):
            train_tagger([untagged])
    with pytest.raises(TreebankError, match="no words"):
        train_tagger([])


def test_a_tagger_goes_on_with_the_columns_that_it_fills() -> None:
    block = Block(b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", CONLLU, "x")
    with pytest.raises(CombinationError, match="go on from fills LEMMA, UPOS, FEATS, and the treebank UPOS"):
        train_tagger([block], base=toy_tagger())


def test_a_tagger_that_goes_on_remembers_the_lemmas_of_words_that_do_not_come_again() -> None:
    few = [b"1\tsheep\tsheep\tNOUN\t_\tNumber=Plur\t0\troot\t_\t_\n\n"]
    prepared = strategy(TaggerRecipe(iterations=1), toy_tagger())
    more = Training(prepared, Gathered("few", [Block(text * 3, CONLLU, "few") for text in few])).run()
    assert isinstance(more, Tagger)
    assert column_accuracy(more, list(read_blocks(TEST)))["LEMMA"] > 90


def test_what_a_file_knows_of_a_text_is_what_its_tagger_knows() -> None:
    header, arrays = kept(toy_tagger())
    text = "".join(f"1\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n\n" for form in ("the", "The", "xyzzy", "!"))
    found = known_words(header, arrays, Block(text.encode(), CONLLU, "x"))
    assert found == (3, 1, 1, toy_tagger().info["unseen"])
    assert found.usual != USUAL
    assert known_words({**header, "info": {}}, arrays, Block(text.encode(), CONLLU, "x")).usual == USUAL


def test_a_tagger_says_how_much_of_a_text_like_its_own_it_would_not_know() -> None:
    """A word that occurs twice would be unknown without one of the two; names tell nothing."""
    line = "1\t{}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    text = "".join(line.format(form) for form in ("a", "b", "b", "c", "C", "c", "c", "c"))
    assert train_tagger([Block(text.encode(), CONLLU, "x")]).info["unseen"] == 0.375
    named = text.replace("1\tc\t_\tNOUN", "1\tc\t_\tPROPN")
    assert train_tagger([Block(named.encode(), CONLLU, "x")]).info["unseen"] == 0.875


def test_a_treebank_with_xpos_only() -> None:
    lines = "1\tdogs\t_\t_\tNNS\t_\t2\tx\t_\t_\n2\tbark\t_\t_\tVBP\t_\t0\troot\t_\t_\n\n"
    tagger = train_tagger([Block(lines.encode() * 20, CONLLU, "x")])
    assert tagger.columns == ["XPOS"]
    block = Block(lines.replace("NNS", "_").replace("VBP", "_").encode(), CONLLU, "x")
    assert tagger.annotate(block).decode() == lines


def test_dropout_teaches_endings() -> None:
    """Words met twice could be learnt by heart; with dropout their endings tell the tag of a new word."""
    lines = "".join(
        f"1\t{stem}{ending}\t_\t{tag}\t_\t_\t0\troot\t_\t_\n\n" * 2
        for number, stem in enumerate(a + b + c for a in "bdfgk" for b in "aio" for c in "lmnr")
        for ending, tag in ((("ok", "NOUN"), ("et", "VERB"))[number % 2],)
    )
    new = "".join(f"1\t{form}\t_\t_\t_\t_\t0\troot\t_\t_\n\n" for form in ("zuvok", "zuvet"))
    tagger = train_tagger([Block(lines.encode(), CONLLU, "x")], TaggerRecipe(dropout=2.0))
    tagged = tagger.tagged(Block(new.encode(), CONLLU, "x"))
    assert [tagged.value(word, 3) for word in range(2)] == [b"NOUN", b"VERB"]
    with pytest.raises(CombinationError, match="dropout"):
        TaggerRecipe(dropout=-1.0).check()


def test_xpos_that_repeat_feats_are_not_coarse() -> None:
    """Where XPOS are many, UPOS alone is coarse, and what UPOS and FEATS tell is no component of its own."""
    few = [("NOUN", f"N{number}", f"Case={number}") for number in range(MOST_COARSE)]
    many = [*few, ("NOUN", "more", f"Case={MOST_COARSE}"), ("NOUN", "other", "Case=0")]
    assert coarse_columns(few) == 2
    assert coarse_columns(many) == 1


def test_clusters_tell_the_tags_of_unknown_words() -> None:
    """Half of the words of a cluster are in the treebank; the others can only be told by their cluster."""
    stems = [a + b + c for a in "bdfgk" for b in "aio" for c in "lmnr"]
    keys = array("Q", [cluster_key(stem) for stem in stems])
    numbers = array("H", [number % 2 for number in range(len(stems))])
    clusters = WordClusters(keys, numbers, array("I", [0, 1]), array("B", [1, 1]), "made up")
    tags = ["NOUN" if number % 2 else "VERB" for number in range(len(stems))]
    order = [(number * 7) % len(stems) for number in range(len(stems))]
    seen, unseen = order[:30], order[30:]

    def block(chosen: list[int]) -> Block:
        lines = (f"1\t{stems[k]}\t_\t{tags[k]}\t_\t_\t0\troot\t_\t_\n\n" for k in chosen)
        return Block("".join(lines).encode(), CONLLU, "x")

    tagger = train_tagger([block(seen)], clusters=clusters)
    assert column_accuracy(tagger, [block(unseen)])["UPOS"] == 100
    same = again(tagger)
    assert same.annotate(block(unseen)) == tagger.annotate(block(unseen))
    assert same.clusters is not None
    assert same.clusters.source == "made up"
    assert tagger.with_weights(tagger.weights).clusters is clusters
    header, arrays = kept(tagger)
    with pytest.raises(ModelFileError, match="clusters"):
        check(header, {**arrays, "clusters.numbers": arrays["clusters.numbers"][:-2]})
    with pytest.raises(CombinationError, match="clusters"):
        train_tagger([block(seen)], base=tagger, clusters=WordClusters(keys, numbers, clusters.paths, clusters.depths))


def test_a_tag_of_one_form_is_found_again() -> None:
    """The word occurs too seldom to be closed, and no other word has its tag."""
    lines = "".join(
        f"1\t{form}\t_\t{tag}\t_\t_\t0\troot\t_\t_\n\n" for form, tag in [("so", "CONJ"), ("go", "VERB")] * 9
    )
    block = Block(lines.encode(), CONLLU, "x")
    assert column_accuracy(train_tagger([block]), [block])["UPOS"] == 100


@pytest.mark.parametrize("search", ["greedy", "twice"])
def test_what_is_kept_of_words_changes_no_tag(search: str) -> None:
    """A sentence is tagged alike alone and after others, with the tagger's own scratch and with that of another."""
    blocks = list(read_blocks(TRAIN))
    taggers = [train_tagger(blocks[:1], TaggerRecipe(iterations=n, search=search)) for n in (1, 2)]
    random = Random(7)
    forms = sorted({word.form for sentence in tw.read(TEST) for word in sentence})
    sentences = [[random.choice(forms) + random.choice(("", "", "x", "s")) for _ in range(9)] for _ in range(60)]
    shared, found = EncodedWords(), []
    for words in sentences:
        block = block_of(words)
        for tagger in taggers:
            out, alone = array("i", bytes(4 * 9)), array("i", bytes(4 * 9))
            tagger.decoder.tag(block, shared, out)
            tagger.decoder.tag(block, EncodedWords(), alone)
            assert out == alone == tagger.tag_block(block)
            found.append(out)
    assert found[::2] != found[1::2]
