"""All estimators by name, and how a text such as ``cv(k=5, repeats=20)`` is read.

An id reads back as the same estimator.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from typing import Any

from errorest.errors import UsageError, nearest
from errorest.estimation.clone_errors import Cloning
from errorest.estimation.estimators.bootstraps import (
    bootstrap_e0,
    bootstrapped_cross_validation,
    double_bootstrap,
    naive_bootstrap,
)
from errorest.estimation.estimators.combined import bootstrap_632, bootstrap_632_plus, loo_star
from errorest.estimation.estimators.estimator import Estimator
from errorest.estimation.estimators.splits import cross_validation, holdout, leave_one_out, resubstitution

__all__ = ["ESTIMATORS", "parse_estimator"]

ESTIMATORS: Mapping[str, Callable[..., Estimator]] = {
    "resubstitution": resubstitution,
    "holdout": holdout,
    "cv": cross_validation,
    "loo": leave_one_out,
    "e0": bootstrap_e0,
    "632": bootstrap_632,
    "632+": bootstrap_632_plus,
    "loo*": loo_star,
    "bs": naive_bootstrap,
    "bscv": bootstrapped_cross_validation,
    "bsx2": double_bootstrap,
}
"""Constructors by the name that stands before the parenthesis of an id."""


@lru_cache(maxsize=256)
def parse_estimator(text: str) -> Estimator:
    """Read an estimator from its id.

    Parameters
    ----------
    text : str
        A name of :data:`ESTIMATORS` with settings in parentheses, such as ``cv(k=5, repeats=20)``; where clones
        are drawn, ``cloned=True`` and perhaps settings of :class:`~errorest.estimation.clone_errors.Cloning` beside it.

    Raises
    ------
    UsageError
        If the name or a setting is unknown, or a value is of the wrong type.

    Examples
    --------
    >>> parse_estimator("holdout(test=1/4)").id
    'holdout(test=1/4)'
    >>> parse_estimator("bs(replicates=50, cloned=True, bounds=0:1/0:)").id
    'bs(replicates=50, cloned=True, bounds=0:1/0:)'
    """
    match = re.fullmatch(r"\s*([^()\s]+)\s*(?:\((.*)\))?\s*", text)
    if match is None or match[1] not in ESTIMATORS:
        name = match[1] if match else text
        raise UsageError(
            f"unknown estimator '{text}'; expected a name with settings, such as cv(k=10); {nearest(name, ESTIMATORS)}"
        )
    make = ESTIMATORS[match[1]]
    known = inspect.signature(make).parameters
    of_cloning = [f.name for f in fields(Cloning)] if "cloned" in known else []
    settings: dict[str, Any] = {}
    cloning: dict[str, str] = {}
    for part in filter(None, (p.strip() for p in (match[2] or "").split(","))):
        key, _, value = (p.strip() for p in part.partition("="))
        if key in of_cloning:
            cloning[key] = value
        elif key in known:
            settings[key] = _value(match[1], key, value, known[key].default)
        else:
            names = [*known, *of_cloning]
            raise UsageError(
                f"estimator {match[1]} has no setting '{key}'; expected one of {', '.join(names) or 'none'}; "
                + nearest(key, names)
            )
    if cloning and not settings.get("cloned"):
        raise UsageError(
            f"estimator {match[1]} was given {', '.join(cloning)} and draws no clones; expected cloned=True beside it; "
            "add that or remove it"
        )
    if cloning:
        settings["cloned"] = Cloning.from_texts(cloning)
    return make(**settings)


def _value(name: str, key: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"True": True, "true": True, "False": False, "false": False}[text]
        if isinstance(default, int):
            return "n" if (key, text) == ("k", "n") else int(text)
        if isinstance(default, Fraction):
            return int(text) if text.isdigit() else Fraction(text)
    except (KeyError, ValueError, ZeroDivisionError):
        raise UsageError(
            f"estimator {name} was given {key}={text}; expected a value like {default}; mend the value"
        ) from None
    return text
