"""Which of two classifiers errs less, on shared resamples.

Both are trained and tested on the same splits, so that what a split has in itself cancels; the interval
of the mean difference is the corrected resampled t of Nadeau & Bengio (2003), which widens the usual one
for the training cases that splits share.  Beside it stands the sign test's exact answer on one holdout.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special
from scipy.stats import binomtest

from errorest.assessment.cautions import shared_cautions
from errorest.assessment.classifiers import OwnClassifier
from errorest.assessment.costs import KINDS, read_costs
from errorest.assessment.estimate import checked_on_failure, on_cores, streams_of
from errorest.assessment.inputs import Problem, prepare
from errorest.assessment.plan import checked_estimator
from errorest.assessment.progress import teller
from errorest.assessment.report import Told
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import OnFailure, Ran, run
from errorest.assessment.threads import checked_threads, limited
from errorest.assessment.wording import percent, points, within
from errorest.data.columns import Understood
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.intervals.proportions import check_confidence
from errorest.estimation.losses import Loss
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout, KFold

if TYPE_CHECKING:
    import pandas as pd

    from errorest.plots import Drawn

__all__ = ["ErrorDifference", "SignTest", "compare_errors", "exact_sign_test"]


@dataclass(frozen=True)
class SignTest:
    """The sign test of two classifiers on one holdout.

    Parameters
    ----------
    only_a, only_b : int
        Tested cases that a alone, and b alone, gets wrong.
    tested : int
    p_value : float
        Two-sided and exact: the chance of a split at least as uneven if each were as likely.

    Examples
    --------
    >>> SignTest(1, 6, 20, exact_sign_test(1, 6)).p_value
    0.125
    """

    only_a: int
    only_b: int
    tested: int
    p_value: float


def exact_sign_test(only_a: int, only_b: int) -> float:
    """Two-sided exact p-value of the sign test.

    Parameters
    ----------
    only_a, only_b : int
        Cases on which one alone is wrong; the others say nothing.

    Returns
    -------
    float
        A probability.

    Examples
    --------
    >>> exact_sign_test(0, 5), exact_sign_test(3, 3)
    (0.0625, 1.0)
    """
    number = only_a + only_b
    return float(binomtest(only_a, number).pvalue) if number else 1.0


@dataclass(frozen=True, eq=False, repr=False)
class ErrorDifference(Told):
    """How much more a errs than b.

    Parameters
    ----------
    difference : float
        Mean over the splits of the rate of a less that of b, a proportion (or in the unit of the loss).
    interval : ConfidenceInterval
    standard_error : float
        With Nadeau & Bengio's correction.
    a, b : str
        Ids of the classifiers.
    error_a, error_b : float
        Mean rates over the same splits.
    sign_test : SignTest
    resamples : str
        Id of the scheme.
    n, n_fits : int
    seconds : float
    warnings : tuple of str
    seed : int or None
    loss : {"0/1", "balanced", "costs", "own"}
    costs : str
        The costs in words, where some were given.

    Examples
    --------
    >>> X, y = np.arange(12.0)[:, None], [0] * 6 + [1] * 6
    >>> d = compare_errors("knn", "majority", X, y, rng=3)
    >>> d.difference < 0, d.interval.high < 0
    (True, True)
    """

    difference: float
    interval: ConfidenceInterval
    standard_error: float
    a: str
    b: str
    error_a: float
    error_b: float
    sign_test: SignTest
    resamples: str
    n: int
    n_fits: int
    seconds: float
    warnings: tuple[str, ...] = ()
    seed: int | None = None
    loss: str = "0/1"
    costs: str = ""
    _rates: np.ndarray = field(repr=False, kw_only=True)
    _source: Understood | None = field(default=None, repr=False, kw_only=True)

    @cached_property
    def splits(self) -> pd.DataFrame:
        """Each split: rate of a, rate of b, and their difference."""
        import pandas as pd

        a, b = self._rates
        return pd.DataFrame({"split": np.arange(a.size), "a": a, "b": b, "difference": a - b})

    def to_dict(self) -> dict[str, Any]:
        """Return plain types for JSON."""
        return {
            "difference": self.difference,
            "standard_error": self.standard_error,
            "interval": {
                "low": self.interval.low,
                "high": self.interval.high,
                "method": self.interval.method,
                "target": self.interval.target,
                "aim": self.interval.aim,
                "confidence": self.interval.confidence,
                "degenerate": self.interval.degenerate,
            },
            "a": {"classifier": self.a, "error": self.error_a},
            "b": {"classifier": self.b, "error": self.error_b},
            "sign_test": vars(self.sign_test),
            "verdict": self.verdict,
            "loss": self.loss,
            "costs": self.costs,
            "resamples": self.resamples,
            "n": self.n,
            "fits": self.n_fits,
            "seconds": self.seconds,
            "seed": self.seed,
            "warnings": list(self.warnings),
        }

    @property
    def percent(self) -> bool:
        """Whether the difference is one of proportions, told in percentage points."""
        return self.loss in ("0/1", "balanced")

    @property
    def names(self) -> tuple[str, str]:
        """The letters with the classifiers' ids."""
        return f"a ({self.a})", f"b ({self.b})"

    def lines(self) -> list[tuple[str, str]]:
        """Tell the result as pairs of a heading and a text."""
        test = self.sign_test
        told = f"of {test.tested} held-out cases a alone gets {test.only_a} wrong, b alone {test.only_b}"
        return [
            ("verdict", self.verdict),
            *(
                (letter, f"{KINDS[self.loss]} {percent(error) if self.percent else f'{error:.4g}'}, {name}")
                for letter, error, name in (("a", self.error_a, self.a), ("b", self.error_b, self.b))
            ),
            ("a less b", self._points(self.difference)),
            (
                f"{100 * self.interval.confidence:g} % interval",
                f"{self._limits()} ({self.interval.method})",
            ),
            ("aims at", self.interval.aim),
            ("sign test", f"{told}: p = {test.p_value:.3g}"),
            *([("costs", self.costs)] if self.costs else []),
            ("cases", str(self.n)),
            ("fits", f"{self.n_fits} in {self.seconds:.2g} s"),
            *([("seed", str(self.seed))] if self.seed is not None else []),
        ]

    @property
    def verdict(self) -> str:
        """Which errs less and by how much, as far as the interval says."""
        lead = self._points(self.difference)
        a, b = self.names
        if self.interval.low <= 0 <= self.interval.high:
            return f"{lead}: undecided between {a} and {b}, since the interval contains no difference"
        return f"{lead}: {a if self.difference < 0 else b} errs less"

    def _points(self, value: float) -> str:
        return points(value) if self.percent else f"{value:+.4g}"

    def _limits(self) -> str:
        scale, unit = (100.0, " points") if self.percent else (1.0, "")
        return within(self.interval.low, self.interval.high, scale, unit, signed=True)

    def drawn(self) -> Drawn:
        """Draw the differences of the splits, with their mean and its interval."""
        from errorest import plots
        from errorest.assessment.pictures import draw_difference

        with plots.style():
            return draw_difference(self)

    def _headline(self) -> tuple[str, str]:
        share = 100 * self.interval.confidence
        return f"Does {self.a} err less than {self.b}?", f"{self.verdict} ({share:g} % interval {self._limits()})"


