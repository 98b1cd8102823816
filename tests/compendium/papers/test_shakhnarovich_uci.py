"""Section 8 of Shakhnarovich et al.: data sets, drawing, readings, tests between estimators, tails, cost."""

import numpy as np
import pandas as pd
import pytest
from scipy import integrate

from compendium.papers.shakhnarovich import case_counts, paired_tests
from compendium.papers.shakhnarovich.cases import STRATIFIED, Case, as_printed
from compendium.papers.shakhnarovich.methods import ESTIMATORS, estimators_for
from compendium.papers.shakhnarovich.table_7 import count_work
from compendium.papers.shakhnarovich.uci import data, study
from compendium.papers.shakhnarovich.uci import figures_4_5 as tails
from compendium.studies.experiment import TRUE_ERROR
from errorest.estimation.estimators import parse_estimator
from errorest.streams import Streams


def case(place, estimates, reading="literal"):
    return Case(pd.DataFrame(estimates), reading, place=place, classifier="ldf")


def test_a_sample_and_the_rest_are_the_whole_and_strata_keep_the_shares():
    y = data.uci_set("pima").y
    for drawing in ("uniform", "stratified"):
        sampled, rest = data.draw_cases(y, 60, drawing, np.random.default_rng(1))
        assert sorted([*sampled, *rest]) == list(range(768))
        assert sampled.shape == (60,)
    # 60 x 500/768 = 39.06: 39 of one class and 21 of the other
    assert np.bincount(y[sampled]).tolist() == [39, 21]
    assert not (np.diff(sampled) > 0).all(), "in random order"


def test_a_trial_measures_the_true_error_on_all_cases_that_are_left():
    cell = {"set": "breast-cancer", "n": 20, "drawing": "uniform", "classifiers": ["1-nn"]}
    cell |= {"estimators": ["loo", "resubstitution"], "bootstrap_samples": 2}
    trial = study.design(cell)
    whole = data.uci_set("breast-cancer")
    for r in range(2):
        place = Streams(3).child(r)
        lines = trial(place)
        results = dict(zip(lines["quantity"], lines["value"], strict=True))
        sampled, rest = data.draw_cases(whole.y, 20, "uniform", place.generator("sample"))
        apart = ((whole.X[rest][:, None] - whole.X[sampled]) ** 2).sum(axis=2)
        wrong = np.mean(whole.y[sampled][apart.argmin(axis=1)] != whole.y[rest])
        assert results["true-error"] == pytest.approx(wrong)
        assert results["resubstitution"] == 0
        within = ((whole.X[sampled][:, None] - whole.X[sampled]) ** 2).sum(axis=2) + 1e9 * np.eye(20)
        assert results["loo"] == pytest.approx(np.mean(whole.y[sampled][within.argmin(axis=1)] != whole.y[sampled]))


def test_rows_as_printed_are_exchanged_and_nothing_else_moves():
    given = {name: np.array([float(k)]) for k, name in enumerate(ESTIMATORS)}
    moved = as_printed(case("pima", given))
    assert moved["repeated-cv-10"] == given["repeated-cv-5"]
    assert moved["repeated-cv-5"] == given["repeated-cv-10"]
    assert moved["cloned-bscv-10"] == moved["cloned-bscv-5"] == given["cloned-bscv-5"]
    others = set(given) - {"repeated-cv-10", "repeated-cv-5", "cloned-bscv-10"}
    assert all(moved[k] == given[k] for k in others)
    assert moved.reading == "fitted:rows-as-printed"
    assert as_printed(case("pima", given, STRATIFIED)).reading == "fitted:stratified-samples-rows-as-printed"


def test_counts_of_table_6_are_paired_tests_by_hand():
    rng = np.random.default_rng(4)
    cases, worse, better = [], 0, 0
    for k in range(6):
        truth = rng.uniform(0.2, 0.4, 50)
        rcv, new = truth + rng.normal(0, 0.1 if k < 3 else 0.05, 50), truth + rng.normal(0, 0.05 if k < 3 else 0.1, 50)
        cases.append(case(str(k), {TRUE_ERROR: truth, "repeated-cv-5": rcv, "cloned-632plus": new}))
        alpha = paired_tests.paired_test(truth, rcv, new)["alpha"]
        worse += alpha <= 0.1
        better += alpha >= 0.9
    result = case_counts.win_tie_loss(cases, "repeated-cv-5", "cloned-632plus", 0.1, Streams(1))
    assert (len(result["worse"].rows), len(result["better"].rows)) == (worse, better)
    assert sum(len(count.rows) for count in result.values()) == 6
    assert worse
    assert better


def test_a_case_that_no_resample_could_decide_otherwise_has_no_standard_error():
    truth = np.zeros(30)
    one = case("x", {TRUE_ERROR: truth, "repeated-cv-5": truth + 0.3, "cloned-632plus": truth + 0.1})
    result = case_counts.win_tie_loss([one], "repeated-cv-5", "cloned-632plus", 0.1, Streams(1))
    assert (result["worse"].rows, result["worse"].estimate.se) == (["x/ldf"], 0.0)


@pytest.mark.parametrize("trials", [7, paired_tests.LARGEST_CACHED, paired_tests.LARGEST_CACHED + 1])
def test_draws_that_are_preserved_are_those_of_their_stream(trials):
    truth = np.zeros(trials)
    for row, names in (("x", ("old", "new")), ("x", ("new", "old")), ("y", ("old", "new")), ("x", ("old", "new"))):
        own = (
            Streams(8).child(f"{row}/ldf").generator(*names).multinomial(trials, np.full(trials, 1 / trials), size=1000)
        )
        sampled = paired_tests.bootstrap_weights(case(row, {TRUE_ERROR: truth}), Streams(8), *names)
        assert sampled.tobytes() == (own / trials).tobytes()


def test_the_density_integrates_to_one_and_its_tail_is_its_integral():
    values_ = np.random.default_rng(2).exponential(0.05, 60)
    at = np.linspace(0, 0.6, 4001)
    f = tails.density(values_, at, 0.03, 0.0)
    assert np.trapezoid(f, at) == pytest.approx(1, abs=1e-4)
    tail = tails.tail(values_, at, 0.03, 0.0)
    left = integrate.cumulative_trapezoid(f, at, initial=0)
    assert np.abs(tail - (1 - left)).max() < 1e-4
    assert tail[0] == 1


def test_the_tail_without_smoothing_counts():
    errors = np.array([0.1, 0.2, 0.2, 0.5])
    assert tails.tail(errors, np.array([0.0, 0.15, 0.2, 0.6]), 0.0).tolist() == [1.0, 0.75, 0.25, 0.0]


def test_the_crossing_is_the_last_one_and_tails_under_one_trial_say_nothing():
    grid = np.linspace(0, 1, 1001)
    assert tails.crossing(grid, 1 - grid, 1 - grid**2, 0.0) == 0.0
    assert tails.crossing(grid, np.exp(-4 * grid), 0.8 * np.exp(-3 * grid), 1e-6) == pytest.approx(
        np.log(1 / 0.8), abs=1e-3
    )
    late = np.where(grid > 0.9, 0.004, 0.0)
    assert tails.crossing(grid, late, np.where(grid < 0.5, 1.0, 0.0), 0.01) == 0.0


def test_counted_fits_are_those_that_the_estimators_declare():
    made = estimators_for(ESTIMATORS, 7)
    for name in ESTIMATORS:
        if name == "repeated-loo":
            continue
        work = count_work(name, 22, 100, 7, np.random.default_rng(0))
        assert work.fits == made[name].fits(22), name
    assert parse_estimator("loo").fits(22) == 22
