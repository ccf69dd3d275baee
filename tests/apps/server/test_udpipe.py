"""UDPipe's REST interface: its parameters, its formats, its errors, and clients that were written for it."""

import json
import shutil
import subprocess
from urllib.parse import quote, urlencode

import pytest

import treewright
from tests.apps.server.running import ask
from tests.toy import TEST

TEXT = "The old  shepherd gave a red lantern to the girl.\n\nThe girl sleeps."


def process(server, method="POST", **fields):
    """Return the answer of /process as data."""
    body = urlencode(fields)
    path = "/process" if method == "POST" else f"/process?{body}"
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    status, headers, answer = ask(server, method, path, body if method == "POST" else None, kind)
    assert status == 200, answer
    assert headers["Content-Type"].startswith("application/json")
    return json.loads(answer)


def result(server, **fields):
    return process(server, **fields)["result"]


def rows(conllu):
    return [line.split("\t") for line in conllu.splitlines() if line and not line.startswith("#")]


def test_models(server):
    for method in ("GET", "POST"):
        status, headers, body = ask(server, method, "/models")
        assert status == 200
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert json.loads(body) == {
            "models": {
                "toy-pipe-1": ["tokenizer", "tagger", "parser"],
                "toy-exact": ["parser"],
                "toy-moves": ["parser"],
            },
            "default_model": "toy-pipe-1",
        }


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_everything_at_once_is_what_the_model_gives(server, models, method):
    answer = process(server, method, data=TEXT, tokenizer="", tagger="", parser="")
    assert answer["model"] == "toy-pipe-1"
    assert answer["acknowledgements"]
    model = treewright.load(models[0])
    parsed = "".join(sentence.to_conllu() for sentence in model.parse_text(TEXT))
    assert answer["result"].startswith("# generator = treewright")
    assert "# udpipe_model = toy-pipe-1\n" in answer["result"]
    assert answer["result"].endswith(parsed)


def test_steps_are_on_where_they_are_named(server):
    words = rows(result(server, data=TEXT, tokenizer=""))
    assert {row[3] for row in words} == {row[7] for row in words} == {"_"}
    tagged = rows(result(server, data=TEXT, tokenizer="", tagger=""))
    assert {row[7] for row in tagged} == {"_"}
    assert "_" not in {row[3] for row in tagged}
    parsed = rows(result(server, data=TEXT, tokenizer="", parser=""))
    assert {row[3] for row in parsed} == {"_"}
    assert "_" not in {row[7] for row in parsed}
    whole = rows(result(server, data=TEXT, tokenizer="", tagger="", parser=""))
    assert [row[6:8] for row in whole] == [row[6:8] for row in parsed]
    assert rows(result(server, data=TEXT, tokenizer="", tagger="none", parser="none")) == words


@pytest.mark.parametrize(
    ("wish", "name"), [("", "toy-pipe-1"), ("toy", "toy-pipe-1"), ("toy-pipe", "toy-pipe-1"), ("toy-e", "toy-exact")]
)
def test_a_model_is_meant_by_the_beginning_of_its_name(server, wish, name):
    assert process(server, data="", model=wish)["model"] == name


def test_options_of_the_tokenizer(server):
    lines = "The girl\nsleeps. The girl sleeps."
    assert len(result(server, data=lines, tokenizer="presegmented", output="horizontal").splitlines()) == 2
    last = rows(result(server, data=TEXT, tokenizer="ranges"))[-1]
    assert last[1] == "."
    assert last[9].split("|")[-1] == f"TokenRange={len(TEXT) - 1}:{len(TEXT)}"
    assert "SpacesAfter" in result(server, data=TEXT, tokenizer="")
    plain = result(server, data=TEXT, tokenizer="normalized_spaces")
    assert "Spaces" not in plain
    assert "SpaceAfter=No" in plain
    both = result(server, data=TEXT, tokenizer="presegmented;ranges;normalized_spaces")
    assert "TokenRange=0:3" in both


