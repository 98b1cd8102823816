"""Numbers in words: shares in percent, differences in points, small counts spelt out."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, isfinite, log10

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

# So many classes are all counted out; of more, so many
_CLASSES_SHOWN, _CLASSES_NAMED = 6, 4


def _digits(*shares: float) -> int:
    """Count the decimals of a percentage: one, or what shows two digits of the smallest share."""
    small = [abs(100 * s) for s in shares if isfinite(s) and s != 0]
    least = min(small, default=1.0)
    return 1 if least >= 0.1 else min(6, 1 - floor(log10(least)))


def percent(share: float) -> str:
    """Write a proportion in percent."""
    return f"{100 * share:.{_digits(share)}f} %"


def within(low: float, high: float, scale: float = 100.0, unit: str = " %", *, signed: bool = False) -> str:
    """Write two limits, by default proportions in percent."""
    sign = "+" if signed else ""
    if scale == 1.0:
        return f"{low:{sign}.4g} to {high:{sign}.4g}{unit}"
    digits = min(2, _digits(high))
    return f"{scale * low:{sign}.{digits}f} to {scale * high:{sign}.{digits}f}{unit}"


def points(difference: float, *, signed: bool = True) -> str:
    """Write a difference of proportions in percentage points."""
    return f"{100 * difference:{'+' if signed else ''}.{_digits(difference)}f} points"


def duration(seconds: float) -> str:
    """Write a time: seconds, two digits below ten, or minutes and hours."""
    if seconds < 9.95:
        return f"{seconds:.2g} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"


def spelt(number: int) -> str:
    """Write a number, a small one as a word."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else f"{number:,}"


def counts_text(counts: Mapping[str, int]) -> str:
    """Write the cases of each class; of many classes the largest."""
    if len(counts) <= _CLASSES_SHOWN:
        return ", ".join(f"{count} {name}" for name, count in counts.items())
    largest = sorted(counts.items(), key=lambda pair: -pair[1])[:_CLASSES_NAMED]
    return ", ".join(f"{count} {name}" for name, count in largest) + f", and {len(counts) - _CLASSES_NAMED} more"
