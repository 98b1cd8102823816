"""What six samples can say: statistics of small groups, and how section 6's claims are judged and worded.

A mean, a standard deviation or a correlation of six samples is compared as what it is.  The
spread of the statistic over many groups of six is the noise of a printed number, its mean
is what the print was an instance of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Row, rows_of

__all__ = [
    "NAMES",
    "Outcome",
    "clear",
    "correlation",
    "deviation",
    "graded",
    "mean_and_deviation",
    "noise_key",
    "over_groups",
    "percent",
    "plus_minus",
    "signed",
    "worded",
]

Outcome = Literal["holds", "holds in part", "fails"]

NAMES = {
    "true-error": "TER",
    "resubstitution": "APP",
    "loo": "LOO",
    "cv-10": "10-CV",
    "bootstrap-632": "632b",
    "repeated-cv-2": "2-CV\\*",
    "loo-star": "LOO\\*",
}
"""The paper's words (Markdown)."""


def noise_key(noise: float) -> str:
    """Write a noise level as in the print's keys, with two decimals where these suffice.

    Examples
    --------
    >>> noise_key(0.1), noise_key(0.125)
    ('p=0.10', 'p=0.125')
    """
    return f"p={noise:.2f}" if round(noise, 2) == noise else f"p={noise:g}"


def over_groups(statistic: Callable[..., float], size: int, shown: int, *columns: np.ndarray) -> Measured:
    """Measure a statistic of ``size`` samples, with the noise that such a statistic has.

    Parameters
    ----------
    statistic : callable
        Takes one array of shape (size,) a column and returns a number, perhaps NaN.
    size : int
        Samples in a group, as in the paper.
    shown : int
        Groups that the value is the mean of; the standard error comes from all groups.
    *columns : float arrays, shape (size * groups,)

    Returns
    -------
    Measured
        Groups without a value are left out; the error is NaN where there is but one.

    Examples
    --------
    >>> m = over_groups(np.mean, 2, 2, np.array([0.0, 2.0, 4.0, 4.0]))
    >>> m.value, round(m.se, 9), m.n
    (2.5, 1.5, 4)
    """
    groups = [[c[i : i + size] for c in columns] for i in range(0, columns[0].shape[0] - size + 1, size)]
    per = np.array([statistic(*group) for group in groups], dtype=float)
    usable, own = per[np.isfinite(per)], per[:shown][np.isfinite(per[:shown])]
    noise = deviation(usable) if usable.size > 1 else float("nan")
    if own.size == 0:
        return Measured(float("nan"), noise, 0)
    return Measured(float(own.mean()), noise / float(np.sqrt(own.size)), size * int(own.size))


def deviation(values: np.ndarray) -> float:
    """Sample standard deviation (n - 1), exactly zero where all values are equal.

    The paper's is the same: three values of 1/96 among six zeros and ones print as .6, not .5.

    Examples
    --------
    >>> deviation(np.array([0.1, 0.1, 0.1])), deviation(np.array([1.0, 3.0])) ** 2
    (0.0, 2.0000000000000004)
    """
    return float(values.std(ddof=1)) if np.ptp(values) > 0 else 0.0


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's correlation; NaN where one side does not vary."""
    return accuracy.correlation(x, y).value


def plus_minus(m: Measured, sign: str = "+", digits: int = 1) -> str:
    """Write a value with its half-width of 1.96 standard errors.

    Examples
    --------
    >>> plus_minus(Measured(1.234, 0.5, 10))
    '+1.2 ± 1.0'
    """
    return f"{m.value:{sign}.{digits}f} ± {1.96 * m.se:.{digits}f}".replace("-", "−")


def signed(value: float, digits: int = 1) -> str:
    """Write a number with its sign.

    Examples
    --------
    >>> signed(-0.25, 2)
    '−0.25'
    """
    return f"{value:+.{digits}f}".replace("-", "−")


def mean_and_deviation(reading: str, row: str, suffix: str, values: np.ndarray, size: int, shown: int) -> list[Row]:
    """Make rows of a mean and a standard deviation of ``size`` values, as :func:`over_groups` measures them.

    The apparent error has no printed deviation and gets none.
    """
    columns = [(f"mean-percent{suffix}", over_groups(lambda x: float(x.mean()), size, shown, values))]
    if row != "resubstitution":
        columns.append((f"std-percent{suffix}", over_groups(deviation, size, shown, values)))
    return rows_of(reading, row, columns)


def percent(cell: pd.DataFrame, reading: str, column: str) -> np.ndarray:
    """Return one column of one reading in percent."""
    return 100 * cell[f"{reading}/{column}"].to_numpy()


def clear(m: Measured, sign: int) -> bool:
    """Say whether a value lies on one side of zero by more than 1.96 standard errors.

    Examples
    --------
    >>> clear(Measured(-2.0, 1.0, 9), -1), clear(Measured(-2.0, 1.0, 9), 1), clear(Measured(1.0, 1.0, 9), 1)
    (True, False, False)
    """
    return sign * m.value > 1.96 * m.se


def graded(parts: Iterable[bool]) -> Outcome:
    """Judge a claim by its parts.

    Examples
    --------
    >>> graded([True, True]), graded([True, False]), graded([False])
    ('holds', 'holds in part', 'fails')
    """
    known = [bool(part) for part in parts]
    return "holds" if all(known) else "holds in part" if any(known) else "fails"


def worded(values: dict[str, Measured], digits: int = 1) -> str:
    """Write an estimator's name and value with half-width, one after another."""
    return ", ".join(f"{NAMES[e]} {plus_minus(m, '+', digits)}" for e, m in values.items())