def test_input_formats(server):
    horizontal = "The girl sleeps .\nThe old shepherd sleeps ."
    vertical = horizontal.replace("\n", "\n\n").replace(" ", "\n")
    first = rows(result(server, data=horizontal, input="horizontal", tagger="", parser=""))
    assert rows(result(server, data=vertical, input="vertical", tagger="", parser="")) == first
    assert [row[1] for row in first] == horizontal.split()
    generic = rows(result(server, data="The girl sleeps. The old shepherd sleeps.", input="generic_tokenizer"))
    assert [row[1] for row in generic] == horizontal.split()
    conllu = result(server, data=horizontal, input="horizontal", tagger="")
    again = rows(result(server, data=conllu, parser=""))
    assert again == first


def test_the_generic_tokenizer_needs_no_model(server):
    text = 'It\'s 3.50 in "Kyiv." (Really?) See http://a.b/c?d=e, or a@b.cz... no.\n\nBlank line'
    got = result(server, data=text, input="generic_tokenizer", output="horizontal", model="toy-moves")
    assert got.splitlines() == [
        'It\'s 3.50 in " Kyiv . "',
        "( Really ? )",
        "See http://a.b/c?d=e , or a@b.cz ... no .",
        "Blank line",
    ]
    spaces = result(server, data=text, input="generic_tokenizer", output="plaintext")
    assert spaces == text
    lines = result(server, data="A b. C\nd e", input="generic_tokenizer=presegmented", output="horizontal")
    assert lines == "A b . C\nd e\n"


def test_output_formats(server):
    def out(output):
        return result(server, data=TEXT, tokenizer="ranges", tagger="", parser="", output=output)

    assert out("plaintext") == TEXT
    assert out("plaintext=normalized_spaces") == (
        "The old shepherd gave a red lantern to the girl.\n\nThe girl sleeps.\n"
    )
    assert out("horizontal") == "The old shepherd gave a red lantern to the girl .\nThe girl sleeps .\n"
    assert out("horizontal=paragraphs").count("\n\n") == 1
    assert out("vertical").endswith("girl\n.\n\nThe\ngirl\nsleeps\n.\n\n")
    epe = [json.loads(line) for line in out("epe").splitlines()]
    assert [node["form"] for node in epe[1]["nodes"]] == ["The", "girl", "sleeps", "."]
    verb = epe[1]["nodes"][2]
    assert verb["top"] is True
    assert verb["start"] == TEXT.index("sleeps")
    assert {"label": "nsubj", "target": 2} in verb["edges"]
    assert verb["properties"]["upos"] == "VERB"
    matxin = out("matxin")
    assert matxin.startswith('<corpus>\n<SENTENCE ord="1" alloc="0">\n <NODE ord="')
    assert matxin.endswith("</SENTENCE>\n</corpus>\n")
    assert matxin.count("<NODE") == 15
    assert '   <NODE ord="1" alloc="0" form="The" lem="the"' in matxin
    assert "\t" in out("conllu=v1")


def test_forms_with_spaces_and_signs_of_xml(server):
    conllu = '1\ta b\t_\t_\t_\tK=V\t2\tx\t_\t_\n2\t<&">\t_\t_\t_\t_\t0\troot\t_\t_\n\n'
    assert result(server, data=conllu, output="horizontal") == 'a\u00a0b <&">\n'
    matxin = result(server, data=conllu, output="matxin")
    assert '<NODE ord="2" alloc="0" form="&lt;&amp;&quot;&gt;" lem="" mi="" si="root">' in matxin
    assert "a_b" in result(server, data=conllu, output="conllu=v1")
    deep = "".join(f"{n}\tw\t_\t_\t_\t_\t{n - 1}\tx\t_\t_\n" for n in range(1, 3001)) + "\n"
    assert result(server, data=deep, output="matxin").count("</NODE>") == 2999


