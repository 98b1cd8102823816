"""What a score costs beside the error rate: ``estimate`` over ``estimate``, with the same resamples.

Both are asked in turn in one run, for inducers of ours, which tell probabilities of all rows in one pass, and for a
classifier of scikit-learn, where ``predict_proba`` takes the place of ``predict``.  Once as it is called without
further options, with an interval, and once for the estimate alone.
"""

from __future__ import annotations

import os

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from timing import interleaved

from errorest import estimate

N = 36
ROUNDS = 40
CLASSIFIERS: tuple[tuple[str, Any, str], ...] = (
    ("1-NN", "knn(k=1, standardize=none)", "632+(replicates=200)"),
    ("linear discriminant", "linear-discriminant", "632+(replicates=200)"),
    ("Naive Bayes", "naive-bayes", "632+(replicates=200)"),
    ("C4.5 tree", "c4.5", "632+(replicates=200)"),
    ("logistic regression of scikit-learn", LogisticRegression(), "cv(k=10)"),
)
Figure = tuple[str, float, str]


def main() -> list[Figure]:
    """Measure and print; returns (quantity, value, unit) for the ratios to be recorded."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 4))
    y = np.where(X[:, 0] + rng.normal(size=N) > 0, "yes", "no")
    figures = []
    for name, made, estimator in CLASSIFIERS:
        for told, options in (("", {}), (", without an interval", {"interval": None})):
            asked: dict[str, Any] = {"method": estimator, "rng": 0, **options}
            error, score = interleaved(
                lambda m=made, o=asked: estimate(m, X, y, **o),
                lambda m=made, o=asked: estimate(m, X, y, scoring="brier", **o),
                repeats=ROUNDS,
            )
            quantity = f"{name}, n = {N}, {estimator}{told}: estimate of the Brier score / estimate"
            print(f"  {quantity:<130} {score / error:6.3g} times ({1e3 * error:.3g} ms)", flush=True)
            figures.append((quantity, score / error, "times"))
    return figures


if __name__ == "__main__":
    main()
