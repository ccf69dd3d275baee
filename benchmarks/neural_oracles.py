"""Static against dynamic oracles with a neural scorer: accuracy of the same parser on test, by policy and seed.

    python benchmarks/neural_oracles.py TREEBANKS NAME… [--systems LIST] [--policies LIST] [--seeds LIST]
                                        [train options, as --hidden 128]

TREEBANKS holds a folder for each treebank, with its train, dev and test files. Words and tags are gold; UAS and LAS are
those of all words, with full relations. A line appears as soon as its parser is trained.
"""

from __future__ import annotations

import time
from typing import Any

from neural import attachment, part
from treebank_arguments import parser_for

import treewright as tw
from treewright.apps.cli.declared_arguments import add_recipe_arguments, given_options
from treewright.recipes.catalogue import all_options
from treewright.training.gathering import gather

CHOSEN = ("learner", "pipeline", "policy", "seed", "seeds", "system")  # by this script


def main() -> None:
    parser = parser_for(__doc__)
    parser.add_argument("--systems", default="arc-hybrid")
    parser.add_argument("--policies", default="static,explore")
    parser.add_argument("--seeds", default="1,2")
    add_recipe_arguments(parser, leave_out=CHOSEN)
    arguments = parser.parse_args()
    options = given_options(arguments, [name for name in all_options() if name not in CHOSEN])
    print("| treebank | system | policy | seed | dev LAS | test | training, s |", flush=True)
    print("|---|---|---|---|---|---|---|", flush=True)
    for seed in map(int, arguments.seeds.split(",")):
        for name in arguments.names:
            folder = arguments.treebanks / name
            test = gather(part(folder, "test"), on_error="fix", single_root=False)
            for system in arguments.systems.split(","):
                for policy in arguments.policies.split(","):
                    begun = time.process_time()
                    chosen: dict[str, Any] = {"learner": "neural", "system": system, "policy": policy, "seed": seed}
                    files = part(folder, "train"), part(folder, "dev")
                    model = tw.train(*files, on_error="fix", **chosen, **options)
                    seconds, dev = time.process_time() - begun, model.info["dev"]["las"]
                    row = (
                        f"| {name} | {system} | {policy} | {seed} | {dev} | {attachment(model, test)} | {seconds:.0f} |"
                    )
                    print(row, flush=True)


if __name__ == "__main__":
    main()