def test_multiword_tokens_are_kept(server):
    conllu = "1-2\tau\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n" + "".join(
        f"{n}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n" for n, form in ((1, "à"), (2, "le"), (3, "."))
    )
    parsed = result(server, data=conllu, parser="", model="toy-moves")
    assert "1-2\tau\t" in parsed
    assert result(server, data=conllu, output="plaintext=normalized_spaces") == "au.\n"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "'data' is required"),
        ({"data": "x", "model": "none"}, "'none' does not exist"),
        ({"data": "x", "output": "pdf"}, "unknown output format 'pdf'"),
        ({"data": "x", "input": "pdf"}, "unknown input format 'pdf'"),
        ({"data": "x"}, "expected 10 columns"),
        ({"data": "x", "tokenizer": "", "model": "toy-exact"}, "does not contain a tokenizer"),
        ({"data": "x", "input": "horizontal", "tagger": "", "model": "toy-exact"}, "does not contain a tagger"),
        ({"data": "x", "tokenizer": "sharp"}, "unknown option 'sharp'"),
        ({"data": "x\0y"}, "NUL"),
    ],
)
def test_errors_are_plain_text(server, fields, said):
    for method in ("GET", "POST"):
        body = urlencode(fields)
        path = "/process" if method == "POST" else f"/process?{body}"
        status, headers, answer = ask(
            server,
            method,
            path,
            body if method == "POST" else None,
            {"Content-Type": "application/x-www-form-urlencoded"},
        )
        assert status == 400
        assert headers["Content-Type"].startswith("text/plain")
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert said in answer.decode()


def test_text_that_begins_like_a_compressed_file_is_text(server):
    for form in ({"tokenizer": ""}, {"input": "horizontal"}, {"input": "generic_tokenizer"}):
        assert result(server, data="BZh91AY&SY", output="plaintext", **form).strip().replace(" ", "") == "BZh91AY&SY"


def test_weblicht_takes_raw_bodies(server):
    text = b"The girl sleeps."
    for step in ("tokenize", "tag", "parse"):
        status, headers, text = ask(server, "POST", f"/weblicht/{step}?model=toy", text)
        assert (status, headers["Content-Type"]) == (200, "application/conllu")
    assert rows(text.decode())[-1][7] == "punct"
    assert ask(server, "POST", "/weblicht/shout", b"x")[0] == 404
    assert ask(server, "POST", "/weblicht/tokenize", b"\xff")[0] == 400
    assert ask(server, "POST", "/weblicht/tokenize?model=x", b"x")[0] == 400


def test_udapi(server):
    udapi = pytest.importorskip("udapi.tool.udpipeonline")
    from udapi.core.document import Document
    from udapi.core.root import Root

    client = udapi.UDPipeOnline("toy", server=server.address)
    assert client.list_models() == ["toy-pipe-1", "toy-exact", "toy-moves"]
    assert client.segment_text("The girl sleeps. The old shepherd sleeps.") == [
        "The girl sleeps.",
        "The old shepherd sleeps.",
    ]
    root = Root(text="The girl sleeps.")
    client.tokenize_tag_parse_tree(root)
    assert [node.form for node in root.descendants] == ["The", "girl", "sleeps", "."]
    assert [node.deprel for node in root.descendants] == ["det", "nsubj", "root", "punct"]
    client.tag_parse_tree(root)
    assert root.descendants[2].upos == "VERB"
    document = Document()
    document.load_conllu(TEST)
    trees = len(list(document.trees))
    client.process_document(document)
    assert len(list(document.trees)) == trees
    # its multipart requests end lines with CR LF
    assert "sleeps" in client.perform_request({"data": "The girl sleeps.", "tokenizer": "", "model": "toy"})


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl(server, tmp_path):
    file = tmp_path / "text.txt"
    file.write_text("The girl sleeps.")
    url = f"{server.address}/process"
    for form in (
        ["-F", f"data=@{file}", "-F", "tokenizer=", "-F", "parser="],
        ["--data-urlencode", f"data@{file}", "-d", "tokenizer", "-d", "parser="],
        ["-G", "--data-urlencode", f"data@{file}", "-d", "tokenizer=&parser="],
    ):
        run = subprocess.run(["curl", "-sS", "--fail-with-body", *form, url], capture_output=True, check=True)
        assert rows(json.loads(run.stdout)["result"])[-1][7] == "punct"


def test_a_path_with_signs_finds_nothing(server):
    assert ask(server, "GET", "/" + quote("../../etc/passwd", safe=""))[0] == 404
