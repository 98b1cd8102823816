"""Which scikit-learn classifiers with which settings have a compiled batch; all others go the ordinary way."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from errorest.compiled import PLAIN, is_slow
from errorest.learners.equals.batch import Batch, CompiledBatch, ConstantBatch
from errorest.learners.equals.bayes import bernoulli, categorical, gaussian
from errorest.learners.equals.discriminant import linear, quadratic
from errorest.learners.equals.logistic import logistic
from errorest.learners.equals.neighbors import nearest_centroid, nearest_neighbors
from errorest.learners.equals.steps import (
    COMPONENTS,
    CONSTANT,
    IMPUTE,
    MEAN,
    MEDIAN,
    MOST_FREQUENT,
    RANGE,
    STANDARD,
    Steps,
)
from errorest.sklearn_models import is_sklearn

Settings = Mapping[str, Any]
Kernel = tuple[Callable[..., None], tuple[Any, ...]]

# Columns whose values are larger than this many times their range lose digits in sums of squares
_MOST_OFFSET = 1e5
# Means of columns in deviations, above which the iterates of logistic regression lose too many digits
_MOST_DEVIATIONS = 30
# Above so many columns eigenvalues and Cholesky factors take longer than LAPACK's
_MOST_COLUMNS = 60
# Above so many cases the search of a tree takes less than all distances
_MOST_CASES_OF_NEIGHBORS = 4000
# Shares of a probability by which rounding moves it, other than 1e-11
_ROUNDING = {"KNeighborsClassifier": 0.0, "LogisticRegression": 1e-9}
_STRATEGIES = {"mean": MEAN, "median": MEDIAN, "most_frequent": MOST_FREQUENT, "constant": CONSTANT}


def batch_of(model: Any, X: Any, n_classes: int) -> Batch | None:
    """Return the compiled batch of a classifier or pipeline on the rows of X; None where it has none."""
    transformers, last = _parts(model)
    if last is None:
        return None
    name = type(last).__name__
    if name == "DummyClassifier" and not transformers:
        # it reads no X, whatever that is
        settings = _settings(last, ("strategy", "random_state", "constant"))
        strategy = None if settings is None else settings["strategy"]
        return ConstantBatch(strategy == "most_frequent") if strategy in ("prior", "most_frequent") else None
    values = _numbers(X)
    if name not in _KERNELS or values is None:
        return None
    handled, read = _KERNELS[name]
    settings, steps = _settings(last, handled), _steps(transformers, values)
    if settings is None or steps is None:
        return None
    kernel = read(settings, values, steps, n_classes)
    # as plain Python a batch takes longer than scikit-learn's fits
    if kernel is None or (PLAIN and is_slow(kernel[0])):
        return None
    return CompiledBatch(*kernel, values, steps, _ROUNDING.get(name, 1e-11))


def _parts(model: Any) -> tuple[list[Any], Any]:
    """Return the transformers and the classifier of a pipeline of scikit-learn's, or a classifier alone."""
    if not is_sklearn(model):
        return [], None
    if type(model).__name__ != "Pipeline":
        return [], model
    if _settings(model, ("steps",)) is None:
        return [], None
    *first, last = (step for _, step in model.steps)
    transformers = [step for step in first if step is not None and not isinstance(step, str)]
    plain = all(isinstance(step, str) is False or step == "passthrough" for step in first)
    return (transformers, last) if plain and all(map(is_sklearn, [*transformers, last])) else ([], None)


def _settings(model: Any, handled: tuple[str, ...]) -> Settings | None:
    """Return the settings of a part; None if any that is not handled differs from its default."""
    defaults = inspect.signature(type(model)).parameters
    settings = model.get_params(deep=False)
    for name, value in settings.items():
        if name not in handled and value is not defaults[name].default:
            same = type(value) is type(defaults[name].default) and value == defaults[name].default
            if not same:
                return None
    return {name: settings.get(name) for name in handled}


def _numbers(X: Any) -> np.ndarray | None:
    """Return a table of numbers as doubles; None for text, sparse matrices, float32 and infinite values."""
    if type(X).__module__.split(".")[0] == "pandas" and hasattr(X, "dtypes"):
        plain = X.ndim == 2 and all(isinstance(t, np.dtype) and _is_plain(t) for t in X.dtypes)
        values = X.to_numpy(dtype=np.float64) if plain and X.shape[1] else None
    else:
        values = X if type(X) is np.ndarray and X.ndim == 2 and _is_plain(X.dtype) else None
    if values is None or not values.shape[1]:
        return None
    values = np.ascontiguousarray(values, dtype=np.float64)
    with np.errstate(all="ignore"):
        most = np.nanmax(np.abs(values), axis=0, initial=0.0)
        between = np.nanmax(values, axis=0, initial=-np.inf) - np.nanmin(values, axis=0, initial=np.inf)
    exact = np.isfinite(most).all() and (most < 1e15).all()
    return values.copy() if exact and ((between == 0) | (most <= _MOST_OFFSET * between)).all() else None


