"""How often intervals that ask for 95 % contain the true error of the classifier at hand."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run, rows_of
from compendium.guide.cross.cases import READING, Cases, average, cases_of
from compendium.guide.cross.settings import INTERVALS, CrossParameters
from compendium.guide.names import LEARNERS, PAIRED_INTERVALS
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLUE, VERMILION

COVERAGE = Claims("guide-cross-coverage")


@COVERAGE.claim
def nominal(cases: Cases, interval: str) -> list[Condition]:
    learners = dict.fromkeys(c.learner for c in cases)
    means = {k: average([c.coverage(interval) for c in cases if c.learner == k]) for k in learners}
    # a mean coverage may miss the nominal one by two points
    return [mean.named(LEARNERS[k].plural, "%", 1, "").within(93.0, 97.0) for k, mean in means.items()]


@plots.in_style
def draw_coverages(p: CrossParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.published.data["coverages"]
    x, y = "cases, N (logarithmic)", "coverage (%)"
    picture = Picture(5.6, PAIRED_INTERVALS, "interval", x=x, y=y, sharex=True, sharey=True)
    picture.guide(y=95, linestyle="--")
    looks = {
        "other learners": {"color": BLUE, "marker": "o", "alpha": 0.6, "markersize": 3.5},
        "memorizers": {"color": VERMILION, "marker": "s", "alpha": 0.6, "markersize": 3.5},
    }
    picture.scatter(table, "n", "coverage", se="se", z=1, by="kind", looks=looks)
    sizes = sorted(set(table["n"]))
    for axes in picture.axes.values():
        plots.log_axis(axes, [n for n in (10, 20, 50, 100, 200, 500, 1000) if sizes[0] <= n <= sizes[-1]] or sizes)
    return picture.done()


@artifact("guide-cross-coverage", draw=draw_coverages, matrix=True)
def coverages(p: CrossParameters, run: Run) -> ArtifactResult:
    cases = cases_of(p, run)
    rows, lines = [], []
    for c in cases:
        for name in INTERVALS:
            covered, width = c.coverage(name), c.width(name)
            rows += rows_of(READING, c.key, [(f"{name}/coverage-percent", covered), (f"{name}/width-percent", width)])
            kind = "memorizers" if c.learner == "memorizer" else "other learners"
            lines.append((c.key, kind, c.setting.n, name, covered.value, covered.se, width.value))
    columns = ["case", "kind", "n", "interval", "coverage", "se", "width"]
    checks = [
        check for name in INTERVALS for check in judge_claims(COVERAGE, cases, name, title=PAIRED_INTERVALS[name])
    ]
    return ArtifactResult(rows, {"coverages": pd.DataFrame(lines, columns=columns)}, checks)
