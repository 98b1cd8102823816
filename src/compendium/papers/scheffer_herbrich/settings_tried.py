"""Beyond the paper: bias of the best of t settings as t grows, with one choice for all folds and one in each fold."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import signed
from compendium.evidence.records import distinct, matching
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.methods.tuning_bias import tuning_bias
from compendium.methods.tuning_bias.distributions import Setting
from compendium.papers.scheffer_herbrich.names import INDUCERS, WAYS
from compendium.papers.scheffer_herbrich.parameters import MeasuredParameters
from compendium.papers.scheffer_herbrich.tuning import (
    ALL,
    GRIDS,
    READING,
    difference_of_biases,
    differences,
    mean_biases,
    pooled,
    subset_sizes,
    tuning_study,
)
from compendium.plots.panels import signed_ticks
from compendium.plots.picture import Drawing, Picture, Series
from errorest.plots import BLACK, COLOURS, GREY

SETTINGS: dict[str, Setting] = {"best-of-grid": "fixed", "per-fold": "per-fold"}


def draw_settings(p: MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias over the number of settings tried, with what independent settings would do."""
    curves = made.published.data["curves"]
    ways, attempted = distinct(curves["way"]), sorted(set(curves["tried"]))
    titles = {way: WAYS[way].heading for way in ways}
    picture = Picture(3.9, titles, "way", letters=True, x="Settings tried, t", y="Bias, points", sharey=True)
    picture.guide(y=0, linewidth=0.9)
    over_all = matching(curves, data="all")
    shade: Series = {"label": "all, measured", "color": BLACK, "marker": "o", "linewidth": 2.2}
    shade |= {"se": "se", "z": 1.96, "band": True}
    picture.lines(over_all, "tried", "bias", **shade)
    picture.lines(over_all, "tried", "independent", label="independent", color=GREY, linestyle=(0, (4, 2)))
    looks = dict(zip((i for i in INDUCERS if i in set(curves["inducer"])), COLOURS, strict=False))
    for data in distinct(curves["data"]):
        own: Series = {"by": "inducer", "looks": looks, "names": INDUCERS, "linewidth": 0.9, "alpha": 0.7}
        picture.lines(matching(curves, data=data), "tried", "bias", **own)
    for axes in picture.axes.values():
        axes.set_xscale("log", base=2)
        axes.set_xticks(attempted, [str(t) for t in attempted])
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(signed_ticks())
    return picture.done(columns=5)


@artifact("scheffer-herbrich-settings", draw=draw_settings)
def settings_tried(p: MeasuredParameters, run: Run) -> ArtifactResult:
    """Measure the bias over the number of settings tried, beside that of independent, equally good settings.

    For each sample the expectation over all subsets of t settings of the grid is exact.  The accuracy of independent
    settings is one minus the mean error on held-out cases, and they start from the measured bias of one setting.
    """
    results = run(tuning_study(p))
    rows, lines, checks, findings = [], [], [], []
    sizes, cases = subset_sizes(max(len(GRIDS[i]()) for i in p.inducers)), p.cases // p.folds * p.folds
    for way, setting in SETTINGS.items():
        by_size = {t: differences(results, way, t) for t in sizes}
        start = pooled(by_size[1]).value
        for t in sizes:
            # independent, equally good settings with the accuracy that is measured on held-out cases
            truth = 1.0 - float(results[f"{way}/held-out/tried=1"].mean())
            answer = tuning_bias(cases, accuracy=truth, classes=2, folds=p.folds, setting=setting, trials=t)
            independent = start - 100 * answer["independent"].expected_bias
            biases = mean_biases(by_size[t])
            for (data, inducer), m in biases.items():
                line = {"way": way, "tried": t, "data": data, "inducer": inducer, "bias": m.value, "se": m.se}
                lines.append({**line, "independent": independent if data == "all" else np.nan})
            rows.append(Row.of(READING, f"tried={t}", f"{way}/bias-percent", biases[ALL]))
        grows = difference_of_biases(by_size[t], by_size[1]).named(f"from 1 to {t} settings it moves by") < 0
        checks.append(judge_claim("scheffer-herbrich-settings", "grows", grows, WAYS[way].sentence))
        findings.append(
            f"{WAYS[way].heading}: {t} real settings move the bias to {signed(biases[ALL].value)} points, where as "
            f"many independent and equally good ones would move it to {signed(independent)}."
        )
    return ArtifactResult(rows, {"curves": pd.DataFrame(lines)}, checks, findings)
