"""``python -m treewright.oracles``: compare every oracle with exhaustive search; print a table."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.oracles.comparison import arguments, compare
from treewright.systems import SYSTEMS, make_system, variants
from treewright.systems.system import System


def all_systems(wanted: str | None = None) -> Iterator[System]:
    """Yield every transition system, or only the one wanted, in every variant."""
    for name, root in variants():
        if wanted not in (None, name):
            continue
        for single_root in (True, False):
            yield make_system(name, root=root, single_root=single_root)


def main() -> int:
    """Print the comparison as Markdown; return 1 if any oracle was wrong anywhere."""
    about = "Compare every oracle with exhaustive search over all small trees."
    options = arguments("treewright.oracles", about, 5, SYSTEMS).parse_args()
    print("| system | root | single_root | oracle | trees | configurations | mismatches |")
    print("|---|---|---|---|--:|--:|--:|")
    wrong = 0
    for system in all_systems(options.system):
        for c in compare(system, options.words, options.leaves):
            wrong += len(c.mismatches)
            single = "yes" if system.single_root else "no"
            print(
                f"| {system.name} | {system.root} | {single} | {c.oracle}"
                f" | {c.trees:,} | {c.configurations:,} | {len(c.mismatches)} |",
                flush=True,
            )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
