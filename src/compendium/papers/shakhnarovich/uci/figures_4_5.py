"""Figures 4 and 5: how likely an absolute error of more than epsilon is, for .632+ with and without cloning.

The density of the absolute errors is estimated with the paper's own boundary-corrected Epanechnikov kernel (errors are
not negative), and integrated to the probability that the error exceeds epsilon.  All errors are proportions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import NotRun, judge_claim
from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import rms
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, Row, Run
from compendium.methods.clones.bandwidths import plug_in_bandwidth
from compendium.papers.shakhnarovich.cases import STRATIFIED, to_zero
from compendium.papers.shakhnarovich.figures import PRINTED, numbers
from compendium.papers.shakhnarovich.kernel_functions import kernel_distribution, kernel_values
from compendium.papers.shakhnarovich.methods import PLUS
from compendium.papers.shakhnarovich.names import LABELS, case_title, symbol_of
from compendium.papers.shakhnarovich.uci.study import UciParameters, cases_of
from compendium.plots.panels import legend_of
from compendium.plots.picture import Drawing, Line
from errorest import plots
from errorest.plots import BLUE, GREY, VERMILION
from errorest.streams import Streams

_POINTS = 241
_NEARLY = 0.9
_RESAMPLED = 200
_PLAIN, _CLONED = PLUS
_LOOKS: Mapping[str, Line] = {
    _PLAIN: {"color": VERMILION, "linestyle": "--"},
    _CLONED: {"color": BLUE, "linestyle": "-"},
}


def density(values: np.ndarray, at: np.ndarray, bandwidth: float, low: float = -np.inf) -> np.ndarray:
    """Estimate a density with Epanechnikov kernels that are cut off at a boundary and scaled to area 1."""
    kernel = kernel_values((at[:, None] - values) / bandwidth) / bandwidth
    inside = 1.0 - kernel_distribution((low - values) / bandwidth)
    return np.where(at >= low, (kernel / inside).mean(axis=1), 0.0)


def tail(values: np.ndarray, at: np.ndarray, bandwidth: float, low: float = -np.inf) -> np.ndarray:
    """Integrate :func:`density` from each point on: the probability of a larger value."""
    if bandwidth == 0:
        return np.asarray((values > at[:, None]).mean(axis=1))
    inside = 1.0 - kernel_distribution((low - values) / bandwidth)
    beyond = 1.0 - kernel_distribution((np.maximum(at, low)[:, None] - values) / bandwidth)
    return np.asarray((beyond / inside).mean(axis=1))


def error_curves(errors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return a grid ``epsilon`` with ``<estimator>/density`` and ``<estimator>/tail`` of the absolute errors on it."""
    sizes = {name: np.abs(e) for name, e in errors.items()}
    widths = {name: float(plug_in_bandwidth(v)) if np.ptp(v) > 0 else 0.0 for name, v in sizes.items()}
    most = max(float(v.max()) + widths[name] for name, v in sizes.items())
    at = np.linspace(0.0, most if most > 0 else 1.0, _POINTS)
    curves = {"epsilon": at}
    for name, v in sizes.items():
        h = widths[name]
        curves[f"{name}/density"] = density(v, at, h, 0.0) if h > 0 else np.full(at.shape, np.nan)
        curves[f"{name}/tail"] = tail(v, at, h, 0.0)
    return curves


def crossing(epsilon: np.ndarray, first: np.ndarray, second: np.ndarray, least: float) -> float:
    """Return the epsilon beyond which one tail stays below another."""
    seen = np.maximum(first, second) >= least
    above = np.nonzero((first > second + 1e-12) & seen)[0]
    if above.size == 0:
        return 0.0
    last = int(above[-1])
    if last + 1 == epsilon.shape[0] or not seen[last + 1]:
        return float(epsilon[last])
    before, after = first[last] - second[last], second[last + 1] - first[last + 1]
    share = before / (before + after) if before + after > 0 else 0.0
    return float(epsilon[last] + share * (epsilon[last + 1] - epsilon[last]))


def _compare_tails(errors: Mapping[str, np.ndarray]) -> tuple[float, float]:
    """Return the last crossing, and the share of epsilons at which the estimator of smaller RMSE has no thicker tail.

    Epsilons at which there is no tail do not count.
    """
    curves = error_curves(errors)
    tails = {name: curves[f"{name}/tail"] for name in PLUS}
    at = crossing(curves["epsilon"], tails[_CLONED], tails[_PLAIN], 1 / len(errors[_PLAIN]))
    less, more = sorted(PLUS, key=lambda name: rms(errors[name]).value)
    seen = (tails[more] > 0) | (tails[less] > 0)
    return at, float(np.mean(tails[less][seen] <= tails[more][seen])) if seen.any() else nan


