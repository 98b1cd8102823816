"""What an estimator is: schemes to be run, a reduction of their 0/1 losses, and an id.

The id says every setting on which the number depends; settings at their
default are left out unless they say the size of the estimate.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from errorest.data.sample import Sample
from errorest.errors import UsageError, nearest
from errorest.estimation.clone_errors import Cloning
from errorest.estimation.run import Outcome, Scheme

__all__ = ["Estimator", "Outcomes", "cloning_of", "estimator_id", "one_of"]

Outcomes = Mapping[Scheme, Outcome]

_SIZES = ("test", "k", "replicates")


@dataclass(frozen=True)
class Estimator:
    """An error-rate estimator.

    Parameters
    ----------
    id : str
        Unambiguous name with settings, such as ``cv(k=10, repeats=100)``.
    schemes : tuple of Scheme
        What must be run.
    reduce : callable
        ``reduce(sample, outcomes) -> float``, the estimated error rate (a proportion).

    Examples
    --------
    >>> apparent = Scheme("resubstitution")
    >>> half = Estimator("half", (apparent,), lambda sample, outcomes: 0.5 * outcomes[apparent].rate)
    >>> half.id, [scheme.id for scheme in half.schemes]
    ('half', ['resubstitution()'])
    """

    id: str
    schemes: tuple[Scheme, ...]
    reduce: Callable[[Sample, Outcomes], float] = field(compare=False, repr=False)


def estimator_id(make: Callable[..., Estimator], name: str, **settings: Any) -> str:
    """Write the id of the estimator that a constructor makes of settings, under the name it is known by.

    Settings at their default are left out, unless they say the size of the estimate; those of
    cloning stand beside the others.

    Examples
    --------
    >>> from errorest.estimation.estimators import cross_validation
    >>> estimator_id(cross_validation, "cv", k=10, repeats=1)
    'cv(k=10)'
    """
    defaults = {k: p.default for k, p in inspect.signature(make).parameters.items()}
    shown = []
    for key, value in settings.items():
        if isinstance(value, Cloning):
            shown.append(f"{key}=True")
            shown += [f"{k}={v}" for k, v in value.texts.items()]
        elif key in _SIZES or value != defaults[key]:
            shown.append(f"{key}={value}")
    return f"{name}({', '.join(shown)})" if shown else name


def cloning_of(cloned: Cloning | bool) -> Cloning | None:
    """Read a constructor's ``cloned``: True stands for cloning as the paper does it.

    Examples
    --------
    >>> cloning_of(True) == Cloning(), cloning_of(False)
    (True, None)
    """
    if isinstance(cloned, Cloning):
        return cloned
    return Cloning() if cloned else None


def one_of(value: str, known: tuple[str, ...], what: str) -> None:
    """Refuse a setting that is none of the known ones.

    Raises
    ------
    UsageError
        Naming the known ones and the nearest.

    Examples
    --------
    >>> one_of("case", ("case", "pooled"), "per")
    """
    if value not in known:
        raise UsageError(f"unknown {what} '{value}'; expected one of {', '.join(known)}; {nearest(value, known)}")
