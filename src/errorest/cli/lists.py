"""Commands that list what there is: methods, intervals, metrics, and the ids of warnings."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

# Sample size at which fits are counted
_CASES = 40


def list_estimators(arguments: argparse.Namespace) -> None:
    """``errorest estimators``."""
    from errorest.assessment.defaults import METHODS, legal_intervals
    from errorest.estimation.estimators import ESTIMATORS

    usual = next(row.method for row in METHODS if row[:3] == ("estimate", "mean", "any"))
    rows = []
    for name, make in ESTIMATORS.items():
        more = {"fits_at_40": make().fits(_CASES), "default": usual.startswith(f"{name}(")}
        rows.append({**_described(name, make), "intervals": list(legal_intervals(name)), **more})
    _print(arguments, "estimators", rows)


def list_intervals(arguments: argparse.Namespace) -> None:
    """``errorest intervals``."""
    from errorest.estimation.intervals import INTERVALS

    rows = []
    for make in INTERVALS.values():
        one = make()
        of_what = {"estimators": list(one.estimators), "losses": one.losses, "groups": one.counts_groups}
        aim = {"target": one.target, "aim": one.aim, "fits_at_40": one.fits(_CASES)}
        rows.append({**_described(one.name, type(one)), **of_what, **aim})
    _print(arguments, "intervals", rows)


def list_metrics(arguments: argparse.Namespace) -> None:
    """``errorest metrics``."""
    from errorest.estimation.estimators import ESTIMATORS
    from errorest.estimation.intervals.registry import registry_of
    from errorest.estimation.metrics import METRICS, Statistic

    rows = []
    for name, make in METRICS.items():
        metric = make()
        intervals = [n for n, made in registry_of(metric).items() if made().legal_for(metric)]
        scores = "probabilities, or a decision function" if metric.ranks else "probabilities"
        needs = {"needs": scores if metric.needs_probabilities else "labels"}
        legal = {
            "greater_is_better": metric.greater_is_better,
            "estimators": list(metric.estimators if isinstance(metric, Statistic) else ESTIMATORS),
            "intervals": intervals,
        }
        rows.append({**_described(name, make), **needs, **legal})
    _print(arguments, "metrics", rows)


def list_warnings(arguments: argparse.Namespace) -> None:
    """``errorest warnings``."""
    from errorest.assessment.checks.warning import CHECKS, checked_ids

    wanted = checked_ids(arguments.ids) or frozenset(CHECKS)
    shown = {name: entry for name, entry in CHECKS.items() if name in wanted}
    if arguments.json:
        print(json.dumps({name: entry._asdict() for name, entry in shown.items()}, indent=1))
        return
    for name, entry in shown.items():
        print(f"{name}  {entry.title}")
        if arguments.ids:
            print(f"      {entry.why} {entry.remedy}")


def _described(name: str, make: Any) -> dict[str, Any]:
    """Return name, first line of the docstring, and settings with their defaults."""
    from errorest.spec import settings_of

    settings = ", ".join(f"{setting.name}={setting.default}" for setting in settings_of(make))
    return {"name": name, "meaning": (make.__doc__ or "").strip().splitlines()[0], "settings": settings}


def _print(arguments: argparse.Namespace, what: str, rows: Sequence[dict[str, Any]]) -> None:
    """Print rows as JSON, or each with a line for every key."""
    if arguments.json:
        print(json.dumps({what: rows}, indent=1))
        return
    for row in rows:
        print(f"{row['name']}{'  (default)' if row.get('default') else ''}\n    {row['meaning']}")
        for key in [key for key in row if key not in ("name", "meaning", "default")]:
            value = row[key]
            text = ", ".join(value) if isinstance(value, list) else str(value)
            print(f"    {key.replace('_', ' '):<18} {text or 'none'}")
