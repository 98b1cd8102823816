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

from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.studies.study import Study

__all__ = ["Tables", "rerun", "resample_replicates"]

Tables = Callable[[Study], tuple[pd.DataFrame, Sequence[int]]]
"""Gives the largest table at hand of a study, and the replicates of each of its cells."""


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
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        lines.append(np.repeat(begins, sizes) + within)
        numbers.append(np.repeat(np.arange(wanted), sizes))
    sampled = table.take(np.concatenate(lines)).reset_index(drop=True)
    sampled["replicate"] = np.concatenate(numbers)
    return sampled


def rerun(
    compute: Callable[[Any, Run], ArtifactResult], parameters: Any, tables: Tables, times: int, rng: np.random.Generator
) -> list[list[Row]]:
    """Make an artifact's rows several times, each from replicates drawn anew; none where it runs no study."""
    results = []
    for _ in range(times):
        drawn = 0

        def run(study: Study) -> pd.DataFrame:
            nonlocal drawn
            drawn += 1
            return resample_replicates(study, *tables(study), rng)

        rows = compute(parameters, run).rows
        if not drawn:
            return []
        results.append(rows)
    return results
