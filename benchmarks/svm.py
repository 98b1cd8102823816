"""Support vector machines against scikit-learn's SVC, microseconds a fit: ``python benchmarks/svm.py``.

Each line is of one run; the SVM aims at 10 times scikit-learn at least.  Times are of the processor, so that
other work on the machine disturbs them less; every compiled function is called once before it is timed.
"""

from __future__ import annotations

import os

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from timing import seconds

from compendium.methods.learners.svm import SVM
from errorest.data.sample import Attribute, Sample, SampleStack, fold_labels
from errorest.resampling.draw import leave_one_out_bootstrap
from errorest.resampling.multisets import Resamples

# cases, attributes, classes, distance of neighbouring classes, rule
SETTINGS = (
    (14, 5, 2, 1.0, SVM()),
    (36, 9, 2, 1.5, SVM(gamma=0.03, C=10)),
    (36, 9, 2, 1.5, SVM("linear", C=0.01)),
    (60, 8, 2, 0.8, SVM(gamma=0.03, C=10)),
    (100, 10, 2, 0.0, SVM()),
    (100, 10, 2, 1.0, SVM()),
    (100, 18, 4, 1.0, SVM(gamma=0.12)),
    (100, 18, 4, 1.0, SVM(gamma=0.12, C=1.5, standardize="training")),
)
TIMED = (0, 1, 5, 6)
"""Settings whose microseconds are recorded beside the ratios of all."""

FITS = 2000
SLOW_FITS = 30


def samples(number: int, n: int, d: int, classes: int, apart: float, rng: np.random.Generator) -> SampleStack:
    """Draw normal samples whose classes lie a distance apart on the first attribute."""
    y = rng.permuted(np.tile(np.arange(n) % classes, (number, 1)), axis=1)
    X = rng.normal(size=(number, n, d))
    X[:, :, 0] += apart * y
    return SampleStack(X, y, tuple(Attribute(f"x{j + 1}") for j in range(d)), tuple("abcdef"[:classes]))


def scikit_learn_loop(rule: SVM, sample: Sample, resamples: Resamples) -> None:
    """Fit and predict some rows one by one, as a user of scikit-learn would."""
    counts = resamples.training_counts(0, SLOW_FITS)
    for r in range(SLOW_FITS):
        training = np.repeat(np.arange(sample.n), counts[r])
        model = SVC(kernel=rule.kernel, gamma=rule.gamma, C=rule.C)
        if rule.standardize == "training":
            model = make_pipeline(StandardScaler(), model)
        tested = resamples.cases[resamples.start[r] : resamples.start[r + 1]]
        model.fit(sample.X[training], sample.y[training]).predict(sample.X[tested])


def main() -> list[tuple[str, float, str]]:
    """Measure and print some lines a setting; returns (quantity, value, unit) for ratios and some times."""
    figures: list[tuple[str, float, str]] = []
    for setting, (n, d, classes, apart, rule) in enumerate(SETTINGS):
        rng = np.random.default_rng(n)
        clones = samples(FITS // 4, n, d, classes, apart, rng)
        few = SampleStack(clones.X[:20], clones.y[:20], clones.attributes, clones.classes)
        sample = clones.sample(0)
        drawn = SampleStack.of_cases(sample, rng.integers(0, n, (20, n)))
        one, hundred = rng.normal(size=(clones.n_samples, 1, d)), rng.normal(size=(100, d))
        rows = leave_one_out_bootstrap(n, max(1, FITS // n), rng)
        case = f"{rule.id}, n = {n}, d = {d}, {classes} classes {apart:g} apart"
        print(f"  {case}: microseconds a fit with its tests")
        row = seconds(lambda i=rule, s=sample, r=rows: i.predict_resamples(s, r)) / rows.n_rows
        slow = seconds(lambda i=rule, s=sample, r=rows: scikit_learn_loop(i, s, r)) / SLOW_FITS
        figures.append((f"{case}: ratio to the scikit-learn loop", slow / row, "times"))
        if setting in TIMED:
            figures.append((f"{case}, microseconds a leave-one-out bootstrap fit with its tests", 1e6 * row, "us"))
        print(f"    leave-one-out bootstrap {1e6 * row:6.1f}, scikit-learn {1e6 * slow:6.0f}, {slow / row:4.0f} times")
        taken = seconds(lambda i=rule, s=clones, x=one: i.predict_stack(s, x)) / clones.n_samples
        more = seconds(lambda i=rule, s=few, x=hundred: i.predict_stack(s, x)) / few.n_samples
        print(f"    a clone with one test   {1e6 * taken:6.1f}, with 100 tests {1e6 * more:6.1f}")
        for name, stack in (("clones", few), ("bootstrap samples", drawn)):
            times = []
            for k in (n, 10, 5):
                folds = fold_labels(stack.n_samples, n, k, rng)
                cost = seconds(lambda i=rule, s=stack, f=folds: i.cross_validate_stack(s, f)) / stack.n_samples
                times.append(f"{k} folds {1e6 * cost / k:6.1f}")
            print(f"    {name:<17} by {', '.join(times)}", flush=True)
    return figures


if __name__ == "__main__":
    main()
