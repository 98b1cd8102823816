"""Which estimator wins: the best new against the best old one (Tables 2 and 4), and counts over cases.

In each trial ``d = (old - Err)^2 - (new - Err)^2``; the one-sided test takes ``z = mean(d) / (sd(d) / sqrt(N))``
(section 6; what the paper calls a variance there is the standard deviation).  A count over cases has the standard
error over new sets of trials: trials are drawn with replacement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import copysign, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr

from compendium.evidence.estimate import Condition, Estimate
from compendium.evidence.judging import PredictionInterval
from compendium.evidence.records import each, parts
from compendium.evidence.results import ArtifactResult, Row
from compendium.papers.shakhnarovich.cases import STATISTICS, Case, first_of_each
from compendium.papers.shakhnarovich.methods import NEW, OLD, REPEATED
from compendium.studies.experiment import TRUE_ERROR
from errorest.streams import Streams

CLAIMS = "shakhnarovich-claims"  # The artifact under which the paper's counts of cases are filed

SIDES: Mapping[str, Sequence[str]] = {"new": NEW, "old": (*OLD, *REPEATED)}

RESAMPLED = 1000  # Bootstrap sets of trials
LARGEST_CACHED = 600  # Weights of more trials are not cached: a user's thousands would fill the memory

# Whether something holds of a case under each line of bootstrap weights
Rule = Callable[[Case, np.ndarray], np.ndarray]


@lru_cache(maxsize=96)  # readings and win_tie_loss ask for the same weights; 110 MiB at most
def _counts(streams: Streams, n: int, *names: str) -> np.ndarray:
    return streams.generator(*names).multinomial(n, np.full(n, 1 / n), size=RESAMPLED).astype(np.uint32)


def bootstrap_weights(case: Case, streams: Streams, *names: str) -> np.ndarray:
    """Return the weights of a case's trials in sets drawn with replacement, shape (sets, trials)."""
    draw = _counts if case.n <= LARGEST_CACHED else _counts.__wrapped__
    return np.asarray(draw(streams.child(case.row), case.n, *names) / case.n)


def equal_weights(case: Case) -> np.ndarray:
    """Return the weights of a case's trials as they are, shape (1, trials)."""
    return np.full((1, case.n), 1 / case.n)


def mse(case: Case, estimator: str, weights: np.ndarray) -> np.ndarray:
    """Return an estimator's mean squared error under each line of weights."""
    return np.asarray(weights @ case.difference(estimator) ** 2)


def sd(case: Case, estimator: str, weights: np.ndarray) -> np.ndarray:
    """Return an estimator's standard deviation under each line of weights."""
    return _sd(weights @ case[estimator] ** 2, weights @ case[estimator], case.n)


def absolute_bias(case: Case, estimator: str, weights: np.ndarray) -> np.ndarray:
    """Return the absolute bias of an estimator under each line of weights."""
    return np.asarray(np.abs(weights @ case.difference(estimator)))


def _sd(second: np.ndarray, centre: np.ndarray, n: int) -> np.ndarray:
    """Return standard deviations from mean squares and means."""
    return np.sqrt(np.maximum(second - centre**2, 0.0) * n / max(n - 1, 1))


def p_values(case: Case, old: str, new: str, weights: np.ndarray) -> np.ndarray:
    """Return the paired test's one-sided p-values for "the new estimator is better" under each line of weights."""
    d = case.difference(old) ** 2 - case.difference(new) ** 2
    mu = weights @ d
    return _p_values(mu, _sd(weights @ d**2, mu, case.n), case.n)


def _p_values(mu: np.ndarray, sigma: np.ndarray, n: int) -> np.ndarray:
    """Return p-values; where nothing varies the sign decides."""
    with np.errstate(divide="ignore", invalid="ignore"):
        certain = np.where(mu == 0, 0.5, (mu < 0) * 1.0)
        return np.asarray(np.where(sigma > 0, ndtr(-mu / (sigma / sqrt(n))), certain))


