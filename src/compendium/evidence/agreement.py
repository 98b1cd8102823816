"""A table judged as a whole: its cells share their samples, so their verdicts come in groups.

The share of cells that agree is held against the share that would agree if the print were right, which comes from
rerunning the study against itself: of two sets of replicates drawn again, one plays ours and the other, rounded,
the print.  The same pairs give one p-value for the table, which counts how cells vary together, and say whether
a column lies on one side of the print more often than noise that its rows share would have it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from math import isfinite, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.claims import rows_alone
from compendium.evidence.judging import rounding_of
from compendium.evidence.papers import PAPERS
from compendium.evidence.records import dicts
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.evidence.verdicts import headline, read_words
from compendium.studies.study import Study
from errorest.counting import repeat_each

AGREEMENT_COLUMNS = (
    *("artifact", "reading", "scale", "cells", "within", "expected", "least", "p"),
    *("column", "below", "of", "side_p", "reruns"),
)
"""What is read of a recorded table as a whole: its artifact, and what :class:`TableAgreement` has."""

LEVEL = 0.05
"""A p-value below it: the table as a whole, or the side on which a column lies, is no chance."""

FEWEST = 5
"""Simulated numbers that make a table, or a column of it."""

_WITHIN = 2.0
_PARTNERS = 20
_HEADLINE = "headline"
Key = tuple[str, str, str]

Tables = Callable[[Study], tuple[pd.DataFrame, Sequence[int]]]
"""Gives the largest table at hand of a study, and the replicates of each of its cells."""


class TableAgreement(NamedTuple):
    """How a table agrees with the print as a whole, in one reading and scale.

    ``reading`` is ``headline``, or one that stands where it has a number and the headline elsewhere.  ``within`` of
    ``cells`` simulated numbers lie within two standard errors; ``expected`` is the share (a proportion) if the print
    were right, ``least`` what 19 of 20 pairs of reruns reach, ``p`` the share of pairs whose sum of squared z's is
    at least as large.  ``below`` of ``of`` numbers of ``column``, the most one-sided one, are smaller than the
    print, and ``side_p`` is the share of pairs with a column as one-sided.  ``z`` has every cell's.
    """

    reading: str
    scale: str
    cells: int
    within: int
    expected: float
    least: float
    p: float
    column: str
    below: int
    of: int
    side_p: float
    reruns: int
    z: tuple[float, ...]

    @property
    def share(self) -> float:
        """Proportion of cells within two standard errors."""
        return self.within / self.cells


def test_agreement(artifact: str, comparison: pd.DataFrame, reruns: Sequence[Sequence[Row]]) -> list[TableAgreement]:
    """Judge a table as a whole, in its headline and in every further reading, at every scale."""
    if not len(reruns) or comparison.empty:
        return []
    sampled: dict[tuple[Key, str], list[Row]] = {}
    for number, rows in enumerate(reruns):
        for row in rows:
            own = sampled.setdefault(((row.artifact or artifact, row.row, row.column), row.reading), [])
            if len(own) == number:
                own.append(row)
    complete = {key: rows for key, rows in sampled.items() if len(rows) == len(reruns)}
    results: list[TableAgreement] = []
    for scale in comparison.loc[comparison["scale"] != "", "scale"].unique():
        at = comparison[comparison["scale"] == scale]
        first = {_key(c): c for c in dicts(headline(at))}
        for reading in (_HEADLINE, *at["reading"].unique()):
            covered = first | {_key(c): c for c in dicts(at[at["reading"] == reading])}
            # simulated numbers alone, of which every rerun has one
            cells = [
                c
                for c in covered.values()
                if isfinite(c["z"]) and c["se"] > 0 and (c["relation"], c["kind"]) == ("=", "result")
                if (_key(c), c["reading"]) in complete
            ]
            known = [w.z for w in results if w.scale == scale]
            if len(cells) >= FEWEST and tuple(float(c["z"]) for c in cells) not in known:
                again = [complete[_key(c), c["reading"]] for c in cells]
                results.append(_agreement(reading, str(scale), cells, again))
    return results


def read_agreements() -> pd.DataFrame:
    """Read how tables agreed as wholes in the last complete build; no rows where there is none yet."""
    wholes = [{"artifact": artifact, **w} for p in PAPERS for artifact, m in read_words(p).items() for w in m["wholes"]]
    return pd.DataFrame(wholes, columns=list(AGREEMENT_COLUMNS))


def _key(c: Mapping[str, Any]) -> Key:
    return c["artifact"], c["row"], c["column"]


def _agreement(
    reading: str, scale: str, cells: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[Row]]
) -> TableAgreement:
    values, errors = (np.array([[getattr(r, name) for r in one] for one in rows]).T for name in ("value", "se"))
    rounding = np.array([rounding_of(c["printed"], c["decimals"]) for c in cells])
    # reruns have the paper's n replicates; a mean over more, N, deviates by sqrt(n / N) as much
    shrink = np.array([sqrt(min(1.0, r[0].n / c["n"])) if c["n"] else 1.0 for c, r in zip(cells, rows, strict=True)])
    # the error of the print: that of each rerun, unless the largest run knows it better
    theirs = np.array([c["se_printed"] for c in cells])
    se = np.where(np.isclose(theirs, [c["se"] for c in cells]), np.nan_to_num(errors), theirs)
    z, pairs = np.array([c["z"] for c in cells]), _pairs(values, se, rounding, shrink)
    within = np.nanmean(np.where(np.isnan(pairs), np.nan, np.abs(pairs) < _WITHIN), axis=1)
    names = np.array([str(c["column"]) for c in cells])
    columns = {name: names == name for name in dict.fromkeys(names) if (names == name).sum() >= FEWEST}
    columns = columns or {"": np.ones(len(z), dtype=bool)}
    sides = {name: float(_one_sidedness(z[None, mask])[0]) for name, mask in columns.items()}
    column = max(sides, key=lambda name: sides[name])
    # the most one-sided column of each pair, as ours is the most one-sided of its table
    most = np.max([_one_sidedness(pairs[:, mask]) for mask in columns.values()], axis=0)
    return TableAgreement(
        reading,
        scale,
        cells=len(z),
        within=int((np.abs(z) < _WITHIN).sum()),
        expected=float(within.mean()),
        least=float(np.quantile(within, 0.05)),
        p=_share(np.nansum(pairs**2, axis=1) >= float((z**2).sum()), len(values)),
        column=str(column),
        below=int((z[columns[column]] < 0).sum()),
        of=int(columns[column].sum()),
        side_p=_share(most >= sides[column] - 1e-9, len(values)),
        reruns=len(values),
        z=tuple(float(v) for v in z),
    )


def _pairs(values: np.ndarray, se: np.ndarray, rounding: np.ndarray, shrink: np.ndarray) -> np.ndarray:
    """Z's of reruns that play ours against others that play the print; shape (pairs, cells)."""
    centre = np.nanmean(values, axis=0)
    ours = centre + shrink * (values - centre)
    results = []
    for shift in range(1, min(_PARTNERS, len(values) - 1) + 1):
        printed = np.round(np.roll(values, shift, axis=0) / rounding) * rounding
        # as for the table itself: both errors, and the variance of a number rounded to a unit u, u^2 / 12
        noise = np.sqrt((shrink * se) ** 2 + se**2 + rounding**2 / 12)
        results.append((ours - printed) / noise)
    return np.concatenate(results)


