"""Sentences and tokens: views of the text that change only what they are told to."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence

HARD = (
    "# newdoc id = d1\n"
    "# sent_id = hard-1\n"
    "# a comment without a value\n"
    "# text = don't 10 000 \n"
    "0.1\tsilent\t_\tPRON\t_\t_\t_\t_\t2:nsubj\t_\n"
    "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|Url=a?b=c\n"
    "1\tdo\tdo\tAUX\tVBP\tMood=Ind|Tense=Pres\t3\taux\t3:aux\t_\n"
    "2\tn't\tnot\tPART\tRB\tPolarity=Neg\t3\tadvmod\t0.1:x|3:advmod:neg\tflag|Key=a=b\n"
    "# in between\n"
    "3\t10 000\t10 000\tNUM\tCD\t_\t0\troot\t0:root\t_\n"
    "3.1\tgone\t_\tVERB\t_\t_\t_\t_\t3:conj\tCopyOf=3\n"
    "\n"
)


@pytest.fixture
def hard():
    return Sentence.from_conllu(HARD)


def test_parts(hard):
    assert [token.id for token in hard.tokens] == ["0.1", "1-2", 1, 2, 3, "3.1"]
    assert [word.form for word in hard.words] == ["do", "n't", "10 000"]
    assert [token.form for token in hard.multiword_tokens] == ["don't"]
    assert [token.form for token in hard.empty_nodes] == ["silent", "gone"]
    assert hard.multiword_tokens[0].span == range(1, 3)
    assert hard.empty_nodes[0].span == range(0)
    assert hard[1].span == range(2, 3)
    assert [(t.is_word, t.is_multiword, t.is_empty) for t in hard.tokens[:3]] == [
        (False, False, True),
        (False, True, False),
        (True, False, False),
    ]
    assert hard.comments[2] == "# a comment without a value"
    assert hard.comments[-1] == "# in between"
    assert hard.sent_id == "hard-1"


def test_columns(hard):
    token = hard[1]
    assert (token.form, token.lemma, token.upos, token.xpos) == ("n't", "not", "PART", "RB")
    assert (token.head, token.deprel) == (3, "advmod")
    assert hard.empty_nodes[0].head is None
    assert token.feats == {"Polarity": "Neg"}
    assert token.feats == "Polarity=Neg"
    assert token.misc == {"flag": None, "Key": "a=b"}
    assert token.deps == [("0.1", "x"), (3, "advmod:neg")]
    assert token.deps[0] == ("0.1", "x")
    assert hard.multiword_tokens[0].misc["Url"] == "a?b=c"
    assert token["MISC"] == "flag|Key=a=b"


def test_sequence(hard):
    assert len(hard) == 3
    assert [word.id for word in hard] == [1, 2, 3]
    assert hard[-1].form == "10 000"
    assert [word.id for word in hard[:2]] == [1, 2]


def test_tree(hard):
    assert hard.heads == [3, 3, 0]
    assert hard.deprels == ["aux", "advmod", "root"]
    assert [word.id for word in hard.children(3)] == [1, 2]
    assert hard.children(1) == []
    assert hard.root is hard[2]
    hard[0].head = 0
    assert hard.root is hard[0]
    assert [word.id for word in hard.children(3)] == [2]
    hard[0].head = hard[2].head = None
    assert hard.root is None


def test_text_comes_from_the_comment_or_the_words(hard):
    assert hard.text == "don't 10 000"
    del hard.metadata["text"]
    assert hard.text == "don't10 000"
    assert Sentence.from_words(["a", "b"]).text == "a b"


def test_reading_all_of_it_changes_nothing(hard):
    for token in hard.tokens:
        dict(token.feats), dict(token.misc), list(token.deps), token.head, repr(token)
    dict(hard.metadata)
    assert hard.to_conllu() == HARD
    assert hard.to_bytes() == HARD.encode()


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("blank", ["", "\n", "\n\n"])
def test_a_change_leaves_the_rest_as_it_was(line_end, bom, blank):
    text = bom + (HARD[:-1] + blank).replace("\n", line_end)
    sentence = Sentence.from_conllu(text)
    assert sentence.to_conllu() == text
    sentence[0].head = 2
    sentence[0].deprel = "new"
    assert sentence.to_conllu() == text.replace("\t3\taux\t", "\t2\tnew\t")
    sentence.metadata["sent_id"] = "other"
    assert sentence.to_conllu() == text.replace("\t3\taux\t", "\t2\tnew\t").replace("hard-1", "other")


def test_every_column_can_be_set(hard):
    word = hard[0]
    word.form, word.lemma, word.upos, word.xpos = "f", "l", "u", "x"
    word.feats = {"A": "1", "B": "2"}
    word.head, word.deprel = None, "d"
    word.deps = [(0, "root"), ("1.1", "a")]
    word.misc = "M=1|flag"
    assert word.line == "1\tf\tl\tu\tx\tA=1|B=2\t_\td\t0:root|1.1:a\tM=1|flag\n"


def test_features_are_inserted_in_order_and_misc_at_the_end(hard):
    word = hard[0]
    word.feats["Number"] = "Sing"
    word.feats["abbr"] = "Yes"
    word.feats["Zzz"] = "1"
    word.feats["Mood"] = "Imp"
    assert str(word.feats) == "abbr=Yes|Mood=Imp|Number=Sing|Tense=Pres|Zzz=1"
    word.misc["Z"] = "1"
    word.misc["A"] = None
    assert str(word.misc) == "Z=1|A"
    del word.misc["Z"], word.misc["A"]
    assert str(word.misc) == "_"
    assert len(word.misc) == 0
    with pytest.raises(KeyError):
        del word.misc["A"]
    with pytest.raises(KeyError):
        word.feats["None"]


def test_a_key_that_occurs_twice(hard):
    word = hard[0]
    word.misc = "a=1|b=2|a=3"
    assert word.misc["a"] == "1"
    assert len(word.misc) == 2
    word.misc["a"] = "4"
    assert str(word.misc) == "a=4|b=2|a=3"
    del word.misc["a"]
    assert str(word.misc) == "b=2"


def test_deps_write_through(hard):
    deps = hard[1].deps
    deps.append((1, "y"))
    deps[0] = (0, "root")
    del deps[1]
    assert hard[1]["DEPS"] == "0:root|1:y"
    deps[:] = []
    assert hard[1]["DEPS"] == "_"
    assert deps == []


@pytest.mark.parametrize(
    "change",
    [
        lambda s: setattr(s[0], "form", "a\tb"),
        lambda s: setattr(s[0], "lemma", "a\nb"),
        lambda s: setattr(s[0], "lemma", "a\0b"),
        lambda s: setattr(s[0], "lemma", "\ud800"),
        lambda s: setattr(s[0], "head", -1),
        lambda s: s[0].misc.update({"a|b": "c"}),
        lambda s: s[0].feats.update({"": "c"}),
        lambda s: s[0].deps.append((1, "a|b")),
        lambda s: s[0].__setitem__("ID", "7"),
        lambda s: s[0].__setitem__("NONE", "7"),
        lambda s: s[0]["NONE"],
        lambda s: s.metadata.update({"a=b": "c"}),
        lambda s: s.metadata.update({"a": "b\nc"}),
    ],
)
def test_what_would_break_the_file_is_refused(hard, change):
    with pytest.raises(TreewrightError):
        change(hard)
    assert hard.to_conllu() == HARD


def test_metadata_keeps_order_and_adds_after_the_leading_comments(hard):
    assert list(hard.metadata)[:4] == ["newdoc id", "sent_id", "a comment without a value", "text"]
    assert hard.metadata["a comment without a value"] is None
    hard.metadata["new"] = "1"
    assert hard.to_conllu() == HARD.replace("000 \n0.1", "000 \n# new = 1\n0.1")
    del hard.metadata["new"]
    assert hard.to_conllu() == HARD
    with pytest.raises(KeyError):
        hard.metadata["new"]
    with pytest.raises(KeyError):
        del hard.metadata["new"]
    bare = Sentence.from_conllu("1\ta" + "\t_" * 8 + "\r\n\r\n")
    bare.metadata["sent_id"] = "x"
    assert bare.to_conllu().startswith("# sent_id = x\r\n1\ta")


def test_a_comment_after_one_without_line_end():
    sentence = Sentence.from_conllu("# a = 1")
    sentence.metadata["b"] = "2"
    assert sentence.to_conllu() == "# a = 1\n# b = 2\n"


def test_an_empty_value_is_written_as_an_underscore(hard):
    hard[0].lemma = ""
    assert hard[0].line.startswith("1\tdo\t_\tAUX")


def test_a_sentence_without_words():
    sentence = Sentence.from_conllu("# only = comments\n\n")
    assert (len(sentence), sentence.heads, sentence.root, sentence.text) == (0, [], None, "")
    assert sentence
    sentence.metadata["more"] = None
    assert sentence.to_conllu() == "# only = comments\n# more\n\n"
    assert len(Sentence.from_words([])) == 0


def test_from_words():
    sentence = Sentence.from_words(
        [
            "The",
            {"form": "big cat", "upos": "NOUN", "head": 0, "deprel": "root", "feats": {"A": "b"}},
            {"form": "x", "head": 2, "misc": {"flag": None}, "deps": [(2, "d")], "xpos": "N"},
        ],
        metadata={"sent_id": "s", "note": None},
    )
    assert sentence.to_conllu() == (
        "# sent_id = s\n# note\n"
        "1\tThe\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tbig cat\t_\tNOUN\t_\tA=b\t0\troot\t_\t_\n"
        "3\tx\t_\t_\tN\t_\t2\t_\t2:d\tflag\n\n"
    )
    assert sentence.heads == [None, 0, 2]


@pytest.mark.parametrize("words", [[""], [{"lemma": "a"}], ["a\tb"], ["a\nb"], [{"form": "a", "pos": "N"}]])
def test_from_words_refuses_what_cannot_be_a_word(words):
    with pytest.raises(TreewrightError):
        Sentence.from_words(words)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "found 0"),
        (HARD + HARD, "found 2"),
        ("1\ta\n\n", r"expected 10 columns \(conllu\), found 2"),
        ("2\ta" + "\t_" * 8 + "\n\n", "expected ID 1, found `2`"),
        ("1\ta\t_\t_\t_\t_\tx\t_\t_\t_\n\n", "HEAD is `x`"),
    ],
)
def test_from_conllu_wants_one_good_sentence(text, problem):
    with pytest.raises(TreebankError, match=problem):
        Sentence.from_conllu(text)


def test_equality_is_of_text_and_columns(hard):
    other = Sentence.from_conllu(HARD)
    assert hard == other
    assert hard[0] == hard[0] != other[0]  # each token is equal to itself alone
    other[0].head = 2
    assert hard != other
    assert hard != HARD


def test_pickle_keeps_changes(hard):
    hard[0].form = "changed"
    copy = pickle.loads(pickle.dumps(hard))
    assert copy == hard
    assert copy.layout is CONLLU
    token = pickle.loads(pickle.dumps(hard.tokens[1]))
    assert (token.id, token.line) == (hard.tokens[1].id, hard.tokens[1].line)


def test_repr_is_short(hard):
    assert repr(hard) == '<Sentence hard-1, 3 words: "don\'t 10 000">'
    assert repr(hard[0]) == "<Token 1 'do' aux→3>"
    assert len(repr(Sentence.from_words(["word"] * 1000))) < 80


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r"), max_size=6)
ROW = st.tuples(CELL, CELL, CELL, CELL, CELL, st.sampled_from("012_"), CELL, CELL, CELL)


@given(
    st.lists(CELL, max_size=3),
    st.lists(ROW, min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", " ", "\t"]),
)
def test_any_text_comes_back(comments, rows, line_end, padding):
    lines = [f"#{comment}" for comment in comments]
    lines += ["\t".join([str(k), *row]) for k, row in enumerate(rows, start=1)]
    text = line_end.join([*lines, padding, ""])
    sentence = Sentence.from_conllu(text)
    assert len(sentence) == len(rows)
    for word, row in zip(sentence, rows, strict=True):
        assert (word.form, str(word.feats), str(word.misc)) == (row[0], row[4], row[8])
        dict(word.feats), list(word.deps), dict(word.misc)
    assert sentence.to_conllu() == text
    assert pickle.loads(pickle.dumps(sentence)).to_bytes() == text.encode()
