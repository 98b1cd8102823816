"""Warnings: ids that are listed, looked up, shown and switched off; and what is warned of, by hand."""

import json
import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from batteries import RAW_1NN, Scripted
from errorest import compare, estimate, from_predictions
from errorest.assessment.checks import filter_warnings
from errorest.assessment.checks.warning import CHECKS, REGISTERED, CheckWarning, checked_ids
from errorest.assessment.columns import copies_in
from errorest.assessment.report.text import with_id
from errorest.errors import UsageError

SOURCE = Path(__file__).resolve().parents[3] / "src" / "errorest"
RNG = np.random.default_rng(5)
X = RNG.normal(size=(30, 2))
Y = np.array(["a"] * 27 + ["rare"] * 3)


def test_every_id_in_the_code_is_listed_and_every_listed_id_is_raised_somewhere() -> None:
    raised = set()
    for path in SOURCE.rglob("*.py"):
        if path.name != "warning.py":
            raised |= set(re.findall(r"[\"'](E\d\d\d)(?:\.\w+)?[\"']", path.read_text(encoding="utf-8")))
    assert raised == set(CHECKS)
    assert set(REGISTERED) < raised


def test_ids_are_in_rising_order_with_words_for_each() -> None:
    assert list(CHECKS) == sorted(CHECKS)
    assert all(re.fullmatch(r"E[1-9]\d\d", name) for name in CHECKS)
    for one in CHECKS.values():
        assert all((one.title, one.raised_by, one.text, one.why.endswith("."), one.remedy.endswith(".")))


def ids_of(warned: Any) -> list[str]:
    return [one.id for one in warned]


def test_a_warning_is_a_text_that_knows_its_id() -> None:
    one = CheckWarning("E204", "there are only 3 groups")
    assert (with_id(one), json.dumps([one])) == ("there are only 3 groups (E204)", '["there are only 3 groups"]')
    twin = pickle.loads(pickle.dumps(one))
    assert (twin, twin.id) == (one, "E204")
    with pytest.raises(KeyError):
        CheckWarning("E999", "no such kind")


def test_warnings_are_switched_off_by_id_and_nothing_else_changes() -> None:
    options = {"method": "632", "interval": None, "rng": 0}
    whole = estimate(RAW_1NN, X, Y, **options)
    assert set(ids_of(whole.warnings)) == {"E201", "E206", "E301"}
    assert whole.to_dict()["warning_ids"] == ids_of(whole.warnings)
    one = estimate(RAW_1NN, X, Y, **options, ignore="E301")
    assert ids_of(one.warnings) == ["E201", "E206"]
    assert (one.value, one.interval) == (whole.value, whole.interval)
    assert "E201" in repr(one)
    assert "E301" not in repr(one)
    assert "(E201)" in one._repr_html_()
    assert ids_of(compare(RAW_1NN, "majority", X, Y, rng=0).warnings) == ["E201"]
    assert compare(RAW_1NN, "majority", X, Y, rng=0, ignore="E201").warnings == ()


def test_unknown_ids_are_refused() -> None:
    with pytest.raises(UsageError, match="ignore = 'E020', and no warning has this id; expected such as E203"):
        estimate("knn", X, Y, rng=0, ignore="E020")
    assert checked_ids("") == frozenset() == checked_ids(())
    assert checked_ids("E201, E203") == checked_ids(["E201", "E203"]) == checked_ids(["E201,E203"]) == {"E201", "E203"}
    assert filter_warnings(["plain"], frozenset({"E101"})) == ("plain",)


UNLIKE = X * [1, 1000]
SCALED = make_pipeline(StandardScaler(), SVC())


