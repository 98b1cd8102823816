"""The estimate of an error rate, a mean cost or a score, with its interval and the tables behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.case_tables import OfClass, PairedDifference, Tables
from errorest.assessment.formatting import counts_text, percent, spelt, within
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.old_page import Origin, class_by_class, hardest_cases, table_of, what_to_report
from errorest.assessment.result import ConfidenceInterval, Fits, Result
from errorest.assessment.runs import RunOutcomes
from errorest.estimation.intervals.coverage_table import MeasuredCoverage
from errorest.estimation.metrics.metric import CaseMetric
from errorest.estimation.outcomes import Outcome

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class _Estimate(Result):
    """An estimate with its interval."""

    estimate: float
    interval: ConfidenceInterval | None
    standard_error: float | None
    class_counts: Mapping[str, int]
    fits: tuple[Fits, ...]
    coverage: MeasuredCoverage | None = None
    _tables: Tables = field(repr=False)

    @property
    def measured(self) -> str:
        """How often such intervals held the truth in simulations, in sentences; nothing without an interval."""
        if self.coverage is not None:
            return self.coverage.sentence
        if self.interval is None or np.isnan(self.interval.low):
            return ""
        what = "" if self.score is None else f" of the {self.quantity}"
        if self._tables.groups is not None:
            what += " with groups"
        elif self.score is None and self.loss != "0/1":
            what += " with this loss"
        return f"The coverage of such intervals{what} was not measured in simulations."

    @cached_property
    def cases(self) -> pd.DataFrame:
        """Each case: its class, how often it was tested unseen, and its mean loss or prediction (NaN if never)."""
        of = self._tables
        known = {"case": np.asarray(of.names), "class": of.labels[of.y], "tested": of.tested}
        if of.baseline is not None:
            return _frame({**known, "loss": of.mean_losses})
        what = "p" if of.of_probabilities else "share"
        return _frame(known | {f"{what}({name})": of.predicted[:, c] for c, name in enumerate(of.labels)})

    def _values(self) -> dict[str, Any]:
        fits = [{"scheme": f.scheme, "rows": f.rows, "training_cases": f.cases} for f in self.fits]
        return {
            "estimate": self.estimate,
            "standard_error": self.standard_error,
            "interval": self.interval,
            "class_counts": self.class_counts,
            "fits": fits,
            "coverage": coverage_dict(self.coverage),
        }

    def _cases(self) -> str:
        return f"{super()._cases()} ({counts_text(self.class_counts)})"

    def _facts(self) -> list[tuple[str, str]]:
        facts = [(self.quantity, self.value_text(self.estimate))]
        if (between := self.interval) is not None:
            facts.append((f"{between.share} interval", f"{between} ({between.method})"))
            if between.beside is not None:
                facts.append(("Wilson's", self.limits_text(*between.beside)))
        facts.append(("verdict", self.verdict))
        if between is not None:
            facts.append(("aims at", between.aim))
        if self.measured:
            facts.append(("measured", self.measured))
        if self.standard_error is not None:
            facts.append(("standard error", self.gain_text(self.standard_error, signed=False)))
        error = None if between is None else between.monte_carlo
        if error is not None and np.isfinite(error.limit):
            of = ("of the estimate", "of its standard error", "of a limit")
            shown = (self.gain_text(v, signed=False) for v in (error.estimate, error.se, error.limit))
            facts.append(("Monte Carlo", ", ".join(f"{v} {what}" for v, what in zip(shown, of, strict=True))))
        return facts

    def _lead(self, value: str) -> str:
        lead = f"{self.heading} {value}"
        if self.interval is not None and np.isfinite(self.interval.low):
            lead += f", {self.interval.share} interval {self.interval}"
        return lead

    def _sentences(self) -> list[str]:
        # of an error, the estimate stands above
        text = self.verdict if self.score is not None else self.verdict.split("; ", 1)[1]
        aim = "" if self.interval is None else f"The interval aims at {self.interval.aim}."
        return [text for text in (f"{text[0].upper()}{text[1:]}.", aim, self.measured) if text]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ErrorEstimate(_Estimate):
    """The estimated error rate of the classifier trained on a sample.

    Parameters
    ----------
    estimate : float
        A proportion, or in the unit of the loss.
    interval : ConfidenceInterval or None
        None where no interval belongs to the estimator, or none was requested.
    standard_error : float or None
        As the interval's method estimates it; None where it has none.
    class_counts : mapping of str to int
        Cases of each class.
    majority_error : float
        What always answering with the best constant class would cost on these cases; the bar to beat.
    fits : tuple of Fits
        What was fitted how often.
    constant : str
        The class that would cost least as the only answer.
    zero_one : bool
        Whether the loss is 0/1.
    coverage : MeasuredCoverage or None
        How often such an interval held the truth in the project's simulations, or what limits of a proportion hold of
        one test set; None without an interval, with groups, and with another loss than 0/1, of which the simulations
        say nothing.

    Examples
    --------
    >>> from errorest.assessment import estimate
    >>> X, y = [[0.0], [0.2], [0.9], [1.1], [0.1], [1.0]], ["a", "a", "b", "b", "a", "b"]
    >>> e = estimate("knn(k=1)", X, y, method="loo", rng=1)
    >>> e.estimate, e.fits[0].rows, list(e.cases.columns)
    (0.0, 6, ['case', 'class', 'tested', 'loss'])
    """

    majority_error: float
    constant: str = ""
    zero_one: bool = True
    _picture = "draw_estimate"

    @property
    def percent(self) -> bool:
        """Whether values are proportions, shown in percent."""
        return self.zero_one or self.loss == "balanced"

    @cached_property
    def losses(self) -> pd.DataFrame:
        """Every tested case of every resample: scheme, replicate, fold, row, case, class, predicted, loss."""
        of, names = self._tables, np.asarray(self._tables.names)
        columns = ["scheme", "replicate", "fold", "row", "case", "class", "predicted", "loss"]
        parts = []
        for scheme, outcome in of.ran.resampled.items():
            r, row = outcome.resamples, outcome.resamples.row_of_test()
            of_case = names[r.cases], of.labels[of.y[r.cases]], of.labels[outcome.predictions]
            values = (scheme.id, r.replicate[row], r.fold[row], row, *of_case, outcome.losses.astype(float))
            parts.append(dict(zip(columns, values, strict=True)))
        return _frames(parts, columns)

    @cached_property
    def replicates(self) -> pd.DataFrame:
        """Each resample: scheme, replicate, fold, row, cases trained on (repeats counted), cases tested, mean loss."""
        parts = []
        for scheme, outcome in self._tables.ran.outcomes.items():
            r = outcome.resamples if isinstance(outcome, Outcome) else None
            columns = {
                "scheme": scheme.id,
                "replicate": outcome.replicate,
                "fold": np.zeros(outcome.n_rows, dtype=int) if r is None else r.fold,
                "row": np.arange(outcome.n_rows),
                "trained": self._tables.ran.sizes.get(scheme, self._tables.y.size),
                "tested": outcome.tested,
                "loss": outcome.row_rates,
            }
            parts.append(columns)
        return _frames(parts)

    @cached_property
    def classes(self) -> pd.DataFrame:
        """Each class: cases tested unseen, share of them that is got wrong, and its limits (proportions).

        A case counts by the share of those of its tests that are wrong.  The limits are Wilson's, with cases (or
        groups) taken for independent tests of one classifier.
        """
        return _frame(list(self._tables.of_classes), ["class", "cases", "error", "low", "high"])

    @cached_property
    def confusion(self) -> pd.DataFrame:
        """Each pair of a class and an answer: cases of the class, share that is answered so, and its limits."""
        columns = ["class", "predicted", "cases", "share", "low", "high"]
        return _frame(self._tables.confused, columns)

    @cached_property
    def answered(self) -> pd.DataFrame:
        """Each case: the wrong class that it was most often taken for when tested unseen; empty text if never."""
        of, wrong = self._tables, np.nan_to_num(self._tables.predicted)
        wrong[np.arange(of.y.size), of.y] = 0
        names = np.array([str(v) for v in of.labels], dtype=object)
        output = np.where(wrong.max(axis=1) > 0, names[wrong.argmax(1)], "")
        return _frame({"case": np.asarray(of.names), "taken for": output})

    @property
    def against_baseline(self) -> PairedDifference | None:
        """Mean loss minus that of the best constant answer, with the limits of a paired test on the held-out cases.

        It is of the tests of cases left out of training, such as out-of-bag ones, and so not :attr:`estimate` minus
        :attr:`majority_error` where the estimate is no mean of these, as .632+.  The limits lie within the scale of the
        loss.

        None where fewer than two cases were tested unseen, as with clones or the apparent error.
        """
        return self._tables.against_baseline

    @property
    def groups_whole(self) -> bool:
        """Whether groups stayed together, and are what limits count."""
        return self._tables.groups is not None

    @cached_property
    def verdict(self) -> str:
        """What the estimate means: against the best constant answer, and class by class."""
        what = {"0/1": "error", "balanced": "balanced error"}.get(self.loss, self.quantity)
        value = self.value_text(self.estimate)
        lead = f"{value} {what}" if self.percent else f"{what} {value}"
        one = "any constant answer" if self.loss == "balanced" else f"always answering '{self.constant}'"
        lead += f"; {one} gives {self.value_text(self.majority_error)}"
        test, but = self.against_baseline, "and"
        if test is None:
            tested = int((self._tables.tested > 0).sum())
            which = ("no cases were", "one case alone was", "cases of one group alone were")[min(tested, 2)]
            text = f"no paired test of the two, since {which} tested unseen"
        else:
            finding = "worse than" if test.low > 0 else "no evidence of improvement over"
            if test.high < 0:
                finding, but = "better than", "but"
            limits = f"{self.level_text} interval {self.limits_text(test.low, test.high, gain=True)}"
            difference = f"paired difference on held-out cases {self.gain_text(test.difference)}"
            text = f"{finding} the baseline ({difference}, {limits})"
        wrong = _mostly_wrong(self._tables.of_classes)
        return f"{lead}: {text}" + (f", {but} {wrong}" if wrong else "")

    @property
    def axis_end(self) -> float:
        """A round number that leaves the interval and the estimate half of an axis from 0; for error rates at most 1.

        Whether :attr:`majority_error` fits is left to chance, so that a small rate is not drawn in a corner.
        """
        shown = [self.estimate] if self.interval is None else [self.estimate, self.interval.high]
        most = 2 * max([v for v in shown if np.isfinite(v)], default=0.0)
        if not most > 0:
            most = self.majority_error
        end = round_above(most) if most > 0 else 1.0
        return min(1.0, end) if self.percent else end

    def _values(self) -> dict[str, Any]:
        return {
            **super()._values(),
            "majority_error": self.majority_error,
            "constant": self.constant,
            "against_baseline": None if (test := self.against_baseline) is None else test._asdict(),
            "classes": self.classes,
            "confusion": self.confusion,
        }

    def _facts(self) -> list[tuple[str, str]]:
        # what is printed needs no pandas, which takes longer to import than most estimates take
        classes = [
            (f"class {name}", f"{percent(error)} wrong of {cases} held-out cases ({within(low, high)})")
            for name, cases, error, low, high in self._tables.of_classes
        ]
        return super()._facts() + (classes if len(classes) <= _CLASSES_SHOWN else [])

    def _headline(self) -> tuple[str, str]:
        return f"How wrong is {self.classifier}?", self._lead(self.value_text(self.estimate))

    def _sections(self, origin: Origin) -> str:
        return class_by_class(self) + hardest_cases(self, origin) + what_to_report(self)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScoreEstimate(_Estimate):
    """The estimated score of the classifier trained on a sample.

    Parameters
    ----------
    estimate : float
        In the unit of the score.
    interval : ConfidenceInterval or None
    standard_error : float or None
    class_counts : mapping of str to int
    baseline : float or None
        The baseline: the score of the class shares or of one class, or the ideal value; None where there is none.
    baseline_name : str
    fits : tuple of Fits
    coverage : MeasuredCoverage or None
        How often the default interval of AUC, macro AUC, average precision or Brier score held the truth in the
        project's simulations, or what limits of a sensitivity or specificity hold of one test set; None for other
        scores and intervals, and with groups.

    Examples
    --------
    >>> from errorest.assessment import estimate
    >>> X, y = [[0.0], [0.2], [0.9], [1.1], [0.1], [1.0]], ["a", "a", "b", "b", "a", "b"]
    >>> e = estimate("naive-bayes", X, y, scoring="brier", method="loo", rng=1)
    >>> e.estimate < e.baseline, e.baseline_name
    (True, 'the class shares always')
    """

    baseline: float | None
    baseline_name: str
    _picture = "draw_score"

    @cached_property
    def reliability(self) -> pd.DataFrame:
        """Groups of cases of like probability of the positive class; empty without probabilities.

        Columns: cases, mean probability, share that is of the class with Wilson's limits, and between which values the
        share falls if every probability is true.
        """
        result = self._tables.reliability
        names = ["cases", "said", "happened", "low", "high", "noise_low", "noise_high"]
        return _frame(None if result is None else dict(zip(names, result, strict=True)), names)

    @property
    def of_class(self) -> str:
        """The class whose probability a picture shows."""
        return str(self._tables.labels[self._tables.positive])

    @property
    def verdict(self) -> str:
        """What the estimate means, beside what it is held against."""
        lead = f"{self.quantity} {self.estimate:.3g}"
        if self.baseline is None:
            return lead
        text = f"{lead}; {self.baseline_name}: {self.baseline:.3g}"
        between = self.interval
        if between is None or np.isnan(between.low):
            return text
        if between.low <= self.baseline <= between.high:
            return f"{text}, which the interval contains"
        if between.degenerate:
            return text  # limits without width leave out every other value
        right = self.baseline_name == "what is right"
        better = (self.estimate > self.baseline) == self.greater_is_better
        return f"{text}, which the interval leaves out" + ("" if right else f": {'better' if better else 'worse'}")

    def _values(self) -> dict[str, Any]:
        return {
            **super()._values(),
            "baseline": None if self.baseline is None else {"value": self.baseline, "name": self.baseline_name},
            "reliability": self.reliability,
        }

    def _headline(self) -> tuple[str, str]:
        return f"How good is what {self.classifier} says?", self._lead(f"{self.estimate:.3g}")

    def _sections(self, origin: Origin) -> str:
        table = self.reliability
        if not len(table):
            return ""
        rows = [
            (
                f"{r.cases:,}",
                f"{r.said:.3f}",
                f"{r.happened:.3f}",
                f"{r.low:.3f} to {r.high:.3f}",
                f"{r.noise_low:.3f} to {r.noise_high:.3f}",
            )
            for r in table.itertuples()
        ]
        head = ("cases", f"mean probability of {self.of_class}", "share that is", "its limits", "if all were true")
        return f"<section><h2>Do probabilities mean what they say?</h2>{table_of(head, rows)}</section>"


def _frame(values: Any, columns: list[str] | None = None) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(values, columns=columns)


def _frames(parts: list[dict[str, Any]], columns: list[str] | None = None) -> pd.DataFrame:
    import pandas as pd

    return pd.concat(map(pd.DataFrame, parts), ignore_index=True) if parts else pd.DataFrame(columns=columns)


def result_of(problem: Problem, measure: Scoring, ran: RunOutcomes, **fields: Any) -> ErrorEstimate | ScoreEstimate:
    """Return the result of a metric, with its baseline and tables; those of an error have the baseline's losses."""
    y, classes, baseline = problem.sample.y, problem.sample.classes, measure.baseline(problem)
    level, positive = fields["confidence"], measure.bound.positive
    of = Tables(ran, y, problem.labels, problem.cases, problem.groups, level, positive)
    counts = dict(zip(classes, problem.class_counts.tolist(), strict=True))
    fields |= {"n": problem.n, "n_groups": problem.n_groups, "class_counts": counts, **measure.fields}
    if measure.score is not None:
        return ScoreEstimate(**fields, _tables=of, baseline=baseline.value, baseline_name=baseline.name)
    assert isinstance(measure.metric, CaseMetric)
    assert baseline.value is not None
    always = measure.metric.losses(y, np.full_like(y, classes.index(baseline.constant))).astype(np.float64)
    fields |= {"zero_one": measure.metric.zero_one, "majority_error": baseline.value, "constant": baseline.constant}
    return ErrorEstimate(**fields, _tables=replace(of, baseline=always, scale=float(np.ptp(measure.bounds()))))


