"""The appendix's simulations of class reversal: parameters, what is drawn and what is counted.

A replicate is a batch of samples; each study has a line for every rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import share as share_of
from compendium.evidence.records import each, matching
from compendium.evidence.results import Run
from compendium.papers.martin_hirschberg.reversal.statistics import (
    RULES,
    Rule,
    Statistics,
    draw_statistics,
    empirical_threshold,
    is_reversed,
    printed_test,
)
from compendium.papers.parameters import Even, Parameters, SizesForVariance, parameter, unique
from compendium.papers.validation import field_validator
from compendium.studies.populations import TwoNormals
from compendium.studies.replicates import Cell, Design, Replicate, each_replicate
from compendium.studies.study import Study
from errorest.streams import Streams

# Reversal rule to name of the reading; the first is the headline
READINGS: Mapping[Rule, str] = {r: r if r == "literal" else f"fitted:{r}" for r in RULES}
Lines = dict[str, list[Any]]

# `count(statistics, thresholds, reversed)`: lines of a batch under one rule
Count = Callable[[Statistics, np.ndarray, np.ndarray], Lines]


class ReversalParameters(Parameters, notebook="martin-hirschberg/06-reversal", repeated="batches"):
    """Parameters of Figures 16 and 17 and of the appendix's mathematics."""

    sizes: SizesForVariance = parameter([5, 10, 15, 20, 25, 30, 35, 40, 45, 50], min_length=1)
    distances: list[float] = parameter(
        [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 3.75, 4.0], min_length=2
    )
    figure_16_sizes: SizesForVariance = parameter([10, 20], min_length=1, max_length=3)
    figure_16_distances: list[float] = parameter([0.5, 2.0], min_length=1, max_length=3)
    samples: int = parameter(10000, ge=100, preview=2000, replication=True)
    batches: int = parameter(1, ge=1, replication=True)
    repeats: int = parameter(10, ge=1, preview=1, replication=True)
    bins: int = parameter(100, ge=10, le=400)
    proportions_size: Even = parameter(50, ge=6, le=200)
    proportions_distance: float = parameter(0.5, gt=0)
    least_likelihood: float = parameter(0.001, gt=0, lt=1)
    insignificant: float = parameter(0.01, gt=0, lt=1)
    slow_change: float = parameter(0.1, gt=0, lt=1)
    direct_samples: int = parameter(20000, ge=1000, preview=4000, replication=True)
    reversal_rules: list[Rule] = parameter(list(RULES), min_length=1)

    _unique = field_validator("distances", "figure_16_distances", "reversal_rules")(unique)

    @field_validator("distances", "figure_16_distances")
    @classmethod
    def _distances(cls, value: list[float]) -> list[float]:
        if not (min(value) > 0 and max(value) <= 10):
            raise ValueError(f"distances {value} are outside (0, 10]; expected standard deviations")
        return value


def _batches(cell: Cell, count: Count) -> Replicate:
    """Draw a batch of samples and count under every rule."""
    best = TwoNormals(cell["distance"]).best_threshold

    def trial(streams: Streams) -> Lines:
        rng = streams.generator("samples")
        s = draw_statistics(cell["n"], cell["distance"], cell["samples"], rng, cell.get("n0"))
        t = empirical_threshold(cell["n"], s)
        lines: Lines = {"rule": []}
        for rule in cell["rules"]:
            result = count(s, t, is_reversed(rule, s, t, best))
            lines["rule"] += [rule] * len(next(iter(result.values())))
            for name, values in result.items():
                lines.setdefault(name, []).extend(values)
        return lines

    return trial


