"""Groups: cases of one person, batch or site are alike, are resampled together, and an interval counts groups.

The cases of a group share a part of their attributes; groups are of equal or of unequal size, with a class a group or
a class a case.  `estimate` is asked as a user asks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from compendium.guide.coverage.inducers import INDUCERS
from compendium.studies.replicates import Replicate, each_replicate
from compendium.studies.study import Study
from errorest.assessment.estimate import estimate
from errorest.counting import repeat_each
from errorest.data.sample import Sample
from errorest.estimation.intervals import parse_interval
from errorest.estimation.intervals.coverage_table import Counted
from errorest.streams import Streams

if TYPE_CHECKING:
    from compendium.evidence.results import Run
    from compendium.guide.coverage.parameters import CoverageParameters

# Cases on which a classifier's error is measured, in groups of five or so
TESTED = 8192

# The mean number of cases of a group
USUAL = 5

# What is asked for, by the names of the coverage study; of six groups there are no ten folds
METHODS: Mapping[str, str] = {
    ".632+-to-Wilson": "auto",
    "stratified-5-fold-CV-Wald": "cv(k=5, stratified=True)",
    "10-fold-CV-Wald": "cv(k=10)",
    "holdout-Wald": "holdout",
}

# Inducers that are run on groups
LEARN = ("1-nn", "ldf", "naive-bayes")


class GroupWorld(NamedTuple):
    """Normal attributes, shifted by the class, of which the cases of a group share a part of the variance."""

    distance: float
    attributes: int
    common: float
    """The shared part of the variance."""
    unequal: bool = False
    """Whether groups have one case and more, by a geometric law; else all have five."""
    of_group: bool = True
    """Whether the class is the group's; else each case has its own."""

    def draw(self, groups: int, rng: np.random.Generator) -> tuple[Sample, np.ndarray]:
        """Draw groups of cases: a sample, and the group of each case."""
        size = rng.geometric(1 / USUAL, groups) if self.unequal else np.full(groups, USUAL)
        group = repeat_each(np.arange(groups), size)
        # at least two groups of each class, so that every learner can be trained
        of_groups = np.r_[0, 1, 0, 1, rng.integers(0, 2, groups)][:groups]
        y = of_groups[group] if self.of_group else rng.integers(0, 2, group.size)
        shared = rng.standard_normal((groups, self.attributes))[group]
        X = sqrt(self.common) * shared + sqrt(1 - self.common) * rng.standard_normal((group.size, self.attributes))
        return Sample.from_arrays(X + y[:, None] * self.distance / sqrt(self.attributes), y, classes=("0", "1")), group


GROUP_WORLDS: Mapping[str, GroupWorld] = {
    "groups-alike": GroupWorld(1.5, 2, 0.5),
    "groups-much-alike": GroupWorld(1.5, 4, 0.9),
    "groups-little-alike": GroupWorld(1.0, 3, 0.1),
    "groups-far-apart": GroupWorld(3.0, 2, 0.5),
    "groups-unequal": GroupWorld(1.5, 2, 0.5, unequal=True),
    "groups-unequal-much-alike": GroupWorld(2.0, 6, 0.8, unequal=True),
    "groups-of-mixed-class": GroupWorld(1.5, 3, 0.5, of_group=False),
    "groups-unequal-of-mixed-class": GroupWorld(2.0, 2, 0.7, unequal=True, of_group=False),
}
"""Eight of them, so that a sentence may count what it says."""


def _design(cell: Mapping[str, Any]) -> Replicate:
    """Return what one replicate measures: of each inducer the truth, and the limits of each method."""
    world = GROUP_WORLDS[cell["population"]]
    test, _ = world.draw(TESTED // USUAL, np.random.default_rng(0))

    def replicate(place: Streams) -> Mapping[str, Sequence[object]]:
        sample, groups = world.draw(cell["n"], place.generator("sample"))
        lines: dict[str, list[object]] = {
            name: [] for name in ("inducer", "method", "interval", "truth", "low", "high")
        }
        truths = {i: float(np.mean(INDUCERS[i].fit(sample).predict(test.X) != test.y)) for i in cell["inducers"]}
        for (name, truth), (method, text) in product(truths.items(), cell["methods"].items()):
            found: Any = estimate(INDUCERS[name], sample, groups=groups, method=text, rng=place.generator("estimate"))
            limits = found.interval
            values = (name, method, limits.method, truth, limits.low, limits.high)
            for column, value in zip(lines, values, strict=True):
                lines[column].append(value)
        return lines

    return replicate


def groups_study(p: CoverageParameters) -> Study:
    """Return the study; all inducers see the same samples and resamples."""
    inducers = [name for name in LEARN if name in p.inducers]
    return Study(
        "guide-coverage-groups",
        [
            {
                "population": name,
                "n": n,
                "inducers": inducers,
                "methods": {m: text for m, text in METHODS.items() if n >= 10 or "k=10" not in text},
            }
            for name, n in product(p.group_worlds, p.group_sizes)
        ],
        p.group_samples,
        each_replicate(_design),
        seed=p.seed,
        seed_keys=("population", "n"),
        chunk=20,
    )


def group_lines(p: CoverageParameters, run: Run) -> Iterator[tuple[str, Counted]]:
    """Yield what the library ships, and the method: in how many samples of groups an interval held either target."""
    if not p.group_worlds or not set(LEARN) & set(p.inducers):
        return
    table = run(groups_study(p))
    for (name, inducer, n, method, text), own in table.groupby(
        ["population", "inducer", "n", "method", "interval"], sort=False, observed=True
    ):
        low, high, truth = (own[c].to_numpy() for c in ("low", "high", "truth"))
        held, held_mean = ((low <= t) & (t <= high) for t in (truth, np.full(truth.shape, truth.mean())))
        made, error = parse_interval(str(text)).id, float(f"{truth.mean():.4g}")
        counts = int(held.sum()), int(held_mean.sum()), len(own), error
        yield str(method), Counted(made, str(name), str(inducer), int(str(n)), *counts, "groups")
