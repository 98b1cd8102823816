"""What section 3 says of Figures 6 and 7 in its text."""

from __future__ import annotations

from itertools import pairwise
from math import nan

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, exact
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.windows.study import (
    HALF,
    ITERATED,
    ROUNDING,
    TRUTH,
    WindowsParameters,
    below_half,
    bias_where,
    curves_study,
    largest,
    over_half,
    repeats_study,
    smallest,
    trials,
    windows_of_experiments,
)

CV, BOOT = "cv-10", "bootstrap-632"
SAME = 2.0  # Points: a bias that changes by no more is little affected


def alike(t: Trials, one: str, other: str, limit: float) -> list[Condition]:
    """Ask that two estimates of the same samples agree on average, below one half and from there on."""
    low = t[TRUTH] <= HALF - 2 * ROUNDING
    parts = {"below 50 % true error": t.where(low), "from 50 %": t.where(~low)}
    return [abs(part.gap(one, other).named(where)) <= limit for where, part in parts.items() if part.n > 1]


def steps(t: Trials) -> list[tuple[Trials, Trials]]:
    """Return each size with the next larger one."""
    results = [*pairwise(t.cells("n"))]
    if not results:
        raise NotRun("one size alone")
    return results


def share_over_half(t: Trials) -> Estimate:
    """Share of samples with a true error above one half."""
    return t.named(t.average(100.0 * (t[TRUTH] > HALF + ROUNDING)), unit="%")


SECTION_3 = Claims("martin-hirschberg-claims-section-3")


@SECTION_3.claim
def two_fold(t: Trials, limit: float) -> list[Condition]:
    return alike(t, "cv-2", ITERATED, limit)


@SECTION_3.claim
def loo(t: Trials, limit: float) -> list[Condition]:
    return alike(t, "loo", CV, limit)


@SECTION_3.claim
def less_pessimism(t: Trials, limit: float) -> list[Condition]:
    return [below_half(a, ITERATED) > below_half(b, ITERATED) for a, b in steps(t)]


@SECTION_3.claim
def rarer(t: Trials, limit: float) -> list[Condition | Conditions]:
    # what has become as good as impossible can grow no rarer
    fewer = [share_over_half(a) > share_over_half(b) for a, b in steps(t) if share_over_half(a).value > 0]
    highest = smallest(t)[TRUTH].max() - largest(t)[TRUTH].max()
    lower = exact(highest, "highest true error, smallest N minus largest") > 0
    return [every("share of samples, smaller N minus larger", fewer), lower]


@SECTION_3.claim
def little_affected(t: Trials, limit: float) -> Condition:
    # bias of 2-CV* far above one half at the smallest size minus that at the largest, if there is one at each
    biases = [over_half(cell, ITERATED, 5) for pair in steps(t) for cell in pair]
    return abs(biases[0] - biases[-1]) <= SAME


@SECTION_3.claim
def optimistic(t: Trials, limit: float) -> list[Condition]:
    small = smallest(t)
    known = [e for e in (ITERATED, CV, "loo", BOOT) if (small[e] >= HALF - ROUNDING).sum() > 1]
    if not known:
        raise NotRun("no estimates of one half")
    return [bias_where(small, e, e, HALF - ROUNDING) < 0 for e in known]


def last_window_above(windows: pd.DataFrame, width: float) -> float:
    """Return the upper edge of the last window whose mean estimate is not below its true error; NaN if all are not."""
    above = np.nonzero((windows["estimate"] >= windows["true_error"]).to_numpy())[0]
    if above.size == 0 or above[-1] == len(windows) - 1:
        return nan
    return float(windows["window"].iloc[above[-1]]) + width / 2


def optimistic_above(t: Trials, p: WindowsParameters) -> Estimate:
    """Where 2-CV* turns optimistic: in the first experiment, or on average over all of an enlarged run."""
    result = np.array([last_window_above(w, p.window) for w in windows_of_experiments(t, p.window)])
    usable = result[np.isfinite(result)]
    if usable.size < 2:
        return Estimate(nan, nan, 0)
    if p.realizations == 1:
        return Estimate(float(result[0]), float(usable.std(ddof=1)), 1)
    return monte_carlo.mean(usable)


def exponent_of(t: Trials) -> Estimate:
    """Power of N with which the bias of 2-CV* below one half goes; NaN with fewer than two sizes biased upwards."""
    biases = [below_half(cell, ITERATED) for cell in t.cells("n")]
    count = sum(b.n for b in biases)
    usable = [(n, b.value, b.se) for n, b in zip(t.levels("n"), biases, strict=True) if b.value > 0 and b.se > 0]
    if len(usable) < 2:
        return Estimate(nan, nan, count)
    n, bias, se = np.array(usable, dtype=float).T
    # weighted least squares of log bias over log N; by the delta method, log b has the standard error se / b
    x, y, weight = np.log(n), np.log(bias), (bias / se) ** 2
    centre = (weight @ x) / weight.sum()
    square = float(weight @ (x - centre) ** 2)
    return Estimate(float(weight @ ((x - centre) * y)) / square, float(1 / np.sqrt(square)), count)


@artifact("martin-hirschberg-claims-section-3")
def claims_section_3(p: WindowsParameters, run: Run) -> ArtifactResult:
    """Regenerate the numbers of section 3's text and check its comparisons."""
    repeats = trials(p, run, repeats_study(p))
    result, exponents = ArtifactResult(), []
    for rule, t in trials(p, run, curves_study(p)).items():
        # the paper says the first of a scatter of points and leaves open how it was read
        by_windows = t.reading if rule != "literal" else "unstated:window-means"
        numbers = {
            "repeated-cv-2-optimistic-above-percent": optimistic_above(repeats[rule], p),
            "repeated-cv-2-bias-exponent-of-N": exponent_of(t),
            "632-to-cv10-std-ratio-percent": t.sd_ratio(BOOT, CV) * 100,
        }
        rows = [
            Row.of(by_windows if "above" in column else t.reading, "text", column, m, "martin-hirschberg-claims")
            for column, m in numbers.items()
        ]
        checks = judge_claims(SECTION_3, t, p.negligible, reading=t.reading)
        result += ArtifactResult(rows, checks=checks)
        for error in p.inherent_errors:
            e = exponent_of(t.at(inherent_error=error))
            exponents.append({"inherent_error": error, "exponent": e.value, "se": e.se, "rule": rule})
    return result + ArtifactResult(data={"exponents": pd.DataFrame(exponents)})
