"""What a person gets of a score: the estimate with its interval, what was said of each case, and a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.caution import kinds_of
from errorest.assessment.report import Origin, Told, table_of
from errorest.assessment.result import ConfidenceInterval, Fits
from errorest.assessment.scores.tables import Answers
from errorest.assessment.values import told_counts
from errorest.data.columns import Understood
from errorest.estimation.metrics.metric import Metric

if TYPE_CHECKING:
    import pandas as pd

    from errorest.plots import Drawn

__all__ = ["ScoreEstimate"]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreEstimate(Told):
    """The estimated score of the classifier made of a sample.

    Parameters
    ----------
    estimate : float
        In the unit of the score.
    interval : ConfidenceInterval or None
    standard_error : float or None
    score : Metric
    positive : str
        The class that the score speaks of; empty where it speaks of all.
    estimator, classifier : str
        Ids, with settings.
    n : int
        Cases.
    class_counts : mapping of str to int
    bar : float or None
        What the score is held against: what is had without a classifier, or what is right.
    bar_name : str
    fits : tuple of Fits
    seconds : float
    warnings : tuple of str
    seed : int or None
    confidence : float

    Examples
    --------
    >>> from errorest.assessment import estimate_score
    >>> X, y = [[0.0], [0.2], [0.9], [1.1], [0.1], [1.0]], ["a", "a", "b", "b", "a", "b"]
    >>> e = estimate_score("naive-bayes", X, y, score="brier", estimator="loo", rng=1)
    >>> e.estimate < e.bar, e.bar_name
    (True, 'the class shares always')
    """

    estimate: float
    interval: ConfidenceInterval | None
    standard_error: float | None
    score: Metric
    positive: str
    estimator: str
    classifier: str
    n: int
    class_counts: Mapping[str, int]
    bar: float | None
    bar_name: str
    fits: tuple[Fits, ...]
    seconds: float
    warnings: tuple[str, ...] = ()
    seed: int | None = None
    confidence: float = 0.95
    _answers: Answers = field(repr=False, kw_only=True)
    _source: Understood | None = field(default=None, repr=False, kw_only=True)

    @property
    def n_fits(self) -> int:
        """Classifiers made for the estimate."""
        return sum(f.rows for f in self.fits)

    @cached_property
    def cases(self) -> pd.DataFrame:
        """Each case: its class, how often it was tested unseen, and the mean of what was said of it then."""
        return self._answers.cases()

    @cached_property
    def reliability(self) -> pd.DataFrame:
        """Groups of cases of like probability of the positive class; empty without probabilities.

        Columns: cases, mean probability, share that is of the class with Wilson's limits, and between which values the
        share falls if every probability is true.
        """
        import pandas as pd

        found = self._answers.reliability(self.confidence)
        names = ["cases", "said", "happened", "low", "high", "noise_low", "noise_high"]
        if found is None:
            return pd.DataFrame(columns=names)
        return pd.DataFrame(dict(zip(names, found, strict=True)))

    @property
    def of_class(self) -> str:
        """The class whose probability a picture shows."""
        return str(self._answers.labels[self._answers.positive])

    @property
    def verdict(self) -> str:
        """What the estimate means, beside what it is held against."""
        lead = f"{self.score.title} {self.estimate:.3g}"
        if self.bar is None:
            return lead
        text = f"{lead}; {self.bar_name}: {self.bar:.3g}"
        between = self.interval
        if between is None or np.isnan(between.low):
            return text
        if between.low <= self.bar <= between.high:
            return f"{text}, which the interval contains"
        right = self.bar_name == "what is right"
        better = (self.estimate > self.bar) == self.score.greater_is_better
        return f"{text}, which the interval leaves out" + ("" if right else f": {'better' if better else 'worse'}")

    def to_dict(self) -> dict[str, Any]:
        """Return plain types for JSON; numbers that are undefined are None."""
        between = self.interval
        return {
            "score": self.score.id,
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
                "note": between.note,
            },
            "positive": self.positive,
            "bar": None if self.bar is None else {"value": self.bar, "name": self.bar_name},
            "verdict": self.verdict,
            "estimator": self.estimator,
            "classifier": self.classifier,
            "n": self.n,
            "class_counts": dict(self.class_counts),
            "reliability": [{k: _plain(v) for k, v in row.items()} for row in self.reliability.to_dict("records")],
            "fits": [{"scheme": f.scheme, "rows": f.rows, "training_cases": f.cases} for f in self.fits],
            "seconds": self.seconds,
            "seed": self.seed,
            "warnings": list(self.warnings),
            "caution_ids": kinds_of(self.warnings),
        }

    def lines(self) -> list[tuple[str, str]]:
        """Tell the result as pairs of a heading and a text."""
        of = f" of {self.positive}" if self.positive else ""
        out = [(self.score.title, f"{self.estimate:.4g}{of} ({self.score.id})")]
        between = self.interval
        if between is not None:
            out.append((f"{100 * between.confidence:g} % interval", f"{between} ({between.method})"))
        out.append(("verdict", self.verdict))
        if between is not None:
            out.append(("aims at", between.aim))
        if self.standard_error is not None:
            out.append(("standard error", f"{self.standard_error:.4g}"))
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
        """Draw the estimate with its interval, and below it the reliability of probabilities with its noise."""
        from errorest import plots
        from errorest.assessment.scores.pictures import draw_score

        with plots.style():
            return draw_score(self)

    def _headline(self) -> tuple[str, str]:
        between = self.interval
        lead = f"{self.score.title[0].upper()}{self.score.title[1:]} {self.estimate:.3g}"
        if between is not None and np.isfinite(between.low):
            lead += f", {100 * between.confidence:g} % interval {between}"
        return f"How good is what {self.classifier} says?", lead

    def _said(self) -> list[str]:
        aim = [] if self.interval is None else [f"The interval aims at {self.interval.aim}."]
        return [f"{self.verdict[0].upper()}{self.verdict[1:]}.", *aim]

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


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
