"""Write src/treewright/native/keys_*.h and programs.h: bundled feature models as C code and as compiled programs.

    .venv/bin/python tools/bundled_keys.py

programs.h holds what the compiler of feature models makes of their texts, so that a parser is loaded without it. In
keys_*.h are the same programs as C: the interpreter of feature models asks at every step what to do; here the C
compiler knows. What a template looks at and how its key is made is read from the compiled program
(`features/extractor.pyx`), so that both make the same keys; a test compares them, and says when these files must be
written again: after a change of a feature model, of the structures of a program or of how keys are made. Then `make
build`, this, and `make build` again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap

from treewright.features.compilation import GROUPS
from treewright.features.extractor import Extractor, text_hash
from treewright.features.inspection import program, program_parts

from treewright.features.bundled import load_feature_model
from treewright.features.templates import Address, Template

#: the models that are written; native/bundled_keys.h names them, too
NAMES = ("fast", "lean", "rich", "tiny")
NATIVE = Path(__file__).parent.parent / "src" / "treewright" / "native"
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
#: values by the numbers of ScalarOp in extractor.pxd
VALUES = {
    0: "TW_WORD({first})[{argument}]",
    1: "s->relations[c->label[{first}]]",
    2: "tw_distance_hash(s, {first}, {second})",
    3: "tw_count_hash(s, c->left_count[{first}])",
    4: "tw_count_hash(s, c->right_count[{first}])",
    5: "tw_set_hash(c->left_labels[{first}])",
    6: "tw_set_hash(c->right_labels[{first}])",
}
#: the groups of compilation.pyx in the order of keys, and their numbers in counts
WRITTEN = (("both", 1), ("moves", 2), ("labels", 0))


class Writer:
    """Writes one program. Words and values are declared where they are first needed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.extractor = Extractor(load_feature_model(name), [])
        self.nodes, self.scalars, self.templates = program(self.extractor)
        self.addresses = {number: address for address, number in self.nodes.items()}
        self.keys = {number: key for key, number in self.scalars.items()}
        self.declared: set[str] = set()

    def header(self) -> str:
        """Return the text of the header."""
        guard = f"TREEWRIGHT_KEYS_{self.name.upper()}_H"
        return "\n".join(
            [
                f"/* Made by tools/bundled_keys.py from features/models/{self.name}.features: change these instead. */",
                f"#ifndef {guard}",
                f"#define {guard}",
                '#include "looking.h"',
                "",
                f"#define TW_PROGRAM_{self.name.upper()} 0x{self.extractor.program_hash:016x}ULL",
                f"#define TW_ATTRIBUTES_{self.name.upper()} {len(self.extractor.encoder.attributes)}",
                f"#define TW_ITEMS_{self.name.upper()} {int(self.extractor.encoder.has_items)}",
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
            for template, *rest in self.templates:
                if GROUPS.index(template.parts) == number:
                    yield from self.template(template, *rest)
            yield f"    counts[{number}] = (int)(out - group), group = out;"

    def template(self, template: Template, seed: int, values: list[int], lists: list[int]) -> Iterator[str]:
        """Write the keys of a template, and what they need."""
        for number in values:
            yield from self.value(number)
        yield f"    /* {template} */"
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
        op, argument, first, second, *classes = self.keys[number]
        if op not in VALUES or classes:
            raise SystemExit(f"{self.name}: a feature function that has no C")
        yield from self.node(first)
        if op == 2:
            yield from self.node(second)
        text = VALUES[op].format(argument=argument, first=f"n{first}", second=f"n{second}")
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
        length = max(n for n in range(len(address.steps)) if self.beginning(address, n) in self.nodes)
        before = self.nodes[self.beginning(address, length)]
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


def programs() -> str:
    """Return the header with the programs of all models, by the hashes of their texts."""
    lines = [PROGRAMS_BEGIN]
    for name in NAMES:
        extractor = Extractor(load_feature_model(name), [])
        parts = program_parts(extractor)
        for part in ("nodes", "scalars", "runs", "groups"):
            lines += _wrapped(f"static const int tw_{part}_{name}[] = {{", map(str, parts[part]))
        templates = (
            f"{{0x{seed:016x}ULL, {{{', '.join(map(str, values))}}}, {counts}, {{{lists[0]}, {lists[1]}}}}}"
            for seed, values, counts, lists in parts["templates"]
        )
        lines += _wrapped(f"static const tw_template tw_templates_{name}[] = {{", templates)
        attributes = "".join(
            "\\t".join((column, argument, *(f"{mapping}:{size}" for mapping, size in mappings))) + "\\n"
            for column, argument, mappings in extractor.encoder.attributes
        )
        bases = " ".join(dict.fromkeys(address.base for address in extractor.model.addresses))
        numbers = len(parts["nodes"]) // 3, len(parts["scalars"]) // 4, parts["n_static"], len(parts["templates"])
        lines += [
            f"static const tw_program tw_program_{name} = {{",
            f'    "{bases}", "{attributes}",',
            f"    {int(extractor.encoder.has_items)}, {', '.join(map(str, numbers))},",
            f"    tw_nodes_{name}, tw_scalars_{name}, tw_runs_{name}, tw_groups_{name}, tw_templates_{name},",
            "};",
            "",
        ]
    hashes = {name: text_hash(str(load_feature_model(name))) for name in NAMES}
    cases = [f"        case 0x{number:016x}ULL: return &tw_program_{name};" for name, number in hashes.items()]
    return "\n".join([*lines, *PROGRAMS_END[0], *cases, *PROGRAMS_END[1]])


def _wrapped(first: str, items: Iterable[str]) -> list[str]:
    """Return the lines of a table."""
    return [first, *wrap(", ".join(items), 116, initial_indent="    ", subsequent_indent="    "), "};"]


PROGRAMS_BEGIN = """\
/* What the compiler makes of bundled feature models. Made by tools/bundled_keys.py from features/models/*.features:
   change these instead. A parser of such a model is loaded without reading the text of its features. */
#ifndef TREEWRIGHT_PROGRAMS_H
#define TREEWRIGHT_PROGRAMS_H
#include <stdint.h>
#include "join.h"

/* A program as an extractor has it, see features/extractor.pxd. Nodes are op, argument, parent; scalars op, argument,
   first, second. bases: where addresses begin; attributes: of an encoder, a line each. */
typedef struct {
    const char *bases, *attributes;
    int has_items, n_nodes, n_scalars, n_static, n_templates;
    const int *nodes, *scalars, *runs, *groups;
    const tw_template *templates;
} tw_program;
"""
PROGRAMS_END = (
    [
        "/* Return the program of a text, known by its hash; NULL: it must be compiled. */",
        "static inline const tw_program *tw_program_of(uint64_t text) {",
        "    switch (text) {",
    ],
    ["    }", "    return 0;", "}", "#endif", ""],
)


def main() -> None:
    """Write the headers of all models."""
    (NATIVE / "programs.h").write_text(programs(), encoding="utf-8")
    for name in NAMES:
        (NATIVE / f"keys_{name}.h").write_text(Writer(name).header(), encoding="utf-8")


if __name__ == "__main__":
    main()
