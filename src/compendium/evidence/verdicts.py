"""Printed numbers and the verdict on each regenerated one.

The only module that reads ``data/published/`` and ``data/regenerated/``.  A cell is judged with the
Monte Carlo error of both sides and the rounding of the print:
``z = (ours - theirs) / sqrt(se_ours^2 + se_theirs^2 + rounding^2 / 12)``, where
both errors are our replicates' spread, known best from the run with the most
replicates, scaled to each side's number of repeats.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isfinite, nan, sqrt
from pathlib import Path
from typing import Any

import pandas as pd

from compendium.evidence.judging import (
    VERDICTS,
    Judgement,
    PredictionInterval,
    judge,
    judge_count,
    judge_label,
    judge_p_value,
)
from compendium.evidence.papers import PAPERS
from compendium.evidence.records import dicts
from compendium.evidence.texts import quantity_scopes, why_untestable
from errorest import determinism
from errorest.errors import UsageError, nearest

REGENERATED_COLUMNS = ("artifact", "reading", "scale", "row", "column", "value", "se", "n")
"""The columns of ``data/regenerated/``."""

KINDS = ("literal", "unstated", "fitted")
"""The kinds of reading: as the paper states it; where it is silent; chosen because it reproduces the print."""

BASES = ("simulated", "exact", "zero by definition")
"""What a regenerated number is: an average of replicates; counted or calculated; a zero that nothing could change."""

_PUBLISHED_COLUMNS = ("artifact", "row", "column", "value", "decimals", "halfwidth", "kind", "relation", "note")
_KEY = ["artifact", "row", "column"]
_OWN = ("reading", "scale", "value", "se", "n")
# Artifacts that print p-values, and the row or column of these
_P_VALUES = frozenset((f"shakhnarovich-table-{number}", "alpha") for number in (2, 4, 5))


def data_folder(name: str) -> str:
    """Return a folder of the project's data."""
    root = determinism.project_root()
    if root is None:
        raise UsageError(
            f"the folder data/{name} was not found; expected a checkout of errorest; run from inside the project"
        )
    return str(root / "data" / name)


@lru_cache(maxsize=8)
def read_published(paper: str) -> pd.DataFrame:
    """Read every printed number of one paper."""
    if paper not in PAPERS:
        raise UsageError(f"unknown paper '{paper}'; expected an id; {nearest(paper, PAPERS)}")
    if not PAPERS[paper].printed:
        return pd.DataFrame(columns=list(_PUBLISHED_COLUMNS))
    table = pd.read_csv(f"{data_folder('published')}/{paper}.csv", dtype=str, keep_default_na=False)
    for name in ("decimals", "halfwidth"):
        table[name] = pd.to_numeric(table[name].replace("", None))
    return table


