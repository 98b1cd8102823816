"""Section 5's claims on nearest neighbours, each as an executed check.

They speak of bias and spread over the 40 combinations of Figure 9; a combination's
samples share its population, so spread is that within a combination, and standard
errors are those of a stratified sample.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import Literal

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Erratum

__all__ = ["NAMES", "Results", "below", "claims", "errata", "findings", "root_of", "spread", "variance_ratio"]

NAMES = {
    "resubstitution": "APP",
    "cv-10": "10-CV",
    "loo": "LOO",
    "bootstrap-632": "632b",
    "loo-star": "LOO\\*",
}
"""The paper's words for the estimators (Markdown)."""

_ROUGHLY = 2.0
"""A bias up to this many points, and not clearly more, is approximately none."""

_CLAIMED = 40.0  # the claim that is checked, percent; no result is computed from it

Outcome = Literal["holds", "fails", "holds in part", "not decided"]


def variance_ratio(first: np.ndarray, second: np.ndarray, strata: np.ndarray) -> Measured:
    """Ratio of two estimates' variances within cells, pooled over cells, with its error by the delta method.

    Parameters
    ----------
    first, second : float arrays, shape (n,) or (n, m)
        Values on the same samples; several columns are pooled.
    strata : int array, shape (n,)
        The cell of each sample; each has at least two.

    Returns
    -------
    Measured
        NaN where the second does not vary.

    Examples
    --------
    >>> variance_ratio(np.array([1.0, 3.0]), np.array([0.0, 4.0]), np.array([0, 0])).value
    0.25
    """
    a, b = np.atleast_2d(np.asarray(first).T).T, np.atleast_2d(np.asarray(second).T).T
    parts = np.zeros((2, len(strata)))
    members = [np.nonzero(strata == cell)[0] for cell in np.unique(strata)]
    for inside in members:
        for j, values in enumerate((a, b)):
            deviations = values[inside] - values[inside].mean(axis=0)
            # weights as if each cell's variance counted once
            parts[j, inside] = np.square(deviations).sum(axis=1) / (inside.size - 1)
    total = parts.sum(axis=1)
    if total[1] <= 0:
        return Measured(nan, nan, len(strata))
    ratio = total[0] / total[1]
    influence = (parts[0] - ratio * parts[1]) / total[1]
    variance = sum(inside.size * float(influence[inside].var(ddof=1)) for inside in members)
    return Measured(float(ratio), sqrt(variance), len(strata))


def spread(values: np.ndarray, strata: np.ndarray) -> Measured:
    """Root of the mean variance within cells.

    Examples
    --------
    >>> spread(np.array([0.0, 2.0, 7.0, 9.0]), np.array([0, 0, 1, 1])).value ** 2
    2.0000000000000004
    """
    inside = np.empty_like(values)
    for cell in np.unique(strata):
        member = strata == cell
        m = int(member.sum())
        inside[member] = np.square(values[member] - values[member].mean()) * (m / (m - 1))
    square = accuracy.mean(inside, strata)
    root = sqrt(square.value)
    return Measured(root, square.se / (2 * root) if root > 0 else 0.0, square.n)


def root_of(m: Measured) -> Measured:
    """Turn a ratio of variances into one of standard deviations.

    Examples
    --------
    >>> root_of(Measured(0.25, 0.1, 40))
    Measured(value=0.5, se=0.1, n=40)
    """
    return Measured(sqrt(m.value), m.se / (2 * sqrt(m.value)), m.n) if m.value > 0 else m


def below(m: Measured) -> Measured:
    """Say by how many percent a ratio lies below one.

    Examples
    --------
    >>> below(Measured(0.75, 0.125, 40))
    Measured(value=25.0, se=12.5, n=40)
    """
    return Measured(100 * (1 - m.value), 100 * m.se, m.n)


