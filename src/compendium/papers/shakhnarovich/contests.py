"""Which estimator wins: the best new against the best old one (Tables 2 and 4), and counts of cases.

In each trial ``d = (old - Err)^2 - (new - Err)^2``; the one-sided test takes
``z = mean(d) / (sd(d) / sqrt(N))`` (section 6; what the paper calls a variance there is
the standard deviation).  Whatever is counted over cases has the standard error that new sets of
trials leave it: trials are drawn with replacement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import copysign, nan, sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr

from compendium.evidence.estimate import Condition, Estimate
from compendium.evidence.judging import PredictionInterval
from compendium.evidence.monte_carlo import mean
from compendium.evidence.results import Row
from compendium.papers.shakhnarovich.drawn import RESAMPLED, drawn
from compendium.papers.shakhnarovich.methods import NEW, OLD, REPEATED
from compendium.papers.shakhnarovich.tables import Case, statistics_of
from errorest.streams import Streams

__all__ = [
    "CLAIMS",
    "Contest",
    "Count",
    "Rule",
    "better_than_all",
    "bias_of",
    "contest",
    "contested",
    "counted_over",
    "log_ratio",
    "paired_test",
    "rivals",
    "said_p",
    "sides",
    "significant",
    "significantly_better",
    "spread_of",
    "square_of",
    "trials_drawn",
    "whole_trials",
]

CLAIMS = "shakhnarovich-claims"
"""The artifact under which the paper's counts of cases are filed."""

Rule = Callable[[Case, np.ndarray], np.ndarray]
"""Says of each weighting of a case's trials whether something holds of it."""

_LEAST = 1e-16
_SHOWN = 0.05
"""The least standard error of a number of cases that is not rounded away."""


class PairedTest(NamedTuple):
    """Squared errors of two estimators on the same trials: mean, deviation of the difference, one-sided p-value."""

    mu_d: float
    sigma_d: float
    alpha: float
    n: int


def paired_test(truth: np.ndarray, old: np.ndarray, new: np.ndarray) -> PairedTest:
    """Test whether the new estimator's expected squared error is smaller (section 6)."""
    d = (old - truth) ** 2 - (new - truth) ** 2
    n = d.shape[0]
    mu = float(d.mean())
    sigma = float(d.std(ddof=1)) if n > 1 else nan
    return PairedTest(mu, sigma, float(_alphas(np.array(mu), np.array(sigma), n)), n)


def said_p(value: float) -> str:
    """Write a p-value."""
    return f"{value:.2g}" if value >= _LEAST else f"below {_LEAST:g}"


def _alphas(mu: np.ndarray, sigma: np.ndarray, n: int) -> np.ndarray:
    """One-sided p-values; where nothing varies, what the sign alone says."""
    with np.errstate(divide="ignore", invalid="ignore"):
        certain = np.where(mu == 0, 0.5, (mu < 0) * 1.0)
        return np.asarray(np.where(sigma > 0, ndtr(-mu / (sigma / sqrt(n))), certain))


def _spread(second: np.ndarray, centre: np.ndarray, n: int) -> np.ndarray:
    """Standard deviations from mean squares and means."""
    return np.sqrt(np.maximum(second - centre**2, 0.0) * n / max(n - 1, 1))


class Contest(NamedTuple):
    """The best new and the best old estimator of one case, and how sure their places are.

    ``new_shares`` and ``old_shares`` are the shares of resampled sets of trials in which each
    estimator is the best of its kind, ours first; ``errors`` has a Monte Carlo standard error for
    each column of :func:`contest_rows`, from the same resamples, so that it counts the choice;
    ``alphas`` are the p-values of the resampled sets, each with its own best two, shape (R,).
    """

    case: Case
    new: str
    old: str
    new_shares: Mapping[str, float]
    old_shares: Mapping[str, float]
    test: PairedTest
    values: Mapping[str, float]
    errors: Mapping[str, float]
    alphas: np.ndarray

    @property
    def new_share(self) -> float:
        """Share of resampled sets of trials in which our new estimator is the best of its kind."""
        return self.new_shares[self.new]

    @property
    def old_share(self) -> float:
        """Share of resampled sets of trials in which our old estimator is the best of its kind."""
        return self.old_shares[self.old]

    def significant(self, level: float) -> tuple[bool, float]:
        """Whether the new estimator is better at a level, and in what share of resampled sets it is."""
        return self.test.alpha <= level, float(np.mean(self.alphas <= level))


