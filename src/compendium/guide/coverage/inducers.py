"""The inducers of the coverage study, and on which populations they can learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from compendium.guide.coverage.known import Known
from compendium.guide.coverage.populations import population_named
from compendium.papers.kohavi.inducers import inducer_named
from errorest.errors import UsageError
from errorest.learners import C45, KNN, LinearDiscriminant, Majority, NaiveBayes
from errorest.learners.base import Inducer

# The inducers of the study by name
INDUCERS: Mapping[str, Inducer] = {
    "1-nn": KNN(1, metric="euclidean"),
    "3-nn": KNN(3, metric="euclidean"),
    "ldf": LinearDiscriminant(),
    "naive-bayes": NaiveBayes(),
    "c4.5": C45(),
    "majority": Majority(),
}

# Learners of scikit-learn, which fit one classifier at a time: ensembles are small, and few intervals are made
LEARNERS: Mapping[str, str] = {
    "logistic": "sklearn.linear_model.LogisticRegression",
    "forest": "sklearn.ensemble.RandomForestClassifier(n_estimators=10)",
    "boosting": "sklearn.ensemble.GradientBoostingClassifier(n_estimators=20)",
}

_ATTEMPTS = 20


def made_for(inducer: str, population: Known) -> Inducer:
    """Make an inducer for the samples of a population, with mixed distances where attributes are nominal."""
    made = INDUCERS[inducer] if inducer in INDUCERS else inducer_named(LEARNERS.get(inducer, inducer))
    if isinstance(made, KNN) and population.nominal and made.metric == "euclidean":
        return replace(made, metric="mixed")
    return made


@lru_cache(maxsize=256)
def illegal(population: str, inducer: str) -> str:
    """Say why an inducer cannot learn from a population's samples; nothing where it can."""
    known, rng = population_named(population), np.random.default_rng(0)
    try:
        made_for(inducer, known).fit(known.sample(_ATTEMPTS, rng), rng)
    except (UsageError, ValueError) as refused:
        return str(refused).split(";")[0]
    return ""
