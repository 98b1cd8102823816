"""What schemes yield under a score: losses of cases, or statistics of rows in the place of their mean losses.

:class:`Asked` stands before an inducer and numbers what it says, so that the engine, which carries whole
numbers, runs schemes for probabilities as it does for labels.  A :class:`Question` turns the outcomes into
those of the score, which estimators and intervals then reduce.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator, parse_estimator
from errorest.estimation.estimators.estimator import Outcomes
from errorest.estimation.losses import Outcome, RowErrors, mean_of_known
from errorest.estimation.run import run_schemes
from errorest.estimation.scores.proper import ScoreLoss
from errorest.estimation.scores.registry import parse_score
from errorest.estimation.scores.score import CaseScore, Score, Statistic
from errorest.inducers.base import Inducer
from errorest.probabilities import checked_probabilities
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

__all__ = [
    "Asked",
    "Question",
    "StatisticOutcome",
    "ask",
    "check_estimator_of",
    "estimate_scores",
    "refuse_without_probabilities",
]


def refuse_without_probabilities(inducer: Any, score: Score, who: str) -> None:
    """Refuse an inducer that tells no probabilities, where a score needs them."""
    if score.needs_probabilities and not callable(getattr(inducer, "predict_proba_resamples", None)):
        raise UsageError(
            f"{who} tells labels alone and score {score.id} needs probabilities; expected a classifier with "
            "predict_proba (an inducer of your own: with predict_proba_resamples); take another classifier, or a score "
            "of labels: balanced-accuracy, mcc, f1, sensitivity, specificity"
        )


class Asked:
    """An inducer whose answers are numbered: labels are lines of a table of probabilities.

    Parameters
    ----------
    inducer : ProbabilityInducer
    """

    def __init__(self, inducer: Any) -> None:
        self.inducer = inducer
        self._parts: list[np.ndarray] = []
        self._lines = 0

    @property
    def id(self) -> str:
        """That of the inducer."""
        return str(self.inducer.id)

    @property
    def random(self) -> bool:
        """Whether the inducer draws at random."""
        return bool(getattr(self.inducer, "random", False))

    @property
    def table(self) -> np.ndarray:
        """What was said, by number; float array, shape (lines, K)."""
        if len(self._parts) != 1:
            self._parts = [np.concatenate(self._parts) if self._parts else np.empty((0, 2))]
        return self._parts[0]

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Any:
        """Make the inducer's classifier."""
        return self.inducer.fit(sample, rng)

    def predict_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Number the probabilities of the tested cases of every row."""
        said = self.inducer.predict_proba_resamples(sample, resamples, *(() if rng is None else (rng,)))
        return self.numbered(checked_probabilities(said, resamples.cases.size, sample.n_classes, f"inducer {self.id}"))

    def numbered(self, said: np.ndarray) -> np.ndarray:
        """Add lines to the table, and return their numbers."""
        first = self._lines
        self._parts.append(said)
        self._lines += said.shape[0]
        return np.arange(first, self._lines)


@dataclass(frozen=True, eq=False)
class StatisticOutcome(Outcome):
    """An outcome whose rates are statistics of the tests of a row, of a repetition, or of all.

    They are turned to losses, as :meth:`Score.as_loss` does, so that estimators reduce them.  Rows without a
    statistic are left out of means.

    Parameters
    ----------
    statistic : Statistic
    truth, answers : arrays, shape (T,)
        From :meth:`Statistic.coded`.
    classes : int
    """

    statistic: Statistic = None  # type: ignore[assignment]
    truth: np.ndarray = None  # type: ignore[assignment]
    answers: np.ndarray = None  # type: ignore[assignment]
    classes: int = 2

    @cached_property
    def losses(self) -> np.ndarray:
        """Of a statistic there are none."""
        raise UsageError(
            f"score {self.statistic.id} is no mean of losses of cases; expected an estimator and an interval that "
            "take whole resamples; average replicates (per=replicate), and see: errorest scores"
        )

    def of_rows(self, start: np.ndarray) -> np.ndarray:
        """Return the statistic, as a loss, of the tests ``start[r]`` to ``start[r + 1]``; NaN where undefined."""
        values = self.statistic.of_rows(self.truth, self.answers, np.asarray(start, dtype=np.int64), self.classes)
        return np.asarray(self.statistic.best - values if self.statistic.rising else values)

    @cached_property
    def row_rates(self) -> np.ndarray:
        """The statistic of each row, as a loss; float array, shape (R,)."""
        return self.of_rows(self.resamples.start)

    @cached_property
    def repeat_rates(self) -> np.ndarray:
        """The statistic of each repetition's rows pooled, as a loss; float array, shape (repeats,)."""
        if self.repeats == self.n_rows:
            return self.row_rates
        which = np.repeat(self.replicate, np.diff(self.resamples.start))
        order = np.argsort(which, kind="stable")
        start = np.searchsorted(which[order], np.arange(self.repeats + 1))
        values = self.statistic.of_rows(self.truth[order], self.answers[order], start, self.classes)
        return np.asarray(self.statistic.best - values if self.statistic.rising else values)

    @cached_property
    def rate(self) -> float:
        """The rows of each repetition pooled, the repetitions averaged."""
        return mean_of_known(self.repeat_rates)

    @cached_property
    def pooled_rate(self) -> float:
        """Of all tests."""
        return float(self.of_rows(np.array([0, self.truth.size]))[0])

    @cached_property
    def mean_row_rate(self) -> float:
        """The mean of the rows."""
        return mean_of_known(self.row_rates)

    def no_information(self, n_classes: int) -> float:
        """Return what answers that are permuted among the cases give in the mean, as a loss."""
        return self.statistic.as_loss(self.statistic.no_information(self.truth, self.answers, self.classes))

    def influence(self, per_fold: bool) -> np.ndarray:
        """Return what each test adds to the estimate, to first order: influences over the number of tests."""
        if not per_fold:
            return self.statistic.influence(self.truth, self.answers, self.classes) / self.truth.size
        known = np.flatnonzero(~np.isnan(self.row_rates))
        out = np.zeros(self.truth.size) if known.size else np.full(self.truth.size, np.nan)
        shares = np.bincount(self.truth, minlength=self.classes) / self.truth.size
        for r in known:
            part = slice(self.resamples.start[r], self.resamples.start[r + 1])
            own = self.statistic.influence(self.truth[part], self.answers[part], self.classes, shares)
            out[part] = own / (own.size * known.size)
        return out


