"""Error-rate estimators: schemes of resampling and a reduction of their losses.

Each estimator names the schemes it needs; :func:`estimate` runs every scheme once, makes all classifiers in one pass,
and reduces.  Estimators that combine others (.632, .632+, LOO*) share their resamples.
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
