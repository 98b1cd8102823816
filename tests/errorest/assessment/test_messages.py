"""Names that are nearly right, settings stated twice, and other slips: the message says what was meant."""

from __future__ import annotations

import numpy as np
import pytest

from errorest.assessment import estimate
from errorest.errors import UsageError, nearest
from errorest.estimation.estimators import parse_estimator
from errorest.inducers.named import named

X = np.arange(12.0)[:, None]
Y = np.repeat(["a", "b"], 6)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("632plus", "632+"), (".632plus", "632+"), ("LOO", "loo"), ("CV", "cv"), ("e-0", "e0"), ("LOOstar", "loo*")],
)
def test_a_name_written_in_another_way_is_suggested(text: str, meant: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_estimator(text)
    assert f"did you mean '{meant}'?" in str(caught.value)


@pytest.mark.parametrize(("text", "meant"), [("KNN", "knn"), ("NaiveBayes", "naive-bayes"), ("C45", "c4.5")])
def test_a_classifier_written_in_another_way_is_suggested(text: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"did you mean '{meant}'"):
        named(text)


@pytest.mark.parametrize("text", ["cv(k=0)", "cv(k=5, repeats=0)", "cv(k=5,k=6)", "cv(k=5))", "cv(k=5)(k=6)"])
def test_settings_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        estimate("majority", X, Y, method=text, interval=None, rng=0)


def test_a_long_list_of_names_is_cut_and_compared_in_bounded_time() -> None:
    report = nearest("zzz" * 1000, [f"name-{k}" for k in range(50_000)])
    assert report.endswith("and 49970 more")
    assert len(report) < 600


def test_a_list_of_splits_does_not_dump_arrays() -> None:
    splits = [np.arange(10)] * 30
    with pytest.raises(UsageError) as caught:
        estimate("majority", X, Y, method=splits, rng=0)
    assert "list of 30" in str(caught.value)
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


def test_too_many_classifiers_are_refused_before_anything_is_sampled() -> None:
    with pytest.raises(UsageError, match="1,000,000,001 classifiers"):
        estimate("majority", X, Y, method="632+(replicates=1000000000)", interval=None, rng=0)


def test_many_whole_floats_are_no_classes() -> None:
    values = np.arange(60.0)
    with pytest.raises(UsageError, match="regression"):
        estimate("majority", values[:, None], values, rng=0)
    with pytest.raises(UsageError, match="regression"):
        estimate("majority", values[:, None], values // 2, rng=0)
    few = estimate("majority", values[:, None], values // 30, method="cv(k=3)", interval=None, rng=0)
    assert 0 <= few.estimate <= 1
