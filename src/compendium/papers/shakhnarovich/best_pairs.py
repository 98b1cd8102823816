"""The best new against the best old estimator of each case (Tables 2 and 4), and how often the new one wins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import nan, sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.records import each, parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row
from compendium.papers.parameters import Parameters
from compendium.papers.shakhnarovich.case_counts import CaseCount
from compendium.papers.shakhnarovich.cases import STATISTICS, Case, first_of_each
from compendium.papers.shakhnarovich.figures import PRINTED, mark, numbers, ratio_dots, ratio_panel
from compendium.papers.shakhnarovich.methods import NEW, OLD, REPEATED
from compendium.papers.shakhnarovich.names import case_title, symbol_of
from compendium.papers.shakhnarovich.paired_tests import (
    RESAMPLED,
    bootstrap_weights,
    normal_p_values,
    paired_test,
    sd_of_moments,
)
from compendium.plots.panels import legend_of
from compendium.plots.picture import Drawing
from compendium.studies.experiment import TRUE_ERROR
from errorest import plots
from errorest.plots import BLUE
from errorest.streams import Streams

SIDES: Mapping[str, Sequence[str]] = {"new": NEW, "old": (*OLD, *REPEATED)}


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

    def rows(self) -> list[Row]:
        """Make the row of Table 2 or 4: labels as ``new=<estimator>`` with their shares, then numbers."""
        case = self.case
        key, n = (case.reading, case.row), case.n
        rows = [Row.of(*key, "true-error", case.mean(TRUE_ERROR))]
        for side, shares in self.shares.items():
            for name, share in shares.items():
                rows.append(Row(*key, f"{side}={name}", share, sqrt(share * (1 - share) / RESAMPLED), n))
            rows += [Row(*key, c, self.values[c], self.errors[c], n) for c in (f"{side}-{s}" for s in STATISTICS)]
        tested = ("sqrt-mu-d", "sigma-d", "alpha")
        return [*rows, *(Row(*key, c, self.values[c], self.errors[c], n) for c in tested)]


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
        won = {e: float(np.mean(first == i)) for i, e in enumerate(present)}
        shares[side] = {name: won[name], **{e: share for e, share in won.items() if share}}
        chosen[side] = estimates[first]
        mean = np.einsum("rn,rn->r", weights, chosen[side])
        second = np.einsum("rn,rn->r", weights, chosen[side] ** 2)
        square = np.einsum("rn,rn->r", weights, (chosen[side] - truth) ** 2)
        resampled = {"mean": mean, "std": sd_of_moments(second, mean, n), "rmse": np.sqrt(square)}
        values |= {f"{side}-{c}": statistic(case, name).value for c, statistic in STATISTICS.items()}
        errors |= {f"{side}-{c}": float(np.std(v)) for c, v in resampled.items()}
    d = (chosen["old"] - truth) ** 2 - (chosen["new"] - truth) ** 2
    mu = np.einsum("rn,rn->r", weights, d)
    sigma = sd_of_moments(np.einsum("rn,rn->r", weights, d**2), mu, n)
    values |= paired_test(truth, case[best["old"]], case[best["new"]])
    errors |= {"sqrt-mu-d": float(np.std(np.copysign(np.sqrt(np.abs(mu)), mu))), "sigma-d": float(np.std(sigma))}
    return BestPairTest(case, best, shares, values, {**errors, "alpha": nan}, normal_p_values(mu, sigma, n))


def significantly_better(cases: Iterable[Case], streams: Streams, level: float) -> CaseCount:
    """Count the cases in which the best new estimator is significantly better than the best old one."""
    tests = [compare_best_pair(case, streams) for case in cases]
    holds = tuple(test.values["alpha"] <= level for test in tests)
    return CaseCount(tuple(t.case for t in tests), holds, tuple(float(np.mean(t.alphas <= level)) for t in tests))


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
            "sigma-d": sd_of_moments(weights @ (d**2).T, mu, case.n).std(axis=0),
            "alpha": np.full(len(d), nan),
        }
        for i, old in enumerate(sides["old"]):
            test = paired_test(case[TRUE_ERROR], case[old], case[new])
            lines += [(f"{new}/{old}", c, value, float(errors[c][i])) for c, value in test.items()]
    frame = pd.DataFrame(lines, columns=["label", "column", "value", "se"])
    return frame.assign(row=case.row, reading=case.reading, n=case.n)


def best_pairs(cases: Sequence[Case], streams: Streams) -> tuple[ArtifactResult, dict[str, BestPairTest]]:
    """Test the best new against the best old estimator of every case; return the first reading's tests by case."""
    tests = [compare_best_pair(case, streams) for case in cases]
    lines = [
        {"row": t.case.row, "reading": t.case.reading, **t.best, "alpha": t.values["alpha"], "n": t.case.n}
        | {f"{side}_rmse": t.values[f"{side}-rmse"] for side in SIDES}
        | {f"{side}_rmse_se": t.errors[f"{side}-rmse"] for side in SIDES}
        for t in tests
    ]
    pairs = pd.concat([all_pairs(case, streams) for case in cases], ignore_index=True)
    first = {case.row: test for case in first_of_each(cases) for test in tests if test.case is case}
    rows = [row for test in tests for row in test.rows()]
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


@plots.in_style
def draw_best_pairs(p: Parameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the RMSE of the best new estimator over that of the best old one, by case, beside the print."""
    scale, result = made.shown
    table = result.data["best"].drop_duplicates("row").reset_index(drop=True)
    printed = numbers(published)
    figure, grid = plots.new_figure(1, 1, 1.6 + 0.4 * len(table))
    axes = grid[0, 0]
    new, old = (
        pd.DataFrame({"rmse": table[f"{side}_rmse"], "se": table[f"{side}_rmse_se"]}) for side in ("new", "old")
    )
    ratios = ratio_dots(axes, new, old, table.index + 0.14, BLUE, "o")
    for at, row in enumerate(table["row"]):
        if printed.get((row, "old-rmse"), 0.0) > 0:
            axes.plot([printed[row, "new-rmse"] / printed[row, "old-rmse"]], [at - 0.18], zorder=4, **PRINTED)
    names = zip(table["row"], table["new"], table["old"], strict=True)
    labels = [f"{case_title(row)}\n{symbol_of(new)} / {symbol_of(old)}" for row, new, old in names]
    ratio_panel(axes, labels, "RMSE, best new over best old estimator (logarithmic)")
    legend_of(figure, {"ours": mark(BLUE, "o")} | ({"printed": PRINTED} if printed else {}))
    facts = {"least": ratios.min(), "most": ratios.max(), "scale": scale}
    return Drawing(figure, facts=facts, printed=bool(printed))
