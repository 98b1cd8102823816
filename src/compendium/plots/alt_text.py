"""Alternative text of a figure: what is plotted against what, then the extremes of what is seen, with their names."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

# Panels and series that are named; more of them are seen in the legend
_NAMED = 4
# Quantities of which extremes are given
_QUANTITIES = 2
_LONGEST = 700

AxisLabel = str | Mapping[Hashable, str]

_FAULTS = {
    r"\d[eE][+−-]?\d": "a number in scientific notation",
    r"\b(?:nan|inf)\b": "a number that is none",
    r"\b\d+ (?:series|values,)": "a count of series in place of what they are",
    r"\d\.\d{4,}": "a number of more than three decimals",
    r"(?:(?<![\w.])[−-]?[\d.]+(?:, | and )){4,}[−-]?[\d.]+": "a bare list of numbers",
}


def alt_text_faults(text: str) -> list[str]:
    """Return what is wrong with an alternative text: too short, too long, or numbers that say nothing when read out.

    Examples
    --------
    >>> alt_text_faults("Bias (points) by learner. Lowest: 1-NN, −33.8; highest: C4.5, 1.1.")
    []
    >>> alt_text_faults("Lines for 24 values, .632+ to BSx2, from −4.74e−14 to 57.5.")
    ['a number in scientific notation', 'a count of series in place of what they are']
    """
    faults = [fault for pattern, fault in _FAULTS.items() if re.search(pattern, text)]
    if not 40 <= len(text) <= _LONGEST:
        faults.append(f"{len(text)} characters; expected 40 to {_LONGEST}")
    return faults


@dataclass
class _Series:
    """A series of a layer on a panel: what it shows, by the coordinates of its marks."""

    panel: Hashable
    name: str
    x: np.ndarray
    y: np.ndarray
    cells: np.ndarray | None


@dataclass
class _Mark:
    """A mark: its value and where it is seen."""

    value: float
    place: str


@dataclass
class AltText:
    """What is seen in a figure, noted while it is drawn: titles and labels by panel, texts of categorical axes."""

    titles: Mapping[Hashable, str]
    labels: Mapping[str, AxisLabel]
    levels: Mapping[str, Mapping[Hashable, str]]
    lines: list[str] = field(default_factory=list)
    layers: dict[str, list[_Series]] = field(default_factory=dict)
    quantity: str = ""
    """What the cells of a heat map show."""

    def note(
        self, kind: str, panel: Hashable, name: str, x: ArrayLike, y: ArrayLike, cells: ArrayLike | None = None
    ) -> None:
        """Note a series of a layer on a panel; of a heat map the values of its cells as well."""
        values = None if cells is None else np.asarray(cells, dtype=float).ravel()
        across, up = (np.asarray(side, dtype=float).ravel() for side in (x, y))
        self.layers.setdefault(kind, []).append(_Series(panel, " ".join(name.split()), across, up, values))

    def note_line(self, at: float | None) -> None:
        """Note a line of reference, without a number the diagonal."""
        self.lines.append("the diagonal" if at is None else _rounded(at, 10.0))

    def text(self) -> str:
        """Return what the leading layer shows, its extremes, the ranges of other layers, and lines of reference."""
        by_marks = sorted(self.layers, key=self._rank)
        sentences: list[str] = []
        for number, kind in enumerate(by_marks):
            quantities = self._quantities(self.layers[kind])
            if not number:
                sentences.append(self._subject(kind))
                sentences += [self._extremes(*one, len(quantities)) for one in list(quantities.items())[:_QUANTITIES]]
            elif (
                len(quantities) <= _QUANTITIES and number <= _QUANTITIES and any(one.name for one in self.layers[kind])
            ):
                ranges = [self._range(*one, len(quantities)) for one in quantities.items()]
                sentences += [f"{self._called(kind)}: {' and '.join(ranges)}."] if all(ranges) else []
        if self.lines:
            sentences.append(f"Reference line: {_listed(self.lines)}.")
        return " ".join(filter(None, sentences))

    def _rank(self, kind: str) -> tuple[bool, bool, int]:
        """Put series with names before those without, many marks before few, and printed values behind all."""
        layer = self.layers[kind]
        return kind == "Printed values", not any(one.name for one in layer), -sum(one.x.size for one in layer)

    def _subject(self, kind: str) -> str:
        """Say what is plotted against what, for which series and panels."""
        x, y = (_listed(self._labels(side, self.layers[kind])) for side in ("x", "y"))
        # a heat map has its quantity in the cells; where the vertical axis has levels the other one has the values
        if self.quantity:
            what = f"{self.quantity}{f' by {y} and {x}' if x and y else ''}"
        else:
            what = f"{x or 'values'}, a row each" if self.levels["y"] else " against ".join(filter(None, (y, x)))
        titles = [title for title in self.titles.values() if title]
        panels = f", in {len(self.titles)} panels" if len(self.titles) > 1 else ""
        panels += f" ({_listed(titles)})" if panels and 0 < len(titles) <= _NAMED + 2 else ""
        return f"{self._called(kind)}: {what}{panels}."

    def _called(self, kind: str) -> str:
        names = list(dict.fromkeys(one.name for one in self.layers[kind] if one.name))
        return f"{kind} for {_listed(names)}" if 0 < len(names) <= _NAMED else kind

    def _extremes(self, label: str, marks: Sequence[_Mark], quantities: int) -> str:
        """Name the lowest and the highest mark of a quantity."""
        low, high = min(marks, key=lambda mark: mark.value), max(marks, key=lambda mark: mark.value)
        of = f" {label}" if quantities > 1 else ""
        if low.value == high.value:
            return f"All{of}: {self._number(low.value, marks)}."
        ends = (f"{self._number(mark.value, marks)}{f' ({mark.place})' if mark.place else ''}" for mark in (low, high))
        lowest, highest = ends
        return f"Lowest{of}: {lowest}; highest: {highest}."

    def _range(self, label: str, marks: Sequence[_Mark], quantities: int) -> str:
        """Give the range of a quantity; marks of one height, such as those below a histogram, have none."""
        low, high = (self._number(end(mark.value for mark in marks), marks) for end in (min, max))
        return f"{label} " * (quantities > 1) + f"{low} to {high}" if low != high else ""

    def _quantities(self, layer: Sequence[_Series]) -> dict[str, list[_Mark]]:
        """Return the finite marks of a layer by the label of the axis that has the values."""
        side = "x" if self.levels["y"] else "y"
        found: dict[str, list[_Mark]] = {}
        several = len({one.name for one in layer}) > 1
        for one in layer:
            values = one.cells if one.cells is not None else one.x if side == "x" else one.y
            label = self.quantity or self._label(side, one.panel)
            title = " ".join(self.titles[one.panel].split()) if len(self.titles) > 1 else ""
            for x, y, value in zip(one.x, one.y, values, strict=True):
                if np.isfinite(value):
                    at = [self._at("y", y), one.name if several else "", title]
                    if side == "y" or one.cells is not None:
                        at.append(self._at("x", x))
                    if one.cells is not None and not self.levels["y"]:
                        at.append(_rounded(float(y), 10.0))
                    found.setdefault(label, []).append(_Mark(float(value), ", ".join(dict.fromkeys(filter(None, at)))))
        return found

    def _at(self, side: str, at: float) -> str:
        """Return the text of a coordinate: that of its level, or a number for x."""
        if levels := list(self.levels[side].values()):
            return " ".join(levels[min(max(round(at), 0), len(levels) - 1)].split())
        return f"at {_rounded(float(at), 10.0)}" if side == "x" else ""

    @staticmethod
    def _number(value: float, marks: Sequence[_Mark]) -> str:
        values = [mark.value for mark in marks]
        return _rounded(value, max(values) - min(values) or abs(value))

    def _labels(self, side: str, layer: Iterable[_Series]) -> list[str]:
        return list(dict.fromkeys(filter(None, (self._label(side, one.panel) for one in layer))))

    def _label(self, side: str, panel: Hashable) -> str:
        """Return the label of a panel's axis; one without a label shares that of its row's first or column's last."""
        labels = self.labels[side]
        if isinstance(labels, str):
            return " ".join(labels.split())
        panels = list(self.titles)
        number = panels.index(panel)
        order = panels[number::-1] if side == "y" else panels[number:]
        return " ".join(next((labels[key] for key in order if key in labels), "").split())


def _rounded(value: float, span: float) -> str:
    """Round a value so that its last digit is seen on an axis of that span: one decimal from 1 to 100, none above."""
    if abs(value) < 1e-9 * max(span, 1e-300):
        return "0"
    decimals = 0 if span >= 100 else 1 if span >= 1 else 1 - int(np.floor(np.log10(span)))
    decimals = min(decimals, 3)
    if abs(value) >= 1e4:
        value = float(f"{value:.3g}")
    text = f"{value:,.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-0", "0", 1) if text == "-0" else text.replace("-", "−")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(" ".join(name.split()) for name in names)
