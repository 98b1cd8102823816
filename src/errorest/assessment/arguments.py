"""Types of what the public functions take from a user."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from errorest.assessment.scoring import Scoring
from errorest.data.sample import Sample
from errorest.estimation.estimators import Estimator
from errorest.estimation.intervals import IntervalMethod
from errorest.estimation.metrics.metric import Metric
from errorest.learners.base import Inducer
from errorest.streams import Seed


class Classifier(Protocol):
    """A classifier or pipeline of scikit-learn's kind."""

    def fit(self, X: Any, y: Any) -> Any:
        """Train on cases with labels."""

    def predict(self, X: Any) -> Any:
        """Return the labels of cases."""


class Search(Protocol):
    """A GridSearchCV or RandomizedSearchCV, whose settings are candidates."""

    estimator: Any


class Sparse(Protocol):
    """A sparse matrix or array of scipy."""

    def tocsr(self) -> Any:
        """Return the rows in compressed form."""


class Splitter(Protocol):
    """A splitter of scikit-learn's kind."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        """Yield the positions of training and test cases."""

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits."""


Model: TypeAlias = str | Classifier | Inducer
"""A name with settings, an import path or an object."""

Table: TypeAlias = ArrayLike | Sparse | Sample
"""A row for each case: an array, list, frame or sparse matrix; or a sample, which holds its classes."""

Label: TypeAlias = Hashable
"""A class as the user names it."""

Splits: TypeAlias = Iterable[tuple[ArrayLike, ArrayLike]]
"""Positions, or masks, of training and test cases."""

Method: TypeAlias = str | int | Estimator | Splitter | Splits
"""How to resample."""

Interval: TypeAlias = str | IntervalMethod | None
"""``"auto"``, a name with settings, or none."""

MetricLike: TypeAlias = str | Metric | Scoring | Callable[..., Any] | Mapping[Any, Any] | ArrayLike
"""A name, a metric, a scorer or function, costs by class, or a table of costs."""

Metrics: TypeAlias = MetricLike | Iterable[MetricLike]
"""A metric, or several."""

ErrorScore: TypeAlias = Literal["raise"] | float
"""``"raise"``, or NaN, which leaves out the resamples on which a fit fails."""

Rng: TypeAlias = Seed | np.random.SeedSequence | None
"""Random numbers, or what seeds them; by default a seed is drawn."""
