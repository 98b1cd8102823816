"""Section 3's experiment: what is drawn and what is measured on it.

Kept apart from the tables that are made of it, so that a word changed there
leaves finished studies valid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from errorest.errors import nearest
from errorest.estimation.estimators import parse_estimator
from errorest.estimation.run import Scheme, draw_schemes, predict_schemes
from errorest.experiment.populations import TwoNormals
from errorest.inducers.threshold import Threshold
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = ["ESTIMATOR_IDS", "discriminant_study", "library_id", "measure_discriminant"]

ESTIMATOR_IDS = {
    "holdout-1/2": "holdout(test=1/2)",
    "holdout-1/3": "holdout(test=1/3)",
    "holdout-1/4": "holdout(test=1/4)",
    "resubstitution": "resubstitution",
    "cv-2": "cv(k=2)",
    "cv-5": "cv(k=5)",
    "cv-10": "cv(k=10)",
    "loo": "loo",
    "repeated-cv-2": "cv(k=2, repeats={cv})",
    "bootstrap-e0": "e0(replicates={boot})",
    "repeated-cv-5": "cv(k=5, repeats={cv})",
    "repeated-cv-10": "cv(k=10, repeats={cv})",
    "bootstrap-632": "632(replicates={boot})",
    "loo-star": "loo*(replicates={boot}, repeats={cv})",
}
"""The paper's estimators, in its order, and the library's ids for them."""


def library_id(name: str, cv_repeats: int, bootstrap_replicates: int) -> str:
    """Translate an id of Table 4 to the library's id, or raise with the nearest name."""
    if name not in ESTIMATOR_IDS:
        raise ValueError(f"unknown estimator '{name}'; expected ids of Table 4; {nearest(name, ESTIMATOR_IDS)}")
    return ESTIMATOR_IDS[name].format(cv=cv_repeats, boot=bootstrap_replicates)


def measure_discriminant(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Draw samples of one cell and estimate each one's error under every rule.

    Returns columns ``<rule>/true-error``, ``<rule>/reversed`` and ``<rule>/<estimator>``, proportions.
    """
    population = TwoNormals.of_inherent_error(cell["inherent_error"])
    estimators = {e: parse_estimator(i) for e, i in cell["estimators"].items()}
    schemes: list[Scheme] = list(dict.fromkeys(s for e in estimators.values() for s in e.schemes))
    columns = [f"{r}/{c}" for r in cell["rules"] for c in ("true-error", "reversed", *estimators)]
    out = {c: np.empty(len(replicates)) for c in columns}
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        sample = population.sample(cell["n"], place.generator("sample"))
        drawn = draw_schemes(sample, schemes, place)
        for rule in cell["rules"]:
            inducer = Threshold(rule)
            whole = inducer.fit(sample)
            out[f"{rule}/true-error"][i] = population.true_error(whole)
            out[f"{rule}/reversed"][i] = whole.labels == (1, 0)
            outcomes = predict_schemes(sample, inducer, drawn, place)
            for name, estimator in estimators.items():
                out[f"{rule}/{name}"][i] = estimator.reduce(sample, outcomes)
    return out


def discriminant_study(
    sizes: list[int],
    inherent_errors: list[float],
    samples: int,
    estimators: dict[str, str],
    rules: list[str],
    seed: int,
) -> Study:
    """Make the study of section 3; samples depend on size, inherent error and seed alone."""
    cells = tuple(
        {"n": n, "inherent_error": e, "estimators": estimators, "rules": list(rules)}
        for n in sizes
        for e in inherent_errors
    )
    return Study(
        "martin-hirschberg-discriminant",
        cells,
        samples,
        measure_discriminant,
        seed=seed,
        seed_keys=("n", "inherent_error"),
        cost=lambda cell: 1.0 + cell["n"] / 20,
    )
