"""The registry of intervals: ids, what is legal with what, other losses, what is refused, and measured coverage."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from batteries import assert_refused, normal_sample
from errorest.data.sample import Sample
from errorest.estimation.intervals import (
    fits_of,
    interval,
    intervals,
    measured_coverage,
    parse_interval,
)
from errorest.estimation.intervals.coverage_model import CoverageModel, model_near
from errorest.estimation.intervals.coverage_table import TABLE, Counted, counted, kind_of, lines_of, promised
from errorest.estimation.intervals.registry import INTERVALS
from errorest.estimation.metrics.metric import metric_of_loss
from errorest.learners import C45, KNN, LinearDiscriminant, Majority, NaiveBayes
from errorest.resampling.multisets import from_positions, from_training_counts
from errorest.streams import Streams


def costs(true, predicted):
    return np.where(true == predicted, 0.0, 1.0 + 3.0 * true + predicted)


def test_a_loss_is_taken_of_every_tested_case():
    sample = normal_sample(12, classes=3)
    result = interval(sample, KNN(1), "loo-wald", Streams(0), loss=costs)
    total = []
    for i in range(12):
        rest = np.delete(np.arange(12), i)
        label = KNN(1).fit(sample.take(rest)).predict(sample.X[[i]])
        total.append(float(costs(sample.y[i], label[0])))
    assert result.estimate == pytest.approx(np.mean(total))
    assert result.se == pytest.approx(np.std(total) / np.sqrt(12))


def test_an_interval_of_another_loss_may_be_degenerate_too():
    sample = Sample.from_arrays(np.arange(12.0), np.zeros(12, dtype=int), classes=["0", "1"])
    assert interval(sample, Majority(), "cv-wald", Streams(0)).degenerate
    assert interval(sample, Majority(), "cv-wald", Streams(0), loss=costs).degenerate


def test_the_no_information_loss_is_the_mean_over_all_pairs():
    rng = np.random.default_rng(1)
    y, labels = rng.integers(0, 3, 9), rng.integers(0, 3, 9)
    expected = np.mean([costs(a, b) for a in y for b in labels])
    assert metric_of_loss(costs, 3).no_information(y, labels, 3) == pytest.approx(expected)


@pytest.mark.parametrize("loss", [lambda t, p: 1.0, lambda t, p: np.where(t == p, 0.0, np.nan)])
def test_a_loss_that_is_no_number_a_case_is_refused(loss):
    assert_refused("a case", metric_of_loss, loss, 3)


def test_what_is_undefined_is_stated_to_be():
    # a case is in both bootstrap samples with probability near .4
    results = [interval(normal_sample(10), Majority(), "oob(replicates=2)", Streams(s)) for s in range(5)]
    undefined = [r for r in results if np.isnan(r.low)]
    assert undefined
    assert all("undefined" in r.note and not r.degenerate for r in undefined)


@pytest.mark.parametrize("name", INTERVALS)
def test_the_least_of_each_setting_makes_an_interval(name):
    bounds = {key: text for key, (_, text) in INTERVALS[name].requirements.items()}
    least = {key: int(text.removeprefix("at least ")) for key, text in bounds.items() if text.startswith("at least ")}
    result = interval(normal_sample(40), KNN(1), INTERVALS[name](**least), Streams(1))
    assert result.low <= result.high or "undefined" in result.note


@pytest.mark.parametrize("ratio", ["1/2", "1"])
def test_halves_are_split_by_a_share_between_one_half_and_all(ratio):
    assert_refused([f"ratio = {ratio};", "a share in (1/2, 1)"], parse_interval, f"conservative-z(ratio={ratio})")


def test_two_cases_are_enough_but_for_folds_and_halves():
    more = {name: made().least for name, made in INTERVALS.items() if made().least != 2}
    folds = ("kohavi", "cv-wilson", "cv-wald", "cv-corrected-t", "nested-cv", "replace-one-cv")
    assert more == dict.fromkeys(folds, 10) | {"conservative-z": 4}


def test_shared_schemes_are_counted_and_run_once():
    assert fits_of(["oob(replicates=50)", "632+(replicates=50)", "loo-wald"], 30) == 50 + 1 + 30
    both = intervals(normal_sample(20), KNN(1), ["oob(replicates=50)", "632+(replicates=50)"], Streams(2))
    assert list(both) == ["oob(replicates=50)", "632+(replicates=50)"]


def test_resamples_of_counts_and_positions_refuse_shapes_that_disagree():
    counts, one = np.ones((1, 3), dtype=np.int32), np.zeros(1, dtype=np.int32)
    start = np.array([0, 1])
    assert_refused("one start more", from_training_counts, counts, np.array([0, 2]), one)
    assert_refused("one start more", from_training_counts, counts, start, one, np.zeros(2, dtype=np.int32), 1)
    assert_refused("one label each", from_positions, 3, counts, counts[:, :2])
    assert_refused("one label each", from_positions, 3, counts[:0], counts[:0])


def counted_of(interval, missed, inducer="ldf", n=20, error=0.3, unit="cases"):
    """Make a line a population: in so many of 100 samples the interval missed both targets."""
    return [Counted(interval, f"p{k}", inducer, n, 100 - m, 100 - m, 100, error, unit) for k, m in enumerate(missed)]


MODEL = CoverageModel(2.0, {"log-n": 0.5, "log-error": 1.0}, {"c4.5": -1.0}, 0.04, 20, 20, 300)

EIGHT = (10, 4, 6, 8, 2, 5, 7, 6)

LINES = (
    *counted_of("loo-wald", EIGHT),
    *counted_of("loo-wald", EIGHT[:4], n=50, error=0.26),
    *counted_of("loo-wald", [40 + m for m in EIGHT], error=0.004),
    *counted_of("loo-wald", EIGHT[:7], "c4.5"),
    *counted_of("632+(replicates=200)", EIGHT),
    *counted_of("632+(replicates=317)", EIGHT, n=500),
    *counted_of("632+(replicates=200, noise=kept)", [1] * 8),
)


def coverage_of(text, n, kind=None, estimate=0.3, modelled=None, **more):
    method = parse_interval(text)
    return promised(lines_of(method, LINES), method, n, estimate, kind, modelled, **more)


def test_the_sentence_is_that_of_the_lines_around_the_size():
    both = coverage_of("loo-wald", 30, "ldf")
    assert (both.coverage, both.worst, both.sizes) == (pytest.approx(1 - (48 + 28) / 1200), 0.90, (20, 50))
    assert (both.lines, both.populations, both.kind) == (12, 8, "ldf")
    assert both.sentence.startswith(
        "In our simulations of 8 populations with samples of 20 to 50 cases, mean errors of 26 to 30 % and a linear "
        "discriminant the interval contained the error of the classifier trained on the sample in 94 % of samples on "
        "average (standard "
    )
    assert both.sentence.endswith(" points); worst combination 90 % (ldf on p0, 20 cases).")
    assert both.promised == both.coverage
    # populations are the unit: their kinds share samples
    one = coverage_of("loo-wald", 20, "ldf")
    assert one.error == pytest.approx(np.std(EIGHT, ddof=1) / 100 / np.sqrt(8))
    # without a kind all speak
    assert coverage_of("loo-wald", 20).lines == 15
    assert "kind of classifier was not among them" in coverage_of("loo-wald", 20, other=True).sentence
    assert (
        "with samples of 20 groups"
        in promised(
            counted_of("loo-wald", EIGHT, unit="groups"), parse_interval("loo-wald"), 20, 0.3, None, None
        ).sentence
    )


def test_where_fewer_than_eight_populations_were_measured_the_model_speaks():
    told = coverage_of("loo-wald", 20, "c4.5", modelled=("loo-wald", MODEL))
    logit = 2.0 + 0.5 * np.log(20 / 100) + np.log(0.3 / 0.1) - 1.0
    assert told.coverage == pytest.approx(1 / (1 + np.exp(-logit)))
    assert (told.lines, told.populations, told.kind, told.error) == (0, 20, "c4.5", 0.04)
    assert np.isnan(told.worst)
    assert told.sentence == (
        "A model of our simulations of 20 populations predicts for this size of sample and of error and a decision "
        "tree (C4.5) that the interval contains the error of the classifier trained on the sample in 78 % of samples; "
        "coverages of populations that were left out were off by 4 points (root mean square)."
    )
    assert told.promised == told.coverage
    # no more than the nominal level is told of a prediction
    high = coverage_of("loo-wald", 1000, "ldf", modelled=("loo-wald", MODEL))
    assert high.coverage > high.promised == 0.95
    assert "in 95 % of samples or more; coverages" in high.sentence
    # of a kind that it does not know, of too few populations of an error of this size, and of another interval
    unknown = coverage_of("loo-wald", 20, "majority", modelled=("loo-wald", MODEL))
    assert unknown.kind is None
    assert unknown.sentence.endswith("This kind of classifier was not among them.")
    few = coverage_of("loo-wald", 50, estimate=0.03, modelled=("loo-wald", MODEL))
    assert few.coverage == pytest.approx(MODEL.predict(50, 0.03))
    other = promised((), parse_interval("cv-wald(k=7)"), 20, 0.3, None, ("cv-wald(k=5)", MODEL), other=True)
    assert "that the interval, as cv-wald(k=5), contains" in other.sentence
    assert other.sentence.endswith("This kind of classifier was not among them.")
    assert coverage_of("loo-wald", 20, "ldf", modelled=("loo-wald", MODEL)).lines == 8


def test_errors_below_the_least_that_was_measured_are_taken_for_it():
    assert MODEL.predict(50, 0.0) == MODEL.predict(50, 0.002) < MODEL.predict(50, 0.01)
    assert CoverageModel.of_rows(MODEL.rows()) == MODEL


def test_no_coverage_is_told_that_was_measured_of_errors_of_another_size():
    assert coverage_of("loo-wald", 20, estimate=0.0).coverage == pytest.approx(0.54)
    assert coverage_of("loo-wald", 20, estimate=0.0099).coverage == pytest.approx(0.54)
    none = coverage_of("loo-wald", 50, estimate=0.03)
    assert not none.inside
    assert np.isnan(none.coverage)
    assert none.sentence.endswith(" was not measured in our simulations: how often it contains the truth is not known.")


def test_outside_what_was_measured_the_sentence_says_so():
    small = coverage_of("loo-wald", 12, "ldf")
    assert not small.inside
    assert small.sizes == (20,)
    assert small.sentence.startswith("12 cases are outside the measured range (20 to 50). In our simulations of")
    large = coverage_of("loo-wald", 301, "c4.5", modelled=("loo-wald", MODEL))
    assert not large.inside
    assert large.sentence.startswith("Samples of 301 are outside the measured range (20 to 300). A model of")
    for never in (
        coverage_of("nested-cv", 30),
        coverage_of("loo-wald", 30, confidence=0.9, modelled=("loo-wald", MODEL)),
    ):
        assert not never.inside
        assert np.isnan(never.coverage)
        assert "was not measured" in never.sentence
    assert "at a confidence of 90 %" in never.sentence


def test_settings_that_make_another_interval_are_not_mixed_up():
    assert coverage_of("632+(replicates=200, noise=kept)", 20).coverage == pytest.approx(0.99)
    assert coverage_of("632+(replicates=250)", 100).lines == 16
    assert "as 632+(replicates=200)" not in coverage_of("632+(replicates=250)", 100).sentence
    assert "as 632+(replicates=200)," in coverage_of("632+(replicates=900)", 20).sentence


def test_the_model_of_the_nearest_number_of_folds_speaks():
    for text, near in (
        ("cv-wilson(k=10, repeats=3)", "cv-wilson(k=10)"),
        ("cv-wilson(k=4)", "cv-wilson(k=5)"),
        ("cv-wilson(k=9, stratified=True)", "cv-wilson(k=10, repeats=5, stratified=True)"),
        ("kohavi(k=5)", "kohavi(k=10)"),
        ("holdout-wilson(test=1/5)", "holdout-wilson(test=1/3)"),
    ):
        found = model_near(parse_interval(text))
        assert (found and found[0]) == near
    assert model_near(parse_interval("cv-wald(k=10, variance=within-fold)"), "groups") is None


# Calls that people make, by the interval that belongs to them: of folds, holdouts and the bootstrap, and of groups
TYPICAL = {
    "cases": (
        *("632+wilson", "632+", "oob", "cv-wilson(k=10, repeats=5, stratified=True)", "cv-wilson(k=10)"),
        *("cv-wilson(k=5)", "cv-wilson(k=5, stratified=True)", "cv-wilson(k=5, repeats=3, stratified=True)"),
        *("cv-wilson(k=3, stratified=True)", "cv-wilson(k=20)", "kohavi(k=5)", "loo-kohavi", "cv-wald(k=10)"),
        *("cv-wald(k=5, stratified=True)", "corrected-t", "corrected-t(ratio=4/5)", "holdout-wilson"),
        *("holdout-wilson(test=1/4)", "nested-cv", "5x2cv"),
    ),
    "groups": ("632+wilson", "cv-wald(k=5, stratified=True)", "cv-wald(k=10)", "holdout-wald"),
}


def test_of_typical_calls_the_coverage_is_seldom_unknown():
    asked = list(
        product((20, 50, 100, 300, 1000), (0.004, 0.03, 0.2), (None, "naive-bayes", "c4.5", "logistic", "forest"))
    )
    told = [
        measured_coverage(text, n, error, kind, unit=unit)
        for unit, texts in TYPICAL.items()
        for text in texts
        for n, error, kind in asked
    ]
    # before groups, five folds, other learners and the model were measured: 750 of 1,800
    assert len(told) == 1800
    assert sum(np.isnan(one.coverage) for one in told) == 0
    # predictions are off by 1 to 14 points
    assert all(one.error < 0.15 for one in told)


def test_coverage_is_borrowed_from_the_same_settings_alone():
    ours = {
        "1-nn": [KNN(1)],
        "ldf": [LinearDiscriminant()],
        "naive-bayes": [NaiveBayes()],
        "c4.5": [C45()],
        "majority": [Majority()],
        None: [KNN(3), LinearDiscriminant(priors="sample"), NaiveBayes(sd_floor=0.1), C45(prune=False)],
    }
    for kind, inducers in ours.items():
        assert [kind_of(i) for i in inducers] == [kind] * len(inducers)
    for theirs, kind in (
        (GaussianNB(), "naive-bayes"),
        (make_pipeline(StandardScaler(), GaussianNB()), "naive-bayes"),
        (GaussianNB(var_smoothing=0.1), None),
        (KNeighborsClassifier(1), "1-nn"),
        (KNeighborsClassifier(1, metric="cosine"), None),
        (LinearDiscriminantAnalysis(), None),
        (LinearDiscriminantAnalysis(priors=[0.5, 0.5]), "ldf"),
        (LinearDiscriminantAnalysis(priors=[0.5, 0.5], solver="lsqr", shrinkage="auto"), None),
        (DummyClassifier(), "majority"),
        (DummyClassifier(strategy="stratified"), None),
        (LogisticRegression(max_iter=1000), "logistic"),
        (LogisticRegression(C=0.01), None),
        (RandomForestClassifier(random_state=0), "forest"),
        (RandomForestClassifier(max_depth=2), None),
        (GradientBoostingClassifier(n_estimators=50), "boosting"),
    ):
        assert kind_of(theirs) == kind


def test_the_shipped_lines_speak_of_intervals_that_exist_and_of_no_more_samples_than_were_taken():
    lines = counted()
    assert len({line[:4] for line in lines}) == len(lines)
    for line in lines:
        assert parse_interval(line.interval).id == line.interval
        assert max(line.classifier, line.procedure) <= line.samples


def test_the_default_interval_is_measured_for_errors_of_every_size():
    assert all(0 <= line.error <= 1 for line in counted())
    for estimate in (0.0, 0.004, 0.015, 0.03, 0.07, 0.2):
        for n in (20, 60, 178, 500):
            result = measured_coverage("632+wilson", n, estimate)
            assert result.inside
            assert result.coverage > 0.9
    few, many = (measured_coverage("cv-wald", 50, estimate) for estimate in (0.004, 0.3))
    assert few.coverage < many.coverage


def test_what_is_shipped_equals_the_means_that_the_sentence_tells():
    table = pd.read_csv(TABLE)
    for name in ("632+span", "632+", "cv-wilson(k=5)"):
        method = parse_interval(name)
        result = measured_coverage(method, 30, 0.3)
        own = table[table["interval"].isin([method.id]) & table["n"].isin([20, 50]) & (table["error"] > 0.1)]
        assert (own["unit"] == "cases").all()
        shares = own[method.target] / own["samples"]
        assert result.coverage == pytest.approx(shares.mean())
        assert (
            f"in {100 * shares.mean():.0f} % of samples on average (standard error {100 * result.error:.1g} points); "
            f"worst combination {100 * shares.min():.0f} %" in result.sentence
        )
