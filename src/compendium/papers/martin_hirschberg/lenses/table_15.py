"""Table 15, upper half: correlations of estimates with the true error and with 10-CV."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every
from compendium.evidence.monte_carlo import average
from compendium.evidence.records import matching, printed_values
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.martin_hirschberg.estimators import NAMES
from compendium.papers.martin_hirschberg.lenses.blocks import Blocks, noise_key, noise_label, noisy
from compendium.papers.martin_hirschberg.lenses.study import SMOOTH, WEAK, LensesParameters
from compendium.plots.palette import PUBLISHED
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLUE, GREEN, VERMILION

# Column of Table 15 to what is correlated, and with which estimates
PARTNERS = {"correlation-with-ter": ("true-error", ("cv-10", *SMOOTH)), "correlation-with-cv-10": ("cv-10", SMOOTH)}


def mean_r(cells: Iterable[Blocks], estimator: str, other: str = "true-error") -> Estimate:
    """Mean of a correlation over the cells in which both sides vary."""
    results = [cell.corr(estimator, other) for cell in cells]
    return average(e for e in results if isfinite(e.value))


TABLE_15 = Claims("martin-hirschberg-table-15")


@TABLE_15.claim
def weak(t: Blocks) -> Conditions:
    return every(
        "mean correlation over the sizes",
        [
            abs(mean_r(t.at(noise=q).cells("n"), e).named(f"{NAMES[e].markdown}, {noise_key(q)}")) <= WEAK
            for q in t.levels("noise")
            for e in ("cv-10", *SMOOTH)
        ],
    )


@TABLE_15.claim
def negative(t: Blocks) -> list[Condition]:
    return [
        mean_r([t.at(noise=t.levels("noise")[0], n=n) for n in t.levels("n")[:2]], e).named(NAMES[e].markdown) < 0
        for e in ("cv-10", *SMOOTH)
    ]


@TABLE_15.claim
def with_one_another(t: Blocks) -> Conditions:
    return every(
        "correlation with 10-CV over all samples of a cell",
        [
            e > WEAK
            for cell in t.cells("noise", "n")
            for e in (cell.corr(s, "cv-10").named(cell.label) for s in SMOOTH)
            if isfinite(e.value)
        ],
    )


def draw_table_15(p: LensesParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the correlations with the true error over all samples, and the printed ones of six."""
    column = "correlation-with-ter"
    pooled = matching(results.largest[1].data["pooled"], reading=p.noise_readings[0], column=column)
    print_ = printed_values(matching(published, column=column))
    looks = {
        "cv-10": {"color": BLUE, "marker": "o"},
        "bootstrap-632": {"color": VERMILION, "marker": "s"},
        "loo-star": {"color": GREEN, "marker": "^"},
    }
    keys = [(q, n, e) for q in sorted(p.noise_levels) for n in sorted(p.noise_sizes) for e in looks]
    theirs = [(*key, print_.get((f"{key[2]}/{noise_key(key[0])}/N={key[1]}", column))) for key in keys]
    printed = pd.DataFrame(theirs, columns=["noise", "n", "estimator", "value"]).dropna()
    picture = Picture(
        1.7 * len(p.noise_levels) + 0.9,
        {q: noise_label(q) for q in sorted(p.noise_levels)},
        "noise",
        columns=1,
        x="sample size N",
        y="correlation with true error",
        x_levels=sorted(p.noise_sizes),
        sharex=True,
        sharey=True,
    )
    picture.guide(y=0)
    symbols, unnamed = {e: NAMES[e].symbol for e in looks}, dict.fromkeys(looks, "")
    of = (pooled, "n", "value")
    picture.scatter(*of, se="se", z=1.96, by="estimator", dodge=0.16, looks=looks, names=symbols, elinewidth=1.1)
    of = (printed, "n", "value")
    picture.scatter(*of, printed=True, by="estimator", dodge=0.16, looks=looks, names=unnamed, markersize=6.5, zorder=1)
    picture.limits(ylim=(-1.05, 1.05))
    return picture.done(columns=4, legend={"hollow: published": {**PUBLISHED, "marker": "o"}} if len(printed) else {})


@artifact("martin-hirschberg-table-15", draw=draw_table_15)
def table_15(p: LensesParameters, run: Run) -> ArtifactResult:
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
    checks = judge_claims(TABLE_15, t, reading=t.reading) if p.noise_realizations > 1 else []
    return ArtifactResult(rows, {"pooled": pd.DataFrame(pooled)}, checks)
