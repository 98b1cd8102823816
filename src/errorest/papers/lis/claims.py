"""The page's quantitative claims, executed on samples of two normal classes.

One study estimates the error of a threshold and of the nearest-neighbour rule with every estimator
that the page names, beside the classifier's exact true error; each claim is then a comparison of
biases, spreads and rms errors.  The field guide is drawn from the same study.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import exp
from typing import Any

import numpy as np
import pandas as pd

from errorest.errors import UsageError
from errorest.estimation.estimators import parse_estimator
from errorest.estimation.run import run_schemes
from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.experiment.populations import TwoNormals
from errorest.inducers.base import Inducer
from errorest.inducers.neighbors import KNN, interval_classifier
from errorest.inducers.threshold import Threshold
from errorest.papers.parameters import Parameters, parameter
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = [
    "INDUCERS",
    "ClaimParameters",
    "claims",
    "claims_study",
    "distinct_fraction",
    "estimator_ids",
    "iterations_needed",
    "measure_claims",
]

INDUCERS: Mapping[str, Callable[[], Inducer]] = {"threshold": Threshold, "1-nn": KNN}
"""The inducers of the study: one that hardly overfits, and one whose apparent error is nought."""

EXCESS = 0.01
"""Share by which too few bootstrap iterations may widen the spread of e0."""


class ClaimParameters(Parameters):
    """Parameters of the claims and of the field guide, which share one study."""

    seed: int = parameter(2001, "seed of every random stream", ge=0)
    sizes: list[int] = parameter([20, 30, 100], "sample sizes n; the largest stands for large samples", min_length=2)
    inherent_errors: list[float] = parameter(
        [0.05, 0.1, 0.25, 0.4], "inherent errors of the populations, proportions; low to high", min_length=2
    )
    samples: int = parameter(400, "samples of each size, inherent error and inducer", ge=20, preview=100)
    cv_repeats: int = parameter(50, "repeats of 2-fold cross-validation and of holdout", ge=2)
    bootstrap_replicates: int = parameter(200, "bootstrap iterations, B", ge=2)


def estimator_ids(p: ClaimParameters) -> dict[str, str]:
    """Return the page's estimators and the library's ids for them.

    Examples
    --------
    >>> estimator_ids(ClaimParameters())["e0"]
    'e0(replicates=200)'
    """
    return {
        "training set": "resubstitution",
        "holdout": "holdout(test=1/3)",
        "random subsampling": f"holdout(test=1/3, repeats={p.cv_repeats})",
        "repeated 2-fold": f"cv(k=2, repeats={p.cv_repeats})",
        "10-fold": "cv(k=10)",
        "stratified 10-fold": "cv(k=10, stratified=True)",
        "leave-one-out": "loo",
        "e0": f"e0(replicates={p.bootstrap_replicates})",
        ".632B": f"632(replicates={p.bootstrap_replicates})",
    }


def distinct_fraction(n: int) -> float:
    """Expected share of distinct cases in n draws with replacement from n, 1 - (1 - 1/n)^n.

    Parameters
    ----------
    n : int
        At least 1.

    Raises
    ------
    UsageError
        If n < 1.

    Examples
    --------
    >>> distinct_fraction(2), round(distinct_fraction(100), 4)
    (0.75, 0.634)
    """
    if n < 1:
        raise UsageError(f"n = {n} cases; expected at least 1; give a sample size")
    return float(-np.expm1(n * np.log1p(-1.0 / n))) if n > 1 else 1.0


def measure_claims(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Estimate every replicate's error; columns are the true error, the estimators and e0's own scatter.

    ``e0 scatter`` is the variance between the bootstrap iterations of one sample.
    """
    population = TwoNormals.of_inherent_error(cell["inherent_error"])
    inducer = INDUCERS[cell["inducer"]]()
    estimators = {name: parse_estimator(text) for name, text in cell["estimators"].items()}
    schemes = [s for e in estimators.values() for s in e.schemes]
    out = {name: np.empty(len(replicates)) for name in ("true error", *estimators, "e0 scatter")}
    boot = estimators["e0"].schemes[0]
    for i, replicate in enumerate(replicates):
        own = streams.child(replicate)
        sample = population.sample(cell["n"], own.generator("sample"))
        classifier = interval_classifier(sample, 1) if cell["inducer"] == "1-nn" else Threshold().fit(sample)
        out["true error"][i] = population.true_error(classifier)
        outcomes = run_schemes(sample, inducer, schemes, own)
        for name, estimator in estimators.items():
            out[name][i] = estimator.reduce(sample, outcomes)
        some = outcomes[boot].tested > 0
        out["e0 scatter"][i] = np.var(outcomes[boot].errors[some] / outcomes[boot].tested[some], ddof=1)
    return out