def paired_test(truth: np.ndarray, old: np.ndarray, new: np.ndarray) -> dict[str, float]:
    """Test whether the new estimator's expected squared error is smaller (section 6)."""
    d = (old - truth) ** 2 - (new - truth) ** 2
    mu, sigma = float(d.mean()), float(d.std(ddof=1)) if len(d) > 1 else nan
    alpha = float(_p_values(np.array(mu), np.array(sigma), len(d)))
    return {"sqrt-mu-d": copysign(sqrt(abs(mu)), mu), "sigma-d": sigma, "alpha": alpha}


class BestPairTest(NamedTuple):
    """The best new and the best old estimator of one case, and the test between them.

    ``shares`` are, by side, the shares of bootstrap sets of trials in which each estimator is the best, ours first.
    ``errors`` has a standard error for each of ``values``, from the same sets, so that it includes the choice of the
    two; ``alphas`` are the p-values of these sets.
    """

    case: Case
    best: Mapping[str, str]
    shares: Mapping[str, Mapping[str, float]]
    values: Mapping[str, float]
    errors: Mapping[str, float]
    alphas: np.ndarray


def compare_best_pair(case: Case, streams: Streams) -> BestPairTest:
    """Find the best new and the best old estimator of one case, and test the one against the other."""
    truth, n = case[TRUE_ERROR], case.n
    weights = bootstrap_weights(case, streams, "trials")
    best, chosen, shares = {}, {}, {}
    values: dict[str, float] = {}
    errors: dict[str, float] = {}
    for side, names in SIDES.items():
        present = [*filter(case.has, names)]
        estimates = np.array([case[e] for e in present])
        first = np.argmin(weights @ ((estimates - truth) ** 2).T, axis=1)
        best[side] = name = case.best_of(present)
        won = {e: float(np.mean(first == place)) for place, e in enumerate(present)}
        shares[side] = {name: won[name], **{e: share for e, share in won.items() if share}}
        chosen[side] = estimates[first]
        centre = np.einsum("rn,rn->r", weights, chosen[side])
        second = np.einsum("rn,rn->r", weights, chosen[side] ** 2)
        square = np.einsum("rn,rn->r", weights, (chosen[side] - truth) ** 2)
        resampled = {"mean": centre, "std": _sd(second, centre, n), "rmse": np.sqrt(square)}
        values |= {f"{side}-{c}": statistic(case, name).value for c, statistic in STATISTICS.items()}
        errors |= {f"{side}-{c}": float(np.std(v)) for c, v in resampled.items()}
    d = (chosen["old"] - truth) ** 2 - (chosen["new"] - truth) ** 2
    mu = np.einsum("rn,rn->r", weights, d)
    sigma = _sd(np.einsum("rn,rn->r", weights, d**2), mu, n)
    values |= paired_test(truth, case[best["old"]], case[best["new"]])
    errors |= {"sqrt-mu-d": float(np.std(np.copysign(np.sqrt(np.abs(mu)), mu))), "sigma-d": float(np.std(sigma))}
    return BestPairTest(case, best, shares, values, {**errors, "alpha": nan}, _p_values(mu, sigma, n))


def best_pair_rows(test: BestPairTest) -> list[Row]:
    """Make the row of Table 2 or 4 for one case: labels as ``new=<estimator>`` with their shares, then numbers."""
    case, n = test.case, test.case.n
    rows = [Row.of(case.reading, case.row, "true-error", case.mean(TRUE_ERROR))]
    for side, shares in test.shares.items():
        for name, share in shares.items():
            se = sqrt(share * (1 - share) / RESAMPLED)
            rows.append(Row(case.reading, case.row, f"{side}={name}", share, se, n))
        rows += [_row(test, f"{side}-{c}") for c in STATISTICS]
    return [*rows, *(_row(test, c) for c in ("sqrt-mu-d", "sigma-d", "alpha"))]


