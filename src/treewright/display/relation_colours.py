"""One colour for each family of relations, the same in the terminal, in SVG and in HTML."""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32


class Colour(NamedTuple):
    """A colour for light and dark backgrounds (contrast at least 4.5 : 1), and its ANSI code."""

    name: str
    light: str
    dark: str
    ansi: str


_SHADES = """
root         #1b1f24 #f0f3f6 1
core         #0a58b5 #79b8ff 34
oblique      #1a7038 #6fdd8b 32
nominal      #8f4700 #f0a860 33
function     #57606a #a0aab5 2
coordination #7d3ac1 #cfa3ff 35
compound     #00707a #5fd3dc 36
clause       #b02a6b #ff94c7 95
punctuation  #6a737d #8b949e 90
right        #6a737d #8b949e 2
wrong        #c5221f #ff7b72 1;31
half-wrong   #a15c00 #ffb757 1;33
missed       #1a7038 #6fdd8b 1;32
"""
#: by name
COLOURS = {row.split()[0]: Colour(*row.split()) for row in _SHADES.splitlines() if row}

_FAMILIES = {
    "root": "root",
    "core": "nsubj csubj obj iobj expl sbj subj dobj pobj agent nsubjpass sb oa da",
    "oblique": "obl advmod vocative discourse dislocated neg npadvmod adv prep loc tmp",
    "nominal": "nmod amod nummod appos poss nmodposs mod att nk",
    "function": "det case aux cop mark clf auxpass predet prt",
    "coordination": "conj cc coord co preconj",
    "compound": "compound flat fixed goeswith list parataxis orphan reparandum mwe name nn",
    "clause": "acl advcl ccomp xcomp rcmod relcl partmod infmod pcomp",
    "punctuation": "punct p pnct",
}
_FAMILY_OF = {relation: family for family, relations in _FAMILIES.items() for relation in relations.split()}
_FOR_UNKNOWN = ("core", "oblique", "nominal", "coordination", "compound", "clause")
_OF_MARK = {"right": "right", "wrong-head": "wrong", "wrong-label": "half-wrong", "missed": "missed"}


def colour_of(relation: str, mark: str = "") -> Colour:
    """Return the colour of a relation, or of the mark that a comparison put on its arc.

    Subtypes have the colour of their relation. An unknown relation always gets the same colour.
    """
    if mark:
        return COLOURS[_OF_MARK[mark]]
    base = relation.partition(":")[0].partition(">")[0].lower()
    family = _FAMILY_OF.get(base) or _FOR_UNKNOWN[crc32(base.encode("utf-8", "replace")) % len(_FOR_UNKNOWN)]
    return COLOURS[family]
