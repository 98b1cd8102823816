"""How often a classifier is reversed, by the class counts of its sample."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import share
from compendium.evidence.records import each, matching
from compendium.evidence.results import Run
from compendium.papers.martin_hirschberg.reversal.experiment import ReversalParameters, proportions_study
from compendium.papers.martin_hirschberg.reversal.statistics import Rule

__all__ = ["at", "proportions"]


def proportions(p: ReversalParameters, run: Run) -> pd.DataFrame:
    """Reversals by the sample's class counts: columns distance, n0, samples, rule, percent, se."""
    results = run(proportions_study(p))
    totals = results.groupby(["distance", "n0", "rule"], observed=True)[["samples", "reversed"]].sum().reset_index()
    measured = [share(r.reversed, r.samples) * 100 for r in totals.itertuples(index=False)]
    columns = {"percent": [m.value for m in measured], "se": [m.se for m in measured]}
    return totals[["distance", "n0", "samples", "rule"]].assign(**columns)


def at(shares: pd.DataFrame, rule: Rule, n0: int, distance: float = 0.0) -> Estimate:
    """Share of reversals among samples with n0 cases of class 0, percent, from :func:`proportions`."""
    (own,) = each(matching(shares, rule=rule, n0=n0, distance=distance))
    return Estimate(own.percent, own.se, own.samples)
