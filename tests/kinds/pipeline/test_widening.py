"""Sentences that a treebank lacks, made of its trees."""

from __future__ import annotations

import random

import pytest

import treewright as tw
from tests.every_kind import treebank as treebank_with_graphs
from tests.toy import DEV, TRAIN
from treewright.errors import CombinationError
from treewright.kinds.pipeline.widening import parts
from treewright.kinds.pipeline.widening.changes import phrases
from treewright.kinds.pipeline.widening.facts import Facts, first_auxiliary
from treewright.kinds.pipeline.widening.trees import Tree, trees_in
from treewright.kinds.pipeline.widening.widening import CHANGES, MEMBERS, PARTS, chosen_members, widened
from treewright.training.gathering import Gathered, gather, own_part

SEEDS = range(60)


def treebank(*sentences: str) -> Gathered:
    """Return a treebank of sentences whose words are like `dog/NOUN/2/nsubj` or `is/AUX/3/cop/VerbForm=Fin`."""
    lines = []
    for sentence in sentences:
        for number, word in enumerate(sentence.split(), 1):
            form, upos, head, relation, *feats = word.split("/")
            lines.append(f"{number}\t{form}\t{form.lower()}\t{upos}\t_\t{(*feats, '_')[0]}\t{head}\t{relation}\t_\t_\n")
        lines.append("\n")
    return gather("".join(lines).encode())


def trees_of(data: Gathered) -> list[Tree]:
    return [tree for block in data.blocks for tree in trees_in(block)]


def text_of(tree: Tree) -> str:
    return " ".join(tree.form(word) for word in tree.words)


def made(name: str, *sentences: str) -> set[str]:
    """Return all that a part makes of the first sentence; those after it say what the treebank is like."""
    trees = trees_of(treebank(*sentences))
    facts, part = Facts(trees), PARTS[name][0]
    return {text_of(tree) for seed in SEEDS for tree in part(trees[0], facts, random.Random(seed))}


def changed(name: str, *sentences: str) -> set[str]:
    """Return all that a change makes of the first sentence."""
    trees = trees_of(treebank(*sentences))
    facts, change = Facts(trees), CHANGES[name][0]
    return {text_of(change(trees[0], facts, random.Random(seed))) for seed in SEEDS}


LONG = (
    "Yesterday/ADV/5/advmod two/NUM/4/nummod very/ADV/2/advmod dogs/NOUN/5/nsubj chased/VERB/0/root the/DET/7/det "
    "cat/NOUN/5/obj that/PRON/9/nsubj slept/VERB/7/acl:relcl ./PUNCT/5/punct"
)
SAID = (
    "They/PRON/2/nsubj said/VERB/0/root that/SCONJ/6/mark the/DET/5/det dogs/NOUN/6/nsubj bark/VERB/2/ccomp "
    "loudly/ADV/6/advmod ./PUNCT/2/punct"
)
SOUP = "The/DET/2/det soup/NOUN/4/nsubj is/AUX/4/cop hot/ADJ/0/root ./PUNCT/4/punct"
ASKED = "Are/AUX/3/cop you/PRON/3/nsubj ready/ADJ/0/root ?/PUNCT/3/punct"


def test_a_pruned_sentence_keeps_subject_and_object_but_not_all_modifiers() -> None:
    found = made("pruned", LONG)
    assert "Two dogs chased the cat ." in found
    assert "Yesterday two dogs chased the cat ." in found
    assert "Two dogs chased the cat that slept ." in found
    assert LONG not in found
    assert all("dogs chased the cat" in text for text in found)


def test_a_part_is_a_tree_with_its_root() -> None:
    trees = trees_of(treebank(LONG))
    for seed in SEEDS:
        for tree in parts.pruned(trees[0], Facts(trees), random.Random(seed)):
            forms = [tree.form(word) for word in tree.words]
            assert forms[tree.root] == "chased"
            assert tree.relation(tree.root) == "root"
            assert list(tree.heads).count(-1) == 1
            assert forms[tree.heads[forms.index("dogs")]] == "chased"
            assert forms[tree.heads[forms.index("the")]] == "cat"


