"""Numbers in words: shares in percent, differences in points, small counts spelt out."""

from __future__ import annotations

from math import floor, isfinite, log10

__all__ = ["percent", "points", "spelt", "within"]

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


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


def spelt(number: int) -> str:
    """Write a number, a small one as a word."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else f"{number:,}"
