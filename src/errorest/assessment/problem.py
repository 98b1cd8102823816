"""Validate the input and build a Problem: a learner with the data that it is trained and tested on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.columns import (
    check_takes,
    copies_in,
    encoded,
    rows_of,
    rows_of_sample,
    sample_of_values,
    table_of,
)
from errorest.assessment.equals import Equal
from errorest.assessment.learner import BuiltIn, Learner
from errorest.assessment.user_model import UserModel, reason
from errorest.data.columns import ReadReport, are_measured
from errorest.data.labels import LabelledCases, as_array, distinct, names_of, sorted_texts
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.learners.base import Inducer
from errorest.learners.c45 import C45
from errorest.learners.discriminant import LinearDiscriminant
from errorest.learners.named import EXPECTED, INDUCERS, named

if TYPE_CHECKING:
    from errorest.assessment.options import Options

# Labels of which more than this share are distinct numbers with fractions are a measurement, no classes
_MOST_CLASSES = 0.5
# Whole numbers are names of classes up to so many
_FEW_CLASSES = 5

_BUILT_IN = frozenset(INDUCERS.values())


@dataclass(frozen=True, eq=False)
class Problem(LabelledCases):
    """A learner and data, ready for resampling.

    Parameters
    ----------
    y : int array, shape (n,)
        Class numbers.
    labels : array, shape (K,)
        The user's labels of the classes, sorted.
    X : table
        The user's own: a frame, an array or a sparse matrix; of a sample its values.
    learner : Learner
    case_names : sequence, length n
        The index of a frame, else positions.
    groups, strata : int array, shape (n,), optional
    strata_names : tuple of str
    copies : int array, shape (n,), optional
        Equal numbers for equal rows of X; None where all differ.
    encode_unused : bool
        ``encode=True`` was given for a learner that takes text and gaps itself.
    text_is_nominal : bool
        Columns of text are categories.
    source : ReadReport, optional
        What a file's columns were taken for.
    self_tuning : tuple of str
        Parts of the model that split their training set to tune themselves.
    bootstrap_differs : bool
        Whether bootstrap samples make other kinds of classifiers than the sample, see :func:`bootstrap_differs`.
    """

    X: Any = field(repr=False)
    learner: Learner = field(repr=False)
    strata: np.ndarray | None = field(default=None, repr=False)
    strata_names: tuple[str, ...] = ()
    copies: np.ndarray | None = field(default=None, repr=False)
    encode_unused: bool = False
    text_is_nominal: bool = False
    source: ReadReport | None = None


def prepare(
    model: Any,
    X: Any,
    y: Any = None,
    groups: Any = None,
    stratify: Any = None,
    encode: bool = False,
    fit_params: Mapping[str, Any] | None = None,
    options: Options | None = None,
) -> Problem:
    """Check a user's classifier and data, and build a problem; ``options`` say how it is fitted."""
    if not isinstance(encode, bool | np.bool_):
        raise UsageError(f"encode = {encode!r} was given; expected True or False")
    model = resolve_model(model)
    built_in = is_built_in(model)
    if not (fit_params is None or (isinstance(fit_params, Mapping) and all(isinstance(k, str) for k in fit_params))):
        raise UsageError(f"fit_params = {fit_params!r}; expected a mapping of names to values")
    of_fit = {f"fit_params[{name!r}]": value for name, value in (fit_params or {}).items()}
    check_order(X=X, y=y, groups=groups, stratify=stratify, **of_fit)
    if isinstance(X, np.ma.MaskedArray):
        # what is masked is missing: NaN in numbers and None in text
        mask, X = np.ma.getmaskarray(X), np.asarray(X.data)
        missing: Any = np.float64(np.nan) if X.dtype.kind in "biuf" else None
        X = np.where(mask, missing, X) if mask.any() else X
    given = X if isinstance(X, Sample) else None
    if (given is None) == (y is None):
        one = "y was not given; expected one class label for each row of X"
        raise UsageError(one if given is None else "a Sample holds its own classes and y was given too; leave out y")
    if given is None:
        labels, codes = _labels(y)
    else:
        # the classes that have cases, sorted
        present = [given.classes[k] for k in np.unique(given.y)]
        labels = np.array(sorted_texts(present))
        numbers = {label: k for k, label in enumerate(labels.tolist())}
        codes = np.array([numbers.get(name, -1) for name in given.classes])[given.y]
    if labels.shape[0] < 2:
        raise UsageError(f"all {codes.shape[0]} cases are of class {labels[0]!s}; expected at least two classes")
    n = codes.shape[0]
    of_groups = None if groups is None else _numbers(groups, n, "groups", "group")[0]
    learner: Learner
    if not built_in:
        last = model
        while getattr(last, "steps", None):
            last = last.steps[-1][1]
        if type(last).__name__ == "FrozenEstimator" and type(last).__module__.startswith("sklearn."):
            raise UsageError(
                "the classifier is a FrozenEstimator and is never trained again, so that resamples test it on cases "
                "that it may know; pass its .estimator, or count its errors on new cases"
            )
        values = rows_of(X, n) if given is None else rows_of_sample(given, model)
        table, own = table_of(values), model
        if encode:
            values, own = encoded(model, table, values)
        else:
            check_takes(model, table)
        name = "" if own is model else f"{' '.join(repr(model).split())}, encoded"
        workers, threads = (1, None) if options is None else (options.n_jobs, options.threads)
        rows = UserModel(own, values, codes, labels, of_groups, dict(fit_params or {}), name, workers, threads)
        learner = replace(rows, equal=Equal(rows)) if options is None or options.compiled else rows
        values = table
    else:
        if fit_params:
            raise UsageError(f"{model.id} takes no fit_params; pass a scikit-learn classifier")
        table = None if given is not None else table_of(X)
        sample = (
            Sample(given.X, codes, given.attributes, names_of(labels), given.name)
            if given is not None
            else sample_of_values(table, codes, labels, n)
        )
        table = table if hasattr(table, "iloc") else sample.X
        learner, values = BuiltIn(model, sample), sample.X
    strata: np.ndarray | None = None
    strata_names: tuple[str, ...] = ()
    if isinstance(stratify, str) and stratify == "class":
        strata, strata_names = codes, names_of(labels)
    elif isinstance(stratify, str):
        raise UsageError(
            f"stratify = '{stratify}'; expected one value a case, or 'class'",
            f"pass the values of a column: stratify=df['{stratify}']",
        )
    elif stratify is not None:
        strata, strata_names = _numbers(stratify, n, "strata", "stratum")
    return Problem(
        codes,
        labels,
        table,
        learner,
        strata,
        strata_names,
        copies_in(values),
        encode_unused=bool(encode) and built_in,
        text_is_nominal=bool(encode) or built_in,
        source=None if given is None else given.read_report,
        case_names=X.index if hasattr(X, "iloc") else range(n),
        groups=of_groups,
        self_tuning=self_tuning_parts(model),
        bootstrap_differs=bootstrap_differs(model, n, np.shape(values)[1] if np.ndim(values) == 2 else 0),
    )