def test_clauses_become_sentences_without_what_binds_them() -> None:
    assert made("clauses", SAID) == {"The dogs bark .", "The dogs bark loudly ."}


def test_clauses_need_a_subject_a_finite_verb_and_the_usual_stop() -> None:
    assert not made("clauses", SAID.replace("6/nsubj", "6/obl"))
    assert not made("clauses", SAID.replace("6/nsubj", "6/nsubj/PronType=Rel"))
    assert not made("clauses", SAID.replace("2/ccomp", "2/ccomp/VerbForm=Inf"))
    assert made("clauses", SAID.replace("2/ccomp", "2/ccomp/VerbForm=Fin"))
    assert not made("clauses", SAID.replace("./", "?/"), SOUP, SOUP)


def test_bare_clauses_are_verbs_with_their_subjects_and_objects() -> None:
    found = made("bare", LONG)
    assert {"Two dogs chased the cat .", "Two dogs chased the cat that slept ."} < found
    assert not any("Yesterday" in text for text in found)
    assert made("bare", SAID) == {"The dogs bark .", "They said ."}
    assert not made("bare", SOUP)
    assert not made("bare", LONG.replace("0/root", "0/root/VerbForm=Inf"))
    command = (
        "Now/ADV/2/advmod feed/VERB/0/root/Mood=Imp|VerbForm=Fin hens/NOUN/2/obj here/ADV/2/advmod ./PUNCT/2/punct"
    )
    assert made("bare", command) == {"Feed hens ."}
    assert not made("bare", command.replace("Mood=Imp|", ""))


def test_questions_are_made_where_the_treebank_inverts() -> None:
    assert made("questions", SOUP.replace("hot", "very/ADV/5/advmod hot").replace("/4/", "/5/"), *[ASKED] * 12) == {
        "Is the soup hot ?",
        "Is the soup very hot ?",
    }
    assert not made("questions", SOUP, *[ASKED] * 3)
    straight = "You/PRON/3/nsubj are/AUX/3/cop ready/ADJ/0/root ?/PUNCT/3/punct"
    assert not made("questions", SOUP, *[ASKED] * 12, *[straight] * 13)


def test_questions_of_the_treebank_are_pruned_and_others_ask_with_its_adverbs() -> None:
    asked = ASKED.replace("?/PUNCT/3", "now/ADV/3/advmod ?/PUNCT/3")
    assert made("questions", asked, SOUP, *[ASKED] * 12) == {"Are you ready ?", "Are you ready now ?"}
    why = "Why/ADV/4/advmod/PronType=Int did/AUX/4/aux they/PRON/4/nsubj bark/VERB/0/root ?/PUNCT/4/punct"
    will = "Dogs/NOUN/3/nsubj will/AUX/3/aux bark/VERB/0/root ./PUNCT/3/punct"
    assert made("questions", will, why, *[ASKED] * 12) == {"Will dogs bark ?", "Why will dogs bark ?"}
    where = "Where/ADV/0/root/PronType=Int is/AUX/1/cop he/PRON/1/nsubj ?/PUNCT/1/punct"
    assert made("questions", SOUP, where) == {"Where is the soup ?"}  # also where no statement is inverted


def test_questions_ask_for_objects_and_of_predicates() -> None:
    will = "Dogs/NOUN/3/nsubj will/AUX/3/aux chase/VERB/0/root two/NUM/5/nummod cats/NOUN/3/obj ./PUNCT/3/punct"
    what = "What/PRON/4/obj/PronType=Int did/AUX/4/aux they/PRON/4/nsubj eat/VERB/0/root ?/PUNCT/4/punct"
    assert made("questions", will, what, *[ASKED] * 12) == {
        "Will dogs chase two cats ?",
        "What will dogs chase ?",
    }
    how = "Tell/VERB/0/root me/PRON/1/iobj how/ADV/4/advmod/PronType=Int old/ADJ/1/ccomp he/PRON/4/nsubj is/AUX/4/cop"
    very = SOUP.replace("hot", "very/ADV/5/advmod hot").replace("/4/", "/5/")
    found = made("questions", very, how, *[ASKED] * 12)
    assert found == {"Is the soup hot ?", "Is the soup very hot ?", "How hot is the soup ?"}
    coat = "This/PRON/4/nsubj is/AUX/4/cop a/DET/4/det coat/NOUN/0/root ./PUNCT/4/punct"
    which = "Which/DET/2/det/PronType=Int coat/NOUN/0/root is/AUX/2/cop this/PRON/2/nsubj ?/PUNCT/2/punct"
    assert made("questions", coat, which, *[ASKED] * 12) == {"Is this a coat ?", "Which coat is this ?"}
    warm = coat.replace("a/DET/4/det coat/NOUN/0/root", "warm/ADJ/4/amod coat/NOUN/0/root")
    assert made("questions", warm, which, *[ASKED] * 12) == {
        "Is this coat ?",
        "Is this warm coat ?",
        "Which coat is this ?",
    }


