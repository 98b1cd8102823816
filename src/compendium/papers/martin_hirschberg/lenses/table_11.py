"""Table 11: estimates and true errors of six trees of samples with replacement, and their correlations in the text."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, exact, some
from compendium.evidence.records import printed_values
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run
from compendium.papers.martin_hirschberg.estimators import NAMES
from compendium.papers.martin_hirschberg.lenses.blocks import Blocks, block_mean, block_sd, clean
from compendium.papers.martin_hirschberg.lenses.study import (
    APPARENT,
    B632,
    ESTIMATORS,
    FOLDS,
    READINGS,
    RESAMPLING,
    SMOOTH,
    TWO_FOLDS,
    LensesParameters,
)
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLUE, SKY

NO_BIAS = 0.5  # Points up to which the apparent error is unbiased


def bias(t: Blocks, size: int, estimator: str) -> Estimate:
    """Bias at the smallest size (0), the next one (1), ..., points."""
    return t.at(n=t.levels("n")[size]).bias(estimator).named(digits=1)


TABLE_11 = Claims("martin-hirschberg-table-11")


@TABLE_11.claim
def smallest_samples(t: Blocks) -> list[Condition | Conditions]:
    return [
        bias(t, 0, TWO_FOLDS) > 0,
        every("bias of the others", [bias(t, 0, e) < 0 for e in RESAMPLING if e != TWO_FOLDS]),
    ]


@TABLE_11.claim
def smooth_pessimistic(t: Blocks) -> Conditions:
    return every("bias", [cell.bias(e) > 0 for cell in t.cells("n") for e in SMOOTH])


@TABLE_11.claim
def smooth_not_more_biased(t: Blocks) -> Conditions:
    pairs = [(cell, f, s) for cell in t.cells("n") for s in SMOOTH for f in FOLDS]
    gaps = [c.named(c.bias_gap(f, s), f"{c.name(f)} minus {c.name(s)}", unit="points") for c, f, s in pairs]
    return some("size of the bias of LOO or 10-CV beyond that of 632b or LOO\\*", [gap > 0 for gap in gaps])


@TABLE_11.claim
def apparent_zero(t: Blocks) -> list[Condition]:
    return [exact(c[APPARENT].max(), f"largest at {c.label}", "%", 1).equals(0) for c in t.cells("n")]


@TABLE_11.claim
def larger_samples(t: Blocks) -> Conditions:
    return every("bias", [bias(t, i, e) > 0 for i in range(1, len(t.levels("n"))) for e in RESAMPLING])


@TABLE_11.claim
def turn(t: Blocks) -> list[Condition]:
    return [*(bias(t, 0, e) < 0 for e in FOLDS), *(bias(t, 1, e) > 0 for e in FOLDS)]


@TABLE_11.claim
def apparent_bias(t: Blocks) -> list[Condition]:
    return [
        bias(t, 0, APPARENT) < 0,
        abs(bias(t, max(1, len(t.levels("n")) - 1), APPARENT)) <= NO_BIAS,
    ]


def biases_of_blocks(cell: Blocks) -> pd.DataFrame:
    """Mean bias of each estimator in each block, points."""
    biases = {e: cell.of_each_block(lambda e, t: (e - t).mean(), e, "true-error") for e in ESTIMATORS}
    return (
        pd.DataFrame(biases).rename_axis("group").reset_index().assign(n=cell.level("n"))[["n", "group", *ESTIMATORS]]
    )


def _strokes(
    groups: pd.DataFrame, overall: pd.DataFrame, printed: pd.DataFrame, words: str, height: float, x: str
) -> Picture:
    """Draw values of groups, of all samples and of the print (columns n, estimator, value, se), a panel a size."""
    sizes = sorted(groups["n"].unique())
    picture = Picture(
        height,
        {n: f"N = {n}" for n in sizes},
        "n",
        columns=len(sizes),
        x=x,
        y_levels={e: NAMES[e].symbol for e in RESAMPLING},
        sharex=True,
        sharey=True,
    )
    picture.guide(x=0)
    known = groups.dropna(subset="value")
    picture.scatter(known, "value", "estimator", label=words, marker="|", color=SKY, markersize=11, zorder=1)
    picture.scatter(overall, "value", "estimator", x_se="se", z=1.96, label="all samples", color=BLUE, markersize=5)
    picture.scatter(printed, "value", "estimator", printed=True, label="published", markersize=6)
    return picture


def _values(table: Mapping[tuple[str, int], tuple[float, float]]) -> pd.DataFrame:
    return pd.DataFrame(
        [(e, n, value, se) for (e, n), (value, se) in table.items()], columns=["estimator", "n", "value", "se"]
    )


def draw_table_11(p: LensesParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw what groups of six samples say about bias, with all samples and the print."""
    groups, means = (results.published.data[name] for name in ("groups", "whole"))
    values = groups.melt(["n", "group"], var_name="estimator").query("estimator in @RESAMPLING")
    overall = means.rename(columns={"bias": "value"}).query("estimator in @RESAMPLING and se == se")
    print_ = printed_values(published)
    keys = {(e, n): f"mean-percent/N={n}" for e in RESAMPLING for n in groups["n"].unique()}
    printed = {k: (print_[k[0], c] - print_["true-error", c], 0.0) for k, c in keys.items() if (k[0], c) in print_}
    picture = _strokes(values, overall, _values(printed), f"a group of {p.samples} samples", 3.4, "bias (points)")
    return picture.done(reading=READINGS[p.readings[0]])


