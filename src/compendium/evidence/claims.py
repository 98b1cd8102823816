"""A claim of a paper as data: what it says, what was measured, where that must lie, and the words that follow.

How a section writes a claim:

1. Measure.  A :class:`~compendium.evidence.monte_carlo.Measured` has a standard error and a number of replicates;
   what was counted or calculated is :func:`~compendium.evidence.monte_carlo.exact`.
2. Say where each value must lie: :func:`above`, :func:`below`, :func:`near` or :func:`apart` make a :class:`Part`.
   Cells that are claimed together are one part: :func:`every`, :func:`most` (more than half) or :func:`some` of them.
3. ``Claim(text, parts, reading).check()`` is the executed check.  Outcome and evidence, with standard errors, numbers
   of replicates and criteria, follow from the values; nobody writes them::

       Claim(
           "Leave-one-out and 632b are unbiased.",
           [near("LOO", bias["loo"], 0.5, "points"), near("632b", bias["bootstrap-632"], 0.5, "points")],
           "literal",
       ).check()

A part *holds* if the value and 1.96 standard errors to both sides lie where they must, *fails* if they all lie where
they must not, and is *not decided* in between: neither does a wide error confirm that there is no bias, nor a value
that happens to lie on the right side that there is one.  A claim *holds* if all parts hold, holds *in part* (only
claims of several parts do) if some hold and others fail, *fails* if some fail and none holds, and is *not decided* in
all other cases.

A finding or a caption takes its words from values, too: :func:`plus_minus`, :func:`direction`, :func:`portion`,
:func:`significance`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from math import inf, isfinite, isinf

from scipy import stats

from compendium.evidence.monte_carlo import Measured, exact
from compendium.evidence.regenerated import Check, Outcome

__all__ = [
    "Claim",
    "Part",
    "Parts",
    "above",
    "apart",
    "below",
    "clear",
    "counted",
    "direction",
    "equal",
    "every",
    "judged",
    "most",
    "near",
    "plus_minus",
    "portion",
    "signed",
    "significance",
    "some",
]

_CLEARLY = 1.96
"""A value lies clearly on one side of a limit from so many standard errors on."""


@dataclass(frozen=True)
class Part:
    """One part of a claim: a measured value, and where it must lie.

    Parameters
    ----------
    name : str
        What was measured, before its value in a sentence (Markdown).
    measured : value with its error
        A :class:`~compendium.evidence.monte_carlo.Measured`.
    low, high : float
        It must lie between these, in the value's unit; on the limit only if both are finite.
    outside : bool
        It must not lie between these.
    unit : str
        After the value.
    digits : int
        Decimals of the value and its error; negative for so many significant digits of an exact value.
    sign : str
        ``+`` writes the sign of a positive value, the empty text does not.

    Examples
    --------
    >>> part = Part("the bias", Measured(1.2, 0.5, 100), low=0.0, unit="points")
    >>> part.outcome, part.words
    ('holds', 'the bias +1.20 ± 0.50 points')
    >>> Part("the bias", Measured(0.2, 0.5, 100), low=0.0).outcome
    'not decided'
    """

    name: str
    measured: Measured
    low: float = -inf
    high: float = inf
    outside: bool = False
    unit: str = ""
    digits: int = 2
    sign: str = "+"

    @property
    def outcome(self) -> Outcome:
        """What follows for this part."""
        return self.outcome_at(_CLEARLY)

    def outcome_at(self, errors: float) -> Outcome:
        """Judge with so many standard errors to both sides."""
        if not (isfinite(self.measured.value) and isfinite(self.measured.se)):
            return "not decided"
        left, right = (self.measured.value + k * errors * self.measured.se for k in (-1, 1))
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
        """The name, the value with its standard error, and the unit."""
        m = self.measured
        if not isfinite(m.value):
            return f"{self.name} no value"
        value = signed(m.value, self.digits) if self.digits >= 0 else f"{m.value:+.{-self.digits}g}".replace("-", "−")
        value = value if self.sign else value.removeprefix("+")
        text = plus_minus(m, self.sign, self.digits) if isfinite(m.se) and m.se else value
        return " ".join(word for word in (self.name, text, self.unit) if word).replace(" %", " %")


@dataclass(frozen=True)
class Parts:
    """Several cells that a claim speaks of together, of which some must be as claimed.

    Parameters
    ----------
    name : str
        What they are, in a sentence.
    parts : sequence of Part
    asked : str
        ``every``, ``most`` (more than half) or ``some``.

    Notes
    -----
    The more cells, the more of them lie off by chance.  Where one cell decides (``every`` and ``some``) each is judged
    with as many standard errors as keep the false alarms of all together at 5 %.

    Examples
    --------
    >>> cells = [above(f"N = {n}", Measured(v, 0.1, 50)) for n, v in ((10, 2.0), (20, 1.0), (50, -1.0))]
    >>> most("the biases", cells).outcome, every("the biases", cells).outcome
    ('holds', 'fails')
    >>> most("the biases", cells).words
    'the biases: 2 of 3, from −1.00 ± 0.10 (N = 50) to +2.00 ± 0.10 (N = 10)'
    """

    name: str
    parts: Sequence[Part]
    asked: str = "every"

    @property
    def needed(self) -> int:
        """How many must be as claimed."""
        return {"every": len(self.parts), "most": len(self.parts) // 2 + 1, "some": 1}[self.asked]

    def _outcomes(self) -> list[Outcome]:
        family = 1 if self.asked == "most" else max(len(self.parts), 1)
        errors = max(_CLEARLY, float(stats.norm.isf(0.025 / family)))
        return [part.outcome_at(errors) for part in self.parts]

    @property
    def outcome(self) -> Outcome:
        """What follows for all together; nothing from none."""
        found = self._outcomes()
        if not found:
            return "not decided"
        if found.count("holds") >= self.needed:
            return "holds"
        return "fails" if len(found) - found.count("fails") < self.needed else "not decided"

    @property
    def criterion(self) -> str:
        """Where they must lie, and how many of them, in words."""
        how = {"every": "each", "most": "more than half of them", "some": "at least one"}[self.asked]
        return f"{how} {' or '.join(dict.fromkeys(part.criterion for part in self.parts))}"

    @property
    def words(self) -> str:
        """How many are as claimed, and the smallest and the largest."""
        found = [part for part in self.parts if isfinite(part.measured.value)]
        if not found:
            return f"{self.name}: none"
        outcomes = self._outcomes()
        text = f"{self.name}: {outcomes.count('holds')} of {len(outcomes)}"
        if unsure := outcomes.count("not decided"):
            text += f" ({unsure} not decided)"
        ends = [pick(found, key=lambda part: part.measured.value) for pick in (min, max)]
        low, high = (f"{replace(end, name='').words}{f' ({end.name})' if end.name else ''}" for end in ends)
        return f"{text}, {f'at {low}' if low == high else f'from {low} to {high}'}"


@dataclass(frozen=True)
class Claim:
    """What a paper says, and the parts that it is judged by.

    Parameters
    ----------
    text : str
        The claim, in our words (Markdown).
    parts : sequence of Part or Parts
    reading : str
        Named behind the claim where several readings are checked.
    context : str
        What the values are of, before them in the evidence.

    Examples
    --------
    >>> bias = {"LOO": Measured(0.1, 0.1, 400), "2-CV": Measured(1.5, 0.1, 400)}
    >>> claim = Claim("Both are unbiased.", [near(e, m, 0.5, "points") for e, m in bias.items()])
    >>> claim.check().outcome
    'holds in part'
    >>> claim.check().evidence
    'LOO +0.10 ± 0.10 points, 2-CV +1.50 ± 0.10 points (asked: no more than 0.5 from 0; n = 400)'
    """

    text: str
    parts: Sequence[Part | Parts]
    reading: str = ""
    context: str = ""

    @property
    def outcome(self) -> Outcome:
        """What follows for the claim."""
        return judged(part.outcome for part in self.parts)

    @property
    def evidence(self) -> str:
        """Values with standard errors, numbers of replicates, and what was asked of them."""
        said = []
        for criterion, group in groupby(self.parts, key=lambda part: part.criterion):
            own = list(group)
            numbers = sorted({m.n for m in _values(own) if m.se > 0})
            counts = "" if not numbers else f"; n = {numbers[0]:,}" + (f" to {numbers[-1]:,}" if numbers[1:] else "")
            said.append(f"{', '.join(part.words for part in own)} (asked: {criterion}{counts})")
        before = f"{self.context}: " if self.context and said else self.context
        return before + "; ".join(said)

    def check(self) -> Check:
        """Execute the claim."""
        values = _values(self.parts)
        sampled = [m.n for m in values if m.n > 1 or m.se != 0]
        return Check(
            f"{self.text} [{self.reading}]" if self.reading else self.text,
            self.evidence,
            self.outcome,
            # of what is calculated beside samples no number of them decides
            0 if self.context.startswith("exact") else min(sampled, default=None),
            not any(isfinite(m.value) for m in values) or any(isinstance(p, Parts) and not p.parts for p in self.parts),
        )


def judged(parts: Iterable[Outcome]) -> Outcome:
    """Judge a claim by the outcomes of its parts; this is what "holds in part" means.

    Examples
    --------
    >>> judged(["holds", "not decided"]), judged(["holds", "fails"]), judged(["fails", "not decided"])
    ('not decided', 'holds in part', 'fails')
    """
    found = set(parts)
    if found == {"holds"}:
        return "holds"
    if "fails" in found:
        return "holds in part" if found & {"holds", "holds in part"} else "fails"
    return "holds in part" if "holds in part" in found else "not decided"


def above(name: str, m: Measured, limit: float = 0.0, unit: str = "", digits: int = 2, sign: str = "+") -> Part:
    """Ask for more than a limit.

    Examples
    --------
    >>> above("632b", Measured(-1.0, 0.1, 9)).outcome
    'fails'
    """
    return Part(name, m, low=limit, unit=unit, digits=digits, sign=sign)


def below(name: str, m: Measured, limit: float = 0.0, unit: str = "", digits: int = 2, sign: str = "+") -> Part:
    """Ask for less than a limit.

    Examples
    --------
    >>> below("632b", Measured(-1.0, 0.1, 9)).outcome
    'holds'
    """
    return Part(name, m, high=limit, unit=unit, digits=digits, sign=sign)


def near(
    name: str, m: Measured, within: float, unit: str = "", of: float = 0.0, digits: int = 2, sign: str = "+"
) -> Part:
    """Ask for a value no further from another than so much.

    Examples
    --------
    >>> [near("", Measured(v, 0.1, 9), 0.5).outcome for v in (0.0, 0.4, 1.0)]
    ['holds', 'not decided', 'fails']
    """
    return Part(name, m, of - within, of + within, unit=unit, digits=digits, sign=sign)


def apart(name: str, m: Measured, by: float, unit: str = "", of: float = 0.0, digits: int = 2, sign: str = "+") -> Part:
    """Ask for a value further from another than so much, on either side.

    Examples
    --------
    >>> [apart("", Measured(v, 0.1, 9), 0.5).outcome for v in (0.0, 0.4, 1.0)]
    ['fails', 'not decided', 'holds']
    """
    return Part(name, m, of - by, of + by, True, unit, digits, sign)


def equal(name: str, value: float, expected: float, unit: str = "", digits: int = 0) -> Part:
    """Ask for an exact number, such as a count.

    Examples
    --------
    >>> equal("leaves", 9, 9).outcome, equal("leaves", 9, 8).words
    ('holds', 'leaves 9')
    """
    return Part(name, exact(value), expected, expected, unit=unit, digits=digits, sign="")


every: Callable[[str, Sequence[Part]], Parts] = partial(Parts, asked="every")
"""Ask that all cells are as claimed."""

most: Callable[[str, Sequence[Part]], Parts] = partial(Parts, asked="most")
"""Ask that more than half of the cells are as claimed."""

some: Callable[[str, Sequence[Part]], Parts] = partial(Parts, asked="some")
"""Ask that a cell is as claimed, or several."""


def plus_minus(m: Measured, sign: str = "+", digits: int = 1) -> str:
    """Write a value with its standard error: one that would be rounded away by its first digit, none by no word.

    Examples
    --------
    >>> plus_minus(Measured(1.234, 0.5, 10))
    '+1.2 ± 0.5'
    >>> plus_minus(Measured(100.0, 0.0, 2), ""), plus_minus(Measured(50.0, 0.012, 400), "")
    ('100.0', '50.0 ± 0.01')
    """
    value = f"{m.value:{sign}.{digits}f}".replace("-", "−")
    if m.se <= _ROUNDING * max(1.0, abs(m.value)):
        return value
    error = f"{m.se:.{digits}f}"
    # no standard error of a sample that varies is 0
    return f"{value} ± {error if not isfinite(m.se) or float(error) else f'{m.se:.1g}'}"


_ROUNDING = 1e-12
"""What sums of equal numbers leave of a spread, as a share."""


def signed(value: float, digits: int = 1) -> str:
    """Write a number with its sign.

    Examples
    --------
    >>> signed(-0.25, 2)
    '−0.25'
    """
    return f"{value:+.{digits}f}".replace("-", "−")


def direction(m: Measured, up: str, down: str, neither: str) -> str:
    """Choose the word for a value that lies clearly above zero, clearly below, or neither.

    Examples
    --------
    >>> [direction(Measured(v, 1.0, 9), "pessimistic", "optimistic", "undecided") for v in (3.0, -3.0, 1.0)]
    ['pessimistic', 'optimistic', 'undecided']
    """
    return up if clear(m, 1) else down if clear(m, -1) else neither


def portion(count: int, of: int) -> str:
    """Write how many of a number there are; most are more than half.

    Examples
    --------
    >>> [portion(k, 8) for k in (8, 5, 4, 2, 0)]
    ['all 8', 'most (5 of 8)', 'half (4 of 8)', 'few (2 of 8)', 'none of 8']
    """
    if count in (0, of):
        return f"none of {of}" if count == 0 else f"all {of}"
    return f"{'most' if 2 * count > of else 'half' if 2 * count == of else 'few'} ({count} of {of})"


def significance(p_value: float, level: float = 0.05) -> str:
    """Say whether a test finds something, with its p-value.

    Examples
    --------
    >>> significance(0.3), significance(1e-9)
    ('not significant (p = 0.3)', 'significant (p < 0.0001)')
    """
    word = "significant" if p_value < level else "not significant"
    return f"{word} (p {f'= {p_value:.2g}' if p_value >= 1e-4 else '< 0.0001'})"


def clear(m: Measured, sign: int = 0, errors: float = _CLEARLY) -> bool:
    """Say whether a value lies on one side of zero, on either by default, by more than some of its standard errors.

    Examples
    --------
    >>> clear(Measured(-2.0, 1.0, 9)), clear(Measured(-2.0, 1.0, 9), 1), clear(Measured(1.0, 1.0, 9), 1)
    (True, False, False)
    """
    return (sign * m.value if sign else abs(m.value)) > errors * m.se


def counted(number: float, noun: str) -> str:
    """Write a number before what it counts.

    Examples
    --------
    >>> counted(1, "point"), counted(2.5, "point")
    ('1 point', '2.5 points')
    """
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def _number(value: float) -> str:
    return f"{value:.6g}".replace("-", "−")


def _values(parts: Iterable[Part | Parts]) -> list[Measured]:
    return [m for part in parts for m in ([part.measured] if isinstance(part, Part) else _values(part.parts))]
