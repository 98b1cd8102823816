"""The page's quantitative claims, executed: biases, spreads and rms errors compared over the cells of one study."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp
from typing import NamedTuple

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.artifact import artifact
from errorest.evidence.claims import clear, graded, plus_minus
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.records import parts
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.experiment.experiment import TRUE_ERROR
from errorest.experiment.results import wide
from errorest.papers.bootstrap import distinct_share
from errorest.papers.lis.experiment import INDUCERS, SCATTER, FieldGuideParameters, claims_study
from errorest.papers.lis.figures import draw_iterations

__all__ = ["Cell", "Key", "cells_of", "claims", "widening"]

EXCESS = 0.01
"""Share by which too few bootstrap iterations may widen the spread of e0."""


class Key(NamedTuple):
    """Inducer, sample size and inherent error of a cell."""

    inducer: str
    n: int
    error: float


@dataclass(frozen=True)
class Cell:
    """The samples of one cell: how each estimate lies to the true error, in points."""

    samples: pd.DataFrame

    def bias(self, name: str) -> Measured:
        """Mean of estimate minus true error."""
        return accuracy.mean(self._errors(name))

    def rms(self, name: str) -> Measured:
        """Root mean square of estimate minus true error."""
        return accuracy.rms(self._errors(name))

    def sd(self, name: str) -> Measured:
        """Standard deviation of the estimate."""
        return accuracy.standard_deviation(100 * self.samples[name].to_numpy())

    def _errors(self, name: str) -> np.ndarray:
        return 100 * (self.samples[name] - self.samples[TRUE_ERROR]).to_numpy()


def cells_of(p: FieldGuideParameters, run: Run) -> dict[Key, Cell]:
    """Run the study and return its cells."""
    results = run(claims_study(p))
    return {
        Key(inducer, n, error): Cell(samples)
        for inducer in INDUCERS
        for (n, error), samples in parts(wide(results, inducer), "n", "inherent_error").items()
    }


def iterations_needed(results: pd.DataFrame, replicates: int) -> Measured:
    """Iterations from which on bootstrap noise widens e0's spread over samples by 1 % at most.

    The variance of e0 over samples is V + W/B, with W the mean variance between the iterations of one
    sample; B is W/(V (1.01^2 - 1)).

    Parameters
    ----------
    results : DataFrame
        The samples of one cell.
    replicates : int
        Iterations that e0 was averaged over.

    Returns
    -------
    Measured
        B, its standard error by leaving out tenths of the samples, and the number of samples.
    """

    def needed(part: pd.DataFrame) -> float:
        within = float(part[SCATTER].mean())
        between = float(part["bootstrap-e0"].var(ddof=1)) - within / replicates
        return within / (between * ((1.0 + EXCESS) ** 2 - 1.0)) if between > 0 else float("inf")

    tenth = np.arange(len(results)) % 10
    left_out = np.array([needed(results[tenth != i]) for i in range(10)])
    se = float(np.sqrt(0.9 * np.sum((left_out - left_out.mean()) ** 2)))
    return Measured(needed(results), se, len(results))


def widening(needed: float, replicates: np.ndarray | int) -> np.ndarray:
    """Percent by which some iterations widen e0's spread, from the number that widens it by 1 %.

    Examples
    --------
    >>> float(widening(140.0, 140).round(6))
    1.0
    """
    return np.asarray(100.0 * (np.sqrt(1.0 + needed * ((1.0 + EXCESS) ** 2 - 1.0) / replicates) - 1.0))


class Claim(NamedTuple):
    """Whether a claim is right in a cell, and what is quoted of a cell."""

    right: Callable[[Cell], bool]
    quoted: Callable[[Cell], str]


def _off(name: str, sign: int) -> Claim:
    """An estimate is biased to one side."""
    return Claim(lambda c: clear(c.bias(name), sign), lambda c: f"bias {_percent(c.bias(name))}")


def _compared(quantity: str, a: str, b: str, holds: Callable[[float, float], bool], *more: str) -> Claim:
    """The rms or sd of an estimate stands in some relation to another's, or to the least of several."""
    of = {"rms": Cell.rms, "standard deviation": Cell.sd}[quantity]
    return Claim(
        lambda c: holds(of(c, a).value, min(of(c, name).value for name in (b, *more))),
        lambda c: f"{quantity} {of(c, a).value:.2f} against {of(c, b).value:.2f} %",
    )


def _less(quantity: str, a: str, b: str, *more: str) -> Claim:
    return _compared(quantity, a, b, lambda mine, theirs: mine < theirs, *more)


def _percent(m: Measured) -> str:
    return f"{plus_minus(m, digits=2)} %"


def _apart(c: Cell) -> pd.Series:
    """E0 minus repeated 2-fold cross-validation, in points."""
    return 100 * (c.samples["bootstrap-e0"] - c.samples["repeated-cv-2"])


