"""Figure of Table 7: printed seconds against classifiers made, or the classifiers alone."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.patches import Patch

from compendium.evidence.records import distinct, each, largest, matching, parts
from compendium.evidence.results import ResultsByScale
from compendium.papers.shakhnarovich.figures import dot, numbers
from compendium.papers.shakhnarovich.names import case_title, symbol_of
from errorest.plots import BLUE, COLOURS, GREY, ORANGE, VERMILION, Drawn, in_style, legend_of, new_figure

__all__ = ["draw_table_7", "seconds_beside"]

_MARKERS = "osD^v<>P"
_ODD = ("cloned-loo", "cloned-bscv-10")
_SWAPPED = ("repeated-cv-10", "repeated-cv-5")
_COLOURS = dict.fromkeys(_ODD, VERMILION) | dict.fromkeys(_SWAPPED, ORANGE)
_ACROSS = "classifiers made, over those of BS"


@in_style
def draw_table_7(p: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawn:
    """Draw the printed seconds over those of the plain bootstrap against the same ratio of classifiers made.

    Reads data ``work``; where nothing is printed beside it, it stands alone.
    """
    work = made.published.data["work"]
    if published.empty:
        return _draw_work(work)
    ratios = seconds_beside(work, numbers(published))
    figure, grid = new_figure(1, 1, 4.6)
    axes = grid[0, 0]
    markers = dict(zip(distinct(ratios["case"]), _MARKERS, strict=False))
    for (case, estimator), own in parts(ratios, "case", "estimator").items():
        look = {**dot(_COLOURS.get(estimator, BLUE), markers[case]), "markersize": 4.5, "alpha": 0.8}
        if estimator in _ODD:
            look["markersize"] = 8
        elif estimator in _SWAPPED:
            look |= {"markerfacecolor": "none", "markeredgewidth": 1.4}
        axes.plot(own["classifiers"], own["seconds"], **look)
    both = ratios[["classifiers", "seconds"]].to_numpy()
    ends = [both.min(), both.max()]
    axes.plot(ends, ends, color=GREY, linestyle="--", linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(_ACROSS)
    axes.set_ylabel("printed seconds, over those of BS")
    rows: dict[str, Any] = {", ".join(map(symbol_of, own)): Patch(color=_COLOURS[own[0]]) for own in (_ODD, _SWAPPED)}
    legend_of(figure, {**{case_title(c): dot(GREY, marker) for c, marker in markers.items()}, **rows}, columns=2)
    return Drawn(
        figure,
        "Printed seconds against numbers of classifiers, both over those of the plain bootstrap, on logarithmic axes: "
        f"{len(ratios)} points from {ends[0]:.2f} to {ends[1]:.0f} times.",
        "Each point is an estimator for one classifier and data set; dashed: as many times the seconds as classifiers. "
        "Cross-validation lies below it, since a fold labels fewer cases than a bootstrap sample does. Large "
        "and red: two rows that cannot be as printed; hollow and orange: two rows that look exchanged.",
    )


def seconds_beside(work: pd.DataFrame, printed: dict[tuple[str, str], float]) -> pd.DataFrame:
    """Set the printed seconds beside the classifiers that an estimate takes, both over the plain bootstrap's."""
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


def _draw_work(work: pd.DataFrame) -> Drawn:
    """Draw the ratios of classifiers alone, where nothing printed is to be compared."""
    names = distinct(work["estimator"])
    figure, grid = new_figure(1, 1, 4.2)
    axes = grid[0, 0]
    looks = {}
    for number, (name, own) in enumerate(parts(work, "set").items()):
        looks[symbol_of(name)] = dot(COLOURS[number], _MARKERS[number])
        axes.plot(own["ratio"], own["estimator"].map(names.index), **looks[symbol_of(name)])
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), [symbol_of(n) for n in names])
    axes.tick_params(axis="y", labelsize=8)
    axes.invert_yaxis()
    axes.set_xlabel(_ACROSS)
    legend_of(figure, looks)
    most = largest(work, "ratio")
    text = (
        f"Classifiers that one estimate takes, over those of the plain bootstrap; the most are {most.ratio:.0f} "
        f"times as many ({symbol_of(most.estimator)}, {symbol_of(most.set)})."
    )
    alt = f"Dots of {len(names)} estimators, a mark for each data set, on a logarithmic axis. Data in the table below."
    return Drawn(figure, alt, text)
