"""Six kinds of figure, each declared by a table in long form and drawn in one style, with generated alternative text.

A :class:`Picture` is a grid of panels.  A layer draws a table on every panel: the rows that belong to it, one series
for each value of the column ``by``.  The kinds are :meth:`~Picture.lines`, :meth:`~Picture.scatter` (with
:meth:`~Picture.fits`), dots by group (:meth:`~Picture.scatter` on an axis of ``y_levels``),
:meth:`~Picture.histogram`, :meth:`~Picture.bars` and :meth:`~Picture.heat_map`.  :meth:`~Picture.done` writes labels,
legend and alternative text.  The caption is the ``figure:`` entry of the artifact in the paper's ``artifacts.yaml``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from compendium.plots.dark import keep_colours
from compendium.plots.palette import PUBLISHED
from compendium.plots.panels import legend_of, panel_grid
from errorest import plots
from errorest.plots import BLACK, COLOURS, FONT_SIZE, GREY, EndLabel, in_style

# How a series is drawn: a colour, or what a line of matplotlib takes
Look = Mapping[str, Any] | str

# The values of a categorical axis in order, with their texts
Levels = Mapping[Any, str] | Sequence[Any]

# Names beyond which an alternative text counts them
_MANY = 8
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


@dataclass
class _Layer:
    """What an alternative text says of a layer: its kind, its series, the ranges of both axes by their labels."""

    kind: str
    names: list[str] = field(default_factory=list)
    x: dict[str, list[float]] = field(default_factory=dict)
    y: dict[str, list[float]] = field(default_factory=dict)


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
        self._titles = dict(panels) if panels is not None else {(): ""}
        self._by = (panel,) if isinstance(panel, str) else tuple(panel)
        self._labels = {"x": x, "y": y}
        self._levels = {"x": _texts(x_levels), "y": _texts(y_levels)}
        self._layers: list[_Layer] = []
        self._guides: list[str] = []
        self._ends: dict[Any, list[EndLabel]] = {key: [] for key in self._titles}
        self._legend: dict[str, Any] = {}
        self._printed = False
        columns = min(columns, len(self._titles))
        one = {name: text if isinstance(text, str) else "" for name, text in self._labels.items()}
        others = len(self._titles) > 2 * columns and bool(one["y"])
        self.figure, shown = panel_grid(
            list(self._titles.values()),
            lambda _: height,
            columns=columns,
            letters=letters,
            across=one["x"],
            up="" if others else one["y"],
            **settings,
        )
        if others:
            self.figure.supylabel(one["y"], fontsize=FONT_SIZE)
        self.axes: dict[Any, Axes] = dict(zip(self._titles, shown, strict=True))
        for key, axes in self.axes.items():
            for name, text in self._labels.items():
                if not isinstance(text, str) and key in text:
                    axes.set(**{f"{name}label": text[key]})
        self._ticks()

    def _ticks(self) -> None:
        for axes in self.axes.values():
            if x := self._levels["x"]:
                axes.set_xticks(range(len(x)), list(x.values()))
            if y := self._levels["y"]:
                axes.set_yticks(range(len(y)), list(y.values()))
                axes.set_ylim(len(y) - 0.5, -0.5)

    def lines(self, table: pd.DataFrame, x: str, y: str, **how: Any) -> None:
        """Draw a line a series, in order of x; arguments are those of :meth:`scatter`."""
        ordered = table.sort_values(
            x, kind="stable", key=lambda values: pd.Series(self._place("x", values), values.index)
        )
        self._draw("Lines", ordered, x, y, {"linestyle": "-"}, **how)

    def scatter(self, table: pd.DataFrame, x: str, y: str, **how: Any) -> None:
        """Draw a point a row.

        Parameters
        ----------
        table : DataFrame
            A row a point.
        x, y : str
            Columns; values of an axis with levels are placed by these.
        se, x_se : str, optional
            Columns of the standard errors of y and x; bars reach ``z`` (2) of them to both sides.
        band : bool
            Shade the error of y in place of bars.
        by : str, optional
            Column of the series.
        looks : mapping, optional
            Value of ``by`` -> colour or what a line takes; series follow its order.
        names : mapping or callable, optional
            Value of ``by`` -> its text in the legend.
        label : str
            The text in the legend, where there is one series.
        ends : bool
            Write the names at the lines' ends in place of a legend.
        dodge : float
            Distance between series along an axis with levels.
        printed : bool
            These are published values: marks are open, and the caption says so.
        **look
            What a line of matplotlib takes.
        """
        self._draw("Points", table, x, y, {"linestyle": "none", "marker": "o", "markersize": 4.5}, **how)

    def fits(self, table: pd.DataFrame, x0: str, x1: str, *, intercept: str, slope: str, **how: Any) -> None:
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
        looks: Mapping[Any, Look] | None = None,
        names: Any = None,
    ) -> None:
        """Draw filled bins that adjoin, a row a bin."""
        layer = self._layer("Histograms")
        for axes, part, name, look in self._series(table, by, looks, names):
            edges = np.append(part[left], part[right].iloc[-1])
            patch = axes.stairs(part[count], edges, fill=True, alpha=0.75, linewidth=0, **look)
            self._note(layer, axes, name, edges, part[count])
            self._legend.setdefault(name, patch)

    @in_style
    def bars(
        self,
        table: pd.DataFrame,
        place: str,
        value: str,
        *,
        by: str | None = None,
        looks: Mapping[Any, Look] | None = None,
        names: Any = None,
        width: float = 0.8,
        stacked: bool = False,
    ) -> None:
        """Draw a bar a row, across where the vertical axis has levels; series lie side by side, or are stacked."""
        layer, across = self._layer("Bars"), bool(self._levels["y"])
        series = len(dict.fromkeys(table[by])) if by else 1
        reached: dict[tuple[Axes, float], float] = {}
        seen: list[str] = []
        for axes, part, name, look in self._series(table, by, looks, names):
            seen = list(dict.fromkeys([*seen, name]))
            at, size = self._place("y" if across else "x", part[place]), part[value].to_numpy(dtype=float)
            thick = width if stacked else width / series
            if not stacked:
                at = at + thick * (seen.index(name) - (series - 1) / 2)
            start = np.array([reached.get((axes, float(one)), 0.0) if stacked else 0.0 for one in at])
            draw, first = (axes.barh, "left") if across else (axes.bar, "bottom")
            settings: dict[str, Any] = {first: start, **look}
            sampled = draw(at, size, thick, **settings)
            reached |= {(axes, float(one)): end for one, end in zip(at, start + size, strict=True)}
            self._note(layer, axes, name, size if across else at, at if across else size)
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
        **how: Any,
    ) -> None:
        """Colour a cell a row by its value, with contours at ``levels`` and a colour bar named ``bar``.

        Cells that words are ``written`` on keep their colours on a dark page, as the words do.
        """
        layer = self._layer("Heat map")
        for axes, part, name, _ in self._series(table, None, None, None):
            grid = part.pivot_table(value, index=y, columns=x)
            if grid.empty:
                continue
            across, up = self._place("x", grid.columns), self._place("y", grid.index)
            grid = grid.iloc[np.argsort(up), np.argsort(across)]
            across, up = np.sort(across), np.sort(up)
            mesh = axes.pcolormesh(across, up, grid, **{"shading": "nearest", "cmap": "cividis", **how})
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
            self._note(layer, axes, name, across, up)

    @in_style
    def guide(self, *, x: float | None = None, y: float | None = None, to: float | None = None, **look: Any) -> None:
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
        self._guides.append("the diagonal" if at is None else f"{at:g}")

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
        return Drawing(self.figure, " ".join(filter(None, (self._alt(), alt))), facts, self._printed)

    @in_style
    def _draw(
        self,
        kind: str,
        table: pd.DataFrame,
        x: str,
        y: str,
        default: Mapping[str, Any],
        *,
        se: str | None = None,
        x_se: str | None = None,
        z: float = 2.0,
        band: bool = False,
        by: str | None = None,
        looks: Mapping[Any, Look] | None = None,
        names: Any = None,
        label: str = "",
        ends: bool = False,
        dodge: float = 0.0,
        printed: bool = False,
        **look: Any,
    ) -> None:
        kind += (" with bands of error" if band else " with error bars") if se or x_se else ""
        layer = self._layer("Printed values" if printed else kind)
        series = self._order(table, by, looks)
        for axes, part, name, of_series in self._series(table, by, looks, names):
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
            sampled = {**default, **(PUBLISHED if printed and marks else {}), **of_series, **look}
            if printed and marks:
                edge = sampled.pop("color", BLACK)
                sampled = {"zorder": 4, **sampled, "markeredgecolor": edge if looks else BLACK}
            self._printed |= printed
            if "markersize" in sampled:
                sampled.setdefault("elinewidth", 0.9)
            if band:
                reach, shade = errors.pop("yerr"), {"color": sampled.get("color", BLACK), "alpha": 0.2, "linewidth": 0}
                axes.fill_between(at["x"], at["y"] - reach, at["y"] + reach, **shade)
            axes.errorbar(at["x"], at["y"], **errors, **sampled)
            text = label or name
            self._note(layer, axes, text, at["x"], at["y"])
            if ends:
                key = next(k for k, own in self.axes.items() if own is axes)
                colour = str(sampled.get("color", BLACK))
                self._ends[key].append(EndLabel(float(at["x"][-1]), float(at["y"][-1]), text, colour))
            elif text:
                entry = {k: v for k, v in sampled.items() if k not in _NOT_IN_LEGEND}
                self._legend.setdefault(text, {**entry, "markersize": max(5.5, entry.get("markersize", 0))})

    def _series(
        self, table: pd.DataFrame, by: str | None, looks: Mapping[Any, Look] | None, names: Any
    ) -> Iterator[tuple[Axes, pd.DataFrame, str, dict[str, Any]]]:
        """Yield each series on each panel: the axes, its rows, its name and its look."""
        order = self._order(table, by, looks)
        for key, axes in self.axes.items():
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
                yield axes, part, name, {"color": look} if isinstance(look, str) else dict(look)

    @staticmethod
    def _order(table: pd.DataFrame, by: str | None, looks: Mapping[Any, Look] | None) -> list[Hashable]:
        if by is None:
            return [None]
        return [value for value in (looks or dict.fromkeys(table[by])) if (table[by] == value).any()]

    def _place(self, side: str, values: Any) -> np.ndarray:
        """Return the coordinates of values: as they are, or their places among the levels of the axis."""
        if levels := self._levels[side]:
            known = list(levels)
            return np.array([known.index(value) for value in values], dtype=float)
        return np.asarray(values, dtype=float)

    # the alternative text

    def _layer(self, kind: str) -> _Layer:
        for layer in self._layers:
            if layer.kind == kind:
                return layer
        self._layers.append(_Layer(kind))
        return self._layers[-1]

    def _note(self, layer: _Layer, axes: Axes, name: str, x: Any, y: Any) -> None:
        for side, ranges, values in (("x", layer.x, x), ("y", layer.y, y)):
            finite = np.asarray(values, dtype=float)
            finite = finite[np.isfinite(finite)]
            if finite.size:
                ranges.setdefault(self._label(side, axes), []).extend([float(finite.min()), float(finite.max())])
        if name and name not in layer.names:
            layer.names.append(name)

    def _label(self, side: str, axes: Axes) -> str:
        """Return the label of a panel's axis; one without a label shares that of its row's first or column's last."""
        labels = self._labels[side]
        if isinstance(labels, str):
            return labels
        keys = list(self.axes)
        place = next(number for number, key in enumerate(keys) if self.axes[key] is axes)
        order = keys[place::-1] if side == "y" else keys[place:]
        return next((labels[key] for key in order if key in labels), "")

    def _alt(self) -> str:
        titles = [title for title in self._titles.values() if title]
        panels = f" in {len(self._titles)} panels" if len(self._titles) > 1 else ""
        panels += f" ({_listed(titles)})" if titles else ""
        sentences: list[str] = []
        for layer in (one for one in self._layers if one.x and one.y):
            names = f" for {_listed(layer.names)}" if layer.names else ""
            ranges = f"{self._range('y', layer.y)} against {self._range('x', layer.x)}"
            sentences.append(f"{layer.kind}{'' if sentences else panels}{names}: {ranges}.")
        if self._guides:
            sentences.append(f"Lines at {_listed(self._guides)}.")
        return " ".join(sentences)

    def _range(self, side: str, ranges: Mapping[str, list[float]]) -> str:
        if levels := self._levels[side]:
            return f"{' '.join(ranges)} {_listed(list(filter(None, levels.values())))}".strip()
        texts = []
        for label, values in ranges.items():
            low, high = (f"{value:.3g}".replace("-", "−") for value in (min(values), max(values)))
            texts.append(f"{' '.join(label.split()) or side} from {low} to {high}")
        return " and ".join(texts)


def _texts(levels: Levels | None) -> dict[Any, str]:
    if levels is None:
        return {}
    return dict(levels) if isinstance(levels, Mapping) else {value: str(value) for value in levels}


def _listed(names: Sequence[str]) -> str:
    flat = [" ".join(name.split()) for name in names]
    return ", ".join(flat) if len(flat) <= _MANY else f"{len(flat)} values, {flat[0]} to {flat[-1]}"