def printed_of(artifact: str, printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the printed numbers that an artifact's rows are compared with: its own, or of others those it computes."""
    own = printed[printed.artifact.isin({artifact, *rows.artifact})]
    if artifact in set(printed.artifact):
        return own
    keys = ["artifact", "row", "column"]
    return own.merge(rows[keys].drop_duplicates(), on=keys)


def read_regenerated(paper: str) -> pd.DataFrame:
    """Read what the last complete build regenerated; no rows where there is none yet."""
    try:
        return pd.read_csv(
            f"{data_folder('regenerated')}/{paper}.csv",
            dtype={"row": str, "column": str},
            keep_default_na=False,
            na_values=[""],
        )
    except FileNotFoundError:
        return pd.DataFrame(columns=list(REGENERATED_COLUMNS))


def read_words(paper: str) -> dict[str, dict[str, Any]]:
    """Read the words of a paper's artifacts in the last complete build, by artifact: findings, claims, errata, labels.

    The numbers of the same build are those of :func:`read_regenerated`; nothing where there is no build yet.
    """
    try:
        text = Path(f"{data_folder('regenerated')}/{paper}.json").read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    return dict(json.loads(text))


def compare(published: pd.DataFrame, regenerated: pd.DataFrame) -> pd.DataFrame:
    """Judge regenerated rows against printed ones."""
    ours = _Ours(regenerated)
    labels: dict[tuple[str, str], dict[str, str]] = {}
    for printed in dicts(published):
        if printed["kind"] == "label":
            labels.setdefault((printed["artifact"], printed["row"]), {})[printed["column"]] = printed["value"]
    spreads = printed_spreads(published)
    out: list[dict[str, Any]] = []
    for printed, spread in zip(dicts(published), spreads, strict=True):
        own = labels.get((printed["artifact"], printed["row"]), {})
        nothing = {"reading": "", "scale": "", "value": nan, "se": nan, "n": 0}
        base = {**printed, "printed": printed["value"], **nothing, "se_printed": nan}
        base |= {"ours_halfwidth": nan, "halfwidth_verdict": ""}
        out += [{**base, **result} for result in _found(printed, ours, own, spread)]
    return pd.DataFrame(out)


def printed_spreads(published: pd.DataFrame) -> pd.Series:
    """Return for each printed number how far apart the printed values of its quantity are; 0 if it stands alone.

    A quantity is what the first part of a column names, within an artifact.  In an artifact whose texts have
    ``quantity: table`` all numbers are of one quantity, with ``quantity: cell`` each is of its own.
    """
    results = published["kind"] == "result"
    values = pd.to_numeric(published["value"].where(results & (published["relation"] != ">")), errors="coerce")
    quantity = published["column"].astype(str).str.replace("/.*", "", regex=True)
    scopes = {artifact: scope for paper in PAPERS for artifact, scope in quantity_scopes(paper).items()}
    scope = published["artifact"].map(scopes).fillna("column")
    quantity = quantity.mask(scope == "table", "").mask(scope == "cell", published["row"] + "|" + published["column"])
    groups = values.groupby([published["artifact"], quantity])
    return (groups.transform("max") - groups.transform("min")).fillna(0.0)


class _Ours:
    """Regenerated rows by printed key; what a label says stands in the column, behind an equals sign."""

    def __init__(self, regenerated: pd.DataFrame) -> None:
        self._rows: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
        self._named: dict[tuple[str, str, str], dict[tuple[str, str], dict[str, dict[str, Any]]]] = {}
        for row in dicts(regenerated):
            self._rows.setdefault((row["artifact"], row["row"], row["column"]), []).append(row)
            if "=" in row["column"]:
                column, _, text = row["column"].partition("=")
                runs = self._named.setdefault((row["artifact"], row["row"], column), {})
                runs.setdefault((row["reading"], row["scale"]), {}).setdefault(text, row)

    def of(self, printed: Mapping[str, Any], suffix: str = "") -> list[dict[str, Any]]:
        """Return what was regenerated for a printed key, or beside it."""
        return self._rows.get((printed["artifact"], printed["row"], f"{printed['column']}{suffix}"), [])

    def beside(self, printed: Mapping[str, Any], suffix: str) -> dict[tuple[str, str], dict[str, Any]]:
        """Return what was regenerated beside a printed key, by reading and scale."""
        return {(r["reading"], r["scale"]): r for r in self.of(printed, suffix)}

    def named(self, printed: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, dict[str, Any]]]:
        """Return rows whose column names a label, by reading and scale and by the label."""
        return self._named.get((printed["artifact"], printed["row"], printed["column"]), {})

    def reruns(self, printed: Mapping[str, Any]) -> dict[str, PredictionInterval]:
        """Return the quantiles of reruns by reading: of the largest run that has them, listed last."""
        parts = {name: self.beside(printed, f"/reruns-{name}") for name in PredictionInterval._fields[:-1]}
        return {
            run[0]: PredictionInterval(
                **{name: float(part[run]["value"]) for name, part in parts.items()}, n=int(row["n"])
            )
            for run, row in parts["least"].items()
        }


def _found(printed: Mapping[str, Any], ours: _Ours, labels: Mapping[str, str], spread: float) -> list[dict[str, Any]]:
    """Judge every reading and scale of one printed key."""
    group, named = ours.of(printed), ours.named(printed)
    if printed["kind"] == "label" and named:
        return [_label(shares, printed["value"]) for shares in named.values()]
    if not group:
        kind = printed["kind"]
        if kind in ("setting", "sentinel"):
            return [_judged(judge(nan, 0.0, printed["value"], printed["decimals"], kind=kind))]
        reason = why_untestable(printed["artifact"], printed["row"], printed["column"])
        return [_judged(Judgement("not testable", nan, reason))]
    if not _P_VALUES.isdisjoint((printed["artifact"], printed[place]) for place in ("row", "column")):
        rows = [_under_label(row, named, labels) for row in group]
        return [{**_own(r), **_judged(judge_p_value(r["value"], printed["value"]), why)} for r, why in rows]
    reruns, widths = ours.reruns(printed), ours.beside(printed, "/halfwidth")
    out = []
    for row in group:
        run = (row["reading"], row["scale"])
        if row["reading"] in reruns and printed["kind"] == "result" and isfinite(row["value"]):
            j = judge_count(printed["value"], printed["decimals"], reruns[row["reading"]], spread)
            out.append({**_own(row), **_judged(j)})
        else:
            of_paper, largest = _paper_and_largest(group, row)
            own, why = _under_label(row, named, labels)
            out.append(
                _number(printed, own, of_paper, largest, spread, why) | _width(printed, row, of_paper, widths.get(run))
            )
    return out


def _paper_and_largest(group: Sequence[Mapping[str, Any]], row: Mapping[str, Any]) -> tuple[float, Mapping[str, Any]]:
    """Return the paper's number of repeats, and the row of the run that knows the spread best."""
    own = [r for r in group if r["reading"] == row["reading"]]
    of_paper = next((r["n"] for r in own if r["scale"] == "published"), 0) or row["n"]
    known = [r for r in own if isfinite(r["se"]) and r["se"] > 0]
    return of_paper, max(known, key=lambda r: r["n"], default=row)


