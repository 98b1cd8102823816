"""The page's quantitative claims, executed: biases, spreads and rms errors compared over the cells of one study."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, near
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, exact, some
from compendium.evidence.monte_carlo import average
from compendium.evidence.records import parts
from compendium.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from compendium.papers.bootstrap import distinct_share
from compendium.papers.lis.experiment import INDUCERS, SCATTER, FieldGuideParameters, claims_study
from compendium.papers.lis.figures import draw_iterations
from compendium.papers.lis.names import ESTIMATORS
from compendium.papers.lis.names import INDUCERS as NAMES
from compendium.studies.experiment import TRUE_ERROR, wide

__all__ = ["Cell", "Key", "cells_of", "checks_of", "claims", "widening"]

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

    def bias(self, name: str) -> Estimate:
        """Mean of estimate minus true error."""
        return accuracy.mean(self._errors(name))

    def rms(self, name: str) -> Estimate:
        """Root mean square of estimate minus true error."""
        return accuracy.rms(self._errors(name))

    def sd(self, name: str) -> Estimate:
        """Standard deviation of the estimate."""
        return accuracy.standard_deviation(self._estimates(name))

    def contrast(self, quantity: str, a: str, b: str, factor: float = 1.0) -> Estimate:
        """Rms or sd of one estimate minus that of another (times a factor), on the same samples.

        The error is that of the mean of both sides' linear terms, sample by sample.
        """
        of = {"rms": self._errors, "sd": lambda name: self._estimates(name) - self._estimates(name).mean()}[quantity]
        left, right = (float(np.sqrt(np.mean(of(name) ** 2))) for name in (a, b))
        terms = sum(
            sign * of(name) ** 2 / (2 * root) for name, sign, root in ((a, 1, left), (b, -factor, right)) if root > 0
        )
        return Estimate(left - factor * right, accuracy.mean(np.asarray(terms)).se, len(self.samples))

    def apart(self, a: str, b: str) -> Estimate:
        """Mean of one estimate minus another."""
        return accuracy.mean(self._estimates(a) - self._estimates(b))

    def variance_over_bias(self, name: str) -> Estimate:
        """Variance of the errors minus their squared mean, in squared points."""
        errors = self._errors(name)
        off = errors.mean()
        return accuracy.mean((errors - off) ** 2 - 2 * off * errors + off**2)

    def of_lowest_fifths(self, a: str, b: str) -> Estimate:
        """Mean true error of the fifth of the samples with one estimate's lowest values, minus that of another's."""
        truth = 100 * self.samples[TRUE_ERROR].to_numpy()
        some = max(1, truth.size // 5)
        weights = np.zeros(truth.size)
        for name, sign in ((a, 1), (b, -1)):
            weights[np.argsort(self._estimates(name), kind="stable")[:some]] += sign / some
        # samples in both fifths have no weight, and add no noise
        se = float(np.sqrt((weights**2).sum()) * truth.std(ddof=1))
        return Estimate(float(weights @ truth), se, truth.size)

    def _estimates(self, name: str) -> np.ndarray:
        return 100 * self.samples[name].to_numpy()

    def _errors(self, name: str) -> np.ndarray:
        return self._estimates(name) - 100 * self.samples[TRUE_ERROR].to_numpy()


def cells_of(p: FieldGuideParameters, run: Run) -> dict[Key, Cell]:
    """Run the study and return its cells."""
    results = run(claims_study(p))
    return {
        Key(inducer, n, error): Cell(samples)
        for inducer in INDUCERS
        for (n, error), samples in parts(wide(results, inducer), "n", "inherent_error").items()
    }


def iterations_needed(results: pd.DataFrame, replicates: int) -> Estimate:
    """Iterations from which on bootstrap noise widens e0's spread over samples by 1 % at most.

    The variance of e0 over samples is V + W/B, with W the mean variance between the iterations of one
    sample; B is W/(V (1.01^2 - 1)).
    """

    def needed(part: pd.DataFrame) -> float:
        within = float(part[SCATTER].mean())
        between = float(part["bootstrap-e0"].var(ddof=1)) - within / replicates
        return within / (between * ((1.0 + EXCESS) ** 2 - 1.0)) if between > 0 else float("inf")

    tenth = np.arange(len(results)) % 10
    left_out = np.array([needed(results[tenth != i]) for i in range(10)])
    se = float(np.sqrt(0.9 * np.sum((left_out - left_out.mean()) ** 2)))
    return Estimate(needed(results), se, len(results))


def widening(needed: float, replicates: np.ndarray | int) -> np.ndarray:
    """Percent by which some iterations widen e0's spread, from the number that widens it by 1 %."""
    return np.asarray(100.0 * (np.sqrt(1.0 + needed * ((1.0 + EXCESS) ** 2 - 1.0) / replicates) - 1.0))


