"""Random HTTP requests: proper ones with odd values, and bytes that are hardly HTTP."""

from __future__ import annotations

import json
import random
from urllib.parse import quote, urlencode

PATHS = (
    *("/process", "/models", "/weblicht/tokenize", "/weblicht/tag", "/weblicht/parse", "/", "/health", "/metrics"),
    *("/v1/parse", "/v1/k-best", "/v1/trace", "/v1/evaluate", "/v1/draw", "/v1/models", "/v1/models/english"),
    *("/v1/openapi.json", "/v1/jobs/x", "/v1/jobs/x/events", "/parser/models/list", "/parser/models/parse/start"),
    *("/parser/models/parse/status", "/parser/models/train/status", "/parser/models/list/a/b", "/live"),
    *("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/v1/models/..%2f..%2fx", "//", "/process/"),
)
POSTED = (
    *("/process", "/process", "/weblicht/tokenize", "/weblicht/tag", "/weblicht/parse", "/", "/v1/parse", "/v1/parse"),
    *(
        "/v1/k-best",
        "/v1/trace",
        "/v1/evaluate",
        "/v1/draw",
        "/parser/models/parse/start",
        "/parser/models/parse/status",
    ),
)
TEXTS = (
    *(
        "",
        " ",
        "\n",
        "\t",
        "\0",
        "a",
        "The dog barks.",
        "It's 3.50!\n\nNew. ",
        "狗叫了。",
        "שלום עולם",
        "e\u0301 \u200d",
    ),
    *("😀" * 20, "\ufeff", "\u2028", "# text = x", "BZh91AY&SY", "PK\x03\x04", "." * 100, "(" * 100, "a " * 200),
    *("none", "presegmented", "ranges", "presegmented;ranges;normalized_spaces", "=;=", "\r\n.\r\n", "<a>&amp;\"'"),
)
FIELDS = ("data", "model", "tokenizer", "tagger", "parser", "input", "output", "token", "properties", "x")
JSON_FIELDS = (
    *("text", "words", "conllu", "model", "layout", "newlines", "ranges", "tag", "beam", "confidence", "exact"),
    *("method", "constraints", "certificate", "output", "k", "system", "heads", "relations", "moves", "follow"),
    *("features", "number", "gold", "kind", "tags", "graph", "multiple_roots", "project_name", "train_samples"),
    *("model_info", "to_parse_samples", "parsing_settings", "parse_task_id", "train_task_id", "base_model"),
)
VALUES = (
    *("conllu", "generic_tokenizer", "horizontal", "vertical", "plaintext", "plaintext=normalized_spaces", "matxin"),
    *("epe", "json", "raw", "auto", "eng", "english", "arc-eager", "arc-hybrid", "svg", "tikz", "static", "SHIFT"),
    *(
        True,
        False,
        None,
        0,
        1,
        2,
        -1,
        10**12,
        0.5,
        1e308,
        [],
        {},
        [[]],
        [["a"]],
        ["a", "b"],
        [2, 0],
        [0, 0],
        {"a": "b"},
    ),
)
HEADERS = (
    *("Accept: */*", "Origin: http://evil.example", "Expect: 100-continue", "Connection: close", "Range: bytes=0-1"),
    *("Authorization: Basic !!", "Cookie: treewright_token=x", "Transfer-Encoding: chunked", "Content-Length: 5"),
    *("X: " + "y" * 300, "Sec-Fetch-Site: cross-site", "If-None-Match: *", "Accept-Encoding: gzip", "\xff: \xfe"),
)
KINDS = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=B", "application/json", "text/plain", "")
ROWS = ("1\tDogs\tdog\tNOUN\tN\t_\t2\tnsubj\t2:nsubj\t_", "2\tbark\t_\tVERB\t_\tA=B|C\t0\troot\t_\tSpaceAfter=No")


_TREE = "\n".join(ROWS) + "\n\n"
#: requests that work, to be changed a little
WORKING: dict[str, dict[str, object]] = {
    "/v1/parse": {"text": "The dog barks. It is late.", "confidence": True},
    "/v1/k-best": {"words": [["The", "dog", "barks"]], "k": 3},
    "/v1/trace": {"text": "The dog barks.", "features": 2},
    "/v1/evaluate": {"gold": _TREE, "system": _TREE},
    "/v1/draw": {"conllu": _TREE},
    "/parser/models/parse/start": {
        "model_info": {"project_name": "treewright", "model_id": "english"},
        "to_parse_samples": {"a": _TREE},
        "parsing_settings": {"keep_heads": "EXISTING"},
    },
}


