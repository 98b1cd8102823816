"""The inverse of the calculator: how large a test set must be so that tuning cannot buy a gain.

From the size at which Chernoff's bound forbids the gain, the exact probability is followed downwards.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, exp, floor, inf, log
from sys import float_info
from typing import Literal, get_args

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp
from scipy.stats import binom

from compendium.methods.tuning_bias.distributions import (
    WHOLE,
    Distribution,
    Setting,
    adaptive_bits,
    binomial,
    check_classes_entropy,
    check_probability,
    check_setting,
    check_trials,
    check_whole,
    greedy_gain,
    hypergeometric_at_least,
    largest_of,
    most_frequent_in_folds,
    relative_entropy,
    revealed_labels,
    share_of_default,
)
from errorest.errors import UsageError, unknown

Scene = Literal["greedy", "independent", "listed", "adaptive"]

# beyond this the answer is of no use and the search too long
LARGEST = 20_000_000
# sizes that must be safe one after another where not every larger one is looked at
NEIGHBOURS = 25


def needed_test_size(
    trials: float,
    gain: float,
    probability: float = 0.05,
    *,
    accuracy: float,
    scenario: Scene = "independent",
    setting: Setting | None = None,
    folds: int = 1,
    classes: int | None = None,
    entropy: float | None = None,
    bits: float | None = None,
    default_share: float | None = None,
) -> int:
    """Least test-set size from which on t trials do not buy a gain with more than a given probability.

    Parameters
    ----------
    trials : float
        Settings tried (in each fold if tuned apart), t.
    gain : float
        Extra accuracy, a proportion in (0, 1).
    probability : float
        Risk that is accepted, in (0, 1).
    accuracy : float
        Accuracy of the untuned classifier, a proportion.
    scenario : {"independent", "greedy", "listed", "adaptive"}
        The best of t independent equally good settings; the paper's greedy optimizer; the bounds
        for t settings listed beforehand and for any optimizer that sees t hit counts.
    setting : {"one-shot", "per-fold", "fixed"}, optional
        By default one-shot with one fold and fixed with more.
    folds : int
        Folds; the answer is a multiple of them.
    classes, entropy, bits, default_share
        For the greedy scenario, as in :func:`compendium.methods.tuning_bias.tuning_bias`; the others take
        only ``bits``, at most 2**bits settings.

    Returns
    -------
    int
        Test cases over all folds.  Every larger size keeps the probability down too; where a
        distribution is a sum over folds, this is checked for the next 25 multiples only.

    Raises
    ------
    UsageError
        If a number is out of bounds, a name is unknown or the greedy scenario lacks the classes.
    OutOfReachError
        If the answer would exceed 20 million cases; it is a UsageError too.

    See Also
    --------
    errorest.test_size_for : Test cases for an interval of a wanted width, without tuning.

    Notes
    -----
    A gain is reached with accuracy + gain or more of the m cases; hits of the greedy scenario are
    accuracy times m, half a hit rounded up.  The adaptive bound uses
    Chernoff's inequality throughout.

    Examples
    --------
    >>> needed_test_size(100, 0.02, accuracy=0.85)
    3363
    >>> needed_test_size(100, 0.02, accuracy=0.85, scenario="greedy", classes=2)
    601
    """
    a, risk = check_probability(accuracy, "the accuracy"), check_probability(probability, "the probability")
    n = check_whole(folds, "the number of folds n", 1)
    setting = check_setting(setting, n)
    if scenario not in get_args(Scene):
        raise unknown("scenario", scenario, get_args(Scene))
    if not 0.0 < gain < 1.0 or not 0.0 < risk < 1.0:
        raise UsageError(f"gain {gain} and probability {risk}; expected both between 0 and 1; give proportions")
    check_trials(trials)
    if a + gain > 1.0 + WHOLE or (a == 0.0 and scenario != "greedy"):
        return n
    if scenario == "greedy":
        number, label_bits = check_classes_entropy(classes, entropy)
        p = share_of_default(setting, number, label_bits, default_share)
        return _of_greedy(setting, revealed_labels(LARGEST, number, label_bits, trials, bits), n, a, gain, p, risk)
    attempted = min(trials, 2.0 ** min(1000.0, inf if bits is None else bits))
    apart = n if setting == "per-fold" else 1
    # the entropy of a gain below 1e-8 is rounded to 0; it is out of reach, not without a bound
    rate = max(relative_entropy(min(1.0, a + gain), a), float_info.min)
    if scenario == "adaptive":

        def allowed(m: int) -> bool:
            information = min(adaptive_bits(trials, m // apart), inf if bits is None else bits)
            return apart * information * log(2.0) - log(risk) > m * rate

        # the bound falls with the size, after a rise
        high = n
        while allowed(high):
            high = _within_reach(2 * high, n)
        return _between(high // 2 // n * n, high, n, allowed)
    chernoff = _within_reach((apart * log(attempted) - log(risk)) / rate, n)
    if scenario == "listed":
        # beyond this a float cannot hold the tail, and Chernoff's bound has to do
        exact = apart * log(attempted) < 600.0
        return _descend_in_blocks(chernoff, n, a, gain, risk * attempted**-apart) if exact else chernoff
    if setting == "per-fold":

        def reaches(m: int) -> bool:
            return largest_of(binomial(m // n, a), attempted).times(n).at_least(m * (a + gain)) > risk

        return _search(chernoff, n, reaches)
    return _descend_in_blocks(chernoff, n, a, gain, -float(np.expm1(np.log1p(-risk) / attempted)))


def _of_greedy(setting: Setting, most: int, n: int, a: float, gain: float, p: float, risk: float) -> int:
    """Find the size for the greedy optimizer, who is told ``most`` labels where there are as many."""
    exceeded = 0.0
    if most > 0:
        # rounding to whole hits may lower the share of hits by this much
        share = max(0.0, a - 0.5 / (most * n))
        revealed = most_frequent_in_folds(n, p) if setting == "fixed" else Distribution(n, np.ones(1))
        values = np.arange(revealed.first, revealed.last + 1)

        def bound(log_rate: float) -> float:
            # Chernoff's bound of the gain that the labels exceed with at most the given risk
            rate = exp(log_rate)
            moment = most * float(logsumexp(rate * values, b=revealed.pmf))
            return (moment + n * most * log(1.0 - share + share * exp(-rate)) - log(risk)) / rate

        # every rate gives a bound, so that an inexact minimum is safe; a share of 1 bounds the rate
        exceeded = max(0.0, float(minimize_scalar(bound, bounds=(-12.0, 6.0), method="bounded").fun))
    start = max(_within_reach(exceeded / gain, n), most * n)

    def succeeds(m: int) -> bool:
        size, wanted, hits = m // n, ceil(m * gain - WHOLE), floor(a * m + 0.5)
        if setting == "one-shot":
            return hypergeometric_at_least(m, m - hits, min(most, m), wanted) > risk
        return greedy_gain(setting, size, hits, min(most, size), n, p).at_least(wanted) > risk

    if setting != "one-shot":
        return _search(start, n, succeeds)
    while start > n and not succeeds(start - n):
        start -= n
    return start


class OutOfReachError(UsageError):
    """No test set of a size that anyone has keeps the probability down."""


def _within_reach(size: float, n: int) -> int:
    if not size <= LARGEST:
        raise OutOfReachError(
            f"the answer may be as large as {size:.3g} test cases; expected at most {LARGEST}; "
            "ask for a larger gain or fewer trials"
        )
    return max(1, ceil(size / n)) * n


def _search(start: int, n: int, allowed: Callable[[int], bool]) -> int:
    """Go down from a safe size to the last safe multiple of n: in steps of a fifth, by halves, then one by one."""
    high = start
    while high > n and not allowed(low := max(1, int(0.8 * high / n)) * n):
        high = low
    if high <= n:
        return n
    safe = size = _between(low, high, n, allowed)
    # whole hits make the probability jagged, so a larger size may still allow the gain
    while size < min(start, safe + NEIGHBOURS * n):
        size += n
        if allowed(size):
            safe = size + n
    return safe


def _descend_in_blocks(start: int, n: int, a: float, gain: float, allowing_each: float) -> int:
    """Do the same for one binomial, many sizes at a time; a tail above ``allowing_each`` allows the gain."""
    high = start
    while high >= n:
        low = max(n, high - 20_000 * n)
        sizes = np.arange(high, low - 1, -n)
        high = low - n
        wanted = np.ceil(sizes * (a + gain) - WHOLE)
        allowed = np.asarray(binom.sf(wanted - 1.0, sizes, a)) > allowing_each
        if allowed.any():
            return int(sizes[np.argmax(allowed)]) + n
    return n


def _between(low: int, high: int, n: int, allowed: Callable[[int], bool]) -> int:
    """Halve the multiples of n between one that allows the gain and one that does not, to the least of the latter."""
    while high - low > n:
        middle = (low + high) // 2 // n * n
        low, high = (middle, high) if allowed(middle) else (low, middle)
    return high
