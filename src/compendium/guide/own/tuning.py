"""How much of the gain over the most frequent class tuning alone could have bought."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run
from compendium.guide.own.parameters import OwnDataParameters
from compendium.guide.own.results import DASHED, rounded_rows
from compendium.guide.own.study import chosen
from compendium.methods.tuning_bias import TuningBias, tuning_bias
from compendium.plots.picture import Drawing, Line, Picture
from errorest import plots
from errorest.assessment.results import Estimate as OwnEstimate
from errorest.plots import BLACK, BLUE, GREY, VERMILION

_CURVE = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)

# The calculator's scenarios, in words
SCENARIOS = {
    "independent": "best of independent settings",
    "greedy": "greedy optimizer",
    "listed": "bound, settings listed",
    "adaptive": "bound, settings chosen as one goes",
}


@plots.in_style
def draw_tuning(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    curve, gain = made.published.data["curve"], float(made.published.data["gain"]["gain"].iloc[0])
    top = 1.12 * max(gain, float(curve.loc[curve["way"] != "adaptive", "bought"].max()), 1.0)
    looks: dict[str, Line] = {
        "independent": {"color": BLUE},
        "greedy": {"color": VERMILION},
        "listed": {"color": BLUE, **DASHED},
        "adaptive": {"color": GREY, "linestyle": ":"},
    }
    picture = Picture(3.9, x="settings tried on these cases (logarithmic)", y="gained by luck alone (points)")
    shown = curve.assign(bought=np.minimum(curve["bought"], top))
    picture.lines(shown, "settings", "bought", by="way", looks=looks, names=SCENARIOS)
    picture.guide(x=p.settings_tried, linestyle="--")
    if gain > 0:
        picture.guide(y=gain, color=BLACK)
    picture.limits(xscale="log", xlim=(1, float(curve["settings"].max())), ylim=(0, top))
    for axes in picture.axes.values():
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.grid(axis="y")
    return picture.done(columns=2, gain=f"{gain:.1f}")


@artifact("guide-own-tuning", draw=draw_tuning, matrix=True)
def tuning(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Ask how much of the gain over always answering one class tuning alone could have bought.

    The estimate is taken for the rate of errors on as many tested cases as were taken.
    """
    result = chosen(p)
    gain = _baseline_error(result) - min(1.0, max(0.0, result.value))
    answer = _bought(result, p.settings_tried, gain)
    rows = []
    for name, row in SCENARIOS.items():
        one = answer[name]
        rows += rounded_rows(row, {"bought, points": 100 * one.expected_bias})
        if gain > 0:
            rows += rounded_rows(row, {"share of the gain-percent": 100 * min(1.0, one.expected_bias / gain)})
            rows += rounded_rows(row, {"chance of all of it-percent": 100 * one.probability}, digits=2)
    curve = pd.DataFrame(
        {"settings": t, "way": s.name, "bought": 100 * s.expected_bias}
        for t in sorted({*_CURVE, p.settings_tried})
        for s in _bought(result, t, gain).scenarios
    )
    match = [] if gain > 0 else ["The estimate is no better than always answering with one class: there is no gain."]
    return ArtifactResult(rows, {"curve": curve, "gain": pd.DataFrame({"gain": [100 * gain]})}, [], match)


def _baseline_error(result: OwnEstimate) -> float:
    """Return the error rate of always answering with the most frequent class."""
    assert result.baseline.value is not None
    return result.baseline.value


def _bought(result: OwnEstimate, settings: int, gain: float) -> TuningBias:
    """Ask what so many settings gain by luck on the cases of an estimate, and how often a given gain."""
    classes = sum(k > 0 for k in result.class_counts.values())
    hits = round((1 - _baseline_error(result)) * result.n)
    extra = max(1, min(result.n - hits, round(gain * result.n)))
    return tuning_bias(result.n, hits=hits, classes=max(2, classes), trials=settings, extra=extra)
