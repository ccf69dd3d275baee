"""All result files of an experiment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from treewright.apps.experiments.groups import Results
from treewright.apps.experiments.page import extra_tables, html_report
from treewright.apps.experiments.records import write_csv, write_json, write_parquet
from treewright.apps.experiments.tables import markdown, markdown_table
from treewright.errors import MissingExtraError, TreewrightError, unknown
from treewright.treebank.files.output import open_output

FORMATS = ("csv", "json", "parquet", "md", "html")


def check_formats(formats: Sequence[str]) -> None:
    """Reject formats that results cannot have."""
    for name in formats:
        if name not in FORMATS:
            raise TreewrightError(unknown("format of results", name, FORMATS))


def write_results(results: Results, folder: Path, formats: Sequence[str] = FORMATS) -> tuple[list[Path], list[str]]:
    """Write results.csv, .json, .parquet and .md, and report.html; return the files, and notes on omitted ones.

    Parquet needs pyarrow. Without it, the file is omitted with a note, unless it is the only one requested.
    """
    check_formats(formats)
    written, notes = [], []
    for name in formats:
        path = folder / ("report.html" if name == "html" else f"results.{name}")
        try:
            _WRITERS[name](results, path)
        except MissingExtraError as error:
            if len(formats) == 1:
                raise
            notes.append(f"omitted: {error}")
        else:
            written.append(path)
    return written, notes


def _write_markdown(results: Results, path: Path) -> None:
    text = markdown(results)
    for table in extra_tables(results):
        text += "\n".join(["", f"## {table.title}", "", *markdown_table(table), ""])
    with open_output(path) as output:
        output.write(text.encode())


def _write_html(results: Results, path: Path) -> None:
    with open_output(path) as output:
        output.write(html_report(results).encode())


_WRITERS: dict[str, Callable[[Results, Path], None]] = {
    "csv": write_csv,
    "json": write_json,
    "parquet": write_parquet,
    "md": _write_markdown,
    "html": _write_html,
}