def coverage_dict(known: MeasuredCoverage | None) -> dict[str, Any] | None:
    """Return plain types for JSON."""
    if known is None:
        return None
    of_cells = {"measured": known.inside, "mean": known.coverage, "worst": known.worst}
    return {"sentence": known.sentence, **of_cells, "sizes": list(known.sizes)}


# So many classes have a line each
_CLASSES_SHOWN = 6


def round_above(value: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is not below a value."""
    power = floor(log10(value))
    # powers of ten are not exact below one
    steps = (float(f"{digit}e{p}") for p in (power, power + 1) for digit in (1, 2, 5))
    return next(s for s in steps if s >= value)


# A class of which more than this share is got wrong is spoken of
_MOSTLY = 0.5

# Of so many such classes at most
_SPOKEN = 3


def _mostly_wrong(classes: Sequence[OfClass]) -> str:
    """Name the classes that are got wrong more often than right."""
    wrong = sorted((one for one in classes if one.error > _MOSTLY), key=lambda one: -one.error)
    if len(wrong) > _SPOKEN:
        return f"more than half of the cases of {spelt(len(wrong))} classes are wrong"
    parts = []
    for name, cases, error, *_ in wrong:
        if error < 1 - 1e-9:
            parts.append(f"{percent(error)} of the {spelt(cases)} cases of '{name}' are wrong")
        elif cases == 1:
            parts.append(f"the one case of '{name}' is wrong")
        else:
            parts.append(f"{'both' if cases == 2 else f'all {spelt(cases)}'} cases of '{name}' are wrong")
    return " and ".join(parts)
