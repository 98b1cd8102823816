"""What a person can get wrong with their own data: one clear error each, of what, what instead, and what to do.

What would give a wrong answer, or a traceback, without a word is refused, corrected or warned of.
"""

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit, TunedThresholdClassifierCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from batteries import Scripted, assert_refused, losses_of
from errorest import (
    choose,
    compare,
    estimate,
    from_predictions,
    learning_curve,
    permutation_test,
)
from errorest.assessment.columns import rows_of
from errorest.assessment.problem import resolve_model
from errorest.data.reading import read_csv
from errorest.data.sample import Sample
from errorest.errors import UsageError, nearest
from errorest.learners import KNN
from errorest.learners.named import INDUCERS, named

RNG = np.random.default_rng(0)
X = RNG.normal(size=(24, 2))
Y = np.where(X[:, 0] > 0, "yes", "no")
NN = KNeighborsClassifier(1)


def with_value(value: float) -> np.ndarray:
    changed = X.copy()
    changed[5, 1] = value
    return changed


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"u": X[:, 0], **columns})


def always(answer: Any) -> Scripted:
    """A classifier with one answer for every case."""
    return Scripted(lambda _, X: np.full((len(X), *np.shape(answer)), answer))


def twice_the_error(true: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    return 2.0 * (true != predicted)


RARE, TEXT = ["rare"] + ["common"] * 23, frame(v=["a", "b"] * 12)
NO_METHOD = {
    "lo": "did you mean 'loo'",
    "cv(folds=5)": "no setting 'folds'; expected one of k, repeats, stratified, weights",
    "loo(k=3)": "no setting 'k'; expected none",
    "cv(k=five)": "k=five; expected a value like 10",
    "e0(replicates=20, per=cases)": "did you mean 'case'",
    "holdout(test=1/0)": "test=1/0; expected a value like 1/3",
}
MEANT = {"632plus": "632+", ".632plus": "632+", "LOO": "loo", "CV": "cv", "e-0": "e0"}
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "lengths": ({"y": Y[:-1]}, "X has 24 rows and y has 23 labels"),
    "lengths of ours": ({"classifier": "knn", "y": Y[:-1]}, "X has 24 rows and y has 23 labels"),
    "no case": ({"X": X[:0], "y": Y[:0]}, "there is no case"),
    "no y": ({"y": None}, "y was not given"),
    "two columns of y": ({"y": np.eye(2)[(Y == "yes").astype(int)]}, "y has shape"),
    "a measurement as y": ({"y": X[:, 0]}, "measurements, it seems"),
    "probabilities as y": ({"y": RNG.random(24)}, "probabilities, it seems"),
    "y with a gap": ({"y": np.array(["yes", None] * 12, dtype=object)}, "lacks a label for 12 case"),
    "mixed y": ({"y": np.array(["yes", 1] * 12, dtype=object)}, "cannot be sorted"),
    "one class": ({"y": ["yes"] * 24}, "all 24 cases are of class yes"),
    "y with a gap in a list": ({"y": ["yes", float("nan")] * 12}, "lacks a label for 12 case"),
    "y by the name of a column": ({"y": "outcome"}, re.escape("pass the values: y=df['outcome']")),
    "several labels a case": ({"y": np.ones((24, 2), dtype=int)}, "several labels a case"),
    "many whole numbers as y": ({"y": np.arange(24) // 2}, "12 distinct numbers in 24 cases.*regression"),
    "complex y": ({"y": np.arange(24) % 2 + 1j}, "complex numbers"),
    **{
        f"complex X of {kind}": ({"X": values, "classifier": model}, "X holds complex numbers")
        for model in ("naive-bayes", NN)
        for kind, values in {
            f"an array for {model}": X + 1j,
            f"a list for {model}": (X + 1j).tolist(),
            f"a frame for {model}": frame(v=X[:, 0] + 1j),
        }.items()
    },
    "cells that are lists": ({"classifier": "naive-bayes", "X": frame(v=[[1], [2]] * 12)}, "'v' holds lists"),
    "encoded lists": ({"X": frame(v=[[1], [2]] * 12), "encode": True}, "'v' holds lists"),
    "a Series of text for ours": ({"classifier": "knn", "X": pd.Series(["a", "b"] * 12)}, r"X has shape \(24,\)"),
    "ragged X": ({"X": [[1.0], [1.0, 2.0]] * 12}, "differ in length"),
    "NaN": ({"X": with_value(np.nan)}, r"column 2 lacks 1 value\(s\) \(NaN\)"),
    "infinite": ({"X": with_value(np.inf)}, "column 2 holds 1 infinite"),
    "NaN for ours": ({"classifier": "knn", "X": with_value(np.nan)}, "missing value.* of attribute 'x2'"),
    "infinite for ours": ({"classifier": "c4.5", "X": with_value(-np.inf)}, "column 2 holds an infinite"),
    "NaN in a frame": ({"X": frame(v=with_value(np.nan)[:, 1])}, "column 'v' lacks 1 value"),
    "text": ({"X": TEXT}, r"column 'v' holds text \('a'\)"),
    "text in an array": ({"X": np.array([["a"], ["b"]] * 12)}, "column 1 holds text"),
    "text for a distance": ({"classifier": "knn", "X": TEXT}, "nominal attribute 'v'"),
    "text among numbers": ({"classifier": "c4.5", "X": frame(v=["a", 1] * 12)}, "mixes numbers and text"),
    "dates": ({"classifier": "c4.5", "X": frame(v=pd.date_range("2020", periods=24))}, "holds dates"),
    "an empty column": ({"classifier": "c4.5", "X": frame(v=[None] * 24)}, "no value at all"),
    "no column of an array": ({"classifier": "knn", "X": np.empty((24, 0))}, "X has no column"),
    "no column": ({"classifier": "c4.5", "X": pd.DataFrame(index=range(24))}, "no column"),
    "a rare class": ({"y": RARE, "method": StratifiedShuffleSplit(3, random_state=0)}, "refuses these data"),
    "a rare stratum": ({"stratify": RARE}, "stratum 'rare' has one case"),
    "two rare cases": ({"y": ["rare", *RARE[:-1]], "method": StratifiedKFold(23)}, "refuses these data"),
    "fewer groups than folds": (
        {"method": "cv(k=10)", "groups": np.arange(24) % 3},
        r"10 folds were asked for and there are 3 groups.*cv\(k=3\)",
    ),
    "one group": ({"method": "loo", "groups": np.zeros(24)}, "there is 1 group;"),
    "short groups": ({"groups": np.arange(5)}, "groups have shape"),
    "groups and an interval of cases": (
        {"method": "holdout", "interval": "holdout-wilson", "groups": np.arange(24) // 3},
        "groups were given; expected one that can count groups",
    ),
    "groups with a gap": ({"groups": [np.nan] + [1.0] * 23}, "groups lack a value"),
    "groups with a gap in a list of text": ({"groups": ["a", float("nan")] * 12}, "groups lack a value for 12 case"),
    "groups with a gap in objects": ({"groups": np.array(["a", None] * 12, dtype=object)}, "groups lack a value"),
    "strata with a gap": ({"stratify": ["a", float("nan")] * 12}, "strata lack a value for 12 case"),
    "groups by the name of a column": (
        {"X": frame(pid=list("ab") * 12), "groups": "pid"},
        re.escape("groups = 'pid' is a text; pass the values: groups=df['pid']"),
    ),
    "strata by the name of a column": ({"stratify": "pid"}, re.escape("stratify=df['pid']")),
    "strata by a wrong word": ({"stratify": "classes"}, "stratify = 'classes'"),
    "strata beside a splitter": ({"stratify": "class", "method": StratifiedKFold(3)}, "a splitter and stratify"),
    "probabilities as answers": ({"classifier": always((0.3, 0.7))}, "predicts probabilities"),
    "one probability as answer": ({"classifier": always(0.3)}, "predicts probabilities"),
    "strangers as answers": ({"classifier": always("maybe")}, "predicts something else than classes"),
    "an illegal interval": ({"method": "loo", "interval": "cv-wald"}, "legal with loo: loo-kohavi, loo-wald"),
    "an unknown interval": ({"interval": "cv-wold"}, "did you mean 'cv-wald'"),
    "an unknown estimator": ({"method": "652+"}, "did you mean '632"),
    **{f"method {value!r}": ({"method": value}, "method = ") for value in (7.5, 1, None, KNeighborsClassifier)},
    "no legal interval": ({"method": "resubstitution", "interval": "cv-wald"}, "legal with resubstitution: none"),
    **{f"no method {text}": ({"method": text}, re.escape(message)) for text, message in NO_METHOD.items()},
    "no interval at all": ({"method": "loo", "interval": 7}, "interval = 7"),
    "no interval beside auto": ({"interval": 5}, "interval = 5; expected 'auto', None or a name"),
    "a count of errors with another loss": (
        {"method": "holdout", "interval": "holdout-wilson", "scoring": twice_the_error},
        "asked for another loss",
    ),
    "a loss that is none": ({"scoring": "0/2"}, "scoring = '0/2'"),
    "no loss at all": ({"scoring": 5}, "scoring = 5"),
    "a loss that fails": ({"scoring": lambda a, b: {}["x"]}, "the loss failed .*KeyError"),
    "a complex loss": ({"scoring": lambda a, b: (a != b) * 1j}, "what the loss returned holds complex numbers"),
    "complex costs": ({"scoring": np.array([[0, 1j], [1, 0]])}, "table of costs"),
    "complex probabilities": (
        {"classifier": Scripted(shares=lambda X: np.tile([0.5, 0.5 + 1j], (len(X), 1))), "scoring": "brier"},
        "holds complex numbers",
    ),
    **{
        f"confidence {level}": ({"confidence_level": level}, f"confidence_level = {level!r}; expected a proportion")
        for level in (95, "x", None, float("nan"))
    },
    "no word for encode": ({"encode": "yes"}, "encode = 'yes'"),
    "no generator": ({"rng": "seed"}, "rng = 'seed'"),
    "a negative seed": ({"rng": -1}, "rng = -1"),
    "no workers": ({"n_jobs": 0}, "n_jobs = 0"),
    "a wrong word for failures": ({"error_score": "ignore"}, "error_score = 'ignore'"),
    "a list that holds no splits": ({"method": [np.arange(10)] * 30}, "list of 30 and not every entry is a pair"),
    "too many classifiers": (
        {"classifier": "majority", "method": "632+(replicates=1000000000)", "interval": None},
        "1,000,000,001 classifiers",
    ),
    "many whole floats as y": ({"X": np.arange(60.0), "y": np.arange(60.0)}, "regression"),
    "many repeated whole floats as y": ({"X": np.arange(60.0), "y": np.arange(60.0) // 2}, "regression"),
    **{
        f"an estimator written {text}": ({"method": text}, re.escape(f"did you mean '{meant}'?"))
        for text, meant in MEANT.items()
    },
    "too many folds": ({"method": "cv(k=99)"}, "99 folds were asked for and there are 24 cases"),
    "a class of classifiers": ({"classifier": KNeighborsClassifier}, r"write KNeighborsClassifier\(\)"),
    "a regressor": ({"classifier": LinearRegression()}, "is a regressor, and errorest measures classifiers"),
    "no classifier": ({"classifier": 3}, "is no classifier"),
    "a sample with y": ({"classifier": "knn", "X": Sample.from_arrays(X, Y)}, "leave out y"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_is_one_line_with_what_was_expected(case: str) -> None:
    changed, message = WRONG[case]
    given: dict[str, Any] = {"classifier": NN, "X": X, "y": Y, "method": "auto", **changed}
    assert_refused(message, estimate, given.pop("classifier"), given.pop("X"), given.pop("y"), **given)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("knnn", "did you mean 'knn'"),
        ("KNN", "did you mean 'knn'"),
        ("NaiveBayes", "did you mean 'naive-bayes'"),
        ("randomforestclassifier(n_estimators=5)", r"did you mean 'sklearn.ensemble.RandomForestClassifier'\?$"),
        ("KNeighborClassifier", r"did you mean 'sklearn.neighbors.KNeighborsClassifier'\?$"),
        ("svm", r"did you mean 'sklearn.svm.SVC'\?$"),
        ("SVC", r"did you mean 'sklearn.svm.SVC'\?$"),
        ("Zzzz9", "; check the name$"),
        ("C45", "did you mean 'c4.5'"),
        ("knn(k=)", "given k=; expected a value like 1"),
        ("knn(3)", "no setting '3'; expected one of k, ties, metric"),
        ("knn(k=3", "names no classifier"),
        ("knn(depth=3)", "no setting 'depth'; expected one of k, ties, metric"),
        ("no_such_module.Classifier", "cannot be imported"),
        ("sklearn.neighbors.KNeighborClassifier", "did you mean 'KNeighborsClassifier'"),
        ("sklearn.neighbors.KNeighborsClassifier(n=3)", "expected settings among: n_neighbors"),
        ("sklearn.linear_model.LinearRegression", "is a regressor, and errorest measures classifiers"),
        ("os.path.join", "no fit and predict"),
        ("math.pi(x=1)", "takes no settings"),
    ],
)
def test_a_text_that_names_no_classifier_is_refused(text: str, message: str) -> None:
    assert_refused(message, resolve_model, text)


def test_names_and_import_paths_make_classifiers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in INDUCERS:
        assert callable(resolve_model(name).predict_resamples)
    assert resolve_model("sklearn.neighbors.KNeighborsClassifier(n_neighbors=3)").n_neighbors == 3
    (tmp_path / "of_mine.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\nstump = DecisionTreeClassifier(max_depth=1)\n"
    )
    (tmp_path / "broken_of_mine.py").write_text("raise RuntimeError('half written')\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert resolve_model("of_mine:stump").max_depth == 1
    assert_refused("half written", resolve_model, "broken_of_mine.stump")
    sys.modules.pop("of_mine", None)


def test_the_cost_and_a_comparison_refuse_the_same() -> None:
    assert_refused("X has 24 rows", estimate, NN, X, Y[:-1])
    assert_refused("X has 24 rows", compare, NN, "knn", X, Y[:-1])
    for name in ("loo", "632+", "holdout"):
        assert_refused("expected several splits", compare, NN, "knn", X, Y, method=name)


def test_what_the_person_passed_is_never_changed() -> None:
    given, labels = X.copy(), Y.copy()
    model = KNeighborsClassifier(1)
    estimate("knn", given, labels, rng=0)
    estimate(model, given, labels, method="cv(k=3)", rng=0)
    assert (given == X).all()
    assert (labels == Y).all()
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize(
    "meta",
    [
        lambda inner: GridSearchCV(inner, {"logisticregression__C": [0.1, 1.0]}, cv=2),
        lambda inner: CalibratedClassifierCV(inner, cv=2),
        lambda inner: VotingClassifier([("one", inner), ("two", inner)]),
        lambda inner: BaggingClassifier(inner, n_estimators=2, random_state=0),
        lambda inner: TunedThresholdClassifierCV(inner, cv=2, thresholds=4),
        # unfitted, it shows no predict: its final classifier is a default that it has not made yet
        lambda inner: StackingClassifier([("one", inner)], cv=2),
    ],
    ids=["search", "calibrated", "voting", "bagging", "threshold", "stack"],
)
def test_meta_estimators_around_pipelines_that_impute_and_encode_are_let_through(meta: Any) -> None:
    holes = np.where(np.arange(24) % 5 == 0, np.nan, X[:, 0])
    data = frame(age=holes, town=np.where(np.arange(24) % 2, "a", "b"))
    columns = make_column_transformer((SimpleImputer(), ["u", "age"]), (OneHotEncoder(), ["town"]))
    numbers = meta(make_pipeline(SimpleImputer(), LogisticRegression()))
    assert 0 <= estimate(numbers, data[["u", "age"]], Y, method="cv(k=3)", rng=0).value <= 1
    if not isinstance(numbers, BaggingClassifier):  # it hands arrays without names to its classifiers
        texts = meta(make_pipeline(columns, LogisticRegression()))
        assert 0 <= estimate(texts, data, Y, method="cv(k=3)", rng=0).value <= 1
    with pytest.raises(UsageError, match="takes none missing"):
        estimate(GridSearchCV(LogisticRegression(), {"C": [1.0]}), data[["u", "age"]], Y, rng=0)


def test_a_long_list_of_names_is_cut_and_compared_in_bounded_time() -> None:
    report = nearest("zzz" * 1000, [f"name-{k}" for k in range(50_000)])
    assert report.endswith("and 49970 more")
    assert len(report) < 600


def test_few_whole_floats_are_classes() -> None:
    assert estimate("majority", X, np.arange(24.0) // 12, method="cv(k=3)", interval=None, rng=0).n == 24


DOCS = ["alpha beta", "gamma delta", "alpha", "gamma beta"] * 6
WORDS = make_pipeline(TfidfVectorizer(), LogisticRegression())
COUNTED = make_pipeline(CountVectorizer(), LogisticRegression())
CALLS = {
    "estimate": lambda docs: estimate(WORDS, docs, Y, method="cv(k=3)", rng=0).value,
    "compare": lambda docs: compare(WORDS, COUNTED, docs, Y, rng=0).value,
    "choose": lambda docs: choose([WORDS, COUNTED], docs, Y, method="cv(k=3)", rng=0).corrected_value,
    "permutation_test": lambda docs: (
        permutation_test(WORDS, docs, Y, method="cv(k=3)", n_permutations=5, rng=0).p_value
    ),
    "learning_curve": lambda docs: learning_curve(WORDS, docs, Y, folds=3, repeats=2, rng=0).points.errors.tolist(),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_series_of_texts_gives_what_a_list_gives(call: str) -> None:
    one = CALLS[call]
    assert one(pd.Series(DOCS)) == one(DOCS) == one(np.array(DOCS, dtype=object))


def test_a_series_keeps_its_type_and_one_of_numbers_is_a_column() -> None:
    lengths = make_pipeline(FunctionTransformer(lambda docs: docs.str.len().to_frame()), LogisticRegression())
    assert 0 <= estimate(lengths, pd.Series(DOCS), Y, method="cv(k=3)", rng=0).value <= 1
    for model in (NN, "naive-bayes"):
        one, other = (estimate(model, x, Y, method="cv(k=3)", rng=0) for x in (pd.Series(X[:, 0]), X[:, :1]))
        assert one.value == other.value


def test_long_texts_of_a_list_do_not_make_the_short_ones_long() -> None:
    texts = ["short"] * 99 + ["long" * 1000]
    assert rows_of(texts, 100).nbytes == 800
    assert rows_of([[text, 1.0] for text in texts], 100).nbytes == 1600


MIXED = [["u" if i % 3 else "v", float(x), i % 5] for i, x in enumerate(X[:, 0])]


@pytest.mark.parametrize("rows", [MIXED, tuple(map(tuple, MIXED)), np.array(MIXED, dtype=object)])
def test_rows_of_text_and_numbers_keep_their_numbers(rows: Any) -> None:
    table = pd.DataFrame({"a": [row[0] for row in MIXED], "b": X[:, 0], "c": np.arange(24) % 5})
    for model, encode in (("naive-bayes", False), ("c4.5", False), (LogisticRegression(), True)):
        one, other = (estimate(model, x, Y, method="loo", encode=encode, rng=0) for x in (rows, table))
        assert one.value == other.value < 0.3
    assert_refused("differ in length", rows_of, [["u", 1.0], ["v"]], 2)


def test_numbers_that_numpy_wrote_as_text_are_refused_where_they_would_be_categories() -> None:
    message = "column 2 of X holds numbers as text.*pass them as a list"
    for model, encode in (("naive-bayes", False), (LogisticRegression(), True)):
        assert_refused(message, estimate, model, np.array(MIXED), Y, encode=encode)
        codes = np.array(MIXED)[:, [0, 2]]  # whole numbers may be codes
        assert 0 <= estimate(model, codes, Y, method="cv(k=3)", encode=encode, rng=0).value <= 1


class Frame:
    """A frame that is none of pandas, as polars has it: columns by name, rows by an array of numbers."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.held = {name: np.asarray(values) for name, values in columns.items()}
        self.columns = list(columns)
        self.shape = (len(next(iter(self.held.values()))), len(columns))
        self.dtypes = [values.dtype for values in self.held.values()]

    def __getitem__(self, key: Any) -> Any:
        return self.held[key] if isinstance(key, str) else Frame({name: v[key] for name, v in self.held.items()})

    def __len__(self) -> int:
        return self.shape[0]


def test_frames_of_other_libraries_keep_their_columns() -> None:
    columns = {"b": X[:, 0], "town": np.array(["u", "v", "w"])[np.arange(24) % 3], "number": np.arange(24)}
    named = make_pipeline(FunctionTransformer(lambda frame: np.asarray(frame["b"])[:, None]), LogisticRegression())
    for model, encode in ((named, False), ("naive-bayes", False), (LogisticRegression(), True)):
        one, other = (
            estimate(model, x, Y, method="cv(k=4)", encode=encode, rng=0)
            for x in (Frame(columns), pd.DataFrame(columns))
        )
        assert (one.value, one.warnings) == (other.value, other.warnings)
        assert beware(one, "column 'number' holds whole numbers in one direction")
    assert_refused("X holds complex numbers", estimate, named, Frame({"b": X[:, 0] + 1j}), Y)


TWO_AND_TEN = [2 if label == "no" else 10 for label in Y]
HOLDERS: dict[str, Any] = {
    "list": list,
    "floats": lambda y: np.array(y, dtype=float),
    "objects": lambda y: np.array(y, dtype=object),
    "series": lambda y: pd.Series(y),
    "nullable": lambda y: pd.array(y, dtype="Int64"),
    "categories": lambda y: pd.Series(y).astype("category"),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_the_positive_class_is_the_last_by_value_for_every_reader(holder: str, tmp_path: Path) -> None:
    y = HOLDERS[holder](TWO_AND_TEN)
    shares = np.where(Y == "no", 0.1, 0.9)
    assert from_predictions(y, shares, scoring="auc").value == 1
    wanted = estimate(LogisticRegression(), X, TWO_AND_TEN, method="cv(k=3)", scoring="auc", rng=0)
    result = estimate(LogisticRegression(), X, y, method="cv(k=3)", scoring="auc", rng=0)
    assert (result.value, float(result.metric.pos_label)) == (wanted.value, 10)
    pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "class": y}).to_csv(tmp_path / "f.csv", index=False)
    sample = read_csv(tmp_path / "f.csv", quiet=True)
    for given in (sample, Sample.from_arrays(X, y)):
        read = estimate(LogisticRegression(), given, method="cv(k=3)", scoring="auc", rng=0)
        assert (read.value, float(read.metric.pos_label)) == (pytest.approx(wanted.value), 10)
        errors = estimate(LogisticRegression(), given, method="cv(k=3)", rng=0)
        assert errors.value == estimate(LogisticRegression(), X, y, method="cv(k=3)", rng=0).value


@pytest.mark.parametrize(
    "y",
    [[0, 1] * 12, [0.0, 1.0] * 12, [False, True] * 12, pd.array([0, 1] * 12)],
    ids=["int", "float", "bool", "Int64"],
)
@pytest.mark.parametrize("pos_label", [0, 0.0, False, np.int64(0), "0"])
def test_the_positive_class_is_named_by_its_value(y: Any, pos_label: Any) -> None:
    for given in ({"scoring": "auc"}, {"scoring": "roc_auc"}):
        results = [
            estimate("naive-bayes", X, y, method="cv(k=3)", **given, pos_label=one, rng=0)
            for one in (pos_label, str(y[0]))
        ]
        assert results[0].value == results[1].value
        assert results[0].metric.pos_label == str(y[0])
    costs = [
        estimate("naive-bayes", X, y, method="cv(k=3)", scoring={"fn": 5, "fp": 1, "pos_label": one}, rng=0).value
        for one in (pos_label, str(y[0]))
    ]
    assert costs[0] == costs[1]


def test_costs_name_classes_by_value_and_a_scorer_has_scikit_learns_positive_class() -> None:
    y = np.arange(24) % 2 + 1.0
    options: dict[str, Any] = {"method": "cv(k=3)", "rng": 0}
    by_class = [estimate("naive-bayes", X, y, scoring=one, **options) for one in ({1: 1, 2: 5}, {"1.0": 1, "2.0": 5})]
    assert by_class[0].value == by_class[1].value
    table = pd.DataFrame([[0, 5], [1, 0]], index=[2, 1], columns=[2, 1])[[1, 2]]
    assert estimate("naive-bayes", X, y, scoring=table, **options).value == by_class[0].value
    assert estimate("naive-bayes", X, y, scoring="recall", **options).metric.pos_label == "1.0"


class FitsNothing(KNeighborsClassifier):
    """The nearest neighbors, whose fit returns nothing."""

    def fit(self, X: Any, y: Any) -> None:
        super().fit(X, y)


class Refuses(ClassifierMixin, BaseEstimator):
    def __init__(self, k: int = 1) -> None:
        raise RuntimeError("no licence found")

    fit = predict = print


def beware(result: Any, words: str) -> list[str]:
    return [w for w in result.warnings if words in w]


def test_a_frozen_classifier_is_refused_and_a_frozen_part_is_reported() -> None:
    made = DecisionTreeClassifier(random_state=0).fit(X, Y)
    for frozen in (FrozenEstimator(made), make_pipeline(StandardScaler(), FrozenEstimator(made))):
        assert_refused(r"is never trained again.*new cases", estimate, frozen, X, Y, method="cv(k=5)", rng=0)
    assert_refused("is never trained again", compare, "knn", FrozenEstimator(made), X, Y, rng=0)
    part = make_pipeline(FrozenEstimator(StandardScaler().fit(X)), LogisticRegression())
    assert beware(estimate(part, X, Y, method="cv(k=5)", rng=0), "is frozen")
    calibrated = CalibratedClassifierCV(FrozenEstimator(made))
    assert beware(estimate(calibrated, X, Y, method="cv(k=5)", rng=0), "is frozen")
    thawed = make_pipeline(StandardScaler(), LogisticRegression())
    assert not beware(estimate(thawed, X, Y, method="cv(k=5)", rng=0), "frozen")


def test_a_classifier_that_never_learns_again_is_reported() -> None:
    made = KNeighborsClassifier(1).fit(X, Y)
    trained = Scripted(lambda _, cases: made.predict(cases))
    report = estimate(trained, X, Y, method="cv(k=5)", rng=0)
    assert report.value == 0
    assert beware(report, "whatever labels it is trained on")
    assert beware(compare("knn", trained, X, Y, rng=0), "b answers the same whatever labels")
    balanced = np.repeat(["a", "b"], 12)
    for honest in (
        KNeighborsClassifier(1),
        DummyClassifier(),
        LogisticRegression(),
        DecisionTreeClassifier(max_depth=1, random_state=0),
    ):
        for y in (Y, balanced):
            assert not beware(estimate(honest, X, y, method="cv(k=5)", rng=0), "whatever labels")


def test_rows_and_labels_in_another_order_are_refused() -> None:
    data = load_iris(as_frame=True)
    shuffled = data.data.sample(frac=1, random_state=0)
    for mixed in (data.target, data.target.rename(lambda i: i + 200)[::-1]):
        with pytest.raises(UsageError, match=r"X and y .*index.*y\.loc\[X\.index\]"):
            estimate(KNeighborsClassifier(), shuffled, mixed, method="cv(k=5)", rng=0)
    with pytest.raises(UsageError, match="X and groups"):
        estimate("knn", shuffled, data.target.loc[shuffled.index], groups=data.target, method="cv(k=2)")
    with pytest.raises(UsageError, match="y and stratify"):
        estimate("knn", shuffled.to_numpy(), data.target[::-1], stratify=data.target, method="cv(k=2)")
    right = estimate("knn", shuffled, data.target.loc[shuffled.index], method="cv(k=5)", rng=0)
    assert right.value < 0.1
    # numbered again: by position, as an array would be
    renamed, y = shuffled.rename(lambda i: f"plant {i}"), data.target.loc[shuffled.index].reset_index(drop=True)
    assert estimate("knn", renamed, y, method="cv(k=5)", rng=0).value == right.value


@pytest.mark.parametrize("part", [slice(1), slice(-1), slice(0)])
def test_a_classifier_answers_every_case(part: slice) -> None:
    model = Scripted(lambda _, X: np.full(len(X), "yes")[part])
    assert_refused(r"answers? .* for \d+ cases", estimate, model, X, Y, method="cv(k=5)", rng=0)


class Short(KNN):
    """Nearest neighbors that lose cases."""

    def predict_resamples(self, sample: Sample, resamples: Any, rng: Any = None) -> np.ndarray:
        return super().predict_resamples(sample, resamples)[:1]


def test_an_inducer_answers_every_case() -> None:
    assert_refused("answered 1 of 24 tested cases", estimate, Short(), X, Y, method="loo", interval=None, rng=0)


def test_what_is_masked_is_missing() -> None:
    plain = estimate("naive-bayes", X, Y, method="cv(k=5)", rng=0)
    spoilt = X.copy()
    spoilt[5, 0] = 1e9
    mask = np.zeros(X.shape, dtype=bool)
    mask[5, 0] = True
    gap = np.where(mask, np.nan, X)
    masked = estimate("naive-bayes", np.ma.array(spoilt, mask=mask), Y, method="cv(k=5)", rng=0)
    missing = estimate("naive-bayes", gap, Y, method="cv(k=5)", rng=0)
    assert masked.value == missing.value
    assert (losses_of(masked)["y_pred"] == losses_of(missing)["y_pred"]).all()
    with pytest.raises(UsageError, match="column 1 lacks 1 value"):
        estimate(LogisticRegression(), np.ma.array(spoilt, mask=mask), Y, method="cv(k=5)", rng=0)
    whole = np.ma.array((10 * X).astype(int), mask=mask)
    assert_refused("column 1 lacks 1 value", estimate, LogisticRegression(), whole, Y, method="cv(k=5)", rng=0)
    untouched = estimate("naive-bayes", np.ma.array(X, mask=False), Y, method="cv(k=5)", rng=0)
    assert untouched.value == plain.value
    assert_refused("y lacks a label for 2 case", estimate, "knn", X, np.ma.array(Y, mask=np.arange(24) < 2), rng=0)
    with pytest.raises(UsageError, match="groups lack a value for 2 case"):
        estimate("knn", X, Y, groups=np.ma.array(np.arange(24), mask=np.arange(24) < 2), rng=0)


def test_encoding_that_nobody_needs_is_reported() -> None:
    report = estimate("naive-bayes", X, Y, method="cv(k=5)", encode=True, rng=0)
    assert beware(report, "encode changes nothing")
    assert not beware(estimate("naive-bayes", X, Y, method="cv(k=5)", rng=0), "encode")
    assert not beware(estimate(LogisticRegression(), X, Y, method="cv(k=5)", encode=True, rng=0), "encode")
    assert beware(compare("knn", "majority", X, Y, encode=True, rng=0), "encode changes nothing")
    assert not beware(compare("knn", LogisticRegression(), X, Y, encode=True, rng=0), "encode")
    assert_refused("nominal", estimate, "linear-discriminant", pd.DataFrame({"a": list("ab") * 12}), Y, encode=True)


def test_fit_may_return_nothing() -> None:
    same = [estimate(model, X, Y, method="cv(k=5)", rng=0).value for model in (FitsNothing(1), NN)]
    assert same[0] == same[1]


def test_a_constructor_that_raises_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(re.escape("cannot be made (RuntimeError: no licence found)"), named, f"{__name__}.Refuses(k=2)")
    assert_refused("no licence found", named, f"{__name__}:Refuses")
