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

from compendium.evidence.claims import Claim, above, apart, below, near
from compendium.evidence.estimate import Condition, Conditions, Estimate, plus_minus
from compendium.evidence.monte_carlo import root_of, variance_ratio
from compendium.evidence.regenerated import Erratum
from compendium.papers.martin_hirschberg.names import NAMES
from compendium.papers.martin_hirschberg.neighbors.experiment import ESTIMATORS, inducer_name
from compendium.papers.martin_hirschberg.samples import Samples, below_one
from compendium.studies.experiment import wide

__all__ = ["Results", "claims", "errata", "findings"]

_ROUGHLY = 2.0
"""A bias up to this many points, and not clearly more, is approximately none."""

_SAME = 0.1
"""A ratio of variances this close to one is essentially one."""

_CLAIMED = 40.0  # the claim that is checked, percent; no result is computed from it


@dataclass(frozen=True, eq=False)
class Results:
    """Figure 9's study: the samples of each k, the same ones for every k."""

    by: dict[int, Samples]

    @classmethod
    def of_study(cls, table: pd.DataFrame, neighbors: Sequence[int]) -> Results:
        """Read the table of :func:`~compendium.papers.martin_hirschberg.neighbors.experiment.neighbors_study`."""
        return cls({k: Samples(wide(table, inducer_name(k))) for k in neighbors})

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

    def ratio(self, k: int, first: str, second: str) -> Estimate:
        """Return the ratio of two estimators' variances."""
        return variance_ratio(self.by[k].of(first), self.by[k].of(second), self.cell)

    def bias(self, k: int, name: str, where: np.ndarray | None = None) -> Estimate:
        """Return the mean difference, over all samples or those of a mask; NaN over none."""
        return (self.by[k] if where is None else self.by[k].where(where)).bias(name)

    def where(self, least_n: int, most_n: int, least_error: float, most_error: float) -> np.ndarray:
        """Return the mask of samples in a range of sizes and inherent errors, ends included."""
        n, e = (self.first.table[name].to_numpy() for name in ("n", "inherent_error"))
        return (n >= least_n) & (n <= most_n) & (e >= least_error) & (e <= most_error)


def claims(r: Results, negligible: float) -> list[Claim]:
    """Put the claims of section 5 to the test."""
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
        tied = " and ".join(f"**{_word(e)}**" for e, m in rms.items() if np.isclose(m.value, rms[best].value))
        text.append(
            f"For k = {k} the smallest root mean square belongs to {tied} ({rms[best].value:.2f} points, "
            f"standard error {rms[best].se:.2f}); biases are "
            + ", ".join(f"{_word(e)} {_shown(own.bias(e))}" for e in ESTIMATORS)
            + " points."
        )
    return text


