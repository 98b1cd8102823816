"""The registry of intervals: ids, what is legal with what, other losses, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from batteries import assert_refused, normal_sample
from errorest.data.sample import Sample
from errorest.estimation.intervals import (
    fits_of,
    interval,
    intervals,
    parse_interval,
    require_legal,
)
from errorest.estimation.metrics.metric import metric_of_loss
from errorest.inducers import KNN, Majority
from errorest.resampling.multisets import from_positions, from_training_counts
from errorest.streams import Streams


def costs(true, predicted):
    return np.where(true == predicted, 0.0, 1.0 + 3.0 * true + predicted)


@pytest.mark.parametrize(
    "text",
    [
        "corected-t",
        "corrected-t(spilts=3)",
        "corrected-t(ratio=1)",
        "conservative-z(ratio=1/2)",
        "cv-wald(variance=both)",
        "nested-cv(k=2)",
        "replace-one-cv(k=1)",
        "two-stage(outer=1)",
        "two-stage(replicates=0)",
        "loo-wald(k=3)",
        "",
    ],
)
def test_what_names_no_method_is_refused(text):
    assert_refused("expected", parse_interval, text)


def test_an_interval_that_does_not_surround_the_estimate_is_refused_with_what_is_legal():
    for estimator, legal in (
        ("632+(replicates=50)", "location-shifted"),
        ("loo", "loo-wald"),
        ("holdout", "corrected"),
    ):
        assert_refused(legal, require_legal, "cv-wald", estimator)
    assert_refused("none", require_legal, "cv-wald", "resubstitution")
    assert require_legal("cv-wald(k=5)", "cv(k=5)").id == "cv-wald(k=5)"


def test_no_interval_is_legal_with_clones():
    assert parse_interval("632+").legal_with("632+(replicates=100)")
    assert not parse_interval("632+").legal_with("632+(replicates=100, per=nested, cloned=True)")


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


def test_a_degenerate_interval_of_another_loss_has_no_wilson_with_it():
    sample = Sample.from_arrays(np.arange(12.0), np.zeros(12, dtype=int), classes=["0", "1"])
    assert interval(sample, Majority(), "cv-wald", Streams(0)).beside is not None
    result = interval(sample, Majority(), "cv-wald", Streams(0), loss=costs)
    assert result.degenerate
    assert result.beside is None


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
