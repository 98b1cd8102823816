"""What a person gets: an error rate with its interval, its cost, its losses and what to beware of.

All rates are proportions (or in the unit of the loss that was given).  The tables are made when they
are first asked for, so that an estimate costs nothing beyond its numbers.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.runs import training_sizes
from errorest.assessment.values import told_counts
from errorest.estimation.run import Outcome, Scheme

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

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

    Examples
    --------
    >>> str(ConfidenceInterval(0.1, 0.3, "cv-wald(k=10)", "classifier", "the error", 0.95))
    '0.100 to 0.300'
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

    @property
    def width(self) -> float:
        """Distance of the limits."""
        return self.high - self.low

    def __str__(self) -> str:
        return f"{self.low:.3f} to {self.high:.3f}"


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


@dataclass(frozen=True, eq=False)
class ErrorEstimate:
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
        Whether the loss is 0/1, so that the estimate is a proportion.

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
    _evidence: _Evidence = field(repr=False, kw_only=True)

    @property
    def n_fits(self) -> int:
        """Classifiers made in all."""
        return sum(f.rows for f in self.fits)

    @cached_property
    def losses(self) -> pd.DataFrame:
        """Every tested case of every resample: scheme, replicate, fold, row, case, class, predicted, loss."""
        return self._evidence.losses()

    @cached_property
    def cases(self) -> pd.DataFrame:
        """Each case: its class, how often it was tested unseen, and its mean loss then (NaN if never)."""
        return self._evidence.cases()

    @cached_property
    def replicates(self) -> pd.DataFrame:
        """Each resample: scheme, replicate, fold, row, cases trained on (repeats counted), cases tested, mean loss."""
        return self._evidence.replicates()

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
        return min(1.0, end) if self.zero_one else end

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
            },
            "estimator": self.estimator,
            "classifier": self.classifier,
            "loss": "0/1" if self.zero_one else "own",
            "n": self.n,
            "class_counts": dict(self.class_counts),
            "majority_error": self.majority_error,
            "fits": [{"scheme": f.scheme, "rows": f.rows, "training_cases": f.cases} for f in self.fits],
            "seconds": self.seconds,
            "seed": self.seed,
            "warnings": list(self.warnings),
        }

    def plot(self) -> Figure:
        """Draw the estimate with its interval, and every case by its mean loss.

        Returns
        -------
        matplotlib Figure
        """
        figure: Figure = _report().draw_estimate(self).figure
        return figure

    def to_html(self, path: Any) -> None:
        """Write a page of its own with the figure in it; nothing half-written is left.

        Parameters
        ----------
        path : path-like

        Raises
        ------
        UsageError
            If the file cannot be written.
        """
        report = _report()
        report.write_page(path, report.estimate_page(self))

    def lines(self) -> list[tuple[str, str]]:
        """Tell the result as pairs of a heading and a text."""
        what = "error rate" if self.zero_one else "mean loss"
        out = [(what, f"{self.estimate:.4f}" + (f" ({100 * self.estimate:.1f} %)" if self.zero_one else ""))]
        between = self.interval
        if between is not None:
            out.append((f"{100 * between.confidence:g} % interval", f"{between} ({between.method})"))
            if between.beside is not None:
                out.append(("Wilson's", f"{between.beside[0]:.3f} to {between.beside[1]:.3f}"))
            out.append(("aims at", between.aim))
        if self.standard_error is not None:
            out.append(("standard error", f"{self.standard_error:.4f}"))
        out += [
            ("one class always", f"{self.majority_error:.4f}"),
            ("classifier", self.classifier),
            ("estimator", self.estimator),
            ("cases", f"{self.n} ({told_counts(self.class_counts)})"),
            ("fits", f"{self.n_fits} in {self.seconds:.2g} s"),
        ]
        if self.seed is not None:
            out.append(("seed", str(self.seed)))
        return out

    def __repr__(self) -> str:
        lines = self.lines()
        width = max(len(head) for head, _ in lines)
        body = "\n".join(f"  {head:<{width}}  {text}" for head, text in lines)
        notes = "".join(f"\n  ! {w}" for w in self.warnings)
        return f"ErrorEstimate\n{body}{notes}"

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left">{html.escape(head)}</th>'
            f'<td style="text-align:left">{html.escape(text)}</td></tr>'
            for head, text in self.lines()
        )
        notes = "".join(f"<li>{html.escape(w)}</li>" for w in self.warnings)
        return f"<table>{rows}</table>" + (f"<p>Beware:</p><ul>{notes}</ul>" if notes else "")


def _report() -> Any:
    # by name, when it is first asked for: what draws imports what it draws
    return import_module("errorest.assessment.report")


def round_above(value: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is not below a value.

    Parameters
    ----------
    value : float
        Positive.

    Examples
    --------
    >>> round_above(0.11), round_above(0.05), round_above(7.0)
    (0.2, 0.05, 10.0)
    """
    power = floor(log10(value))
    # powers of ten are not exact below one
    steps = (float(f"{digit}e{p}") for p in (power, power + 1) for digit in (1, 2, 5))
    return next(s for s in steps if s >= value)


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


