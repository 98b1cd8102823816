"""Processor seconds of one estimate in Shakhnarovich, El-Yaniv & Baram's Table 7, over those of the plain bootstrap.

One sample of each data set, each estimator by itself, the least of three runs.  The paper's
own ratios stand in its Table 7; classifiers that both make are the same in number.
"""

from __future__ import annotations

import numpy as np
from timing import seconds

from compendium.methods.run import estimate_many
from compendium.papers.shakhnarovich.methods import ESTIMATORS, classifier_named, estimators_for
from compendium.papers.shakhnarovich.names import symbol_of
from compendium.papers.shakhnarovich.uci.data import draw_cases, sets_of
from compendium.papers.shakhnarovich.uci.study import UciParameters
from errorest.data.sample import Sample
from errorest.estimation import Estimator
from errorest.learners import Inducer
from errorest.streams import Streams

BASE = "bootstrap-naive"
RECORDED = (
    "loo",
    "cv-10",
    "cv-5",
    "bootstrap-632plus",
    "bscv-loo",
    "bscv-5",
    "cloned-naive",
    "cloned-632plus",
    "cloned-bscv-loo",
    "cloned-bscv-5",
    "repeated-cv-10",
    "repeated-cv-5",
)
"""Estimators whose ratio is recorded; the others make one classifier, the same ones, or a number in between."""

B = 100
SEED = 7
REPEATS = 3


def main() -> list[tuple[str, float, str]]:
    """Print the plain bootstrap's milliseconds and all ratios to it; returns the ratios' medians over the cases."""
    p = UciParameters()
    ratios: dict[str, list[float]] = {e: [] for e in ESTIMATORS if e != BASE}
    print(f"  milliseconds of {symbol_of(BASE)}, then ratios to it: {', '.join(map(symbol_of, ratios))}")
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

            def of(e: Estimator, sample: Sample = sample, inducer: Inducer = classifier.inducer) -> float:
                return seconds(lambda: estimate_many(sample, {"one": inducer}, [e], Streams(SEED)), REPEATS)

            base = of(many[BASE])
            for estimator, of_cases in ratios.items():
                of_cases.append(of(many[estimator]) / base)
            line = " ".join(f"{of_cases[-1]:.3g}" for of_cases in ratios.values())
            print(f"  {name + '/' + classifier.row:26s} {1000 * base:.3g} ms {line}", flush=True)
    cases = len(ratios["loo"])
    return [
        (
            f"{symbol_of(e)} ({e}), B = {B}: seconds over the plain bootstrap's, median of {cases} cases",
            float(np.median(ratios[e])),
            "times",
        )
        for e in RECORDED
    ]


if __name__ == "__main__":
    main()
