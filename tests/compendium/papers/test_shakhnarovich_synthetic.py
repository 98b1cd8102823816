"""Shakhnarovich's synthetic half: settings, names, tables, contests."""

from math import sqrt

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from batteries import assert_refused
from compendium.evidence.names import COMMON
from compendium.evidence.verdicts import read_published
from compendium.papers.shakhnarovich import conclusions, methods
from compendium.papers.shakhnarovich.best_pairs import (
    SIDES,
    as_named,
    best_pairs,
    compare_best_pair,
    significantly_better,
)
from compendium.papers.shakhnarovich.case_counts import CaseCount, better_than_all
from compendium.papers.shakhnarovich.cases import Case, table_rows
from compendium.papers.shakhnarovich.corrected import compare_forms
from compendium.papers.shakhnarovich.names import LABELS, symbol_of, words_for
from compendium.papers.shakhnarovich.paired_tests import paired_test
from compendium.papers.shakhnarovich.synthetic.study import SyntheticParameters, cases_of, fitting, population_of
from compendium.papers.shakhnarovich.synthetic.table_1 import table_1
from compendium.studies.experiment import TRUE_ERROR
from compendium.studies.sources import Fixed
from compendium.studies.study import run_study
from errorest.learners.neighbors import KNN
from errorest.streams import Streams

SMALL = {"settings": [2], "trials": [2], "bootstrap_samples": 3, "validation": 200}


def test_settings_are_those_of_table_1():
    printed = read_published("shakhnarovich").query("artifact == 'shakhnarovich-table-1'")
    p = SyntheticParameters()
    for one in printed.itertuples():
        population, n = population_of(int(one.row))
        ours = {"d": population.means.shape[1], "n": n, "trials": p.trials[p.settings.index(int(one.row))]}
        assert ours[one.column] == int(one.value)


def test_setting_5_has_means_that_grow_and_variances_that_shrink():
    population, _ = population_of(5)
    assert population.means[1] == pytest.approx([sqrt(j) / 2 for j in range(1, 11)])
    assert np.diag(population.covariances[1]) == pytest.approx([1 / j for j in range(1, 11)])


