"""How one number is judged: by a z, by reruns, by the share of a label, or by the deviate of a p-value.

A verdict says whether two numbers agree within the noise of both.  Where more than half of the other printed values
of the same quantity would have agreed as well, agreement says nothing, and the verdict is ``no power``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import copysign, isfinite, nan, sqrt, trunc
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

VERDICTS = ("reproduced", "close", "differs", "no power", "not testable", "setting")
"""What can become of a printed number."""

_WITHIN, _NEAR = 2.0, 3.0
_LOWER, _UPPER = (0.00135, 0.02275), (0.97725, 0.99865)
_COMMON, _POSSIBLE = 0.5, 0.05
# The share of the other printed values beyond which agreement has no power: a test that most of them pass does not
# tell this one from the others
_MOST = 0.5
# Of n reruns the least and the most hold a further one with chance (n - 1) / (n + 1), whatever the distribution:
# fewer than 2 / .0027 - 1 of them know no limits that hold 99.73 %
_FEWEST_RERUNS = 740


@dataclass(frozen=True)
class Judgement:
    """A verdict with its z (NaN where none is defined), what else is to be said, and what else would have passed.

    ``passing`` is the share of the other printed values of the quantity that would have been reproduced as well; NaN
    where the number stands alone, is exact, or does not agree.
    """

    verdict: str
    z: float
    reason: str = ""
    passing: float = nan


class PredictionInterval(NamedTuple):
    """What a number came to when the whole experiment was rerun at the paper's repeats, in four quantiles.

    ``low`` and ``high`` hold the middle 95.45 % of the reruns, ``least`` and ``most`` the middle 99.73 %: what two
    and three standard errors hold of a normal number.  ``n`` is the number of reruns.
    """

    least: float
    low: float
    high: float
    most: float
    n: int

    @classmethod
    def of_chances(cls, chances: Sequence[float], n: int) -> PredictionInterval:
        """Take the quantiles of how many of some independent things happen, given each one's share of ``n`` reruns."""
        weights = np.array([1.0])
        for chance in chances:
            weights = np.convolve(weights, [1 - chance, chance])
        below = np.cumsum(weights)
        places = np.arange(len(below), dtype=float)
        least, low = (float(places[below > q][0]) for q in _LOWER)
        high, most = (float(places[below >= q - 1e-12][0]) for q in _UPPER)
        return cls(least, low, high, most, n)


def rounding_of(printed: str, decimals: float) -> float:
    """Return one unit of the last printed digit."""
    # without decimals (1e-13, say) the last printed digit is in the text itself
    return float(10.0 ** (-decimals if isfinite(decimals) else int(Decimal(printed).as_tuple().exponent)))


def judge(
    value: float,
    se: float,
    printed: str,
    decimals: float,
    *,
    relation: str = "=",
    kind: str = "result",
    se_theirs: float | None = None,
    others: Sequence[float] = (),
) -> Judgement:
    """Judge one regenerated number; ``others`` are the other printed values of its quantity."""
    if kind == "setting":
        return Judgement("setting", nan, "an input of the experiment")
    if kind == "sentinel":
        return Judgement("not testable", nan, "printed, but not computed")
    try:
        theirs = float(printed)
    except ValueError:
        return Judgement("not testable", nan, f"printed as text: {printed}")
    if not isfinite(value):
        return Judgement("not testable", nan, "ours is undefined")
    ours = se if isfinite(se) else 0.0
    their = ours if se_theirs is None or not isfinite(se_theirs) else se_theirs
    rounding = rounding_of(printed, decimals)
    noise = sqrt(ours**2 + their**2 + rounding**2 / 12)
    difference = value - theirs
    simulated = bool(ours or their)
    if relation == ">":
        if difference > 0:
            return Judgement("reproduced", nan, "more, as claimed")
        return _by_z(difference / noise) if simulated else Judgement("differs", nan, "not more")
    if relation == "~":
        room = max(0.1 * abs(theirs), rounding / 2)
        beyond = max(0.0, abs(difference) - room)
        if beyond == 0:
            near = Judgement("reproduced", difference / noise, "within a tenth or the rounding")
        else:
            near = _by_z(beyond / noise) if simulated else Judgement("differs", nan, "beyond a tenth")
        return _with_power(near, value, theirs, room + _WITHIN * noise, others) if simulated else near
    if not simulated:
        scaled, z = value / rounding, difference / noise
        tiny = 1e-9 * max(1.0, abs(scaled))
        if abs(scaled - theirs / rounding) <= 0.5 + tiny:
            return Judgement("reproduced", z, "equal after rounding")
        if trunc(scaled + copysign(tiny, scaled)) == round(theirs / rounding):
            return Judgement("reproduced", z, "equal after truncation")
        return Judgement("differs", nan, "exact, and not equal")
    return _with_power(_by_z(difference / noise), value, theirs, _WITHIN * noise, others)


