"""What patterns and rules say, and what is said of wrong ones: line, column, what was expected."""

from __future__ import annotations

import re

import pytest

from treewright.query import Query, find, matches
from treewright.query.language.pattern import features_of, label_with
from treewright.query.language.patterns import parse_pattern, parse_patterns
from treewright.query.language.tokens import PatternError
from treewright.query.rewriting.rewriter import Rewriter
from treewright.treebank.sentences.sentence import Sentence

SENTENCE = Sentence.from_conllu(
    "# sent_id = s1\n"
    "1\tAnn\tAnn\tPROPN\t_\tNumber=Sing\t2\tnsubj\t2:nsubj|4:nsubj\tGloss=A\n"
    "2\tsings\tsing\tVERB\t_\tMood=Ind|Number=Sing\t0\troot\t0:root\t_\n"
    "3\tand\tand\tCCONJ\t_\t_\t4\tcc\t4:cc\t_\n"
    "4\tdances\tdance\tVERB\t_\tMood=Ind|Number[psor]=Plur\t2\tconj:and\t2:conj:and\t_\n\n"
)


@pytest.mark.parametrize(
    ("pattern", "number"),
    [
        ("pattern { X [] }", 5),  # with the anchor
        ("pattern { X [upos] }", 4),
        ("pattern { X [upos=VERB|CCONJ] }", 3),
        ("pattern { X [Mood<>Imp] }", 2),
        ("pattern { X [!Mood, upos] }", 2),
        ("pattern { X [Number__psor=Plur] }", 1),
        ("pattern { X [Gloss=A] }", 1),
        ("pattern { X [__MISC__Gloss] }", 1),
        ("pattern { X [__MISC__Number] }", 0),
        ('pattern { X [lemma=re"sing\\|dance"] }', 2),
        ("pattern { X [lemma=/SING/] }", 0),
        ("pattern { X [lemma=/SING/i] }", 1),
        ("pattern { X [lemma=/sin/] }", 0),  # whole values
        ("pattern { X [upos=CCONJ]|[form=Ann] }", 2),
        ("pattern { X -[nsubj]-> Y }", 1),
        ("pattern { X -[E:nsubj]-> Y }", 2),
        ("pattern { X -[1=nsubj]-> Y }", 2),
        ("pattern { e: X -[1=nsubj]-> Y }", 3),
        ("pattern { X -[conj]-> Y }", 0),
        ("pattern { X -[1=conj, 2=*, !enhanced]-> Y }", 1),
        ("pattern { X -[^nsubj|root]-> Y; X [upos] }", 4),
        ("pattern { X ->> Y; X [lemma=sing]; Y [upos=CCONJ] }", 1),
        ("pattern { X < Y; X [upos=PROPN]; Y [] }", 1),
        ("pattern { X [upos=PROPN]; Y [upos=CCONJ]; Y > X }", 0),
        ("pattern { X [upos=PROPN]; Y [upos=CCONJ]; Y >> X }", 1),
        ("pattern { X [upos=VERB]; Y [upos=VERB] }", 2),
        ("pattern { X [upos=VERB]; Y$ [upos=VERB] }", 4),
        ("pattern { X [upos=VERB]; Y [upos=VERB]; X.__id__ < Y.__id__ }", 1),
        ("pattern { X [Mood]; Y [Mood]; X.Number = Y.Number }", 0),  # one has none
        ("pattern { X []; Y []; X.Number = Y.Number; X << Y }", 1),
        ("pattern { X [upos] } without { X -> Y }", 2),
        ("pattern { X [upos] } with { X -> Y } with { * -[root]-> X }", 1),
        ("pattern { X [] } global { sent_id = s1 }", 5),
        ("pattern { X [] } global { sent_id <> s1 }", 0),
        ("global { is_not_projective; is_not_cyclic }", 1),
        ("pattern { X [upos=VERB] } pattern { X [lemma=dance] }", 1),
        ("% nothing\npattern { X [upos=VERB /* or a noun */] } % end", 2),
        ("pattern { X -[conj:and]-> Y; length(X, Y) = 2; delta(Y, X) < -1 }", 1),
        ("pattern { X -[conj:and]-> Y; depth(Y) = 2 }", 1),
    ],
)
def test_patterns(pattern, number):
    assert len(matches(SENTENCE, pattern)) == number


def test_a_byte_order_mark_before_words_and_tokens():
    text = "\ufeff1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\ta\tN\t_\t_\t2\tx\t_\t_\n2\tb\tb\tV\t_\t_\t0\troot\t_\t_\n\n"
    for pattern in ("pattern { X [textform=ab, form=a] }", "pattern { X [form=b]; Y [form=a]; X -[x]-> Y }"):
        assert find(text.encode(), pattern).count() == 1