@dataclass(frozen=True, eq=False)
class _Evidence:
    """What the tables are made of.

    ``own`` are the schemes of the estimator; the others serve its interval alone.
    """

    outcomes: Mapping[Scheme, Outcome]
    y: np.ndarray
    labels: np.ndarray
    names: Any
    table: np.ndarray

    def _loss(self, outcome: Outcome) -> np.ndarray:
        return self.table[self.y[outcome.resamples.cases], outcome.labels]

    def _resampled(self) -> dict[Scheme, Outcome]:
        """Leave out clones, which list no cases."""
        return {s: o for s, o in self.outcomes.items() if not s.cloned}

    def losses(self) -> pd.DataFrame:
        import pandas as pd

        parts = []
        names = np.asarray(self.names)
        for scheme, outcome in self._resampled().items():
            r = outcome.resamples
            row = r.row_of_test()
            parts.append(
                pd.DataFrame(
                    {
                        "scheme": scheme.id,
                        "replicate": r.replicate[row],
                        "fold": r.fold[row],
                        "row": row,
                        "case": names[r.cases],
                        "class": self.labels[self.y[r.cases]],
                        "predicted": self.labels[outcome.labels],
                        "loss": self._loss(outcome),
                    }
                )
            )
        columns = ["scheme", "replicate", "fold", "row", "case", "class", "predicted", "loss"]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)

    def cases(self) -> pd.DataFrame:
        import pandas as pd

        n = self.y.shape[0]
        tested, total = np.zeros(n), np.zeros(n)
        for outcome in self._resampled().values():
            r, loss = outcome.resamples, self._loss(outcome)
            for first, last in r.blocks():
                part = slice(r.start[first], r.start[last])
                row = np.repeat(np.arange(last - first), np.diff(r.start[first : last + 1]))
                unseen = r.training_counts(first, last)[row, r.cases[part]] == 0
                tested += np.bincount(r.cases[part][unseen], minlength=n)
                total += np.bincount(r.cases[part][unseen], loss[part][unseen], n)
        mean = np.divide(total, tested, out=np.full(n, np.nan), where=tested > 0)
        return pd.DataFrame(
            {
                "case": np.asarray(self.names),
                "class": self.labels[self.y],
                "tested": tested.astype(np.int64),
                "loss": mean,
            }
        )

    def replicates(self) -> pd.DataFrame:
        import pandas as pd

        parts = []
        for scheme, outcome in self.outcomes.items():
            r = outcome.resamples
            if scheme.cloned:
                sums, fold, trained = outcome.errors.astype(float), np.zeros(r.n_rows, dtype=int), self.y.shape[0]
            else:
                sums = np.bincount(r.row_of_test(), self._loss(outcome), r.n_rows)
                fold, trained = r.fold, training_sizes(r)
            mean = np.divide(sums, outcome.tested, out=np.full(r.n_rows, np.nan), where=outcome.tested > 0)
            parts.append(
                pd.DataFrame(
                    {
                        "scheme": scheme.id,
                        "replicate": r.replicate,
                        "fold": fold,
                        "row": np.arange(r.n_rows),
                        "trained": trained,
                        "tested": outcome.tested,
                        "loss": mean,
                    }
                )
            )
        return pd.concat(parts, ignore_index=True)