def _is_plain(dtype: np.dtype) -> bool:
    return dtype.kind in "iu" or dtype == np.float64


def _steps(transformers: list[Any], values: np.ndarray) -> Steps | None:
    """Return the transformers as numbers; None if one has a setting that is not here, or values are missing."""
    kinds: list[int] = []
    numbers: list[tuple[float, float, float]] = []
    width = values.shape[1]
    for step in transformers:
        name = type(step).__name__
        settings = _settings(step, _STEPS[name]) if name in _STEPS else None
        if settings is None:
            return None
        if name == "SimpleImputer":
            fill = settings["fill_value"] or 0.0
            missing = settings["missing_values"]
            if settings["strategy"] not in _STRATEGIES or not _is_number(fill) or not _is_number(missing):
                return None
            if not np.isnan(missing):
                return None
            kinds.append(IMPUTE)
            numbers.append((_STRATEGIES[settings["strategy"]], float(fill), 0.0))
        elif name == "StandardScaler":
            kinds.append(STANDARD)
            numbers.append((float(settings["with_mean"] is True), float(settings["with_std"] is True), 0.0))
        elif name == "MinMaxScaler":
            low, high = settings["feature_range"]
            if not low < high:
                return None
            kinds.append(RANGE)
            numbers.append((float(low), float(high), 0.0))
        else:
            k, solver = settings["n_components"], settings["svd_solver"]
            k = width if k is None else k
            if not _is_integer(k) or not 1 <= k <= width <= _MOST_COLUMNS:
                return None
            if solver not in ("auto", "full", "covariance_eigh"):
                return None
            kinds.append(COMPONENTS)
            numbers.append((float(k), float(settings["whiten"] is True), float(solver == "auto")))
            width = int(k)
    missing = bool(np.isnan(values).any())
    if missing and not (kinds and kinds[0] == IMPUTE):
        return None
    order = np.argsort(values.T, axis=1, kind="stable") if missing else np.zeros((0, 0), dtype=np.int64)
    return Steps(np.array(kinds, dtype=np.int64), np.array(numbers, dtype=np.float64).reshape(-1, 3), order, width)


_STEPS: dict[str, tuple[str, ...]] = {
    "SimpleImputer": ("strategy", "fill_value", "missing_values"),
    "StandardScaler": ("with_mean", "with_std", "copy"),
    "MinMaxScaler": ("feature_range", "copy"),
    "PCA": ("n_components", "whiten", "svd_solver", "random_state", "copy"),
}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _priors(given: Any, n_classes: int) -> np.ndarray | None:
    """Return priors as an array, empty where the training shares serve; None where scikit-learn might warn."""
    if given is None:
        return np.zeros(0)
    priors = np.asarray(given)
    if priors.shape != (n_classes,) or priors.dtype.kind not in "iuf":
        return None
    valid = (priors > 0).all() and abs(priors.sum() - 1) < 1e-9
    return priors.astype(np.float64) if valid else None


def _gaussian(settings: Settings, X: np.ndarray, steps: Steps, n_classes: int) -> Kernel | None:
    priors, smoothing = _priors(settings["priors"], n_classes), settings["var_smoothing"]
    if priors is None or not _is_number(smoothing) or smoothing < 0:
        return None
    return gaussian, (priors, float(smoothing), n_classes)


def _bernoulli(settings: Settings, X: np.ndarray, steps: Steps, n_classes: int) -> Kernel | None:
    given, alpha, threshold = settings["class_prior"], settings["alpha"], settings["binarize"]
    priors = _priors(given, n_classes)
    # the sign of a component is arbitrary; an alpha near 0 is raised, with a warning
    fits = not (steps.kind == COMPONENTS).any() and _is_number(alpha) and alpha >= 1e-9
    if priors is None or not fits or not _is_number(threshold):
        return None
    return bernoulli, (
        priors,
        float(threshold),
        float(alpha),
        bool(settings["fit_prior"]),
        steps.kind.size > 0,
        n_classes,
    )


def _categorical(settings: Settings, X: np.ndarray, steps: Steps, n_classes: int) -> Kernel | None:
    priors, alpha, least = _priors(settings["class_prior"], n_classes), settings["alpha"], settings["min_categories"]
    codes = steps.kind.size == 0 and not np.isnan(X).any() and (X >= 0).all() and (np.rint(X) == X).all()
    if priors is None or not codes or not _is_number(alpha) or alpha < 1e-9 or X.max() > 1000:
        return None
    if least is not None and not _is_integer(least):
        return None
    known = np.full(X.shape[1], least or 0, dtype=np.int64)
    size = np.maximum(known, X.max(axis=0).astype(np.int64) + 1)
    first = np.concatenate([[0], np.cumsum(size)])
    return categorical, (priors, known, first, float(alpha), bool(settings["fit_prior"]), n_classes)


