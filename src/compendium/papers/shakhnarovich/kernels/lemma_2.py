"""Lemma 2: how many trials Algorithm 2 takes for one draw of the Epanechnikov kernel."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from scipy import stats

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.papers.shakhnarovich.kernel_functions import epanechnikov, kernel_distribution
from compendium.papers.shakhnarovich.kernels.parameters import ClonesParameters
from errorest.streams import Streams

SAME = 0.01  # Two distribution functions that nowhere differ by more, a proportion, count as the same


def distance_of(distance: float, draws: int) -> Estimate:
    """Return the largest difference of the distribution functions of a sample and of what it was drawn from.

    The difference of the true functions is no larger than the one found by more than sqrt(ln(2 / .05) / (2 n)) in
    19 of 20 runs (the inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant).
    """
    se = sqrt(log(2 / 0.05) / (2 * draws)) / 1.96
    return Estimate(distance, se, draws, "largest difference of the distribution functions", "", 4, "")


@artifact("shakhnarovich-lemma-2", enlarge=False)
def lemma_2(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Lemma 2: how many trials Algorithm 2 takes for one draw of the Epanechnikov kernel."""
    values, trials = epanechnikov(p.draws, Streams(p.seed).generator("lemma-2"))
    accepted = p.draws / trials
    # the trials of one draw are geometric
    mean = Estimate(trials / p.draws, sqrt((1 - accepted) / accepted**2 / p.draws), p.draws)
    rows = [
        Row.of("literal", "algorithm-2", "expected-trials", mean),
        Row.of("literal", "algorithm-2", "acceptance-rate", monte_carlo.share(p.draws, trials)),
        Row.of("literal", "algorithm-2", "uniforms-for-one-draw", mean * 2),
    ]
    cdf: Any = kernel_distribution
    result = stats.kstest(values, cdf)
    same = distance_of(float(result.statistic), p.draws) < SAME
    three = mean.named("trials for a draw", digits=4, sign="").within(2.99, 3.01)
    checks = [
        judge_claim("shakhnarovich-lemma-2", "kernel", same, draws=p.draws, p=result.pvalue),
        judge_claim("shakhnarovich-lemma-2", "trials", three),
    ]
    return ArtifactResult(rows, checks=checks)
