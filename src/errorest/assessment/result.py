"""What every result has in common: settings, the unit of its values, and one renderer for all outputs."""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from errorest.assessment.caution import kinds_of, with_id
from errorest.assessment.costs import KINDS
from errorest.assessment.formatting import duration, percent, points, within
from errorest.assessment.old_page import Origin, page_of
from errorest.data.columns import ReadReport
from errorest.estimation.intervals import MonteCarloError
from errorest.estimation.metrics.metric import Metric
from errorest.files import write_output

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from errorest.plots import DescribedFigure


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
        Whether the limits are proportions, and printed in percent.

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
    def share(self) -> str:
        """The confidence level in percent."""
        return f"{100 * self.confidence:g} %"

    def to_dict(self) -> dict[str, Any]:
        """Return plain types for JSON."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "percent"}
        if (error := self.monte_carlo) is not None:
            values["monte_carlo"] = {"estimate": error.estimate, "standard_error": error.se, "limit": error.limit}
        return values

    @property
    def width(self) -> float:
        """Distance of the limits."""
        return self.high - self.low

    @property
    def moves(self) -> bool:
        """Whether another seed surely moves it by more than a tenth of its width."""
        return self.monte_carlo is not None and not self.degenerate and self.monte_carlo.too_large(self.width)

    def __str__(self) -> str:
        if isnan(self.low):
            return "undefined"
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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Result(ABC):
    """A result with its settings and warnings; shown as text, JSON, a data frame, a plot or a page.

    Matplotlib is loaded when a picture is first asked for.

    Parameters
    ----------
    classifier, estimator : str
        Ids, with settings; empty where the result has several classifiers, or none was run.
    settings : str
        Every setting of a classifier of this library, defaults too.
    n : int
        Cases.
    n_groups : int or None
        Groups of cases that stayed together; None where none were given.
    n_fits : int
        Classifiers that were fitted.
    seconds : float
        Wall-clock time.
    warnings : tuple of str
    seed : int or None
        Where no generator was given: ``rng=seed`` repeats the call.
    confidence : float
        Of the limits, a proportion.
    loss : {"0/1", "balanced", "costs", "own"}
    costs : str
        The costs in words, where some were given.
    score : Metric or None
        What was measured in place of a loss.
    pos_label : str
        The class that the score is about; empty where it is about all.

    Examples
    --------
    >>> from errorest import estimate
    >>> found = estimate("knn(k=1)", [[0.1], [0.2], [0.9], [1.1]], ["a", "a", "b", "b"], method="loo", rng=1)
    >>> found.estimator, found.n, len(found.to_frame())
    ('loo', 4, 1)
    """

    classifier: str = ""
    settings: str = ""
    estimator: str = ""
    n: int
    n_groups: int | None = None
    n_fits: int = 0
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    seed: int | None = None
    confidence: float = 0.95
    loss: str = "0/1"
    costs: str = ""
    score: Metric | None = None
    pos_label: str = ""
    _source: ReadReport | None = field(default=None, repr=False)
    _picture: ClassVar[str]

    @property
    def percent(self) -> bool:
        """Whether values are proportions, shown in percent."""
        return self.score is None and self.loss in ("0/1", "balanced")

    @property
    def greater_is_better(self) -> bool:
        """Whether more is better."""
        return self.score is not None and self.score.greater_is_better

    @property
    def quantity(self) -> str:
        """What the values are: error rate, mean cost, or the title of the score."""
        return KINDS[self.loss] if self.score is None else self.score.title

    @property
    def heading(self) -> str:
        """The quantity with a capital letter."""
        return f"{self.quantity[0].upper()}{self.quantity[1:]}"

    @property
    def level_text(self) -> str:
        """The confidence level in percent."""
        return f"{100 * self.confidence:g} %"

    @property
    def best_words(self) -> str:
        """'errs least', or 'has the highest' score."""
        if self.score is None:
            return "errs least"
        return f"has the {'highest' if self.greater_is_better else 'lowest'} {self.score.title}"

    def value_text(self, value: float) -> str:
        """Write a value in its unit."""
        return percent(value) if self.percent else f"{value:.4g}"

    def gain_text(self, value: float, *, signed: bool = True) -> str:
        """Write a difference of values."""
        if self.percent:
            return points(value, signed=signed)
        return f"{value:{'+' if signed else ''}.4g}"

    def limits_text(self, low: float, high: float, *, gain: bool = False) -> str:
        """Write limits of a value, or of a difference."""
        if not self.percent:
            return within(low, high, 1.0, "", signed=gain)
        return within(low, high, unit=" points" if gain else " %", signed=gain)

    @property
    @abstractmethod
    def verdict(self) -> str:
        """What the result means, in a sentence without its full stop."""

    @abstractmethod
    def _values(self) -> dict[str, Any]:
        """Return what :meth:`to_dict` has beside verdict and settings."""

    @abstractmethod
    def _facts(self) -> list[tuple[str, str]]:
        """Return the lines before the settings."""

    @abstractmethod
    def _headline(self) -> tuple[str, str]:
        """Return a page's title and its first sentence."""

    def _sentences(self) -> list[str]:
        """Return the sentences that follow it."""
        return []

    def _sections(self, origin: Origin) -> str:
        """Return what else stands on the page, as HTML."""
        return ""

    def _cases(self) -> str:
        return str(self.n) if self.n_groups is None else f"{self.n} in {self.n_groups} groups"

    def to_dict(self) -> dict[str, Any]:
        """Return plain types for JSON; numbers that are undefined are None.

        Returns
        -------
        dict
        """
        named = {name: value for name in ("classifier", "settings", "estimator") if (value := getattr(self, name))}
        settings = {
            "verdict": self.verdict,
            **named,
            "loss": self.loss if self.score is None else None,
            "costs": self.costs,
            "score": None if self.score is None else self.score.id,
            "greater_is_better": self.greater_is_better,
            "pos_label": self.pos_label,
            "n": self.n,
            **({} if self.n_groups is None else {"n_groups": self.n_groups}),
            "fits": self.n_fits,
            "seconds": self.seconds,
            "seed": self.seed,
            "warnings": self.warnings,
            "caution_ids": kinds_of(self.warnings),
        }
        result: dict[str, Any] = plain({**settings, **self._values()})
        return result

    @cached_property
    def table(self) -> pd.DataFrame:
        """The values of :meth:`to_dict` in one row, without lists; names of nested values are joined by underscores."""
        import pandas as pd

        frame = pd.json_normalize(self.to_dict(), sep="_")
        return frame.loc[:, [not isinstance(value, list) for value in frame.iloc[0]]]

    def to_frame(self) -> pd.DataFrame:
        """Return a copy of :attr:`table`: a row for the estimate, or for each candidate or point of a curve.

        Returns
        -------
        DataFrame
        """
        return self.table.copy()

    def methods_text(self) -> str:
        """Return a paragraph for a methods section, and the references to cite as BibTeX.

        It says what was estimated, by which resampling and how many classifiers, by which interval, and with which
        version and seed.

        Returns
        -------
        str
            The paragraph, and after a blank line each entry.

        Examples
        --------
        >>> from errorest import estimate
        >>> result = estimate("majority", [[0.1], [0.2], [0.9], [1.1]], ["a", "a", "b", "b"], method="loo", rng=1)
        >>> print(result.methods_text().split(". ")[0][:82])
        The error rate of majority, made of 4 cases (2 a, 2 b), was estimated by leave-one
        """
        from errorest.assessment.methods_text import methods_text

        return methods_text(self)

    def lines(self) -> list[tuple[str, str]]:
        """Return the result as pairs of a heading and a text."""
        of = f" of {self.pos_label}" if self.pos_label else ""
        settings = [
            ("costs", self.costs),
            ("score", "" if self.score is None else f"{self.score.id}{of}"),
            ("classifier", self.classifier),
            ("settings", self.settings),
            ("estimator", self.estimator),
            ("cases", self._cases()),
            ("fits", f"{self.n_fits} in {duration(self.seconds)}" if self.n_fits else ""),
            ("seed", "" if self.seed is None else str(self.seed)),
        ]
        return [*self._facts(), *((head, text) for head, text in settings if text)]

    def drawn(self) -> DescribedFigure:
        """Draw the result, with a caption and a text for readers who do not see it."""
        from errorest import plots
        from errorest.assessment import pictures

        with plots.style():
            made: DescribedFigure = getattr(pictures, self._picture)(self)
        return made

    def plot(self) -> Figure:
        """Draw the result."""
        return self.drawn().figure

    def to_html(self, path: Any, command: str = "") -> None:
        """Write a page with the figure in it; nothing half-written is left."""
        write_output(path, page_of(self, Origin(self._source, command)))

    def __repr__(self) -> str:
        lines = self.lines()
        width = max(len(head) for head, _ in lines)
        body = "\n".join(f"  {head:<{width}}  {text}" for head, text in lines)
        return f"{type(self).__name__}\n{body}" + "".join(f"\n  ! {with_id(w)}" for w in self.warnings)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left">{html.escape(head)}</th>'
            f'<td style="text-align:left">{html.escape(text)}</td></tr>'
            for head, text in self.lines()
        )
        notes = "".join(f"<li>{html.escape(with_id(w))}</li>" for w in self.warnings)
        return f"<table>{rows}</table>" + (f"<p>Beware:</p><ul>{notes}</ul>" if notes else "")


def plain(value: Any) -> Any:
    """Turn a value into plain types for JSON; numbers that are not finite become None."""
    if hasattr(value, "to_dict") and not hasattr(value, "columns"):
        return plain(value.to_dict())
    if hasattr(value, "columns"):
        return plain(value.rename(columns=str).to_dict("records"))
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)
