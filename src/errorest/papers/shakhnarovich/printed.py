"""The lines of Tables 2 and 4 as printed, each held against itself."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pandas as pd
from scipy.special import ndtr

from errorest.evidence.claims import graded
from errorest.evidence.records import each, parts
from errorest.evidence.regenerated import Check, Regenerated, Row
from errorest.papers.shakhnarovich.names import case_title

__all__ = ["recomputed"]

_TABLES = ("shakhnarovich-table-2", "shakhnarovich-table-4")
_LEVEL = 0.01


def recomputed(p: Any, result: Regenerated, published: pd.DataFrame) -> Regenerated:
    """Check each printed line of a contest against itself: its sign, and the p-value that follows from its numbers.

    The number of trials of a line is that of the result's data ``contests``.

    Returns
    -------
    Regenerated
        Our numbers of the estimators that the paper names, in rows whose columns end in ``=<name>``; data
        ``printed-lines``: the difference of the two squared RMSEs, the signed root of mu_d, alpha as
        printed, alpha as it follows with its least and greatest value under all roundings.
    """
    own = published[published["artifact"].isin(_TABLES)]
    texts = {(line.row, line.column): line.value for line in each(own)}
    trials = {line.row: int(line.n) for line in each(result.data["contests"]) if (line.row, "alpha") in texts}
    if not trials:
        return Regenerated()
    frame = pd.DataFrame(
        [
            _line(row, n, {column: text for (of, column), text in texts.items() if of == row})
            for row, n in trials.items()
        ]
    )
    signs = [case_title(line.row) for line in each(frame) if not line.sign_agrees]
    alphas = [
        f"{case_title(line.row)} (prints {texts[line.row, 'alpha']}, {line.alpha_follows:.2g} follows)"
        for line in each(frame)
        if not line.alpha_agrees
    ]
    larger = [case_title(line.row) for line in each(frame) if line.alpha > _LEVEL]
    checks = [
        Check(
            "In print, the sign of √μ_d goes with the two RMSEs of its line.",
            f"it contradicts them in {len(signs)} of {len(frame)} lines ({'; '.join(signs) or 'none'})",
            graded(frame["sign_agrees"]),
        ),
        Check(
            "In print, each p follows from μ_d, σ_d and the number of trials.",
            "even with all rounding allowed for and whatever the sign, another p follows in "
            f"{len(alphas)} of {len(frame)} lines ({'; '.join(alphas) or 'none'})",
            graded(frame["alpha_agrees"]),
        ),
    ]
    finding = f"The printed p is over .01 in {len(larger)} lines ({'; '.join(larger) or 'none'})."
    return Regenerated(_as_named(result, own), {"printed-lines": frame}, checks, [finding])


def _as_named(result: Regenerated, published: pd.DataFrame) -> list[Row]:
    """Make the rows of what the paper names, where ours is another."""
    if "rivals" not in result.data:
        return []
    rivals = result.data["rivals"]
    printed = {key: dict(zip(of.column, of.value, strict=True)) for key, of in parts(_labels(published), "row").items()}
    first: dict[tuple[str, str, str], str] = {}
    for r in result.rows:
        side, named_so, label = r.column.partition("=")
        if named_so:
            first.setdefault((r.reading, r.row, side), label)
    rows = []
    for (row, reading), own in parts(rivals, "row", "reading").items():
        named = printed.get(row, {})
        if not named or all(first.get((reading, row, side)) == label for side, label in named.items()):
            continue
        wanted = {*named.values(), "/".join(named.values())}
        rows += [
            Row(reading, row, f"{r.column}={r.label}", r.value, r.se, r.n)
            for r in each(own)
            if r.label in wanted and named.get(r.column.partition("-")[0], r.label) == r.label
        ]
    return rows


def _labels(published: pd.DataFrame) -> pd.DataFrame:
    return published[published["kind"] == "label"] if "kind" in published else published.iloc[:0]


def _line(row: str, n: int, texts: dict[str, str]) -> dict[str, object]:
    root, sigma, alpha = (texts[column] for column in ("sqrt-mu-d", "sigma-d", "alpha"))
    gap = float(texts["old-rmse"]) ** 2 - float(texts["new-rmse"]) ** 2
    least, follows, most = (_p_value(root, sigma, n, digits) for digits in (0.5, 0.0, -0.5))
    return {
        "row": row,
        "n": n,
        "difference": gap,
        "sqrt_mu_d": float(root),
        "sign_agrees": gap * float(root) >= 0,
        "alpha": float(alpha),
        "alpha_least": least,
        "alpha_follows": follows,
        "alpha_most": most,
        "alpha_agrees": least <= _rounded(alpha, 0.5) and _rounded(alpha, -0.5) <= most,
    }


def _rounded(text: str, digits: float) -> float:
    """Move a printed number by a part of its last digit; a power of ten by a power of ten."""
    if "e" in text:
        return float(text) * 10 ** (2 * digits)
    decimals = len(text) - text.index(".") - 1 if "." in text else 0
    return max(float(text) + digits * 10.0**-decimals, 0.0)


def _p_value(root: str, sigma: str, n: int, digits: float) -> float:
    """Return the one-sided p that follows from a printed line, its numbers moved towards a smaller p."""
    deviation = _rounded(sigma, -min(digits, 0.49) if "e" not in sigma else 0.0)
    mu = _rounded(root.lstrip("-"), digits) ** 2
    return float(ndtr(-mu / (deviation / sqrt(n)))) if deviation > 0 else 0.0