def _one_sidedness(z: np.ndarray) -> np.ndarray:
    """Size of the sign statistic: cells above minus cells below, over its deviation for independent cells."""
    return np.abs(np.nansum(np.sign(z), axis=1)) / sqrt(z.shape[1])


def _share(reached: np.ndarray, reruns: int) -> float:
    """Share of pairs; no smaller than one rerun of all can tell."""
    return max(float(np.mean(reached)), 1 / reruns) if len(reached) else nan


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def format_p(p: float, reruns: int) -> str:
    """Write a p-value that comes from reruns."""
    digits = f"{p:.2f}".removeprefix("0")
    return f"p ≤ {digits}" if p <= 1 / reruns else f"p = {digits}"


def correct_by_holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number: where all prints are right, any is below .05 with a chance of .05 at most.

    The i-th smallest of m counts m - i + 1 times, and no smaller than those before it (Holm's step-down procedure).
    """
    corrected, least = [1.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = least
    return corrected


def agreement_sentence(whole: TableAgreement) -> str:
    """Say how a table agrees with the print as a whole: how many of its numbers, and what reruns do not have."""
    larger, more = ("no " * (p >= LEVEL) for p in (whole.p, whole.side_p))
    side = "below" if 2 * whole.below >= whole.of else "above"
    number = whole.below if side == "below" else whole.of - whole.below
    of = f"{number} of {whole.of} numbers{f' of column {whole.column}' if whole.column else ''} lie {side} the print"
    return (
        f"{whole.within} of {whole.cells} simulated numbers ({_percent(whole.share)}) lie within two standard errors "
        f"of the print; two reruns agree in {_percent(whole.expected)} on average, and in at least "
        f"{_percent(whole.least)} in 19 of 20 pairs. The differences are {larger}larger than those between reruns "
        f"({format_p(whole.p, whole.reruns)}) and {more}more one-sided "
        f"({of}, {format_p(whole.side_p, whole.reruns)})."
    )


def resample_replicates(
    study: Study, table: pd.DataFrame, counts: Sequence[int], rng: np.random.Generator
) -> pd.DataFrame:
    """Draw as many replicates of each cell as a study has, out of a table that may hold more."""
    most = int(max(counts)) + 1
    several = "cell" in table
    # a line's replicate among all; one may have several lines, or none
    number = (table["cell"] * most + table["replicate"]).to_numpy() if several else np.arange(len(table))
    shared: dict[str, np.ndarray] = {}
    lines, numbers, before = [], [], 0
    for place, (cell, wanted, there) in enumerate(zip(study.cells, study.counts, counts, strict=True)):
        streams = json.dumps([study.seed_cell(cell), wanted, there], sort_keys=True, default=str)
        if streams not in shared:
            shared[streams] = rng.integers(0, there, wanted)
        of = shared[streams] + (place * most if several else before)
        before += there
        begins = np.searchsorted(number, of, "left")
        sizes = np.searchsorted(number, of, "right") - begins
        within = np.arange(sizes.sum()) - repeat_each(np.cumsum(sizes) - sizes, sizes)
        lines.append(repeat_each(begins, sizes) + within)
        numbers.append(repeat_each(np.arange(wanted), sizes))
    sampled = table.take(np.concatenate(lines)).reset_index(drop=True)
    sampled["replicate"] = np.concatenate(numbers)
    return sampled


def rerun(
    compute: Callable[[Any, Run], ArtifactResult], parameters: Any, tables: Tables, times: int, rng: np.random.Generator
) -> list[list[Row]]:
    """Make an artifact's rows several times, each from replicates drawn again; none where it runs no study."""
    results = []
    for _ in range(times):
        studies = 0

        def run(study: Study) -> pd.DataFrame:
            nonlocal studies
            studies += 1
            return resample_replicates(study, *tables(study), rng)

        with rows_alone():
            rows = compute(parameters, run).rows
        if not studies:
            return []
        results.append(rows)
    return results
