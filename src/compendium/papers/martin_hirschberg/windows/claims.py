"""What section 3 says around Figures 6 and 7, put to the test on the same samples.

Three numbers stand in the text (where 2-CV* turns optimistic, how its bias falls with N,
how much less 632b varies than 10-CV); the other claims are comparisons of bias curves.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import nan

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, near
from compendium.evidence.estimate import Estimate, every, exact
from compendium.evidence.regenerated import Regenerated, Row, Run
from compendium.papers.martin_hirschberg.discriminant.experiment import READINGS
from compendium.papers.martin_hirschberg.names import NAMES
from compendium.papers.martin_hirschberg.samples import Samples, without_each
from compendium.papers.martin_hirschberg.windows.experiment import (
    ITERATED,
    WindowsParameters,
    curves_study,
    repeats_study,
)
from compendium.papers.martin_hirschberg.windows.statistics import (
    HALF,
    ROUNDING,
    below_half,
    between,
    curve,
    where_estimated_half,
    windows_of_sets,
)

__all__ = ["claims_section_3"]

_ARTIFACT = "martin-hirschberg-claims"
_BY_WINDOWS = "unstated:window-means"

_LITTLE = 2.0
"""A bias that changes by no more than so many points is little affected."""


@artifact("martin-hirschberg-claims-section-3")
def claims_section_3(p: WindowsParameters, run: Run) -> Regenerated:
    """Regenerate the numbers of section 3's text and check its comparisons."""
    repeats, results = repeats_study(p, run), curves_study(p, run)
    made = Regenerated()
    tables = []
    for rule, samples in results.items():
        reading = READINGS[rule]
        windows = list(windows_of_sets(repeats[rule], p.window))
        seen = _over_experiments([_last_window_above(w, p.window) for w in windows], p)
        smoothed = _over_experiments([_last_above(*curve(w)) for w in windows], p)
        exponent, ratio = _exponent(_biases(samples, p)), _spread_ratio(samples)
        by_population = _exponents(samples, p)
        tables.append(by_population.assign(rule=rule))
        rows = [
            Row.of(own, "text", column, m, _ARTIFACT)
            for own, column, m in (
                # the paper says this of a scatter of points and leaves open how it was read
                (reading if rule != "literal" else _BY_WINDOWS, "repeated-cv-2-optimistic-above-percent", seen),
                (reading, "repeated-cv-2-bias-exponent-of-N", exponent),
                (reading, "632-to-cv10-std-ratio-percent", ratio),
            )
        ]
        findings = [
            _said_of_optimism(reading, seen, smoothed, p),
            _said_of_exponents(reading, exponent, by_population),
            _said_of_spread(reading, ratio),
        ]
        checks = [replace(claim, reading=reading).check() for claim in _claims(samples, p)]
        made = made.joined(Regenerated(rows, {}, checks, findings))
    return made.joined(Regenerated(data={"exponents": pd.concat(tables, ignore_index=True)}))


def _over_experiments(found: list[float], p: WindowsParameters) -> Estimate:
    """The first experiment's value at one realization, else the mean of all; the error from all that have one."""
    usable = np.array(found)[np.isfinite(found)]
    if usable.size < 2:
        return Estimate(nan, nan, 0)
    spread = float(usable.std(ddof=1))
    if p.realizations == 1:
        return Estimate(found[0], spread, 1)
    return Estimate(float(usable.mean()), spread / float(np.sqrt(usable.size)), int(usable.size))


def _last_window_above(windows: pd.DataFrame, width: float) -> float:
    """Return the upper edge of the last window whose mean estimate is not below its true error; NaN if all are not."""
    above = np.nonzero((windows["estimate"] >= windows["true_error"]).to_numpy())[0]
    if above.size == 0 or above[-1] == len(windows) - 1:
        return nan
    return float(windows["window"].iloc[above[-1]]) + width / 2


