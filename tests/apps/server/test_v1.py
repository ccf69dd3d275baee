"""Our own API: documents, trees, graphs, k best, confidences, certificates, traces, scores, drawings."""

import json

import pytest

import treewright
from tests.apps.server.running import ask

TEXT = "The old shepherd sleeps. The girl sleeps."
CONLLU = (
    "# sent_id = s1\n1-2\tau\t_\t_\t_\t_\t_\t_\t_\t_\n1\tà\tà\tADP\tP\t_\t2\tcase\t2:case\t_\n"
    "2\tle\tle\tDET\tD\tA=B|C\t0\troot\t0:root\tSpaceAfter=No\n2.1\tx\t_\t_\t_\t_\t_\t_\t2:dep\t_\n\n"
)


def call(server, path, data=None, expected=200, method=None):
    body = None if data is None else json.dumps(data)
    method = method or ("GET" if data is None else "POST")
    status, headers, answer = ask(server, method, f"/v1{path}", body, {"Content-Type": "application/json"})
    found = json.loads(answer)
    assert status == expected, found
    assert headers["Content-Type"].startswith("application/json")
    if expected != 200:
        assert found["error"]["status"] == expected
        return found["error"]["message"]
    return found


def test_models(server):
    listed = call(server, "/models")
    assert listed["default"] == "toy-pipe-1"
    assert [model["name"] for model in listed["models"]] == ["toy-pipe-1", "toy-exact", "toy-moves"]
    assert "certificate" in call(server, "/models/toy-exact")["capabilities"]
    assert "no model" in call(server, "/models/none", expected=404)


def test_text_to_documents(server, models):
    found = call(server, "/parse", {"text": TEXT})
    model = treewright.load(models[0])
    for given, sentence in zip(found["sentences"], model.parse_text(TEXT), strict=True):
        assert [word["form"] for word in given["words"]] == [word.form for word in sentence]
        assert [word["head"] for word in given["words"]] == sentence.heads
        assert [word["deprel"] for word in given["words"]] == sentence.deprels
        assert [word["feats"] for word in given["words"]] == [dict(word.feats) for word in sentence]
        assert given["text"] == sentence.text
    same = call(server, "/parse", {"text": TEXT, "output": "conllu"})["conllu"]
    assert same == "".join(sentence.to_conllu() for sentence in model.parse_text(TEXT))


def test_forms_of_input(server):
    words = [["The", "girl", "sleeps", "."]]
    heads = [word["head"] for word in call(server, "/parse", {"words": words})["sentences"][0]["words"]]
    assert heads == [2, 3, 0, 3]
    for layout, text in (("horizontal", "The girl sleeps ."), ("vertical", "The\ngirl\nsleeps\n.")):
        found = call(server, "/parse", {"text": text, "layout": layout})["sentences"][0]["words"]
        assert [word["head"] for word in found] == heads
    (sentence,) = call(server, "/parse", {"conllu": CONLLU, "model": "toy-moves"})["sentences"]
    assert sentence["multiwords"] == [{"first": 1, "last": 2, "form": "au", "misc": {}}]
    assert sentence["empty_nodes"][0]["id"] == "2.1"
    assert sentence["empty_nodes"][0]["deps"] == [{"head": "2", "deprel": "dep"}]
    assert sentence["words"][1]["feats"] == {"A": "B", "C": None}
    assert sentence["sent_id"] == "s1"


def test_tags_of_the_input_are_kept_unless_others_are_wanted(server):
    upos = [word["upos"] for word in call(server, "/parse", {"conllu": CONLLU})["sentences"][0]["words"]]
    assert upos == ["ADP", "DET"]
    again = call(server, "/parse", {"conllu": CONLLU, "tag": True})["sentences"][0]["words"]
    assert [word["upos"] for word in again] != upos


def test_confidences_and_certificates(server):
    words = call(server, "/parse", {"text": TEXT, "confidence": True})["sentences"][0]["words"]
    assert all(0 <= word["confidence"] <= 1 for word in words)
    assert "Confidence" not in words[0]["misc"]
    conllu = call(server, "/parse", {"text": TEXT, "output": "conllu"})["conllu"]
    proved = call(server, "/parse", {"conllu": conllu, "model": "toy-exact", "certificate": True, "exact": True})
    assert [each["optimal"] for each in proved["certificates"]] == [True, True]
    assert proved["certificates"][0]["gap"] == 0


