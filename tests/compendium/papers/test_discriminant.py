"""Section 3's experiment: a small study through the real functions, and what its parameters refuse."""

import numpy as np
import pandas as pd
import pytest

from compendium.papers.martin_hirschberg.discriminant import study
from compendium.papers.martin_hirschberg.discriminant.table_4 import table_4
from compendium.papers.martin_hirschberg.discriminant.table_5 import table_5_differences
from compendium.studies.experiment import wide

SMALL = study.DiscriminantParameters(
    sizes=[10, 30],
    inherent_errors=[0.5, 0.25, 0.01],
    samples=6,
    cv_repeats=3,
    bootstrap_replicates=5,
    repeats=1,
)


@pytest.fixture
def literal(run) -> pd.DataFrame:
    table = wide(run(study.study_of(SMALL)), "literal").set_index(["n", "inherent_error"])
    return 100 * table[["loo", "bootstrap-632", "true-error"]]


def test_bias_and_rms_are_of_the_differences_in_percent(run, literal):
    made = table_4(SMALL, run)
    rows = {r.column: r.value for r in made.rows if (r.reading, r.row) == ("literal", "loo")}
    d = (literal["loo"] - literal["true-error"]).to_numpy()
    rms = np.sqrt((d**2).mean())
    assert (rows["bias-percent"], rows["rms-percent"]) == pytest.approx((d.mean(), rms))
    assert rows["bias-percent/halfwidth"] == pytest.approx(1.96 * d.std(ddof=1) / 6)
    assert rows["rms-percent/halfwidth"] == pytest.approx(rms * 1.96 / np.sqrt(2 * 36))


def test_table_5_holds_mean_differences_of_a_cell(run, literal):
    cell = literal.loc[30, 0.25]
    differences = {
        "5a": cell["loo"] - cell["true-error"],
        "5b": cell["bootstrap-632"] - cell["true-error"],
        "5c": cell["loo"] - cell["bootstrap-632"],
    }
    for part, d in differences.items():
        made = table_5_differences(SMALL, run, part=part)
        rows = {r.column: r.value for r in made.rows if (r.reading, r.row) == ("literal", "25")}
        assert rows["N=30"] == pytest.approx(d.mean())
        assert rows["N=30/halfwidth"] == pytest.approx(2 * d.std(ddof=1) / np.sqrt(6))


def test_a_small_size_is_welcome_where_no_estimator_needs_more():
    assert study.DiscriminantParameters(sizes=[2], estimators=["loo", "repeated-cv-2", "loo-star"]).sizes == [2]
