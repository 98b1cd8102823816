"""One sample with six estimates of its error: values of a table and picture for the landing page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import ceil
from typing import Any

# Estimates that are drawn, by row
_SHOWN = {
    "resubstitution": "Apparent error",
    "holdout-wilson": "Holdout, a third tested",
    "cv-wald": "Ten-fold cross-validation",
    "loo-kohavi": "Leave-one-out",
    "oob": "Out-of-bag bootstrap",
    "chosen": ".632+, the library’s default",
}

_TICK = 10


def sample(manifests: Mapping[str, Mapping[str, Any]], data: Callable[..., Any]) -> dict[str, Any] | None:
    """Return estimates of one sample, errors and intervals in percent, and the truth; None where they are missing."""
    if not {"guide-own-estimates", "guide-own-truth"} <= set(manifests):
        return None
    estimates, truth = manifests["guide-own-estimates"], manifests["guide-own-truth"]
    result, true = _by_row(estimates["rows"]), _by_row(truth["rows"])["this classifier"]["error-percent"]
    rows: list[dict[str, Any]] = [
        {
            "row": row,
            "name": name,
            "error": result[row]["error-percent"],
            "low": result[row].get("low-percent"),
            "high": result[row].get("high-percent", result[row]["error-percent"]),
        }
        for row, name in _SHOWN.items()
        if row in result
    ]
    intervals = [(own["low-percent"], own["high-percent"]) for own in result.values() if "low-percent" in own]
    return {
        "rows": rows,
        "end": _TICK * ceil(max(one["high"] for one in rows) / _TICK),
        "tick": _TICK,
        "truth": true,
        "errors": [own["error-percent"] for own in result.values()],
        "intervals": len(intervals),
        "holding": sum(low <= true <= high for low, high in intervals),
        "coverage": next((str(f) for f in estimates["findings"] if "our simulations" in str(f)), ""),
    }


def _by_row(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    results: dict[str, dict[str, float]] = {}
    for r in rows:
        if r["value"] is not None:
            results.setdefault(r["row"], {})[r["column"]] = float(r["value"])
    return {row: own for row, own in results.items() if "error-percent" in own}
