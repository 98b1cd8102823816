"""Section 4's learning curves, from which the paper chose its sample sizes: accuracy by training cases, percent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Estimate
from compendium.evidence.records import distinct, matching
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.kohavi.data import RAND
from compendium.papers.kohavi.inducers import column_and_reading, title_of
from compendium.papers.kohavi.parameters import LearningParameters, TruthParameters
from compendium.papers.kohavi.table_1 import accuracies_of, printed_accuracies
from compendium.plots.picture import Drawing, Picture
from errorest.plots import COLOURS, GREY

Curve = dict[int, Estimate]  # Accuracy by number of training cases, ascending


def curves_of(p: LearningParameters, inducers: Sequence[str], run: Run) -> dict[tuple[str, str], Curve]:
    """Return the learning curves, by data set and inducer."""
    wanted = [(one, n, p.learning_holdouts) for one in p.sets() for n in p.sizes_of(one)]
    curves: dict[tuple[str, str], Curve] = {(one.name, i): {} for i in inducers for one in p.sets()}
    for (one, n, inducer), accuracy in accuracies_of(p, wanted, inducers, run).items():
        curves[one.name, inducer][n] = accuracy
    return curves


def frame_of(curves: Mapping[tuple[str, str], Curve]) -> pd.DataFrame:
    """Put learning curves into a frame for their figure."""
    return pd.DataFrame(
        [
            {"set": name, "inducer": inducer, "n": n, "accuracy": e.value, "se": e.se, "holdouts": e.n}
            for (name, inducer), curve in curves.items()
            for n, e in curve.items()
        ]
    )


CURVES = Claims("kohavi-learning-curves")


@CURVES.claim
def rising(curves: Mapping[str, Curve], sizes: Mapping[str, int]) -> list[Condition]:
    """Ask for a higher accuracy at the end of each curve than at the size at which the data set is studied."""
    ends = {name: list(curve.items())[-1] for name, curve in curves.items()}
    # rand was added to the data sets whose sizes were chosen
    rises = [
        (accuracy - curves[name][sizes[name]]).named(name, "points", 1) > 0
        for name, (n, accuracy) in ends.items()
        if name != RAND and n > sizes[name]
    ]
    if not rises:
        raise NotRun("no curve goes beyond the size of its samples")
    return rises


def draw_learning_curves(p: TruthParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.published.data["curves"]
    sets, inducers, known = distinct(table["set"]), distinct(table["inducer"]), printed_accuracies(made)
    height, titles = 1.0 + 2.15 * ceil(len(sets) / 2), dict(zip(sets, sets, strict=True))
    picture = Picture(height, titles, "set", x="training cases", y="accuracy (%)")
    looks = {i: {"color": c, "marker": "o", "markersize": 3} for i, c in zip(inducers, COLOURS * 9, strict=False)}
    picture.lines(table, "n", "accuracy", se="se", band=True, by="inducer", looks=looks, names=title_of)
    places = [(name, i, size) for name, size in zip(sets, p.sizes, strict=True) for i in inducers]
    printed = pd.DataFrame(places, columns=["set", "inducer", "n"])
    printed["accuracy"] = [known.get((name, column_and_reading(i)[0])) for name, i, _ in places]
    if known:
        picture.scatter(printed.dropna(), "n", "accuracy", label="printed", printed=True, markersize=5.5)
    picture.limits(xscale="log")
    for (name, axes), size in zip(picture.axes.items(), p.sizes, strict=True):
        axes.axvline(size, color=GREY, linewidth=1, linestyle="--")
        n = matching(table, set=name)["n"]
        ticks = [tick for tick in (10, 100, 1000) if n.min() <= tick <= n.max()]
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.minorticks_off()
    entries = len(inducers) + 1 + bool(known)
    legend = {"sample size": {"color": GREY, "linestyle": "--", "linewidth": 1}}
    return picture.done(columns=4 if entries < 5 else 3, legend=legend, sets=len(sets))


@artifact("kohavi-learning-curves", draw=draw_learning_curves, enlarge=False)
def learning_curves(p: TruthParameters, run: Run) -> ArtifactResult:
    inducers = p.inducers[: p.curve_inducers]
    curves = curves_of(p, inducers, run)
    rows, checks = [], []
    for (name, inducer), curve in curves.items():
        column, reading = column_and_reading(inducer)
        rows += [Row.of(reading, f"{name}/{column}", f"n={n}", accuracy) for n, accuracy in curve.items()]
    for inducer in inducers:
        by_set = {name: curve for (name, other), curve in curves.items() if other == inducer}
        sizes = {one.name: one.size for one in p.sets()}
        checks += judge_claims(CURVES, by_set, sizes, inducer=title_of(inducer))
    return ArtifactResult(rows, {"curves": frame_of(curves)}, checks)
