"""Pictures of a reader's own data: the classes, every estimate with its interval, the truth, what tuning buys.

Names and numbers come from the data at hand; nothing is drawn that a file of another kind could not fill.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence.names import COMMON
from compendium.evidence.records import dicts
from compendium.evidence.results import ResultsByScale
from compendium.guide.own.experiment import SEEN, OwnDataParameters
from compendium.guide.own.luck import SCENARIOS
from errorest import plots
from errorest.inducers.named import last_name
from errorest.plots import BLACK, BLUE, FONT_SIZE, GREEN, GREY, SKY, VERMILION
from errorest.plots.annotations import SHARE_OF_HEIGHT, annotate_offset

__all__ = ["draw_classes", "draw_comparison", "draw_estimates", "draw_held_back", "draw_tuning"]

_MOST_CLASSES = 12
_LONGEST = 24
_NAMED = {"632+": ".632+, influence", "kohavi": "CV, equation 3"}
_WAYS: dict[str, tuple[str, Any]] = {
    SCENARIOS["independent"]: (BLUE, "-"),
    SCENARIOS["greedy"]: (VERMILION, "-"),
    SCENARIOS["listed"]: (BLUE, (0, (4, 2))),
    SCENARIOS["adaptive"]: (GREY, (0, (1, 1.5))),
}


def _span(axes: Axes, low: float, high: float, level: float, colour: str, width: float = 3.2, ends: float = 12) -> None:
    """Draw an interval as a bar with ends; nothing where it has no limits."""
    if _there(low):
        axes.plot([low, high], [level, level], color=colour, linewidth=width)
        axes.plot([low, high], [level, level], "|", color=colour, markersize=ends)


def _there(value: float) -> bool:
    return bool(np.isfinite(value))


def _short(text: str) -> str:
    """Cut a name so that the picture keeps its width, and write it as it stands."""
    return plots.plain(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")


@plots.in_style
def draw_classes(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the cases of each class, those taken and those held back."""
    table = made.published.data["classes"].sort_values("in the file", ascending=False, kind="stable")
    shown = dicts(table.head(_MOST_CLASSES))
    figure, grid = plots.new_figure(height=1.0 + 0.34 * len(shown))
    axes = grid[0, 0]
    for place, one in enumerate(shown):
        rest = one["in the file"] - one["taken"]
        axes.barh(place, one["taken"], color=BLUE, height=0.62)
        axes.barh(place, rest, left=one["taken"], color=SKY, height=0.62, alpha=0.45)
        told = f" {one['taken']:,}" + (f" taken, {rest:,} held back" if rest else "")
        axes.text(one["in the file"], place, told, va="center", fontsize=FONT_SIZE - 1)
    axes.set_yticks(range(len(shown)), [_short(str(one["class"])) for one in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlim(0, 1.42 * max(one["in the file"] for one in shown))
    axes.set_xlabel("Cases")
    more = f" The {_MOST_CLASSES} largest of {len(table)} classes are shown." if len(table) > len(shown) else ""
    return plots.Drawn(
        figure,
        f"Bars of cases for {len(shown)} classes. Data in the table below.",
        f"Cases of each class: dark, those taken; light, those held back, if any.{more}",
    )


def _line_at(axes: Axes, x: float, text: str, colour: str, style: Any = "-", lift: float = 3) -> None:
    """Draw a vertical line with its name above the panel, so many points up."""
    axes.axvline(x, color=colour, linestyle=style, linewidth=1.5, zorder=1)
    look: dict[str, Any] = {"ha": "left" if x < np.mean(axes.get_xlim()) else "right", "va": "bottom"}
    annotate_offset(axes, text, (x, 1), (0, lift), colour, fontsize=FONT_SIZE - 1, **look, **SHARE_OF_HEIGHT)


def _way(name: str) -> str:
    """Write the id of an estimator or an interval as words."""
    return _NAMED.get(name) or (COMMON[name].sentence if name in COMMON else name.replace("-", " "))


@plots.in_style
def draw_estimates(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw every estimate with its interval; the chosen one stands out, on top, and what has no interval is apart."""
    data = made.published.data
    table, truth = dicts(data["estimates"]), list(data["truth"]["classifier"])
    ranked = sorted(table, key=lambda r: (not r["chosen"], not _there(r["low"]), r["name"] in SEEN))
    bare = [r for r in ranked if not r["chosen"] and not _there(r["low"])]
    places = [k + (1.2 if one in bare else 0.0) for k, one in enumerate(ranked)]
    figure, grid = plots.new_figure(height=1.6 + 0.235 * (len(ranked) + bool(bare)))
    axes = grid[0, 0]
    for place, one in zip(places, ranked, strict=True):
        colour = BLUE if one["chosen"] else GREY if one["name"] in SEEN else BLACK
        _span(axes, one["low"], one["high"], place, colour, 3.2 if one["chosen"] else 1.4, ends=8)
        face = "white" if one["name"] in SEEN else colour
        look: dict[str, Any] = {"color": colour, "markerfacecolor": face, "clip_on": False}
        axes.plot(one["error"], place, "o", markersize=7 if one["chosen"] else 4.5, **look)
        ends = [one[k] for k in ("error", "high") if _there(one[k])]
        weight = "bold" if one["chosen"] else "normal"
        text: dict[str, Any] = {
            "va": "center",
            "color": plots.ink(colour),
            "fontsize": FONT_SIZE - 1,
            "fontweight": weight,
        }
        at = (max(ends), place)
        axes.annotate(f"{one['error']:.1f}", at, xytext=(7, 0), textcoords="offset points", **text)
    names = [_way(str(r["name"])) + " (chosen)" * r["chosen"] for r in ranked]
    axes.set_yticks(places, names)
    for tick, one in zip(axes.get_yticklabels(), ranked, strict=True):
        tick.set_color(plots.ink(BLUE if one["chosen"] else GREY if one["name"] in SEEN else BLACK))
    axes.set_ylim(max(places) + 0.6, -0.7)
    most = max(v for r in ranked for v in (r["error"], r["high"], *truth) if _there(v))
    axes.set_xlim(min(0.0, *(r["error"] for r in ranked)), 1.17 * max(most, 1.0))
    axes.set_xlabel("Error rate (%)")
    axes.grid(axis="x")
    if bare:
        plots.note(
            axes, axes.get_xlim()[1], places[ranked.index(bare[0])] - 1.0, "without an interval", GREY, ha="right"
        )
    for value in truth:
        _line_at(axes, value, f"on the cases held back {value:.1f} %", VERMILION)
    one = ranked[0]
    between = f", from {one['low']:.1f} to {one['high']:.1f} %" if _there(one["low"]) else ""
    held = " The upright line: the error of this classifier on the cases held back." if truth else ""
    return plots.Drawn(
        figure,
        f"Dots with bars for {len(ranked)} estimates of one error rate, the chosen one on top ({one['error']:.1f} "
        f"%{between}); data in the table below.",
        f"Estimates of the error rate on the same cases, with their {100 * p.confidence:g} % intervals where they "
        "have one; those without stand apart, at the foot. Blue, on top: what was asked for. Open circles in grey: "
        "tested on cases that were trained on, and so as a rule too low. An interval's name stands for the estimate "
        f"that it surrounds.{held}",
    )


@plots.in_style
def draw_comparison(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the differences from the rivals with their intervals, and those on the cases held back."""
    table = dicts(made.published.data["differences"])
    figure, grid = plots.new_figure(height=1.5 + 0.55 * len(table))
    axes = grid[0, 0]
    axes.axvline(0, color=GREY, linestyle="--", linewidth=1.2)
    said = []
    for place, one in enumerate(table):
        _span(axes, one["low"], one["high"], place, BLUE, 3)
        axes.plot(one["difference"], place, "o", color=BLUE, markersize=8)
        told = f"{one['rival']} {one['difference']:.1f} points ({one['low']:.1f} to {one['high']:.1f})"
        if _there(one["rest"]):
            axes.plot(one["rest"], place, "D", color=VERMILION, markersize=8, markerfacecolor="white")
            told += f", on the cases held back {one['rest']:.1f}"
        said.append(told)
    axes.set_yticks(range(len(table)), [f"against\n{_short(last_name(str(r['rival'])))}" for r in table])
    axes.set_ylim(len(table) - 0.4, -0.6)
    axes.set_xlabel("Error rate less that of the other (percentage points)")
    axes.grid(axis="x")
    held = any(_there(r["rest"]) for r in table)
    return plots.Drawn(
        figure,
        f"Differences in error rate between {p.inducer} and others. {'; '.join(said)}.",
        f"Left of the dashed line `{p.inducer.replace('`', '')}` errs less. Dots and bars: mean difference on shared "
        f"splits with its {100 * p.confidence:g} % interval (corrected resampled t)."
        + (" Open diamonds: the difference on the cases held back." if held else ""),
    )


@plots.in_style
def draw_held_back(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the interval over the errors of classifiers of as many cases, with the truth as lines."""
    data = made.published.data
    truth, errors = dicts(data["truth"])[0], data["draws"]["error"].to_numpy()
    figure, grid = plots.new_figure(height=3.0 if errors.size else 1.6)
    axes = grid[0, 0]
    level = -0.18 if errors.size else 0.5
    shown = [truth["estimate"], *(truth[k] for k in ("low", "high") if _there(truth[k])), *errors]
    if errors.size:
        shown += [truth["classifier"], truth["procedure"]]
    low, high = min(0.0, *shown), 1.08 * max(1.0, *shown)
    axes.set_xlim(low, high)
    if errors.size:
        counts, edges = np.histogram(errors, bins=min(30, max(5, int(np.sqrt(errors.size) * 2))))
        axes.bar(edges[:-1], counts / counts.max(), np.diff(edges), align="edge", color=SKY, alpha=0.45, zorder=0)
        _line_at(axes, truth["classifier"], f"this classifier {truth['classifier']:.1f} %", VERMILION)
        told = f"mean of such classifiers {truth['procedure']:.1f} %"
        _line_at(axes, truth["procedure"], told, GREEN, (0, (4, 2)), lift=18)
    _span(axes, truth["low"], truth["high"], level, BLUE)
    axes.plot(truth["estimate"], level, "o", color=BLUE, markersize=8)
    axes.set_ylim((-0.42, 1.06) if errors.size else (0, 1))
    axes.set_yticks([level], ["estimate"])
    axes.set_xlabel("Error rate (%)")
    between = f" with the interval {truth['low']:.1f} to {truth['high']:.1f} %" if _there(truth["low"]) else ""
    alt = f"The estimate {truth['estimate']:.1f} %{between}."
    if not errors.size:
        return plots.Drawn(
            figure, f"{alt} Nothing was held back.", "The estimate alone: no case was held back to test it on."
        )
    alt += (
        f" Lines at {truth['classifier']:.1f} % (this classifier on the cases held back) and "
        f"{truth['procedure']:.1f} % (mean of {errors.size} such classifiers) over bars of their errors."
    )
    return plots.Drawn(
        figure,
        alt,
        f"Dot with a bar (blue): estimate and {100 * p.confidence:g} % interval from the cases taken alone. "
        "Solid line: error of that "
        f"classifier on the cases held back. Bars: errors of {errors.size} classifiers, each made of as many cases "
        "drawn anew (heights count them); dashed line: their mean.",
    )


@plots.in_style
def draw_tuning(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the points that tuning buys from the error of one class on, against the settings tried."""
    data = made.published.data
    curve, gain = data["curve"], dicts(data["gain"])[0]
    figure, grid = plots.new_figure(height=3.9)
    axes = grid[0, 0]
    top = 1.12 * max(gain["gain"], float(curve.loc[curve["way"] != list(_WAYS)[-1], "bought"].max()), 1.0)
    labels = []
    for way, (colour, style) in _WAYS.items():
        own = curve[curve["way"] == way]
        x, y = own["settings"].to_numpy(), np.minimum(own["bought"].to_numpy(), top)
        axes.plot(x, y, color=colour, linestyle=style)
        labels.append(plots.EndLabel(float(x[-1]), float(y[-1]), way.replace(" settings", "\nsettings"), colour))
    axes.set_xscale("log")
    axes.set_xlim(1, float(curve["settings"].max()))
    axes.set_ylim(0, top)
    axes.axvline(gain["settings"], color=GREY, linewidth=1, linestyle="--")
    if gain["gain"] > 0:
        axes.axhline(gain["gain"], color=BLACK, linewidth=1.2)
        told = f"the gain that is claimed: {gain['gain']:.1f} points"
        axes.annotate(told, (1.05, gain["gain"]), xytext=(0, 4), textcoords="offset points", fontsize=FONT_SIZE - 1)
    axes.set(xlabel="Settings tried on these cases", ylabel="Bought by tuning alone (points)")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.grid(axis="y")
    plots.label_ends(axes, labels)
    return plots.Drawn(
        figure,
        f"Rising lines of the points bought by tuning alone against the settings tried, on {gain['cases']} cases, and "
        f"a line at the gain claimed, {gain['gain']:.1f} points. Data in the table below.",
        f"How much better than always answering with one class the best setting looks on {gain['cases']:,} tested "
        "cases, on average, if no setting is better in truth. Dashed vertical line: the settings tried. Horizontal "
        "line: the gain of the classifier at hand. Bounds hold for every way of tuning.",
    )
