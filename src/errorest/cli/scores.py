"""``errorest scores``: what scores there are."""

from __future__ import annotations

import argparse
import json
from typing import Any

from errorest.cli.declared import add_command

__all__ = ["add_parser"]


def add_parser(commands: Any) -> None:
    """Add the subcommand to the command line."""
    add_command(commands, "scores", _scores)


def _scores(arguments: argparse.Namespace) -> None:
    from errorest.estimation.estimators import ESTIMATORS
    from errorest.estimation.intervals import INTERVALS, STATISTIC_INTERVALS
    from errorest.estimation.metrics import METRICS, Statistic

    rows: list[dict[str, Any]] = []
    for name, make in METRICS.items():
        score = make()
        own = [n for n, made in STATISTIC_INTERVALS.items() if made().legal_for(score)]
        means = [n for n, made in INTERVALS.items() if made.losses == "any"]
        rows.append(
            {
                "name": name,
                "meaning": (make.__doc__ or "").strip().splitlines()[0],
                "settings": score.settings(),
                "needs": "probabilities" if score.needs_probabilities else "labels",
                "estimators": list(score.estimators) if isinstance(score, Statistic) else list(ESTIMATORS),
                "intervals": means if score.decomposable else own,
            }
        )
    if arguments.json:
        print(json.dumps({"scores": rows}, indent=1))
        return
    for r in rows:
        print(r["name"])
        print(f"    {r['meaning']}")
        for head in ("settings", "needs"):
            print(f"    {head:<10} {r[head] or 'none'}")
        for head in ("estimators", "intervals"):
            print(f"    {head:<10} {', '.join(r[head])}")