class Results:
    """Figure 9's study, in percent.

    Parameters
    ----------
    table : DataFrame
        From :func:`~errorest.papers.martin_hirschberg.neighbors.designs.neighbors_study`.
    neighbors : list of int
    """

    def __init__(self, table: pd.DataFrame, neighbors: list[int]) -> None:
        self.table, self.neighbors = table, neighbors
        self.cell = table.groupby(["n", "inherent_error"], sort=False).ngroup().to_numpy()

    def of(self, k: int, name: str) -> np.ndarray:
        """Return the true errors or estimates of one k, shape (samples,)."""
        return 100 * self.table[f"k={k}/{name}"].to_numpy()

    def both(self, name: str) -> np.ndarray:
        """Return them for every k, shape (samples, neighbors)."""
        return np.column_stack([self.of(k, name) for k in self.neighbors])

    def difference(self, k: int, name: str) -> np.ndarray:
        """Return estimate minus true error, points."""
        return self.of(k, name) - self.of(k, "true-error")

    def bias(self, k: int, name: str, where: np.ndarray | None = None) -> Measured:
        """Return the mean difference, over all samples or those of a mask; NaN over none."""
        inside = np.ones(self.cell.size, dtype=bool) if where is None else where
        if not inside.any():
            return Measured(nan, nan, 0)
        return accuracy.mean(self.difference(k, name)[inside], self.cell[inside])

    def where(self, least_n: int, most_n: int, least_error: float, most_error: float) -> np.ndarray:
        """Return the mask of samples in a range of sizes and inherent errors, ends included."""
        n, e = self.table["n"].to_numpy(), self.table["inherent_error"].to_numpy()
        return (n >= least_n) & (n <= most_n) & (e >= least_error) & (e <= most_error)


def claims(r: Results, negligible: float) -> list[Check]:
    """Put the claims of section 5 to the test.

    Parameters
    ----------
    r : Results
    negligible : float
        A bias below this counts as none, points.

    Returns
    -------
    list of Check
    """
    return [
        _alike(r, negligible),
        _unbiased(r, negligible),
        _biased(r, "resubstitution", negligible),
        _biased(r, "bootstrap-632", negligible),
        _steadier(r),
        _below_loo(r),
        *_same_variance(r),
        _star_unbiased(r),
        *_star_spread(r),
    ]


def findings(r: Results) -> list[str]:
    """Say in sentences which estimator came out best, and how biased each is."""
    text = []
    for k in r.neighbors:
        rms = {e: accuracy.rms(r.difference(k, e), r.cell) for e in NAMES}
        best = min(rms, key=lambda e: rms[e].value)
        text.append(
            f"For k = {k} the smallest root mean square belongs to **{NAMES[best]}** ({rms[best].value:.2f} points, "
            f"standard error {rms[best].se:.2f}); biases are "
            + ", ".join(f"{NAMES[e]} {_shown(r.bias(k, e))}" for e in NAMES)
            + " points."
        )
    return text


def errata(r: Results) -> list[Erratum]:
    """Name what section 5 prints and these samples contradict, with the evidence; nothing where they do not."""
    found = []
    boot = variance_ratio(r.both("bootstrap-632"), r.both("loo"), r.cell)
    variance, deviation = below(boot), below(root_of(boot))
    if abs(variance.value - _CLAIMED) > 5 * variance.se and abs(deviation.value - _CLAIMED) < _CLAIMED / 10:
        found.append(
            Erratum(
                "Section 5, on Figure 9",
                "the variances of 632b are lower than those of LOO by about 40 %",
                "it is the standard deviations that are",
                f"Over all combinations the variance is lower by {variance.value:.0f} ± {1.96 * variance.se:.0f} %, "
                f"the standard deviation by {deviation.value:.0f} ± {1.96 * deviation.se:.0f} %.",
            )
        )
    star = variance_ratio(r.both("loo-star"), r.both("loo"), r.cell)
    if star.value + 5 * star.se < 1:
        found.append(
            Erratum(
                "Section 5, on Figure 9",
                "LOO\\* has roughly the same precision as LOO overall",
                "its variance is lower, as the abstract and conclusion 5 say",
                f"The ratio of the variances over all combinations is {star.value:.2f} ± {1.96 * star.se:.2f}.",
            )
        )
    return found


