"""Six kinds of figure, each declared by a table in long form and drawn in one style, with generated alternative text.

A :class:`Picture` is a grid of panels.  A layer draws a table on every panel: the rows that belong to it, one series
for each value of the column ``by``.  The kinds are :meth:`~Picture.lines`, :meth:`~Picture.scatter` (with
:meth:`~Picture.fits`), dots by group (:meth:`~Picture.scatter` on an axis of ``y_levels``),
:meth:`~Picture.histogram`, :meth:`~Picture.bars` and :meth:`~Picture.heat_map`.  :meth:`~Picture.done` writes labels,
legend and alternative text.  The caption is the ``figure:`` entry of the artifact in the paper's ``artifacts.yaml``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure

from compendium.plots.alt_text import AltText
from compendium.plots.dark import keep_colours
from compendium.plots.palette import PUBLISHED
from compendium.plots.panels import legend_of
from errorest import plots
from errorest.plots import BLACK, COLOURS, FONT_SIZE, GREY, EndLabel, in_style, new_figure, panel_title

Look = Mapping[str, Any] | str
"""How a series is drawn: a colour, or what a line of matplotlib takes."""

Looks = Mapping[Any, Look]
"""Value of the series' column -> how the series is drawn; series follow this order."""

Names = Mapping[Any, str] | Callable[[Any], str]
"""Value of the series' column -> its text in the legend."""

Levels = Mapping[Any, str] | Sequence[Hashable]
"""Values of a categorical axis in order (from the top, for y), with their texts."""


class Line(TypedDict, total=False):
    """What a line of matplotlib takes, as far as figures here set it."""

    color: str
    linestyle: str | tuple[float, tuple[float, ...]]
    linewidth: float
    marker: str
    markersize: float
    markerfacecolor: str
    markeredgecolor: str
    markeredgewidth: float
    ecolor: str
    elinewidth: float
    capsize: float
    alpha: float
    zorder: float


class Series(Line, total=False):
    """How :meth:`Picture.lines`, :meth:`Picture.scatter` and :meth:`Picture.fits` draw the series of a table.

    Parameters
    ----------
    se, x_se : str
        Columns of the standard errors of y and x; bars reach ``z`` (2) of them to both sides.
    z : float
    band : bool
        Shade the error of y in place of bars.
    by : str
        Column of the series.
    looks : mapping
        How each series is drawn; series follow its order.
    names : mapping or callable
        The text of each series in the legend.
    label : str
        The text in the legend, where there is one series.
    ends : bool
        Write the names at the lines' ends in place of a legend.
    dodge : float
        Distance between series along an axis with levels.
    printed : bool
        These are published values: marks are open, and the caption says so.
    """

    se: str | None
    x_se: str | None
    z: float
    band: bool
    by: str | None
    looks: Looks | None
    names: Names | None
    label: str
    ends: bool
    dodge: float
    printed: bool


_BRIGHT = 0.6  # Share of a colour bar from which on cells are bright
_NOT_IN_LEGEND = ("elinewidth", "capsize", "zorder", "ecolor", "alpha")


@dataclass(frozen=True)
class Drawing:
    """A figure without the texts of ``artifacts.yaml``, and the facts that their placeholders name."""

    figure: Figure
    alt: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    printed: bool = False
    """Whether printed values are drawn: then the sentence ``figure_printed:`` follows the caption."""