def compare_errors(
    a: Any,
    b: Any,
    X: Any,
    y: Any = None,
    *,
    estimator: Any = "holdout(test=1/10, repeats=25)",
    sign_test: Fraction | float = Fraction(1, 3),
    rng: np.random.Generator | int | None = None,
    groups: Any = None,
    strata: Any = None,
    loss: Any = "0/1",
    on_failure: OnFailure = "raise",
    confidence: float = 0.95,
    encode: bool = False,
    jobs: int = 1,
    threads: int | None = 1,
    progress: bool = False,
) -> ErrorDifference:
    """Compare two classifiers on the same resamples.

    Parameters
    ----------
    a, b : scikit-learn classifier or pipeline, inducer, or str
    X, y, rng, groups, strata, loss, on_failure, confidence, encode, jobs, threads, progress
        As :func:`~errorest.assessment.estimate_error`; a resample that fails for one is left out for both.
    estimator : str or Estimator
        Repeated holdout or (repeated) cross-validation; Nadeau & Bengio's 25 splits of 9 : 1 by default.
    sign_test : share in (0, 1)
        Of the cases, held out for the sign test.

    Returns
    -------
    ErrorDifference

    Raises
    ------
    UsageError
        As :func:`~errorest.assessment.estimate_error`; or if the resamples are of another kind.

    References
    ----------
    Nadeau & Bengio (2003), section 3; Bouckaert & Frank (2004) for repeated cross-validation.

    Examples
    --------
    >>> X, y = np.arange(12.0)[:, None], [0] * 6 + [1] * 6
    >>> compare_errors("knn", "knn", X, y, rng=3).difference
    0.0
    """
    began = time.perf_counter()
    check_confidence(confidence)
    wanted = checked_estimator(estimator)
    scheme, held = _checked_scheme(wanted), _checked_holdout(sign_test)
    workers = {"jobs": on_cores(jobs), "threads": checked_threads(threads)}
    options = {"groups": groups, "strata": strata, "encode": encode, **workers}
    problems = [prepare(c, X, y, **options) for c in (a, b)]
    costs = read_costs(loss, problems[0].labels, problems[0].class_counts)
    most = checked_threads(threads) if any(isinstance(p.inducer, OwnClassifier) for p in problems) else None
    streams, seed = streams_of(rng)
    with limited(most):
        ran = [
            run(p, (scheme, held), streams, on_failure=checked_on_failure(on_failure), told=told)
            for p, told in zip(problems, _tellers(problems, progress), strict=True)
        ]
    rates, rows = _paired_rates(ran, scheme, costs.loss)
    n = problems[0].n
    interval, se = _corrected_t(rates[0] - rates[1], float(np.mean(rows)), n, wanted, confidence)
    return ErrorDifference(
        float((rates[0] - rates[1]).mean()),
        interval,
        se,
        problems[0].inducer.id,
        problems[1].inducer.id,
        float(rates[0].mean()),
        float(rates[1].mean()),
        _sign_test(ran, held),
        scheme.id,
        n,
        sum(o.n_rows for r in ran for o in r.outcomes.values()),
        time.perf_counter() - began,
        shared_cautions(problems, ran, interval),
        seed,
        costs.kind,
        costs.told,
        _rates=rates,
        _source=problems[0].source,
    )


