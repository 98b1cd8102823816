"""The worked case of the packages: eight cases of one attribute, the nearest-neighbour rule, four bootstrap samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pydantic import model_validator

from compendium.papers.parameters import Parameters, parameter
from errorest.data.sample import Sample
from errorest.estimation.metrics.metric import ERROR_RATE
from errorest.learners.neighbors import KNN


class PeersParameters(Parameters, notebook="guide/08-other-packages"):
    """The worked case; another may be put in its place."""

    seed: int = parameter(1996, ge=0)
    values: list[float] = parameter([1.0, 2.0, 3.1, 4.3, 5.2, 6.4, 7.1, 8.5], min_length=2)
    labels: list[int] = parameter([0, 0, 1, 0, 1, 1, 0, 1], min_length=2)
    bootstrap_samples: list[list[int]] = parameter(
        [[0, 0, 1, 3, 3, 5, 6, 6], [1, 2, 2, 4, 5, 5, 7, 7], [0, 2, 3, 3, 4, 6, 7, 7], [0, 0, 1, 2, 4, 4, 6, 6]],
        min_length=1,
    )

    @model_validator(mode="after")
    def _a_case(self) -> PeersParameters:
        n = len(self.values)
        if len(self.labels) != n or set(self.labels) != {0, 1}:
            raise ValueError(f"{n} values have labels {self.labels}; expected one each, both 0 and 1")
        for sampled in self.bootstrap_samples:
            if len(sampled) != n or not set(sampled) < set(range(n)):
                raise ValueError(
                    f"bootstrap sample {sampled} is no {n} draws of the cases 0 to {n - 1} that leave one out; "
                    "expected that"
                )
        return self


@dataclass(frozen=True, eq=False)
class Losses:
    """What every formula starts from."""

    y: np.ndarray
    whole: np.ndarray
    labels: np.ndarray
    left_out: np.ndarray

    @property
    def apparent(self) -> float:
        """Error of the whole sample's classifier on that sample."""
        return float(np.mean(self.whole != self.y))

    @property
    def gamma(self) -> float:
        """No-information rate of the whole sample's classifier."""
        return ERROR_RATE.no_information(self.y, self.whole, 2)

    @property
    def by_case(self) -> np.ndarray:
        """Each case's error over the bootstrap samples that lack it; NaN where none does."""
        wrong = np.where(self.left_out, self.labels != self.y, False).sum(axis=0)
        lacking = self.left_out.sum(axis=0)
        return np.divide(wrong, lacking, out=np.full(self.y.shape[0], np.nan), where=lacking > 0)

    @property
    def by_replicate(self) -> np.ndarray:
        """Each bootstrap classifier's error on the cases that it lacks."""
        return np.array(
            [float(np.mean(own[out] != self.y[out])) for own, out in zip(self.labels, self.left_out, strict=True)]
        )

    @property
    def err1(self) -> float:
        """Leave-one-out bootstrap error: the mean over cases (Efron & Tibshirani 1997, equation 17)."""
        return float(np.nanmean(self.by_case))


def worked_case(p: PeersParameters) -> Losses:
    """Make all classifiers of the worked case."""
    sample = Sample.from_arrays(p.values, p.labels, classes=("0", "1"), name="the worked case")
    sampled = np.array(p.bootstrap_samples)
    rule = KNN(1)
    labels = np.array([rule.fit(sample.take(cases)).predict(sample.X) for cases in sampled])
    left_out = np.array([~np.isin(np.arange(sample.n), cases) for cases in sampled])
    return Losses(sample.y, rule.fit(sample).predict(sample.X), labels, left_out)
