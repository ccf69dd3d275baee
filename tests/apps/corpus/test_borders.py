"""Wherever a file is cut, its parts together give what the whole gives, to the byte."""

import gzip

import pytest

from tests.apps.corpus.made import joined, plan, run, text, whole, wrapped
from tests.every_kind import treebank
from treewright.apps.corpus.borders import finder_for
from treewright.apps.corpus.plan import TEXT, Header
from treewright.errors import TreewrightWarning


def check(folder, *paths, part_bytes=400, format=None, header=None, number=False, **options):
    made = plan(folder, *paths, part_bytes=part_bytes, format=format, number=number, **(header or {}))
    run(made, folder / "out", **options)
    got = joined(made, folder / "out", folder / "merged.conllu")
    expected = whole(
        folder,
        *paths,
        format=format,
        id_prefix=(header or {}).get("id_prefix", ""),
        **options,
        **{name: value for name, value in (header or {}).items() if name == "newlines"},
    )
    assert got == expected
    return made


@pytest.mark.parametrize("seed", range(12))
def test_raw_text_with_all_kinds_of_spaces(seed, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(text(seed).encode())
    made = check(tmp_path, path, part_bytes=100 + 50 * seed, ranges=seed % 2 == 0)
    assert made.n_parts > 1


@pytest.mark.parametrize("newlines", ["auto", "paragraph", "sentence", "ignore"])
def test_every_meaning_of_lines(newlines, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(text(99, 120).encode())
    made = check(tmp_path, path, header={"newlines": newlines}, ranges=True)
    assert (made.n_parts > 1) == (newlines != "ignore")


def test_wrapped_text_is_cut_at_blank_lines_only(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(wrapped(1))
    made = check(tmp_path, path, part_bytes=700, ranges=True)
    assert made.n_parts > 3
    assert all(part.new_paragraph for part in made.parts())


@pytest.mark.parametrize("format", ["presegmented", "horizontal", "vertical"])
def test_given_sentences_and_tokens(format, tmp_path):
    path = tmp_path / "a.txt"
    words = text(5, 80)
    path.write_bytes((words if format != "vertical" else words.replace(" ", "\n").replace(".\n", ".\n\n")).encode())
    assert check(tmp_path, path, format=format).n_parts > 1


def test_a_file_that_begins_with_nothing(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbf" + b" \n\n" * 300 + text(3).encode())
    check(tmp_path, path, part_bytes=200, ranges=True)


def test_several_files_and_kinds(tmp_path):
    paths = [tmp_path / name for name in ("a.txt", "b.conllu", "c.txt.gz", "d.txt", "empty.txt")]
    paths[0].write_bytes(text(1).encode())
    paths[1].write_bytes(treebank().rstrip(b"\n") + b"\n")  # no blank line at the end
    paths[2].write_bytes(gzip.compress(text(2).encode()))
    paths[3].write_bytes(text(4).encode())
    paths[4].write_bytes(b"")
    with pytest.warns(TreewrightWarning, match="no sentences in it"):
        check(tmp_path, *paths)


def test_a_prefix_of_numbers(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(text(1).encode())
    check(tmp_path, path, header={"id_prefix": "x1-"})


def test_a_treebank_is_cut_at_sentences(tmp_path):
    path = tmp_path / "a.conllu"
    crlf = treebank().replace(b"\n", b"\r\n")
    path.write_bytes(treebank() + b"\n\n" + crlf + b"# newdoc id = x\n" + treebank())
    assert check(tmp_path, path).n_parts > 5


def test_tags_that_some_sentences_have(tmp_path):
    """Which sentences are tagged must not depend on what they are read with."""
    sentences = treebank().split(b"\n\n")[:-1]
    bare = [b"\n".join(_without_tags(line) for line in each.split(b"\n")) for each in sentences]
    mixed = [bare[k] if k % 5 < 3 else sentences[k] for k in range(len(sentences))]
    path = tmp_path / "a.conllu"
    path.write_bytes(b"".join(each + b"\n\n" for each in mixed))
    check(tmp_path, path, part_bytes=300)
    words = [line.split("\t") for line in (tmp_path / "merged.conllu").read_text().splitlines() if "\t" in line]
    assert all(columns[3] != "_" for columns in words if columns[0].isdigit())


def _without_tags(line):
    columns = line.split(b"\t")
    if len(columns) == 10 and columns[0].isdigit():
        columns[3:6] = [b"_"] * 3
    return b"\t".join(columns)


@pytest.mark.parametrize("format", [None, "presegmented"])
def test_numbers_can_be_counted_before(format, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(text(7).encode())
    made = check(tmp_path, path, format=format, number=True)
    parts = list(made.parts())
    third = (tmp_path / "out" / "parts" / "0000" / "000002.conllu").read_text()
    assert f"# sent_id = {parts[2].sentences + 1}\n" in third


def test_without_counting_no_sent_id_comes_twice(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(text(7).encode())
    run(plan(tmp_path, path), tmp_path / "out")
    ids = [
        line
        for file in sorted((tmp_path / "out" / "parts" / "0000").iterdir())
        for line in file.read_text().splitlines()
        if line.startswith("# sent_id")
    ]
    assert len(ids) == len(set(ids)) > 20
    assert ids[0] == "# sent_id = 0-1"


def test_several_trees_for_a_sentence_are_renumbered_too(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(text(8, 20).encode())
    check(tmp_path, path, part_bytes=200, k_best=2)


@pytest.mark.parametrize(
    ("data", "place", "expected"),
    [
        (b"One.\n\nTwo.", 1, (6, True)),
        (b"One.\n\n \tTwo.", 1, (8, True)),
        ("One.\n\n\u3000Two.".encode(), 1, (9, True)),
        (b"One.\nTwo.", 1, (5, False)),
        (b"One\nTwo.", 1, None),
        (b"One.\n\n", 1, None),
        (b"One.\x0c\nTwo.", 1, None),
        (b"One.\x0c\nTwo.\nThree", 1, (11, False)),
        ("One.\n\n\ufeffTwo.\n\nThree.".encode(), 1, (15, True)),
        (b"One.\nTwo.\nThree.", 6, (10, False)),
    ],
)
def test_borders_of_text(data, place, expected):
    found = finder_for(TEXT, Header(), b"Short.\nLines.")(data, place)
    assert found == expected


def test_a_document_that_begins_within_a_line_is_none(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes(treebank().replace(b"# text = ", b"# text = # newdoc id = x ", 1))
    assert not any("x" in part.document for part in plan(tmp_path, path).parts())
