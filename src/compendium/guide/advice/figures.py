"""Figures of the guide: what to use when, and what tuning alone seems to gain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.claims import counted
from compendium.evidence.records import each
from compendium.evidence.results import ResultsByScale
from compendium.guide.advice.experiment import AdviceParameters, bands_of
from compendium.guide.names import ESTIMATORS, LEARNERS
from compendium.plots.dark import keep_colours
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, COLOURS, FONT_SIZE, GREY, PURPLE


@plots.in_style
def draw_advice(p: AdviceParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the advice as a grid: kind of learner down, sample size across, the estimator to use in each field."""
    table = made.published.data["advice"]
    if "error" not in table:
        table = table.assign(error=np.nan)
    bands = {b.title: b.title.removesuffix(" cases") for b in bands_of(p) if b.title in set(table["band"])}
    learners = {k: v.title.replace(" (", "\n(") for k, v in LEARNERS.items() if k in set(table["learner"])}
    picture = Picture(0.9 + 0.85 * len(learners), x="cases in the sample", x_levels=bands, y_levels=learners)
    picture.heat_map(table, "band", "learner", "error", cmap="Oranges", vmin=0, vmax=40, written=True)
    (axes,) = picture.axes.values()
    centred: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": FONT_SIZE - 1}
    advised = 0
    for r in each(table):
        x, y = list(bands).index(r.band), list(learners).index(r.learner)
        problems = counted(r.problems, "problem")
        if not r.use:
            axes.text(x, y, f"no advice:\n{problems}", color=GREY, **centred)
            continue
        advised += 1
        text = f"{r.fits:g} fits\n{r.error:.1f} points off\n{problems}"
        keep_colours(axes.text(x, y - 0.33, ESTIMATORS[r.use].short, weight="bold", color=BLACK, **centred))
        keep_colours(axes.text(x, y + 0.12, text, linespacing=1.15, color=BLACK, **centred))
    axes.set_xlim(-0.5, len(bands) - 0.5)
    axes.tick_params(length=0)
    percent, bias = f"{100 * p.tolerance:g}", f"{100 * p.most_bias:g}"
    return picture.done(f"An estimator stands in {advised} fields.", percent=percent, bias=bias)


@plots.in_style
def draw_price(p: AdviceParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw what tuning alone seems to gain against the number of settings, a line a test size."""
    table = made.published.data["price"]
    looks = dict(zip(dict.fromkeys(table["m"]), (*COLOURS[:3], PURPLE, GREY, BLACK) * 9, strict=False))
    picture = Picture(3.8, x="settings tried (logarithmic)", y="gain by luck alone (points)")
    picture.lines(table, "trials", "bias", by="m", looks=looks, names="{:,} cases".format, ends=True, marker="o")
    (axes,) = picture.axes.values()
    plots.log_axis(axes, sorted(set(table["trials"])), "{:,}")
    axes.set_ylim(0, None)
    axes.grid(axis="y")
    return picture.done()
