"""The .632 family as other packages compute it, on a case small enough for pencil and paper.

Each package's way is described in its own function, in the words of this project; none of their code is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp, isnan

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.papers.parameters import Parameters, parameter
from compendium.papers.validation import model_validator
from errorest.data.sample import Sample
from errorest.estimation.estimators import Variant, point_632_plus
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


def _blend(apparent: float, err1: float, weight: float) -> float:
    return (1 - weight) * apparent + weight * err1


def _variant(name: Variant) -> Callable[[Losses], tuple[float, float]]:
    """Return the library's way, in one reading of the article."""

    def way(case: Losses) -> tuple[float, float]:
        parts = case.apparent, case.err1, case.gamma
        return _blend(case.apparent, case.err1, 0.632), point_632_plus(*parts, name)

    return way


def _overfitting(apparent: float, err1: float, gamma: float) -> float:
    """Return the relative overfitting rate as it stands, without a limit; NaN where gamma is the apparent error."""
    return (err1 - apparent) / (gamma - apparent) if gamma != apparent else float("nan")


def _caret(case: Losses) -> tuple[float, float]:
    # it has no .632+
    return _blend(case.apparent, float(case.by_replicate.mean()), 1 - exp(-1)), float("nan")


def _sortinghat(case: Losses) -> tuple[float, float]:
    r = _overfitting(case.apparent, case.err1, case.gamma)
    return _blend(case.apparent, case.err1, 0.632), _blend(case.apparent, case.err1, 0.632 / (1 - 0.368 * r))


def _mlxtend(case: Losses) -> tuple[float, float]:
    plain, plus = [], []
    for own, rate in zip(case.labels, case.by_replicate, strict=True):
        # the "training" error and gamma are the bootstrap classifier's, and on all cases
        apparent, gamma = float(np.mean(own != case.y)), ERROR_RATE.no_information(case.y, own, 2)
        plain.append(_blend(apparent, rate, 0.632))
        plus.append(_blend(apparent, rate, 0.632 / (1 - 0.368 * _overfitting(apparent, rate, gamma))))
    return float(np.mean(plain)), float(np.mean(plus))


# Each package's .632 and .632+ of a worked case, and its way in words
PACKAGES: Mapping[str, tuple[Callable[[Losses], tuple[float, float]], str]] = {
    "errorest": (
        _variant("efron-tibshirani"),
        "as in Efron & Tibshirani (1997): R from the error truncated at gamma, .632 untruncated",
    ),
    "errorest, truncated-632": (
        _variant("truncated-632"),
        "the other reading of that article: .632 from the truncated error too",
    ),
    "ipred, mt": (_variant("unbounded-r"), "R from the untruncated error, so that it can exceed 1"),
    "sortinghat": (_sortinghat, "R not limited, nothing truncated"),
    "caret": (_caret, "weights 1 - 1/e and 1/e for .632 and .368; replicates' own rates averaged; no .632+"),
    "mlxtend": (_mlxtend, "apparent error and gamma of each bootstrap classifier on all cases; replicates averaged"),
}


@artifact("guide-other-packages", matrix=True)
def other_packages(p: PeersParameters, run: Run) -> ArtifactResult:
    """The .632 and .632+ of the worked case, package by package (proportions)."""
    case = worked_case(p)
    results = {name: way(case) for name, (way, _) in PACKAGES.items()}
    rows = [
        Row("literal", name, column, value, 0.0, 1)
        for name, both in results.items()
        for column, value in zip(("632", "632plus"), both, strict=True)
        if not isnan(value)
    ]
    # the losses of the left-out cases: one row a case, a column a sample; NaN where it was drawn
    losses = np.where(case.left_out, (case.labels != case.y).astype(float), np.nan)
    by_case = pd.DataFrame(losses.T, columns=[f"sample {b + 1}" for b in range(losses.shape[0])])
    by_case.insert(0, "case", np.arange(case.y.shape[0]) + 1)
    by_case["mean"] = case.by_case
    steps = pd.DataFrame(
        [
            ("apparent error", case.apparent),
            ("no-information rate, gamma", case.gamma),
            ("Err(1): mean over cases", case.err1),
            ("mean over replicates", float(case.by_replicate.mean())),
            ("R as it stands", _overfitting(case.apparent, case.err1, case.gamma)),
        ],
        columns=["quantity", "value"],
    )
    outside = [name for name, (_, plus) in results.items() if not (isnan(plus) or 0 <= plus <= 1)]
    return ArtifactResult(
        rows,
        {
            "steps": steps,
            "cases": by_case,
            "packages": pd.DataFrame(
                [(name, *results[name], words) for name, (_, words) in PACKAGES.items()],
                columns=["package", ".632", ".632+", "what differs"],
            ),
        },
        [
            Check(
                "An error rate lies between 0 and 1, whatever the sample.",
                f".632+ leaves that range with: {', '.join(outside) or 'none'}",
                "fails" if outside else "holds",
                name="between-0-and-1",
            )
        ],
    )
