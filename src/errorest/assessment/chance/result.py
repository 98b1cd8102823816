"""What a permutation test found, told in words and drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from errorest.assessment.result import Result


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ChanceTest(Result):
    """Whether a classifier does better than it would if labels had nothing to do with attributes.

    Parameters
    ----------
    p_value : float
        Of all arrangements of the labels where ``exact``; else (1 + b) / (1 + m), b of m drawn ones being as good.
        Those without an estimate are not counted.
    low, high : float
        Clopper & Pearson's limits of the share that all arrangements would give; both the p-value where it is exact.
    exact : bool
        Whether every arrangement was used.
    estimate : float
        The error of the labels as they are, a proportion or in the unit of the loss; or the score.
    permutations : int
        Arrangements that have an estimate: of all of them, or of those drawn.
    as_good : int
        Of these, those whose estimate is at least as good: no larger, or of a score of which more is better no smaller
        (with the observed one, where all were used).
    permuted : str
        What changed places.
    baseline : float or None
        What is had without a classifier, in the unit of the estimate; None where the score has no such value.
    baseline_name : str
        How.
    constant : str
        The class that would cost least as the only answer; empty of scores.
    undefined : int
        Arrangements that were left out, since the estimate is undefined under them.

    Examples
    --------
    >>> from errorest.assessment import permutation_test
    >>> X, y = np.arange(8.0)[:, None], [0] * 4 + [1] * 4
    >>> found = permutation_test("knn", X, y, method="loo", rng=0)
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
    baseline: float | None = None
    baseline_name: str = ""
    constant: str = ""
    undefined: int = 0
    _chance: np.ndarray = field(repr=False)
    _picture = "draw_chance"

    @property
    def chance(self) -> np.ndarray:
        """The estimates under the arrangements that have one; float array, shape (permutations,)."""
        return self._chance.copy()

    @property
    def level(self) -> float:
        """The level that the verdict speaks at: one less the confidence."""
        return round(1 - self.confidence, 12)

    def p_text(self) -> str:
        """Write the p-value, with its limits where it was drawn."""
        limits = f" ({100 * self.confidence:g} % limits {self.low:.2g} to {self.high:.2g})"
        return f"p = {self.p_value:.3g}{', exact' if self.exact else limits}"

    def undefined_text(self) -> str:
        """Count the arrangements that were left out."""
        every = self.undefined + self.permutations
        return f"{self.undefined:,} of {every:,} arrangements, which have no {self.quantity}"

    @property
    def verdict(self) -> str:
        """Whether it is better than chance, as far as the permutations tell."""
        text = f"better than chance at the level {self.level:g}: {self.p_text()}"
        # the drawn p-value itself is a valid one; its limits say whether more draws could turn the verdict
        sure = self.exact or not self.low <= self.level < self.high
        if self.p_value <= self.level:
            return text if sure else f"{text}; ask for more permutations to be sure"
        return f"not proved {text}" + ("" if sure else "; more permutations may turn this")

    def _values(self) -> dict[str, Any]:
        return {
            "p_value": self.p_value,
            "limits": {"low": self.low, "high": self.high, "confidence": self.confidence},
            "exact": self.exact,
            "estimate": self.estimate,
            "permutations": self.permutations,
            "undefined": self.undefined,
            "as_good": self.as_good,
            "permuted": self.permuted,
            "chance": {"mean": self._chance.mean(), "least": self._chance.min(), "most": self._chance.max()},
            "constant": {"class": self.constant, "error": self.baseline} if self.score is None else None,
            "baseline": None if self.baseline is None else {"value": self.baseline, "name": self.baseline_name},
        }

    def _facts(self) -> list[tuple[str, str]]:
        quantiles = np.quantile(self._chance, [0.025, 0.975])
        mean, low, high = map(self.value_text, (float(self._chance.mean()), *quantiles))
        facts = [
            ("verdict", self.verdict),
            (self.quantity, self.value_text(self.estimate)),
            ("by chance", f"{mean}; 95 % in {low} to {high}"),
            ("p-value", self.p_text()),
            ("as good", f"{self.as_good:,} of {self.permutations:,} arrangements, {'all' if self.exact else 'drawn'}"),
        ]
        if self.undefined:
            facts.append(("left out", self.undefined_text()))
        facts.append(("permuted", self.permuted))
        if self.baseline is not None:
            head = "one class" if self.score is None else "held against"
            facts.append((head, f"{self.baseline_name}: {self.value_text(self.baseline)}"))
        return facts

    def _headline(self) -> tuple[str, str]:
        return f"Is {self.classifier} better than chance?", f"{self.verdict[0].upper()}{self.verdict[1:]}."

    def _sentences(self) -> list[str]:
        own, mean = self.value_text(self.estimate), self.value_text(float(self._chance.mean()))
        lead = f"it errs {own}" if self.score is None else f"its {self.score.title} is {own}"
        left_out = f" Left out are {self.undefined_text()}." if self.undefined else ""
        text = (
            f"On the labels as they are {lead}; with {self.permuted} permuted, {mean} on the average. A small p-value "
            f"says that labels and attributes have to do with one another, not that the classifier is good.{left_out}"
        )
        return [text]