class Picture:
    """A grid of panels on which tables are drawn.

    Parameters
    ----------
    height : float
        Inches of the figure.
    panels : mapping, optional
        Value of the column ``panel`` (a tuple of values, if that names several) -> the panel's title, row by row.
    panel : str or sequence of str
        Columns that say to which panel a row belongs; a table without one of them is drawn on all of its values.
    columns : int
        Panels in a row, at most.
    letters : bool
        Put a, b, ... before the titles.
    x, y : str or mapping
        What the axes show, with the unit; by panel, where panels differ.
    x_levels, y_levels : mapping or sequence, optional
        Values of a categorical axis in order (from the top, for y), with their texts.
    **settings
        What ``Figure.subplots`` takes, such as ``sharex``.
    """

    @in_style
    def __init__(
        self,
        height: float,
        panels: Mapping[Any, str] | None = None,
        panel: str | Sequence[str] = (),
        *,
        columns: int = 2,
        letters: bool = False,
        x: str | Mapping[Any, str] = "",
        y: str | Mapping[Any, str] = "",
        x_levels: Levels | None = None,
        y_levels: Levels | None = None,
        **settings: Any,
    ) -> None:
        self._titles: dict[Hashable, str] = dict(panels) if panels is not None else {(): ""}
        self._by = (panel,) if isinstance(panel, str) else tuple(panel)
        self._labels = {"x": x, "y": y}
        self._levels = {"x": _texts(x_levels), "y": _texts(y_levels)}
        self._alt = AltText(self._titles, self._labels, self._levels)
        self._ends: dict[Hashable, list[EndLabel]] = {key: [] for key in self._titles}
        self._legend: dict[str, Any] = {}
        self._printed = False
        columns = min(columns, len(self._titles))
        self.figure, grid = new_figure(-(-len(self._titles) // columns), columns, height, **settings)
        for unused in grid.ravel()[len(self._titles) :]:
            unused.set_visible(False)
        self.axes: dict[Any, Axes] = dict(zip(self._titles, grid.ravel(), strict=False))
        for number, (axes, title) in enumerate(zip(self.axes.values(), self._titles.values(), strict=True)):
            panel_title(axes, chr(ord("a") + number) if letters and len(self._titles) > 1 else "", title)
        self._write_labels(columns)
        for axes in self.axes.values():
            if places := self._levels["x"]:
                axes.set_xticks(range(len(places)), list(places.values()))
            if places := self._levels["y"]:
                axes.set_yticks(range(len(places)), list(places.values()))
                axes.set_ylim(len(places) - 0.5, -0.5)

    def _write_labels(self, columns: int) -> None:
        """Name the axes: by panel, or one name for all at the edges of the grid; of many rows y has one in all."""
        x, y = self._labels["x"], self._labels["y"]
        once = isinstance(y, str) and bool(y) and len(self._titles) > 2 * columns
        for number, (key, axes) in enumerate(self.axes.items()):
            if isinstance(y, Mapping):
                axes.set_ylabel(y.get(key, ""))
            elif number % columns == 0 and not once:
                axes.set_ylabel(y)
            if isinstance(x, Mapping):
                axes.set_xlabel(x.get(key, ""))
            elif x and number + columns >= len(self._titles):
                axes.set_xlabel(x)
                axes.tick_params(labelbottom=True)
        if isinstance(y, str) and once:
            self.figure.supylabel(y, fontsize=FONT_SIZE)

    def lines(self, table: pd.DataFrame, x: str, y: str, **how: Unpack[Series]) -> None:
        """Draw a line a series, in order of x.

        Parameters
        ----------
        table : DataFrame
            A row a point.
        x, y : str
            Columns; values of an axis with levels are placed by these.
        **how
            A :class:`Series`.
        """
        ordered = table.sort_values(
            x, kind="stable", key=lambda values: pd.Series(self._place("x", values), values.index)
        )
        self._draw("Lines", ordered, x, y, {"linestyle": "-"}, **how)

    def scatter(self, table: pd.DataFrame, x: str, y: str, **how: Unpack[Series]) -> None:
        """Draw a point a row; arguments are those of :meth:`lines`."""
        self._draw("Points", table, x, y, {"linestyle": "none", "marker": "o", "markersize": 4.5}, **how)

    def fits(self, table: pd.DataFrame, x0: str, x1: str, *, intercept: str, slope: str, **how: Unpack[Series]) -> None:
        """Draw a straight line a row, from x0 to x1."""
        ends = pd.concat(
            [table.assign(_x=table[at], _y=table[intercept] + table[slope] * table[at]) for at in (x0, x1)]
        )
        self._draw("Fitted lines", ends.sort_index(kind="stable"), "_x", "_y", {"linestyle": "-"}, **how)

    @in_style
    def histogram(
        self,
        table: pd.DataFrame,
        left: str,
        right: str,
        count: str,
        *,
        by: str | None = None,
        looks: Looks | None = None,
        names: Names | None = None,
    ) -> None:
        """Draw bins that adjoin, a row a bin; filled, where the look of a series does not say ``fill=False``."""
        for panel, part, name, look in self._series(table, by, looks, names):
            edges = np.append(part[left], part[right].iloc[-1])
            filled: dict[str, Any] = {"fill": True, "alpha": 0.75, "linewidth": 0, **look}
            patch = self.axes[panel].stairs(part[count], edges, **filled)
            self._alt.note("Histograms", panel, name, (edges[1:] + edges[:-1]) / 2, part[count])
            self._legend.setdefault(name, patch)

    @in_style
    def bars(
        self,
        table: pd.DataFrame,
        place: str,
        value: str,
        *,
        by: str | None = None,
        looks: Looks | None = None,
        names: Names | None = None,
        width: float = 0.8,
        stacked: bool = False,
    ) -> None:
        """Draw a bar a row, across where the vertical axis has levels; series lie side by side, or are stacked."""
        across = bool(self._levels["y"])
        series = len(dict.fromkeys(table[by])) if by else 1
        reached: dict[tuple[Hashable, float], float] = {}
        seen: list[str] = []
        for panel, part, name, look in self._series(table, by, looks, names):
            axes = self.axes[panel]
            seen = list(dict.fromkeys([*seen, name]))
            at, size = self._place("y" if across else "x", part[place]), part[value].to_numpy(dtype=float)
            thick = width if stacked else width / series
            if not stacked:
                at = at + thick * (seen.index(name) - (series - 1) / 2)
            start = np.array([reached.get((panel, float(one)), 0.0) if stacked else 0.0 for one in at])
            draw, first = (axes.barh, "left") if across else (axes.bar, "bottom")
            settings: dict[str, Any] = {first: start, **look}
            sampled = draw(at, size, thick, **settings)
            reached |= {(panel, float(one)): end for one, end in zip(at, start + size, strict=True)}
            self._alt.note("Bars", panel, name, size if across else at, at if across else size)
            self._legend.setdefault(name, sampled[0])

    @in_style
    def heat_map(
        self,
        table: pd.DataFrame,
        x: str,
        y: str,
        value: str,
        *,
        bar: str = "",
        levels: Sequence[float] = (),
        written: bool = False,
        cmap: str | Colormap = "cividis",
        norm: Normalize | None = None,
        vmin: float | None = None,
        vmax: float | None = None,
        rasterized: bool = False,
    ) -> None:
        """Colour a cell a row by its value, with contours at ``levels`` and a colour bar named ``bar``.

        Cells that words are ``written`` on keep their colours on a dark page, as the words do.
        """
        for panel, part, name, _ in self._series(table, None, None, None):
            axes = self.axes[panel]
            grid = part.pivot_table(value, index=y, columns=x)
            if grid.empty:
                continue
            across, up = self._place("x", grid.columns), self._place("y", grid.index)
            grid = grid.iloc[np.argsort(up), np.argsort(across)]
            across, up = np.sort(across), np.sort(up)
            mesh = axes.pcolormesh(
                across, up, grid, shading="nearest", cmap=cmap, norm=norm, vmin=vmin, vmax=vmax, rasterized=rasterized
            )
            if written:
                keep_colours(mesh)
            if len(levels):
                # dark on bright cells, and the same on a dark page
                colours = ["black" if share > _BRIGHT else "white" for share in np.asarray(mesh.norm(np.array(levels)))]
                lines = axes.contour(across, up, grid, levels=levels, colors=colours, linewidths=1.2)
                for artist in (lines, *axes.clabel(lines, fmt="%g")):
                    keep_colours(artist)
            if bar:
                self.figure.colorbar(mesh, ax=axes, label=bar)
            self._alt.quantity = self._alt.quantity or " ".join((bar or value).split())
            columns, rows = np.meshgrid(across, up)
            self._alt.note("Heat map", panel, name, columns, rows, grid)

    @in_style
    def guide(
        self, *, x: float | None = None, y: float | None = None, to: float | None = None, **look: Unpack[Line]
    ) -> None:
        """Draw a line behind the marks of every panel: at x, at y, or the diagonal (to a number, or throughout)."""
        look = {"color": GREY, "linewidth": 1.0, "zorder": 1, **look}
        for axes in self.axes.values():
            if x is not None:
                axes.axvline(x, **look)
            elif y is not None:
                axes.axhline(y, **look)
            elif to is not None:
                axes.plot([0, to], [0, to], **look)
            else:
                axes.axline((0, 0), slope=1, **look)
        at = x if x is not None else y
        self._alt.note_line(at)

    def limits(self, **settings: Any) -> None:
        """Set limits, ticks or scales of every panel, as ``Axes.set`` takes them."""
        for axes in self.axes.values():
            axes.set(**settings)

    @in_style
    def done(
        self, alt: str = "", *, columns: int = 3, legend: Mapping[str, Any] | None = None, **facts: Any
    ) -> Drawing:
        """Write end labels and legend; return the figure with its alternative text.

        Parameters
        ----------
        alt : str
            What is to be seen beyond kind, panels, axes, series and ranges.
        columns : int
            Of the legend.
        legend : mapping, optional
            Further entries: texts and how they are drawn.
        **facts
            What the caption's placeholders name, beside the parameters.
        """
        entries = {text: look for text, look in {**self._legend, **(legend or {})}.items() if text}
        if entries:
            legend_of(self.figure, entries, columns=columns)
        for key, labels in self._ends.items():
            plots.label_ends(self.axes[key], labels)
        return Drawing(self.figure, " ".join(filter(None, (self._alt.text(), alt))), facts, self._printed)

    @in_style
    def _draw(
        self,
        kind: str,
        table: pd.DataFrame,
        x: str,
        y: str,
        default: Line,
        *,
        se: str | None = None,
        x_se: str | None = None,
        z: float = 2.0,
        band: bool = False,
        by: str | None = None,
        looks: Looks | None = None,
        names: Names | None = None,
        label: str = "",
        ends: bool = False,
        dodge: float = 0.0,
        printed: bool = False,
        **look: Unpack[Line],
    ) -> None:
        kind += (" with bands of error" if band else " with error bars") if se or x_se else ""
        series = self._order(table, by, looks)
        for panel, part, name, of_series in self._series(table, by, looks, names):
            axes = self.axes[panel]
            at = {"x": self._place("x", part[x]), "y": self._place("y", part[y])}
            if dodge:
                along = "x" if self._levels["x"] else "y"
                at[along] = at[along] + dodge * (series.index(part[by].iloc[0]) - (len(series) - 1) / 2)
            errors: dict[str, Any] = {
                f"{side}err": z * np.nan_to_num(part[column].to_numpy(dtype=float))
                for side, column in (("y", se), ("x", x_se))
                if column
            }
            marks = "marker" in default
            sampled: dict[str, Any] = {**default, **(PUBLISHED if printed and marks else {}), **of_series, **look}
            if printed and marks:
                edge = sampled.pop("color", BLACK)
                sampled = {"zorder": 4, **sampled, "markeredgecolor": edge if looks else BLACK}
            self._printed |= printed
            if "markersize" in sampled:
                sampled.setdefault("elinewidth", 0.9)
            if band:
                reach, colour = errors.pop("yerr"), sampled.get("color", BLACK)
                axes.fill_between(at["x"], at["y"] - reach, at["y"] + reach, color=colour, alpha=0.2, linewidth=0)
            axes.errorbar(at["x"], at["y"], **errors, **sampled)
            text = label or name
            self._alt.note("Printed values" if printed else kind, panel, text, at["x"], at["y"])
            if ends:
                colour = str(sampled.get("color", BLACK))
                self._ends[panel].append(EndLabel(float(at["x"][-1]), float(at["y"][-1]), text, colour))
            elif text:
                entry = {k: v for k, v in sampled.items() if k not in _NOT_IN_LEGEND}
                self._legend.setdefault(text, {**entry, "markersize": max(5.5, entry.get("markersize", 0))})

    def _series(
        self, table: pd.DataFrame, by: str | None, looks: Looks | None, names: Names | None
    ) -> Iterator[tuple[Hashable, pd.DataFrame, str, dict[str, Any]]]:
        """Yield each series on each panel: the panel's key, its rows, its name and its look."""
        order = self._order(table, by, looks)
        for key in self.axes:
            own = table
            for column, value in zip(self._by, key if isinstance(key, tuple) else (key,), strict=False):
                if column in own:
                    own = own[own[column] == value]
            for number, value in enumerate(order):
                part = own if by is None else own[own[by] == value]
                if part.empty:
                    continue
                look = (looks or {}).get(value, {"color": COLOURS[number % len(COLOURS)]})
                name = "" if by is None else names[value] if isinstance(names, Mapping) else (names or str)(value)
                yield key, part, name, {"color": look} if isinstance(look, str) else dict(look)

    @staticmethod
    def _order(table: pd.DataFrame, by: str | None, looks: Looks | None) -> list[Hashable]:
        if by is None:
            return [None]
        return [value for value in (looks or dict.fromkeys(table[by])) if (table[by] == value).any()]

    def _place(self, side: str, values: Iterable[Hashable]) -> np.ndarray:
        """Return the coordinates of values: as they are, or their places among the levels of the axis."""
        if levels := self._levels[side]:
            known = list(levels)
            return np.array([known.index(value) for value in values], dtype=float)
        return np.asarray(values, dtype=float)


def _texts(levels: Levels | None) -> dict[Hashable, str]:
    if levels is None:
        return {}
    return dict(levels) if isinstance(levels, Mapping) else {value: str(value) for value in levels}
