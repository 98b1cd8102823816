"""Commands that list what there is: estimators, intervals, scores, and what each warning's id means."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

# Sample size at which fits are counted
_CASES = 40


def list_estimators(arguments: argparse.Namespace) -> None:
    """``errorest estimators``."""
    from errorest.assessment.plan import default_estimator, legal_intervals
    from errorest.estimation.estimators import ESTIMATORS

    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "meaning": _first_line(make),
            "settings": _settings(make),
            "intervals": list(legal_intervals(name)),
            "fits_at_40": make().fits(_CASES),
            "default": name == default_estimator(_CASES).name,
        }
        for name, make in ESTIMATORS.items()
    ]
    _print(arguments, "estimators", rows, lambda r: {"intervals": r["intervals"]})


def list_intervals(arguments: argparse.Namespace) -> None:
    """``errorest intervals``."""
    from errorest.estimation.intervals import INTERVALS

    rows: list[dict[str, Any]] = [
        {
            "name": method.name,
            "meaning": _first_line(method),
            "settings": _settings(type(method)),
            "estimators": list(method.estimators),
            "losses": method.losses,
            "groups": method.counts_groups,
            "target": method.target,
            "aim": method.aim,
            "fits_at_40": method.fits(_CASES),
        }
        for method in (make() for make in INTERVALS.values())
    ]
    _print(
        arguments,
        "intervals",
        rows,
        lambda r: {
            "legal with": f"{', '.join(r['estimators'])}; loss {r['losses']}; groups {'yes' if r['groups'] else 'no'}",
            "target": f"the {r['target']}: {r['aim']}",
        },
    )


def list_scores(arguments: argparse.Namespace) -> None:
    """``errorest scores``."""
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
                "meaning": _first_line(make),
                "settings": _settings(make),
                "needs": "probabilities" if score.needs_probabilities else "labels",
                "estimators": list(score.estimators) if isinstance(score, Statistic) else list(ESTIMATORS),
                "intervals": means if score.decomposable else own,
            }
        )
    _print(arguments, "scores", rows, lambda r: {key: r[key] for key in ("needs", "estimators", "intervals")})


def list_cautions(arguments: argparse.Namespace) -> None:
    """``errorest cautions``."""
    from errorest.assessment.caution import CAUTIONS, checked_ids

    wanted = checked_ids(arguments.ids) or frozenset(CAUTIONS)
    shown = {name: kind for name, kind in CAUTIONS.items() if name in wanted}
    if arguments.json:
        print(json.dumps({name: kind._asdict() for name, kind in shown.items()}, indent=1))
        return
    for name, kind in shown.items():
        print(f"{name}  {kind.title}")
        if arguments.ids:
            print(f"      {kind.why} {kind.remedy}")


def _print(
    arguments: argparse.Namespace,
    what: str,
    rows: Sequence[Mapping[str, Any]],
    texts: Callable[[Mapping[str, Any]], Mapping[str, Any]],
) -> None:
    """Print rows as JSON, or each with its meaning, settings, further texts or lists, and its cost."""
    if arguments.json:
        print(json.dumps({what: rows}, indent=1))
        return
    for r in rows:
        print(f"{r['name']}{'  (default)' if r.get('default') else ''}\n    {r['meaning']}")
        shown = {"settings": r["settings"], **texts(r)}
        if (fits := r.get("fits_at_40")) is not None:
            shown["cost"] = f"{fits:,} fit{'' if fits == 1 else 's'} at n = {_CASES}"
        for head, text in shown.items():
            print(f"    {head:<10} {(', '.join(text) if isinstance(text, list) else text) or 'none'}")


def _first_line(make: Any) -> str:
    return (make.__doc__ or "").strip().splitlines()[0]


def _settings(make: Any) -> str:
    from errorest.spec import settings_of

    return ", ".join(f"{setting.name}={setting.default}" for setting in settings_of(make))