def contest(case: Case, streams: Streams) -> Contest:
    """Find the best new and the best old estimator of one case, and test the one against the other."""
    truth, n = case.truth, case.n
    weights = drawn(streams.child(case.row), n, "trials") / n
    best, chosen = {}, {}
    shares: dict[str, dict[str, float]] = {}
    values: dict[str, float] = {}
    errors: dict[str, float] = {}
    for side, names in (("new", NEW), ("old", (*OLD, *REPEATED))):
        present = [e for e in names if e in case.estimates]
        every = np.array([case.estimates[e] for e in present])
        first = np.argmin(weights @ ((every - truth) ** 2).T, axis=1)
        best[side] = case.best_of(present)
        won = {name: float(np.mean(first == place)) for place, name in enumerate(present)}
        shares[side] = {best[side]: won[best[side]], **{name: share for name, share in won.items() if share}}
        chosen[side] = every[first]
        values |= {f"{side}-{c}": m.value for c, m in statistics_of(case.estimates[best[side]], truth)}
        errors |= {f"{side}-{c}": float(np.std(v)) for c, v in _resampled(weights, chosen[side], truth).items()}
    test = paired_test(truth, case.estimates[best["old"]], case.estimates[best["new"]])
    d = (chosen["old"] - truth) ** 2 - (chosen["new"] - truth) ** 2
    mu = np.einsum("rn,rn->r", weights, d)
    spread = _spread(np.einsum("rn,rn->r", weights, d**2), mu, n)
    errors |= {"sqrt-mu-d": float(np.std([_signed_root(m) for m in mu])), "sigma-d": float(np.std(spread))}
    values |= {"sqrt-mu-d": _signed_root(test.mu_d), "sigma-d": test.sigma_d, "alpha": test.alpha}
    alphas = _alphas(mu, spread, n)
    return Contest(case, best["new"], best["old"], shares["new"], shares["old"], test, values, errors, alphas)


def _resampled(weights: np.ndarray, own: np.ndarray, truth: np.ndarray) -> dict[str, np.ndarray]:
    """Mean, std and rmse of each resampled set of trials, by the estimator that is the best in it."""
    centre = np.einsum("rn,rn->r", weights, own)
    return {
        "mean": centre,
        "std": _spread(np.einsum("rn,rn->r", weights, own**2), centre, truth.shape[0]),
        "rmse": np.sqrt(np.einsum("rn,rn->r", weights, (own - truth) ** 2)),
    }


def _signed_root(value: float) -> float:
    return copysign(sqrt(abs(value)), value)


def contest_rows(one: Contest) -> list[Row]:
    """Make the row of Table 2 or 4 for one case: labels as ``new=<estimator>`` with their shares, then numbers."""
    n, reading, row = one.test.n, one.case.reading, one.case.row
    rows = [Row.of(reading, row, "true-error", mean(one.case.truth))]
    for side, shares in (("new", one.new_shares), ("old", one.old_shares)):
        for name, share in shares.items():
            rows.append(Row(reading, row, f"{side}={name}", share, sqrt(share * (1 - share) / RESAMPLED), n))
        columns = [f"{side}-{c}" for c in ("mean", "std", "rmse")]
        rows += [Row(reading, row, c, one.values[c], one.errors[c], n) for c in columns]
    rows += [Row(reading, row, c, one.values[c], one.errors[c], n) for c in ("sqrt-mu-d", "sigma-d")]
    return [*rows, Row(reading, row, "alpha", one.test.alpha, nan, n)]


def _frame(contests: Iterable[Contest]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"row": one.case.row, "reading": one.case.reading, "new": one.new, "old": one.old}
            | {"new_share": one.new_share, "old_share": one.old_share, "alpha": one.test.alpha}
            | {"mu_d": one.test.mu_d, "sigma_d": one.test.sigma_d, "n": one.test.n}
            | {k.replace("-", "_"): v for k, v in one.values.items() if k not in ("alpha", "sigma-d")}
            | {f"{side}_rmse_se": one.errors[f"{side}-rmse"] for side in ("new", "old")}
            for one in contests
        ]
    )