def test_questions_begin_small_where_the_treebank_does() -> None:
    asked = [ASKED.lower().replace("/aux/", "/AUX/").replace("/pron/", "/PRON/").replace("/adj/", "/ADJ/")] * 12
    small = [sentence.replace("/punct/", "/PUNCT/") for sentence in asked]
    assert made("questions", SOUP.replace("The", "the"), *small) == {"is the soup hot ?"}


@pytest.mark.parametrize(("n", "taken"), [(parts.MOST - 1, True), (parts.MOST, False)])
def test_a_part_has_few_words(n: int, taken: bool) -> None:
    """A clause of a verb and its objects, none of which can be left out."""
    objects = " ".join(f"x{number}/NOUN/3/obj" for number in range(n - 2))
    said = f"They/PRON/2/nsubj said/VERB/0/root sing/VERB/2/ccomp they/PRON/3/nsubj {objects} ./PUNCT/2/punct"
    assert bool(made("clauses", said)) == taken


def test_denied_statements_are_not_inverted() -> None:
    denied = (
        "The/DET/2/det soup/NOUN/5/nsubj is/AUX/5/cop not/PART/5/advmod/Polarity=Neg hot/ADJ/0/root "
        "here/ADV/5/advmod ./PUNCT/5/punct"
    )
    assert not made("questions", denied, *[ASKED] * 12)


def test_fragments_are_noun_phrases() -> None:
    found = made(
        "fragments",
        LONG.replace("that/PRON", "from/ADP").replace("9/nsubj", "9/case").replace("slept/VERB", "Rome/PROPN"),
    )
    assert "The cat from Rome" in found
    found = made("fragments", LONG)
    assert {"Two dogs", "Two dogs .", "The cat", "The cat that slept ."} <= found
    assert not any("chased" in text for text in found)


def test_words_stand_for_words_of_the_same_tags_and_arguments() -> None:
    noun = "The/DET/2/det noun/NOUN/3/nsubj slept/VERB/0/root ./PUNCT/3/punct"
    nouns = [noun.replace("noun", f"noun{letter}") for letter in "abcdefghijklmnopqrstuvw"]
    found = changed("words", SOUP, *nouns)
    assert "The soup is hot ." in found
    assert len(found) > 15
    assert all(text.startswith("The ") and text.endswith(" is hot .") for text in found)
    assert changed("words", SOUP, *nouns[:5]) == {"The soup is hot ."}


def test_phrases_stand_for_phrases_and_pronouns_that_agree() -> None:
    us = (
        "She/PRON/2/nsubj/Number=Sing|Person=3 told/VERB/0/root us/PRON/2/iobj/Number=Plur|Person=1 lies/NOUN/2/obj "
        "./PUNCT/2/punct"
    )
    others = (
        "The/DET/2/det king/NOUN/3/nsubj/Number=Sing gave/VERB/0/root his/DET/5/det men/NOUN/3/iobj/Number=Plur "
        "gold/NOUN/3/obj/Number=Sing ./PUNCT/3/punct",
        "Dogs/NOUN/2/nsubj/Number=Plur bark/VERB/0/root ./PUNCT/2/punct",
    )
    found = changed("phrases", us, *others)
    assert {"The king told his men gold .", "She told us lies .", "She told his men lies ."} <= found
    assert not any("Dogs" in text for text in found)  # a subject has the verb's number
    i = us.replace("She", "I").replace("Number=Sing|Person=3", "Number=Sing|Person=1")
    assert all(text.startswith("I ") for text in changed("phrases", i, *others))
    told = "The/DET/2/det man/NOUN/3/nsubj/Number=Sing told/VERB/0/root/Person=3 lies/NOUN/3/obj ./PUNCT/3/punct"
    assert "The man told us lies ." in changed("phrases", i, told)  # its form can be the third person, too


