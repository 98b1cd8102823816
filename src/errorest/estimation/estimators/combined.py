"""Estimators that combine others: .632, .632+ and LOO*.

They share the resamples, or clones, of what they combine.  Definitions follow
Efron (1983), Efron & Tibshirani (1997) and, for LOO*, Weiss & Kulikowski as
printed in Martin & Hirschberg (1996), section 2.  All error rates are proportions.
"""

from __future__ import annotations

from typing import get_args

from errorest.data.sample import Sample
from errorest.estimation.clone_errors import Cloning
from errorest.estimation.estimators.bootstraps import Per, e0_rate, e0_scheme
from errorest.estimation.estimators.estimator import Estimator, Outcomes, cloning_of, estimator_id, one_of
from errorest.estimation.estimators.overfitting import Variant, no_information_rate, point_632_plus
from errorest.estimation.estimators.splits import cross_validation, leave_one_out
from errorest.estimation.run import Scheme

__all__ = ["bootstrap_632", "bootstrap_632_plus", "loo_star"]


def bootstrap_632(replicates: int = 200, per: Per = "replicate", cloned: Cloning | bool = False) -> Estimator:
    """.632 bootstrap: .368 of the apparent error and .632 of e0 (Efron 1983).

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B; with ``per="nested"`` so many a case.
    per : {"replicate", "case", "pooled", "nested"}
        As in :func:`bootstrap_e0`.
    cloned : Cloning or bool
        Take e0 from clones; with ``nested`` only.

    Examples
    --------
    >>> bootstrap_632(50).id
    '632(replicates=50)'
    """
    cloning = cloning_of(cloned)
    scheme, apparent = e0_scheme(replicates, per, cloning), Scheme("resubstitution")

    def reduce(sample: Sample, outcomes: Outcomes) -> float:
        return 0.368 * outcomes[apparent].rate + 0.632 * e0_rate(sample, outcomes[scheme], per)

    name = estimator_id(bootstrap_632, "632", replicates=replicates, per=per, cloned=cloning or False)
    return Estimator(name, (apparent, scheme), reduce)


def bootstrap_632_plus(
    replicates: int = 200,
    per: Per = "case",
    variant: Variant = "efron-tibshirani",
    cloned: Cloning | bool = False,
) -> Estimator:
    """.632+ bootstrap: the .632 with more weight on the bootstrap error the more the inducer overfits.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B; with ``per="nested"`` so many a case.
    per : {"case", "replicate", "pooled", "nested"}
        As in :func:`bootstrap_e0`; Efron & Tibshirani average case by case.
    variant : {"efron-tibshirani", "unbounded-r", "truncated-632", "zero-outside"}
        As in :func:`point_632_plus`.
    cloned : Cloning or bool
        Take e0 from clones; with ``nested`` only.

    Examples
    --------
    >>> bootstrap_632_plus().id, bootstrap_632_plus(100, "nested", "zero-outside", cloned=True).id
    ('632+(replicates=200)', '632+(replicates=100, per=nested, variant=zero-outside, cloned=True)')
    """
    cloning = cloning_of(cloned)
    scheme, apparent = e0_scheme(replicates, per, cloning), Scheme("resubstitution")
    one_of(variant, get_args(Variant), "variant")

    def reduce(sample: Sample, outcomes: Outcomes) -> float:
        own = outcomes[apparent]
        gamma = no_information_rate(sample.y, own.labels, sample.n_classes)
        return point_632_plus(own.rate, e0_rate(sample, outcomes[scheme], per), gamma, variant)

    name = estimator_id(
        bootstrap_632_plus, "632+", replicates=replicates, per=per, variant=variant, cloned=cloning or False
    )
    return Estimator(name, (apparent, scheme), reduce)


def loo_star(replicates: int = 200, repeats: int = 100) -> Estimator:
    """Weiss's LOO*: leave-one-out, replaced by .632 or repeated 2-fold CV where they disagree.

    .632 where leave-one-out lies below it; the repeated 2-fold estimate where that lies
    below leave-one-out (and leave-one-out is not below .632); else leave-one-out.

    Parameters
    ----------
    replicates : int
        Bootstrap samples of the .632 part.
    repeats : int
        Repeats of the 2-fold part.

    References
    ----------
    Martin & Hirschberg (1996), section 2.

    Examples
    --------
    >>> len(loo_star().schemes)
    4
    """
    loo, b632, cv2 = leave_one_out(), bootstrap_632(replicates), cross_validation(2, repeats)

    def reduce(sample: Sample, outcomes: Outcomes) -> float:
        left, boot, half = (e.reduce(sample, outcomes) for e in (loo, b632, cv2))
        if left < boot:
            return boot
        return half if half < left else left

    return Estimator(
        estimator_id(loo_star, "loo*", replicates=replicates, repeats=repeats),
        loo.schemes + b632.schemes + cv2.schemes,
        reduce,
    )
