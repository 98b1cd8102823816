"""What a choice among candidates found: the winner, its corrected error, its rivals, and how often each would win."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.formatting import percent, spelt
from errorest.assessment.measure import Baseline
from errorest.assessment.old_page import Origin, table_of
from errorest.assessment.result import ConfidenceInterval, Result

if TYPE_CHECKING:
    import pandas as pd

# More candidates than this are counted, not named
_NAMED = 4


@dataclass(frozen=True)
class CandidateResult:
    """A candidate compared with the best one.

    Parameters
    ----------
    name : str
    position : int
        In the list of candidates, from 0.
    error : float
        Over the shared resamples, not corrected; a proportion, or in the unit of the loss; or the score, where one was
        asked for.
    difference : float
        Its error, or score, minus that of the best, averaged over the splits.
    low, high : float
        Paired interval of the difference, corrected for all pairs of candidates, within the scale of the metric; NaN
        for the best itself, and for scores that rank where a class has fewer than four cases.
    wins : float
        Share of bootstrap resamples of the cross-validated losses in which it is the best.
    rank : float
        Its mean rank in them, from 1.
    greater_is_better : bool
        Whether more is better.

    Examples
    --------
    >>> CandidateResult("c4.5", 0, 0.2, 0.1, 0.02, 0.18, 0.01, 2.5).worse
    True
    """

    name: str
    position: int
    error: float
    difference: float
    low: float
    high: float
    wins: float
    rank: float
    greater_is_better: bool = False

    @property
    def worse(self) -> bool:
        """Whether the interval says that it is worse than the best."""
        return self.high < 0 if self.greater_is_better else self.low > 0


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Choice(Result):
    """Which of several candidates errs least, and how much it will err; or which has the best score.

    Parameters
    ----------
    best : str
        The candidate with the least error, or the best score; the first of equally good ones.
    error : float
        Of the best over the shared resamples: too low, since it was chosen for being low.  Where a score was asked
        for, this and all other errors are values of the score.
    corrected_error : float
        Of choosing so and of what is chosen, by bootstrap bias-corrected cross-validation.
    interval : ConfidenceInterval
        Of the corrected error.
    candidates : tuple of CandidateResult
        All candidates, the best first.
    nested_error : float or None
        By nested cross-validation, where it was requested.
    nested_interval : ConfidenceInterval or None
    baseline : Baseline
        What is had without a classifier: the class that would err least as the only answer, with its error.
    paired : str
        How the candidates were compared with the best.

    Examples
    --------
    >>> from errorest.assessment import choose
    >>> X, y = np.arange(12.0)[:, None], [0] * 6 + [1] * 6
    >>> found = choose(["majority", "linear-discriminant"], X, y, method="cv(k=4)", rng=3)
    >>> found.best, [r.name for r in found.candidates]
    ('linear-discriminant(priors=sample)', ['linear-discriminant(priors=sample)', 'majority'])
    """

    best: str
    error: float
    corrected_error: float
    interval: ConfidenceInterval
    candidates: tuple[CandidateResult, ...]
    nested_error: float | None = None
    nested_interval: ConfidenceInterval | None = None
    baseline: Baseline
    paired: str = ""
    _ranks: np.ndarray = field(repr=False)
    _picture = "draw_choice"

    @property
    def level(self) -> tuple[str, ...]:
        """Names of the candidates that the data do not distinguish from the best, the best among them."""
        return tuple(r.name for r in self.candidates if not r.worse)

    @cached_property
    def table(self) -> pd.DataFrame:
        """All candidates, the best first: error or score, difference from the best with its limits, wins, mean rank."""
        import pandas as pd

        return pd.DataFrame(self._rows()).rename(columns={"name": "candidate"})

    def _rows(self) -> list[dict[str, Any]]:
        """List what is known of the candidates; their errors are values where these are of a score."""
        rows = [{self._value if k == "error" else k: v for k, v in vars(r).items()} for r in self.candidates]
        return [{k: v for k, v in row.items() if k != "greater_is_better"} for row in rows]

    @property
    def _value(self) -> str:
        return "error" if self.score is None else "value"

    @cached_property
    def ranks(self) -> pd.DataFrame:
        """Share of bootstrap resamples in which a candidate (row) has a rank (column, from 1)."""
        import pandas as pd

        columns = pd.RangeIndex(1, len(self.candidates) + 1, name="rank")
        return pd.DataFrame(self._ranks, index=[r.name for r in self.candidates], columns=columns)

    def _values(self) -> dict[str, Any]:
        value, nested, of_loss = self._value, self.nested_interval, self.score is None
        return {
            "best": self.best,
            value: self.error,
            f"corrected_{value}": self.corrected_error,
            "interval": self.interval,
            "nested": None if nested is None else {value: self.nested_error, "interval": nested},
            "candidates": self._rows(),
            "paired": self.paired,
            "level": self.level,
            "constant": {"class": self.baseline.constant, "error": self.baseline.value} if of_loss else None,
            "baseline": {"value": self.baseline.value, "name": self.baseline.name},
        }

    @property
    def verdict(self) -> str:
        """Which to take, as far as the data show."""
        level, number = self.level, len(self.candidates)
        if len(level) == 1:
            others = "the other" if number == 2 else f"all {spelt(number - 1)} others"
            text = f"{self.best} {self.best_words}; the data distinguish it from {others}"
        elif len(level) == number:
            text = f"the data do not distinguish the {spelt(number)} candidates; take the simplest"
        else:
            named = f" ({'; '.join(level)})" if len(level) <= _NAMED else ""
            text = f"the data do not distinguish {spelt(len(level))} of the {spelt(number)}{named}; take the simplest"
        if self.reaches_baseline and self.baseline.value is not None:
            of_score, constant = self.score is not None, self.baseline.constant
            always = f"{self.baseline.name} has" if of_score else f"always answering '{constant}' is wrong"
            value = self.value_text(self.baseline.value)
            text += f", if any: {always} {value}, without evidence that any choice is better"
        return text

    @property
    def reaches_baseline(self) -> bool:
        """Whether the interval holds what is had without a classifier, or worse."""
        baseline = self.baseline.value
        if baseline is None:
            return False
        return self.interval.low <= baseline if self.greater_is_better else self.interval.high >= baseline

    def _facts(self) -> list[tuple[str, str]]:
        share, of_score, facts = self.interval.share, self.score is not None, [("verdict", self.verdict)]
        facts.append(("best", f"{self.best}: {self.value_text(self.error)}, optimistic since it was chosen for it"))
        facts.append(("corrected", f"{self.value_text(self.corrected_error)} {self.quantity} of this choice"))
        facts.append((f"{share} interval", f"{self.interval} ({self.interval.method})"))
        if (nested := self.nested_interval) is not None and self.nested_error is not None:
            facts.append(("nested", f"{self.value_text(self.nested_error)}, {share} {nested} ({nested.method})"))
        if self.baseline.value is not None:
            baseline = f"{self.baseline.name}: {self.value_text(self.baseline.value)}"
            facts.append(("held against" if of_score else "one class", baseline))
        for i, r in enumerate(self.candidates, 1):
            text = f"{r.name}: {self.value_text(r.error)}, best in {percent(r.wins)} of bootstrap resamples"
            if i > 1:
                distinct = "worse than the best" if r.worse else "not distinguished from the best"
                text += f"; {self.gain_text(r.difference)} ({self._limits(r)}), {distinct}"
            facts.append((f"{i}.", text))
        return [*facts, *([("rivals", self.paired)] if of_score else []), ("aims at", self.interval.aim)]

    def _limits(self, rival: CandidateResult) -> str:
        return "no limits" if np.isnan(rival.low) else self.limits_text(rival.low, rival.high, gain=True)

    def _headline(self) -> tuple[str, str]:
        what = f"Which of {spelt(len(self.candidates))} classifiers {self.best_words}?"
        return what, f"{self.verdict[0].upper()}{self.verdict[1:]}."

    def _sentences(self) -> list[str]:
        corrected = f"{self.value_text(self.corrected_error)} ({self.interval.share} interval {self.interval})"
        own = f"the {self.value_text(self.error)} of {self.best} is optimistic, since it was chosen for it"
        return [f"The {self.quantity} of this choice, corrected, is {corrected}; {own}."]

    def _sections(self, origin: Origin) -> str:
        error = "error" if self.score is None else self.quantity
        rows = []
        for r in self.candidates:
            behind = ("", "") if r.name == self.best else (self.gain_text(r.difference), self._limits(r))
            rows.append((r.name, self.value_text(r.error), *behind, percent(r.wins), f"{r.rank:.1f}"))
        head = ("candidate", error, "minus the best", "corrected limits", "wins", "mean rank")
        return f"<section><h2>All candidates</h2>{table_of(head, rows)}</section>"