def _by_z(z: float) -> Judgement:
    size = abs(z)
    return Judgement("reproduced" if size < _WITHIN else "close" if size <= _NEAR else "differs", z)


def _with_power(judged: Judgement, value: float, theirs: float, reach: float, others: Sequence[float]) -> Judgement:
    if judged.verdict != "reproduced":
        return judged
    if not len(others):
        # a number that stands alone is compared with its own size
        text = f"anything from {theirs - reach:.3g} to {theirs + reach:.3g} would agree"
        return replace(judged, verdict="no power", reason=text) if 2 * reach > abs(theirs) else judged
    return _among(judged, [abs(value - other) < reach for other in others])


def _among(judged: Judgement, passed: Sequence[bool], of: str = "printed values") -> Judgement:
    """Say of what agrees how many of the other printed values, or possible labels, would have passed too."""
    share = sum(passed) / len(passed)
    if share <= _MOST:
        return replace(judged, passing=share)
    text = "; ".join(filter(None, [judged.reason, f"{sum(passed)} of {len(passed)} other {of} would agree"]))
    return replace(judged, verdict="no power", reason=text, passing=share)


def judge_count(printed: str, decimals: float, reruns: PredictionInterval, others: Sequence[float] = ()) -> Judgement:
    """Judge a count, or another number without a normal error, by what our reruns come to, if there are enough."""
    if reruns.n < _FEWEST_RERUNS:
        share = f"{100 * (reruns.n - 1) / (reruns.n + 1):.3g} %"
        return Judgement("not testable", nan, f"the extremes of {reruns.n} reruns hold {share} of them, not 99.73 %")
    theirs, half = float(printed), rounding_of(printed, decimals) / 2
    text = (
        f"of {reruns.n} reruns 95 % come to {reruns.low:.3g} to {reruns.high:.3g}, "
        f"99.7 % to {reruns.least:.3g} to {reruns.most:.3g}"
    )
    if reruns.low - half <= theirs <= reruns.high + half:
        if len(others):
            within = [reruns.low - half <= other <= reruns.high + half for other in others]
            return _among(Judgement("reproduced", nan, text), within)
        return Judgement("no power" if reruns.high - reruns.low > abs(theirs) else "reproduced", nan, text)
    return Judgement("close" if reruns.least - half <= theirs <= reruns.most + half else "differs", nan, text)


def judge_label(shares: Mapping[str, float], printed: str, possible: Sequence[str] = ()) -> Judgement:
    """Judge a label, such as an expression or the winner of several, by how often *the printed one* wins in ours.

    ``possible`` are the labels that the paper prints of the quantity; those that ours name are possible, too.
    """
    ours, won = next(iter(shares)), shares.get(printed, 0.0)
    verdict = "reproduced" if won >= _COMMON else "close" if won >= _POSSIBLE else "differs"
    text = f"the printed label holds in {100 * won:.0f} % of ours"
    judged = Judgement(verdict, nan, text if ours == printed else f"ours is {ours}; {text}")
    others = {*shares, *possible} - {printed}
    if verdict != "reproduced" or not others:
        return judged
    # as two standard errors hold a number: what a rerun comes to in one of twenty would not differ either
    return _among(judged, [shares.get(other, 0.0) >= _POSSIBLE for other in others], "possible labels")


def judge_p_value(
    value: float, printed: str, decimals: float, size: float = 1.0, others: Sequence[float] = ()
) -> Judgement:
    """Judge a one-sided p-value by the corresponding normal deviate, whose standard error is 1 in any sample.

    ``size`` is our number of replicates over the print's: the deviate grows with its root.
    """
    if not isfinite(value):
        return Judgement("not testable", nan, "ours is undefined")
    theirs, half = float(printed), rounding_of(printed, decimals) / 2
    ours, error = _deviate(value) / sqrt(size), 1 / sqrt(size)
    rounding = _deviate(max(theirs - half, theirs / 2)) - _deviate(theirs + half)
    noise = sqrt(error**2 + 1 + rounding**2 / 12)
    z = (ours - _deviate(theirs)) / noise
    text = f"as normal deviates, at the paper's repeats, {ours:.2g} ± {error:.2g} and {_deviate(theirs):.2g} ± 1"
    judged = replace(_by_z(z), reason=text)
    if judged.verdict != "reproduced" or not len(others):
        return judged
    return _among(judged, [abs(ours - _deviate(other)) < _WITHIN * noise for other in others])


def _deviate(p: float) -> float:
    # what is printed as 0 or 1, or underflows, is beyond eight standard errors
    return -NormalDist().inv_cdf(min(max(p, 1e-16), 1 - 1e-16))