def claims_study(p: ClaimParameters) -> Study:
    """Make the study behind the claims; samples depend on size, inherent error and seed alone."""
    cells = tuple(
        {"n": n, "inherent_error": e, "inducer": inducer, "estimators": estimator_ids(p)}
        for inducer in INDUCERS
        for n in p.sizes
        for e in p.inherent_errors
    )
    return Study("lis-claims", cells, p.samples, measure_claims, seed=p.seed, seed_keys=("n", "inherent_error"))


def iterations_needed(results: pd.DataFrame, replicates: int) -> Measured:
    """Iterations from which on bootstrap noise widens e0's spread over samples by 1 % at most.

    The variance of e0 over samples is V + W/B, with W the mean variance between the iterations of one
    sample; B is W/(V (1.01^2 - 1)).

    Parameters
    ----------
    results : DataFrame
        One cell of :func:`claims_study`.
    replicates : int
        Iterations that ``e0`` was averaged over.

    Returns
    -------
    Measured
        B, its standard error by leaving out tenths of the samples, and the number of samples.
    """

    def needed(part: pd.DataFrame) -> float:
        within = float(part["e0 scatter"].mean())
        between = float(part["e0"].var(ddof=1)) - within / replicates
        return within / (between * ((1.0 + EXCESS) ** 2 - 1.0)) if between > 0 else float("inf")

    tenth = np.arange(len(results)) % 10
    left_out = np.array([needed(results[tenth != i]) for i in range(10)])
    se = float(np.sqrt(0.9 * np.sum((left_out - left_out.mean()) ** 2)))
    return Measured(needed(results), se, len(results))


def widening(needed: float, replicates: int) -> float:
    """Share by which some iterations widen e0's spread, from the number that widens it by 1 %.

    Examples
    --------
    >>> round(widening(140.0, 140), 6)
    0.01
    """
    return float(np.sqrt(1.0 + needed * ((1.0 + EXCESS) ** 2 - 1.0) / replicates) - 1.0)


def _bias(cell: pd.DataFrame, name: str) -> Measured:
    return accuracy.mean((cell[name] - cell["true error"]).to_numpy())


def _rms(cell: pd.DataFrame, name: str) -> float:
    return accuracy.rms((cell[name] - cell["true error"]).to_numpy()).value


def _sd(cell: pd.DataFrame, name: str) -> float:
    return float(cell[name].std(ddof=1))


class Cells:
    """The study's results by cell, and counts of cells where a comparison holds."""

    def __init__(self, results: pd.DataFrame) -> None:
        keys = ["inducer", "n", "inherent_error"]
        self.of = {
            (str(inducer), int(str(n)), float(str(e))): cell
            for (inducer, n, e), cell in results.groupby(keys, sort=False)
        }

    def check(
        self,
        claim: str,
        holds: Callable[[pd.DataFrame], bool],
        say: Callable[[pd.DataFrame], str],
        where: Callable[[str, int, float], bool] = lambda inducer, n, e: True,
    ) -> Check:
        """Count the cells where a claim holds, and quote the first of them in numbers."""
        chosen = {k: cell for k, cell in self.of.items() if where(*k)}
        right = [holds(cell) for cell in chosen.values()]
        (inducer, n, error), cell = next(iter(chosen.items()))
        return Check(
            claim,
            f"in {sum(right)} of {len(right)} cells; {inducer}, n = {n}, inherent error {error:g}: {say(cell)}",
            "holds" if all(right) else "fails" if not any(right) else "holds in part",
        )


def _percent(m: Measured) -> str:
    return f"{100 * m.value:+.2f} ± {196 * m.se:.2f} %"


