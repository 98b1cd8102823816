"""Checks for known traps: rare classes, copies on both sides of a resample, memorizers, intervals without width."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from errorest.assessment.caution import Caution
from errorest.assessment.classifiers import SklearnRowsLearner, columns_seen, goes_by_distance, is_frozen
from errorest.assessment.features import deviations_of, identifiers_in
from errorest.assessment.formatting import counts_text
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.plan import Plan, class_sizes
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import RunOutcomes
from errorest.assessment.splitters import SplitterScheme
from errorest.data.columns import written_alike
from errorest.estimation.estimators import Apparent, LeaveOneOutCV
from errorest.estimation.intervals import IntervalMethod
from errorest.estimation.intervals.folds import LEAST_OF_A_CLASS
from errorest.estimation.intervals.percentile import TwoStage
from errorest.estimation.metrics.proper import LogLoss
from errorest.estimation.outcomes import Outcome, StatisticOutcome
from errorest.learners import Majority
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import APPARENT, Bootstrap, KFold

Outcomes = Mapping[Scheme, Outcome]

# A class with fewer cases than this is spoken of
_FEW_CASES = 5

# An interval from fewer groups than this is spoken of
_FEW_UNITS = 10

# More rare classes than this are spoken of together
_NAMED = 3

# Copies move an error rate by no more than the share of tests whose case has a copy in training.  They give a warning
# where that is at least half of the standard error of a rate of 10 %, sqrt(.1 x .9 / n) = .3 / sqrt(n)
_MATTERS = 0.15

# A larger ratio of standard deviations is spoken of where a classifier goes by distances
_UNLIKE_UNITS = 100

_ROWS_LOOKED_AT = 200

# Cases on which it is tried whether a classifier learns
_PROBED = 60

# What to do about a classifier's own warning, by a word of it
_ADVICE = {
    "converge": "; scale the data in a pipeline, make_pipeline(StandardScaler(), ...), or raise its max_iter",
    "collinear": "; leave out columns that repeat others",
}


def cautions(
    problem: Problem,
    plan: Plan,
    ran: RunOutcomes,
    interval: ConfidenceInterval | None,
    estimate: float,
    measure: Scoring,
    *,
    wanted: bool = True,
) -> list[str]:
    """Return the warnings of an estimate; ``wanted`` says whether an interval was asked for."""
    estimator, method, score = plan.estimator, plan.method, measure.score
    schemes = plan.schemes if estimator is None else estimator.schemes
    out = shared_cautions([problem], [ran], schemes, measure, ["the classifier"])
    if estimator is not None and measure.metric.decomposable:
        if estimator.trusts_apparent and _memorized(ran.outcomes):
            kind = "E301.apparent" if isinstance(estimator, Apparent) else "E301.632"
            out.append(Caution.of(kind, name=estimator.name))
        if not estimator.unseen:
            out.append(Caution.of("E302.error", name=estimator.name))
        inducer = problem.inducer
        of = type(getattr(inducer, "estimator", None))
        dummy = (of.__module__, of.__name__) == ("sklearn.dummy", "DummyClassifier")
        if (dummy or isinstance(inducer, Majority)) and isinstance(estimator, LeaveOneOutCV):
            out.append(Caution.of("E303"))
    out += _one_class(problem, ran)
    sampled = [o.resamples for s, o in ran.outcomes.items() if isinstance(s, Bootstrap) and s.unseen]
    missed = [m for m in (problem.n - np.unique(r.cases).size for r in sampled) if m]
    if missed:
        out.append(Caution.of("E304", cases=_count(missed[0], "case")))
    if score is not None:
        out += _of_the_score(problem, plan, ran, interval, estimate, measure)
    elif interval is not None:
        spoken = []
        if isinstance(method, TwoStage) and method.copies == "apart":
            spoken = [Caution.of("E405")]
        elif method is not None and method.trusts_apparent and _memorized(ran.outcomes):
            width = "has none" if interval.degenerate else "is too narrow"
            spoken = [Caution.of("E406", name=method.name, width=width, wilson=_with_wilson(interval))]
        out += spoken
        if not (interval.degenerate and spoken):
            out += without_sense(interval, estimate, "E403.error", "every resample gave the same rate")
        if interval.monte_carlo is not None and interval.moves and method is not None:
            replicates = next((s.replicates for s in method.schemes if isinstance(s, Bootstrap)), 0)
            share = 100 * interval.monte_carlo.limit / interval.width
            more = f"{(estimator or method).name}(replicates={5 * replicates})"
            out.append(Caution.of("E404", share=share, sampled=replicates, more=more))
    untested = never_tested_in_time(schemes)
    if untested is not None:
        out.append(Caution.of("E309.estimate", untested=_count(untested, "case"), n=problem.n))
    elif interval is None and wanted:
        kind = "E407.failed" if method is not None else "E407.error" if score is None else "E407.score"
        name = "" if estimator is None else estimator.id
        out.append(Caution.of(kind, method=method and method.id, name=name, score=score and score.id))
    return out


def never_tested_in_time(schemes: Iterable[Scheme]) -> int | None:
    """Count the cases that splits in the order of time never test; None where no splits are of that kind."""
    ordered = [s for s in schemes if isinstance(s, SplitterScheme) and s.time_ordered]
    return ordered[0].made.n - np.unique(ordered[0].made.cases).size if ordered else None


def _of_the_score(
    problem: Problem,
    plan: Plan,
    ran: RunOutcomes,
    interval: ConfidenceInterval | None,
    value: float,
    measure: Scoring,
) -> list[str]:
    """Count the resamples, or repetitions, that have no statistic, and warn of what holds for scores alone."""
    score, estimator = measure.metric, plan.estimator
    schemes = plan.schemes if estimator is None else estimator.schemes
    without = of = 0
    for outcome in (ran.outcomes[scheme] for scheme in schemes):
        if isinstance(outcome, StatisticOutcome):
            rows = getattr(estimator, "weights", "") == "folds" or getattr(estimator, "per", "") == "replicate"
            rates = outcome.row_rates[outcome.tested > 0] if rows else outcome.repeat_rates
            without, of = without + int(np.isnan(rates).sum()), of + rates.size
    out: list[str] = [Caution.of("E308.resamples", without=without, of=of)] if without else []
    if not score.decomposable and estimator is not None and not estimator.unseen:
        out.append(Caution.of("E302.score", name=estimator.name, score=score.title))
    if score.ranks and isinstance(estimator, LeaveOneOutCV):
        out.append(Caution.of("E306", score=score.title))
    return out + score_cautions(problem, measure, plan.method, interval, value)


def score_cautions(
    problem: Problem,
    measure: Scoring,
    method: IntervalMethod | None,
    interval: ConfidenceInterval | None,
    value: float,
) -> list[str]:
    """Warn of a score that is undefined, that has few cases to rank, or whose interval says nothing."""
    score, out = measure.metric, list[str]()
    if np.isnan(value):
        out.append(Caution.of("E307", score=score.title))
    if score.ranks and (smaller := class_sizes(problem, measure.bound).min()) <= LEAST_OF_A_CLASS:
        out.append(Caution.of("E408", smaller=smaller, score=score.title))
    if interval is not None and method is not None:
        reason = method.no_width_note if not score.decomposable else "every resample gave the same value"
        out += without_sense(interval, value, "E403.score", reason)
    return out


def shared_cautions(
    problems: Sequence[Problem],
    ran: Sequence[RunOutcomes],
    schemes: Sequence[Scheme],
    measure: Scoring,
    names: Sequence[str] = "ab",
) -> list[str]:
    """Return the warnings of one classifier, or of several on shared resamples: data, training, failures."""
    several, out = len(problems) > 1, list[str](_of_the_data(problems, ran[0].outcomes))
    if all(p.encode_unused for p in problems):
        out.append(Caution.of("E205", inducer=problems[0].inducer.id))
    for name, p, r in zip(names, problems, ran, strict=True):
        out += [*training_cautions(name, p.inducer), *_unscaled(name, p), *classifier_warned(name, r)]
        for scheme, failed in r.failures.items():
            facts = {"resamples": _count(len(failed), "resample"), "scheme": scheme.id, "who": name}
            kind = "E111.compare" if several else "E111.estimate"
            out.append(Caution.of(kind, **facts, first=failed[0].row + 1, reason=failed[0].reason))
        out += _clipped(measure, r, schemes, f"{name}: " if several else "")
    return out


def training_cautions(who: str, inducer: Any) -> list[str]:
    """Say what of a classifier is never trained again, without which no resample says anything."""
    if not isinstance(inducer, SklearnRowsLearner):
        return []
    try:
        settings = inducer.estimator.get_params(deep=True)
    except (Exception, SystemExit):  # a foreign classifier may raise anything
        settings = {}
    parts = filter(is_frozen, settings.values())
    frozen = sorted({type(getattr(part, "estimator", part)).__name__ for part in parts})
    if frozen:
        return [Caution.of("E102", who=who, parts=", ".join(frozen))]
    return [Caution.of("E101", who=who)] if _learns_nothing(inducer) else []


def _learns_nothing(inducer: SklearnRowsLearner) -> bool:
    """Whether a classifier says the same of some cases after training on them with each class in place of the next.

    It costs two fits on at most 60 cases.  A classifier that cannot be trained on these is not spoken of.
    """
    trainer = inducer.trainer
    take = min(1.0, _PROBED / trainer.codes.size)
    cases = [np.flatnonzero(trainer.codes == c) for c in np.unique(trainer.codes)]
    parts = sorted((own[: max(1, round(take * own.size))] for own in cases), key=len)
    # one class has the most, or a classifier that answers with it may not change
    if len(parts) > 1 and len(parts[-1]) == len(parts[-2]) > 1:
        parts[:-1] = [p[: max(1, len(parts[-1]) - 1)] for p in parts[:-1]]
    rows = np.sort(np.concatenate(parts))
    exchanged = (trainer.codes + 1) % trainer.labels.shape[0]
    seeds = np.arange(len(trainer.seeds)) if trainer.seeds else None
    predictions = []
    for codes in (trainer.codes, exchanged):
        taught = replace(trainer, codes=codes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                predictions.append(taught.predict(taught.fit(rows, seeds), rows, rows))
            except (Exception, SystemExit):  # whatever it is, the resamples tell of it
                return False
    return bool((predictions[0] == predictions[1]).all())


def _clipped(measure: Scoring, ran: RunOutcomes, schemes: Iterable[Scheme], who: str) -> Iterable[Caution]:
    """Say that the log loss of a classifier depends on its clip, where it called a case's own class impossible."""
    score, impossible, tests = measure.metric, 0, 0
    if not isinstance(score, LogLoss):
        return
    for o in (ran.outcomes[scheme] for scheme in schemes):
        impossible += int((o.predictions[np.arange(o.truth.size), o.truth] == 0).sum())
        tests += o.truth.size
    if impossible:
        cost = -np.log(score.clip)
        yield Caution.of("E305", who=who, impossible=impossible, tests=tests, cost=cost, clip=score.clip)


