"""Root mean squared error of every estimator in every case."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.colors import LinearSegmentedColormap, LogNorm

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Conditions, Estimate, every
from compendium.evidence.records import each
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.cross.cases import (
    READING,
    SHORT_NAMES,
    Case,
    Cases,
    by_paper,
    cases_of,
    complete,
    least_of,
    long_table,
    matrix_rows,
    mean_ratio,
)
from compendium.guide.cross.settings import CONTENDERS, ESTIMATORS, REFERENCE, CrossParameters
from compendium.guide.names import FAMILIES, PAPERS, symbol, unbroken
from compendium.plots.dark import keep_colours
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, FONT_SIZE

# Estimators that each paper favours
FAVOURED: Mapping[str, tuple[str, ...]] = {
    "martin-hirschberg": ("bootstrap-632", "loo-star"),
    "shakhnarovich": ("cloned-632-plus", "cloned-bscv-5"),
    "kohavi": (REFERENCE,),
}

SMALLEST = Claims("guide-cross-rmse")


@SMALLEST.claim
def smallest(cases: Cases, estimator: str) -> list[Conditions]:
    by = by_paper(c for c in cases if c.has(estimator))
    return [every(PAPERS[paper].title, [_lead(c, estimator) > 0 for c in own]) for paper, own in by.items()]


def _lead(case: Case, estimator: str) -> Estimate:
    """Mean squared error of the best other estimator, unless it is the same by definition, minus this one's."""
    others = [e for e in CONTENDERS if e != estimator and not case.same(e, estimator)]
    return case.excess(least_of(case, others), estimator)


# pale at both ends, so that black numbers stay readable
_COLOURS = LinearSegmentedColormap.from_list("ratio", ["#4095C6", "#FFFFFF", "#ECB740"])


@plots.in_style
def draw_errors(p: CrossParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.published.data["ratios"]
    kinds = [k for k in (*(f.title for f in FAMILIES.values()), "all") if k in set(table["kind"])]
    levels = {k: k.replace(" ", "\n") for k in kinds}
    picture = Picture(4.6, x="kind of setting", x_levels=levels, y_levels=SHORT_NAMES)
    picture.heat_map(table, "kind", "estimator", "ratio", cmap=_COLOURS, norm=LogNorm(0.5, 2.0), written=True)
    (axes,) = picture.axes.values()
    for r in each(table):
        place = (kinds.index(r.kind), CONTENDERS.index(r.estimator))
        keep_colours(axes.text(*place, f"{r.ratio:.2f}", ha="center", va="center", fontsize=FONT_SIZE - 1, color=BLACK))
    axes.tick_params(length=0)
    axes.set_xlim(-0.5, len(kinds) - 0.5)
    return picture.done("The ratio stands in every cell.", most=f"{table['se'].max():.2f}")


@artifact("guide-cross-rmse", draw=draw_errors, matrix=True)
def errors(p: CrossParameters, run: Run) -> ArtifactResult:
    cases = cases_of(p, run)
    kinds = {f.title: [c for c in cases if c.setting.family == key] for key, f in FAMILIES.items()}
    ratios = {
        (kind, e): mean_ratio([c for c in own if c.has(e)], e)
        for kind, own in {**kinds, "all": complete(cases)}.items()
        for e in CONTENDERS
    }
    rows = [
        Row.of(READING, unbroken(f"ratio to stratified 10-CV/{kind}"), e, m) for (kind, e), m in ratios.items() if m.n
    ]
    table = [
        {"kind": kind, "estimator": e, "ratio": m.value, "se": m.se, "cases": m.n}
        for (kind, e), m in ratios.items()
        if m.n
    ]
    checks = [
        check
        for paper, favoured in FAVOURED.items()
        for e in favoured
        for check in judge_claims(SMALLEST, cases, e, symbol=symbol(e), paper=PAPERS[paper])
    ]
    data = {"cases": long_table(cases, _measures, ESTIMATORS), "ratios": pd.DataFrame(table)}
    return ArtifactResult(matrix_rows(cases, Case.rms, ESTIMATORS) + rows, data, checks)


def _measures(case: Case, estimator: str) -> dict[str, float]:
    rms = case.rms(estimator)
    # z of the squared errors minus those of stratified ten-fold CV: negative where the estimator errs less
    z = case.versus(estimator, REFERENCE)
    return {"error": rms.value, "error se": rms.se, "z": z, "fits": case.fits(estimator)}
