"""Results as plain tables for other programs: a row for every cell."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from treewright.apps.experiments.cell import key_of
from treewright.apps.experiments.groups import Results, part_score
from treewright.errors import MissingExtraError


def records_of(results: Results) -> list[dict[str, Any]]:
    """Return a record for every finished cell; all have the same names, None where there is no value."""
    rows = []
    for group in results.groups:
        for seed, result in sorted(group.results.items()):
            row: dict[str, Any] = {"treebank": group.treebank, **group.options, "seed": seed, **result["scores"]}
            for part in group.parts:
                row |= {f"{metric}_{part}": part_score(result, metric, part) for metric in ("uas", "las")}
            dev = result.get("dev") or {}
            row |= {
                "dev_uas": dev.get("uas"),
                "dev_las": dev.get("las"),
                "best_round": dev.get("round"),
                "training_sentences": result["training"]["sentences"],
                "training_words": result["training"]["words"],
                "training_cpu_seconds": result["training"]["cpu_seconds"],
                "tokens_per_second": result["parsing"]["tokens_per_second"],
                "model_bytes": result["model_bytes"],
                "peak_memory_bytes": result["peak_memory_bytes"],
                "version": result["made_with"]["version"],
                "finished": result["made_with"]["finished"],
                "cell": key_of(result["cell"]),
            }
            rows.append(row)
    names = _names(rows)
    return [{name: row.get(name) for name in names} for row in rows]


def _names(rows: list[dict[str, Any]]) -> list[str]:
    """Return the names of all columns, options before scores. Rows may differ in their columns."""
    names: list[str] = []
    for row in rows:
        place = 0
        for name in row:
            if name in names:
                place = names.index(name) + 1
            else:
                names.insert(place, name)
                place += 1
    return names


def as_csv(results: Results) -> bytes:
    """Return the records as a CSV file."""
    rows = records_of(results)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["treebank"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def as_json(results: Results) -> bytes:
    """Return a JSON file: the records, the means with their differences, and the failures."""
    metric = results.metric
    means = []
    for group in results.groups:
        row: dict[str, Any] = {
            "treebank": group.treebank,
            "options": dict(group.options),
            "seeds": sorted(group.results),
            "mean": {name: group.mean(name) for name in results.scores},
            "standard_deviation": {name: group.spread(name) for name in results.scores},
        }
        difference = results.difference(group, metric)
        if difference is not None:
            row["difference"] = {"metric": metric, "value": difference.value, "seeds": difference.seeds}
            if difference.test is not None:
                test = difference.test
                row["difference"] |= {"low": test.low, "high": test.high, "p_value": test.p_value}
        means.append(row)
    failures = [{"cell": name, "error": error} for name, error in results.failures]
    whole = {
        "title": results.plan.title,
        "description": results.plan.description,
        "metric": metric,
        "means": means,
        "cells": records_of(results),
        "failed": failures,
        "missing": results.missing,
    }
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode()


def as_parquet(results: Results) -> bytes:
    """Return the records as a Parquet file, with pyarrow."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError("results.parquet", "pyarrow", "parquet") from None
    rows = records_of(results)
    columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
    buffer = io.BytesIO()
    arrays = {name: pyarrow.array(_alike(values)) for name, values in columns.items()}
    parquet.write_table(pyarrow.table(arrays), buffer)
    return buffer.getvalue()


def _alike(values: list[Any]) -> list[Any]:
    """Return the values of a column as one type: an option may be a number in one row and a name in another."""
    types = {type(value) for value in values if value is not None}
    if len(types) < 2:
        return values
    if types == {int, float}:
        return [None if value is None else float(value) for value in values]
    return [None if value is None else str(value) for value in values]
