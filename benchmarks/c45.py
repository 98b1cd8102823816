"""C4.5 beside scikit-learn's tree and Weka's J48: ``python benchmarks/c45.py [--weka weka.jar]``.

Milliseconds a fit at Kohavi's sample sizes, all in one run.  Ours and scikit-learn's are of the processor and
include labelling the tested cases; scikit-learn's entropy tree gets ready-made one-hot data, and J48, if there is
Java and a jar, is timed warm, in one machine, by its own clock.  Aims: twice as fast as scikit-learn on every set,
ten times on breast cancer.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import sys
from pathlib import Path
from types import ModuleType

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from timing import seconds

from compendium.papers.kohavi.data import random_booleans
from errorest.data.sample import Sample
from errorest.data.sets import load
from errorest.learners.c45 import C45
from errorest.resampling.draw import bootstrap, k_fold
from errorest.resampling.multisets import Resamples, concatenate

SIZES = {
    "breast-cancer": 50,
    "chess": 900,
    "hypothyroid": 400,
    "mushroom": 800,
    "soybean-large": 100,
    "vehicle": 100,
    "rand": 100,
}
WEKA = "/usr/share/java/weka.jar"
TIMED = ("breast-cancer", "hypothyroid", "chess")
"""Sets whose milliseconds are recorded beside the ratios of all: the fewest, many and the most cases."""


def one_hot(sample: Sample) -> np.ndarray:
    """Give each category a column of its own; missing ones have zeros throughout."""
    columns = []
    for j, attribute in enumerate(sample.attributes):
        if attribute.kind == "nominal":
            columns += [sample.X[:, j] == v for v in range(len(attribute.categories))]
        else:
            columns.append(sample.X[:, j])
    return np.column_stack(columns).astype(np.float32)


def scikit_learn_loop(X: np.ndarray, y: np.ndarray, resamples: Resamples) -> None:
    """Fit and label row by row, with counts as weights."""
    counts = resamples.training_counts()
    for r in range(resamples.n_rows):
        rows = np.nonzero(counts[r])[0]
        tested = resamples.cases[resamples.start[r] : resamples.start[r + 1]]
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
        tree.fit(X[rows], y[rows], sample_weight=counts[r, rows].astype(float))
        if tested.size:
            tree.predict(X[tested])


def recorder() -> ModuleType:
    """Load the script that runs J48 for the tests."""
    path = Path(__file__).parents[1] / "tests" / "fixtures" / "record_j48.py"
    spec = importlib.util.spec_from_file_location("record_j48", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["record_j48"] = module
    spec.loader.exec_module(module)
    return module


def main(weka: str = WEKA) -> list[tuple[str, float, str]]:
    """Measure and print a line a data set; returns (quantity, value, unit) for ratios and some times."""
    figures: list[tuple[str, float, str]] = []
    with_j48 = shutil.which("java") is not None and Path(weka).exists()
    for name, size in SIZES.items():
        rng = np.random.default_rng(size)
        whole = random_booleans(rng) if name == "rand" else load(name)
        sample = whole.take(rng.choice(whole.n, size, replace=False))
        rows = concatenate([k_fold(size, 10, rng, repeats=6), bootstrap(size, 20, rng)])
        taken = {r: seconds(lambda s=sample, k=rows, r=r: C45(r).predict_resamples(s, k), 5) for r in (7, 8)}
        X = one_hot(sample)
        loop = seconds(lambda X=X, y=sample.y, k=rows: scikit_learn_loop(X, y, k), 3)
        ratio = loop / max(taken.values())
        figures.append(
            (f"{name}, n = {size}, C4.5 of the slower release: ratio to the scikit-learn loop", ratio, "times")
        )
        if name in TIMED:
            quantity = f"{name}, n = {size}, C4.5 release 8, milliseconds a fit with its tests"
            figures.append((quantity, 1e3 * taken[8] / rows.n_rows, "ms"))
        line = f"  {name:14} n = {size:3}"
        line += "".join(f", release {r} {1e3 * t / rows.n_rows:6.3f} ms" for r, t in taken.items())
        line += f", scikit-learn {1e3 * loop / rows.n_rows:6.3f} ms ({ratio:4.1f} times)"
        if with_j48:
            counts = rows.training_counts()
            splits = [(np.repeat(np.arange(size), c), np.array([0])) for c in counts]
            warm = float(recorder().run_j48(weka, sample, splits, (), repeats=15)[0])
            faster = warm * rows.n_rows / 1e3 / taken[8]
            line += f", J48 {warm:6.3f} ms ({faster:4.1f} times)"
            if name == TIMED[0]:
                figures.append((f"{name}, n = {size}, C4.5 release 8: ratio to Weka's J48, warm", faster, "times"))
        print(line, flush=True)
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weka", default=WEKA, help="Weka's jar")
    main(parser.parse_args().weka)
