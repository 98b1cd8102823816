"""Printed numbers and the verdict on each regenerated one.

The only module that reads ``data/published/``.  A cell is judged with the
Monte Carlo error of both sides and the rounding of the print:
``z = (ours - theirs) / sqrt(se_ours^2 + se_theirs^2 + rounding^2 / 12)``, where
the paper's own error is our replicates' spread scaled to its number of repeats.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import copysign, isfinite, nan, sqrt, trunc
from typing import Any

import pandas as pd

from errorest import bits
from errorest.errors import UsageError, nearest
from errorest.evidence.records import dicts

__all__ = [
    "OWN",
    "PAPERS",
    "REGENERATED_COLUMNS",
    "VERDICTS",
    "Judgement",
    "compare",
    "counts",
    "headline",
    "judge",
    "judge_label",
    "judge_p_value",
    "read_published",
    "read_regenerated",
]

PAPERS = {
    "martin-hirschberg": "Martin & Hirschberg (1996)",
    "kohavi": "Kohavi (1995)",
    "shakhnarovich": "Shakhnarovich, El-Yaniv & Baram (2001)",
    "scheffer-herbrich": "Scheffer & Herbrich (1997)",
    "lis": "LIS course page (2001)",
    "guide": "This project's own measurements",
}
"""Ids and names of the sources; the last prints nothing that could be compared."""

OWN = "guide"
"""What this project measured beyond the papers: regenerated rows, and no printed ones."""

VERDICTS = ("reproduced", "close", "differs", "not testable", "setting")
"""What can become of a printed number."""

REGENERATED_COLUMNS = ("artifact", "reading", "scale", "row", "column", "value", "se", "n")
"""The columns of ``data/regenerated/``."""

_PUBLISHED_COLUMNS = ("artifact", "row", "column", "value", "decimals", "halfwidth", "kind", "relation", "note")
_KEY = ["artifact", "row", "column"]
_SECONDS = {"shakhnarovich-table-7": "seconds of another machine; classifiers are counted instead"}
"""Artifacts that print seconds: no result of an experiment, so nothing is regenerated for their keys."""
_P_VALUE = "alpha"
"""The row or column of printed p-values."""


@dataclass(frozen=True)
class Judgement:
    """A verdict with its z (NaN where none is defined) and what else is to be said.

    Examples
    --------
    >>> judge(8.10, 0.17, "8.05", 2).verdict
    'reproduced'
    """

    verdict: str
    z: float
    reason: str = ""


def _folder(name: str) -> str:
    root = bits.project_root()
    if root is None:
        raise UsageError(
            f"the folder data/{name} was not found; expected a checkout of errorest; run from inside the project"
        )
    return str(root / "data" / name)


@lru_cache(maxsize=8)
def read_published(paper: str) -> pd.DataFrame:
    """Read every printed number of one paper.

    Parameters
    ----------
    paper : str
        An id of :data:`PAPERS`.

    Returns
    -------
    DataFrame
        Columns artifact, row, column, value (text as printed), decimals, halfwidth, kind, relation, note.

    Raises
    ------
    UsageError
        If the paper is unknown or the data folder is not found.

    Examples
    --------
    >>> len(read_published("kohavi"))
    68
    """
    if paper not in PAPERS:
        raise UsageError(f"unknown paper '{paper}'; expected an id; {nearest(paper, PAPERS)}")
    if paper == OWN:
        return pd.DataFrame(columns=list(_PUBLISHED_COLUMNS))
    table = pd.read_csv(f"{_folder('published')}/{paper}.csv", dtype=str, keep_default_na=False)
    for name in ("decimals", "halfwidth"):
        table[name] = pd.to_numeric(table[name].replace("", None))
    return table


def read_regenerated(paper: str) -> pd.DataFrame:
    """Read what the last complete build regenerated; no rows where there is none yet.

    Parameters
    ----------
    paper : str
        An id of :data:`PAPERS`.

    Returns
    -------
    DataFrame
        Columns of :data:`REGENERATED_COLUMNS`.

    Examples
    --------
    >>> list(read_regenerated("lis").columns) == list(REGENERATED_COLUMNS)
    True
    """
    try:
        return pd.read_csv(
            f"{_folder('regenerated')}/{paper}.csv",
            dtype={"row": str, "column": str},
            keep_default_na=False,
            na_values=[""],
        )
    except FileNotFoundError:
        return pd.DataFrame(columns=list(REGENERATED_COLUMNS))


def judge(
    value: float,
    se: float,
    printed: str,
    decimals: float,
    *,
    relation: str = "=",
    kind: str = "result",
    se_theirs: float | None = None,
) -> Judgement:
    """Judge one regenerated number.

    Parameters
    ----------
    value, se : float
        Ours, in the printed unit; se 0 or NaN where the value is exact.
    printed : str
        As in the paper.
    decimals : float
        Printed decimals.
    relation : {"=", "~", ">"}
        Equal; about (within the rounding or 10 %); more than.
    kind : str
        ``result`` or ``data``; settings and sentinels are not judged.
    se_theirs : float, optional
        Standard error of the printed number; ours by default.

    Returns
    -------
    Judgement

    Examples
    --------
    >>> judge(8.10, 0.17, "8.05", 2).verdict
    'reproduced'
    >>> judge(6.9, 0.0, "7", 0, relation=">").verdict
    'differs'
    """
    if kind == "setting":
        return Judgement("setting", float("nan"), "an input of the experiment")
    if kind == "sentinel":
        return Judgement("not testable", float("nan"), "printed, but not computed")
    try:
        theirs = float(printed)
    except ValueError:
        return Judgement("not testable", float("nan"), f"printed as text: {printed}")
    if not isfinite(value):
        return Judgement("not testable", float("nan"), "ours is undefined")
    ours = se if isfinite(se) else 0.0
    their = ours if se_theirs is None or not isfinite(se_theirs) else se_theirs
    # without decimals (1e-13, say) the last printed digit is in the text itself
    rounding = 10.0 ** (-decimals if isfinite(decimals) else int(Decimal(printed).as_tuple().exponent))
    noise = sqrt(ours**2 + their**2 + rounding**2 / 12)
    difference = value - theirs
    if relation == ">":
        if difference > 0:
            return Judgement("reproduced", float("nan"), "more, as claimed")
        return _by_z(difference / noise) if ours or their else Judgement("differs", float("nan"), "not more")
    if relation == "~":
        beyond = max(0.0, abs(difference) - max(0.1 * abs(theirs), rounding / 2))
        if beyond == 0:
            return Judgement("reproduced", difference / noise, "within a tenth or the rounding")
        return _by_z(beyond / noise) if ours or their else Judgement("differs", float("nan"), "beyond a tenth")
    if not ours and not their:
        scaled = value / rounding
        tiny = 1e-9 * max(1.0, abs(scaled))
        if abs(scaled - theirs / rounding) <= 0.5 + tiny:
            return Judgement("reproduced", difference / noise, "equal after rounding")
        if trunc(scaled + copysign(tiny, scaled)) == round(theirs / rounding):
            return Judgement("reproduced", difference / noise, "equal after truncation")
        return Judgement("differs", float("nan"), "exact, and not equal")
    return _by_z(difference / noise)


def judge_label(ours: str, share: float, printed: str) -> Judgement:
    """Judge a label, such as an expression or the winner of two, by the share of replicates in which ours holds.

    Parameters
    ----------
    ours, printed : str
    share : float
        Of replicates or designs in which our label holds; a proportion.

    Examples
    --------
    >>> judge_label("n - 1", 1.0, "n - 1").verdict
    'reproduced'
    """
    won = share if ours == printed else 1.0 - share
    verdict = "reproduced" if won >= 0.5 else "close" if won >= 0.05 else "differs"
    return Judgement(verdict, nan, f"ours is {ours}" if ours != printed else f"in {100 * share:.0f} % of ours")


def judge_p_value(value: float, printed: str) -> Judgement:
    """Judge a p-value by the decisions that it leads to at .05 and .01.

    Parameters
    ----------
    value : float
        Ours, a proportion.
    printed : str

    Returns
    -------
    Judgement
        Reproduced where both decisions are the same, close where one is, else differs.

    Examples
    --------
    >>> judge_p_value(0.0004, "1e-10").verdict, judge_p_value(0.2, ".04").verdict
    ('reproduced', 'close')
    """
    if not isfinite(value):
        return Judgement("not testable", nan, "ours is undefined")
    levels = (0.05, 0.01)
    other = [level for level in levels if (value <= level) != (float(printed) <= level)]
    if not other:
        return Judgement("reproduced", nan, "the same decisions at .05 and .01")
    at = " and ".join(f"{level:.2f}"[1:] for level in other)
    return Judgement("close" if len(other) == 1 else "differs", nan, f"another decision at {at}")


def _by_z(z: float) -> Judgement:
    size = abs(z)
    return Judgement("reproduced" if size < 2 else "close" if size <= 3 else "differs", z)


def compare(published: pd.DataFrame, regenerated: pd.DataFrame) -> pd.DataFrame:
    """Judge regenerated rows against printed ones.

    Parameters
    ----------
    published : DataFrame
        From :func:`read_published`.
    regenerated : DataFrame
        With :data:`REGENERATED_COLUMNS`; several readings and scales of a key may stand.

    Returns
    -------
    DataFrame
        One row a printed key, reading and scale, in printed order, with the columns of both and
        ``z``, ``verdict``, ``reason``, ``ours_halfwidth``, ``halfwidth_verdict``.  A printed key that
        nothing was regenerated for has one row with an empty reading.

    Examples
    --------
    >>> judged = compare(read_published("lis"), read_regenerated("lis"))
    >>> set(judged.verdict) <= set(VERDICTS)
    True
    """
    ours_of: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for row in dicts(regenerated):
        ours_of.setdefault((row["artifact"], row["row"], row["column"]), []).append(row)
        if "=" in row["column"]:
            # a label: its key carries what it says, its value the share of replicates in which it does
            column, _, text = row["column"].partition("=")
            ours_of.setdefault((row["artifact"], row["row"], f"{column}=*"), []).append({**row, "label": text})
    out: list[dict[str, Any]] = []
    for printed in dicts(published):
        key = (printed["artifact"], printed["row"], printed["column"])
        base = {**printed, "printed": printed["value"], "reading": "", "scale": "", "value": nan, "se": nan, "n": 0}
        group = ours_of.get(key)
        labels = ours_of.get((*key[:2], f"{key[2]}=*")) if printed["kind"] == "label" else None
        if labels:
            for ours in labels:
                own = {k: ours[k] for k in ("reading", "scale", "value", "se", "n")}
                out.append({**base, **own, **_judged(judge_label(ours["label"], ours["value"], printed["value"]))})
            continue
        if group is None:
            j = judge(nan, 0.0, printed["value"], printed["decimals"], kind=printed["kind"])
            silent = _SECONDS.get(printed["artifact"], "not regenerated")
            reason = j.reason if printed["kind"] in ("setting", "sentinel") else silent
            out.append({**base, **_judged(Judgement(j.verdict, nan, reason))})
            continue
        widths = {(r["reading"], r["scale"]): r for r in ours_of.get((*key[:2], f"{key[2]}/halfwidth"), [])}
        paper_n = {r["reading"]: r["n"] for r in group if r["scale"] == "published"}
        for ours in group:
            if _P_VALUE in (printed["row"], printed["column"]):
                own = {k: ours[k] for k in ("reading", "scale", "value", "se", "n")}
                out.append({**base, **own, **_judged(judge_p_value(ours["value"], printed["value"]))})
                continue
            n = paper_n.get(ours["reading"], 0)
            # their standard error from ours: the root of the ratio of replicates
            scale = sqrt(ours["n"] / n) if n and ours["n"] else 1.0
            j = judge(
                ours["value"],
                ours["se"],
                printed["value"],
                printed["decimals"],
                relation=printed["relation"],
                kind=printed["kind"],
                se_theirs=ours["se"] * scale,
            )
            half, half_verdict = nan, ""
            width = widths.get((ours["reading"], ours["scale"]))
            if width is not None and isfinite(printed["halfwidth"]):
                # a half-width shrinks with the number of replicates; the paper had its own
                half = width["value"] * scale
                half_verdict = judge(
                    half,
                    width["se"] * scale,
                    str(printed["halfwidth"]),
                    printed["decimals"],
                    se_theirs=width["se"] * scale**2,
                ).verdict
            own = {k: ours[k] for k in ("reading", "scale", "value", "se", "n")}
            out.append({**base, **own, **_judged(j), "ours_halfwidth": half, "halfwidth_verdict": half_verdict})
    return pd.DataFrame(out)


def _judged(j: Judgement) -> dict[str, Any]:
    return {"z": j.z, "verdict": j.verdict, "reason": j.reason, "ours_halfwidth": nan, "halfwidth_verdict": ""}


def headline(comparison: pd.DataFrame) -> pd.DataFrame:
    """Keep one row a printed key: the first reading listed, at published repeats.

    A key that was regenerated at another scale only keeps its first row.

    Examples
    --------
    >>> judged = headline(compare(read_published("lis"), read_regenerated("lis")))
    >>> bool(judged.duplicated(["artifact", "row", "column"]).any())
    False
    """
    if comparison.empty:
        return comparison
    ranked = comparison.assign(_later=(comparison.scale != "published").astype(int)).sort_values(
        "_later", kind="stable"
    )
    return ranked.drop_duplicates(_KEY).sort_index().drop(columns="_later")


def counts(comparison: pd.DataFrame) -> dict[str, int]:
    """Count the headline verdicts; every verdict has an entry.

    Parameters
    ----------
    comparison : DataFrame
        From :func:`compare`.

    Examples
    --------
    >>> judged = compare(read_published("lis"), read_regenerated("lis"))
    >>> list(counts(judged)) == list(VERDICTS)
    True
    """
    verdicts = list(headline(comparison)["verdict"]) if len(comparison) else []
    return {v: verdicts.count(v) for v in VERDICTS}