def classifier_warned(who: str, ran: RunOutcomes) -> Iterable[Caution]:
    """Report the classifier's own warnings, with advice for some."""
    fits = _count(sum(o.n_rows for o in ran.outcomes.values()), "fit")
    for text, number in ran.warned.items():
        advice = next((what for sign, what in _ADVICE.items() if sign in text.lower()), "")
        times, text = _count(number, "time"), text.rstrip(" .:;,")
        yield Caution.of("E110", who=who, times=times, fits=fits, text=text, advice=advice)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def without_sense(interval: ConfidenceInterval, value: float, text: str, reason: str) -> Iterable[Caution]:
    """Speak of an interval that has no width, is undefined, or does not contain its estimate."""
    if np.isnan(interval.low):
        yield Caution.of("E402", method=interval.method, note=interval.note)
    elif interval.degenerate:
        yield Caution.of("E401", reason=reason, wilson=_with_wilson(interval))
    elif value < interval.low or value > interval.high:
        yield Caution.of(text)


def _with_wilson(interval: ConfidenceInterval) -> str:
    return "" if interval.beside is None else "; Wilson's limits are given too"


def _unscaled(who: str, problem: Problem) -> Iterable[Caution]:
    if not goes_by_distance(problem.inducer):
        return
    spread = {name: sd for name, sd in deviations_of(problem.X, problem.sample).items() if sd > 0}
    if len(spread) < 2:
        return
    least, largest = min(spread, key=spread.__getitem__), max(spread, key=spread.__getitem__)
    if (ratio := spread[largest] / spread[least]) > _UNLIKE_UNITS:
        yield Caution.of("E207", who=who, largest=largest, ratio=ratio, least=least)


