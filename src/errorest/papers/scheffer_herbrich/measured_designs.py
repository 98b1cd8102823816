"""What is measured on real data: tuning on the test folds, tuning within them, and section 4's independence.

Kept apart from the artifacts that are made of it, so that a word changed there leaves finished studies
valid.  Every fit of a grid is made once and serves all estimates that need it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import gammaln
from sklearn import config_context
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from errorest.data import sets as datasets
from errorest.data.sample import Sample
from errorest.inducers.base import Classifier, Inducer, predict_by_loop
from errorest.inducers.neighbors import KNN
from errorest.inducers.sklearn_adapter import SklearnInducer
from errorest.papers.scheffer_herbrich.examples import uneven_gain
from errorest.resampling.draw import Resamples, k_fold
from errorest.streams import Streams
from errorest.study.study import Study
from errorest.tuning_bias import gain_fixed_class_coupled, simulate_greedy_on

__all__ = [
    "GRIDS",
    "UNTUNED",
    "coupling_study",
    "first_of_subset",
    "measure_coupling",
    "measure_tuning",
    "subset_sizes",
    "tuning_study",
]


@dataclass(frozen=True)
class _Scaled:
    """A classifier of attributes that were brought to the training set's mean 0 and spread 1."""

    classifier: Classifier
    mean: np.ndarray
    spread: np.ndarray

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.classifier.predict((X - self.mean) / self.spread)


@dataclass(frozen=True)
class _Standardized:
    """An inducer behind a scaling that is learned from the training set alone; quicker than a pipeline."""

    inducer: Inducer

    @property
    def id(self) -> str:
        return f"standardized {self.inducer.id}"

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Classifier:
        mean, spread = sample.X.mean(axis=0), sample.X.std(axis=0)
        spread = np.where(spread > 0.0, spread, 1.0)
        return _Scaled(self.inducer.fit(replace(sample, X=(sample.X - mean) / spread), rng), mean, spread)

    def predict_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        return predict_by_loop(self, sample, resamples, rng)


def _trees() -> list[Inducer]:
    return [
        SklearnInducer(DecisionTreeClassifier(max_depth=depth, min_samples_leaf=leaf))
        for depth in (None, 8, 4, 2)
        for leaf in (1, 2, 4, 8)
    ]


def _machines() -> list[Inducer]:
    return [
        _Standardized(SklearnInducer(SVC(C=c, gamma=gamma)))
        for c in (1.0, 0.1, 10.0, 100.0)
        for gamma in (0.1, 0.01, 0.03, 0.3)
    ]


GRIDS: Mapping[str, Callable[[], list[Inducer]]] = {
    "k-nn": lambda: [KNN(k=k) for k in (1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 19, 23, 27, 31, 35)],
    "tree": _trees,
    "svm": _machines,
}
"""Sixteen settings each: k; depth and least leaf of a tree; C and gamma of a Gaussian support vector machine."""

UNTUNED = 0
"""Position in each grid of the setting that an untuned run takes."""


def subset_sizes(settings: int) -> list[int]:
    """Numbers of settings tried at which the bias is followed: powers of two, and all.

    Examples
    --------
    >>> subset_sizes(16)
    [1, 2, 4, 8, 16]
    """
    sizes = [2**i for i in range(settings.bit_length()) if 2**i < settings]
    return [*sizes, settings]


def first_of_subset(settings: int, tried: int) -> np.ndarray:
    """Probability that the r-th best of some settings is the best of a random subset of them.

    Parameters
    ----------
    settings, tried : int
        Sizes of the grid and of the subset.

    Returns
    -------
    float array, shape (settings,)
        C(settings - 1 - r, tried - 1) / C(settings, tried).

    Examples
    --------
    >>> first_of_subset(3, 2).round(4).tolist()
    [0.6667, 0.3333, 0.0]
    """
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


