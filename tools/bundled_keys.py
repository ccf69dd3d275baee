"""Write build/native/keys_*.h: the programs of bundled feature models as C. setup.py calls this in every build.

The interpreter of feature models asks at every step what to do; here the compiler knows. What a template looks at and
how its key is made is read from the program (`features/program.py`), so that both make the same keys; a test compares
them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from treewright.features.cluster_templates import with_clusters
from treewright.features.language import parse_model
from treewright.features.program import GROUPS, Program
from treewright.features.templates import Address, FeatureModel

#: the models that are written; native/bundled_keys.h names them, too; the last one with the clusters of raw text
WITH_CLUSTERS = "rich_clusters"
NAMES = ("fast", "lean", "rich", "tiny", WITH_CLUSTERS)
MODELS = Path(__file__).parent.parent / "src" / "treewright" / "features" / "models"
BASES = {"stack": "tw_on_stack(c, {})", "input": "tw_in_buffer(c, {})"}
STEPS = {
    "h": "c->head[{}]",
    "ld": "c->leftmost[{}]",
    "rd": "c->rightmost[{}]",
    "ld2": "c->right_sibling[c->leftmost[{}]]",
    "rd2": "c->left_sibling[c->rightmost[{}]]",
    "lss": "c->left_sibling[{}]",
    "rss": "c->right_sibling[{}]",
}
#: values by the operations of a program
VALUES = {
    "value": "TW_WORD({first})[{argument}]",
    "label": "s->relations[c->label[{first}]]",
    "distance": "tw_distance_hash(s, {first}, {second})",
    "valency left": "tw_count_hash(s, c->left_count[{first}])",
    "valency right": "tw_count_hash(s, c->right_count[{first}])",
    "labels left": "tw_set_hash(c->left_labels[{first}])",
    "labels right": "tw_set_hash(c->right_labels[{first}])",
}
#: the groups of features/program.py in the order of keys, and their numbers in counts
WRITTEN = (("both", 1), ("moves", 2), ("labels", 0))


def mix(a: int, b: int) -> int:
    """Return what tw_mix of native/text_hash.h does."""
    product = a * b
    return (product ^ product >> 64) & (1 << 64) - 1


def text_hash(text: bytes, seed: int) -> int:
    """Return what tw_hash of native/text_hash.h does: nothing is compiled yet that could be called."""
    known = seed ^ 0xA0761D6478BD642F ^ len(text) * 0xE7037ED1A0B428DB & (1 << 64) - 1
    while len(text) > 8:
        known = mix(int.from_bytes(text[:8], "little") ^ 0x8EBC6AF09C88C6E3, known ^ 0x589965CC75374CC3)
        text = text[8:]
    return mix(int.from_bytes(text, "little") ^ 0x1D8E4E27C47D124F, known ^ 0xEB44ACCAB455D165)


def model_named(name: str) -> FeatureModel:
    """Return one of the models that are written."""
    file = name.removesuffix("_clusters")
    model = parse_model((MODELS / f"{file}.features").read_text(encoding="utf-8"), file)
    return model if file == name else with_clusters(model)


class Writer:
    """Writes one program. Words and values are declared where they are first needed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.program = Program(model_named(name))
        self.addresses = list(self.program.nodes)
        self.scalars = list(self.program.scalars)
        self.declared: set[str] = set()

    def header(self) -> str:
        """Return the text of the header."""
        guard = f"TREEWRIGHT_KEYS_{self.name.upper()}_H"
        return "\n".join(
            [
                f"/* Made by tools/bundled_keys.py from features/models, {self.name}: change these instead. */",
                f"#ifndef {guard}",
                f"#define {guard}",
                '#include "looking.h"',
                "",
                f"#define TW_PROGRAM_{self.name.upper()} 0x{text_hash(self.program.text.encode(), 0):016x}ULL",
                f"#define TW_ATTRIBUTES_{self.name.upper()} {len(self.program.attributes)}",
                f"#define TW_ITEMS_{self.name.upper()} {int(self.program.has_items)}",
                f"#define TW_WORD(node) (words + (int64_t)(node) * TW_ATTRIBUTES_{self.name.upper()})",
                "",
                f"static TW_ALWAYS_INLINE int tw_keys_{self.name}(",
                "    const tw_configuration *c, const tw_sentence *s, const tw_place *place, int labels,",
                "    uint64_t *__restrict out, int room, int *__restrict counts) {",
                "    const tw_place p = *place;",
                "    const uint64_t *const words = s->words;",
                "    uint64_t *const start = out, *group = out;",
                *self.body(),
                "    return (int)(out - start);",
                "}",
                "#undef TW_WORD",
                "#endif",
                "",
            ]
        )

    def body(self) -> Iterator[str]:
        """Write the keys, a group after the other."""
        for name, number in WRITTEN:
            if name == "labels":
                yield "    if (!labels) return counts[0] = 0, (int)(out - start);"
            for template, key_text, values, lists in self.program.templates:
                if GROUPS.index(template.parts) == number:
                    yield f"    /* {template} */"
                    yield from self.template(text_hash(key_text.encode(), 5), values, lists)
            yield f"    counts[{number}] = (int)(out - group), group = out;"

    def template(self, seed: int, values: list[int], lists: list[int]) -> Iterator[str]:
        """Write the keys of a template, and what they need."""
        for number in values:
            yield from self.value(number)
        # as tw_join and join_lists turn values (native/join.h, features/extractor.pyx)
        turns = [1 + 15 * i for i in range(len(values))] if lists else [0, 17, 31, 47]
        parts = [f"0x{seed:016x}ULL"]
        parts += [f"tw_turn(v{v}, {turn})" if turn else f"v{v}" for v, turn in zip(values, turns, strict=False)]
        key = " + ".join(parts)
        if not lists:
            yield f"    *out++ = tw_ask(&p, {key});"
            return
        for node in lists:
            yield from self.node(node)
        function = "tw_join_each" if len(lists) == 1 else "tw_join_pairs"
        items = [f"s->items + s->item_start[n{n}], s->item_start[n{n} + 1] - s->item_start[n{n}]" for n in lists]
        yield f"    out += {function}(&p, {key},"
        for item in items:
            yield f"        {item},"
        yield "        out, room > out - group ? room - (int)(out - group) : 0);"

    def value(self, number: int) -> Iterator[str]:
        """Declare a value, unless it is known."""
        if f"v{number}" in self.declared:
            return
        self.declared.add(f"v{number}")
        operation, argument, first, second, classes = self.scalars[number]
        if operation not in VALUES or classes:
            raise SystemExit(f"{self.name}: a feature function that has no C")
        yield from self.node(first)
        if operation == "distance":
            yield from self.node(second)
        text = VALUES[operation].format(argument=argument, first=f"n{first}", second=f"n{second}")
        yield f"    const uint64_t v{number} = {text};"

    def node(self, number: int) -> Iterator[str]:
        """Declare the word of an address, unless it is known."""
        if f"n{number}" in self.declared:
            return
        self.declared.add(f"n{number}")
        address = self.addresses[number]
        if address.base not in BASES:
            raise SystemExit(f"{self.name}: the address {address.base} has no C")
        if not address.steps:
            yield f"    const int32_t n{number} = {BASES[address.base].format(address.index)};"
            return
        # the longest known beginning of the way: the interpreter leaves out words between equal steps
        length = max(n for n in range(len(address.steps)) if self.beginning(address, n) in self.program.nodes)
        before = self.program.nodes[self.beginning(address, length)]
        yield from self.node(before)
        text = f"n{before}"
        for step in address.steps[length:]:
            if step not in STEPS and not isinstance(step, int):
                raise SystemExit(f"{self.name}: the step {step} has no C")
            text = f"tw_beside(c, {text}, {step})" if isinstance(step, int) else STEPS[step].format(text)
        yield f"    const int32_t n{number} = {text};"

    @staticmethod
    def beginning(address: Address, length: int) -> Address:
        """Return an address without its last steps."""
        return Address(address.base, address.index, address.steps[:length])


