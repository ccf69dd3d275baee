"""The folder of an experiment: one small file for every finished cell."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Protocol

from treewright.apps.experiments.cell import FORMAT
from treewright.errors import TreewrightError
from treewright.treebank.files.output import OutputFile

DONE, FAILED = "done", "failed"
CellResult = dict[str, Any]  # the JSON of a cell; measuring.py writes it


class Stored(Protocol):
    """What a store keeps a result of: a cell of a grid, or a trial of a search."""

    @property
    def key(self) -> str:
        """A name for its file."""

    @property
    def content(self) -> dict[str, Any]:
        """All that the result follows from."""


class Store:
    """Results by cell. A file appears complete or not at all, so a cell with a file is finished."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.cells = self.folder / "cells"

    def create(self) -> None:
        """Make the folder; fail now if it is not writable."""
        done = "create"
        try:
            self.cells.mkdir(parents=True, exist_ok=True)
            done = "write to"
            with tempfile.TemporaryFile(dir=self.cells):
                pass
        except OSError as error:
            reason = f"cannot {done} the folder ({error.strerror})"
            raise TreewrightError(f"{self.folder}: {reason}. Choose another with --output") from None

    def path_of(self, cell: Stored) -> Path:
        """Return the file of a cell."""
        return self.cells / f"{cell.key}.json"

    def load(self, cell: Stored) -> CellResult | None:
        """Return the stored result of a cell; None if there is none, or it cannot be read."""
        try:
            result = json.loads(self.path_of(cell).read_bytes())
        except (OSError, ValueError):
            return None
        return result if isinstance(result, dict) and result.get("format") == FORMAT else None

    def is_done(self, cell: Stored) -> bool:
        """Is the cell finished? A failed cell is tried again."""
        result = self.load(cell)
        return result is not None and result.get("status") == DONE

    def save(self, cell: Stored, result: CellResult) -> None:
        """Store a result."""
        with OutputFile(self.path_of(cell)) as output:
            output.write(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def save_failure(self, cell: Stored, error: str) -> None:
        """Store the reason why a cell has no result."""
        self.save(cell, {"format": FORMAT, "status": FAILED, "cell": cell.content, "error": error})
