"""A model of coverage: how often an interval should hold the truth where few populations were measured.

Of each interval, and of cases and groups apart, ``guide/03-coverage`` fits

    logit p = a + b log(n / 100) + c log(e / .1) + d_kind

to the shares p of samples in which the interval held what it aims at; n is the number of cases (or groups), e the mean
true error (a proportion, taken for :data:`LEAST_ERROR` below that) and d the kind of classifier, 0 of kinds that were
not measured.  The coefficients are shipped, with the error of prediction that was found by leaving each population out.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, log
from pathlib import Path
from typing import Any

from errorest.estimation.intervals.method import IntervalMethod
from errorest.estimation.intervals.registry import parse_interval
from errorest.spec import settings_of

TABLE = Path(__file__).with_name("coverage_model.csv")
"""What is shipped; a complete published build writes it."""

COLUMNS = ("interval", "unit", "term", "value")

LEAST_ERROR = 0.002
"""Errors below are taken for as small: no population has smaller ones."""

EFFORT = ("replicates", "repeats", "splits", "halvings", "outer", "inner")
"""Settings of how much is drawn, which do not make another interval."""


def family_of(method: IntervalMethod) -> tuple[Any, ...]:
    """Return what makes an interval another one: its name, and the settings but :data:`EFFORT`."""
    own = (s.name for s in settings_of(type(method)))
    return method.name, *((name, getattr(method, name)) for name in own if name not in EFFORT)


def terms_of(n: int, error: float) -> dict[str, float]:
    """Return what the coefficients of size and error are multiplied by."""
    return {"log-n": log(n / 100), "log-error": log(max(error, LEAST_ERROR) / 0.1)}


@dataclass(frozen=True)
class CoverageModel:
    """The coefficients of one interval, and what they rest on."""

    intercept: float
    slopes: Mapping[str, float]
    """By the names of :func:`terms_of`."""
    kinds: Mapping[str, float] = field(default_factory=dict)
    off_by: float = float("nan")
    """Root mean square error of prediction of populations that were left out, a proportion."""
    populations: int = 0
    least: int = 0
    most: int = 0
    """The smallest and the largest samples."""

    def predict(self, n: int, error: float, kind: str | None = None) -> float:
        """Return the coverage, a proportion, of n cases (or groups) at an error rate, for a kind of classifier."""
        logit = self.intercept + sum(self.slopes[name] * term for name, term in terms_of(n, error).items())
        return 1 / (1 + exp(-logit - self.kinds.get(kind or "", 0.0)))

    def rows(self) -> dict[str, float]:
        """Return the coefficients by the terms of the shipped table."""
        of_kinds = {f"kind {kind}": effect for kind, effect in self.kinds.items()}
        numbers = {"off-by": self.off_by, "populations": self.populations, "least": self.least, "most": self.most}
        return {"intercept": self.intercept, **self.slopes, **of_kinds, **numbers}

    @classmethod
    def of_rows(cls, rows: Mapping[str, float]) -> CoverageModel:
        """Read what :meth:`rows` returns."""
        return cls(
            rows["intercept"],
            {name: rows[name] for name in terms_of(100, 0.1)},
            {term.removeprefix("kind "): value for term, value in rows.items() if term.startswith("kind ")},
            rows["off-by"],
            *(int(rows[name]) for name in ("populations", "least", "most")),
        )


@lru_cache(maxsize=1)
def _shipped() -> dict[tuple[str, str], CoverageModel]:
    """Return the shipped models by the id of an interval and the unit of its samples."""
    rows: dict[tuple[str, str], dict[str, float]] = {}
    with TABLE.open(newline="", encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            rows.setdefault((line["interval"], line["unit"]), {})[line["term"]] = float(line["value"])
    return {place: CoverageModel.of_rows(own) for place, own in rows.items()}


@lru_cache(maxsize=64)
def model_near(method: IntervalMethod, unit: str = "cases") -> tuple[str, CoverageModel] | None:
    """Return the model of an interval, and its id, for samples of cases, or of groups.

    Of an interval that was not measured with its settings the one with the nearest number of folds, then share of
    cases that are tested, speaks; whether folds are stratified matters less.  None if there is no such.
    """
    _, *settings = family_of(method)
    own = dict(settings)
    found = []
    for (text, of), model in _shipped().items():
        measured = parse_interval(text)
        if of != unit or measured.name != method.name:
            continue
        theirs = dict(family_of(measured)[1:])
        different = [key for key in own if own[key] != theirs[key]]
        if all(key in _NEAR for key in different):
            # a number of folds differs by its ratio; "n" is left to its own intervals
            far = [abs(log(float(own[k]) / float(theirs[k]))) for k in different if k != "stratified"]
            found.append((sum(far), len(different), text, model))
    if not found:
        return None
    *_, text, model = min(found, key=lambda one: one[:3])
    return text, model


# Settings in which an interval may differ from the one that speaks for it
_NEAR = ("k", "stratified", "test", "ratio")