def _row(test: BestPairTest, column: str) -> Row:
    case = test.case
    return Row(case.reading, case.row, column, test.values[column], test.errors[column], case.n)


def all_pairs(case: Case, streams: Streams) -> pd.DataFrame:
    """Return the numbers of the row of Table 2 or 4 for every pair of estimators.

    A winner among equals is a matter of chance; with this, what a paper prints of the two that *it* names is compared
    with ours of the same two.
    """
    weights = bootstrap_weights(case, streams, "trials")
    sides = {side: [*filter(case.has, names)] for side, names in SIDES.items()}
    lines: list[tuple[str, str, float, float]] = []
    for side, present in sides.items():
        results = [(e, f"{side}-{c}", statistic(case, e)) for e in present for c, statistic in STATISTICS.items()]
        lines += [(e, column, m.value, m.se) for e, column, m in results]
    for new in sides["new"]:
        d = np.array([case.difference(old) ** 2 - case.difference(new) ** 2 for old in sides["old"]])
        mu = weights @ d.T
        errors = {
            "sqrt-mu-d": np.copysign(np.sqrt(np.abs(mu)), mu).std(axis=0),
            "sigma-d": _sd(weights @ (d**2).T, mu, case.n).std(axis=0),
            "alpha": np.full(len(d), nan),
        }
        for place, old in enumerate(sides["old"]):
            test = paired_test(case[TRUE_ERROR], case[old], case[new])
            lines += [(f"{new}/{old}", c, value, float(errors[c][place])) for c, value in test.items()]
    frame = pd.DataFrame(lines, columns=["label", "column", "value", "se"])
    return frame.assign(row=case.row, reading=case.reading, n=case.n)


def best_pairs(cases: Sequence[Case], streams: Streams) -> tuple[ArtifactResult, dict[str, BestPairTest]]:
    """Test the best new against the best old estimator of every case; return the first reading's tests by case."""
    tests = [compare_best_pair(case, streams) for case in cases]
    lines: list[dict[str, Any]] = [
        {"row": t.case.row, "reading": t.case.reading, **t.best, "alpha": t.values["alpha"], "n": t.case.n}
        | {f"{side}_rmse": t.values[f"{side}-rmse"] for side in SIDES}
        | {f"{side}_rmse_se": t.errors[f"{side}-rmse"] for side in SIDES}
        for t in tests
    ]
    pairs = pd.concat([all_pairs(case, streams) for case in cases], ignore_index=True)
    rows = [row for test in tests for row in best_pair_rows(test)]
    first = {case.row: test for case in first_of_each(cases) for test in tests if test.case is case}
    return ArtifactResult(rows, {"best": pd.DataFrame(lines), "pairs": pairs}), first


def as_named(result: ArtifactResult, published: pd.DataFrame) -> list[Row]:
    """Make rows of our numbers for the two estimators that the paper names, where our best pair is another."""
    labels = published[published["kind"] == "label"]
    printed = {row: dict(zip(of["column"], of["value"], strict=True)) for row, of in parts(labels, "row").items()}
    first: dict[tuple[str, str, str], str] = {}
    for r in result.rows:
        side, is_label, label = r.column.partition("=")
        if is_label:
            first.setdefault((r.reading, r.row, side), label)
    rows = []
    for (row, reading), pairs in parts(result.data["pairs"], "row", "reading").items():
        named = printed.get(row, {})
        if not named or all(first.get((reading, row, side)) == label for side, label in named.items()):
            continue
        for r in each(pairs[pairs["label"].isin({*named.values(), "/".join(named.values())})]):
            if named.get(r.column.partition("-")[0], r.label) == r.label:
                rows.append(Row(reading, row, f"{r.column}={r.label}", r.value, r.se, r.n))
    return rows


