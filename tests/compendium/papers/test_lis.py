"""The LIS page: its tables counted from the schemes, its claims executed."""

from __future__ import annotations

import itertools
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

from compendium.evidence.trials import Trials
from compendium.papers.bootstrap import distinct_share
from compendium.papers.lis.artifacts import (
    TABLE_6,
    claims,
    field_guide,
    figure_7,
    iterations_needed,
    judge_page,
    judge_scheme,
    table_5,
    table_6,
)
from compendium.papers.lis.experiment import SCATTER, FieldGuideParameters, claims_study
from compendium.studies.study import run_study
from errorest.errors import UsageError
from errorest.resampling import draw as resampling
from errorest.streams import Streams

P = FieldGuideParameters(sizes=[10, 20, 40], inherent_errors=[0.1, 0.25, 0.4], samples=120, cv_repeats=20)
FEW = FieldGuideParameters(sizes=[20, 100], inherent_errors=[0.1, 0.4])


@lru_cache(maxsize=1)
def results():
    return run_study(claims_study(P))


@lru_cache(maxsize=1)
def claimed():
    return claims(P, lambda study: results())


def test_expressions_of_the_tables_are_counted_from_the_schemes_and_all_claims_of_them_hold():
    made = [make(FieldGuideParameters()) for make in (table_5, table_6, figure_7)]
    found = pd.concat([one.data["expressions"] for one in made]).set_index("scheme")
    assert found.to_numpy().tolist() == [
        ["j", "n - j", "1"],
        ["j", "n - j", "B"],
        ["n - 1", "1", "n"],
        ["90%", "10%", "10"],
        ["n (j unique)", "n - j", "B"],
    ]
    assert {c.outcome for one in made for c in one.checks} == {"holds"}


def test_claims_of_the_tables_can_fail():
    found = {"training-cases": "j", "testing-cases": "", "iterations": "1"}
    assert [c.outcome for c in judge_scheme("holdout", found, ("j", "n - j", "1"))] == ["fails"]
    tested = TABLE_6[0][1]
    assert tested([resampling.leave_one_out(4)]).outcome == "holds"
    assert tested([resampling.holdout(4, np.random.default_rng(0), test=1)]).outcome == "fails"


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_distinct_share_equals_enumeration_of_all_bootstrap_samples(n):
    brute = np.mean([len(set(drawn)) for drawn in itertools.product(range(n), repeat=n)]) / n
    assert distinct_share(n) == pytest.approx(brute)


def test_distinct_share_nears_its_limit_and_refuses_no_cases():
    assert distinct_share(10**9) == pytest.approx(1 - np.exp(-1), abs=1e-9)
    with pytest.raises(UsageError, match="expected at least 1"):
        distinct_share(0)


def test_iterations_needed_of_a_known_spread():
    rng = np.random.default_rng(2)
    size, B, within, between = 20_000, 10, 4.0, 1.0
    e0 = rng.normal(0, np.sqrt(between + within / B), size)
    found = iterations_needed(
        pd.DataFrame({"bootstrap-e0": e0, SCATTER: within * rng.chisquare(B - 1, size) / (B - 1)}), B
    )
    # false alarm once in 16,000
    assert abs(found.value - within / between / (1.01**2 - 1)) < 4 * found.se
    assert found.n == size


def test_the_study_repeats_itself_replicate_by_replicate():
    study = claims_study(P)
    together, alone = (study.measure(study.cells[0], r, Streams(3)) for r in (range(3), range(2, 3)))
    assert together["value"][-len(alone["value"]) :] == alone["value"]
    assert set(together["replicate"]) == {0, 1, 2}


def test_claims_yield_the_printed_keys():
    made = claimed()
    by_key = {(r.reading, r.column): r.value for r in made.rows if not r.artifact}
    assert by_key["literal", "distinct-fraction"] == pytest.approx(0.632, abs=5e-4)
    assert by_key["literal", "test-fraction"] == pytest.approx(0.368, abs=5e-4)
    assert by_key["literal", "distinct-cases-percent"] == pytest.approx(63.21, abs=5e-3)
    assert any(r.artifact == "lis-figure-7" and r.column == "iterations" for r in made.rows)


def test_claims_that_the_theory_settles_come_out_as_it_says():
    # differences of many standard errors, so a false alarm is far below one in a million
    made = {c.claim: c.outcome for c in claimed().checks}
    assert made["Random subsampling has less rms than a single train-and-test partition."] == "holds"
    assert made["The training set error is an overoptimistic estimate."] == "holds"
    assert made["200 bootstrap iterations cost more than leave-one-out."] == "holds"


def test_the_iterations_that_are_needed_widen_the_spread_by_one_percent():
    made = claimed()
    cell = made.data["iterations"].iloc[0]
    curve = made.data["widening"].query("inducer == @cell.inducer and size == @cell['size']")
    curve = curve[curve["inherent error"] == cell["inherent error"]]
    assert np.interp(cell.value, curve.iterations, curve.percent) == pytest.approx(1.0, abs=0.01)


