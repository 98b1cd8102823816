"""Verdicts counted by the kind of reading, by artifact and table by table as wholes, and the claims by their outcome.

Counts stand on the landing page, the verdicts page, the papers' pages and the terminal; all come from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from types import SimpleNamespace

import pandas as pd

from compendium.book.templating import Cell, fill, table_html, words
from compendium.evidence.agreement import LEVEL, correct_by_holm, format_p
from compendium.evidence.differences import KINDS as CAUSES
from compendium.evidence.differences import UNEXPLAINED
from compendium.evidence.judging import VERDICTS
from compendium.evidence.records import Fields, dicts
from compendium.evidence.verdicts import BASES, CLOSE_BY_CHANCE, KINDS, counted_once, counts, headline, tally

# The mark of each outcome of a claim, as in ReScience: [Re] for what was reproduced, [¬Re] for what was not
MARKS: Mapping[str, str] = {
    "holds": "[Re]",
    "holds in part": "[Re] in part",
    "fails": "[¬Re]",
    "not decided": "not decided",
}

_NO_NUMBER = "no number of ours"
_COUNTED = [(v.capitalize(), "num") for v in VERDICTS]


def named_counts(comparison: pd.DataFrame) -> SimpleNamespace:
    """Count headline verdicts for a page's text."""
    counted = tally(comparison)
    zero = counted["basis"] == BASES[2]
    exact = zero | (counted["basis"] == BASES[1])
    kinds = {kind: _named(counted[counted["kind"] == kind]) for kind in KINDS}
    whole = vars(_named(counted)) | {k: SimpleNamespace(**vars(v)) for k, v in kinds.items()}
    return SimpleNamespace(
        **whole,
        exact=int(counted.loc[exact, "reproduced"].sum()),
        zero=int(counted.loc[zero, "reproduced"].sum()),
        unexplained=_causes(comparison).count(UNEXPLAINED),
        repeated=len(headline(comparison)) - len(counted_once(comparison)),
        passing=_passing(comparison),
        **_by_z(comparison),
    )


def _passing(comparison: pd.DataFrame) -> str:
    """Return of simulated numbers that are reproduced how many other printed ones would have been, on average."""
    reproduced = counted_once(comparison)
    shares = reproduced.loc[reproduced["verdict"] == "reproduced", "passing"] if len(reproduced) else reproduced
    return f"{100 * shares.mean():.0f} %" if len(shares) and shares.notna().any() else "·"


def _by_z(comparison: pd.DataFrame) -> dict[str, int]:
    """Count the numbers judged by a z that has an error, those of them that are close, and how many chance makes so."""
    judged = [c["verdict"] for c in dicts(counted_once(comparison)) if isfinite(c["z"]) and c["se"] > 0]
    by_chance = round(CLOSE_BY_CHANCE * len(judged))
    return {"by_z": len(judged), "close_by_z": judged.count("close"), "close_by_chance": by_chance}


def _causes(comparison: pd.DataFrame) -> list[str]:
    """Return of each headline number that differs the kind of its reason; empty where there is none."""
    return [c["cause"] for c in dicts(counted_once(comparison)) if c["verdict"] == "differs"]


def _named(counted: pd.DataFrame) -> SimpleNamespace:
    results = {v.replace(" ", "_"): int(counted[v].sum()) for v in VERDICTS}
    judged = sum(results[v] for v in ("reproduced", "close", "differs", "no_power"))
    return SimpleNamespace(**results, judged=judged, total=sum(results.values()))


def _tallied(comparison: pd.DataFrame) -> list[tuple[str, Mapping[str, int]]]:
    """Return the rows of the tally that hold anything, in words."""
    rows: list[tuple[str, Mapping[str, int]]] = []
    for row in dicts(tally(comparison)):
        if any(row[v] for v in VERDICTS):
            rows.append((", ".join(t for t in (row["kind"] or _NO_NUMBER, row["basis"]) if t), row))
    return rows


def tally_html(comparison: pd.DataFrame, title: str) -> str:
    return _counted_html(f"{title}: verdicts by kind of reading", "Reading", _tallied(comparison))


def grouped_html(title: str, head: str, groups: Sequence[tuple[Cell, pd.DataFrame]]) -> str:
    """Return the verdicts of groups of numbers, one line each, and of all together."""
    lines = [(link, *_marked(counts(own)), _passing(own)) for link, own in groups]
    whole = pd.concat([own for _, own in groups]) if groups else pd.DataFrame()
    heads = [(head, ""), *_COUNTED, ("Would be reproduced too", "num")]
    return table_html(title, heads, lines, ("All", *_marked(counts(whole)), _passing(whole)))


def causes_html(comparison: pd.DataFrame, title: str) -> str:
    """Return why numbers differ: how many for each kind of reason."""
    causes = _causes(comparison)
    rows = [(cause[:1].upper() + cause[1:], causes.count(cause)) for cause in CAUSES]
    explained = sum(cause not in ("", *CAUSES) for cause in causes)
    rows = [("Explained by another reading, under which they agree", explained), *rows]
    heads = [("Reason", ""), ("Numbers", "num")]
    return table_html(f"{title}: numbers that differ, by reason", heads, rows, ("All", len(causes)))


