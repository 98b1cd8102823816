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

from compendium.evidence.differences import explain_difference
from compendium.evidence.judging import (
    VERDICTS,
    Judgement,
    PredictionInterval,
    judge,
    judge_count,
    judge_label,
    judge_p_value,
)
from compendium.evidence.keys import PARTS, parts_of, tidy
from compendium.evidence.papers import PAPERS
from compendium.evidence.records import dicts
from compendium.evidence.texts import declared_of, why_untestable
from errorest import determinism
from errorest.errors import UsageError, nearest

REGENERATED_COLUMNS = ("artifact", "reading", "scale", "row", "column", "value", "se", "n")
"""The columns of ``data/regenerated/``."""

KINDS = ("literal", "unstated", "fitted")
"""The kinds of reading: as the paper states it; where it is silent; chosen because it reproduces the print."""

CLOSE_BY_CHANCE = 0.0428
"""P(2 < |Z| < 3) of a normal Z: the share of numbers that truly agree, judged by z, that is close by chance."""

BASES = ("simulated", "exact", "zero by definition")
"""What a regenerated number is: an average of replicates; counted or calculated; a zero that nothing could change."""

_PUBLISHED_COLUMNS = ("artifact", "row", "column", "value", "decimals", "halfwidth", "kind", "relation", "note")
_KEY = ["artifact", "row", "column"]
_OF_KEY = ("artifact", "of_row", "of_column")
# What a line has where nothing was regenerated
_NOTHING = {"reading": "", "scale": "", "value": nan, "se": nan, "n": 0, "se_printed": nan, "passing": nan}
_NOTHING |= {"ours_halfwidth": nan, "halfwidth_verdict": "", "cause": "", "note": ""}

Row = Mapping[str, Any]
Rows = list[dict[str, Any]]


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


def order_of(reading: str) -> int:
    """Return the place of a reading's kind: literal, unstated, fitted."""
    return KINDS.index(reading.partition(":")[0])


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
    """Judge regenerated rows against printed ones, each reading and scale of a printed number in a line."""
    ours: dict[tuple[str, ...], dict[str, Rows]] = {}
    for row in dicts(tidy(regenerated)):
        ours.setdefault(tuple(row[name] for name in _OF_KEY), {}).setdefault(row["role"], []).append(row)
    printed = dicts(tidy(published))
    names: dict[tuple[str, str], list[str]] = {}
    alike: dict[tuple[str, str], list[str]] = {}
    for one in printed:
        if one["kind"] == "label":
            names.setdefault((one["artifact"], one["row"]), []).append(one["value"])
            alike.setdefault((one["artifact"], one["column"]), []).append(one["value"])
    out: list[dict[str, Any]] = []
    for one, others in zip(printed, other_values(published), strict=True):
        base = {name: one[name] for name in published.columns} | {"printed": one["value"]} | _NOTHING
        by_role = ours.get(tuple(one[name] for name in _OF_KEY), {})
        if one["kind"] == "label" and "label" in by_role:
            lines = _judge_labels(one["value"], by_role["label"], alike[one["artifact"], one["column"]])
        else:
            lines = _judge_readings(one, by_role, names.get((one["artifact"], one["row"]), []), others)
        for line in lines:
            note = None
            if line["verdict"] == "differs":
                # other readings of the same run may agree
                agreeing = [o for o in lines if o["scale"] == line["scale"] and o["verdict"] in ("reproduced", "close")]
                note = explain_difference(one, line["reading"], [o["reading"] for o in agreeing])
            out.append(base | line | ({"cause": note.kind, "note": note.sentence} if note else {}))
    return pd.DataFrame(out)


def other_values(published: pd.DataFrame) -> list[list[float]]:
    """Return for each printed number the other printed values of its quantity, those that differ from it.

    A quantity is what the keys name so, within an artifact; ``quantity:`` in its entry may say ``table``, where all
    numbers are of one quantity, ``column`` or ``cell``, where those of a column are, or each has its own.
    """
    results = (published["kind"] == "result") & (published["relation"] != ">")
    values = pd.to_numeric(published["value"].where(results), errors="coerce").tolist()
    quantities = []
    for one in dicts(tidy(published)):
        scopes = {"table": "", "column": one["column"], "cell": f"{one['row']} | {one['column']}"}
        scope = declared_of(one["artifact"]).get("quantity", "")
        quantities.append((one["artifact"], str(scopes.get(scope, one.get("quantity", "")))))
    groups: dict[tuple[str, str], list[int]] = {}
    for place, (quantity, value) in enumerate(zip(quantities, values, strict=True)):
        if isfinite(value):
            groups.setdefault(quantity, []).append(place)
    return [
        [values[other] for other in groups.get(quantity, []) if values[other] != value]
        for quantity, value in zip(quantities, values, strict=True)
    ]


