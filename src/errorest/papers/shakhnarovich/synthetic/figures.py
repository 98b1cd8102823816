"""Figures of Shakhnarovich, El-Yaniv & Baram (2001): tables of estimators, the best new against the best old.

:func:`draw_estimators` serves Tables 8 to 15.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from scipy.special import ndtr

from errorest.evidence.regenerated import Made, Regenerated, at_largest
from errorest.evidence.verdicts import read_published
from errorest.papers.shakhnarovich.corrected.artifacts import COMPARED
from errorest.papers.shakhnarovich.named import ESTIMATORS, TRUE_ERROR, symbol_of, title_of
from errorest.papers.shakhnarovich.reused import artifacts as reused
from errorest.papers.shakhnarovich.synthetic.artifacts import SyntheticParameters
from errorest.plots import (
    BLACK,
    BLUE,
    COLOURS,
    GREEN,
    GREY,
    ORANGE,
    PUBLISHED,
    PURPLE,
    VERMILION,
    Drawn,
    in_style,
    legend_below,
    new_figure,
    note,
    panel_title,
)
from errorest.streams import Streams

__all__ = ["draw_corrected", "draw_estimators", "draw_reused", "draw_table_2"]

_SMALL: dict[str, Any] = {**PUBLISHED, "markersize": 5}
_MARKERS = ("o", "s", "^", "v")


def _numbers(published: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return the printed numbers of an artifact by row and column; labels and sentinels are left out."""
    kept = published[published["kind"].isin(["result", "data"])] if len(published) else published
    return {(str(r["row"]), str(r["column"])): float(str(r["value"])) for r in kept.to_dict("records")}


def _nothing(result: Regenerated) -> Drawn:
    """Draw that there is nothing to draw, for a reader who left the setting out."""
    figure, grid = new_figure(1, 1, 1.0)
    grid[0, 0].set_axis_off()
    text = " ".join(result.findings) or "Nothing was run."
    note(grid[0, 0], 0.0, 0.5, text)
    return Drawn(figure, text, text)