def resolve_model(model: Any) -> Any:
    """Resolve a name or import path, and check that it is a classifier."""
    result = named(model) if isinstance(model, str) else model

    def refused(why: str, *hint: str) -> UsageError:
        shown = f"'{model}'" if isinstance(model, str) else " ".join(repr(model).split())
        return UsageError(f"{shown} {why}", *hint)

    if isinstance(result, type):
        raise refused(f"is a class and not one of its classifiers; expected an instance; write {result.__name__}()")
    if is_built_in(result):
        return result
    # an unfitted ensemble may not show its predict yet
    if not all(callable(getattr(result, name, None)) or hasattr(type(result), name) for name in ("fit", "predict")):
        raise refused(f"is no classifier: it has no fit and predict; {EXPECTED}")
    from sklearn.base import is_classifier, is_regressor

    try:
        classifies, regresses = is_classifier(result), is_regressor(result)
    except (AttributeError, TypeError):
        classifies = regresses = False
    if regresses:
        raise refused(
            "is a regressor, and errorest measures classifiers",
            "sklearn.model_selection.cross_val_score with RepeatedKFold serves regression",
        )
    if not classifies or not hasattr(result, "get_params"):
        raise refused(f"does not say that it is a classifier (it may be a regressor); {EXPECTED}")
    try:
        result.get_params()
    except (Exception, SystemExit) as exc:  # a user's classifier may raise anything
        problem = f"the settings of {type(result).__name__} cannot be read ({reason(exc)})"
        raise UsageError(problem, "its __init__ must name its parameters and keep them under their names") from None
    return result


