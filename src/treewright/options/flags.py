"""How options are written on the command line."""

from __future__ import annotations

from treewright.options.option import Option, flag_of

#: shorter names of options
SHORT_NAMES = {"as": "as_paper"}


def flags_of(option: Option) -> list[str]:
    """Return how an option is written on the command line; what is on by default can be switched off."""
    flag = flag_of(option.name)
    short = [f"--{short}" for short, name in SHORT_NAMES.items() if name == option.name]
    return [*short, flag, flag.replace("--", "--no-", 1)] if option.type is bool and option.default else [*short, flag]
