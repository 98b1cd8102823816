"""Beyond the paper: what trials on one test set buy, calculated; every number is exact.

``unstated:calculator`` is the reading of the accuracies and budgets that were picked as examples.
"""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import counted, judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.records import distinct, each, parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.methods.tuning_bias import needed_test_size, tuning_bias
from compendium.methods.tuning_bias.distributions import gain_map
from compendium.methods.tuning_bias.sizing import OutOfReachError, Scene
from compendium.papers.scheffer_herbrich.names import SCENARIOS
from compendium.papers.scheffer_herbrich.parameters import CalculatorParameters
from compendium.plots.picture import Drawing, Line, Picture
from errorest.counting import repeat_each
from errorest.plots import BLUE, GREY, VERMILION

_READING = "unstated:calculator"
_LOOKS: dict[str, Line] = {
    "greedy": {"color": VERMILION, "linestyle": "-"},
    "independent": {"color": BLUE, "linestyle": "-"},
    "listed": {"color": BLUE, "linestyle": (0, (4, 2))},
    "adaptive": {"color": GREY, "linestyle": (0, (1, 1.5))},
}


def _draw_curves(table: pd.DataFrame, by: str, titles: dict[float, str], value: str, height: float, y: str) -> Picture:
    """Draw a value over the trials, a panel a value of ``by``, a line a scenario."""
    picture = Picture(height, titles, by, columns=len(titles), x="Trials, t", y=y, sharey=True)
    headings = {scene: SCENARIOS[scene].heading for scene in _LOOKS}
    picture.lines(table, "trials", value, by="scenario", looks=_LOOKS, names=headings)
    picture.limits(xscale="log")
    return picture


def draw_biases(p: CalculatorParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the expected bias over the trials, a panel a test size."""
    table = made.published.data["biases"]
    titles = {m: f"m = {m}" for m in distinct(table["m"])}
    return _draw_curves(table, "m", titles, "bias", 3.7, "Expected bias, points").done(columns=2)


@artifact("scheffer-herbrich-calculator", draw=draw_biases)
def biases(p: CalculatorParameters, run: Run | None = None) -> ArtifactResult:
    """Calculate the expected bias of trying t settings on one test set, under every way of seeing it."""
    bias: dict[tuple[int, int, str], float] = {}
    for m in p.sizes:
        for t in p.trials:
            answer = tuning_bias(m, accuracy=p.accuracy, classes=p.classes, trials=t)
            bias |= {(m, t, scene): round(100 * answer[scene].expected_bias, 9) for scene in get_args(Scene)}
    few, many = min((t for t in p.trials if t > 1), default=p.trials[-1]), max(p.trials)
    more = [m for m in dict.fromkeys(p.sizes) if bias[m, few, "independent"] > bias[m, few, "greedy"]]
    greater = exact(len(more), f"test sizes, of {len(p.sizes)}, at which the best of them gains more on average")
    check = judge_claim("scheffer-herbrich-calculator", "worst-case", greater.equals(0), trials=few)
    findings = [
        f"At m = {m} cases and an accuracy of {p.accuracy:g}, {many} trials look {bias[m, many, 'independent']:.2f} "
        f"points too good if the settings are equally good and independent, and {bias[m, many, 'greedy']:.2f} by the "
        "greedy worst case."
        for m in (min(p.sizes), max(p.sizes))
    ]
    rows = [Row.exact(_READING, f"m={m}/t={t}", f"{name}/bias-percent", value) for (m, t, name), value in bias.items()]
    table = pd.DataFrame([(*key, value) for key, value in bias.items()], columns=["m", "trials", "scenario", "bias"])
    return ArtifactResult(rows, {"biases": table}, [check], findings)


def draw_map(p: CalculatorParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the probability of a gain over test-set size and labels revealed."""
    table = made.published.data["map"]
    picture = Picture(4.4, x="Test cases, m", y="Labels revealed, c")
    picture.limits(facecolor="#E3E3E3")
    percent = table.assign(percent=100 * table["probability"])
    bar = "Probability of the gain, %"
    picture.heat_map(percent, "m", "c", "percent", bar=bar, levels=[5, 50, 95], vmin=0, vmax=100, rasterized=True)
    return picture.done(gain=counted(100 * p.map_gain, "point"))


@artifact("scheffer-herbrich-map", draw=draw_map)
def heat_map(p: CalculatorParameters, run: Run | None = None) -> ArtifactResult:
    """Calculate the probability that c revealed labels gain the map's accuracy on m test cases, equation (4)."""
    m = np.unique(np.linspace(50, 3000, p.map_steps).round().astype(int))
    c = np.unique(np.linspace(1, 300, p.map_steps).round().astype(int))
    chance = gain_map(m, c, accuracy=p.accuracy, gain=p.map_gain)
    table = pd.DataFrame({"m": repeat_each(m, c.size), "c": np.tile(c, m.size), "probability": chance.ravel()})
    gain = counted(100 * p.map_gain, "point")
    text = f"Up to {c.max()} labels never gain {gain} every other time."
    for size, line in reversed(parts(table, "m").items()):
        if line["probability"].iloc[-1] >= 0.5:
            fewest = line.loc[line["probability"] >= 0.5, "c"].iloc[0]
            text = (
                f"The greedy optimizer needs labels in proportion to the test set: {fewest} of {size} to gain "
                f"{gain} every other time at an accuracy of {p.accuracy:g}, one in {size / fewest:.0f}."
            )
            break
    return ArtifactResult(data={"map": table}, findings=[text])


def draw_sizes(p: CalculatorParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the test size that is needed over the trials, a panel a gain."""
    table = made.published.data["sizes"]
    titles = {gain: f"Gain {100 * gain:g} %" for gain in distinct(table["gain"])}
    picture = _draw_curves(table, "gain", titles, "size", 3.8, "Test cases needed")
    picture.limits(yscale="log")
    return picture.done(columns=2)


@artifact("scheffer-herbrich-test-sizes", draw=draw_sizes)
def sizes_needed(p: CalculatorParameters, run: Run | None = None) -> ArtifactResult:
    """Calculate the test size from which on t trials do not buy a gain with more than the accepted risk."""
    lines = []
    for gain in p.gains:
        for t in p.trials:
            for name in get_args(Scene):
                try:
                    size = needed_test_size(t, gain, p.risk, accuracy=p.accuracy, scenario=name, classes=p.classes)
                except OutOfReachError:
                    continue
                lines.append({"gain": gain, "trials": t, "scenario": name, "size": size})
    table = pd.DataFrame(lines)
    rows = [Row.exact(_READING, f"gain={100 * r.gain:g}%/t={r.trials}", r.scenario, r.size) for r in each(table)]
    gain, t = min(p.gains), max(p.trials)
    hardest = each(table[(table["gain"] == gain) & (table["trials"] == t)])
    text = ", ".join(f"{SCENARIOS[r.scenario].sentence} {r.size}" for r in hardest)
    requested = f"{t} trials do not buy {counted(100 * gain, 'point')} with more than {100 * p.risk:g} %"
    finding = f"Test cases needed so that {requested}, at an accuracy of {p.accuracy:g}: {text}."
    return ArtifactResult(rows, {"sizes": table}, findings=[finding])
