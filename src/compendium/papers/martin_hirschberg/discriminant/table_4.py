"""Table 4: bias and precision of fourteen estimators, in two readings of the classifier's reversal."""

from __future__ import annotations

from functools import partial
from math import nan, sqrt

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every
from compendium.evidence.results import ArtifactResult, Row, Run, rows_of
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.discriminant.study import APPARENT, BOOT, LOO, DiscriminantParameters, trials
from compendium.papers.martin_hirschberg.estimators import ESTIMATOR_IDS

OTHERS = [e for e in ESTIMATOR_IDS if e != BOOT]
NEGLIGIBLE = 0.5  # A mean bias up to this, points, is none
TABLE_4 = Claims("martin-hirschberg-table-4")


@TABLE_4.claim
def far(t: Trials) -> Conditions:
    return every("rms", [t.rms(e).named(sign="") > 5 for e in ESTIMATOR_IDS])


@TABLE_4.claim
def unbiased(t: Trials) -> list[Condition]:
    return [abs(t.bias(e)) <= NEGLIGIBLE for e in (LOO, BOOT)]


@TABLE_4.claim
def bootstrap_632_best(t: Trials) -> list[Conditions]:
    return [
        every("bias of the others beyond its own", [t.bias_gap(e, BOOT) > 0 for e in OTHERS]),
        every(
            "rms of the others beyond its own",
            [t.named(t.rms_gap(t.difference(e), t.difference(BOOT)), e, unit="points") > 0 for e in OTHERS],
        ),
    ]


@TABLE_4.claim
def pessimistic(t: Trials) -> Conditions:
    return every("bias", [t.bias(e) > 0 for e in OTHERS if e not in (LOO, APPARENT)])


def iterated(k: int, t: Trials) -> list[Condition]:
    """Ask that iterating k-fold cross-validation lowers its spread and leaves its bias."""
    once, often = f"cv-{k}", f"repeated-cv-{k}"
    return [
        t.rms_gap(t.difference(once), t.difference(often)).named("rms, once minus iterated", "points") > 0,
        abs(t.gap(once, often).named("bias, once minus iterated")) <= NEGLIGIBLE,
    ]


TABLE_4.conditions.update({f"iterated-{k}": partial(iterated, k) for k in (2, 5, 10)})


@artifact("martin-hirschberg-table-4", once=("all",))
def table_4(p: DiscriminantParameters, run: Run) -> ArtifactResult:
    """Table 4: bias and root mean square of estimate minus true error, points, with two kinds of half-width."""
    result = ArtifactResult()
    for t in trials(p, run):
        # the paper's rule: an rms from n normal differences has the standard error rms/√(2n), here 2.2 % / 1.96
        share = 1.96 / sqrt(2 * t.n)
        rows = []
        for e in p.estimators:
            bias, rms = t.bias(e), t.rms(e)
            columns = {
                "bias-percent": bias,
                # the paper's rule: 1.96 s/√n over all samples, as if they were of one population
                "bias-percent/halfwidth": monte_carlo.standard_deviation(t.difference(e)) * (1.96 / sqrt(t.n)),
                # ours: populations are strata, and the tails of the differences count
                "bias-percent/honest-halfwidth": Estimate(1.96 * bias.se, nan, t.n),
                "rms-percent": rms,
                "rms-percent/halfwidth": rms * share,
                "rms-percent/honest-halfwidth": Estimate(1.96 * rms.se, nan, t.n),
            }
            rows += rows_of(t.reading, e, columns.items())
        rows.append(Row(t.reading, "all", "rms-halfwidth-percent-of-rms", 100 * share, 0.0, t.n))
        result += ArtifactResult(rows, checks=judge_claims(TABLE_4, t, reading=t.reading))
    return result
