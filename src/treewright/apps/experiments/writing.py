"""All result files of an experiment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from treewright.apps.experiments.groups import Results
from treewright.apps.experiments.page import extra_tables, html_report
from treewright.apps.experiments.records import as_csv, as_json, as_parquet
from treewright.apps.experiments.tables import markdown, markdown_table
from treewright.errors import MissingExtraError, TreewrightError, unknown
from treewright.treebank.files.output import OutputFile

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
            data = _FILES[name](results)
        except MissingExtraError as error:
            if len(formats) == 1:
                raise
            notes.append(f"omitted: {error}")
        else:
            with OutputFile(path) as output:
                output.write(data)
            written.append(path)
    return written, notes


def _as_markdown(results: Results) -> bytes:
    tables = (["", f"## {table.title}", "", *markdown_table(table), ""] for table in extra_tables(results))
    return (markdown(results) + "".join(map("\n".join, tables))).encode()


_FILES: dict[str, Callable[[Results], bytes]] = {
    "csv": as_csv,
    "json": as_json,
    "parquet": as_parquet,
    "md": _as_markdown,
    "html": lambda results: html_report(results).encode(),
}
