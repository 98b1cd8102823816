"""What a person has to beware of in an estimate, in plain words.

Each function looks at one known trap: rare classes, copies that stand on both sides of a resample,
an inducer that memorizes its training set, an interval without width.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from errorest.assessment.caution import Caution
from errorest.assessment.classifiers import goes_by_distance
from errorest.assessment.inputs import Problem
from errorest.assessment.plan import Plan
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.runs import RunOutcomes
from errorest.assessment.training import training_cautions
from errorest.assessment.values import counts_text, deviations_of, identifiers_in
from errorest.estimation.estimators import Apparent, Estimator, LeaveOneOutCV
from errorest.estimation.intervals import IntervalMethod
from errorest.estimation.intervals.percentile import TwoStage
from errorest.estimation.outcomes import Outcome
from errorest.inducers import Majority
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import APPARENT, Bootstrap, KFold

__all__ = ["cautions", "shared_cautions"]

Outcomes = Mapping[Scheme, Outcome]

_FEW_CASES = 5
"""A class with fewer cases than this is spoken of."""

_FEW_UNITS = 10
"""An interval from fewer groups than this is spoken of."""

_NAMED = 3
"""More rare classes than this are spoken of together."""

_UNLIKE_UNITS = 100
"""A larger ratio of standard deviations is spoken of where a classifier goes by distances."""

_ROWS_LOOKED_AT = 200

_ADVICE = {
    "converge": "scale the data in a pipeline, make_pipeline(StandardScaler(), ...), or raise its max_iter",
    "collinear": "leave out columns that repeat others",
}
"""What to do about a classifier's own warning, by a word of it."""


def cautions(
    problem: Problem, plan: Plan, ran: RunOutcomes, interval: ConfidenceInterval | None, estimate: float
) -> tuple[str, ...]:
    """Say what to beware of."""
    estimator, outcomes = plan.estimator, ran.resampled
    out = training_cautions("the classifier", problem.inducer) + _of_the_data(problem, outcomes)
    out += _unencoded(problem) + _unscaled("the classifier", problem)
    out += _memorizers(estimator, outcomes) + _seen(estimator) + _constant(problem, estimator)
    out += _one_class(problem, outcomes, ran) + _untested(problem, outcomes) + _heard("the classifier", ran)
    for scheme, failed in ran.failures.items():
        out.append(
            Caution(
                "E111",
                f"{_count(len(failed), 'resample')} of {scheme.id} left out, on which the classifier failed (first: "
                f"resample {failed[0].row + 1}, {failed[0].reason}); the estimate speaks of the others alone",
            )
        )
    shifted = _of_the_interval(plan.method, interval, outcomes)
    out += shifted
    if interval is not None and interval.degenerate and not shifted:
        out.append(
            Caution(
                "E401",
                "the interval has no width, which is no certainty: every resample gave the same rate"
                + ("; Wilson's limits stand beside it" if interval.beside is not None else ""),
            )
        )
    elif interval is not None and np.isnan(interval.low):
        out.append(Caution("E402", f"interval {interval.method} is undefined on these data: {interval.note}"))
    elif interval is not None and not interval.low <= estimate <= interval.high:
        out.append(
            Caution(
                "E403",
                "the interval does not contain the estimate: its percentiles are not centred on it, and with so few "
                "cases it says little",
            )
        )
    return (*out, *_moves(plan.method, interval))


def _moves(method: IntervalMethod | None, interval: ConfidenceInterval | None) -> list[str]:
    """Warn of a large Monte Carlo error in the limits."""
    if interval is None or interval.monte_carlo is None or not interval.moves:
        return []
    sampled = next((s.replicates for s in method.schemes if isinstance(s, Bootstrap)), 0) if method is not None else 0
    share = 100 * interval.monte_carlo.limit / interval.width
    text = Caution(
        "E404",
        f"another seed would move the interval's limits by about {share:.0f} % of its width, since {sampled} bootstrap "
        "samples are few here; ask for more replicates",
    )
    return [text]


def shared_cautions(
    problems: Sequence[Problem],
    ran: Sequence[RunOutcomes],
    interval: ConfidenceInterval | None,
    names: Sequence[str] = "ab",
) -> tuple[str, ...]:
    """Say what to beware of in a comparison on shared resamples."""
    out = _of_the_data(problems[0], ran[0].resampled)
    if all(p.encode_unused for p in problems):
        out += _unencoded(problems[0])
    for letter, p, r in zip(names, problems, ran, strict=True):
        out += training_cautions(letter, p.inducer) + _unscaled(letter, p) + _heard(letter, r)
        for scheme, failed in r.failures.items():
            out.append(
                Caution(
                    "E111",
                    f"{_count(len(failed), 'resample')} of {scheme.id} left out, on which {letter} failed (first: "
                    f"resample {failed[0].row + 1}, {failed[0].reason})",
                )
            )
    if interval is not None and interval.degenerate:
        out.append(
            Caution(
                "E401", "the interval has no width, which is no certainty: the difference was the same on every split"
            )
        )
    return tuple(out)