def _of_the_data(problems: Sequence[Problem], outcomes: Outcomes) -> Iterable[Caution]:
    problem = problems[0]
    counts = dict(zip(problem.sample.classes, problem.class_counts.tolist(), strict=True))
    rare = {name: c for name, c in counts.items() if 0 < c < _FEW_CASES}
    if len(rare) > _NAMED:
        yield Caution.of("E201.many", number=len(rare), few=_FEW_CASES, counts=counts_text(rare))
    else:
        for name, cases in rare.items():
            yield Caution.of("E201.one" if cases == 1 else "E201.few", name=name, cases=cases)
    folds = max((s.k for s in outcomes if isinstance(s, KFold) and s.k != "n"), default=0)
    if sparse := [name for name, c in counts.items() if _FEW_CASES <= c < folds]:
        more = f" and {len(sparse) - 1} more" if len(sparse) > 1 else ""
        yield Caution.of("E202", name=sparse[0], more=more, folds=folds)
    identifiers = {name: reason for p in problems for name, reason in _identifiers_of(p).items()}
    for name, reason in identifiers.items():
        yield Caution.of("E208", name=name, reason=reason)
    yield from classes_written_alike(problem.sample.classes)
    if problem.copies is not None and problem.groups is None:
        yield from _copies(problem, problem.copies, outcomes)
    yield from few_groups(problem)


