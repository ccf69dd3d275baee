"""The pages in a browser, without a screen. Skipped where there is no Chromium."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.apps.server.running import running
from tests.apps.studio.projects import make_project
from tests.toy import toy_parser
from treewright.apps.server.interfaces import v1
from treewright.apps.server.model_store import ModelStore
from treewright.apps.studio import routes as studio

BROWSER = next(
    (path for name in ("chromium", "google-chrome", "chromium-browser") if (path := shutil.which(name))), None
)
if BROWSER is None:
    pytest.skip("no Chromium: apt-get install chromium", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install playwright")
PATIENCE = 30_000  # milliseconds; a busy machine is no failure


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_project(tmp_path, 60, 3)


@pytest.fixture
def page(browser, folder):
    """A page that must not log an error, on a server with two models and a project."""

    def routes(service):
        return [*v1.routes(service), *studio.routes(service)]

    models = ModelStore({})
    models.add("eager", toy_parser())
    models.add("hybrid", toy_parser("arc-hybrid"))
    with running(routes, models=models, folder=folder) as server:
        context = browser.new_context(accept_downloads=True, bypass_csp=True)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "request",
            lambda request: (
                errors.append(request.url)
                if server.address not in request.url and not request.url.startswith(("data:", "blob:"))
                else None
            ),
        )
        page.address = server.address
        yield page
        context.close()
        assert errors == []


def visit(page, place: str) -> None:
    page.goto(f"{page.address}/{place}")
    page.wait_for_selector(f"main[data-ready='{place.strip('#').split('?')[0]}']")


def test_parse_compares_models_and_exports(page):
    words = "1\tdogs\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"
    visit(page, "#parse")
    page.fill("textarea", words)
    page.check("input[value=hybrid]")
    page.click("button:has-text('Parse')")
    page.wait_for_selector("article:nth-of-type(2) svg.tree .arc")
    assert "agrees with eager on" in page.inner_text("main")
    assert "models=eager%2Chybrid" in page.url
    page.reload()
    page.wait_for_selector("article:nth-of-type(2) svg.tree .arc")  # the link holds the state
    for name, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("CoNLL-U", b"1\tdogs"), ("LaTeX", b"")):
        with page.expect_download() as download:
            page.click(f"article:first-of-type button:text-is('{name}')")
        assert Path(download.value.path()).read_bytes().startswith(start)


def test_step_takes_a_wrong_move_and_recovers(page):
    visit(page, "#step?system=arc-eager&words=she+saw+ducks&heads=2+0+2")
    page.click("button:has-text('forth')")
    assert "step 1 of" in page.inner_text("main")
    page.keyboard.press("Escape")
    page.click(".moves button.wrong")
    page.wait_for_function("document.body.innerText.includes('arcs lost so far: 1')")
    page.focus("#main")
    page.keyboard.press("End")
    page.wait_for_function("document.body.innerText.includes('1 gold arcs were not built; the moves cost 1')")
    page.keyboard.press("Home")
    assert "step 0 of" in page.inner_text("main")


def test_annotate_with_the_keyboard_alone(page, folder):
    visit(page, "#annotate?file=a.conllu&n=60")
    page.wait_for_selector("svg.tree .suggested")
    page.focus("svg.tree")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("c")  # confirm what is suggested for word 2
    page.wait_for_function("document.querySelectorAll('svg.tree .arc:not(.suggested)').length === 1")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("r")
    page.fill("#dialog input", "voc")
    page.keyboard.press("Enter")  # completed
    page.wait_for_selector("svg.tree .arc:not(.suggested) text:text-is('vocative')")
    page.keyboard.press("u")
    page.wait_for_function("document.querySelectorAll('svg.tree .arc:not(.suggested)').length === 1")
    page.keyboard.press("U")
    page.wait_for_selector("svg.tree .arc:not(.suggested) text:text-is('vocative')")
    page.keyboard.press("Control+Enter")  # accept, save, next
    page.wait_for_function("!location.hash.includes('n=60')")
    assert "\tvocative\t" in (folder / "a.conllu").read_text(encoding="utf-8")
    page.keyboard.press("?")
    assert page.is_visible("dialog >> text=confirm the suggested arc")


def test_drag_a_word_onto_its_head_and_edit_a_word(page, folder):
    visit(page, "#annotate?file=a.conllu&n=0")
    page.drag_and_drop("svg.tree .word[data-place='1']", "svg.tree .word[data-place='3']")
    page.wait_for_function("document.querySelector('.arc[data-dependent=\"1\"]').dataset.head === '3'")
    page.focus("svg.tree")
    page.keyboard.press("e")
    page.fill("#dialog label:has-text('lemma') input", "changed")
    page.keyboard.press("Enter")
    page.wait_for_function("!document.querySelector('dialog').open")
    page.keyboard.press("Control+s")
    page.wait_for_selector("strong + span:text-is('saved')")
    first = (folder / "a.conllu").read_text(encoding="utf-8").split("\n\n")[0]
    row = next(line.split("\t") for line in first.split("\n") if line.startswith("1\t"))
    assert (row[2], row[6]) == ("changed", "3")


def test_cells_of_the_table_are_typed_one_after_the_other(page, folder):
    visit(page, "#annotate?file=a.conllu&n=1")
    page.click("summary")
    page.click("td[aria-label='lemma of 1']")
    page.keyboard.press("Control+a")
    page.keyboard.type("first")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("X", delay=200)  # while the server answers
    page.wait_for_selector("button:text-is('Undo'):enabled")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "[...document.querySelectorAll('tr.selected td')].slice(1, 3).map(c => c.textContent).join() === 'first,X'"
    )
    page.focus("svg.tree")
    page.keyboard.press("Control+s")
    page.wait_for_selector("strong + span:text-is('saved')")
    assert "\tfirst\tX\t" in (folder / "a.conllu").read_text(encoding="utf-8")


def test_loop_and_compare(page, folder):
    text = (folder / "a.conllu").read_text(encoding="utf-8")
    two = "".join(part + "\n\n" for part in text.split("\n\n")[:2])
    (folder / "one.conllu").write_text(two, encoding="utf-8")
    (folder / "two.conllu").write_text(two.replace("\tdet\t", "\tdep\t", 1), encoding="utf-8")
    visit(page, "#loop")
    page.wait_for_selector("svg.chart circle")
    visit(page, "#compare?first=one.conllu&second=two.conllu")
    page.wait_for_selector("button:has-text('second is right')")
    page.click("button:has-text('second is right')")
    page.wait_for_selector("tr.selected")
    assert (folder / "adjudicated.conllu").read_text(encoding="utf-8") == two.replace("\tdet\t", "\tdep\t", 1)
    assert (folder / "one.conllu").read_text(encoding="utf-8") == two
