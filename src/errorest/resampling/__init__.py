"""Which cases train and which are tested: multisets of cases, schemes that draw them, and clones."""

from errorest.resampling.clones import Cloner, Cloning
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import (
    Bootstrap,
    BootstrapFolds,
    BootstrapTwice,
    Holdout,
    KFold,
    LeaveOneOut,
    LeaveOneOutBootstrap,
    Resubstitution,
)

__all__ = [
    "Bootstrap",
    "BootstrapFolds",
    "BootstrapTwice",
    "Cloner",
    "Cloning",
    "Holdout",
    "KFold",
    "LeaveOneOut",
    "LeaveOneOutBootstrap",
    "Resamples",
    "Resubstitution",
    "Scheme",
]
