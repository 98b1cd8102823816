"""The field guide: the page's estimators on one measured example."""

from __future__ import annotations

from math import nan

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.methods.estimators import parse_estimator
from compendium.papers.lis.study import NAMES, READING, FieldGuideParameters, estimator_ids, trials_of
from compendium.plots.panels import signed_ticks
from compendium.plots.picture import Drawing, Picture
from compendium.studies.populations import TwoNormals
from errorest import plots
from errorest.plots import BLUE, FONT_SIZE
from errorest.streams import Streams

ESTIMATORS = NAMES["estimators"]


@plots.in_style
def draw_field_guide(p: FieldGuideParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw each estimator's bias and spread on the example, and what it trains and tests on."""
    guide = results.published.data["guide"]
    lines = guide.drop_duplicates("estimator").set_index("estimator")
    picture = Picture(
        5.6,
        {inducer: NAMES["inducers"][inducer] for inducer in guide["inducer"].unique()},
        "inducer",
        letters=True,
        x="bias (points)",
        y_levels=list(lines.index),
        sharey=True,
        sharex=True,
    )
    picture.guide(x=0, linewidth=0.9)
    of = (guide, "bias", "estimator")
    picture.scatter(*of, x_se="sd", z=1.0, color=BLUE, marker="none", elinewidth=1.2, alpha=0.6)
    picture.scatter(*of, x_se="bias se", z=1.96, color=BLUE, markersize=5, elinewidth=3.2)
    for axes in picture.axes.values():
        axes.xaxis.set_major_formatter(signed_ticks())
        axes.grid(axis="x")
    first = next(iter(picture.axes.values()))
    first.annotate(
        "scheme\ntrains on | tests on | fits",
        (0, 1),
        xytext=(-8, 4),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=FONT_SIZE - 1,
        fontweight="bold",
    )
    first.set_yticks(range(len(lines)), [_entry(*line) for line in lines[COUNTS].itertuples()], linespacing=1.25)
    return picture.done()


COUNTS = ["trains on", "tests on", "fits"]


def _entry(name: str, trains: float, tests: float, fits: int) -> str:
    numbers = [f"{value:.1f}".removesuffix(".0") for value in (trains, tests)]
    return f"{name}\n{numbers[0]} | {numbers[1]} | {fits} {'fit' if fits == 1 else 'fits'}"


@artifact("lis-field-guide", draw=draw_field_guide)
def field_guide(p: FieldGuideParameters, run: Run) -> ArtifactResult:
    """What each estimator trains on, tests on, costs, and how biased and variable it is, on one example.

    The example is the cell of the middle size and the middle inherent error.
    """
    n, error = sorted(p.sizes)[len(p.sizes) // 2], sorted(p.inherent_errors)[len(p.inherent_errors) // 2]
    cells = {name: t.at(n=n, inherent_error=error) for name, t in trials_of(p, run).items()}
    sample = TwoNormals.of_inherent_error(error).sample(n, Streams(p.seed).generator("guide"))
    lines: dict[str, list[dict[str, object]]] = {name: [] for name in cells}
    rows = []
    for key, text in estimator_ids(p).items():
        scheme = parse_estimator(text).schemes[-1]
        sampled = scheme.resamples(n, Streams(p.seed).generator("guide", scheme.id), sample.y)
        trained, tested = (sampled.training_counts() > 0).sum(axis=1), np.diff(sampled.start)
        counted = dict(zip(COUNTS, (float(trained.mean()), float(tested.mean()), sampled.n_rows), strict=True))
        for quantity, value in counted.items():
            # a mean over bootstrap samples is no integer, and its scatter is of no interest here
            se = 0.0 if float(value).is_integer() else nan
            rows.append(Row(READING, quantity.replace(" ", "-"), key, float(value), se, 1))
        for name, t in cells.items():
            measured = {"bias": t.bias(key), "sd": t.sd(key), "rms": t.rms(key)}
            for quantity, e in zip(("bias-percent", "std-percent", "rms-percent"), measured.values(), strict=True):
                rows.append(Row.of(READING, f"{name}/{quantity}", key, e))
            values = {k: v for name, e in measured.items() for k, v in ((name, e.value), (f"{name} se", e.se))}
            lines[name].append({"inducer": name, "estimator": ESTIMATORS[key], **counted, **values})
    return ArtifactResult(rows, {"guide": pd.DataFrame([line for of_one in lines.values() for line in of_one])})
