"""CoreNLP's JSON, and NLTK's client of it."""

import json
from urllib.parse import quote

import pytest

from tests.apps.server.running import ask

TEXT = "The girl sleeps. The old shepherd 😀 sleeps."


def annotate(server, text=TEXT, expected=200, **properties):
    path = f"/?properties={quote(json.dumps(properties))}"
    status, _, body = ask(server, "POST", path, text.encode(), {"Content-Type": "text/plain; charset=utf-8"})
    assert status == expected, body
    return json.loads(body) if expected == 200 else body.decode()


def test_sentences_tokens_and_dependencies(server):
    first, second = annotate(server)["sentences"]
    assert [token["word"] for token in first["tokens"]] == ["The", "girl", "sleeps", "."]
    assert first["basicDependencies"][2] == {
        "dep": "ROOT",
        "governor": 0,
        "governorGloss": "ROOT",
        "dependent": 3,
        "dependentGloss": "sleeps",
    }
    assert first["basicDependencies"][1]["governorGloss"] == "sleeps"
    last = second["tokens"][-1]
    assert last["codepointOffsetEnd"] == len(TEXT)
    assert last["characterOffsetEnd"] == len(TEXT.encode("utf-16-le")) // 2


def test_properties(server):
    assert len(annotate(server, **{"ssplit.isOneSentence": "true"})["sentences"]) == 1
    lines = annotate(server, "The girl\nsleeps . x", **{"ssplit.eolonly": "true", "tokenize.whitespace": "true"})
    assert [len(sentence["tokens"]) for sentence in lines["sentences"]] == [2, 3]
    bare = annotate(server, annotators="tokenize,ssplit")["sentences"][0]
    assert "basicDependencies" not in bare
    assert annotate(server, annotators="tokenize, ssplit, pos")["sentences"][0]["tokens"][2]["pos"] == "VERB"
    status, _, body = ask(server, "POST", "/?outputFormat=conllu&model=toy", b"The girl sleeps.")
    assert (status, body.count(b"\t")) == (200, 36)


def test_what_it_cannot_do_is_said(server):
    assert "annotator 'ner'" in annotate(server, expected=400, annotators="tokenize,ner")
    assert "outputFormat 'xml'" in annotate(server, expected=400, outputFormat="xml")
    assert ask(server, "POST", "/?properties=%7B", b"x")[0] == 400
    assert ask(server, "POST", "/?properties=[]", b"x")[0] == 400
    assert ask(server, "GET", "/live")[2] == b"live\n"


def test_nltk(server):
    corenlp = pytest.importorskip("nltk.parse.corenlp")
    pytest.importorskip("requests")
    client = corenlp.CoreNLPDependencyParser(url=server.address)
    (parse,) = client.raw_parse("The girl sleeps.")
    assert parse.root["word"] == "sleeps"
    assert {(head[0], relation, word[0]) for head, relation, word in parse.triples()} >= {
        ("sleeps", "nsubj", "girl"),
        ("girl", "det", "The"),
    }
    trees = [next(trees) for trees in client.raw_parse_sents(["The girl sleeps.", "The old shepherd sleeps."])]
    assert [len(tree.nodes) - 1 for tree in trees] == [4, 5]
    (tree,) = next(client.parse_sents([["The", "girl", "sleeps", "."]]))
    assert tree.root["word"] == "sleeps"
    assert [graph.root["word"] for graph in client.parse_text("The girl sleeps. The girl sleeps.")] == ["sleeps"] * 2
    assert list(client.tokenize("The girl sleeps.")) == ["The", "girl", "sleeps", "."]
    tagger = corenlp.CoreNLPParser(url=server.address, tagtype="pos")
    assert tagger.tag(["The", "girl", "sleeps", "."])[1] == ("girl", "NOUN")
