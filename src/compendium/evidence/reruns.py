"""What an experiment would have come to on other samples: a study's replicates drawn anew, artifact by artifact.

Cells of a table share their samples, so a table's verdicts come in groups: one lucky draw moves a column at once.
What that does to a table as a whole is seen by making the table again and again from replicates drawn anew, the
paper's number of them, out of all that were run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from compendium.evidence.regenerated import Regenerated, Row, Run
from compendium.evidence.rows_alone import rows_alone
from compendium.studies import experiment
from compendium.studies.study import Study

__all__ = ["Tables", "drawn_anew", "rerun", "wide"]

Tables = Callable[[Study], tuple[pd.DataFrame, Sequence[int]]]
"""Gives the largest table at hand of a study, and the replicates of each of its cells."""


def drawn_anew(study: Study, table: pd.DataFrame, counts: Sequence[int], rng: np.random.Generator) -> pd.DataFrame:
    """Draw as many replicates of each cell as a study has, out of a table that may hold more."""
    return _drawn_from(_Whole(table, counts), study, rng)


class _Whole:
    """A table that replicates are drawn from, and what was made of it once for all draws."""

    def __init__(self, table: pd.DataFrame, counts: Sequence[int]) -> None:
        self.table = table
        self.counts = counts
        self.most = int(max(counts)) + 1
        self._spread: dict[tuple[str | None, str], tuple[pd.DataFrame, np.ndarray, np.ndarray]] = {}

    def spread(self, inducer: str | None, column: str) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
        """Return the wide table, each line's number among all replicates, and which quantities a line has."""
        if (inducer, column) not in self._spread:
            table = experiment.wide(self.table, inducer, column)
            number = (table["cell"] * self.most + table["replicate"]).to_numpy()
            there = table[list(self.table["quantity"].cat.categories.intersection(table.columns))].notna().to_numpy()
            self._spread[inducer, column] = table, number, there
        return self._spread[inducer, column]


class _Drawn(pd.DataFrame):
    """Lines drawn from a whole; whatever is made of it is an ordinary table."""

    _internal_names: ClassVar[list[str]] = [*pd.DataFrame._internal_names, "whole", "drawn"]  # type: ignore[attr-defined]
    _internal_names_set: ClassVar[set[str]] = set(_internal_names)
    whole: _Whole
    drawn: tuple[np.ndarray, np.ndarray]
    """The number of each replicate that was drawn, and the one that it has now."""

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame


def wide(table: pd.DataFrame, inducer: str | None = None, column: str = "value") -> pd.DataFrame:
    """Spread the quantities of one inducer over columns, as :func:`compendium.studies.experiment.wide` does.

    Lines that were drawn anew are taken from the whole table's, which is spread once.
    """
    if not isinstance(table, _Drawn):
        return experiment.wide(table, inducer, column)
    whole, number, there = table.whole.spread(inducer, column)
    of, now = table.drawn
    places = np.minimum(np.searchsorted(number, of), max(len(number) - 1, 0))
    found = number[places] == of if len(number) else np.zeros(len(of), dtype=bool)
    lines = places[found]
    if not there[lines].any(axis=0).all():
        # a quantity that nothing drawn has is no column
        return experiment.wide(pd.DataFrame(table), inducer, column)
    drawn = whole.take(lines).reset_index(drop=True)
    drawn["replicate"] = now[found]
    return drawn


def _drawn_from(whole: _Whole, study: Study, rng: np.random.Generator) -> pd.DataFrame:
    table, counts, most = whole.table, whole.counts, whole.most
    several = "cell" in table
    # a line's replicate among all; one may have several lines, or none
    number = (table["cell"] * most + table["replicate"]).to_numpy() if several else np.arange(len(table))
    shared: dict[str, np.ndarray] = {}
    lines, numbers, every, now, before = [], [], [], [], 0
    for place, (cell, wanted, there) in enumerate(zip(study.cells, study.counts, counts, strict=True)):
        streams = json.dumps([study.seed_cell(cell), wanted, there], sort_keys=True, default=str)
        if streams not in shared:
            shared[streams] = rng.integers(0, there, wanted)
        of = shared[streams] + (place * most if several else before)
        before += there
        begins = np.searchsorted(number, of, "left")
        sizes = np.searchsorted(number, of, "right") - begins
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        lines.append(np.repeat(begins, sizes) + within)
        numbers.append(np.repeat(np.arange(wanted), sizes))
        every.append(of)
        now.append(np.arange(wanted))
    drawn = _Drawn(table.take(np.concatenate(lines)).reset_index(drop=True))
    drawn["replicate"] = np.concatenate(numbers)
    drawn.whole, drawn.drawn = whole, (np.concatenate(every), np.concatenate(now))
    return drawn


def rerun(
    compute: Callable[[Any, Run], Regenerated], parameters: Any, tables: Tables, times: int, rng: np.random.Generator
) -> list[list[Row]]:
    """Make an artifact's rows several times, each from replicates drawn anew."""
    found = []
    wholes: dict[tuple[int, tuple[int, ...]], _Whole] = {}
    for _ in range(times):
        drawn = 0

        def run(study: Study) -> pd.DataFrame:
            nonlocal drawn
            drawn += 1
            table, counts = tables(study)
            # a whole keeps its table, so that no other can have the same number meanwhile
            whole = wholes.setdefault((id(table), tuple(counts)), _Whole(table, counts))
            return _drawn_from(whole, study, rng)

        with rows_alone():
            rows = compute(parameters, run).rows
        if not drawn:
            return []
        found.append(rows)
    return found
