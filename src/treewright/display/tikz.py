"""LaTeX: the environment ``dependency`` of the package tikz-dependency, to be pasted into a paper."""

from __future__ import annotations

from treewright.display.picture import Arc, Picture

_SPECIAL = {
    **{c: f"\\{c}" for c in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    '"': "\\textquotedbl{}",
    "≠": "$\\neq$",
    "✗": "$\\times$",
    "↺": "$\\circlearrowleft$",
}
SEPARATOR, END_OF_ROW = " \\& ", " \\\\"
HEADING = "% \\usepackage{tikz-dependency}\n"
_STYLE_OF_MARK = {
    "wrong-head": "edge style={red!80!black, thick}, label style={text=red!80!black}",
    "wrong-label": "edge style={orange!90!black, thick}, label style={text=orange!90!black}",
    "missed": "edge style={green!50!black, thick, dashed}, label style={text=green!50!black}",
}


def draw(picture: Picture) -> str:
    """Return a drawing in LaTeX. Words written from right to left are put in their order on paper."""
    if picture.right_to_left:
        picture = picture.mirrored()
    lines = [f"% {' '.join(picture.title.split())}"] if picture.title else []
    lines += ["\\begin{dependency}", "  \\begin{deptext}[column sep=0.8em]"]
    words = (("\\textit{%s}" if word.is_empty else "%s") % _escaped(word.text) for word in picture.words)
    lines.append("    " + SEPARATOR.join(words) + END_OF_ROW)
    if any(word.tag for word in picture.words):
        tags = ("\\scriptsize " + _escaped(word.tag) for word in picture.words)
        lines.append("    " + SEPARATOR.join(tags) + END_OF_ROW)
    lines.append("  \\end{deptext}")
    lines += ["  " + _edge(arc) for arc in picture.arcs]
    lines.append("\\end{dependency}")
    return "\n".join(lines) + "\n"


def _edge(arc: Arc) -> str:
    options = ["edge below"] if arc.below else []
    if arc.mark:
        options.append(_STYLE_OF_MARK[arc.mark])
    chosen = f"[{', '.join(options)}]" if options else ""
    label = _escaped(arc.shown_label)
    if arc.is_upright:
        return f"\\deproot{chosen}{{{arc.dependent}}}{{{label}}}"
    return f"\\depedge{chosen}{{{arc.head}}}{{{arc.dependent}}}{{{label}}}"


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(c, c) for c in " ".join(text.split()))