def _judge_readings(printed: Row, ours: Mapping[str, Rows], names: Sequence[str], others: Sequence[float]) -> Rows:
    """Judge every reading and scale of a printed number, given ours by role and the labels printed in its row."""
    values, kind = ours.get("value", []), printed["kind"]
    labels: dict[tuple[str, str], dict[str, Row]] = {}
    for one in ours.get("label", []):
        labels.setdefault(_run(one), {}).setdefault(one["label"], one)
    if not values and kind in ("setting", "sentinel"):
        return [_verdict(judge(nan, 0.0, printed["value"], printed["decimals"], kind=kind))]
    if not values:
        reason = why_untestable(printed["artifact"], printed["row"], printed["column"])
        return [_verdict(Judgement("not testable", nan, reason))]
    widths = {_run(row): row for row in ours.get("halfwidth", [])}
    # the quantiles of reruns by reading: of the largest run that has them, which is listed last
    quantiles = [{_run(row): row for row in ours.get(f"reruns-{name}", [])} for name in PredictionInterval._fields[:-1]]
    reruns = {}
    for run, of_least in quantiles[0].items():
        least, low, high, most = (float(part[run]["value"]) for part in quantiles)
        reruns[run[0]] = PredictionInterval(least, low, high, most, int(of_least["n"]))
    p_values = declared_of(printed["artifact"]).get("p-values", {})
    lines = []
    for value in values:
        # of what the paper names in the same row our number of that name, where ours would name another
        labelled = labels.get(_run(value), {})
        label = next((name for name in (*names, "/".join(names)) if name in labelled), None)
        row = value if label is None else labelled[label]
        why = "" if label is None else f"ours of {label}, as the paper has it; we would name another"
        if p_values and all(printed[name] == one for name, one in p_values.items()):
            size = value["n"] / (_repeats(values, value) or 1)
            p_value = judge_p_value(row["value"], printed["value"], printed["decimals"], size, others)
            lines.append(_numbers(row) | _verdict(p_value, why))
        elif value["reading"] in reruns and kind == "result" and isfinite(value["value"]):
            count = judge_count(printed["value"], printed["decimals"], reruns[value["reading"]], others)
            lines.append(_numbers(value) | _verdict(count))
        else:
            of_reading = [one for one in values if one["reading"] == value["reading"]]
            repeats = _repeats(of_reading, value)
            line = _judge_number(printed, row, of_reading, repeats, others, why)
            if (width := widths.get(_run(value))) is not None and isfinite(printed["halfwidth"]):
                # a half-width shrinks with the number of replicates, and the paper had its own
                scale = sqrt(value["n"] / repeats) if repeats else 1.0
                half, se = width["value"] * scale, width["se"] * scale
                j = judge(half, se, str(printed["halfwidth"]), printed["decimals"], se_theirs=se * scale)
                line |= {"ours_halfwidth": half, "halfwidth_verdict": j.verdict}
            lines.append(line)
    return lines


def _repeats(values: Rows, value: Row) -> float:
    """Return the paper's number of repeats: that of the published run of the same reading, where there is one."""
    same = (one["n"] for one in values if (one["reading"], one["scale"]) == (value["reading"], "published"))
    return float(next(same, 0) or value["n"])


def _judge_number(
    printed: Row, row: Row, of_reading: Rows, repeats: float, others: Sequence[float], why: str
) -> dict[str, Any]:
    """Judge a number by its error and that of the print, which is ours at the paper's repeats."""
    se = row["se"]
    known = [one for one in of_reading if isfinite(one["se"]) and one["se"] > 0]
    largest = max(known, key=lambda one: one["n"], default=row)
    if not why and largest["n"] > row["n"] > 0 and isfinite(se) and se > 0:
        # skewed numbers hide their spread in a small run: that of the largest, at this run's repeats
        se = largest["se"] * sqrt(largest["n"] / row["n"])
    theirs = se * sqrt(row["n"] / repeats) if repeats else se
    j = judge(
        row["value"],
        se,
        printed["value"],
        printed["decimals"],
        relation=printed["relation"],
        kind=printed["kind"],
        se_theirs=theirs,
        others=others,
    )
    return _numbers(row) | _verdict(j, why) | {"se_printed": theirs}


