"""The chapter of learning curves: what it counts, on tables that are made up."""

from typing import Any

import pandas as pd
import pytest

from compendium.guide.growing.curve_coverage import curve_coverage
from compendium.guide.growing.curve_offsets import curve_offsets
from compendium.guide.growing.curve_test_cases import curve_test_cases
from compendium.guide.growing.parameters import GrowingParameters
from compendium.studies.study import Study
from study_measures import values

P = GrowingParameters(sets=["two-normals"], inducers=["ldf", "1-nn"], cases=[50], ahead=[200], samples=400, draws=400)


def made_up(held: float, plain: float, *, width: float = 0.2) -> Any:
    """Return a run whose intervals hold a truth of .2 in given shares of samples, and lie above it otherwise."""

    def run(study: Study) -> pd.DataFrame:
        if study.id.endswith("truth"):
            rows = [{**cell, "error": 0.2 + 0.01 * (-1) ** r} for cell in study.cells for r in range(400)]
            return pd.DataFrame(rows)
        rows = []
        for number, cell in enumerate(study.cells):
            end, *beyond = cell["sizes"]
            for r in range(400):
                base = {"cell": number, "replicate": r}
                rows.append({**base, "quantity": "measured", "m": end, "value": 0.2, "low": 0.1, "high": 0.3})
                for kind, share in (("expected", held), ("at-their-word", plain)):
                    low = 0.1 if r < 400 * share else 0.25
                    rows += [{**base, "quantity": kind, "m": m, "value": 0.2, "low": low, "high": 0.3} for m in beyond]
                rows.append({**base, "quantity": "tested", "m": 60, "value": 0.2, "low": 0.1, "high": 0.1 + width})
                rows.append({**base, "quantity": "this-classifier", "m": 60, "value": 0.2, "low": 0, "high": 0})
        return pd.DataFrame(rows)

    return run


@pytest.mark.parametrize(
    ("held", "plain", "outcomes"),
    [
        (0.96, 0.7, ["holds", "holds", "holds"]),
        (0.75, 0.7, ["fails", "fails", "holds"]),
        (0.96, 0.99, ["holds", "holds", "fails"]),
    ],
)
def test_claims_of_coverage_hold_and_fail_with_the_world(held: float, plain: float, outcomes: list[str]) -> None:
    result = curve_coverage(P, made_up(held, plain))
    assert [check.outcome for check in result.checks] == outcomes
    rows = values(result)
    assert rows["expected/50-cases", "twice-the-cases"] == pytest.approx(100 * held)
    assert rows["worst/at-their-word/50-cases", "200-cases"] == pytest.approx(100 * plain)
    assert rows["two-normals/ldf/expected/50-cases", "largest-measured"] == 100


def test_intervals_that_miss_are_counted_on_the_side_where_they_lie() -> None:
    result = curve_offsets(P, made_up(0.9, 0.9))
    rows = values(result)
    assert rows["too-high/50-cases", "twice-the-cases"] == pytest.approx(10)
    assert rows["too-low/50-cases", "twice-the-cases"] == 0
    assert rows["offset/two-normals/1-nn/50-cases", "200-cases"] == pytest.approx(0)


@pytest.mark.parametrize(("width", "outcome"), [(0.2, "holds"), (0.3, "fails")])
def test_widths_on_the_test_cases_requested_for(width: float, outcome: str) -> None:
    result = curve_test_cases(P, made_up(1, 1, width=width))
    assert result.checks[0].outcome == outcome
    rows = {row.column: row.value for row in result.rows}
    assert rows["test-cases"] == 60
    assert rows["width-points"] == pytest.approx(100 * width)
    assert rows["as-narrow-percent"] == (100 if width <= P.width else 0)