def _shown(m: Measured) -> str:
    return f"{m.value:+.2f} ± {1.96 * m.se:.2f}".replace("-", "−")


def _none(m: Measured, negligible: float) -> bool:
    return abs(m.value) <= max(1.96 * m.se, negligible)


def _clear(m: Measured, negligible: float) -> bool:
    return abs(m.value) > max(1.96 * m.se, negligible)


def _all(held: list[bool], otherwise: Outcome = "fails") -> Outcome:
    return "holds" if all(held) else "holds in part" if any(held) else otherwise


def _alike(r: Results, negligible: float) -> Check:
    gaps, parts = [], []
    for k in r.neighbors:
        gap = r.of(k, "cv-10") - r.of(k, "loo")
        m = accuracy.mean(gap, r.cell)
        largest = max(abs(gap[r.cell == c].mean()) for c in np.unique(r.cell))
        gaps.append(m)
        parts.append(f"k = {k}: {_shown(m)} points on the whole, at most {largest:.1f} in one combination")
    return Check(
        "LOO and 10-CV give virtually the same mean estimates.",
        "10-CV minus LOO, " + "; ".join(parts),
        _all([_none(m, negligible) for m in gaps]),
    )


def _unbiased(r: Results, negligible: float) -> Check:
    biases = {(e, k): r.bias(k, e) for e in ("cv-10", "loo") for k in r.neighbors}
    text = ", ".join(f"{NAMES[e]} {_shown(m)} at k = {k}" for (e, k), m in biases.items())
    return Check("10-CV and LOO are unbiased for every k.", text, _all([_none(m, negligible) for m in biases.values()]))


def _biased(r: Results, name: str, negligible: float) -> Check:
    biases = [r.bias(k, name) for k in r.neighbors]
    text = ", ".join(f"{_shown(m)} at k = {k}" for k, m in zip(r.neighbors, biases, strict=True))
    claim = f"{NAMES[name]} is biased"
    held = [_clear(m, negligible) for m in biases]
    if len(biases) > 1:
        first, last = r.difference(r.neighbors[0], name), r.difference(r.neighbors[-1], name)
        gap = accuracy.mean(first - last, r.cell)
        claim += f", and differently for {r.neighbors[0]}-NN and {r.neighbors[-1]}-NN"
        text += f"; they differ by {_shown(gap)}"
        held.append(_clear(gap, negligible))
    low = [(k, r.bias(k, name, r.where(0, 10**9, 0, 0.1))) for k in r.neighbors]
    high = [(k, r.bias(k, name, r.where(0, 10**9, 0.25, 0.5))) for k in r.neighbors]
    for words, group in (("up to 10 % inherent error", low), ("from 25 %", high)):
        if group[0][1].n:
            text += f"; {words} " + ", ".join(f"{m.value:+.1f} (k = {k})".replace("-", "−") for k, m in group)
    return Check(claim + ".", text, _all(held))


def _steadier(r: Results) -> Check:
    parts, held = [], []
    for k in r.neighbors:
        s = {e: spread(r.of(k, e), r.cell) for e in ("resubstitution", "bootstrap-632", "cv-10", "loo")}
        parts.append(f"k = {k}: " + ", ".join(f"{NAMES[e]} {m.value:.1f}" for e, m in s.items()))
        held += [
            variance_ratio(r.of(k, a), r.of(k, b), r.cell).value < 1
            for a in ("resubstitution", "bootstrap-632")
            for b in ("cv-10", "loo")
        ]
    return Check(
        "APP and 632b vary less than LOO and 10-CV.",
        "standard deviations within a combination, points: " + "; ".join(parts),
        _all(held),
    )


