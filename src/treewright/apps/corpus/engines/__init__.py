"""What carries parts to workers: processes here, Dask, Ray, or nothing at all."""

from __future__ import annotations

from typing import Any

from treewright.apps.corpus.engines.engine import Engine
from treewright.errors import TreewrightError, unknown

ENGINES = ("local", "dask", "ray", "serial")


def make_engine(name: str, workers: int, **options: Any) -> Engine:
    """Return an engine; what it needs is imported now."""
    given = {option: value for option, value in options.items() if value is not None}
    if name in ("local", "serial") and given:
        raise TreewrightError(f"--{next(iter(given))} is for --engine dask or ray: leave it out")
    if name == "local":
        from treewright.apps.corpus.engines.local import LocalEngine

        return LocalEngine(workers)
    if name == "serial":
        from treewright.apps.corpus.engines.serial import SerialEngine

        return SerialEngine()
    if name == "dask":
        from treewright.apps.corpus.engines.dask import DaskEngine

        return DaskEngine(workers, **given)
    if name == "ray":
        from treewright.apps.corpus.engines.ray import RayEngine

        if "cluster" in given:
            raise TreewrightError("--cluster is for --engine dask: `ray up` starts clusters for Ray")
        return RayEngine(workers, **given)
    raise TreewrightError(unknown("engine", name, ENGINES))
