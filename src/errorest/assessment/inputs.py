"""Validate the input and build a Problem: inducers get values, scikit-learn classifiers their own rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from errorest.assessment.classifiers import SklearnRowsLearner, is_inducer, refuse_frozen, resolve_classifier
from errorest.assessment.columns import column_encoder
from errorest.assessment.features import (
    columns_of,
    copies_in,
    names_of,
    refuse_lists,
    refuse_written_numbers,
    rows_of,
    sample_of_values,
    table_of,
)
from errorest.data.columns import ReadReport, are_measured
from errorest.data.labels import as_array, distinct, sorted_texts
from errorest.data.sample import Attribute, Sample
from errorest.errors import UsageError, quoted
from errorest.learners.base import Inducer
from errorest.spec import Spec, settings_of

ROW = (Attribute("row", "integer"),)
# Labels of which more than this share are distinct numbers with fractions are a measurement, no classes
_MOST_CLASSES = 0.5
# Whole numbers are names of classes up to so many
_FEW_CLASSES = 5


@dataclass(frozen=True, eq=False)
class Problem:
    """A classifier and data, ready for resampling."""

    sample: Sample
    inducer: Inducer
    X: Any
    labels: np.ndarray
    cases: Any
    groups: np.ndarray | None = None
    strata: np.ndarray | None = None
    copies: np.ndarray | None = None
    strata_names: tuple[str, ...] = ()
    encode_unused: bool = False
    text_is_nominal: bool = False
    source: ReadReport | None = None

    @property
    def n(self) -> int:
        """Number of cases."""
        return self.sample.n

    @property
    def n_groups(self) -> int | None:
        """Number of groups; None without groups."""
        return None if self.groups is None else int(self.groups.max()) + 1

    @cached_property
    def y(self) -> np.ndarray:
        """The label of each case; array, shape (n,)."""
        return self.labels[self.sample.y]

    @cached_property
    def class_counts(self) -> np.ndarray:
        """Cases of each class; int array, shape (K,)."""
        return self.sample.class_counts()

    @property
    def fields(self) -> dict[str, Any]:
        """Return what every estimate says of its classifier and data."""
        return {"classifier": self.inducer.id, "settings": self.settings, **self.fields_of_data}

    @property
    def fields_of_data(self) -> dict[str, Any]:
        """Return what every result says of its data."""
        return {"n": self.n, "n_groups": self.n_groups, "_source": self.source}

    @property
    def settings(self) -> str:
        """Return every setting of an inducer of the library; others tell theirs in their ids."""
        made = self.inducer
        if not isinstance(made, Spec):
            return ""
        return ", ".join(f"{setting.name}={made.written(setting.name)}" for setting in settings_of(type(made)))


def prepare(
    classifier: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    stratify: Any = None,
    encode: bool = False,
    n_jobs: int = 1,
    threads: int | None = None,
) -> Problem:
    """Check a person's data and put it beside their classifier."""
    if not isinstance(encode, bool | np.bool_):
        raise UsageError(f"encode = {encode!r} was given; expected True or False")
    result = resolve_classifier(classifier)
    foreign = not is_inducer(result)
    if foreign:
        refuse_frozen(result)
    check_order(X=X, y=y, groups=groups, stratify=stratify)
    X = _unmasked(X)
    given = X if isinstance(X, Sample) else None
    labels, codes = _classes(given, y)
    n = codes.shape[0]
    of_groups = None if groups is None else _numbers(groups, n, "groups", "group")[0]
    inducer: Inducer = result
    if foreign:
        values = rows_of(X, n) if given is None else _rows_of_sample(given, result)
        table, estimator = table_of(values), result
        if encode:
            values, estimator = _encoded(result, table, values)
        else:
            _check_takes(result, table)
        sample = Sample(np.arange(n, dtype=np.float64)[:, None], codes, ROW, names_of(labels))
        name = "" if estimator is result else f"{' '.join(repr(result).split())}, encoded"
        own = SklearnRowsLearner(estimator, values, codes, labels, n_jobs, name, threads, of_groups)
        inducer = cast("Inducer", own)
    elif given is None:
        table = table_of(X)
        sample = sample_of_values(table, codes, labels, n)
        table = table if hasattr(table, "iloc") else sample.X
    else:
        sample = Sample(given.X, codes, given.attributes, names_of(labels), given.name)
        table = sample.X
    strata, strata_names = _strata(stratify, sample)
    return Problem(
        sample,
        inducer,
        table,
        labels,
        X.index if hasattr(X, "iloc") else range(n),
        of_groups,
        strata,
        copies_in(table if foreign else sample.X),
        strata_names,
        bool(encode) and not foreign,
        bool(encode) or not foreign,
        None if given is None else given.read_report,
    )


