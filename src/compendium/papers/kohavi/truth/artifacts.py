"""Table 1 and the learning curves.  A true accuracy is the mean of many holdouts, in percent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import ceil, hypot, sqrt

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Estimate
from compendium.evidence.records import distinct, matching, parts, printed_values
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.evidence.verdicts import read_published
from compendium.papers.kohavi.data import RAND, DataSet, load_set
from compendium.papers.kohavi.named_inducers import own_files
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.papers.kohavi.truth.experiment import LearningParameters, SetsParameters, TruthParameters, truth_study
from compendium.papers.own_code import studied_apart
from compendium.plots.picture import Drawing, Picture
from errorest.plots import COLOURS, GREY


def printed_accuracies(made: ResultsByScale) -> dict[tuple[str, str], float]:
    """Return Table 1's printed accuracies by data set and inducer; none for a reader's own parameters."""
    if "published" not in made:
        return {}
    table = read_published("kohavi")
    return printed_values(
        table[(table["artifact"] == "kohavi-table-1") & table["column"].isin(["c4.5", "naive-bayes"])]
    )


def draw_learning_curves(p: TruthParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw accuracy against the number of training cases, a panel for each data set."""
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


Curve = dict[int, Estimate]  # Accuracy by number of training cases, ascending


def accuracies_of(
    p: SetsParameters, wanted: Sequence[tuple[DataSet, int, int]], inducers: Sequence[str], run: Run
) -> dict[tuple[DataSet, int, str], Estimate]:
    """Mean accuracy over holdouts, by data set, training cases and inducer; wanted are (set, cases, holdouts)."""
    together = studied_apart(inducers, lambda name: own_files([name]))
    results = pd.concat([run(truth_study(wanted, some, p.seed)) for some in together])
    # by source, not by digest: two files of equal content are two data sets
    columns = ["source", "number", "size", "inducer"]
    errors = parts(results[[*columns, "value"]], *columns)
    return {
        (one, n, inducer): monte_carlo.mean(
            100 * (1.0 - errors[one.source, one.number, n, inducer]["value"].to_numpy())
        )
        for one, n, _ in wanted
        for inducer in inducers
    }


def truths_of(p: SetsParameters, run: Run) -> dict[tuple[str, str], Estimate]:
    """Return the accuracies of Table 1, by data set and inducer."""
    result = accuracies_of(p, [(one, one.size, p.holdouts) for one in p.sets()], p.inducers, run)
    return {(one.name, inducer): e for (one, _, inducer), e in result.items()}


@artifact("kohavi-table-1")
def table_1(p: TruthParameters, run: Run) -> ArtifactResult:
    """Table 1: what can be counted of each data set, and the inducers' true accuracies in percent."""
    rows = [Row.exact("literal", one.name, column, n) for one in p.sets() for column, n in _counts(one).items()]
    truths = truths_of(p, run)
    # the cases of rand were never published: the errors of its accuracies count how much such data sets differ
    between = {one.name: _sd_between_sets(p, one, run) for one in p.sets() if one.source == RAND}
    accuracies = []
    for inducer in p.inducers:
        # a reading is what the paper may have meant by the inducer's name
        column, reading = column_and_reading(inducer)
        for one in p.sets():
            truth = truths[one.name, inducer]
            se = hypot(truth.se, between[one.name][inducer]) if one.name in between else truth.se
            rows.append(Row(reading, one.name, column, truth.value, se, truth.n))
            # the paper prints one standard error of the mean; the relative error of a deviation is 1/sqrt(2 (n - 1))
            error_of_se = truth.se / sqrt(2 * (truth.n - 1))
            rows.append(Row(reading, one.name, f"{column}/halfwidth", truth.se, error_of_se, truth.n))
            line = {"set": one.name, "inducer": inducer, "reading": reading}
            accuracies.append({**line, "accuracy": truth.value, "se": truth.se, "n": truth.n})
    return ArtifactResult(rows, {"accuracies": pd.DataFrame(accuracies)})


@lru_cache(maxsize=16)
def _counts(one: DataSet) -> dict[str, int]:
    sample = one.sample
    # of rand, whose labels are coins, duplicates are counted without them
    duplicates = sample.n - len(np.unique(sample.X, axis=0)) if one.source == RAND else sample.duplicates()
    categories = int(np.count_nonzero(sample.class_counts()))
    return {"attributes": sample.d, "total-size": sample.n, "categories": categories, "duplicates": duplicates}


def _sd_between_sets(p: TruthParameters, rand: DataSet, run: Run) -> dict[str, float]:
    """Standard deviation of the true accuracy between data sets drawn like rand, beyond their own errors, points."""
    further = [load_set(RAND, rand.size, None, p.seed, number) for number in range(1, p.rand_sets + 1)]
    result = accuracies_of(p, [(one, one.size, min(p.holdouts, 50)) for one in further], p.inducers, run)
    spread = {}
    for inducer in p.inducers:
        means = [result[one, one.size, inducer] for one in further]
        variance = np.var([e.value for e in means], ddof=1) - np.mean([e.se**2 for e in means])
        spread[inducer] = sqrt(max(0.0, float(variance)))
    return spread


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


def still_rising(curves: Mapping[str, Curve], sizes: Mapping[str, int]) -> list[Condition]:
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


CURVES = Claims("kohavi-learning-curves", {"rising": still_rising})


@artifact("kohavi-learning-curves", draw=draw_learning_curves, enlarge=False)
def learning_curves(p: TruthParameters, run: Run) -> ArtifactResult:
    """Learning curves, from which the paper chose its sample sizes: accuracy by training cases, percent."""
    inducers = p.inducers[: p.curve_inducers]
    curves = curves_of(p, inducers, run)
    rows, checks = [], []
    for (name, inducer), curve in curves.items():
        column, reading = column_and_reading(inducer)
        rows += [Row.of(reading, f"{name}/{column}", f"n={n}", accuracy) for n, accuracy in curve.items()]
    for inducer in inducers:
        own = {name: curve for (name, other), curve in curves.items() if other == inducer}
        sizes = {one.name: one.size for one in p.sets()}
        checks += judge_claims(CURVES, own, sizes, inducer=title_of(inducer))
    return ArtifactResult(rows, {"curves": frame_of(curves)}, checks)
