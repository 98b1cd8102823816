"""Section 6's timing model, T = k0 + (k1 + k2 eta) N for a tree of eta nodes, N cases: ``python benchmarks/trees.py``.

Times are of the batch face, a tree with its tests, at best of some runs; the model is fitted by least
squares beside one without the product.  Lens cases repeat: ours grows a tree from the at most 72 distinct
ones, so its time stops growing with N where the paper's did not.  Cases of many attributes do not repeat,
and are what the model was meant for.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from timing import seconds

from compendium.methods.learners.id3 import ID3
from compendium.papers.martin_hirschberg.lenses.population import Lenses
from errorest.data.sample import Attribute, Sample
from errorest.resampling.draw import bootstrap

PAPERS_MODEL = "k0 + (k1 + k2 eta) N"
ROWS = 400
FITTED = 40
"""Bootstrap samples whose trees are timed, and those of them whose nodes are counted."""


def measured(sample: Sample, rng: np.random.Generator) -> tuple[float, float]:
    """Return microseconds a tree and mean nodes, over bootstrap samples of a sample."""
    resamples = bootstrap(sample.n, ROWS, rng)
    taken = seconds(lambda: ID3().predict_resamples(sample, resamples), 7)
    counts = resamples.training_counts(0, FITTED)
    nodes = [ID3().fit(sample.take(np.repeat(np.arange(sample.n), c))).n_nodes for c in counts]
    return 1e6 * taken / ROWS, float(np.mean(nodes))


def lenses(sizes: Iterable[int], noises: Iterable[float]) -> list[tuple[int, float, float]]:
    """Return (N, nodes, microseconds) of lens samples."""
    rng = np.random.default_rng(0)
    out = []
    for noise in noises:
        for n in sizes:
            taken, nodes = measured(Lenses.with_noise(noise).sample(n, rng), rng)
            out.append((n, nodes, taken))
            print(f"  lenses, p = {noise:.2f}, N = {n:4d}: {nodes:6.1f} nodes, {taken:8.2f} us a tree")
    return out


def many_attributes(sizes: Iterable[int], noises: Iterable[float]) -> list[tuple[int, float, float]]:
    """Return (N, nodes, microseconds) of samples of twelve attributes, whose cases hardly repeat."""
    rng = np.random.default_rng(0)
    attributes = [Attribute(f"a{j}", "nominal", ("0", "1", "2")) for j in range(12)]
    out = []
    for noise in noises:
        for n in sizes:
            X = rng.integers(0, 3, size=(n, 12))
            y = np.where(rng.random(n) < noise, rng.integers(0, 2, n), (X[:, 0] > 0) & (X[:, 1] > 0)).astype(int)
            taken, nodes = measured(Sample.from_arrays(X, y, attributes=attributes, classes=["no", "yes"]), rng)
            out.append((n, nodes, taken))
            print(f"  twelve attributes, noise {noise:.2f}, N = {n:4d}: {nodes:6.1f} nodes, {taken:8.2f} us a tree")
    return out


def fit(name: str, points: list[tuple[int, float, float]]) -> list[tuple[str, float, str]]:
    """Fit the paper's model and one without the product; print both, return the paper's and both relative misfits."""
    n, nodes, taken = np.array(points).T
    models = {
        PAPERS_MODEL: np.column_stack([np.ones_like(n), n, nodes * n]),
        "k0 + k1 N + k2 eta": np.column_stack([np.ones_like(n), n, nodes]),
    }
    figures = []
    for model, design in models.items():
        # weights one over T: a relative misfit counts alike at all sizes
        k, *_ = np.linalg.lstsq(design / taken[:, None], np.ones_like(n), rcond=None)
        misfit = 100 * float(np.sqrt(np.mean((design @ k / taken - 1) ** 2)))
        print(f"  {name}: T = {model}, k = {k[0]:.3g}, {k[1]:.3g}, {k[2]:.3g} us; relative misfit {misfit:.0f} %")
        what = f"ID3 tree of eta nodes, N cases ({name}), T = {model}"
        if model == PAPERS_MODEL:
            figures += [(f"{what}: k{i}", float(v), "us") for i, v in enumerate(k)]
        figures.append((f"{what}: relative misfit", misfit, "percent"))
    largest, _, slowest = max(points)
    what = f"ID3 tree of N = {largest} cases ({name}) with the most nodes, microseconds with its tests"
    return [*figures, (what, slowest, "us")]


def main() -> list[tuple[str, float, str]]:
    """Measure lens samples and samples of many attributes, and fit both models to each."""
    figures = fit("lenses", lenses((24, 48, 96, 192, 384, 768), (0.01, 0.1, 0.25)))
    return figures + fit("twelve attributes", many_attributes((24, 48, 96, 192, 384, 768), (0.0, 0.2, 0.6)))


if __name__ == "__main__":
    main()
