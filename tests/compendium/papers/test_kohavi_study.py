"""Kohavi's study: designs, counts of runs, artifacts at small scale, own data and classifiers, bad input."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from batteries import assert_refused
from compendium.book.labels import labeller
from compendium.evidence.claims import judge_claims
from compendium.evidence.estimate import Estimate
from compendium.methods.samples import write_csv
from compendium.papers.kohavi.counts import claims
from compendium.papers.kohavi.data import load_set, random_booleans
from compendium.papers.kohavi.estimates import estimate_study, estimates_of
from compendium.papers.kohavi.figures_1_to_4 import BOOTSTRAP, FIGURE_1, FIGURE_2, FOLDS, figure
from compendium.papers.kohavi.inducers import INDUCER_NAMES, INDUCERS, inducer_named
from compendium.papers.kohavi.learning_curves import CURVES, learning_curves
from compendium.papers.kohavi.model_selection import model_selection
from compendium.papers.kohavi.parameters import (
    AnotherParameters,
    EstimateParameters,
    Point,
    StudyParameters,
    TruthParameters,
    check_points,
)
from compendium.papers.kohavi.propositions import propositions
from compendium.papers.kohavi.table_1 import table_1, truth_study, truths_of
from compendium.papers.kohavi.text_bootstrap import text_bootstrap
from compendium.studies.experiment import wide
from compendium.studies.study import run_study
from errorest.data.sets import load
from errorest.errors import UsageError
from study_measures import values

ESTIMATES = {
    "data_sets": ["contact-lenses", "iris"],
    "sizes": [12, 20],
    "inducers": ["naive-bayes", "majority"],
    "holdouts": 6,
    "samples": 5,
    "repeats": 1,
    "folds": [2, 5, 10],
    "stratified_folds": [2, 10],
    "bootstrap_samples": [1, 3],
}


def study_parameters(**changes):
    return StudyParameters(**{**ESTIMATES, "learning_sizes": [10], "learning_holdouts": 3, **changes})


def test_a_sample_takes_as_many_runs_as_its_folds_and_bootstrap_samples():
    p = study_parameters()
    result = claims(p, run_study)
    # 12 cases left out by five make three folds, 20 make four
    a_sample = [2 + 5 + 10 + 2 + 10 + 1 + 3 + folds for folds in (3 + 6 + 12, 4 + 10 + 20)]
    assert values(result)[("text", "runs")] == 2 * (5 * sum(a_sample) + 2 * 6)
    assert values(result)[("text", "runs-of-whole-samples")] == 2 * 2 * 5


def test_leaving_out_n_over_k_cases_is_its_own_draw_of_k_folds():
    iris = load_set("iris", 50, None, 1)
    points = [Point("plain", 10), Point("leave-out", 5)]
    result = wide(run_study(estimate_study([(iris, 12)], ["naive-bayes"], points, 3)))
    assert (result["k=10"] != result["leave-5-out"]).any()
    assert abs((result["k=10"] - result["leave-5-out"]).mean()) < 0.05


def test_the_majority_inducer_is_as_accurate_as_counting_says():
    # 12 of 150 cases: the most frequent class of the sample is rare among the rest
    iris = load_set("iris", 12, None, 0)
    result = run_study(truth_study([(iris, 12, 400)], ["majority"], 0))["value"]
    assert result.between(92 / 138, 100 / 138).all()


def test_proposition_1_predicts_a_binomial_spread():
    p = study_parameters()
    rows = values(propositions(p, run_study))
    shares = estimates_of(p, run_study)["iris", "naive-bayes"]["k=5"] / 100
    expected = 100 * math.sqrt(float((shares * (1 - shares)).mean()) / 20)
    assert rows[("iris/naive-bayes", "k=5/predicted-std-percent")] == pytest.approx(expected)


def test_own_data_and_any_classifier_of_scikit_learn(tmp_path):
    path = tmp_path / "mine.csv"
    write_csv(load("contact-lenses"), path, class_column="lens")
    given = {"data_sets": [str(path)], "sizes": [12], "class_column": "lens", "holdouts": 3, "samples": 2}
    given["inducers"] = ["sklearn.neighbors.KNeighborsClassifier(n_neighbors=1)", "sklearn.tree.DecisionTreeClassifier"]
    p = AnotherParameters(**given, folds=[2], stratified_folds=[2], bootstrap_samples=[2])
    result = figure(p, run_study, schemes=FOLDS, claims=FIGURE_1)
    assert {r.row.split("/")[0] for r in result.rows} == {"mine"}
    chosen = model_selection(p, run_study)
    assert [r.row for r in chosen.rows if r.column == "rms-percent"] == ["k=2", "stratified-k=2", "b=2"]


def test_all_names_stand_for_distinct_inducers():
    made = [inducer_named(name).id for name in INDUCERS]
    assert len(set(made)) == len(made)
    assert set(INDUCER_NAMES) == set(INDUCERS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("naive-byes", "did you mean 'naive-bayes'"),
        ("sklearn.base.clone", "is no scikit-learn classifier"),
        ("sklearn.tree.DecisionTreeClassifier(max_depth=len('a'))", "cannot be read"),
        ("sklearn.tree.DecisionTreeClassifier(", "names no classifier"),
    ],
)
def test_inducers_that_cannot_be_made_are_refused_in_one_line(text, said):
    assert_refused(said, inducer_named, text)


def test_stratified_folds_take_rare_classes_unless_strict():
    soybean = load_set("soybean-large", 100, None, 0)
    points = [Point(*one) for one in (("plain", 2), ("stratified", 20), ("bootstrap", 1))]
    check_points(points, soybean, strict=False)
    assert_refused("strict_strata=False", check_points, points, soybean, strict=True)


def test_no_claim_is_made_of_curves_that_end_at_the_samples_size():
    assert not judge_claims(CURVES, {"vehicle": {100: Estimate(60, 0.5, 100)}}, {"vehicle": 100}, inducer="C4.5")


def test_rand_is_fair_in_every_bit_and_label_with_as_many_duplicates_as_asked():
    # 21 columns in each of 4 samples: P(|z| > 4.5) is 7e-6 for one, 6e-4 for all; the seed is fixed.
    rng = np.random.default_rng(20)
    for _ in range(4):
        sample = random_booleans(rng)
        ones = np.column_stack([sample.X, sample.y]).sum(axis=0)
        assert (np.abs(ones - 1500) / np.sqrt(750) < 4.5).all()
        assert (sample.n, sample.d, sample.classes) == (3000, 20, ("0", "1"))
        assert sample.n - len(set(map(bytes, sample.X.astype(np.uint8)))) == 9
    with pytest.raises(UsageError, match="none of 20000 draws"):
        random_booleans(rng, rows=10, duplicates=9)


def test_bias_is_the_estimate_minus_the_truth():
    p = EstimateParameters(**ESTIMATES)
    result = values(figure(p, run_study, schemes=BOOTSTRAP, claims=FIGURE_2))
    true = truths_of(p, run_study)[("iris", "naive-bayes")].value
    key = "iris/naive-bayes"
    assert result[(key, "b=3/bias-percent")] == pytest.approx(result[(key, "b=3/accuracy-percent")] - true)


def _files_of_one_stem(tmp_path):
    """Write iris, and iris with its labels permuted, into two files called x.csv."""
    iris = load("iris")
    shuffled = replace(iris, y=np.random.default_rng(0).permutation(iris.y))
    files = []
    for folder, sample in (("a", iris), ("b", shuffled)):
        (tmp_path / folder).mkdir()
        files.append(str(tmp_path / folder / "x.csv"))
        write_csv(sample, files[-1])
    return files


@pytest.mark.parametrize(
    ("compute", "column"),
    [(table_1, "naive-bayes"), (text_bootstrap, "bias-percent"), (learning_curves, "n=20")],
)
def test_files_of_one_name_are_as_many_data_sets_each_with_its_own_numbers(tmp_path, compute, column):
    files = _files_of_one_stem(tmp_path)
    own = {"class_column": "class", "inducers": ["naive-bayes"], "holdouts": 6, "learning_holdouts": 3}
    model = StudyParameters if compute is text_bootstrap else TruthParameters

    def rows(*some):
        p = model(**own, data_sets=list(some), sizes=[20] * len(some))
        return p, [r for r in compute(p, run_study).rows if r.column == column]

    p, together = rows(*files)
    assert len({r.row for r in together}) == len(p.inputs()) == 2
    assert [r.value for r in together] == [rows(file)[1][0].value for file in files]


def test_a_file_of_fewer_cases_than_a_sample_is_refused_with_the_size_that_works(tmp_path):
    file = tmp_path / "my.csv"
    write_csv(load("heart").take(np.arange(90)), file)
    given = {"data_sets": [str(file)], "class_column": "class"}
    with pytest.raises(UsageError, match="my has 90 cases and samples of 100") as refused:
        AnotherParameters(**given).inputs()
    sizes = re.search(r'-p "sizes=\[(\d+)\]"', str(refused.value))
    assert sizes is not None
    AnotherParameters(**given, sizes=[int(sizes[1])]).inputs()


def test_two_files_of_equal_content_do_not_count_as_twice_the_samples(tmp_path):
    (tmp_path / "a").mkdir()
    files = [str(tmp_path / "a" / "x.csv"), str(tmp_path / "y.csv")]
    for file in files:
        write_csv(load("iris"), file)
    p = study_parameters(data_sets=files, sizes=[20, 20], class_column="class")
    assert {r.n for r in text_bootstrap(p, run_study).rows} == {5}
    assert {t.n for t in truths_of(p, run_study).values()} == {6}


def test_a_file_called_like_a_data_set_of_the_paper_is_not_judged_as_that(tmp_path):
    file = str(tmp_path / "vehicle.csv")
    write_csv(load("iris"), file)
    p = study_parameters(data_sets=[file], sizes=[20], class_column="class")
    (name,) = [one.name for one in p.sets()]
    assert name == f"vehicle ({file.replace('/', ':')})"
    assert labeller({})(f"{name}/naive-bayes").endswith("vehicle.csv), Naive Bayes")
