"""Models by name: loaded when first asked for, loaded again when their file changed."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from treewright.apps.server.messages import HttpError
from treewright.errors import TreewrightError
from treewright.steps.border.container import read_model
from treewright.steps.loading import load_step
from treewright.steps.pipeline import headers_of_steps
from treewright.steps.step import Step

log = logging.getLogger("treewright.apps.server")
#: how often a file is looked at, at most
LOOK_SECONDS = 0.5
Stamp = tuple[int, int, int]


@dataclass
class Entry:
    """A model's file and, once it was asked for, the model."""

    path: Path
    parser: Step | None = None
    stamp: Stamp | None = None
    looked: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)
    _steps: tuple[Stamp, list[str]] | None = None

    def current(self) -> Step:
        """Return the model as its file is now; if a new file cannot be read, keep the old model."""
        parser = self.parser
        if parser is not None and time.monotonic() - self.looked < LOOK_SECONDS:
            return parser
        with self.lock:
            return self._looked_at()

    def steps(self) -> list[str]:
        """Return the steps that the file's header names."""
        try:
            stamp = _stamp(self.path)
            if self._steps is None or self._steps[0] != stamp:
                header = read_model(self.path).header
                steps = headers_of_steps(header) if header["kind"] == "pipeline" else [{"name": "parser"}]
                self._steps = stamp, [step["name"] for step in steps]
        except (OSError, TreewrightError, KeyError, TypeError) as error:
            log.error("%s", error)
            return []
        return self._steps[1]

    def _looked_at(self) -> Step:
        now = time.monotonic()
        if self.parser is not None and now - self.looked < LOOK_SECONDS:
            return self.parser
        try:
            stamp = _stamp(self.path)
            if self.parser is None or stamp != self.stamp:
                again = self.parser is not None
                self.parser, self.stamp = load_step(self.path), stamp
                log.info("%s model %s", "reloaded" if again else "loaded", self.path)
        except (OSError, TreewrightError) as error:
            if self.parser is None:
                log.error("%s", error)
                raise HttpError(503, "the model cannot be loaded; the server's log says why") from None
            log.warning("the model changed but cannot be loaded; the old one stays in use: %s", error)
        self.looked = now
        return self.parser


class ModelStore:
    """The models of a server. The first is the default."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._entries = {name: Entry(path) for name, path in paths.items()}
        self._ready: dict[str, Step] = {}

    def names(self) -> list[str]:
        """Return the names of all models, the default first."""
        return list(dict.fromkeys([*self._entries, *self._ready]))

    def default(self) -> str:
        """Return the name of the default model."""
        names = self.names()
        if not names:
            raise HttpError(404, "the server has no models")
        return names[0]

    def find(self, wish: str = "") -> str:
        """Return the name of the model that a client means: its name, or else the first that begins so."""
        if not wish:
            return self.default()
        names = self.names()
        if wish in names:
            return wish
        for begin in (f"{wish}-", wish):  # UDPipe's names have parts: english-ewt-ud-2.15
            for name in names:
                if name.startswith(begin):
                    return name
        raise HttpError(404, f"no model {wish[:100]!r}: there are {', '.join(names[:50]) or 'none'}")

    def get(self, name: str) -> Step:
        """Return a model by its whole name, loaded if need be."""
        if name in self._ready:
            return self._ready[name]
        entry = self._entries.get(name)
        if entry is None:
            raise HttpError(404, f"no model {name[:100]!r}")
        return entry.current()

    def steps(self, name: str) -> list[str]:
        """Return the steps of a model without loading all of it."""
        entry = self._entries.get(name)
        if name in self._ready or entry is None or entry.parser is not None:
            return list(self.get(name).steps)
        return entry.steps()

    def add(self, name: str, model: Path | Step) -> None:
        """Add a model while the server runs: a file, or a parser in memory (which replaces one of that name)."""
        if isinstance(model, Step):
            self._ready = {**self._ready, name: model}
        else:
            self._entries = {**self._entries, name: Entry(model)}

    def loaded(self) -> list[str]:
        """Return the names of the models in memory."""
        files = [name for name, entry in self._entries.items() if entry.parser is not None]
        return list(dict.fromkeys([*files, *self._ready]))


def named(paths: Iterable[str | os.PathLike[str]]) -> dict[str, Path]:
    """Return models by the names of their files without ending; of equal names the folder is put in front."""
    by_name: dict[str, Path] = {}
    for each in paths:
        path = Path(each)
        name = path.stem
        if name in by_name:
            name = f"{path.resolve().parent.name}-{name}"
        if name in by_name:
            raise TreewrightError(f"{path}: two models would be called {name}. Rename one of the files")
        by_name[name] = path
    return by_name


def _stamp(path: Path) -> Stamp:
    state = path.stat()
    return state.st_mtime_ns, state.st_size, state.st_ino