Where = Callable[[Key, FieldGuideParameters], bool]
Ask = Callable[[str, Cell], Condition]


def on_average(name: str, parts: Sequence[Condition]) -> Condition:
    """Ask it of the mean over the cells, whose samples are independent."""
    one = parts[0].estimate
    return replace(
        parts[0],
        estimate=average(p.estimate for p in parts).named(
            f"{name}, mean of {len(parts)} cells", one.unit, one.digits, one.sign
        ),
    )


class Told(NamedTuple):
    """A claim: what is asked of a cell, by what is compared; of which cells together; and in which of them."""

    text: str
    asks: Mapping[str, Ask]
    together: Callable[[str, Sequence[Condition]], Condition | Conditions] = every
    where: Where = lambda key, p: True


def _bias(estimator: str, part: Callable[..., Condition], *limit: float) -> Mapping[str, Ask]:
    """Ask where the bias of an estimate lies."""
    return {"": lambda name, cell: part(name, cell.bias(estimator), *limit, unit="points")}


def _less(quantity: str, a: str, *others: str, factor: float = 1.0) -> Mapping[str, Ask]:
    """Ask for less rms or sd than (some times that of) other estimates on the same samples."""

    def than(b: str) -> Ask:
        return lambda name, cell: below(name, cell.contrast(quantity, a, b, factor), unit="points")

    return {f" against {ESTIMATORS[b]}": than(b) for b in others}


def _lowest_fifth(a: str, b: str) -> Ask:
    """Ask for better classifiers where one estimate is lowest than where another is."""
    return lambda name, cell: below(name, cell.of_lowest_fifths(a, b), unit="points")


def _small(key: Key, p: FieldGuideParameters) -> bool:
    return key.n == min(p.sizes)


def _large(key: Key, p: FieldGuideParameters) -> bool:
    return key.n == max(p.sizes)


_LOO, _E0, _B632, _HALVES, _HOLDOUT = "loo", "bootstrap-e0", "bootstrap-632", "repeated-cv-2", "holdout-1/3"
_TOLD: tuple[Told, ...] = (
    Told("The training set error is an overoptimistic estimate.", _bias("resubstitution", below), on_average),
    Told(
        "Random subsampling has less rms than a single train-and-test partition.",
        _less("rms", "random-subsampling", _HOLDOUT),
    ),
    Told("Leave-one-out is almost unbiased (within one point).", _bias(_LOO, near, 1.0)),
    Told("Leave-one-out has a higher variance than .632B on small samples.", _less("sd", _B632, _LOO), where=_small),
    Told(
        "On small samples variance dominates the inaccuracy of leave-one-out (it is more than the squared bias).",
        {"": lambda name, cell: above(name, cell.variance_over_bias(_LOO), unit="squared points")},
        where=_small,
    ),
    Told(
        "Leave-one-out is accurate for samples of over 100, because it is unbiased (rms under 5 points).",
        {"": lambda name, cell: below(name, cell.rms(_LOO), 5.0, "points", sign="")},
        where=_large,
    ),
    Told(
        "10-fold cross-validation is adequate for large samples (rms at most a tenth over leave-one-out's).",
        _less("rms", "cv-10", _LOO, factor=1.1),
        where=_large,
    ),
    Told(
        "Stratification lowers the rms of 10-fold cross-validation.",
        _less("rms", "stratified-cv-10", "cv-10"),
        on_average,
    ),
    Told(
        "e0 is approximated by repeated 2-fold cross-validation (within one point on the average).",
        {"": lambda name, cell: near(name, cell.apart(_E0, _HALVES), 1.0, "points")},
    ),
    Told("e0 is biased pessimistically.", _bias(_E0, above), on_average),
    Told("e0 is a low-variance estimator: it varies less than leave-one-out.", _less("sd", _E0, _LOO), on_average),
    Told(".632B is a low-variance estimator: it varies less than leave-one-out.", _less("sd", _B632, _LOO), on_average),
    Told(
        "e0 gives strong results where the true error is high (less rms than leave-one-out and .632B).",
        _less("rms", _E0, _LOO, _B632),
        where=lambda key, p: key.error == max(p.inherent_errors),
    ),
    Told(
        ".632B is strong on small samples where the true error is low (less rms than leave-one-out and e0).",
        _less("rms", _B632, _LOO, _E0),
        where=lambda key, p: _small(key, p) and key.error == min(p.inherent_errors),
    ),
    Told(
        "The bootstrap estimators are not always superior to leave-one-out on small samples (its rms is below theirs).",
        _less("rms", _LOO, _E0, _B632),
        some,
        _small,
    ),
    Told(".632B is overly optimistic as samples grow (by more than a point).", _bias(_B632, below, -1.0), where=_large),
    Told(
        "On small samples low values of e0, or of repeated 2-fold cross-validation, go with better classifiers than "
        "low values of leave-one-out (mean true error of the lowest fifth).",
        {f" by {ESTIMATORS[name]}": _lowest_fifth(name, _LOO) for name in (_E0, _HALVES)},
        on_average,
        _small,
    ),
)
"""What the page claims.  Each classifier is a part of its own, and so is each comparison."""


