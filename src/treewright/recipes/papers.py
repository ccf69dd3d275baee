"""The papers' own choices, as presets: ``--as goldberg-nivre-2012`` trains what the paper describes.

Our defaults differ from the papers where dev scores of several treebanks said so. A preset sets every option that a
paper decides, and each choice names the section that makes it. Where a paper is silent, the choice says so. Options
given beside a preset override it; the model keeps the preset's name, so that ``treewright info`` can say what differs.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from treewright.errors import CombinationError, unknown
from treewright.options import topics
from treewright.options.option import OptionValue, choice


class Choice(NamedTuple):
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
    "kind_weights": (False, "the paper's φ has no weight that the relations of a transition share"),
    "keep": ("last", "the paper selects no round on dev: averaged weights of the last"),
    "calibration": ("none", "the paper has no confidences"),
}


@cache
def papers() -> dict[str, Paper]:
    """Return the papers by the names of their presets, from papers.toml."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    by_name = {}
    for name, table in tomllib.loads((Path(__file__).parent / "papers.toml").read_text(encoding="utf-8")).items():
        own = [Choice(option, value, where, tuple(*systems)) for option, value, where, *systems in table["choices"]]
        off = [Choice(option, *_NOT_IN_PAPERS[option]) for option in table["ours_off"]]
        by_name[name] = Paper(table["title"], table["scored"], table["metric"], (*own, *off))
    return by_name


def as_paper_option() -> str:
    """Declare the option that names a paper."""
    what = "train as a paper does; `treewright presets` lists what that sets, and options given beside it override it"
    return choice("", papers, what, topics.PARSER, metavar="PAPER")


def paper_named(name: object) -> Paper:
    """Return a paper by the name of its preset."""
    if name not in papers():
        raise CombinationError(unknown("paper", str(name), papers()))
    return papers()[str(name)]


def with_paper(options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return options with what their paper sets; what was given overrides it."""
    paper = paper_named(options["as_paper"])
    system = options.get("system", paper.system)
    return {**paper.options_for(system), **options}


def differences(kept: Mapping[str, OptionValue]) -> dict[str, tuple[OptionValue, OptionValue]]:
    """Return where a recipe differs from its paper: option → (the paper's value, the recipe's)."""
    paper = paper_named(kept["as_paper"])
    wanted = paper.options_for(kept.get("system"))
    changed = {name: (value, kept.get(name)) for name, value in wanted.items() if kept.get(name) != value}
    if kept.get("system") != paper.system:
        changed = {"system": (paper.system, kept.get("system")), **changed}
    return changed
