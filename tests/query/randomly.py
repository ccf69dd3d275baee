"""Random sentences and random patterns, small enough to try all assignments."""

from __future__ import annotations

from treewright.treebank.sentences.sentence import Sentence

FORMS = ("a", "b", "_", "ab")
LEMMAS = ("a", "b", "_")
TAGS = ("N", "V", "_")
FEATURES = ("_", "Case=Nom", "Case=Gen|N=1", "N=2", "Number[psor]=Sing", "N=1|Case=Nom")
MISC = ("_", "Case=Nom", "N=3|Raw", "SpaceAfter=No", "wordform=a", "Case=Gen|N=2")
RELATIONS = ("x", "y", "x:z", "root", "y:z@d")
LABELS = ("x", "y", "x|y", "^x", "E:x", "^E:x|y", 're".*z"', "1=x", "1=x, 2=*", "1<>x", "!2", "enhanced=yes", "/X.*/i")
LABELS += ("1=x|y, !enhanced", "deep=d", "2=z, deep<>e", 're"E:.*\\|y"')
VALUES = ("a", "b", "N", "Nom", "Gen", "1", "2", '"_"', 're"a.*"', "a|b", "Nom|1", "*", "/[an]/i")
NAMES = ("form", "lemma", "upos", "xpos", "Case", "N", "Number__psor", "wordform", "textform", "__MISC__Case", "M")
ENDS_B, ENDS_Z = 're".*b"', 're".*z"'
OPERATORS = ("=", "<", "<=", ">", ">=")


def random_sentence(chance):
    """Return a sentence that need not be a tree, with multiword tokens, empty nodes and arcs of DEPS."""
    n = chance.randint(1, 4)
    empties = [k for k in range(n + 1) if chance.random() < 0.15]
    ids = ["0", *map(str, range(1, n + 1)), *(f"{k}.1" for k in empties)]
    lines = [f"# sent_id = s{chance.randint(1, 3)}"] if chance.random() < 0.7 else []
    if 0 in empties:
        lines.append(row("0.1", "_", "_", chance, ids))
    token_end = 0
    for number in range(1, n + 1):
        if number < n and number > token_end and chance.random() < 0.15:
            token_end = number + 1
            lines.append(f"{number}-{token_end}\tab\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No")
        head = chance.choice(["_", *map(str, range(n + 1))]) if chance.random() < 0.9 else str(n + 3)
        lines.append(row(str(number), head, chance.choice(RELATIONS), chance, ids))
        if number in empties:
            lines.append(row(f"{number}.1", "_", "_", chance, ids))
    ending = chance.choice(("\n", "\n", "\r\n"))
    return Sentence(ending.join([*lines, "", ""]).encode())


def row(name, head, relation, chance, ids):
    pick = chance.choice
    arcs = sorted({f"{pick([*ids, '9'])}:{pick(RELATIONS)}" for _ in range(chance.randint(0, 2))})
    cells = [name, pick(FORMS), pick(LEMMAS), pick(TAGS), pick(TAGS), pick(FEATURES), head, relation]
    return "\t".join([*cells, "|".join(arcs) or "_", pick(MISC)])


def random_pattern(chance):
    """Return a pattern as text."""
    nodes = ["X", "Y", "Z$"][: chance.randint(1, 3)]
    edges = []
    items = [
        f"pattern {{ {'; '.join([*(f'{n} {features(chance)}' for n in nodes), *clauses(chance, nodes, edges, 2)])} }}"
    ]
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
        own = chance.choice(([], ["W"], ["W$"]))
        inside = [f"{n} {features(chance)}" for n in own] + clauses(chance, nodes + own, [*edges], 2, "f")
        if inside:
            items.append(f"{chance.choice(('with', 'without'))} {{ {'; '.join(inside)} }}")
    if chance.random() < 0.15:
        structure = chance.choice(
            ("cyclic", "not_cyclic", "tree", "not_tree", "forest", "projective", "not_projective")
        )
        items.append(f"global {{ is_{structure} }}")
    if chance.random() < 0.05:
        items.append(chance.choice(("global { sent_id = s1|s2 }", 'global { sent_id <> re"s1" }')))
    chance.shuffle(items)
    return "\n".join(items)


def features(chance):
    return "|".join(one_node(chance) for _ in range(1 + (chance.random() < 0.1)))


def one_node(chance):
    tests = []
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        name, value = chance.choice(NAMES), chance.choice(VALUES)
        negated = "<>" if chance.random() < 0.25 and value != "*" else "="
        tests.append(chance.choice((f"{name}{negated}{value}", f"{name} {negated} {value}", name, f"!{name}")))
    return f"[{', '.join(tests)}]"


def clauses(chance, nodes, edges, most, prefix="e"):
    """Return clauses about nodes; named edges are added to ``edges``."""
    found = []
    for _ in range(chance.randint(0, most)):
        found.append(clause(chance, nodes, edges, prefix))
    chance.shuffle(found)
    return found


def clause(chance, nodes, edges, prefix):
    pick = chance.choice
    x, y, number = pick(nodes), pick(nodes), chance.randint(-2, 3)
    compared = pick(("Case", "N", "lemma", "form", "wordform"))
    choices = [
        f"{x} {pick(('<', '<<', '>', '>>'))} {y}",
        f"{x}.{compared} {pick(('=', '<>'))} {y}.{compared}",
        f"{x}.N {pick(OPERATORS[1:])} {pick((y + '.N', '1', '1.5'))}",
        f"{x}.{compared} {pick(('=', '<>'))} {pick(('a', 'Nom', ENDS_B))}",
        f"delta({x}, {y}) {pick(OPERATORS)} {number}",
        f"length({x}, {y}) {pick(OPERATORS)} {number}",
        f"depth({x}) {pick(OPERATORS)} {number}",
        f"{x} ->> {y}",
        f"{x}.__id__ < {y}.__id__",
        pick((f"* -[{pick(LABELS)}]-> {x}", f"{x} -> *", f"{x} -[{pick(LABELS)}]-> *")),
    ]
    if edges:
        e, f = pick(edges), pick(edges)
        choices += [
            f"{e}.label {pick(('=', '<>'))} {pick((f + '.label', 'x', ENDS_Z))}",
            f"{e}.{pick('12')} {pick(('=', '<>'))} {pick((f + '.1', 'x', 'z'))}",
            f"{e} {pick(('><', '<<', '<>'))} {f}",
            f"{x} << {e}",
            f"{e}.{pick(('delta', 'length'))} {pick(OPERATORS)} {number}",
        ]
    if chance.random() < 0.5:
        label = "->" if chance.random() < 0.3 else f"-[{pick(LABELS)}]->"
        if chance.random() < 0.35 and len(edges) < 2:
            edges.append(f"{prefix}{len(edges)}")
            return f"{edges[-1]}: {x} {label} {y}"
        return f"{x} {label} {y}"
    return pick(choices)