def _corrected_t(
    differences: np.ndarray, tested: float, n: int, estimator: Estimator, confidence: float
) -> tuple[ConfidenceInterval, float]:
    """Return the interval about the mean difference of splits of n cases, and its standard error."""
    if differences.size < 2:
        raise UsageError(
            f"{estimator.id} leaves {differences.size} split(s) to compare on; expected at least two; ask for more "
            "repeats"
        )
    se = sqrt(float(differences.var(ddof=1)) * (1 / differences.size + tested / (n - tested)))
    half = float(special.stdtrit(differences.size - 1, (1 + confidence) / 2)) * se
    mean = float(differences.mean())
    interval = ConfidenceInterval(
        mean - half,
        mean + half,
        f"corrected-t on {estimator.id}",
        "procedure",
        f"the difference of the mean errors of classifiers made of {n - tested:.0f} cases",
        confidence,
        2 * half <= 1e-12,
    )
    return interval, se


def _checked_scheme(estimator: Estimator) -> Scheme:
    scheme = estimator.schemes[0]
    several = isinstance(scheme, KFold) or (isinstance(scheme, Holdout) and scheme.repeats > 1)
    if len(estimator.schemes) != 1 or not several:
        raise UsageError(
            f"estimator {estimator.id} was named to compare on; expected several splits into training and test cases; "
            "name holdout(test=1/10, repeats=25) or cv(k=10, repeats=10)"
        )
    return scheme


def _checked_holdout(share: Any) -> Holdout:
    number = isinstance(share, Fraction | float | int | np.number) and not isinstance(share, bool)
    if not number or not 0 < share < 1:
        raise UsageError(
            f"sign_test = {share!r} was given; expected a share of the cases between 0 and 1, such as 1/3; mend "
            "sign_test"
        )
    return Holdout(share if isinstance(share, Fraction) else float(share))


def _tellers(problems: list[Problem], progress: bool) -> list[Callable[[int, int], None] | None]:
    if not progress:
        return [None, None]
    return [teller(p.inducer.id) for p in problems]


def _paired_rates(ran: list[Ran], scheme: Scheme, cost: Loss) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean losses of the splits that both classifiers came through, and their numbers of tested cases."""
    rates, left = [], []
    for r in ran:
        outcome = r.resampled[scheme].under(cost)
        failed = {f.row for f in r.failures.get(scheme, [])}
        rows = [i for i in range(outcome.n_rows + len(failed)) if i not in failed]
        rates.append(dict(zip(rows, outcome.row_rates, strict=True)))
        left.append(dict(zip(rows, outcome.tested, strict=True)))
    both = sorted(rates[0].keys() & rates[1].keys())
    return np.array([[own[i] for i in both] for own in rates]), np.array([left[0][i] for i in both])


def _sign_test(ran: list[Ran], held: Scheme) -> SignTest:
    wrong = [r.resampled[held].losses for r in ran]
    only_a, only_b = int((wrong[0] & ~wrong[1]).sum()), int((wrong[1] & ~wrong[0]).sum())
    return SignTest(only_a, only_b, wrong[0].size, exact_sign_test(only_a, only_b))
