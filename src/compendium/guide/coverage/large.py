"""Large samples: what the corrected intervals of the bootstrap keep of their promise, beside the usual ones."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.coverage.experiment import Cell, settings_at
from compendium.guide.coverage.own_inducers import CoverageParameters
from compendium.guide.coverage.results import FIRST, Coverage, by_size, covered, covered_in, percent
from compendium.guide.names import INTERVALS, TARGETS

__all__ = ["PAIRS", "SHOWN", "large_samples"]

SHOWN = (
    "10-fold-CV-Wald",
    "corrected-t",
    "nested-CV",
    "out-of-bag",
    "out-of-bag-uncorrected",
    ".632+",
    ".632+-uncorrected",
    ".632+-to-out-of-bag",
)
"""Intervals that are held beside each other."""

PAIRS = (
    ("two-normals", "1-nn"),
    ("two-normals", "ldf"),
    ("two-normals", "naive-bayes"),
    ("normals-5d", "ldf"),
    ("lenses", "naive-bayes"),
)
"""Populations and inducers whose bootstrap samples are cheap at every size."""


@artifact("guide-coverage-large", matrix=True)
def large_samples(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage (percent) and width (points) of some intervals in large samples, over the same cells at every size."""
    pairs = [pair for pair in PAIRS if pair[0] in p.populations and pair[1] in p.inducers]
    if not pairs:
        told = "; ".join(f"{inducer} on {population}" for population, inducer in PAIRS)
        return ArtifactResult([], findings=[f"No cell is both asked for here and cheap at every size: {told}."])
    parts = {n: _at(p, run, pairs, n) for n in p.large_sizes}
    rows, frames, said = [], [], []
    for target in TARGETS:
        for method in SHOWN:
            for n, found in parts.items():
                keys = [k for k in found.keys(method, target, [n]) if (k.population, k.inducer) in pairs]
                if keys:
                    rows.append(by_size(f"{target}/{method}", n, found.mean(keys).mean * 100))
    for n, found in parts.items():
        own = found.cells[
            [pair in pairs for pair in zip(found.cells["population"], found.cells["inducer"], strict=True)]
        ]
        frames.append(own[(own["n"] == n) & own["method"].isin(SHOWN)])
        rows += _widths(frames[-1], n)
        said += _memorizer(found, pairs, n)
    cells = pd.concat(frames, ignore_index=True)
    behind = ", ".join(f"{inducer} on {population}" for population, inducer in pairs)
    counts = ", ".join(f"{int(f['samples'].iloc[0])} at n = {n}" for n, f in zip(parts, frames, strict=True) if len(f))
    return ArtifactResult(rows, {"cells": cells}, findings=[f"Cells: {behind}; samples of each: {counts}.", *said])


def _at(p: CoverageParameters, run: Run, pairs: list[tuple[str, str]], n: int) -> Coverage:
    """Take a size from the map where it has it, and else from samples of its own."""
    if n in p.sizes:
        return covered(p, run)
    methods = {method: settings_at(method, n)[-1] for method in SHOWN}
    cells = [Cell(population, inducer, n, methods) for population, inducer in pairs]
    return covered_in(cells, p, run, p.large_repetitions)


def _widths(cells: pd.DataFrame, n: int) -> list[Row]:
    out = []
    for method, own in cells[cells["target"] == FIRST].groupby("method", sort=False):
        # inducers share samples: their errors are added up as if they moved together
        se = float((own.groupby("population")["width_se"].sum() ** 2).sum() ** 0.5) / len(own)
        width = Estimate(float(own["width"].mean()), se, int(own["samples"].sum()))
        out.append(by_size(f"points/{method}", n, width * 100))
    return out


def _memorizer(found: Coverage, pairs: list[tuple[str, str]], n: int) -> list[str]:
    """Set the nearest neighbour apart, whose .632+ is off by more than a narrow interval forgives."""
    parts = []
    for method in SHOWN:
        groups = {
            of: [
                k
                for k in found.keys(method, FIRST, [n])
                if (k.population, k.inducer) in pairs and (k.inducer == "1-nn") == of
            ]
            for of in (True, False)
        }
        if all(groups.values()):
            one, others = (percent(found.mean(groups[of]).mean) for of in (True, False))
            parts.append(f"{INTERVALS[method]} {one} (the other inducers {others})")
    return [f"n = {n}, {TARGETS[FIRST].words}, 1-nn: {'; '.join(parts)}."] if parts else []
