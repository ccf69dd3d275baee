"""The protocol of Arborator-Grew's parser server: list models, train one on samples, parse samples with one.

Arborator-Grew's backend asks ``/parser/models/…``. Training and parsing are started, then their status is asked for
until they are ready. Every answer is 200 with ``status`` success or failure. Trained models are kept in the project
folder, or in memory where the server has none. Samples are CoNLL-U by name.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.apps.server.analysing import has_tags
from treewright.apps.server.interfaces.arborator_samples import kept_columns, parsed_sample, samples_of
from treewright.apps.server.jobs import DONE, RUNNING, BackgroundJob
from treewright.apps.server.json_fields import JsonFields
from treewright.apps.server.messages import HttpError, Request, Response, json_response
from treewright.apps.server.routing import Handler, Route
from treewright.apps.server.safe_paths import inside, plain_name
from treewright.apps.server.service import Service
from treewright.errors import TreewrightError
from treewright.steps.loading import load_step
from treewright.steps.pipeline import Pipeline
from treewright.steps.step import Step
from treewright.training.observer import RoundReport, TrainingObserver
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU

if TYPE_CHECKING:
    from treewright.recipes.keywords import RecipeOptions

log = logging.getLogger("treewright.apps.server")
#: the project under which the server's own models are listed
OWN = "treewright"
FOLDER = "models"
MOST_EPOCHS = 100
MOST_IN_MEMORY = 20
Info = dict[str, str]


def routes(service: Service) -> list[Route]:
    """Return the routes of the protocol."""
    arborator = Arborator(service)
    rows: list[tuple[str, str, Callable[[Request], object]]] = [
        ("GET", "list", arborator.list),
        ("DELETE", "list/{project}/{model}", arborator.delete),
        ("POST", "train/start", arborator.start_training),
        ("POST", "train/status", partial(arborator.status, "train")),
        ("POST", "parse/start", arborator.start_parsing),
        ("POST", "parse/status", partial(arborator.status, "parse")),
    ]
    return [Route(method, f"/parser/models/{path}", _answering(handler)) for method, path, handler in rows]


def _answering(handler: Callable[[Request], object]) -> Handler:
    """Wrap results and errors as the protocol wants them."""

    def answer(request: Request) -> Response:
        try:
            return json_response({"status": "success", "data": handler(request)})
        except TreewrightError as error:
            return json_response({"status": "failure", "error": str(error)})

    return answer


class Arborator:
    """The handlers."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._trained: dict[tuple[str, str], Step] = {}
        self._lock = threading.Lock()

    def list(self, request: Request) -> object:
        """List the models: the server's own, and those trained here."""
        listed = [(OWN, name) for name in self._service.models.names()]
        if self._service.folder is not None:
            trained = (self._service.folder / FOLDER).glob("*/*.tw")
            listed += sorted((path.parent.name, path.stem) for path in trained)
        listed += [key for key in list(self._trained) if key not in listed]
        return [{"project_name": project, "model_id": model} for project, model in listed]

    def delete(self, request: Request) -> object:
        """Delete a model that was trained here."""
        project = plain_name(request.path_values["project"], "project")
        model = plain_name(request.path_values["model"], "model")
        path = self._path(project, model)
        with self._lock:
            known = self._trained.pop((project, model), None) is not None
            if path is not None and path.is_file():
                path.unlink()
                known = True
        if not known:
            raise HttpError(404, f"no model {model!r} of project {project!r} was trained here")
        return {"project_name": project, "model_id": model}

    # Training

    def start_training(self, request: Request) -> object:
        """Begin to train a model on samples."""
        fields = request.json_fields()
        project = plain_name(fields.text("project_name"), "project_name")
        if project == OWN:
            raise TreewrightError(f"project_name {OWN!r} is the server's own: choose another")
        samples = samples_of(fields.raw("train_samples"), "train_samples")
        epochs = fields.integer("max_epoch", 10, minimum=1, maximum=MOST_EPOCHS)
        base = self._model(fields.fields("base_model")) if "base_model" in fields else None
        info = {"project_name": project, "model_id": datetime.now(timezone.utc).strftime("%Y-%m-%d_%H-%M-%S-%f")}
        job = self._service.jobs.start("train", lambda job: self._train(job, info, samples, epochs, base))
        return {"model_info": info, "train_task_id": job.id}

    def _train(self, job: BackgroundJob, info: Info, samples: dict[str, str], epochs: int, base: Step | None) -> object:
        from treewright.training.trainer import train

        history: list[dict[str, object]] = []
        observer = _Progress(job, history)
        data = "".join(samples.values()).encode()
        train_part, dev_part = _split(data)
        whole = isinstance(base, Pipeline) or (base is None and has_tags(Block(data, CONLLU)))
        recipe: RecipeOptions = {"pipeline": whole, "iterations": epochs}
        if base is None:
            recipe["seeds"] = 1  # no mean of several trainings: clients plot a score for every epoch
        parser = train(train_part, dev_part, observer=observer, init_from=base, on_error="skip", **recipe)
        path = self._path(info["project_name"], info["model_id"])
        with self._lock:
            if path is None:
                for old in list(self._trained)[: 1 - MOST_IN_MEMORY]:
                    del self._trained[old]
                self._trained[info["project_name"], info["model_id"]] = parser
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                parser.save(path)
        best = max(history, key=lambda scores: float(str(scores.get("LAS_epoch", 0))), default={})
        return {"model_info": info, "scores_history": history, "scores_best": best}

    # Parsing

    def start_parsing(self, request: Request) -> object:
        """Begin to parse samples."""
        fields = request.json_fields()
        about = fields.fields("model_info")
        parser = self._model(about)
        info = {"project_name": about.text("project_name"), "model_id": about.text("model_id")}
        samples = samples_of(fields.raw("to_parse_samples"), "to_parse_samples")
        kept = kept_columns(fields.fields("parsing_settings"))
        job = self._service.jobs.start("parse", lambda job: _parse(job, info, parser, samples, kept))
        return {"model_info": info, "parse_task_id": job.id}

    def status(self, kind: str, request: Request) -> object:
        """Tell whether a training or a parse is done, and give its result."""
        name = request.json_fields().text(f"{kind}_task_id")
        job = self._service.jobs.get(name)
        if job.kind != kind:
            raise HttpError(404, f"no such task {name[:50]!r}")
        if job.status == RUNNING:
            return {"ready": False, **job.progress}
        if job.status != DONE or not isinstance(job.result, dict):
            raise TreewrightError(job.error or "the task was stopped")
        return {"ready": True, **job.result}

    # Models

    def _model(self, about: JsonFields) -> Step:
        project, model = about.text("project_name"), about.text("model_id")
        if project == OWN:
            return self._service.models.get(model)
        trained = self._trained.get((project, model))
        if trained is not None:
            return trained
        path = self._path(plain_name(project, "project_name"), plain_name(model, "model_id"))
        if path is None or not path.is_file():
            raise HttpError(404, f"no model {model[:100]!r} of project {project[:100]!r}")
        try:
            return load_step(path)
        except TreewrightError as error:
            log.error("%s", error)
            raise HttpError(503, "the model cannot be loaded; the server's log says why") from None

    def _path(self, project: str, model: str) -> Path | None:
        if self._service.folder is None:
            return None
        return inside(self._service.folder, f"{FOLDER}/{project}/{model}.tw")  # links that lead out are not followed