def _judge_labels(printed: str, ours: Rows, possible: Sequence[str]) -> Rows:
    """Judge a label in every reading and scale; the value is the share of the printed one."""
    runs: dict[tuple[str, str], dict[str, Row]] = {}
    for one in ours:
        runs.setdefault(_run(one), {}).setdefault(one["label"], one)
    lines = []
    for shares in runs.values():
        row = shares.get(printed) or {**next(iter(shares.values())), "value": 0.0}
        judged = judge_label({label: r["value"] for label, r in shares.items()}, printed, possible)
        lines.append(_numbers(row) | _verdict(judged))
    return lines


def _run(row: Row) -> tuple[str, str]:
    return row["reading"], row["scale"]


def _numbers(row: Row) -> dict[str, Any]:
    return {name: row[name] for name in ("reading", "scale", "value", "se", "n")}


def _verdict(j: Judgement, why: str = "") -> dict[str, Any]:
    reason = "; ".join(text for text in (why, j.reason) if text)
    return {"z": j.z, "verdict": j.verdict, "reason": reason, "passing": j.passing}


def tidy_numbers(regenerated: pd.DataFrame, comparison: pd.DataFrame) -> pd.DataFrame:
    """Return regenerated rows with the parts of their keys as columns, and what was printed with its verdict."""
    table = tidy(regenerated)
    names = [name for name in table if name not in (*REGENERATED_COLUMNS, *PARTS)]
    if len(comparison):
        keys = ["artifact", "row", "column", "reading", "scale"]
        judged = comparison[[*keys, "printed", "verdict"]].drop_duplicates(keys)
        judged = judged.rename(columns={"row": "of_row", "column": "of_column"})
        table = table.merge(judged, how="left", on=["artifact", "of_row", "of_column", "reading", "scale"])
        # a half-width or a quantile is no printed number
        table.loc[~table["role"].isin(["value", "label"]), ["printed", "verdict"]] = nan
    columns = ["artifact", "reading", "scale", *names, "role", "label", "value", "se", "n", "printed", "verdict"]
    return table.reindex(columns=columns)


def headline(comparison: pd.DataFrame) -> pd.DataFrame:
    """Keep one row a printed key: literal before unstated before fitted, then the first listed, at published repeats.

    A fitted reading's agreement is no evidence of its own, so that it stands first only where nothing else exists.
    A key that was regenerated at another scale only keeps its first row.
    """
    if comparison.empty:
        return comparison
    kinds = [order_of(reading) if reading else 0 for reading in comparison["reading"]]
    ranked = comparison.assign(_kind=kinds, _later=comparison["scale"] != "published").sort_values(
        ["_kind", "_later"], kind="stable"
    )
    return ranked.drop_duplicates(_KEY).sort_index().drop(columns=["_kind", "_later"])


def counted_once(comparison: pd.DataFrame) -> pd.DataFrame:
    """Return the headline rows without numbers that repeat those of other tables, where they are counted.

    ``repeats:`` in an artifact's entry has their parts, each with the texts that it may be.
    """
    first = headline(comparison)
    repeats = {one: declared_of(one).get("repeats", {}) for one in first["artifact"].unique()}
    once = []
    for artifact, row, column in zip(*(first[name] for name in _KEY), strict=True):
        known = repeats[artifact].items()
        once.append(not known or any(parts_of(artifact, row, column).get(n) not in texts for n, texts in known))
    return first[once]


def counts(comparison: pd.DataFrame) -> dict[str, int]:
    """Count the headline verdicts, repeated numbers once; every verdict has an entry."""
    verdicts = list(counted_once(comparison)["verdict"]) if len(comparison) else []
    return {v: verdicts.count(v) for v in VERDICTS}


def tally(comparison: pd.DataFrame) -> pd.DataFrame:
    """Count the headline verdicts by the kind of reading, repeated numbers once, and exact numbers apart.

    A fitted reading's agreement is no evidence of its own, and an exact number that agrees says that we read
    the paper as it is meant, not that an experiment came out.
    """
    results = {(kind, basis): dict.fromkeys(VERDICTS, 0) for kind in KINDS for basis in BASES}
    results["", ""] = dict.fromkeys(VERDICTS, 0)
    for row in dicts(counted_once(comparison)):
        kind, basis = row["reading"].partition(":")[0], ""
        if kind:
            # a p-value has no error, and a label that always wins has won in simulations
            simulated = row["se"] != 0 or (row["kind"] == "label" and row["n"] > 1)
            basis = BASES[0] if simulated else BASES[2] if row["value"] == 0 else BASES[1]
        results[kind, basis][row["verdict"]] += 1
    return pd.DataFrame([{"kind": kind, "basis": basis, **each} for (kind, basis), each in results.items()])
