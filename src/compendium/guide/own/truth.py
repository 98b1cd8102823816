"""The error on the cases held back, which is usually unknown, and that of other classifiers of as many cases."""

from __future__ import annotations

from math import isnan, sqrt

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, Row, Run
from compendium.guide.own.parameters import OwnDataParameters, sets
from compendium.guide.own.results import DASHED, draw_intervals, limits_of
from compendium.guide.own.study import chosen, on_the_rest, procedure_study
from compendium.plots.picture import Drawing, Line, Picture
from errorest import plots
from errorest.plots import BLUE, GREEN, SKY, VERMILION


@plots.in_style
def draw_test_cases(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    truth, errors = made.published.data["truth"], made.published.data["draws"]["error"].to_numpy(dtype=float)
    picture = Picture(3.2, x="error rate (%)", y="classifiers" if errors.size else "")
    level, legend = 0.0, {}
    if errors.size:
        counts, edges = np.histogram(errors, bins=min(30, max(5, int(np.sqrt(errors.size) * 2))))
        level = -0.1 * float(counts.max())
        bins = pd.DataFrame({"left": edges[:-1], "right": edges[1:], "count": counts, "of": "such classifiers"})
        picture.histogram(bins, "left", "right", "count", by="of", looks={"such classifiers": SKY})
        looks: dict[str, tuple[str, Line]] = {
            "classifier": ("this classifier", {"color": VERMILION}),
            "procedure": ("mean of such classifiers", {"color": GREEN, **DASHED}),
        }
        for name, (words, look) in looks.items():
            line: Line = {"linewidth": 1.5}
            line |= look
            picture.guide(x=truth[name].iloc[0], **line)
            legend[words] = look
    one = truth.assign(place=level)
    draw_intervals(picture, one, "place", {level: BLUE})
    picture.scatter(one, "estimate", "place", color=BLUE, markersize=8, label="estimate and interval")
    if not errors.size:
        picture.limits(yticks=[])
    return picture.done(legend=legend, confidence_percent=f"{100 * p.confidence:g}")


@artifact("guide-own-truth", draw=draw_test_cases, matrix=True)
def errors_on_the_rest(p: OwnDataParameters, run: Run) -> ArtifactResult:
    _, taken = sets(p)
    result = chosen(p)
    low, high = limits_of(result)
    truth = {"estimate": 100 * result.value, "low": 100 * low, "high": 100 * high}
    if not taken.rest.size:
        data = {"truth": pd.DataFrame([truth]), "draws": pd.DataFrame({"error": []})}
        return ArtifactResult(
            [], data, [], ["No case was held back: with fewer `cases` than the file has, this shows it."]
        )
    wrong, tested = on_the_rest(p, p.inducer)
    made = run(procedure_study(p))
    errors = 100 * (made["errors"] / made["tested"]).to_numpy()
    mean, spread = monte_carlo.mean(errors), monte_carlo.standard_deviation(errors)
    rate = wrong / tested
    measured = {
        "this classifier": Estimate(100 * rate, 100 * sqrt(rate * (1 - rate) / tested), tested),
        "mean of such classifiers": mean,
        "standard deviation of such classifiers": spread,
    }
    truths = {
        "this-classifier": ("the error of this classifier on the cases held back", 100 * rate),
        "such-classifiers": ("the mean error of such classifiers", mean.value),
    }
    checks = [
        Check(
            f"The interval contains {what}.",
            f"{100 * low:.1f} to {100 * high:.1f} %; {value:.1f} %",
            "holds" if 100 * low <= value <= 100 * high else "fails",
            name=name,
        )
        for name, (what, value) in truths.items()
        if not isnan(low)
    ]
    truth |= {"classifier": 100 * rate, "procedure": mean.value}
    return ArtifactResult(
        [Row.of("literal", row, "error-percent", m) for row, m in measured.items()],
        {"truth": pd.DataFrame([truth]), "draws": pd.DataFrame({"error": errors})},
        checks,
    )