def layouts() -> str:
    """Return the header with the layouts of all programs, each with the text of its feature model."""
    pairs = []
    for name in NAMES:
        program = Writer(name).program
        pairs.append(f"        {{{_in_c(str(program.model))}, {_in_c(json.dumps(program.layout))}}},")
    return "\n".join([*LAYOUTS[0], *pairs, *LAYOUTS[1]])


def _in_c(text: str) -> str:
    """Return a text as a literal of C, line by line: compilers limit the length of one."""
    pieces = (text[at : at + 1000] for at in range(0, len(text), 1000))
    return " ".join(json.dumps(piece) for piece in pieces)


LAYOUTS = (
    [
        "/* What extractors of bundled feature models run. Made by tools/bundled_keys.py from features/models. */",
        "#ifndef TREEWRIGHT_PROGRAMS_H",
        "#define TREEWRIGHT_PROGRAMS_H",
        "#include <string.h>",
        "",
        "/* Return the layout of the program of a text (features/program.py) as JSON; NULL where it is not bundled. */",
        "static inline const char *tw_layout_of(const char *text) {",
        "    static const char *const known[][2] = {",
    ],
    [
        "    };",
        "    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)",
        "        if (!strcmp(known[i][0], text)) return known[i][1];",
        "    return 0;",
        "}",
        "#endif",
        "",
    ],
)


def write_headers(folder: Path) -> None:
    """Write the headers of all models that have changed: what includes a header is compiled again if it is newer."""
    folder.mkdir(parents=True, exist_ok=True)
    headers = {f"keys_{name}.h": Writer(name).header() for name in NAMES}
    for name, header in {**headers, "programs.h": layouts()}.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != header:
            path.write_text(header, encoding="utf-8")
