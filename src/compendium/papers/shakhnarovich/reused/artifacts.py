"""Independent trials of setting 5, which the printed Table 12 does not look like."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import signed
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.papers.shakhnarovich.methods import TEN_FOLDS
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.reused.figures import draw_reused
from compendium.papers.shakhnarovich.synthetic.artifacts import cases_of
from compendium.papers.shakhnarovich.synthetic.experiment import SyntheticParameters

__all__ = ["reused_samples"]

_SETTING = 5
_UNBIASED = "loo"


@artifact("shakhnarovich-reused-samples", draw=draw_reused, labels=LABELS, enlarge=False)
def reused_samples(p: SyntheticParameters, run: Run) -> ArtifactResult:
    """Setting 5's trials one by one: how the true error varies, and with what it goes along."""
    cases = [case for case in cases_of(p, run) if case.place == str(_SETTING)]
    if not cases:
        return ArtifactResult(findings=[f"Setting {_SETTING} was not run."])
    rows: list[Row] = []
    frames, texts = [], []
    for c in cases:
        spread, gap = accuracy.standard_deviation(c.truth), accuracy.mean(c.errors(_UNBIASED))
        rows.append(Row.of(c.reading, c.classifier, "true-error-std", spread))
        rows.append(Row.of(c.reading, c.classifier, "loo-minus-true-error", gap))
        together = accuracy.correlation(c.truth, c.estimates[_UNBIASED])
        rows.append(Row.of(c.reading, c.classifier, "loo-correlation", together))
        reading = f" (*{c.reading}*)" if c.title != symbol_of(c.classifier) else ""
        texts.append(f"{symbol_of(c.classifier)} {spread.value:.4f} and {signed(gap.value, 4)} ± {gap.se:.4f}{reading}")
        # what small samples lack comes last
        for name in sorted(c.estimates, key=TEN_FOLDS.__contains__):
            values = c.estimates[name]
            part = {"classifier": c.key, "trial": np.arange(c.n), "estimator": name}
            frames.append(pd.DataFrame({**part, "estimate": values, "truth": c.truth}))
    finding = (
        f"In {cases[0].n} independent trials, the standard deviation of the true error and the mean of leave-one-out "
        f"minus the true error (± standard error): {'; '.join(texts)}. Leave-one-out is almost unbiased: over "
        "independent trials its mean has to come near the mean true error."
    )
    return ArtifactResult(rows, {"trials": pd.concat(frames, ignore_index=True)}, findings=[finding])
