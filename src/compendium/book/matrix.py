"""A wide table: rows down, quantities across, for artifacts whose numbers form a grid.

A list of hundreds of numbers, one below the other, cannot be read as the table
that a paper printed; here each quantity has a column for the print and one for
ours, and the verdict stands beside ours as a sign with its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from compendium.book.labels import Label
from compendium.evidence.side_by_side import COUNTS_FIRST

__all__ = ["matrix_html", "sign"]

SIGNS = {"reproduced": "✓", "close": "≈", "differs": "×", "no power": "○", "not testable": "?", "setting": "="}
"""What stands for a verdict in a narrow cell."""

Cell = Callable[[str, str, tuple[str, str]], str]


def matrix_html(
    keys: list[tuple[str, str]],
    run: tuple[str, str],
    caption: str,
    printed: Cell | None,
    ours: Cell,
    label: Label,
    anchor: Callable[[str], str] | None = None,
) -> str:
    """Lay out one reading's numbers as a grid."""
    columns = sorted(dict.fromkeys(c for _, c in keys), key=lambda column: column not in COUNTS_FIRST)
    rows = list(dict.fromkeys(r for r, _ in keys))
    held = set(keys)
    grouped = all("/" in r for r in rows)
    if grouped:
        # a paper that prints two classifiers side by side interleaves their rows
        groups = list(dict.fromkeys(r.rpartition("/")[0] for r in rows))
        rows.sort(key=lambda r: groups.index(r.rpartition("/")[0]))
    width = 1 + len(columns) * (2 if printed else 1)
    body, before = [], None
    for row in rows:
        group, _, name = row.rpartition("/") if grouped else ("", "", row)
        if grouped and group != before:
            body.append(
                f'<tr class="errorest-group"><th scope="rowgroup" colspan="{width}">{escape(label(group))}</th></tr>'
            )
            before = group
        cells = []
        for column in columns:
            there = (row, column) in held
            if printed:
                cells.append(f'<td class="num">{printed(row, column, run) if there else ""}</td>')
            cells.append(f'<td class="num">{ours(row, column, run) if there else ""}</td>')
        place = f' id="{escape(anchor(row))}"' if anchor else ""
        body.append(f'<tr><th scope="row"{place}>{escape(label(name))}</th>{"".join(cells)}</tr>')
    if printed:
        span = "".join(f'<th scope="colgroup" colspan="2" class="num">{escape(label(c))}</th>' for c in columns)
        below = '<th scope="col" class="num">Published</th><th scope="col" class="num">Ours</th>' * len(columns)
        head = f'<tr><th scope="col" rowspan="2">Quantity</th>{span}</tr><tr>{below}</tr>'
    else:
        heads = "".join(f'<th scope="col" class="num">{escape(label(c))}</th>' for c in columns)
        head = f'<tr><th scope="col">Quantity</th>{heads}</tr>'
    return (
        f'<table class="errorest-table errorest-matrix"><caption><span class="errorest-caption">{caption}</span>'
        f"</caption><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"
    )


def sign(judged: Mapping[str, Any] | None) -> str:
    """Render a verdict as a sign that a screen reader names."""
    if judged is None:
        return ""
    verdict = str(judged["verdict"])
    name = escape(verdict)
    return (
        f'<span class="verdict-sign {verdict.replace(" ", "-")}" role="img" aria-label="{name}" title="{name}">'
        f"{SIGNS.get(verdict, '')}</span>"
    )
