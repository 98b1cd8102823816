"""Alternative text of a figure: the kind of each layer, its panels, its series, and the ranges of both axes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

# Names beyond which an alternative text counts them
_MANY = 8

AxisLabel = str | Mapping[Hashable, str]


@dataclass
class _Layer:
    """The names of a layer's series, and the values of both axes by their labels."""

    names: list[str] = field(default_factory=list)
    x: dict[str, list[float]] = field(default_factory=dict)
    y: dict[str, list[float]] = field(default_factory=dict)


@dataclass
class AltText:
    """What is seen in a figure, noted while it is drawn: titles and labels by panel, texts of categorical axes."""

    titles: Mapping[Hashable, str]
    labels: Mapping[str, AxisLabel]
    levels: Mapping[str, Mapping[Hashable, str]]
    lines: list[str] = field(default_factory=list)
    layers: dict[str, _Layer] = field(default_factory=dict)

    def note(self, kind: str, panel: Hashable, name: str, x: ArrayLike, y: ArrayLike) -> None:
        """Note a series of a layer on a panel."""
        layer = self.layers.setdefault(kind, _Layer())
        for side, ranges, values in (("x", layer.x, x), ("y", layer.y, y)):
            finite = np.asarray(values, dtype=float)
            finite = finite[np.isfinite(finite)]
            if finite.size:
                ranges.setdefault(self._label(side, panel), []).extend([float(finite.min()), float(finite.max())])
        if name and name not in layer.names:
            layer.names.append(name)

    def text(self) -> str:
        """Return a sentence a layer, and one on lines of reference."""
        titles = [title for title in self.titles.values() if title]
        panels = f" in {len(self.titles)} panels" if len(self.titles) > 1 else ""
        panels += f" ({_listed(titles)})" if titles else ""
        sentences: list[str] = []
        for kind, layer in self.layers.items():
            if layer.x and layer.y:
                names = f" for {_listed(layer.names)}" if layer.names else ""
                ranges = f"{self._range('y', layer.y)} against {self._range('x', layer.x)}"
                sentences.append(f"{kind}{'' if sentences else panels}{names}: {ranges}.")
        if self.lines:
            sentences.append(f"Lines at {_listed(self.lines)}.")
        return " ".join(sentences)

    def _label(self, side: str, panel: Hashable) -> str:
        """Return the label of a panel's axis; one without a label shares that of its row's first or column's last."""
        labels = self.labels[side]
        if isinstance(labels, str):
            return labels
        panels = list(self.titles)
        place = panels.index(panel)
        order = panels[place::-1] if side == "y" else panels[place:]
        return next((labels[key] for key in order if key in labels), "")

    def _range(self, side: str, ranges: Mapping[str, list[float]]) -> str:
        if levels := self.levels[side]:
            return f"{' '.join(ranges)} {_listed(list(filter(None, levels.values())))}".strip()
        texts = []
        for label, values in ranges.items():
            low, high = (f"{value:.3g}".replace("-", "−") for value in (min(values), max(values)))
            texts.append(f"{' '.join(label.split()) or side} from {low} to {high}")
        return " and ".join(texts)


def _listed(names: Sequence[str]) -> str:
    flat = [" ".join(name.split()) for name in names]
    return ", ".join(flat) if len(flat) <= _MANY else f"{len(flat)} values, {flat[0]} to {flat[-1]}"
