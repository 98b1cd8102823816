"""Classifiers of scikit-learn: whose they are, which seeds they read, and unfitted copies of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

# Values of settings that copies may share
_PLAIN = (type(None), bool, int, float, str)
# Classes that read random_state with some settings alone, as scikit-learn documents it
_READS_SEED: Mapping[str, Callable[[Any], bool]] = {
    "LogisticRegression": lambda model: model.solver in ("liblinear", "sag", "saga"),
    "SVC": lambda model: model.probability is True,
    "PCA": lambda model: model.svd_solver not in ("full", "covariance_eigh"),
}


def copier(model: Any) -> Callable[..., Any]:
    """Return a function that makes unfitted copies of a classifier, some settings changed by keyword.

    Cloning reads the signature of the class each time, a tenth of a fit on a hundred cases.  Classes of scikit-learn
    with numbers and texts for settings, and pipelines of these, are called with their settings instead.
    """
    from sklearn.base import clone

    clone(model)  # checks that the class keeps its settings as they are given
    if _is_plain(model, "steps") and all(
        isinstance(part, str | None) or _is_plain(part) for _, part in getattr(model, "steps", ())
    ):
        settings, kind = model.get_params(deep=False), cast("Callable[..., Any]", type(model))
        if "steps" not in settings:
            return partial(kind, **settings)
        makers = [(n, part if isinstance(part, str | None) else copier(part)) for n, part in settings.pop("steps")]
        return partial(_copy_pipeline, kind, makers, settings)
    return partial(_clone, model)


def _is_plain(model: Any, other_than: str = "") -> bool:
    """Whether a model is of a class of scikit-learn and nothing but plain settings, one excepted."""
    from sklearn.base import BaseEstimator

    if not is_sklearn(model) or not isinstance(model, BaseEstimator):
        return False
    settings = model.get_params(deep=False)
    # clones keep requests for metadata and the kind of output, which are attributes too, and nothing fitted
    more = {name for name in vars(model) if name.startswith("_") or not name.endswith("_")} - set(settings)
    plain = all(type(value) in _PLAIN for name, value in settings.items() if name != other_than)
    return plain and not more and type(model).__sklearn_clone__ is BaseEstimator.__sklearn_clone__


def _copy_pipeline(
    kind: Callable[..., Any], makers: list[tuple[str, Any]], settings: Mapping[str, Any], **changed: Any
) -> Any:
    model = kind([(name, make() if callable(make) else make) for name, make in makers], **settings)
    return model.set_params(**changed) if changed else model


def _clone(model: Any, **changed: Any) -> Any:
    from sklearn.base import clone

    result = clone(model)
    return result.set_params(**changed) if changed else result


def is_sklearn(model: Any) -> bool:
    """Whether an object is of a class of scikit-learn, not of a derived one, with the methods of its class."""
    return type(model).__module__.split(".")[0] == "sklearn" and not any(map(callable, vars(model).values()))


def seeds_of(model: Any) -> tuple[str, ...]:
    """Name the settings that take a seed, have none, and are read by the parts of a model that have them."""
    settings, names = model.get_params(), []
    for name, value in settings.items():
        if value is None and is_random_state(name):
            part = settings[name.rpartition("__")[0]] if "__" in name else model
            reads = _READS_SEED.get(type(part).__name__) if is_sklearn(part) else None
            if reads is None or reads(part):
                names.append(name)
    return tuple(sorted(names))


def is_random_state(name: str) -> bool:
    """Whether a setting of a scikit-learn classifier, or of a part of one, takes a seed."""
    return name == "random_state" or name.endswith("__random_state")
