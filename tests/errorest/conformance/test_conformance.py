"""Every estimator and interval passes its checks."""

import pytest

from batteries import check_estimator, check_interval
from errorest.estimation.estimators import ESTIMATORS
from errorest.estimation.intervals import INTERVALS

# estimators

ESTIMATES = [
    *ESTIMATORS,
    *("cv(k=3, repeats=2, stratified=True)", "cv(k=n)", "cv(k=3, weights=folds)", "holdout(test=1/4, repeats=5)"),
    *("e0(replicates=20, per=replicate)", "632+(replicates=20, variant=truncated-632)"),
]


@pytest.mark.parametrize("text", ESTIMATES)
def test_every_estimator_passes(text: str) -> None:
    check_estimator(ESTIMATORS.parse(text))


# intervals


@pytest.mark.parametrize(
    "text",
    [
        *(*INTERVALS, "632+(replicates=30)", "cv-wald(k=5, variance=within-fold)", "nested-cv(k=3, factor=package)"),
        *("corrected-t(ratio=0.99)", "conservative-z(ratio=0.55)", "kohavi(k=4, repeats=3)", "5x2cv(estimate=mean)"),
        *("cv-wald(k=4, stratified=True)", "two-stage(outer=2, inner=2, replicates=50)"),
    ],
)
def test_every_interval_passes(text: str) -> None:
    check_interval(INTERVALS.parse(text))
