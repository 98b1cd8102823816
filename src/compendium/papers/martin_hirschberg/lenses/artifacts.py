"""Section 6's decision trees: the contact lenses themselves, samples with replacement, noise, and regressions.

Printed numbers are statistics of six samples; claims are judged on all samples of a cell at once.
"""

from __future__ import annotations

from math import isfinite, nan, sqrt

import numpy as np
import pandas as pd
from scipy import stats

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim, judge_claims
from compendium.evidence.estimate import Estimate, exact
from compendium.evidence.results import ArtifactResult, Check, Row, Run, rows_of
from compendium.papers.martin_hirschberg.lenses import claims, experiment, figures
from compendium.papers.martin_hirschberg.lenses.blocks import Blocks, block_mean, block_sd, blocks_of, deviation
from compendium.papers.martin_hirschberg.lenses.claims import B632, RESAMPLING, SMOOTH
from compendium.papers.martin_hirschberg.lenses.population import (
    CASES,
    Lenses,
    distinct_items,
    fewest_leaves,
    largest_tree,
    nodes_of,
)
from compendium.papers.martin_hirschberg.names import NAMES
from errorest.data.sets import load

TEXT = "martin-hirschberg-claims"  # The artifact of numbers that the text states in passing


def clean(p: experiment.LensesParameters, run: Run) -> list[Blocks]:
    """Samples without noise, by reading."""
    return blocks_of(run(experiment.sizes_study(p)), p.readings, p.samples, p.realizations)


def noisy(p: experiment.LensesParameters, run: Run) -> list[Blocks]:
    """Samples under noise, by reading."""
    return blocks_of(run(experiment.noise_study(p)), p.noise_readings, p.samples, p.noise_realizations)


@artifact("martin-hirschberg-figure-10", draw=figures.draw_figure_10, enlarge=False)
def figure_10(p: experiment.LensesParameters, run: Run) -> ArtifactResult:
    """Figure 10: a correct tree for the contact lenses."""
    sample = load(CASES)
    population = Lenses.with_noise(0.0)
    trees = {name: experiment.INDUCERS[name].fit(sample) for name in p.readings}
    rows: list[Row] = []
    for name, tree in trees.items():
        values = {
            "leaves": tree.n_leaves,
            "nodes": tree.n_nodes,
            "depth": tree.depth,
            "true-error-percent": 100 * population.true_error(tree),
            "apparent-error-percent": 100 * (tree.predict(sample.X) != sample.y).mean(),
        }
        rows += [Row.exact(experiment.READINGS[name], "tree", column, value) for column, value in values.items()]
    leaves = {experiment.READINGS[name]: tree.n_leaves for name, tree in trees.items()}
    least = fewest_leaves(sample)
    as_few = [exact(number, f"leaves of *{reading}*").equals(least) for reading, number in leaves.items()]
    check = judge_claim("martin-hirschberg-figure-10", "leaves", as_few)
    return ArtifactResult(rows, {"tree": nodes_of(trees[p.readings[0]])}, [check])


@artifact("martin-hirschberg-text-lenses-24")
def lenses_24(p: experiment.LensesParameters, run: Run) -> ArtifactResult:
    """The estimates of the error of the 24 cases' tree, mean and standard deviation of six repetitions, percent."""
    sample = load(CASES)
    results = run(experiment.cases_study(p)).assign(noise=0.0, n=sample.n)
    rows: list[Row] = []
    checks: list[Check] = []
    for t in blocks_of(results, p.readings, p.samples, p.realizations):
        error = 100 * Lenses.with_noise(0.0).true_error(experiment.INDUCERS[t.inducer].fit(sample))
        truth = Estimate(error, 0.0, p.samples * p.realizations)
        rows.append(Row.of(t.reading, "true-error", "mean-percent", truth))
        rows += t.rows(experiment.ESTIMATORS, {"mean-percent": block_mean, "std-percent": block_sd})
        if t.inducer == p.readings[0]:
            too_high = {e: (block_mean(t, e) - truth).named(NAMES[e].markdown, digits=1) for e in experiment.ESTIMATORS}
            conditions = [*(too_high[e] > 0 for e in RESAMPLING), too_high[claims.APPARENT].equals(0)]
            checks = [judge_claim("martin-hirschberg-text-lenses-24", "pessimistic", conditions, t.reading)]
    return ArtifactResult(rows, checks=checks)


