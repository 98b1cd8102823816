"""Microseconds a clone and a refit, at the sizes of the paper's experiments, on one core.

Beside them a plain loop of scikit-learn's KernelDensity, in the same run: it draws clones of
the same sizes from a Gaussian kernel density of each class, without whitening, bounds,
integer or nominal attributes.
"""

from __future__ import annotations

import os

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import numpy as np
from sklearn.neighbors import KernelDensity
from timing import seconds

from compendium.methods.clones.cloner import Cloner, leave_one_out_stacks
from errorest.data.sample import Attribute, Sample
from errorest.data.sets import load

REPEATS = 5
COMPARED = ("14 x 5 normal", "36 x 9 integer, breast-cancer", "100 x 18 bounded, vehicle")
"""Settings of which the refit and the ratio are recorded beside the microseconds a clone of all."""

CLONES = 200


def normal(n: int, d: int) -> Sample:
    """Two classes of normal cases."""
    rng = np.random.default_rng(1)
    return Sample.from_arrays(rng.normal(size=(n, d)), np.arange(n) % 2)


def part(name: str, n: int, kind: str | None = None) -> tuple[Sample, np.ndarray]:
    """A random part of a data set, and the bounds that the whole set gives."""
    whole = load(name)
    keep = [j for j, a in enumerate(whole.attributes) if a.name.lower() != "id"]
    attributes = tuple(whole.attributes[j] if kind is None else Attribute(whole.attributes[j].name, kind) for j in keep)
    whole = Sample(whole.X[:, keep], whole.y, attributes, whole.classes, name)
    complete = np.flatnonzero(~np.isnan(whole.X).any(axis=1))
    box = np.column_stack([whole.X[complete].min(axis=0), whole.X[complete].max(axis=0)])
    return whole.take(np.random.default_rng(1).choice(complete, n, replace=False)), box


def library_loop(sample: Sample) -> None:
    """Draw one clone with scikit-learn, class by class."""
    counts = np.random.default_rng(1).multinomial(sample.n, sample.class_counts() / sample.n)
    for k, count in enumerate(counts):
        if count:
            density = KernelDensity(kernel="gaussian", bandwidth=0.5).fit(sample.X[sample.y == k])
            density.sample(int(count), random_state=1)


def main() -> list[tuple[str, float, str]]:
    """Measure and print; returns (quantity, value, unit) for each figure to be recorded."""
    settings = {
        "14 x 5 normal": (normal(14, 5), None),
        "20 x 2 normal": (normal(20, 2), None),
        "100 x 10 normal": (normal(100, 10), None),
        "36 x 9 integer, breast-cancer": part("breast-cancer", 36, "integer"),
        "60 x 8 mixed, pima": part("pima", 60),
        "100 x 18 bounded, vehicle": part("vehicle", 100, "continuous"),
    }
    figures = []
    for name, (sample, bounds) in settings.items():
        cloner = Cloner(sample, bounds=bounds)

        def stack(cloner: Cloner = cloner) -> object:
            return cloner.stack(CLONES, cloner.origin.n, np.random.default_rng(1))

        def refits(sample: Sample = sample, bounds: np.ndarray | None = bounds) -> object:
            return list(leave_one_out_stacks(sample, 1, 1, np.random.default_rng(1), bounds=bounds))

        def plain(sample: Sample = sample) -> None:
            for _ in range(CLONES // 10):
                library_loop(sample)

        stack(), refits(), plain()
        clone = seconds(stack, REPEATS) / CLONES * 1e6
        refit = seconds(refits, REPEATS) / sample.n * 1e6
        loop = seconds(plain, REPEATS) / (CLONES // 10) * 1e6
        print(f"  {name}: {clone:.1f} us a clone, {refit:.0f} us a refit; scikit-learn {loop:.0f}, {loop / clone:.0f}x")
        figures.append((f"{name}, microseconds a clone", clone, "us"))
        if name in COMPARED:
            figures += [
                (f"{name}, microseconds a leave-one-out refit", refit, "us"),
                (f"{name}, a clone: ratio to a loop of scikit-learn's KernelDensity", loop / clone, "times"),
            ]
    return figures


if __name__ == "__main__":
    main()
