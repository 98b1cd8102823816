"""Run schemes on a problem: draw resamples, fit and predict, list failures, and measure the predictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from errorest.assessment.classifiers import SklearnRowsLearner
from errorest.assessment.formatting import counts_text
from errorest.assessment.inputs import Problem
from errorest.assessment.labelling import Failure
from errorest.errors import UsageError
from errorest.estimation.groups import most_frequent, unit_sample
from errorest.estimation.metrics.metric import BoundMetric, Metric
from errorest.estimation.outcomes import Outcome, measured
from errorest.estimation.run import (
    draw_schemes,
    predict_probabilities,
    predict_schemes,
    require_probabilities,
)
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

OnFailure = Literal["raise", "skip"]

# Parts in which a compiled pass is made where somebody watches
_BLOCKS = 20


@dataclass(frozen=True, eq=False)
class RunOutcomes:
    """What running schemes on a problem yielded."""

    outcomes: Mapping[Scheme, Outcome]
    units: Mapping[Scheme, Resamples]
    failures: Mapping[Scheme, list[Failure]]
    warned: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def sizes(self) -> dict[Scheme, np.ndarray]:
        """Cases that each row trains on, repeats counted; int arrays, shape (R,)."""
        return {s: training_sizes(o.resamples) for s, o in self.outcomes.items()}


def draw(
    problem: Problem, schemes: Iterable[Scheme], streams: Streams
) -> tuple[dict[Scheme, Resamples], dict[Scheme, Resamples]]:
    """Draw the resamples of schemes over cases or groups; groups are then replaced by their cases."""
    groups, strata = problem.groups, problem.strata
    if groups is None and strata is None:
        return draw_schemes(problem.sample, schemes, streams), {}
    cases = unit_sample(problem.sample, groups)
    sampled: dict[Scheme, Resamples] = {}
    units: dict[Scheme, Resamples] = {}
    for s in dict.fromkeys(schemes):
        if s.keeps_groups:
            sampled[s] = s.draw(problem.sample, streams)
            if groups is not None and getattr(s, "parts_all", False):
                units[s] = units_of(sampled[s], groups)
                sampled[s] = in_groups(units[s], groups)
            continue
        if groups is not None:
            check_folds(s, cases.n, grouped=True)
        if strata is None:
            over = s.draw(cases, streams)
        else:
            of_units = strata if groups is None else most_frequent(strata, groups)
            over = s.within(of_units, streams.generator(s.key), problem.strata_names)
        sampled[s] = over
        if groups is not None:
            sampled[s], units[s] = in_groups(over, groups), over
    return sampled, units


def check_folds(scheme: Scheme, n: int, *, grouped: bool) -> None:
    """Refuse more folds than there are units."""
    if n < scheme.least:
        unit = "group" if grouped else "case"
        there = "is 1" if n == 1 else f"are {n}"
        raise UsageError(
            f"{scheme.least} folds were asked for and there {there} {unit}{'' if n == 1 else 's'}; "
            + (f"ask for cv(k={n}) or fewer folds" if n > 1 else f"expected at least two {unit}s")
        )


def in_groups(units: Resamples, groups: np.ndarray) -> Resamples:
    """Replace every unit of resamples by the cases of that group, in training and in testing."""
    counts = units.training_counts()[:, groups]
    sizes = np.bincount(groups)
    members = np.split(np.argsort(groups, kind="stable").astype(np.int32), np.cumsum(sizes)[:-1])
    cases = np.concatenate([members[unit] for unit in units.cases])
    start = np.concatenate([[0], np.cumsum(sizes[units.cases])])[units.start].astype(np.int64)
    return from_training_counts(np.ascontiguousarray(counts), start, cases, units.replicate, units.repeats)


def units_of(folds: Resamples, groups: np.ndarray) -> Resamples:
    """Return splits of whole groups with groups for cases."""
    row, n_groups = folds.row_of_test(), int(groups.max()) + 1
    tested = np.unique(row * n_groups + groups[folds.cases])
    start = np.searchsorted(tested, n_groups * np.arange(folds.n_rows + 1)).astype(np.int64)
    first = np.unique(groups, return_index=True)[1]
    counts = np.ascontiguousarray(folds.training_counts()[:, first])
    return from_training_counts(counts, start, (tested % n_groups).astype(np.int32), folds.replicate, folds.repeats)


def run(
    problem: Problem,
    schemes: Iterable[Scheme],
    streams: Streams,
    drawn: tuple[dict[Scheme, Resamples], dict[Scheme, Resamples]],
    *,
    metric: BoundMetric,
    on_failure: OnFailure = "raise",
    report: Callable[[int, int], None] | None = None,
) -> RunOutcomes:
    """Run schemes on a problem, each once, on the resamples that :func:`draw` drew, and measure the predictions."""
    wanted = list(dict.fromkeys(schemes))
    sampled, units = drawn
    outcomes: dict[Scheme, Outcome] = {}
    failures: dict[Scheme, list[Failure]] = {}
    warned: Counter[str] = Counter()
    inducer, total = problem.inducer, sum(r.n_rows for r in sampled.values())
    tell = None if report is None else lambda done: report(done, total)
    foreign = isinstance(inducer, SklearnRowsLearner)
    if not foreign and (tell is None or getattr(inducer, "random", False)):
        outcomes |= predict_schemes(problem.sample, inducer, sampled, streams, metric)
        return RunOutcomes({s: outcomes[s] for s in wanted}, units, failures, warned)
    for scheme, resamples in sampled.items():
        if not isinstance(inducer, SklearnRowsLearner):
            assert tell is not None
            predictions = _predict_in_blocks(problem, resamples, metric, max(1, -(-total // _BLOCKS)), tell)
            outcomes[scheme] = measured(resamples, predictions, problem.sample.y, metric)
            continue
        rng = streams.generator(scheme.key, "inducer") if inducer.random else None
        predictions, failed, heard = inducer.predict_rows(
            problem.sample, resamples, rng, tell, probabilities=metric.needs_probabilities
        )
        warned.update(heard)
        if failed:
            _check_failures(problem, scheme, resamples, failed, on_failure)
            failures[scheme] = failed
            selected = np.ones(resamples.n_rows, dtype=bool)
            selected[[f.row for f in failed]] = False
            predictions = predictions[np.repeat(selected, np.diff(resamples.start))]
            resamples = keep_rows(resamples, selected)
            if scheme in units:
                units[scheme] = keep_rows(units[scheme], selected)
        outcomes[scheme] = measured(resamples, predictions, problem.sample.y, metric)
    return RunOutcomes({s: outcomes[s] for s in wanted}, units, failures, warned)


def check_response(problem: Problem, metric: Metric) -> None:
    """Refuse a classifier that predicts labels alone, where a metric needs probabilities."""
    inducer = problem.inducer
    if not metric.needs_probabilities:
        return
    if not isinstance(inducer, SklearnRowsLearner):
        require_probabilities(inducer, metric, inducer.id)
    elif not callable(getattr(inducer.estimator, "predict_proba", None)):
        raise UsageError(
            f"{inducer.id} has no predict_proba and score {metric.id} needs probabilities; take "
            "CalibratedClassifierCV round it, or a score of labels: balanced-accuracy, mcc, f1, macro-f1, "
            "sensitivity, specificity"
        )


def predict(
    problem: Problem, resamples: Resamples, metric: BoundMetric, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Predict labels, or probabilities where the metric needs them, for the tested cases of resamples."""
    inducer = problem.inducer
    if isinstance(inducer, SklearnRowsLearner):
        predictions, failures, _ = inducer.predict_rows(
            problem.sample, resamples, rng, probabilities=metric.needs_probabilities
        )
        if failures:
            raise UsageError(
                f"{inducer.id} failed on resample {failures[0].row + 1} of {resamples.n_rows} "
                f"({failures[0].reason}); correct it, or ask for resamples with more cases in training"
            )
        return predictions
    if metric.needs_probabilities:
        return predict_probabilities(problem.sample, inducer, resamples, rng)
    return inducer.predict_resamples(problem.sample, resamples, *(() if rng is None else (rng,)))


