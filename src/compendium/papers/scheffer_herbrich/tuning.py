"""The study of section 5's cure: a grid of settings tuned on the test folds, in each fold, and within training parts.

Every fit of a grid is made once and serves all estimates that need it.  Biases are estimate minus error on held-out
data, in percentage points: below nought is optimistic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.special import gammaln

from compendium.evidence import monte_carlo
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import parts
from compendium.methods.learners.sklearn_adapter import SklearnInducer
from compendium.papers.scheffer_herbrich.parameters import MeasuredParameters
from compendium.studies.replicates import Cell, Replicate, each_replicate
from compendium.studies.study import Study
from errorest.data import sets as datasets
from errorest.data.sample import Sample
from errorest.learners.base import Inducer
from errorest.learners.neighbors import KNN
from errorest.resampling.draw import k_fold
from errorest.streams import Streams


def _trees() -> list[Inducer]:
    from sklearn.tree import DecisionTreeClassifier

    return [
        SklearnInducer(DecisionTreeClassifier(max_depth=depth, min_samples_leaf=leaf))
        for depth in (None, 8, 4, 2)
        for leaf in (1, 2, 4, 8)
    ]


def _machines() -> list[Inducer]:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    return [
        SklearnInducer(make_pipeline(StandardScaler(), SVC(C=c, gamma=gamma)))
        for c in (1.0, 0.1, 10.0, 100.0)
        for gamma in (0.1, 0.01, 0.03, 0.3)
    ]


# Sixteen settings each: k; depth and least leaf of a tree; C and gamma of a Gaussian support vector machine
GRIDS: Mapping[str, Callable[[], list[Inducer]]] = {
    "k-nn": lambda: [KNN(k=k) for k in (1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 19, 23, 27, 31, 35)],
    "tree": _trees,
    "svm": _machines,
}

UNTUNED = 0  # Position in each grid of the setting that an untuned run takes


def subset_sizes(settings: int) -> list[int]:
    """Numbers of settings tried at which the bias is followed: powers of two, and all."""
    sizes = [2**i for i in range(settings.bit_length()) if 2**i < settings]
    return [*sizes, settings]


def first_of_subset(settings: int, tried: int) -> np.ndarray:
    """Probability that the r-th best of some settings is the best of a random subset of them."""
    below = settings - 1 - np.arange(settings)
    out = np.zeros(settings)
    some = below >= tried - 1
    b = below[some].astype(float)
    log = gammaln(b + 1) - gammaln(tried) - gammaln(b - tried + 2)
    whole = gammaln(settings + 1) - gammaln(tried + 1) - gammaln(settings - tried + 1)
    out[some] = np.exp(log - whole)
    return out


def _rates(
    inducer: Inducer,
    sample: Sample,
    training: Sequence[np.ndarray],
    tested: Sequence[np.ndarray],
    rng: np.random.Generator,
) -> list[np.ndarray]:
    """Losses of one setting: fitted on each training set, on each one's tested cases."""
    out = []
    for cases, test in zip(training, tested, strict=True):
        classifier = inducer.fit(sample.take(cases), rng)
        out.append(classifier.predict(sample.X[test]) != sample.y[test])
    return out


def tuning(cell: Cell) -> Replicate:
    """Tune one inducer on a random part of a data set, three ways, and test it on the rest.

    Columns are error rates, proportions.  ``untuned``, ``best-of-grid`` and ``nested`` are
    cross-validated, ``per-fold`` is the mean of each fold's least error; ``<way>/held-out`` is the error
    rate on the cases held out of what that way would hand over: the classifier of all cases with the
    chosen setting, or, per fold, the folds' own classifiers.  ``<way>/tried=t`` are expectations over
    random subsets of t settings.  Of settings with equal errors the first of the grid is taken.
    """
    from sklearn import config_context

    whole, grid = datasets.load(cell["data"]), GRIDS[cell["inducer"]]()

    def tune(place: Streams) -> dict[str, float]:
        order = place.generator("sample").permutation(whole.n)
        sample = whole.take(order[: cell["n"] + cell["held_out"]])
        # the samples are whole and the settings sound, and scikit-learn would check both in every fit
        with config_context(assume_finite=True, skip_parameter_validation=True):
            fits = _fits(sample, grid, cell["n"], cell["folds"], cell["inner_folds"], place)
        return _estimates(*fits, subset_sizes(len(grid)))

    return tune


