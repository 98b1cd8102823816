"""What a permutation test found, told in words and drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.caution import kinds_of
from errorest.assessment.costs import KINDS
from errorest.assessment.report import Told
from errorest.assessment.wording import percent
from errorest.data.columns import Understood
from errorest.estimation.metrics.metric import Metric

if TYPE_CHECKING:
    from errorest.plots import Drawn

__all__ = ["ChanceTest"]


@dataclass(frozen=True, eq=False, repr=False)
class ChanceTest(Told):
    """Whether a classifier does better than it would if labels had nothing to do with attributes.

    Parameters
    ----------
    p_value : float
        Of all arrangements of the labels where ``exact``; else (1 + b) / (1 + m), b of m drawn ones being as good.
        Those without an estimate are not counted.
    low, high : float
        Clopper & Pearson's limits of the share that all arrangements would give; both the p-value where it is exact.
    exact : bool
        Whether every arrangement was looked at.
    estimate : float
        The error of the labels as they are, a proportion or in the unit of the loss; or the score.
    permutations : int
        Arrangements looked at that have an estimate: of all of them, or of those drawn.
    as_good : int
        Of these, those whose estimate is at least as good: no larger, or of a score of which more is better no smaller
        (with the one at hand, where all were looked at).
    permuted : str
        What changed places.
    classifier, estimator : str
    n, n_fits : int
    seconds : float
    confidence : float
        Of the limits; one less it is the level that the verdict speaks at.
    warnings : tuple of str
    seed : int or None
    loss : {"0/1", "balanced", "costs", "own"}
    costs : str
        The costs in words, where some were given.
    score : Metric or None
        What was tested in the place of a loss.
    positive : str
        The class that the score speaks of; empty where it speaks of all, and of losses.
    bar : float or None
        What is had without a classifier, in the unit of the estimate; None where the score has no such value.
    bar_name : str
        How.
    constant : str
        The class that would cost least as the only answer; empty of scores.
    undefined : int
        Arrangements that were left out, since the estimate is undefined under them.

    Examples
    --------
    >>> from errorest.assessment import better_than_chance
    >>> X, y = np.arange(8.0)[:, None], [0] * 4 + [1] * 4
    >>> found = better_than_chance("knn", X, y, estimator="loo", rng=0)
    >>> found.exact, found.permutations, round(found.p_value, 4)
    (True, 70, 0.0286)
    """

    p_value: float
    low: float
    high: float
    exact: bool
    estimate: float
    permutations: int
    as_good: int
    permuted: str
    classifier: str
    estimator: str
    n: int
    n_fits: int
    seconds: float
    confidence: float = 0.95
    warnings: tuple[str, ...] = ()
    seed: int | None = None
    loss: str = "0/1"
    costs: str = ""
    score: Metric | None = None
    positive: str = ""
    bar: float | None = None
    bar_name: str = ""
    constant: str = ""
    undefined: int = 0
    _chance: np.ndarray = field(repr=False, kw_only=True)
    _source: Understood | None = field(default=None, repr=False, kw_only=True)

    @property
    def chance(self) -> np.ndarray:
        """The estimates under the arrangements that have one; float array, shape (permutations,)."""
        return self._chance.copy()

    @property
    def percent(self) -> bool:
        """Whether errors are proportions, told in percent."""
        return self.score is None and self.loss in ("0/1", "balanced")

    @property
    def quantity(self) -> str:
        """What was estimated: error rate, mean cost, or the title of the score."""
        return KINDS[self.loss] if self.score is None else self.score.title

    @property
    def rising(self) -> bool:
        """Whether more is better."""
        return self.score is not None and self.score.greater_is_better

    @property
    def level(self) -> float:
        """The level that the verdict speaks at: one less the confidence."""
        return round(1 - self.confidence, 12)

    def told(self, value: float) -> str:
        """Write an estimate in the unit of the loss or the score."""
        return percent(value) if self.percent else f"{value:.4g}"

    def told_p(self) -> str:
        """Write the p-value, with its limits where it was drawn."""
        told = f"p = {self.p_value:.3g}"
        share = f"{100 * self.confidence:g} %"
        return f"{told}, exact" if self.exact else f"{told} ({share} limits {self.low:.2g} to {self.high:.2g})"

    def told_undefined(self) -> str:
        """Count the arrangements that were left out."""
        return (
            f"{self.undefined:,} of {self.undefined + self.permutations:,} arrangements, which have no {self.quantity}"
        )

    @property
    def verdict(self) -> str:
        """Whether it is better than chance, as far as the permutations tell."""
        p = self.told_p()
        at = f"at the level {self.level:g}"
        # the drawn p-value itself is a valid one; its limits say whether more draws could turn the verdict
        if self.p_value <= self.level:
            text = f"better than chance {at}: {p}"
            return text if self.high <= self.level or self.exact else f"{text}; ask for more permutations to be sure"
        text = f"not proved better than chance {at}: {p}"
        return text if self.low > self.level or self.exact else f"{text}; more permutations may turn this"

    def to_dict(self) -> dict[str, Any]:
        """Return plain types for JSON."""
        return {
            "p_value": self.p_value,
            "limits": {"low": self.low, "high": self.high, "confidence": self.confidence},
            "exact": self.exact,
            "estimate": self.estimate,
            "permutations": self.permutations,
            "undefined": self.undefined,
            "as_good": self.as_good,
            "permuted": self.permuted,
            "chance": {
                "mean": float(self._chance.mean()),
                "least": float(self._chance.min()),
                "most": float(self._chance.max()),
            },
            "verdict": self.verdict,
            "classifier": self.classifier,
            "estimator": self.estimator,
            "constant": {"class": self.constant, "error": self.bar} if self.score is None else None,
            "loss": self.loss if self.score is None else None,
            "costs": self.costs,
            "score": None if self.score is None else self.score.id,
            "rising": self.rising,
            "positive": self.positive,
            "bar": None if self.bar is None else {"value": self.bar, "name": self.bar_name},
            "n": self.n,
            "fits": self.n_fits,
            "seconds": self.seconds,
            "seed": self.seed,
            "warnings": list(self.warnings),
            "caution_ids": kinds_of(self.warnings),
        }

    def lines(self) -> list[tuple[str, str]]:
        """Tell the result as pairs of a heading and a text."""
        of = "all" if self.exact else "drawn"
        named = "" if self.score is None else f"{f' of {self.positive}' if self.positive else ''} ({self.score.id})"
        head = "one class" if self.score is None else "held against"
        low, high = np.quantile(self._chance, [0.025, 0.975])
        return [
            ("verdict", self.verdict),
            (self.quantity, self.told(self.estimate) + named),
            ("by chance", f"{self.told(float(self._chance.mean()))}; 95 % in {self.told(low)} to {self.told(high)}"),
            ("p-value", self.told_p()),
            ("as good", f"{self.as_good:,} of {self.permutations:,} arrangements, {of}"),
            *([("left out", self.told_undefined())] if self.undefined else []),
            ("permuted", self.permuted),
            *([(head, f"{self.bar_name}: {self.told(self.bar)}")] if self.bar is not None else []),
            *([("costs", self.costs)] if self.costs else []),
            ("classifier", self.classifier),
            ("estimator", self.estimator),
            ("cases", str(self.n)),
            ("fits", f"{self.n_fits} in {self.seconds:.2g} s"),
            *([("seed", str(self.seed))] if self.seed is not None else []),
        ]

    def drawn(self) -> Drawn:
        """Draw the estimates under permuted labels, and the one at hand."""
        from errorest import plots
        from errorest.assessment.chance.pictures import draw_chance

        with plots.style():
            return draw_chance(self)

    def _headline(self) -> tuple[str, str]:
        return f"Is {self.classifier} better than chance?", f"{self.verdict[0].upper()}{self.verdict[1:]}."

    def _said(self) -> list[str]:
        own, mean = self.told(self.estimate), self.told(float(self._chance.mean()))
        lead = f"it errs {own}" if self.score is None else f"its {self.score.title} is {own}"
        left_out = f" Left out are {self.told_undefined()}." if self.undefined else ""
        text = (
            f"On the labels as they are {lead}; with {self.permuted} permuted, {mean} on the average. A small p-value "
            f"says that labels and attributes have to do with one another, not that the classifier is good.{left_out}"
        )
        return [text]
