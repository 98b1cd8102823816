"""On real data: is section 4's independence true, what does tuning on the test folds buy, does section 5's cure work?

Everything here is beyond the paper, which calculates and does not measure.  Biases are estimate minus
error on held-out data, in percentage points: below nought is optimistic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claim, judge_claims
from compendium.evidence.estimate import Estimate, plus_minus, signed
from compendium.evidence.records import distinct, each, matching, parts
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, Row, Run
from compendium.methods.tuning_bias import tuning_bias
from compendium.methods.tuning_bias.distributions import Setting
from compendium.papers.scheffer_herbrich.measured import experiment
from compendium.papers.scheffer_herbrich.names import DATA, INDUCERS, WAYS
from compendium.plots.panels import signed_ticks
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLACK, BLUE, COLOURS, GREEN, GREY, VERMILION

_DASHED: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2))}
_CHANCES: dict[str, dict[str, Any]] = {"equation": _DASHED, "coupled": {"color": BLUE}}
_WAYS = {"untuned": (GREY, "s"), "best-of-grid": (BLUE, "o"), "per-fold": (VERMILION, "^"), "nested": (GREEN, "D")}


def draw_independence(p: experiment.MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the chance of the gain over the labels told: two calculations and the optimizer on real classifiers."""
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
    for way, name in (("equation", "equation (17)"), ("coupled", "class-coupled")):
        picture.lines(table, "c", way, label=name, **_CHANCES[way])
    picture.scatter(table, "c", "measured", se="measured se", z=1.96, label="measured", color=VERMILION)
    picture.limits(ylim=(0, None))
    for axes in picture.axes.values():
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return picture.done()


