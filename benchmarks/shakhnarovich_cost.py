"""Processor seconds of one estimate in Shakhnarovich, El-Yaniv & Baram's Table 7, over those of the plain bootstrap.

One sample of each data set, each estimator by itself, the least of three runs.  The paper's
own ratios stand in its Table 7; classifiers that both make are the same in number.
"""

from __future__ import annotations

import time

import numpy as np

from errorest.estimators import estimate_many
from errorest.papers.shakhnarovich.named import ESTIMATORS, classifier_named, estimators_for
from errorest.papers.shakhnarovich.uci_cases import UciParameters
from errorest.papers.shakhnarovich.uci_data import draw_cases, sets_of
from errorest.rng import Streams

BASE = "bootstrap-naive"
B = 100
SEED = 7
REPEATS = 3


def seconds(sample, inducer, estimator, streams) -> float:  # type: ignore[no-untyped-def]
    """Return the least processor seconds of an estimate."""
    taken = []
    for _ in range(REPEATS):
        start = time.process_time()
        estimate_many(sample, {"one": inducer}, [estimator], streams)
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> list[tuple[str, float, str]]:
    """Print and return the seconds of the plain bootstrap and all ratios to it."""
    p = UciParameters()
    figures: list[tuple[str, float, str]] = []
    for one in sets_of(p):
        whole = one.sample
        bounds = tuple(zip(whole.X.min(axis=0).tolist(), whole.X.max(axis=0).tolist(), strict=True))
        drawn, _ = draw_cases(whole.y, one.n, "uniform", np.random.default_rng(SEED))
        sample = whole.take(drawn)
        few, many = (estimators_for(ESTIMATORS, b, bounds) for b in (2, B))
        for text in p.classifiers:
            name, _, key = text.partition("/")
            if name != one.name:
                continue
            classifier = classifier_named(key)
            estimate_many(sample, {"one": classifier.inducer}, list(few.values()), Streams(SEED))  # compiles
            base = seconds(sample, classifier.inducer, many[BASE], Streams(SEED))
            case = f"{name}/{classifier.row}"
            figures.append((f"{case} {BASE}", 1000 * base, "ms"))
            for estimator in ESTIMATORS:
                if estimator != BASE:
                    ratio = seconds(sample, classifier.inducer, many[estimator], Streams(SEED)) / base
                    figures.append((f"{case} {estimator} over {BASE}", ratio, "times"))
            print(f"{case:26s}", " ".join(f"{f[1]:.3g}" for f in figures[-len(ESTIMATORS) :]), flush=True)
    return figures


if __name__ == "__main__":
    main()