def _last_above(x: np.ndarray, y: np.ndarray) -> float:
    """Return where y - x turns negative for good; NaN where it is not negative at the end."""
    above = np.nonzero(y >= x)[0]
    if x.size == 0 or above.size == 0 or above[-1] == x.size - 1:
        return nan
    i = above[-1]
    gap, next_gap = y[i] - x[i], y[i + 1] - x[i + 1]
    return float(x[i] + (x[i + 1] - x[i]) * gap / (gap - next_gap))


def _said_of_optimism(reading: str, seen: Estimate, smoothed: Estimate, p: WindowsParameters) -> str:
    start = f"*{reading}*: at N = {p.sizes[0]}"
    if not np.isfinite([seen.value, smoothed.value]).all():
        return f"{start} the first experiment's window means or curve of 2-CV* are not below the diagonal at the end."
    return (
        f"{start} all window means of 2-CV* are below the diagonal from a true error of {seen.value:.0f} % upwards, "
        f"with a standard deviation of {seen.se * np.sqrt(seen.n):.1f} points between experiments; the smoothed curve "
        f"goes below it at {smoothed.value:.0f} %."
    )


def _said_of_spread(reading: str, ratio: Estimate) -> str:
    return (
        f"*{reading}*: the standard deviation of 632b averages {ratio.value:.0f} % of 10-CV's (standard error "
        f"{ratio.se:.1f}). The text says this of all its experiments; this is the discriminant's alone."
    )


def _biases(samples: Samples, p: WindowsParameters) -> dict[int, Estimate]:
    return {n: below_half(samples.at(n=n), ITERATED) for n in sorted(p.sizes)}


def _exponent(biases: dict[int, Estimate]) -> Estimate:
    """Fit log bias over log N by weighted least squares; NaN with fewer than two sizes that are biased upwards."""
    usable = {n: b for n, b in biases.items() if b.value > 0 and b.se > 0}
    count = sum(b.n for b in biases.values())
    if len(usable) < 2:
        return Estimate(nan, nan, count)
    x = np.log(list(usable))
    y = np.log([b.value for b in usable.values()])
    weight = np.array([(b.value / b.se) ** 2 for b in usable.values()])
    centre = (weight @ x) / weight.sum()
    square = float(weight @ (x - centre) ** 2)
    return Estimate(float(weight @ ((x - centre) * y)) / square, float(1 / np.sqrt(square)), count)


def _exponents(samples: Samples, p: WindowsParameters) -> pd.DataFrame:
    found = []
    for error in p.inherent_errors:
        of = _exponent(_biases(samples.at(inherent_error=error), p))
        found.append({"inherent_error": error, "exponent": of.value, "se": of.se})
    return pd.DataFrame(found)


def _said_of_exponents(reading: str, exponent: Estimate, by_population: pd.DataFrame) -> str:
    if not np.isfinite(exponent.value):
        return f"*{reading}*: from these sizes no power of N follows that the mean bias of 2-CV* goes with."
    text = (
        f"*{reading}*: below 50 % true error the mean bias of 2-CV* goes with N to the power {exponent.value:.2f} "
        f"(standard error {exponent.se:.2f})"
    )
    clear = by_population[by_population["se"] < 0.5].sort_values("exponent")
    if len(clear) < 2:
        return text + "."
    high, low = clear.iloc[-1], clear.iloc[0]
    return (
        f"{text}, but not alike everywhere: from {high['exponent']:.2f} at an inherent error of "
        f"{100 * high['inherent_error']:.3g} % to {low['exponent']:.2f} at {100 * low['inherent_error']:.3g} %."
    )


