"""What a person is told of the noise of an interval, and of how often it held the truth."""

from __future__ import annotations

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

from errorest.estimation.intervals import measured_coverage, parse_interval
from errorest.estimation.intervals.coverage_table import TABLE, Counted, counted, kind_of, promised
from errorest.inducers import C45, ID3, KNN, SVM, LinearDiscriminant, Majority, NaiveBayes, SklearnInducer

RNG = np.random.default_rng(7)
Y = np.arange(60) % 2
X = RNG.normal(size=(60, 2)) + Y[:, None]


LINES = (
    Counted("loo-wald", "lenses", "1-nn", 20, 90, 80, 100),
    Counted("loo-wald", "lenses", "ldf", 20, 96, 95, 100),
    Counted("loo-wald", "lenses", "ldf", 50, 94, 93, 100),
    Counted("632+(replicates=200)", "chess", "ldf", 20, 92, 91, 100),
    Counted("632+(replicates=317)", "chess", "ldf", 500, 94, 93, 100),
    Counted("632+(replicates=200, noise=kept)", "chess", "ldf", 20, 99, 99, 100),
)


def told(text, n, kind=None, **more):
    return promised(LINES, parse_interval(text), n, kind, **more)


def test_the_sentence_is_that_of_the_lines_around_the_size():
    both = told("loo-wald", 30)
    assert (both.coverage, both.worst, both.sizes) == (pytest.approx((0.90 + 0.96 + 0.94) / 3), 0.90, (20, 50))
    assert both.sentence == (
        "In our simulations with samples of 20 to 50 cases it held the error of the classifier made of the sample in "
        "93 % of samples; worst combination 90 % (1-nn on lenses, 20 cases)."
    )
    assert told("loo-wald", 20, "ldf").coverage == 0.96
    # .632+ aims at the procedure
    assert told("632+", 20).coverage == 0.91


def test_outside_what_was_measured_the_sentence_says_so():
    small = told("loo-wald", 12)
    assert not small.inside
    assert small.sizes == (20,)
    assert small.sentence.startswith("12 cases are outside the measured range (20 to 50). In our simulations with")
    assert told("loo-wald", 51).sizes == (50,)
    never = told("nested-cv", 30)
    assert not never.inside
    assert np.isnan(never.coverage)
    assert "was not measured" in never.sentence
    assert "at a confidence of 90 %" in told("loo-wald", 30, confidence=0.9).sentence
    assert "kind of classifier was not among them" in told("loo-wald", 30, other=True).sentence
    # a kind that was not run with this interval falls back on all
    assert told("loo-wald", 30, "majority").lines == 3


def test_settings_that_make_another_interval_are_not_mixed_up():
    assert told("632+(replicates=200, noise=kept)", 20).coverage == 0.99
    assert told("632+(replicates=250)", 100).lines == 2
    assert "as 632+(replicates=200)" not in told("632+(replicates=250)", 100).sentence
    assert "as 632+(replicates=200)," in told("632+(replicates=900)", 20).sentence


def test_coverage_is_borrowed_from_the_same_settings_alone():
    ours = {
        "1-nn": [KNN(1)],
        "ldf": [LinearDiscriminant()],
        "naive-bayes": [NaiveBayes()],
        "c4.5": [C45()],
        "majority": [Majority()],
        None: [KNN(3), SVM(), ID3(), LinearDiscriminant(priors="sample"), NaiveBayes(sd_floor=0.1), C45(prune=False)],
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
        assert kind_of(SklearnInducer(theirs)) == kind


def test_the_shipped_lines_speak_of_intervals_that_exist_and_of_no_more_samples_than_were_taken():
    lines = counted()
    assert len({line[:4] for line in lines}) == len(lines)
    for line in lines:
        assert parse_interval(line.interval).id == line.interval
        assert max(line.classifier, line.procedure) <= line.samples


def test_what_is_shipped_equals_the_means_that_the_sentence_tells():
    table = pd.read_csv(TABLE)
    for name in ("632+span", "632+", "oob(noise=kept)"):
        method = parse_interval(name)
        result = measured_coverage(method, 30)
        own = table[table["interval"].isin([method.id]) & table["n"].isin([20, 50])]
        shares = own["procedure"] / own["samples"]
        assert result.coverage == pytest.approx(shares.mean())
        assert (
            f"in {100 * shares.mean():.0f} % of samples; worst combination {100 * shares.min():.0f} %"
            in result.sentence
        )
