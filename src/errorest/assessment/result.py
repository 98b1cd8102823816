"""What a person gets: an error rate with its interval, its cost, its losses and what to beware of.

All rates are proportions (or in the unit of the loss that was given).  The tables are made when they
are first asked for, so that an estimate costs nothing beyond its numbers.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.report import Told
from errorest.assessment.tables import Tables
from errorest.assessment.values import told_counts
from errorest.estimation.intervals import MonteCarloError

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
    monte_carlo: MonteCarloError | None = None

    @property
    def width(self) -> float:
        """Distance of the limits."""
        return self.high - self.low

    @property
    def moves(self) -> bool:
        """Whether another seed would move it by more than a tenth of its width."""
        return self.monte_carlo is not None and not self.degenerate and self.monte_carlo.too_large(self.width)

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
    _tables: Tables = field(repr=False, kw_only=True)

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
                "monte_carlo": None
                if (error := between.monte_carlo) is None
                else {
                    "estimate": _plain(error.estimate),
                    "standard_error": _plain(error.se),
                    "limit": _plain(error.limit),
                },
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
        if between is not None and (error := between.monte_carlo) is not None and np.isfinite(error.limit):
            told = f"{error.estimate:.4f} of the estimate, {error.se:.4f} of its standard error"
            out.append(("Monte Carlo", f"{told}, {error.limit:.4f} of a limit"))
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

    def drawn(self) -> Drawn:
        """Draw the estimate with its interval above, and the cases by their mean loss below."""
        from errorest import plots

        with plots.style():
            return _draw_estimate(self)

    def _headline(self) -> tuple[str, str]:
        between = self.interval
        scale, unit = (100.0, " %") if self.zero_one else (1.0, "")
        lead = f"Error rate {100 * self.estimate:.1f} %" if self.zero_one else f"Mean loss {self.estimate:.4g}"
        if between is not None and np.isfinite(between.low):
            limits = f"{scale * between.low:.3g} to {scale * between.high:.3g}{unit}"
            lead += f", {100 * between.confidence:g} % interval {limits}"
        return "Error rate of a classifier", lead

    def _appendix(self) -> str:
        hard = self.cases.dropna(subset=["loss"]).sort_values("loss", ascending=False, kind="stable").head(10)
        rows = "".join(
            f"<tr><td>{html.escape(str(c))}</td><td>{html.escape(str(k))}</td><td>{t}</td><td>{loss:.2f}</td></tr>"
            for c, k, t, loss in hard.itertuples(index=False)
        )
        return (
            "<h2>Hardest cases</h2><table><tr><th>case</th><th>class</th><th>times tested</th><th>mean loss</th></tr>"
            f"{rows}</table>"
        )


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


def _draw_estimate(result: ErrorEstimate) -> Drawn:
    from errorest import plots

    figure, axes = plots.new_figure(2, 1, 4.6, height_ratios=[1, 2.2])
    top, below = axes[:, 0]
    scale = 100.0 if result.zero_one else 1.0
    unit = "Error rate (%)" if result.zero_one else "Mean loss"
    between = result.interval
    if between is not None and np.isfinite([between.low, between.high]).all():
        top.plot([scale * between.low, scale * between.high], [0, 0], color=plots.BLUE, linewidth=3)
        top.plot([scale * between.low, scale * between.high], [0, 0], "|", color=plots.BLUE, markersize=14)
    top.plot([scale * result.estimate], [0], "o", color=plots.BLUE, markersize=9)
    bar = scale * result.majority_error
    end = scale * result.axis_end
    fits = bar <= end
    text = "one class always"
    if fits:
        top.axvline(bar, color=plots.GREY, linestyle="--", linewidth=1.2)
    else:
        text += f": {bar:.1f} % →" if result.zero_one else f": {bar:.3g} →"
    # the text stands on the side that has room
    left = fits and bar < end / 2
    top.annotate(
        text,
        (min(bar, end), 1),
        xycoords=("data", "axes fraction"),
        xytext=(4 if left else -4, -2),
        textcoords="offset points",
        ha="left" if left else "right",
        va="top",
        color=plots.ink(plots.GREY),
        fontsize=plots.FONT_SIZE - 1,
    )
    top.set(yticks=[], ylim=(-1, 1.6), xlabel=unit)
    top.set_xlim(0, end)
    plots.panel_title(top, "A", f"{result.estimator}")
    told = _draw_cases(below, result)
    plots.panel_title(below, "B", "Cases by how often they are got wrong" if result.zero_one else "Cases by mean loss")
    if told:
        plots.legend_below(figure, *below.get_legend_handles_labels())
    shown = "no interval" if between is None else f"interval {between}"
    place = "a dashed line at" if fits else "an arrow beyond the axis to"
    alt = (
        f"Above, the estimate {result.estimate:.4f} with {shown}, and {place} {result.majority_error:.4f}, the error "
        "of always answering with one class. Below, the cases of each class sorted by their mean loss when tested "
        "unseen."
    )
    caption = (
        f"A: the estimate and its {'' if between is None else f'{100 * between.confidence:g} % '}interval. B: cases on "
        "the right are hard: most classifiers that did not see them get them wrong."
    )
    return plots.Drawn(figure, alt, caption)


def _draw_cases(axes: Any, result: ErrorEstimate) -> bool:
    """Draw the sorted mean losses of each class; return whether lines need a legend."""
    from errorest import plots

    table = result.cases.dropna(subset=["loss"])
    classes = list(dict.fromkeys(table["class"])) if result.class_counts else []
    groups = [("all cases", table)]
    if 1 < len(classes) <= len(plots.COLOURS):
        groups = [(f"class {name}", table[table["class"] == name]) for name in sorted(classes)]
    for (name, rows), colour in zip(groups, plots.COLOURS, strict=False):
        losses = np.sort(rows["loss"].to_numpy())
        share = 100 * (np.arange(losses.size) + 0.5) / max(losses.size, 1)
        style = "o-" if losses.size <= 100 else "-"
        axes.plot(share, losses, style, color=colour, markersize=3.5, linewidth=1.2, label=f"{name} ({losses.size})")
    axes.set(xlabel="Cases, easiest first (% of their class)", ylabel="Share wrong" if result.zero_one else "Mean loss")
    axes.set_xlim(0, 100)
    return True
