"""Figures 4 and 5: how likely an absolute error of more than epsilon is, for .632+ with and without cloning.

The density of the absolute errors is estimated with the paper's own boundary-corrected
Epanechnikov kernel (errors are not negative), and integrated to the probability that the
error exceeds epsilon.  All errors are proportions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claims
from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import mean, rms
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.papers.shakhnarovich.methods import PLUS
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.tables import Case, to_zero
from compendium.papers.shakhnarovich.uci.cases import cases_of
from compendium.papers.shakhnarovich.uci.experiment import UciParameters
from compendium.papers.shakhnarovich.uci.figures import draw_errors
from errorest.resampling.clones.bandwidths import plug_in_bandwidth
from errorest.resampling.clones.kernels import kernel_distribution, kernel_values
from errorest.streams import Streams

__all__ = ["crossing", "density", "tail", "tails_of_errors"]

_POINTS = 241
_WIDTHS_BEYOND = 1.0
_NEARLY = 0.9
_RESAMPLED = 200


class ErrorCurves(NamedTuple):
    """Curves of several estimators over one grid of epsilon.

    ``densities`` and ``tails`` have one array an estimator, shape (points,); ``tails`` are
    proportions of trials, smoothed.
    """

    epsilon: np.ndarray
    densities: Mapping[str, np.ndarray]
    tails: Mapping[str, np.ndarray]

    def frame(self) -> pd.DataFrame:
        """Return the curves as columns epsilon, ``<estimator>/density``, ``<estimator>/tail``."""
        columns = {"epsilon": self.epsilon}
        for name in self.densities:
            columns |= {f"{name}/density": self.densities[name], f"{name}/tail": self.tails[name]}
        return pd.DataFrame(columns)


def density(values: np.ndarray, at: np.ndarray, bandwidth: float, low: float = -np.inf) -> np.ndarray:
    """Estimate a density with Epanechnikov kernels that are cut off at a boundary and scaled to area 1."""
    kernel = kernel_values((at[:, None] - values) / bandwidth) / bandwidth
    inside = 1.0 - kernel_distribution((low - values) / bandwidth)
    return np.where(at >= low, (kernel / inside).mean(axis=1), 0.0)


def tail(values: np.ndarray, at: np.ndarray, bandwidth: float, low: float = -np.inf) -> np.ndarray:
    """Integrate :func:`density` from each point on: the probability of a larger value."""
    if bandwidth == 0:
        return np.asarray((values > at[:, None]).mean(axis=1))
    inside = 1.0 - kernel_distribution((low - values) / bandwidth)
    beyond = 1.0 - kernel_distribution((np.maximum(at, low)[:, None] - values) / bandwidth)
    return np.asarray((beyond / inside).mean(axis=1))


def _bandwidth(values: np.ndarray) -> float:
    return float(plug_in_bandwidth(values)) if np.ptp(values) > 0 else 0.0


def error_curves(errors: Mapping[str, np.ndarray]) -> ErrorCurves:
    """Estimate density and tail of the absolute errors of several estimators on one grid."""
    sizes = {name: np.abs(e) for name, e in errors.items()}
    widths = {name: _bandwidth(v) for name, v in sizes.items()}
    most = max(float(v.max()) + _WIDTHS_BEYOND * widths[name] for name, v in sizes.items())
    at = np.linspace(0.0, most if most > 0 else 1.0, _POINTS)
    densities = {
        name: density(v, at, widths[name], 0.0) if widths[name] > 0 else np.full(at.shape, np.nan)
        for name, v in sizes.items()
    }
    return ErrorCurves(at, densities, {name: tail(v, at, widths[name], 0.0) for name, v in sizes.items()})


def crossing(epsilon: np.ndarray, first: np.ndarray, second: np.ndarray, least: float) -> float:
    """Return the epsilon beyond which one tail stays below another."""
    seen = np.maximum(first, second) >= least
    above = np.nonzero((first > second + 1e-12) & seen)[0]
    if above.size == 0:
        return 0.0
    last = int(above[-1])
    if last + 1 == epsilon.shape[0] or not seen[last + 1]:
        return float(epsilon[last])
    before, after = first[last] - second[last], second[last + 1] - first[last + 1]
    share = before / (before + after) if before + after > 0 else 0.0
    return float(epsilon[last] + share * (epsilon[last + 1] - epsilon[last]))


@artifact("shakhnarovich-figure-4", draw=draw_errors, labels=LABELS, wanted=("pima/svm-rbf", "vehicle/svm-rbf"))
@artifact("shakhnarovich-figure-5", draw=draw_errors, labels=LABELS, wanted=("pima/17-nn",))
def tails_of_errors(p: UciParameters, run: Run, *, wanted: Sequence[str]) -> ArtifactResult:
    """Figures 4 and 5: errors of the .632+ with and without cloning."""
    rows: list[Row] = []
    checks: list[Check] = []
    findings, curves, singles = [], [], []
    for case in (form for one in cases_of(p, run) if one.row in wanted for form in (one, to_zero(one))):
        errors = {name: case.errors(name) for name in PLUS}
        made = error_curves(errors)
        at = _crossing(made, case.n)
        less, more = sorted(PLUS, key=lambda name: rms(case.errors(name)).value)
        spread, share_se = _spreads(case, errors, p)
        rows.append(Row(case.reading, case.row, "crossing-epsilon", at, spread, case.n))
        for name in PLUS:
            rows.append(Row.of(case.reading, case.row, f"{name}/bias", mean(errors[name])))
            rows.append(Row.of(case.reading, case.row, f"{name}/rmse", rms(errors[name])))
            single = {"case": case.row, "reading": case.reading, "estimator": name, "trial": np.arange(case.n)}
            singles.append(pd.DataFrame({**single, "error": errors[name]}))
        curves.append(made.frame().assign(case=case.row, reading=case.reading))
        share = Estimate(_share_below(made, less, more), share_se, case.n)
        share = share.named(f"share of epsilons at which the tail of {symbol_of(less)} is no thicker", sign="")
        checks += judge_claims(MARKOV, share, case=case.on, form=case.reading, bound=_bound_reached(case, made))
        findings.append(f"{case.on} ({case.reading}): {_said_crossing(made, at, spread)}")
    data = {}
    if curves:
        data = {name: pd.concat(own, ignore_index=True) for name, own in (("curves", curves), ("errors", singles))}
    return ArtifactResult(rows, data, checks, findings)


def _crossing(curves: ErrorCurves, trials: int) -> float:
    return crossing(curves.epsilon, curves.tails[PLUS[1]], curves.tails[PLUS[0]], 1 / trials)


def _spreads(case: Case, errors: Mapping[str, np.ndarray], p: UciParameters) -> tuple[float, float]:
    """Return the standard deviations of the crossing and of the share of thinner tails over resampled trials."""
    rng = Streams(p.seed).child("tails", case.row).generator(case.reading)
    crossings, shares = [], []
    for _ in range(_RESAMPLED):
        trials = rng.integers(0, case.n, case.n)
        curves = error_curves({k: v[trials] for k, v in errors.items()})
        crossings.append(_crossing(curves, case.n))
        less, more = sorted(PLUS, key=lambda name: rms(errors[name][trials]).value)
        shares.append(_share_below(curves, less, more))
    return float(np.std(crossings)), float(np.nanstd(shares))


def _share_below(made: ErrorCurves, less: str, more: str) -> float:
    """Share of the epsilons, where there is a tail, at which one estimator's tail is no thicker than another's."""
    seen = (made.tails[more] > 0) | (made.tails[less] > 0)
    return float(np.mean(made.tails[less][seen] <= made.tails[more][seen])) if seen.any() else nan


def _said_crossing(made: ErrorCurves, at: float, spread: float) -> str:
    plain, cloned = map(symbol_of, PLUS)
    if at == 0:
        return f"no absolute error is exceeded more often by the {cloned} than by the {plain}."
    if at < float(made.epsilon[-1]) * 0.999:
        return (
            f"beyond an absolute error of {at:.3f} (standard error {spread:.3f}) the {cloned} is the less likely to "
            "exceed it."
        )
    return f"the {cloned} is the more likely to exceed the largest absolute errors."


MARKOV = [
    (
        (
            "The tails go with Markov's bound (equation 4): a smaller RMSE, a tail thinner nearly everywhere. "
            "[{case}, {form}]"
        ),
        lambda share: share > _NEARLY,
        "at most {bound:.2f} of the bound is reached",
    )
]


def _bound_reached(case: Case, made: ErrorCurves) -> float:
    """Return the largest share of Markov's bound, rms^2 / epsilon^2, that a tail reaches."""
    squares = {name: rms(case.errors(name)).value ** 2 for name in PLUS}
    reached = {name: float(np.max(made.tails[name][1:] * made.epsilon[1:] ** 2)) for name in PLUS}
    return max(reached[name] / squares[name] if squares[name] > 0 else 0.0 for name in PLUS)