@dataclass(frozen=True)
class CaseCount:
    """In which cases something holds, and in what share of bootstrap sets of trials it does."""

    cases: tuple[Case, ...]
    holds: tuple[bool, ...]
    shares: tuple[float, ...]

    def __add__(self, other: CaseCount) -> CaseCount:
        """Count further cases."""
        return CaseCount(self.cases + other.cases, self.holds + other.holds, self.shares + other.shares)

    @property
    def rows(self) -> list[str]:
        """The cases in which it holds."""
        return [case.row for case, holds in zip(self.cases, self.holds, strict=True) if holds]

    @property
    def estimate(self) -> Estimate:
        """The number of cases; its error is that of a sum of independent cases that hold or not in new trials."""
        se = sqrt(sum(share * (1 - share) for share in self.shares))
        return Estimate(float(sum(self.holds)), se, min((case.n for case in self.cases), default=0))

    def row(self, reading: str, row: str, column: str, artifact: str = "") -> Row:
        """Make the row of the number, with its distribution over new sets of trials."""
        made = Row.of(reading, row, column, self.estimate, artifact)
        return made._replace(reruns=PredictionInterval.of_chances(self.shares, RESAMPLED))

    def named(self, label: str = "number of cases") -> Estimate:
        """Label the number for a claim."""
        return self.estimate.named(label, f"of {len(self.cases)}", digits=1, sign="")

    def in_most(self, label: str = "number of cases") -> Condition:
        """Ask that it holds in more than half of the cases."""
        return self.named(label) > len(self.cases) / 2


def count_cases(cases: Iterable[Case], rule: Rule, streams: Streams, *names: str) -> CaseCount:
    """Count the cases in which a rule holds."""
    known = tuple(cases)
    holds = tuple(bool(rule(case, equal_weights(case))[0]) for case in known)
    shares = tuple(float(np.mean(rule(case, bootstrap_weights(case, streams, *names)))) for case in known)
    return CaseCount(known, holds, shares)


def significantly_better(cases: Iterable[Case], streams: Streams, level: float) -> CaseCount:
    """Count the cases in which the best new estimator is significantly better than the best old one."""
    tests = [compare_best_pair(case, streams) for case in cases]
    holds = tuple(test.values["alpha"] <= level for test in tests)
    return CaseCount(tuple(t.case for t in tests), holds, tuple(float(np.mean(t.alphas <= level)) for t in tests))


def better_than_all(cases: Iterable[Case], name: str, others: Sequence[str], streams: Streams) -> CaseCount:
    """Count the cases in which an estimator has a smaller RMSE than each of some others."""

    def rule(case: Case, weights: np.ndarray) -> np.ndarray:
        return np.asarray(mse(case, name, weights) < np.min([mse(case, e, weights) for e in present(case)], axis=0))

    def present(case: Case) -> list[str]:
        return [*filter(case.has, others)]

    return count_cases([case for case in cases if case.has(name) and present(case)], rule, streams, name)


def significant(cases: Iterable[Case], old: str, new: str, level: float, streams: Streams) -> CaseCount:
    """Count the cases in which one estimator is better than another with a p-value below a level."""
    return count_cases(cases, lambda case, w: p_values(case, old, new, w) < level, streams, old, new)


def win_tie_loss(cases: Sequence[Case], old: str, new: str, level: float, streams: Streams) -> dict[str, CaseCount]:
    """Count the cases in which one estimator is significantly worse or better than another, or neither."""
    rules: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "worse": lambda alpha: alpha <= level,
        "better": lambda alpha: 1 - alpha <= level,
        "undecided": lambda alpha: (alpha > level) & (1 - alpha > level),
    }

    def counted(rule: Callable[[np.ndarray], np.ndarray]) -> CaseCount:
        return count_cases(cases, lambda case, w: rule(p_values(case, old, new, w)), streams, old, new)

    return {name: counted(rule) for name, rule in rules.items()}