def rivals(case: Case, streams: Streams) -> pd.DataFrame:
    """Return what the row of Table 2 or 4 would hold whichever two estimators it named.

    A winner among equals is a matter of chance; with this, what a paper prints of the two that *it* names is
    compared with ours of the same two.
    """
    truth, n = case.truth, case.n
    weights = drawn(streams.child(case.row), n, "trials") / n
    lines: list[tuple[str, str, float, float]] = []
    sides = [[e for e in names if e in case.estimates] for names in (NEW, (*OLD, *REPEATED))]
    for side, present in zip(("new", "old"), sides, strict=True):
        for e in present:
            lines += [(e, f"{side}-{c}", m.value, m.se) for c, m in statistics_of(case.estimates[e], truth)]
    for new in sides[0]:
        d = np.array([case.errors(old) ** 2 - case.errors(new) ** 2 for old in sides[1]])
        mu = weights @ d.T
        spread = _spread(weights @ (d**2).T, mu, n)
        roots = np.copysign(np.sqrt(np.abs(mu)), mu).std(axis=0)
        for old, root_se, sigma_se in zip(sides[1], roots, spread.std(axis=0), strict=True):
            test, label = paired_test(truth, case.estimates[old], case.estimates[new]), f"{new}/{old}"
            lines.append((label, "sqrt-mu-d", _signed_root(test.mu_d), float(root_se)))
            lines.append((label, "sigma-d", test.sigma_d, float(sigma_se)))
            lines.append((label, "alpha", test.alpha, nan))
    frame = pd.DataFrame(lines, columns=["label", "column", "value", "se"])
    return frame.assign(row=case.row, reading=case.reading, n=n)


def contested(cases: Iterable[Case], streams: Streams) -> tuple[list[Row], dict[str, pd.DataFrame], dict[str, Contest]]:
    """Hold the contest of every case."""
    known = list(cases)
    contests = [contest(case, streams) for case in known]
    first: dict[str, Contest] = {}
    for one in contests:
        first.setdefault(one.case.row, one)
    others = pd.concat([rivals(case, streams) for case in known], ignore_index=True)
    rows = [row for one in contests for row in contest_rows(one)]
    return rows, {"contests": _frame(contests), "rivals": others}, first


class Count(NamedTuple):
    """In how many cases something holds, its standard error over new sets of trials, which cases, and of how many.

    ``n`` is the number of trials, the smallest of all cases; ``shares`` are those of new sets of trials in which
    it holds, by case.
    """

    value: int
    se: float
    cases: tuple[str, ...]
    of: int
    n: int
    shares: tuple[float, ...] = ()

    @property
    def measured(self) -> Estimate:
        """The number as a value with its error."""
        return Estimate(float(self.value), self.se, self.n)

    def row(self, reading: str, row: str, column: str, artifact: str = "") -> Row:
        """Make the row of the number, with what it comes to over new sets of trials."""
        own = Row.of(reading, row, column, self.measured, artifact)
        return own._replace(reruns=PredictionInterval.of_chances(self.shares, RESAMPLED))

    def most(self, label: str = "") -> Condition:
        """Ask that it holds in more than half of the cases."""
        return self._named(label) > self.of / 2

    def some(self, label: str = "") -> Condition:
        """Ask that it holds in some cases."""
        return self._named(label) > 0

    def _named(self, label: str) -> Estimate:
        return self.measured.named(label or "number of cases", unit=f"of {self.of}", digits=1, sign="")

    @property
    def told(self) -> str:
        """The number in words."""
        error = f"± {self.se:.1f}" if self.se >= _SHOWN else f"± less than {_SHOWN:g}"
        return f"in {self.value} of {self.of} case{'s' * (self.of != 1)} ({error}, standard error over new trials)"


