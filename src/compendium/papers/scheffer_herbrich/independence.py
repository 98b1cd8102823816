"""Section 4 on real classifiers: is the independence that equation (17) takes for granted true?

The paper calculates and does not measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import ceil

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import distinct, each, parts
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, Row, Run
from compendium.methods.learners.sklearn_adapter import SklearnInducer
from compendium.papers.scheffer_herbrich.equations import gain_fixed_class_coupled
from compendium.papers.scheffer_herbrich.examples import uneven_gain
from compendium.papers.scheffer_herbrich.greedy import simulate_greedy_on
from compendium.papers.scheffer_herbrich.names import DATA, INDUCERS
from compendium.papers.scheffer_herbrich.parameters import SECTION_4, MeasuredParameters
from compendium.papers.scheffer_herbrich.tuning import READING
from compendium.plots.picture import Drawing, Picture
from compendium.studies.replicates import Cell, Replicate, each_replicate
from compendium.studies.study import Study
from errorest.data import sets as datasets
from errorest.learners.base import Inducer
from errorest.learners.neighbors import KNN
from errorest.plots import BLUE, GREY, VERMILION
from errorest.resampling.draw import k_fold
from errorest.streams import Streams


def _small_leaves() -> Inducer:
    from sklearn.tree import DecisionTreeClassifier

    return SklearnInducer(DecisionTreeClassifier(min_samples_leaf=2))


# The classifiers on which the independence of section 4 is tested
COUPLED: Mapping[str, Callable[[], Inducer]] = {"k-nn": lambda: KNN(k=5), "tree": _small_leaves}

# The optimizer's share of successes, and the two calculations of it
WAYS = ("measured", "equation", "coupled")


def coupling(cell: Cell) -> Replicate:
    """Cross-validate a classifier and let the greedy optimizer tune it, one choice for all folds.

    Columns, each for every number c of revealed labels: ``measured/c=``, ``equation/c=`` and ``coupled/c=``, the
    share of ``experiments`` that gain ``extra`` hits and the two calculated chances of it;
    ``<way>/gain/c=``, the mean gain in hits; and ``hits/default``, ``hits/other``, the shares of hits in the
    default class and in the other.  The tested cases of a fold lie in random order.
    """
    sample, inducer = datasets.load(cell["data"]), COUPLED[cell["inducer"]]()
    default = int(sample.class_counts().argmax())

    def tune(place: Streams) -> dict[str, float]:
        split = k_fold(sample.n, cell["folds"], place.generator("folds"))
        labels = inducer.predict_resamples(sample, split, place.generator("fits"))
        fold, y = split.row_of_test(), sample.y[split.cases]
        correct = labels == y
        rates = [float(correct[y == default].mean()), float(correct[y != default].mean())]
        share, hits = float(np.mean(y == default)), int(correct.sum())
        values: dict[str, float] = {}
        for c in cell["told"]:
            runs = simulate_greedy_on(y, correct, fold, c, place.generator("greedy", c), repeats=cell["experiments"])
            equation = uneven_gain("fixed", sample.n, hits, c, cell["folds"], share)
            coupled = gain_fixed_class_coupled(c, cell["folds"], share, *rates)
            chances = [runs.share_gaining(cell["extra"]), *(g.at_least(cell["extra"]) for g in (equation, coupled))]
            gains = [runs.gained.mean(), equation.mean(), coupled.mean()]
            for way, chance, gain in zip(WAYS, chances, gains, strict=True):
                values |= {f"{way}/c={c}": chance, f"{way}/gain/c={c}": gain}
        return {**values, "hits/default": rates[0], "hits/other": rates[1]}

    return tune


def revealed_labels(p: MeasuredParameters) -> list[int]:
    """Return the numbers of revealed labels, the paper's among them."""
    return sorted({*p.told, *(design.c for design in SECTION_4.values())})


def coupling_study(p: MeasuredParameters) -> Study:
    """Make the study of section 4's independence; divisions depend on the data set, its folds and the seed alone."""
    more = {"told": revealed_labels(p), "experiments": p.experiments}
    return Study(
        "scheffer-herbrich-coupling",
        [
            {"data": data, "inducer": inducer, "folds": design.folds, "extra": design.extra, **more}
            for data, design in SECTION_4.items()
            for inducer in COUPLED
        ],
        p.divisions,
        each_replicate(coupling),
        seed=p.seed,
        seed_keys=("data", "folds"),
        data={data: datasets.digest(data) for data in SECTION_4},
        chunk=5,
    )


