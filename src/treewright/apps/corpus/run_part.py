"""Parse one part and commit it: the one function that all engines call, on any machine.

The trees are written to a temporary name, synced and renamed; then the record is. A worker may die at any moment, and
two may do the same part: the record is there exactly when the part is whole, and the same part gives the same bytes.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import socket
import tempfile
import threading
import time
import warnings
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from treewright.apps.corpus.part_output import part_format
from treewright.apps.corpus.plan import TREEBANK, Header, Part
from treewright.apps.corpus.reading import TAKEN_TO_PIECES, PartReader, check_unchanged
from treewright.apps.corpus.storage import checksum, exists, is_remote, local_output, open_bytes, plain
from treewright.apps.corpus.store import Record, RunStore
from treewright.errors import (
    CombinationError,
    MissingExtraError,
    ModelFileError,
    OutputError,
    TreebankError,
    TreewrightError,
    TreewrightWarning,
)
from treewright.steps.call import call_from
from treewright.steps.in_order import parsed_in_order
from treewright.steps.step import Step
from treewright.treebank.files.writing import write_pieces

#: how the work on a part ended: it is written; it was set aside; it may go better again; no part will go well
DONE, FAILED, AGAIN, STOP = "done", "failed", "again", "stop"
Outcome = dict[str, Any]
#: errors that every part would meet
OF_THE_RUN = (ModelFileError, OutputError, CombinationError, MissingExtraError)


@dataclass(frozen=True)
class CorpusJob:
    """What is the same for all parts of a run; plain data, for any engine."""

    out: str
    plan: str  # digests of plan and model
    digest: str
    model: str  # a path, or the name of a bundled or installed model
    to: str
    header: dict[str, Any]
    options: dict[str, Any]

    def task(self, part: Part) -> dict[str, Any]:
        """Return all that a worker needs to know for one part."""
        return {"job": asdict(self), "part": asdict(part)}


def run_part(task: dict[str, Any]) -> Outcome:
    """Parse a part, commit it, and say how it went; no error leaves this function."""
    job, part = CorpusJob(**task["job"]), Part(**task["part"])
    outcome: Outcome = {"part": part.number, "worker": f"{socket.gethostname()}:{os.getpid()}"}
    begin, used = time.perf_counter(), time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", TreewrightWarning)
        try:
            outcome["record"] = _committed(job, part, begin, used)
            outcome["state"] = DONE
        except OF_THE_RUN as error:
            outcome |= {"state": STOP, "reason": str(error)}
        except TreewrightError as error:
            outcome |= {"state": FAILED, "reason": str(error)}
        except MemoryError:
            outcome |= {"state": AGAIN, "reason": "out of memory"}
        except OSError as error:
            outcome |= {"state": AGAIN, "reason": f"{error.filename or part.file}: {error.strerror or error}"}
        except Exception as error:
            reason = f"a fault in treewright ({type(error).__name__}: {error})"
            outcome |= {"state": AGAIN, "reason": reason[:300]}
    outcome["warnings"] = sorted({str(each.message) for each in caught})[:5]
    return outcome


def _committed(job: CorpusJob, part: Part, begin: float, used: float) -> Record:
    """Parse a part; return its record when all is on the disk."""
    from treewright import __version__

    store = RunStore(job.out)
    if (kept := _kept(job, part, store)) is not None:
        return kept
    parser = model_of(job.model, job.digest)
    if part.sentences is not None and job.header["numbered_by"] != job.digest:
        raise CombinationError("the sentences of the plan were counted with another model. Plan again with --number")
    check_unchanged(part)
    store.make_folders(part.number)
    path = store.part_path(part.number, job.to)
    reader, sha256, size = _parsed(job, part, parser, path)
    record = {
        "part": part.number,
        "plan": job.plan,
        "model": job.digest,
        "treewright": __version__,
        "sha256": sha256,
        "bytes": size,
        "sentences": reader.sentences,
        "words": reader.words,
        "set_aside": len(reader.aside),
        "seconds": round(time.perf_counter() - begin, 4),
        "cpu_seconds": round(time.process_time() - used, 4),
    }
    if reader.aside:
        store.save_failure(part.number, {"part": part.number, "whole": False, "items": reader.aside})
    store.save(part.number, record)
    return record


def _kept(job: CorpusJob, part: Part, store: RunStore) -> Record | None:
    """Return the record of a part that another worker has finished: engines give tasks away again when workers die."""
    try:
        record = store.record(part.number)
    except TreewrightError:
        return None  # damaged: it is written again
    if record is None or record["plan"] != job.plan or record["model"] != job.digest:
        return None
    return record if exists(store.part_path(part.number, job.to)) else None


def _parsed(job: CorpusJob, part: Part, parser: Step, path: str) -> tuple[PartReader, str, int]:
    """Parse a part into its file; if something in it cannot be read, set that aside and parse the rest."""
    try:
        return _written(job, part, parser, path, careful=False)
    except TreebankError as error:
        if part.kind == TREEBANK and part.format != TAKEN_TO_PIECES:
            raise
        try:
            return _written(job, part, parser, path, careful=True)
        except TreebankError:
            raise error from None  # it was something else


def _written(job: CorpusJob, part: Part, parser: Step, path: str, careful: bool) -> tuple[PartReader, str, int]:
    """Parse a part into its file; return what was read, and the file's checksum and size."""
    header = Header(**job.header)
    call = call_from({**job.options, "newlines": header.newlines} if part.is_text else job.options)
    reader = PartReader(parser, header, part, call, careful)
    format = part_format(job.to, part)
    with local_output(path) as target:
        write_pieces(parsed_in_order(parser, reader.blocks(), 1, call), target, format)
        return reader, *checksum(target)


# Models: loaded once in a process

_models: dict[tuple[str, str], Step] = {}
_loading = threading.Lock()


def model_of(model: str, digest: str) -> Step:
    """Return the parser of a model file, which must be the one that the run began with."""
    with _loading:
        key = (model, digest)
        if key not in _models:
            path = model_path(model)
            if model_digest(path) != digest:
                problem = "this is not the model that the run was started with. Copy the model to this machine again"
                raise ModelFileError(f"{path}: {problem}")
            _models.clear()
            _models[key] = Step.load(path)
        return _models[key]


@cache
def model_path(model: str) -> str:
    """Return the file of a model on this machine; one from elsewhere is fetched once in a process."""
    from treewright.steps.named_models import find_model

    if not is_remote(model):
        return os.fspath(find_model(plain(model)))
    name = hashlib.sha256(model.encode()).hexdigest()[:16]
    folder = tempfile.mkdtemp(prefix=f"treewright-model-{name}-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = os.path.join(folder, "model.tw")
    with open_bytes(model) as source, open(target, "wb") as file:
        while piece := source.read(1 << 20):
            file.write(piece)
    return target


def model_digest(path: str) -> str:
    """Return the SHA-256 of a model file."""
    try:
        return checksum(path)[0]
    except TreebankError as error:
        raise ModelFileError(str(error)) from None
