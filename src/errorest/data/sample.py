"""Samples, cases with attributes of known kinds and their classes; and stacks of many samples of one shape."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

import numpy as np

from errorest.counting import count_each
from errorest.data.labels import as_array, distinct, sorted_texts
from errorest.errors import UsageError, refuse_complex

if TYPE_CHECKING:
    from errorest.data.columns import ReadReport


class Labelled(Protocol):
    """What resampling schemes, estimators and metrics need of data: the class number of each case."""

    @property
    def n(self) -> int:
        """Number of cases."""

    @property
    def y(self) -> np.ndarray:
        """Class numbers; int array, shape (n,)."""

    @property
    def n_classes(self) -> int:
        """Number of classes, K."""

    def class_counts(self) -> np.ndarray:
        """Count the cases of each class; int array, shape (K,)."""


@dataclass(frozen=True, eq=False)
class ClassNumbers:
    """Class numbers alone, as data of a scheme or an estimator."""

    y: np.ndarray
    n_classes: int

    @property
    def n(self) -> int:
        """Number of cases."""
        return int(self.y.shape[0])

    def class_counts(self) -> np.ndarray:
        """Count the cases of each class; int array, shape (K,)."""
        return count_each(self.y, minlength=self.n_classes)


@dataclass(frozen=True, eq=False)
class SampleStack:
    """S samples of n cases each, of the same attributes and classes.

    Parameters
    ----------
    X : float array, shape (S, n, d)
        Attribute values as in :class:`~errorest.data.sample.Sample`.
    y : int array, shape (S, n)
        Class numbers.  A sample may lack a class.
    attributes : tuple of Attribute, length d
    classes : tuple of str

    Examples
    --------
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> stack = SampleStack.of_cases(s, np.array([[0, 0, 1], [2, 1, 1]]))
    >>> stack.n_samples, stack.n, stack.sample(1).X[:, 0].tolist()
    (2, 3, [4.0, 2.0, 2.0])
    """

    X: np.ndarray
    y: np.ndarray
    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]

    @property
    def n_samples(self) -> int:
        """Number of samples, S."""
        return self.X.shape[0]

    @property
    def n(self) -> int:
        """Cases of each sample."""
        return self.X.shape[1]

    @property
    def n_classes(self) -> int:
        """Number of classes that are declared."""
        return len(self.classes)

    def sample(self, s: int) -> Sample:
        """Return the s-th sample by itself."""
        return Sample(self.X[s], self.y[s], self.attributes, self.classes)

    @classmethod
    def of_cases(cls, sample: Sample, cases: np.ndarray) -> SampleStack:
        """Make a stack of the listed cases of a sample, such as its bootstrap samples.

        Parameters
        ----------
        sample : Sample
        cases : int array, shape (S, m)
            Cases of each sample of the stack, repeats kept, in the order given.
        """
        return cls(sample.X[cases], sample.y[cases], sample.attributes, sample.classes)


Kind = Literal["continuous", "integer", "nominal"]


@dataclass(frozen=True)
class Attribute:
    """One attribute of a sample.

    Parameters
    ----------
    name : str
        As in the data's header.
    kind : {"continuous", "integer", "nominal"}
        What its values are.
    categories : tuple of str
        The values of a nominal attribute, in the order of their numbers; empty otherwise.

    Raises
    ------
    UsageError
        If the kind is unknown, or categories and kind contradict one another.

    Examples
    --------
    >>> Attribute("tear-rate", "nominal", ("normal", "reduced")).kind
    'nominal'
    """

    name: str
    kind: Kind = "continuous"
    categories: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise UsageError(
                f"attribute '{self.name}' has kind '{self.kind}'; "
                f"a kind is one of {', '.join(get_args(Kind))}; choose one of these"
            )
        if bool(self.categories) != (self.kind == "nominal"):
            raise UsageError(
                f"attribute '{self.name}' is {self.kind} with {len(self.categories)} categories; "
                "nominal attributes have categories and others have none"
            )


@dataclass(frozen=True, eq=False)
class Sample:
    """Cases and their classes, ready for the engine.

    The constructor trusts its arguments; :meth:`from_arrays` is the door that
    checks them.

    Parameters
    ----------
    X : float array, shape (n, d)
        Attribute values; nominal ones are category numbers, missing ones NaN.
    y : int array, shape (n,)
        Class numbers, 0 to ``len(classes) - 1``.
    attributes : tuple of Attribute, length d
    classes : tuple of str
        Class labels in the order of their numbers.  A class may have no case.
    name : str
        For messages and captions.
    read_report : ReadReport, optional
        Of a file, what its columns were taken for.

    Examples
    --------
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> s.n, s.d, s.classes, s.class_counts().tolist()
    (3, 1, ('a', 'b'), [1, 2])
    """

    X: np.ndarray
    y: np.ndarray
    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]
    name: str = "sample"
    read_report: ReadReport | None = None

    @property
    def n(self) -> int:
        """Number of cases."""
        return self.y.shape[0]

    @property
    def d(self) -> int:
        """Number of attributes."""
        return self.X.shape[1]

    @property
    def n_classes(self) -> int:
        """Number of classes that are declared (a class may have no case)."""
        return len(self.classes)

    def class_counts(self) -> np.ndarray:
        """Count the cases of each class; int array, shape (n_classes,)."""
        return count_each(self.y, minlength=self.n_classes)

    def take(self, cases: np.ndarray) -> Sample:
        """Return the sample of the listed cases, repeats kept, in the order given."""
        return replace(self, X=np.ascontiguousarray(self.X[cases]), y=self.y[cases], read_report=None)

    def duplicates(self) -> int:
        """Count the cases that repeat an earlier one in every attribute and the class."""
        rows = np.column_stack([np.where(np.isnan(self.X), np.inf, self.X), self.y])
        return self.n - np.unique(rows, axis=0).shape[0]

    def digest(self) -> str:
        """Return a SHA-256 of the values, kinds and classes (not of the name)."""
        h = hashlib.sha256(repr((self.X.shape, self.attributes, self.classes)).encode())
        h.update(np.ascontiguousarray(self.X, dtype="<f8").tobytes())
        h.update(np.ascontiguousarray(self.y, dtype="<i8").tobytes())
        return h.hexdigest()

    @classmethod
    def from_arrays(
        cls,
        X: Any,
        y: Any,
        *,
        attributes: Sequence[Attribute] | None = None,
        classes: Sequence[str] | None = None,
        name: str = "sample",
    ) -> Sample:
        """Check arrays and make a sample of them.

        Parameters
        ----------
        X : array-like of numbers, shape (n, d)
            A vector counts as one attribute.  NaN marks a missing value.
        y : array-like, shape (n,)
            Class labels of any kind, or class numbers where ``classes`` is given.
        attributes : sequence of Attribute, optional
            By default all are continuous and called ``x1``, ``x2``, ...
        classes : sequence of str, optional
            By default the sorted distinct labels of ``y`` as text; numbers are sorted as numbers.
        name : str

        Raises
        ------
        UsageError
            If shapes disagree, there is no case, a value is not a number or infinite,
            or a class or category number is out of range.
        """
        values, labels = _arrays(X, as_array(y, "y") if classes is None else np.asarray(y), name)
        numbered = (Attribute(f"x{j + 1}") for j in range(values.shape[1]))
        kinds = tuple(numbered if attributes is None else attributes)
        if len(kinds) != values.shape[1]:
            raise UsageError(
                f"{name}: {len(kinds)} attributes are described and X has {values.shape[1]} columns; "
                "expected one description a column"
            )
        for j, attribute in enumerate(kinds):
            known = values[~np.isnan(values[:, j]), j]
            if attribute.kind == "nominal" and not np.isin(known, np.arange(len(attribute.categories))).all():
                raise UsageError(
                    f"{name}: nominal attribute '{attribute.name}' holds a number that is no category; "
                    f"expected 0 to {len(attribute.categories) - 1}; encode its values first"
                )
            if attribute.kind == "integer" and not (known == np.rint(known)).all():
                raise UsageError(
                    f"{name}: integer attribute '{attribute.name}' holds a fraction; "
                    "expected whole numbers; call it continuous instead"
                )
        if classes is None:
            found, numbers = distinct(labels, "y lacks a label")
            names = [str(label) for label in found.tolist()]
            known_classes = tuple(sorted_texts(names))
            codes = np.array([known_classes.index(one) for one in names])[numbers]
        else:
            known_classes = tuple(str(c) for c in classes)
            codes = labels
            if not np.isin(codes, np.arange(len(known_classes))).all():
                raise UsageError(
                    f"{name}: y holds a class number outside 0 to {len(known_classes) - 1}; "
                    "expected positions in classes"
                )
        return cls(values, codes.astype(np.int64), kinds, known_classes, name)


def _arrays(X: Any, labels: np.ndarray, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return values and labels as arrays of fitting shapes, without infinite values."""
    refuse_complex(X, f"{name}: X")
    try:
        values = np.array(X, dtype=np.float64, order="C")
    except (TypeError, ValueError) as exc:
        raise UsageError(
            f"{name}: X holds something that is no number ({exc}); "
            "expected numbers, with nominal attributes as category numbers; encode text first"
        ) from None
    if values.ndim == 1:
        values = values[:, None]
    if values.ndim != 2 or labels.ndim != 1 or values.shape[0] != labels.shape[0]:
        raise UsageError(
            f"{name}: X has shape {values.shape} and y has shape {labels.shape}; "
            "expected (n, d) and (n,); give one label for each case"
        )
    if labels.shape[0] == 0:
        raise UsageError(f"{name}: there is no case; expected at least one; check the source of X and y")
    if np.isinf(values).any():
        column = int(np.nonzero(np.isinf(values).any(axis=0))[0][0])
        raise UsageError(
            f"{name}: attribute {column + 1} holds an infinite value; "
            "expected finite numbers or NaN for missing; remove or replace it"
        )
    return values, labels
