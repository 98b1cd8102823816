"""The test cases that a learning curve asks for, and the width and coverage of Wilson's interval on as many."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Estimate
from compendium.evidence.monte_carlo import mean
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.growing.parameters import GrowingParameters, cells_of
from compendium.guide.growing.results import TOLERANCE
from compendium.guide.growing.study import curve_study
from compendium.guide.intervals import contains

TESTED = Claims("guide-growing-test-cases")

# What the test cases yielded, by the cases at hand and by column
Measured = Mapping[int, Mapping[str, Estimate]]


@TESTED.claim
def width(p: GrowingParameters, measured: Measured) -> list[Condition]:
    # a mean width of at most a tenth more than was wanted
    return [e["width-points"].named(f"from {n}", "points", 1, "") < 110 * p.width for n, e in measured.items()]


@TESTED.claim
def coverage(p: GrowingParameters, measured: Measured) -> list[Condition]:
    nominal, slack = 100 * p.confidence, TOLERANCE - 2
    coverages = [e["held-percent"].named(f"from {n}", "%", 1, "") for n, e in measured.items()]
    return [e.within(nominal - slack, nominal + slack) for e in coverages]


@artifact("guide-growing-test-cases", matrix=True)
def curve_test_cases(p: GrowingParameters, run: Run) -> ArtifactResult:
    """Test cases asked for, widths measured on as many (points), shares as narrow as wanted and holding (percent)."""
    lines = run(curve_study(p))
    numbers = pd.Series([cell.n for cell in cells_of(p)])
    tested, own = (lines[lines["quantity"] == name] for name in ("tested", "this-classifier"))
    n, widths = numbers.to_numpy()[tested["cell"]], (tested["high"] - tested["low"]).to_numpy()
    values = {
        "test-cases": tested["m"].to_numpy(dtype=float),
        "width-points": 100 * widths,
        "as-narrow-percent": 100.0 * (widths <= p.width + 1e-9),
        "held-percent": 100.0 * contains(tested["low"].to_numpy(), tested["high"].to_numpy(), own["value"].to_numpy()),
    }
    cell = tested["cell"].to_numpy()
    measured = {c: {k: mean(v[n == c], cell[n == c]) for k, v in values.items()} for c in p.cases}
    rows = [Row.of("literal", f"{c}-cases", name, m) for c in p.cases for name, m in measured[c].items()]
    checks = judge_claims(TESTED, p, measured, wanted=100 * p.width, slack=TOLERANCE - 2)
    return ArtifactResult(rows, checks=checks)
