"""On real data: is section 4's independence true, what does tuning on the test folds buy, does section 5's cure work?

Everything here is beyond the paper, which calculates and does not measure.  Biases are estimate minus
error on held-out data, in percentage points: below nought is optimistic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.papers.parameters import Parameters, parameter
from errorest.papers.scheffer_herbrich.measured_designs import GRIDS, coupling_study, subset_sizes, tuning_study
from errorest.tuning_bias import tuning_bias

__all__ = ["DATA_NAMES", "INDUCER_NAMES", "WAYS", "MeasuredParameters", "cure", "independence", "settings_tried"]

WAYS = {
    "untuned": "Untuned",
    "best-of-grid": "Best of grid",
    "per-fold": "Tuned per fold",
    "nested": "Nested",
}
"""Ways of reporting a cross-validated error, and their names."""

DATA_NAMES = {"pima": "Diabetes", "heart": "Heart", "vehicle": "Vehicle"}
"""Data sets and the names that the papers give them."""

INDUCER_NAMES = {"k-nn": "k-NN", "tree": "tree", "svm": "SVM"}
"""Inducers and what a reader calls them."""

_READING = "unstated:grids"
# section 4.1's design of each data set: folds, extra hits over all folds, and the paper's c
_SECTION_4 = {"pima": (12, 6, 7), "heart": (9, 6, 9)}


class MeasuredParameters(Parameters):
    """Parameters of what is measured on real data."""

    seed: int = parameter(1997, "seed of every random stream", ge=0)
    divisions: int = parameter(20, "divisions into folds on which independence is tested", ge=3, preview=4)
    experiments: int = parameter(2000, "runs of the greedy optimizer on each division", ge=100, preview=300)
    told: list[int] = parameter([1, 2, 4, 7, 9, 12], "numbers of told labels, c; 7 and 9 are the paper's", min_length=1)
    data: list[Literal["pima", "heart", "vehicle"]] = parameter(
        ["pima", "heart", "vehicle"], "data sets to tune on", min_length=1
    )
    inducers: list[Literal["k-nn", "tree", "svm"]] = parameter(
        ["k-nn", "tree", "svm"], "inducers to tune", min_length=1
    )
    cases: int = parameter(100, "cases to tune with", ge=80, le=200)
    held_out: int = parameter(300, "cases held out to judge by, at most (heart has fewer left)", ge=50)
    folds: int = parameter(5, "folds of cross-validation", ge=3, le=10)
    inner_folds: int = parameter(5, "folds within a training part, to choose the setting", ge=3, le=10)
    samples: int = parameter(24, "random samples of each data set", ge=3, preview=3)


def independence(p: MeasuredParameters, run: Run) -> Regenerated:
    """Section 4 on real classifiers: the equation, its class-coupled correction, and what the optimizer gains.

    Parameters
    ----------
    p : MeasuredParameters
    run : callable
        Runs a study or finds it in the store.

    Returns
    -------
    Regenerated
        Rows at the paper's c; data ``chances`` for every c: the chances of the two calculations and the
        optimizer's share, percent, means over divisions with standard errors.

    Notes
    -----
    Folds and hits to gain are those of section 4.1.  Over divisions the calculations vary too, since the
    hits do; a calculation is judged by the mean difference from the optimizer's share.
    """
    told = sorted({*p.told, *(c for _, _, c in _SECTION_4.values())})
    designs = {data: (folds, extra) for data, (folds, extra, _) in _SECTION_4.items()}
    results = run(coupling_study(designs, told, p.divisions, p.experiments, p.seed))
    rows, lines, checks = [], [], []
    for (data, inducer), cell in results.groupby(["data", "inducer"], sort=False):
        name, paper = f"{data}/{inducer}", _SECTION_4[str(data)][2]
        for c in told:
            line: dict[str, object] = {"data": data, "inducer": inducer, "c": c}
            for way in ("measured", "equation", "coupled"):
                chance = accuracy.mean(100 * cell[f"{way}/c={c}"].to_numpy())
                line |= {way: chance.value, f"{way} se": chance.se}
                if c == paper:
                    spread = chance.se or float("nan")
                    rows.append(Row(_READING, name, f"c={c}/{way}-percent", chance.value, spread, chance.n))
            lines.append(line)
        for which in ("default", "other"):
            rate = accuracy.mean(100 * cell[f"hits/{which}"].to_numpy())
            rows.append(Row(_READING, name, f"hits-among-{which}-percent", *rate))
        checks += [
            _agreement(str(data), str(inducer), cell, paper, way, p.experiments) for way in ("equation", "coupled")
        ]
    chances = pd.DataFrame(lines)
    return Regenerated(rows, data={"chances": chances}, checks=checks, findings=_coupling_findings(rows))


_WORDS = {
    "equation": "Hits are independent of the class, as equation (17) has it.",
    "coupled": "Hits depend on the class, and c is much less than a fold (the correction).",
}


def _agreement(data: str, inducer: str, cell: pd.DataFrame, c: int, way: str, experiments: int) -> Check:
    measured, calculated = cell[f"measured/c={c}"].to_numpy(), cell[f"{way}/c={c}"].to_numpy()
    off = accuracy.mean(100 * (calculated - measured))
    # where the optimizer never succeeds its share has no scatter, though another run might succeed
    noise = 100 * float(np.sqrt(np.sum(calculated * (1 - calculated)) / experiments)) / len(cell)
    width = 1.96 * max(off.se, noise)
    return Check(
        f"{_WORDS[way]} [{DATA_NAMES[data]}, {INDUCER_NAMES[inducer]}, c = {c}]",
        f"chance {100 * calculated.mean():.2f} % against {100 * measured.mean():.2f} % measured; "
        f"difference {off.value:+.2f} ± {width:.2f}",
        "holds" if abs(off.value) <= width else "fails",
    )


def _coupling_findings(rows: Sequence[Row]) -> list[str]:
    value = {(r.row, r.column): r.value for r in rows}
    found = []
    for name in dict.fromkeys(r.row for r in rows):
        data, inducer = name.split("/")
        c = _SECTION_4[data][2]
        measured, equation = value[name, f"c={c}/measured-percent"], value[name, f"c={c}/equation-percent"]
        ratio = f", {equation / measured:.1f} times as much" if measured else ""
        found.append(
            f"{DATA_NAMES[data]}, {INDUCER_NAMES[inducer]}: right on "
            f"{value[name, 'hits-among-default-percent']:.0f} % of the default class and on "
            f"{value[name, 'hits-among-other-percent']:.0f} % of the other. With c = {c} the optimizer succeeds in "
            f"{measured:.2f} % of the runs; the equation says {equation:.2f} %{ratio}."
        )
    return found


def _tuned(p: MeasuredParameters, run: Run) -> pd.DataFrame:
    return run(tuning_study(p.data, p.inducers, p.cases, p.held_out, p.folds, p.inner_folds, p.samples, p.seed))


def _differences(results: pd.DataFrame, way: str, tried: int | None = None) -> pd.DataFrame:
    """Bias of every sample in points, with its data set and inducer."""
    end = "" if tried is None else f"/tried={tried}"
    bias = 100 * (results[f"{way}{end}"] - results[f"{way}/held-out{end}"])
    return results[["data", "inducer", "replicate"]].assign(bias=bias)


def _pooled(differences: pd.DataFrame) -> Measured:
    """Mean over all cells; inducers share their samples, so a sample's mean over them counts once."""
    each = differences.groupby(["data", "replicate"], sort=False)["bias"].mean().reset_index()
    return accuracy.mean(each["bias"].to_numpy(), each["data"].to_numpy(dtype=str))