@dataclass(frozen=True)
class Question:
    """A score, and of which class it is asked.

    Parameters
    ----------
    score : Score
    positive, n_classes : int
    """

    score: Score
    positive: int
    n_classes: int

    def outcome(self, outcome: Outcome, table: np.ndarray | None) -> Outcome:
        """Turn an outcome into that of the score."""
        return self.outcomes({APART: outcome}, table)[APART]

    def outcomes(self, outcomes: Mapping[Any, Outcome], table: np.ndarray | None) -> dict[Any, Outcome]:
        """Turn several outcomes at once; they share a table."""
        if isinstance(self.score, CaseScore):
            assert table is not None
            loss = ScoreLoss(self.score.costs(table))
            return {s: o.under(loss) for s, o in outcomes.items()}
        return {s: self._statistics(o, table) for s, o in outcomes.items()}

    def _statistics(self, o: Outcome, table: np.ndarray | None) -> StatisticOutcome:
        statistic = self.score
        assert isinstance(statistic, Statistic)
        said = o.labels if table is None else table[o.labels]
        coded = statistic.coded(o.y[o.resamples.cases], said, self.positive, self.n_classes)
        kept = (o.errors, o.tested, o.replicate, o.repeats, o.resamples, o.labels, o.y, o.loss)
        return StatisticOutcome(*kept, statistic, *coded)


APART = "apart"


def check_estimator_of(score: Score, estimator: Estimator) -> None:
    """Refuse an estimator that is not legal with a score."""
    if any(s.cloned for s in estimator.schemes):
        raise UsageError(
            f"{estimator.id} draws clones and score {score.id} was asked for; expected an estimator without clones, "
            "which count wrong labels; leave out cloned"
        )
    if not isinstance(score, Statistic):
        return
    per = getattr(estimator, "per", "replicate")
    if per in ("case", "nested"):
        raise UsageError(
            f"{estimator.id} averages cases (per={per}) and score {score.id} is one of a set of cases; expected "
            f"per=replicate or per=pooled; write {estimator.name}(per=replicate)"
        )
    if getattr(estimator, "weights", "") == "folds" and getattr(estimator, "k", 0) == "n":
        raise UsageError(
            f"{estimator.id} averages folds of one case and score {score.id} is one of a set of cases; expected "
            "several cases a fold; choose a number of folds, or weights=test-size"
        )
    if estimator.name and estimator.name not in score.estimators and estimator.name in _KNOWN:
        raise UsageError(
            f"{estimator.id} was named and score {score.id} is not legal with it; expected one of "
            f"{', '.join(score.estimators)}; choose one of these"
        )


_KNOWN = frozenset(Statistic.estimators)


def ask(
    sample: Sample, inducer: Inducer, question: Question, schemes: Iterable[Scheme], streams: Streams
) -> dict[Scheme, RowErrors]:
    """Run schemes on a sample, and return the outcomes of a score."""
    refuse_without_probabilities(inducer, question.score, inducer.id)
    asked: Any = Asked(inducer) if question.score.needs_probabilities else inducer
    made = run_schemes(sample, asked, schemes, streams)
    listed = {s: o for s, o in made.items() if isinstance(o, Outcome)}
    return dict(question.outcomes(listed, asked.table if isinstance(asked, Asked) else None))


def estimate_scores(
    sample: Sample,
    inducer: Inducer,
    score: Score | str,
    estimators: Iterable[Estimator | str],
    rng: np.random.Generator | Streams,
    positive: int | None = None,
) -> dict[str, float]:
    """Estimate a score of the classifier that the inducer makes of the sample."""
    asked = parse_score(score) if isinstance(score, str) else score
    wanted = [parse_estimator(e) if isinstance(e, str) else e for e in estimators]
    for e in wanted:
        check_estimator_of(asked, e)
    question = Question(asked, sample.n_classes - 1 if positive is None else positive, sample.n_classes)
    streams = rng if isinstance(rng, Streams) else Streams.from_generator(rng)
    outcomes: Outcomes = ask(sample, inducer, question, [s for e in wanted for s in e.schemes], streams)
    return {e.id: asked.from_loss(e.reduce(sample, outcomes)) for e in wanted}