@artifact("martin-hirschberg-lens-counts")
def tree_counts(p: experiment.LensesParameters, run: Run) -> ArtifactResult:
    """The counts in section 6's text: distinct items of a sample, the largest tree, the smallest correct one."""
    sample = load(CASES)
    nodes, leaves = largest_tree([len(a.categories) for a in sample.attributes])
    counts = {f"distinct-items-N={n}": distinct_items(n, sample.n) for n in p.sizes[:3]}
    counts |= {"saturation-nodes": nodes, "saturation-leaves": leaves}
    rows = [Row.of("literal", "text", column, exact(value), TEXT) for column, value in counts.items()]
    smallest = exact(experiment.INDUCERS[p.readings[0]].fit(sample).n_leaves)
    rows.append(Row.of(experiment.READINGS[p.readings[0]], "text", "correct-tree-leaves", smallest, TEXT))
    first = clean(p, run)[0]
    correct = {}
    for cell in first.cells("n"):
        n = cell.level("n")
        correct[n] = monte_carlo.mean(100.0 * (cell["true-error"] == 0))
        columns = [("correct-trees-percent", correct[n]), ("nodes", cell.count("nodes"))]
        rows += rows_of(first.reading, f"N={n}", columns)
    under_noise = noisy(p, run)[0]
    cells = under_noise.cells("noise", "n")
    grown = [cell.count("nodes") for cell in cells]
    rows += [Row.of(cell.reading, cell.key, "nodes", e) for cell, e in zip(cells, grown, strict=True)]
    sizes = len(p.noise_sizes)
    grid = [grown[i : i + sizes] for i in range(0, len(grown), sizes)]
    many = [e.named(f"N = {n}", "%", 1, "").within(claims.MANY, 100) for n, e in correct.items() if n >= 3 * sample.n]
    grow = claims.nodes_grow(grid, nodes)
    checks = [
        judge_claim("martin-hirschberg-lens-counts", "correct-trees", many, first.reading),
        judge_claim("martin-hirschberg-lens-counts", "nodes", grow, under_noise.reading),
    ]
    return ArtifactResult(rows, checks=checks)


@artifact("martin-hirschberg-table-11", draw=figures.draw_table_11)
def table_11(p: experiment.LensesParameters, run: Run) -> ArtifactResult:
    """Table 11: mean and standard deviation of true and estimated errors over six samples, percent."""
    readings = clean(p, run)
    columns = {"mean-percent/N={n}": block_mean, "std-percent/N={n}": block_sd}
    rows = [row for t in readings for row in t.rows(["true-error", *experiment.ESTIMATORS], columns, by=["n"])]
    t = readings[0]
    groups = pd.concat([biases_of_blocks(cell) for cell in t.cells("n")], ignore_index=True)
    whole = pd.DataFrame(
        {"n": n, "estimator": e, "bias": m.value, "se": m.se}
        for n, own in groups.groupby("n", sort=True)
        for e in experiment.ESTIMATORS
        for m in [monte_carlo.mean(own[e].to_numpy())]
    )
    checks = judge_claims(claims.TABLE_11, t, reading=t.reading, n=t.levels("n"))
    return ArtifactResult(rows, {"groups": groups, "whole": whole}, checks)


def biases_of_blocks(cell: Blocks) -> pd.DataFrame:
    """Mean bias of each estimator in each block, points."""
    biases = {e: cell.of_each_block(lambda e, t: (e - t).mean(), e, "true-error") for e in experiment.ESTIMATORS}
    return (
        pd.DataFrame(biases)
        .rename_axis("group")
        .reset_index()
        .assign(n=cell.level("n"))[["n", "group", *experiment.ESTIMATORS]]
    )


@artifact("martin-hirschberg-text-lenses-correlation", draw=figures.draw_correlations)
def text_correlations(p: experiment.LensesParameters, run: Run) -> ArtifactResult:
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
    checks = judge_claims(claims.CORRELATIONS, t, reading=t.reading) if p.realizations > 1 else []
    return ArtifactResult(rows, {"groups": groups}, checks)