def _fits(
    sample: Sample, grid: list[Inducer], n: int, folds: int, inner_folds: int, place: Streams
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Fit every setting on all n cases, on each fold's training part and on its inner folds' training parts."""
    cases, covered = np.arange(n), np.arange(n, sample.n)
    outer = k_fold(n, folds, place.generator("folds"))
    tests = [outer.cases[outer.start[f] : outer.start[f + 1]] for f in range(folds)]
    trainings = [np.setdiff1d(cases, test) for test in tests]
    inner_tests, inner_trainings = [], []
    for f, training in enumerate(trainings):
        split = k_fold(training.size, inner_folds, place.generator("inner folds", f))
        for g in range(inner_folds):
            test = training[split.cases[split.start[g] : split.start[g + 1]]]
            inner_tests.append(test)
            inner_trainings.append(np.setdiff1d(training, test))
    shape = (len(grid), folds)
    errors, away, inner, final = np.empty(shape), np.empty(shape), np.empty(shape), np.empty(len(grid))
    for s, inducer in enumerate(grid):
        rng = place.generator("fits", s)
        final[s] = _rates(inducer, sample, [cases], [covered], rng)[0].mean()
        losses = _rates(inducer, sample, trainings, [np.concatenate([t, covered]) for t in tests], rng)
        for f, (test, loss) in enumerate(zip(tests, losses, strict=True)):
            errors[s, f], away[s, f] = loss[: test.size].mean(), loss[test.size :].mean()
        within = [int(loss.sum()) for loss in _rates(inducer, sample, inner_trainings, inner_tests, rng)]
        inner[s] = np.reshape(within, (folds, inner_folds)).sum(axis=1)
    return errors, away, inner, final, np.array([test.size / n for test in tests])


def _estimates(
    errors: np.ndarray, away: np.ndarray, inner: np.ndarray, final: np.ndarray, weights: np.ndarray, tried: list[int]
) -> dict[str, float]:
    """Reduce the error rates of all fits to the columns of :func:`tuning`."""
    folds = np.arange(errors.shape[1])
    crossed = errors @ weights
    best, chosen = int(crossed.argmin()), inner.argmin(axis=0)
    own = errors.argmin(axis=0)
    results = {
        "untuned": crossed[UNTUNED],
        "untuned/held-out": final[UNTUNED],
        "best-of-grid": crossed[best],
        "best-of-grid/held-out": final[best],
        "per-fold": errors[own, folds] @ weights,
        "per-fold/held-out": away[own, folds] @ weights,
        "nested": errors[chosen, folds] @ weights,
        # the procedure that nested folds assess ends with the setting that cross-validation likes best
        "nested/held-out": final[best],
    }
    ranked, ranked_apart = crossed.argsort(kind="stable"), errors.argsort(axis=0, kind="stable")
    for t in tried:
        chance = first_of_subset(errors.shape[0], t)
        results[f"best-of-grid/tried={t}"] = chance @ crossed[ranked]
        results[f"best-of-grid/held-out/tried={t}"] = chance @ final[ranked]
        results[f"per-fold/tried={t}"] = chance @ np.take_along_axis(errors, ranked_apart, axis=0) @ weights
        results[f"per-fold/held-out/tried={t}"] = chance @ np.take_along_axis(away, ranked_apart, axis=0) @ weights
    return {name: float(value) for name, value in results.items()}


def tuning_study(p: MeasuredParameters) -> Study:
    """Make the study of the cure; samples depend on the data set, n and the seed alone."""
    sizes = {"n": p.cases, "held_out": p.held_out, "folds": p.folds, "inner_folds": p.inner_folds}
    return Study(
        "scheffer-herbrich-tuning",
        [{"data": data, "inducer": inducer, **sizes} for data in p.data for inducer in p.inducers],
        p.samples,
        each_replicate(tuning),
        seed=p.seed,
        seed_keys=("data", "n"),
        data={data: datasets.digest(data) for data in p.data},
        chunk=4,
        cost=lambda cell: 1.0 if cell["inducer"] == "k-nn" else 5.0,
    )


READING = "unstated:grids"
ALL = ("all", "all")  # The key of what is pooled over data sets and inducers


def differences(results: pd.DataFrame, way: str, tried: int | None = None) -> pd.DataFrame:
    """Return the bias of every sample in points, with its data set and inducer."""
    end = "" if tried is None else f"/tried={tried}"
    bias = 100 * (results[f"{way}{end}"] - results[f"{way}/held-out{end}"])
    return results[["data", "inducer", "replicate"]].assign(bias=bias)


def difference_of_biases(one: pd.DataFrame, other: pd.DataFrame) -> Estimate:
    """Return the mean over all cells of one bias minus another, sample by sample."""
    return pooled(one.assign(bias=one["bias"] - other["bias"]))


def pooled(bias: pd.DataFrame) -> Estimate:
    """Return the mean over all cells; inducers share their samples, so a sample's mean over them counts once."""
    samples = bias.groupby(["data", "replicate"], sort=False)["bias"].mean().reset_index()
    return monte_carlo.mean(samples["bias"].to_numpy(), samples["data"].to_numpy(dtype=str)).named(unit="points")


def mean_biases(bias: pd.DataFrame) -> dict[tuple[str, str], Estimate]:
    """Return the mean bias over all, and by data set and inducer."""
    cells = parts(bias, "data", "inducer")
    return {ALL: pooled(bias), **{k: monte_carlo.mean(d["bias"].to_numpy()) for k, d in cells.items()}}