def cure(p: MeasuredParameters, run: Run) -> Regenerated:
    """Section 5's cure measured: bias of the best of a grid, of tuning per fold and of nested folds.

    Parameters
    ----------
    p : MeasuredParameters
    run : callable

    Returns
    -------
    Regenerated
        Rows: bias in points by data set and inducer, and over all; data ``biases`` and ``errors`` (means).

    Notes
    -----
    A sample is drawn from the data set, tuned on by cross-validation and judged on cases that it has not.
    The best of a grid and nested folds hand over the classifier of all cases with the setting that
    cross-validation likes best; tuning per fold hands over the folds' own classifiers.
    """
    results = _tuned(p, run)
    rows, lines = [], []
    for way in WAYS:
        differences = _differences(results, way)
        for (data, inducer), cell in differences.groupby(["data", "inducer"], sort=False):
            bias = accuracy.mean(cell["bias"].to_numpy())
            rows.append(Row(_READING, f"{data}/{inducer}", f"{way}/bias-percent", *bias))
            lines.append({"data": data, "inducer": inducer, "way": way, "bias": bias.value, "se": bias.se})
        every = _pooled(differences)
        rows.append(Row(_READING, "all", f"{way}/bias-percent", *every))
        lines.append({"data": "all", "inducer": "all", "way": way, "bias": every.value, "se": every.se})
    errors = results.groupby(["data", "inducer"], sort=False)[
        [f"{way}{end}" for way in WAYS for end in ("", "/held-out")]
    ].mean()
    pooled = {r.column.split("/")[0]: r for r in rows if r.row == "all"}
    nested, untuned = _differences(results, "nested"), _differences(results, "untuned")
    left = nested.assign(bias=nested["bias"] - untuned["bias"])
    return Regenerated(
        rows,
        data={"biases": pd.DataFrame(lines), "errors": (100 * errors).reset_index()},
        checks=_cure_checks(pooled, _pooled(left)),
        findings=[
            "Over all data sets and inducers, in points: "
            + ", ".join(f"{WAYS[w].lower()} {r.value:+.1f} ± {1.96 * r.se:.1f}" for w, r in pooled.items())
            + "."
        ],
    )


