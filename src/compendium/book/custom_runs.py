"""Runs with other parameters: their banner, their distance from the print, and what they may say of claims.

A paper's claim is about the paper's experiment.  Another run can agree with it or not; it cannot settle it, least of
all with two samples.
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
"""Samples from which on a standard error can be relied on far enough to decide a claim."""


def borne_checks(made: ArtifactResult) -> list[Check]:
    """Return the checks that a run's samples bear: vacuous ones are left out, and few samples decide nothing."""
    of_rows = _fewest(made)
    return [_borne(c, of_rows if c.fewest is None else c.fewest) for c in made.checks if not c.vacuous]


def _borne(check: Check, fewest: int | None) -> Check:
    if not fewest or fewest >= FEWEST or check.outcome == "not decided":
        return check
    samples = "1 sample decides" if fewest == 1 else f"{fewest} samples decide"
    return check._replace(outcome="not decided", evidence=f"{check.evidence}; {samples} nothing")


def borne_errata(made: ArtifactResult, relation: str) -> list[Erratum]:
    """Return the errata that a run bears out: those of the paper's own design, from samples enough."""
    fewest = _fewest(made)
    return [] if relation == "design" or (fewest or FEWEST) < FEWEST else made.errata


def _fewest(made: ArtifactResult) -> int | None:
    """Return the smallest number of samples behind a row; None where all are exact."""
    return min((int(r.n) for r in made.rows if r.n > 1 or r.se != 0), default=None)


def beside_print(paper: str, printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Set the rows of a run of the paper's design beside the print: how far apart they lie, and no verdict.

    The printed number's standard error is taken from the published run that is recorded, since the paper's number
    of repeats is known there.
    """
    found = judged_beside(paper, printed, rows)
    if found.empty:
        return found
    # a distance in standard errors is one of simulated numbers alone
    simulated = found["z"].where((found["se"] > 0) | (found["se_printed"] > 0))
    return found.assign(z=simulated, verdict="", reason="", halfwidth_verdict="")


def judged_beside(paper: str, printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Compare rows with the print, with what is recorded of the published run to know the spread of both by."""
    recorded = read_regenerated(paper)
    recorded = recorded[recorded.artifact.isin(set(rows.artifact))]
    # a run's own quantiles of reruns, which stand behind, win over the recorded ones
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
