"""Print the completion script of a shell: bash, zsh or fish.

Run eval "$(treewright completion bash)", with the name of your shell. The reference page says where to keep the
script for every session.
"""

from __future__ import annotations

import argparse

SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    from treewright.apps.cli import completion_scripts
    from treewright.apps.cli.completion_words import described_commands

    write = {"bash": completion_scripts.bash, "zsh": completion_scripts.zsh, "fish": completion_scripts.fish}[
        arguments.shell
    ]
    print(write(described_commands()), end="")
    return 0