def _claim(told: Told, p: FieldGuideParameters, cells: Mapping[Key, Cell]) -> Claim:
    """Judge a claim by its cells, a part for each inducer and each thing that is asked."""
    chosen = {key: cell for key, cell in cells.items() if told.where(key, p)}
    groups = [
        told.together(
            f"{NAMES[inducer].sentence}{what}",
            [ask(f"n = {k.n}, inherent error {k.error:g}", cell) for k, cell in chosen.items() if k.inducer == inducer],
        )
        for what, ask in told.asks.items()
        for inducer in INDUCERS
    ]
    return Claim(told.text, groups)


def _train_and_test_improves(p: FieldGuideParameters, cells: Mapping[Key, Cell]) -> Claim:
    """Compare the holdout of the largest samples with that of the smallest."""
    few, many = min(p.sizes), max(p.sizes)

    def gain(inducer: str, error: float) -> Estimate:
        large, small = (cells[Key(inducer, n, error)].rms(_HOLDOUT) for n in (many, few))
        return large - small

    def at(inducer: str) -> list[Condition]:
        return [below(f"inherent error {e:g}", gain(inducer, e), unit="points") for e in p.inherent_errors]

    return Claim(
        f"As samples grow, a single train-and-test partition improves (less rms at {many} than at {few} cases).",
        [every(NAMES[inducer].sentence, at(inducer)) for inducer in INDUCERS],
    )


def _costs_more(p: FieldGuideParameters) -> Claim:
    b = p.bootstrap_replicates
    more = [above(f"n = {n}", exact(b - n), unit="fits", digits=0) for n in p.sizes]
    return Claim(f"{b} bootstrap iterations cost more than leave-one-out.", [every("fits more than n", more)])


def checks_of(p: FieldGuideParameters, cells: Mapping[Key, Cell]) -> list[Check]:
    """Execute every claim on the cells of a study."""
    claims = [*(_claim(told, p, cells) for told in _TOLD), _train_and_test_improves(p, cells), _costs_more(p)]
    return [claim.check() for claim in claims]


@artifact("lis-claims", draw=draw_iterations)
def claims(p: FieldGuideParameters, run: Run) -> Regenerated:
    """Execute the claims in the page's text."""
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
            f"{widening(needed.value, 50):.1f} %, 200 by {widening(needed.value, 200):.1f} %."
        ),
    ]
    erratum = Erratum(
        "section on bootstrapping",
        "63.29 of the cases",
        f"{100 * limit:.1f} %",
        f"1 - 1/e is {100 * limit:.2f} %, and the page's own example of 100 cases gives {100 * at_100:.2f} %",
    )
    return Regenerated(rows, _iterations(found), checks_of(p, cells), findings, [erratum])


def _iterations(found: Mapping[Key, Estimate]) -> dict[str, pd.DataFrame]:
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
        "iterations": pd.DataFrame([{**keys[key], "value": m.value, "se": m.se, "n": m.n} for key, m in found.items()]),
        "widening": pd.concat(curves, ignore_index=True),
        "extremes": pd.DataFrame(extremes),
    }