@in_style
def draw_estimators(p: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the RMSE of every estimator, a panel a classifier, with the printed values.

    Reads data ``estimators`` of
    :func:`~errorest.papers.shakhnarovich.table_of_estimators.table_frame`.
    """
    scale, result = at_largest(made)
    if "estimators" not in result.data:
        return _nothing(result)
    table = result.data["estimators"]
    printed = _numbers(published)
    panels = list(dict.fromkeys(table["row"]))
    shown = [e for e in ESTIMATORS if e in set(table["estimator"])]
    cols = min(2, len(panels))
    rows = -(-len(panels) // cols)
    figure, grid = new_figure(rows, cols, 1.0 + rows * (0.7 + 0.235 * len(shown)), sharey=True)
    readings: dict[str, int] = {}
    said = []
    for place, axes in enumerate(grid.ravel()):
        if place >= len(panels):
            axes.set_visible(False)
            continue
        row = panels[place]
        own = table[table["row"] == row]
        for number, key in enumerate(dict.fromkeys(own["classifier"])):
            part = own[own["classifier"] == key].set_index("estimator")
            part = part.loc[[e for e in shown if e in part.index]]
            y = np.array([shown.index(e) for e in part.index]) + 0.22 * number
            look = {"color": COLOURS[number], "fmt": _MARKERS[number], "markersize": 4, "elinewidth": 1}
            axes.errorbar(part["rmse"], y, xerr=1.96 * part["rmse_se"], **look)
            readings.setdefault(key, number)
            best = part["rmse"].idxmin()
            said.append(f"{_classifier(key)} {symbol_of(str(best))} {part['rmse'].min():.4f}")
        for y_of, name in enumerate(shown):
            if (f"{row}/{name}", "rmse") in printed:
                axes.plot([printed[f"{row}/{name}", "rmse"]], [y_of], zorder=4, **_SMALL)
        axes.set_ylim(len(shown) - 0.4, -0.7)
        axes.set_yticks(range(len(shown)), [symbol_of(e) for e in shown])
        axes.set_xlim(0, None)
        axes.grid(axis="x")
        panel_title(axes, "abcd"[place] if len(panels) > 1 else "", title_of(row))
        if place + cols >= len(panels):
            axes.set_xlabel("RMSE (proportion)")
    handles: list[Any] = [Line2D([], [], color=BLUE, marker="o", linestyle="none", markersize=4)]
    labels = ["ours"]
    if len(set(readings.values())) > 1:
        handles.append(Line2D([], [], color=VERMILION, marker="s", linestyle="none", markersize=4))
        labels.append(" and ".join(_classifier(k) for k, v in readings.items() if v == 1))
    if printed:
        handles.append(Line2D([], [], **_SMALL))
        labels.append("printed")
    legend_below(figure, handles, labels)
    trials = int(table["n"].max())
    against = " Open diamonds: printed." if printed else ""
    return Drawn(
        figure,
        f"Root mean square error of each estimator, a panel for each classifier. Smallest: {'; '.join(said)}.",
        f"RMSE of each estimator over {trials} trials ({scale} scale), with 95 % intervals; further left is better. "
        f"A star marks estimators on clones; .632+ as the paper computes it.{against} Smallest: {'; '.join(said)}.",
    )


def _classifier(key: str) -> str:
    row, _, settings = key.partition("@")
    return title_of(row) + (f", {settings}" if settings and row == "ldf" else "")


@in_style
def draw_table_2(p: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the RMSE of the best new and the best old estimator of each case, and recompute the printed tests.

    Reads data ``contests``; the numbers of trials are its column ``n``.
    """
    scale, result = at_largest(made)
    table = result.data["contests"].drop_duplicates("row").reset_index(drop=True)
    printed = _numbers(published)
    cases = list(table["row"])
    y = np.arange(len(cases))
    figure, grid = new_figure(1, 1, 1.6 + 0.43 * len(cases))
    axes = grid[0, 0]
    for side, colour, marker, shift in (("new", GREEN, "o", -0.12), ("old", VERMILION, "s", 0.12)):
        look = {"color": colour, "fmt": marker, "markersize": 5, "elinewidth": 1}
        axes.errorbar(table[f"{side}_rmse"], y + shift, xerr=1.96 * table[f"{side}_rmse_se"], **look)
        for at, row in enumerate(cases):
            if (row, f"{side}-rmse") in printed:
                mark = {**_SMALL, "markeredgecolor": colour}
                axes.plot([printed[row, f"{side}-rmse"]], [at + shift], zorder=4, **mark)
    texts = [
        f"{_case(row)}\n{symbol_of(new)} / {symbol_of(old)}"
        for row, new, old in zip(table["row"], table["new"], table["old"], strict=True)
    ]
    axes.set_yticks(y, texts)
    axes.set_ylim(len(cases) - 0.4, -0.6)
    axes.set_xlim(0, None)
    axes.grid(axis="x")
    axes.set_xlabel("RMSE (proportion)")
    handles: list[Any] = [
        Line2D([], [], color=c, marker=m, linestyle="none", markersize=5) for c, m in ((GREEN, "o"), (VERMILION, "s"))
    ]
    labels = ["best new", "best old"]
    if printed:
        handles.append(Line2D([], [], **_SMALL))
        labels.append("printed")
    legend_below(figure, handles, labels)
    better = table[table["alpha"] <= 0.01]
    ratios = (table["new_rmse"] / table["old_rmse"]).to_numpy()
    number = f"{len(better)} of {len(table)} cases"
    return Drawn(
        figure,
        "RMSE of the best new and the best old estimator of each case. "
        f"The new one's is {ratios.min():.2f} to {ratios.max():.2f} times the old one's; p at most .01 in {number}.",
        f"RMSE of the best new and the best old estimator in each case ({scale} scale), with 95 % intervals that count "
        f"the choice; their names stand at the left, new before old. The paired test gives p at most .01 in {number}."
        + _recomputed(table, published),
    )


def _case(row: str) -> str:
    place, _, classifier = row.partition("/")
    return f"{place}, {title_of(classifier)}"


def _recomputed(table: pd.DataFrame, published: pd.DataFrame) -> str:
    """Check each printed line against itself: its sign, and the p-value that follows from its numbers."""
    texts = {(str(r["row"]), str(r["column"])): str(r["value"]) for r in published.to_dict("records")}
    signs, alphas, larger = [], [], []
    for row, n in zip(table["row"], table["n"], strict=True):
        if (row, "alpha") not in texts:
            continue
        root, sigma, alpha = (texts[row, c] for c in ("sqrt-mu-d", "sigma-d", "alpha"))
        gap = float(texts[row, "old-rmse"]) ** 2 - float(texts[row, "new-rmse"]) ** 2
        if gap * float(root) < 0:
            signs.append(_case(row))
        low, follows, high = (_p_value(root, sigma, int(n), digits) for digits in (0.5, 0.0, -0.5))
        if not (low <= _rounded(alpha, 0.5) and _rounded(alpha, -0.5) <= high):
            alphas.append(f"{_case(row)} (prints {alpha}, {follows:.2g} follows)")
        if float(alpha) > 0.01:
            larger.append(_case(row))
    if not texts:
        return ""
    return (
        " Open diamonds: printed. The print against itself: the sign of √μ_d contradicts the two RMSEs in "
        f"{'; '.join(signs) or 'no line'}; even with all rounding allowed for and whatever the sign, another p follows "
        f"from μ_d, σ_d and the number of trials in {'; '.join(alphas) or 'no line'}; the printed p is over .01 in "
        f"{len(larger)} lines ({'; '.join(larger) or 'none'})."
    )


def _rounded(text: str, digits: float) -> float:
    """Move a printed number by a part of its last digit; a power of ten by a power of ten."""
    if "e" in text:
        return float(text) * 10 ** (2 * digits)
    _, _, decimals = text.partition(".")
    return max(float(text) + digits * 10.0 ** -len(decimals), 0.0)


def _p_value(root: str, sigma: str, n: int, digits: float) -> float:
    """Return the one-sided p that follows from a printed line, its numbers moved towards a smaller p."""
    deviation = _rounded(sigma, -min(digits, 0.49) if "e" not in sigma else 0.0)
    mu = _rounded(root.lstrip("-"), digits) ** 2
    return float(ndtr(-mu / (deviation / sqrt(n)))) if deviation > 0 else 0.0


_PLUS_LOOKS = {
    "bootstrap-632plus": (GREY, "o"),
    "bootstrap-632plus-correct": (BLACK, "s"),
    "cloned-632plus": (ORANGE, "o"),
    "cloned-632plus-correct": (VERMILION, "s"),
    "cloned-loo": (BLUE, "^"),
    "cloned-bscv-5": (PURPLE, "v"),
}


@in_style
def draw_corrected(p: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the RMSE of both forms of the .632+, plain and on clones, beside BS(1)* and BSCVx5*, by case."""
    scale, result = at_largest(made)
    table = result.data["corrected"]
    cases = list(dict.fromkeys(table["row"]))
    shown = [e for e in COMPARED if e in _PLUS_LOOKS]
    figure, grid = new_figure(1, 1, 1.6 + 0.3 * len(cases))
    axes = grid[0, 0]
    for number, name in enumerate(shown):
        own = table[table["estimator"] == name].set_index("row")
        colour, marker = _PLUS_LOOKS[name]
        at = np.array([cases.index(c) for c in own.index]) + 0.1 * (number - (len(shown) - 1) / 2)
        look = {"color": colour, "fmt": marker, "markersize": 4.5, "elinewidth": 0.8}
        axes.errorbar(own["rmse"], at, xerr=own["rmse_se"], **look)
    axes.set_yticks(range(len(cases)), [_case(c) for c in cases])
    axes.set_ylim(len(cases) - 0.4, -0.6)
    axes.set_xlim(0, None)
    axes.grid(axis="x")
    axes.set_xlabel("RMSE (proportion)")
    handles = [
        Line2D([], [], color=_PLUS_LOOKS[e][0], marker=_PLUS_LOOKS[e][1], linestyle="none", markersize=5) for e in shown
    ]
    legend_below(figure, handles, [symbol_of(e) for e in shown])
    means = table[table["estimator"].isin(shown)].groupby("estimator")["rmse"].mean()
    told = ", ".join(f"{symbol_of(e)} {means[e]:.4f}" for e in shown)
    return Drawn(
        figure,
        f"RMSE by case of .632+ in both forms, plain and on clones, of BS(1)* and BSCV×5*. Averages: {told}.",
        "RMSE of each case, with one standard error; circles: .632+ as the paper computes it, squares: as Efron and "
        f"Tibshirani define it (E&T). {scale.capitalize()} scale. Average over the cases: {told}.",
    )


_SIZES = (2, 3, 4, 5, 6, 8, 10, 15, 25, 50)
_GROUP = 5


@in_style
def draw_reused(p: SyntheticParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the evidence on how many training samples lie behind the printed Table 12, and a group that fits."""
    scale, result = at_largest(made)
    if "trials" not in result.data:
        return _nothing(result)
    trials = result.data["trials"]
    printed = _printed_table(made)
    pairs = {
        f"{str(key[0]).partition('@')[0]}/{key[1]}": (own["estimate"].to_numpy(), own["truth"].to_numpy())
        for key, own in trials.groupby(["classifier", "estimator"], sort=False)
        if "total-covariance" not in str(key[0])
    }
    names = [c for c in ("1-nn", "3-nn") if f"{c}/loo" in pairs and f"{c}/loo" in printed]
    if not names:
        return _draw_our_trials(pairs, scale)
    number = p.trials[p.settings.index(reused.SETTING)]
    evidence = reused.evidence_by_samples(
        {c: pairs[f"{c}/loo"] for c in names},
        {c: (printed[f"{c}/loo"], printed[f"{c}/{TRUE_ERROR}"]) for c in names},
        number,
        [s for s in _SIZES if s <= number],
        Streams(p.seed).generator("shakhnarovich-reused"),
    )
    chosen = {n: v for n, v in pairs.items() if n.partition("/")[0] in names}
    cases, shares = reused.group_that_fits(chosen, printed, _GROUP)
    figure, grid = new_figure(1, 1 + len(names), 5.6, width_ratios=[1.1] + [1.0] * len(names))
    _draw_evidence(grid[0, 0], evidence)
    for axes, c, letter in zip(grid[0, 1:], names, "bc", strict=False):
        _draw_group(axes, c, letter, pairs, printed, cases, shares)
    handles: list[Any] = [
        Line2D([], [], color=BLUE, marker="o", linestyle="none"),
        Line2D([], [], color=VERMILION, marker="s", linestyle="none"),
        Line2D([], [], **_SMALL),
    ]
    legend_below(figure, handles, ["independent", "group chosen to fit", "printed"])
    best = ", ".join(str(s) for s, v in evidence.items() if v >= max(evidence.values()) - 1)
    told = ", ".join(f"{v:.0f} for {s}" for s, v in evidence.items())
    used = ", ".join(f"{100 * s:.0f} %" for s in shares if s > 0.005)
    return Drawn(
        figure,
        f"Log evidence by number of distinct training samples: {told}. Means by estimator of independent trials, of a "
        "group chosen to fit, and as printed.",
        f"(a) Log evidence of the printed means and standard deviations of Err and CV×n for {_list(names)}, if "
        f"{number} trials reuse so many training samples: {told}; it comes within 1 of its maximum for {best}. "
        "(b, c) Mean of each estimator. The red group is an illustration, chosen to fit: "
        f"{len(shares)} of our own trials used in shares of {used}. " + _contradictions(printed, names, number),
    )


def _list(names: list[str]) -> str:
    return " and ".join(title_of(n) for n in names)


def _printed_table(made: Made) -> dict[str, reused.Printed]:
    """Return Table 12 as printed, by ``<classifier>/<estimator>``; nothing for a reader's own parameters."""
    if "published" not in made:
        return {}
    table = read_published("shakhnarovich")
    table = table[(table["artifact"] == "shakhnarovich-table-12") & (table["kind"] == "result")]
    wide = table.assign(value=table["value"].astype(float)).pivot_table(index="row", columns="column", values="value")
    return {
        str(row): reused.Printed(*v)
        for row, v in zip(wide.index, wide[["mean", "std", "rmse"]].to_numpy(), strict=True)
    }


def _contradictions(printed: Mapping[str, reused.Printed], names: list[str], number: int) -> str:
    """Say how far the almost unbiased estimate lies off, and what correlations the printed numbers imply."""
    texts = []
    for c in names:
        truth = _exact_mean(printed, c, number)
        z = reused.unbiased_z(printed[f"{c}/loo"], truth, number)
        implied = [
            reused.implied_correlation(printed[f"{c}/{e}"], truth, number)
            for e in ESTIMATORS
            if f"{c}/{e}" in printed and e != "resubstitution"
        ]
        texts.append(
            f"{title_of(c)} CV×n {z:.0f} standard errors from Err, correlations with Err {np.nanmedian(implied):.2f} "
            "(median of the estimators)"
        )
    return f"What the printed numbers imply, were the trials independent: {'; '.join(texts)}."


def _exact_mean(printed: Mapping[str, reused.Printed], classifier: str, number: int) -> reused.Printed:
    """Return the printed true error, its mean to one more digit where resubstitution is always 0.

    Then the RMSE of resubstitution is the root mean square of the true error itself.
    """
    truth, apparent = printed[f"{classifier}/{TRUE_ERROR}"], printed[f"{classifier}/resubstitution"]
    if apparent.mean or apparent.std:
        return truth
    mean = sqrt(max(apparent.rmse**2 - truth.std**2 * (number - 1) / number, 0.0))
    return truth._replace(mean=mean)


def _draw_evidence(axes: Axes, evidence: Mapping[int, float]) -> None:
    sizes = list(evidence)
    axes.plot(range(len(sizes)), [evidence[s] for s in sizes], color=BLUE, marker="o")
    axes.set_xticks(
        range(len(sizes)), [str(s) if place % 2 == 0 or s == sizes[-1] else "" for place, s in enumerate(sizes)]
    )
    axes.set_xlabel("distinct samples")
    axes.set_ylabel("log evidence")
    panel_title(axes, "a", "how many samples")


def _draw_group(
    axes: Axes,
    classifier: str,
    letter: str,
    pairs: Mapping[str, tuple[np.ndarray, np.ndarray]],
    printed: Mapping[str, reused.Printed],
    cases: np.ndarray,
    shares: np.ndarray,
) -> None:
    shown = [e for e in (TRUE_ERROR, *ESTIMATORS) if f"{classifier}/{e}" in pairs and f"{classifier}/{e}" in printed]
    for y, name in enumerate(shown):
        values = pairs[f"{classifier}/{name}"][0]
        axes.errorbar(
            values.mean(), y, xerr=1.96 * values.std(ddof=1) / sqrt(values.size), color=BLUE, fmt="o", markersize=4
        )
        axes.plot([float(values[cases] @ shares)], [y], color=VERMILION, marker="s", linestyle="none", markersize=4)
        axes.plot([printed[f"{classifier}/{name}"].mean], [y], zorder=4, **_SMALL)
    axes.set_yticks(range(len(shown)), [symbol_of(e) for e in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlim(0, None)
    axes.grid(axis="x")
    axes.set_xlabel("mean")
    panel_title(axes, letter, title_of(classifier))


def _draw_our_trials(pairs: Mapping[str, tuple[np.ndarray, np.ndarray]], scale: str) -> Drawn:
    """Draw leave-one-out against the true error of our trials, where nothing printed stands beside them."""
    names = [n for n in pairs if n.endswith("/loo")]
    figure, grid = new_figure(1, 1, 3.6)
    said = []
    for number, name in enumerate(names):
        values, truth = pairs[name]
        row = name.partition("/")[0]
        grid[0, 0].plot(truth, values, linestyle="none", marker=_MARKERS[number % 4], color=COLOURS[number % 6])
        said.append(f"{title_of(row)} {truth.mean():.3f} and {values.mean():.3f}")
    grid[0, 0].set_xlabel("true error (proportion)")
    grid[0, 0].set_ylabel("CV×n (proportion)")
    handles = [
        Line2D([], [], linestyle="none", marker=_MARKERS[i % 4], color=COLOURS[i % 6]) for i in range(len(names))
    ]
    legend_below(figure, handles, [title_of(n.partition("/")[0]) for n in names])
    means = "; ".join(said)
    text = f"Leave-one-out against the true error of each trial ({scale} scale). Means, true error first: {means}."
    return Drawn(figure, text, text)