def random_request(dice: random.Random) -> tuple[bytes, bool]:
    """Return the bytes of a request, and whether it is HTTP: of what is not, nobody knows where it ends."""
    request = _proper(dice)
    return (_broken(dice, request), False) if dice.random() < 0.1 else (request, True)


def _proper(dice: random.Random) -> bytes:
    path, kind = dice.choice(PATHS if dice.random() < 0.3 else POSTED), dice.choice(KINDS)
    method = "POST" if path in POSTED else "GET"
    if dice.random() < 0.1:
        method = dice.choice(("GET", "POST", "PUT", "DELETE", "OPTIONS"))
    if path.startswith(("/v1", "/parser")) and dice.random() < 0.8:
        kind = "application/json"
    if dice.random() < 0.4:
        path += "?" + urlencode(_form(dice), errors="replace")
    body = b"" if method == "GET" else _body(dice, kind, WORKING.get(path.partition("?")[0], {}))
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    lines += dice.choices(HEADERS[:6], k=dice.randrange(3))
    return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body


def _body(dice: random.Random, kind: str, working: dict[str, object]) -> bytes:
    if kind == "application/json":
        return _changed(dice, working) if working and dice.random() < 0.6 else _json(dice)
    if kind.startswith("multipart"):
        parts = (
            f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{v}\r\n' for name, v in _form(dice).items()
        )
        return ("".join(parts) + "--B--\r\n").encode("utf-8", "replace")
    if kind == "text/plain":
        return _text(dice).encode("utf-8", "replace")
    return urlencode(_form(dice), errors="replace").encode()


def _form(dice: random.Random) -> dict[str, str]:
    fields = {name: str(dice.choice((*VALUES, *TEXTS))) for name in dice.choices(FIELDS, k=dice.randrange(5))}
    if dice.random() < 0.8:
        fields["data"] = _text(dice)
    for step in ("tokenizer", "tagger", "parser"):
        if dice.random() < 0.4:
            fields[step] = ""
    return fields


def _changed(dice: random.Random, working: dict[str, object]) -> bytes:
    fields = dict(working)
    for _ in range(dice.randrange(3)):
        name = dice.choice(list(fields)) if dice.random() < 0.6 else dice.choice(JSON_FIELDS)
        fields[name] = _treebank(dice) if name in ("gold", "system", "conllu") else _value(dice)
    return json.dumps(fields).encode()


def _json(dice: random.Random) -> bytes:
    if dice.random() < 0.05:
        return dice.choice((b"." * 1000, b"{", b'"\\ud800"', b"null", b"\xff", b"[1,", b"1e999", b"{}" * 3))
    fields = {name: _value(dice) for name in dice.choices(JSON_FIELDS, k=dice.randrange(6))}
    if dice.random() < 0.7:
        fields[dice.choice(("text", "conllu"))] = _text(dice)
    return json.dumps(fields).encode()


def _value(dice: random.Random) -> object:
    if dice.random() < 0.1:
        return {str(dice.choice(JSON_FIELDS)): _value(dice)}
    return _text(dice) if dice.random() < 0.3 else dice.choice(VALUES)


def _text(dice: random.Random) -> str:
    if dice.random() < 0.4:
        return _treebank(dice)
    return "".join(dice.choices(TEXTS, k=dice.randrange(1, 4)))


def _treebank(dice: random.Random) -> str:
    text = "\n".join(ROWS) + "\n\n"
    for _ in range(dice.randrange(4)):
        at = dice.randrange(len(text))
        new = dice.choice(("", "\t", "\n", "-", ".", "9", "999999999999", "_", "|", "=", ":", "\0", "#", "é", "0"))
        text = text[:at] + new + text[at + dice.randrange(3) :]
    return text * dice.randrange(1, 4)


def _broken(dice: random.Random, request: bytes) -> bytes:
    choice = dice.randrange(4)
    if choice == 0:
        return bytes(dice.randrange(256) for _ in range(dice.randrange(1, 60)))
    if choice == 1:
        at = dice.randrange(len(request))
        return request[:at] + bytes([dice.randrange(256)]) + request[at + 1 :]
    if choice == 2:
        head, _, body = request.partition(b"\r\n\r\n")
        return head + b"\r\n" + dice.choice(HEADERS).encode("latin-1") + b"\r\n\r\n" + body
    return request.replace(b" ", quote(dice.choice(TEXTS[:11])).encode() or b"  ", 1)
