"""The permutation test of scores: enumeration by brute force, a case by hand, what is left out, told and refused."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from errorest import estimate, permutation_test
from errorest.cli.main import main
from errorest.errors import UsageError
from errorest.inducers import KNN

RAW_1NN = "knn(k=1, standardize=none)"

RNG = np.random.default_rng(11)
Y = np.repeat([0, 1], 12)
X = RNG.normal(size=(24, 2)) + 1.2 * Y[:, None]
SEVEN = np.array([0.0, 1.0, 2.5, 3.1, 4.7, 6.0, 7.9])


def shares_of_three_nearest(values: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The share of ones among the three other cases nearest to each."""
    messages = []
    for i in range(y.size):
        others = sorted((abs(values[i] - values[j]), j) for j in range(y.size) if j != i)
        messages.append(sum(y[j] for _, j in others[:3]) / 3)
    return np.array(messages)


def brier(y: np.ndarray, p: np.ndarray) -> float:
    return sum((q - c) ** 2 for q, c in zip(p, y, strict=True)) / y.size


def area(y: np.ndarray, p: np.ndarray) -> float:
    pairs = [(p[i] > p[j]) + 0.5 * (p[i] == p[j]) for i in range(y.size) for j in range(y.size) if y[i] > y[j]]
    return float(np.mean(pairs))


@pytest.mark.parametrize(
    ("score", "value", "as_good"),
    [("brier", brier, lambda c, own: c <= own + 1e-9), ("auc", area, lambda c, own: c >= own - 1e-9)],
)
@pytest.mark.parametrize("classifier", ["knn(k=3)", KNeighborsClassifier(3)])
def test_the_exact_p_value_of_a_score_is_that_of_brute_force(
    score: str, value: Callable[..., float], as_good: Callable[..., np.ndarray], classifier: Any
) -> None:
    y = np.array([0, 0, 1, 0, 1, 1, 1])
    result = permutation_test(classifier, SEVEN[:, None], y, scoring=score, method="loo", rng=0)
    every = [np.array(a) for a in sorted(set(itertools.permutations(y.tolist())))]
    chance = np.array([value(a, shares_of_three_nearest(SEVEN, a)) for a in every])
    own = value(y, shares_of_three_nearest(SEVEN, y))
    assert result.exact
    assert result.permutations == 35
    assert result.estimate == pytest.approx(own, abs=1e-12)
    assert np.sort(result.chance) == pytest.approx(np.sort(chance), abs=1e-12)
    assert result.as_good == as_good(chance, own).sum()
    assert 0 < result.p_value == result.as_good / 35 < 1


def test_four_cases_by_hand() -> None:
    """Each case's nearest is its partner: labels aabb and bbaa are all right, the other four of six all wrong."""
    values, y = np.array([[0.0], [1.0], [10.0], [11.0]]), ["a", "a", "b", "b"]
    for score, best, worst in (("brier", 0.0, 1.0), ("auc", 1.0, 0.0), ("mcc", 1.0, -1.0), ("sensitivity", 1.0, 0.0)):
        result = permutation_test(RAW_1NN, values, y, scoring=score, method="loo", rng=0)
        assert result.estimate == best
        assert sorted(result.chance.tolist()) == sorted([best] * 2 + [worst] * 4)
        assert result.p_value == 2 / 6
        # labels that are all wrong are no better than any others
        wrong = permutation_test(RAW_1NN, values, ["a", "b", "a", "b"], scoring=score, method="loo", rng=0)
        assert (wrong.estimate, wrong.p_value, wrong.as_good) == (worst, 1.0, 6)


