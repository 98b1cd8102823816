"""Which claims of the papers stand: a reproducibility statement whose every mark follows from an executed check.

The marks are those of ReScience: [Re] for what was reproduced, [¬Re] for what was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from types import SimpleNamespace
from typing import Any

from compendium.book.numbers import number
from compendium.book.render import scroll, words

__all__ = ["MARKS", "claim_counts", "rows_table", "statement_html"]

MARKS: Mapping[str, str] = {
    "holds": "[Re]",
    "holds in part": "[Re] in part",
    "fails": "[¬Re]",
    "not decided": "not decided",
}
"""The mark of each outcome of a check."""


def claim_counts(manifests: Iterable[Mapping[str, Any]], paper: str | None = None) -> SimpleNamespace:
    """Count the claims of a paper, or of all manifests, by what followed."""
    outcomes = [c["outcome"] for m in manifests if paper in (None, m["paper"]) for c in m["checks"]]
    found = {outcome.replace(" ", "_"): outcomes.count(outcome) for outcome in MARKS}
    return SimpleNamespace(**found, total=len(outcomes))


def statement_html(manifests: Sequence[Mapping[str, Any]], paper: str, name: str, link: Callable[[str], str]) -> str:
    """Write the claims of a paper with their marks."""
    counts = claim_counts(manifests, paper)
    if not counts.total:
        return ""
    told = ", ".join(f"{n} {mark}" for o, mark in MARKS.items() if (n := getattr(counts, o.replace(" ", "_"))))
    rows = "".join(
        f'<tr><th scope="row">{escape(MARKS[c["outcome"]])}</th><td class="text">{words(c["claim"])}</td>'
        f'<td class="text">{words(c["evidence"])}</td><td class="text">{link(m["id"])}</td></tr>'
        for outcome in MARKS
        for m in manifests
        if m["paper"] == paper
        for c in m["checks"]
        if c["outcome"] == outcome
    )
    table = scroll(
        f'<table class="errorest-table errorest-prose"><caption>{escape(name)}: claims, executed (± is one standard '
        'error)</caption><thead><tr><th scope="col">Mark</th><th scope="col">Claim</th><th scope="col">Measured</th>'
        f'<th scope="col">Where</th></tr></thead><tbody>{rows}</tbody></table>',
        f"Claims of {name}",
    )
    return f"<p>Of {counts.total} claims: {escape(told)}.</p>{table}"


def rows_table(manifest: Mapping[str, Any], heads: Mapping[str, str]) -> str:
    """Write the rows of an artifact as a table in Markdown."""
    found = {(r["row"], r["column"]): number(r["value"], r["se"]) for r in reversed(manifest["rows"])}
    names = dict.fromkeys(r["row"] for r in manifest["rows"])
    lines = [f"| {name} | " + " | ".join(found.get((name, key), "–") for key in heads) + " |" for name in names]
    return "\n".join([f"| | {' | '.join(heads.values())} |", f"| :-- |{' --: |' * len(heads)}", *lines])