def means(readings: list[Blocks], *columns: str) -> tuple[list[Row], pd.DataFrame]:
    """Mean of each column over blocks in percent, by reading, noise and size: as rows, and as a figure's data."""
    results = [(cell, c, block_mean(cell, c)) for t in readings for cell in t.cells("noise", "n") for c in columns]
    rows = [Row.of(cell.reading, c, f"mean-percent/{cell.key}", m) for cell, c, m in results]
    frame = pd.DataFrame(
        {"reading": cell.inducer, "noise": cell.level("noise"), "n": cell.level("n")}
        | {"column": c, "value": m.value, "se": m.se}
        for cell, c, m in results
    )
    return rows, frame


@artifact("martin-hirschberg-figure-12", draw=figures.draw_figure_12, of=("true-error", "exact-error"))
@artifact("martin-hirschberg-figure-13", draw=figures.draw_figure_13, of=("resubstitution", "loo"))
def mean_errors(p: experiment.LensesParameters, run: Run, *, of: tuple[str, str]) -> ArtifactResult:
    """Figures 12 and 13: mean true error, or apparent error and leave-one-out, by sample size and noise, percent."""
    readings = noisy(p, run)
    rows, table = means(readings, *dict.fromkeys([*of, "true-error"]))
    table_of_claims = claims.FIGURE_12 if "true-error" in of else claims.FIGURE_13
    checks = judge_claims(table_of_claims, readings[0], reading=readings[0].reading)
    return ArtifactResult([row for row in rows if row.row in of], {"means": table}, checks)


@artifact("martin-hirschberg-figure-14", draw=figures.draw_figure_14)
def figure_14(p: experiment.LensesParameters, run: Run) -> ArtifactResult:
    """Figure 14: mean estimates against mean true error for every size and noise, percent."""
    readings = noisy(p, run)
    rows, table = means(readings, "true-error", *experiment.ESTIMATORS)
    for t in readings:
        cells = t.cells("noise", "n")
        deviations = [(e, cell.key, cell.of_blocks(deviation, e)) for cell in cells for e in experiment.ESTIMATORS]
        rows += [Row.of(t.reading, e, f"std-percent/{key}", m) for e, key, m in deviations]
        rows.append(Row.of(t.reading, "text", "632-tree-bias-changes-sign-at-percent", sign_change(cells), TEXT))
    t = readings[0]
    biases = pd.DataFrame(
        {"noise": cell.level("noise"), "n": cell.level("n"), "estimator": e, "true_error": cell["true-error"].mean()}
        | {"samples": cell.n, "bias": bias.value, "bias_se": bias.se, "std": sd.value, "std_se": sd.se}
        for cell in t.cells("noise", "n")
        for e in experiment.ESTIMATORS
        for bias, sd in [(cell.bias(e), cell.sd(e))]
    )
    overall = pd.DataFrame(
        {"estimator": e, "bias": m.value, "se": m.se} for e in experiment.ESTIMATORS for m in [claims.overall(t, e)]
    )
    checks = judge_claims(claims.FIGURE_14, t, reading=t.reading) if p.noise_realizations > 1 else []
    return ArtifactResult(rows, {"means": table, "biases": biases, "overall": overall}, checks)


