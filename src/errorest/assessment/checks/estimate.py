"""Checks of an estimate and its interval."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from errorest.assessment.checks.warning import Checked, CheckWarning, check, counted
from errorest.assessment.defaults import class_sizes
from errorest.estimation.intervals.folds import LEAST_OF_A_CLASS
from errorest.estimation.intervals.percentile import TwoStage
from errorest.estimation.outcomes import StatisticOutcome
from errorest.resampling.schemes import Bootstrap


@check("E301", "trusting estimator", "memorizer")
def memorizer_in_estimate(of: Checked) -> Iterable[CheckWarning]:
    """E301: a memorizer under an estimator that trusts apparent errors."""
    return [CheckWarning.of("E301", name=of.method.name)]


@check("E302", "seen cases")
def tested_on_training(of: Checked) -> Iterable[CheckWarning]:
    """E302: an estimator that tests on training cases."""
    return [CheckWarning.of("E302", name=of.method.name, score=of.scoring.noun)]


@check("E303", "leave-one-out", "mean", "problem")
def constant_left_out(of: Checked) -> Iterable[CheckWarning]:
    """E303: leave-one-out of a constant answer."""
    # leaving a case out makes its class rarer: with two equally frequent classes the majority rule errs on every case
    # (Kohavi 1995, section 2.2, example 1)
    kind = type(of.problems[0].learner.model)
    dummy = kind.__module__ == "sklearn.dummy" and kind.__name__ == "DummyClassifier"
    return [CheckWarning.of("E303")] if dummy or getattr(kind, "name", "") == "majority" else []


@check("E304", "bootstrap")
def never_tested(of: Checked) -> Iterable[CheckWarning]:
    """E304: cases in every bootstrap sample."""
    # a case is in all of B bootstrap samples with chance (1 - (1 - 1/n)^n)^B, about .632^B: rare but for a small B
    sampled = (o.resamples for s, o in of.outcomes.items() if isinstance(s, Bootstrap) and s.unseen)
    missed = [m for m in (of.data.n - np.unique(r.cases).size for r in sampled) if m]
    return [CheckWarning.of("E304", cases=counted(missed[0], "case"))] if missed else []


@check("E305", "log loss", "data")
def clipped_log_loss(of: Checked) -> Iterable[CheckWarning]:
    """E305: a log loss that depends on its clip, since a case's own class was called impossible."""
    clip = of.scoring.metric.clip
    for name, p in zip(of.names, of.predictions, strict=True):
        tested = [(run.scores, p.y[run.resamples.cases]) for run in (p.runs[scheme] for scheme in of.schemes)]
        own = np.concatenate([s[np.arange(truth.size), truth] for s, truth in tested if s is not None])
        if impossible := int((own == 0).sum()):
            who, cost = f"{name}: " if len(of.names) > 1 else "", -np.log(clip)
            yield CheckWarning.of("E305", who=who, impossible=impossible, tests=own.size, cost=cost, clip=clip)


@check("E306", "leave-one-out", "ranking")
def ranking_left_out(of: Checked) -> Iterable[CheckWarning]:
    """E306: leave-one-out under a metric that ranks."""
    return [CheckWarning.of("E306", score=of.scoring.title)]


@check("E307", "undefined value")
def undefined_score(of: Checked) -> Iterable[CheckWarning]:
    """E307: no resample has a value."""
    return [CheckWarning.of("E307", score=of.scoring.title)]


@check("E308", "statistic")
def undefined_resamples(of: Checked) -> Iterable[CheckWarning]:
    """E308: resamples, or repetitions where these are averaged, that have no value."""
    without = total = 0
    weights = getattr(of.method, "weights", "")
    if hasattr(of.method, "weights_of"):
        weights = of.method.weights_of(of.scoring.metric)
    averages_rows = weights == "folds" or getattr(of.method, "per", "") == "replicate"
    for outcome in (of.outcomes[scheme] for scheme in of.schemes if scheme in of.outcomes):
        if isinstance(outcome, StatisticOutcome):
            rates = outcome.row_rates[outcome.tested > 0] if averages_rows else outcome.repeat_rates
            without, total = without + int(np.isnan(rates).sum()), total + rates.size
    return [CheckWarning.of("E308", without=without, of=total)] if without else []


