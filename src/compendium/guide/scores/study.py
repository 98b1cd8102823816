"""The study of scores: `estimate` and `compare` on samples whose true scores are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from compendium.guide.scores.populations import INDUCERS, POPULATIONS
from compendium.papers.parameters import Parameters, Sizes, parameter, unique
from compendium.papers.validation import field_validator, model_validator
from compendium.studies.replicates import Cell, Replicate, each_replicate
from compendium.studies.study import Study
from errorest.assessment.compare import compare
from errorest.assessment.estimate import estimate
from errorest.errors import nearest
from errorest.learners import KNN
from errorest.streams import Streams

# Settings of `estimate`: defaults, and folds whose answers are pooled before the AUC is taken; the differences are
# those which `compare` finds between a learner and the rival
METHODS: Mapping[str, Mapping[str, Any]] = {
    "AUC": {"scoring": "auc"},
    "AUC-of-pooled-folds": {"scoring": "auc", "method": "cv(k=5, stratified=True, weights=test-size)"},
    "Brier-score": {"scoring": "brier"},
    "Brier-score-of-632+": {"scoring": "brier", "method": "632+", "interval": "632+span"},
    "log-loss": {"scoring": "log-loss"},
    "average-precision": {"scoring": "average-precision"},
    "macro-AUC": {"scoring": "macro-auc"},
    "AUC-difference": {"scoring": "auc"},
    "error-difference": {"scoring": "error"},
}

_DIFFERENCES = ("AUC-difference", "error-difference")

RIVAL = KNN(3)

# Fewest cases of a class that an AUC is estimated from
LEAST = 2

# Sizes and shares at which the populations after the first are run
_ELSEWHERE = ((20, 0.5), (57, 0.2), (100, 0.05))

# The same for two populations, and for a learner that is trained by a loop
_FEW = {"wide": ((57, 0.2),), "grouped": ((57, 0.5),), "svm": ((57, 0.2),), "three": ((20, 0.2), (100, 0.2))}

# Means of probabilities, which do not go by the rarer class, and other estimates than the defaults
_MEANS = ("Brier-score", "log-loss")
_ELSE = ("AUC-of-pooled-folds", *_MEANS, "Brier-score-of-632+")

# Populations, sizes and shares at which two learners are compared
_COMPARED = (("normal", "noise"), ((20, 0.5), (57, 0.2), (100, 0.5)))


class ScoresParameters(Parameters, notebook="guide/04-scores"):
    """Parameters of the study of scores."""

    populations: list[str] = parameter(
        ["normal", "far", "noise", "skewed", "wide", "grouped", "three"],
        min_length=1,
        preview=["normal", "grouped"],
    )
    inducers: list[str] = parameter(["naive-bayes", "ldf", "c4.5", "svm"], min_length=1)
    sizes: Sizes = parameter([20, 50, 57, 100], min_length=1, preview=[20, 57])
    shares: list[float] = parameter([0.05, 0.2, 0.5], min_length=1)
    repetitions: int = parameter(130, ge=2, preview=10, replication=True)
    all_cells: bool = parameter(False)
    confidence: float = parameter(0.95, gt=0, lt=1)
    seed: int = parameter(2026, ge=0)

    _unique = field_validator("populations", "inducers", "shares")(unique)

    @model_validator(mode="after")
    def _known(self) -> ScoresParameters:
        for what, given, known in (("population", self.populations, POPULATIONS), ("learner", self.inducers, INDUCERS)):
            for name in given:
                if name not in known:
                    raise ValueError(
                        f"unknown {what} '{name}'; expected one of {', '.join(known)}; {nearest(name, known)}"
                    )
        if not all(0 < share <= 0.5 for share in self.shares):
            raise ValueError(f"shares must be above 0 and at most 0.5; got {self.shares}")
        if not cells_of(self):
            raise ValueError(f"no cell has {LEAST} positive cases; take larger sizes or shares, or set all_cells")
        return self


class GridCell(NamedTuple):
    """One cell of the grid, with the methods that are measured there."""

    population: str
    inducer: str
    n: int
    share: float
    methods: tuple[str, ...]

    @property
    def rarer(self) -> int:
        """Cases, or groups, of the rarer class."""
        return round(self.share * self.units)

    @property
    def units(self) -> int:
        """Cases, or groups, of all classes."""
        return self.n // POPULATIONS[self.population].group


def cells_of(p: ScoresParameters) -> list[GridCell]:
    """List the cells: the first population in full, the others at few sizes and shares."""
    cells = (GridCell(*place, _methods(p, *place)) for place in product(p.populations, p.inducers, p.sizes, p.shares))
    return [cell for cell in cells if cell.methods and LEAST <= cell.rarer <= cell.units - LEAST]


def _methods(p: ScoresParameters, population: str, inducer: str, n: int, share: float) -> tuple[str, ...]:
    """Name what is measured in a cell: AUCs in most, the others where they show what they are worth."""
    first, place, fast = population == p.populations[0], (n, share), inducer != "svm"
    if fast:
        wanted = p.all_cells or first or place in _FEW.get(population, _ELSEWHERE)
    else:
        wanted = p.all_cells or (place in _FEW["svm"] and (first or population == "wide"))
    if POPULATIONS[population].classes > 2:
        return ("macro-AUC",) if wanted and fast else ()
    own = {"AUC"} if wanted else set()
    if wanted and fast and not first and POPULATIONS[population].group == 1:
        own |= {"average-precision", *_MEANS}
    if first and fast and n in (min(p.sizes), max(p.sizes)):
        # the other estimates are made where classes are equally frequent, which suits them
        own |= {"average-precision", *(_ELSE if share == max(p.shares) else ())}
    if fast and population in _COMPARED[0] and place in _COMPARED[1]:
        own |= {*_DIFFERENCES}
    return tuple(method for method in METHODS if method in own)


def _design(cell: Cell) -> Replicate:
    """Return what one replicate measures: for each method the truth, the estimate and its interval."""
    population, inducer = POPULATIONS[cell["population"]], INDUCERS[cell["inducer"]]

    def replicate(place: Streams) -> Mapping[str, Sequence[object]]:
        sample, groups = population.sample(cell["n"], cell["share"], place.generator("sample"))
        classifier = inducer.fit(sample)
        truths = population.truths(classifier, {METHODS[m]["scoring"] for m in cell["methods"]}, cell["share"])
        lines: dict[str, list[object]] = {name: [] for name in ("method", "truth", "value", "low", "high")}
        for method in cell["methods"]:
            how: dict[str, Any] = {
                **METHODS[method],
                "groups": groups,
                "rng": place.generator("estimate"),
                "confidence_level": cell["confidence"],
            }
            truth, pair = truths[how["scoring"]], method in _DIFFERENCES
            if pair:
                truth -= population.truths(RIVAL.fit(sample), [how["scoring"]], cell["share"])[how["scoring"]]
            result: Any = compare(inducer, RIVAL, sample, **how) if pair else estimate(inducer, sample, **how)
            value, between = result.value, result.interval
            low, high = (np.nan, np.nan) if between is None else (between.low, between.high)
            for column, number in zip(lines, (method, truth, value, low, high), strict=True):
                lines[column].append(number)
        return lines

    return replicate


def scores_study(p: ScoresParameters) -> Study:
    """Return the study; all learners see the same samples and resamples."""
    return Study(
        "guide-scores",
        [{**cell._asdict(), "confidence": p.confidence} for cell in cells_of(p)],
        p.repetitions,
        each_replicate(_design),
        seed=p.seed,
        seed_keys=("population", "n", "share"),
        chunk=65,
        version=3,
        cost=lambda cell: (8.0 if cell["inducer"] == "svm" else 1.0) + 2.0 * len(cell["methods"]),
    )
