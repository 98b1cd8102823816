"""What six samples can say: statistics of small groups, and how section 6's claims are judged and worded.

A mean, a standard deviation or a correlation of six samples is compared as what it is.  The
spread of the statistic over many groups of six is the noise of a printed number, its mean
is what the print was an instance of.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.claims import plus_minus
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Row, rows_of

__all__ = [
    "NAMES",
    "correlation",
    "deviation",
    "mean_and_deviation",
    "noise_key",
    "over_groups",
    "percent",
    "worded",
]

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


def worded(values: dict[str, Measured], digits: int = 1) -> str:
    """Write an estimator's name and value with half-width, one after another."""
    return ", ".join(f"{NAMES[e]} {plus_minus(m, '+', digits)}" for e, m in values.items())
