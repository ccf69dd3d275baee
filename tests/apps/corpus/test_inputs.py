"""JSON Lines, Parquet, compressed files; tables as output; files elsewhere."""

import gzip
import json
import lzma

import pytest

from tests.apps.corpus.made import joined, model, parser, plan, run, text, whole
from tests.every_kind import treebank
from treewright.apps.corpus.storage import read_bytes, write_bytes
from treewright.apps.corpus.store import RunStore
from treewright.errors import TreewrightError
from treewright.treebank.files.treebank import read

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def rows(n=40):
    return [{"key": f"doc{k}", "text": text(k, 4)} for k in range(n)]


def write_json(path, n=40):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows(n)), encoding="utf-8")


def write_parquet(path, n=40):
    parquet.write_table(
        pyarrow.table({"key": [r["key"] for r in rows(n)], "text": [r["text"] for r in rows(n)]}),
        path,
        row_group_size=7,
    )


WRITERS = {"jsonl": write_json, "parquet": write_parquet}


@pytest.mark.parametrize("ending", WRITERS)
def test_rows_are_documents_and_cutting_changes_nothing(ending, tmp_path):
    path = tmp_path / f"a.{ending}"
    WRITERS[ending](path)
    results = []
    for size in (300, 1 << 30):
        folder = tmp_path / str(size)
        folder.mkdir()
        made = plan(folder, path, part_bytes=size, id_field="key")
        run(made, folder / "out")
        results.append((made.n_parts, joined(made, folder / "out", folder / "all.conllu")))
    assert results[0][0] > 3
    assert results[1][0] == 1
    assert results[0][1] == results[1][1]
    told = results[0][1].decode()
    assert [line[14:] for line in told.splitlines() if line.startswith("# newdoc id")] == [r["key"] for r in rows()]
    ids = [int(line[12:]) for line in told.splitlines() if line.startswith("# sent_id")]
    assert ids == list(range(1, len(ids) + 1))
    # The trees are those of nlp.pipe.
    piped = [str(sentence.heads) for document in parser().pipe([r["text"] for r in rows()]) for sentence in document]
    assert [str(sentence.heads) for sentence in read(told.encode())] == piped


def test_rows_without_names_are_numbered_on(tmp_path):
    path = tmp_path / "a.jsonl"
    write_json(path)
    made = plan(tmp_path, path, part_bytes=300)
    run(made, tmp_path / "out")
    told = joined(made, tmp_path / "out", tmp_path / "all.conllu").decode()
    names = [line[14:] for line in told.splitlines() if line.startswith("# newdoc id")]
    assert names == [f"a-{k + 1}" for k in range(40)]


def test_bad_rows_are_set_aside(tmp_path):
    path = tmp_path / "a.jsonl"
    good = json.dumps({"text": "Ann sees figs."})
    path.write_text(f'{good}\n{{"text": 3}}\nnonsense\n[1]\n{good}\n{{"text": null}}\n{{"text": "\\ud800"}}\n\n')
    made = plan(tmp_path, path, part_bytes=1 << 20)
    progress = run(made, tmp_path / "out")
    assert (progress.done, progress.failed, progress.set_aside) == (1, 0, 5)
    told = joined(made, tmp_path / "out", tmp_path / "all.conllu").decode()
    assert told.count("# newdoc id = a-") == 2
    failure = RunStore(str(tmp_path / "out")).failure(0)
    assert [item["row"] for item in failure["items"]] == [2, 3, 4, 6, 7]
    assert failure["whole"] is False


def test_a_missing_column_is_named(tmp_path):
    write_parquet(tmp_path / "a.parquet")
    with pytest.raises(TreewrightError, match=r"unknown column 'body'.*text"):
        plan(tmp_path, tmp_path / "a.parquet", text_field="body")


@pytest.mark.parametrize("to", ["conllu.gz", "conllu.xz", "conllu.zst"])
def test_compressed_parts(to, tmp_path):
    pytest.importorskip("zstandard")
    path = tmp_path / "a.txt"
    path.write_bytes(text(1).encode())
    made = plan(tmp_path, path)
    run(made, tmp_path / "out", to=to)
    assert joined(made, tmp_path / "out", tmp_path / "all.conllu") == whole(tmp_path, path)
    assert (tmp_path / "out" / "parts" / "0000" / f"000000.{to}").exists()


def test_compressed_input_stays_whole(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    data = text(1).encode()
    packed = {"gz": gzip.compress(data), "xz": lzma.compress(data), "zst": zstandard.compress(data)}
    paths = []
    for ending, content in packed.items():
        paths.append(tmp_path / f"{ending}.txt.{ending}")
        paths[-1].write_bytes(content)
    made = plan(tmp_path, *paths, part_bytes=100)
    run(made, tmp_path / "out")
    assert made.n_parts == 3
    assert joined(made, tmp_path / "out", tmp_path / "all.conllu") == whole(tmp_path, *paths)


@pytest.mark.parametrize("number", [False, True])
def test_a_table_of_words(number, tmp_path):
    path, bank = tmp_path / "a.txt", tmp_path / "b.conllu"
    path.write_bytes(text(1).encode())
    bank.write_bytes(b"# newdoc id = first\n" + treebank() + b"# newdoc id = second\n" + treebank())
    made = plan(tmp_path, path, bank, number=number)
    run(made, tmp_path / "out", to="words.parquet")
    joined(made, tmp_path / "out", tmp_path / "all.parquet")
    whole(tmp_path, path, bank)
    from treewright.treebank.sentences.exports import to_arrow

    assert parquet.read_table(tmp_path / "all.parquet").equals(to_arrow(str(tmp_path / "whole.conllu")))


def test_a_table_of_sentences(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(text(1).encode())
    made = plan(tmp_path, path)
    run(made, tmp_path / "out", to="sentences.parquet")
    joined(made, tmp_path / "out", tmp_path / "all.parquet")
    whole(tmp_path, path)
    table = parquet.read_table(tmp_path / "all.parquet").to_pylist()
    expected = list(read(str(tmp_path / "whole.conllu")))
    assert [row["sent_id"] for row in table] == [sentence.sent_id for sentence in expected]
    assert [row["form"] for row in table] == [[word.form for word in sentence] for sentence in expected]
    assert [row["head"] for row in table] == [[word.head for word in sentence] for sentence in expected]
    assert [row["text"] for row in table] == [sentence.text for sentence in expected]


def test_all_of_it_elsewhere(tmp_path):
    pytest.importorskip("fsspec")
    from treewright.apps.corpus.merge import merge
    from treewright.apps.corpus.plan import CorpusPlan, Header
    from treewright.apps.corpus.planner import Planner, Source, write_plan
    from treewright.apps.corpus.storage import remote_files

    path = tmp_path / "a.txt"
    path.write_bytes(text(1).encode())
    write_bytes("memory://in/a.txt", text(1).encode())
    write_bytes("memory://model.tw", model().read_bytes())
    sources = [Source(address, "a") for address, _ in remote_files("memory://in/*.txt")]
    write_plan("memory://plan.jsonl", Header(), Planner(Header(), 400).parts(sources))
    made = CorpusPlan.open("memory://plan.jsonl")
    progress = run(made, "memory://out")
    assert progress.done == made.n_parts > 2
    assert run(made, "memory://out").before == made.n_parts
    merge(made, RunStore("memory://out"), "memory://all.conllu")
    assert read_bytes("memory://all.conllu") == whole(tmp_path, path)