def draw_cure(p: experiment.MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias of four ways to report a cross-validated error, by data set and inducer and over all."""
    table = made.published.data["biases"]
    of = pd.Series([(r.data, r.inducer) for r in each(table)], table.index)
    cells = {(d, i): "All" if d == "all" else f"{DATA[d]}, {INDUCERS[i]}" for d, i in of}
    picture = Picture(1.3 + 0.52 * len(cells), x="Estimate − error on held-out cases, points", y_levels=cells)
    picture.guide(x=0, color=BLACK, linewidth=0.9)
    looks = {way: {"color": colour, "marker": marker} for way, (colour, marker) in _WAYS.items()}
    how: dict[str, Any] = {"by": "way", "looks": looks, "names": lambda way: WAYS[way].heading, "dodge": 0.19}
    picture.scatter(table.assign(cell=of), "bias", "cell", x_se="se", z=1.96, **how, elinewidth=1.3)
    (axes,) = picture.axes.values()
    axes.axhline(len(cells) - 1.5, color=GREY, linewidth=0.9)
    axes.xaxis.set_major_formatter(signed_ticks())
    every = {r.way: r for r in each(matching(table, data="all"))}
    words = [f"{WAYS[way].heading} {every[way].bias:+.1f} ± {every[way].se:.1f}" for way in _WAYS]
    return picture.done(columns=4, biases="; ".join(words))


def draw_settings(p: experiment.MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias over the number of settings tried, with what independent settings would do."""
    curves = made.published.data["curves"]
    ways, attempted = distinct(curves["way"]), sorted(set(curves["tried"]))
    titles = {way: WAYS[way].heading for way in ways}
    picture = Picture(3.9, titles, "way", letters=True, x="Settings tried, t", y="Bias, points", sharey=True)
    picture.guide(y=0, linewidth=0.9)
    every = matching(curves, data="all")
    shade: dict[str, Any] = {"color": BLACK, "marker": "o", "linewidth": 2.2}
    picture.lines(every, "tried", "bias", se="se", z=1.96, band=True, label="all, measured", **shade)
    picture.lines(every, "tried", "independent", label="independent", **_DASHED)
    looks = dict(zip((i for i in INDUCERS if i in set(curves["inducer"])), COLOURS, strict=False))
    for data in distinct(curves["data"]):
        how: dict[str, Any] = {"by": "inducer", "looks": looks, "names": INDUCERS}
        picture.lines(matching(curves, data=data), "tried", "bias", **how, linewidth=0.9, alpha=0.7)
    for axes in picture.axes.values():
        axes.set_xscale("log", base=2)
        axes.set_xticks(attempted, [str(t) for t in attempted])
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(signed_ticks())
    return picture.done(columns=5)


_READING = "unstated:grids"
_ALL = ("all", "all")


@artifact("scheffer-herbrich-independence", draw=draw_independence)
def independence(p: experiment.MeasuredParameters, run: Run) -> ArtifactResult:
    """Section 4 on real classifiers: the equation, its class-coupled correction, and what the optimizer gains."""
    rows, lines, checks, findings = [], [], [], []
    for (data, inducer), cell in parts(run(experiment.coupling_study(p)), "data", "inducer").items():
        paper = experiment.SECTION_4[data].c
        name = f"{data}/{inducer}"
        for c in experiment.revealed_labels(p):
            results = {way: accuracy.mean(100 * cell[f"{way}/c={c}"].to_numpy()) for way in experiment.CALCULATED}
            values = {k: v for way, m in results.items() for k, v in ((way, m.value), (f"{way} se", m.se))}
            lines.append({"data": data, "inducer": inducer, "c": c, **values})
        chances = {way: accuracy.mean(100 * cell[f"{way}/c={paper}"].to_numpy()) for way in experiment.CALCULATED}
        hits = {which: accuracy.mean(100 * cell[f"hits/{which}"].to_numpy()) for which in ("default", "other")}
        # a share that never varied says nothing of its error
        rows += [
            Row(_READING, name, f"c={paper}/{way}-percent", m.value, m.se or np.nan, m.n) for way, m in chances.items()
        ]
        rows += [Row.of(_READING, name, f"hits-among-{which}-percent", rate) for which, rate in hits.items()]
        for way in AGREEMENT:
            checks += _agreement(data, inducer, cell, paper, way, p.experiments)
        findings.append(_success(data, inducer, chances, hits))
    return ArtifactResult(rows, {"chances": pd.DataFrame(lines)}, checks, findings)


# By the calculation: that it agrees with what the optimizer gains, to half of the chance
AGREEMENT = {
    way: Claims("scheffer-herbrich-independence", {way: lambda apart, chance: abs(apart) <= chance / 2})
    for way in ("equation", "coupled")
}


def _agreement(data: str, inducer: str, cell: pd.DataFrame, c: int, way: str, experiments: int) -> list[Check]:
    measured, calculated = cell[f"measured/c={c}"].to_numpy(), cell[f"{way}/c={c}"].to_numpy()
    off, chance = accuracy.mean(100 * (calculated - measured)), 100 * float(calculated.mean())
    # where the optimizer never succeeds its share has no scatter, though another run might succeed
    noise = 100 * float(np.sqrt(np.sum(calculated * (1 - calculated)) / experiments)) / len(cell)
    apart = replace(off, se=max(off.se, noise), label="the difference is", unit="points")
    words = {"chance": chance, "measured": 100 * measured.mean()}
    return judge_claims(AGREEMENT[way], apart, chance, reading=f"{DATA[data]}, {INDUCERS[inducer]}, c = {c}", **words)


def _success(data: str, inducer: str, chances: Mapping[str, Estimate], hits: Mapping[str, Estimate]) -> str:
    measured, equation = chances["measured"].value, chances["equation"].value
    ratio = f", {equation / measured:.1f} times as much" if measured else ""
    return (
        f"{DATA[data]}, {INDUCERS[inducer]}: right on {hits['default'].value:.0f} % of the default class and on "
        f"{hits['other'].value:.0f} % of the other. With c = {experiment.SECTION_4[data].c} the optimizer succeeds in "
        f"{measured:.2f} % of the runs; the equation "
        f"says {equation:.2f} %{ratio}."
    )


def _differences(results: pd.DataFrame, way: str, tried: int | None = None) -> pd.DataFrame:
    """Bias of every sample in points, with its data set and inducer."""
    end = "" if tried is None else f"/tried={tried}"
    bias = 100 * (results[f"{way}{end}"] - results[f"{way}/held-out{end}"])
    return results[["data", "inducer", "replicate"]].assign(bias=bias)


def _moved(last: pd.DataFrame, first: pd.DataFrame) -> Estimate:
    """Mean over all cells of what the bias differs by, sample by sample."""
    return _pooled(last.assign(bias=last["bias"] - first["bias"]))


def _pooled(differences: pd.DataFrame) -> Estimate:
    """Mean over all cells; inducers share their samples, so a sample's mean over them counts once."""
    each = differences.groupby(["data", "replicate"], sort=False)["bias"].mean().reset_index()
    return accuracy.mean(each["bias"].to_numpy(), each["data"].to_numpy(dtype=str)).named(unit="points")


def _biases(differences: pd.DataFrame) -> dict[tuple[str, str], Estimate]:
    """Mean bias over all, and by data set and inducer."""
    cells = parts(differences, "data", "inducer")
    return {_ALL: _pooled(differences), **{k: accuracy.mean(d["bias"].to_numpy()) for k, d in cells.items()}}


_ALMOST = 1.0  # Points within which an estimate counts as unbiased

CURE = Claims(
    "scheffer-herbrich-cure",
    {
        "unbiased": lambda bias, moved: abs(bias["untuned"].named("bias")) <= _ALMOST,
        "optimistic": lambda bias, moved: (
            bias["best-of-grid"].named("bias of the best of the grid, one choice for all folds") < 0
        ),
        "over-ranked": lambda bias, moved: [
            bias["per-fold"].named("bias") < 0,
            moved("per-fold", "best-of-grid").named("bias minus that with one choice for all folds") < 0,
        ],
        "nested": lambda bias, moved: abs(bias["nested"].named("bias of nested folds")) <= _ALMOST,
        "not-of-tuning": lambda bias, moved: (
            abs(moved("nested", "untuned").named("nested minus untuned, sample by sample")) <= _ALMOST
        ),
    },
)


@artifact("scheffer-herbrich-cure", draw=draw_cure)
def cure(p: experiment.MeasuredParameters, run: Run) -> ArtifactResult:
    """Section 5's cure measured: bias of the best of a grid, of tuning per fold and of nested folds."""
    results = run(experiment.tuning_study(p))
    rows, lines, pooled = [], [], {}
    for way in WAYS:
        result = _biases(_differences(results, way))
        pooled[way] = result.pop(_ALL)
        for (data, inducer), bias in (*result.items(), (_ALL, pooled[way])):
            name = "all" if (data, inducer) == _ALL else f"{data}/{inducer}"
            rows.append(Row.of(_READING, name, f"{way}/bias-percent", bias))
            lines.append({"data": data, "inducer": inducer, "way": way, "bias": bias.value, "se": bias.se})
    reported = [f"{way}{end}" for way in WAYS for end in ("", "/held-out")]
    errors = 100 * results.groupby(["data", "inducer"], sort=False)[reported].mean()
    text = ", ".join(f"{WAYS[way].sentence} {plus_minus(m)}" for way, m in pooled.items())

    def moved(way: str, other: str) -> Estimate:
        return _moved(_differences(results, way), _differences(results, other))

    return ArtifactResult(
        rows,
        {"biases": pd.DataFrame(lines), "errors": errors.reset_index()},
        judge_claims(CURE, pooled, moved, almost=_ALMOST),
        [f"Over all data sets and inducers, in points: {text}."],
    )


@artifact("scheffer-herbrich-settings", draw=draw_settings)
def settings_tried(p: experiment.MeasuredParameters, run: Run) -> ArtifactResult:
    """Bias of the best of t settings as t grows, on one choice for all folds and on a choice in each fold.

    Parameters and result are those of :func:`cure`; rows are over all data sets and inducers, data
    ``curves`` by data set and inducer.

    Notes
    -----
    For each sample the expectation over all subsets of t settings of the grid is exact.  Beside it stands
    the calculator's scenario of t independent, equally good settings; its accuracy is one minus the mean
    error on held-out cases, and it starts from the measured bias of one setting.
    """
    results = run(experiment.tuning_study(p))
    rows, lines, checks, findings = [], [], [], []
    sizes = experiment.subset_sizes(max(len(experiment.GRIDS[i]()) for i in p.inducers))
    settings: dict[str, Setting] = {"best-of-grid": "fixed", "per-fold": "per-fold"}
    for way, setting in settings.items():
        differences = {t: _differences(results, way, t) for t in sizes}
        start = _pooled(differences[1]).value
        for t in sizes:
            independent = start - 100 * _bought(p, results[f"{way}/held-out/tried=1"], setting, t)
            result = _biases(differences[t])
            for (data, inducer), m in result.items():
                line = {"way": way, "tried": t, "data": data, "inducer": inducer, "bias": m.value, "se": m.se}
                lines.append({**line, "independent": independent if data == "all" else np.nan})
            rows.append(Row.of(_READING, f"tried={t}", f"{way}/bias-percent", result[_ALL]))
        moved = _moved(differences[t], differences[1])
        grows = moved.named(f"from 1 to {t} settings it moves by") < 0
        checks.append(judge_claim("scheffer-herbrich-settings", "grows", grows, WAYS[way].sentence))
        findings.append(
            f"{WAYS[way].heading}: {t} real settings move the bias to {signed(result[_ALL].value)} points, where as "
            f"many independent and equally good ones would move it to {signed(independent)}."
        )
    return ArtifactResult(rows, {"curves": pd.DataFrame(lines)}, checks, findings)


def _bought(p: experiment.MeasuredParameters, errors: pd.Series, setting: Setting, trials: int) -> float:
    """Expected bias of so many independent, equally good settings whose error on held-out cases is given."""
    cases, truth = p.cases // p.folds * p.folds, 1.0 - float(errors.mean())
    answer = tuning_bias(cases, accuracy=truth, classes=2, folds=p.folds, setting=setting, trials=trials)
    return answer["independent"].expected_bias
