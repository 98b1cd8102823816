"""C4.5 with scikit-learn's interface, for pipelines, grids and cross-validators of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from errorest.data.sample import Attribute, Sample
from errorest.errors import UsageError, nearest
from errorest.inducers.c45 import C45, C45Tree

__all__ = ["C45Classifier"]


class C45Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree of C4.5 that scikit-learn can use.

    Parameters
    ----------
    release, min_cases, confidence, subtree_raising, prune
        As of :class:`~errorest.inducers.c45.C45`.
    nominal_features : sequence of int or str, optional
        Columns whose values are names, not numbers, by position or, where X has column names,
        by name; such columns may hold text.  By default none.

    Attributes
    ----------
    classes_ : array, shape (K,)
    tree_ : C45Tree
    categories_ : dict of int to list
        The values of each nominal column in training.
    n_features_in_ : int

    Raises
    ------
    UsageError
        From ``fit``, if a setting or a nominal feature is wrong, or weights are no whole numbers.

    Notes
    -----
    NaN, and None in a column of objects, is a missing value.  A nominal value that was not there in training
    counts as missing.  Weights are numbers of copies.

    Examples
    --------
    >>> import numpy as np
    >>> X = [["red", 1.0], ["red", 2.0], ["red", 3.0], ["blue", 1.0], ["blue", 2.0], ["blue", 3.0]]
    >>> tree = C45Classifier(nominal_features=[0]).fit(np.array(X, dtype=object), ["no"] * 3 + ["yes"] * 3)
    >>> tree.predict(np.array([["blue", 9.0], ["red", np.nan]], dtype=object)).tolist()
    ['yes', 'no']
    >>> print(tree.tree_.to_text())
    x1 = blue: yes (3)
    x1 = red: no (3)
    """

    def __init__(
        self,
        release: Literal[8, 7] = 8,
        min_cases: int = 2,
        confidence: float = 0.25,
        subtree_raising: bool = True,
        prune: bool = True,
        nominal_features: Sequence[int | str] | None = None,
    ) -> None:
        self.release = release
        self.min_cases = min_cases
        self.confidence = confidence
        self.subtree_raising = subtree_raising
        self.prune = prune
        self.nominal_features = nominal_features

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> C45Classifier:
        """Make the tree.

        Parameters
        ----------
        X : array-like, shape (n, d)
        y : array-like, shape (n,)
        sample_weight : int array-like, shape (n,), optional
            How often each case counts.
        """
        X, y = validate_data(self, X, y, **self._reading())
        check_classification_targets(y)
        inducer = C45(self.release, self.min_cases, self.confidence, self.subtree_raising, self.prune)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.categories_: dict[int, list[Any]] = {j: _values(X[:, j]) for j in self._nominal()}
        sample = Sample(
            self._encoded(X),
            codes.astype(np.int64),
            tuple(self._attribute(j) for j in range(X.shape[1])),
            tuple(str(c) for c in self.classes_),
            "X",
        )
        self.tree_: C45Tree = inducer.fit(sample, weights=weights)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Label cases; X has shape (m, d)."""
        check_is_fitted(self)
        values = self._encoded(validate_data(self, X, reset=False, **self._reading()))
        return self.classes_[self.tree_.predict(values)]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the training proportions at the leaves reached; shape (m, K), columns as ``classes_``."""
        check_is_fitted(self)
        return self.tree_.predict_proba(self._encoded(validate_data(self, X, reset=False, **self._reading())))

    def __sklearn_tags__(self) -> Any:
        """Say that missing values are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _reading(self) -> dict[str, Any]:
        nominal = self.nominal_features is not None and len(self.nominal_features) > 0
        return {"dtype": None if nominal else np.float64, "ensure_all_finite": "allow-nan"}

    def _names(self) -> list[str]:
        return [str(name) for name in getattr(self, "feature_names_in_", [])]

    def _nominal(self) -> list[int]:
        names = self._names()
        columns = set()
        for feature in self.nominal_features or ():
            if isinstance(feature, str):
                if feature not in names:
                    raise UsageError(
                        f"nominal feature '{feature}' is no column of X; expected one of its column names; "
                        + (nearest(feature, names) if names else "X has none: give positions")
                    )
                columns.add(names.index(feature))
            elif 0 <= feature < self.n_features_in_:
                columns.add(int(feature))
            else:
                raise UsageError(
                    f"nominal feature {feature} is no column of X; expected 0 to {self.n_features_in_ - 1}; "
                    "mend the list"
                )
        return sorted(columns)

    def _attribute(self, j: int) -> Attribute:
        names = self._names()
        name = names[j] if names else f"x{j + 1}"
        if j not in self.categories_:
            return Attribute(name)
        return Attribute(name, "nominal", tuple(str(v) for v in self.categories_[j]))

    def _encoded(self, X: np.ndarray) -> np.ndarray:
        """Turn nominal columns into category numbers (NaN for what training did not have), others into floats."""
        values = np.empty(X.shape, dtype=np.float64)
        for j in range(X.shape[1]):
            if j in self.categories_:
                number = {v: k for k, v in enumerate(self.categories_[j])}
                values[:, j] = [number.get(v, np.nan) for v in X[:, j].tolist()]
            else:
                values[:, j] = X[:, j]
        return values


def _values(column: np.ndarray) -> list[Any]:
    """List the distinct known values of a nominal column; one that is nowhere known gets a value that no case has."""
    known = {v for v in column.tolist() if not pd.isna(v)}
    if not known:
        return ["?"]
    try:
        return sorted(known)
    except TypeError:  # numbers and text in one column
        return sorted(known, key=lambda v: (type(v).__name__, v))
