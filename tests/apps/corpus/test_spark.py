"""The recipe for Spark in the docs, where Spark and Java are."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.test_docs import blocks_of

pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "corpus-ray.md"


@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")
def test_the_recipe(tmp_path, monkeypatch):
    import os

    from pyspark.sql import SparkSession

    import treewright

    code = next(block.text for block in blocks_of(PAGE.read_text()) if "def parse_batches" in block.text)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(treewright.__file__).parents[1])]))
    names: dict = {"__name__": "__main__"}  # so that functions are sent to workers as they are
    exec(compile(code, str(PAGE), "exec"), names)
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        texts = [(f"doc{k}", f"Ann saw the lantern {k} times. The girl sang.") for k in range(20)]
        table = spark.createDataFrame(texts, ["id", "text"]).repartition(4)
        rows = table.mapInArrow(names["parse_batches"], names["SCHEMA"]).orderBy("document", "sentence", "id").collect()
    finally:
        spark.stop()
    assert {row.document for row in rows} == {name for name, _ in texts}
    words = [row.form for row in rows if row.document == "doc3"]
    assert words == ["Ann", "saw", "the", "lantern", "3", "times", ".", "The", "girl", "sang", "."]
    nlp = treewright.load("english-fast")
    assert [row.head for row in rows if row.document == "doc3"] == [
        word.head for sentence in nlp(texts[3][1]) for word in sentence
    ]
