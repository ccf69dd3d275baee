"""Small model files that once crashed, hung or filled the memory, and the script that makes them.

    python -m tests.crashers

writes them to tests/crashers/. They are made from models of sentences that are made up (every_kind.py). Loading one
must give a ModelFileError.
"""

from __future__ import annotations

import struct
import tempfile
import zlib
from array import array
from collections.abc import Callable
from pathlib import Path

from tests.crafted import crafted
from tests.every_kind import save_all

FOLDER = Path(__file__).parent / "crashers"
Change = Callable[[dict], object]


def nothing(given: dict) -> None:
    """Change nothing."""


def many_columns(header: dict) -> None:
    """Wrote behind an array of four."""
    header["steps"][1]["settings"]["columns"] = ["UPOS"] * 500


def unknown_addresses(header: dict) -> None:
    """Read what the system does not have."""
    header["settings"]["features"] = "p(list[3])\n"


def no_number(arrays: dict) -> None:
    """Made the search for the best tree read before its arrays."""
    arrays["arc_weights"] = struct.pack("<f", float("nan")) * (len(arrays["arc_weights"]) // 4)


def infinite(arrays: dict) -> None:
    """Made the same search run for ever."""
    arrays["arc_weights"] = struct.pack("<f", float("inf")) * (len(arrays["arc_weights"]) // 4)


def no_free_slot(arrays: dict) -> None:
    """Let searches in a table run for ever."""
    arrays["relation_tags"] = b"\x03\0\0\0" * (len(arrays["relation_tags"]) // 4)


def repeated_feature(arrays: dict) -> None:
    """Read behind a table of kernel values."""
    text = zlib.decompress(arrays["machines"]).rstrip() + b" 1:1" * 2000 + b"\n"
    arrays["machines"] = zlib.compress(text)


def repeated_length(header: dict) -> None:
    """Go with ``repeated_feature``."""
    (part,) = header["weights"]["machine"]["parts"]
    part[1] += 4 * 2000


def bomb(arrays: dict) -> None:
    """Unpacked to 256 MB."""
    arrays["machines"] = zlib.compress(bytes(1 << 28), 9)[: 1 << 16]


def bomb_length(header: dict) -> None:
    """Go with ``bomb``."""
    header["weights"]["machine"]["parts"] = [[0, 1 << 33]]


def colliding(arrays: dict) -> None:
    """Took a time that grows with the square."""
    n = 6000
    arrays["tagger.lexicon.keys"] = array("Q", range(1, n + 1)).tobytes()
    arrays["tagger.lexicon.classes"] = bytes(2 * n)


def odd_info(header: dict) -> None:
    """Loaded, and `info` ended with a traceback."""
    header["steps"][-1]["info"] = ["no", "table"]


def odd_order(header: dict) -> None:
    """The same, when it parsed."""
    header["settings"]["order"] = "2"


def odd_confidence(header: dict) -> None:
    """The same."""
    header["settings"]["confidence"] = {"beta": [1]}


def one_decision_more(header: dict) -> None:
    """Gave scores for other decisions than those of the parser."""
    machine = header["weights"]["machine"]
    machine["prior"] = [*machine["prior"], 0.0]


def endless_count(arrays: dict) -> None:
    """Made TiMBL's own loader go on with nothing behind a number that it cannot hold."""
    base = zlib.decompress(arrays["instance_base"])
    arrays["instance_base"] = zlib.compress(base.replace(b" 24 })", b" 1e999 })", 1))


def endless_count_length(header: dict) -> None:
    """Go with ``endless_count``."""
    header["weights"]["machine"]["lengths"][0] += 3


def deep_tree(arrays: dict) -> None:
    """Made TiMBL's own loader crash."""
    arrays["instance_base"] = zlib.compress(b"# Status: complete\n" + b"(1{ 1 1 }[1" * 500)


#: name of the file → kind of model, what changes in its header, what in its arrays
CRASHERS: dict[str, tuple[str, Change, Change]] = {
    "tagger-columns": ("pipeline", many_columns, nothing),
    "dag-addresses": ("dag-shift-reduce", unknown_addresses, nothing),
    "exact-nan": ("exact-1", nothing, no_number),
    "exact-infinite": ("exact-1", nothing, infinite),
    "exact-full-table": ("exact-1", nothing, no_free_slot),
    "libsvm-repeated-feature": ("libsvm", repeated_length, repeated_feature),
    "libsvm-bomb": ("libsvm", bomb_length, bomb),
    "colliding-keys": ("pipeline", nothing, colliding),
    "pipeline-info": ("pipeline", odd_info, nothing),
    "exact-order": ("exact-2", odd_order, nothing),
    "confidence": ("arc-eager", odd_confidence, nothing),
    "timbl-tree": ("timbl", nothing, deep_tree),
    "timbl-count": ("timbl", endless_count_length, endless_count),
    "timbl-decisions": ("timbl", one_decision_more, nothing),
}


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        models = save_all(Path(folder), sorted({kind for kind, _, _ in CRASHERS.values()}))
        for name, (kind, header, arrays) in CRASHERS.items():
            crafted(models[kind], FOLDER / f"{name}.tw", header, arrays)


if __name__ == "__main__":
    main()
