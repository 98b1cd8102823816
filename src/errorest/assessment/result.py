"""What a person gets: an error rate with its interval, its cost, its losses and what to beware of.

All rates are proportions (or in the unit of the loss that was given).  The tables are made when they
are first asked for, so that an estimate costs nothing beyond its numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import floor, log10
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from errorest.assessment.caution import kinds_of
from errorest.assessment.costs import KINDS
from errorest.assessment.report import Origin, Told
from errorest.assessment.tables import OfClass, Tables
from errorest.assessment.values import told_counts
from errorest.assessment.verdict import verdict_of
from errorest.assessment.wording import percent, points, within
from errorest.data.columns import Understood
from errorest.estimation.intervals import MonteCarloError
from errorest.estimation.intervals.promise import MeasuredCoverage

if TYPE_CHECKING:
    import pandas as pd

    from errorest.plots import Drawn

__all__ = ["ConfidenceInterval", "ErrorEstimate", "Fits", "round_above"]


@dataclass(frozen=True)
class ConfidenceInterval:
    """An interval for an error rate, ready to be shown.

    Parameters
    ----------
    low, high : float
        Limits; error rates are cut at 0 and 1.  NaN where the method is undefined on these data.
    method : str
        Id, with settings.
    target : {"classifier", "procedure"}
        The error of this classifier, or the mean error of the procedure over samples.
    aim : str
        The target in words.
    confidence : float
        A proportion.
    degenerate : bool
        The interval has no width, and says nothing.
    beside : (float, float), optional
        Wilson's limits, where the interval is degenerate.
    note : str
        What a reader has to know, or nothing.
    monte_carlo : MonteCarloError, optional
        How far estimate, standard error and limits would move with another seed, where the method says.
    percent : bool
        Whether the limits are proportions, and told in percent.

    Examples
    --------
    >>> str(ConfidenceInterval(0.1, 0.3, "cv-wald(k=10)", "classifier", "the error", 0.95))
    '10.0 to 30.0 %'
    """

    low: float
    high: float
    method: str
    target: str
    aim: str
    confidence: float
    degenerate: bool = False
    beside: tuple[float, float] | None = None
    note: str = ""
    monte_carlo: MonteCarloError | None = None
    percent: bool = True

    @property
    def width(self) -> float:
        """Distance of the limits."""
        return self.high - self.low

    @property
    def moves(self) -> bool:
        """Whether another seed would move it by more than a tenth of its width."""
        return self.monte_carlo is not None and not self.degenerate and self.monte_carlo.too_large(self.width)

    def __str__(self) -> str:
        return within(self.low, self.high) if self.percent else within(self.low, self.high, 1.0, "")


@dataclass(frozen=True)
class Fits:
    """How often a classifier was made, and of what.

    Parameters
    ----------
    scheme : str
        Id of the scheme.
    rows : int
        Training sets.
    cases : float
        Mean number of cases of a training set, repeats counted.

    Examples
    --------
    >>> Fits("leave_one_out()", 36, 35.0).rows
    36
    """

    scheme: str
    rows: int
    cases: float


@dataclass(frozen=True, eq=False, repr=False)
class ErrorEstimate(Told):
    """The estimated error rate of the classifier made of a sample.

    Parameters
    ----------
    estimate : float
        A proportion, or in the unit of the loss.
    interval : ConfidenceInterval or None
        None where no interval belongs to the estimator, or none was asked for.
    standard_error : float or None
        As the interval's method estimates it; None where it has none.
    estimator, classifier : str
        Ids, with settings.
    n : int
        Cases.
    class_counts : mapping of str to int
        Cases of each class.
    majority_error : float
        What always answering with the best constant class would cost on these cases; the bar to beat.
    fits : tuple of Fits
        What was fitted how often.
    seconds : float
        Wall-clock time.
    warnings : tuple of str
        What to beware of, in plain words.
    seed : int or None
        Where no generator was given: what repeats this estimate, as ``rng=seed``.
    zero_one : bool
        Whether the loss is 0/1.
    loss : {"0/1", "balanced", "costs", "own"}
    costs : str
        The costs in words, where some were given.
    constant : str
        The class that would cost least as the only answer.
    confidence : float
        Of the limits by class, a proportion.
    coverage : MeasuredCoverage or None
        How often such an interval held the truth in the project's simulations; None without an interval, with groups,
        and with another loss than 0/1, of which the simulations say nothing.

    Examples
    --------
    >>> from errorest.assessment import estimate_error
    >>> X, y = [[0.0], [0.2], [0.9], [1.1], [0.1], [1.0]], ["a", "a", "b", "b", "a", "b"]
    >>> e = estimate_error("knn", X, y, estimator="loo", rng=1)
    >>> e.estimate, e.fits[0].rows, list(e.cases.columns)
    (0.0, 6, ['case', 'class', 'tested', 'loss'])
    """

    estimate: float
    interval: ConfidenceInterval | None
    standard_error: float | None
    estimator: str
    classifier: str
    n: int
    class_counts: Mapping[str, int]
    majority_error: float
    fits: tuple[Fits, ...]
    seconds: float
    warnings: tuple[str, ...] = ()
    seed: int | None = None
    zero_one: bool = True
    loss: Literal["0/1", "balanced", "costs", "own"] = "0/1"
    costs: str = ""
    constant: str = ""
    confidence: float = 0.95
    coverage: MeasuredCoverage | None = None
    _tables: Tables = field(repr=False, kw_only=True)
    _source: Understood | None = field(default=None, repr=False, kw_only=True)

    @property
    def n_fits(self) -> int:
        """Classifiers made in all."""
        return sum(f.rows for f in self.fits)

    @cached_property
    def losses(self) -> pd.DataFrame:
        """Every tested case of every resample: scheme, replicate, fold, row, case, class, predicted, loss."""
        return self._tables.losses()

    @cached_property
    def cases(self) -> pd.DataFrame:
        """Each case: its class, how often it was tested unseen, and its mean loss then (NaN if never)."""
        return self._tables.cases()

    @cached_property
    def replicates(self) -> pd.DataFrame:
        """Each resample: scheme, replicate, fold, row, cases trained on (repeats counted), cases tested, mean loss."""
        return self._tables.replicates()

    @cached_property
    def classes(self) -> pd.DataFrame:
        """Each class: cases tested unseen, share of them that is got wrong, and its limits (proportions).

        A case counts by the share of those of its tests that are wrong.  The limits are Wilson's, with cases (or
        groups) taken for independent tests of one classifier.
        """
        import pandas as pd

        return pd.DataFrame(list(self._of_classes), columns=["class", "cases", "error", "low", "high"])

    @cached_property
    def _of_classes(self) -> tuple[OfClass, ...]:
        # what is printed needs no pandas, which takes longer to import than most estimates take
        return self._tables.of_classes(self.confidence)

    @cached_property
    def confusion(self) -> pd.DataFrame:
        """Each pair of a class and an answer: cases of the class, share that is answered so, and its limits."""
        return self._tables.confusion(self.confidence)

    @cached_property
    def answered(self) -> pd.DataFrame:
        """Each case: the wrong class that it was most often taken for when tested unseen; empty text if never."""
        return self._tables.answered()

    @property
    def groups_kept(self) -> bool:
        """Whether groups stayed together, and are what limits count."""
        return self._tables.groups is not None

    @property
    def percent(self) -> bool:
        """Whether the estimate is a proportion, and told in percent."""
        return self.zero_one or self.loss == "balanced"

    @cached_property
    def verdict(self) -> str:
        """What the estimate means, beside the best constant answer and class by class."""
        return verdict_of(self, self._of_classes)

    @property
    def measured(self) -> str:
        """How often such intervals held the truth in simulations, in sentences; nothing without an interval."""
        if self.interval is None:
            return ""
        if self.coverage is None:
            what = "groups" if self.groups_kept else "this loss"
            return f"How often such an interval holds the truth with {what} was not measured in our simulations."
        return self.coverage.sentence

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

    def to_dict(self) -> dict[str, Any]:
        """Return plain types for JSON; numbers that are undefined are None.

        Returns
        -------
        dict
            Without the tables.
        """
        between = self.interval
        return {
            "estimate": _plain(self.estimate),
            "standard_error": None if self.standard_error is None else _plain(self.standard_error),
            "interval": None
            if between is None
            else {
                "low": _plain(between.low),
                "high": _plain(between.high),
                "method": between.method,
                "target": between.target,
                "aim": between.aim,
                "confidence": between.confidence,
                "degenerate": between.degenerate,
                "beside": None if between.beside is None else [_plain(v) for v in between.beside],
                "note": between.note,
                "monte_carlo": None
                if (error := between.monte_carlo) is None
                else {
                    "estimate": _plain(error.estimate),
                    "standard_error": _plain(error.se),
                    "limit": _plain(error.limit),
                },
            },
            "coverage": None
            if self.coverage is None
            else {
                "sentence": self.coverage.sentence,
                "measured": self.coverage.inside,
                "mean": _plain(self.coverage.coverage),
                "worst": _plain(self.coverage.worst),
                "sizes": list(self.coverage.sizes),
            },
            "estimator": self.estimator,
            "classifier": self.classifier,
            "loss": self.loss,
            "costs": self.costs,
            "n": self.n,
            "class_counts": dict(self.class_counts),
            "majority_error": self.majority_error,
            "constant": self.constant,
            "verdict": self.verdict,
            "classes": _records(self.classes),
            "confusion": _records(self.confusion),
            "fits": [{"scheme": f.scheme, "rows": f.rows, "training_cases": f.cases} for f in self.fits],
            "seconds": self.seconds,
            "seed": self.seed,
            "warnings": list(self.warnings),
            "caution_ids": kinds_of(self.warnings),
        }

    def told(self, value: float) -> str:
        """Write an estimate: in percent, or as a mean cost."""
        return percent(value) if self.percent else f"{value:.4g}"

    def _spread(self, value: float) -> str:
        return points(value, signed=False) if self.percent else f"{value:.4g}"

    def lines(self) -> list[tuple[str, str]]:
        """Tell the result as pairs of a heading and a text."""
        out = [(KINDS[self.loss], self.told(self.estimate))]
        between = self.interval
        if between is not None:
            out.append((f"{100 * between.confidence:g} % interval", f"{between} ({between.method})"))
            if between.beside is not None:
                out.append(("Wilson's", within(*between.beside)))
        out.append(("verdict", self.verdict))
        if between is not None:
            out.append(("aims at", between.aim))
        if self.measured:
            out.append(("measured", self.measured))
        if self.standard_error is not None:
            out.append(("standard error", self._spread(self.standard_error)))
        if between is not None and (error := between.monte_carlo) is not None and np.isfinite(error.limit):
            told = f"{self._spread(error.estimate)} of the estimate, {self._spread(error.se)} of its standard error"
            out.append(("Monte Carlo", f"{told}, {self._spread(error.limit)} of a limit"))
        if self.costs:
            out.append(("costs", self.costs))
        if len(self._of_classes) <= _CLASSES_TOLD:
            out += [
                (f"class {name}", f"{percent(error)} wrong of {cases} ({within(low, high)})")
                for name, cases, error, low, high in self._of_classes
            ]
        out += [
            ("classifier", self.classifier),
            ("estimator", self.estimator),
            ("cases", f"{self.n} ({told_counts(self.class_counts)})"),
            ("fits", f"{self.n_fits} in {self.seconds:.2g} s"),
        ]
        if self.seed is not None:
            out.append(("seed", str(self.seed)))
        return out

    def drawn(self) -> Drawn:
        """Draw the estimate with its interval above, and the cases by their mean loss below."""
        from errorest import plots
        from errorest.assessment.pictures import draw_estimate

        with plots.style():
            return draw_estimate(self)

    def _headline(self) -> tuple[str, str]:
        between = self.interval
        lead = f"{KINDS[self.loss].capitalize()} {self.told(self.estimate)}"
        if between is not None and np.isfinite(between.low):
            lead += f", {100 * between.confidence:g} % interval {between}"
        return f"How wrong is {self.classifier}?", lead

    def _said(self) -> list[str]:
        # the estimate stands above
        verdict = f"{self.verdict.split('; ', 1)[1]}."
        verdict = verdict[0].upper() + verdict[1:]
        if self.interval is None:
            return [verdict]
        return [verdict, f"The interval aims at {self.interval.aim}.", self.measured]

    def _sections(self, origin: Origin) -> str:
        from errorest.assessment.sections import class_by_class, hardest_cases, what_to_report

        return class_by_class(self) + hardest_cases(self, origin) + what_to_report(self)


_CLASSES_TOLD = 6
"""So many classes are told of line by line."""


def round_above(value: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is not below a value."""
    power = floor(log10(value))
    # powers of ten are not exact below one
    steps = (float(f"{digit}e{p}") for p in (power, power + 1) for digit in (1, 2, 5))
    return next(s for s in steps if s >= value)


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    out = []
    for row in table.itertuples(index=False):
        named = dict(zip(table.columns, row, strict=True))
        out.append(
            {k: _plain(v) if isinstance(v, float) else v if isinstance(v, int) else str(v) for k, v in named.items()}
        )
    return out


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