class _Progress(TrainingObserver):
    """Tells a job what a training reports, under the names that Arborator-Grew knows."""

    def __init__(self, job: BackgroundJob, history: list[dict[str, object]]) -> None:
        self._job, self._history = job, history

    def advanced(self, sentences: int) -> None:
        """Stop the training if the job was cancelled."""
        self._job.report({})

    def round_done(self, report: RoundReport) -> None:
        """Note the scores of a round of the parser."""
        if report.step == "parser" and report.las is not None:
            scores = {"epoch": report.round, "LAS_epoch": report.las / 100, "acc_head_epoch": (report.uas or 0) / 100}
            self._history.append({**scores, **report.scores})
            self._job.report({"current_epoch": report.round})


def _split(data: bytes) -> tuple[bytes, bytes | None]:
    """Return sentences to train on and every tenth to judge by, where there are enough."""
    sentences = [part.strip(b"\n") + b"\n\n" for part in data.replace(b"\r\n", b"\n").split(b"\n\n") if part.strip()]
    if len(sentences) < 20:
        return b"".join(sentences), None
    judged = sentences[9::10]
    del sentences[9::10]
    return b"".join(sentences), b"".join(judged)


def _parse(job: BackgroundJob, info: Info, parser: Step, samples: dict[str, str], kept: dict[str, str]) -> object:
    parsed: dict[str, str] = {}
    for number, (name, text) in enumerate(samples.items()):
        job.report({"parsed": number, "of": len(samples)})
        parsed[name] = parsed_sample(parser, text, kept)
    return {"model_info": info, "parsed_samples": parsed}
