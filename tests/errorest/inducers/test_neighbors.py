"""k nearest neighbours: batch against loop, against exact enumeration, against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from errorest.conformance.inducers import every_scheme
from errorest.data.sample import Attribute, Sample
from errorest.inducers import neighbors
from errorest.inducers.neighbors import KNN
from errorest.resampling.draw import bootstrap


def grid_sample(seed: int, n: int = 14, d: int = 2, classes: int = 3) -> Sample:
    """Whole numbers from a small grid: many equal distances, many equal cases."""
    rng = np.random.default_rng(seed)
    return Sample.from_arrays(
        rng.integers(0, 4, (n, d)), rng.integers(0, classes, n), classes=[f"c{i}" for i in range(classes)]
    )


def real_sample(seed: int, n: int = 40, d: int = 3, classes: int = 2) -> Sample:
    rng = np.random.default_rng(seed)
    return Sample.from_arrays(rng.normal(size=(n, d)), rng.integers(0, classes, n))


def vote_by_hand(training: list[tuple[list[int], int]], case: list[int], k: int, ties: str, metric: str) -> int:
    """Sort the training list by whole-number distance and position, and count."""

    def distance(row: list[int]) -> int:
        pairs = zip(row, case, strict=True)
        return sum(a != b for a, b in pairs) if metric == "hamming" else sum((a - b) ** 2 for a, b in pairs)

    ranked = sorted(range(len(training)), key=lambda i: (distance(training[i][0]), i))[:k]
    near = [training[i][1] for i in ranked]
    most = max(near.count(c) for c in near)
    tied = [c for c in near if near.count(c) == most]
    return min(tied) if ties == "lowest-class" else tied[0]


@pytest.mark.parametrize("metric", ["euclidean", "hamming", "mixed"])
@pytest.mark.parametrize("ties", ["nearest", "lowest-class"])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_labels_follow_the_stated_tie_rules_where_distances_are_whole_numbers(k, ties, metric):
    sample = grid_sample(k)
    rule = KNN(k, ties, metric)
    for resamples in every_scheme(sample.n).values():
        labels = rule.predict_resamples(sample, resamples)
        counts = resamples.training_counts()
        row = resamples.row_of_test()
        for t in range(0, labels.size, 3):
            training = [
                (sample.X[i].astype(int).tolist(), int(sample.y[i]))
                for i in np.repeat(np.arange(sample.n), counts[row[t]])
            ]
            case = sample.X[resamples.cases[t]].astype(int).tolist()
            assert labels[t] == vote_by_hand(training, case, k, ties, metric)


def test_labels_do_not_depend_on_the_size_of_the_blocks(monkeypatch):
    sample = grid_sample(5, n=23)
    for resamples in every_scheme(sample.n).values():
        whole = KNN(3).predict_resamples(sample, resamples)
        with monkeypatch.context() as patch:
            patch.setattr(neighbors, "_BLOCK_BYTES", 8 * sample.n * 5)
            np.testing.assert_array_equal(KNN(3).predict_resamples(sample, resamples), whole)


@pytest.mark.parametrize(("k", "classes"), [(1, 2), (3, 2), (7, 2), (1, 4)])
def test_labels_are_those_of_scikit_learn_where_nothing_ties(k, classes):
    sample = real_sample(k, n=60, d=4, classes=classes)
    resamples = bootstrap(sample.n, 20, np.random.default_rng(k))
    labels = KNN(k).predict_resamples(sample, resamples)
    for r in range(resamples.n_rows):
        training = np.repeat(np.arange(sample.n), resamples.training_counts(r, r + 1)[0])
        tested = slice(resamples.start[r], resamples.start[r + 1])
        model = KNeighborsClassifier(k, algorithm="brute").fit(sample.X[training], sample.y[training])
        np.testing.assert_array_equal(labels[tested], model.predict(sample.X[resamples.cases[tested]]))


@pytest.mark.parametrize(("first", "label"), [("a", 0), ("b", 1)])
def test_decimals_at_equal_distance_tie_although_their_floats_differ(first, label):
    assert 0.2 - 0.1 != 0.3 - 0.2
    sample = Sample.from_arrays([0.1, 0.3], ["a", "b"] if first == "a" else ["b", "a"])
    assert KNN().fit(sample).predict([[0.2]]).tolist() == [label]


def test_categories_that_differ_are_at_distance_one_by_the_mixed_metric():
    colour = Attribute("colour", "nominal", ("red", "blue"))
    sample = Sample.from_arrays([[0.0, 0], [0.4, 1], [3.0, 1]], ["a", "b", "b"], attributes=[Attribute("x"), colour])
    cases = [[0.6, 0], [0.8, 0], [0.6, 1], [2.0, 1]]
    assert KNN(metric="mixed").fit(sample).predict(cases).tolist() == [0, 0, 1, 1]


def test_cases_are_listed_by_distance_and_equal_ones_by_number_however_many_they_are(monkeypatch):
    keys = np.random.default_rng(5).integers(0, 1 << 51, size=(4, 300)) // (1 << 46)
    expected = np.argsort(keys, axis=1, kind="stable")
    assert (neighbors.order_of(keys) == expected).all()
    monkeypatch.setattr(neighbors, "_DROPPED_BITS", 8)
    assert (neighbors.order_of(keys) == expected).all()
