"""Table 7: what an estimate costs, in classifiers made and cases labelled, counted from the resamples themselves.

The print gives seconds of an old machine.  Counts can be compared with its ratios; seconds of
this machine are measured by a benchmark and are no results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, equal
from compendium.evidence.results import ArtifactResult, Check, Erratum, Row, Run
from compendium.papers.shakhnarovich.cost.experiment import CostParameters
from compendium.papers.shakhnarovich.cost.figures import draw_table_7
from compendium.papers.shakhnarovich.methods import BSCV, ESTIMATORS, OLD, TRUE_ERROR, UNCLONED
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.uci.experiment import UciSet, sets_of
from errorest.resampling import draw as resampling
from errorest.resampling.draw import Resamples
from errorest.streams import Streams

__all__ = ["Work", "table_7"]

Make = Callable[[], Resamples]

_TWICE = ("bootstrap-x2", "cloned-x2")
COUNTED = (TRUE_ERROR, *ESTIMATORS, *_TWICE)
"""Rows of Table 7."""

_UNCLONED = {**UNCLONED, "cloned-x2": "bootstrap-x2"}
_UNDEFINED = "unstated:two-bootstraps"


class Work(NamedTuple):
    """Work of one estimate: classifiers made, cases labelled, clones drawn whole."""

    fits: int
    labelled: int
    clones: int


def counted_work(estimator: str, n: int, rest: int, replicates: int, rng: np.random.Generator) -> Work:
    """Count the work of one estimate of :data:`COUNTED` from its resamples.

    ``n`` cases are in the sample, ``rest`` measure the true error, ``replicates`` is B.  Repeated leave-one-out counts
    every repeat, though all are the same.
    """
    if estimator == TRUE_ERROR:
        return Work(1, rest, 0)
    whole = partial(resampling.resubstitution, n)
    nested = partial(resampling.leave_one_out_bootstrap, n, replicates, rng)
    by_folds: Mapping[str, Make] = {
        "loo": partial(resampling.leave_one_out, n),
        "cv-10": partial(resampling.k_fold, n, 10, rng),
        "cv-5": partial(resampling.k_fold, n, 5, rng),
    }
    takes: dict[str, tuple[int, list[Make]]] = {
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
    found = [_of(make()) for make in made]
    clones = found[0].fits if times == 1 else times
    fits, labelled = (times * sum(work[k] for work in found) for k in range(2))
    return Work(fits, labelled, clones if estimator in _UNCLONED else 0)


def _of(resamples: Resamples) -> Work:
    return Work(resamples.n_rows, int(np.diff(resamples.start).sum()), 0)


def _frame(p: CostParameters, sets: list[UciSet]) -> pd.DataFrame:
    table = []
    for one in sets:
        rng = Streams(p.seed).generator("table-7", one.name)
        for estimator in COUNTED:
            work = counted_work(estimator, one.n, one.sample.n - one.n, p.bootstrap_samples, rng)
            table.append({"set": one.name, "n": one.n, "estimator": estimator} | work._asdict())
    frame = pd.DataFrame(table)
    base = frame[frame["estimator"] == "bootstrap-naive"].set_index("set")["fits"]
    return frame.assign(ratio=frame["fits"] / frame["set"].map(base))


@artifact("shakhnarovich-table-7", draw=draw_table_7, labels=LABELS)
def table_7(p: CostParameters, run: Run) -> ArtifactResult:
    """Table 7: classifiers made and cases labelled for a single estimate, and as ratios to the plain bootstrap."""
    sets = sets_of(p)
    frame = _frame(p, sets)
    rows = []
    for line in frame.to_dict("records"):
        reading = _UNDEFINED if line["estimator"] in _TWICE else "literal"
        for column in ("fits", "labelled", "clones"):
            rows.append(Row.exact(reading, line["estimator"], f"{line['set']}/{column}", line[column]))
        rows.append(Row.exact(reading, line["estimator"], f"{line['set']}/fits-over-bootstrap", line["ratio"]))
    counts = frame.pivot_table(index="set", columns="estimator", values="fits", aggfunc="first", sort=False)
    counts = counts.assign(n=[one.n for one in sets])
    return ArtifactResult(rows, {"work": frame}, _checks(p, counts), _findings(counts), _errata(p, frame, counts))


def _told(counts: pd.DataFrame, text: str) -> str:
    """Write a text for each data set, its counts put in by the names of estimators."""
    lines: dict[Any, Any] = counts.to_dict("index")
    return "; ".join(f"{symbol_of(name)} {text.format(**own)}" for name, own in lines.items())


def _checks(p: CostParameters, counts: pd.DataFrame) -> list[Check]:
    same = [
        equal
        for new in ("cloned-naive", "cloned-loo", "cloned-632plus", "cloned-bscv-5")
        for equal in counts[new] == counts[UNCLONED[new]]
    ]
    repeated = list(counts["bscv-5"] == counts["repeated-cv-5"])
    return [
        Claim(
            "Cloning takes as many classifiers as the ordinary bootstrap.",
            [equal(f"pairs of estimators and data sets, of {len(same)}, with as many", sum(same), len(same))],
            context=f"counted, without the drawing of clones, {p.bootstrap_samples:,} of them for a BS* and n times as "
            "many for a BS(1)*",
        ).check(),
        Claim(
            "Bootstrapped cross-validation costs as much as cross-validation repeated B times.",
            [equal(f"data sets, of {len(repeated)}, with as many classifiers", sum(repeated), len(repeated))],
            context="counted",
        ).check(),
    ]


def _findings(counts: pd.DataFrame) -> list[str]:
    cheap = ", ".join(symbol_of(e) for e in OLD if (counts[e] <= counts["bootstrap-naive"]).all())
    dearest = _told(counts, r"{cloned-632plus:,} for a .632+\*, {cloned-bscv-5:,} for a BSCV×5\*")
    cost = f"One estimate takes this many classifiers: {dearest}."
    return [f"{cost} Of the old estimators, {cheap} take no more than the plain bootstrap."]


def _errata(p: CostParameters, frame: pd.DataFrame, counts: pd.DataFrame) -> list[Erratum]:
    """Tell what the counts contradict in the costs that the text gives; nothing where they do not."""
    labelled = frame.pivot_table(index="set", columns="estimator", values="labelled", aggfunc="first", sort=False)
    n, folds, errata = counts["n"], 10, []
    if (labelled["cv-10"] != folds * folds).any():
        ten = _told(labelled, "{cv-10:,}")
        errata.append(
            Erratum(
                "Section 2.2",
                "k-fold cross-validation costs k [T_train(n − n/k) + k T_test]",
                "k [T_train(n − n/k) + (n/k) T_test]",
                f"Each fold tests n/k cases. Ten folds label, in all: {ten}; the printed formula gives "
                f"{folds * folds}.",
            )
        )
    plus = pd.DataFrame(
        {"fits": counts["bootstrap-632plus"], "loo": counts["loo"], "square": n**2}
        | {"further": labelled["bootstrap-632plus"] - labelled["bootstrap-loo"]}
    )
    if (plus["fits"] > plus["loo"]).all() and (plus["further"] < plus["square"]).any():
        further = _told(plus, "{further:,} (n² is {square:,})")
        made = _told(plus, "{fits:,} against {loo:,}")
        errata.append(
            Erratum(
                "Section 2.3.4",
                "the .632+ costs B [T_train(n − 1) + T_test] and n² T_test, less than cross-validation for n > B",
                "n B [T_train(n) + T_test], T_train(n) and n T_test",
                f"Labels that it takes beyond the leave-one-out bootstrap's: {further}. Classifiers, against those of "
                f"leave-one-out: {made}.",
            )
        )
    if (counts["bscv-loo"] > n**2).any():
        five = _told(counts.assign(square=n**2), "{bscv-5:,} to {bscv-loo:,}, where n² is {square:,}")
        errata.append(
            Erratum(
                "Section 9",
                "bootstrapped cross-validation needs O(n²) additional applications of the learning algorithm",
                "B k of them, n B with leave-one-out",
                f"Counted with B = {p.bootstrap_samples}, five folds to leave-one-out: {five}.",
            )
        )
    return errata