def _unencoded(problem: Problem) -> list[str]:
    if not problem.encode_unused:
        return []
    text = Caution(
        "E205",
        f"encode changes nothing: {problem.inducer.id} takes the values as they are, and only classifiers that are not "
        "of this library are encoded for",
    )
    return [text]


def _unscaled(who: str, problem: Problem) -> list[str]:
    if not goes_by_distance(problem.inducer):
        return []
    spread = {name: sd for name, sd in deviations_of(problem.X, problem.sample).items() if sd > 0}
    if len(spread) < 2:
        return []
    least, largest = min(spread, key=spread.__getitem__), max(spread, key=spread.__getitem__)
    if spread[largest] <= _UNLIKE_UNITS * spread[least]:
        return []
    text = Caution(
        "E207",
        f"{who} goes by distances, and the values of {largest} spread {spread[largest] / spread[least]:.0f} times as "
        f"far as those of {least}, which hardly count; standardize in a pipeline, make_pipeline(StandardScaler(), "
        "...), or name knn or svm with standardize=training",
    )
    return [text]


def _of_the_data(problem: Problem, outcomes: Outcomes) -> list[str]:
    out = _rare_classes(problem, outcomes)
    out += [
        Caution("E208", f"{name} holds {reason}: it tells these cases apart and says nothing of new ones; leave it out")
        for name, reason in identifiers_in(problem.X).items()
    ]
    if problem.copies is not None and problem.groups is None:
        out += _copies(problem, problem.copies, outcomes)
    if problem.groups is not None and int(problem.groups.max()) + 1 < _FEW_UNITS:
        out.append(
            Caution(
                "E204",
                f"there are only {_count(int(problem.groups.max()) + 1, 'group')}: as many independent pieces of "
                "evidence",
            )
        )
    return out


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _rare_classes(problem: Problem, outcomes: Outcomes) -> list[str]:
    out: list[str] = []
    counts = problem.class_counts
    rare = {name: c for name, c in zip(problem.sample.classes, counts.tolist(), strict=True) if 0 < c < _FEW_CASES}
    if len(rare) > _NAMED:
        out.append(
            Caution(
                "E201",
                f"{len(rare)} classes have fewer than {_FEW_CASES} cases each ({counts_text(rare)}): what is said of "
                "them rests on these alone, and a class of one case is never trained on when it is tested",
            )
        )
        rare = {}
    for name, count in rare.items():
        if count == 1:
            out.append(
                Caution(
                    "E201", f"class '{name}' has one case: whenever it is tested, no case of its class was trained on"
                )
            )
        else:
            out.append(Caution("E201", f"class '{name}' has {count} cases: what is said of it rests on these alone"))
    most = max((s.k for s in outcomes if isinstance(s, KFold) and s.k != "n"), default=0)
    sparse = [n for n, c in zip(problem.sample.classes, counts.tolist(), strict=True) if _FEW_CASES <= c < most]
    if sparse:
        out.append(
            Caution(
                "E202",
                f"class '{sparse[0]}'"
                + (f" and {len(sparse) - 1} more" if len(sparse) > 1 else "")
                + f" cannot be in each of {most} folds: some folds test no case of it",
            )
        )
    return out


def _copies(problem: Problem, copies: np.ndarray, outcomes: Outcomes) -> list[str]:
    straddling = tested = 0
    for scheme, outcome in outcomes.items():
        if not scheme.unseen:
            continue
        r = outcome.resamples
        last = min(r.n_rows, _ROWS_LOOKED_AT)
        trained = np.zeros((last, int(copies.max()) + 1), dtype=np.int64)
        np.add.at(trained.T, copies, r.training_counts(0, last).T)
        stop = int(r.start[last])
        row = np.repeat(np.arange(last), np.diff(r.start[: last + 1]))
        straddling += int((trained[row, copies[r.cases[:stop]]] > 0).sum())
        tested += stop
    twins = int((np.bincount(copies)[copies] > 1).sum())
    message = f"{twins} of {problem.n} cases are equal to another in every attribute"
    if straddling:
        message += (
            f", and in {100 * straddling / tested:.0f} % of the tests a copy of the tested case was trained on; if "
            "these are one object measured twice, pass groups that keep copies together"
        )
    return [Caution("E203", message)]


