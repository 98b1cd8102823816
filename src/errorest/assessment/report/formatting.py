"""Numbers as text: in percent, in points, in the unit of a metric."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, isfinite, isnan, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errorest.assessment.results import ConfidenceInterval
    from errorest.assessment.scoring import Scoring

# Differences below this are rounding errors of zero
_ROUNDING = 1e-12

# Up to so many classes are all counted; of more, the largest
_CLASSES_SHOWN, _CLASSES_NAMED = 6, 4


def _digits(*shares: float) -> int:
    """Count the decimals of a percentage: one, or what shows two digits of the smallest share."""
    small = [abs(100 * s) for s in shares if isfinite(s) and s != 0]
    least = min(small, default=1.0)
    return 1 if least >= 0.1 else min(6, 1 - floor(log10(least)))


def percent(share: float) -> str:
    """Write a proportion in percent."""
    return f"{100 * share:.{_digits(share)}f} %"


def percent_limits(low: float, high: float, unit: str = " %", *, signed: bool = False) -> str:
    """Write two proportions in percent."""
    sign, digits = "+" if signed else "", min(2, _digits(high))
    return f"{100 * low:{sign}.{digits}f} to {100 * high:{sign}.{digits}f}{unit}"


def value_text(metric: Scoring, value: float) -> str:
    """Write a value in the unit of a metric."""
    if isnan(value):
        return "undefined"
    return percent(value) if metric.percent else f"{value:.4g}"


def gain_text(metric: Scoring, difference: float, *, signed: bool = True) -> str:
    """Write a difference of values: of proportions in percentage points."""
    sign = "+" if signed else ""
    difference = 0.0 if abs(difference) < _ROUNDING else difference
    if metric.percent:
        return f"{100 * difference:{sign}.{_digits(difference)}f} points"
    return f"{difference:{sign}.4g}"


def limits_text(metric: Scoring, low: float, high: float, *, gain: bool = False) -> str:
    """Write limits of a value, or of a difference."""
    if isnan(low):
        return "undefined"
    if metric.percent:
        return percent_limits(low, high, " points" if gain else " %", signed=gain)
    sign = "+" if gain else ""
    return f"{low:{sign}.4g} to {high:{sign}.4g}"


def interval_text(metric: Scoring, interval: ConfidenceInterval | None, *, gain: bool = False) -> str:
    """Write an interval with its level; 'no interval' where there is none."""
    if interval is None:
        return "no interval"
    return f"{level_text(interval.level)} interval {limits_text(metric, interval.low, interval.high, gain=gain)}"


def level_text(level: float) -> str:
    """Write a confidence level in percent."""
    return f"{100 * level:g} %"


def duration(seconds: float) -> str:
    """Write a time: seconds, two digits below ten, or minutes and hours."""
    if seconds < 9.95:
        return f"{seconds:.2g} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"


def counts_text(counts: Mapping[str, int]) -> str:
    """Write the number of cases of each class; of many classes the largest."""
    if len(counts) <= _CLASSES_SHOWN:
        return ", ".join(f"{count} {name}" for name, count in counts.items())
    largest = sorted(counts.items(), key=lambda pair: -pair[1])[:_CLASSES_NAMED]
    return ", ".join(f"{count} {name}" for name, count in largest) + f", and {len(counts) - _CLASSES_NAMED} more"


def capitalized(text: str) -> str:
    """Write the first letter as a capital."""
    return f"{text[:1].upper()}{text[1:]}"


def round_above(value: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is not below a value."""
    power = floor(log10(value))
    # powers of ten are not exact below one
    steps = (float(f"{digit}e{p}") for p in (power, power + 1) for digit in (1, 2, 5))
    return next(s for s in steps if s >= value)
