"""Checks of the classifier: what is never trained, units that count by distance, its own warnings and failures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from errorest.assessment.checks.warning import Checked, CheckWarning, check, counted

# A larger ratio of standard deviations is reported where a classifier goes by distances: in a squared distance a ratio
# of 100 is one of 10,000: the other attribute hardly matters
_UNLIKE_UNITS = 100

# What to do about a classifier's own warning, by a word of it
_ADVICE = {
    "converge": "; scale the data in a pipeline, make_pipeline(StandardScaler(), ...), or raise its max_iter",
    "collinear": "; leave out columns that repeat others",
}

_DISTANCES = {"minkowski", "euclidean", "l2", "manhattan", "cityblock", "l1", "chebyshev"}
_KERNELS = {"rbf", "linear", "poly", "sigmoid"}
# Classifiers of scikit-learn that go by distances or kernels, and the values of a setting by which units count
_BY_DISTANCE = {
    "KNeighborsClassifier": ("metric", _DISTANCES),
    "RadiusNeighborsClassifier": ("metric", _DISTANCES),
    "SVC": ("kernel", _KERNELS),
    "NuSVC": ("kernel", _KERNELS),
}


@check("E101", "problem")
def learns_nothing(of: Checked) -> Iterable[CheckWarning]:
    """E101: the same answers after training on each class in place of the next; two fits on at most 60 cases."""
    return [
        CheckWarning.of("E101", who=name)
        for name, p in zip(of.names, of.problems, strict=True)
        if not _frozen_parts(p.learner.model) and p.learner.learns_nothing
    ]


@check("E102", "problem")
def frozen(of: Checked) -> Iterable[CheckWarning]:
    """E102: parts that are never trained again."""
    for name, p in zip(of.names, of.problems, strict=True):
        if parts := _frozen_parts(p.learner.model):
            yield CheckWarning.of("E102", who=name, parts=", ".join(parts))


def _frozen_parts(model: Any) -> list[str]:
    try:
        settings = model.get_params(deep=True) if hasattr(model, "get_params") else {}
    except (Exception, SystemExit):  # a user's classifier may raise anything
        return []
    parts = (part for part in settings.values() if is_frozen(part))
    return sorted({type(getattr(part, "estimator", part)).__name__ for part in parts})


def is_frozen(part: Any) -> bool:
    """Whether it is a FrozenEstimator, which is never trained again."""
    return type(part).__name__ == "FrozenEstimator" and type(part).__module__.startswith("sklearn.")


@check("E207", "problem", "data")
def unlike_units(of: Checked) -> Iterable[CheckWarning]:
    """E207: columns in unlike units under a classifier that goes by distances."""
    for who, p in zip(of.names, of.problems, strict=True):
        if not goes_by_distance(p.learner.model):
            continue
        spread = {name: sd for name, sd in deviations_of(p.X, getattr(p.learner, "sample", None)).items() if sd > 0}
        if len(spread) < 2:
            continue
        least, largest = min(spread, key=spread.__getitem__), max(spread, key=spread.__getitem__)
        if (ratio := spread[largest] / spread[least]) > _UNLIKE_UNITS:
            yield CheckWarning.of("E207", who=who, largest=largest, ratio=ratio, least=least)


def goes_by_distance(model: Any) -> bool:
    """Whether the unit of an attribute says how much it counts, since nothing before the classifier may scale it."""
    if hasattr(model, "standardize"):  # the library's nearest neighbours
        return model.standardize == "none" and getattr(model, "metric", "") != "hamming"
    before: list[Any] = []
    while hasattr(model, "steps") or hasattr(model, "estimator"):
        if hasattr(model, "steps"):
            before += [step for _, step in model.steps[:-1]]
            model = model.steps[-1][1]
        else:
            model = model.estimator
    of_sklearn = type(model).__module__.startswith("sklearn.")
    setting, known = _BY_DISTANCE.get(type(model).__name__ if of_sklearn else "", ("", set()))
    kind = getattr(model, setting, None) if setting else None
    return isinstance(kind, str) and kind in known and not any(map(_may_scale, before))


def _may_scale(step: Any) -> bool:
    """Whether a step of a pipeline may change units: anything but filling gaps, encoding and passing through."""
    parts: Any = getattr(step, "steps", None) or getattr(step, "transformers", ())
    if parts:
        return any(_may_scale(part[1]) for part in parts)
    return not (isinstance(step, str) or step is None or type(step).__name__ in ("SimpleImputer", "OneHotEncoder"))


def deviations_of(X: Any, sample: Any) -> dict[str, float]:
    """Return the standard deviations of the columns of numbers of a frame, an array or a sample's own values."""
    if hasattr(X, "iloc"):
        numbers = X.select_dtypes("number")
        return {f"column '{name}'": float(numbers.iloc[:, j].std(ddof=0)) for j, name in enumerate(numbers.columns)}
    if sample is not None and X is sample.X:
        kinds = [(f"attribute '{a.name}'", a.kind != "nominal") for a in sample.attributes]
    elif not hasattr(X, "tocsr") and X.ndim == 2 and X.dtype.kind in "iuf":
        kinds = [(f"column {j + 1}", True) for j in range(X.shape[1])]
    else:
        return {}
    return {name: float(np.nanstd(X[:, j])) for j, (name, measured) in enumerate(kinds) if measured}


