"""Small models, and a server with all interfaces."""

from pathlib import Path

import pytest

import treewright
from tests.apps.server.running import running
from tests.toy import DEV, TRAIN
from treewright.apps.cli.commands.serve_command import route_functions
from treewright.apps.server.model_store import ModelStore, named


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """Files of a pipeline, an exact parser and a graph parser."""
    folder = tmp_path_factory.mktemp("models")
    some = b"\n\n".join(Path(TRAIN).read_bytes().split(b"\n\n")[:150]) + b"\n\n"
    treewright.train(some, pipeline=True, iterations=2).save(folder / "toy-pipe-1.tw")
    treewright.train(some, system="exact", iterations=1).save(folder / "toy-exact.tw")
    treewright.train(DEV, system="arc-eager", features="lean", iterations=2).save(folder / "toy-moves.tw")
    return [folder / f"{name}.tw" for name in ("toy-pipe-1", "toy-exact", "toy-moves")]


@pytest.fixture(scope="session")
def project(tmp_path_factory):
    """The project folder of the server."""
    return tmp_path_factory.mktemp("project")


def all_routes(service):
    """Return the routes that the command serves, without those of health, which ``running`` adds."""
    return [route for routes in route_functions()[1:] for route in routes(service)]


@pytest.fixture(scope="session")
def server(models, project):
    """A server with all models and interfaces."""
    with running(all_routes, ModelStore(named(models)), folder=project) as server:
        yield server