@pytest.mark.parametrize(
    ("classifier", "warned"),
    [
        ("knn(standardize=none)", True),
        (KNeighborsClassifier(3), True),
        (make_pipeline(SimpleImputer(), SVC()), True),
        (GridSearchCV(SVC(), {"C": [1, 2]}, cv=2), True),
        ("knn", False),
        ("naive-bayes", False),
        ("knn(metric=hamming, standardize=none)", False),
        (SCALED, False),
        (make_pipeline(ColumnTransformer([("all", StandardScaler(), [0, 1])]), KNeighborsClassifier(3)), False),
        (KNeighborsClassifier(3, metric="cosine"), False),
        (LogisticRegression(), False),
    ],
    ids=str,
)
def test_columns_in_unlike_units_are_spoken_of_where_a_classifier_goes_by_distances(classifier, warned):
    options = {"method": "cv(k=3)", "interval": None, "rng": 0}
    results = [w for w in estimate(classifier, UNLIKE, Y, **options).warnings if w.id == "E207"]
    assert len(results) == warned
    if warned:
        assert re.search(r"(column|attribute) '?x?2'? spread \d{3,4} times as far as those of", results[0])
        assert "E207" not in ids_of(estimate(classifier, X * [1, 30], Y, **options).warnings)


def test_a_comparison_says_which_of_the_two_goes_by_distances():
    frame = pd.DataFrame({"grams": UNLIKE[:, 1], "metres": X[:, 0], "colour": 0})
    result = compare(SCALED, SVC(), frame, Y, method="cv(k=3)", rng=0).warnings
    (one,) = [w for w in result if w.id == "E207"]
    assert one.startswith("b goes by distances, and the values of column 'grams' spread")


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("number", range(5, 35), "whole numbers in one direction"),
        ("since", [3.0 * k for k in range(30, 0, -1)], "whole numbers in one direction"),
        ("patient id", RNG.permutation(1000)[:30], "an identifier: whole numbers that all differ"),
        ("code", [f"A-{k}" for k in RNG.permutation(30)], "names or codes that all differ"),
        ("income", RNG.permutation(1000)[:30], ""),
        ("measured", np.sort(RNG.normal(size=30)), ""),
        ("id", [1, *range(1, 30)], ""),
        ("note", [f"seen by doctor {k}" for k in range(30)], "an identifier or free text: all values differ"),
        ("note", [f"seen by doctor {k // 2}" for k in range(29)] + [None], "names: 15 different values in 29 cases"),
        ("town", [f"in town {k // 3}" for k in range(30)], ""),
    ],
)
def test_identifiers_in_a_frame_are_spoken_of(name, values, reason):
    frame = pd.DataFrame({"x": X[:, 0], name: list(values)})
    results = [w for w in estimate("c4.5", frame, Y, method="cv(k=3)", rng=0).warnings if w.id == "E208"]
    assert [w.split(" holds ")[0] for w in results] == [f"column '{name}'"] * bool(reason)
    assert all(reason in w for w in results)
    assert "E208" not in ids_of(estimate("c4.5", X, Y, method="cv(k=3)", rng=0).warnings)


NUMBERED = pd.DataFrame({"x": X[:, 0], "number": range(30), "note": [f"seen by doctor {k}" for k in range(30)]})
LOGISTIC = LogisticRegression()


def column_transformer(*columns: object, remainder: object = "drop", step: object = "passthrough") -> ColumnTransformer:
    return ColumnTransformer([(str(k), step, one) for k, one in enumerate(columns)], remainder=remainder)


@pytest.mark.parametrize(
    ("model", "columns"),
    [
        (make_pipeline(column_transformer(["x"]), LOGISTIC), []),
        (make_pipeline(column_transformer([0]), LOGISTIC), []),
        (make_pipeline(column_transformer(slice(0, 1)), LOGISTIC), []),
        (make_pipeline(column_transformer(slice("x", "number")), LOGISTIC), ["number"]),
        (make_pipeline(column_transformer([True, False, False]), LOGISTIC), []),
        (make_pipeline(column_transformer(lambda frame: frame.columns[:2]), LOGISTIC), ["number"]),
        (make_pipeline(column_transformer(["number", "note"], step="drop", remainder="passthrough"), LOGISTIC), []),
        (make_pipeline(column_transformer(["note"], step="drop", remainder="passthrough"), LOGISTIC), ["number"]),
        (GridSearchCV(make_pipeline(column_transformer(["x"]), LOGISTIC), {}, cv=2), []),
        (VotingClassifier([("a", make_pipeline(column_transformer(["x"]), LOGISTIC))]), []),
        (make_pipeline("passthrough", column_transformer(["x"]), LOGISTIC), []),
        # text that a vectorizer reads is no identifier
        (make_pipeline(ColumnTransformer([("words", TfidfVectorizer(), "note")]), LOGISTIC), []),
    ],
)
def test_identifiers_are_looked_for_where_the_classifier_looks(model, columns):
    results = estimate(model, NUMBERED, Y, method="cv(k=3)", rng=0, interval=None).warnings
    assert [w.split("'")[1] for w in results if w.id == "E208"] == columns