def _checks(p: ClaimParameters, cells: Cells) -> list[Check]:
    small, large = min(p.sizes), max(p.sizes)
    low, high = min(p.inherent_errors), max(p.inherent_errors)

    def unbiased(name: str, within: float) -> Callable[[pd.DataFrame], bool]:
        return lambda cell: abs(_bias(cell, name).value) <= within + 1.96 * _bias(cell, name).se

    def low_fifth(cell: pd.DataFrame, name: str) -> float:
        order = np.argsort(cell[name].to_numpy(), kind="stable")[: max(1, len(cell) // 5)]
        return float(cell["true error"].to_numpy()[order].mean())

    def two_rms(a: str, b: str) -> Callable[[pd.DataFrame], str]:
        return lambda cell: f"rms {100 * _rms(cell, a):.2f} against {100 * _rms(cell, b):.2f} %"

    def two_sd(a: str, b: str) -> Callable[[pd.DataFrame], str]:
        return lambda cell: f"standard deviation {100 * _sd(cell, a):.2f} against {100 * _sd(cell, b):.2f} %"

    return [
        cells.check(
            "The training set error is an overoptimistic estimate.",
            lambda c: _bias(c, "training set").value < -1.96 * _bias(c, "training set").se,
            lambda c: f"bias {_percent(_bias(c, 'training set'))}",
        ),
        cells.check(
            "Random subsampling is better than a single train-and-test partition.",
            lambda c: _rms(c, "random subsampling") < _rms(c, "holdout"),
            two_rms("random subsampling", "holdout"),
        ),
        cells.check(
            "Leave-one-out is almost unbiased (within one point).",
            unbiased("leave-one-out", 0.01),
            lambda c: f"bias {_percent(_bias(c, 'leave-one-out'))}",
        ),
        cells.check(
            "Leave-one-out has a higher variance than .632B on small samples.",
            lambda c: _sd(c, "leave-one-out") > _sd(c, ".632B"),
            two_sd("leave-one-out", ".632B"),
            lambda inducer, n, e: n == small,
        ),
        cells.check(
            "Leave-one-out is accurate for samples of over 100, because it is unbiased (rms under 5 points).",
            lambda c: _rms(c, "leave-one-out") < 0.05,
            lambda c: f"rms {100 * _rms(c, 'leave-one-out'):.2f} %",
            lambda inducer, n, e: n == large,
        ),
        cells.check(
            "10-fold cross-validation is adequate for large samples (rms within a tenth of leave-one-out's).",
            lambda c: _rms(c, "10-fold") <= 1.1 * _rms(c, "leave-one-out"),
            two_rms("10-fold", "leave-one-out"),
            lambda inducer, n, e: n == large,
        ),
        cells.check(
            "Stratification helps 10-fold cross-validation.",
            lambda c: _rms(c, "stratified 10-fold") < _rms(c, "10-fold"),
            two_rms("stratified 10-fold", "10-fold"),
        ),
        cells.check(
            "e0 is approximated by repeated 2-fold cross-validation (within one point on the average).",
            lambda c: abs(float((c["e0"] - c["repeated 2-fold"]).mean())) <= 0.01,
            lambda c: (
                f"mean difference {100 * float((c['e0'] - c['repeated 2-fold']).mean()):+.2f} %, "
                f"correlation {accuracy.correlation(c['e0'].to_numpy(), c['repeated 2-fold'].to_numpy()).value:.3f}"
            ),
        ),
        cells.check(
            "e0 is biased pessimistically.",
            lambda c: _bias(c, "e0").value > 1.96 * _bias(c, "e0").se,
            lambda c: f"bias {_percent(_bias(c, 'e0'))}",
        ),
        cells.check(
            "e0 is a low-variance estimator: it varies less than leave-one-out.",
            lambda c: _sd(c, "e0") < _sd(c, "leave-one-out"),
            two_sd("e0", "leave-one-out"),
        ),
        cells.check(
            "e0 gives strong results where the true error is high (rms below leave-one-out's and .632B's).",
            lambda c: _rms(c, "e0") < min(_rms(c, "leave-one-out"), _rms(c, ".632B")),
            two_rms("e0", ".632B"),
            lambda inducer, n, e: e == high,
        ),
        cells.check(
            ".632B is strong on small samples where the true error is low (least rms of it, e0 and leave-one-out).",
            lambda c: _rms(c, ".632B") < min(_rms(c, "e0"), _rms(c, "leave-one-out")),
            two_rms(".632B", "leave-one-out"),
            lambda inducer, n, e: n == small and e == low,
        ),
        cells.check(
            ".632B is overly optimistic as samples grow. [threshold]",
            lambda c: _bias(c, ".632B").value < -1.96 * _bias(c, ".632B").se,
            lambda c: f"bias {_percent(_bias(c, '.632B'))}",
            lambda inducer, n, e: n == large and inducer == "threshold",
        ),
        cells.check(
            ".632B is overly optimistic as samples grow. [1-nn, whose apparent error is nought]",
            lambda c: _bias(c, ".632B").value < -1.96 * _bias(c, ".632B").se,
            lambda c: f"bias {_percent(_bias(c, '.632B'))}",
            lambda inducer, n, e: n == large and inducer == "1-nn",
        ),
        cells.check(
            "Among small samples the fifth with the lowest e0 has better classifiers than that with the lowest "
            "leave-one-out estimate.",
            lambda c: low_fifth(c, "e0") < low_fifth(c, "leave-one-out"),
            lambda c: (
                f"mean true error {100 * low_fifth(c, 'e0'):.2f} against {100 * low_fifth(c, 'leave-one-out'):.2f} %"
            ),
            lambda inducer, n, e: n == small,
        ),
        Check(
            f"{p.bootstrap_replicates} bootstrap iterations cost more than leave-one-out.",
            f"{p.bootstrap_replicates} fits against n: so for n below {p.bootstrap_replicates} and not above",
            "holds" if p.bootstrap_replicates > large else "holds in part",
        ),
    ]


def claims(p: ClaimParameters, run: Run) -> Regenerated:
    """Execute the claims in the page's text.

    Parameters
    ----------
    p : ClaimParameters
    run : callable
        Runs a study or finds it in the store.

    Returns
    -------
    Regenerated
        Rows of ``lis-claims`` and, for the iterations, ``lis-figure-7``; data ``iterations`` (by cell);
        a check a claim.

    Notes
    -----
    How many iterations are "considered necessary" is read as: enough that they widen e0's spread
    over samples by 1 % at most, in the most demanding cell.  That a small sample has up to 30 cases is
    a convention, and that leave-one-out is accurate above 100 is checked at the largest size.

    Examples
    --------
    >>> from errorest.study.study import run_study
    >>> p = ClaimParameters(sizes=[10, 20], inherent_errors=[0.1, 0.4], samples=20, cv_repeats=5)
    >>> [round(r.value, 3) for r in claims(p, run_study).rows][:3]
    [0.632, 0.634, 0.368]
    """
    cells = Cells(run(claims_study(p)))
    found = {k: iterations_needed(cell, p.bootstrap_replicates) for k, cell in cells.of.items()}
    table = pd.DataFrame(
        [{"inducer": k[0], "size": k[1], "inherent error": k[2], **m._asdict()} for k, m in found.items()]
    )
    needed = max(found.values(), key=lambda m: m.value)
    limit, at_100 = 1.0 - exp(-1.0), distinct_fraction(100)
    reading = "unstated:one-percent-of-spread"
    rows = [
        Row("literal", "text", "distinct-fraction", limit, 0.0, 1),
        Row("unstated:n=100", "text", "distinct-fraction", at_100, 0.0, 1),
        Row("literal", "text", "test-fraction", 1.0 - limit, 0.0, 1),
        Row("unstated:n=100", "text", "test-fraction", 1.0 - at_100, 0.0, 1),
        Row("literal", "text", "distinct-cases-percent", 100.0 * limit, 0.0, 1),
        Row(reading, "text", "iterations-needed", *needed),
        Row(reading, "bootstrap", "iterations", *needed, artifact="lis-figure-7"),
    ]
    return Regenerated(
        rows,
        data={"iterations": table},
        checks=_checks(p, cells),
        findings=[
            (f"The share of distinct cases is 1 - (1 - 1/n)^n: {at_100:.4f} at n = 100, {limit:.4f} in the limit."),
            (
                f"{needed.value:.0f} bootstrap iterations are enough that their own scatter widens e0's spread over "
                f"samples by at most {100 * EXCESS:g} % in every cell; 50 widen it by at most "
                f"{100 * widening(needed.value, 50):.1f} %, 200 by {100 * widening(needed.value, 200):.1f} %: "
                "the sampling of the cases dominates."
            ),
        ],
        errata=[
            Erratum(
                "section on bootstrapping",
                "63.29 of the cases",
                "63.2 %",
                f"1 - 1/e is {100 * limit:.2f} %, and the page's own example of 100 cases gives {100 * at_100:.2f} %",
            )
        ],
    )