@check("E309", "time order", "estimate")
def time_ordered(of: Checked) -> Iterable[CheckWarning]:
    """E309: splits in the order of time, which never test the first cases."""
    ordered = next(of.outcomes[s].resamples for s in of.schemes if getattr(s, "time_ordered", False))
    return [CheckWarning.of("E309.estimate", first=int(ordered.cases.min()), n=of.data.n)]


@check("E310", "self-tuning", "mean", "estimate")
def tunes_itself(of: Checked) -> Iterable[CheckWarning]:
    """E310: a model that splits its training set, on bootstrap samples or on the folds that it has by default."""
    parts = ", ".join(of.data.self_tuning)
    if "bootstrap" in of.facts:
        return [CheckWarning.of("E310.bootstrap", parts=parts)]
    return [CheckWarning.of("E310.folds", parts=parts)] if "default method" in of.facts else []


@check("E401", "degenerate interval")
def no_width(of: Checked) -> Iterable[CheckWarning]:
    """E401: no width, where E406 does not say why."""
    if {"memorizer", "trusting interval"} <= of.facts:
        return []
    plain = of.interval_method is None or of.scoring.metric.decomposable
    reason = "every resample gave the same value" if plain else of.interval_method.no_width_note
    # Wilson's limits count cases, and no groups
    counts = of.scoring.metric.zero_one and of.data.groups is None
    hint = "; take an interval of Wilson's limits, such as cv-wilson" if counts else ""
    return [CheckWarning.of("E401", reason=reason, hint=hint)]


@check("E402", "undefined interval")
def undefined_interval(of: Checked) -> Iterable[CheckWarning]:
    """E402: an interval that is undefined on these data."""
    return [CheckWarning.of("E402", method=of.interval.method, note=of.interval.note)]


@check("E403", "defined interval")
def off_centre(of: Checked) -> Iterable[CheckWarning]:
    """E403: limits that leave out the estimate."""
    return [CheckWarning.of("E403")] if of.value < of.interval.low or of.value > of.interval.high else []


@check("E404", "varies with seed", "mean")
def monte_carlo(of: Checked) -> Iterable[CheckWarning]:
    """E404: limits that another seed would move."""
    # Monte Carlo errors fall with the root of B: five times as many samples make them less than half
    sampled = next((s.replicates for s in of.interval_method.schemes if isinstance(s, Bootstrap)), 0)
    share, more = 100 * of.interval.monte_carlo.limit / of.interval.width, f"(replicates={5 * sampled})"
    return [CheckWarning.of("E404", share=share, sampled=sampled, more=(of.method or of.interval_method).name + more)]


@check("E405", "interval")
def two_stage_copies(of: Checked) -> Iterable[CheckWarning]:
    """E405: copies of a case on both sides of an inner sample."""
    return (
        [CheckWarning.of("E405")]
        if isinstance(of.interval_method, TwoStage) and of.interval_method.copies == "apart"
        else []
    )


@check("E406", "interval", "memorizer", "trusting interval")
def memorizer_in_interval(of: Checked) -> Iterable[CheckWarning]:
    """E406: a memorizer under an interval that takes its width from apparent errors."""
    width = "has none" if of.interval.degenerate else "is too narrow"
    return [CheckWarning.of("E406", name=of.interval_method.name, width=width)]


@check("E407", "no interval")
def no_interval(of: Checked) -> Iterable[CheckWarning]:
    """E407: no interval, where one was asked for and E309 does not say why."""
    if "time order" in of.facts:
        return []
    if of.interval_method is not None:
        return [CheckWarning.of("E407.failed", method=of.interval_method.id)]
    return [CheckWarning.of("E407.none", name=of.method.id, score=of.scoring.noun)]


@check("E408", "ranking", "estimate")
def few_to_rank(of: Checked) -> Iterable[CheckWarning]:
    """E408: few cases of a class that is ranked."""
    smaller = int(class_sizes(of.data, of.scoring).min())
    return [CheckWarning.of("E408", smaller=smaller, score=of.scoring.title)] if smaller <= LEAST_OF_A_CLASS else []
