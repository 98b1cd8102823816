"""Warnings of results: every one has an id that stays, by which it is listed, looked up and switched off."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from errorest.errors import UsageError, nearest
from errorest.estimation.estimators import LeaveOneOutCV
from errorest.estimation.metrics.proper import LogLoss
from errorest.estimation.outcomes import StatisticOutcome
from errorest.resampling.schemes import APPARENT, Bootstrap

if TYPE_CHECKING:
    from errorest.assessment.predictions import Predictions
    from errorest.assessment.problem import Problem
    from errorest.estimation.outcomes import Outcome
    from errorest.resampling.scheme import Scheme


class Entry(NamedTuple):
    """What is listed of an id: title, why it matters, what to do, who looks for it, and texts by their variant."""

    title: str
    why: str
    remedy: str
    raised_by: str
    text: str | Mapping[str, str] = ""


_LISTED = tomllib.loads(resources.files(__package__).joinpath("checks.toml").read_text(encoding="utf-8"))

CHECKS: Mapping[str, Entry] = {name: Entry(**values) for name, values in _LISTED.items()}
"""Every warning by its id."""


class CheckWarning(str):
    """The text of a warning, with its id."""

    id: str

    def __new__(cls, id: str, text: str) -> CheckWarning:
        """Make a text of an id that is listed."""
        made = super().__new__(cls, text)
        made.id = CHECKS[id] and id
        return made

    @classmethod
    def of(cls, key: str, **facts: Any) -> CheckWarning:
        """Fill in the text of an id, such as ``"E204"``, or of one of its variants, such as ``"E201.few"``."""
        name, _, variant = key.partition(".")
        text = CHECKS[name].text
        return cls(name, (text if isinstance(text, str) else text[variant]).format(**facts))

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return self.id, str(self)


def checked_ids(ignore: Iterable[str] | str) -> frozenset[str]:
    """Check the ids of warnings that are switched off."""
    if not isinstance(ignore, Iterable):
        raise UsageError(f"ignore = {ignore!r}; expected ids of warnings, such as 'E203'")
    given = [ignore] if isinstance(ignore, str) else ignore
    ids = frozenset(filter(None, (one.strip() for several in given for one in str(several).split(","))))
    for one in sorted(ids - CHECKS.keys()):
        raise UsageError(f"ignore = '{one}', and no warning has this id; expected such as E203; {nearest(one, CHECKS)}")
    return ids


@dataclass(frozen=True, eq=False, kw_only=True)
class Checked:
    """What checks look at: classifiers on shared resamples, perhaps an estimate with its interval.

    ``outcomes`` are those of an estimate's schemes; ``problems`` is empty for predictions made elsewhere.
    """

    predictions: tuple[Predictions, ...] = ()
    problems: tuple[Problem, ...] = ()
    names: tuple[str, ...] = ("the classifier",)
    schemes: tuple[Scheme, ...] = ()
    outcomes: Mapping[Scheme, Outcome] = field(default_factory=dict)
    scoring: Any = None  # Scoring
    method: Any = None  # Estimator
    interval_method: Any = None  # IntervalMethod
    interval: Any = None  # ConfidenceInterval
    value: float = 0.0
    interval_wanted: bool = False

    @property
    def data(self) -> Predictions | Problem:
        """The data, which all classifiers share."""
        return (self.predictions or self.problems)[0]

    @cached_property
    def facts(self) -> frozenset[str]:
        """What is the case, by which checks are selected."""
        data, interval, method, interval_method = self.data, self.interval, self.method, self.interval_method
        metric = None if self.scoring is None else self.scoring.metric
        mean = metric is not None and metric.decomposable
        undefined = interval is not None and not interval.defined
        degenerate = interval is not None and interval.degenerate and not undefined
        holds = {
            "data": bool(self.predictions),
            "groups": data.groups is not None,
            "problem": bool(self.problems),
            "encoding unused": bool(self.problems) and all(p.encode_unused for p in self.problems),
            "copies": bool(self.problems) and self.problems[0].copies is not None and data.groups is None,
            "frame": any(hasattr(p.X, "iloc") for p in self.problems),
            "own warnings": any(p.warned for p in self.predictions),
            "failures": any(run.failures for p in self.predictions for run in p.runs.values()),
            "log loss": isinstance(metric, LogLoss),
            "ranking": metric is not None and metric.ranks,
            "mean": mean,
            "statistic": any(isinstance(o, StatisticOutcome) for o in self.outcomes.values()),
            "memorizer": mean and APPARENT in self.outcomes and not np.any(self.outcomes[APPARENT].errors),
            "estimate": bool(self.outcomes),
            "self-tuning": bool(data.self_tuning),
            "default method": any(isinstance(p.method, str) and p.method == "auto" for p in self.predictions),
            "bootstrap": any(isinstance(s, Bootstrap) and s.unseen for s in self.outcomes),
            "leave-one-out": isinstance(method, LeaveOneOutCV),
            "trusting estimator": method is not None and method.trusts_apparent,
            "seen cases": method is not None and not method.unseen,
            "time order": any(getattr(s, "time_ordered", False) for s in self.schemes),
            "undefined value": bool(np.isnan(self.value)),
            "interval": interval is not None,
            "undefined interval": undefined,
            "degenerate interval": degenerate,
            "defined interval": interval is not None and not undefined and not degenerate,
            "varies with seed": interval is not None and interval.varies_with_seed,
            "trusting interval": interval_method is not None and interval_method.trusts_apparent,
            "no interval": interval is None and self.interval_wanted,
        }
        return frozenset(name for name, true in holds.items() if true)


class Check(NamedTuple):
    """A function that looks for one warning, and the facts without which it is not called."""

    conditions: frozenset[str]
    function: Callable[[Checked], Iterable[CheckWarning]]


REGISTERED: dict[str, Check] = {}
"""Every check by the id of its warning."""


def check(id: str, *conditions: str) -> Callable[[Any], Any]:
    """Register a function for an id, and the facts without which it is not called."""

    def register(function: Any) -> Any:
        REGISTERED[id] = Check(frozenset(conditions), function)
        return function

    return register


def run_checks(of: Checked, ids: Iterable[str] = ()) -> list[CheckWarning]:
    """Return the warnings of checks, by default of all, whose conditions hold, in the order of their ids."""
    facts, found = of.facts, list[CheckWarning]()
    for id in ids or sorted(REGISTERED):
        conditions, function = REGISTERED[id]
        if conditions <= facts:
            found += function(of)
    return found


def filter_warnings(found: Iterable[str], ignored: frozenset[str]) -> tuple[str, ...]:
    """Leave out the warnings whose ids are switched off."""
    return tuple(one for one in found if getattr(one, "id", "") not in ignored)


def counted(number: int, what: str) -> str:
    """Write a number of things."""
    return f"{number} {what}" + ("" if number == 1 else "s")
