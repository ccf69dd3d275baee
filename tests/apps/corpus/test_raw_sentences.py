"""Inputs of every kind become sentences of words, each paragraph once."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.every_kind import treebank
from tests.optional import needs
from treewright.apps.corpus.plan import Header
from treewright.apps.corpus.planner import Source
from treewright.apps.corpus.raw_sentences import raw_sentences
from treewright.errors import TreebankError
from treewright.kinds.language_model.splitting import Seen


def read(*paths: Path, field: str = "text", seen: Seen | None = None) -> list[list[str]]:
    sources = [Source(str(path), "") for path in paths]
    return list(raw_sentences(sources, Header(text_field=field), None, None, seen or Seen()))


def test_lines_of_texts_and_rows_of_json_are_paragraphs(tmp_path: Path) -> None:
    text, rows, seen = tmp_path / "a.txt.gz", tmp_path / "b.jsonl", Seen()
    text.write_bytes(gzip.compress(b"One dog . Two dogs .\n\nThree.\nThree.\n"))
    rows.write_text("".join(json.dumps({"body": body}) + "\n" for body in ("Four.\nFive six.", "Three.", "")))
    expected = [["One", "dog", "."], ["Two", "dogs", "."], ["Three", "."], ["Four", "."], ["Five", "six", "."]]
    assert read(text, rows, field="body", seen=seen) == expected
    assert seen.again == 2


def test_treebanks_have_words_already(tmp_path: Path) -> None:
    path = tmp_path / "c.conllu"
    path.write_bytes(treebank())
    found = read(path)
    assert found[0] == ["Ann", "sees", "figs", "'ll", "."]
    assert len(found) == len({tuple(words) for words in found})


@needs("pyarrow")
def test_parquet_has_a_column_of_texts(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    path = tmp_path / "d.parquet"
    parquet.write_table(pyarrow.table({"text": ["A b.", "C d."], "id": [1, 2]}), path)
    assert read(path) == [["A", "b", "."], ["C", "d", "."]]
    parquet.write_table(pyarrow.table({"text": ["A b.", None]}), path)
    with pytest.raises(TreebankError, match="row 2: no text in 'text'"):
        read(path)


@pytest.mark.parametrize(
    ("line", "told"),
    [('{"text": 5}', "row 1: 'text' is 5, not a text"), ("{", "row 1: no JSON"), ("[1]", "no JSON object")],
)
def test_bad_rows_are_told(line: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(TreebankError, match=told):
        read(path)
