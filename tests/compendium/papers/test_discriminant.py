"""Section 3's experiment: a small study through the real functions, and what its parameters refuse."""

import numpy as np
import pandas as pd
import pytest

from compendium.papers.martin_hirschberg.discriminant import experiment
from compendium.papers.martin_hirschberg.discriminant.artifacts import (
    table_4,
    table_5_differences,
)
from compendium.papers.own_code import estimator_digests
from compendium.studies import digests
from compendium.studies.experiment import wide
from compendium.studies.study import run_study

SMALL = {
    "sizes": [10, 30],
    "inherent_errors": [0.5, 0.25, 0.01],
    "samples": 6,
    "cv_repeats": 3,
    "bootstrap_replicates": 5,
    "repeats": 1,
}


@pytest.fixture(scope="module")
def small() -> experiment.DiscriminantParameters:
    return experiment.DiscriminantParameters(**SMALL)


@pytest.fixture(scope="module")
def results(small) -> pd.DataFrame:
    return run_study(experiment.study_of(small))


@pytest.fixture(scope="module")
def by_rule(results) -> dict[str, pd.DataFrame]:
    return {rule: wide(results, rule) for rule in experiment.READINGS}


def test_bias_and_rms_are_of_the_differences_in_percent(small, results, by_rule):
    made = table_4(small, lambda study: results)
    rows = {r.column: r.value for r in made.rows if (r.reading, r.row) == ("literal", "loo")}
    d = 100 * (by_rule["literal"]["loo"] - by_rule["literal"]["true-error"]).to_numpy()
    rms = np.sqrt((d**2).mean())
    assert (rows["bias-percent"], rows["rms-percent"]) == pytest.approx((d.mean(), rms))
    assert rows["bias-percent/halfwidth"] == pytest.approx(1.96 * d.std(ddof=1) / 6)
    assert rows["rms-percent/halfwidth"] == pytest.approx(rms * 1.96 / np.sqrt(2 * 36))


def test_table_5_holds_mean_differences_of_a_cell(small, results, by_rule):
    cell = 100 * by_rule["literal"].query("n == 30 and inherent_error == 0.25")[["loo", "bootstrap-632", "true-error"]]
    differences = {
        "5a": cell["loo"] - cell["true-error"],
        "5b": cell["bootstrap-632"] - cell["true-error"],
        "5c": cell["loo"] - cell["bootstrap-632"],
    }
    for part, d in differences.items():
        made = table_5_differences(small, lambda study: results, part=part)
        rows = {r.column: r.value for r in made.rows if (r.reading, r.row) == ("literal", "25")}
        assert rows["N=30"] == pytest.approx(d.mean())
        assert rows["N=30/halfwidth"] == pytest.approx(2 * d.std(ddof=1) / np.sqrt(6))


def test_an_estimator_of_one_s_own_is_measured_again_where_a_helper_of_it_changes(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    matches = []
    for number, share in enumerate((0.5, 0.25)):
        (tmp_path / f"helper_{number}.py").write_text("SHARE = 0.5\n")
        text = "from errorest.estimation.estimators import Apparent\n" + f"import helper_{number}\n"
        (tmp_path / f"mine_{number}.py").write_text(text + "class Mine(Apparent):\n    name = 'mine'\n")
        before = estimator_digests(f"mine_{number}.Mine")
        (tmp_path / f"helper_{number}.py").write_text(f"SHARE = {share}\n")
        digests._code_digest.cache_clear()
        matches.append(before == estimator_digests(f"mine_{number}.Mine"))
    assert matches == [True, False]


def test_a_small_size_is_welcome_where_no_estimator_needs_more():
    assert experiment.DiscriminantParameters(sizes=[2], estimators=["loo", "repeated-cv-2", "loo-star"]).sizes == [2]