def test_k_best(server, models):
    (sentence,) = call(server, "/k-best", {"words": [["The", "girl", "sleeps"]], "k": 3})["sentences"]
    best = treewright.load(models[0]).k_best(treewright.Sentence.from_words(["The", "girl", "sleeps"]), 3)
    assert [tree["heads"] for tree in sentence["trees"]] == [tree.sentence.heads for tree in best]
    assert [tree["score"] for tree in sentence["trees"]] == [tree.score for tree in best]
    assert sentence["words"][0]["upos"] == "DET"


def test_graphs(server):
    """A graph parser fills ``deps``."""
    from treewright.apps.server.interfaces.v1_parse import Parsing
    from treewright.apps.server.messages import Request

    service = server._application.service
    treebank = "".join(
        f"1\t{word}\t_\tNOUN\t_\t_\t2\tx\t2:x\t_\n2\tverb\t_\tVERB\t_\t_\t0\troot\t0:root\t_\n\n" for word in "abcdefgh"
    )
    service.models.add("toy-graph", treewright.train(treebank.encode(), system="dag-arc-eager", iterations=2))
    body = json.dumps({"model": "toy-graph", "conllu": treebank}).encode()
    found = json.loads(Parsing(service).parse(Request("POST", "/v1/parse", body=body)).body)
    assert found["sentences"][0]["words"][0]["deps"] == [{"head": "2", "deprel": "x"}]
    service.models._ready = {}


def test_traces(server):
    traced = call(server, "/trace", {"text": "The girl sleeps."})
    assert traced["model"] == "toy-pipe-1"
    assert [word["form"] for word in traced["words"]] == ["The", "girl", "sleeps", "."]
    assert traced["steps"][0]["moves"][0]["score"] is not None
    oracle = call(server, "/trace", {"system": "arc-eager", "words": ["a", "b"], "heads": [2, 0]})
    assert oracle["end"]["loss"] == 0
    moves = {"system": "arc-eager", "words": ["a", "b"], "heads": [2, 0], "moves": "SHIFT SHIFT"}
    assert call(server, "/trace", moves)["end"]["loss"] == 1


def test_scores(server):
    gold = CONLLU
    assert call(server, "/evaluate", {"gold": gold, "system": gold})["las"] == 100
    wrong = gold.replace("case\t2:case", "det\t2:case")
    found = call(server, "/evaluate", {"gold": gold, "system": wrong})
    assert (found["uas"], found["las"]) == (100, 50)
    assert found["ud"]["LAS"]["f1"] == 50


def test_drawings(server):
    assert call(server, "/draw", {"conllu": CONLLU})["drawings"][0].startswith("<svg")
    assert "\\begin{dependency}" in call(server, "/draw", {"conllu": CONLLU, "kind": "tikz"})["drawings"][0]
    wrong = CONLLU.replace("case\t2:case", "det\t2:case")
    different = call(server, "/draw", {"conllu": wrong, "gold": CONLLU})
    assert different != call(server, "/draw", {"conllu": wrong})


