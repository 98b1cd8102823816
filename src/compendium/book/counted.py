"""Verdicts counted: by the kind of reading, by artifact, and table by table as wholes.

Counts stand on the landing page, the verdicts page, the papers' pages and the terminal; all come from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from types import SimpleNamespace
from typing import Any

import pandas as pd

from compendium.book.render import scroll, words
from compendium.evidence.judging import VERDICTS
from compendium.evidence.records import dicts
from compendium.evidence.verdicts import BASES, KINDS, tally
from compendium.evidence.wholes import LEVEL, said_p

__all__ = [
    "artifacts_html",
    "expected_of",
    "named_counts",
    "strip_svg",
    "tally_html",
    "tally_lines",
    "wholes_html",
    "wholes_lines",
]

_KIND_WORDS = {"literal": "literal", "unstated": "unstated", "fitted": "fitted", "": "no number of ours"}
_LIMIT = 6.0
_WIDTH, _HEIGHT = 240.0, 24.0


def named_counts(comparison: pd.DataFrame) -> SimpleNamespace:
    """Count headline verdicts for a page's text."""
    counted = tally(comparison)
    zero = counted["basis"] == BASES[2]
    exact = zero | (counted["basis"] == BASES[1])
    kinds = {kind: _named(counted[counted["kind"] == kind]) for kind in KINDS}
    whole = vars(_named(counted)) | {k: SimpleNamespace(**vars(v)) for k, v in kinds.items()}
    return SimpleNamespace(
        **whole, exact=int(counted.loc[exact, "reproduced"].sum()), zero=int(counted.loc[zero, "reproduced"].sum())
    )


def _named(counted: pd.DataFrame) -> SimpleNamespace:
    found = {v.replace(" ", "_"): int(counted[v].sum()) for v in VERDICTS}
    judged = sum(found[v] for v in ("reproduced", "close", "differs", "no_power"))
    return SimpleNamespace(**found, judged=judged, total=sum(found.values()))


def _tallied(comparison: pd.DataFrame) -> list[tuple[str, Mapping[str, int]]]:
    """Return the rows of the tally that hold anything, in words."""
    rows: list[tuple[str, Mapping[str, int]]] = []
    for row in dicts(tally(comparison)):
        if any(row[v] for v in VERDICTS):
            rows.append((", ".join(t for t in (_KIND_WORDS[row["kind"]], row["basis"]) if t), row))
    return rows


def tally_html(comparison: pd.DataFrame, title: str) -> str:
    """Write the verdicts by kind of reading as a table."""
    rows = _tallied(comparison)
    total = {v: sum(row[v] for _, row in rows) for v in VERDICTS}
    return _table(f"{title}: verdicts by kind of reading", "Reading", rows, total)


def _table(caption: str, first: str, rows: Sequence[tuple[str, Mapping[str, int]]], total: Mapping[str, int]) -> str:
    def cells(of: Mapping[str, int]) -> str:
        return "".join(f'<td class="num">{of[v] or "·"}</td>' for v in VERDICTS)

    heads = "".join(f'<th scope="col" class="num">{v.capitalize()}</th>' for v in VERDICTS)
    body = "".join(f'<tr><th scope="row">{escape(name)}</th>{cells(of)}</tr>' for name, of in rows)
    return scroll(
        f'<table class="errorest-table"><caption>{escape(caption)}</caption><thead><tr><th scope="col">{first}</th>'
        f"{heads}</tr></thead><tbody>{body}</tbody>"
        f'<tfoot><tr><th scope="row">All</th>{cells(total)}</tr></tfoot></table>',
        caption,
    )


def tally_lines(comparison: pd.DataFrame) -> list[str]:
    """Write the verdicts by kind of reading for a terminal."""
    rows = _tallied(comparison)
    rows.append(("all", {v: sum(row[v] for _, row in rows) for v in VERDICTS}))
    return [
        f"{'reading':<32}" + "".join(f"{v:>14}" for v in VERDICTS),
        *(f"{name:<32}" + "".join(f"{row[v] or '·':>14}" for v in VERDICTS) for name, row in rows),
    ]


def wholes_lines(wholes: pd.DataFrame) -> list[str]:
    """Write how tables agree as wholes for a terminal: observed and expected shares, and the two p-values."""
    table = dicts(wholes)
    runs = [f"{w['reading']}, {w['scale']}" for w in table]
    wide = max([len("table as a whole"), *(len(w["artifact"]) for w in table)]) + 2
    run_wide = max([len("reading, scale"), *map(len, runs)]) + 2
    heads = f"{'numbers':>8}{'within':>8}{'expected':>9}{'p':>6}{'side p':>8}"
    lines = [f"{'table as a whole':<{wide}}{'reading, scale':<{run_wide}}{heads}"]
    for w, run in zip(table, runs, strict=True):
        lines.append(
            f"{w['artifact']:<{wide}}{run:<{run_wide}}{w['cells']:>8}{w['within'] / w['cells']:>8.0%}"
            f"{w['expected']:>9.0%}{w['p']:>6.2f}{w['side_p']:>8.2f}"
        )
    return lines