def _cure_checks(pooled: dict[str, Row], left: Measured) -> list[Check]:
    def said(way: str) -> str:
        return f"{pooled[way].value:+.2f} ± {1.96 * pooled[way].se:.2f} points"

    def low(way: str) -> bool:
        return pooled[way].value < -1.96 * pooled[way].se

    nested = pooled["nested"]
    return [
        Check(
            "Adapting the parameters to the accuracy on the test set causes an optimistic bias.",
            f"best of the grid, one choice for all folds: {said('best-of-grid')}",
            "holds" if low("best-of-grid") else "not decided",
        ),
        Check(
            "With parameters chosen in each fold, a highly over-ranked result can be achieved.",
            f"{said('per-fold')}, against {said('best-of-grid')} with one choice",
            "holds" if low("per-fold") and pooled["per-fold"].value < pooled["best-of-grid"].value else "not decided",
        ),
        Check(
            "Choosing the setting within each training part grants an unbiased estimate.",
            f"{said('nested')}; untuned, where only the smaller training sets count: {said('untuned')}",
            "holds" if abs(nested.value) <= 1.96 * nested.se else "fails" if low("nested") else "holds in part",
        ),
        Check(
            "What bias is left is that of cross-validation, not of tuning.",
            f"nested minus untuned, sample by sample: {left.value:+.2f} ± {1.96 * left.se:.2f} points",
            "holds" if abs(left.value) <= 1.96 * left.se else "fails",
        ),
    ]


def settings_tried(p: MeasuredParameters, run: Run) -> Regenerated:
    """Bias of the best of t settings as t grows, on one choice for all folds and on a choice in each fold.

    Parameters and result are those of :func:`cure`; rows are over all data sets and inducers, data
    ``curves`` by data set and inducer.

    Notes
    -----
    For each sample the expectation over all subsets of t settings of the grid is exact.  Beside it stands
    the calculator's scenario of t independent, equally good settings; its accuracy is one minus the mean
    error on held-out cases, and it starts from the measured bias of one setting.
    """
    results = _tuned(p, run)
    rows, lines = [], []
    drop: dict[str, Measured] = {}
    sizes = subset_sizes(max(len(GRIDS[i]()) for i in p.inducers))
    for way, setting in (("best-of-grid", "fixed"), ("per-fold", "per-fold")):
        start = _pooled(_differences(results, way, sizes[0])).value
        errors = results[f"{way}/held-out/tried={sizes[0]}"]
        for t in sizes:
            differences = _differences(results, way, t)
            cells = [("all", "all", _pooled(differences))]
            cells += [
                (str(data), str(inducer), accuracy.mean(cell["bias"].to_numpy()))
                for (data, inducer), cell in differences.groupby(["data", "inducer"], sort=False)
            ]
            bought = tuning_bias(
                p.cases // p.folds * p.folds,
                accuracy=1.0 - float(errors.mean()),
                classes=2,
                folds=p.folds,
                setting="fixed" if setting == "fixed" else "per-fold",
                trials=t,
            )["independent"].expected_bias
            for data, inducer, bias in cells:
                line = {"way": way, "tried": t, "data": data, "inducer": inducer, "bias": bias.value, "se": bias.se}
                lines.append({**line, "independent": start - 100 * bought if data == "all" else np.nan})
            rows.append(Row(_READING, f"tried={t}", f"{way}/bias-percent", *cells[0][2]))
        last, first = _differences(results, way, sizes[-1]), _differences(results, way, sizes[0])
        drop[way] = _pooled(last.assign(bias=last["bias"] - first["bias"]))
    table = pd.DataFrame(lines)
    whole = table[(table.data == "all") & (table.tried == sizes[-1])]
    at_most = {str(r["way"]): (float(r["bias"]), float(r["independent"])) for r in whole.to_dict("records")}
    return Regenerated(
        rows,
        data={"curves": table},
        checks=[
            Check(
                f"The bias grows with the number of settings that are tried. [{WAYS[way].lower()}]",
                f"from 1 to {sizes[-1]} settings it moves by {m.value:+.2f} ± {1.96 * m.se:.2f} points",
                "holds" if m.value < -1.96 * m.se else "not decided",
            )
            for way, m in drop.items()
        ],
        findings=[
            f"{WAYS[way]}: {sizes[-1]} real settings move the bias to {real:+.1f} points, where as many independent "
            f"and equally good ones would move it to {independent:+.1f}. Real settings resemble one another, and not "
            "all are equally good."
            for way, (real, independent) in at_most.items()
        ],
    )