@pytest.mark.parametrize(
    ("score", "estimator"),
    [
        ("brier", "632+(replicates=25)"),
        ("log-loss", "cv(k=3)"),
        ("auc", "cv(k=3, stratified=True, weights=folds)"),
        ("f1", "cv(k=4, stratified=True)"),
    ],
)
@pytest.mark.parametrize("classifier", ["naive-bayes", "linear-discriminant", "knn"])
def test_every_arrangement_has_the_score_that_is_estimated_of_it_alone(
    classifier: str, score: str, estimator: str
) -> None:
    values, y = X[6:15], Y[6:15]
    options: dict[str, Any] = {"scoring": score, "method": estimator, "rng": 3}
    result = permutation_test(classifier, values, y, **options)
    each = np.array(
        [
            estimate(classifier, values, list(a), interval=None, **options).estimate
            for a in sorted(set(itertools.permutations(y.tolist())))[::9]
        ]
    )
    assert result.chance[::9].tolist() == pytest.approx(each[~np.isnan(each)].tolist(), abs=1e-12)
    assert result.estimate == estimate(classifier, values, y, interval=None, **options).estimate


def test_the_nearest_neighbour_is_certain_and_detected_once_ties_and_all() -> None:
    class Slow(KNN):
        """The same rule, which the short way does not know."""

    coarse = np.round(X)
    for score in ("brier", "auc", "mcc", "specificity(threshold=0.5)"):
        options: dict[str, Any] = {"scoring": score, "method": "632+(replicates=20, per=replicate)", "rng": 1}
        fast, slow = (permutation_test(rule, coarse, Y, n_permutations=20, **options) for rule in (KNN(1), Slow(1)))
        assert fast.chance.tolist() == slow.chance.tolist()
        assert np.unique(fast.chance).size > 5


def test_arrangements_without_a_score_are_left_out_and_counted() -> None:
    # two of six cases are tested: 8 of 20 arrangements give both one class, and have no AUC
    values, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 1, 1, 0])
    options: dict[str, Any] = {"scoring": "auc", "method": "holdout(test=1/3)"}
    seeds: dict[bool, int] = {}
    for seed in range(20):
        report = estimate(RAW_1NN, values, y, rng=seed, interval=None, **options).estimate
        seeds.setdefault(bool(np.isnan(report)), seed)
    result = permutation_test(RAW_1NN, values, y, rng=seeds[False], **options)
    assert (result.permutations, result.undefined, result.exact) == (12, 8, True)
    assert result.p_value == np.mean(result.chance >= result.estimate)
    assert not np.isnan(result.chance).any()
    assert dict(result.lines())["left out"] == "8 of 20 arrangements, which have no area under the ROC curve"
    assert result.to_dict()["undefined"] == 8
    assert result.n_fits == 21
    sampled = permutation_test(RAW_1NN, values, y, rng=seeds[False], n_permutations=19, **options)
    assert sampled.undefined > 0
    assert sampled.p_value == (1 + sampled.as_good) / (1 + sampled.permutations)
    with pytest.raises(UsageError, match="undefined on the labels as they are"):
        permutation_test(RAW_1NN, values, y, rng=seeds[True], **options)


def test_groups_strata_splitters_and_the_positive_class() -> None:
    groups = np.arange(24) // 3
    whole = permutation_test(
        "naive-bayes", X, Y, scoring="auc", groups=groups, method="cv(k=4)", n_permutations=30, rng=1
    )
    assert whole.permuted == "labels of whole groups"
    layers = np.arange(24) % 2
    within = permutation_test("knn", X, Y, scoring="brier", stratify=layers, method="cv(k=4)", n_permutations=30, rng=1)
    assert within.permuted == "labels within strata"
    split = StratifiedKFold(4, shuffle=True, random_state=0)
    result = permutation_test("naive-bayes", X, Y, scoring="auc", method=split, n_permutations=30, rng=1)
    assert result.estimate == estimate("naive-bayes", X, Y, scoring="auc", method=split, rng=1).estimate
    assert result.p_value <= 0.1
    three = np.array(["a", "b", "c"])[np.arange(24) % 3]
    one = permutation_test("knn", X, three, scoring="sensitivity", pos_label="b", n_permutations=10, rng=1)
    assert one.pos_label == "b"
    assert one.baseline is None
    assert permutation_test("knn", X, three, scoring="mcc", n_permutations=10, rng=1).pos_label == ""


