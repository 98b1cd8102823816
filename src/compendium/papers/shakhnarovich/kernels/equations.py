"""The equations of sections 4 and 7 whose print can be told from what they must mean."""

from __future__ import annotations

from math import factorial, pi, sqrt

import numpy as np
from scipy import optimize

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.methods.clones.bandwidths import plug_in_bandwidth, roughness_ratio
from compendium.papers.shakhnarovich.kernel_functions import discrete_bandwidth, discrete_weights, kernel_values
from compendium.papers.shakhnarovich.kernels.parameters import ClonesParameters
from errorest.streams import Streams

_PSI_4 = factorial(4) / ((2 * 1.0) ** 5 * factorial(2) * sqrt(pi))


def _amise(h: float, n: int) -> float:
    """Asymptotic mean integrated squared error for a standard normal density; ``R(K) = 3/5``, ``mu2 = 1/5``."""
    return 0.6 / (n * h) + h**4 * 0.2**2 * _PSI_4 / 4


@artifact("shakhnarovich-equations", enlarge=False)
def equations(p: ClonesParameters, run: Run) -> ArtifactResult:
    """The equations of sections 4 and 7 whose print can be told from what they must mean."""
    n = p.gamma_cases
    printed = roughness_ratio("epanechnikov") / (_PSI_4 * n)
    best = optimize.minimize_scalar(_amise, bounds=(0.01, 5.0), args=(n,), method="bounded")
    widths = {"literal": printed, "fitted:power-one-fifth": printed**0.2}
    errors = {reading: _amise(h, n) / best.fun for reading, h in widths.items()}
    rows = [
        Row.exact(reading, "equation-11", column, value)
        for column, values in (("bandwidth", widths), ("error-over-least", errors))
        for reading, value in values.items()
    ]
    literal, mended = errors.values()
    times = exact(literal, "as printed", "times the least error", 4)
    rows += [
        Row.exact("literal", "equation-24", column, value) for column, value in sums_of_equation_24(p.seed).items()
    ]
    check = judge_claim("shakhnarovich-equations", "bandwidth", times.within(0.99, 1.01), n=n, mended=mended)
    return ArtifactResult(rows, checks=[check])


def sums_of_equation_24(seed: int) -> dict[str, float]:
    """Sum joint and conditional densities over the last nominal attribute of a small mixed sample."""
    rng = Streams(seed).generator("equations")
    n = 12
    v, u = rng.normal(size=n), rng.integers(0, 4, n).astype(float)
    w1, w2 = rng.integers(0, 2, n), rng.integers(0, 3, n)
    h, hd = plug_in_bandwidth(v), discrete_bandwidth(u)
    support = np.unique(u)
    integer = np.array([discrete_weights(support, c, hd)[np.nonzero(support == u[0])[0][0]] for c in u])
    numbers = kernel_values((v[0] - v) / h) / h * integer
    before = float(np.mean(numbers * (w1 == w1[0])))
    joint = [float(np.mean(numbers * (w1 == w1[0]) * (w2 == a))) for a in range(3)]
    return {
        "sum-of-joint": sum(joint),
        "sum-of-conditional": sum(f / before for f in joint),
        "density-without-the-last": before,
    }
