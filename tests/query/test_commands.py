"""Every command against a plain reference, on random sentences."""

from __future__ import annotations

import random

import pytest
from treewright.treebank.blocks.block import Block

from tests.query.naive import NaiveGraph, naive_matches
from tests.query.plain_commands import PlainSentence
from tests.query.randomly import random_sentence
from treewright.errors import TreewrightError
from treewright.query.rewriting.rewriter import Rewriter
from treewright.treebank.checks.problems import check
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence

PATTERNS = (
    "pattern { X [upos]; Y [xpos, form]; e: X -> Y }",
    "pattern { X [upos]; Y [upos]; e: Y -[^root]-> X }",
    "pattern { X [xpos, N]; Y [upos]; e: * -> X }".replace("e: *", "A []; e: A"),
)
COMMANDS = (
    "del_edge e",
    "del_edge X -[x]-> Y",
    "add_edge X -[E:new]-> Y",
    "add_edge f: Y -> X; f.label = e.label",
    "add_edge f: Y -[E:q]-> X; f.2 = e.1",
    'add_edge X -[1=a, 2=e.1, enhanced="yes"]-> Y',
    "del_edge e; add_edge X -[y]-> Y",
    "e.2 = aux",
    "e.label = root",
    "del_feat e.2",
    "X.lemma = Y.form",
    'X.lemma = "a" + Y.form + X.upos[:1]',
    "Y.form = X.form[-1:]",
    "X.upos = Q; del_feat X.xpos",
    "X.Case = Acc; del_feat Y.Case",
    "X.Other = 1",
    "X.Number__psor = Plur",
    "append_feats X ==> Y",
    'prepend_feats "/" X ==> Y',
    'append_feats "+" X =[re"N\\|Case"]=> Y',
    "shift X ==> Y",
    "shift_in X ==> Y",
    "shift_out X =[x|E:x|E:y]=> Y",
    "shift_out X =[^x]=> Y",
    "del_node X",
    "del_node Y",
    "add_node Z :> X; Z.form = new; Z.upos = N",
    "add_node Z :< Y; Z.form = new; add_edge X -[E:z]-> Z; shift_out X ==> Z",
    "add_node Z; insert Z :> Y; append_feats Y ==> Z",
    "unorder X; insert X :> Y",
    "unorder X; insert X :< Y",
)


def plainly(sentence, rule):
    """Return what a rule makes of a sentence at its first match, or that it cannot be a treebank any more."""
    graph = NaiveGraph(sentence)
    found = naive_matches(graph, rule.pattern)
    if not found:
        return None
    names = {}
    for clause in rule.pattern.clauses:
        for name in (getattr(clause, "source", None), getattr(clause, "target", None), getattr(clause, "name", None)):
            if name and name != "e":
                names.setdefault(name)
    declared = [clause.name for clause in rule.pattern.clauses if type(clause).__name__ == "Node"]
    order = list(dict.fromkeys([*declared, *names]))
    candidates = []
    for match in found:
        nodes = dict(zip(order, match, strict=False))
        edge = next(clause for clause in rule.pattern.clauses if getattr(clause, "target", None))
        candidates.append((match[:-1], (nodes[edge.source], nodes[edge.target], match[-1]), nodes))
    least = min(positions for positions, _, _ in candidates)
    return graph, [(nodes, arc) for positions, arc, nodes in candidates if positions == least]


def shown(nodes, arcs):
    hidden = ("wordform", "textform")
    kept = [{k: v for k, v in node.items() if k not in hidden and not k.startswith("__MISC__")} for node in nodes]
    return [{k: v for k, v in node.items() if v != "_"} for node in kept], sorted(arcs)


def outcomes(sentence, rule):
    """Return all that a rule may make of a sentence; None if nothing matches."""
    found = plainly(sentence, rule)
    if found is None:
        return None
    graph, choices = found
    empty = {number for number, token in enumerate(t for t in sentence.tokens if not t.is_multiword) if token.is_empty}
    made = []
    for nodes, arc in choices:
        plain = PlainSentence(graph)
        try:
            plain.apply(rule.commands, nodes, {"e": arc})
        except KeyError:  # a feature that the node does not have
            made.append("bad")
            continue
        place = {node: at for at, node in enumerate(plain.order)}
        basic = [arc for arc in plain.arcs if not arc[2].startswith("E:")]
        heads = [arc[1] for arc in basic]
        ends = {node - 1 for arc in basic for node in arc[:2]}
        bad = len(set(heads)) < len(heads) or len(plain.order) == 1 or bool(ends & empty)
        arcs = [(place[s], place[t], label) for s, t, label in plain.arcs]
        made.append("bad" if bad else shown([plain.features[node] for node in plain.order], arcs))
    return made


def rewritten(rewriter, sentence):
    """Return a sentence after the rules, or what is said against it."""
    try:
        return rewriter.rewrite(sentence).after, ""
    except TreewrightError as error:
        return b"", str(error)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_do_what_they_plainly_mean(command):
    chance = random.Random(command)
    changed = 0
    for _ in range(120):
        text = f"rule r {{ {chance.choice(PATTERNS)} commands {{ {command} }} }} strat main {{ r }}"
        sentence = random_sentence(chance, sound=True)
        rewriter = Rewriter(text)
        rule = rewriter.package.rules["r"]
        wanted = outcomes(sentence, rule)
        if wanted is None:
            assert not list(rewriter.changes(Block(sentence.to_bytes(), CONLLU)))
            continue
        changed += 1
        data, problem = rewritten(rewriter, sentence)
        if problem:
            assert "bad" in wanted or "anchor" in problem or "has no" in problem, (text, sentence, problem)
            continue
        block = Block(data, CONLLU, "rewritten")
        check(block)
        graph = NaiveGraph(Sentence.from_block(block, 0))
        assert shown(graph.nodes, graph.arcs) in wanted, (text, sentence.to_bytes().decode(), data.decode())
    assert changed > 15
