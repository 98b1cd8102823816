"""Section 5's claims on nearest neighbours, each as an executed check.

They speak of bias and spread over the 40 combinations of Figure 9; a combination's
samples share its population, so spread is that within a combination, and standard
errors are those of a stratified sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from errorest.evidence.claims import graded, plus_minus, signed
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Erratum
from errorest.papers.martin_hirschberg.names import NAMES
from errorest.papers.martin_hirschberg.neighbors.experiment import ESTIMATORS, inducer_name
from errorest.papers.martin_hirschberg.samples import Samples, below, root_of, variance_ratio

__all__ = ["Results", "claims", "errata", "findings"]

_ROUGHLY = 2.0
"""A bias up to this many points, and not clearly more, is approximately none."""

_CLAIMED = 40.0  # the claim that is checked, percent; no result is computed from it


@dataclass(frozen=True, eq=False)
class Results:
    """Figure 9's study: the samples of each k, the same ones for every k.

    Examples
    --------
    >>> table = pd.DataFrame({"cell": [0, 0], "true-error": [0.1, 0.1], "loo": [0.1, 0.3]})
    >>> Results({1: Samples(table)}).both("loo").shape
    (2, 1)
    """

    by: dict[int, Samples]

    @classmethod
    def of_study(cls, table: pd.DataFrame, neighbors: Sequence[int]) -> Results:
        """Read the table of :func:`~errorest.papers.martin_hirschberg.neighbors.experiment.neighbors_study`."""
        return cls({k: Samples.of_inducer(table, inducer_name(k)) for k in neighbors})

    @property
    def neighbors(self) -> list[int]:
        """Every k."""
        return list(self.by)

    @property
    def first(self) -> Samples:
        """Those of the first k."""
        return next(iter(self.by.values()))

    @property
    def cell(self) -> np.ndarray:
        """The combination that each sample is of."""
        return self.first.cell

    def both(self, name: str) -> np.ndarray:
        """Return estimates for every k, shape (samples, neighbors)."""
        return np.column_stack([own.of(name) for own in self.by.values()])

    def ratio(self, k: int, first: str, second: str) -> Measured:
        """Return the ratio of two estimators' variances."""
        return variance_ratio(self.by[k].of(first), self.by[k].of(second), self.cell)

    def bias(self, k: int, name: str, where: np.ndarray | None = None) -> Measured:
        """Return the mean difference, over all samples or those of a mask; NaN over none."""
        return (self.by[k] if where is None else self.by[k].where(where)).bias(name)

    def where(self, least_n: int, most_n: int, least_error: float, most_error: float) -> np.ndarray:
        """Return the mask of samples in a range of sizes and inherent errors, ends included."""
        n, e = (self.first.table[name].to_numpy() for name in ("n", "inherent_error"))
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
    for k, own in r.by.items():
        rms = {e: own.rms(e) for e in ESTIMATORS}
        best = min(rms, key=lambda e: rms[e].value)
        text.append(
            f"For k = {k} the smallest root mean square belongs to **{_word(best)}** ({rms[best].value:.2f} points, "
            f"standard error {rms[best].se:.2f}); biases are "
            + ", ".join(f"{_word(e)} {_shown(own.bias(e))}" for e in ESTIMATORS)
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
                f"Over all combinations the variance is lower by {_plain(variance, 0)} %, "
                f"the standard deviation by {_plain(deviation, 0)} %.",
            )
        )
    star = variance_ratio(r.both("loo-star"), r.both("loo"), r.cell)
    if star.value + 5 * star.se < 1:
        found.append(
            Erratum(
                "Section 5, on Figure 9",
                "LOO\\* has roughly the same precision as LOO overall",
                "its variance is lower, as the abstract and conclusion 5 say",
                f"The ratio of the variances over all combinations is {_plain(star)}.",
            )
        )
    return found


def _word(name: str) -> str:
    return NAMES[name].markdown


def _shown(m: Measured) -> str:
    return plus_minus(m, "+", 2)


def _plain(m: Measured, digits: int = 2) -> str:
    return plus_minus(m, "", digits)


def _none(m: Measured, negligible: float) -> bool:
    return abs(m.value) <= max(1.96 * m.se, negligible)


def _apart(m: Measured, negligible: float) -> bool:
    return abs(m.value) > max(1.96 * m.se, negligible)


def _alike(r: Results, negligible: float) -> Check:
    gaps, parts = [], []
    for k, own in r.by.items():
        m = own.mean(own.difference("cv-10", "loo"))
        largest = max(abs(part.difference("cv-10", "loo").mean()) for part in own.by("cell"))
        gaps.append(m)
        parts.append(f"k = {k}: {_shown(m)} points on the whole, at most {largest:.1f} in one combination")
    return Check(
        "LOO and 10-CV give virtually the same mean estimates.",
        "10-CV minus LOO, " + "; ".join(parts),
        graded(_none(m, negligible) for m in gaps),
    )


def _unbiased(r: Results, negligible: float) -> Check:
    biases = {(e, k): r.bias(k, e) for e in ("cv-10", "loo") for k in r.neighbors}
    text = ", ".join(f"{_word(e)} {_shown(m)} at k = {k}" for (e, k), m in biases.items())
    return Check("10-CV and LOO are unbiased for every k.", text, graded(_none(m, negligible) for m in biases.values()))