# estimators of a made-up world: bias and standard deviation in points at n = 20, slope on the true error
AS_CLAIMED = {
    "resubstitution": (-9, 2, 0), "holdout-1/3": (0, 12, 0), "random-subsampling": (0, 4, 0), "loo": (0, 4, -1),
    "repeated-cv-2": (2, 3, 2), "cv-10": (0, 4, 0), "stratified-cv-10": (0, 3, 0), "bootstrap-e0": (2, 2, 2),
    "bootstrap-632": (-1.5, 1.5, 0),
}  # fmt: skip
REVERSED = {
    "resubstitution": (9, 2, 0), "holdout-1/3": (0, 1, 0), "random-subsampling": (0, 20, 0), "loo": (12, 2, 2),
    "repeated-cv-2": (5, 9, -2), "cv-10": (0, 90, 0), "stratified-cv-10": (0, 120, 0), "bootstrap-e0": (-40, 9, -2),
    "bootstrap-632": (40, 9, 0),
}  # fmt: skip
WHERE_LOO_IS_LAST = REVERSED | {"loo": (90, 2, 2), "bootstrap-e0": (-3, 2, 0), "bootstrap-632": (1, 2, 0)}


def world(estimators, p, shrinks=True, samples=400):
    """Trials in which the estimators lie as they are told to; the spread shrinks with n, or grows."""
    rng, trials = np.random.default_rng(5), {}
    for inducer in ("threshold", "1-nn"):
        cells = []
        for cell, (n, error) in enumerate(itertools.product(p.sizes, p.inherent_errors)):
            scale = 20 / n if shrinks else n / 20
            truth = error + 0.02 * rng.normal(size=400)
            own = {"n": n, "inherent_error": error, "cell": cell, "true-error": truth}
            for name, (bias, sd, slope) in estimators.items():
                noise = sd * scale * rng.normal(size=400) / 100
                own[name] = truth + bias / 100 + slope * (truth - error) + noise
            cells.append(pd.DataFrame(own).head(samples))
        trials[inducer] = Trials(pd.concat(cells))
    return trials


def test_every_claim_can_hold_and_can_fail():
    many = FieldGuideParameters(sizes=[300, 600], inherent_errors=[0.1, 0.4])
    made = [
        judge_page(FEW, world(AS_CLAIMED, FEW)),
        judge_page(FEW, world(REVERSED, FEW, shrinks=False)),
        judge_page(FEW, world(WHERE_LOO_IS_LAST, FEW)),
        judge_page(FEW, world(AS_CLAIMED | {"bootstrap-e0": (0.5, 1, 0)}, FEW)),
        judge_page(many, world(AS_CLAIMED, many)),
    ]
    for found in zip(*made, strict=True):
        assert {"holds", "fails"} <= {c.outcome for c in found}, found[0].claim
        # what was sampled says how many samples there are; fits are counted
        assert all("; n = " in c.evidence or "fits" in c.evidence for c in found)


def test_few_samples_decide_nothing():
    few = world(AS_CLAIMED | {"loo": (0, 9, 0)}, FEW, samples=20)
    made = {c.claim: c.outcome for c in judge_page(FEW, few)}
    assert made["Leave-one-out is almost unbiased (within one point)."] == "not decided"


def test_a_difference_of_two_rms_has_the_error_of_many_repetitions():
    # |z| < 4 of a standard deviation of 400 repetitions: false alarm below 1e-4, fixed seed
    rng, found = np.random.default_rng(3), []
    for _ in range(400):
        e = rng.normal(0.02, 0.1, 200)
        found.append(
            Trials(pd.DataFrame({"cell": np.zeros(200)})).rms_gap(e, 1.1 * (0.5 * e + rng.normal(0, 0.1, 200)))
        )
    spread = np.std([m.value for m in found], ddof=1)
    assert abs(np.mean([m.se for m in found]) / spread - 1) < 4 / np.sqrt(2 * 399)


def test_field_guide_counts_fits_and_cases():
    guide = field_guide(P, lambda study: results()).data["guide"].set_index(["inducer", "estimator"])
    loo, boot, half = (guide.loc["threshold", name] for name in ("leave-one-out", "e0", "repeated 2-fold"))
    assert (loo["trains on"], loo["tests on"], loo["fits"]) == (19, 1, 20)
    assert (half["trains on"], half["fits"]) == (10, 2 * P.cv_repeats)
    assert boot["fits"] == 200
    assert boot["trains on"] + boot["tests on"] == pytest.approx(20)
    assert abs(boot["trains on"] - 20 * distinct_share(20)) < 0.5
    assert guide.loc[("1-nn", "training set"), "sd"] == 0
