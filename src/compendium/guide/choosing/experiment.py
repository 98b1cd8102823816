"""The studies of choosing: corrected errors of the best of many, tests against chance, and posteriors of differences.

A candidate sees one attribute.  Each attribute is normal within both classes, so that the true error of every
classifier is exact; where the classes do not differ it is one half, whatever the classifier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product
from math import sqrt
from typing import Any, Literal

import numpy as np
from pydantic import field_validator
from scipy.special import bdtr, ndtri

from compendium.methods.learners.threshold import Threshold
from compendium.papers.parameters import Parameters, SizesForTenFolds, each_once, parameter
from compendium.studies.populations import NormalClasses, TwoNormals
from compendium.studies.replicates import each_replicate
from compendium.studies.study import Study
from errorest.assessment.bias_corrected import MeanLosses, bias_corrected_error, first_least, wilson_of_nested
from errorest.assessment.compare import practical_equality
from errorest.assessment.permutation import permutation_test
from errorest.assessment.shared_splits import corrected_spread
from errorest.data.sample import Attribute, Sample
from errorest.estimation.outcomes import segment_sums
from errorest.estimation.run import predict_schemes
from errorest.learners import KNN, LinearDiscriminant
from errorest.learners.base import Inducer
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.schemes import Holdout, KFold
from errorest.streams import Streams

# Attributes of a population that candidates are chosen in
ATTRIBUTES = 20

_RULES: tuple[Inducer, ...] = (Threshold("literal"), KNN(1), KNN(3), KNN(5), KNN(7))

# Attribute and inducer of each candidate: every inducer on every attribute, so mixed that the first few are unlike
CANDIDATES: tuple[tuple[int, Inducer], ...] = tuple(
    (c % ATTRIBUTES, _RULES[(c + c // ATTRIBUTES) % len(_RULES)]) for c in range(ATTRIBUTES * len(_RULES))
)

Population = Literal["noise", "alike", "one-good"]

# Distance of the means of the classes on each attribute, in standard deviations
POPULATIONS: Mapping[str, tuple[float, ...]] = {
    "noise": (0.0,) * ATTRIBUTES,
    "alike": (1.0,) * ATTRIBUTES,
    "one-good": (2.0, *(0.0,) * (ATTRIBUTES - 1)),
}

# Errors of the best: as it was found, corrected by the bootstrap, and by nested cross-validation
METHODS = ("minimum", "bbc", "nested")

_FOLDS = KFold(10, repeats=10)
_INNER = KFold(5)
# Training sets that choose again: those of the first repetition
_NESTED = 10

# Inducers that are tested against chance
TESTED: Mapping[str, Inducer] = {"1-nn": KNN(1), "ldf": LinearDiscriminant()}

# Permuted labels; the binomial test on the errors of the same folds, and on a third that is held out
TESTS = ("permutation", "binomial-cv", "binomial-holdout")

_COMPARED: tuple[Inducer, ...] = (Threshold("literal"), KNN(1), KNN(5))
_STEPS = 3
# As `compare` does
_SPLITS = KFold(5, repeats=5, stratified=True)


class ChoosingParameters(Parameters, notebook="guide/05-choosing"):
    """Parameters of the studies of choosing."""

    sizes: SizesForTenFolds = parameter([20, 50, 100], min_length=1, preview=[20, 50])
    populations: list[Population] = parameter(["noise", "alike", "one-good"], min_length=1)
    candidates: list[int] = parameter([2, 5, 10, 30, 100], min_length=1, preview=[2, 10])
    samples: int = parameter(220, ge=2, preview=10, replication=True)
    draws: int = parameter(1000, ge=20, preview=100)
    distances: list[float] = parameter([0.5, 1.0, 2.0])
    permutations: int = parameter(99, ge=19, preview=19)
    tests: int = parameter(2000, ge=2, preview=10, replication=True)
    power_tests: int = parameter(600, ge=2, preview=10, replication=True)
    level: float = parameter(0.05, gt=0, lt=0.5)
    gaps: list[float] = parameter([0.1, 0.5], min_length=1)
    margin: float = parameter(0.01, gt=0, lt=0.5)
    pairs: int = parameter(400, ge=2, preview=10, replication=True)
    confidence: float = parameter(0.95, gt=0, lt=1)
    seed: int = parameter(2026, ge=0)

    _once = field_validator("populations", "candidates", "distances", "gaps")(each_once)

    @field_validator("candidates")
    @classmethod
    def _so_many(cls, value: list[int]) -> list[int]:
        if not all(2 <= one <= len(CANDIDATES) for one in value):
            raise ValueError(f"numbers of candidates are {value}; expected whole numbers from 2 to {len(CANDIDATES)}")
        return value

    @field_validator("distances", "gaps")
    @classmethod
    def _apart(cls, value: list[float]) -> list[float]:
        if not all(0 < one < 10 for one in value):
            raise ValueError(f"distances are {value}; expected numbers above 0, below 10")
        return value


def drawn(draw: Callable[[int, np.random.Generator], Sample], n: int, rng: np.random.Generator) -> Sample:
    """Draw a sample with two cases of each class at least: of fewer nothing can be cross-validated."""
    sample = draw(n, rng)
    while min(sample.class_counts()) < 2:
        sample = draw(n, rng)
    return sample


@lru_cache(maxsize=16)
def _classes(distances: tuple[float, ...]) -> NormalClasses:
    return NormalClasses(np.array([[0.0] * len(distances), distances]), np.stack([np.eye(len(distances))] * 2))


def _columns(sample: Sample) -> list[Sample]:
    """Return a sample of each attribute alone."""
    one = (Attribute("x"),)
    return [replace(sample, X=np.ascontiguousarray(sample.X[:, j : j + 1]), attributes=one) for j in range(sample.d)]


def _chosen(cell: Mapping[str, Any]) -> Any:
    """Return what one replicate yields: for every number of candidates the truth, and every error of the best."""
    distances, share = POPULATIONS[cell["population"]], cell["confidence"]
    own = CANDIDATES[: max(cell["candidates"])]

    def replicate(place: Streams) -> dict[str, list[Any]]:
        sample = drawn(_classes(distances).sample, cell["n"], place.generator("sample"))
        columns = _columns(sample)
        folds = _FOLDS.draw(sample, place)
        losses = np.stack([predict_schemes(columns[j], rule, {_FOLDS: folds}, place)[_FOLDS].losses for j, rule in own])
        sums = np.stack([np.bincount(folds.cases, own_losses, sample.n) for own_losses in losses], axis=1)
        tests = np.bincount(folds.cases, minlength=sample.n)
        inner = _inner_errors(columns, own, folds, place)
        lines = []
        for number in cell["candidates"]:
            part = np.ascontiguousarray(sums[:, :number])
            best = int(first_least(part.sum(axis=0)))
            j, rule = own[best]
            truth = _true_error(distances[j], rule, columns[j])
            rng = place.generator("choose", cell["draws"])
            losses_of_cases = MeanLosses(part, tests)
            corrected = bias_corrected_error(
                losses_of_cases, n_resamples=cell["draws"], confidence_level=share, rng=rng
            )
            nested = float(_nested(folds, losses[:number], inner[:, :number], sample.n).mean())
            lines += [
                (number, "minimum", truth, *_wald(part[:, best] / tests, share)),
                (number, "bbc", truth, corrected.error, corrected.low, corrected.high),
                (number, "nested", truth, nested, *wilson_of_nested(nested, sample.n, _NESTED, 1, share)),
            ]
        return _columnar(("number", "method", "truth", "value", "low", "high"), lines)

    return replicate


def _columnar(names: Sequence[str], lines: Sequence[tuple[Any, ...]]) -> dict[str, list[Any]]:
    return {name: list(values) for name, values in zip(names, zip(*lines, strict=True), strict=True)}


def _true_error(distance: float, rule: Inducer, column: Sample) -> float:
    return TwoNormals(distance).true_error(rule.fit(column))  # type: ignore[arg-type]


def _wald(cases: np.ndarray, confidence: float) -> tuple[float, float, float]:
    """Return the mean of the cases and its normal limits, as if nothing had been chosen."""
    half = float(ndtri((1 + confidence) / 2)) * float(cases.std(ddof=1)) / sqrt(cases.size)
    mean = float(cases.mean())
    return mean, mean - half, mean + half


def _inner_errors(
    columns: Sequence[Sample], own: Sequence[tuple[int, Inducer]], folds: Resamples, place: Streams
) -> np.ndarray:
    """Cross-validate every candidate inside each training set; errors, shape (training sets, candidates)."""
    counts, cases, sizes = [], [], []
    n = folds.n
    for row in range(_NESTED):
        train = np.flatnonzero(folds.training_counts(row, row + 1)[0])
        within = _INNER.draw(columns[0].take(train), place.child("within", row))
        whole = np.zeros((within.n_rows, n), dtype=np.int32)
        whole[:, train] = within.training_counts()
        counts.append(whole)
        cases.append(train[within.cases])
        sizes.append(np.diff(within.start))
    start = np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64)
    inner = from_training_counts(np.concatenate(counts), start, np.concatenate(cases).astype(np.int32))
    y = columns[0].y[inner.cases]
    wrong = [
        segment_sums((rule.predict_resamples(columns[j], inner) != y).astype(np.float64), start) for j, rule in own
    ]
    return np.stack([w.reshape(_NESTED, -1).sum(axis=1) for w in wrong], axis=1)


def _nested(folds: Resamples, losses: np.ndarray, inner: np.ndarray, n: int) -> np.ndarray:
    """Return the loss of each case by what the folds without it chose."""
    tested = slice(0, int(folds.start[_NESTED]))
    row = folds.row_of_test()[tested]
    best = first_least(inner)
    out = np.empty(n)
    out[folds.cases[tested]] = losses[best[row], np.arange(row.size)]
    return out


def choosing_study(p: ChoosingParameters) -> Study:
    """Make the study of the best of many; all numbers of candidates see the same samples and folds."""
    cells = [
        {"population": population, "n": n, "candidates": p.candidates, "draws": p.draws, "confidence": p.confidence}
        for population, n in product(p.populations, p.sizes)
    ]
    return Study(
        "guide-choosing",
        cells,
        p.samples,
        each_replicate(_chosen),
        seed=p.seed,
        seed_keys=("population", "n"),
        chunk=50,
        cost=lambda cell: 15.0 + 0.35 * float(cell["n"]),
    )


def _tested(cell: Mapping[str, Any]) -> Any:
    """Return what one replicate yields: the p-value of each test."""
    inducer, held_out = TESTED[cell["inducer"]], Holdout()
    classes = _classes((cell["distance"] / sqrt(2),) * 2)

    def replicate(place: Streams) -> dict[str, float]:
        sample = drawn(classes.sample, cell["n"], place.generator("sample"))
        rng = place.generator("permutations")
        result = permutation_test(inducer, sample, n_permutations=cell["permutations"], rng=rng)
        apart = held_out.draw(sample, place)
        missed = int(predict_schemes(sample, inducer, {held_out: apart}, place)[held_out].errors.sum())
        return {
            "permutation": result.p_value,
            "binomial-cv": float(bdtr(round(result.value * sample.n), sample.n, 0.5)),
            "binomial-holdout": float(bdtr(missed, apart.cases.size, 0.5)),
        }

    return replicate


def chance_study(p: ChoosingParameters) -> Study:
    """Make the study of tests against chance; inducers see the same samples."""
    cells = [
        {"distance": distance, "inducer": inducer, "n": n, "permutations": p.permutations}
        for distance, inducer, n in product([0.0, *p.distances], TESTED, p.sizes)
    ]
    return Study(
        "guide-choosing-chance",
        cells,
        [p.power_tests if cell["distance"] else p.tests for cell in cells],
        each_replicate(_tested),
        seed=p.seed,
        seed_keys=("distance", "n"),
        chunk=100,
        cost=lambda cell: 1.0 + 0.05 * float(cell["n"]) * float(cell["permutations"]) / 99,
    )


def _compared(cell: Mapping[str, Any]) -> Any:
    """Return what one replicate yields: for every pair its posterior, and its two true errors."""
    distances = tuple(1.0 + step * cell["gap"] for step in range(_STEPS))
    own = list(product(range(_STEPS), _COMPARED))

    def replicate(place: Streams) -> dict[str, list[Any]]:
        sample = drawn(_classes(distances).sample, cell["n"], place.generator("sample"))
        columns = _columns(sample)
        splits = _SPLITS.draw(sample, place)
        rates = [predict_schemes(columns[j], rule, {_SPLITS: splits}, place)[_SPLITS].row_rates for j, rule in own]
        truths = [_true_error(distances[j], rule, columns[j]) for j, rule in own]
        tested = float(splits.cases.size / splits.n_rows)
        lines = []
        for a, b in combinations(range(len(own)), 2):
            difference = rates[a] - rates[b]
            mean, spread = float(difference.mean()), corrected_spread(difference, tested, sample.n, sample.n)
            wide = practical_equality(mean, spread, cell["margin"])
            plain = practical_equality(mean, spread, 0.0)
            # a difference of 0 in every split is no evidence for either
            one = plain.a_better + plain.equal / 2
            lines.append((a, b, truths[a], truths[b], one, wide.a_better, wide.b_better))
        return _columnar(("a", "b", "truth_a", "truth_b", "a_better", "a_better_by_more", "b_better_by_more"), lines)

    return replicate


def pairs_study(p: ChoosingParameters) -> Study:
    """Make the study of posteriors; all pairs of a sample see the same splits."""
    cells = [{"gap": gap, "n": n, "margin": p.margin} for gap, n in product(p.gaps, p.sizes)]
    return Study(
        "guide-choosing-pairs",
        cells,
        p.pairs,
        each_replicate(_compared),
        seed=p.seed,
        seed_keys=("gap", "n"),
        chunk=100,
        cost=lambda cell: 3.0 + 0.03 * float(cell["n"]),
    )