def _neighbors(settings: Settings, X: np.ndarray, steps: Steps, n_classes: int) -> Kernel | None:
    k, algorithm, metric = settings["n_neighbors"], settings["algorithm"], settings["metric"]
    if not _is_integer(k) or k < 1 or settings["p"] != 2 or metric not in ("minkowski", "euclidean"):
        return None
    # algorithms that compute by differences throughout are not told apart from "auto", whose rule is stricter
    by_tree = algorithm in ("auto", "kd_tree", "ball_tree")
    if (not by_tree and algorithm != "brute") or X.shape[0] > _MOST_CASES_OF_NEIGHBORS:
        return None
    return nearest_neighbors, (int(k), by_tree, n_classes)


def _linear(settings: Settings, X: np.ndarray, steps: Steps, n_classes: int) -> Kernel | None:
    priors, solver = _priors(settings["priors"], n_classes), settings["solver"]
    if priors is None or solver not in ("svd", "lsqr") or steps.width > _MOST_COLUMNS:
        return None
    return linear, (priors, solver == "lsqr", _divisors()[0], n_classes)


def _quadratic(settings: Settings, X: np.ndarray, steps: Steps, n_classes: int) -> Kernel | None:
    priors, tolerance = _priors(settings["priors"], n_classes), settings["tol"]
    if priors is None or not _is_number(tolerance) or not 0 < tolerance < 1 or steps.width > _MOST_COLUMNS:
        return None
    return quadratic, (priors, float(tolerance), _divisors()[1], n_classes)


def _logistic(settings: Settings, X: np.ndarray, steps: Steps, n_classes: int) -> Kernel | None:
    strength, tolerance, iterations = settings["C"], settings["tol"], settings["max_iter"]
    fits = _is_number(strength) and _is_number(tolerance) and _is_integer(iterations)
    # iterates amplify what components lose by rounding
    if not fits or not 0 < strength < np.inf or not tolerance > 0 or (steps.kind == COMPONENTS).any():
        return None
    # and they lose as much where columns that are not scaled are far from zero
    centred = (steps.kind == RANGE) | ((steps.kind == STANDARD) & (steps.numbers[:, 0] > 0))
    mean = np.abs(X.mean(axis=0))
    if not centred.any() and ((mean > 1) & (mean > _MOST_DEVIATIONS * X.std(axis=0))).any():
        return None
    return logistic, (float(strength), float(tolerance), int(iterations), bool(settings["fit_intercept"]), n_classes)


@lru_cache(maxsize=1)
def _divisors() -> tuple[bool, bool]:
    """Whether the covariances of this scikit-learn are unbiased, of the linear and the quadratic discriminant."""
    # its releases differ: sums of squares by m or m - K, and by n_c or n_c - 1; ask by an example
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

    X, y = np.array([[0.0], [2.0], [3.0], [5.0]]), [0, 0, 1, 1]
    # means 1 and 4, within-class squares 4: the weight is 3 / (4 / 4) or 3 / (4 / 2)
    weight = LinearDiscriminantAnalysis().fit(X, y).coef_[0, 0]
    # squares 2 of two cases: the variance is 1 or 2
    variance = QuadraticDiscriminantAnalysis().fit(X, y).scalings_[0][0]
    return bool(weight < 2), bool(variance > 1.5)


_KERNELS: dict[str, tuple[tuple[str, ...], Callable[[Settings, np.ndarray, Steps, int], Kernel | None]]] = {
    "GaussianNB": (("priors", "var_smoothing"), _gaussian),
    "BernoulliNB": (("class_prior", "alpha", "binarize", "fit_prior"), _bernoulli),
    "CategoricalNB": (("class_prior", "alpha", "min_categories", "fit_prior"), _categorical),
    "KNeighborsClassifier": (("n_neighbors", "algorithm", "leaf_size", "metric", "p", "n_jobs"), _neighbors),
    "NearestCentroid": ((), lambda settings, X, steps, n_classes: (nearest_centroid, (n_classes,))),
    "LinearDiscriminantAnalysis": (("priors", "solver", "store_covariance"), _linear),
    "QuadraticDiscriminantAnalysis": (("priors", "tol", "store_covariance"), _quadratic),
    "LogisticRegression": (("C", "tol", "max_iter", "fit_intercept", "random_state"), _logistic),
}
