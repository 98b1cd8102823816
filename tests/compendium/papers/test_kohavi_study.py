"""Kohavi's study: designs, counts of runs, artifacts at small scale, own data and classifiers, bad input."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from compendium.book.catalogue import notebook
from compendium.book.parameters import resolve
from compendium.book.places import root
from compendium.evidence.claims import judge_claims
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import ResultsByScale
from compendium.evidence.trials import Trials
from compendium.evidence.verdicts import read_published
from compendium.papers.kohavi import names
from compendium.papers.kohavi.data import load_set
from compendium.papers.kohavi.estimates import artifacts as estimates
from compendium.papers.kohavi.estimates.experiment import (
    AnotherParameters,
    EstimateParameters,
    Point,
    StudyParameters,
    check_points,
    estimate_study,
)
from compendium.papers.kohavi.named_inducers import INDUCERS, inducer_named
from compendium.papers.kohavi.truth import artifacts as truth
from compendium.papers.kohavi.truth.experiment import TruthParameters, truth_study
from compendium.studies.experiment import wide
from compendium.studies.study import run_study
from errorest.data.sets import load
from errorest.data.writing import write_csv
from errorest.errors import UsageError
from errorest.inducers.base import predict_by_loop
from errorest.resampling.draw import k_fold
from errorest.streams import Streams
from made_up import with_texts

SMALL = {
    "data_sets": ["contact-lenses", "iris"],
    "sizes": [12, 20],
    "inducers": ["naive-bayes", "majority"],
    "holdouts": 6,
}
ESTIMATES = {
    **SMALL,
    "samples": 5,
    "repeats": 1,
    "folds": [2, 5, 10],
    "stratified_folds": [2, 10],
    "bootstrap_samples": [1, 3],
}
NOTEBOOKS = [notebook(model.notebook) for model in (TruthParameters, StudyParameters, AnotherParameters)]
SPECS = {spec.id: spec for spec in NOTEBOOKS}


def study_parameters(**changes):
    return StudyParameters(**{**ESTIMATES, "learning_sizes": [10], "learning_holdouts": 3, **changes})


def values(result):
    return {(r.row, r.column): r.value for r in result.rows}


def test_the_published_design_makes_as_many_runs_as_the_paper_says_and_no_other_number():
    p = StudyParameters()
    runs = 0
    for size in p.sizes:
        left = sum(size // j for j in p.leave_out)
        runs += sum(p.folds) + sum(p.stratified_folds) + sum(p.bootstrap_samples) + left
    # Naive Bayes stands there in two readings
    inducers = {names.column_and_reading(name)[0] for name in p.inducers}
    assert len(inducers) * (p.samples * runs + len(p.sizes) * p.holdouts) == 606_900


def test_a_sample_takes_as_many_runs_as_its_folds_and_bootstrap_samples():
    p = study_parameters()
    result = estimates.claims(p, run_study)
    # 12 cases left out by five make three folds, 20 make four
    a_sample = [2 + 5 + 10 + 2 + 10 + 1 + 3 + folds for folds in (3 + 6 + 12, 4 + 10 + 20)]
    assert values(result)[("text", "runs")] == 2 * (5 * sum(a_sample) + 2 * 6)
    assert values(result)[("text", "runs-of-whole-samples")] == 2 * 2 * 5


def plain(*folds):
    return [Point("plain", k) for k in folds]


def estimated(*study):
    return wide(run_study(estimate_study(*study)))


def test_inducers_see_the_same_samples_and_neighbours_change_nothing():
    iris = load_set("iris", 20, None, 1)
    points = [*plain(2, 5), Point("leave-out", 5), Point("stratified", 2), Point("bootstrap", 2)]
    alone = estimated([(iris, 3)], ["majority"], points, 1)
    among = estimated([(iris, 4)], ["naive-bayes", "majority"], points, 1)
    selected = among[(among["inducer"] == "majority") & (among["replicate"] < 3)].reset_index(drop=True)
    fewer = estimated([(iris, 3)], ["majority"], plain(5), 1)
    assert selected.drop(columns="cell").equals(alone.drop(columns="cell"))
    assert fewer["k=5"].equals(alone["k=5"])


def test_leaving_out_n_over_k_cases_is_its_own_draw_of_k_folds():
    iris = load_set("iris", 50, None, 1)
    result = estimated([(iris, 12)], ["naive-bayes"], [*plain(10), Point("leave-out", 5)], 3)
    assert (result["k=10"] != result["leave-5-out"]).any()
    assert abs((result["k=10"] - result["leave-5-out"]).mean()) < 0.05


def test_estimates_are_the_reductions_of_a_plain_loop():
    iris = load_set("iris", 30, None, 4)
    study = estimate_study([(iris, 2)], ["naive-bayes"], plain(3), 4)
    streams = Streams(4).child("somewhere")
    result = study.measure(study.cells[0], range(2), streams)
    quantities = np.array(result["quantity"].texts)[result["quantity"].codes]
    value = {(r, q): v for r, q, v in zip(result["replicate"], quantities, result["value"], strict=True)}
    for r in range(2):
        place = streams.child(r)
        sampled = place.generator("sample").permutation(150)
        sample = iris.sample.take(sampled[:30])
        folds = k_fold(30, 3, place.generator("k_fold(k=3)"))
        labels = predict_by_loop(inducer_named("naive-bayes"), sample, folds)
        assert value[r, "k=3"] == pytest.approx(np.mean(labels != sample.y[folds.cases]))
        rest = iris.sample.take(sampled[30:])
        whole = inducer_named("naive-bayes").fit(sample)
        assert value[r, "true-error"] == pytest.approx(np.mean(whole.predict(rest.X) != rest.y))
        assert value[r, "runs"] == 3


def test_the_majority_inducer_is_as_accurate_as_counting_says():
    # 12 of 150 cases: the most frequent class of the sample is rare among the rest
    iris = load_set("iris", 12, None, 0)
    result = run_study(truth_study([(iris, 12, 400)], ["majority"], 0))["value"]
    assert result.between(92 / 138, 100 / 138).all()


def test_table_1_counts_what_the_paper_prints():
    p = TruthParameters(holdouts=2, rand_sets=2, inducers=["majority"])
    result = values(truth.table_1(p, run_study))
    printed = read_published("kohavi")
    printed = printed[(printed["artifact"] == "kohavi-table-1") & (printed["kind"] == "data")]
    assert len(printed) == 28
    for one in printed.itertuples():
        assert result[(one.row, one.column)] == float(one.value), (one.row, one.column)


def test_every_printed_result_has_a_row():
    p = study_parameters(
        data_sets=["soybean-large", "vehicle"],
        sizes=[40, 40],
        inducers=["c4.5", "naive-bayes"],
        folds=[2, 5, 10, 20],
        stratified_folds=[2, 5],
        samples=2,
        learning_sizes=[20, 200],
        learning_holdouts=2,
    )
    printed = read_published("kohavi")
    printed = printed[printed["kind"] == "result"]
    for artifact, compute in (
        ("kohavi-text-stratified", estimates.text_stratified),
        ("kohavi-text-bootstrap", estimates.text_bootstrap),
        ("kohavi-claims", estimates.claims),
    ):
        wanted = printed[printed["artifact"] == artifact]
        assert {(r.row, r.column) for r in wanted.itertuples()} <= set(values(compute(p, run_study)))


def test_bias_is_the_estimate_minus_the_truth():
    p = EstimateParameters(**ESTIMATES)
    result = values(estimates.figure_2(p, run_study))
    true = truth.truths_of(p, run_study)[("iris", "naive-bayes")].value
    key = "iris/naive-bayes"
    assert result[(key, "b=3/bias-percent")] == pytest.approx(result[(key, "b=3/accuracy-percent")] - true)


def test_proposition_1_predicts_a_binomial_spread():
    p = study_parameters()
    rows = values(estimates.propositions(p, run_study))
    shares = estimates.estimates_of(p, run_study)["iris", "naive-bayes"]["k=5"] / 100
    expected = 100 * math.sqrt(float((shares * (1 - shares)).mean()) / 20)
    assert rows[("iris/naive-bayes", "k=5/predicted-std-percent")] == pytest.approx(expected)


@pytest.mark.parametrize("spec", NOTEBOOKS, ids=lambda s: s.id)
def test_every_artifact_is_made_and_plotted_at_small_scale(spec):
    changes = dict(SMALL) if issubclass(spec.parameters, TruthParameters) else dict(ESTIMATES)
    for name, value in (("learning_sizes", [5, 10]), ("learning_holdouts", 2), ("repeats", 1), ("samples", 3)):
        if name in spec.parameters.model_fields:
            changes[name] = value
    p = resolve(spec, changes)
    assert len(p.inputs()) == 2
    for artifact in spec.artifacts:
        made = ResultsByScale(own=artifact.compute(p, run_study))
        assert made["own"].rows
        assert all(r.column and r.row for r in made["own"].rows)
        if artifact.draw is not None:
            sampled = with_texts(artifact.id, artifact.draw(p, made, read_published("kohavi").iloc[:0]), p)
            assert "nan" not in sampled.alt + sampled.caption


def test_own_data_and_any_classifier_of_scikit_learn(tmp_path):
    path = tmp_path / "mine.csv"
    write_csv(load("contact-lenses"), path, class_column="lens")
    p = AnotherParameters(
        data_sets=[str(path)],
        sizes=[12],
        class_column="lens",
        inducers=["sklearn.neighbors.KNeighborsClassifier(n_neighbors=1)", "sklearn.tree.DecisionTreeClassifier"],
        holdouts=3,
        samples=2,
        folds=[2],
        stratified_folds=[2],
        bootstrap_samples=[2],
    )
    result = estimates.figure_1(p, run_study)
    assert {r.row.split("/")[0] for r in result.rows} == {"mine"}
    chosen = estimates.model_selection(p, run_study)
    assert [r.row for r in chosen.rows if r.column == "rms-percent"] == ["k=2", "stratified-k=2", "b=2"]


def test_the_runs_of_further_readings_are_not_counted_as_the_paper_s():
    once, twice = (
        values(estimates.claims(study_parameters(data_sets=["iris"], sizes=[20], inducers=names_), run_study))
        for names_ in (["naive-bayes-observed-ratios"], ["naive-bayes-observed-ratios", "naive-bayes"])
    )
    assert once["text", "runs"] == twice["text", "runs"]


def test_the_defaults_of_the_notebook_on_own_data_take_three_classes():
    p = AnotherParameters(data_sets=["iris"], sizes=[30], holdouts=3, samples=2, folds=[2], stratified_folds=[2])
    assert values(estimates.figure_1(p, run_study))


def test_all_names_stand_for_distinct_inducers():
    made = [inducer_named(name).id for name in INDUCERS]
    assert len(set(made)) == len(made)
    assert set(names.INDUCERS) == set(INDUCERS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("naive-byes", "did you mean 'naive-bayes'"),
        ("c4.6", "did you mean 'c4.5'"),
        ("sklearn.nowhere.Thing", "No module named"),
        ("sklearn.tree.DecisionTreeClassifer", "did you mean 'DecisionTreeClassifier'"),
        ("sklearn.tree.DecisionTreeRegressor", "is no scikit-learn classifier"),
        ("sklearn.base.clone", "is no scikit-learn classifier"),
        ("sklearn.tree.DecisionTreeClassifier(depth=2)", "cannot be made"),
        ("sklearn.tree.DecisionTreeClassifier(3)", "cannot be read"),
        ("sklearn.tree.DecisionTreeClassifier(max_depth=len('a'))", "cannot be read"),
        ("sklearn.tree.DecisionTreeClassifier(", "names no classifier"),
    ],
)
def test_inducers_that_cannot_be_made_are_refused_in_one_line(text, said):
    with pytest.raises(UsageError, match=said) as caught:
        inducer_named(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sizes": [150, 20], "data_sets": ["iris", "vehicle"]}, "expected 2 to 149"),
        ({"strict_strata": True}, "class 'hard' has 2.0 cases"),
        ({"data_sets": ["nowhere.csv", "iris"]}, "nowhere.csv"),
    ],
)
def test_designs_that_do_not_fit_the_data_are_refused_before_anything_runs(changes, said):
    spec = SPECS["kohavi/03-cross-validation-and-bootstrap"]
    with pytest.raises(UsageError, match=said) as caught:
        resolve(spec, {**ESTIMATES, **changes}).inputs()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sizes": [10]}, "expected one size each"),
        ({"inducers": ["majority", "majority"]}, "named twice"),
        ({"data_sets": ["iris", "iris"]}, "named twice"),
        ({"folds": [1]}, "from 2 on"),
        ({"data_sets": ["irs", "iris"]}, "did you mean 'iris'"),
        ({"folds": [2, 15]}, "15 folds of samples of 12"),
        ({"leave_out": [7]}, "leave-7-out of samples of 12"),
        ({"bootstrap_samples": [5, 5]}, "distinct"),
        ({"inducers": ["majority", "oracle"]}, "unknown classifier 'oracle'"),
        ({"sample": 3}, "no parameter 'sample'"),
    ],
)
def test_wrong_parameters_are_refused(changes, said):
    with pytest.raises(UsageError, match=said):
        resolve(SPECS["kohavi/03-cross-validation-and-bootstrap"], {**ESTIMATES, **changes})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,x\n2,y\n", "no column is called 'class'"),
        ("a,class\n1,x\n2,x\n", "class"),
    ],
)
def test_files_that_are_no_classified_data_are_refused(tmp_path, text, said):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        load_set(str(path), 2, None, 0)


def test_stratified_folds_take_rare_classes_unless_strict():
    soybean = load_set("soybean-large", 100, None, 0)
    points = [*plain(2), Point("stratified", 20), Point("bootstrap", 1)]
    check_points(points, soybean, strict=False)
    with pytest.raises(UsageError, match="strict_strata=False"):
        check_points(points, soybean, strict=True)


@pytest.mark.parametrize("spec", NOTEBOOKS, ids=lambda s: s.id)
def test_notebooks_show_what_their_specification_lists(spec):
    cells = json.loads((root() / spec.path).read_text())["cells"]
    shown = [line for c in cells for line in c["source"] if line.startswith("notebook.show(")]
    assert shown == [f'notebook.show("{a.id}")' for a in spec.artifacts]


def test_the_ratio_of_two_spreads_has_the_error_of_paired_samples():
    rng = np.random.default_rng(3)
    ratios = []
    for _ in range(400):
        a = rng.standard_normal(200)
        b = a + 0.5 * rng.standard_normal(200)
        one = estimates.OnSets("i", {"x": Trials(pd.DataFrame({"a": a, "b": b}))}, {})
        ratios.append(one.sd_ratio(("a", "b")))
    values = np.array([m.value for m in ratios])
    # false alarm 1 in 10,000: the mean of 400 errors of a ratio against their spread
    assert np.mean([m.se for m in ratios]) == pytest.approx(values.std(), rel=0.16)
    assert values.mean() == pytest.approx(1 / np.sqrt(1.25), abs=0.01)


@pytest.mark.parametrize(("gain", "outcome"), [(1.0, "holds"), (-1.0, "fails"), (0.0, "not decided")])
def test_learning_curves_slope_up_or_not(gain, outcome):
    p = StudyParameters()
    sizes = dict(zip(p.data_sets, p.sizes, strict=True))
    curves = {name: {n: Estimate(60 + gain * n / 100, 0.5, 100) for n in (size, 2000)} for name, size in sizes.items()}
    (check,) = judge_claims(truth.CURVES, curves, sizes, inducer="C4.5")
    assert check.outcome == outcome
    assert "rand" not in check.evidence


def test_no_claim_is_made_of_curves_that_end_at_the_samples_size():
    assert not judge_claims(truth.CURVES, {"vehicle": {100: Estimate(60, 0.5, 100)}}, {"vehicle": 100}, inducer="C4.5")