def is_built_in(model: Any) -> bool:
    """Whether an object trains on samples, as the library's learners do, and not on X and y."""
    # asking a protocol takes longer than ten folds of a small sample
    return type(model) in _BUILT_IN or (
        isinstance(model, Inducer) and callable(getattr(model, "predict_resamples", None))
    )


def self_tuning_parts(model: Any) -> tuple[str, ...]:
    """Name the parts of a model that split their training set to tune, calibrate or stop early.

    These have a parameter ``cv``, as searches, calibrated and stacked classifiers have, or hold out a part of the
    training set for early stopping.
    """
    if not hasattr(model, "get_params"):
        return ()
    try:
        parts = [p for p in (model, *model.get_params().values()) if hasattr(p, "get_params")]
        settings = [(type(p).__name__, p.get_params(deep=False)) for p in parts if not isinstance(p, type)]
    except (Exception, SystemExit):  # a user's classifier may raise anything
        return ()
    found = set()
    for name, own in settings:
        if "cv" in own:
            splits = not (isinstance(own["cv"], str) and own["cv"] == "prefit")  # which refits nothing
        elif "early_stopping" in own:
            splits = own["early_stopping"] is True
        else:  # boosting holds out a part where it may stop
            splits = own.get("validation_fraction") is not None and own.get("n_iter_no_change") is not None
        if splits:
            found.add(name)
    return tuple(sorted(found))


# Fewest cases from which the kind of classifier matters more than the spread of the estimate.  Of 50 cases, of which
# .2 % are misclassified, limits of folds held the error of C4.5 in .88 of simulated samples, those of .632+ in .99
_PRUNED_FROM, _DISCRIMINANT_FROM = 60, 30


def bootstrap_differs(model: Any, n: int, d: int) -> bool:
    """Whether bootstrap samples of n cases with d attributes make other kinds of classifiers than the sample.

    C4.5's pruning takes copies of a case for evidence and leaves larger trees.  The error of a linear discriminant that
    does not shrink its covariances peaks where it has as many cases as attributes; a bootstrap sample, of .632 n
    distinct cases, is there at another n than the sample.
    """
    last = model
    while getattr(last, "steps", None):
        last = last.steps[-1][1]
    if isinstance(last, C45):
        return last.prune and n >= _PRUNED_FROM
    theirs = type(last).__name__ == "LinearDiscriminantAnalysis" and type(last).__module__.startswith("sklearn.")
    if isinstance(last, LinearDiscriminant) or (theirs and getattr(last, "shrinkage", None) is None):
        # both peaks, with what lies between them and half as much on either side
        return n >= _DISCRIMINANT_FROM and 0.75 * d <= n <= 2.5 * d
    return False


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


def _labels(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Check class labels; return the distinct ones, and the class numbers."""
    own = as_array(y, "y")
    if own.ndim != 1:
        one_hot = own.ndim == 2 and ((own == 0) | (own == 1)).all() and (own.sum(axis=1) == 1).all()
        several = "of several labels a case, estimate each by itself: y[:, 0]" if own.ndim == 2 else ""
        hint = "take labels[y.argmax(axis=1)]" if one_hot else several
        raise UsageError(f"y has shape {own.shape}; expected one class label a case", hint)
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
                "cut them into classes, such as (y > 0.5).astype(int), or pass y.astype(str) if they are names; for "
                "regression take sklearn.model_selection.cross_val_score",
            )
    return labels, codes


def _numbers(values: Any, n: int, what: str, one: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """Number the distinct values of groups or strata."""
    given = as_array(values, what)
    if given.shape != (n,):
        raise UsageError(
            f"{what} have shape {given.shape} and there are {n} cases; expected ({n},), one {one} for each case"
        )
    found, numbers = distinct(given, f"{what} lack a value", f"give a case that stands alone a {one} of its own")
    return numbers, names_of(found)
