"""What a feature model sees in a configuration, computed slowly and without the compiled extractor."""

from __future__ import annotations

from itertools import product

from treewright.systems.system import Parse
from treewright.treebank.blocks.block import Block

from treewright.features.templates import Address, Attribute, Function, Measure, Template

COLUMNS = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]
Word = int | None  # 0 is the root


class Reference:
    """The words, values and features of one configuration of one sentence."""

    def __init__(
        self, parse: Parse, block: Block, sentence: int, relations: list[str], focus: int | None = None
    ) -> None:
        self.system, self.relations, self.focus = parse.system, relations, focus
        # Read once: a parse makes these lists anew whenever it is asked.
        self.arcs, self.stack, self.buffer = parse.arcs, parse.stack, parse.buffer
        self.context, self.pending, self.history = parse.context, parse.pending, list(parse.history)
        self.found: dict[Address, Word] = {}
        lines = block.text_of(sentence).decode().strip().split("\n")
        self.rows = [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines]
        self.n = len(self.rows)
        self.root_place = 0 if self.system.root == "first" else self.n + 1

    def place(self, word: int) -> int:
        return word or self.root_place

    def dependents(self, head: int, side: str) -> list[int]:
        """Dependents of a head on one side, from left to right."""
        found = [word for word, (other, _) in self.arcs.items() if other == head]
        left = [word for word in found if word < self.place(head)]
        return sorted(left if side == "left" else set(found) - set(left))

    def sibling(self, word: int, step: int) -> Word:
        if word not in self.arcs:
            return None
        head = self.arcs[word][0]
        all_of_them = self.dependents(head, "left" if word < self.place(head) else "right")
        at = all_of_them.index(word) + step
        return all_of_them[at] if 0 <= at < len(all_of_them) else None

    def children(self, head: int) -> list[int]:
        """Dependents of a head on both sides, from left to right."""
        return sorted(word for word, (other, _) in self.arcs.items() if other == head)

    def next_child(self, word: int, step: int) -> Word:
        if word not in self.arcs:
            return None
        siblings = self.children(self.arcs[word][0])
        at = siblings.index(word) + step
        return siblings[at] if 0 <= at < len(siblings) else None

    def step(self, word: int, step: str | int) -> Word:
        if isinstance(step, int):
            place = self.place(word) + step
            return place if 1 <= place <= self.n else None
        if step == "h":
            return self.arcs[word][0] if word in self.arcs else None
        if step in ("ls", "rs"):
            return self.next_child(word, -1 if step == "ls" else 1)
        if step in ("lss", "rss"):
            return self.sibling(word, -1 if step == "lss" else 1)
        if step in ("lc", "rc"):
            children = self.children(word)
            return children[0 if step == "lc" else -1] if children else None
        if step in ("ld", "ld2"):
            left = self.dependents(word, "left")
            at = ["ld", "ld2"].index(step)
            return left[at] if at < len(left) else None
        right = self.dependents(word, "right")[::-1]
        at = ["rd", "rd2"].index(step)
        return right[at] if at < len(right) else None

    def word(self, address: Address) -> Word:
        if address not in self.found:
            self.found[address] = self._word(address)
        return self.found[address]

    def _word(self, address: Address) -> Word:
        free = [word for word in self.context if word not in self.arcs]
        free = self.context if self.system.name == "2-planar" else free
        returns = self.system.name in ("nivre-standard", "swap", "swap-hybrid", "non-monotonic")
        returned = self.context if returns else []
        lines = {"stack": self.stack[::-1], "input": [*returned, *self.buffer], "context": free}
        line, at = lines.get(address.base, self.pending), address.index
        if address.base == "list":
            at += len(line) if self.focus is None else line.index(self.focus)
        word = line[at] if 0 <= at < len(line) else None
        for step in address.steps:
            word = None if word is None else self.step(word, step)
        return word

    def text(self, attribute: Attribute, word: int) -> str:
        row = self.rows[word - 1]
        text = row.get(attribute.column, "_")
        if attribute.column == "UPOS" and text == "_":
            text = row["XPOS"]
        if attribute.name == "feat":
            pairs = dict(pair.split("=", 1) for pair in text.split("|") if "=" in pair)
            text = pairs.get(attribute.argument, "_")
        for mapping, size in attribute.mappings:
            if mapping == "lower":
                text = text.lower()
            elif mapping == "suffix":
                text = text[-size:]
            elif mapping == "prefix":
                text = text[:size]
            elif mapping == "shape":
                text = shape(text)
        return text

    def value(self, function: Function) -> object:
        """What the function gives, such that equal values are the same feature."""
        if isinstance(function, Measure):
            return self.measure(function)
        word = self.word(function.address)
        if function.name == "l":
            return self.relations[self.arcs[word][1]] if word in self.arcs else None
        if word is None:
            return None
        return ("root",) if word == 0 else self.text(function, word)

    def measure(self, measure: Measure) -> object:
        if measure.name == "move":
            history = [move.split("_")[0] for move, _ in self.history]
            back = int(measure.argument) + 1
            return history[-back] if back <= len(history) else None
        words = [self.word(address) for address in measure.addresses]
        if measure.name == "exists":
            return words[0] is not None
        if None in words:
            return 0 if measure.name != "labels" else frozenset()
        if measure.name == "heads":
            return int(words[0] in self.arcs) + 1
        if measure.name == "linked":
            first, second = words
            heads = {word: head for word, (head, _) in self.arcs.items()}
            return 1 if heads.get(second) == first else 2 if heads.get(first) == second else 3
        if measure.name == "distance" and measure.classes:
            size = abs(self.place(words[1]) - self.place(words[0]))
            return 0 if 0 in words else sum(size >= start for start in measure.classes)
        if measure.name == "distance":
            distance = self.place(words[1]) - self.place(words[0])
            return (distance > 0, sum(abs(distance) >= start for start in (1, 2, 3, 4, 5, 6, 8, 11, 16)))
        sides = ("left", "right") if measure.argument == "all" else (measure.argument,)
        found = [word for side in sides for word in self.dependents(words[0], side)]
        if measure.name == "valency" and measure.classes:
            return sum(len(found) >= start for start in measure.classes)
        if measure.name == "valency":
            return 1 + min(len(found), 9)
        return frozenset(self.arcs[word][1] for word in found)

    def features(self, template: Template) -> list[tuple[object, ...]]:
        """The features of a template: one, or one per product of single FEATS."""
        values: list[list[object]] = []
        for function in template.functions:
            if isinstance(function, Attribute) and ("each", 0) in function.mappings:
                word = self.word(function.address)
                feats = self.rows[word - 1]["FEATS"] if word else "_"
                values.append([] if feats == "_" else list(feats.split("|")))
            else:
                values.append([self.value(function)])
        return list(product(*values))


def shape(text: str) -> str:
    """X, x and d for letters and digits, runs cut to two; other characters as they are."""
    classes = ["d" if c.isdigit() else "X" if c.isupper() else "x" if c.isalpha() else c for c in text]
    return "".join(
        c
        for at, c in enumerate(classes)
        if c not in "dXx" or at < 2 or not classes[at] == classes[at - 1] == classes[at - 2]
    )
