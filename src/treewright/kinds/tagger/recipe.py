"""The recipe of a tagger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treewright.errors import CombinationError
from treewright.options import topics
from treewright.options.option import count, option
from treewright.options.recipe import Recipe
from treewright.recipes.shared_options import seeds_option

#: the structured perceptron as Collins (2002) has it: exact search among all tags, no margin, all words and features
#: as they are, no weights left out. Its features are ours, which look one tag back; his look two
COLLINS_2002 = {
    "search": "viterbi", "width": 0, "closed_from": 0, "cutoff": 1, "margin": 0.0, "dropout": 0.0, "least": 0.0,
    "seeds": 1,
}  # fmt: skip


@dataclass(frozen=True)
class TaggerRecipe(Recipe):
    """The recipe of a tagger."""

    kind: ClassVar[str] = "tagger"
    whose: ClassVar[str] = "taggers"

    search: str = option(
        "twice",
        "tagger: choose tags word by word, once or again with those of the words after; or together, by a beam or "
        "(looking one tag back) by Viterbi's algorithm",
        topics.TEXT,
        choices=("greedy", "twice", "beam", "viterbi"),
    )
    width: int = count(
        8, "tagger: sequences in a beam; tags of each word that viterbi tries, 0: all", topics.TEXT, 0, 256
    )
    iterations: int | None = count(
        None,
        "tagger: rounds over the treebank",
        topics.TEXT,
        usual="16 in treebanks of fewer than 100,000 words, else 12",
    )
    closed_from: int = count(
        30,
        "tagger: occurrences of a word from which on only its own tags are tried; 0: all tags always",
        topics.TEXT,
        0,
        1_000_000,
    )
    cutoff: int = count(2, "tagger: mistakes before a feature counts", topics.TEXT, 1, 200)
    margin: float = option(100.0, "tagger: lead that the right tag must have", topics.TEXT, minimum=0, maximum=1e6)
    dropout: float = option(
        2.0,
        "tagger: D makes a word of n occurrences unknown with probability D/(D+n), so that endings are learnt",
        topics.TEXT,
        metavar="D",
        minimum=0,
        maximum=1e6,
    )
    compose: bool = option(
        False, "tagger: try tags that the treebank lacks, made of the attributes of those that it has", topics.TEXT
    )
    least: float = option(
        1.0, "tagger: smallest weight kept, in treebanks of 100,000 words or more", topics.TEXT, minimum=0, maximum=1e6
    )
    seeds: int = seeds_option("tagger: trainings with different seeds", 1)
    seed: int = 1

    def check_together(self) -> None:
        """Reject a beam without any sequence."""
        if self.search == "beam" and self.width == 0:
            raise CombinationError("a beam of width 0 holds nothing: width must be at least 1")

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing: the width of a search that is none."""
        return {"width": f"search is {self.search}"} if self.search in ("greedy", "twice") else {}
