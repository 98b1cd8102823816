"""C4.5 as an inducer: batch against loop, weights, missing values, pruning, text, layout, mistakes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from errorest.data.sample import Attribute, Sample
from errorest.data.sets import load
from errorest.inducers.c45 import C45, C45Tree
from errorest.inducers.c45.prune import added_errors
from errorest.resampling.draw import bootstrap, k_fold

Z = 0.6744897501960817  # normal quantile of .75


def part_of(name: str, n: int, seed: int) -> Sample:
    sample = load(name)
    return sample.take(np.random.default_rng(seed).choice(sample.n, n, replace=False))


def nominal(*columns: str) -> tuple[np.ndarray, tuple[Attribute, ...]]:
    """Make nominal attributes of strings, one character a case; ``?`` is missing."""
    X, attributes = [], []
    for j, column in enumerate(columns):
        values = sorted(set(column) - {"?"})
        X.append([values.index(v) if v != "?" else np.nan for v in column])
        attributes.append(Attribute(f"n{j + 1}", "nominal", tuple(values)))
    return np.array(X, dtype=float).T, tuple(attributes)


def same_tree(a: C45Tree, b: C45Tree) -> bool:
    return a.nodes.tobytes() == b.nodes.tobytes() and a.counts.tobytes() == b.counts.tobytes()


def test_batch_rows_do_not_depend_on_the_rows_before_them() -> None:
    sample = part_of("hypothyroid", 80, seed=6)
    resamples = bootstrap(sample.n, 6, np.random.default_rng(7), test="all")
    labels = C45().predict_resamples(sample, resamples).reshape(6, -1)
    for r, counts in enumerate(resamples.training_counts()):
        assert (C45().fit(sample, weights=counts).predict(sample.X) == labels[r]).all()


@pytest.mark.parametrize("name", ["hypothyroid", "soybean-large", "vehicle", "breast-cancer"])
def test_integer_weights_give_the_tree_of_repeated_rows_to_the_last_bit(name: str) -> None:
    sample = part_of(name, 120, seed=8)
    for counts in bootstrap(sample.n, 8, np.random.default_rng(9)).training_counts():
        repeated = sample.take(np.repeat(np.arange(sample.n), counts))
        assert same_tree(C45().fit(sample, weights=counts), C45().fit(repeated))


def test_the_order_of_the_cases_does_not_matter() -> None:
    sample = part_of("hypothyroid", 150, seed=10)
    shuffled = sample.take(np.random.default_rng(11).permutation(sample.n))
    assert same_tree(C45().fit(sample), C45().fit(shuffled))


def test_a_tree_of_many_nodes_holds_every_case_in_one_leaf() -> None:
    rng = np.random.default_rng(12)
    sample = Sample.from_arrays(rng.normal(size=(1500, 3)), rng.integers(0, 2, 1500))
    tree = C45(release=7, min_cases=1, prune=False).fit(sample)
    leaves = tree.nodes["attribute"] < 0
    assert tree.n_nodes > 512
    assert tree.counts[leaves].sum() == 1500
    assert (tree.predict(sample.X) == sample.y).all()


@pytest.mark.parametrize("release", [7, 8])
def test_training_sets_without_a_useful_test_give_one_leaf(release: int) -> None:
    inducer = C45(release=release)  # type: ignore[arg-type]
    unknown = Sample.from_arrays(np.full((6, 2), np.nan), [0, 1, 1, 0, 1, 1])
    constant = Sample.from_arrays(np.ones((6, 2)), [0, 1, 1, 0, 1, 1])
    one_class = Sample.from_arrays(np.arange(6.0), np.zeros(6, dtype=int), classes=("a", "b"))
    single = Sample.from_arrays([1.0], ["a"])
    bare = Sample.from_arrays(np.empty((3, 0)), ["a", "b", "b"])
    for sample, label in ((unknown, 1), (constant, 1), (one_class, 0), (single, 0), (bare, 1)):
        tree = inducer.fit(sample)
        assert (tree.n_nodes, tree.n_leaves, tree.depth) == (1, 1, 0)
        assert (tree.predict(sample.X) == label).all()


def test_a_threshold_is_the_largest_training_value_not_above_the_midpoint() -> None:
    # the cut between 1 and 5 is made below n1 = b; the value 2.5 is known only from the other branch
    X, kinds = nominal("aaaabbbbbb")
    numbers = np.array([2.5, 3.5, 2.5, 9.0, 1.0, 1.0, 1.0, 5.0, 5.0, 5.0])
    y = [2, 2, 2, 2, 0, 0, 0, 1, 1, 1]
    sample = Sample.from_arrays(
        np.column_stack([X, numbers]), y, attributes=(*kinds, Attribute("x")), classes=("p", "q", "r")
    )
    tree = C45().fit(sample)
    assert tree.to_text() == "n1 = a: r (4)\nn1 = b:\n|   x <= 2.5: p (3)\n|   x > 2.5: q (3)"


def test_a_weight_of_zero_leaves_a_value_out_of_the_thresholds() -> None:
    sample = Sample.from_arrays([1.0, 1.0, 1.5, 3.0, 3.0], ["a", "a", "a", "b", "b"])
    assert C45().fit(sample).nodes["threshold"][0] == 1.5
    assert C45().fit(sample, weights=np.array([1, 1, 0, 1, 1])).nodes["threshold"][0] == 1.0


def test_release_8_pays_for_the_choice_of_a_threshold() -> None:
    # the best of 7 cuts gains less than log2(7)/10 bits
    sample = Sample.from_arrays(np.arange(10.0), [0, 1, 0, 1, 0, 1, 0, 0, 1, 1])
    assert C45(release=8, prune=False).fit(sample).n_nodes == 1
    assert C45(release=7, prune=False).fit(sample).n_nodes > 1


def test_an_attribute_below_average_gain_does_not_compete() -> None:
    # n1 is pure where it is b but rare: the best gain ratio, a gain below the average
    first = "bb" + "a" * 18
    second = "x" * 8 + "y" * 9 + "xyx"
    X, kinds = nominal(first, second)
    y = np.array([0] * 10 + [1] * 10)
    sample = Sample.from_arrays(X, y, attributes=kinds, classes=("p", "q"))
    assert C45(prune=False).fit(sample).nodes["attribute"][0] == 1


def test_missing_values_are_weighed_by_hand() -> None:
    # n1: 3 a, 2 b, one missing of class 1, which is 3/5 in a and 2/5 in b
    X, kinds = nominal("aaabb?")
    sample = Sample.from_arrays(X, [0, 0, 0, 1, 1, 1], attributes=kinds, classes=("p", "q"))
    tree = C45(prune=False).fit(sample)
    assert tree.counts[1:].tolist() == [[3.0, 0.6], [0.0, 2.4]]
    assert tree.to_text() == "n1 = a: p (3.6/0.6)\nn1 = b: q (2.4)"
    missing = tree.predict_proba([[np.nan]])[0]
    assert missing == pytest.approx([0.6 * 3 / 3.6, 0.6 * 0.6 / 3.6 + 0.4])
    assert tree.predict([[np.nan], [0.0], [1.0]]).tolist() == [0, 0, 1]


def test_a_number_that_is_no_category_counts_as_missing() -> None:
    X, kinds = nominal("aaabb?")
    tree = C45(prune=False).fit(Sample.from_arrays(X, [0, 0, 0, 1, 1, 1], attributes=kinds, classes=("p", "q")))
    for strange in (-1.0, 2.0, 0.5, 1e300):
        assert tree.predict_proba([[strange]]).tolist() == tree.predict_proba([[np.nan]]).tolist()


def test_a_category_without_training_cases_gets_the_majority_of_its_node() -> None:
    kinds = (Attribute("n1", "nominal", ("a", "b", "never")),)
    sample = Sample.from_arrays([0.0, 0, 0, 1, 1], [0, 0, 0, 1, 1], attributes=kinds, classes=("p", "q"))
    tree = C45().fit(sample)
    assert (tree.n_nodes, tree.n_leaves) == (4, 3)
    assert tree.to_text().splitlines()[-1] == "n1 = never: p (0)"
    assert tree.predict_proba([[2.0]]).tolist() == [[0.6, 0.4]]


@pytest.mark.parametrize(("n", "rate"), [(6, 0.206), (9, 0.143), (1, 0.750)])
def test_errors_added_to_a_pure_leaf_are_those_printed_by_quinlan(n: int, rate: float) -> None:
    # Quinlan 1993, chapter 4: U25%(0, 6), U25%(0, 9), U25%(0, 1)
    assert added_errors(float(n), 0.0, 0.25, Z) / n == pytest.approx(rate, abs=5e-4)


def test_errors_added_are_near_the_binomial_limit_and_grow_steadily() -> None:
    # U25%(1, 16) = .157 in the book; the approximation with continuity is a little above it
    assert (1.0 + added_errors(16.0, 1.0, 0.25, Z)) / 16 == pytest.approx(0.157, abs=0.005)
    upper = [e + added_errors(16.0, e, 0.25, Z) for e in np.linspace(0, 16, 161)]
    assert all(a < b + 1e-12 for a, b in pairwise(upper))
    assert (upper[-1], added_errors(1.5, 1.2, 0.25, Z)) == (16.0, pytest.approx(0.3))


def test_quinlans_vote_subtree_is_pruned_to_a_leaf() -> None:
    # Quinlan 1993, chapter 4: branches of 6, 9 and 1 cases are estimated to make more errors than a leaf of 16
    X, kinds = nominal("n" * 6 + "y" * 9 + "u")
    sample = Sample.from_arrays(X, [0] * 15 + [1], attributes=kinds, classes=("democrat", "republican"))
    assert (C45(prune=False).fit(sample).n_leaves, C45().fit(sample).to_text()) == (3, "democrat (16/1)")


def test_less_confidence_never_gives_a_larger_tree_here() -> None:
    sample = part_of("vehicle", 300, seed=13)
    sizes = [C45(confidence=c, subtree_raising=False).fit(sample).n_nodes for c in (0.001, 0.05, 0.25, 0.5)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1] <= C45(prune=False).fit(sample).n_nodes


def test_subtree_raising_changes_some_trees() -> None:
    sample = load("vehicle")
    folds = k_fold(sample.n, 10, np.random.default_rng(14))
    raised = [C45().fit(sample, weights=c).n_nodes for c in folds.training_counts()]
    replaced = [C45(subtree_raising=False).fit(sample, weights=c).n_nodes for c in folds.training_counts()]
    assert raised != replaced


def test_the_text_is_that_of_c45() -> None:
    text = C45().fit(load("iris")).to_text().splitlines()
    assert (text[0], text[1]) == ("petalwidth <= 0.6: Iris-setosa (50)", "petalwidth > 0.6:")
    assert all(line.startswith("|   ") for line in text[2:])
    assert sum("(" in line for line in text) == C45().fit(load("iris")).n_leaves
