"""What a person is told beside the numbers: aims, cautions, axes, names, progress; and what is computed lazily."""

from __future__ import annotations

import io
import re
import sys
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning

from errorest.assessment import ErrorEstimate, estimate
from errorest.assessment.estimates import round_above
from errorest.assessment.features import copies_in
from errorest.assessment.formatting import counts_text
from errorest.assessment.runs import keep_rows, training_sizes
from errorest.cli.commands import _picture
from errorest.conformance.inducers import every_scheme
from errorest.estimation.intervals import Limits, parse_interval
from errorest.estimation.intervals.folds import CvWald
from errorest.resampling.draw import k_fold

RNG = np.random.default_rng(3)
X = RNG.normal(size=(35, 2))
Y = np.where(X[:, 0] + RNG.normal(size=35) > 0, "yes", "no")


class Warns(DummyClassifier):
    """A classifier that warns as scikit-learn's solvers do."""

    def __init__(self, text: str = "", kind: type[Warning] = UserWarning) -> None:
        super().__init__()
        self.text = text
        self.kind = kind

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        warnings.warn(self.text, self.kind, stacklevel=1)
        return super().fit(X, y)


def found(**changes: Any) -> ErrorEstimate:
    return estimate("knn(k=1, standardize=none)", X, Y, rng=0, **changes)


def test_an_estimate_that_is_not_the_estimators_is_not_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    method = parse_interval("cv-wald(k=5)")
    monkeypatch.setattr(CvWald, "reduce", lambda self, measured: Limits.around(0.123, 0.1, measured.z, 35))
    assert found(interval=method).estimator == "the estimate of cv-wald(k=5)"


def test_the_axis_leaves_the_interval_half_of_it() -> None:
    base = found()
    for value, high, bar, end in (
        (0.02, 0.054, 0.6, 0.2),
        (0.001, 0.002, 0.6, 0.005),
        (0.2, 0.3, 0.6, 1.0),
        (0.0, 0.0, 0.4, 0.5),
        (0.1, float("nan"), 0.6, 0.2),
    ):
        r = replace(base, estimate=value, interval=replace(base.interval, low=0.0, high=high), majority_error=bar)
        assert r.axis_end == pytest.approx(end)
    other = replace(base, zero_one=False, estimate=3.0, interval=None)
    assert other.axis_end == 10
    for value in np.random.default_rng(0).uniform(1e-4, 900, size=300):
        assert 1 <= round_above(value) / value < 2.5 + 1e-9


def test_both_pictures_mark_one_class_always_where_it_fits_and_else_point_to_it() -> None:
    base = found()
    low = replace(base, estimate=0.022, interval=replace(base.interval, low=0.0, high=0.054), majority_error=0.6011)
    near = replace(low, majority_error=0.15)
    for r, end, mark in ((low, "20 %", "→ one class always: 60.1 %"), (near, "20 %", "┊ one class always")):
        picture = _picture(r)
        axis, legend = picture.splitlines()
        assert axis.endswith(end)
        assert legend.endswith(mark)
        assert axis.count("─") > 10
        sampled = r.drawn()
        top = sampled.figure.axes[0]
        assert top.get_xlim() == (0, pytest.approx(20))
        texts = [t.get_text() for t in top.texts]
        fits = r is near
        assert ("one class always" in texts) is fits
        assert ("one class always: 60.1 % →" in texts) is not fits
        assert ("dashed" in sampled.alt) is fits


def test_a_classifiers_own_warning_ends_well_and_says_what_to_do() -> None:
    text = "lbfgs failed to converge (status=1):\nSTOP: TOTAL NO. OF ITERATIONS REACHED LIMIT."
    for model, words in (
        (Warns(text, ConvergenceWarning), r"\(status=1\); scale the data in a pipeline.*\w$"),
        (Warns("Beware of it."), "UserWarning: Beware of it$"),
    ):
        (report,) = [w for w in estimate(model, X, Y, method="cv(k=5)").warnings if "5 t" in w]
        assert re.search(words, report)


def test_many_classes_are_reported_by_the_largest() -> None:
    many = np.repeat([f"c{i:02}" for i in range(20)], np.arange(1, 21))
    report = estimate("majority", np.arange(210.0), many, method="cv(k=4)", rng=0)
    lines = dict(report.lines())
    assert lines["cases"] == "210 (20 c19, 19 c18, 18 c17, 17 c16, and 16 more)"
    assert [w for w in report.warnings if "classes have fewer than 5 cases each (1 c00, 2 c01, 3 c02, 4 c03)" in w]
    assert counts_text(dict.fromkeys("abcdef", 1)).count(",") == 5


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_one_line_where_no_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, returns in ((io.StringIO(), False), (Terminal(), True)):
        monkeypatch.setattr(sys, "stderr", stream)
        found(method="cv(k=5, repeats=20)", progress=True)
        assert ("\r" in stream.getvalue()) is returns
        if not returns:
            assert re.fullmatch(r"knn\(k=1\): 100/100 fits in \S+ s\n", stream.getvalue())


def test_training_sizes_are_the_sums_of_the_training_counts() -> None:
    folds = k_fold(13, 4, np.random.default_rng(1), repeats=3)
    for r in (folds, keep_rows(folds, np.arange(12) % 5 > 0), *every_scheme(9).values()):
        assert training_sizes(r).tolist() == r.training_counts().sum(axis=1).tolist()


def test_training_sets_of_one_class_are_counted_as_by_hand() -> None:
    rare = np.where(np.arange(12) < 2, "rare", "common")
    found_any = []
    for name in ("cv(k=2)", "holdout(test=1/2, repeats=9)", "loo", "cv(k=6)"):
        report = estimate("knn", X[:12], rare, method=name, rng=1)
        # who is not tested is trained on
        trained = [np.setdiff1d(np.arange(12), rows["case"]) for _, rows in report.losses.groupby("row")]
        by_hand = sum((rare[cases] == "common").all() for cases in trained)
        warned = [int(w.split()[0]) for w in report.warnings if "hold one class alone" in w]
        assert warned == ([by_hand] if by_hand else [])
        found_any += warned
    assert found_any


def test_copies_are_detected_as_by_comparing_all_pairs() -> None:
    rng = np.random.default_rng(2)
    for values in (
        rng.integers(0, 3, size=(12, 2)),
        rng.integers(0, 2, size=(9, 3)).astype(float),
        np.array([[0.0], [-0.0], [1.0]]),
        np.array([[np.nan, 1.0], [np.nan, 1.0], [2.0, 1.0]]),
        rng.normal(size=(8, 2)),
        np.asfortranarray(rng.integers(0, 2, size=(8, 2))),
    ):
        numbers = copies_in(values)
        same = np.array([[np.array_equal(a, b, equal_nan=values.dtype.kind == "f") for a in values] for b in values])
        if numbers is None:
            assert (same == np.eye(len(values))).all()
        else:
            assert (same == (numbers[:, None] == numbers)).all()