def test_without_the_graph():
    assert len(matches(SENTENCE, "pattern { X -[1=nsubj]-> Y }", tree=True)) == 1
    assert len(matches(SENTENCE, Query("pattern { X ->> Y; Y [upos=PROPN] }", tree=True))) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1:1: there is no pattern"),
        ("patern { X [] }", ":1:1: expected pattern, with, without or global"),
        ("pattern {\n  X [upos=];\n}", ":2:11: expected a value"),
        ("pattern { X [upos VERB] }", ":1:19: expected `,` or `]` behind a feature, found 'VERB'"),
        ("pattern { X }", ":1:13: expected `[`: a node is written X []"),
        ("pattern { X -[]-> Y }", ":1:15: expected a label"),
        ("pattern { X -[nsubj]->> Y }", ":1:20: a path with labels"),
        ("pattern { X -[1=a, 2]-> Y }", ":1:21: expected `=`: a feature with any value is written 2=*"),
        ("pattern { X -[lemma=a]-> Y }", "no label has a feature 'lemma'"),
        ("pattern { * -> * }", "name at least one"),
        ("pattern { e: * -> X }", "both its ends need one"),
        ("pattern { e: X -> Y; e: Y -> X }", "a second e"),
        ("pattern { X: X -> Y }", "a second X"),
        ("pattern { X < Y }", "no node is named X. Declare it: X []"),
        ("pattern { X [] } without { Y.f = X.f }", "no node is named Y"),
        ("pattern { X [] } without { }", "there is no clause in the braces"),
        ("pattern { X [lemma=lex.f] }", "lexicons are not supported"),
        ("pattern { X [__id__=3] }", "__id__ is no feature"),
        ("pattern { X []; Y []; X.__id__ = Y.__id__ }", "only puts two nodes in order"),
        ("pattern { X [lemma=/a/g] }", "only `i` may follow"),
        ('pattern { X [lemma=re"a\\|["] }', "not a regular expression"),
        ('pattern { X [lemma="a] }', ":1:20: a text in quotes that does not end"),
        ("pattern { X [] } /* ", "a comment that begins with /*"),
        ("pattern { delta(X, Y) = 1.5 }", "expected a whole number, found '1.5'"),
        ("pattern { e: X -> Y; e.lemma = a }", "no edge has a feature 'lemma'"),
        ("pattern { e: X -> Y; X << Y; e < X }", "e is an edge, and a node is needed"),
        ("pattern { X [é=1] } global { is_flat }", "unknown 'is_flat'"),
        ("pattern { X [§] }", "an unexpected '§'"),
    ],
)
def test_wrong_patterns_are_refused_with_line_and_column(text, message):
    with pytest.raises(PatternError, match=re.escape(message)) as error:
        parse_pattern(text)
    assert "\n" not in str(error.value)


def test_several_patterns_have_names():
    found = parse_patterns('a { pattern { X [] } }\nrequest b "what it is" { global { is_tree } }')
    assert [(each.name, each.message) for each in found] == [("a", ""), ("b", "what it is")]
    with pytest.raises(PatternError, match="a second pattern 'a'"):
        parse_patterns("a { pattern { X [] } } a { pattern { X [] } }")


@pytest.mark.parametrize("label", ["nsubj", "aux:pass", "E:nmod:of:gen", "comp:obl@agent", "E:x@y", "a@b"])
def test_labels_are_features_and_back(label):
    assert label_with(features_of(label)) == label


RULE = "rule r { pattern { X [lemma=sing]; e: X -> Y } commands { %s } }"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RULE % "X.upos", "expected `=`"),
        (RULE % "Z.upos = A", "no node is named Z"),
        (RULE % "del_edge f", "no edge is named f"),
        (RULE % "del_edge e; e.2 = a", "e is gone by then"),
        (RULE % "add_node X :> Y", "a second X"),
        (RULE % "add_node Z", "leaves Z without a place"),
        (RULE % "insert X :> Y", "X has a place already"),
        (RULE % "unorder X; insert Y :> X", "X has no place by then"),
        (RULE % "add_edge X -> Y", "a new edge needs a label"),
        (RULE % "add_edge f: X -> Y", "leaves the edge f without a label"),
        (RULE % "add_edge X -[a|b]-> Y", "one label is needed here"),
        (RULE % "e.lemma = a", "no edge has a feature 'lemma'"),
        (RULE % "merge X ==> Y", "unknown command 'merge'"),
        (RULE % "del_feat e.label", "cannot be taken away"),
        (RULE % "X.textform = a", "cannot be set"),
        ('rule r (lex from "a") { }', "lexicons are not supported"),
        ("features { a: b }", "which are not supported"),
        ("strat main { Alt (a, b) }", "the strategy Alt is not supported: it gives several graphs"),
        ("strat main { If (a) }", "If is made of 3 strategies"),
        ("strat main { nothing }", "unknown rule, package or strategy 'nothing'"),
        ("strat main { main }", "a strategy is made of itself"),
        ("strat main { Empty }", "applies no rule"),
        ('import "a.grs"', "cannot be named here"),
        ("rule r { pattern { X [] } }", "expected commands"),
    ],
)
def test_wrong_rules_are_refused(text, message):
    with pytest.raises(PatternError, match=re.escape(message)):
        Rewriter(text)


