"""The pictures in the documentation are those that the commands there make today."""

from pathlib import Path

import pytest

from treewright.display.difference import picture_of_difference
from treewright.display.from_sentence import picture_of
from treewright.display.svg import draw_pictures
from treewright.treebank.files.treebank import read

ROOT = Path(__file__).parents[2]
SENTENCES = {sentence.sent_id: sentence for sentence in read(ROOT / "examples" / "drawing.conllu")}
PARSED = {sentence.sent_id: sentence for sentence in read(ROOT / "examples" / "drawing-parsed.conllu")}

PICTURES = {
    "crossing": picture_of(SENTENCES["crossing"], "upos"),
    "graph": picture_of(SENTENCES["graph"], "upos"),
    "right-to-left": picture_of(SENTENCES["hebrew"], "upos"),
    "token": picture_of(SENTENCES["token"], "upos"),
    "difference": picture_of_difference(SENTENCES["tree"], PARSED["tree"], "upos"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_up_to_date(name):
    kept = (ROOT / "docs" / "images" / f"{name}.svg").read_text(encoding="utf-8")
    assert kept == draw_pictures([PICTURES[name]]), "run the commands at the end of docs/drawing.md"


def test_the_picture_in_rows_is_up_to_date():
    kept = (ROOT / "docs" / "images" / "rows.svg").read_text(encoding="utf-8")
    assert kept == draw_pictures([picture_of(SENTENCES["tree"], "upos")], width=500)


def test_every_picture_is_made_by_a_command():
    assert {path.stem for path in (ROOT / "docs" / "images").glob("*.svg")} >= set(PICTURES)
