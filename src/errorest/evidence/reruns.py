"""What an experiment would have come to on other samples: a study's replicates drawn anew, artifact by artifact.

Cells of a table share their samples, so a table's verdicts come in groups: one lucky draw moves a column at once.
What that does to a table as a whole is seen by making the table again and again from replicates drawn anew, the
paper's number of them, out of all that were run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from errorest.evidence.regenerated import Regenerated, Row, Run
from errorest.study.study import Study

__all__ = ["Tables", "drawn_anew", "rerun"]

Tables = Callable[[Study], tuple[pd.DataFrame, Sequence[int]]]
"""Gives the largest table at hand of a study, and the replicates of each of its cells."""


def drawn_anew(study: Study, table: pd.DataFrame, counts: Sequence[int], rng: np.random.Generator) -> pd.DataFrame:
    """Draw as many replicates of each cell as a study has, out of a table that may hold more.

    Parameters
    ----------
    study : Study
    table : DataFrame
        From :func:`~errorest.study.study.run_study`: of the study, or of one with more replicates.
    counts : sequence of int
        The replicates of each cell in the table.
    rng : numpy.random.Generator

    Returns
    -------
    DataFrame
        The replicates are numbered anew, and drawn with replacement, so that two sets are independent; cells that
        share their random streams share what is drawn.

    Examples
    --------
    >>> study = Study("coins", [{"n": 10}, {"n": 20}], 2, len, seed_keys=[])
    >>> table = pd.DataFrame({"n": [10, 10, 20, 20], "replicate": [0, 1, 0, 1], "heads": [3, 5, 9, 8]})
    >>> drawn_anew(study, table, [2, 2], np.random.default_rng(1))["heads"].tolist()
    [3, 5, 9, 8]
    """
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
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        lines.append(np.repeat(begins, sizes) + within)
        numbers.append(np.repeat(np.arange(wanted), sizes))
    drawn = table.take(np.concatenate(lines)).reset_index(drop=True)
    drawn["replicate"] = np.concatenate(numbers)
    return drawn


def rerun(
    compute: Callable[[Any, Run], Regenerated], parameters: Any, tables: Tables, times: int, rng: np.random.Generator
) -> list[list[Row]]:
    """Make an artifact's rows several times, each from replicates drawn anew.

    Parameters
    ----------
    compute : callable
        An artifact's: ``compute(parameters, run)``.
    parameters : Parameters
        Of the published scale.
    tables : callable
        Gives what was run of a study, with more replicates where there is more.
    times : int
    rng : numpy.random.Generator

    Returns
    -------
    list of list of Row
        One list a rerun; empty where nothing was run, since nothing can be drawn anew then.

    Examples
    --------
    >>> study = Study("coins", [{"n": 10}], 3, len)
    >>> table = pd.DataFrame({"n": 10, "replicate": [0, 1, 2], "heads": [3, 5, 9]})
    >>> def compute(p, run):
    ...     return Regenerated([Row("literal", "all", "heads", float(run(study)["heads"].sum()), 1.0, 3)])
    >>> found = rerun(compute, None, lambda study: (table, [3]), 2, np.random.default_rng(1))
    >>> [rows[0].column for rows in found]
    ['heads', 'heads']
    """
    found = []
    for _ in range(times):
        drawn = 0

        def run(study: Study) -> pd.DataFrame:
            nonlocal drawn
            drawn += 1
            return drawn_anew(study, *tables(study), rng)

        rows = compute(parameters, run).rows
        if not drawn:
            return []
        found.append(rows)
    return found