def _alike(c: Cell) -> str:
    e0, half = (c.samples[name].to_numpy() for name in ("bootstrap-e0", "repeated-cv-2"))
    return f"mean difference {_apart(c).mean():+.2f} %, correlation {accuracy.correlation(e0, half).value:.3f}"


def _low_fifth(c: Cell, name: str) -> float:
    """Mean true error, in percent, of the fifth of the samples with the lowest estimates."""
    order = np.argsort(c.samples[name].to_numpy(), kind="stable")[: max(1, len(c.samples) // 5)]
    return 100 * float(c.samples[TRUE_ERROR].to_numpy()[order].mean())


def _everywhere(key: Key, p: FieldGuideParameters) -> bool:
    return True


def _small(key: Key, p: FieldGuideParameters) -> bool:
    return key.n == min(p.sizes)


def _large(key: Key, p: FieldGuideParameters) -> bool:
    return key.n == max(p.sizes)


_LOO, _E0, _B632 = "loo", "bootstrap-e0", "bootstrap-632"
_UNBIASED = _off(_LOO, 1)._replace(right=lambda c: abs(c.bias(_LOO).value) <= 1 + 1.96 * c.bias(_LOO).se)
_ACCURATE = Claim(lambda c: c.rms(_LOO).value < 5, lambda c: f"rms {c.rms(_LOO).value:.2f} %")
_FIFTHS = Claim(
    lambda c: _low_fifth(c, _E0) < _low_fifth(c, _LOO),
    lambda c: f"mean true error {_low_fifth(c, _E0):.2f} against {_low_fifth(c, _LOO):.2f} %",
)
_CLAIMS: tuple[tuple[str, Claim, Callable[[Key, FieldGuideParameters], bool]], ...] = (
    ("The training set error is an overoptimistic estimate.", _off("resubstitution", -1), _everywhere),
    (
        "Random subsampling is better than a single train-and-test partition.",
        _less("rms", "random-subsampling", "holdout-1/3"),
        _everywhere,
    ),
    ("Leave-one-out is almost unbiased (within one point).", _UNBIASED, _everywhere),
    (
        "Leave-one-out has a higher variance than .632B on small samples.",
        _compared("standard deviation", _LOO, _B632, lambda mine, theirs: mine > theirs),
        _small,
    ),
    (
        "Leave-one-out is accurate for samples of over 100, because it is unbiased (rms under 5 points).",
        _ACCURATE,
        _large,
    ),
    (
        "10-fold cross-validation is adequate for large samples (rms within a tenth of leave-one-out's).",
        _compared("rms", "cv-10", _LOO, lambda mine, theirs: mine <= 1.1 * theirs),
        _large,
    ),
    (
        "Stratification helps 10-fold cross-validation.",
        _less("rms", "stratified-cv-10", "cv-10"),
        _everywhere,
    ),
    (
        "e0 is approximated by repeated 2-fold cross-validation (within one point on the average).",
        Claim(lambda c: bool(abs(_apart(c).mean()) <= 1), _alike),
        _everywhere,
    ),
    ("e0 is biased pessimistically.", _off(_E0, 1), _everywhere),
    (
        "e0 is a low-variance estimator: it varies less than leave-one-out.",
        _less("standard deviation", _E0, _LOO),
        _everywhere,
    ),
    (
        "e0 gives strong results where the true error is high (rms below leave-one-out's and .632B's).",
        _less("rms", _E0, _B632, _LOO),
        lambda key, p: key.error == max(p.inherent_errors),
    ),
    (
        ".632B is strong on small samples where the true error is low (least rms of it, e0 and leave-one-out).",
        _less("rms", _B632, _LOO, _E0),
        lambda key, p: _small(key, p) and key.error == min(p.inherent_errors),
    ),
    *(
        (
            f".632B is overly optimistic as samples grow. [{said}]",
            _off(_B632, -1),
            lambda key, p, inducer=inducer: _large(key, p) and key.inducer == inducer,
        )
        for inducer, said in (("threshold", "threshold"), ("1-nn", "1-nn, whose apparent error is nought"))
    ),
    (
        (
            "Among small samples the fifth with the lowest e0 has better classifiers than that with the lowest "
            "leave-one-out estimate."
        ),
        _FIFTHS,
        _small,
    ),
)
"""What the page claims, and in which cells each claim is to hold."""


def _check(claim: str, of: Claim, chosen: Mapping[Key, Cell]) -> Check:
    """Count the cells where a claim holds, and quote the first of them in numbers."""
    right = [of.right(cell) for cell in chosen.values()]
    key, cell = next(iter(chosen.items()))
    evidence = f"{key.inducer}, n = {key.n}, inherent error {key.error:g}: {of.quoted(cell)}"
    return Check(claim, f"in {sum(right)} of {len(right)} cells; {evidence}", graded(right))


def _checks(p: FieldGuideParameters, cells: Mapping[Key, Cell]) -> list[Check]:
    b = p.bootstrap_replicates
    cost = Check(
        f"{b} bootstrap iterations cost more than leave-one-out.",
        f"{b} fits against n: so for n below {b} and not above",
        "holds" if b > max(p.sizes) else "holds in part",
    )
    found = [
        _check(claim, of, {key: cell for key, cell in cells.items() if where(key, p)}) for claim, of, where in _CLAIMS
    ]
    return [*found, cost]


@artifact(
    "lis-claims",
    "In the text",
    "The page's claims",
    "Shares of distinct and of tested cases, and bootstrap iterations that are enough.",
    draw=draw_iterations,
)
def claims(p: FieldGuideParameters, run: Run) -> Regenerated:
    """Execute the claims in the page's text.

    Parameters
    ----------
    p : FieldGuideParameters
    run : callable
        Runs a study or finds it in the store.

    Returns
    -------
    Regenerated
        Rows of ``lis-claims`` and, for the iterations, ``lis-figure-7``; data ``iterations`` (by cell),
        ``widening`` (percent by which so many iterations widen e0's spread) and ``extremes`` (the most and the
        least demanding cell); a check a claim.

    Notes
    -----
    How many iterations are "considered necessary" is read as: enough that they widen e0's spread
    over samples by 1 % at most, in the most demanding cell.  That a small sample has up to 30 cases is
    a convention, and that leave-one-out is accurate above 100 is checked at the largest size.

    Examples
    --------
    >>> from errorest.study.study import run_study
    >>> p = FieldGuideParameters(sizes=[10, 20], inherent_errors=[0.1, 0.4], samples=20, cv_repeats=5)
    >>> [round(r.value, 3) for r in claims(p, run_study).rows][:3]
    [0.632, 0.634, 0.368]
    """
    cells = cells_of(p, run)
    found = {key: iterations_needed(cell.samples, p.bootstrap_replicates) for key, cell in cells.items()}
    needed = max(found.values(), key=lambda m: m.value)
    limit, at_100 = 1.0 - exp(-1.0), distinct_share(100)
    reading = "unstated:one-percent-of-spread"
    rows = [
        Row.exact("literal", "text", "distinct-fraction", limit),
        Row.exact("unstated:n=100", "text", "distinct-fraction", at_100),
        Row.exact("literal", "text", "test-fraction", 1.0 - limit),
        Row.exact("unstated:n=100", "text", "test-fraction", 1.0 - at_100),
        Row.exact("literal", "text", "distinct-cases-percent", 100.0 * limit),
        Row.of(reading, "text", "iterations-needed", needed),
        Row.of(reading, "bootstrap", "iterations", needed, artifact="lis-figure-7"),
    ]
    findings = [
        f"The share of distinct cases is 1 - (1 - 1/n)^n: {at_100:.4f} at n = 100, {limit:.4f} in the limit.",
        (
            f"{needed.value:.0f} bootstrap iterations are enough that their own scatter widens e0's spread over "
            f"samples by at most {100 * EXCESS:g} % in every cell; 50 widen it by at most "
            f"{widening(needed.value, 50):.1f} %, 200 by {widening(needed.value, 200):.1f} %: "
            "the sampling of the cases dominates."
        ),
    ]
    erratum = Erratum(
        "section on bootstrapping",
        "63.29 of the cases",
        "63.2 %",
        f"1 - 1/e is {100 * limit:.2f} %, and the page's own example of 100 cases gives {100 * at_100:.2f} %",
    )
    return Regenerated(rows, _iterations(found), _checks(p, cells), findings, [erratum])


def _iterations(found: Mapping[Key, Measured]) -> dict[str, pd.DataFrame]:
    """Tell what iterations each cell needs, what fewer do to the spread, and which cells are the extremes."""
    keys = {key: {"inducer": key.inducer, "size": key.n, "inherent error": key.error} for key in found}
    replicates = np.unique(np.geomspace(10, 1000, 120).astype(int))
    ordered = sorted(found, key=lambda key: found[key].value)
    curves = [
        pd.DataFrame({**keys[key], "iterations": replicates, "percent": widening(m.value, replicates)})
        for key, m in found.items()
    ]
    extremes = [
        {**keys[key], **{f"at {b}": float(widening(found[key].value, b)) for b in (50, 200)}}
        for key in (ordered[-1], ordered[0])
    ]
    return {
        "iterations": pd.DataFrame([{**keys[key], **m._asdict()} for key, m in found.items()]),
        "widening": pd.concat(curves, ignore_index=True),
        "extremes": pd.DataFrame(extremes),
    }