@check("E110", "own warnings")
def own_warnings(of: Checked) -> Iterable[CheckWarning]:
    """E110: the classifier's own warnings, with advice for some."""
    for who, p in zip(of.names, of.predictions, strict=True):
        for text, number in p.warned.items():
            advice = next((what for sign, what in _ADVICE.items() if sign in text.lower()), "")
            times, fits = counted(number, "time"), counted(p.n_fits, "fit")
            yield CheckWarning.of("E110", who=who, times=times, fits=fits, text=text.rstrip(" .:;,"), advice=advice)


@check("E111", "failures")
def left_out(of: Checked) -> Iterable[CheckWarning]:
    """E111: resamples on which the classifier failed."""
    for who, p in zip(of.names, of.predictions, strict=True):
        for scheme, run in p.runs.items():
            if run.failures:
                first, what = run.failures[0], counted(len(run.failures), "resample")
                facts = {"resamples": what, "scheme": scheme.id, "first": first.row + 1, "reason": first.reason}
                yield CheckWarning.of("E111", who=who, **facts)


def columns_seen(model: Any, X: Any) -> set[int]:
    """Return the positions of the columns of a frame that a classifier looks at: a ColumnTransformer may drop some."""
    whole = set(range(X.shape[1]))
    if steps := [step for _, step in getattr(model, "steps", ()) if not isinstance(step, str) and step is not None]:
        return columns_seen(steps[0], X)
    if hasattr(model, "transformers") and hasattr(model, "remainder"):
        named = {True: set[int](), False: set[int]()}
        for _, step, key in model.transformers:
            named[isinstance(step, str) and step == "drop"] |= _positions(key, X)
        return named[False] if model.remainder == "drop" else named[False] | whole - named[True]
    named_parts: Any = getattr(model, "estimators", None) or getattr(model, "transformer_list", ())
    parts = [one for _, one in named_parts] + ([model.estimator] if hasattr(model, "estimator") else [])
    return set().union(*(columns_seen(part, X) for part in parts)) if parts else whole


def _positions(key: Any, X: Any) -> set[int]:
    """Return the positions of the columns that a ColumnTransformer names, in one of its ways."""
    import pandas as pd

    numbered = pd.DataFrame([range(X.shape[1])], columns=X.columns)
    try:
        key = key(X) if callable(key) else key
        key = [key] if isinstance(key, str | int) else key
        ends = (key.start, key.stop) if isinstance(key, slice) else key
        by_name = any(isinstance(one, str) for one in ends)
        selected = numbered.loc[:, key] if by_name else numbered.iloc[:, key]
    except Exception:  # a user's callable may raise anything, and fit reports what is wrong
        return set(range(X.shape[1]))
    return set(selected.to_numpy().ravel().tolist())
