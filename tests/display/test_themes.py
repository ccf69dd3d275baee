"""Colours, black and white, and pictures as files of other kinds."""

import re

import pytest

from treewright.apps.cli import main
from treewright.display import tikz
from treewright.display.difference import picture_of_difference
from treewright.display.html import page
from treewright.display.rendering import render_pictures
from treewright.display.svg import draw_pictures
from treewright.display.svg_style import THEMES, style_sheet
from treewright.display.terminal import draw
from treewright.errors import TreewrightError
from treewright.treebank.sentences.sentence import Sentence

GOLD = """\
# sent_id = bread
# text = Du pain!
1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_
1\tDe\tde\tADP\t_\t_\t3\tcase\t_\t_
2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_
3\tpain\tpain\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No
4\t!\t!\tPUNCT\t_\t_\t3\tpunct\t_\t_

"""


def difference(**options):
    parsed = GOLD.replace("NOUN", "VERB").replace("3\tdet", "1\tdet").replace("3\tcase", "3\tmark")
    return picture_of_difference(Sentence.from_conllu(GOLD), Sentence.from_conllu(parsed), "upos", **options)


def test_themes_differ_and_print_is_black_and_white():
    sheets = [style_sheet(theme) for theme in THEMES]
    assert len(set(sheets)) == len(THEMES)
    assert set(re.findall(r"#[0-9a-f]{6}", style_sheet("print"))) == {"#000000", "#ffffff"}
    assert ["@media" in sheet for sheet in sheets] == [True, False, False, False]
    with pytest.raises(TreewrightError, match="unknown theme"):
        style_sheet("sepia")
    for theme in THEMES:
        assert ("prefers-color-scheme" in page([difference()], theme=theme)) == (theme == "auto")


def test_wrong_tags_are_marked():
    picture = difference()
    assert [word.tag for word in picture.words] == ["ADP", "DET", "VERB→NOUN", "PUNCT"]
    assert [word.wrong_tag for word in picture.words] == [False, False, True, False]
    assert picture.notes == ("1 wrong head, 1 wrong relation, 1 missed arc, 1 wrong tag",)
    assert [word.tag for word in difference(right_tags=False).words] == ["", "", "VERB→NOUN", ""]
    assert 'class="tw-tag tw-wrong-tag"' in draw_pictures([picture])
    assert "\\textbf{VERB $\\rightarrow$ NOUN}" in tikz.draw(picture)
    assert "VERB->NOUN" in draw(picture, ascii_only=True)
    assert "\x1b[1;31mVERB→NOUN" in draw(picture, coloured=True)


def test_tokens_in_the_terminal_and_in_latex():
    lines = draw(difference()).splitlines()
    words = next(k for k, line in enumerate(lines) if "pain" in line)
    assert "Du" in lines[words - 1]
    assert "▼" in lines[words - 1]  # the arrows to words outside of the token
    assert "▼" in lines[words - 2]  # and to those in it
    drawn = tikz.draw(difference(), coloured=False)
    assert "\\textit{Du}" in drawn
    assert "red" not in drawn


def test_png_and_pdf():
    pytest.importorskip("typst")
    picture = difference()
    png = render_pictures([picture, picture], "png")
    assert png.startswith(b"\x89PNG")
    assert png == render_pictures([picture, picture], "png")
    assert render_pictures([picture], "png", theme="print") != render_pictures([picture], "png")
    pdf = render_pictures([picture, picture], "pdf")
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type/Page/") in (0, 2)
    with pytest.raises(TreewrightError, match="one look"):
        render_pictures([picture], "png", theme="auto")


@pytest.mark.parametrize("ending", ["svg", "html", "tex", "json", "ann", "txt", "png", "pdf"])
def test_the_ending_decides(tmp_path, ending):
    if ending in ("png", "pdf"):
        pytest.importorskip("typst")
    (tmp_path / "in.conllu").write_text(GOLD)
    output = tmp_path / f"out.{ending}"
    assert main(["show", str(tmp_path / "in.conllu"), "-o", str(output)]) == 0
    starts = {"svg": b"<svg", "html": b"<!DOCTYPE", "tex": b"% \\use", "json": b"[", "ann": b"T1", "txt": b"bread"}
    starts |= {"png": b"\x89PNG", "pdf": b"%PDF"}
    assert output.read_bytes().startswith(starts[ending])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--to", "svg", "-o", "x.png"], "say different things"),
        (["-o", "x.bmp"], "no drawing has the ending .bmp: use .svg, .png"),
        (["-o", "x.svg", "--ascii"], "--ascii has no effect"),
        (["-o", "x.svg", "--style", "arcs"], "--style has no effect"),
        (["-o", "x.tex", "--width", "100"], "--width has no effect"),
        (["-o", "x.tex", "--theme", "dark"], "--theme dark has no effect"),
        (["--theme", "dark"], "--theme dark has no effect in the terminal"),
        (["-o", "x.png", "--theme", "auto"], "--theme auto has no effect"),
        (["-o", "x.svg", "--width", "-5"], "give pixels"),
    ],
)
def test_options_without_effect_are_rejected(tmp_path, capsys, monkeypatch, words, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.conllu").write_text(GOLD)
    assert main(["show", "in.conllu", *words]) == 2
    assert told in capsys.readouterr().err


def test_without_typst_the_extra_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "typst", None)
    (tmp_path / "in.conllu").write_text(GOLD)
    assert main(["show", str(tmp_path / "in.conllu"), "-o", str(tmp_path / "x.png")]) == 2
    assert "treewright[pictures]" in capsys.readouterr().err