def artifacts_html(name: str, rows: Iterable[tuple[Cell, SimpleNamespace, Cell]]) -> str:
    """Return a paper's artifacts, each with its link, its counts and its first finding."""
    heads = [f"Reproduced, {kind}" for kind in KINDS]
    heads += ["of these exact", "Close", "Differs", "No power", "Not testable"]
    lines = []
    for link, c, finding in rows:
        numbers = [
            *(vars(c)[kind].reproduced for kind in KINDS),
            c.exact,
            c.close,
            c.differs,
            c.no_power,
            c.not_testable,
        ]
        lines.append((link, *(n or "·" for n in numbers), finding))
    caption = f"Artifacts of {name}: printed values by verdict, the reproduced ones by kind of reading"
    return table_html(caption, [("Artifact", ""), *((head, "num") for head in heads), ("In short", "text")], lines)


def _marked(row: Mapping[str, int]) -> list[int | str]:
    return [row[v] or "·" for v in VERDICTS]


def _counted_html(title: str, head: str, rows: Sequence[tuple[object, Mapping[str, int]]]) -> str:
    total = {v: sum(row[v] for _, row in rows) for v in VERDICTS}
    lines = [(name, *_marked(row)) for name, row in (*rows, ("All", total))]
    return table_html(title, [(head, ""), *_COUNTED], lines[:-1], lines[-1])


def count_lines(counted: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Write counts of verdicts for a terminal, a line a name."""
    table = pd.DataFrame(dict(counted)).T[list(VERDICTS)]
    return table.map(lambda n: f"{n:.0f}" if n else "·").to_string().splitlines()


def tally_lines(comparison: pd.DataFrame) -> list[str]:
    """Write the verdicts by kind of reading for a terminal."""
    rows = dict(_tallied(comparison))
    return count_lines({**rows, "all": {v: sum(row[v] for row in rows.values()) for v in VERDICTS}})


def number_lines(comparison: pd.DataFrame) -> list[str]:
    """Write each printed number for a terminal, its readings below: both values and errors, z, the verdict and why."""
    lines = []
    for (row, column, printed), own in comparison.groupby(["row", "column", "printed"], sort=False):
        lines.append(f"{row} | {column}: printed {printed}")
        for c in dicts(own):
            error = f" ± {c['se']:.2g}" if c["se"] > 0 else ""
            numbers = [
                f"{c['value']:.5g}{error}" if isfinite(c["value"]) else "",
                f"print ± {c['se_printed']:.2g}" if c["se_printed"] > 0 else "",
                f"z {c['z']:.2f}" if isfinite(c["z"]) else "",
                c["verdict"],
                c["reason"],
                c["note"],
            ]
            run = ", ".join(filter(None, [c["reading"], c["scale"]])) or "not regenerated"
            lines.append(f"    {run}: {'; '.join(filter(None, numbers))}")
    return lines


def wholes_lines(wholes: pd.DataFrame) -> list[str]:
    """Write how tables agree as wholes for a terminal: observed and expected shares, and the two p-values."""
    table = pd.DataFrame(
        {
            "numbers": wholes["cells"],
            "within": (wholes["within"] / wholes["cells"]).map("{:.0%}".format),
            "expected": wholes["expected"].map("{:.0%}".format),
            "p": wholes["p"],
            "side p": wholes["side_p"],
        }
    )
    table.index = pd.Index(wholes["artifact"] + ", " + wholes["reading"] + ", " + wholes["scale"], name=None)
    return table.to_string(float_format="%.2f").splitlines()


def wholes_html(name: str, wholes: Sequence[Fields], link: Callable[[str], Cell]) -> str:
    """Return how a paper's tables agree with the print as wholes, the headline readings summed up first."""
    if not wholes:
        return ""
    first = [w for w in wholes if w["reading"] == "headline" and w["scale"] == "published"]
    expected = sum(w["cells"] * w["expected"] for w in first)
    sums = {"first": first, "expected": expected, "corrected": correct_by_holm([w["p"] for w in first])}
    return fill("wholes.html", name=name, wholes=wholes, **sums, link=link, format_p=format_p, level=LEVEL)


def claim_counts(manifests: Iterable[Fields]) -> SimpleNamespace:
    outcomes = [c["outcome"] for m in manifests for c in m["checks"]]
    results = {outcome.replace(" ", "_"): outcomes.count(outcome) for outcome in MARKS}
    return SimpleNamespace(**results, total=len(outcomes))


def statement_html(papers: Mapping[str, Sequence[Fields]], link: Callable[[str], Cell]) -> str:
    """Return the claims of papers with their marks, by the papers' names; those of a paper by mark."""
    order = list(MARKS)
    claims = [
        (c, name, m["id"])
        for name, manifests in papers.items()
        for c, m in sorted(
            ((c, m) for m in manifests for c in m["checks"]), key=lambda claim: order.index(claim[0]["outcome"])
        )
    ]
    marks = [MARKS[c["outcome"]] for c, *_ in claims]
    return fill(
        "statement.html",
        counts=[(marks.count(mark), mark) for mark in MARKS.values() if mark in marks],
        rows=[
            (words(c["claim"]), name, MARKS[c["outcome"]], words(c["evidence"]), link(artifact))
            for c, name, artifact in claims
        ],
    )
