"""Exact number of classifiers that each estimator fits on one sample."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.cross.cases import READING
from compendium.guide.cross.settings import CrossParameters, estimator_ids, settings_of
from compendium.methods.estimators import parse_estimator


@artifact("guide-cross-cost", matrix=True)
def costs(p: CrossParameters, run: Run) -> ArtifactResult:
    settings = settings_of(p)
    usual = {s.n: s for s in settings if not (s.without or s.effort.clones < p.clones)}
    # of settings of one size the last counts, in the place of the first
    effort = next(iter(usual.values()), settings[0]).effort
    rows = [
        Row.exact(READING, f"{what}/N={n}", name, float(parse_estimator(text).fits(n)))
        for what, full in (("this design", False), ("with 100 clones each", True))
        for n in sorted({s.n for s in settings})
        for name, text in estimator_ids(
            n, effort._replace(clones=100, left_out_clones=100 * n) if full else effort
        ).items()
    ]
    left_out = [(s.family, s.at, s.n, *s.effort, ", ".join(s.without)) for s in settings]
    columns = ["family", "at", "n", *settings[0].effort._fields, "left out"]
    return ArtifactResult(rows, {"settings": pd.DataFrame(left_out, columns=columns)})
