"""The tuning-bias calculator: what a number of trials, or of bits, can buy on a test set.

Three views: the greedy worst case of Scheffer & Herbrich (1997); the best of t independent equally good settings; and
bounds that hold for every optimizer with that many bits of information about the test labels.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, exp, floor, inf, log, log1p, log2

import pandas as pd

from compendium.methods.tuning_bias.distributions import (
    WHOLE,
    Setting,
    adaptive_bits,
    bias_bound,
    check_classes_entropy,
    check_extra,
    check_probability,
    check_setting,
    check_test_set,
    check_whole,
    greedy_gain,
    independent_gain,
    log_binomial_tail,
    revealed_labels,
    share_of_default,
)
from errorest.errors import UsageError

# section 4 assumes c much less than a fold, so more told labels than this are not looked at
MOST_FIXED_LABELS = 200


@dataclass(frozen=True)
class Scenario:
    """What tuning buys under one way of seeing it.

    Parameters
    ----------
    name : {"greedy", "independent", "listed", "adaptive"}
        The paper's greedy optimizer; the best of independent equally good settings; the bound for
        settings listed before the test set is seen; the bound for any optimizer that sees hit counts.
    probability : float
        Of gaining the extra hits or more; for a bound, the most that it can be.
    expected_bias : float
        Observed minus true accuracy on the average, a proportion; for a bound, the most.
    trials_needed, bits_needed : float
        To gain the extra hits with the target probability; for a bound, the least.  Infinite if
        no number does it.  When each fold is tuned apart they are a fold's.

    Examples
    --------
    >>> [scenario.name for scenario in tuning_bias(200, accuracy=0.8, classes=2, trials=16).scenarios]
    ['greedy', 'independent', 'listed', 'adaptive']
    """

    name: str
    probability: float
    expected_bias: float
    trials_needed: float
    bits_needed: float


@dataclass(frozen=True)
class TuningBias:
    """The calculator's answer, with what was asked.

    Parameters
    ----------
    m, hits, folds : int
        Tested cases and hits over all folds, and the folds.
    setting : {"one-shot", "per-fold", "fixed"}
    classes : int
    entropy : float
        Bits a label.
    trials, bits : float or None
        The budget: settings tried (in each fold, if tuned apart) and capacity of the parameters.
    labels : int
        Labels that the greedy optimizer can reveal with it, c.
    extra : int
        Hits to gain over all folds.
    target : float
        Probability that counts as success.
    scenarios : tuple of Scenario

    Examples
    --------
    >>> answer = tuning_bias(200, accuracy=0.8, classes=2, trials=16)
    >>> answer.m, answer.hits, answer.setting
    (200, 160, 'one-shot')
    """

    m: int
    hits: int
    folds: int
    setting: Setting
    classes: int
    entropy: float
    trials: float | None
    bits: float | None
    labels: int
    extra: int
    target: float
    scenarios: tuple[Scenario, ...]

    @property
    def accuracy(self) -> float:
        """Hits as a proportion of the tested cases."""
        return self.hits / self.m

    def __getitem__(self, name: str) -> Scenario:
        """Return the scenario of a name."""
        return {s.name: s for s in self.scenarios}[name]

    def to_frame(self) -> pd.DataFrame:
        """Return the scenarios as a table, one a row."""
        return pd.DataFrame([vars(s) for s in self.scenarios])


def check_accuracy(m: int, hits: int | None, accuracy: float | None) -> int:
    """Return hits from exactly one of hits and accuracy; half a hit is rounded up."""
    if (hits is None) == (accuracy is None):
        raise UsageError(
            f"hits = {hits} and accuracy = {accuracy} were given; expected exactly one of them; give hits or accuracy"
        )
    if accuracy is not None:
        return floor(check_probability(accuracy, "the accuracy") * m + 0.5)
    return check_test_set(m, hits or 0, 0)[1]


def _least(reaches: Callable[[int], bool], low: int, high: int) -> float:
    """Return the least whole number at which a monotone condition holds; infinite if not at ``high``."""
    return float(low + bisect_left(range(low, high), True, key=reaches)) if reaches(high) else inf


def labels_needed(setting: Setting, m: int, hits: int, n: int, p: float, extra: int, target: float) -> float:
    """Return the least c at which the greedy optimizer succeeds; infinite if none does (c <= 200 if fixed)."""

    def reaches(c: int) -> bool:
        return greedy_gain(setting, m, hits, c, n, p).at_least(extra) >= target

    if setting != "fixed":
        return _least(reaches, 0, m)
    # with fixed parameters more labels may gain less, so every c is looked at
    return float(next((c for c in range(min(m, MOST_FIXED_LABELS) + 1) if reaches(c)), inf))


def _independent_needed(setting: Setting, m: int, hits: int, n: int, extra: int, target: float) -> float:
    if setting == "per-fold":

        def reaches(tenth_bits: int) -> bool:
            return independent_gain(setting, m, hits, 2.0 ** (tenth_bits / 64), n).at_least(extra) >= target

        steps = _least(reaches, 0, 64 * 200)
        if steps > 64 * 20:
            return 2.0 ** (steps / 64) if steps < inf else inf
        low = ceil(2.0 ** ((steps - 1) / 64)) if steps else 1
        return _least(
            lambda t: independent_gain(setting, m, hits, t, n).at_least(extra) >= target, low, ceil(2 ** (steps / 64))
        )
    reached = log_binomial_tail(m * n, hits / (m * n), hits + extra)
    if reached == -inf:
        return inf
    if target >= 1.0:
        return 1.0 if reached == 0.0 else inf
    each = log1p(-exp(reached)) if reached < 0.0 else -inf
    if each == 0.0:
        # the tail is below a float's reach of 1: log(1 - x) is -x
        return exp(min(700.0, log(-log1p(-target)) - reached))
    return float(max(1.0, ceil(log1p(-target) / each - WHOLE)))


def tuning_bias(
    m: int,
    *,
    hits: int | None = None,
    accuracy: float | None = None,
    classes: int | None = None,
    entropy: float | None = None,
    folds: int = 1,
    setting: Setting | None = None,
    trials: float | None = None,
    bits: float | None = None,
    extra: int = 1,
    target: float = 0.9,
    default_share: float | None = None,
) -> TuningBias:
    """Calculate what tuning on the test set can buy.

    Parameters
    ----------
    m : int
        Tested cases, over all folds.
    hits, accuracy : int, float
        Exactly one: hits over all folds, dealt to the folds as evenly as can be, or their proportion
        (then hits are m times it, half a hit rounded up).
    classes, entropy : int, float
        One or both: by default the classes are equal, or as few as the entropy (bits a label) allows.
    folds : int
        Folds; they must divide m, since the calculation takes folds of one size.
    setting : {"one-shot", "per-fold", "fixed"}, optional
        By default one-shot with one fold and fixed (one choice for all folds) with more.
    trials, bits : float
        One or both: settings tried (in each fold if tuned apart) and capacity of the parameters,
        log2 of the number of settings that there are.  The greedy optimizer tells trials/classes and
        bits/entropy labels, rounded down, at most a fold; 2**bits settings at most are tried.
    extra : int
        Hits to gain over all folds (a rank, say); whole.
    target : float
        Probability that counts as success in the bits and trials needed.
    default_share : float, optional
        Share of the default class, for the fixed setting; by default from the entropy.

    Returns
    -------
    TuningBias

    Raises
    ------
    UsageError
        If a number is out of bounds, folds do not divide m, too little or too much is given, or the
        fixed setting is asked for with more than two classes, which equation (14) does not cover.

    Notes
    -----
    In the greedy scenario the hits are what was observed before tuning (hypergeometric); in the
    others their proportion is the settings' true accuracy (binomial).  With fixed parameters the
    greedy gain may be negative; such a result is not submitted and counts as nought in the bias.

    Examples
    --------
    >>> answer = tuning_bias(2000, accuracy=0.85, classes=6, entropy=2.5, trials=360, extra=6)
    >>> answer.labels, round(answer["greedy"].probability, 4), round(answer["greedy"].expected_bias, 5)
    (60, 0.9066, 0.0045)
    """
    m, n = check_whole(m, "the test-set size m", 1), check_whole(folds, "the number of folds n", 1)
    setting = check_setting(setting, n)
    if m % n:
        raise UsageError(
            f"{n} folds do not divide m = {m} cases; expected folds of one size; "
            f"take m = {m - m % n} or {m - m % n + n}, or other folds"
        )
    total, size = check_accuracy(m, hits, accuracy), m // n
    labels, revealed_bits = check_classes_entropy(classes, entropy)
    extra, target = check_extra(extra), check_probability(target, "the target")
    p = share_of_default(setting, labels, revealed_bits, default_share)
    revealed = revealed_labels(size, labels, revealed_bits, trials, bits)

    gain = greedy_gain(setting, size, total, revealed, n, p)
    needed = labels_needed(setting, size, total, n, p, extra, target)
    scenarios = [
        Scenario("greedy", gain.at_least(extra), gain.mean_above_zero() / m, needed * labels, needed * revealed_bits)
    ]
    listed = min(inf if trials is None else log2(max(1.0, trials)), inf if bits is None else bits)
    best = independent_gain(setting, size, total, 2.0 ** min(listed, 1000.0), n)
    attempted = _independent_needed(setting, size, total, n, extra, target)
    scenarios.append(Scenario("independent", best.at_least(extra), best.mean() / m, attempted, log2(attempted)))
    seen = size if setting == "per-fold" else m
    adaptive = min(inf if trials is None else adaptive_bits(max(1.0, trials), seen), inf if bits is None else bits)
    apart = n if setting == "per-fold" else 1
    tail = log_binomial_tail(m, total / m, total + extra)
    least = inf if tail == -inf else max(0.0, (log(target) - tail) / log(2.0) / apart) if target else 0.0
    for name, information in (("listed", listed), ("adaptive", adaptive)):
        bound = exp(min(0.0, apart * information * log(2.0) + tail))
        if name == "listed":
            fewest = 2.0**least if least < 1000.0 else inf
        else:
            power = least + log2(seen)
            fewest = inf if least == inf else (power + log1p(2.0**-power) / log(2.0)) / log2(seen + 1)
        scenarios.append(Scenario(name, bound, bias_bound(information, seen, total / m), ceil_or_inf(fewest), least))
    return TuningBias(
        m, total, n, setting, labels, revealed_bits, trials, bits, revealed, extra, target, tuple(scenarios)
    )


def ceil_or_inf(value: float) -> float:
    """Round up to a whole number; infinity stays."""
    return value if value == inf else float(ceil(value - WHOLE))
