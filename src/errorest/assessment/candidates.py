"""Read what a user hands over as candidates: classifiers, names, settings of one classifier, or a search object.

Every candidate gets a name that no other has; the same one twice is refused, since it would count as two trials.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from errorest.assessment.checks.warning import CheckWarning
from errorest.assessment.problem import Problem, is_built_in, resolve_model
from errorest.assessment.scoring import Scoring
from errorest.errors import UsageError
from errorest.spec import Spec

_EXPECTED = (
    "expected at least two: a list of classifiers or names, a mapping of names to them, a GridSearchCV, or a list of "
    "settings with base=..."
)


def read_candidates(candidates: Any, base: Any = None, seed: int = 0) -> dict[str, Any]:
    """Return candidates by name; those without one by their position in brackets."""
    if is_search(candidates):
        if base is not None:
            candidates = [candidates]
        elif hasattr(candidates, "param_grid"):
            from sklearn.model_selection import ParameterGrid

            candidates, base = list(ParameterGrid(candidates.param_grid)), candidates.estimator
        elif (number := getattr(candidates, "n_iter", None)) is not None:
            from sklearn.model_selection import ParameterSampler

            state = candidates.random_state if candidates.random_state is not None else seed
            drawn = ParameterSampler(candidates.param_distributions, number, random_state=state)
            candidates, base = list(drawn), candidates.estimator
        else:
            raise UsageError(
                f"{type(candidates).__name__} draws settings as it goes; expected a GridSearchCV or "
                "RandomizedSearchCV; pass the list of settings with base=..."
            )
    if isinstance(candidates, str) or not isinstance(candidates, Iterable):
        raise UsageError(f"candidates = {_short(repr(candidates))}; {_EXPECTED}; put it into a list with its rivals")
    results: dict[str, Any] = {}
    if isinstance(candidates, Mapping):
        candidates = results = {str(name): one for name, one in candidates.items()}
    else:
        candidates = list(candidates)
    if not results and candidates and all(isinstance(one, Mapping) for one in candidates):
        if base is None:
            raise UsageError("settings were given without a classifier; expected base=..., which they belong to")
        for settings in candidates:
            name = ", ".join(f"{key}={_one_line(repr(value))}" for key, value in settings.items()) or "as it is"
            if name in results:
                raise UsageError(f"settings {name} stand twice; expected distinct candidates; leave one out")
            results[name] = _with_settings(base, dict(settings), name)
    elif base is not None:
        raise UsageError("base was given, and the candidates are not settings of it; leave out base")
    results = results or {f"[{i}]": one for i, one in enumerate(candidates)}
    if len(results) < 2:
        raise UsageError(f"{len(results)} candidate(s) were given; {_EXPECTED}; add rivals")
    return results


def is_search(candidate: Any) -> bool:
    """Whether an object holds a classifier and the settings that are to be tried, as GridSearchCV does."""
    grids = ("param_grid", "param_distributions")
    return hasattr(candidate, "estimator") and any(hasattr(candidate, g) for g in grids)


def untuned_metrics(models: Iterable[Any], metric: Scoring, scoring: Any) -> Iterator[CheckWarning]:
    """E605: where no metric was named, searches whose settings are tuned by another than the error rate."""
    if not (isinstance(scoring, str) and scoring == "error"):
        return
    tuned = set()
    for model in models:
        while getattr(model, "steps", None):
            model = model.steps[-1][1]
        if (own := getattr(model, "scoring", None)) not in (None, "accuracy"):
            tuned.add(own if isinstance(own, str) else _short(repr(own)))
    for own in sorted(tuned):
        yield CheckWarning.of("E605", tuned=own, metric=metric.noun)


def _with_settings(base: Any, settings: dict[str, Any], name: str) -> Any:
    """Return a copy of a classifier with other settings."""
    model = resolve_model(base)
    try:
        if isinstance(model, Spec):
            return replace(cast(Any, model), **settings)
        if is_built_in(model) or not hasattr(model, "set_params"):
            raise UsageError(f"base {model.id} takes no settings; expected a classifier that does; list the candidates")
        from sklearn.base import clone

        return clone(model).set_params(**settings)
    except (TypeError, ValueError) as exc:
        raise UsageError(
            f"settings {name} do not fit the base ({_one_line(str(exc))[:200]}); expected its own settings"
        ) from None


def candidate_names(given: Iterable[str], ids: Iterable[str]) -> tuple[str, ...]:
    """Name each candidate as the user did, else by its id; equal ids of unlike candidates are numbered."""
    names: list[str] = []
    for name, own in zip(given, ids, strict=True):
        first = own if name.startswith("[") and name[1:-1].isdigit() else name
        numbered = (f"{first} ({number})" for number in range(2, len(names) + 3))
        names.append(first if first not in names else next(one for one in numbered if one not in names))
    return tuple(names)


def check_distinct(problems: Sequence[Problem]) -> None:
    """Refuse candidates that are the same with the same settings, whatever they are called."""
    seen: dict[tuple[type, str], int] = {}
    for number, problem in enumerate(problems, 1):
        model, text = problem.learner.model, problem.learner.id
        if not is_built_in(model):
            # a long text is abbreviated; its settings one by one are not
            values = sorted(model.get_params().items())
            text = str(
                [(k, id(type(v)), v.tobytes() if type(v) is np.ndarray and v.dtype != object else v) for k, v in values]
            )
        # two classes may have one name
        first = seen.setdefault((type(model), text), number)
        if first != number:
            raise UsageError(
                f"candidates {first} and {number} are the same, {_short(problem.learner.id)}; expected distinct "
                "candidates, since each counts as a trial; leave one out"
            )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    text = _one_line(text)
    return text if len(text) <= 60 else f"{text[:57]}..."
