"""Which cases train and which are tested: multisets of cases, and schemes that draw them."""

from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import (
    Bootstrap,
    Holdout,
    KFold,
    LeaveOneOut,
    LeaveOneOutBootstrap,
    Resubstitution,
)

__all__ = [
    "Bootstrap",
    "Holdout",
    "KFold",
    "LeaveOneOut",
    "LeaveOneOutBootstrap",
    "Resamples",
    "Resubstitution",
    "Scheme",
]
