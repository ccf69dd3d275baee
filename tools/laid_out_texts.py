"""Texts laid out in lines as people do, of given sentences: what the judge of line ends learns from.

Mails, reports, notes, chats, poems, tables, code, subtitles. END marks where a sentence really ends.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable, Sequence

END = "\x00"
HEBREW = {ord("a") + k: 0x5D0 + k % 27 for k in range(26)} | {ord("A") + k: 0x5D0 + k % 27 for k in range(26)}


def without_marks(text: str) -> tuple[str, set[int]]:
    """Return a text without its marks, and the places after which sentences end."""
    ends, plain = set(), []
    for character in text:
        if character == END:
            ends.add(len(plain))
        else:
            plain.append(character)
    return "".join(plain), ends


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class Layouts:
    """Makes texts of sentences."""

    def __init__(self, sentences: Sequence[str], chance: random.Random) -> None:
        self.sentences, self.chance = sentences, chance

    def text(self) -> str:
        """Return a text of some kind, with marks."""
        makers: list[tuple[int, Callable[[], str]]] = [
            (8, self.mail),
            (4, self.short_mail),
            (4, self.report),
            (3, self.notes),
            (1, self.novel),
            (3, self.poem),
            (1, self.chat),
            (1, self.lines),
            (1, self.subtitles),
            (1, self.page),
            (2, self.quoted),
            (2, self.jottings),
            (1, self.clauses),
            (1, self.play),
            (1, self.records),
            (1, self.definitions),
            (2, self.snippet),
        ]
        weights, functions = zip(*makers, strict=True)
        text = self.chance.choices(functions, weights)[0]()
        if self.chance.random() < 0.06:  # a script without capitals
            text = text.translate(HEBREW)
        elif self.chance.random() < 0.06:
            text = text.lower()
        elif self.chance.random() < 0.1:  # a language that writes nouns with capitals
            nouns = {word for word in re.findall(r"\w{4,}", text) if self.chance.random() < 0.3}
            text = re.sub(r"\w{4,}", lambda found: _capital(found[0]) if found[0] in nouns else found[0], text)
        elif self.chance.random() < 0.08:  # many numbers
            text = re.sub(r"\b[a-z]{1,6}\b", self.maybe_number, text)
        elif self.chance.random() < 0.04:  # tabs for single spaces
            text = "".join("\t" if char == " " and self.chance.random() < 0.02 else char for char in text)
        return text

    # Whole texts

    def mail(self) -> str:
        """Greeting, paragraphs, perhaps lists, closing and signature."""
        width = self.width()
        parts = [self.greeting()]
        for _ in range(self.chance.randint(1, 4)):
            parts.append(self.wrapped(width, self.chance.randint(1, 5)))
            if self.chance.random() < 0.3:
                parts.append(self.listed(width))
            if self.chance.random() < 0.08:
                parts.append(self.chance.choice([self.table, self.code])())
        parts.append(self.closing())
        tight = self.chance.random()
        text = parts[0] + ("\n" if tight < 0.35 else "\n\n") + self.joined(parts[1:-1], 0.15)
        text += ("\n" if tight < 0.2 else "\n\n") + parts[-1]
        if self.chance.random() < 0.3:
            text = self.headers() + "\n\n" + text
        if self.chance.random() < 0.15:
            text += "\n\n" + self.quotation(width)
        return text

    def short_mail(self) -> str:
        """Greeting, a short paragraph or two and closing, close together."""
        width = self.width() or 72
        parts = [self.wrapped(width, self.chance.randint(1, 3)) for _ in range(self.chance.choice([1, 1, 2]))]
        return self.joined([self.greeting(), *parts, self.closing()], 0.7)

    def quoted(self) -> str:
        """An answer to a mail, below what it answers or between."""
        width = self.width()
        parts = []
        for _ in range(self.chance.randint(1, 3)):
            parts += [self.quotation(width), self.wrapped(width, self.chance.randint(1, 4))]
        return self.greeting() + "\n\n" + self.joined(parts, 0.3) + "\n\n" + self.closing()

    def report(self) -> str:
        """Headings and paragraphs."""
        width, gap = self.width(), self.chance.random() < 0.6
        parts = []
        for _ in range(self.chance.randint(1, 4)):
            parts.append(self.heading() + ("\n" if gap else "") + "\n" + self.wrapped(width, self.chance.randint(1, 6)))
            for maker in (self.listed, self.table, self.code):
                if self.chance.random() < 0.2:
                    parts.append(maker(width) if maker == self.listed else maker())
        return self.joined(parts, 0.1)

    def notes(self) -> str:
        """Lists with headings, a little prose."""
        width, parts = self.width(), []
        for _ in range(self.chance.randint(1, 4)):
            if self.chance.random() < 0.6:
                parts.append(self.heading())
            parts.append(self.listed(width))
            if self.chance.random() < 0.4:
                parts.append(self.wrapped(width, self.chance.randint(1, 3)))
        return self.joined(parts, 0.4)

    def novel(self) -> str:
        """Wrapped paragraphs without blank lines between them, with dialogue; their first lines are indented."""
        width, indent = self.width(), " " * self.chance.choice([2, 3, 4, 8])
        parts = []
        for _ in range(self.chance.randint(3, 8)):
            spoken = self.chance.choice(["", "", "", "– ", "— "])
            parts.append(self.filled(self.prose(self.chance.randint(1, 5)), width, indent + spoken))
        return "\n".join(parts)

    def page(self) -> str:
        """Paragraphs of one line each, with or without blank lines."""
        between = self.chance.choice(["\n", "\n\n"])
        parts = [self.prose(self.chance.randint(1, 6)) for _ in range(self.chance.randint(2, 8))]
        if self.chance.random() < 0.4:
            parts.insert(0, self.heading())
        return between.join(parts)

    def poem(self) -> str:
        """Verses: sentences go on from line to line."""
        stanzas, size, capitals = [], self.chance.randint(4, 8), self.chance.random() < 0.5
        for _ in range(self.chance.randint(1, 4)):
            words, rows = self.prose(self.chance.randint(1, 3)).split(" "), []
            while words:
                row = words[: max(2, size + self.chance.randint(-2, 2))]
                words = words[len(row) :]
                if capitals:
                    row[0] = row[0][:1].upper() + row[0][1:]
                if not row[-1].endswith(END) and row[-1][-1:].isalnum() and self.chance.random() < 0.3:
                    row[-1] += self.chance.choice([",", ",", ",", ";", " –"])
                rows.append((" " * self.chance.choice([0, 0, 0, 4]) if capitals else "") + " ".join(row))
            stanzas.append("\n".join(rows))
        return (self.heading() + "\n\n" if self.chance.random() < 0.5 else "") + "\n\n".join(stanzas)

    def jottings(self) -> str:
        """A few words a line without full stops, such as what to buy and what to do."""
        small, parts = self.chance.random() < 0.6, []
        for _ in range(self.chance.randint(1, 2)):
            size = self.chance.choice([2, 5, 9, 12])
            rows = [self.fragment(size) for _ in range(self.chance.randint(3, 10))]
            head = [self.heading()] if self.chance.random() < 0.3 else []
            parts.append("\n".join([*head, *((row.lower() if small else _capital(row)) + END for row in rows)]))
        return "\n\n".join(parts)

    def clauses(self) -> str:
        """Numbered clauses, as of laws and minutes."""
        width, rows = self.width(), []
        for number in range(1, self.chance.randint(2, 4)):
            rows.append(f"{number}{self.chance.choice(['.', '', ')'])} {_capital(self.fragment(5))}{END}")
            for part in range(1, self.chance.randint(1, 4)):
                mark = self.chance.choice([f"{number}.{part} ", f"{number}.{part}. ", ""])
                hanging = " " * len(mark) if self.chance.random() < 0.3 else ""
                rows.append(self.filled(self.prose(self.chance.randint(1, 3)), width, mark, hanging))
        return "\n".join(rows)

    def play(self) -> str:
        """What several persons say in turn, wrapped."""
        width, names = self.width(), [self.name() for _ in range(self.chance.randint(2, 3))]
        if self.chance.random() < 0.5:
            names = [name.upper() for name in names]
        rows = [
            self.filled(self.prose(self.chance.choice([1, 1, 2, 3])), width, f"{self.chance.choice(names)}: ")
            for _ in range(self.chance.randint(3, 9))
        ]
        return self.chance.choice(["\n", "\n", "\n\n"]).join(rows)

    def records(self) -> str:
        """Lines that are made alike: keys with values, times with what happened, cells between commas."""
        style, rows = self.chance.randint(0, 3), []
        for _ in range(self.chance.randint(3, 10)):
            text = self.fragment(7)
            hour = f"{self.digits(2)}:{self.digits(2)}"
            rows.append(
                [
                    f"{_capital(self.fragment(2))}: {text}",
                    f"2026-{self.digits(2)}-{self.digits(2)} {hour} {self.chance.choice(['', 'INFO ', 'WARN '])}{text}",
                    f"{self.name()},{self.fragment(1)},{self.digits(4)}",
                    f"{hour} {text}",
                ][style]
            )
        return "\n".join(row + END for row in rows)

    def definitions(self) -> str:
        """Words, each above what it means."""
        width, rows = self.width(), []
        for _ in range(self.chance.randint(2, 4)):
            indent = " " * self.chance.choice([2, 4, 8])
            rows.append(_capital(self.fragment(2)) + END)
            rows.append(self.filled(self.prose(self.chance.randint(1, 3)), width, indent, indent))
        return "\n".join(rows)

    def snippet(self) -> str:
        """A sentence or two, wrapped: all that somebody wants to know about."""
        width = self.chance.choice([12, 20, 28, 34, 40, 45, 60, 72, 80])
        return self.filled(self.prose(self.chance.choice([1, 1, 2, 3])), width, "")

    def chat(self) -> str:
        """A message a line, with names or times."""
        names = [self.name() for _ in range(3)]
        style, lines = self.chance.randint(0, 3), []
        for _ in range(self.chance.randint(4, 15)):
            said = self.prose(self.chance.choice([1, 1, 1, 2])) if self.chance.random() < 0.7 else self.fragment() + END
            hour = f"{self.chance.randint(0, 23):02}:{self.chance.randint(0, 59):02}"
            name = self.chance.choice(names)
            lines.append([said, f"{name}: {said}", f"[{hour}] {name}: {said}", f"<{name}> {said}"][style])
        return "\n".join(lines)

    def lines(self) -> str:
        """A sentence a line."""
        found = [self.sentence() for _ in range(self.chance.randint(3, 20))]
        if self.chance.random() < 0.5:
            found = [line.rstrip(".!?").rstrip() or line for line in found]
        if self.chance.random() < 0.3:
            found = [line[:1].lower() + line[1:] for line in found]
        return "\n".join(line + END for line in found)

    def subtitles(self) -> str:
        """A sentence in one or two short lines between blank lines."""
        parts = []
        for number in range(self.chance.randint(3, 10)):
            text = self.filled(self.sentence() + END, 42, "")
            parts.append(f"{number + 1}{END}\n00:00:{number:02},000 --> 00:00:{number + 1:02},000{END}\n" + text)
        return "\n\n".join(parts)

    # Parts of texts

    def width(self) -> int:
        """Return a width at which people wrap; 0: a paragraph is one line."""
        return self.chance.choice([0, 0, 60, 64, 65, 68, 70, 72, 72, 72, 74, 75, 76, 78, 79, 80, 80, 100, 120, 45, 50])

    def sentence(self) -> str:
        """Return a sentence."""
        return self.chance.choice(self.sentences)

    def prose(self, number: int) -> str:
        """Return some sentences."""
        return " ".join(self.sentence() + END for _ in range(number))

    def fragment(self, most: int = 7) -> str:
        """Return a few words of a sentence, without punctuation."""
        words = [word.strip(",.;:!?()\"'") for word in self.sentence().split(" ")]
        words = [word for word in words if word] or ["Note"]
        first = self.chance.randrange(len(words))
        return " ".join(words[first : first + self.chance.randint(1, most)])

    def name(self) -> str:
        """Return a name."""
        words = [word for word in (self.fragment(2) + " " + self.fragment(3)).split(" ") if word.isalpha()]
        return " ".join(word[:1].upper() + word[1:].lower() for word in words[: self.chance.randint(1, 2)]) or "Ann"

    def filled(self, text: str, width: int, first: str, rest: str = "") -> str:
        """Return text wrapped at a width, or as it is if that is 0."""
        if not width:
            return first + text
        # Marks take no room: they are put back where they were.
        wrapper = textwrap.TextWrapper(
            width,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=self.chance.random() < 0.5,
        )
        rows = wrapper.wrap(text.replace(END, ""))
        if self.chance.random() < 0.3:
            rows = self.edited(rows, len(first), rest)
        made, at = [], 0
        plain = text
        for row in rows:
            body = row[len(first) :] if not made else row[len(rest) :]
            taken = []
            for character in body:
                while at < len(plain) and plain[at] == END:
                    taken.append(END)
                    at += 1
                while at < len(plain) and plain[at] == " " and character != " ":
                    at += 1
                taken.append(character)
                at += 1
            while at < len(plain) and plain[at] == END:
                taken.append(END)
                at += 1
            while at < len(plain) and plain[at] == " ":
                at += 1
            made.append((first if not made else rest) + "".join(taken))
        return "\n".join(made)

    def edited(self, rows: Sequence[str], first: int, rest: str) -> list[str]:
        """Return lines some of which were cut when the text was edited, and not filled again."""
        found: list[str] = []
        for row in rows:
            start = len(rest) if found else first
            words = row[start:].split(" ")
            cut = self.chance.randrange(1, len(words)) if len(words) > 2 and self.chance.random() < 0.15 else 0
            if cut:
                found += [row[:start] + " ".join(words[:cut]), rest + " ".join(words[cut:])]
            else:
                found.append(row)
        return found

    def wrapped(self, width: int, number: int) -> str:
        """Return a paragraph."""
        indent = self.chance.choice([0] * 12 + [2, 4])
        first = self.chance.choice([0] * 12 + [2, 4])
        return self.filled(self.prose(number), width, " " * (indent + first), " " * indent)

    def joined(self, parts: Sequence[str], tight: float) -> str:
        """Return parts with blank lines between most."""
        text = parts[0]
        for part in parts[1:]:
            text += ("\n" if self.chance.random() < tight else "\n\n") + part
        return text

    def greeting(self) -> str:
        """Return a greeting."""
        word = self.fragment(1)
        if self.chance.random() < 0.15:
            return f"{_capital(word)},{END}"
        return f"{word[:1].upper() + word[1:]} {self.name()}{self.chance.choice([',', ',', ',', '!', ':', ''])}{END}"

    def closing(self) -> str:
        """Return a closing formula and perhaps a signature."""
        word = self.fragment(3)
        lines = [word[:1].upper() + word[1:] + self.chance.choice([",", ",", "", "!"]) + END, self.name() + END]
        if self.chance.random() < 0.5:
            lines.append(self.chance.choice(["--" + END, "--" + END + " ", "---" + END, "____" + END]))
            lines.append(self.name() + END)
        for _ in range(self.chance.choice([0, 0, 1, 2, 3])):
            lines.append(
                self.chance.choice(
                    [
                        self.fragment(4),
                        f"Tel. +{self.digits(2)} {self.digits(3)} {self.digits(5)}",
                        "www.example.org",
                        f"{self.name()}, {self.name()}",
                        f"{self.fragment(2)} {self.digits(2)}, {self.digits(5)}",
                    ]
                )
                + END
            )
        return "\n".join(lines)

    def headers(self) -> str:
        """Return the head of a mail."""
        names = self.chance.sample(["From", "To", "Subject", "Date", "Cc"], self.chance.randint(2, 5))
        return "\n".join(f"{name}: {self.fragment(8)}{END}" for name in names)

    def maybe_number(self, word: re.Match[str]) -> str:
        """Return a number as long as a word, or the word."""
        if self.chance.random() < 0.75:
            return word[0]
        found = self.digits(len(word[0]))
        return f"{found[:2]}.{found[3:]}" if len(found) > 3 and self.chance.random() < 0.5 else found

    def digits(self, number: int) -> str:
        """Return a number."""
        return "".join(self.chance.choice("0123456789") for _ in range(number))

    def heading(self) -> str:
        """Return a heading."""
        text = self.fragment(8)
        style = self.chance.randint(0, 8)
        if style == 0:
            text = text.upper()
        elif style == 1:
            text = " ".join(word[:1].upper() + word[1:] for word in text.split(" "))
        elif style == 2:
            text = f"{self.chance.randint(1, 9)}. {text[:1].upper()}{text[1:]}"
        elif style == 3:
            text = "#" * self.chance.randint(1, 4) + f" {text[:1].upper()}{text[1:]}"
        elif style == 4:
            return f"{text}{END}\n{self.chance.choice('=-~*') * len(text)}{END}"
        else:
            text = text[:1].upper() + text[1:]
        return text + self.chance.choice(["", "", "", ":", "?"]) + END

    def listed(self, width: int) -> str:
        """Return a list; long items are wrapped."""
        style = self.chance.choice(["-", "*", "•", "–", "+", "1.", "1)", "a)", "(1)", "", "o", "[1]", "[ ]"])
        number, indent = self.chance.randint(2, 7), " " * self.chance.choice([0, 0, 0, 1, 2, 4])
        short = self.chance.random()
        rows = []
        for place in range(number):
            mark = style.replace("1", str(place + 1)).replace("a", chr(97 + place))
            if self.chance.random() < short:
                text = self.fragment(6) + self.chance.choice(["", "", ";", ","]) + END
            else:
                text = self.sentence()
                if self.chance.random() < 0.3:
                    text = text.rstrip(".!?").rstrip() or text
                text += END
            if self.chance.random() < 0.5:
                text = text[:1].upper() + text[1:]
            before = indent + (mark + " " if mark else "")
            hanging = " " * len(before) if self.chance.random() < 0.7 else indent
            rows.append(self.filled(text, width if style else 0, before, hanging))
        intro = self.fragment(8) + ":" + END + "\n" if self.chance.random() < 0.3 else ""
        return intro + self.chance.choice(["\n"] * 6 + ["\n\n"]).join(rows)

    def quotation(self, width: int) -> str:
        """Return quoted text."""
        mark = self.chance.choice(["> ", "> ", ">", "> > ", ">> "])
        inner = self.wrapped(max(width - len(mark), 40) if width else 0, self.chance.randint(1, 4))
        rows = [mark + row if row.strip() else mark.rstrip() for row in inner.split("\n")]
        if self.chance.random() < 0.5:
            rows.insert(0, f"On {self.digits(2)}/{self.digits(2)}, {self.name()} wrote:{END}")
        return "\n".join(rows)

    def table(self) -> str:
        """Return rows of cells."""
        between = self.chance.choice(["\t", "  ", " | ", "   "])
        sizes = [self.chance.randint(4, 14) for _ in range(self.chance.randint(2, 5))]
        rows = []
        for _ in range(self.chance.randint(2, 7)):
            cells = [
                (self.digits(self.chance.randint(1, 4)) if self.chance.random() < 0.4 else self.fragment(2))[:size]
                for size in sizes
            ]
            padded = between != "\t"
            if padded:
                cells = [cell.ljust(size) for cell, size in zip(cells, sizes, strict=True)]
            rows.append(between.join(cells).rstrip())
        return "\n".join((row or "1") + END for row in rows)

    def code(self) -> str:
        """Return lines of a programme, or of a shell."""
        words = [word for word in self.fragment(7).lower().split(" ") if word.isalpha()] or ["run"]
        forms = [
            "{0} = {1}({2})",
            "if {0} > {1}:",
            "    return {0}",
            "for ({0} = 0; {0} < {1}; {0}++) {{",
            "}}",
            "$ {0} --{1} {2}",
            "import {0}",
            "    {0}.{1}({2}, '{0}');",
            "<{0}>{1}</{0}>",
            "# {0} {1} {2}",
        ]
        lines = [
            self.chance.choice(forms).format(*(self.chance.choice(words) for _ in range(3)))
            for _ in range(self.chance.randint(1, 7))
        ]
        indent = self.chance.choice(["", "    "])
        return "\n".join(indent + line + END for line in lines)
