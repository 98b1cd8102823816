"""A measured value with its Monte Carlo error, and the conditions that a claim puts on it.

Operators make differences, ratios and conditions::

    e = t.at(n=24).bias("loo")        # Estimate: value, standard error, samples, label, unit
    e > 0.5, e < 0                    # above, below
    abs(e) <= 0.5, abs(e) > 0.5       # within, beyond
    e.within(0.9, 1.1), e.equals(0)   # in a range, exactly

Several cells that a claim speaks of together are one condition: :func:`every`, :func:`most` or :func:`some`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import hypot, inf, isfinite, isinf
from typing import Any, Literal

from scipy import stats

# A value lies clearly on one side of a limit from so many standard errors on
CLEARLY = 1.96

# What follows for a claim
Outcome = Literal["holds", "fails", "holds in part", "not decided"]

# What sums of equal numbers leave of a spread, as a share
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Estimate:
    """A value, its standard error, the samples behind it, and how a sentence writes it.

    ``digits`` are decimals, or significant digits of an exact value where negative; ``sign`` is ``+`` to write the
    sign of a positive value.
    """

    value: float
    se: float
    n: int
    label: str = ""
    unit: str = ""
    digits: int = 2
    sign: str = "+"

    def named(
        self, label: str | None = None, unit: str | None = None, digits: int | None = None, sign: str | None = None
    ) -> Estimate:
        """Return the same under another label, in a named unit, with other digits."""
        given = {"label": label, "unit": unit, "digits": digits, "sign": sign}
        changed: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return replace(self, **changed)

    def __mul__(self, factor: float) -> Estimate:
        return replace(self, value=self.value * factor, se=self.se * factor)

    def __sub__(self, other: Estimate | float) -> Estimate:
        """Return the difference from a number, or from an estimate with an independent error."""
        if not isinstance(other, Estimate):
            return replace(self, value=self.value - other)
        label = f"{self.label} minus {other.label}" if self.label and other.label else self.label
        return replace(self, value=self.value - other.value, se=hypot(self.se, other.se), label=label)

    def __truediv__(self, other: Estimate) -> Estimate:
        """Return the ratio to an estimate with an independent error, its error by the delta method."""
        ratio = self.value / other.value
        se = hypot(self.se / other.value, ratio * other.se / other.value)
        return replace(self, value=ratio, se=se, label=f"{self.label} over {other.label}", unit="")

    def __abs__(self) -> Magnitude:
        return Magnitude(self)

    def __gt__(self, limit: float | Estimate) -> Condition:
        return self - limit > 0 if isinstance(limit, Estimate) else Condition(self, low=limit)

    def __lt__(self, limit: float | Estimate) -> Condition:
        return self - limit < 0 if isinstance(limit, Estimate) else Condition(self, high=limit)

    def within(self, low: float, high: float) -> Condition:
        """Ask for a value between two limits, or on one."""
        return Condition(self, low, high)

    def equals(self, value: float) -> Condition:
        """Ask for exactly this value."""
        return Condition(self, value, value)

    @property
    def words(self) -> str:
        """The label, the value with its standard error, and the unit."""
        if not isfinite(self.value):
            return f"{self.label} no value"
        value = signed(self.value, self.digits) if self.digits >= 0 else f"{self.value:+.{-self.digits}g}"
        value = value.replace("-", "−") if self.sign else value.replace("-", "−").removeprefix("+")
        text = plus_minus(self, self.sign, self.digits) if isfinite(self.se) and self.se else value
        return " ".join(word for word in (self.label, text, self.unit) if word).replace(" %", " %")


@dataclass(frozen=True)
class Magnitude:
    """The size of an estimate, for conditions on it: ``abs(e) <= 0.5``, ``abs(a) > abs(b)``."""

    estimate: Estimate

    @property
    def signed(self) -> Estimate:
        """The estimate with its value made positive."""
        return self.estimate if self.estimate.value >= 0 else self.estimate * -1.0

    def __le__(self, limit: float) -> Condition:
        return Condition(self.estimate, -limit, limit)

    def __gt__(self, limit: float | Magnitude) -> Condition:
        if isinstance(limit, Magnitude):
            return self.signed - limit.signed > 0
        return Condition(self.estimate, -limit, limit, outside=True)

    def __lt__(self, limit: Magnitude) -> Condition:
        return self.signed - limit.signed < 0


@dataclass(frozen=True)
class Condition:
    """Where an estimate must lie: between ``low`` and ``high`` (on a limit only if both are finite), or outside.

    It *holds* if the value and 1.96 standard errors to both sides lie where they must, *fails* if they all lie where
    they must not, and is *not decided* in between.
    """

    estimate: Estimate
    low: float = -inf
    high: float = inf
    outside: bool = False

    def __bool__(self) -> bool:
        raise TypeError("a condition is not true or false: ask for its outcome")

    @property
    def outcome(self) -> Outcome:
        """What follows for this condition alone."""
        return self.outcome_at(CLEARLY)

    def outcome_at(self, errors: float) -> Outcome:
        """Judge with so many standard errors to both sides."""
        value, se = self.estimate.value, self.estimate.se
        if not (isfinite(value) and isfinite(se)):
            return "not decided"
        left, right = value - errors * se, value + errors * se
        if isinf(self.low) or isinf(self.high):
            inside, away = left > self.low and right < self.high, right <= self.low or left >= self.high
        else:
            inside, away = left >= self.low and right <= self.high, right < self.low or left > self.high
        if self.outside:
            inside, away = away, inside
        return "holds" if inside else "fails" if away else "not decided"

    @property
    def criterion(self) -> str:
        """Where the value must lie, in words."""
        if isinf(self.low) or isinf(self.high):
            limit, word = (self.high, "below") if isinf(self.low) else (self.low, "above")
            return f"{word} {_number(limit)}"
        if self.low == self.high:
            return f"{'not ' if self.outside else ''}{_number(self.low)}"
        if self.low == -self.high:
            return f"{'more' if self.outside else 'no more'} than {_number(self.high)} from 0"
        return f"{'not ' if self.outside else ''}from {_number(self.low)} to {_number(self.high)}"

    @property
    def words(self) -> str:
        """The estimate in words."""
        return self.estimate.words

    @property
    def estimates(self) -> list[Estimate]:
        """The estimate, as a list."""
        return [self.estimate]


@dataclass(frozen=True)
class Conditions:
    """Cells that a claim speaks of together: ``every`` one must be as claimed, ``most`` (more than half) or ``some``.

    The more cells, the more of them lie off by chance.  Where one cell decides (``every`` and ``some``) each is judged
    with as many standard errors as keep the false alarms of all together at 5 % (Bonferroni).
    """

    label: str
    cells: Sequence[Condition]
    quantifier: str = "every"

    @property
    def needed(self) -> int:
        """How many must be as claimed."""
        return {"every": len(self.cells), "most": len(self.cells) // 2 + 1, "some": 1}[self.quantifier]

    def _outcomes(self) -> list[Outcome]:
        family = 1 if self.quantifier == "most" else max(len(self.cells), 1)
        errors = max(CLEARLY, float(stats.norm.isf(0.025 / family)))
        return [cell.outcome_at(errors) for cell in self.cells]

    @property
    def outcome(self) -> Outcome:
        """What follows for all together; nothing from none."""
        result = self._outcomes()
        if not result:
            return "not decided"
        if result.count("holds") >= self.needed:
            return "holds"
        return "fails" if len(result) - result.count("fails") < self.needed else "not decided"

    @property
    def criterion(self) -> str:
        """Where they must lie, and how many of them, in words."""
        how = {"every": "each", "most": "more than half of them", "some": "at least one"}[self.quantifier]
        return f"{how} {' or '.join(dict.fromkeys(cell.criterion for cell in self.cells))}"

    @property
    def words(self) -> str:
        """How many are as claimed, and the smallest and the largest."""
        results = [e for e in self.estimates if isfinite(e.value)]
        if not results:
            return f"{self.label}: none"
        outcomes = self._outcomes()
        text = f"{self.label}: {outcomes.count('holds')} of {len(outcomes)}"
        if unsure := outcomes.count("not decided"):
            text += f" ({unsure} not decided)"
        ends = [pick(results, key=lambda e: e.value) for pick in (min, max)]
        low, high = (f"{end.named('').words}{f' ({end.label})' if end.label else ''}" for end in ends)
        return f"{text}, {f'at {low}' if low == high else f'from {low} to {high}'}"

    @property
    def estimates(self) -> list[Estimate]:
        """The estimates of all cells."""
        return [cell.estimate for cell in self.cells]


# Ask that all cells, more than half of them, or at least one is as claimed
every = partial(Conditions, quantifier="every")
most = partial(Conditions, quantifier="most")
some = partial(Conditions, quantifier="some")


def exact(value: float, label: str = "", unit: str = "", digits: int = 0, sign: str = "") -> Estimate:
    """Return a number that was counted or calculated: it has no Monte Carlo error."""
    return Estimate(float(value), 0.0, 1, label, unit, digits, sign)


def plus_minus(e: Estimate, sign: str = "+", digits: int = 1) -> str:
    """Write a value with its standard error; an error that rounds to 0 keeps its first digit, 100 % is a range."""
    value = f"{e.value:{sign}.{digits}f}".replace("-", "−")
    if e.se <= _ROUNDING * max(1.0, abs(e.value)):
        return value
    if e.unit == "%" and e.value == 100 and not sign:
        # a share of all cannot be exceeded: its error goes one way
        return f"{e.value - e.se:.{digits}f} to {value}"
    error = f"{e.se:.{digits}f}"
    return f"{value} ± {error if not isfinite(e.se) or float(error) else f'{e.se:.1g}'}"


def signed(value: float, digits: int = 1) -> str:
    """Write a number with its sign."""
    return f"{value:+.{digits}f}".replace("-", "−")


def _number(value: float) -> str:
    return f"{value + 0.0:.6g}".replace("-", "−")