STEPS = """
rule a { pattern { X [lemma=sing, !Step] } commands { X.Step = a } }
rule b { pattern { X [lemma=sing, Step=a] } commands { X.Step = b } }
rule never { pattern { X [lemma=shout] } commands { X.Step = never } }
package p { rule one { pattern { X [upos=VERB] } commands { X.upos = V } }
  package inner { rule two { pattern { X [upos=V] } commands { X.upos = W } } }
  strat all { Seq (Onf (one), Onf (inner.two)) } }
"""


@pytest.mark.parametrize(
    ("strategy", "step", "tags"),
    [
        ("a", "a", "VERB VERB"),
        ("Onf (a)", "a", "VERB VERB"),
        ("Seq (a, b)", "b", "VERB VERB"),
        ("Seq (a, never)", None, "VERB VERB"),  # nothing, if one of them gives nothing
        ("Seq (a, Try (never), b)", "b", "VERB VERB"),
        ("If (a, Seq (a, b), never)", "b", "VERB VERB"),
        ("If (never, a, Empty)", None, "VERB VERB"),
        ("Pick (Iter (a))", "a", "VERB VERB"),
        ("p", None, "V VERB"),
        ("p.one", None, "V VERB"),
        ("Onf (p)", None, "V V"),
        ("p.all", None, "W W"),
        ("Seq (p.all, a)", "a", "W W"),
    ],
)
def test_strategies(strategy, step, tags):
    sentence = Rewriter(STEPS, strategy).sentence(SENTENCE)
    assert sentence[1].misc.get("Step") == step
    assert f"{sentence[1].upos} {sentence[3].upos}" == tags


@pytest.mark.parametrize("strategy", [None, "Onf (r)"])
def test_rules_that_set_what_is_there_end(strategy):
    text = "rule r { pattern { X [upos] } commands { X.Seen = yes } }"
    sentence = Rewriter(text, strategy).sentence(SENTENCE)
    assert [word.misc.get("Seen") for word in sentence] == ["yes"] * 4


@pytest.mark.parametrize(
    ("commands", "lines"),
    [
        ("X.lemma = L", ["1-2 ab", "1 a", "2 b", "3 c"]),
        ("unorder X; insert X :> Z", ["1 b", "2 c", "3 a"]),
        ("del_node X", ["1 b", "2 c"]),
        ("del_node Z", ["1-2 ab", "1 a", "2 b"]),
        ("add_node N :> X; N.form = n", ["1-3 ab", "1 a", "2 n", "3 b", "4 c"]),
        ("add_node N :< X; N.form = n", ["1 n", "2-3 ab", "2 a", "3 b", "4 c"]),
    ],
)
def test_multiword_tokens_follow_their_words(commands, lines):
    rows = ["1-2\tab", "1\ta", "2\tb", "3\tc"]
    sentence = Sentence(("\n".join(row + "\t_" * 4 + "\t_\t_\t_\t_" for row in rows) + "\n\n").encode())
    rule = f"rule r {{ pattern {{ X [form=a]; Z [form=c] }} commands {{ {commands} }} }} strat main {{ r }}"
    found = Rewriter(rule).sentence(sentence)
    assert [f"{token['ID']} {token.form}" for token in found.tokens] == lines


def test_python():
    found = find([SENTENCE, SENTENCE], "pattern { e: V -[1=nsubj]-> S; V [upos=VERB] }", tree=True)
    (first, second) = found
    assert (first["V"].form, first["S"].id, first["e"], first.sentence.sent_id) == ("sings", 1, "nsubj", "s1")
    assert repr(second) == "<Match V=2 S=1 e=nsubj>"
    assert found.counts() == (2, 2)
    assert found.count_by("V.lemma", "V -> S", "V#S") == {("sing", "nsubj", "S << V"): 2}
    assert [row["S.form"] for row in found.rows("S.form")] == ["Ann", "Ann"]
    assert len(list(find(SENTENCE, "pattern { X [upos=ADV] }").without())) == 1
    assert len(found.sample(1)) == 1
    anchored = next(iter(find(SENTENCE, "pattern { A -[root]-> X }")))
    assert (anchored["A"], anchored.positions) == (None, {"A": 0, "X": 2})
    pytest.importorskip("pyarrow")
    assert found.to_arrow("V.id").to_pydict() == {"V.id": ["2", "2"]}


def test_threads_find_the_same():
    sentences = [SENTENCE] * 2500
    pattern = "pattern { V [upos=VERB]; V -> S }"
    assert find(sentences, pattern, threads=3).count() == find(sentences, pattern).count() == 2500 * 4
    assert sum(1 for _ in find(sentences, pattern, threads=3)) == 10_000