def _memorizers(estimator: Estimator | None, outcomes: Outcomes) -> list[str]:
    if estimator is None or not estimator.trusts_apparent or not _memorized(outcomes):
        return []
    message = "the classifier gets none of its own training cases wrong"
    if isinstance(estimator, Apparent):
        return [Caution("E301", f"{message}, so that the apparent error says nothing; take 632+ or cv(k=10)")]
    return [
        Caution(
            "E301",
            f"{message}, as 1-NN and other memorizers do, and then {estimator.name} is too low; take 632+ or cv(k=10)",
        )
    ]


def _of_the_interval(
    method: IntervalMethod | None, interval: ConfidenceInterval | None, outcomes: Outcomes
) -> list[str]:
    """Speak of an interval whose idea fails for memorizers, or that lets copies of a case stand on both sides."""
    if interval is not None and isinstance(method, TwoStage) and method.copies == "apart":
        text = Caution(
            "E405",
            "two-stage takes the copies of a case in an outer sample for cases of their own, so that some are tested "
            "by classifiers that have seen another copy, and its limits are too low, most of all for memorizers such "
            "as 1-NN; ask for two-stage(copies=together), or take interval 632+",
        )
        return [text]
    if interval is None or method is None or not method.trusts_apparent or not _memorized(outcomes):
        return []
    text = Caution(
        "E406",
        "the classifier gets none of its own training cases wrong, as 1-NN and other memorizers do, and "
        f"{method.name} takes its width from how the apparent error varies: "
        + ("it has none" if interval.degenerate else "it is too narrow")
        + ", which is no certainty"
        + ("; Wilson's limits stand beside it" if interval.beside is not None else "")
        + "; take interval 632+, or estimator cv(k=10) with its own",
    )
    return [text]


def _memorized(outcomes: Outcomes) -> bool:
    apparent = outcomes.get(APPARENT)
    return apparent is not None and not apparent.errors.any()


def _heard(who: str, ran: RunOutcomes) -> list[str]:
    if not ran.warned:
        return []
    rows = sum(o.n_rows for o in ran.outcomes.values())
    return [
        Caution(
            "E110",
            f"{who} warned {_count(number, 'time')} in {_count(rows, 'fit')}: {text.rstrip(' .:;,')}"
            + next((f"; {what}" for sign, what in _ADVICE.items() if sign in text.lower()), ""),
        )
        for text, number in ran.warned.items()
    ]


def _seen(estimator: Estimator | None) -> list[str]:
    if estimator is None or estimator.unseen or estimator.cloning is not None:
        return []
    name = estimator.name
    text = Caution(
        "E302",
        f"{name} tests on cases that its classifiers were trained on, so that it is too low; take 632+, cv(k=10), or "
        f"{name} with cloned=True",
    )
    return [text]


def _constant(problem: Problem, estimator: Estimator | None) -> list[str]:
    inducer = problem.inducer
    constant = isinstance(inducer, Majority) or type(getattr(inducer, "estimator", None)).__name__ == "DummyClassifier"
    if constant and isinstance(estimator, LeaveOneOutCV):
        text = Caution(
            "E303",
            "leave-one-out fails for the majority class of balanced classes: leaving a case out turns the majority "
            "against it; take stratified folds, cv(k=10, stratified=True)",
        )
        return [text]
    return []


def _one_class(problem: Problem, outcomes: Outcomes, ran: RunOutcomes) -> list[str]:
    one = rows = 0
    most = int(problem.class_counts.max())
    for scheme, outcome in outcomes.items():
        r = outcome.resamples
        rows += r.n_rows
        if not (r.compact.form.any() or r.compact.source.shape[1]) and (ran.sizes[scheme] > most).all():
            continue  # more cases, none of them twice, than any class has
        classes = np.eye(problem.sample.n_classes, dtype=np.int64)[problem.sample.y]
        for first, last in r.blocks():
            present = (r.training_counts(first, last) @ classes) > 0
            one += int((present.sum(axis=1) == 1).sum())
    if not one:
        return []
    return [Caution("E206", f"{one} of {rows} training sets hold one class alone, and are answered with that class")]


def _untested(problem: Problem, outcomes: Outcomes) -> list[str]:
    for scheme, outcome in outcomes.items():
        if isinstance(scheme, Bootstrap) and scheme.unseen:
            missed = problem.n - np.unique(outcome.resamples.cases).shape[0]
            if missed:
                return [
                    Caution(
                        "E304",
                        f"{_count(missed, 'case')} in every bootstrap sample, and never tested; ask for more "
                        "replicates",
                    )
                ]
    return []
