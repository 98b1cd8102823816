"""What is measured on real data: tuning on the test folds, tuning within them, and section 4's independence.

Kept apart from the artifacts that are made of it, so that a word changed there leaves finished studies
valid.  Every fit of a grid is made once and serves all estimates that need it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import field_validator
from scipy.special import gammaln

from compendium.methods.learners.sklearn_adapter import SklearnInducer
from compendium.papers.parameters import Parameters, each_once, parameter
from compendium.papers.scheffer_herbrich.calculations.experiment import uneven_gain
from compendium.papers.scheffer_herbrich.equations import gain_fixed_class_coupled
from compendium.papers.scheffer_herbrich.greedy import simulate_greedy_on
from compendium.studies.replicates import Replicate, each_replicate
from compendium.studies.study import Study
from errorest.data import sets as datasets
from errorest.data.sample import Sample
from errorest.learners.base import Classifier, Inducer, predict_by_loop
from errorest.learners.neighbors import KNN
from errorest.resampling.draw import k_fold
from errorest.resampling.multisets import Resamples
from errorest.streams import Streams


class Design(NamedTuple):
    """Section 4.1's design on a data set: folds, extra hits over all folds, and the paper's c."""

    folds: int
    extra: int
    c: int


# The data sets on which section 4's independence is tested
SECTION_4 = {"pima": Design(12, 6, 7), "heart": Design(9, 6, 9)}


class MeasuredParameters(Parameters, notebook="scheffer-herbrich/02-measured"):
    """Parameters of what is measured on real data."""

    seed: int = parameter(1997, ge=0)
    divisions: int = parameter(20, ge=3, preview=4, replication=True)
    experiments: int = parameter(2000, ge=100, preview=300, replication=True)
    told: list[int] = parameter([1, 2, 4, 7, 9, 12], min_length=1)
    data: list[Literal["pima", "heart", "vehicle"]] = parameter(["pima", "heart", "vehicle"], min_length=1)
    inducers: list[Literal["k-nn", "tree", "svm"]] = parameter(["k-nn", "tree", "svm"], min_length=1)
    cases: int = parameter(100, ge=80, le=200)
    held_out: int = parameter(300, ge=50)
    folds: int = parameter(5, ge=3, le=10)
    inner_folds: int = parameter(5, ge=3, le=10)
    samples: int = parameter(24, ge=3, preview=3, replication=True)

    _once = field_validator("told", "data", "inducers")(each_once)

    @field_validator("told")
    @classmethod
    def _within_a_fold(cls, value: list[int]) -> list[int]:
        most = min(datasets.load(name).n // design.folds for name, design in SECTION_4.items())
        if min(value) < 0 or max(value) > most:
            raise ValueError(f"told is {value}; expected numbers of labels from 0 to {most}, the cases of a fold")
        return value

    def inputs(self) -> dict[str, str]:
        """Return the digests of the data sets."""
        return {name: datasets.digest(name) for name in sorted({*self.data, *SECTION_4})}


def revealed_labels(p: MeasuredParameters) -> list[int]:
    """Return the numbers of told labels, the paper's among them."""
    return sorted({*p.told, *(design.c for design in SECTION_4.values())})


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
    from sklearn.tree import DecisionTreeClassifier

    return [
        SklearnInducer(DecisionTreeClassifier(max_depth=depth, min_samples_leaf=leaf))
        for depth in (None, 8, 4, 2)
        for leaf in (1, 2, 4, 8)
    ]


def _machines() -> list[Inducer]:
    from sklearn.svm import SVC

    return [
        _Standardized(SklearnInducer(SVC(C=c, gamma=gamma)))
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


def tuning(cell: Mapping[str, Any]) -> Replicate:
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


def _small_leaves() -> Inducer:
    from sklearn.tree import DecisionTreeClassifier

    return SklearnInducer(DecisionTreeClassifier(min_samples_leaf=2))


# The classifiers on which the independence of section 4 is tested
COUPLED: Mapping[str, Callable[[], Inducer]] = {"k-nn": lambda: KNN(k=5), "tree": _small_leaves}


# The optimizer's own share of successes, and the two calculations of it
CALCULATED = ("measured", "equation", "coupled")


def coupling(cell: Mapping[str, Any]) -> Replicate:
    """Cross-validate a classifier and let the greedy optimizer tune it, one choice for all folds.

    Columns, each for every number c of told labels: ``measured/c=``, ``equation/c=`` and ``coupled/c=``, the
    share of ``experiments`` that gain ``extra`` hits and the two calculated chances of it;
    ``<way>/gain/c=``, the mean gain in hits; and ``hits/default``, ``hits/other``, the shares of hits in the
    default class and in the other.  The tested cases of a fold lie in random order.
    """
    sample, inducer = datasets.load(cell["data"]), COUPLED[cell["inducer"]]()
    default = int(sample.class_counts().argmax())

    def tune(place: Streams) -> dict[str, float]:
        split = k_fold(sample.n, cell["folds"], place.generator("folds"))
        labels = inducer.predict_resamples(sample, split, place.generator("fits"))
        fold, y = split.row_of_test(), sample.y[split.cases]
        correct = labels == y
        rates = [float(correct[y == default].mean()), float(correct[y != default].mean())]
        share, hits = float(np.mean(y == default)), int(correct.sum())
        values: dict[str, float] = {}
        for c in cell["told"]:
            rng = place.generator("greedy", c)
            runs = simulate_greedy_on(y, correct, fold, c, rng, repeats=cell["experiments"])
            equation = uneven_gain("fixed", sample.n, hits, c, cell["folds"], share)
            coupled = gain_fixed_class_coupled(c, cell["folds"], share, *rates)
            chances = [
                runs.share_gaining(cell["extra"]),
                equation.at_least(cell["extra"]),
                coupled.at_least(cell["extra"]),
            ]
            gains = [runs.gained.mean(), equation.mean(), coupled.mean()]
            for way, chance, gain in zip(CALCULATED, chances, gains, strict=True):
                values |= {f"{way}/c={c}": chance, f"{way}/gain/c={c}": gain}
        return {**values, "hits/default": rates[0], "hits/other": rates[1]}

    return tune


def coupling_study(p: MeasuredParameters) -> Study:
    """Make the study of section 4's independence; divisions depend on the data set, its folds and the seed alone."""
    more = {"told": revealed_labels(p), "experiments": p.experiments}
    return Study(
        "scheffer-herbrich-coupling",
        [
            {"data": data, "inducer": inducer, "folds": design.folds, "extra": design.extra, **more}
            for data, design in SECTION_4.items()
            for inducer in COUPLED
        ],
        p.divisions,
        each_replicate(coupling),
        seed=p.seed,
        seed_keys=("data", "folds"),
        data={data: datasets.digest(data) for data in SECTION_4},
        chunk=5,
    )
