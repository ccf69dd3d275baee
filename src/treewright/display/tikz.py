"""LaTeX drawings: the environment ``dependency`` of the package tikz-dependency, to paste into a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treewright.display.picture import Picture, Word
from treewright.display.svg_layout import Bow, lay_out

_SPECIAL = {
    **{c: f"\\{c}" for c in "%$#_{}"},
    "&": "\\symbol{38}",  # \\& separates the words
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    '"': "\\symbol{34}",
    "→": " $\\rightarrow$ ",
    "↺": "$\\circ$ ",
}
POINTS, LEAST_GAP = 0.72, 6.0  # points per pixel of the SVG drawing: words have 15 pixels there, 10 points here
HEADING = "% \\usepackage{tikz-dependency}\n"
_STYLE_IN_BLACK = {
    "right": "edge style={thin}",
    "wrong-head": "edge style={very thick}",
    "wrong-label": "edge style={thick, dotted}",
    "missed": "edge style={thick, dashed}",
}
_STYLE_OF_MARK = {
    "right": "edge style={gray}, label style={text=gray}",
    "wrong-head": "edge style={red!80!black, thick}, label style={text=red!80!black}",
    "wrong-label": "edge style={orange!90!black, thick}, label style={text=orange!90!black}",
    "missed": "edge style={green!50!black, thick, dashed}, label style={text=green!50!black}",
}


def draw(picture: Picture, coloured: bool = True) -> str:
    """Return a drawing in LaTeX. Right-to-left words are written in visual order.

    Distances between words and heights of arcs are those of the SVG drawing, so labels have enough room.
    """
    layout = lay_out(picture)
    picture = layout.picture
    gaps = [
        max(LEAST_GAP, POINTS * (next_edge - edge - width))
        for edge, width, next_edge in zip(layout.edges, layout.widths, layout.edges[1:])  # noqa: B905
    ]
    styles = _STYLE_OF_MARK if coloured else _STYLE_IN_BLACK
    lines = [f"% {' '.join(picture.title.split())}"] if picture.title else []
    lines += ["\\begin{dependency}", "  \\begin{deptext}[column sep=0pt]"]
    lines.append("    " + _row([_word(word) for word in picture.words], gaps))
    if any(word.tag for word in picture.words):
        lines.append(
            "    " + _row([f"\\scriptsize {_set('textbf', word.tag, word.wrong_tag)}" for word in picture.words], gaps)
        )
    if picture.tokens:  # boxed words; their form is below the first, as arcs start above
        forms = {token.first: f"\\scriptsize\\textit{{{_escaped(token.text)}}}" for token in picture.tokens}
        lines.append("    " + _row([forms.get(place, "") for place in range(1, len(picture.words) + 1)], gaps))
    lines.append("  \\end{deptext}")
    lines += [
        f"  \\wordgroup{{1}}{{{token.first}}}{{{token.last}}}{{{f'token{token.first}'}}}" for token in picture.tokens
    ]
    lines += ["  " + _edge(bow, styles) for bow in layout.bows]
    lines.append("\\end{dependency}")
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str], gaps: Sequence[float]) -> str:
    separators = [f" \\&[{gap:.0f}pt] " for gap in gaps]
    return "".join(cell + after for cell, after in zip(cells, [*separators, " \\\\"]))  # noqa: B905


def _word(word: Word) -> str:
    return _set("textbf", word.text, True) if word.is_marked else _set("textit", word.text, word.is_empty)


def _set(command: str, text: str, marked: bool) -> str:
    """Return a text, set by a command where it is marked."""
    return f"\\{command}{{{_escaped(text)}}}" if marked else _escaped(text)


def _edge(bow: Bow, styles: Mapping[str, str]) -> str:
    arc = bow.arc
    options = [f"edge height={POINTS * bow.height:.0f}pt"]
    if arc.below:
        options.append("edge below")
    if arc.mark:
        options.append(styles[arc.mark])
    label = _escaped(arc.shown_label)
    if arc.is_upright:
        return f"\\deproot[{', '.join(options)}]{{{arc.dependent}}}{{{label}}}"
    return f"\\depedge[{', '.join(options)}]{{{arc.head}}}{{{arc.dependent}}}{{{label}}}"


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(c, c) for c in " ".join(text.split()))
