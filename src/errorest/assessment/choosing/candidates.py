"""What a person may hand over as candidates: classifiers, names, settings of one classifier, or a search object.

Every candidate gets a name that no other has; the same one twice is refused, since it would count as two trials.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np

from errorest.assessment.classifiers import SklearnRowsLearner, is_inducer, resolve_classifier
from errorest.assessment.inputs import Problem
from errorest.errors import UsageError
from errorest.spec import Spec

_WANTED = (
    "expected at least two: a list of classifiers or names, a mapping of names to them, a GridSearchCV, or a list of "
    "settings with base=..."
)


def read_candidates(candidates: Any, base: Any = None, seed: int = 0) -> dict[str, Any]:
    """List what is to be chosen among."""
    unused = UsageError("base was given, and the candidates are not settings of it; leave out base")
    if is_search(candidates):
        if base is not None:
            raise unused
        from sklearn.model_selection import ParameterGrid, ParameterSampler

        search, base = candidates, candidates.estimator
        if hasattr(search, "param_grid"):
            candidates = list(ParameterGrid(search.param_grid))
        else:
            number = getattr(search, "n_iter", None)
            if number is None:
                raise UsageError(
                    f"{type(search).__name__} draws settings as it goes; expected a GridSearchCV or "
                    "RandomizedSearchCV; pass the list of settings with base=..."
                )
            state = search.random_state if search.random_state is not None else seed
            candidates = list(ParameterSampler(search.param_distributions, number, random_state=state))
    if isinstance(candidates, str) or not isinstance(candidates, Iterable):
        raise UsageError(
            f"candidates = {_short(_one_line(candidates))} was given; {_WANTED}; put it into a list with its rivals"
        )
    results: dict[str, Any] = {}
    listed = [] if isinstance(candidates, Mapping) else list(candidates)
    of_base = bool(listed) and all(isinstance(one, Mapping) for one in listed)
    if base is not None and not of_base:
        raise unused
    if isinstance(candidates, Mapping):
        results = {str(name): one for name, one in candidates.items()}
    elif not of_base:
        results = {f"[{i}]": one for i, one in enumerate(listed)}
    elif base is None:
        raise UsageError(
            "a list of settings was given without a classifier; expected base=..., the classifier that they belong to; "
            "pass base"
        )
    else:
        for settings in listed:
            name = ", ".join(f"{key}={_one_line(value)}" for key, value in settings.items()) or "as it is"
            if name in results:
                raise UsageError(f"settings {name} stand twice; expected distinct candidates; leave one out")
            results[name] = _made(base, dict(settings), name)
    if len(results) < 2:
        raise UsageError(f"{len(results)} candidate(s) were given; {_WANTED}; add rivals")
    return results


def is_search(candidate: Any) -> bool:
    """Whether an object holds a classifier and the settings that are to be tried, as GridSearchCV does."""
    grids = ("param_grid", "param_distributions")
    return hasattr(candidate, "estimator") and any(hasattr(candidate, g) for g in grids)


def _made(base: Any, settings: dict[str, Any], name: str) -> Any:
    """Make a copy of a classifier with other settings."""
    whole = resolve_classifier(base)
    try:
        if isinstance(whole, Spec):
            return replace(cast(Any, whole), **settings)
        if is_inducer(whole) or not hasattr(whole, "set_params"):
            raise UsageError(f"base {whole.id} takes no settings; expected a classifier that does; list the candidates")
        from sklearn.base import clone

        return clone(whole).set_params(**settings)
    except (TypeError, ValueError) as exc:
        raise UsageError(
            f"settings {name} do not fit the base ({' '.join(str(exc).split())[:200]}); expected its own settings"
        ) from None


def names_of_candidates(given: Mapping[str, Any], problems: Iterable[Problem]) -> tuple[str, ...]:
    """Name each candidate: as the person did, else by its own text; equal texts of unlike candidates are numbered."""
    names: list[str] = []
    for name, problem in zip(given, problems, strict=True):
        own = problem.inducer.id if name.startswith("[") and name[1:-1].isdigit() else name
        number = 2
        report = own
        while report in names:
            report, number = f"{own} ({number})", number + 1
        names.append(report)
    return tuple(names)


def check_distinct(problems: Iterable[Problem]) -> None:
    """Refuse candidates that are the same with the same settings, whatever they are called."""
    seen: dict[tuple[type, str], int] = {}
    for number, problem in enumerate(problems, 1):
        inducer = problem.inducer
        # two classes may have one name
        kind, key = type(inducer), inducer.id
        if isinstance(inducer, SklearnRowsLearner):
            # a long text is abbreviated; its settings one by one are not
            settings = [
                (name, id(type(value)), value.tobytes() if _is_plain_array(value) else value)
                for name, value in sorted(inducer.estimator.get_params().items())
            ]
            kind, key = type(inducer.estimator), str(settings)
        if (kind, key) in seen:
            raise UsageError(
                f"candidates {seen[kind, key]} and {number} are the same, {_short(inducer.id)}; expected distinct "
                "candidates, since each counts as a trial; leave one out"
            )
        seen[kind, key] = number


def _is_plain_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype != object


def _one_line(value: Any) -> str:
    return " ".join(repr(value).split())


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
