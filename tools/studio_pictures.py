"""Make the pictures of the studio in the documentation, with the toy treebank as the project.

    python tools/studio_pictures.py docs/images

Needs Playwright and Chromium (`pip install playwright`, `apt-get install chromium`).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

import treewright
from treewright.apps.server import state_routes
from treewright.apps.server.application import Application
from treewright.apps.server.http_server import HttpServer
from treewright.apps.server.interfaces import v1
from treewright.apps.server.limits import Limits
from treewright.apps.server.model_store import ModelStore
from treewright.apps.server.service import Service
from treewright.apps.studio import routes as studio
from treewright.apps.studio.suggesting import blanked

TOY = Path(__file__).parents[1] / "examples" / "toy"
SIZE = {"width": 1100, "height": 620}
PICTURES = {
    "studio-parse": ("#parse?models=eager,exact&text={conllu}", "article:nth-of-type(2) svg.tree .tw-arc", "light"),
    "studio-step": (
        "#step?system=arc-eager&words=She+saw+the+duck&heads=2+0+4+2&relations=nsubj+root+det+obj&at=4",
        ".trace .moves",
        "dark",
    ),
    "studio-annotate": ("#annotate?file=toy.conllu&n=41", "svg.tree .tw-suggested", "light"),
}


def sentences(name: str, most: int) -> list[str]:
    """Return the first sentences of a part of the toy treebank."""
    return [text + "\n\n" for text in (TOY / name).read_text(encoding="utf-8").split("\n\n")[:most]]


def main() -> None:
    """Start a server, take the pictures."""
    target = Path(sys.argv[1])
    models = ModelStore({})
    models.add("eager", treewright.train(str(TOY / "train.conllu"), features="lean", iterations=1))
    models.add("exact", treewright.train(str(TOY / "train.conllu"), system="exact", iterations=2))
    with tempfile.TemporaryDirectory() as folder:
        waiting = [blanked(text) for text in sentences("test.conllu", 20)]
        text = "".join([*sentences("train.conllu", 40), *waiting])
        Path(folder, "toy.conllu").write_text(text, encoding="utf-8")
        service = Service(models, Limits(), Path(folder))
        found = [*state_routes.routes(service), *v1.routes(service), *studio.routes(service)]
        server = HttpServer(Application(service, found))
        threading.Thread(target=server.serve, daemon=True).start()
        take(server.address, target)
        server.stop()


def take(address: str, target: Path) -> None:
    """Take the pictures with a browser."""
    from urllib.parse import quote

    conllu = quote(next(text for text in sentences("test.conllu", 60) if text.count("\n") == 11))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (place, sign, colours) in PICTURES.items():
            page = browser.new_page(viewport=SIZE, color_scheme=colours)
            page.goto(f"{address}/{place.format(conllu=conllu)}")
            page.wait_for_selector(sign, timeout=60_000)
            page.wait_for_timeout(500)
            page.screenshot(path=target / f"{name}.png", full_page=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
