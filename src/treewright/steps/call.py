"""What is asked of steps in one call: options that never change a step itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError, unknown
from treewright.options.option import choice, option, options_of

if TYPE_CHECKING:
    from treewright.steps.certificate import Certificate
    from treewright.steps.given_arcs import GivenArcs
    from treewright.treebank.blocks.block import Block

# What a step can do. Each kind of step says what it lacks, and why.
TREES = "trees"
GRAPHS = "graphs"
BEAM = "beam"
K_BEST = "k best"
CONFIDENCE = "confidence"
TRACE = "trace"
CERTIFICATE = "certificate"
TEXT = "raw text"
TAGS = "tags"
GIVEN_ARCS = "given arcs"
CAPABILITIES = (TREES, GRAPHS, BEAM, K_BEST, CONFIDENCE, TRACE, CERTIFICATE, TEXT, TAGS, GIVEN_ARCS)


def all_but(capability: str, reason: str) -> dict[str, str]:
    """Return that nothing can be done but one thing, with the reason."""
    lacks = dict.fromkeys(CAPABILITIES, reason)
    del lacks[capability]
    return lacks


WIDEST_BEAM = 4096  # of training, of parsing, and of what a model file may say
PARSER_ALONE = (
    "the model is a parser alone, without tokeniser and tagger. Give it CoNLL-U, or train one with --pipeline"
)
METHODS = ("bounds", "paper", "brute")
NEWLINES = ("auto", "paragraph", "sentence", "ignore")
TIGHTENED = ("all", "onegp", "none")
CONSTRAINTS = ("onegp", "arcgp", "gparc", "nogp")


@dataclass(frozen=True)
class Call:
    """What is asked; each option needs something that a step can do (its topic)."""

    beam: int | None = option(
        None, "states to follow at a time", BEAM, 1, WIDEST_BEAM, metavar="N", usual="as trained; 1 is greedy"
    )
    k_best: int | None = option(None, "write the K best trees of every sentence", K_BEST, 1, WIDEST_BEAM, metavar="K")
    confidence: bool = option(False, "write the confidence of each arc to MISC", CONFIDENCE)
    keep_arcs: bool = option(False, "keep the arcs that are given; fill in where HEAD is _", GIVEN_ARCS)
    exact: bool = option(False, "go on to the optimum by branch and bound", CERTIFICATE)
    method: str = choice("bounds", METHODS, "how the tree is searched for", CERTIFICATE)
    constraints: str = option(
        "onegp,arcgp,gparc",
        f"constraints of the linear programme, of {','.join(CONSTRAINTS)}",
        CERTIFICATE,
        metavar="LIST",
    )
    tighten: str = choice(
        "all",
        TIGHTENED,
        "duals that are tightened before parts are priced: of OneGP as in the paper, all, or none",
        CERTIFICATE,
    )
    tag: bool = option(False, "tag words again that have tags already", TAGS)
    ranges: bool = option(False, "write the characters of tokens to MISC (TokenRange)", TEXT)
    newlines: str = choice("auto", NEWLINES, "what the end of a line is: of a sentence, or nothing", TEXT)
    certified: Callable[[Certificate, int], None] | None = None  # hears each certificate, with the number of words
    filled: frozenset[str] = frozenset()  # columns that earlier steps of the pipeline have filled: no option of users

    def after(self, columns: Collection[str]) -> Call:
        """Return the call as the next steps hear it, when a step has filled columns."""
        return replace(self, filled=self.filled | frozenset(columns))

    @property
    def tags_are_guesses(self) -> bool:
        """Were the tags found by an earlier step, or are they to be found again? Then a later step may correct them."""
        return self.tag or not self.filled.isdisjoint(("UPOS", "XPOS", "FEATS"))

    def given_arcs(self, block: Block) -> GivenArcs | None:
        """Return the arcs of a block that are to be kept; None where none are, or none are given."""
        if not self.keep_arcs:
            return None
        from treewright.steps.given_arcs import GivenArcs

        return GivenArcs(block) or None

    def check(self) -> None:
        """Reject values out of range and options that do not go together."""
        for name, declared in options_of(Call).items():
            if getattr(self, name) is not declared.default:
                declared.check(getattr(self, name))
        if self.constraints is not PLAIN.constraints:
            self._check_constraints()
        if self.tighten != "all" and self.method == "brute":
            raise CombinationError("brute force prices no parts: leave tighten out, or choose another method")
        if self.k_best is not None and self.confidence:
            raise CombinationError("k_best shows how likely each tree is, confidence each arc: choose one")
        if self.k_best is not None and self.keep_arcs:
            raise CombinationError("keep_arcs fills in one tree, k_best gives several: choose one")

    def _check_constraints(self) -> None:
        names = [name.strip().lower() for name in self.constraints.split(",")]
        for name in names:
            if name not in CONSTRAINTS:
                raise CombinationError(unknown("constraints", name, CONSTRAINTS))
        if not {"onegp", "arcgp"} & set(names):
            raise CombinationError("without onegp or arcgp nothing binds a grandparent to the tree: add one of them")

    def needs(self) -> dict[str, str]:
        """Return what the options need of a parser: capability → the option that needs it."""
        needed: dict[str, str] = {}
        for name, declared in options_of(Call).items():
            if getattr(self, name) != declared.default:
                needed.setdefault(declared.topic, name)
        if self.certified is not None:
            needed.setdefault(CERTIFICATE, "stats")
        return needed


#: nothing in particular
PLAIN = Call()
OPTIONS = (*options_of(Call), "certified")


def call_from(given: Mapping[str, Any]) -> Call:
    """Return what keywords ask; unknown names get the nearest known one."""
    for name in given:
        if name not in OPTIONS:
            raise CombinationError(unknown("option", name, OPTIONS))
    call = Call(**given)
    call.check()
    return call