def test_nouns_stand_for_nouns_of_the_same_case_and_for_any_pronoun() -> None:
    acc = "They/PRON/2/nsubj/Number=Plur|Person=1 saw/VERB/0/root dogs/NOUN/2/obj/Case=Acc ./PUNCT/2/punct"
    dat = acc.replace("dogs", "wolves").replace("Acc", "Dat")
    assert changed("phrases", acc.replace("dogs", "cats"), acc, dat) == {"They saw cats .", "They saw dogs ."}
    pronoun = acc.replace("dogs/NOUN/2/obj/Case=Acc", "them/PRON/2/obj/Case=Acc|Person=3")
    assert changed("phrases", pronoun, acc, dat) == {"They saw them .", "They saw dogs .", "They saw wolves ."}
    at_the_end = pronoun.replace(" ./PUNCT/2/punct", "")  # where a phrase may have a stop after it
    assert changed("phrases", at_the_end, acc, dat) == {"They saw them"}


def test_a_phrase_keeps_its_own_arcs() -> None:
    them = "They/PRON/2/nsubj/Person=1 saw/VERB/0/root them/PRON/2/obj/Person=3 ./PUNCT/2/punct"
    dogs = "We/PRON/2/nsubj/Person=1 fed/VERB/0/root dogs/NOUN/2/obj from/ADP/5/case Rome/PROPN/3/nmod ./PUNCT/2/punct"
    trees = trees_of(treebank(them, dogs))
    made = {text_of(tree): tree.heads for tree in (phrases(trees[0], Facts(trees), random.Random(n)) for n in SEEDS)}
    assert made["They saw dogs from Rome ."] == [1, -1, 1, 4, 2, 1]


def test_auxiliaries_and_copulas_of_the_root_invert() -> None:
    slept = "Has/AUX/3/aux she/PRON/3/nsubj slept/VERB/0/root ?/PUNCT/3/punct"
    trees = trees_of(treebank(slept, SOUP, LONG))
    assert [first_auxiliary(tree, tree.children()) for tree in trees] == [0, 2, None]


def test_case_stops_and_typing_change_how_a_sentence_is_written() -> None:
    assert changed("case", SOUP) == {"THE SOUP IS HOT .", "the soup is hot ."}
    assert changed("stops", SOUP, ASKED) == {"The soup is hot", "The soup is hot .", "The soup is hot ?"}
    cafe = "Café's/NOUN/2/nsubj burnt/VERB/0/root"
    found = changed("typing", cafe)
    assert {"Cafe's burnt", "Café’s burnt", "Café's buurnt"} <= found


def test_words_whose_lemma_is_large_stay_large() -> None:
    rows = "1\t{0}\t{1}\tADJ\t_\tA=b=c|D=e\t2\tamod\t_\t_\n2\troads\troad\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    roman, old = trees_of(gather((rows.format("Roman", "Roman") + rows.format("Old", "old")).encode()))
    assert (text_of(roman.begun_small()), text_of(old.begun_small())) == ("Roman roads", "old roads")
    assert roman.features(0) == {"A": "b=c", "D": "e"}


def test_names_stay_large() -> None:
    name = "Anna/PROPN/2/nsubj sings/VERB/0/root"
    assert changed("case", name) == {"ANNA SINGS", "anna sings", "Anna sings"}


