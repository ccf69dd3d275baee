"""Rules applied by a strategy, sentence by sentence; steps are bounded, and circles are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from treewright.errors import TreebankError, unknown
from treewright.query.language.tokens import PatternError
from treewright.query.rewriting.commands import Application
from treewright.query.rewriting.grs import parse_rules, parse_strategy
from treewright.query.rewriting.matching_rules import RuleMatcher
from treewright.query.rewriting.rules import Apply, Combined, Package, Rule, Strategy
from treewright.query.rewriting.working_graph import WorkingGraph
from treewright.treebank.blocks.block import Block
from treewright.treebank.sentences.sentence import Sentence

#: steps that a sentence may take
MOST_STEPS = 10_000
GROWTH = 4  # how many times as many words a sentence may get, besides a hundred
MAIN = "main"
DEEPEST = 60
SHOWN = 4  # rules of a circle, in a message


@dataclass
class Change:
    """A sentence that rules have changed."""

    number: int  # in its block
    before: bytes
    after: bytes
    rules: Counter[str] = field(default_factory=Counter)


def with_changes(block: Block, changes: Iterable[Change]) -> bytes:
    """Return the text of a block with changed sentences in it; the others are copied."""
    pieces, copied = [], 0
    for change in changes:
        start, end = block.span_of(change.number)
        pieces += [block.data[copied:start], change.after]
        copied = end
    return b"".join([*pieces, block.data[copied:]])


class Rewriter:
    """Rules and the strategy that says how they are applied.

    ``rules`` is text, or what ``read_rules`` gives. ``strategy``: a name or an expression such as ``Onf(p)``; without
    one ``main``, or, if there is none, all rules at the top as long as one of them matches.
    """

    def __init__(
        self,
        rules: str | Package,
        strategy: str | None = None,
        *,
        tree: bool = False,
        most_steps: int = MOST_STEPS,
    ) -> None:
        self.package = parse_rules(rules) if isinstance(rules, str) else rules
        self.tree, self.most_steps = tree, most_steps
        self._matchers: dict[int, RuleMatcher] = {}
        self._strategy = self._chosen(strategy)
        self._rules = list({id(rule): rule for rule in self._rules_of(self._strategy, self.package, 0)}.values())
        if not self._rules:
            raise PatternError("the strategy applies no rule")

    def _chosen(self, name: str | None) -> Strategy | None:
        if name is not None:
            return parse_strategy(name)
        return self.package.strategies.get(MAIN)

    # What rules there are

    def _rules_of(self, strategy: Strategy | None, package: Package, depth: int) -> Iterator[Rule]:
        if depth > DEEPEST:
            raise PatternError("a strategy is made of itself")
        if strategy is None:
            yield from package.rules.values()
        elif isinstance(strategy, Combined):
            for part in strategy.parts:
                yield from self._rules_of(part, package, depth + 1)
        else:
            meant, inside = self._meant(strategy, package)
            if isinstance(meant, Rule):
                yield meant
            elif isinstance(meant, Package):
                yield from meant.rules.values()
            else:
                yield from self._rules_of(meant, inside, depth + 1)

    def _meant(self, strategy: Apply, package: Package) -> tuple[Rule | Package | Strategy, Package]:
        found = package.find(strategy.name)
        if found is None:
            known = [*package.rules, *package.packages, *package.strategies]
            raise strategy.place.error(unknown("rule, package or strategy", ".".join(strategy.name), known))
        return found

    # Sentences

    def changes(self, block: Block) -> Iterator[Change]:
        """Yield the sentences of a block that the rules change."""
        for number in self._touched(block):
            change = self.rewrite(Sentence.from_block(block, number), number)
            if change.after != change.before:
                yield change

    def block(self, block: Block) -> bytes:
        """Return the text of a block after the rules."""
        return with_changes(block, self.changes(block))

    def _touched(self, block: Block) -> list[int]:
        """Return the sentences where a rule matches: in no other one can anything begin."""
        return sorted({each.number for rule in self._rules for each in self._matcher(rule).query.in_block(block)})

    def rewrite(self, sentence: Sentence, number: int = 0) -> Change:
        """Return a sentence before and after the rules."""
        before = sentence.to_bytes()
        run = _Run(self, WorkingGraph(sentence, self.tree), sentence)
        if self._strategy is None:
            run.until_the_end(lambda: run.any_of(self.package.rules.values()))
        else:
            run.apply(self._strategy, self.package)
        change = Change(number, before, before, run.counts)
        if run.counts:
            change.after = run.graph.to_bytes()
        return change

    def sentence(self, sentence: Sentence) -> Sentence:
        """Return a sentence after the rules; the given one stays as it is."""
        return Sentence(self.rewrite(sentence).after, sentence.layout, sentence.source, sentence.line)

    def _matcher(self, rule: Rule) -> RuleMatcher:
        if id(rule) not in self._matchers:
            self._matchers[id(rule)] = RuleMatcher(rule, self.tree)
        return self._matchers[id(rule)]


class _Run:
    """The rewriting of one sentence."""

    def __init__(self, rewriter: Rewriter, graph: WorkingGraph, sentence: Sentence) -> None:
        self._rewriter, self.graph = rewriter, graph
        self._metadata = dict(sentence.metadata)
        self._sentence = sentence
        self.counts: Counter[str] = Counter()
        self._order: list[str] = []  # of rules that were applied
        self._most_nodes = 100 + GROWTH * len(self.graph.order)
        self._steps = 0

    def apply(self, strategy: Strategy, package: Package, again: bool = False) -> bool:
        """Apply a strategy; return whether it gave a graph, as a rule that does not match gives none.

        ``again``: it is applied as long as it goes, so what changes nothing is passed over.
        """
        if isinstance(strategy, Apply):
            meant, inside = self._rewriter._meant(strategy, package)
            if isinstance(meant, Rule):
                return self._rule(meant, again)
            if isinstance(meant, Package):
                return self.any_of(meant.rules.values(), again)
            return self.apply(meant, inside, again)
        parts = strategy.parts
        if strategy.kind in ("Onf", "Iter"):
            return self.until_the_end(lambda: self.apply(parts[0], package, True))
        if strategy.kind == "Pick":
            return self.apply(parts[0], package, again)
        if strategy.kind == "Try":
            return self.apply(parts[0], package) or True
        before = self._snapshot()
        if strategy.kind == "If":
            gives = self.apply(parts[0], package)
            self._restore(before)
            return self.apply(parts[1] if gives else parts[2], package)
        if all(self.apply(part, package) for part in parts):
            return True
        self._restore(before)
        return False

    def _snapshot(self) -> tuple[object, int]:
        return self.graph.snapshot(), len(self._order)

    def _restore(self, kept: tuple[object, int]) -> None:
        """Undo all since a snapshot; the steps count all the same."""
        self.graph.restore(kept[0])
        self.counts.subtract(self._order[kept[1] :])
        self.counts += Counter()
        del self._order[kept[1] :]

    def any_of(self, rules: Iterable[Rule], again: bool = True) -> bool:
        """Apply the first of some rules that matches."""
        return any(self._rule(rule, again) for rule in rules)

    def until_the_end(self, once: Callable[[], bool]) -> bool:
        """Apply something until it gives no graph; an error if it comes back to a graph that was there."""
        state = self.graph.state()
        seen = {state: len(self._order)}
        while once():
            before, state = state, self.graph.state()
            if state == before:
                return True
            if state in seen:
                circle = list(dict.fromkeys(self._order[seen[state] :]))
                listed = ", ".join(circle[:SHOWN]) + (", …" if len(circle) > SHOWN else "")
                raise self._error(
                    f"the rules go round in a circle ({listed})",
                    "Let a pattern say, by `without { … }`, what its commands have done.",
                )
            seen[state] = len(self._order)
        return True

    def _rule(self, rule: Rule, again: bool) -> bool:
        """Apply a rule to its first match; if it is applied again and again, to the first where it changes anything."""
        for found in self._rewriter._matcher(rule).all(self.graph, self._metadata):
            before = (self.graph.state(), self.graph.snapshot()) if again else None
            Application(self.graph, *found).run(rule.commands)
            if before is not None and self.graph.state() == before[0]:
                self.graph.restore(before[1])
                continue
            self._steps += 1
            if self._steps > self._rewriter.most_steps:
                raise self._error(
                    f"more than {self._rewriter.most_steps:,} steps, the last by {rule.name}",
                    "The rules may never end; or allow more steps.",
                )
            if len(self.graph.order) > self._most_nodes:
                raise self._error(
                    f"the rules make more and more words, the last by {rule.name}",
                    "Let its pattern say, by `without { … }`, where there is a new word already.",
                )
            self._order.append(rule.name)
            self.counts[rule.name] += 1
            return True
        return False

    def _error(self, problem: str, remedy: str) -> TreebankError:
        given = self._sentence
        return TreebankError(problem, source=given.source, line=given.line, sent_id=given.sent_id, remedy=remedy)
