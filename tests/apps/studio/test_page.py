"""The pages in a browser, without a screen. Skipped where there is no Chromium."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.apps.server.running import running
from tests.apps.studio.projects import Sentence, make_project
from tests.toy import toy_parser
from treewright.apps.server.interfaces import v1
from treewright.apps.server.model_store import ModelStore
from treewright.apps.studio import routes as studio
from treewright.apps.studio.project import Project

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
    page.wait_for_selector("article:nth-of-type(2) svg.tree .tw-arc")
    assert "agrees with eager on" in page.inner_text("main")
    assert "models=eager%2Chybrid" in page.url
    page.reload()
    page.wait_for_selector("article:nth-of-type(2) svg.tree .tw-arc")  # the link holds the state
    for name, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("CoNLL-U", b"1\tdogs"), ("LaTeX", b"")):
        with page.expect_download() as download:
            page.click(f"article:first-of-type button:text-is('{name}')")
        assert Path(download.value.path()).read_bytes().startswith(start)


def test_step_takes_a_wrong_move_and_recovers(page):
    visit(page, "#step?system=arc-eager&words=she+saw+ducks&heads=2+0+2")
    page.wait_for_selector("text=step 1 of 6 · 0 arcs lost so far")
    page.click("button:text-is('next')")
    page.wait_for_selector("td.loses:has-text('·(saw, she)')")
    assert "SHIFT" in page.inner_text("button.take.wrong >> nth=0")
    assert "REDUCE she has no head yet" in page.inner_text(".illegal")
    page.click("button.take.wrong >> nth=0")
    page.wait_for_function("document.body.innerText.includes('1 arc lost so far')")
    page.focus("#main")
    page.keyboard.press("End")
    page.wait_for_selector("text=/Loss 1: without/")
    page.keyboard.press("Home")
    page.wait_for_selector("text=step 1 of")
    page.keyboard.press(" ")
    page.wait_for_selector("text=step 2 of")
    page.click("button:text-is('pause')")
    page.click("summary:has-text('Why ROOT is last')")
    assert "meets all others" in page.inner_text("details p")
    assert page.locator("svg .tw-below").count() == 3
    page.uncheck("text=gold tree")
    assert not page.is_visible("svg .tw-below >> nth=0")


def test_step_opens_with_a_model_that_has_moves_and_teaches(page):
    visit(page, "#step")
    page.wait_for_selector("text=model english-fast")
    assert page.locator(".trace .steps button").count() > 9
    for number, sign in ((1, "step 1 of 6"), (2, "step 5 of"), (3, "step 4 of"), (4, "step 5 of"), (5, "step 3 of")):
        page.click(f".row button:has-text('{number}. ')")
        page.wait_for_selector(f"text={sign}")
        page.wait_for_selector(".lesson:visible")
        page.focus("#main")
        page.keyboard.press("End")
        page.wait_for_selector(".place:text-matches('^end')")
        lost = page.inner_text(".place")
        if number < 5:
            assert f"{[0, 0, 3, 1][number - 1]} arc" in lost
    page.select_option("select >> nth=0", "model:hybrid")
    for label, text in (("Sentence", "dogs sleep"), ("Gold heads", ""), ("Gold relations", "")):
        page.fill(f"input[aria-label='{label}']", text)
    page.click("button:text-is('Start')")
    page.wait_for_selector("text=/model hybrid/")


def test_annotate_with_the_keyboard_alone(page, folder):
    visit(page, "#annotate?file=a.conllu&n=60")
    page.wait_for_selector("svg.tree .tw-suggested")
    page.focus("svg.tree")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("c")  # confirm what is suggested for word 2
    page.wait_for_function("document.querySelectorAll('svg.tree .tw-arc:not(.tw-suggested)').length === 1")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("r")
    page.fill("#dialog input", "voc")
    page.keyboard.press("Enter")  # completed
    page.wait_for_selector("svg.tree .tw-arc:not(.tw-suggested) text:text-is('vocative')")
    page.keyboard.press("u")
    page.wait_for_function("document.querySelectorAll('svg.tree .tw-arc:not(.tw-suggested)').length === 1")
    page.keyboard.press("U")
    page.wait_for_selector("svg.tree .tw-arc:not(.tw-suggested) text:text-is('vocative')")
    page.keyboard.press("Control+Enter")  # accept, save, next
    page.wait_for_function("!location.hash.includes('n=60')")
    assert "\tvocative\t" in (folder / "a.conllu").read_text(encoding="utf-8")
    page.keyboard.press("?")
    assert page.is_visible("dialog >> text=confirm the suggested arc")


def chosen(page) -> int:
    return int(page.get_attribute(".tw-node.selected", "data-id"))


def test_few_keys_for_a_correction(page, folder):
    visit(page, "#annotate?file=a.conllu&n=60")
    page.wait_for_selector("svg.tree .tw-suggested")
    page.wait_for_timeout(300)
    page.focus("svg.tree")

    def shown():
        return page.request.get(f"{page.address}/studio/api/sentence?file=a.conllu&n=60").json()

    suggestion = shown()["suggestion"]
    order = sorted(range(1, len(suggestion["heads"]) + 1), key=lambda n: (suggestion["confidences"][n - 1], n))
    page.reload()
    page.wait_for_selector("svg.tree .tw-suggested")
    assert chosen(page) == order[0]  # the word that the parser is least sure of
    page.focus("svg.tree")
    page.keyboard.press(" ")
    assert chosen(page) == order[1]
    page.keyboard.press("ArrowUp")
    above = suggestion["heads"][order[1] - 1] or order[1]
    assert chosen(page) == above
    page.keyboard.press("ArrowDown")
    assert chosen(page) == (suggestion["heads"].index(above) + 1 if above in suggestion["heads"] else above)

    unsure = next(n for n in order if len(suggestion["choices"][n - 1]) > 1)
    page.click(f".tw-node[data-id='{unsure}']")
    page.keyboard.press("v")  # the parser's next choice
    page.wait_for_selector("button:text-is('Undo'):enabled")
    token = next(token for token in shown()["tokens"] if token["id"] == str(unsure))
    assert [int(token["head"]), token["deprel"]] in suggestion["choices"][unsure - 1]
    other = next(n for n in order if n != unsure)
    page.click(f".tw-node[data-id='{unsure}']")
    page.keyboard.press("r")
    page.keyboard.type("vocative")  # "voc" is enough, and the other letters are no commands
    page.keyboard.press("Enter")
    page.wait_for_selector(f".tw-arc[data-dependent='{unsure}'] text:text-is('vocative')")
    page.wait_for_timeout(100)
    assert not page.evaluate("document.querySelector('dialog').open")
    page.click(f".tw-node[data-id='{other}']")
    page.keyboard.press(".")
    page.wait_for_selector(f".tw-arc[data-dependent='{other}'] text:text-is('vocative')")
    page.keyboard.press("r")
    first = page.inner_text("li[role=option] >> nth=1").lstrip("2").strip()
    page.keyboard.press("2")
    page.wait_for_selector(f".tw-arc[data-dependent='{other}'] text:text-is('{first}')")


def test_the_list_finds_and_goes(page, folder):
    visit(page, "#annotate?file=a.conllu&n=0")
    page.focus("svg.tree")
    page.keyboard.press("g")
    page.keyboard.type("61")
    page.keyboard.press("Enter")
    page.wait_for_selector("strong:has-text('sentence 61 of 63')")
    page.select_option("select[aria-label='Which sentences']", "waiting")
    page.wait_for_function("document.querySelectorAll('ul.list li').length === 3")
    page.focus("svg.tree")
    page.keyboard.press("]")
    page.wait_for_selector("strong:has-text('sentence 62 of 63')")
    page.keyboard.press("N")
    page.wait_for_selector("strong:has-text('sentence 63 of 63')")
    page.select_option("select[aria-label='Which sentences']", "all")
    page.wait_for_function("document.querySelectorAll('ul.list li').length > 20")
    page.fill(".finder input", "farmer")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "[...document.querySelectorAll('ul.list li')].every((row) => /farmer/i.test(row.textContent))"
    )
    assert page.locator("ul.list li").count() > 1
    assert page.inner_text(".finder [role=status]").endswith(" of 63")


def test_sentences_that_were_found_are_rewritten_and_it_is_undone(page, folder):
    def relations(n: int) -> list[str]:
        tokens = page.request.get(f"{page.address}/studio/api/sentence?file=a.conllu&n={n}").json()["tokens"]
        return [token["deprel"] for token in tokens]

    before = [relations(n) for n in range(60)]
    found = [n for n, names in enumerate(before) if "amod" in names]
    selected = found[1:]
    changed = [n for n in selected if "det" in before[n]]
    visit(page, f"#annotate?file=a.conllu&n={changed[0]}")
    assert page.locator("ul.list input").count() == 0
    page.fill(".finder input", "pattern { M -[amod]-> A }")
    page.focus(".finder input")
    page.keyboard.press("Enter")
    page.wait_for_function(f"document.querySelector('.finder [role=status]').textContent === '{len(found)} of 63'")
    page.click("summary:text-is('Rewrite')")
    page.click("button:text-is('Try')")
    page.wait_for_selector(".rewriting .error:has-text('Select sentences')")
    page.click("button:text-is('Select all found')")
    page.wait_for_selector(f".rewriting [role=status]:has-text('{len(found)} selected')")
    page.uncheck(f"input[aria-label='select sentence {found[0] + 1}']")
    page.fill(".rewriting textarea", "rule r { pattern { e: N -[det]-> D }\n commands { e.3 = } }")
    page.click("button:text-is('Try')")
    page.wait_for_selector(".rewriting .error:has-text('the rules:2:')")
    page.fill(".rewriting textarea", "rule r { pattern { e: N -[det]-> D } commands { e.2 = art } }")
    page.click("button:text-is('Try')")
    page.wait_for_selector("dialog svg text:has-text('det:art')")
    assert f"{len(changed)} of {len(selected)} sentences would change" in page.inner_text("dialog")
    assert relations(changed[0]) == before[changed[0]]
    page.click(f"dialog button:text-is('Rewrite {len(changed)}')")
    page.wait_for_selector(f".rewriting [role=status]:has-text('{len(changed)} sentences rewritten')")
    page.wait_for_selector("svg.tree .tw-arc text:text-is('det:art')")  # in the sentence that is shown
    for n, old in enumerate(before):
        assert relations(n) == [one.replace("det", "det:art") if n in changed else one for one in old]
    page.click("button:text-is('Undo rewriting')")
    page.wait_for_selector(f".rewriting [role=status]:has-text('{len(changed)} sentences as before')")
    assert [relations(n) for n in range(60)] == before
    assert page.is_disabled("button:text-is('Undo rewriting')")
    page.click("summary:text-is('Rewrite')")
    page.wait_for_function("document.querySelectorAll('ul.list input').length === 0")


def test_drag_a_word_onto_its_head_and_edit_a_word(page, folder):
    visit(page, "#annotate?file=a.conllu&n=0")
    page.drag_and_drop("svg.tree .tw-node[data-id='1']", "svg.tree .tw-node[data-id='3']")
    page.wait_for_function("document.querySelector('.tw-arc[data-dependent=\"1\"]').dataset.head === '3'")
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
    page.click("summary:text-is('All columns')")
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
    assert page.get_attribute("tr.selected button:has-text('second')", "aria-pressed") == "true"
    page.reload()  # decisions are kept
    page.wait_for_selector("text=1 difference in 1 sentence, 0 not decided")
    wanted = two.replace("\tdet\t", "\tdep\t", 1).replace("\n1\t", "\n# adjudicated = 2\n1\t", 1)
    assert (folder / "adjudicated.conllu").read_text(encoding="utf-8") == wanted
    assert (folder / "one.conllu").read_text(encoding="utf-8") == two


# Nothing is lost, in the page


LONG = "".join(f"{n}\tw{n}\t_\tNOUN\t_\t_\t{n - 1}\t{'root' if n == 1 else 'dep'}\t_\t_\n" for n in range(1, 13)) + "\n"


@pytest.fixture
def long(folder):
    """A file of three sentences of twelve words."""
    texts = [f"# sent_id = long{n}\n{LONG}" for n in range(3)]
    (folder / "long.conllu").write_text("".join(texts), encoding="utf-8")
    return folder / "long.conllu"


def heads(page, n: int) -> list[str]:
    """Return the heads of a sentence of the long file, as the server has them."""
    tokens = page.request.get(f"{page.address}/studio/api/sentence?file=long.conllu&n={n}").json()["tokens"]
    return [token["head"] for token in tokens]


CHAIN = [str(n) for n in range(12)]


def changed_heads(page, n: int) -> dict[int, str]:
    return {word: now for word, (now, old) in enumerate(zip(heads(page, n), CHAIN, strict=True), 1) if now != old}


def until(page, n: int, wanted: dict[int, str]) -> None:
    """Wait until the heads of a sentence are changed like this."""
    for _ in range(300):
        if changed_heads(page, n) == wanted:
            return
        page.wait_for_timeout(20)
    assert changed_heads(page, n) == wanted


def test_a_number_belongs_to_the_word_and_sentence_where_it_was_typed(page, long):
    visit(page, "#annotate?file=long.conllu&n=0")
    page.focus("svg.tree")
    page.keyboard.press("End")
    page.keyboard.press("1")  # 10, 11 and 12 are possible
    page.keyboard.press("]")
    page.wait_for_function("location.hash.includes('n=1&')")
    until(page, 0, {12: "1"})
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    page.keyboard.press("ArrowRight")  # the number was for word 3
    page.keyboard.press("1")
    page.keyboard.press("0")  # for word 4
    until(page, 1, {3: "1", 4: "10"})
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    page.keyboard.press("]")
    page.wait_for_function("location.hash.includes('n=2&')")
    page.keyboard.press("End")
    page.keyboard.press("1")
    page.click("ul.list li:nth-child(2) button")
    page.wait_for_function("location.hash.includes('n=1&')")
    until(page, 2, {12: "1"})
    page.keyboard.press("9")  # no longer number is possible: at once, to the first word
    until(page, 1, {1: "9", 3: "1", 4: "10"})
    page.keyboard.press("1")
    page.wait_for_timeout(900)  # the number ends by itself; a word is not its own head
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    page.keyboard.press("3")
    page.wait_for_selector("#status .error:has-text('the sentence has no word 13')")
    until(page, 1, {1: "9", 3: "1", 4: "10"})


def first_edit_held(page) -> list[playwright.Route]:
    """Hold the first edit back; return a list that it will be in."""
    waiting: list[playwright.Route] = []

    def hold(route: playwright.Route) -> None:
        if waiting:
            route.continue_()
        else:
            waiting.append(route)

    page.route("**/studio/api/edit*", hold)
    return waiting


def test_keys_wait_for_the_answer_before(page, long):
    waiting = first_edit_held(page)
    visit(page, "#annotate?file=long.conllu&n=0")
    page.focus("svg.tree")
    page.keyboard.press("ArrowRight")
    for key in ("x", "ArrowRight", "x", "]", "x"):
        page.keyboard.press(key)
    page.wait_for_timeout(100)
    assert len(waiting) == 1
    waiting[0].continue_()
    until(page, 0, {2: "_", 3: "_"})
    until(page, 1, {1: "_"})


def test_a_drag_survives_a_redraw(page, long):
    waiting = first_edit_held(page)
    visit(page, "#annotate?file=long.conllu&n=0")
    page.focus("svg.tree")
    page.keyboard.press("x")
    places = [page.locator(f"svg.tree .tw-node[data-id='{n}']").bounding_box() for n in (9, 4)]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places]
    page.mouse.move(*middles[0])
    page.mouse.down()
    page.mouse.move(middles[1][0] + 30, middles[1][1] - 5)
    assert page.locator("svg.tree .rubber").count() == 1
    waiting[0].continue_()
    until(page, 0, {1: "_"})
    page.wait_for_timeout(300)  # the answer has come, and the tree would be drawn anew
    assert page.locator("svg.tree .rubber").count() == 1
    page.mouse.move(*middles[1])
    page.mouse.up()
    until(page, 0, {1: "_", 9: "4"})
    page.wait_for_function("!document.querySelector('svg.tree .rubber')")


def test_an_edit_stays_with_its_sentence_when_others_come(page, long):
    visit(page, "#annotate?file=long.conllu&n=1")
    page.focus("svg.tree")
    text = long.read_text(encoding="utf-8")
    long.write_text(f"# sent_id = new\n{LONG}{text}", encoding="utf-8")
    page.keyboard.press("x")
    until(page, 2, {1: "_"})
    page.wait_for_function("document.querySelector('strong').textContent.includes('sentence 3 of 4')")
    assert changed_heads(page, 1) == {}
    page.keyboard.press("Control+s")
    page.wait_for_selector("strong + span:text-is('saved')")
    assert long.read_text(encoding="utf-8").count("\t_\t_\t_\t_\n") == 1


def test_a_stale_tab_takes_nothing_back(page, long):
    visit(page, "#annotate?file=long.conllu&n=0")
    other = page.context.new_page()
    other.address = page.address
    visit(other, "#annotate?file=long.conllu&n=0")
    other.route("**/studio/api/sentence?*", lambda route: route.abort())  # it does not look again
    other.wait_for_timeout(300)
    page.focus("svg.tree")
    page.keyboard.press("x")
    until(page, 0, {1: "_"})
    other.keyboard.press("u")
    other.wait_for_selector("#status .error:has-text('was changed meanwhile')")
    assert changed_heads(page, 0) == {1: "_"}
    other.wait_for_function(
        "!document.querySelector('.tw-arc:not(.tw-suggested)[data-dependent=\"1\"]')"
    )  # and shows how it is now
    other.close()


def test_conflicts_are_decided_in_the_page(page, long, tmp_path):
    visit(page, "#annotate?file=long.conllu&n=0")
    page.focus("svg.tree")
    page.keyboard.press("x")
    until(page, 0, {1: "_"})
    text = long.read_text(encoding="utf-8")
    long.write_text(text.replace("\tw2\t_\t", "\tw2\ttwo\t", 1), encoding="utf-8")
    page.wait_for_selector(".conflict .differs:has-text('two')")
    page.keyboard.press("Control+s")
    page.wait_for_selector("#status .error:has-text('choose one of the versions first')")
    page.click("text='Edit…'")
    box = page.locator("dialog textarea")
    box.fill(box.input_value().replace("\tw2\t_\t", "\tw2\tboth\t"))
    page.click("dialog button:text-is('Write')")
    page.wait_for_function("!document.querySelector('.conflict')")
    page.focus("svg.tree")
    page.keyboard.press("Control+s")
    page.wait_for_selector("strong + span:text-is('saved')")
    now = long.read_text(encoding="utf-8")
    assert "\tw2\tboth\t" in now
    page.keyboard.press("x")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("x")
    until(page, 0, {1: "_", 2: "_"})
    long.write_text(now.split("\n\n", 1)[1], encoding="utf-8")
    page.wait_for_selector("text='Keep it: save puts it back'")
    page.click("text='Keep it: save puts it back'")
    page.wait_for_function("!document.querySelector('.conflict')")
    page.focus("svg.tree")
    page.keyboard.press("Control+s")
    page.wait_for_selector("strong + span:text-is('saved')")
    assert long.read_text(encoding="utf-8").count("\n\n") == 3


def test_a_project_is_taken_over(page, long, folder):
    visit(page, "#annotate?file=long.conllu&n=0")
    page.focus("svg.tree")
    page.keyboard.press("x")
    until(page, 0, {1: "_"})
    other = Project(folder, takeover=True)
    page.wait_for_selector("#in-use:has-text('is open in another server')")
    Sentence(other, 1, "long.conllu").edit({"do": "attach", "word": 2, "head": None})
    page.click("text='Take over'")
    page.wait_for_selector("svg.tree")
    assert (changed_heads(page, 0), changed_heads(page, 1)) == ({1: "_"}, {2: "_"})
    assert not other.owner.is_mine
