"""Table 15, lower half: regressions and correlations of many samples under little noise."""

from __future__ import annotations

from math import isfinite, nan

import numpy as np
import pandas as pd
from scipy import stats

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Estimate, exact, plus_minus
from compendium.evidence.records import matching, printed_values
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run, rows_of
from compendium.papers.martin_hirschberg.estimators import NAMES
from compendium.papers.martin_hirschberg.lenses.blocks import Blocks, blocks_of
from compendium.papers.martin_hirschberg.lenses.study import B632, PAIRS, READINGS, LensesParameters, many_study
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLACK, BLUE, SKY


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


def p_value(cell: Blocks, one: str, other: str, text: str) -> Estimate:
    """p-value of no correlation, labelled with the correlation."""
    return exact(
        float(stats.pearsonr(cell[other], cell[one]).pvalue),
        f"{text}, r {plus_minus(cell.corr(one, other), '+', 2)}, p-value",
        digits=-2,
    )


REGRESSION = Claims("martin-hirschberg-table-15-regression")


@REGRESSION.claim
def significance(cells: list[Blocks]) -> list[Condition]:
    return [
        *(
            p_value(c, e, "true-error", f"{NAMES[e].markdown} and true error at {c.label}") > 0.05
            for c in cells
            for e in ("cv-10", B632)
            if isfinite(c.corr(e).value)
        ),
        *(
            p_value(c, B632, "cv-10", "between the estimates") < 0.05
            for c in cells
            if isfinite(c.corr(B632, "cv-10").value)
        ),
    ]


_SHAKEN = 0.12  # Standard deviation of the sideways shift of points that would cover each other, percent


def draw_regressions(p: LensesParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the samples behind the regressions, with ours and the printed lines."""
    samples = results.published.data["samples"]
    reading = READINGS[p.readings[0]]
    ours = {(r.row, r.column): r.value for r in results.largest[1].rows if r.reading == reading}
    printed = printed_values(published)
    jitter = np.random.default_rng(0)
    panels = {(n, pair): f"N = {n}" if pair == PAIRS[0] else "" for n in sorted(p.many_sizes) for pair in PAIRS}
    points, lines = [], []
    for n, (response, regressor) in panels:
        of_size = matching(samples, n=n)
        of = {"n": n, "pair": [(response, regressor)] * len(of_size)}
        # both sides take few values: points are shaken a little, so that their number shows
        x = of_size[regressor] + jitter.normal(0, _SHAKEN, len(of_size))
        points.append(pd.DataFrame({**of, "x": x, "y": of_size[response]}))
        key = f"{response} on {regressor}/N={n}"
        for whose, line in (("fitted to all samples", ours), ("published", printed)):
            if (key, "slope") in line:
                values = (line[key, "intercept"], line[key, "slope"])
                lines.append(
                    (n, (response, regressor), whose, *values, of_size[regressor].min(), of_size[regressor].max())
                )
    picture = Picture(
        2.5 * len(p.many_sizes) + 0.6,
        panels,
        ("n", "pair"),
        columns=len(PAIRS),
        x={key: f"{NAMES[key[1][1]].symbol} (%)" for key in panels},
        y={key: f"{NAMES[key[1][0]].symbol} (%)" for key in panels},
    )
    scattered = pd.concat(points)
    picture.scatter(scattered, "x", "y", marker=".", color=SKY, markersize=4, alpha=0.6, markeredgewidth=0)
    fitted = pd.DataFrame(lines, columns=["n", "pair", "whose", "intercept", "slope", "x0", "x1"])
    for whose, colour, style, width in (("fitted to all samples", BLUE, "-", 1.8), ("published", BLACK, "--", 1.3)):
        picture.fits(
            *(matching(fitted, whose=whose), "x0", "x1"),
            intercept="intercept",
            slope="slope",
            label=whose,
            printed=whose == "published",
            color=colour,
            linestyle=style,
            linewidth=width,
        )
    return picture.done()


@artifact("martin-hirschberg-table-15-regression", draw=draw_regressions)
def table_15_regression(p: LensesParameters, run: Run) -> ArtifactResult:
    """Table 15, lower half: regressions and correlations of many samples, little noise, percent."""
    readings = blocks_of(run(many_study(p)), p.readings, p.many_samples, p.many_realizations)
    rows: list[Row] = []
    for cell in (cell for t in readings for cell in t.cells("n")):
        for response, regressor in PAIRS:
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
    checks = judge_claims(REGRESSION, cells, reading=t.reading)
    return ArtifactResult(rows, {"samples": pd.concat(samples, ignore_index=True)}, checks)