def _below_loo(r: Results) -> Check:
    ratio = variance_ratio(r.both("bootstrap-632"), r.both("loo"), r.cell)
    variance, deviation = below(ratio), below(root_of(ratio))
    each = [variance_ratio(r.of(k, "bootstrap-632"), r.of(k, "loo"), r.cell) for k in r.neighbors]
    text = (
        f"the variance is lower by {variance.value:.0f} ± {1.96 * variance.se:.0f} %, the standard deviation by "
        f"{deviation.value:.0f} ± {1.96 * deviation.se:.0f} % ("
        + ", ".join(
            f"k = {k}: {below(m).value:.0f} and {below(root_of(m)).value:.0f}"
            for k, m in zip(r.neighbors, each, strict=True)
        )
        + ")"
    )
    near = [abs(m.value - _CLAIMED) <= max(_CLAIMED / 10, 1.96 * m.se) for m in (variance, deviation)]
    return Check(
        "The variance of 632b is about 40 % below that of LOO.",
        text,
        "holds" if near[0] else "holds in part" if near[1] else "fails",
    )


def _same_variance(r: Results) -> list[Check]:
    if len(r.neighbors) < 2:
        return []
    a, b = r.neighbors[0], r.neighbors[-1]
    ratio = variance_ratio(r.of(a, "bootstrap-632"), r.of(b, "bootstrap-632"), r.cell)
    return [
        Check(
            f"The variances of 632b are essentially the same for {a}-NN and {b}-NN.",
            f"ratio {ratio.value:.2f} ± {1.96 * ratio.se:.2f}",
            "holds" if abs(ratio.value - 1) <= max(1.96 * ratio.se, 0.1) else "fails",
        )
    ]


def _star_unbiased(r: Results) -> Check:
    parts, roughly, regions = [], [], []
    for k in r.neighbors:
        m = r.bias(k, "loo-star")
        roughly.append(not _clear(m, _ROUGHLY))
        text = f"k = {k}: {_shown(m)} on the whole"
        for words, where in (
            ("at N up to 20 and 40 % inherent error or more", r.where(0, 20, 0.4, 0.5)),
            ("at N = 10 and up to 10 %", r.where(10, 10, 0, 0.1)),
        ):
            part = r.bias(k, "loo-star", where)
            if part.n:
                regions.append(not _clear(part, _ROUGHLY))
                text += f", {_shown(part)} {words}"
        parts.append(text)
    outcome: Outcome = "fails" if not all(roughly) else "holds" if all(regions) else "holds in part"
    return Check("LOO\\* is approximately unbiased.", "; ".join(parts), outcome)


def _star_spread(r: Results) -> list[Check]:
    """Compare the variance of LOO* with that of LOO, on the whole and where it is said to be lower, and of 632b."""
    star, loo, b632 = r.both("loo-star"), r.both("loo"), r.both("bootstrap-632")
    whole = variance_ratio(star, loo, r.cell)
    checks = [
        Check(
            "LOO\\* has about the precision of LOO on the whole.",
            f"ratio of variances {whole.value:.2f} ± {1.96 * whole.se:.2f}",
            "holds" if abs(whole.value - 1) <= max(0.1, 1.96 * whole.se) else "fails",
        )
    ]
    hard = r.where(0, 20, 0.25, 0.5)
    if hard.any():
        part = variance_ratio(star[hard], loo[hard], r.cell[hard])
        checks.append(
            Check(
                "LOO\\* varies less than LOO for small samples and high error rates.",
                f"ratio of variances at N up to 20 and an inherent error of 25 % or more: {part.value:.2f} ± "
                f"{1.96 * part.se:.2f}",
                "holds" if part.value + 1.96 * part.se < 1 else "fails" if part.value > 1 else "not decided",
            )
        )
    boot = variance_ratio(star, b632, r.cell)
    checks.append(
        Check(
            "LOO\\* varies more than 632b.",
            f"ratio of variances {boot.value:.2f} ± {1.96 * boot.se:.2f}",
            "holds" if boot.value - 1.96 * boot.se > 1 else "fails" if boot.value < 1 else "not decided",
        )
    )
    return checks
