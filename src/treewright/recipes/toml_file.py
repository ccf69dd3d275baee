"""Recipes as TOML files: ``train --config`` reads them, ``info --print recipe`` prints one that makes a model again."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from treewright.errors import TreewrightError
from treewright.options.option import OptionValue
from treewright.options.topics import TOPICS
from treewright.recipes.catalogue import all_options


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a TOML file; what is wrong with it is said in one line."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            return _checked(tomllib.load(file), name)
    except tomllib.TOMLDecodeError as error:
        raise TreewrightError(f"{name}: not TOML: {error}") from None
    except (UnicodeDecodeError, RecursionError):
        raise TreewrightError(f"{name}: not TOML: it is not UTF-8 text, or nested too deeply") from None
    except ValueError:
        raise TreewrightError(f"{name}: not TOML: a whole number of more than 64 bits, or no date") from None
    except OSError as error:
        raise TreewrightError(f"{name}: cannot be read ({error.strerror}). Check the path") from None


def _checked(table: dict[str, Any], name: str) -> dict[str, Any]:
    """Reject whole numbers of more than 64 bits, as TOML does: Python reads them, and cannot print the longest."""
    waiting: list[Any] = [table]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise TreewrightError(f"{name}: not TOML: a whole number of more than 64 bits")
    return table


def read_config(path: str | os.PathLike[str]) -> dict[str, OptionValue]:
    """Read the options of a recipe from a TOML file: ``name = value`` lines, in any tables."""
    options: dict[str, OptionValue] = {}
    for name, value in read_toml(path).items():
        for key, each in value.items() if isinstance(value, dict) else ((name, value),):
            if not isinstance(each, (str, int, float, bool)):
                raise TreewrightError(f"{os.fspath(path)}: {key} is {each!r}, but an option is text or a number")
            options[key.replace("-", "_")] = each
    return options


def config_text(options: Mapping[str, OptionValue], notes: tuple[str, ...] = ()) -> str:
    """Return options as a TOML file, grouped by topic, with what each one means."""
    lines = [f"# {line}" for note in notes for line in note.splitlines()]
    listed = all_options()
    for topic in TOPICS:
        chosen = [name for name in listed if name in options and listed[name].first.topic == topic]
        if chosen:
            lines += ["", f"# {topic}"]
        for name in chosen:
            text = f"{name} = {_toml_value(options[name])}"
            lines.append(text if "\n" in text else f"{text:32} # {listed[name].first.help}")
    return "\n".join(lines).lstrip("\n") + "\n"


def _toml_value(value: OptionValue) -> str:
    if isinstance(value, str):
        if "\n" in value and "'''" not in value:
            return f"'''\n{value}'''"
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else repr(value)