def _spread_ratio(samples: Samples) -> Estimate:
    """Average over cells of sd(632b)/sd(10-CV), percent; its error by the jackknife within cells."""
    ratios, variances = [], []
    for part in samples.by("cell"):
        boot, cv = part.of("bootstrap-632"), part.of("cv-10")
        left = without_each(boot), without_each(cv)
        # a cell in which at most one estimate is not zero has no spread to speak of
        if part.n < 3 or min(left[0].min(), left[1].min()) <= 0:
            continue
        ratios.append(100 * boot.std(ddof=1) / cv.std(ddof=1))
        each = 100 * left[0] / left[1]
        variances.append((part.n - 1) / part.n * float(((each - each.mean()) ** 2).sum()))
    if not ratios:
        return Estimate(nan, nan, samples.n)
    return Estimate(float(np.mean(ratios)), float(np.sqrt(np.sum(variances))) / len(ratios), samples.n)


def _claims(samples: Samples, p: WindowsParameters) -> list[Claim]:
    sizes = sorted(p.sizes)
    biases = _biases(samples, p)
    claims = [
        _alike(samples, "cv-2", ITERATED, "Un-iterated 2-CV has the same bias curve as 2-CV*.", p),
        _alike(samples, "loo", "cv-10", "The bias of leave-one-out is practically that of 10-CV.", p),
        Claim(
            "The pessimism of 2-CV* below 50 % true error falls as N grows.",
            [above(f"at N = {a} minus at N = {b}", biases[a] - biases[b], unit="points") for a, b in pairwise(sizes)],
        ),
        _rarer(samples, sizes),
    ]
    far = {n: between(samples.at(n=n), ITERATED, HALF + 5, 100) for n in sizes}
    if all(m.n > 1 for m in far.values()):
        claims.append(
            Claim(
                "The optimism of 2-CV* above 50 % true error is little affected by the sample size.",
                [near("", far[sizes[0]] - far[sizes[-1]], _LITTLE, "points", digits=1)],
                context=f"bias above 55 % at N = {sizes[0]} minus that at N = {sizes[-1]}",
            )
        )
    n = sizes[0]
    found = {e: where_estimated_half(samples.at(n=n), e) for e in (ITERATED, "cv-10", "loo", "bootstrap-632")}
    high = [below(_word(e), m, unit="points", digits=1) for e, m in found.items() if m.n > 1]
    if high:
        context = f"mean bias where the estimate is at least 50 %, N = {n}"
        claims.append(Claim("All estimators are optimistic near or above 50 % estimated error.", high, context=context))
    return claims


def _rarer(samples: Samples, sizes: list[int]) -> Claim:
    true = {n: samples.at(n=n).true_error for n in sizes}
    above_half = {n: samples.at(n=n).mean(100.0 * (t > HALF + ROUNDING)) for n, t in true.items()}
    # what has become as good as impossible can grow no rarer
    rare = [(a, b) for a, b in pairwise(sizes) if above_half[a].value > 0]
    return Claim(
        "True errors above 50 % become rarer, and the highest lower, as N grows.",
        [
            every(
                "share of samples, smaller N minus larger",
                [above(f"N = {a} and {b}", above_half[a] - above_half[b], unit="%") for a, b in rare],
            ),
            above(
                f"highest true error at N = {sizes[0]} minus that at N = {sizes[-1]}",
                exact(float(true[sizes[0]].max() - true[sizes[-1]].max())),
                unit="points",
                digits=1,
            ),
        ],
    )


def _alike(samples: Samples, one: str, other: str, claim: str, p: WindowsParameters) -> Claim:
    """Compare two estimators on the same samples, below and above one half."""
    half = samples.true_error <= HALF - 2 * ROUNDING
    parts = [
        near(where, inside.mean(inside.difference(one, other)), p.negligible, "points")
        for mask, where in ((half, "below 50 % true error"), (~half, "from 50 %"))
        if (inside := samples.where(mask)).n > 1
    ]
    return Claim(claim, parts, context=f"{_word(one)} minus {_word(other)}, all sizes")


def _word(name: str) -> str:
    """Return how the text calls an estimator within a sentence."""
    return NAMES[name].sentence if name == "loo" else NAMES[name].symbol
