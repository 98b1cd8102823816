"""Our rows of the estimators that Tables 2 and 4 name, where the best of ours are others."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.records import each, parts
from compendium.evidence.results import ArtifactResult, Row

__all__ = ["as_named"]


def as_named(result: ArtifactResult, published: pd.DataFrame) -> list[Row]:
    """Make the rows of what the paper names, where ours is another."""
    if "rivals" not in result.data:
        return []
    rivals = result.data["rivals"]
    labels = published[published["kind"] == "label"]
    printed = {key: dict(zip(of.column, of.value, strict=True)) for key, of in parts(labels, "row").items()}
    first: dict[tuple[str, str, str], str] = {}
    for r in result.rows:
        side, named_so, label = r.column.partition("=")
        if named_so:
            first.setdefault((r.reading, r.row, side), label)
    rows = []
    for (row, reading), own in parts(rivals, "row", "reading").items():
        named = printed.get(row, {})
        if not named or all(first.get((reading, row, side)) == label for side, label in named.items()):
            continue
        wanted = {*named.values(), "/".join(named.values())}
        rows += [
            Row(reading, row, f"{r.column}={r.label}", r.value, r.se, r.n)
            for r in each(own)
            if r.label in wanted and named.get(r.column.partition("-")[0], r.label) == r.label
        ]
    return rows