def _strata(stratify: Any, sample: Sample) -> tuple[np.ndarray | None, tuple[str, ...]]:
    if stratify is None:
        return None, ()
    if not isinstance(stratify, str):
        return _numbers(stratify, sample.n, "strata", "stratum")
    if stratify != "class":
        raise UsageError(
            f"stratify = '{stratify}'; expected one value a case, or 'class'",
            f"pass the values of a column: stratify=df['{stratify}']",
        )
    return sample.y, sample.classes


def _unmasked(values: Any) -> Any:
    """Write what is masked in a masked array as missing, NaN in numbers and None in text; all else stays as it is."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    plain = np.asarray(values.data)
    mask = np.ma.getmaskarray(values)
    if not mask.any():
        return plain
    missing: Any = np.float64(np.nan) if plain.dtype.kind in "biuf" else None
    return np.where(mask, missing, plain)


def check_order(**given: Any) -> None:
    """Refuse pandas objects of which the index says that they are not in the same order."""
    # an index that counts from 0 means the order alone, unless the other holds the same labels in another order
    indexed = [(name, values.index) for name, values in given.items() if hasattr(values, "iloc")]
    if len(indexed) < 2:
        return
    import pandas as pd

    for name, index in indexed[1:]:
        first, other = indexed[0]
        if len(index) != len(other) or index.equals(other):
            continue  # other lengths are refused where they are counted
        same = len(other.symmetric_difference(index)) == 0
        if same or not any(isinstance(i, pd.RangeIndex) and i.start == 0 and i.step == 1 for i in (index, other)):
            how = "the same index in another order" if same else "different indexes"
            a, b = other.tolist()[0], index.tolist()[0]
            raise UsageError(
                f"{first} and {name} have {how} ({first} begins with {a!r}, {name} with {b!r}); write "
                f"{name}.loc[{first}.index], or {name}.to_numpy() if they belong together as they stand"
            )


def _classes(given: Sample | None, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the class labels of a sample, or of y, and the class numbers."""
    if (given is None) == (y is None):
        one = "y was not given; expected one class label for each row of X"
        raise UsageError(one if given is None else "a Sample holds its own classes and y was given too; leave out y")
    labels, codes = _labels(y) if given is None else _labels_of_sample(given)
    if labels.shape[0] < 2:
        raise UsageError(f"all {codes.shape[0]} cases are of class {labels[0]!s}; expected at least two classes")
    return labels, codes


