"""Table 7: the cost of an estimate in classifiers made and cases labelled, counted from the resamples themselves.

The print gives seconds of an old machine; only their ratios can be compared with counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.patches import Patch

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.records import distinct, each, matching, parts
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, Row, Run
from compendium.papers.parameters import parameter
from compendium.papers.shakhnarovich.figures import mark, numbers
from compendium.papers.shakhnarovich.methods import BSCV, ESTIMATORS, UNCLONED
from compendium.papers.shakhnarovich.names import LABELS, case_title, symbol_of
from compendium.papers.shakhnarovich.uci.experiment import SetsParameters, sets_of
from compendium.studies.experiment import TRUE_ERROR
from errorest.plots import BLUE, COLOURS, GREY, ORANGE, VERMILION, DescribedFigure, in_style, legend_of, new_figure
from errorest.resampling import draw as resampling
from errorest.resampling.draw import Resamples
from errorest.streams import Streams

_TWICE = ("bootstrap-x2", "cloned-x2")
COUNTED = (TRUE_ERROR, *ESTIMATORS, *_TWICE)  # Rows of Table 7

_UNCLONED = {**UNCLONED, "cloned-x2": "bootstrap-x2"}
_MARKERS = "osD^v<>P"
_IMPOSSIBLE = ("cloned-loo", "cloned-bscv-10")
_EXCHANGED = ("repeated-cv-10", "repeated-cv-5")
_COLOURS = dict.fromkeys(_IMPOSSIBLE, VERMILION) | dict.fromkeys(_EXCHANGED, ORANGE)
_ACROSS = "classifiers made, over those of BS"


class CostParameters(SetsParameters, notebook="shakhnarovich/05-cost"):
    """Parameters of Table 7."""

    bootstrap_samples: int = parameter(100, ge=2)


class Work(NamedTuple):
    """Work of one estimate: classifiers made, cases labelled, clones drawn whole."""

    fits: int
    labelled: int
    clones: int


def count_work(estimator: str, n: int, rest: int, replicates: int, rng: np.random.Generator) -> Work:
    """Count the work of one estimate of :data:`COUNTED` from its resamples.

    ``n`` cases are in the sample, ``rest`` measure the true error, ``replicates`` is B.  Repeated leave-one-out counts
    every repeat, though all are the same.
    """
    if estimator == TRUE_ERROR:
        return Work(1, rest, 0)
    whole = partial(resampling.resubstitution, n)
    nested = partial(resampling.leave_one_out_bootstrap, n, replicates, rng)
    by_folds: Mapping[str, Callable[[], Resamples]] = {
        "loo": partial(resampling.leave_one_out, n),
        "cv-10": partial(resampling.k_fold, n, 10, rng),
        "cv-5": partial(resampling.k_fold, n, 5, rng),
    }
    takes: dict[str, tuple[int, list[Callable[[], Resamples]]]] = {
        "resubstitution": (1, [whole]),
        # a classifier of each bootstrap sample or clone labels the whole sample
        "bootstrap-naive": (replicates, [whole]),
        "bootstrap-x2": (replicates, [whole]),
        "bootstrap-loo": (1, [nested]),
        "bootstrap-632": (1, [nested, whole]),
        "bootstrap-632plus": (1, [nested, whole]),
    }
    for (name, folds), bscv in zip(by_folds.items(), BSCV, strict=True):
        takes |= {name: (1, [folds]), f"repeated-{name}": (replicates, [folds]), bscv: (replicates, [folds])}
    times, made = takes[_UNCLONED.get(estimator, estimator)]
    resamples = [make() for make in made]
    clones = resamples[0].n_rows if times == 1 else times
    return Work(
        times * sum(r.n_rows for r in resamples),
        times * sum(int(np.diff(r.start).sum()) for r in resamples),
        clones if estimator in _UNCLONED else 0,
    )


def judge_cost(p: CostParameters, work: pd.DataFrame) -> list[Check]:
    """Judge the claims on cost by the classifiers that estimators take."""
    fits = work.pivot_table(index="set", columns="estimator", values="fits", aggfunc="first", sort=False)
    cloned = ("cloned-naive", "cloned-loo", "cloned-632plus", "cloned-bscv-5")
    same = np.array([fits[new] == fits[UNCLONED[new]] for new in cloned])
    pairs = exact(same.sum(), f"pairs of estimators and data sets, of {same.size}, with as many")
    repeated = exact((fits["bscv-5"] == fits["repeated-cv-5"]).sum(), "data sets with as many classifiers")
    words = {"replicates": p.bootstrap_samples}
    return [
        judge_claim("shakhnarovich-table-7", "cloning", pairs.equals(same.size), **words),
        judge_claim("shakhnarovich-table-7", "repeating", repeated.equals(len(fits))),
    ]


def seconds_by_fits(work: pd.DataFrame, printed: dict[tuple[str, str], float]) -> pd.DataFrame:
    """Return the printed seconds and the classifiers that an estimate takes, both over the plain bootstrap's."""
    base = "bootstrap-naive"
    return pd.DataFrame(
        [
            {"case": case, "estimator": line.estimator, "classifiers": line.ratio}
            | {"seconds": printed[line.estimator, case] / printed[base, case]}
            for case in distinct(column for _, column in printed)
            for line in each(matching(work, set=case.split("/")[0]))
            if line.estimator != base and printed.get((line.estimator, case), 0.0) > 0
        ]
    )


