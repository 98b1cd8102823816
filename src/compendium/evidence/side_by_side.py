"""One picture for every table with printed numbers: ours beside the print with both errors, rows as in the table.

Nothing here knows a paper: keys, numbers and errors are those of the table's own rows, and panels are its groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, hypot, isfinite, log10
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence.keys import parts_of
from compendium.evidence.records import dicts, distinct
from compendium.evidence.texts import declared_of
from compendium.plots.fitting import wrapped
from compendium.plots.marks import mark_name
from compendium.plots.palette import PUBLISHED
from compendium.plots.panels import legend_of
from errorest import plots
from errorest.plots import BLACK, BLUE, GREEN, GREY, VERMILION

_Key = tuple[str, str]

# Numbers below which a line of text says as much as a picture
_FEWEST = 4
# Lines beyond which the leading column is drawn alone, where there is one
_MOST_LINES = 40
# How each kind of reading is marked, in every table alike
_LOOKS = {
    "literal": (BLUE, "o", "circles"),
    "unstated": (GREEN, "^", "triangles"),
    "fitted": (VERMILION, "s", "squares"),
}
_PRINTED = {**PUBLISHED, "markersize": 5.5}
# How many times as many columns as rows still head panels
_WIDER = 1.5
_LINE, _FURTHER = 0.2, 0.075
"""Inches of a line, and of each further reading on it."""
_WIDE, _LONG = 14, 22
"""Letters beyond which a name leaves room for two panels beside each other, not three; and for one."""
# Letters that the titles of panels beside each other may have on a line, together
_TITLE = 70
# Standard errors beyond which two numbers lie apart
_FAR = 3.0


@dataclass(frozen=True)
class _Dot:
    """One number: where it stands, ours in one reading, and the print where that may stand beside it."""

    panel: str
    line: str
    kind: str
    value: float
    se: float
    printed: float
    se_printed: float
    apart: bool
    """Whether ours and the print lie further apart than both errors and the rounding of the print explain."""
    key: _Key


def draw_side_by_side(
    artifact: str,
    number: str,
    keys: Sequence[_Key],
    rows: pd.DataFrame,
    comparison: pd.DataFrame,
    label: Callable[[str], str],
) -> plots.DescribedFigure | dict[str, plots.DescribedFigure] | None:
    """Draw the numbers of a table that are printed: ours in each reading, and the print beside it.

    Columns of several parts whose names are too long for titles are drawn as a picture for each first part.
    ``panels:`` in the artifact's entry has short titles.
    """
    dots = _dots(artifact, keys, rows, comparison)
    if len({(d.panel, d.line) for d in dots}) < _FEWEST:
        return None
    declared = declared_of(artifact)
    short, leading = declared.get("panels", {}), declared.get("leading")

    def title(head: str) -> str:
        return short.get(head) or label(head)

    heads = distinct(d.panel for d in dots)
    parts = {head: head.rpartition("/")[::2] for head in heads}
    pictures = distinct(first for first, _ in parts.values())
    if not 1 < len(pictures) < len(heads) or max(len(title(head)) for head in heads) <= _TITLE // 3:
        return _drawn(number, dots, title, leading)
    figures = {}
    for first in pictures:
        own = [replace(d, panel=parts[d.panel][1]) for d in dots if parts[d.panel][0] == first]
        figures[label(first)] = _drawn(f"{number}, {label(first)}", own, title, leading)
    return figures


def _dots(artifact: str, keys: Sequence[_Key], rows: pd.DataFrame, comparison: pd.DataFrame) -> list[_Dot]:
    """Return what is drawn, line by line: of each number the first reading of each kind, as the table has it."""
    declared = declared_of(artifact)
    # printed p-values share no axis with what they are of
    p_values = declared.get("p-values", {"": ""})
    ours: dict[_Key, dict[str, dict[str, Any]]] = {}
    for r in dicts(rows):
        # a run with more samples stands behind the one that the table shows
        ours.setdefault((r["row"], r["column"]), {}).setdefault(r["reading"], r)
    judged = dicts(comparison) if len(comparison) else []
    theirs = {(c["row"], c["column"], c["reading"]): c for c in reversed(list(judged))}
    selected = {key: parts_of(artifact, *key) for key in keys if key in ours}
    selected = {k: parts for k, parts in selected.items() if any(parts.get(n) != v for n, v in p_values.items())}
    first = {key: parts for key, parts in selected.items() if key[1] == declared.get("leading")}
    if len(selected) > _MOST_LINES and first:
        selected = first
    results = [
        _dot(place, kind, one, theirs.get((*key, one["reading"]), {}))
        for key, place in _places(selected).items()
        for kind in _LOOKS
        for one in [r for reading, r in ours[key].items() if reading.partition(":")[0] == kind][:1]
    ]
    # a true error's distance from itself tells nothing, nor does a panel of one line
    shown = [d for d in results if isfinite(d.value) and not d.value == d.printed == d.se == 0]
    several = {head for head in {d.panel for d in shown} if len({d.line for d in shown if d.panel == head}) > 1}
    return [d for d in shown if d.panel in several]


def _dot(place: tuple[str, str], kind: str, ours: dict[str, Any], theirs: dict[str, Any]) -> _Dot:
    z = float(theirs.get("z", float("nan")))
    apart = abs(z) > _FAR if isfinite(z) else theirs.get("verdict") == "differs"
    errors = [v if isfinite(v) else 0.0 for v in (ours["se"], theirs.get("se_printed", 0.0))]
    printed = float(theirs["printed"]) if theirs else float("nan")
    return _Dot(*place, kind, ours["value"], errors[0], printed, errors[1], apart, (ours["row"], ours["column"]))


def _places(keys: Mapping[_Key, Mapping[str, str]]) -> dict[_Key, tuple[str, str]]:
    """Give each number its panel and its line, as the table groups them: the shorter side of the keys heads panels.

    In a table of one column the groups of its rows do, where there are several with several lines.
    """
    columns, rows = distinct(c for _, c in keys), distinct(r for r, _ in keys)
    groups = distinct(parts["group"] for parts in keys.values())
    if len(columns) == 1 and all(groups) and 1 < len(groups) < len(rows):
        return {key: (parts["group"], parts["line"]) for key, parts in keys.items()}
    by_column = len(columns) <= _WIDER * len(rows)
    return {(r, c): (c, r) if by_column else (r, c) for r, c in keys}


@plots.in_style
def _drawn(
    number: str, dots: Sequence[_Dot], label: Callable[[str], str], leading: str | None
) -> plots.DescribedFigure:
    # the leading column stands first, whatever the order of the print
    heads = sorted(distinct(d.panel for d in dots), key=lambda head: head != leading)
    panels = {head: [d for d in dots if d.panel == head] for head in heads}
    lines = {head: distinct(d.line for d in own) for head, own in panels.items()}
    alike = len({tuple(own) for own in lines.values()}) == 1
    names = {d.line: label(d.line) for d in dots}
    longest = max(len(name) for name in names.values())
    across = min(len(heads), 3 if longest <= _WIDE else 2 if alike or longest <= _LONG else 1)
    down = ceil(len(heads) / across)
    tall = [_tall(own) for own in panels.values()]
    inches = [max(tall[k * across : (k + 1) * across]) for k in range(down)]
    figure, grid = plots.new_figure(down, across, sum(inches) + 0.5, sharey=alike, height_ratios=inches)
    letters = max(_TITLE // 4, (_TITLE - longest * (1 if alike else across)) // across)
    for axes, head in zip(grid.ravel(), heads, strict=False):
        _panel(axes, panels[head], lines[head])
        axes.set_yticks(range(len(lines[head])), [names[line] for line in lines[head]])
        plots.panel_title(axes, "", wrapped(label(head), letters))
    for unused in grid.ravel()[len(heads) :]:
        unused.set_visible(False)
    compared = [d for d in dots if isfinite(d.printed)]
    looks = {kind: look for kind, look in _LOOKS.items() if any(d.kind == kind for d in dots)}
    entries: dict[str, Any] = {
        f"ours, {k}": {"color": c, "marker": m, "linestyle": "none"} for k, (c, m, _) in looks.items()
    }
    legend_of(figure, {**({"printed": _PRINTED} if compared else {}), **entries}, columns=4)
    return plots.DescribedFigure(
        figure,
        _alt(number, dots, compared, label),
        _caption(bool(compared), looks),
    )


def _tall(dots: Sequence[_Dot]) -> float:
    """Return the inches of a panel: its lines, as many readings as the fullest has, a title and ticks."""
    on = [d.line for d in dots]
    return (_LINE + _FURTHER * (max(on.count(one) for one in on) - 1)) * len(set(on)) + 0.75


def _panel(axes: Axes, dots: Sequence[_Dot], lines: Sequence[str]) -> None:
    """Draw one group: on each line the print above, ours below it, a thin line between the print and each of ours."""
    for place, line in enumerate(lines):
        own = [d for d in dots if d.line == line]
        above = place - 0.22
        for number, d in enumerate(own):
            at = place - 0.1 + 0.46 * (number + 0.6) / len(own)
            colour, marker, _ = _LOOKS[d.kind]
            axes.plot([d.printed, d.value], [above, at], color=GREY, linewidth=0.7, alpha=0.7)
            bar = axes.errorbar(d.value, at, xerr=2 * d.se, color=colour, fmt=marker, markersize=4.2, elinewidth=1.2)
            if number == 0:
                # pages join the first reading's mark and the row of the table
                bar.lines[0].set_gid(mark_name(*d.key))
        # every reading stands beside the same print, which has the spread of the first
        if isfinite(own[0].printed):
            bars: dict[str, Any] = {"xerr": 2 * own[0].se_printed, "ecolor": BLACK, "elinewidth": 0.9, "zorder": 3}
            axes.errorbar(own[0].printed, above, **bars, **_PRINTED)
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.grid(axis="x")
    axes.margins(x=0.06)
    low, high = axes.get_xlim()
    if low < 0 < high:
        axes.axvline(0, color=GREY, linewidth=0.8, zorder=1)


def _alt(number: str, dots: Sequence[_Dot], compared: Sequence[_Dot], label: Callable[[str], str]) -> str:
    """Say how many numbers lie apart from the print, and give the pair that lies furthest apart, in standard errors."""
    if not compared:
        most = max(dots, key=lambda d: d.value)
        return f"Dots: regenerated numbers of {number}. Highest: {label(most.line)}, {round(most.value, 3):.3g}."
    apart = {kind: [d.apart for d in compared if d.kind == kind] for kind in _LOOKS}
    counts = [f"{sum(own)} of {len(own)} pairs lie clearly apart ({kind})" for kind, own in apart.items() if own]
    most = max(compared, key=lambda d: abs(d.value - d.printed) / max(hypot(d.se, d.se_printed), 1e-12))
    at = ", ".join(dict.fromkeys((label(most.line), label(most.panel))))
    decimals = max(0, 2 - floor(log10(abs(most.printed)))) if most.printed else 2
    pair = " and ".join(f"{value:.{min(decimals, 3)}f}".replace("-", "−") for value in (most.printed, most.value))
    return (
        f"Printed and regenerated numbers of {number} as pairs of dots. {', '.join(counts)}. Furthest apart: "
        f"{at}, printed and regenerated {pair}."
    )


def _caption(compared: bool, looks: Mapping[str, tuple[str, str, str]]) -> str:
    marks = ", ".join(f"filled {shape}: ours, {kind}" for kind, (_, _, shape) in looks.items())
    if not compared:
        return f"{marks[:1].upper()}{marks[1:]}, with two standard errors to each side."
    return (
        f"Open diamonds: printed; {marks} (the first reading of that kind). A thin line joins each pair; bars are two "
        "standard errors to each side, all at the paper's number of repeats."
    )
