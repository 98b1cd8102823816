"""Error-rate estimators: schemes of resampling and a reduction of their losses.

Each estimator names the schemes it needs; :func:`estimate` runs every scheme
once, makes all classifiers in one pass, and reduces.  Estimators that combine
others (.632, .632+, LOO*) share their resamples.  All error rates are
proportions.

Definitions follow Efron (1983), Efron & Tibshirani (1997), Shakhnarovich,
El-Yaniv & Baram (2001) and, for LOO*, Weiss & Kulikowski as printed in Martin &
Hirschberg (1996), section 2.
"""

from errorest.estimation.estimators.estimator import (
    Apparent,
    Bootstrap632,
    Bootstrap632Plus,
    BootstrapE0,
    BootstrappedCV,
    CrossValidation,
    DoubleBootstrap,
    Estimator,
    LeaveOneOutCV,
    LooStar,
    NaiveBootstrap,
    RandomSubsampling,
    point_632_plus,
)
from errorest.estimation.estimators.registry import ESTIMATORS, check_estimator_of, parse_estimator
from errorest.estimation.estimators.running import estimate, estimate_many, fits, fits_of

__all__ = [
    "ESTIMATORS",
    "Apparent",
    "Bootstrap632",
    "Bootstrap632Plus",
    "BootstrapE0",
    "BootstrappedCV",
    "CrossValidation",
    "DoubleBootstrap",
    "Estimator",
    "LeaveOneOutCV",
    "LooStar",
    "NaiveBootstrap",
    "RandomSubsampling",
    "check_estimator_of",
    "estimate",
    "estimate_many",
    "fits",
    "fits_of",
    "parse_estimator",
    "point_632_plus",
]
