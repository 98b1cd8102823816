"""What differs between two sets of regenerated rows, by artifact: rows added, gone, changed, and by how much."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from math import isclose, isnan
from typing import Any, NamedTuple

import pandas as pd

from compendium.evidence.verdicts import PAPERS, REGENERATED_COLUMNS, read_regenerated

__all__ = [
    "ROUNDING",
    "Change",
    "Changed",
    "alike",
    "changes",
    "digests_of_rows",
    "recorded_rows",
    "rows_of",
    "told",
]

ROUNDING = 2e-9
"""Numbers that differ by no more than this share of themselves are equal within rounding."""

_NEAR_ZERO = 1e-12
_KEY = ["artifact", "reading", "scale", "row", "column"]
_VALUES = ("value", "se", "n")
_LISTED = 12


def alike(one: float, other: float) -> bool:
    """Tell whether two numbers are equal within rounding."""
    return (isnan(one) and isnan(other)) or isclose(one, other, rel_tol=ROUNDING, abs_tol=_NEAR_ZERO)


class Change(NamedTuple):
    """One row whose numbers differ: its key (artifact, reading, scale, row, column), and value, se and n of both."""

    key: tuple[str, ...]
    before: tuple[float, float, float]
    after: tuple[float, float, float]

    @property
    def artifact(self) -> str:
        """The first part of the key."""
        return self.key[0]

    @property
    def place(self) -> str:
        """Row and column."""
        return f"{self.key[3]}, {self.key[4]}"

    @property
    def errors(self) -> float:
        """Difference of the two values in units of the larger standard error; NaN where there is none."""
        se = max((s for s in (self.before[1], self.after[1]) if not isnan(s)), default=0.0)
        return abs(self.after[0] - self.before[0]) / se if se else float("nan")

    @property
    def rounding(self) -> bool:
        """Whether all numbers are equal within rounding."""
        return all(alike(a, b) for a, b in zip(self.before, self.after, strict=True))

    def __str__(self) -> str:
        told = [
            f"{name} {a:.10g} recorded, {b:.10g} here"
            for name, a, b in zip(_VALUES, self.before, self.after, strict=True)
            if not (a == b or (isnan(a) and isnan(b)))
        ]
        return f"{self.artifact} [{self.key[1]}, {self.key[2]}] {self.place}: {'; '.join(told)}"


class Changed(NamedTuple):
    """What differs: keys that are new, keys that are gone, and rows with other numbers."""

    added: list[tuple[str, ...]]
    gone: list[tuple[str, ...]]
    changed: list[Change]
    same: int


def changes(before: pd.DataFrame, after: pd.DataFrame) -> Changed:
    """Compare two frames with the columns of ``data/regenerated/``, row by row.

    Numbers are compared as they are written, with ten significant digits.
    """
    old, new = _by_key(before), _by_key(after)
    both = [key for key in new if key in old]
    differ = [key for key in both if _written(old[key]) != _written(new[key])]
    changed = [Change(key, old[key], new[key]) for key in differ]
    return Changed(
        [key for key in new if key not in old],
        [key for key in old if key not in new],
        changed,
        len(both) - len(changed),
    )


def _by_key(frame: pd.DataFrame) -> dict[Any, tuple[float, float, float]]:
    keys = frame[_KEY].astype(str).itertuples(index=False, name=None)
    values = frame[list(_VALUES)].astype(float).itertuples(index=False, name=None)
    return dict(zip(keys, values, strict=True))


def _written(values: Sequence[float]) -> list[str]:
    return [f"{value + 0.0:.10g}" for value in values]


def rows_of(manifests: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Put the rows of artifacts' manifests into one frame with the columns of ``data/regenerated/``."""
    return pd.DataFrame([r for m in manifests for r in m["rows"]], columns=list(REGENERATED_COLUMNS))


def recorded_rows() -> pd.DataFrame:
    """Read the rows of all papers as the last complete build left them."""
    return pd.concat([read_regenerated(paper) for paper in PAPERS], ignore_index=True)


def digests_of_rows(frame: pd.DataFrame) -> dict[str, str]:
    """Digest the rows of each artifact as they are written."""
    digests: dict[str, Any] = {}
    for key, values in _by_key(frame).items():
        text = "\t".join([*key, *_written(values)])
        digests.setdefault(key[0], hashlib.sha256()).update(f"{text}\n".encode())
    return {artifact: digest.hexdigest()[:16] for artifact, digest in digests.items()}


def told(found: Changed) -> list[str]:
    """Say what differs in a few lines, one an artifact."""
    if not (found.added or found.gone or found.changed):
        return [f"All {found.same} rows are as recorded in data/regenerated."]
    artifacts = dict.fromkeys([*(c.artifact for c in found.changed), *(k[0] for k in [*found.gone, *found.added])])
    counted = f"{len(found.changed)} rows changed, {len(found.added)} added, {len(found.gone)} gone"
    lines = [f"Against data/regenerated as it was: {counted}, {found.same} the same."]
    lines += [f"  {artifact}: {_of_artifact(str(artifact), found)}" for artifact in list(artifacts)[:_LISTED]]
    if len(artifacts) > _LISTED:
        lines.append(f"  and {len(artifacts) - _LISTED} more artifacts")
    return lines


def _of_artifact(artifact: str, found: Changed) -> str:
    parts = []
    own = [c for c in found.changed if c.artifact == artifact]
    if own:
        measured = [c for c in own if not isnan(c.errors)]
        exact = [c for c in own if isnan(c.errors)]
        parts.append(_rows(len(own), "changed"))
        if measured:
            most = max(measured, key=lambda c: c.errors)
            parts[-1] += f", by {most.errors:.2g} standard errors at most ({most.place})"
        if exact:
            parts[-1] += f", {len(exact)} of them without a standard error ({exact[0].place})"
    for keys, what in ((found.added, "added"), (found.gone, "gone")):
        count = sum(key[0] == artifact for key in keys)
        parts += [_rows(count, what)] if count else []
    return "; ".join(parts)


def _rows(count: int, what: str) -> str:
    return f"{count} row{'' if count == 1 else 's'} {what}"