def draw_independence(p: MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the chance of the gain over the labels revealed: two calculations and the optimizer on real classifiers."""
    table = made.published.data["chances"]
    cells = {(r.data, r.inducer): f"{DATA[r.data]}, {INDUCERS[r.inducer]}" for r in each(table)}
    columns = len(distinct(table["inducer"]))
    picture = Picture(
        2.6 * ceil(len(cells) / columns),
        cells,
        ("data", "inducer"),
        columns=columns,
        x="Labels told, c",
        y="Chance of the gain, %",
        sharex=True,
    )
    picture.lines(table, "c", "equation", label="equation (17)", color=GREY, linestyle=(0, (4, 2)))
    picture.lines(table, "c", "coupled", label="class-coupled", color=BLUE)
    picture.scatter(table, "c", "measured", se="measured se", z=1.96, label="measured", color=VERMILION)
    picture.limits(ylim=(0, None))
    for axes in picture.axes.values():
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return picture.done()


@artifact("scheffer-herbrich-independence", draw=draw_independence)
def independence(p: MeasuredParameters, run: Run) -> ArtifactResult:
    """Compare the equation, its class-coupled correction, and what the optimizer gains."""
    rows, lines, checks, findings = [], [], [], []
    for (data, inducer), cell in parts(run(coupling_study(p)), "data", "inducer").items():
        paper, name = SECTION_4[data].c, f"{data}/{inducer}"
        for c in revealed_labels(p):
            results = {way: _percent(cell, f"{way}/c={c}") for way in WAYS}
            values = {k: v for way, m in results.items() for k, v in ((way, m.value), (f"{way} se", m.se))}
            lines.append({"data": data, "inducer": inducer, "c": c, **values})
        chances = {way: _percent(cell, f"{way}/c={paper}") for way in WAYS}
        hits = {which: _percent(cell, f"hits/{which}") for which in ("default", "other")}
        # a share that never varied says nothing of its error
        rows += [
            Row(READING, name, f"c={paper}/{way}-percent", m.value, m.se or np.nan, m.n) for way, m in chances.items()
        ]
        rows += [Row.of(READING, name, f"hits-among-{which}-percent", rate) for which, rate in hits.items()]
        checks += [agreement(data, inducer, cell, paper, way, p.experiments) for way in WAYS[1:]]
        findings.append(_success(data, inducer, chances, hits))
    return ArtifactResult(rows, {"chances": pd.DataFrame(lines)}, checks, findings)


def _percent(cell: pd.DataFrame, column: str) -> Estimate:
    return monte_carlo.mean(100 * cell[column].to_numpy())


def agreement(data: str, inducer: str, cell: pd.DataFrame, c: int, way: str, experiments: int) -> Check:
    """Judge whether a calculation agrees with what the optimizer gains, to half of the chance."""
    measured, calculated = cell[f"measured/c={c}"].to_numpy(), cell[f"{way}/c={c}"].to_numpy()
    off, chance = monte_carlo.mean(100 * (calculated - measured)), 100 * float(calculated.mean())
    # where the optimizer never succeeds its share has no scatter, though another run might succeed
    noise = 100 * float(np.sqrt(np.sum(calculated * (1 - calculated)) / experiments)) / len(cell)
    difference = replace(off, se=max(off.se, noise), label="the difference is", unit="points")
    words = {"chance": chance, "measured": 100 * measured.mean()}
    reading = f"{DATA[data]}, {INDUCERS[inducer]}, c = {c}"
    return judge_claim("scheffer-herbrich-independence", way, abs(difference) <= chance / 2, reading, **words)


def _success(data: str, inducer: str, chances: Mapping[str, Estimate], hits: Mapping[str, Estimate]) -> str:
    measured, equation = chances["measured"].value, chances["equation"].value
    ratio = f", {equation / measured:.1f} times as much" if measured else ""
    return (
        f"{DATA[data]}, {INDUCERS[inducer]}: right on {hits['default'].value:.0f} % of the default class and on "
        f"{hits['other'].value:.0f} % of the other. With c = {SECTION_4[data].c} the optimizer succeeds in "
        f"{measured:.2f} % of the runs; the equation "
        f"says {equation:.2f} %{ratio}."
    )
