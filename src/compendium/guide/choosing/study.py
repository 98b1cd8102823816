"""The study of the best of many: its error as found, bias-corrected and by nested folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import sqrt

import numpy as np
from scipy.special import ndtri

from compendium.guide.choosing.parameters import CANDIDATES, POPULATIONS, ChoosingParameters
from compendium.guide.choosing.populations import columnar, draw_sample, normal_classes, single_attributes, true_error
from compendium.studies.replicates import Cell, Replicate, each_replicate
from compendium.studies.study import Study
from errorest.assessment.bias_corrected import MeanLosses, bias_corrected_error, first_least, wilson_of_nested
from errorest.counting import count_each
from errorest.data.sample import Sample
from errorest.estimation.outcomes import segment_sums
from errorest.estimation.run import predict_schemes
from errorest.learners.base import Inducer
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.schemes import KFold
from errorest.streams import Streams

_FOLDS = KFold(10, repeats=10)

_INNER = KFold(5)

# Training sets that choose again: those of the first repetition
_NESTED = 10


def _chosen(cell: Cell) -> Replicate:
    """Return what one replicate yields: for every number of candidates the truth, and every error of the best."""
    distances, share = POPULATIONS[cell["population"]], cell["confidence"]
    own = CANDIDATES[: max(cell["candidates"])]

    def replicate(place: Streams) -> Mapping[str, Sequence[object]]:
        sample = draw_sample(normal_classes(distances).sample, cell["n"], place.generator("sample"))
        columns = single_attributes(sample)
        folds = _FOLDS.draw(sample, place)
        losses = np.stack([predict_schemes(columns[j], rule, {_FOLDS: folds}, place)[_FOLDS].losses for j, rule in own])
        sums = np.stack([count_each(folds.cases, own_losses, sample.n) for own_losses in losses], axis=1)
        tests = count_each(folds.cases, minlength=sample.n)
        inner = _inner_errors(columns, own, folds, place)
        lines = []
        for number in cell["candidates"]:
            part = np.ascontiguousarray(sums[:, :number])
            best = int(first_least(part.sum(axis=0)))
            j, rule = own[best]
            truth = true_error(distances[j], rule, columns[j])
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
        return columnar(("number", "method", "truth", "value", "low", "high"), lines)

    return replicate


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
