"""Table 7: the cost of an estimate in classifiers made and cases labelled, counted from the resamples themselves.

The print gives seconds of an old machine; only their ratios can be compared with counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.records import distinct, each, matching
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, Row, Run
from compendium.papers.parameters import parameter
from compendium.papers.shakhnarovich.figures import mark, numbers
from compendium.papers.shakhnarovich.methods import BSCV, ESTIMATORS, UNCLONED
from compendium.papers.shakhnarovich.names import LABELS, case_title, symbol_of
from compendium.papers.shakhnarovich.uci.data import SetsParameters, sets_of
from compendium.plots.picture import Drawing, Line, Picture
from compendium.studies.experiment import TRUE_ERROR
from errorest.plots import BLUE, COLOURS, GREY, ORANGE, VERMILION
from errorest.resampling import draw as resampling
from errorest.resampling.multisets import Resamples
from errorest.streams import Streams

_TWICE = ("bootstrap-x2", "cloned-x2")
COUNTED = (TRUE_ERROR, *ESTIMATORS, *_TWICE)  # Rows of Table 7

_UNCLONED = {**UNCLONED, "cloned-x2": "bootstrap-x2"}
_MARKERS = "osD^v<>P"
_IMPOSSIBLE = ("cloned-loo", "cloned-bscv-10")
_EXCHANGED = ("repeated-cv-10", "repeated-cv-5")
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


def draw_table_7(p: CostParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the printed seconds over those of the plain bootstrap against the same ratio of classifiers made."""
    work = made.published.data["work"]
    if published.empty:
        return _draw_work(work)
    ratios = seconds_by_fits(work, numbers(published))
    markers = dict(zip(distinct(ratios["case"]), _MARKERS, strict=False))
    picture = Picture(4.6, x=_ACROSS, y="printed seconds, over those of BS")
    large: Line = {"markersize": 8}
    hollow: Line = {"markerfacecolor": "none", "markeredgewidth": 1.4}
    plain: Line = {}
    legend = {case_title(case): mark(GREY, marker) for case, marker in markers.items()}
    for names, colour, look in ((_IMPOSSIBLE, VERMILION, large), (_EXCHANGED, ORANGE, hollow), ((), BLUE, plain)):
        own = ratios["estimator"].isin(names) if names else ~ratios["estimator"].isin([*_IMPOSSIBLE, *_EXCHANGED])
        looks = {case: {**mark(colour, m), "markersize": 4.5, "alpha": 0.8, **look} for case, m in markers.items()}
        picture.scatter(ratios[own], "classifiers", "seconds", by="case", looks=looks, names=lambda _: "")
        legend |= {", ".join(map(symbol_of, names)): {"color": colour, "linewidth": 7}} if names else {}
    both = ratios[["classifiers", "seconds"]].to_numpy()
    picture.axes[()].plot([both.min(), both.max()], [both.min(), both.max()], color=GREY, linestyle="--", linewidth=1)
    picture.limits(xscale="log", yscale="log")
    return replace(picture.done(columns=2, legend=legend), printed=True)


def _draw_work(work: pd.DataFrame) -> Drawing:
    """Draw the ratios of classifiers alone, for a design that was not printed."""
    names = distinct(work["estimator"])
    picture = Picture(4.2, x=_ACROSS, y_levels={name: symbol_of(name) for name in names})
    looks = {name: mark(COLOURS[k], _MARKERS[k]) for k, name in enumerate(distinct(work["set"]))}
    picture.scatter(work, "ratio", "estimator", by="set", looks=looks, names=symbol_of)
    picture.limits(xscale="log")
    picture.axes[()].tick_params(axis="y", labelsize=8)
    return picture.done()


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
