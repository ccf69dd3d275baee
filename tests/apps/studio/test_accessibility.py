"""Every page, wide and narrow, light and dark: axe-core finds nothing, and nothing is wider than the page.

TREEWRIGHT_AXE names the script, `axe.min.js` of the npm package axe-core.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.apps.studio.test_page import browser, folder, page, visit  # noqa: F401 (fixtures)

AXE = os.environ.get("TREEWRIGHT_AXE", "")
CONLLU = "1%09dogs%09_%09NOUN%09_%09_%09_%09_%09_%09_%0A2%09sleep%09_%09VERB%09_%09_%09_%09_%09_%09_%0A%0A"
PAGES = {
    f"#parse?models=eager,hybrid&text={CONLLU}": "article:nth-of-type(2) .tw-arc",
    "#step": ".trace .moves",
    "#annotate?file=a.conllu&n=60": ".tw-suggested",
    "#annotate?file=a.conllu&n=1": "svg.tree",
    "#loop": "svg.chart",
    "#compare?first=a.conllu&second=b.conllu&open=0": ".card .tw-arc",
}
DIALOGS = ("r", "e", "w", "#", "?")


@pytest.mark.slow
@pytest.mark.skipif(
    not AXE, reason="no axe-core: npm install axe-core, TREEWRIGHT_AXE=node_modules/axe-core/axe.min.js"
)
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_every_page(page, folder, width, colours):  # noqa: F811
    text = (folder / "a.conllu").read_text(encoding="utf-8")
    (folder / "b.conllu").write_text(text.replace("\tdet\t", "\tdep\t", 2), encoding="utf-8")
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=colours)
    for place, sign in PAGES.items():
        visit(page, place)
        page.wait_for_selector(sign)
        require_nothing(page, place, width)
        if place.endswith("n=1"):
            page.click("summary:text-is('Rewrite')")
            page.wait_for_selector("ul.list input")
            require_nothing(page, f"{place} Rewrite", width)
        for key in DIALOGS if "n=60" in place else ():
            page.focus("svg.tree")
            page.keyboard.press(key)
            page.wait_for_selector("dialog[open]")
            require_nothing(page, f"{place} {key}", width)
            page.keyboard.press("Escape")


def require_nothing(page, place: str, width: int) -> None:  # noqa: F811
    """Complain about what axe finds, and about what is wider than the page."""
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], place
    assert page.evaluate("document.documentElement.scrollWidth") <= width, place