@in_style
def draw_table_7(p: Any, made: ResultsByScale, published: pd.DataFrame) -> DescribedFigure:
    """Draw the printed seconds over those of the plain bootstrap against the same ratio of classifiers made."""
    work = made.published.data["work"]
    if published.empty:
        return _draw_work(work)
    ratios = seconds_by_fits(work, numbers(published))
    figure, grid = new_figure(1, 1, 4.6)
    axes = grid[0, 0]
    markers = dict(zip(distinct(ratios["case"]), _MARKERS, strict=False))
    for (case, estimator), of in parts(ratios, "case", "estimator").items():
        look = {**mark(_COLOURS.get(estimator, BLUE), markers[case]), "markersize": 4.5, "alpha": 0.8}
        if estimator in _IMPOSSIBLE:
            look["markersize"] = 8
        elif estimator in _EXCHANGED:
            look |= {"markerfacecolor": "none", "markeredgewidth": 1.4}
        axes.plot(of["classifiers"], of["seconds"], **look)
    both = ratios[["classifiers", "seconds"]].to_numpy()
    ends = [both.min(), both.max()]
    axes.plot(ends, ends, color=GREY, linestyle="--", linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(_ACROSS)
    axes.set_ylabel("printed seconds, over those of BS")
    rows = {", ".join(map(symbol_of, of)): Patch(color=_COLOURS[of[0]]) for of in (_IMPOSSIBLE, _EXCHANGED)}
    legend_of(figure, {**{case_title(c): mark(GREY, marker) for c, marker in markers.items()}, **rows}, columns=2)
    return DescribedFigure(
        figure,
        "Printed seconds against numbers of classifiers, both over those of the plain bootstrap, on logarithmic axes: "
        f"{len(ratios)} points from {ends[0]:.2f} to {ends[1]:.0f} times.",
        "Each point is an estimator for one classifier and data set; dashed: as many times the seconds as classifiers. "
        "Cross-validation lies below it, since a fold labels fewer cases than a bootstrap sample does. Large "
        "and red: two rows that cannot be as printed; hollow and orange: two rows that look exchanged.",
    )


def _draw_work(work: pd.DataFrame) -> DescribedFigure:
    """Draw the ratios of classifiers alone, for a design that was not printed."""
    names = distinct(work["estimator"])
    figure, grid = new_figure(1, 1, 4.2)
    axes = grid[0, 0]
    looks = {}
    for number, (name, of) in enumerate(parts(work, "set").items()):
        looks[symbol_of(name)] = mark(COLOURS[number], _MARKERS[number])
        axes.plot(of["ratio"], of["estimator"].map(names.index), **looks[symbol_of(name)])
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), [symbol_of(n) for n in names])
    axes.tick_params(axis="y", labelsize=8)
    axes.invert_yaxis()
    axes.set_xlabel(_ACROSS)
    legend_of(figure, looks)
    alt = f"Dots of {len(names)} estimators, a mark for each data set, on a logarithmic axis. Data in the table below."
    return DescribedFigure(figure, alt, "Classifiers that one estimate takes, over those of the plain bootstrap.")


@artifact("shakhnarovich-table-7", draw=draw_table_7, labels=LABELS)
def table_7(p: CostParameters, run: Run) -> ArtifactResult:
    """Table 7: classifiers made and cases labelled for a single estimate, and as ratios to the plain bootstrap."""
    lines = []
    for one in sets_of(p):
        rng = Streams(p.seed).generator("table-7", one.name)
        for estimator in COUNTED:
            work = count_work(estimator, one.n, one.sample.n - one.n, p.bootstrap_samples, rng)
            lines.append({"set": one.name, "n": one.n, "estimator": estimator, **work._asdict()})
    table = pd.DataFrame(lines)
    base = table[table["estimator"] == "bootstrap-naive"].set_index("set")["fits"]
    table = table.assign(ratio=table["fits"] / table["set"].map(base))
    columns = {"fits": "fits", "labelled": "labelled", "clones": "clones", "fits-over-bootstrap": "ratio"}
    rows = [
        Row.exact(
            "unstated:two-bootstraps" if line["estimator"] in _TWICE else "literal",
            line["estimator"],
            f"{line['set']}/{column}",
            line[of],
        )
        for line in table.to_dict("records")
        for column, of in columns.items()
    ]
    return ArtifactResult(rows, {"work": table}, judge_cost(p, table))