@pytest.mark.parametrize(
    ("path", "data", "said"),
    [
        ("/parse", {}, "give one of text, words, conllu"),
        ("/parse", {"text": "a", "words": [["a"]]}, "not text and words"),
        ("/parse", {"text": "a", "modle": "x"}, "Did you mean 'model'"),
        ("/parse", {"text": 1}, "text: must be a string"),
        ("/parse", {"text": "\ud800"}, "surrogate"),
        ("/parse", {"words": []}, None),
        ("/parse", {"words": [["a", " "]]}, "not blank"),
        ("/parse", {"words": [["a\tb"]]}, "contains"),
        ("/parse", {"words": "a b"}, "a list of sentences"),
        ("/parse", {"conllu": "a b"}, "expected 10 columns"),
        ("/parse", {"conllu": CONLLU, "layout": "raw"}, "leave them out"),
        ("/parse", {"text": "a", "layout": "x"}, "layout"),
        ("/parse", {"text": "a", "beam": 0}, "from 1 to 256"),
        ("/parse", {"text": "a", "beam": True}, "from 1 to 256"),
        ("/parse", {"text": "a", "confidence": "yes"}, "true or false"),
        ("/parse", {"text": "a", "certificate": True}, "exact"),
        ("/parse", {"text": "a", "constraints": "x"}, "constraints"),
        ("/parse", {"text": "a", "model": "toy-exact"}, "no tokeniser"),
        ("/parse", {"conllu": CONLLU, "model": "toy-exact", "tag": True}, "no tagger"),
        ("/k-best", {"text": "a", "k": 1000}, "from 1 to 100"),
        ("/k-best", {"text": "a", "confidence": True}, "no effect"),
        ("/trace", {"text": "a", "model": "x", "system": "arc-eager"}, "not both"),
        ("/trace", {"text": "a", "system": "/etc/passwd"}, "system"),
        ("/trace", {"text": "a", "heads": ["x"]}, "heads"),
        ("/trace", {"text": "a", "model": "toy-exact"}, ""),
        ("/trace", {"words": [""]}, "not blank"),
        ("/evaluate", {"gold": "x", "system": "x"}, "gold:1"),
        ("/evaluate", {"gold": CONLLU}, "system is missing"),
        ("/draw", {"conllu": CONLLU, "kind": "gif"}, "gif"),
        ("/draw", {"conllu": "", "kind": "svg"}, "no words"),
        ("/draw", {"conllu": CONLLU, "gold": CONLLU + CONLLU}, "2 sentences"),
        ("/parse", [1], "must be a JSON object"),
    ],
)
def test_errors_say_what_to_do(server, path, data, said):
    if said is None:
        assert call(server, path, data)["sentences"] == []
    else:
        assert said in call(server, path, data, expected=400)


def test_what_is_no_json(server):
    for body in (b"{", b"\xff", b"[" * 100_000, b"NaN"):
        status, _, answer = ask(server, "POST", "/v1/parse", body)
        assert status == 400
        assert json.loads(answer)["error"]["message"]


def test_long_texts_have_limits(server):
    long = "".join(f"{n}\tw\t_\t_\t_\t_\t0\tx\t_\t_\n" for n in range(1, 6000)) + "\n"
    assert "at most" in call(server, "/draw", {"conllu": long}, expected=413)
    assert "at most" in call(server, "/trace", {"conllu": long}, expected=413)


def test_jobs(server):
    job = server._application.service.jobs.start("test", lambda job: {"n": 1})
    assert job.wait(20)
    assert call(server, f"/jobs/{job.id}")["result"] == {"n": 1}
    assert b'"status": "done"' in ask(server, "GET", f"/v1/jobs/{job.id}/events")[2]
    assert call(server, f"/jobs/{job.id}", method="DELETE")["status"] == "done"
    call(server, "/jobs/none", expected=404)


def test_the_description_names_every_path(server):
    described = call(server, "/openapi.json")
    assert described["openapi"] == "3.1.0"
    served = {route.pattern for route in server._application.routes.all if route.pattern.startswith("/v1/")}
    assert served - set(described["paths"]) == {"/v1/openapi.json", "/v1/jobs/{id}/events"}


def test_patterns(server):
    pattern = "pattern { e: X -> Y; Y [lemma=à] }"
    found = call(server, "/find", {"conllu": CONLLU, "pattern": pattern})
    nodes = {"X": "2", "Y": "1"}
    assert found["count"] == 2
    assert found["matches"] == [
        {"sentence": 1, "sent_id": "s1", "nodes": nodes, "edges": {"e": label}} for label in ("case", "E:case")
    ]
    assert call(server, "/find", {"conllu": CONLLU, "pattern": pattern, "tree": True})["count"] == 1
    assert call(server, "/find", {"conllu": CONLLU, "pattern": pattern, "limit": 1})["count"] == 1
    counted = call(server, "/find", {"conllu": CONLLU * 250, "pattern": pattern, "tree": True, "count_by": ["X.form"]})
    assert counted == {"count": 250, "counts": [{"values": ["le"], "matches": 250}]}
    message = call(server, "/find", {"conllu": CONLLU, "pattern": "pattern { X"}, expected=400)
    assert message.startswith("the pattern:1:12: expected")