def _labels(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Check class labels; return the distinct ones, and the class numbers."""
    own = as_array(y, "y")
    if own.ndim == 2 and own.shape[1] == 1:
        own = own[:, 0]
    if own.ndim != 1:
        raise UsageError(f"y has shape {own.shape}; expected one class label a case", _one_label_of(own))
    if own.shape[0] == 0:
        raise UsageError("there is no case; expected at least two; check the source of X and y")
    labels, codes = distinct(own, "y lacks a label")
    n, k = own.shape[0], labels.shape[0]
    if labels.dtype.kind in "iuf":
        fractions = labels[labels != np.rint(labels)]
        if fractions.size and labels[0] >= 0 and labels[-1] <= 1:
            kind = "probabilities"
        else:
            kind = "measurements" if fractions.size and k > max(2, _MOST_CLASSES * n) else ""
        # classes are often numbered, if seldom by floats
        many = are_measured(k, n) if labels.dtype.kind == "f" else k > _FEW_CLASSES and k >= _MOST_CLASSES * n
        if kind or many:
            what = f"{kind}, it seems" if kind else "to predict them is regression"
            raise UsageError(
                f"y holds {k} distinct numbers in {n} cases, such as {[*fractions, *labels][0]:g}: {what}",
                "cut them into classes, such as (y > 0.5).astype(int), or pass y.astype(str) if they are names",
            )
    return labels, codes


def _one_label_of(own: np.ndarray) -> str:
    """Return what to do about labels that are a table: of indicators of one class each, or of several."""
    one_hot = own.ndim == 2 and ((own == 0) | (own == 1)).all() and (own.sum(axis=1) == 1).all()
    if one_hot:
        return "take labels[y.argmax(axis=1)]"
    return "of several labels a case, estimate each by itself: y[:, 0]" if own.ndim == 2 else ""


def _labels_of_sample(sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels of the classes that have cases, sorted, and the class numbers."""
    names = np.array(sample.classes)
    labels = sorted_texts(names[np.unique(sample.y)].tolist())
    numbers = {label: k for k, label in enumerate(labels)}
    return np.array(labels), np.array([numbers.get(name, -1) for name in sample.classes])[sample.y]


def _numbers(values: Any, n: int, what: str, one: str) -> tuple[np.ndarray, tuple[str, ...]]:
    given = as_array(values, what)
    if given.shape != (n,):
        raise UsageError(
            f"{what} have shape {given.shape} and there are {n} cases; expected ({n},), one {one} for each case"
        )
    found, numbers = distinct(given, f"{what} lack a value", f"give a case that stands alone a {one} of its own")
    return numbers, names_of(found)


def _rows_of_sample(sample: Sample, classifier: Any) -> Any:
    """Return a sample's numbers; for pipelines, and where a value is nominal, a DataFrame with nominal ones as text."""
    if all(a.kind != "nominal" for a in sample.attributes) and not hasattr(classifier, "steps"):
        return sample.X
    import pandas as pd

    columns: dict[str, Any] = {}
    for j, a in enumerate(sample.attributes):
        values = sample.X[:, j]
        if a.kind == "nominal":
            text = np.array([*a.categories, None], dtype=object)
            values = text[np.where(np.isnan(values), len(a.categories), values).astype(int)]
        columns[a.name] = values
    return pd.DataFrame(columns)


def _check_takes(classifier: Any, X: Any) -> None:
    """Refuse what a scikit-learn classifier says that it does not take; a pipeline in it may impute and encode."""
    if not type(classifier).__module__.startswith("sklearn."):
        return
    if any(hasattr(part, "steps") for part in (classifier, *classifier.get_params().values())):
        return
    from sklearn.utils import get_tags

    takes = get_tags(classifier).input_tags
    # boosted trees read categories from a frame, unless they are told to read none
    own_categories = getattr(classifier, "categorical_features", None)
    for column in columns_of(X):
        if own_categories == "from_dtype":
            reads = hasattr(X, "iloc") and X.dtypes.iloc[column.position] == "category"
        else:
            reads = takes.string or takes.categorical or own_categories is not None
        if column.text and not reads:
            raise UsageError(
                f"{column.name} holds text ({quoted(column.text)}) and {type(classifier).__name__} takes numbers; pass "
                "encode=True, a pipeline with an encoder, or an inducer such as 'naive-bayes'"
            )
        if column.missing and not takes.allow_nan:
            raise UsageError(
                f"{column.name} lacks {column.missing} value(s) (NaN) and {type(classifier).__name__} takes none "
                "missing; pass encode=True, a pipeline with an imputer, or an inducer such as 'naive-bayes'"
            )
        if column.infinite:
            raise UsageError(f"{column.name} holds {column.infinite} infinite value(s); expected finite numbers")


def _encoded(classifier: Any, table: Any, X: Any) -> tuple[Any, Any]:
    """Put an encoder before a classifier, where the columns need one; it learns from training sets alone."""
    kinds = columns_of(table)
    if not any(c.text or c.missing for c in kinds):
        return X, classifier
    refuse_written_numbers(table)
    import pandas as pd
    from sklearn.pipeline import make_pipeline

    text = [c.position for c in kinds if c.text]
    numbers = [c.position for c in kinds if not c.text]
    frame = table if hasattr(table, "iloc") else pd.DataFrame(table)
    for j in text:
        refuse_lists(kinds[j].name, frame.iloc[:, j])
    # one sign for what is missing, which the imputer knows
    columns = {
        j: frame.iloc[:, j].astype(object).where(frame.iloc[:, j].notna(), np.nan)
        if j in text
        else pd.to_numeric(frame.iloc[:, j]).astype(np.float64)
        for j in range(frame.shape[1])
    }
    return pd.DataFrame(columns), make_pipeline(column_encoder(numbers, text), classifier)
