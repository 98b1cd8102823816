"""Error-rate estimators: schemes of resampling and a reduction of their 0/1 losses.

Each estimator names the schemes it needs; :func:`estimate` runs every scheme
once, makes all classifiers in one pass, and reduces.  Estimators that combine
others (.632, .632+, LOO*) share their resamples.  All error rates are
proportions.

Definitions follow Efron (1983), Efron & Tibshirani (1997), Shakhnarovich,
El-Yaniv & Baram (2001) and, for LOO*, Weiss & Kulikowski as printed in Martin &
Hirschberg (1996), section 2.
"""

from errorest.estimation.clone_errors import Cloning
from errorest.estimation.estimators.bootstraps import (
    bootstrap_e0,
    bootstrapped_cross_validation,
    double_bootstrap,
    naive_bootstrap,
)
from errorest.estimation.estimators.combined import bootstrap_632, bootstrap_632_plus, loo_star
from errorest.estimation.estimators.estimator import Estimator
from errorest.estimation.estimators.overfitting import no_information_rate, point_632_plus
from errorest.estimation.estimators.registry import ESTIMATORS, parse_estimator
from errorest.estimation.estimators.running import estimate, estimate_many, fits, fits_of
from errorest.estimation.estimators.splits import cross_validation, holdout, leave_one_out, resubstitution

__all__ = [
    "ESTIMATORS",
    "Cloning",
    "Estimator",
    "bootstrap_632",
    "bootstrap_632_plus",
    "bootstrap_e0",
    "bootstrapped_cross_validation",
    "cross_validation",
    "double_bootstrap",
    "estimate",
    "estimate_many",
    "fits",
    "fits_of",
    "holdout",
    "leave_one_out",
    "loo_star",
    "naive_bootstrap",
    "no_information_rate",
    "parse_estimator",
    "point_632_plus",
    "resubstitution",
]