def sign_change(cells: list[Blocks]) -> Estimate:
    """True error where a line through the cells' mean biases of 632b is zero; NaN where it does not fall.

    The value is that of all samples, the error comes from the lines through single blocks.
    """
    true = np.array([cell.of_each_block(np.mean, "true-error") for cell in cells])
    bias = np.array([cell.of_each_block(lambda e, t: (e - t).mean(), B632, "true-error") for cell in cells])
    zeros = np.array([zero_of(true[:, i], bias[:, i]) for i in range(true.shape[1])])
    usable = zeros[np.isfinite(zeros)]
    # a nearly level line has its zero anywhere: quartiles, not moments, measure the spread
    spread = float(np.subtract(*np.percentile(usable, [75, 25]))) / 1.349 if usable.size > 3 else nan
    value = zero_of(
        np.array([cell["true-error"].mean() for cell in cells]), np.array([cell.bias(B632).value for cell in cells])
    )
    return Estimate(value, spread / sqrt(cells[0].n // cells[0].size), cells[0].n)


def zero_of(x: np.ndarray, y: np.ndarray) -> float:
    """Where the least-squares line through points falls through zero; NaN where it does not fall."""
    centred = x - x.mean()
    if x.size < 2 or not (centred**2).sum():
        return nan
    slope = float(centred @ y / (centred @ centred))
    return float(x.mean() - y.mean() / slope) if slope < 0 else nan


# Column of Table 15 to what is correlated, and with which estimates
PARTNERS = {"correlation-with-ter": ("true-error", ("cv-10", *SMOOTH)), "correlation-with-cv-10": ("cv-10", SMOOTH)}


@artifact("martin-hirschberg-table-15", draw=figures.draw_table_15)
def table_15(p: experiment.LensesParameters, run: Run) -> ArtifactResult:
    """Table 15, upper half: correlations over six samples of each size and noise."""
    readings = noisy(p, run)
    rows: list[Row] = []
    pooled = []
    for cell in (cell for t in readings for cell in t.cells("noise", "n")):
        for column, (partner, estimators) in PARTNERS.items():
            for e in estimators:
                m = cell.of_blocks(monte_carlo.coefficient, e, partner)
                rows += [Row.of(cell.reading, f"{e}/{cell.key}", column, m)] if isfinite(m.value) else []
                r = cell.corr(e, partner)
                of = {"reading": cell.inducer, "estimator": e, "n": cell.level("n"), "noise": cell.level("noise")}
                pooled.append(of | {"column": column, "value": r.value, "se": r.se, "samples": r.n})
    t = readings[0]
    checks = judge_claims(claims.TABLE_15, t, reading=t.reading) if p.noise_realizations > 1 else []
    return ArtifactResult(rows, {"pooled": pd.DataFrame(pooled)}, checks)


@artifact("martin-hirschberg-table-15-regression", draw=figures.draw_regressions)
def table_15_regression(p: experiment.LensesParameters, run: Run) -> ArtifactResult:
    """Table 15, lower half: regressions and correlations of many samples, little noise, percent."""
    readings = blocks_of(run(experiment.many_study(p)), p.readings, p.many_samples, p.many_realizations)
    rows: list[Row] = []
    for cell in (cell for t in readings for cell in t.cells("n")):
        for response, regressor in experiment.PAIRS:
            r = cell.corr(response, regressor)
            if not isfinite(r.value):
                continue
            key = f"{response} on {regressor}/N={cell.level('n')}"
            intercept, slope = regression(cell[regressor], cell[response])
            chance = float(stats.pearsonr(cell[regressor], cell[response]).pvalue)
            rows += rows_of(cell.reading, key, [("intercept", intercept), ("slope", slope), ("r", r)])
            rows.append(Row(cell.reading, key, "p-value", chance, nan, r.n))
    t = readings[0]
    cells = t.cells("n")
    columns = ("true-error", "cv-10", "bootstrap-632")
    samples = [pd.DataFrame({"n": cell.level("n"), **{c: cell[c] for c in columns}}) for cell in cells]
    checks = judge_claims(claims.REGRESSION, cells, reading=t.reading)
    return ArtifactResult(rows, {"samples": pd.concat(samples, ignore_index=True)}, checks)


def regression(x: np.ndarray, y: np.ndarray) -> tuple[Estimate, Estimate]:
    """Fit y = intercept + slope x by least squares; errors allow the spread to differ along x (sandwich)."""
    n = x.shape[0]
    centred = x - x.mean()
    square = float((centred**2).sum())
    slope = float((centred * y).sum()) / square
    intercept = float(y.mean()) - slope * float(x.mean())
    residual = y - intercept - slope * x
    of_slope = centred * residual / square
    of_intercept = residual / n - x.mean() * of_slope
    errors = [float(np.sqrt((w**2).sum() * n / (n - 2))) for w in (of_intercept, of_slope)]
    return Estimate(intercept, errors[0], n), Estimate(slope, errors[1], n)
