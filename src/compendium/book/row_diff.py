"""Differences of regenerated rows, and of the outcomes of claims, errata and figures, from those recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.claims import counted
from compendium.evidence.papers import PAPERS
from compendium.evidence.records import Fields
from compendium.evidence.texts import paper_of
from compendium.evidence.verdicts import REGENERATED_COLUMNS, compare, read_published, read_regenerated
from errorest.errors import UsageError

ROW_KEY = ["artifact", "reading", "scale", "row", "column"]
OUTCOME_COLUMNS = ("kind", "artifact", "reading", "key", "outcome")

_VALUES = ["value", "se", "n"]


class RowChange(NamedTuple):
    """A row whose numbers differ: its key, and value, se and n of both."""

    key: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def place(self) -> str:
        return f"{self.key[3]}, {self.key[4]}"

    @property
    def errors(self) -> float:
        """Difference of the values in units of the larger standard error; NaN where there is none."""
        se = np.fmax(self.before[1], self.after[1])
        return abs(self.after[0] - self.before[0]) / se if se > 0 else float("nan")

    def __str__(self) -> str:
        pairs = zip(_VALUES, self.before, self.after, strict=True)
        differing = [f"{name} {a:.10g} recorded, {b:.10g} here" for name, a, b in pairs if repr(a) != repr(b)]
        return f"{self.key[0]} [{self.key[1]}, {self.key[2]}] {self.place}: {'; '.join(differing)}"


class RowDiff(NamedTuple):
    """Keys of rows that were added and removed, rows with other numbers, and how many are the same."""

    added: list[tuple[str, ...]]
    gone: list[tuple[str, ...]]
    changed: list[RowChange]
    same: int


def diff_rows(before: pd.DataFrame, after: pd.DataFrame) -> RowDiff:
    """Compare two frames with the columns of ``data/regenerated/``, in the ten significant digits that are written."""
    old, new = _rows_by_key(before), _rows_by_key(after)
    both = [key for key in new if key in old]
    changed = [RowChange(key, old[key], new[key]) for key in both if _written(old[key]) != _written(new[key])]
    return RowDiff(
        [k for k in new if k not in old], [k for k in old if k not in new], changed, len(both) - len(changed)
    )


def _rows_by_key(frame: pd.DataFrame) -> dict[Any, tuple[float, ...]]:
    keys = frame[ROW_KEY].astype(str).itertuples(index=False, name=None)
    return dict(zip(keys, frame[_VALUES].astype(float).itertuples(index=False, name=None), strict=True))


def _written(values: Sequence[float]) -> list[str]:
    return [f"{value + 0.0:.10g}" for value in values]


def rows_of(manifests: Sequence[Fields]) -> pd.DataFrame:
    """Return the rows of artifacts' manifests with the columns of ``data/regenerated/``; each key once."""
    rows = pd.DataFrame([r for m in manifests for r in m["rows"]], columns=list(REGENERATED_COLUMNS))
    if (doubled := rows.duplicated(ROW_KEY)).any():
        key = rows[doubled].iloc[0]
        raise UsageError(f"two artifacts yield {key.artifact}, {key.row}, {key.column}")
    return rows


def recorded_rows() -> pd.DataFrame:
    return pd.concat([read_regenerated(paper) for paper in PAPERS], ignore_index=True)


def judged_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Compare the rows of all papers with the print; empty where there are none."""
    papers, compared = frame.artifact.map(paper_of), []
    for paper in PAPERS:
        own, printed = frame[papers == paper], read_published(paper)
        if len(own) and len(printed):
            compared.append(compare(printed[printed.artifact.isin(set(own.artifact))], own))
    return pd.concat(compared, ignore_index=True) if compared else pd.DataFrame()


def summarize_diff(diff: RowDiff) -> list[str]:
    """Summarize what differs, one line an artifact."""
    if not (diff.added or diff.gone or diff.changed):
        return [f"All {diff.same} rows are as recorded in data/regenerated."]
    counts = f"{len(diff.changed)} rows changed, {len(diff.added)} added, {len(diff.gone)} gone, {diff.same} the same"
    lines = []
    for artifact in dict.fromkeys(key[0] for key in (*(c.key for c in diff.changed), *diff.gone, *diff.added)):
        changed = [c for c in diff.changed if c.key[0] == artifact]
        keys = {"changed": [c.key for c in changed], "added": diff.added, "gone": diff.gone}
        number = {what: sum(key[0] == artifact for key in some) for what, some in keys.items()}
        parts = [f"{counted(n, 'row')} {what}" for what, n in number.items() if n]
        if measured := [c for c in changed if not isnan(c.errors)]:
            most = max(measured, key=lambda c: c.errors)
            parts.append(f"by {most.errors:.2g} standard errors at most ({most.place})")
        if exact := [c for c in changed if isnan(c.errors)]:
            parts.append(f"{len(exact)} without a standard error ({exact[0].place})")
        lines.append(f"  {artifact}: {'; '.join(parts)}")
    return [f"Against data/regenerated as it was: {counts}.", *_first(12, lines, " artifacts")]


def _first(most: int, lines: list[str], what: str = "") -> list[str]:
    return [*lines[:most], f"  and {len(lines) - most} more{what}"] if len(lines) > most else lines


def outcomes_of(manifests: Iterable[Fields]) -> pd.DataFrame:
    """Return a line for each claim, erratum and figure of artifacts' manifests."""
    lines: list[tuple[str, ...]] = []
    for m in manifests:
        lines += [("claim", m["id"], c["reading"], c["name"] or c["claim"], c["outcome"]) for c in m["checks"]]
        lines += [("erratum", m["id"], "", erratum["place"], "") for erratum in m["errata"]]
        lines += [("figure", m["id"], "", m["figure"]["svg"], "")] if m["figure"] else []
    result = pd.DataFrame(lines, columns=list(OUTCOME_COLUMNS))
    repeats = result.groupby(list(OUTCOME_COLUMNS[:-1])).cumcount()
    result["key"] += repeats.map(lambda times: f" ({times + 1})" if times else "")
    return result


def diff_outcomes(before: pd.DataFrame, after: pd.DataFrame) -> list[str]:
    """List the claims with another outcome, and the claims, errata and figures that were added or removed."""
    old, new = (
        {
            f"{artifact}, {kind} {key}{f' [{reading}]' if reading else ''}": outcome
            for kind, artifact, reading, key, outcome in frame[list(OUTCOME_COLUMNS)].itertuples(index=False, name=None)
        }
        for frame in (before, after)
    )
    lines = [
        *(f"  {k}: {old[k]} recorded, {new[k]} here" for k in new if k in old and old[k] != new[k]),
        *(f"  {k}: gone" for k in old if k not in new),
        *(f"  {k}: added" for k in new if k not in old),
    ]
    title = f"Claims, errata and figures that are not as recorded: {len(lines)}."
    return [title, *_first(40, lines)] if lines else []