def test_balanced_samples_have_as_many_of_each_class_in_random_order():
    population, n = population_of(1)
    orders = {tuple(population.balanced_sample(n, np.random.default_rng(s)).y) for s in range(5)}
    assert len(orders) == 5
    assert all(sum(order) == n // 2 for order in orders)
    assert_refused("even number", population.balanced_sample, 7, np.random.default_rng(0))


def test_every_printed_estimator_has_a_name_and_every_name_an_estimator():
    printed = read_published("shakhnarovich")
    rows = printed[printed["artifact"].isin([f"shakhnarovich-table-{t}" for t in range(8, 16)])]["row"]
    assert {r.partition("/")[2] for r in rows} == {TRUE_ERROR, *methods.ESTIMATORS}
    made = methods.estimators_for(methods.ESTIMATORS, 4)
    assert set(made) == {*methods.ESTIMATORS, *methods.TO_ZERO.values()}
    assert len({e.id for n, e in made.items() if n != "repeated-loo"}) == len(made) - 1


def test_unknown_names_are_refused_with_the_nearest():
    assert_refused("cloned-632", methods.estimators_for, ["cloned-633"], 4)


def test_the_enlarged_run_has_more_trials_of_small_samples_and_begins_with_the_published_ones(run):
    assert SyntheticParameters().enlarged().trials == [600, 600, 600, 600, 50]
    assert SyntheticParameters(settings=[5], trials=[50]).enlarged() is None
    assert SyntheticParameters(**SyntheticParameters.preview()).enlarged() is None
    p = SyntheticParameters(**SMALL, classifiers=["1-nn"])
    (few,), (many,) = (cases_of(q, run_study) for q in (p, p.enlarged()))
    assert (few.n, many.n) == (2, 6)
    np.testing.assert_array_equal(few["cloned-632plus"], many["cloned-632plus"][:2])


def test_ten_folds_are_left_out_where_the_paper_did_not_compute_them():
    assert not [e for e in fitting([*methods.OLD, *methods.NEW], 14) if e.endswith("-10")]
    assert fitting([*methods.OLD, *methods.NEW], 20) == [*methods.OLD, *methods.NEW]


def test_where_the_overfitting_rate_exceeds_one_the_text_cuts_it_to_one_and_the_tables_set_it_to_zero():
    # 1-NN has no apparent error and a no-information rate of 1/2 on balanced samples
    population, n = population_of(4)
    both = set()
    for seed in range(12):
        sample = population.balanced_sample(n, np.random.default_rng(seed))
        names = ["bootstrap-loo", "bootstrap-632", "bootstrap-632plus"]
        cell = {"classifiers": ["1-nn"], "estimators": names, "bootstrap_samples": 10}
        lines = methods.experiment_on(Fixed(sample), cell)(Streams(seed))
        result = dict(zip(lines["quantity"], lines["value"], strict=True))
        loo, plain, plus, zero = (result[e] for e in (*names, methods.TO_ZERO["bootstrap-632plus"]))
        assert plain == pytest.approx(0.632 * loo)
        both.add(loo > 0.5)
        if loo > 0.5:
            assert plus == pytest.approx(plain + 0.5 * 0.368)
            assert zero == pytest.approx(plain)
        else:
            assert plus == pytest.approx(zero)
    assert both == {True, False}


def test_a_table_s_numbers_are_means_deviations_and_roots():
    own = {TRUE_ERROR: np.array([0.2, 0.3, 0.4]), "loo": np.array([0.3, 0.3, 0.6])}
    rows = {(r.row, r.column): r.value for r in table_rows(case("1", "1-nn", own))}
    assert rows["1-nn/loo", "mean"] == pytest.approx(0.4)
    assert rows["1-nn/loo", "std"] == pytest.approx(np.std([0.3, 0.3, 0.6], ddof=1))
    assert rows["1-nn/loo", "rmse"] == pytest.approx(sqrt((0.01 + 0 + 0.04) / 3))
    assert rows["1-nn/true-error", "rmse"] == 0.0


def case(place, classifier, estimates, reading="literal"):
    return Case(pd.DataFrame(estimates), reading, place=place, classifier=classifier)


def estimates(n=40, seed=0, **errors):
    rng = np.random.default_rng(seed)
    truth = 0.3 + 0.02 * rng.standard_normal(n)
    return {
        TRUE_ERROR: truth,
        **{k.replace("_", "-"): truth + v * rng.standard_normal(n) for k, v in errors.items()},
    }


def test_the_paired_test_is_the_one_sided_t_statistic_against_a_normal():
    own = estimates(loo=0.2, cloned_loo=0.1)
    test = paired_test(own[TRUE_ERROR], own["loo"], own["cloned-loo"])
    d = (own["loo"] - own[TRUE_ERROR]) ** 2 - (own["cloned-loo"] - own[TRUE_ERROR]) ** 2
    t = stats.ttest_1samp(d, 0.0)
    assert test["alpha"] == pytest.approx(stats.norm.sf(t.statistic))
    assert test["sigma-d"] == pytest.approx(d.std(ddof=1))
    # equal estimators are undecided, a constant gain is certain
    zero = np.zeros(5)
    for new, alpha in ((0.1, 0.0), (0.2, 0.5), (0.3, 1.0)):
        assert paired_test(zero, zero + 0.2, zero + new)["alpha"] == alpha


def test_the_best_has_the_smallest_rmse_and_is_sure_of_it_where_the_gap_is_wide():
    own = estimates(resubstitution=0.3, loo=0.1, cloned_632=0.02, cloned_loo=0.2)
    assert case("1", "ldf", own).best_of(["loo", "resubstitution"]) == "loo"
    one = compare_best_pair(case("1", "ldf", own), Streams(1))
    assert (one.best["new"], one.best["old"]) == ("cloned-632", "loo")
    assert one.shares["new"][one.best["new"]] > 0.99
    assert one.values["alpha"] < 0.01
    d = (own["loo"] - own[TRUE_ERROR]) ** 2 - (own["cloned-632"] - own[TRUE_ERROR]) ** 2
    assert one.values["sqrt-mu-d"] == pytest.approx(sqrt(d.mean()))


def test_two_equally_good_estimators_share_the_first_place():
    # the share of resampled wins of two alike estimators is about 1/2 on average; over 30 seeds its mean has a
    # standard deviation of about .06, so .2 to .8 is five of these
    shares = []
    for seed in range(30):
        own = estimates(seed=seed, loo=0.1, cloned_632=0.1, cloned_loo=0.1)
        one = compare_best_pair(case("1", "ldf", own), Streams(seed))
        share = one.shares["new"][one.best["new"]]
        shares.append(share if one.best["new"] == "cloned-632" else 1 - share)
    assert 0.2 < np.mean(shares) < 0.8


def test_the_error_of_a_best_pair_s_rmse_is_that_of_new_trials():
    # without a choice the bootstrap error is the plain Monte Carlo error, here within a fifth (1,000 resamples: 2 %)
    own = estimates(n=200, loo=0.1, cloned_632=0.05)
    one = compare_best_pair(case("1", "ldf", own), Streams(1))
    squares = (own["loo"] - own[TRUE_ERROR]) ** 2
    expected = squares.std(ddof=1) / sqrt(200) / (2 * sqrt(squares.mean()))
    assert one.errors["old-rmse"] == pytest.approx(expected, rel=0.2)


def test_counts_over_cases_know_which_cases_and_how_sure():
    clear = case("1", "ldf", estimates(loo=0.2, cloned_632=0.02))
    equal = case("1", "1-nn", estimates(seed=3, loo=0.1, cloned_632=0.1))
    lost = case("2", "ldf", estimates(loo=0.02, cloned_632=0.2))
    count = significantly_better([clear, lost], Streams(1), 0.01)
    assert (count.rows, len(count.cases)) == (["1/ldf"], 2)
    assert count.estimate.se < 0.05
    wins = better_than_all([clear, equal, lost], "cloned-632", ["loo", "cv-10"], Streams(1))
    assert "1/ldf" in wins.rows
    assert "2/ldf" not in wins.rows
    assert 0.1 < wins.estimate.se < 0.8
    assert words_for([]) == "none"


def test_without_information_the_least_error_is_a_half_and_setting_1_is_the_normal_tail(run):
    made = table_1(SyntheticParameters(), run)
    least = {r.row: r.value for r in made.rows}
    assert least["2"] == least["4"] == 0.5
    assert least["1"] == pytest.approx(stats.norm.cdf(-1))
    assert least["3"] == pytest.approx(stats.norm.cdf(-0.5))
    # setting 5: the least error lies below that of the best line
    assert 0 < least["5"] < population_of(5)[0].best_linear()[2]


def test_what_the_paper_names_is_compared_with_ours_of_the_same_name():
    rng = np.random.default_rng(5)
    truth = np.full(50, 0.2)
    names = {"cloned-632": 0.01, "cloned-632plus": 0.02, "bootstrap-632": 0.03, "loo": 0.05}
    one = case("1", "1-nn", {"true-error": truth, **{e: truth + rng.normal(0, s, 50) for e, s in names.items()}})
    made, tests = best_pairs([one], Streams(3))
    assert tests["1/1-nn"].best == {"new": "cloned-632", "old": "bootstrap-632"}
    values = {"new": "cloned-632plus", "new-mean": ".2", "new-rmse": ".02", "old": "bootstrap-632", "old-rmse": ".03"}
    values |= {"sqrt-mu-d": ".02", "sigma-d": ".001", "alpha": ".01"}
    frame = pd.DataFrame({"column": list(values), "value": list(values.values())}).assign(
        artifact="shakhnarovich-table-2", row="1/1-nn", relation="=", decimals=3.0, halfwidth=np.nan
    )
    frame["kind"] = np.where(frame["column"].isin(SIDES), "label", "result")
    more = as_named(made, frame)
    covered = {r.column: r.value for r in more}
    assert covered["new-rmse=cloned-632plus"] == pytest.approx(np.sqrt(np.mean(one.difference("cloned-632plus") ** 2)))
    assert {c.partition("=")[2] for c in covered} == {"cloned-632plus", "bootstrap-632", "cloned-632plus/bootstrap-632"}
    pair = paired_test(truth, one["bootstrap-632"], one["cloned-632plus"])
    assert covered["sigma-d=cloned-632plus/bootstrap-632"] == pair["sigma-d"]
    # where both names agree there is nothing to add
    same = frame.assign(value=frame.value.replace({"cloned-632plus": "cloned-632"}))
    assert as_named(made, same) == []


def test_the_conclusions_run_the_same_studies_as_the_notebooks_on_each_half():
    both, synthetic_half = conclusions.ConclusionsParameters, SyntheticParameters
    for p, q in ((both(), synthetic_half()), (both(**both.preview()), synthetic_half(**synthetic_half.preview()))):
        assert p.synthetic.model_copy(update={"repeats": q.repeats}) == q
        uci = p.uci
        assert uci == type(uci)(**(type(uci).preview() if p != both() else {}))


def test_a_classifier_has_one_name_whichever_is_given():
    printed, old = (SyntheticParameters(**SMALL, classifiers=[name]) for name in ("knn(k=3)", "3-nn"))
    assert printed == old
    assert printed.classifiers == [KNN(3).id]
    (one,) = cases_of(printed, run_study)
    assert (one.classifier, one.reading) == ("3-nn", "literal")


def test_a_classifier_of_one_s_own_is_measured_and_its_file_counts(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "mine_of_shakhnarovich.py"
    text = "from sklearn.tree import DecisionTreeClassifier\n\nmine = DecisionTreeClassifier(random_state={})\n"
    file.write_text(text.format(0))
    p = SyntheticParameters(**SMALL, classifiers=["ldf", "mine_of_shakhnarovich:mine"])
    assert [c.classifier for c in cases_of(p, run_study)] == p.classifiers
    before = p.inputs()
    file.write_text(text.format(1))
    assert before != p.inputs()
    assert list(before) == p.classifiers[1:]


def test_every_quantity_has_a_name_for_readers():
    for name in (TRUE_ERROR, *methods.ESTIMATORS, *methods.TO_ZERO.values()):
        assert name in COMMON or name in LABELS
        assert symbol_of(name) != name


def test_most_is_more_than_half_and_what_trials_could_undo_is_not_decided():
    eight = tuple(case(place, "ldf", estimates()) for place in "12345678")
    outcomes = [
        CaseCount(eight, (True,) * number + (False,) * (8 - number), (share,) * 8).in_most().outcome
        for number in (1, 4, 5, 7)
        for share in (0.0, 0.15)
    ]
    assert outcomes == ["fails", "fails", "fails", "not decided", "holds", "not decided", "holds", "holds"]


def test_the_corrected_comparison_takes_any_cases():
    errors = {"bootstrap_632plus": 0.2, "bootstrap_632plus_to_zero": 0.1, "cloned_632plus": 0.15, "loo": 0.4}
    errors |= {"cloned_632plus_to_zero": 0.02, "cloned_loo": 0.3, "cloned_bscv_10": 0.1, "cloned_bscv_5": 0.1}
    own = estimates(**errors)
    made = compare_forms([case("pima", "1-nn", own)], Streams(0), "uci")
    counts = {r.column: r.value for r in made.rows if r.row == "uci"}
    assert counts["cloned-632plus-beats-632plus"] == 1
    assert counts["cloned-loo-beats-cloned-632plus-to-zero"] == 0


def test_the_conclusions_count_both_halves(run, monkeypatch):
    clear = case("1", "ldf", estimates(loo=0.2, cloned_632=0.02))
    real = case("pima", "1-nn", estimates(seed=2, loo=0.2, cloned_632=0.02))
    lost = case("pima", "3-nn", estimates(seed=3, loo=0.02, cloned_632=0.2))
    monkeypatch.setattr(conclusions, "_halves", lambda p, run: ([clear], [real, lost]))
    made = conclusions.all_claims(conclusions.ConclusionsParameters(), run)
    assert [(r.artifact, r.row, r.value) for r in made.rows] == [("shakhnarovich-claims", "all", 2.0)] * 2
    assert [r.reading for r in made.rows] == ["literal", "fitted:r-to-zero"]
    assert "number of cases 2.0 of 3" in made.checks[0].evidence