def few_groups(problem: Problem) -> list[Caution]:
    """Say that an interval rests on few groups."""
    if problem.n_groups is None or problem.n_groups >= _FEW_UNITS:
        return []
    return [Caution.of("E204", groups=_count(problem.n_groups, "group"))]


def classes_written_alike(names: Sequence[str]) -> Iterable[Caution]:
    """Speak of classes that a person may have meant for one."""
    if same := written_alike(names):
        more = f" ({len(same) - 1} more)" if len(same) > 1 else ""
        yield Caution.of("E209", same=same[0], more=more)


def _identifiers_of(problem: Problem) -> dict[str, str]:
    if not hasattr(problem.X, "iloc"):
        return {}
    seen = columns_seen(problem.inducer, problem.X)
    return identifiers_in(problem.X, seen, text_is_nominal=problem.text_is_nominal)


def _copies(problem: Problem, copies: np.ndarray, outcomes: Outcomes) -> Iterable[Caution]:
    straddling = tested = 0
    for scheme, outcome in outcomes.items():
        if not scheme.unseen:
            continue
        r = outcome.resamples
        last = min(r.n_rows, _ROWS_LOOKED_AT)
        trained = np.zeros((last, int(copies.max()) + 1), dtype=np.int64)
        np.add.at(trained.T, copies, r.training_counts(0, last).T)
        stop = int(r.start[last])
        straddling += int((trained[r.row_of_test()[:stop], copies[r.cases[:stop]]] > 0).sum())
        tested += stop
    sizes = np.bincount(copies)
    equal, repeats = int((sizes[copies] > 1).sum()), int((sizes - 1).sum())
    share = straddling / tested if straddling else equal / problem.n
    if repeats < 2 or share < _MATTERS / np.sqrt(problem.n):
        return
    if straddling:
        yield Caution.of("E203.parted", equal=equal, n=problem.n, share=100 * share)
    else:
        yield Caution.of("E203.equal", equal=equal, n=problem.n)


def _memorized(outcomes: Outcomes) -> bool:
    apparent = outcomes.get(APPARENT)
    return apparent is not None and not apparent.errors.any()


def _one_class(problem: Problem, ran: RunOutcomes) -> Iterable[Caution]:
    one = rows = 0
    most = int(problem.class_counts.max())
    for scheme, outcome in ran.outcomes.items():
        r = outcome.resamples
        rows += r.n_rows
        if not (r.compact.form.any() or r.compact.source.shape[1]) and (ran.sizes[scheme] > most).all():
            continue  # more cases, none of them twice, than any class has
        classes = np.eye(problem.sample.n_classes, dtype=np.int64)[problem.sample.y]
        for first, last in r.blocks():
            present = (r.training_counts(first, last) @ classes) > 0
            one += int((present.sum(axis=1) == 1).sum())
    if one:
        yield Caution.of("E206", one=one, rows=rows)
