"""The registry of intervals: ids, what is legal with what, other losses, what is refused, and measured coverage."""

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
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
from errorest.estimation.intervals.coverage_table import TABLE, Counted, counted, kind_of, promised
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


LINES = (
    Counted("loo-wald", "lenses", "1-nn", 20, 90, 80, 100, 0.36),
    Counted("loo-wald", "lenses", "ldf", 20, 96, 95, 100, 0.28),
    Counted("loo-wald", "lenses", "ldf", 50, 94, 93, 100, 0.26),
    Counted("632+(replicates=200)", "chess", "ldf", 20, 92, 91, 100, 0.2),
    Counted("632+(replicates=317)", "chess", "ldf", 500, 94, 93, 100, 0.2),
    Counted("632+(replicates=200, noise=kept)", "chess", "ldf", 20, 99, 99, 100, 0.2),
    Counted("loo-wald", "far", "ldf", 50, 40, 41, 100, 0.004),
    Counted("loo-wald", "far", "1-nn", 50, 60, 61, 100, 0.012),
    Counted("loo-wald", "far", "ldf", 50, 70, 71, 100, 0.021),
)


def coverage_of(text, n, kind=None, estimate=0.3, **more):
    return promised(LINES, parse_interval(text), n, estimate, kind, **more)


def test_the_sentence_is_that_of_the_lines_around_the_size():
    both = coverage_of("loo-wald", 30)
    assert (both.coverage, both.worst, both.sizes) == (pytest.approx((0.90 + 0.96 + 0.94) / 3), 0.90, (20, 50))
    assert both.sentence == (
        "In our simulations of 1 population with samples of 20 to 50 cases and mean errors of 26 to 36 % it held the "
        "error of the classifier made of the sample in 93 % of samples; worst combination 90 % (1-nn on lenses, 20 "
        "cases)."
    )
    # of one kind on one population nothing is told
    assert coverage_of("loo-wald", 20, "ldf").coverage == coverage_of("loo-wald", 20).coverage == pytest.approx(0.93)
    # .632+ aims at the procedure
    assert coverage_of("632+", 20).coverage == 0.91


@pytest.mark.parametrize("populations", [7, 8])
def test_one_kind_speaks_alone_where_it_was_measured_on_eight_populations(populations):
    missed = [2 * k for k in range(populations)]
    alone = [Counted("loo-wald", f"p{k}", "ldf", 20, 100 - m, 0, 100, 0.3) for k, m in enumerate(missed)]
    other = [Counted("loo-wald", f"p{k}", "c4.5", 20, 100, 0, 100, 0.3) for k in range(populations)]
    told = promised(alone + other, parse_interval("loo-wald"), 20, 0.3, "ldf")
    shares = 1 - np.array(missed) / 100
    if populations == 7:
        assert told.kind is None
        shares = (shares + 1) / 2
        assert told.lines == 14
    else:
        assert told.kind == "ldf"
        assert "and a linear discriminant it held" in told.sentence
    assert told.populations == populations
    assert told.coverage == pytest.approx(shares.mean())
    # populations are the unit: their kinds share samples
    assert told.error == pytest.approx(shares.std(ddof=1) / np.sqrt(populations))
    assert f"of {populations} populations" in told.sentence
    assert f"in {100 * shares.mean():.0f} ± {100 * told.error:.1g} % of samples" in told.sentence


def test_no_coverage_is_told_that_was_measured_of_errors_of_another_size():
    assert coverage_of("loo-wald", 50, estimate=0.0).coverage == 0.40
    assert coverage_of("loo-wald", 50, estimate=0.0099).coverage == 0.40
    few = coverage_of("loo-wald", 50, estimate=0.015)
    assert (few.coverage, few.lines, few.populations) == (pytest.approx(0.65), 2, 1)
    assert "of 1 population with samples of 50 cases and mean errors of 1.2 to 2.1 % it held" in few.sentence
    # a kind without errors of this size falls back on all of this size
    assert coverage_of("loo-wald", 50, "1-nn", estimate=0.004).coverage == 0.40
    for estimate, words in ((0.03, "error rates of 2.5 to 5 %"), (0.07, "error rates of 5 to 10 %")):
        none = coverage_of("loo-wald", 50, estimate=estimate)
        assert not none.inside
        assert np.isnan(none.coverage)
        assert none.sentence == (
            f"loo-wald was not measured for {words} in our simulations: how often it holds the truth is not known."
        )
    assert "was not measured for error rates below 1 %" in coverage_of("632+", 20, estimate=0.0).sentence


def test_outside_what_was_measured_the_sentence_says_so():
    small = coverage_of("loo-wald", 12)
    assert not small.inside
    assert small.sizes == (20,)
    assert small.sentence.startswith("12 cases are outside the measured range (20 to 50). In our simulations of")
    assert coverage_of("loo-wald", 51).sizes == (50,)
    never = coverage_of("nested-cv", 30)
    assert not never.inside
    assert np.isnan(never.coverage)
    assert "was not measured" in never.sentence
    assert "at a confidence of 90 %" in coverage_of("loo-wald", 30, confidence=0.9).sentence
    assert "kind of classifier was not among them" in coverage_of("loo-wald", 30, other=True).sentence
    # a kind that was not run with this interval falls back on all
    assert coverage_of("loo-wald", 30, "majority").lines == 3


def test_settings_that_make_another_interval_are_not_mixed_up():
    assert coverage_of("632+(replicates=200, noise=kept)", 20).coverage == 0.99
    assert coverage_of("632+(replicates=250)", 100).lines == 2
    assert "as 632+(replicates=200)" not in coverage_of("632+(replicates=250)", 100).sentence
    assert "as 632+(replicates=200)," in coverage_of("632+(replicates=900)", 20).sentence


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
        (LogisticRegression(), None),
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
    for name in ("632+span", "632+", "oob(noise=kept)"):
        method = parse_interval(name)
        result = measured_coverage(method, 30, 0.3)
        own = table[table["interval"].isin([method.id]) & table["n"].isin([20, 50]) & (table["error"] > 0.1)]
        shares = own["procedure"] / own["samples"]
        assert result.coverage == pytest.approx(shares.mean())
        assert (
            f"in {100 * shares.mean():.0f} ± {100 * result.error:.1g} % of samples; worst combination "
            f"{100 * shares.min():.0f} %" in result.sentence
        )