def test_identifiers_keep_their_names_where_columns_are_encoded_and_each_classifier_counts():
    encoded = estimate(LOGISTIC, NUMBERED, Y, method="cv(k=3)", rng=0, encode=True, interval=None).warnings
    assert [w.split("'")[1] for w in encoded if w.id == "E208"] == ["number", "note"]
    narrow = make_pipeline(column_transformer(["x"]), LOGISTIC)
    both = compare(narrow, "naive-bayes", NUMBERED[["x", "number"]], Y, method="cv(k=3)", rng=0).warnings
    assert [w.split("'")[1] for w in both if w.id == "E208"] == ["number"]


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("yes", "Yes", "capitals"),
        ("yes", " yes ", "blanks"),
        ("caf\u00e9", "cafe\u0301", "Unicode normal form"),
        ("1", "1.0", "the way the number is written"),
        ("1", "01", "the way the number is written"),
        ("1", "2", ""),
        ("yes", "no", ""),
    ],
)
def test_classes_that_are_written_alike_are_spoken_of(one, other, how):
    y = np.array([one, other, "x", "x"])[np.arange(30) % 4]
    warned = [
        *estimate("majority", X, y, method="cv(k=3)", rng=0, interval=None).warnings,
        *from_predictions(y, y, interval=None).warnings,
    ]
    assert [f"differ in {how} alone" in w for w in warned if w.id == "E209"] == [True, True] * bool(how)
    assert all(f"'{name}'" in w for name in (one, other) for w in warned if w.id == "E209")


def test_a_classifiers_own_warning_ends_well_and_says_what_to_do() -> None:
    text = "lbfgs failed to converge (status=1):\nSTOP: TOTAL NO. OF ITERATIONS REACHED LIMIT."
    for warning, words in (
        (ConvergenceWarning(text), r"\(status=1\); scale the data in a pipeline.*\w$"),
        (UserWarning("Beware of it."), "UserWarning: Beware of it$"),
    ):
        model = Scripted(fitting=lambda *_, warning=warning: warnings.warn(warning, stacklevel=1))
        (report,) = [w for w in estimate(model, X, Y, method="cv(k=5)", rng=1).warnings if "5 t" in w]
        assert re.search(words, report)


def test_many_rare_classes_are_reported_together() -> None:
    many = np.repeat([f"c{i:02}" for i in range(20)], np.arange(1, 21))
    report = estimate("majority", np.arange(210.0), many, method="cv(k=4)", rng=0)
    assert [w for w in report.warnings if "classes have fewer than 5 cases each (1 c00, 2 c01, 3 c02, 4 c03)" in w]


def test_a_sorted_series_of_time_says_that_its_first_cases_are_never_tested() -> None:
    result = estimate("naive-bayes", X[:, :1], np.arange(30) % 2, method=TimeSeriesSplit(4), rng=0)
    (text,) = [w for w in result.warnings if w.id == "E309"]
    assert "the first 6 of 30 cases are never tested" in text


def test_training_sets_of_one_class_are_counted_as_by_hand() -> None:
    rare = np.where(np.arange(12) < 2, "rare", "common")
    found_any = []
    for name in ("cv(k=2)", "holdout(test=1/2, repeats=9)", "loo", "cv(k=6)"):
        report = estimate("knn", X[:12], rare, method=name, rng=1)
        # who is not tested is trained on
        splits = report.predictions.to_frame().groupby("split")
        trained = [np.setdiff1d(np.arange(12), rows["case"]) for _, rows in splits]
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
