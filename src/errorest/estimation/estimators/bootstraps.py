"""Bootstrap estimators: classifiers made of samples drawn from the sample, or of clones of it.

The bootstrap samples of one number of replicates are the same for e0 (but for its
nested form), bs, bscv and bsx2, and so are the clones of one cloning for the latter
three.  All error rates are proportions.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.clone_errors import Cloning
from errorest.estimation.estimators.estimator import Estimator, cloning_of, estimator_id, one_of
from errorest.estimation.estimators.splits import Weights, weighted
from errorest.estimation.run import Outcome, Scheme

__all__ = [
    "Per",
    "bootstrap_e0",
    "bootstrapped_cross_validation",
    "double_bootstrap",
    "e0_rate",
    "e0_scheme",
    "naive_bootstrap",
]

Per = Literal["replicate", "case", "pooled", "nested"]


def e0_scheme(replicates: int, per: Per, cloning: Cloning | None) -> Scheme:
    """Return the scheme that :func:`e0_rate` reduces.

    Raises
    ------
    UsageError
        If clones are wanted of the whole sample, of which no case is left out.
    """
    one_of(per, get_args(Per), "per")
    if per == "nested":
        return _scheme("leave_one_out_bootstrap", "leave_one_out_clones", cloning, replicates=replicates)
    if cloning is not None:
        raise UsageError(
            f"clones were asked for with per={per}; expected per=nested, since no case is absent from a clone of the "
            "whole sample; choose per=nested"
        )
    return Scheme("bootstrap", (("replicates", replicates),))


def _scheme(of_bootstrap: str, of_clones: str, cloning: Cloning | None, **settings: Any) -> Scheme:
    if cloning is None:
        return Scheme(of_bootstrap, tuple(sorted(settings.items())))
    return Scheme(of_clones, tuple(sorted([*settings.items(), *cloning.settings])))


def e0_rate(sample: Sample, outcome: Outcome, per: Per) -> float:
    """Reduce a bootstrap outcome to the error rate of cases that were not trained on, a proportion.

    NaN where no replicate leaves a case out.
    """
    if per == "nested":
        return outcome.rate
    if per == "replicate":
        return outcome.mean_row_rate
    if per == "pooled":
        return float(outcome.errors.sum() / outcome.tested.sum()) if outcome.tested.any() else float("nan")
    cases = outcome.resamples.cases
    wrong = np.bincount(cases, weights=outcome.losses(sample), minlength=sample.n)
    tested = np.bincount(cases, minlength=sample.n)
    some = tested > 0
    return float((wrong[some] / tested[some]).mean()) if some.any() else float("nan")


def bootstrap_e0(replicates: int = 200, per: Per = "replicate", cloned: Cloning | bool = False) -> Estimator:
    """e0 bootstrap: train on n draws with replacement, test on the cases not drawn.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.  One that leaves no case out is skipped.
    per : {"replicate", "case", "pooled", "nested"}
        Average the replicates' own rates (Martin & Hirschberg), the cases' own rates
        (Efron & Tibshirani's Err(1), leave-one-out bootstrap with shared samples), or pool.
        ``nested`` draws B samples of size n for each case from all others: leave-one-out
        bootstrap as Shakhnarovich, El-Yaniv & Baram (2001) write it, equation (8).
    cloned : Cloning or bool
        Draw clones of the sample without the case instead; with ``nested`` only.

    Raises
    ------
    UsageError
        If ``per`` is unknown, or forbids clones.

    Examples
    --------
    >>> bootstrap_e0(200).id, bootstrap_e0(100, "nested", cloned=True).id
    ('e0(replicates=200)', 'e0(replicates=100, per=nested, cloned=True)')
    """
    cloning = cloning_of(cloned)
    scheme = e0_scheme(replicates, per, cloning)
    name = estimator_id(bootstrap_e0, "e0", replicates=replicates, per=per, cloned=cloning or False)
    return Estimator(name, (scheme,), lambda s, o: e0_rate(s, o[scheme], per))


def naive_bootstrap(replicates: int = 200, cloned: Cloning | bool = False) -> Estimator:
    """Naive bootstrap: train on n draws with replacement, test on the whole sample.

    Most of the tested cases have been trained on, so that it is optimistic.

    Parameters
    ----------
    replicates : int
        Bootstrap samples or clones, B.
    cloned : Cloning or bool
        Train on clones instead.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), equation (7); its clones, section 5.

    Examples
    --------
    >>> naive_bootstrap(100).id, naive_bootstrap(100, cloned=Cloning(kernel="gaussian")).id
    ('bs(replicates=100)', 'bs(replicates=100, cloned=True, kernel=gaussian)')
    """
    cloning = cloning_of(cloned)
    scheme = _scheme("naive_bootstrap", "clones", cloning, replicates=replicates)
    name = estimator_id(naive_bootstrap, "bs", replicates=replicates, cloned=cloning or False)
    return Estimator(name, (scheme,), lambda _, o: o[scheme].rate)


def bootstrapped_cross_validation(
    k: int | Literal["n"] = 10, replicates: int = 200, weights: Weights = "test-size", cloned: Cloning | bool = False
) -> Estimator:
    """Cross-validate each of B bootstrap samples, and average.

    Copies of a case may fall into different folds of a bootstrap sample, which makes it
    optimistic; clones have no copies.

    Parameters
    ----------
    k : int or "n"
        Folds, random and not stratified; ``"n"``: one a case.
    replicates : int
        Bootstrap samples or clones, B.
    weights : {"test-size", "folds"}
        Pool all tested cases of a sample, or average the folds' rates with equal weight.
    cloned : Cloning or bool
        Cross-validate clones instead.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), section 5; it weighs folds equally.

    Examples
    --------
    >>> bootstrapped_cross_validation(5, 100).id, bootstrapped_cross_validation("n", 100, cloned=True).id
    ('bscv(k=5, replicates=100)', 'bscv(k=n, replicates=100, cloned=True)')
    """
    one_of(weights, get_args(Weights), "weights")
    cloning = cloning_of(cloned)
    scheme = _scheme("cross_validated_bootstrap", "cross_validated_clones", cloning, k=k, replicates=replicates)
    name = estimator_id(
        bootstrapped_cross_validation, "bscv", k=k, replicates=replicates, weights=weights, cloned=cloning or False
    )
    return Estimator(name, (scheme,), lambda _, o: weighted(o[scheme], weights))


def double_bootstrap(replicates: int = 200, cloned: Cloning | bool = False) -> Estimator:
    """Double bootstrap: train on a bootstrap sample of each of B bootstrap samples, test on the whole sample.

    This definition is ours.  Shakhnarovich, El-Yaniv & Baram (2001) print how long their
    ``BS x 2`` takes, as long as the naive bootstrap, but not what it is; here it serves to count
    classifiers, of which there are B.

    Parameters
    ----------
    replicates : int
        Bootstrap samples or clones, B; each is drawn from once, with replacement.
    cloned : Cloning or bool
        Draw from clones instead.

    Examples
    --------
    >>> double_bootstrap(100).id
    'bsx2(replicates=100)'
    """
    cloning = cloning_of(cloned)
    scheme = _scheme("double_bootstrap", "double_clones", cloning, replicates=replicates)
    name = estimator_id(double_bootstrap, "bsx2", replicates=replicates, cloned=cloning or False)
    return Estimator(name, (scheme,), lambda _, o: o[scheme].rate)
