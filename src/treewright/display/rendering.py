"""Pictures as PNG and PDF: typst, an extra, turns our SVG into them.

typst shapes every script and needs no library of the system. It reads no style sheet for dark backgrounds, and no
generic font names: both are settled here.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence

from treewright.display.picture import Picture
from treewright.display.svg import WIDTH, draw_pictures
from treewright.display.svg_style import FONTS
from treewright.errors import MissingExtraError, TreewrightError, unknown

KINDS = ("png", "pdf")
PIXELS_PER_INCH = 144.0  # twice what a picture measures, for sharp letters on today's screens
_REAL_FONTS = FONTS.replace("sans-serif", "'Liberation Sans','DejaVu Sans',sans-serif")
_PAGE = "#set page(width: auto, height: auto, margin: 0pt)\n"


def render_pictures(pictures: Sequence[Picture], kind: str, width: int = WIDTH, theme: str = "light") -> bytes:
    """Return pictures as one ``png``, one below the other, or as a ``pdf`` with a page for each."""
    if kind not in KINDS:
        raise TreewrightError(unknown("kind of picture", kind, KINDS))
    if theme == "auto":
        raise TreewrightError(f"a {kind.upper()} file has one look: choose the theme light, dark or print")
    try:
        import typst
    except ImportError:
        raise MissingExtraError(f"a {kind.upper()} picture", "typst", "pictures") from None
    groups = [[picture] for picture in pictures] if kind == "pdf" else [list(pictures)]
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{number}.svg" for number in range(len(groups))]
        for name, group in zip(names, groups, strict=True):
            drawing = draw_pictures(group, width=width, theme=theme).replace(FONTS, _REAL_FONTS)
            _write(os.path.join(folder, name), drawing)
        images = "#pagebreak()\n".join(f'#image("{name}")\n' for name in names)
        main = os.path.join(folder, "main.typ")
        _write(main, _PAGE + images)
        # without a time in it, the same drawing is the same file
        made: bytes = typst.compile(main, format="pdf" if kind == "pdf" else "png", ppi=PIXELS_PER_INCH, timestamp=0)
        return made


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
