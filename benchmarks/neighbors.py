"""Nearest neighbours against a scikit-learn loop, and ID3's time a tree: ``python benchmarks/neighbors.py``.

The ratio is of two measurements of one run; k-NN aims at 300 times at least on 200 bootstrap samples of 36
cases.  Times are of the processor; every compiled function is called once before it is timed.
"""

from __future__ import annotations

import os

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from timing import seconds

from compendium.methods.learners.id3 import ID3
from compendium.studies.populations import intervals_of
from errorest.data.sample import Attribute, Sample
from errorest.data.sets import load
from errorest.learners.neighbors import KNN
from errorest.resampling.draw import bootstrap, leave_one_out
from errorest.resampling.multisets import Resamples

BOOTSTRAP_SAMPLES = 200
RECORDED_NOISE = 0.1
"""Of the three noises of the lens cases, the one whose time is recorded."""


def scikit_learn_loop(sample: Sample, resamples: Resamples, k: int) -> None:
    """Fit and predict row by row, as a user of scikit-learn would."""
    cases = np.arange(sample.n)
    counts = resamples.training_counts()
    for r in range(resamples.n_rows):
        training = np.repeat(cases, counts[r])
        tested = resamples.cases[resamples.start[r] : resamples.start[r + 1]]
        if tested.size:
            KNeighborsClassifier(k).fit(sample.X[training], sample.y[training]).predict(sample.X[tested])


def neighbours() -> list[tuple[str, float, str]]:
    """Compare the batch with the loop; print, and return microseconds a fit and ratios."""
    figures: list[tuple[str, float, str]] = []
    for n, d, k in ((36, 2, 1), (36, 2, 3), (100, 1, 3), (100, 10, 1)):
        rng = np.random.default_rng(n)
        sample = Sample.from_arrays(rng.normal(size=(n, d)), rng.integers(0, 2, n))
        resamples = bootstrap(n, BOOTSTRAP_SAMPLES, rng)
        batch = seconds(lambda s=sample, r=resamples, k=k: KNN(k).predict_resamples(s, r), 20)
        loop = seconds(lambda s=sample, r=resamples, k=k: scikit_learn_loop(s, r, k), 2)
        case = f"{k}-NN, n = {n}, d = {d}"
        print(
            f"  {case}, {BOOTSTRAP_SAMPLES} bootstrap samples: {1e3 * batch:7.3f} ms, scikit-learn's loop "
            f"{1e3 * loop:7.1f} ms, {loop / batch:6.0f} times"
        )
        figures += [
            (f"{case}, microseconds a bootstrap fit with its tests", 1e6 * batch / BOOTSTRAP_SAMPLES, "us"),
            (f"{case}: ratio to the scikit-learn loop", loop / batch, "times"),
        ]
    rng = np.random.default_rng(0)
    sample = Sample.from_arrays(rng.normal(size=100), rng.integers(0, 2, 100))
    made = 1e6 * seconds(lambda: intervals_of(KNN(3).fit(sample)), 200)
    print(f"  interval classifier, n = 100, k = 3: {made:.1f} us")
    return [*figures, ("interval classifier of 3-NN, n = 100, d = 1, microseconds to make it", made, "us")]


def trees() -> list[tuple[str, float, str]]:
    """Time a tree of a bootstrap sample of 96 lens cases, with and without noise, and of large data."""
    figures: list[tuple[str, float, str]] = []
    base = load("contact-lenses")
    rng = np.random.default_rng(0)
    drawn = base.take(rng.integers(0, base.n, 96))
    resamples = bootstrap(96, 2000, rng)
    for noise in (0.0, 0.1, 0.25):
        y = np.where(rng.random(96) < noise, (drawn.y + 1) % 3, drawn.y)
        sample = Sample(drawn.X, y, drawn.attributes, drawn.classes)
        taken = seconds(lambda s=sample: ID3().predict_resamples(s, resamples), 20) / resamples.n_rows
        nodes = ID3().fit(sample).n_nodes
        print(f"  ID3, lenses, N = 96, noise {noise:.2f} ({nodes} nodes): {1e6 * taken:5.2f} us a tree with its tests")
        if noise == RECORDED_NOISE:
            figures.append(
                (f"ID3, 96 lens cases, noise {noise:.2f}, microseconds a tree with its tests", 1e6 * taken, "us")
            )
    print(f"  ID3, one fit of 96 lens cases: {1e6 * seconds(lambda: ID3().fit(drawn), 200):.0f} us")
    arities = [2, 3, 4, 6, 9, 12] * 4
    X = np.column_stack([rng.integers(0, a, 8000) for a in arities])
    attributes = [Attribute(f"a{j}", "nominal", tuple(map(str, range(a)))) for j, a in enumerate(arities)]
    large = Sample.from_arrays(X, (X[:, 1] + X[:, 2] + (rng.random(8000) < 0.05)) % 2, attributes=attributes)
    few = bootstrap(8000, 10, rng)
    taken = seconds(lambda: ID3().predict_resamples(large, few), 1) / few.n_rows
    print(f"  ID3, 8,000 cases of 24 attributes: {1e3 * taken:.1f} ms a tree")
    rows = leave_one_out(96)
    whole = 1e3 * seconds(lambda: ID3().predict_resamples(drawn, rows), 50)
    print(f"  ID3, leave-one-out of 96 lens cases: {whole:.2f} ms")
    return [
        *figures,
        ("ID3, 8,000 cases of 24 attributes, milliseconds a tree with its tests", 1e3 * taken, "ms"),
        ("ID3, leave-one-out of 96 lens cases, all its trees", whole, "ms"),
    ]


def main() -> list[tuple[str, float, str]]:
    """Measure and print both; returns (quantity, value, unit) for each figure to be recorded."""
    return neighbours() + trees()


if __name__ == "__main__":
    main()
