"""The protocol of Arborator-Grew's parser server."""

import json
import time
from pathlib import Path

import pytest

from tests.apps.server.conftest import all_routes
from tests.apps.server.running import ask, running
from tests.toy import DEV
from treewright.apps.server.model_store import ModelStore, named

SAMPLE = "1\tThe\t_\tDET\t_\t_\t_\t_\t_\t_\n2\tgirl\t_\t_\t_\t_\t_\t_\t_\t_\n3\tsleeps\t_\t_\t_\t_\t_\t_\t_\t_\n"


def call(server, path, data=None, method="POST"):
    body = None if data is None else json.dumps(data)
    status, _, answer = ask(server, method, f"/parser/models{path}", body, {"Content-Type": "application/json"})
    assert status == 200
    return json.loads(answer)


def finished(server, path, data):
    """Ask for a status until it is ready."""
    for _ in range(600):
        answer = call(server, path, data)
        if answer["status"] != "success" or answer["data"]["ready"]:
            return answer
        time.sleep(0.1)
    raise AssertionError("the task does not end")


def parsed(server, info, samples, settings=None):
    data = {"model_info": info, "to_parse_samples": samples, "parsing_settings": settings or {}}
    started = call(server, "/parse/start", data)
    assert started["status"] == "success", started
    return finished(server, "/parse/status", started["data"])["data"]["parsed_samples"]


OWN = {"project_name": "treewright", "model_id": "toy-pipe-1"}


@pytest.mark.parametrize("on_disk", [True, False])
def test_train_and_parse(models, tmp_path, on_disk):
    folder = tmp_path if on_disk else None
    with running(all_routes, ModelStore(named(models)), folder=folder) as server:
        assert OWN in call(server, "/list", method="GET")["data"]
        sentences = Path(DEV).read_text().split("\n\n")
        samples = {"a": "\n\n".join(sentences[:20]), "b": "\n\n".join(sentences[20:60])}
        wish = {"project_name": "my project", "train_samples": samples, "max_epoch": 2, "base_model": None}
        started = call(server, "/train/start", wish)["data"]
        done = finished(server, "/train/status", started)["data"]
        assert done["model_info"] == started["model_info"]
        assert 0 < done["scores_best"]["LAS_epoch"] <= 1
        assert [scores["epoch"] for scores in done["scores_history"]] == [1, 2]
        assert started["model_info"] in call(server, "/list", method="GET")["data"]
        assert len(list(tmp_path.rglob("*.tw"))) == on_disk
        text = parsed(server, started["model_info"], {"x": SAMPLE})["x"]
        assert "_" not in [line.split("\t")[7] for line in text.splitlines() if line]
        info = started["model_info"]
        path = f"/list/{info['project_name']}/{info['model_id']}".replace(" ", "%20")
        assert call(server, path, method="DELETE")["status"] == "success"
        assert info not in call(server, "/list", method="GET")["data"]
        assert call(server, path, method="DELETE")["status"] == "failure"


def test_what_annotators_keep(server):
    given = SAMPLE.replace("girl\t_\t_\t_\t_\t_\t_", "girl\t_\tX\t_\t_\t1\tdep")
    rows = [line.split("\t") for line in parsed(server, OWN, {"x": given})["x"].splitlines() if line]
    assert rows[1][3] == "NOUN"
    kept = {"keep_upos": "EXISTING", "keep_heads": "EXISTING", "keep_deprels": "ALL"}
    rows = [line.split("\t") for line in parsed(server, OWN, {"x": given}, kept)["x"].splitlines() if line]
    assert rows[1][3] == "X"
    assert rows[1][6:8] == ["1", "dep"]
    assert rows[0][7] == "_"
    heads = [0, *(int(row[6]) for row in rows)]
    for place in range(1, 4):  # every word still reaches the root
        for _ in range(5):
            place = heads[place]
        assert place == 0


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/train/start", {}),
        ("/train/start", {"project_name": "../x", "train_samples": {"a": SAMPLE}}),
        ("/train/start", {"project_name": "treewright", "train_samples": {"a": SAMPLE}}),
        ("/train/start", {"project_name": "x", "train_samples": {}}),
        ("/train/start", {"project_name": "x", "train_samples": {"a": "no conllu"}}),
        ("/train/start", {"project_name": "x", "train_samples": {"a": 1}}),
        ("/train/start", {"project_name": "x", "train_samples": {"a": SAMPLE}, "max_epoch": 10**9}),
        ("/train/status", {"train_task_id": "none"}),
        ("/parse/start", {"model_info": {"project_name": "..", "model_id": "x"}, "to_parse_samples": {"a": SAMPLE}}),
        ("/parse/start", {"model_info": {"project_name": "a", "model_id": "../b"}, "to_parse_samples": {"a": SAMPLE}}),
        (
            "/parse/start",
            {"model_info": OWN, "to_parse_samples": {"a": SAMPLE}, "parsing_settings": {"keep_upos": "?"}},
        ),
        ("/parse/start", {"model_info": OWN, "to_parse_samples": {"\ud800": "\ud800"}}),
        ("/parse/status", {"parse_task_id": "none"}),
        ("/parse/status", []),
    ],
)
def test_failures_are_told(server, path, data):
    answer = call(server, path, data)
    assert answer["status"] == "failure"
    assert answer["error"]


def test_links_that_lead_out_of_the_project_are_not_followed(server, project, models):
    (project / "models").mkdir(exist_ok=True)
    (project / "models" / "out").symlink_to(models[0].parent)
    info = {"project_name": "out", "model_id": "toy-pipe-1"}
    answer = call(server, "/parse/start", {"model_info": info, "to_parse_samples": {"a": SAMPLE}})
    assert answer["status"] == "failure"
    assert call(server, "/list/out/toy-pipe-1", method="DELETE")["status"] == "failure"
    assert models[0].is_file()


def test_a_training_that_fails_says_so(server):
    started = call(server, "/train/start", {"project_name": "x", "train_samples": {"a": SAMPLE}})["data"]
    answer = finished(server, "/train/status", started)
    assert answer["status"] == "failure"
    assert "Traceback" not in answer["error"]
