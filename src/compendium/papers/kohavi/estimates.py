"""Estimates of the accuracy on many samples of the data sets, which Figures 1 to 4 and section 5 speak of.

Accuracies are in percent; bias is the mean estimate minus the true accuracy of Table 1: optimism is positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.claims import NotRun
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import parts
from compendium.evidence.results import Run
from compendium.evidence.trials import Trials
from compendium.methods.estimators import parse_estimator
from compendium.papers.import_paths import separate_studies
from compendium.papers.kohavi.data import DataSet, whole_of
from compendium.papers.kohavi.inducers import column_and_reading, inducer_named, own_files
from compendium.papers.kohavi.parameters import EstimateParameters, Point
from compendium.studies.experiment import TRUE_ERROR, Experiment, Trial, wide
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import PartOfData
from compendium.studies.study import Study

APPARENT = "resubstitution"  # Accuracy of the sample's classifier on the sample
HOLDOUT = "holdout"  # Accuracy of the sample's classifier on all cases outside the sample
RUNS = "runs"  # Classifiers of all estimates, without that of the whole sample
LOO, LEAVE_TWO, ADVISED = "leave-1-out", "leave-2-out", "stratified-k=10"


def _left_out(points: Sequence[Point], trial: Trial) -> dict[str, float]:
    """Compute the estimates that leave some cases out, and count the classifiers of all.

    Leave-5-out of 100 cases has the 20 folds of another point; its own stream keeps the two apart.
    """
    n = trial.sample.n
    left = {q.name: parse_estimator(q.estimator(n)) for q in points}
    outcomes = trial.run([s for estimator in left.values() for s in estimator.schemes], "leave-out")
    made = [o.n_rows for o in (*outcomes.values(), *trial.outcomes.values())]
    # the apparent error's one row is the classifier of the whole sample
    results = {name: estimator.reduce(trial.sample, outcomes) for name, estimator in left.items()}
    return {**results, RUNS: float(sum(made) - 1)}


def _estimates(cell: Cell) -> Experiment:
    points = [Point(*q) for q in cell["points"]]
    named = {q.name: q.estimator(cell["size"]) for q in points if q.kind != "leave-out"}
    return Experiment(
        PartOfData(whole_of(cell), cell["size"]),
        inducer_named(cell["inducer"]),
        {APPARENT: "resubstitution", **named},
        extras=(partial(_left_out, [q for q in points if q.kind == "leave-out"]),),
    )


def _cost(cell: Cell) -> float:
    """Milliseconds, roughly, of all classifiers of one sample."""
    n = cell["size"]
    return 2.0 + sum(Point(*q).rows(n) for q in cell["points"]) * (0.15 + n / 4000)


def estimate_study(
    data: Sequence[tuple[DataSet, int]], inducers: Sequence[str], points: Sequence[Point], seed: int
) -> Study:
    """Return the study of estimates; all inducers see the same samples, folds and bootstrap samples.

    The quantities are error rates: of :attr:`Point.name`, :data:`APPARENT` and the true error on all other
    cases; and :data:`RUNS`.
    """
    return Study(
        "kohavi-estimates",
        [
            {**one.cell(seed), "size": one.size, "inducer": name, "points": [list(q) for q in points]}
            for one, _ in data
            for name in inducers
        ],
        [samples for _, samples in data for _ in inducers],
        each_replicate(_estimates),
        seed=seed,
        seed_keys=("digest", "size"),
        data={one.name: one.sample.digest() for one, _ in data} | own_files(inducers),
        chunk=10,
        cost=_cost,
    )


def key_of(set_name: str, inducer: str) -> str:
    """Return the row under which a data set and an inducer stand."""
    return f"{set_name}/{column_and_reading(inducer)[0]}"


def estimates_of(p: EstimateParameters, run: Run) -> dict[tuple[str, str], Trials]:
    """Return all estimates, as accuracies, by data set and inducer: a row a sample."""
    sets = p.sets()
    data = tuple((one, p.samples_of(one)) for one in sets)
    together = separate_studies(p.inducers, lambda name: own_files([name]))
    results = pd.concat([wide(run(estimate_study(data, some, p.points, p.seed))) for some in together])
    by = parts(results, "source", "inducer")
    rates = [TRUE_ERROR, APPARENT, *(q.name for q in p.points)]
    estimates = {}
    for one in sets:
        for inducer in p.inducers:
            errors = by[one.source, inducer]
            accuracies = (1.0 - errors[rates]).rename(columns={TRUE_ERROR: HOLDOUT}).assign(**{RUNS: errors[RUNS]})
            estimates[one.name, inducer] = Trials(accuracies, column_and_reading(inducer)[1], label=one.name)
    return estimates


@dataclass(frozen=True)
class InducerEstimates:
    """The estimates of one inducer by data set; for biases, with the true accuracies by data set and inducer."""

    inducer: str
    trials: Mapping[str, Trials]
    truths: Mapping[tuple[str, str], Estimate]

    @property
    def column(self) -> str:
        """The paper's name for the inducer."""
        return column_and_reading(self.inducer)[0]

    def biases(self, point: str, only: Iterable[str] | None = None) -> list[Estimate]:
        """Mean estimate minus true accuracy on each data set, or on some; NotRun on none."""
        sets = [name for name in self.trials if only is None or name in only]
        if not sets:
            raise NotRun("none of the data sets")
        return [(self.trials[s].mean(point) - self.truths[s, self.inducer]).named(s, "points", 1) for s in sets]

    def gap(self, *pairs: tuple[str, str]) -> Estimate:
        """First estimate of each pair minus the second on the same samples: mean over pairs, samples, data sets."""
        gaps = [t.average(np.mean([t.difference(a, b) for a, b in pairs], axis=0)) for t in self.trials.values()]
        return monte_carlo.average(gaps).named("mean difference", "points")

    def sd_ratio(self, *pairs: tuple[str, str]) -> Estimate:
        """Standard deviation of the first estimate of each pair over that of the second; mean as in ``gap``."""
        ratios = []
        for t in self.trials.values():
            if varying := [(a, b) for a, b in pairs if np.ptp(t[b]) > 0]:
                # paired samples: the error is that of what each one adds to the ratio
                ratios.append(t.average(np.mean([monte_carlo.sd_ratio(t[a], t[b]) for a, b in varying], axis=0)))
        less = sum(ratio.value < 1 for ratio in ratios)
        label = f"mean ratio of the standard deviations (below 1 on {less} of {len(ratios)} data sets)"
        return monte_carlo.average(ratios).named(label, sign="")


def by_inducer(
    estimates: Mapping[tuple[str, str], Trials], truths: Mapping[tuple[str, str], Estimate] | None = None
) -> list[InducerEstimates]:
    """Group the estimates by inducer."""
    inducers = dict.fromkeys(inducer for _, inducer in estimates)
    return [InducerEstimates(i, {s: t for (s, j), t in estimates.items() if j == i}, truths or {}) for i in inducers]


def stratified_and_plain(p: EstimateParameters) -> list[tuple[str, str]]:
    """Return pairs of estimates with as many folds, stratified and plain; NotRun if there is none."""
    pairs = [(f"stratified-k={k}", f"k={k}") for k in p.folds if k in p.stratified_folds]
    if not pairs:
        raise NotRun("no number of folds is both plain and stratified")
    return pairs