def errata(r: Results) -> list[Erratum]:
    """Name what section 5 prints and these samples contradict, with the evidence; nothing where they do not."""
    found = []
    boot = variance_ratio(r.both("bootstrap-632"), r.both("loo"), r.cell)
    variance, deviation = below_one(boot), below_one(root_of(boot))
    if abs(variance.value - _CLAIMED) > 5 * variance.se and abs(deviation.value - _CLAIMED) < _CLAIMED / 10:
        found.append(
            Erratum(
                "Section 5, on Figure 9",
                "the variances of 632b are lower than those of LOO by about 40 %",
                "it is the standard deviations that are, not the variances",
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


def _shown(m: Estimate) -> str:
    return plus_minus(m, "+", 2)


def _plain(m: Estimate, digits: int = 2) -> str:
    return plus_minus(m, "", digits)


def _biases(r: Results, names: Sequence[str]) -> dict[str, Estimate]:
    return {f"{_word(e)} at k = {k}": r.bias(k, e) for e in names for k in r.neighbors}


def _alike(r: Results, negligible: float) -> Claim:
    gaps = {k: own.mean(own.difference("cv-10", "loo")) for k, own in r.by.items()}
    return Claim(
        "LOO and 10-CV give virtually the same mean estimates.",
        [near(f"k = {k}", m, negligible, "points") for k, m in gaps.items()],
        context="10-CV minus LOO",
    )


def _unbiased(r: Results, negligible: float) -> Claim:
    parts = [near(name, m, negligible, "points") for name, m in _biases(r, ("cv-10", "loo")).items()]
    return Claim("10-CV and LOO are unbiased for every k.", parts)


def _biased(r: Results, name: str, negligible: float) -> Claim:
    claim = f"{_word(name)} is biased"
    parts = [apart(at, m, negligible, "points") for at, m in _biases(r, (name,)).items()]
    if len(r.by) > 1:
        (a, first), *_, (b, last) = r.by.items()
        gap = first.mean(first.difference(name) - last.difference(name))
        claim += f", and differently for {a}-NN and {b}-NN"
        parts.append(apart(f"{a}-NN minus {b}-NN", gap, negligible, "points"))
    return Claim(claim + ".", parts)


def _steadier(r: Results) -> Claim:
    return Claim(
        "APP and 632b vary less than LOO and 10-CV.",
        [
            below(f"{_word(a)} to {_word(b)} at k = {k}", r.ratio(k, a, b), 1.0, sign="")
            for k in r.neighbors
            for a in ("resubstitution", "bootstrap-632")
            for b in ("cv-10", "loo")
        ],
        context="ratio of variances",
    )


def _below_loo(r: Results) -> Claim:
    variance = below_one(variance_ratio(r.both("bootstrap-632"), r.both("loo"), r.cell))
    each = ", ".join(f"{below_one(r.ratio(k, 'bootstrap-632', 'loo')).value:.0f} % at k = {k}" for k in r.neighbors)
    return Claim(
        "The variance of 632b is about 40 % below that of LOO.",
        [near("", variance, _CLAIMED / 5, "%", _CLAIMED, 0, "")],
        context=f"the variance is lower by {each}; over every k by",
    )


def _same_variance(r: Results) -> list[Claim]:
    if len(r.neighbors) < 2:
        return []
    (a, first), *_, (b, last) = r.by.items()
    ratio = variance_ratio(first.of("bootstrap-632"), last.of("bootstrap-632"), r.cell)
    return [
        Claim(
            f"The variances of 632b are essentially the same for {a}-NN and {b}-NN.",
            [near("ratio", ratio, _SAME, of=1, sign="")],
        )
    ]


def _star_unbiased(r: Results) -> Claim:
    parts: list[Condition | Conditions] = []
    for k in r.neighbors:
        parts.append(near(f"on the whole at k = {k}", r.bias(k, "loo-star"), _ROUGHLY, "points"))
        for words, where in (
            ("N up to 20 and 40 % inherent error or more", r.where(0, 20, 0.4, 0.5)),
            ("N = 10 and up to 10 %", r.where(10, 10, 0, 0.1)),
        ):
            part = r.bias(k, "loo-star", where)
            if part.n:
                parts.append(near(f"{words}, k = {k}", part, _ROUGHLY, "points"))
    return Claim("LOO\\* is approximately unbiased.", parts)


def _star_spread(r: Results) -> list[Claim]:
    """Compare the variance of LOO* with that of LOO, on the whole and where it is said to be lower, and of 632b."""
    star, loo, b632 = r.both("loo-star"), r.both("loo"), r.both("bootstrap-632")
    whole, boot = variance_ratio(star, loo, r.cell), variance_ratio(star, b632, r.cell)
    claims = [
        Claim(
            "LOO\\* has roughly the precision of LOO on the whole.",
            [near("ratio of variances", whole, 2 * _SAME, of=1, sign="")],
        ),
        Claim("LOO\\* varies more than 632b.", [above("ratio of variances", boot, 1.0, sign="")]),
    ]
    hard = r.where(0, 20, 0.25, 0.5)
    if hard.any():
        part = variance_ratio(star[hard], loo[hard], r.cell[hard])
        claims.append(
            Claim(
                "LOO\\* varies less than LOO for small samples and high error rates.",
                [below("ratio of variances at N up to 20, inherent error of 25 % or more", part, 1.0, sign="")],
            )
        )
    return claims