def measure_tuning(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Tune one inducer on a random part of a data set, three ways, and test it on the rest.

    Columns are error rates, proportions.  ``untuned``, ``best-of-grid`` and ``nested`` are
    cross-validated, ``per-fold`` is the mean of each fold's least error; ``<way>/held-out`` is the error
    rate on the cases held out of what that way would hand over: the classifier of all cases with the
    chosen setting, or, per fold, the folds' own classifiers.  ``<way>/tried=t`` are expectations over
    random subsets of t settings.  Of settings with equal errors the first of the grid is taken.
    """
    whole = datasets.load(cell["data"])
    grid = GRIDS[cell["inducer"]]()
    tried = subset_sizes(len(grid))
    ways = ("untuned", "best-of-grid", "per-fold", "nested")
    names = [f"{way}{end}" for way in ways for end in ("", "/held-out")]
    names += [f"{way}{end}/tried={t}" for t in tried for way in ways[1:3] for end in ("", "/held-out")]
    out = {name: np.empty(len(replicates)) for name in names}
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        order = place.generator("sample").permutation(whole.n)
        n, held = cell["n"], order[cell["n"] : cell["n"] + cell["held_out"]]
        sample = whole.take(order[: n + held.size])
        # the samples are whole and the settings sound, and scikit-learn would check both in every fit
        with config_context(assume_finite=True, skip_parameter_validation=True):
            fits = _fits(sample, grid, n, cell["folds"], cell["inner_folds"], place)
        for name, value in _estimates(*fits, tried).items():
            out[name][i] = value
    return out


def _fits(
    sample: Sample, grid: list[Inducer], n: int, folds: int, inner_folds: int, place: Streams
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Fit every setting on all n cases, on each fold's training part and on its inner folds' training parts.

    Returns
    -------
    errors : float array, shape (settings, folds)
        Share of errors of a fold's test part.
    away : float array, shape (settings, folds)
        Share of errors on the held-out cases of a fold's classifier.
    inner : float array, shape (settings, folds)
        Errors counted over the inner folds of a fold's training part.
    final : float array, shape (settings,)
        Share of errors on the held-out cases of the classifier of all n cases.
    weights : float array, shape (folds,)
        Share of the cases in each fold.
    """
    cases, held = np.arange(n), np.arange(n, sample.n)
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
        final[s] = _rates(inducer, sample, [cases], [held], rng)[0].mean()
        losses = _rates(inducer, sample, trainings, [np.concatenate([t, held]) for t in tests], rng)
        for f, (test, loss) in enumerate(zip(tests, losses, strict=True)):
            errors[s, f], away[s, f] = loss[: test.size].mean(), loss[test.size :].mean()
        within = [int(loss.sum()) for loss in _rates(inducer, sample, inner_trainings, inner_tests, rng)]
        inner[s] = np.reshape(within, (folds, inner_folds)).sum(axis=1)
    return errors, away, inner, final, np.array([test.size / n for test in tests])


def _estimates(
    errors: np.ndarray, away: np.ndarray, inner: np.ndarray, final: np.ndarray, weights: np.ndarray, tried: list[int]
) -> dict[str, float]:
    """Reduce the error rates of all fits to the columns of :func:`measure_tuning`."""
    folds = np.arange(errors.shape[1])
    crossed = errors @ weights
    best, chosen = int(crossed.argmin()), inner.argmin(axis=0)
    own = errors.argmin(axis=0)
    found = {
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
        found[f"best-of-grid/tried={t}"] = chance @ crossed[ranked]
        found[f"best-of-grid/held-out/tried={t}"] = chance @ final[ranked]
        found[f"per-fold/tried={t}"] = chance @ np.take_along_axis(errors, ranked_apart, axis=0) @ weights
        found[f"per-fold/held-out/tried={t}"] = chance @ np.take_along_axis(away, ranked_apart, axis=0) @ weights
    return {name: float(value) for name, value in found.items()}


def tuning_study(
    data: Sequence[str],
    inducers: Sequence[str],
    n: int,
    held_out: int,
    folds: int,
    inner_folds: int,
    samples: int,
    seed: int,
) -> Study:
    """Make the study of the cure; samples depend on the data set, n and the seed alone."""
    cells = tuple(
        {"data": d, "inducer": inducer, "n": n, "held_out": held_out, "folds": folds, "inner_folds": inner_folds}
        for d in data
        for inducer in inducers
    )
    return Study(
        "scheffer-herbrich-tuning",
        cells,
        samples,
        measure_tuning,
        seed=seed,
        seed_keys=("data", "n"),
        data={d: datasets.digest(d) for d in data},
        chunk=4,
        cost=lambda cell: 1.0 if cell["inducer"] == "k-nn" else 5.0,
    )


COUPLED: Mapping[str, Callable[[], Inducer]] = {
    "k-nn": lambda: KNN(k=5),
    "tree": lambda: SklearnInducer(DecisionTreeClassifier(min_samples_leaf=2)),
}
"""The classifiers on which the independence of section 4 is tested."""


def measure_coupling(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Cross-validate a classifier and let the greedy optimizer tune it, one choice for all folds.

    Columns, each for every number c of told labels: ``measured/c=``, ``equation/c=`` and ``coupled/c=``, the
    share of ``experiments`` that gain ``extra`` hits and the two calculated chances of it;
    ``<way>/gain/c=``, the mean gain in hits; and ``hits/default``, ``hits/other``, the shares of hits in the
    default class and in the other.  The tested cases of a fold lie in random order.
    """
    sample = datasets.load(cell["data"])
    inducer = COUPLED[cell["inducer"]]()
    folds = cell["folds"]
    default = int(sample.class_counts().argmax())
    names = [f"{way}{what}/c={c}" for c in cell["told"] for way in _WAYS for what in ("", "/gain")]
    out = {name: np.empty(len(replicates)) for name in (*names, "hits/default", "hits/other")}
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        split = k_fold(sample.n, folds, place.generator("folds"))
        labels = inducer.predict_resamples(sample, split, place.generator("fits"))
        fold, y = split.row_of_test(), sample.y[split.cases]
        correct = labels == y
        rates = [float(correct[y == default].mean()), float(correct[y != default].mean())]
        out["hits/default"][i], out["hits/other"][i] = rates
        share = float(np.mean(y == default))
        hits = int(correct.sum())
        for c in cell["told"]:
            rng = place.generator("greedy", c)
            runs = simulate_greedy_on(y, correct, fold, c, rng, repeats=cell["experiments"])
            equation = uneven_gain("fixed", sample.n, hits, c, folds, share)
            coupled = gain_fixed_class_coupled(c, folds, share, *rates)
            out[f"measured/c={c}"][i], out[f"measured/gain/c={c}"][i] = (
                runs.share_gaining(cell["extra"]),
                runs.gained.mean(),
            )
            for way, gain in (("equation", equation), ("coupled", coupled)):
                out[f"{way}/c={c}"][i], out[f"{way}/gain/c={c}"][i] = gain.at_least(cell["extra"]), gain.mean()
    return out


_WAYS = ("measured", "equation", "coupled")


def coupling_study(
    designs: Mapping[str, tuple[int, int]], told: Sequence[int], divisions: int, experiments: int, seed: int
) -> Study:
    """Make the study of section 4's independence.

    Parameters
    ----------
    designs : mapping
        Data set -> folds and extra hits over all folds.
    told : sequence of int
        Numbers of told labels, c.
    divisions : int
        Divisions of each data set into folds.
    experiments : int
        Runs of the greedy optimizer on each.
    seed : int
    """
    cells = tuple(
        {
            "data": data,
            "inducer": inducer,
            "folds": folds,
            "extra": extra,
            "told": list(told),
            "experiments": experiments,
        }
        for data, (folds, extra) in designs.items()
        for inducer in COUPLED
    )
    return Study(
        "scheffer-herbrich-coupling",
        cells,
        divisions,
        measure_coupling,
        seed=seed,
        seed_keys=("data", "folds"),
        data={data: datasets.digest(data) for data in designs},
        chunk=5,
    )
