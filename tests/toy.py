"""The toy treebank, and small parsers trained on it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import treewright
from treewright.steps.parser import Parser
from treewright.systems import make_system, variants

FOLDER = Path(__file__).parent.parent / "examples" / "toy"
TRAIN, DEV, TEST = (str(FOLDER / f"{part}.conllu") for part in ("train", "dev", "test"))

#: the first sentences of it, for parsers that take longer to learn
SOME = ("\n\n".join(Path(TRAIN).read_text(encoding="utf-8").split("\n\n", 160)[:160]) + "\n\n").encode()

#: every system with every place its root can have
SYSTEMS = variants()


@cache
def toy_parser(system: str = "arc-eager", root: str | None = None) -> Parser:
    """Return a parser, trained once."""
    parser: Parser = treewright.train(TRAIN, system=system, root=root, features="lean", iterations=2)
    return parser


#: those that know all right moves, and what each loses
DYNAMIC = [(name, root) for name, root in SYSTEMS if "dynamic" in make_system(name).oracles]
LEFT_TO_RIGHT = tuple((system, root) for system, root in SYSTEMS if system != "easy-first")
