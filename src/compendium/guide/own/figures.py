"""Figures of a reader's own data: the classes, every estimate with its interval, the truth, what tuning gains.

Names and numbers come from the data at hand; nothing is drawn that a file of another kind could not fill.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.names import COMMON
from compendium.evidence.results import ResultsByScale
from compendium.guide.own.experiment import OwnDataParameters
from compendium.papers.own_code import last_name
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, BLUE, GREEN, GREY, SKY, VERMILION

# The calculator's scenarios, in words
SCENARIOS = {
    "independent": "best of independent settings",
    "greedy": "greedy optimizer",
    "listed": "bound, settings listed",
    "adaptive": "bound, settings chosen as one goes",
}

_MOST_CLASSES = 12
_LONGEST = 24
_NAMED = {"632+": ".632+, influence", "kohavi": "CV, equation 3"}
_DASHED: dict[str, Any] = {"linestyle": "--"}


def _short(text: Any) -> str:
    """Cut a name so that the figure keeps its width, and write it as it stands."""
    name = str(text)
    return plots.plain(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…")


def _method(name: str) -> str:
    """Write the id of an estimator or an interval as words."""
    return _NAMED.get(name) or (COMMON[name].sentence if name in COMMON else name.replace("-", " "))


def _ranges(picture: Picture, table: pd.DataFrame, place: str, colours: dict[Any, str]) -> None:
    """Draw an interval a row as a horizontal bar; nothing where it has no limits."""
    ends = pd.concat([table.assign(end=table[side]) for side in ("low", "high")]).dropna(subset=["end"])
    looks = {key: {"color": colour, "linewidth": 2, "marker": "|"} for key, colour in colours.items()}
    if len(ends):
        picture.lines(ends, "end", place, by=place, looks=looks, names=lambda _: "")


@plots.in_style
def draw_classes(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the cases of each class, those taken and those held back."""
    table = made.published.data["classes"].sort_values("in the file", ascending=False, kind="stable")
    table = table.head(_MOST_CLASSES).assign(**{"held back": lambda t: t["in the file"] - t["taken"]})
    cases = table.melt("class", ["taken", "held back"], "of", "cases")
    levels = {name: _short(name) for name in table["class"]}
    picture = Picture(1.2 + 0.34 * len(levels), x="cases", y_levels=levels)
    picture.bars(cases, "class", "cases", by="of", looks={"taken": BLUE, "held back": SKY}, stacked=True)
    return picture.done(most=_MOST_CLASSES)


@plots.in_style
def draw_estimates(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw every estimate with its interval; the chosen one on top, those without an interval at the foot."""
    table, truth = (made.published.data[name] for name in ("estimates", "truth"))
    table = table.assign(bare=table["low"].isna())
    table = table.sort_values(["chosen", "bare", "tested"], ascending=[False, True, True], kind="stable")
    colours = {"chosen": BLUE, "left out": BLACK, "trained on": GREY}
    levels = {r["name"]: _method(str(r["name"])) for r in table.to_dict("records")}
    picture = Picture(1.6 + 0.235 * len(levels), x="error rate (%)", y_levels=levels)
    _ranges(picture, table, "name", {r["name"]: colours[r["tested"]] for r in table.to_dict("records")})
    looks: dict[str, Any] = {key: {"color": colour} for key, colour in colours.items()}
    looks["chosen"]["markersize"] = 7
    looks["trained on"]["markerfacecolor"] = "white"
    words = {"chosen": "asked for", "left out": "tested on cases left out", "trained on": "tested on training cases"}
    picture.scatter(table, "error", "name", by="tested", looks=looks, names=words)
    legend = {}
    for value in truth["classifier"]:
        picture.guide(x=value, color=VERMILION, linewidth=1.5)
        legend["error on the cases held back"] = {"color": VERMILION}
    for axes in picture.axes.values():
        axes.grid(axis="x")
    return picture.done(legend=legend, columns=2, confidence_percent=f"{100 * p.confidence:g}")


@plots.in_style
def draw_comparison(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the differences from the rivals with their intervals, and those on the cases held back."""
    table = made.published.data["differences"]
    levels = {rival: f"against\n{_short(last_name(str(rival)))}" for rival in table["rival"]}
    picture = Picture(1.5 + 0.55 * len(table), x="error rate less that of the other (points)", y_levels=levels)
    picture.guide(x=0, linestyle="--")
    _ranges(picture, table, "rival", dict.fromkeys(levels, BLUE))
    picture.scatter(table, "difference", "rival", color=BLUE, markersize=8, label="estimate and interval")
    covered = table.dropna(subset=["held back"])
    if len(covered):
        look = {"color": VERMILION, "marker": "D", "markersize": 8, "markerfacecolor": "white"}
        picture.scatter(covered, "held back", "rival", label="on the cases held back", **look)
    return picture.done(confidence_percent=f"{100 * p.confidence:g}")


@plots.in_style
def draw_test_cases(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the interval under the errors of classifiers of as many cases, with the truth as lines."""
    truth, errors = made.published.data["truth"], made.published.data["draws"]["error"].to_numpy(dtype=float)
    picture = Picture(3.2, x="error rate (%)", y="classifiers" if errors.size else "")
    level, legend = 0.0, {}
    if errors.size:
        counts, edges = np.histogram(errors, bins=min(30, max(5, int(np.sqrt(errors.size) * 2))))
        level = -0.1 * float(counts.max())
        bins = pd.DataFrame({"left": edges[:-1], "right": edges[1:], "count": counts, "of": "such classifiers"})
        picture.histogram(bins, "left", "right", "count", by="of", looks={"such classifiers": SKY})
        looks: dict[str, tuple[str, dict[str, Any]]] = {
            "classifier": ("this classifier", {"color": VERMILION}),
            "procedure": ("mean of such classifiers", {"color": GREEN, **_DASHED}),
        }
        for name, (words, look) in looks.items():
            picture.guide(x=truth[name].iloc[0], linewidth=1.5, **look)
            legend[words] = look
    one = truth.assign(place=level)
    _ranges(picture, one, "place", {level: BLUE})
    picture.scatter(one, "estimate", "place", color=BLUE, markersize=8, label="estimate and interval")
    if not errors.size:
        picture.limits(yticks=[])
    return picture.done(legend=legend, confidence_percent=f"{100 * p.confidence:g}")


@plots.in_style
def draw_tuning(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the points that tuning gains by luck from the error of one class on, against the settings tried."""
    curve, gain = made.published.data["curve"], float(made.published.data["gain"]["gain"].iloc[0])
    top = 1.12 * max(gain, float(curve.loc[curve["way"] != "adaptive", "bought"].max()), 1.0)
    looks = {
        "independent": {"color": BLUE},
        "greedy": {"color": VERMILION},
        "listed": {"color": BLUE, **_DASHED},
        "adaptive": {"color": GREY, "linestyle": ":"},
    }
    picture = Picture(3.9, x="settings tried on these cases (logarithmic)", y="gained by luck alone (points)")
    shown = curve.assign(bought=np.minimum(curve["bought"], top))
    picture.lines(shown, "settings", "bought", by="way", looks=looks, names=SCENARIOS)
    picture.guide(x=p.settings_tried, linestyle="--")
    if gain > 0:
        picture.guide(y=gain, color=BLACK)
    picture.limits(xscale="log", xlim=(1, float(curve["settings"].max())), ylim=(0, top))
    for axes in picture.axes.values():
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.grid(axis="y")
    return picture.done(columns=2, gain=f"{gain:.1f}")
