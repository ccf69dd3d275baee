"""The papers' own choices, as presets: ``--as goldberg-nivre-2012`` trains what the paper describes.

Our defaults differ from the papers where dev scores of several treebanks said so. A preset sets every option that a
paper decides, and each choice names the section that makes it. Where a paper is silent, the choice says so. Options
given beside a preset override it; the model keeps the preset's name, so that ``treewright info`` can say what differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treewright.errors import CombinationError, unknown
from treewright.options import topics
from treewright.options.option import OptionValue, option


@dataclass(frozen=True)
class Choice:
    """A value that a paper gives to an option, and where it says so."""

    option: str
    value: OptionValue
    where: str
    systems: tuple[str, ...] = ()  # only for these; none means for all


@dataclass(frozen=True)
class Paper:
    """A paper and its choices; the first choice is its main system."""

    title: str
    scored: str  # how the paper counts
    metric: str  # what experiments call its main score
    choices: tuple[Choice, ...]

    @property
    def system(self) -> OptionValue:
        """The system that is trained if the user names none."""
        return self.choices[0].value

    def choices_for(self, system: OptionValue) -> list[Choice]:
        """Return the choices for one system, or all."""
        return [each for each in self.choices if system is None or not each.systems or system in each.systems]

    def options_for(self, system: OptionValue) -> dict[str, OptionValue]:
        """Return what the paper sets for one system; a choice for the system alone overrides one for all."""
        chosen = {each.option: each.value for each in self.choices_for(system)}
        return {**chosen, "system": system}


_NOT_IN_PAPERS: dict[str, tuple[OptionValue, str]] = {
    "governors": ("any", "our rule, not the paper's: any word may govern others"),
    "prune": (False, "the paper drops no features"),
    "cutoff": (1, "the paper keeps features from the first mistake on"),
    "precision": ("float", "the paper rounds no weights"),
    "keep": ("last", "the paper selects no round on dev: averaged weights of the last"),
    "calibration": ("none", "the paper has no confidences"),
}


def _ours_off(*names: str) -> tuple[Choice, ...]:
    """Return the choices that switch off what treewright adds to every paper."""
    return tuple(Choice(name, *_NOT_IN_PAPERS[name]) for name in names)


_PERCEPTRON = _ours_off("governors", "prune", "cutoff", "precision", "keep")
_NO_CALIBRATION = _ours_off("calibration")[0]

PAPERS: dict[str, Paper] = {
    "hall-nivre-nilsson-2005": Paper(
        "Hall, Nivre & Nilsson 2005: A generic architecture for data-driven dependency parsing",
        "the paper has no scores",
        "las",
        (
            Choice(
                "system", "arc-eager", "§4.1: Nivre's algorithm, arc-eager; also nivre-standard and both covingtons"
            ),
            Choice(
                "root",
                "first",
                "§2: a root node w₀ stands before the words w₁ … wₙ",
                ("arc-eager", "covington-projective", "covington"),
            ),
            Choice("single_root", False, "§2: a graph is well-formed if w₀ is a root; any word may depend on it"),
            Choice("lifting", "none", "§4.1: Nivre's algorithm is limited to projective structures; nothing is lifted"),
            Choice("features", "malt", "§4.2, Figure 5: a feature specification file in the paper's notation"),
            Choice("features", "malt-standard", "MaltParser's own for its nivrestandard", ("nivre-standard",)),
            Choice("decision", "joint", "§2: a decision is one class for the learner, with its dependency type"),
            Choice("policy", "static", "§2: the oracle O(H, x) names one decision"),
            Choice("learner", "libsvm", "§4.3: LIBSVM, or TiMBL (--learner timbl)"),
            *_ours_off("governors"),
            _NO_CALIBRATION,
        ),
    ),
    "goldberg-nivre-2012": Paper(
        "Goldberg & Nivre 2012: A dynamic oracle for arc-eager dependency parsing",
        "UAS and LAS without punctuation (§5)",
        "las_without_punctuation",
        (
            Choice("system", "arc-eager", "§2.1"),
            Choice("root", "first", "§2.1: the initial configuration is ([0], [1, …, n], {})", ("arc-eager",)),
            Choice("single_root", False, "§2.1, footnote 4: words without a head get arcs from the root"),
            Choice("lifting", "baseline", "§5: trees are projectivized with the baseline transformation"),
            Choice("features", "zhang-nivre", "§5: the features of Zhang and Nivre (2011)"),
            Choice("decision", "joint", "§4, Algorithm 3: one score for a transition with its label"),
            Choice("iterations", 15, "§5"),
            Choice("policy", "explore", "§4, CHOOSE_NEXT_EXP; static and ambiguity are the rows beside it"),
            Choice("exploration", "2012", "§4: follow the prediction if RAND() > p"),
            Choice("k", 2, "§5"),
            Choice("p", 0.1, "§5"),
            Choice(
                "zero_cost", "random-labelled", "§4, CHOOSE_NEXT_AMB: RANDOM_ELEMENT(ZERO_COST), labelled transitions"
            ),
            Choice(
                "costs", "exact", "§3.1 defines them; as Figure 4 prints them, they miss arcs: --costs 2012, errata"
            ),
            *_PERCEPTRON,
            _NO_CALIBRATION,
        ),
    ),
    "goldberg-nivre-2013": Paper(
        "Goldberg & Nivre 2013: Training deterministic parsers with non-deterministic oracles",
        "UAS and LAS with punctuation (Table 1)",
        "uas",
        (
            Choice("system", "arc-eager", "§2.2; also arc-standard, arc-hybrid, easy-first"),
            Choice("root", "last", "§2.2: β = w₁, …, wₙ, ROOT", ("arc-eager",)),
            Choice("single_root", False, "§2.2: no precondition lets ROOT have one dependent only"),
            Choice(
                "lifting",
                "baseline",
                "§2.1 assumes that all trees are projective, and does not say how others become so: as in 2012, §5",
            ),
            Choice("features", "zhang-nivre", "§5: features differ by system, in software that is no longer online"),
            Choice("features", "goldberg-elhadad", "§5, as above; Goldberg and Elhadad (2010)", ("easy-first",)),
            Choice("decision", "joint", "§3.2, Algorithm 3: one score for a transition with its label"),
            Choice("iterations", 15, "§5: left-to-right parsers"),
            Choice("iterations", 20, "§5: easy-first", ("easy-first",)),
            Choice("policy", "explore", "§5; static (easy-first: ambiguity) is the row beside it"),
            Choice("exploration", "2013", "§3.2: follow the prediction if RAND() < p"),
            Choice("k", 1, "§5"),
            Choice("p", 0.9, "§5"),
            Choice("zero_cost", "best", "§3.2, NEXT: the right move that scores best, t_o"),
            Choice("costs", "exact", "§4.1 defines them; as §4.5 prints them, they miss arcs: --costs 2013, errata"),
            *_PERCEPTRON,
            _NO_CALIBRATION,
        ),
    ),
    "tokgoz-eryigit-2015": Paper(
        "Tokgöz & Eryiğit 2015: Transition-based dependency DAG parsing using dynamic oracles",
        "unlabelled precision, recall and F1; ten folds (§4)",
        "unlabelled_f1",
        (
            Choice("system", "dag-arc-eager", "§3.2"),
            Choice("lifting", "head", "§4: the scheme Head"),
            Choice("cycles", "reverse", "§4: the shortest arc of a cycle is reversed until no cycle remains"),
            Choice("features", "tokgoz-eryigit", "§4"),
            Choice("iterations", 15, "§4"),
            Choice("policy", "ambiguity", "§3.3, Algorithm 1; the other rows are static"),
            Choice("zero_cost", "random", "§3.3, NEXT: RANDOM_ELEMENT(ZC)"),
            Choice("costs", "paper", "§3.3: a transition is free or costly; see the errata page", ("dag-arc-eager",)),
            *_PERCEPTRON,
        ),
    ),
    "riedel-smith-mccallum-2012": Paper(
        "Riedel, Smith & McCallum 2012: Parse, price and cut",
        "UAS; sentences, parts scored and added, seconds (Table 1)",
        "uas",
        (
            Choice("system", "exact", "§3, §4"),
            Choice("single_root", False, "§3.1: every word has one head; no constraint counts the root's dependents"),
            Choice("order", 2, "§2.2: arcs and grandparents"),
            Choice("parts", "grandparents", "§2.2: siblings are mentioned, grandparents are what is built"),
            Choice("projective", False, "§6: non-projective grandparent models"),
            Choice("adviser", "none", "not in the paper"),
            Choice("learning", "sgd", "§2.4: stochastic gradient of the likelihood, marginals by belief propagation"),
            Choice("cutoff", 1, "the paper does not say that it leaves features out"),
            *_ours_off("governors"),
        ),
    ),
}


def as_paper_option() -> str:
    """Declare the option that names a paper."""
    return option(
        "",
        "train as a paper does; `treewright presets` lists what that sets, and options given beside it override it",
        topics.PARSER,
        metavar="PAPER",
        choices=tuple(PAPERS),
    )


def paper_named(name: object) -> Paper:
    """Return a paper by the name of its preset."""
    if name not in PAPERS:
        raise CombinationError(unknown("paper", str(name), PAPERS))
    return PAPERS[str(name)]


def with_paper(options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return options with what their paper sets; what was given overrides it."""
    paper = paper_named(options["as_paper"])
    system = options.get("system", paper.system)
    return {**paper.options_for(system), **options}


def differences(kept: Mapping[str, OptionValue]) -> dict[str, tuple[OptionValue, OptionValue]]:
    """Return where a recipe differs from its paper: option → (the paper's value, the recipe's)."""
    paper = paper_named(kept["as_paper"])
    wanted = paper.options_for(kept.get("system"))
    found = {name: (value, kept.get(name)) for name, value in wanted.items() if kept.get(name) != value}
    if kept.get("system") != paper.system:
        found = {"system": (paper.system, kept.get("system")), **found}
    return found