def test_made_sentences_follow_their_own_and_are_known_as_made() -> None:
    data = gather(TRAIN)
    more = widened(data, MEMBERS, seed=1)
    assert [own_part(block).data for block in more.blocks] == [block.data for block in data.blocks]
    assert data.n_words < more.n_words < 1.5 * data.n_words
    assert "sentences added: " in more.notes[-1]
    made = b"".join(block.data.removeprefix(own_part(block).data) for block in more.blocks).decode()
    assert {line.split("\t")[8] for line in made.split("\n") if line[:1].isdigit()} == {"_"}  # nothing is known of DEPS
    assert own_part(data.blocks[0]) is data.blocks[0]


def test_made_sentences_depend_on_the_seed_alone_and_are_trees() -> None:
    made = [widened(gather(TRAIN), MEMBERS, seed) for seed in (1, 1, 2)]
    first, again, other = (b"".join(block.data for block in data.blocks) for data in made)
    assert first == again != other
    assert gather(first).n_sentences == made[0].n_sentences  # gather checks what it reads


@pytest.mark.parametrize("name", MEMBERS)
def test_every_member_by_itself(name: str) -> None:
    data = treebank(LONG, SOUP, *[ASKED] * 12, *[SAID] * 13)
    assert widened(data, [name], seed=1).n_sentences > data.n_sentences


def test_no_members_change_nothing() -> None:
    data = treebank(SOUP)
    assert widened(data, (), seed=1) is data


def test_relations_of_other_schemes_are_not_cut() -> None:
    data = treebank(LONG.replace("nsubj", "SBJ").replace("obj", "OBJ"))
    assert widened(data, MEMBERS, seed=1).notes == ["sentences added: whole 1"]


def test_formats_without_misc_have_no_marks() -> None:
    row = "{}\tDogs\tdog\tN\tN\t_\t{}\tnsubj\t_\t_\n"
    data = gather(("".join(row.format(n, 2 if n != 2 else 0) for n in (1, 2, 3)) + "\n").encode(), format="conllx")
    more = widened(data, ["whole", "words"], seed=1)
    assert data.blocks[0].layout.misc < 0
    assert own_part(more.blocks[0]) is more.blocks[0]
    assert more.n_sentences == 2


def test_members_are_named() -> None:
    assert chosen_members("all") == MEMBERS
    assert chosen_members("none") == ()
    assert chosen_members("pruned, case") == ("pruned", "case")
    with pytest.raises(CombinationError, match=r"unknown name in widen 'prune'. Did you mean 'pruned'\?"):
        tw.train_pipeline(TRAIN, widen="prune")


def test_rare_patterns_are_not_too_rare() -> None:
    statement = "Dogs/NOUN/2/nsubj bark/VERB/0/root now/ADV/2/advmod here/ADV/2/advmod ./PUNCT/2/punct"
    rare = "It/PRON/3/expl is/AUX/3/cop hot/ADJ/0/root now/ADV/3/advmod here/ADV/3/advmod ./PUNCT/3/punct"
    data = treebank(*[statement] * 1900, *[rare] * 100)
    made = [text for tree in trees_of(widened(data, ["pruned"], seed=1)) if "now here" not in (text := text_of(tree))]
    assert sum(text.startswith("It") for text in made) > 0.12 * len(made)  # they are 5 % of all


def test_pipelines_learn_from_them() -> None:
    options = {"jackknife": 2, "iterations": 1, "tagger_iterations": 1, "tokenizer_iterations": 1}
    model = tw.train_pipeline(TRAIN, DEV, widen="pruned", **options)
    assert model.info["training"]["sentences"] == gather(TRAIN).n_sentences
    assert model.info["recipe"]["widen"] == "pruned"
    assert "sentences added: pruned" in " ".join(model.info["training"]["notes"])
    plain = tw.train_pipeline(TRAIN, DEV, widen="none", **options)
    assert plain.info["training"]["sentences"] == gather(TRAIN).n_sentences


def test_parsers_of_graphs_learn_from_graphs_alone() -> None:
    options = {"jackknife": 0, "iterations": 1, "tagger_iterations": 1, "tokenizer_iterations": 1}
    model = tw.train_pipeline(treebank_with_graphs(), system="dag-arc-eager", **options)
    assert model.info["training"]["sentences"] == gather(treebank_with_graphs()).n_sentences
