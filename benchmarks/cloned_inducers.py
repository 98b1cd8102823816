"""Microseconds a fit of Fisher's discriminant and of 1-NN, with n cases labelled, beside scikit-learn.

The sizes are those of Shakhnarovich, El-Yaniv & Baram: 14 cases of 5 attributes and 100 of 10.  A fit is made of
a bootstrap sample, from the resamples of one sample and from a stack, whose samples could have any values; the
plain loop fits some of the very same samples.  A fit of leave-one-out labels one case only.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from errorest.data.sample import Sample, SampleStack, fold_labels
from errorest.learners import KNN, LinearDiscriminant
from errorest.resampling.draw import bootstrap

SEED = 20011
REPEATS = 5
FITS = 2000
LOOP_FITS = 100
SIZES = ((14, 5), (100, 10))


def microseconds(work: Callable[[], object], fits: int) -> float:
    """Least processor time of several runs, after one that is not timed, a fit."""
    work()
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return 1e6 * best / fits


def loop(model: Callable[[], ClassifierMixin], sample: Sample, drawn: np.ndarray) -> None:
    """Fit and label bootstrap sample by bootstrap sample, as a user of scikit-learn would."""
    for cases in drawn:
        model().fit(sample.X[cases], sample.y[cases]).predict(sample.X)


def main() -> list[tuple[str, float, str]]:
    """Measure and print; returns (quantity, value, unit) for each figure to be recorded."""
    measured: list[tuple[str, float, str]] = []
    for n, d in SIZES:
        rng = np.random.default_rng(SEED)
        y = np.arange(n) % 2
        sample = Sample.from_arrays(rng.normal(size=(n, d)) + y[:, None], y)
        resamples = bootstrap(n, FITS, rng, test="all")
        drawn = np.stack([np.repeat(np.arange(n), counts) for counts in resamples.training_counts()])
        stack = SampleStack.of_cases(sample, drawn)
        few = SampleStack.of_cases(sample, drawn[: FITS // n])
        folds = fold_labels(few.n_samples, n, n, rng)
        for name, rule, model in (
            ("Fisher's discriminant", LinearDiscriminant(), lambda: LinearDiscriminantAnalysis(priors=[0.5, 0.5])),
            ("1-NN", KNN(1), lambda: KNeighborsClassifier(1)),
        ):
            batch = microseconds(lambda i=rule, s=sample, r=resamples: i.predict_resamples(s, r), FITS)
            stacked = microseconds(lambda i=rule, s=stack, x=sample.X: i.predict_stack(s, x), FITS)
            left_out = microseconds(lambda i=rule, s=few, f=folds: i.cross_validate_stack(s, f), few.n_samples * n)
            plain = microseconds(lambda m=model, s=sample, c=drawn[:LOOP_FITS]: loop(m, s, c), LOOP_FITS)
            print(
                f"  {name}, n = {n}, d = {d}: {batch:6.2f} us from resamples ({plain / batch:5.0f} times), "
                f"{stacked:6.2f} us in a stack ({plain / stacked:5.0f} times), {left_out:6.2f} us leaving one out; "
                f"scikit-learn {plain:.0f} us"
            )
            case = f"{name}, n = {n}, d = {d}"
            measured += [
                (f"{case}, microseconds a fit from resamples, n cases labelled", batch, "us"),
                (f"{case}, microseconds a fit of a stack, n cases labelled", stacked, "us"),
                (f"{case}, fits from resamples: ratio to the scikit-learn loop", plain / batch, "times"),
            ]
    return measured


if __name__ == "__main__":
    main()