@plots.in_style
def draw_errors(p: UciParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing | None:
    """Draw errors, densities and tails of the .632+ with and without cloning, a column a case in its first reading."""
    scale, result = made.shown
    if not result.rows:
        return None
    forms = dict(result.data["curves"].groupby("case", sort=False)["reading"].first())
    every = parts(result.data["curves"], "case", "reading")
    curves = {(case, reading): every[case, reading] for case, reading in forms.items()}
    errors = parts(result.data["errors"], "case", "reading")
    crossings = {(r.row, r.reading): r for r in result.rows if r.column == "crossing-epsilon"}
    printed = numbers(published)
    figure, grid = plots.new_figure(3, len(curves), 7.4, sharex="row")
    reach = float(result.data["errors"]["error"].abs().max()) * 1.05
    bins = np.linspace(-reach, reach, 25).tolist()
    for place, ((case, reading), lines) in enumerate(curves.items()):
        top, middle, low = grid[:, place]
        single = errors[case, reading]
        for name, look in _LOOKS.items():
            values = single.loc[single["estimator"] == name, "error"].to_numpy()
            top.hist(values, bins=bins, histtype="step", density=True, linewidth=1.4, **look)
            middle.plot(lines["epsilon"], lines[f"{name}/density"], **look)
            low.plot(lines["epsilon"], lines[f"{name}/tail"], **look)
        top.axvline(0, color=GREY, linewidth=0.8)
        for axes, text in zip(grid[:, place], ("estimate minus true error", "absolute error ε", "ε"), strict=True):
            axes.set_xlabel(text)
        middle.set_ylim(0, None)
        low.set_ylim(0, 1)
        at, se = crossings[case, reading].value, crossings[case, reading].se
        low.axvspan(max(0.0, at - 1.96 * se), at + 1.96 * se, color=GREY, alpha=0.18, linewidth=0)
        low.axvline(at, color=GREY, linewidth=1)
        if (case, "crossing-epsilon") in printed:
            low.plot([printed[case, "crossing-epsilon"]], [0.02], clip_on=False, zorder=5, **PRINTED)
        plots.panel_title(top, "abcdefgh"[place], case_title(case))
    for row, text in enumerate(("density of the error", "density of ε", "probability of more than ε")):
        grid[row, 0].set_ylabel(text)
    looks = {symbol_of(name): look for name, look in _LOOKS.items()}
    legend_of(figure, looks | ({"printed crossing": PRINTED} if printed else {}))
    samples = "stratified" if all(STRATIFIED in reading for reading in forms.values()) else "uniform"
    return Drawing(figure, facts={"cases": "; ".join(map(case_title, forms)), "scale": scale, "samples": samples})


@artifact("shakhnarovich-figure-4", draw=draw_errors, labels=LABELS, wanted=("pima/svm-rbf", "vehicle/svm-rbf"))
@artifact("shakhnarovich-figure-5", draw=draw_errors, labels=LABELS, wanted=("pima/17-nn",))
def tails_of_errors(p: UciParameters, run: Run, *, wanted: Sequence[str]) -> ArtifactResult:
    """Figures 4 and 5: errors of the .632+ with and without cloning."""
    rows: list[Row] = []
    checks: list[Check] = []
    curves, singles = [], []
    for case in (form for one in cases_of(p, run) if one.row in wanted for form in (one, to_zero(one))):
        errors = {name: case.difference(name) for name in PLUS}
        at, share = _compare_tails(errors)
        # their standard errors by the bootstrap of trials
        rng = Streams(p.seed).child("tails", case.row).generator(case.reading)
        sampled = (rng.integers(0, case.n, case.n) for _ in range(_RESAMPLED))
        again = [_compare_tails({name: e[trials] for name, e in errors.items()}) for trials in sampled]
        at_se, share_se = float(np.std([a for a, _ in again])), float(np.nanstd([s for _, s in again]))
        rows.append(Row(case.reading, case.row, "crossing-epsilon", at, at_se, case.n))
        for name in PLUS:
            rows.append(Row.of(case.reading, case.row, f"{name}/bias", case.bias(name)))
            rows.append(Row.of(case.reading, case.row, f"{name}/rmse", case.rms(name)))
        of = {"case": case.row, "reading": case.reading}
        singles += [pd.DataFrame({**of, "estimator": name, "error": errors[name]}) for name in PLUS]
        made = error_curves(errors)
        curves.append(pd.DataFrame(made).assign(**of))
        label = f"share of epsilons at which the tail of {symbol_of(case.best_of(PLUS))} is no thicker"
        measured = Estimate(share, share_se, case.n).named(label, sign="")
        # Markov: a tail is at most rms^2 / epsilon^2
        reached = [
            np.max(made[f"{name}/tail"] * made["epsilon"] ** 2) / square
            for name in PLUS
            if (square := case.rms(name).value ** 2) > 0
        ]
        words = {"case": case.title, "form": case.reading, "bound": max(reached, default=0.0)}
        checks.append(judge_claim("shakhnarovich-figure-4", "bound", measured > _NEARLY, **words))
    if not curves:
        raise NotRun("none of this figure's cases is among the classifiers")
    return ArtifactResult(rows, {"curves": pd.concat(curves), "errors": pd.concat(singles)}, checks)