def _under_label(
    row: Mapping[str, Any], named: Mapping[tuple[str, str], Mapping[str, Mapping[str, Any]]], labels: Mapping[str, str]
) -> tuple[Mapping[str, Any], str]:
    """Return our number of what the paper names in the same row, where ours would name another, and say so."""
    candidates = named.get((row["reading"], row["scale"]), {})
    for label in (*labels.values(), "/".join(labels.values())):
        if label in candidates:
            return candidates[label], f"ours of {label}, as the paper has it; we would name another"
    return row, ""


def _number(
    printed: Mapping[str, Any],
    row: Mapping[str, Any],
    of_paper: float,
    largest: Mapping[str, Any],
    spread: float,
    why: str,
) -> dict[str, Any]:
    se = row["se"]
    if not why and largest["n"] > row["n"] > 0 and isfinite(se) and se > 0:
        # skewed numbers hide their spread in a small run
        se = largest["se"] * sqrt(largest["n"] / row["n"])
    theirs = se * sqrt(row["n"] / of_paper) if of_paper else se
    j = judge(
        row["value"],
        se,
        printed["value"],
        printed["decimals"],
        relation=printed["relation"],
        kind=printed["kind"],
        se_theirs=theirs,
        spread=spread,
    )
    return {**_own(row), **_judged(j, why), "se_printed": theirs}


def _width(
    printed: Mapping[str, Any], row: Mapping[str, Any], of_paper: float, width: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Judge a printed half-width: it shrinks with the number of replicates, and the paper had its own."""
    if width is None or not isfinite(printed["halfwidth"]):
        return {}
    scale = sqrt(row["n"] / of_paper) if of_paper else 1.0
    half, se = width["value"] * scale, width["se"] * scale
    j = judge(half, se, str(printed["halfwidth"]), printed["decimals"], se_theirs=se * scale)
    return {"ours_halfwidth": half, "halfwidth_verdict": j.verdict}


def _label(shares: Mapping[str, Mapping[str, Any]], printed: str) -> dict[str, Any]:
    """Judge a label; what is said of ours is the share of the printed one."""
    first = next(iter(shares.values()))
    row = shares.get(printed, {**first, "value": 0.0})
    return {**_own(row), **_judged(judge_label({label: r["value"] for label, r in shares.items()}, printed))}


def _own(row: Mapping[str, Any]) -> dict[str, Any]:
    return {k: row[k] for k in _OWN}


def _judged(j: Judgement, why: str = "") -> dict[str, Any]:
    return {"z": j.z, "verdict": j.verdict, "reason": "; ".join(text for text in (why, j.reason) if text)}


def headline(comparison: pd.DataFrame) -> pd.DataFrame:
    """Keep one row a printed key: literal before unstated before fitted, then the first listed, at published repeats.

    A fitted reading's agreement is no evidence of its own, so that it stands first only where nothing else exists.
    A key that was regenerated at another scale only keeps its first row.
    """
    if comparison.empty:
        return comparison
    kind = comparison["reading"].str.partition(":")[0].map({name: place for place, name in enumerate(KINDS)}).fillna(0)
    ranked = comparison.assign(_kind=kind, _later=comparison["scale"] != "published").sort_values(
        ["_kind", "_later"], kind="stable"
    )
    return ranked.drop_duplicates(_KEY).sort_index().drop(columns=["_kind", "_later"])


def counts(comparison: pd.DataFrame) -> dict[str, int]:
    """Count the headline verdicts; every verdict has an entry."""
    verdicts = list(headline(comparison)["verdict"]) if len(comparison) else []
    return {v: verdicts.count(v) for v in VERDICTS}


def tally(comparison: pd.DataFrame) -> pd.DataFrame:
    """Count the headline verdicts by the kind of reading, and exact numbers apart from simulated ones.

    A fitted reading's agreement is no evidence of its own, and an exact number that agrees says that we read
    the paper as it is meant, not that an experiment came out.
    """
    results = {(kind, basis): dict.fromkeys(VERDICTS, 0) for kind in KINDS for basis in BASES}
    results["", ""] = dict.fromkeys(VERDICTS, 0)
    for row in dicts(headline(comparison)):
        kind = row["reading"].partition(":")[0]
        results[kind, _basis(row) if kind else ""][row["verdict"]] += 1
    return pd.DataFrame([{"kind": kind, "basis": basis, **each} for (kind, basis), each in results.items()])


def _basis(row: Mapping[str, Any]) -> str:
    if row["se"] != 0 or (row["kind"] == "label" and row["n"] > 1):
        # a p-value has no error, and a label that always wins has won in simulations
        return "simulated"
    return "zero by definition" if row["value"] == 0 else "exact"
