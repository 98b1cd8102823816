"""Populations and learners of the study of scores: the true score of a classifier is a sum over quasi-random points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np
from scipy.special import expit, ndtri
from scipy.stats import qmc

from compendium.methods.learners.svm import SVM
from errorest.counting import repeat_each
from errorest.data.sample import Attribute, Sample
from errorest.estimation.metrics import CaseMetric, Metric, Statistic, parse_metric
from errorest.learners import C45, KNN, LinearDiscriminant, NaiveBayes
from errorest.learners.base import Inducer, predict_by_loop, predict_proba_by_loop

# Base-2 logarithm of the points of each class
_POINTS = 11


@dataclass(frozen=True)
class Population:
    """Normal classes of unit variance, whose means lie ``distance`` apart in a row, in all attributes alike.

    Cases of one group share half of their variance.  A skewed population has the exponentials of these attributes.
    """

    distance: float
    attributes: int = 2
    skewed: bool = False
    group: int = 1
    classes: int = 2

    def sample(self, n: int, share: float, rng: np.random.Generator) -> tuple[Sample, np.ndarray | None]:
        """Draw about n cases, of which a share is of the last class, and their groups."""
        units, last = n // self.group, self.classes - 1
        of_unit = np.where(np.arange(units) < round(share * units), last, np.arange(units) % last)
        y = repeat_each(of_unit, self.group).astype(np.int64)
        noise = rng.standard_normal((y.size, self.attributes))
        if self.group > 1:
            common = rng.standard_normal((units, self.attributes)).repeat(self.group, axis=0)
            noise = (noise + common) / sqrt(2)
        names = tuple(Attribute(f"x{k}") for k in range(self.attributes))
        groups = np.arange(y.size) // self.group if self.group > 1 else None
        return Sample(self._of(noise, y[:, None]), y, names, tuple(map(str, range(self.classes)))), groups

    def _of(self, noise: np.ndarray, label: np.ndarray | int) -> np.ndarray:
        x = noise + label * self.distance / sqrt(self.attributes)
        return np.exp(x) if self.skewed else x

    def truths(self, classifier: Any, scores: Iterable[str], share: float) -> dict[str, float]:
        """Return the true scores of a classifier."""
        noise, last = _noise(self.attributes), self.classes - 1
        points = [self._of(noise, c) for c in range(self.classes)]
        output = np.concatenate([classifier.predict_proba(x) for x in points])
        y = repeat_each(np.arange(self.classes), noise.shape[0])
        weights = np.where(y == last, share, (1 - share) / last)
        true = {}
        for score in scores:
            if score == "error":
                labels = np.concatenate([classifier.predict(x) for x in points])
                true[score] = float(np.average(labels != y, weights=weights))
            else:
                true[score] = self._truth(parse_metric(score), y, output, weights)
        return true

    def _truth(self, metric: Metric, y: np.ndarray, output: np.ndarray, weights: np.ndarray) -> float:
        if isinstance(metric, CaseMetric):
            return float(np.average(metric.losses(y, output), weights=weights))
        assert isinstance(metric, Statistic)
        truth, answers, classes = metric.encode(y, output, self.classes - 1, self.classes)
        return float(metric.weighted(truth, answers, weights[None], classes)[0])


@lru_cache(maxsize=4)
def _noise(attributes: int) -> np.ndarray:
    """Quasi-random points of the standard normal distribution, in the middle of their cells."""
    unit = qmc.Sobol(attributes, scramble=False).random_base2(_POINTS) + 0.5 / 2**_POINTS
    return np.asarray(ndtri(unit))


POPULATIONS: Mapping[str, Population] = {
    "normal": Population(1.0),
    "far": Population(2.0),
    "noise": Population(0.0),
    "skewed": Population(1.0, skewed=True),
    "wide": Population(2.0, attributes=30),
    "grouped": Population(1.0, group=3),
    "three": Population(1.0, classes=3),
}


@dataclass(frozen=True)
class _Margins:
    """A support vector machine with probabilities: the logistic function of the distance from its margin."""

    machine: Any

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.machine.predict(X))

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        first = expit(self.machine.decision_values(X)[:, 0])
        return np.stack([first, 1 - first], axis=1)


@dataclass(frozen=True)
class MarginSVM:
    """The library's support vector machine, whose distances from the margin rank cases."""

    id = "svm-margin"
    rule = SVM(standardize="training")

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> _Margins:
        """Train on the whole sample."""
        return _Margins(self.rule.fit(sample))

    predict_resamples = predict_by_loop
    predict_proba_resamples = predict_proba_by_loop


# The learners of the study
INDUCERS: Mapping[str, Inducer] = {
    "naive-bayes": NaiveBayes(),
    "ldf": LinearDiscriminant(),
    "c4.5": C45(),
    "svm": MarginSVM(),
    "3-nn": KNN(3),
}
