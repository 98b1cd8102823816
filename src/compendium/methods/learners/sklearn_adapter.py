"""Any scikit-learn classifier or pipeline as an inducer; scikit-learn is imported where one is met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from errorest.assessment.columns import column_encoder
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.learners.base import Classifier, ConstantClassifier, predict_by_loop, predict_proba_by_loop
from errorest.resampling.multisets import Resamples
from errorest.sklearn_models import copier, is_random_state, seeds_of


@dataclass(frozen=True)
class _Fitted:
    model: Any
    # what stands in for a value that is missing in a tested case where training had none missing
    fill: np.ndarray | None = None
    n_classes: int = 0

    def predict(self, X: np.ndarray) -> np.ndarray:
        if self.fill is not None:
            X = np.where(np.isnan(X), self.fill, X)
        return np.asarray(self.model.predict(X)).astype(np.int64)

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        if self.fill is not None:
            X = np.where(np.isnan(X), self.fill, X)
        # a class that training lacked has no column
        output = np.zeros((X.shape[0], self.n_classes))
        output[:, self.model.classes_.astype(np.int64)] = self.model.predict_proba(X)
        return output


@dataclass(frozen=True, eq=False)
class SklearnInducer:
    """Wrap a scikit-learn classifier.

    Parameters
    ----------
    estimator : scikit-learn classifier or pipeline
        Unfitted; it is cloned before every fit and never changed.
    name : str, optional
        For :attr:`id`; by default the estimator's own text.
    encode : bool
        Encode nominal attributes (one column a category of the training set, unseen ones all
        zero) and fill missing values (median, or most frequent category, of the training set)
        before the classifier.  Attributes that need neither pass through.

    Raises
    ------
    UsageError
        If ``estimator`` is no classifier.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    >>> SklearnInducer(DecisionTreeClassifier()).fit(s, np.random.default_rng(0)).predict([[0.5], [9.0]]).tolist()
    [0, 1]
    """

    estimator: Any
    name: str = ""
    encode: bool = True

    def __post_init__(self) -> None:
        from sklearn.base import is_classifier

        methods = not isinstance(self.estimator, type) and all(hasattr(self.estimator, f) for f in ("fit", "predict"))
        if not methods or not is_classifier(self.estimator):
            raise UsageError(
                f"{self.estimator!r} is no scikit-learn classifier; expected an object with fit and predict that "
                "says it is a classifier; pass an instance such as LogisticRegression()"
            )

    @property
    def id(self) -> str:
        """Name with settings."""
        return self.name or " ".join(repr(self.estimator).split())

    @property
    def random(self) -> bool:
        """Whether the classifier draws at random, so that every row needs a seed of its own."""
        return bool(self._seeds)

    @cached_property
    def _copy(self) -> Callable[..., Any]:
        return copier(self.estimator)

    @cached_property
    def _seeds(self) -> dict[str, bool]:
        """Settings that take a seed, in order, and whether they are to be set: what is not read need not be."""
        read = seeds_of(self.estimator)
        settings = sorted(self.estimator.get_params().items())
        return {name: name in read or value is not None for name, value in settings if is_random_state(name)}

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Classifier:
        """Make a classifier from all cases of a sample; without ``rng``, the estimator's own random states stand."""
        present = np.nonzero(sample.class_counts())[0]
        if present.size == 1:
            return ConstantClassifier(int(present[0]))
        seeds: dict[str, int] = {}
        if rng is not None:
            drawn = {name: int(rng.integers(2**31)) for name in self._seeds}
            seeds = {name: seed for name, seed in drawn.items() if self._seeds[name]}
        model = self._copy(**seeds)
        nominal = [j for j, a in enumerate(sample.attributes) if a.kind == "nominal"]
        # a column that is complete in training may still have gaps in the tested cases
        numeric = [j for j in range(sample.d) if j not in nominal]
        fill = None
        if self.encode and (nominal or np.isnan(sample.X).any()):
            from sklearn.pipeline import Pipeline

            model = Pipeline([("encode", column_encoder(numeric, nominal)), ("classify", model)])
        elif self.encode:
            fill = np.median(sample.X, axis=0)
        return _Fitted(model.fit(sample.X, sample.y), fill, sample.n_classes)

    def predict_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Label the tested cases of every row; one fit a row."""
        return predict_by_loop(self, sample, resamples, rng)

    def predict_proba_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Tell the class probabilities of the tested cases of every row; one fit a row."""
        return predict_proba_by_loop(self, sample, resamples, rng)
