"""Intervals of Nadeau & Bengio (2003) from repeated random splits.

The corrected resampled t widens the t interval of the splits' rates for the cases they
share; the conservative z measures the variance on pairs of half samples, which overstates it.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, sqrt

from errorest.errors import UsageError
from errorest.estimation.intervals.draws import paired_halves
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, at_least, id_of
from errorest.estimation.run import Scheme

__all__ = ["conservative_z", "corrected_t"]


def corrected_t(splits: int = 25, ratio: Fraction | float = Fraction(9, 10)) -> IntervalMethod:
    """Corrected resampled t: mean of J rates, plus and minus t_{J-1} s sqrt(1/J + n2/n1).

    Parameters
    ----------
    splits : int
        Random splits, J.
    ratio : share of the cases trained on, in (0, 1)
        n2, the number of tested cases, is rounded up; s is the standard deviation of the J rates
        (divided by J - 1).

    References
    ----------
    Nadeau & Bengio (2003), section 3.

    Examples
    --------
    >>> corrected_t().id, corrected_t().fits(100)
    ('corrected-t(splits=25, ratio=9/10)', 25)
    """
    at_least(splits, 2, "corrected-t", "splits")
    share = 1 - _checked_ratio(ratio, "corrected-t")
    scheme = _holdout(splits, share)

    def reduce(measured: Measured) -> Limits:
        rates, n = measured.row_means(scheme), measured.sample.n
        tested = int(measured.outcomes[scheme].tested[0])
        se = sqrt(rates.var(ddof=1) * (1 / splits + tested / (n - tested)))
        return Limits.around(float(rates.mean()), se, measured.t(splits - 1), n)

    return IntervalMethod(
        id_of("corrected-t", corrected_t, splits=splits, ratio=1 - share),
        "procedure",
        "the mean error of classifiers made of n1 cases, the training part of a split",
        ("holdout",),
        "any",
        False,
        (scheme,),
        reduce,
        _least(share, 1),
    )


def conservative_z(splits: int = 15, halvings: int = 10, ratio: Fraction | float = Fraction(9, 10)) -> IntervalMethod:
    """Conservative z: mean of J rates, plus and minus z sqrt(v), v from pairs of half samples.

    The sample is halved M times; on each half J splits with the *same* number of tested cases
    n2 and n/2 - n2 training cases are averaged; ``v = sum (difference of the two)^2 / (2 M)``.
    A sample of odd size leaves one case out of each halving.

    Parameters
    ----------
    splits : int
        Random splits of the sample and of each half, J.
    halvings : int
        Times the sample is halved, M.
    ratio : share of the cases trained on, above 1/2
        Of the whole sample; n2 is rounded up.

    References
    ----------
    Nadeau & Bengio (2003), section 4.

    Examples
    --------
    >>> conservative_z().id, conservative_z().fits(100)
    ('conservative-z(splits=15, halvings=10, ratio=9/10)', 315)
    """
    at_least(splits, 1, "conservative-z", "splits")
    at_least(halvings, 1, "conservative-z", "halvings")
    kept = _checked_ratio(ratio, "conservative-z")
    if kept <= Fraction(1, 2):
        raise UsageError(
            f"conservative-z was asked for ratio = {ratio}; expected more than 1/2, since each half of the sample "
            "tests as many cases as the whole; train on more"
        )
    share = 1 - kept
    whole = _holdout(splits, share)
    halves = paired_halves(halvings, splits, share)

    def reduce(measured: Measured) -> Limits:
        rates = measured.row_means(halves).reshape(halvings, 2, splits).mean(axis=2)
        v = float(((rates[:, 0] - rates[:, 1]) ** 2).sum() / (2 * halvings))
        return Limits.around(measured.mean(whole), sqrt(v), measured.z, measured.sample.n)

    return IntervalMethod(
        id_of("conservative-z", conservative_z, splits=splits, halvings=halvings, ratio=kept),
        "procedure",
        "the mean error of classifiers made of n1 cases, the training part of a split",
        ("holdout",),
        "any",
        False,
        (whole, halves),
        reduce,
        _least(share, 2),
    )


def _holdout(splits: int, share: Fraction) -> Scheme:
    return Scheme("holdout", (("repeats", splits), ("test", share)) if splits > 1 else (("test", share),))


def _checked_ratio(ratio: Fraction | float, of: str) -> Fraction:
    kept = Fraction(ratio).limit_denominator(1_000_000)
    if not 0 < kept < 1:
        raise UsageError(f"{of} was asked for ratio = {ratio}; expected a share in (0, 1); 90 % is written 0.9")
    return kept


def _least(share: Fraction, parts: int) -> int:
    """Find the smallest sample whose parts have cases to test and one to train on."""
    n = 2 * parts
    while ceil(share * n) >= n // parts:
        n += 1
    return n