def _count(found: Sequence[tuple[Case, bool, float]]) -> Count:
    """Count the cases in which something holds, given the share of resampled sets of trials in which it does."""
    rows = tuple(case.row for case, holds, _ in found if holds)
    shares = tuple(share for _, _, share in found)
    error = sqrt(sum(share * (1 - share) for share in shares))
    return Count(len(rows), error, rows, len(found), min((case.n for case, _, _ in found), default=0), shares)


def counted_over(cases: Iterable[Case], rule: Rule, streams: Streams, *names: str) -> Count:
    """Count the cases in which a rule holds, with the error that new sets of trials leave the count."""
    found = []
    for case in cases:
        anew = rule(case, trials_drawn(case, streams, *names))
        found.append((case, bool(rule(case, whole_trials(case))[0]), float(np.mean(anew))))
    return _count(found)


def whole_trials(case: Case) -> np.ndarray:
    """Return the weights of a case's trials as they are, shape (1, trials)."""
    return np.full((1, case.n), 1 / case.n)


def trials_drawn(case: Case, streams: Streams, *names: str) -> np.ndarray:
    """Return the weights of sets of a case's trials drawn anew, with replacement, shape (sets, trials)."""
    return drawn(streams.child(case.row), case.n, *names) / case.n


def log_ratio(
    case: Case, size: Callable[[Case, str, np.ndarray], np.ndarray], one: str, other: str, weights: np.ndarray
) -> np.ndarray:
    """Return the logarithm of one estimator's :func:`square_of` or :func:`spread_of` over another's."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(size(case, one, weights) / size(case, other, weights)))


def square_of(case: Case, estimator: str, weights: np.ndarray) -> np.ndarray:
    """Return an estimator's mean squared error under each line of weights."""
    return np.asarray(weights @ case.errors(estimator) ** 2)


def spread_of(case: Case, estimator: str, weights: np.ndarray) -> np.ndarray:
    """Return an estimator's standard deviation under each line of weights."""
    own = case.estimates[estimator]
    return _spread(weights @ own**2, weights @ own, case.n)


def bias_of(case: Case, estimator: str, weights: np.ndarray) -> np.ndarray:
    """Return the size of an estimator's bias under each line of weights."""
    return np.asarray(np.abs(weights @ case.errors(estimator)))


def significantly_better(cases: Iterable[Case], streams: Streams, level: float) -> Count:
    """Count the cases in which the best new estimator is significantly better than the best old one."""
    return _count([(case, *contest(case, streams).significant(level)) for case in cases])


def better_than_all(cases: Iterable[Case], name: str, others: Sequence[str], streams: Streams) -> Count:
    """Count the cases in which an estimator has a smaller RMSE than each of some others."""

    def rule(case: Case, weights: np.ndarray) -> np.ndarray:
        rivals = [square_of(case, e, weights) for e in others if e in case.estimates]
        return np.asarray(square_of(case, name, weights) < np.min(rivals, axis=0))

    known = [case for case in cases if name in case.estimates and any(e in case.estimates for e in others)]
    return counted_over(known, rule, streams, name)


def _alphas_of(case: Case, old: str, new: str, weights: np.ndarray) -> np.ndarray:
    """P-values of the paired test of two estimators under each line of weights."""
    d = case.errors(old) ** 2 - case.errors(new) ** 2
    mu = weights @ d
    return _alphas(mu, _spread(weights @ d**2, mu, case.n), case.n)


def significant(cases: Iterable[Case], old: str, new: str, level: float, streams: Streams) -> Count:
    """Count the cases in which one estimator is better than another with a p-value below a level."""
    return counted_over(cases, lambda case, w: _alphas_of(case, old, new, w) < level, streams, old, new)


def sides(cases: Sequence[Case], old: str, new: str, level: float, streams: Streams) -> dict[str, Count]:
    """Count the cases in which one estimator is significantly worse or better than another, or neither."""

    def one(rule: Callable[[np.ndarray], np.ndarray]) -> Count:
        return counted_over(cases, lambda case, w: rule(_alphas_of(case, old, new, w)), streams, old, new)

    return {
        "worse": one(lambda alpha: alpha <= level),
        "better": one(lambda alpha: 1 - alpha <= level),
        "undecided": one(lambda alpha: (alpha > level) & (1 - alpha > level)),
    }
