"""Options that several recipes share: which words govern, raw text, trainings whose mean is kept, times."""

from __future__ import annotations

from treewright.errors import CombinationError
from treewright.options import topics
from treewright.options.option import choice, count, option

SECONDS = {"s": 1, "m": 60, "h": 3600}
LONGEST = 1e7  # seconds


def seconds_in(text: str, name: str) -> float:
    """Return a time in seconds, which a number alone counts, too; ``name``: the option, for messages."""
    given = text.strip().lower()
    unit = SECONDS.get(given[-1:], 0)
    try:
        seconds = float(given[:-1] if unit else given) * (unit or 1)
    except ValueError:
        seconds = 0.0
    if not 1 <= seconds <= LONGEST:
        raise CombinationError(f"{name} is {text!r}, but must be a time such as 90s, 10m or 1h")
    return seconds


def governors_option() -> str:
    """Declare whether words may govern others whose tag does not in the treebank: all parsers have it."""
    what = "which words may have dependents; learnt leaves out tags that have none in the treebank, like PUNCT"
    return choice("learnt", ("learnt", "any"), what, topics.PARSER, metavar="")


def rules_option() -> str:
    """Declare whether trees keep rules that are learnt from the treebank."""
    what = "rules that trees keep; learnt are those that the treebank (nearly) never breaks, like one subject to a verb"
    return choice("none", ("learnt", "none"), what, topics.PARSER, metavar="")


def raw_option() -> str:
    """Declare the files of raw text; several are joined by line breaks."""
    return option(
        "",
        "raw text (UTF-8, compressed or not) to learn word clusters from; in Python, one file a line",
        topics.TEXT,
        metavar="FILE",
        many=True,
    )


def clusters_option(made_of: str) -> int:
    """Declare the number of clusters of words."""
    return count(256, f"clusters of words, with {made_of}", topics.TEXT, 2, 4096)


def files_in(raw: str) -> list[str]:
    """Return the files that the option ``raw`` names."""
    return [path.strip() for path in raw.split("\n") if path.strip()]


def seeds_option(trainings: str, in_large: int) -> int:
    """Declare how many trainings are averaged; large treebanks need fewer."""
    usual = f"4 in treebanks of fewer than 100,000 words, else {in_large}"
    return count(0, f"{trainings} whose weights are averaged", topics.TEXT, 0, 100, usual)