def artifacts_html(name: str, rows: Sequence[tuple[str, str, SimpleNamespace, str]]) -> str:
    """Write a paper's artifacts with their counts."""
    heads = [f"Reproduced, {kind}" for kind in KINDS] + ["of these exact", "Close", "Differs", "No power"]
    head = "".join(f'<th scope="col" class="num">{h}</th>' for h in [*heads, "Not testable"])
    body = []
    for title, address, c, finding in rows:
        numbers = [*(getattr(c, kind).reproduced for kind in KINDS), c.exact, c.close, c.differs, c.no_power]
        cells = "".join(f'<td class="num">{n or "·"}</td>' for n in [*numbers, c.not_testable])
        link = f'<a href="{escape(address)}">{escape(title)}</a>'
        body.append(f'<tr><th scope="row">{link}</th>{cells}<td class="text">{finding}</td></tr>')
    caption = f"Artifacts of {name}: printed values by verdict, the reproduced ones by kind of reading"
    return scroll(
        f'<table class="errorest-table"><caption>{escape(caption)}</caption><thead><tr><th scope="col">Artifact</th>'
        f'{head}<th scope="col" class="text">In short</th></tr></thead><tbody>{"".join(body)}</tbody></table>',
        caption,
    )


def strip_svg(z: Sequence[float]) -> str:
    """Draw z-values as a strip of ticks between −6 and 6, two standard errors shaded; the text names what is seen."""

    def at(value: float) -> float:
        return _WIDTH * (max(-_LIMIT, min(_LIMIT, value)) + _LIMIT) / (2 * _LIMIT)

    below, beyond = sum(v < 0 for v in z), sum(abs(v) > _LIMIT for v in z)
    said = f"z of {len(z)} numbers, from {min(z):.1f} to {max(z):.1f}; {below} below zero".replace("-", "−")
    said += f"; {beyond} beyond {_LIMIT:g}" if beyond else ""
    ticks = "".join(f"M{at(v):.1f} 5V19" for v in z)
    return (
        f'<svg class="errorest-strip" role="img" aria-label="{said}" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" '
        f'width="{_WIDTH:g}" height="{_HEIGHT:g}"><rect x="{at(-2):g}" y="1" width="{at(2) - at(-2):g}" height="22" '
        f'fill="currentColor" opacity="0.12"/><path d="M{at(0):g} 1V23" stroke="currentColor" stroke-width="1"/>'
        f'<path d="{ticks}" stroke="currentColor" stroke-width="1" opacity="0.55"/></svg>'
    )


def expected_of(wholes: Sequence[Mapping[str, Any]]) -> tuple[int, float, float]:
    """Return the number of cells of some tables, and the shares of them observed and expected within two errors."""
    cells = sum(w["cells"] for w in wholes)
    return (
        cells,
        sum(w["within"] for w in wholes) / cells,
        sum(w["cells"] * w["expected"] for w in wholes) / cells,
    )


def wholes_html(name: str, wholes: Sequence[Mapping[str, Any]], link: Callable[[str], str]) -> str:
    """Write how a paper's tables agree with the print as wholes, headline readings first summed up."""
    if not wholes:
        return ""
    first = [w for w in wholes if w["reading"] == "headline" and w["scale"] == "published"]
    parts = []
    if first:
        cells, observed, expected = expected_of(first)
        unlikely = sum(w["p"] < LEVEL for w in first)
        parts.append(
            f"<p><strong>{escape(name)}.</strong> In the headline readings {100 * observed:.0f} % of {cells} simulated "
            f"numbers in {len(first)} {'table' if len(first) == 1 else 'tables'} lie within two standard errors of the "
            f"print; if the print were right, {100 * expected:.0f} % would. Chance does not explain the differences in "
            f"{unlikely} of {len(first)}.</p>"
        )
    rows = []
    for w in wholes:
        side = "below" if 2 * w["below"] >= w["of"] else "above"
        number = w["below"] if side == "below" else w["of"] - w["below"]
        flag = " <strong>one-sided</strong>" if w["side_p"] < LEVEL else ""
        column = f"{escape(w['column'])}: " if w["column"] else ""
        rows.append(
            f'<tr><th scope="row">{link(w["artifact"])}<br/><small>{escape(w["reading"])}, {escape(w["scale"])}</small>'
            f'</th><td class="num">{w["cells"]}</td><td class="num">{100 * w["within"] / w["cells"]:.0f} %</td>'
            f'<td class="num">{100 * w["expected"]:.0f} % (≥ {100 * w["least"]:.0f} %)</td>'
            f'<td class="num">{said_p(w["p"], w["reruns"])}</td><td class="text">{column}{number} of {w["of"]} {side}, '
            f"{said_p(w['side_p'], w['reruns'])}{flag}</td><td>{strip_svg(w['z'])}</td></tr>"
        )
    heads = ("Table", "Numbers", "Within two errors", "Expected", "p", "Most one-sided column", "z, −6 to 6")
    head = "".join(f'<th scope="col">{h}</th>' for h in heads)
    table = scroll(
        f'<table class="errorest-table"><caption>{escape(name)}: tables as wholes</caption><thead><tr>{head}</tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table>",
        f"{name}: tables as wholes",
    )
    said = "".join(
        f"<li>{link(w['artifact'])} <small>({escape(w['reading'])}, {escape(w['scale'])})</small>: "
        f"{words(w['said'])}</li>"
        for w in wholes
    )
    return "\n".join([*parts, table, f"<details><summary>{escape(name)}: in words</summary><ul>{said}</ul></details>"])