def _biased(r: Results, name: str, negligible: float) -> Check:
    biases = {k: own.bias(name) for k, own in r.by.items()}
    text = ", ".join(f"{_shown(m)} at k = {k}" for k, m in biases.items())
    claim = f"{_word(name)} is biased"
    held = [_apart(m, negligible) for m in biases.values()]
    if len(biases) > 1:
        (a, first), *_, (b, last) = r.by.items()
        gap = first.mean(first.difference(name) - last.difference(name))
        claim += f", and differently for {a}-NN and {b}-NN"
        text += f"; they differ by {_shown(gap)}"
        held.append(_apart(gap, negligible))
    for words, errors in (("up to 10 % inherent error", (0, 0.1)), ("from 25 %", (0.25, 0.5))):
        group = {k: r.bias(k, name, r.where(0, 10**9, *errors)) for k in r.neighbors}
        if next(iter(group.values())).n:
            text += f"; {words} " + ", ".join(f"{signed(m.value, 1)} (k = {k})" for k, m in group.items())
    return Check(claim + ".", text, graded(held))


def _steadier(r: Results) -> Check:
    parts, held = [], []
    steady, others = ("resubstitution", "bootstrap-632"), ("cv-10", "loo")
    for k, own in r.by.items():
        parts.append(f"k = {k}: " + ", ".join(f"{_word(e)} {own.spread(e).value:.1f}" for e in (*steady, *others)))
        held += [r.ratio(k, a, b).value < 1 for a in steady for b in others]
    return Check(
        "APP and 632b vary less than LOO and 10-CV.",
        "standard deviations within a combination, points: " + "; ".join(parts),
        graded(held),
    )


def _below_loo(r: Results) -> Check:
    ratio = variance_ratio(r.both("bootstrap-632"), r.both("loo"), r.cell)
    variance, deviation = below(ratio), below(root_of(ratio))
    each = {k: r.ratio(k, "bootstrap-632", "loo") for k in r.neighbors}
    text = (
        f"the variance is lower by {_plain(variance, 0)} %, the standard deviation by {_plain(deviation, 0)} % ("
        + ", ".join(f"k = {k}: {below(m).value:.0f} and {below(root_of(m)).value:.0f}" for k, m in each.items())
        + ")"
    )
    near = [abs(m.value - _CLAIMED) <= max(_CLAIMED / 10, 1.96 * m.se) for m in (variance, deviation)]
    return Check(
        "The variance of 632b is about 40 % below that of LOO.",
        text,
        graded(near[0], "holds in part" if near[1] else "fails"),
    )


def _same_variance(r: Results) -> list[Check]:
    if len(r.neighbors) < 2:
        return []
    (a, first), *_, (b, last) = r.by.items()
    ratio = variance_ratio(first.of("bootstrap-632"), last.of("bootstrap-632"), r.cell)
    return [
        Check(
            f"The variances of 632b are essentially the same for {a}-NN and {b}-NN.",
            f"ratio {_plain(ratio)}",
            graded(abs(ratio.value - 1) <= max(1.96 * ratio.se, 0.1)),
        )
    ]


def _star_unbiased(r: Results) -> Check:
    parts, roughly, regions = [], [], []
    for k in r.neighbors:
        m = r.bias(k, "loo-star")
        roughly.append(not _apart(m, _ROUGHLY))
        text = f"k = {k}: {_shown(m)} on the whole"
        for words, where in (
            ("at N up to 20 and 40 % inherent error or more", r.where(0, 20, 0.4, 0.5)),
            ("at N = 10 and up to 10 %", r.where(10, 10, 0, 0.1)),
        ):
            part = r.bias(k, "loo-star", where)
            if part.n:
                regions.append(not _apart(part, _ROUGHLY))
                text += f", {_shown(part)} {words}"
        parts.append(text)
    outcome = "fails" if not all(roughly) else graded(all(regions), "holds in part")
    return Check("LOO\\* is approximately unbiased.", "; ".join(parts), outcome)


def _star_spread(r: Results) -> list[Check]:
    """Compare the variance of LOO* with that of LOO, on the whole and where it is said to be lower, and of 632b."""
    star, loo, b632 = r.both("loo-star"), r.both("loo"), r.both("bootstrap-632")
    whole, boot = variance_ratio(star, loo, r.cell), variance_ratio(star, b632, r.cell)
    checks = [
        Check(
            "LOO\\* has about the precision of LOO on the whole.",
            f"ratio of variances {_plain(whole)}",
            graded(abs(whole.value - 1) <= max(0.1, 1.96 * whole.se)),
        )
    ]
    hard = r.where(0, 20, 0.25, 0.5)
    if hard.any():
        part = variance_ratio(star[hard], loo[hard], r.cell[hard])
        checks.append(
            Check(
                "LOO\\* varies less than LOO for small samples and high error rates.",
                f"ratio of variances at N up to 20 and an inherent error of 25 % or more: {_plain(part)}",
                graded(part.value + 1.96 * part.se < 1, "fails" if part.value > 1 else "not decided"),
            )
        )
    checks.append(
        Check(
            "LOO\\* varies more than 632b.",
            f"ratio of variances {_plain(boot)}",
            graded(boot.value - 1.96 * boot.se > 1, "fails" if boot.value < 1 else "not decided"),
        )
    )
    return checks
