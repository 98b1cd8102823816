"""Cautions about a score."""

from __future__ import annotations

import numpy as np

from errorest.assessment.answers import Answers
from errorest.assessment.baselines import of_clipping
from errorest.assessment.caution import Caution
from errorest.assessment.inputs import Problem
from errorest.assessment.plan import Plan
from errorest.assessment.plan_of_scores import smaller_class
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import RunOutcomes
from errorest.estimation.estimators import LeaveOneOutCV
from errorest.estimation.intervals.ranking import LEAST_OF_A_CLASS
from errorest.estimation.metrics.metric import BoundMetric
from errorest.estimation.metrics.statistics import Auc
from errorest.estimation.outcomes import StatisticOutcome

__all__ = ["of_the_score"]


def of_the_score(
    problem: Problem,
    question: BoundMetric,
    plan: Plan,
    ran: RunOutcomes,
    answers: Answers,
    interval: ConfidenceInterval | None,
    value: float,
    *,
    wanted_interval: bool,
) -> tuple[str, ...]:
    """Say what to beware of in a score, beside what holds for the error rate."""
    score, estimator = question.metric, plan.estimator
    out: list[str] = _left_out(plan, ran)
    out += of_clipping(score, answers.impossible, answers.tests)
    if not score.decomposable and estimator is not None and not estimator.unseen:
        out.append(
            Caution(
                "E302",
                f"{estimator.name} tests on cases that its classifiers were trained on, so that the {score.title} "
                "looks too good; take cv(k=5, stratified=True)",
            )
        )
    if isinstance(score, Auc) and isinstance(estimator, LeaveOneOutCV):
        text = (
            "leave-one-out compares probabilities of different classifiers, each trained on one case less of the very "
            "class that it tests, so that the AUC is too low; take cv(k=5, stratified=True)"
        )
        out.append(Caution("E306", text))
    if np.isnan(value):
        text = f"the {score.title} is undefined: no resample tests what it rests on; ask for larger test sets"
        out.append(Caution("E307", text))
    if isinstance(score, Auc) and (smaller := smaller_class(problem, question.positive)) <= LEAST_OF_A_CLASS:
        out.append(Caution("E408", f"{smaller} cases of the smaller class: hardly anything is known about the AUC"))
    if interval is None:
        if wanted_interval:
            name = estimator.id if estimator is not None else ""
            out.append(Caution("E407", f"no interval belongs to {name} and {score.id}; name one, see: errorest scores"))
    elif np.isnan(interval.low):
        out.append(Caution("E402", f"interval {interval.method} is undefined on these data: {interval.note}"))
    elif interval.degenerate:
        out.append(
            Caution("E401", "the interval has no width, which is no certainty: every resample gave the same value")
        )
    elif not interval.low <= value <= interval.high:
        out.append(Caution("E403", "the interval does not contain the estimate: its percentiles are not centred on it"))
    return tuple(out)


def _left_out(plan: Plan, ran: RunOutcomes) -> list[str]:
    """Count the resamples, or repetitions, that have no statistic and are left out of the mean."""
    without = of = 0
    estimator = plan.estimator
    own = plan.schemes if estimator is None else estimator.schemes
    for scheme in own:
        outcome = ran.outcomes[scheme]
        if not isinstance(outcome, StatisticOutcome):
            continue
        rows = getattr(estimator, "weights", "") == "folds" or getattr(estimator, "per", "") == "replicate"
        rates = outcome.row_rates[outcome.tested > 0] if rows else outcome.repeat_rates
        without, of = without + int(np.isnan(rates).sum()), of + rates.size
    if not without:
        return []
    text = (
        f"{without} of {of} resamples test one class alone, or nothing that the score rests on, and are left out of "
        "the mean; keep classes in proportion with stratify='class', or ask for larger test sets"
    )
    return [Caution("E308", text)]
