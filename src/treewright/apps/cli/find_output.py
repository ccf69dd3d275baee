"""Matches written: as lines with context, sentences, tables, counts, drawings."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from treewright.treebank.files.output import OutputFile

if TYPE_CHECKING:
    from treewright.display.picture import Picture
    from treewright.query.language.pattern import Pattern
    from treewright.query.matching import Match
    from treewright.treebank.sentences.sentence import Sentence

Group = Sequence["Match"]
MOST_COLUMNS = 12  # of a table in two dimensions
BOLD, END = "\x1b[1;4m", "\x1b[0m"


class Writing:
    """What a command writes, in one form, to a file or to standard output."""

    def __init__(self, form: str, output: str, columns: Sequence[str] | None, tree: bool) -> None:
        self.form, self._output, self._columns, self._tree = form, output, columns, tree
        self.any = False
        self._stack = contextlib.ExitStack()
        self._pictures: list[Picture] = []
        self._rows: list[dict[str, str | None]] = []
        self._names: Sequence[str] = ()
        self._has_header = False

    @property
    def code(self) -> int:
        """The exit code: 1 if nothing was found."""
        return 0 if self.any else 1

    def __enter__(self) -> Writing:
        self._file = self._stack.enter_context(OutputFile(self._output))
        self._on_terminal = self._output == "-" and sys.stdout is not None and sys.stdout.isatty()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            self._stack.__exit__(kind, error, traceback)
            return
        with self._stack:
            self._finish()

    # One group of matches after the other

    def matches(self, pattern: Pattern, groups: Iterable[Group]) -> None:
        """Write the matches of a pattern, by sentence."""
        from treewright.query.keys import parse_keys, usual_keys, values_of

        write = self._writer(pattern.name)
        is_table = self.form in ("csv", "tsv", "json", "parquet")
        self._names = (self._columns or usual_keys(pattern)) if is_table else ()
        keys = parse_keys(self._names, pattern)
        for group in groups:
            self.any = True
            if is_table:
                self._rows += [dict(zip(self._names, values_of(keys, match), strict=True)) for match in group]
                self._write_rows(False)
            else:
                write(group)

    def sentences(self, sentences: Iterable[Sentence]) -> None:
        """Write sentences without a match."""
        from treewright.display.from_sentence import picture_of

        for sentence in sentences:
            self.any = True
            if self.form == "conllu":
                self._text(sentence.to_conllu())
            elif self.form == "kwic":
                self._text(f"{sentence.sent_id or sentence.line}\t{sentence.text}\n")
            else:
                self._picture(picture_of(sentence, "none", False if self._tree else None))

    def numbers(self, counts: Iterable[tuple[str, int]]) -> int:
        """Write the number of matches of each pattern."""
        found = dict(counts)
        if self.form == "json":
            self._text(json.dumps(found if list(found) != [""] else found[""], ensure_ascii=False) + "\n")
        else:
            self._text("".join(f"{name}\t{number}\n" if name else f"{number}\n" for name, number in found.items()))
        self.any = any(found.values())
        return self.code

    def counts(self, keys: Sequence[str], counts: Counter[tuple[str | None, ...]]) -> int:
        """Write how often which values occur."""
        from treewright.query.keys import UNDEFINED

        self.any = bool(counts)
        ordered = sorted(counts.items(), key=lambda item: (-item[1], [value or "" for value in item[0]]))
        rows: list[list[str]] = [[*(value or UNDEFINED for value in values), str(n)] for values, n in ordered]
        if self.form == "kwic":
            self._text(_crossed(keys, rows) if len(keys) == 2 else _aligned([[*keys, "matches"], *rows]))
        else:
            self._names = [*keys, "matches"]
            self._rows = [dict(zip(self._names, row, strict=True)) for row in rows]
        return self.code

    def _writer(self, name: str) -> Callable[[Group], None]:
        from treewright.query.marking import marked, picture_with

        if self.form == "conllu":
            return lambda group: self._text(marked(group, name).to_conllu())
        if self.form == "kwic":
            return lambda group: self._lines(group, name)
        return lambda group: self._picture(picture_with(group, "none", self._tree))

    def _text(self, text: str) -> None:
        self._file.write(text.encode("utf-8", "surrogateescape"))

    def _lines(self, group: Group, name: str) -> None:
        import shutil

        from treewright.query.marking import in_context

        width = shutil.get_terminal_size((120, 24)).columns if self._on_terminal else 120
        for match in group:
            found = in_context(match)
            label = f"{name}:{found.name}" if name else found.name
            self._text(_line(label, found.before, found.keyword, found.after, width, self._on_terminal))
        if self._on_terminal:
            sys.stdout.flush()

    def _picture(self, picture: Picture) -> None:
        if self.form != "trees":
            self._pictures.append(picture)
            return
        from treewright.apps.cli.tree_printer import TreePrinter

        sheet = io.StringIO()
        printer = TreePrinter(sys.stdout if self._on_terminal else sheet)
        if not self._on_terminal:
            printer = TreePrinter(sheet, ascii_only=False, coloured=False)
        printer.show(picture)
        self._text(sheet.getvalue())

    # At the end

    def _finish(self) -> None:
        if self.form in ("html", "svg"):
            self._text(self._drawn())
        self._write_rows(True)

    def _drawn(self) -> str:
        if self.form == "html":
            from treewright.display.html import page

            return page(self._pictures, "treewright find")
        from treewright.display.svg import draw_pictures

        return draw_pictures(self._pictures)

    def _write_rows(self, last: bool) -> None:
        """Write the rows of a table: those of text as they come."""
        if self.form in ("csv", "tsv"):
            import csv

            sheet = io.StringIO()
            rows = csv.writer(sheet, delimiter="," if self.form == "csv" else "\t", lineterminator="\n")
            if self._names and not self._has_header:
                rows.writerow(self._names)
                self._has_header = True
            rows.writerows([["" if value is None else value for value in row.values()] for row in self._rows])
            self._text(sheet.getvalue())
            self._rows = []
        elif last and self.form == "json" and self._names:
            self._text(json.dumps(self._rows, ensure_ascii=False, indent=1) + "\n")
        elif last and self.form == "parquet":
            self._file.write(_parquet(self._names, self._rows))


def _line(
    label: str,
    before: Sequence[tuple[str, bool]],
    keyword: str,
    after: Sequence[tuple[str, bool]],
    width: int,
    bold: bool,
) -> str:
    """Return a line with the keyword in its middle; other words of the match are marked, too."""
    from treewright.display.cells import cell_width, printable

    label = printable(label)[-24:]
    side = max(10, (width - 26 - cell_width(keyword)) // 2)
    left, right = _cut(list(reversed(before)), side), _cut(list(after), side)
    gap = " " * (side - sum(cell_width(text) for text, _ in left))
    shown = [_set(text, mark, bold) for text, mark in reversed(left)]
    shown += [_set(keyword, True, bold), *(_set(text, mark, bold) for text, mark in right)]
    return f"{label:24}  {gap}{''.join(shown).rstrip()}\n"


def _cut(pieces: Sequence[tuple[str, bool]], room: int) -> list[tuple[str, bool]]:
    """Return as many pieces as there is room for."""
    from treewright.display.cells import cell_width, printable

    kept = []
    for text, mark in pieces:
        text = printable(text)
        room -= cell_width(text) + 2 * mark
        if room < 0:
            break
        kept.append((text, mark))
    return kept


def _set(text: str, mark: bool, bold: bool) -> str:
    word = text.rstrip()
    if not mark or not word:
        return text
    return f"{BOLD}{word}{END}{text[len(word) :]}" if bold else f"[{word}]{text[len(word) :]}"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return a table as text: numbers at the right."""
    from treewright.display.cells import cell_width

    widths = [max(cell_width(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [text + " " * (widths[k] - cell_width(text)) for k, text in enumerate(row[:-1])]
        lines.append("  ".join([*cells, row[-1].rjust(widths[-1])]))
    return "\n".join(lines) + "\n"


def _crossed(keys: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in two dimensions, the most frequent values first; a list if there are too many columns."""
    across: Counter[str] = Counter()
    down: Counter[str] = Counter()
    cells: dict[tuple[str, str], str] = {}
    for first, second, number in rows:
        down[first] += int(number)
        across[second] += int(number)
        cells[first, second] = number
    columns = [name for name, _ in across.most_common()]
    if len(columns) > MOST_COLUMNS:
        return _aligned([[*keys, "matches"], *rows])
    table = [[f"{keys[0]} \\ {keys[1]}", *columns, "all"]]
    table += [[name, *(cells.get((name, each), "0") for each in columns), str(n)] for name, n in down.most_common()]
    table.append(["all", *(str(across[each]) for each in columns), str(sum(across.values()))])
    widths = [max(len(row[k]) for row in table) for k in range(len(table[0]))]
    return "".join(
        "  ".join([row[0].ljust(widths[0]), *(row[k].rjust(widths[k]) for k in range(1, len(row)))]).rstrip() + "\n"
        for row in table
    )


def _parquet(names: Sequence[str], rows: Sequence[dict[str, str | None]]) -> bytes:
    from treewright.errors import MissingExtraError

    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError("a table in Parquet", "pyarrow", "data") from None
    schema = pyarrow.schema([(name, pyarrow.string()) for name in names])
    sink = io.BytesIO()
    parquet.write_table(pyarrow.table({name: [row[name] for row in rows] for name in names}, schema=schema), sink)
    return sink.getvalue()