def _predict_in_blocks(
    problem: Problem, resamples: Resamples, metric: BoundMetric, step: int, report: Callable[[int], None]
) -> np.ndarray:
    """Predict for a few blocks of rows, and report progress after each."""
    rows, parts = np.arange(resamples.n_rows), []
    for first in range(0, resamples.n_rows, step):
        block = keep_rows(resamples, (rows >= first) & (rows < first + step))
        parts.append(predict(problem, block, metric))
        report(block.n_rows)
    return np.concatenate(parts)


def _check_failures(
    problem: Problem, scheme: Scheme, resamples: Resamples, failed: list[Failure], on_failure: OnFailure
) -> None:
    first = failed[0]
    all_failed = len(failed) == int((np.diff(resamples.start) > 0).sum())
    if on_failure == "skip" and not (scheme.needs_all_rows or all_failed):
        return
    if all_failed:
        text = f"the classifier failed on every resample of {scheme.id} ({first.reason})"
        hint = "look for text, missing values or a setting that does not fit these data"
    else:
        training = resamples.training_counts(first.row, first.row + 1)[0]
        counts = np.bincount(problem.sample.y, weights=training, minlength=problem.sample.n_classes).astype(int)
        report = counts_text(dict(zip(problem.sample.classes, counts.tolist(), strict=True)))
        text = (
            f"the classifier failed on resample {first.row + 1} of {resamples.n_rows} of {scheme.id}, which trains on "
            f"{report} ({first.reason}); {len(failed)} failed in all"
        )
        hint = "keep the others with error_score=numpy.nan"
        if scheme.needs_all_rows:
            hint = "all are needed here: correct the classifier, or ask for resamples with more cases in training"
    if "'groups' parameter" in first.reason:
        hint = "pass groups=..., which reach the cv of a search, or of a step of a pipeline, and none further inside"
    raise UsageError(text, hint)


def training_sizes(resamples: Resamples) -> np.ndarray:
    """Count the cases that each row trains on, repeats counted."""
    parts = [resamples.training_counts(*block).sum(axis=1) for block in resamples.blocks()]
    return np.concatenate(parts).astype(np.int64)


def keep_rows(resamples: Resamples, kept: np.ndarray) -> Resamples:
    """Leave rows out; repetitions without a row stay counted out."""
    sizes = np.diff(resamples.start)
    of_case = np.repeat(kept, sizes)
    start = np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64)
    compact = resamples.compact._replace(
        form=resamples.compact.form[kept], line=resamples.compact.line[kept], fold=resamples.compact.fold[kept]
    )
    if (compact.form == 1).all():
        # reductions read counts row by row
        compact = compact._replace(
            counts=compact.counts[compact.line], line=np.arange(sizes[kept].size, dtype=np.int32)
        )
    present, replicate = np.unique(resamples.replicate[kept], return_inverse=True)
    more = {"mark": resamples.mark[of_case]} if hasattr(resamples, "mark") else {}
    return replace(
        resamples,
        compact=compact,
        start=start,
        cases=resamples.cases[of_case],
        replicate=replicate.astype(np.int32),
        repeats=present.shape[0],
        layout=None,
        **more,
    )
