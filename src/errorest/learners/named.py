"""Inducers by name or import path; a name has scikit-learn's defaults, an id those of the papers."""

from __future__ import annotations

import difflib
import importlib
import inspect
import re
from ast import literal_eval
from collections.abc import Mapping
from typing import Any, Literal

from errorest.errors import UsageError, nearest
from errorest.learners.c45 import C45
from errorest.learners.discriminant import LinearDiscriminant
from errorest.learners.majority import Majority
from errorest.learners.naive_bayes import NaiveBayes
from errorest.learners.neighbors import KNN
from errorest.spec import Family, name_and_settings

INDUCERS: Family[Any] = Family(
    "classifier",
    (C45, KNN, LinearDiscriminant, Majority, NaiveBayes),
    "knn(k=3)",
)
"""Inducers of ours by name; it reads and makes what ids name."""

DEFAULTS: Mapping[str, Mapping[str, str]] = {
    "knn": {"k": "5", "standardize": "training"},
    "linear-discriminant": {"priors": "sample"},
    "naive-bayes": {"var_smoothing": "1e-9"},
}
"""Default settings of the names: scikit-learn's, with standardised attributes."""

EXPECTED = (
    "expected a scikit-learn classifier, an inducer, one of the names "
    f"{', '.join(INDUCERS)}, or an import path such as sklearn.neighbors.KNeighborsClassifier"
)
"""What is accepted as a classifier, for messages."""


# A + between steps; one between parentheses belongs to a setting
_BETWEEN_STEPS = re.compile(r"\s+\+\s+(?![^(]*\))")

# What a class must have beside fit, and the message where it has not
_METHODS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "classifier": (("predict", "predict_resamples"), EXPECTED),
    "transformer": (("transform",), "expected a transformer such as sklearn.preprocessing.StandardScaler"),
}


def named(text: str) -> Any:
    """Make the learner of a name, the classifier at an import path, or a pipeline, with their settings.

    A pipeline is written with ``+`` between its steps: ``sklearn.preprocessing.StandardScaler + sklearn.svm.SVC``.
    """
    *steps, last = _BETWEEN_STEPS.split(text)
    result = name_and_settings(last)
    if result is None:
        raise UsageError(f"'{text}' names no classifier; {EXPECTED}")
    name, texts = result
    if not steps:
        return (
            INDUCERS.make(name, {**DEFAULTS.get(name, {}), **texts})
            if name in INDUCERS
            else _at_path(last, name, texts, "classifier")
        )
    if name in INDUCERS:
        raise UsageError(f"'{name}' takes no step before it; expected a scikit-learn classifier at the end of '{text}'")
    from sklearn.pipeline import make_pipeline

    made = [_at_path(one, *(name_and_settings(one) or (one, {})), "transformer") for one in steps]
    return make_pipeline(*made, _at_path(last, name, texts, "classifier"))


def _at_path(text: str, name: str, texts: Mapping[str, str], what: Literal["classifier", "transformer"]) -> Any:
    """Make what an import path names, a classifier or a transformer."""
    made = _imported(name)
    if not isinstance(made, type):
        if texts:
            raise UsageError(
                f"'{name}' is an object and takes no settings; expected its name alone, or a class; "
                "leave out the parenthesis"
            )
        return made
    # before anything is called: the text may come from a parameter file that somebody else wrote
    answers, expected = _METHODS[what]
    if not callable(getattr(made, "fit", None)) or not any(callable(getattr(made, one, None)) for one in answers):
        raise UsageError(f"'{name}' is no {what}: it has no fit and {answers[0]}; {expected}")
    try:
        settings = {key: literal_eval(value) for key, value in texts.items()}
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise UsageError(
            f"the settings of '{text}' cannot be read; expected name=value pairs of plain values, with quotes round "
            "texts; write it like sklearn.neighbors.KNeighborsClassifier(n_neighbors=3)"
        ) from None
    try:
        return made(**settings)
    except UsageError:
        raise
    except (Exception, SystemExit) as exc:  # a user's class may raise any error
        known = ", ".join(inspect.signature(made).parameters) or "none"
        message = str(exc) if isinstance(exc, TypeError | ValueError) else f"{type(exc).__name__}: {exc}"
        raise UsageError(f"'{text}' cannot be made ({message}); expected settings among: {known}") from None


def _imported(path: str) -> Any:
    module, _, name = path.rpartition(":") if ":" in path else path.rpartition(".")
    if not module or not name:
        hint = nearest(path, INDUCERS)
        if not hint.startswith("did"):
            from sklearn.utils import all_estimators

            paths = {}
            for known, made in all_estimators(type_filter="classifier"):
                # a module that starts with an underscore is not where people import from
                public = [part for part in made.__module__.split(".") if not part.startswith("_")]
                # capitals are easily got wrong
                paths[known.lower()] = ".".join([*public, known])
            close = difflib.get_close_matches(path.lower(), list(paths), n=1, cutoff=0.6)
            hint = f"did you mean '{paths[close[0]]}'?" if close else "check the name"
        raise UsageError(f"unknown classifier '{path}'; {EXPECTED}; {hint}")
    try:
        result = importlib.import_module(module)
    except (Exception, SystemExit) as exc:  # a user's module may raise any error
        hint = nearest(path, INDUCERS)
        raise UsageError(
            f"'{path}' cannot be imported ({type(exc).__name__}: {exc}); {EXPECTED}; "
            + (hint if hint.startswith("did") else "check the path, and run where the module can be found")
        ) from None
    try:
        return getattr(result, name)
    except AttributeError:
        public = [n for n in dir(result) if not n.startswith("_")]
        hint = nearest(name, public)
        raise UsageError(
            f"module {module} has no '{name}'; expected a classifier of that module; "
            + (hint if hint.startswith("did") else "check the name")
        ) from None