def r(t: Blocks, size: int, estimator: str) -> Estimate:
    """Correlation with the true error at the smallest size (0) or the next one (1)."""
    return t.at(n=t.levels("n")[size]).corr(estimator)


def first_two(t: Blocks) -> range:
    """The numbers of the two smallest sizes, which the text speaks of."""
    return range(min(2, len(t.levels("n"))))


CORRELATIONS = Claims("martin-hirschberg-text-lenses-correlation")


@CORRELATIONS.claim
def stronger(t: Blocks) -> list[Condition]:
    sizes = [t.at(n=t.levels("n")[i]) for i in first_two(t)]
    return [one.strength_gap(s, f) > 0 for one in sizes for s in (B632, TWO_FOLDS) for f in FOLDS]


@CORRELATIONS.claim
def negative(t: Blocks) -> Conditions:
    return every("correlations", [r(t, i, e) < 0 for i in first_two(t) for e in RESAMPLING])


@CORRELATIONS.claim
def sign(t: Blocks) -> list[Condition]:
    return [*(r(t, 0, e) < 0 for e in FOLDS), *(r(t, 1, e) > 0 for e in FOLDS)]


def draw_correlations(p: LensesParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the correlations of groups of six pairs, with all samples and the print."""
    _, result = results.largest
    sizes = sorted(result.data["groups"]["n"].unique())[:2]
    groups = result.data["groups"].query("n in @sizes").rename(columns={"r": "value"})
    reading = READINGS[p.readings[0]]
    rows = {(r.row, r.column): (r.value, r.se) for r in result.rows if r.reading == reading}
    print_ = printed_values(published)
    keys = [(e, n) for n in sizes for e in RESAMPLING]
    overall = {(e, n): rows[e, f"N={n}/all-samples"] for e, n in keys if (e, f"N={n}/all-samples") in rows}
    printed = {(e, n): (print_[e, f"N={n}"], 0.0) for e, n in keys if (e, f"N={n}") in print_}
    across = "correlation with true error"
    picture = _strokes(groups, _values(overall), _values(printed), f"{p.samples} samples", 3.2, across)
    picture.limits(xlim=(-1.05, 1.05))
    return picture.done(reading=reading)


@artifact("martin-hirschberg-table-11", draw=draw_table_11)
def table_11(p: LensesParameters, run: Run) -> ArtifactResult:
    """Table 11: mean and standard deviation of true and estimated errors over six samples, percent."""
    readings = clean(p, run)
    columns = {"mean-percent/N={n}": block_mean, "std-percent/N={n}": block_sd}
    rows = [row for t in readings for row in t.rows(["true-error", *ESTIMATORS], columns, by=["n"])]
    t = readings[0]
    groups = pd.concat([biases_of_blocks(cell) for cell in t.cells("n")], ignore_index=True)
    overall = pd.DataFrame(
        {"n": n, "estimator": e, "bias": m.value, "se": m.se}
        for n, group in groups.groupby("n", sort=True)
        for e in ESTIMATORS
        for m in [monte_carlo.mean(group[e].to_numpy())]
    )
    checks = judge_claims(TABLE_11, t, reading=t.reading, n=t.levels("n"))
    return ArtifactResult(rows, {"groups": groups, "whole": overall}, checks)


@artifact("martin-hirschberg-text-lenses-correlation", draw=draw_correlations)
def text_correlations(p: LensesParameters, run: Run) -> ArtifactResult:
    """Correlation of each estimate with the true error over six samples, where both vary."""
    readings = clean(p, run)
    columns = {"N={n}": lambda t, e: t.of_blocks(monte_carlo.coefficient, e, "true-error")}
    if p.realizations > 1:
        columns["N={n}/all-samples"] = Blocks.corr
    rows = [row for t in readings for row in t.rows(RESAMPLING, columns, by=["n"])]
    t = readings[0]
    groups = pd.DataFrame(
        {"n": cell.level("n"), "estimator": e, "group": i, "r": r}
        for cell in t.cells("n")
        for e in RESAMPLING
        for i, r in enumerate(cell.of_each_block(monte_carlo.coefficient, e, "true-error"))
    )
    checks = judge_claims(CORRELATIONS, t, reading=t.reading) if p.realizations > 1 else []
    return ArtifactResult(rows, {"groups": groups}, checks)
