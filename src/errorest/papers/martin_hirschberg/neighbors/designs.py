"""Section 5's experiments on nearest neighbours: what is drawn and what is measured.

Kept apart from the figures that are made of it, so that a word changed there leaves
finished studies valid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from errorest.data.sample import Sample
from errorest.estimation.estimators import parse_estimator
from errorest.estimation.run import Scheme, draw_schemes, predict_schemes
from errorest.experiment.populations import TwoNormals
from errorest.inducers.classifiers import IntervalClassifier
from errorest.inducers.neighbors import KNN, interval_classifier
from errorest.papers.martin_hirschberg.designs import library_id
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = [
    "ESTIMATORS",
    "apparent_error",
    "cuts_of_tree",
    "measure_neighbors",
    "measure_shapes",
    "neighbors_study",
    "shapes_study",
    "splits_alike",
]

ESTIMATORS = ("resubstitution", "cv-10", "loo", "bootstrap-632", "loo-star")
"""Section 5's estimators, by the ids of Table 4."""

# scikit-learn keeps attributes in single precision
_SINGLE = 1e-5


def measure_neighbors(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Draw samples of one cell and estimate the error of their k-nearest-neighbour classifiers.

    Every k sees the same samples and resamples.  Returns columns ``k=<k>/true-error`` and
    ``k=<k>/<estimator>``, proportions; the true error is exact, from the classifier's cut-points.
    """
    population = TwoNormals.of_inherent_error(cell["inherent_error"])
    estimators = {e: parse_estimator(i) for e, i in cell["estimators"].items()}
    schemes: list[Scheme] = list(dict.fromkeys(s for e in estimators.values() for s in e.schemes))
    out = {f"k={k}/{c}": np.empty(len(replicates)) for k in cell["neighbors"] for c in ("true-error", *estimators)}
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        sample = population.sample(cell["n"], place.generator("sample"))
        drawn = draw_schemes(sample, schemes, place)
        for k in cell["neighbors"]:
            out[f"k={k}/true-error"][i] = population.true_error(interval_classifier(sample, k))
            outcomes = predict_schemes(sample, KNN(k), drawn, place)
            for name, estimator in estimators.items():
                out[f"k={k}/{name}"][i] = estimator.reduce(sample, outcomes)
    return out


def neighbors_study(
    sizes: list[int],
    inherent_errors: list[float],
    samples: int,
    neighbors: list[int],
    cv_repeats: int,
    bootstrap_replicates: int,
    seed: int,
) -> Study:
    """Make the study of Figure 9; samples depend on size, inherent error and seed alone."""
    ids = {e: library_id(e, cv_repeats, bootstrap_replicates) for e in ESTIMATORS}
    cells = [
        {"n": n, "inherent_error": e, "neighbors": list(neighbors), "estimators": ids}
        for n in sizes
        for e in inherent_errors
    ]
    return Study(
        "martin-hirschberg-neighbors",
        cells,
        samples,
        measure_neighbors,
        seed=seed,
        seed_keys=("n", "inherent_error"),
        cost=lambda cell: 1.0 + cell["n"] / 30,
    )


def apparent_error(classifier: IntervalClassifier, sample: Sample) -> float:
    """Share of a sample that a classifier gets wrong.

    Examples
    --------
    >>> s = Sample.from_arrays([0.0, 1.0, 2.0], ["a", "b", "a"])
    >>> apparent_error(interval_classifier(s, 1), s), round(apparent_error(interval_classifier(s, 3), s), 3)
    (0.0, 0.333)
    """
    return float((classifier.predict(sample.X) != sample.y).mean())


def splits_alike(classifier: IntervalClassifier, sample: Sample) -> bool:
    """Say whether two adjacent cases of one class get different predictions.

    Examples
    --------
    >>> s = Sample.from_arrays([0.0, 1.0, 2.0, 3.0, 10.0], ["a", "a", "a", "b", "b"])
    >>> splits_alike(interval_classifier(s, 1), s), splits_alike(interval_classifier(s, 3), s)
    (False, True)
    """
    row = np.argsort(sample.X[:, 0], kind="stable")
    y, labels = sample.y[row], classifier.predict(sample.X[row])
    return bool(((y[1:] == y[:-1]) & (labels[1:] != labels[:-1])).any())


def cuts_of_tree(sample: Sample) -> np.ndarray:
    """Cut-points, ascending, of a binary tree grown until its leaves are pure (Gini, midpoints).

    Examples
    --------
    >>> cuts_of_tree(Sample.from_arrays([0.0, 1.0, 4.0], ["a", "a", "b"])).tolist()
    [2.5]
    """
    tree = DecisionTreeClassifier(random_state=0).fit(sample.X, sample.y).tree_
    return np.sort(tree.threshold[tree.feature >= 0])


def measure_shapes(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Draw samples and look at what their classifiers are like.

    Returns columns ``k=<k>/...``: ``cut-points``, ``true-error`` and ``apparent-error``
    (proportions), ``splits-alike`` and ``as-tree`` (0 or 1: the cut-points are those of a
    tree grown until its leaves are pure).
    """
    population = TwoNormals.of_inherent_error(cell["inherent_error"])
    names = ("cut-points", "true-error", "apparent-error", "splits-alike", "as-tree")
    out = {f"k={k}/{c}": np.empty(len(replicates)) for k in cell["neighbors"] for c in names}
    for i, replicate in enumerate(replicates):
        sample = population.sample(cell["n"], streams.child(replicate).generator("sample"))
        grown = cuts_of_tree(sample)
        for k in cell["neighbors"]:
            classifier = interval_classifier(sample, k)
            cuts = np.array(classifier.cuts)
            same = cuts.shape == grown.shape and bool(np.allclose(cuts, grown, rtol=_SINGLE, atol=_SINGLE))
            values = (
                cuts.size,
                population.true_error(classifier),
                apparent_error(classifier, sample),
                splits_alike(classifier, sample),
                same,
            )
            for name, value in zip(names, values, strict=True):
                out[f"k={k}/{name}"][i] = value
    return out


def shapes_study(n: int, inherent_error: float, samples: int, neighbors: list[int], seed: int) -> Study:
    """Make the study behind the remarks on Figure 8."""
    cell = {"n": n, "inherent_error": inherent_error, "neighbors": list(neighbors)}
    return Study(
        "martin-hirschberg-neighbor-shapes",
        [cell],
        samples,
        measure_shapes,
        seed=seed,
        seed_keys=("n", "inherent_error"),
        cost=lambda _: 0.5,
    )
