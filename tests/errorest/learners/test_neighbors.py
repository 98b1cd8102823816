"""k nearest neighbours: batch against loop, against exact enumeration, against scikit-learn."""

import numpy as np
import pytest

from batteries import grid_sample, rows_of
from compendium.methods.conformance import every_scheme
from errorest.data.sample import Attribute, Sample
from errorest.learners import neighbors
from errorest.learners.neighbors import KNN
from errorest.resampling.draw import leave_one_out


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
    sample = grid_sample(k, 14, 2, 3)
    rule = KNN(k, ties, metric)
    for resamples in every_scheme(sample.n).values():
        labels = rule.predict_resamples(sample, resamples)
        for row in rows_of(resamples):
            training = [(sample.X[i].astype(int).tolist(), int(sample.y[i])) for i in row.trained]
            for case, label in zip(row.tested[::3], labels[row.at][::3], strict=True):
                assert label == vote_by_hand(training, sample.X[case].astype(int).tolist(), k, ties, metric)


def test_labels_do_not_depend_on_the_size_of_the_blocks(monkeypatch):
    sample = grid_sample(5, 23, 2, 3)
    for resamples in every_scheme(sample.n).values():
        whole = KNN(3).predict_resamples(sample, resamples)
        with monkeypatch.context() as patch:
            patch.setattr(neighbors, "_BLOCK_BYTES", 8 * sample.n * 5)
            np.testing.assert_array_equal(KNN(3).predict_resamples(sample, resamples), whole)


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


def test_shares_of_neighbours_by_hand():
    s = Sample.from_arrays([0.0, 1.0, 2.0, 10.0], ["a", "b", "b", "a"])
    assert KNN(3).fit(s).predict_proba([[0.0], [9.0]]).tolist() == [[1 / 3, 2 / 3], [1 / 3, 2 / 3]]
    assert KNN(1).predict_proba_resamples(s, leave_one_out(4)).tolist() == [[0, 1], [1, 0], [0, 1], [0, 1]]