def _reversals(cell: Cell) -> Replicate:
    """Count reversed classifiers, and sum the true errors (proportions) of reversed and unreversed ones.

    ``underflow`` counts samples on which the printed test and its exact form differ, whatever the rule.
    """
    population = TwoNormals(cell["distance"])

    def count(s: Statistics, t: np.ndarray, reverse: np.ndarray) -> Lines:
        straight = population.error_of_thresholds(t, np.zeros(1, dtype=bool))
        differ = printed_test(cell["n"], s, t) != (s.mean0 > s.mean1)
        lines: Lines = {"underflow": [np.count_nonzero(differ)], "reversed": [np.count_nonzero(reverse)]}
        for name, errors in (("reversed", 1.0 - straight[reverse]), ("unreversed", straight[~reverse])):
            lines[f"{name}-sum"], lines[f"{name}-squares"] = [errors.sum()], [np.square(errors).sum()]
        return lines

    return _batches(cell, count)


def _distribution(cell: Cell) -> Replicate:
    """Count true errors of reversed and unreversed classifiers in bins of equal width from 0 to 1."""
    population = TwoNormals(cell["distance"])
    edges = np.linspace(0.0, 1.0, cell["bins"] + 1)

    def count(s: Statistics, t: np.ndarray, reverse: np.ndarray) -> Lines:
        errors = population.error_of_thresholds(t, reverse)
        counts = {
            name: np.histogram(errors[m], edges)[0] for name, m in (("reversed", reverse), ("unreversed", ~reverse))
        }
        return {
            "group": [name for name in counts for _ in range(cell["bins"])],
            "bin": [*range(cell["bins"])] * len(counts),
            "count": [int(number) for one in counts.values() for number in one],
        }

    return _batches(cell, count)


def _proportions(cell: Cell) -> Replicate:
    """Count reversals among samples of fixed class counts."""
    return _batches(cell, lambda s, t, reverse: {"reversed": [np.count_nonzero(reverse)]})


def _study(name: str, design: Design, p: ReversalParameters, cells: list[Any]) -> Study:
    """Make a study whose samples depend on neither the rules nor the bins."""
    cells = [{**cell, "samples": p.samples, "rules": list(p.reversal_rules)} for cell in cells]
    keys = [key for key in cells[0] if key not in ("rules", "bins")]
    return Study(f"martin-hirschberg-{name}", cells, p.batches, each_replicate(design), seed=p.seed, seed_keys=keys)


def reversals_study(p: ReversalParameters) -> Study:
    """Make the study of Figure 17."""
    return _study("reversals", _reversals, p, [{"n": n, "distance": d} for n in p.sizes for d in p.distances])


def distribution_study(p: ReversalParameters) -> Study:
    """Make the study of Figure 16."""
    grid = [(n, d) for n in p.figure_16_sizes for d in p.figure_16_distances]
    cells = [{"n": n, "distance": d, "bins": p.bins} for n, d in grid]
    return _study("reversal-distribution", _distribution, p, cells)


def proportions_study(p: ReversalParameters) -> Study:
    """Make the study of reversals by the sample's class counts, n0 of n from 1 to n - 1."""
    n, distances = p.proportions_size, (0.0, p.proportions_distance)
    cells = [{"n": n, "n0": n0, "distance": d} for d in distances for n0 in range(1, n)]
    return _study("reversal-proportions", _proportions, p, cells)


def proportions(p: ReversalParameters, run: Run) -> pd.DataFrame:
    """Reversals by the sample's class counts: columns distance, n0, samples, rule, percent, se."""
    results = run(proportions_study(p))
    totals = results.groupby(["distance", "n0", "rule"], observed=True)[["samples", "reversed"]].sum().reset_index()
    measured = [share_of(r.reversed, r.samples) * 100 for r in each(totals)]
    columns = {"percent": [m.value for m in measured], "se": [m.se for m in measured]}
    return totals[["distance", "n0", "samples", "rule"]].assign(**columns)


def share_at(shares: pd.DataFrame, rule: Rule, n0: int, distance: float = 0.0) -> Estimate:
    """Share of reversals among samples with n0 cases of class 0, percent, from :func:`proportions`."""
    (line,) = each(matching(shares, rule=rule, n0=n0, distance=distance))
    return Estimate(line.percent, line.se, line.samples)
