"""A small picture of numbers in a page: a row a number, its mark on a common scale, without scripts or colours alone.

It is written as a table, so that who cannot see it reads names and numbers; widths follow the page, down to a phone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import isfinite
from typing import NamedTuple

__all__ = ["Mark", "marks_html"]

_STRONG = ' class="errorest-strong"'


class Mark(NamedTuple):
    """One row: its name, its value, the limits of a whisker, whether it stands out, and where its number stands."""

    name: str
    value: float
    low: float = float("nan")
    high: float = float("nan")
    strong: bool = False
    address: str = ""


def marks_html(
    marks: Sequence[Mark], caption: str, unit: str, lines: Sequence[tuple[str, float]] = (), digits: int = 1
) -> str:
    """Draw numbers as marks on one scale."""
    if not marks:
        return ""
    shown = [v for m in marks for v in (m.value, m.low, m.high) if isfinite(v)] + [v for _, v in lines]
    low, high = min(0.0, *shown), max(shown)
    span = (high - low) or 1.0

    def at(value: float) -> str:
        return f"{3 + 94 * (value - low) / span:.2f}%"

    drawn = "".join(
        f'<line class="{css}" x1="{at(v)}" x2="{at(v)}" y1="0" y2="100%"/>'
        for css, (_, v) in zip(("truth", "truth second"), lines, strict=False)
    )
    rows = "".join(_row(m, drawn, at, digits) for m in marks)
    key = "".join(
        f'<span class="errorest-key {css}">{escape(name)} {_text(v, digits)}</span>'
        for css, (name, v) in zip(("truth", "truth second"), lines, strict=False)
    )
    return (
        f'<figure class="errorest-marks"><table><thead class="visually-hidden"><tr><th scope="col">Name</th>'
        f'<th scope="col">Picture</th><th scope="col">{escape(unit)}</th></tr></thead><tbody>{rows}</tbody></table>'
        f"<figcaption>{key}{caption}</figcaption></figure>"
    )


def _text(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return (text.removeprefix("-") if float(text) == 0 else text).replace("-", "−")


def _row(mark: Mark, lines: str, at: Callable[[float], str], digits: int) -> str:
    whisker = ""
    if isfinite(mark.low) and isfinite(mark.high):
        whisker = f'<line class="whisker" x1="{at(mark.low)}" x2="{at(mark.high)}" y1="50%" y2="50%"/>'
    limits = f" (from {_text(mark.low, digits)} to {_text(mark.high, digits)})" if whisker else ""
    shape = (
        f'<circle cx="{at(mark.value)}" cy="50%" r="5.5"/>'
        if mark.strong
        else f'<circle class="open" cx="{at(mark.value)}" cy="50%" r="4"/>'
    )
    text = _text(mark.value, digits)
    shown = f'<a href="{escape(mark.address)}">{text}</a>' if mark.address else text
    return (
        f'<tr{_STRONG if mark.strong else ""}><th scope="row">{escape(mark.name)}</th>'
        f'<td aria-hidden="true"><svg width="100%" height="18" focusable="false">{lines}{whisker}{shape}</svg></td>'
        f'<td>{shown}<span class="visually-hidden">{limits}</span></td></tr>'
    )
