"""Runs with other parameters: their banner, their distance from the print, and the claims that they bear on.

A paper's claim is about the paper's experiment: another run can agree with it or not, and cannot decide it.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from compendium.book.notebook import Notebook
from compendium.book.parameters import changed, describe
from compendium.book.templating import fill
from compendium.evidence.results import ArtifactResult, Check, Erratum
from compendium.evidence.verdicts import compare, read_regenerated
from compendium.papers.parameters import Parameters

__all__ = ["FEWEST", "beside_print", "borne_checks", "borne_errata", "judged_beside", "parameters_html"]

FEWEST = 10
"""The smallest number of samples whose standard error is reliable enough to decide a claim."""


def borne_checks(made: ArtifactResult) -> list[Check]:
    """Return the checks of a run without the vacuous ones; few samples decide nothing."""
    of_rows = _fewest(made)
    checks = []
    for check in (one for one in made.checks if not one.vacuous):
        fewest = of_rows if check.fewest is None else check.fewest
        if fewest and fewest < FEWEST and check.outcome != "not decided":
            samples = "1 sample decides" if fewest == 1 else f"{fewest} samples decide"
            check = check._replace(outcome="not decided", evidence=f"{check.evidence}; {samples} nothing")
        checks.append(check)
    return checks


def borne_errata(made: ArtifactResult, relation: str) -> list[Erratum]:
    """Return the errata that a run shows: those of the paper's design, from enough samples."""
    fewest = _fewest(made)
    return [] if relation == "design" or (fewest or FEWEST) < FEWEST else made.errata


def _fewest(made: ArtifactResult) -> int | None:
    """Return the smallest number of samples behind a row; None where all are exact."""
    return min((int(r.n) for r in made.rows if r.n > 1 or r.se != 0), default=None)


def beside_print(paper: str, printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Compare the rows of a run of the paper's design with the print: distances without verdicts.

    The standard errors of printed numbers come from the recorded run, which knows the paper's number of repeats.
    """
    found = judged_beside(paper, printed, rows)
    if found.empty:
        return found
    # only simulated numbers have a distance in standard errors
    simulated = found["z"].where((found["se"] > 0) | (found["se_printed"] > 0))
    return found.assign(z=simulated, verdict="", reason="", halfwidth_verdict="")


def judged_beside(paper: str, printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Compare rows with the print, by the spread of both in the recorded published run."""
    recorded = read_regenerated(paper)
    recorded = recorded[recorded.artifact.isin(set(rows.artifact))]
    # the run's quantiles of reruns, which come last, replace the recorded ones
    known = pd.concat([recorded, rows], ignore_index=True) if len(recorded) else rows
    found = compare(printed, known)
    return found[found["scale"].isin(set(rows["scale"]))].reset_index(drop=True) if len(found) else found


def parameters_html(spec: Notebook, parameters: Parameters) -> str:
    """Return the banner of a run with other parameters, with the table of those; changed ones stand first."""
    values, other = parameters.model_dump(), changed(spec, parameters)
    rows = [
        {
            "name": d.name,
            "meaning": d.meaning,
            "value": _text(values[d.name]),
            "published": _text(d.default),
            "changed": d.name in other,
        }
        for d in sorted(describe(spec.parameters), key=lambda d: d.name not in other)
    ]
    return fill("parameters.html", rows=rows, other=list(other))


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(f"[{_text(one)}]" if isinstance(one, list) else _text(one) for one in value) or "none"
    return "none" if value is None else str(value)
