"""What sections 2.4, 3.1 and 4.1 share: an example's rows, its chances over c, and the greedy optimizer run on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator
from scipy.stats import binomtest

from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import Estimate, exact
from compendium.evidence.records import distinct, each, printed_values
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, Row
from compendium.papers.scheffer_herbrich.examples import Example
from compendium.papers.scheffer_herbrich.greedy import simulate_greedy
from compendium.papers.scheffer_herbrich.names import EXAMPLES
from compendium.papers.scheffer_herbrich.parameters import CalculationParameters
from compendium.plots.palette import PUBLISHED
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import COLOURS, GREY
from errorest.streams import Streams

STATLOG_RATES, UNEVEN = "unstated:statlog-rates", "unstated:uneven-folds"

FALSE_ALARM = 0.001  # A simulated share may miss its interval this rarely though the equation holds

Label = TypeVar("Label", int, str)

_HITS = {"fitted:15-hits": ", 15 hits"}  # What a reading adds to the name of an example


def rows(row: str, values: Mapping[str, float], reading: str = "literal") -> list[Row]:
    """Make rows of exact values by column."""
    return [Row.exact(reading, row, column, value) for column, value in values.items()]


def example_rows(e: Example) -> list[Row]:
    """Make rows of an example's least c, its chance in percent, trials and bits."""
    chances = rows(e.row, {"c": e.least_labels(), "probability-percent": 100 * e.chance()}, e.reading)
    return chances + rows(e.row, {"trials": e.trials, "bits": e.bits})


def percent_by_labels(e: Example, revealed: Iterable[int]) -> dict[int, float]:
    """Return the chance of the rank by number of revealed labels, percent."""
    return {c: 100 * e.chance(c) for c in revealed}


def steps(values: Mapping[Label, float], unit: str = "points") -> list[Estimate]:
    """Return the differences of successive values."""
    return [exact(values[b] - values[a], f"{a} to {b}", unit, -3, "+") for a, b in pairwise(values)]


def section_result(
    p: CalculationParameters, examples: Sequence[Example], rows: list[Row], checks: list[Check]
) -> ArtifactResult:
    """Return rows and checks with the examples' chances over c, and what the greedy optimizer achieves on each."""
    greedy = pd.DataFrame([_simulated(p, e) for e in examples])
    chances = [
        {"example": e.row, "reading": e.reading, "c": c, "probability": e.chance(c)}
        for e in examples
        for c in range(min(e.m, 2 * e.labels) + 1)
    ]
    inside = int(((greedy["low"] <= greedy["equation"]) & (greedy["equation"] <= greedy["high"])).sum())
    all_inside = exact(inside, f"chances in the interval, of {len(greedy)}").equals(len(greedy))
    check = judge_claim("scheffer-herbrich-one-shot", "greedy", all_inside, experiments=p.experiments)
    return ArtifactResult(rows, {"greedy": greedy, "chances": pd.DataFrame(chances)}, [check, *checks])


def _simulated(p: CalculationParameters, e: Example) -> dict[str, object]:
    """Run section 2.2's greedy optimizer, which sees hit counts alone, on an example."""
    shares = [e.default_share, 1 - e.default_share] if e.classes == 2 else None
    rng = Streams(p.seed).generator("greedy", e.setting, e.row, e.reading)
    runs = simulate_greedy(
        *(e.m, e.hits, e.labels, rng),
        setting=e.setting,
        folds=e.folds,
        classes=e.classes,
        shares=shares,
        repeats=p.experiments,
    )
    succeeded = int(np.count_nonzero(runs.gained >= e.extra))
    interval = binomtest(succeeded, p.experiments).proportion_ci(1 - FALSE_ALARM, method="exact")
    return {
        "example": e.row,
        "reading": e.reading,
        "told": e.labels,
        "equation": e.chance(),
        "simulated": succeeded / p.experiments,
        "low": interval.low,
        "high": interval.high,
        "false alarm": FALSE_ALARM,
        "trials": runs.trials,
        "mean gain, equation": e.gain().mean(),
        "mean gain, simulated": float(runs.gained.mean()),
    }


@plots.in_style
def draw_chances(p: CalculationParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the chance of gaining the rank over the labels revealed, with the greedy optimizer's own successes."""
    one = made.published
    printed = {row: v for (row, column), v in printed_values(published).items() if column == "probability-percent"}
    chances, greedy = (
        table.assign(
            name=[EXAMPLES[e] + _HITS.get(r, "") for e, r in zip(table["example"], table["reading"], strict=True)]
        )
        for table in (one.data["chances"], one.data["greedy"])
    )
    # an example that only changes c lies on the curve of the one before
    first = chances[["example", "name"]].drop_duplicates("name")
    curves = chances.merge(first).assign(percent=lambda table: 100 * table["probability"])
    picture = Picture(3.9, x="Labels revealed, c", y="Chance of the rank, %")
    looks = dict(zip(distinct(curves["name"]), COLOURS, strict=False))
    picture.lines(curves, "c", "percent", by="name", looks=looks)
    axes = picture.axes[()]
    dot: Any = {"marker": "o", "markersize": 4, "linestyle": "none"}
    for run in each(greedy):
        middle, reach = 100 * run.simulated, [[100 * (run.simulated - run.low)], [100 * (run.high - run.simulated)]]
        axes.errorbar([run.told], [middle], yerr=reach, color=looks[run.name], capsize=4, zorder=5, **dot)
        if run.example in printed:
            axes.plot([run.told], [printed[run.example]], **PUBLISHED)
    axes.set(ylim=(-3, 106), xlim=(0, None))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y")
    legend: dict[str, object] = {"greedy optimizer, run": {"color": GREY, **dot}}
    covered = "all" if one.checks[0].outcome == "holds" else "not all"
    facts = {"confidence": 1 - greedy["false alarm"].iloc[0], "held": covered}
    return picture.done(legend=legend | ({"printed": PUBLISHED} if printed else {}), **facts)