def test_it_tells_the_score_by_name_and_in_its_unit() -> None:
    result = permutation_test("naive-bayes", X, Y, scoring="auc", n_permutations=99, rng=2)
    lines = dict(result.lines())
    assert lines["area under the ROC curve"] == f"{result.estimate:.4g}"
    assert lines["score"] == "auc of 1"
    assert lines["held against"] == "a random ranking: 0.5"
    assert lines["estimator"] == "cv(k=5, stratified=True, weights=folds)"
    assert "%" not in lines["by chance"].replace("95 % in", "")
    report = result.to_dict()
    assert (report["score"], report["greater_is_better"], report["pos_label"], report["loss"]) == (
        "auc",
        True,
        "1",
        None,
    )
    assert report["baseline"] == {"value": 0.5, "name": "a random ranking"}
    assert report["constant"] is None
    sampled = result.drawn()
    assert sampled.figure.axes[0].get_xlabel() == "Area under the ROC curve"
    assert "under which the area under the ROC curve is no smaller than at hand" in sampled.caption
    assert "error" not in sampled.alt
    low = permutation_test("naive-bayes", X, Y, scoring="brier", n_permutations=20, rng=2)
    assert "the Brier score is no larger than at hand" in low.drawn().caption
    assert low.baseline == 0.25
    plain = permutation_test("naive-bayes", X, Y, n_permutations=20, rng=2)
    assert dict(plain.lines())["one class"] == "always '0': 50.0 %"
    assert plain.to_dict()["constant"] == {"class": "0", "error": 0.5}


@pytest.mark.parametrize(
    ("classifier", "more", "message"),
    [
        ("knn", {"scoring": "acu"}, "did you mean 'auc'"),
        ("knn", {"scoring": 3}, "costs or one of brier"),
        ("knn", {"pos_label": 1}, "scoring is no score of one class"),
        ("knn", {"scoring": "auc", "pos_label": "maybe"}, "pos_label = 'maybe' was given"),
        ("knn", {"scoring": "calibration-slope"}, "a constant forecast of the class shares is calibrated"),
        ("knn", {"scoring": "calibration-intercept"}, "take brier"),
        ("knn", {"scoring": "auc", "method": "632+"}, "per=replicate"),
        ("knn", {"scoring": "brier", "method": "bs(replicates=3, cloned=True)"}, "without clones"),
        ("knn", {"scoring": "auc", "stratify": "class"}, "no label can change places"),
        ("knn", {"scoring": "auc", "method": "cv(k=30)"}, "30"),
        ("svm", {"scoring": "auc"}, "tells labels alone"),
        (SVC(), {"scoring": "brier"}, "has no predict_proba"),
    ],
)
def test_what_cannot_be_tested_is_refused_in_one_line(classifier: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as report:
        permutation_test(classifier, X, Y, **{"n_permutations": 5, "rng": 0, **more})
    assert "\n" not in str(report.value)


def test_probabilities_that_are_none_stop_the_test() -> None:
    class Strange(KNeighborsClassifier):
        def predict_proba(self, X: Any) -> np.ndarray:
            return np.full((len(X), 2), 0.7)

    with pytest.raises(UsageError, match="that are no probabilities"):
        permutation_test(Strange(3), X, Y, scoring="auc", n_permutations=5, rng=0)


def test_the_command_takes_a_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "data.csv", tmp_path / "page.html"
    file.write_text("x,y,class\n" + "".join(f"{a:.3f},{b:.3f},c{k}\n" for (a, b), k in zip(X, Y, strict=True)))
    command = ["chance", str(file), "--scoring", "auc", "--n-permutations", "40"]
    assert main([*command, "--pos-label", "c0", "--json", "--html", str(page)]) == 0
    out = capsys.readouterr()
    report = json.loads(out.out)
    assert (report["score"], report["pos_label"], report["fits"]) == ("auc", "c0", 41 * 5)
    assert "cost: 205 fits" in out.err
    text = page.read_text()
    assert "On the labels as they are its area under the ROC curve is" in text
    assert "it errs" not in text
    for more, words in (
        (["--pos-label", "c7"], "pos_label = 'c7' was given"),
        (["--scoring", "acu"], "did you mean 'auc'"),
    ):
        assert main([*command, *more]) == 2
        assert words in capsys.readouterr().err
