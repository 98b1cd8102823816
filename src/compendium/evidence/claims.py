"""Claims: what a paper says, and the conditions under which it holds in a run.

The texts stand in ``data/artifacts/<paper>.yaml``, under the artifact's ``claims:``, each with a short name and perhaps
the context of its evidence.  A section has the conditions, by the same names::

    TABLE_11 = Claims(
        "martin-hirschberg-table-11",
        {
            "pessimistic": lambda t: every("bias", [t.at(n=n).bias(e) > 0 for n in t.levels("n") for e in SMOOTH]),
            "two-fold": lambda t: t.at(n=t.levels("n")[0]).bias(TWO) > 0,
        },
    )
    checks = judge_claims(TABLE_11, t, reading=t.reading, n=t.levels("n"))

A claim whose condition asks for what the run did not measure raises :class:`NotRun` and is left out.
A claim *holds* if all its conditions hold, holds *in part* if some hold and others fail, *fails* if some fail and none
holds, and is *not decided* in all other cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isfinite
from typing import Any

from compendium.evidence.estimate import CLEARLY, Condition, Conditions, Estimate, Outcome, exact
from compendium.evidence.results import Check
from compendium.evidence.texts import claim_texts

Judged = Condition | Conditions
# Rows of (text, condition) or (text, condition, context); conditions are called with what is judged
Rows = Iterable[tuple[Any, ...]]


class NotRun(LookupError):
    """A claim speaks of something that this run did not measure."""


@dataclass(frozen=True)
class Claims:
    """Conditions of claims of an artifact by name: rows with the texts of ``data/artifacts``."""

    artifact: str
    conditions: Mapping[str, Callable[..., Any]]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        texts = claim_texts(self.artifact)
        return ((texts[name][0], condition, texts[name][1]) for name, condition in self.conditions.items())


def judge_claims(claims: Rows, *about: Any, reading: str = "", **values: Any) -> list[Check]:
    """Judge a table of claims; ``values`` fill the braces of texts and contexts."""
    checks = []
    for text, condition, *context in claims:
        try:
            result = condition(*about)
            conditions = [result] if isinstance(result, Condition | Conditions) else list(result)
            output = context[0].format(**values) if context else ""
            checks.append(Claim(text.format(**values), conditions, reading, output).check())
        except NotRun:
            continue
    return checks


@dataclass(frozen=True)
class Claim:
    """What a paper says in our words, its conditions, the reading judged, and what the values are of."""

    text: str
    conditions: Sequence[Judged]
    reading: str = ""
    context: str = ""

    @property
    def outcome(self) -> Outcome:
        """What follows for the claim."""
        return judged(one.outcome for one in self.conditions)

    @property
    def evidence(self) -> str:
        """Values with standard errors, numbers of replicates, and what was asked of them."""
        texts = []
        for criterion, group in groupby(self.conditions, key=lambda one: one.criterion):
            own = list(group)
            numbers = sorted({e.n for e in _estimates(own) if e.se > 0})
            counts = "" if not numbers else f"; n = {numbers[0]:,}" + (f" to {numbers[-1]:,}" if numbers[1:] else "")
            texts.append(f"{', '.join(one.words for one in own)} (asked: {criterion}{counts})")
        before = f"{self.context}: " if self.context and texts else self.context
        return before + "; ".join(texts)

    def check(self) -> Check:
        """Execute the claim."""
        values = _estimates(self.conditions)
        sampled = [e.n for e in values if e.n > 1 or e.se != 0]
        nothing = any(isinstance(one, Conditions) and not one.cells for one in self.conditions)
        return Check(
            f"{self.text} [{self.reading}]" if self.reading else self.text,
            self.evidence,
            self.outcome,
            # where exact numbers decide, the number of samples beside them does not
            0 if self.context.startswith("exact") else min(sampled, default=None),
            nothing or not any(isfinite(e.value) for e in values),
        )


def claim_of(artifact: str, name: str, conditions: Sequence[Judged], reading: str = "", **values: Any) -> Claim:
    """Return a claim by its name in ``data/artifacts``; ``values`` fill the braces of its text and context."""
    text, context = (words.format(**values) for words in claim_texts(artifact)[name])
    return Claim(text, conditions, reading, context)


def judged(outcomes: Iterable[Outcome]) -> Outcome:
    """Judge a claim by the outcomes of its conditions; this is what "holds in part" means."""
    results = set(outcomes)
    if results == {"holds"}:
        return "holds"
    if "fails" in results:
        return "holds in part" if results & {"holds", "holds in part"} else "fails"
    return "holds in part" if "holds in part" in results else "not decided"


def above(name: str, e: Estimate, limit: float = 0.0, unit: str = "", digits: int = 2, sign: str = "+") -> Condition:
    """Ask for more than a limit."""
    return e.named(name, unit, digits, sign) > limit


def below(name: str, e: Estimate, limit: float = 0.0, unit: str = "", digits: int = 2, sign: str = "+") -> Condition:
    """Ask for less than a limit."""
    return e.named(name, unit, digits, sign) < limit


def within(
    name: str, e: Estimate, within: float, unit: str = "", of: float = 0.0, digits: int = 2, sign: str = "+"
) -> Condition:
    """Ask for a value no further from another than so much."""
    return Condition(e.named(name, unit, digits, sign), of - within, of + within)


def differs(
    name: str, e: Estimate, by: float, unit: str = "", of: float = 0.0, digits: int = 2, sign: str = "+"
) -> Condition:
    """Ask for a value further from another than so much, on either side."""
    return Condition(e.named(name, unit, digits, sign), of - by, of + by, outside=True)


def equal(name: str, value: float, expected: float, unit: str = "", digits: int = 0) -> Condition:
    """Ask for an exact number, such as a count."""
    return exact(value, name, unit, digits).equals(expected)


def direction(e: Estimate, up: str, down: str, neither: str) -> str:
    """Choose the word for a value that lies clearly above zero, clearly below, or neither."""
    return up if clear(e, 1) else down if clear(e, -1) else neither


def portion(count: int, of: int) -> str:
    """Write how many of a number there are; most are more than half."""
    if count in (0, of):
        return f"none of {of}" if count == 0 else f"all {of}"
    return f"{'most' if 2 * count > of else 'half' if 2 * count == of else 'few'} ({count} of {of})"


def significance(p_value: float, level: float = 0.05) -> str:
    """Say whether a test finds something, with its p-value."""
    word = "significant" if p_value < level else "not significant"
    return f"{word} (p {f'= {p_value:.2g}' if p_value >= 1e-4 else '< 0.0001'})"


def clear(e: Estimate, sign: int = 0, errors: float = CLEARLY) -> bool:
    """Say whether a value lies on one side of zero, on either by default, by more than some of its standard errors."""
    return (sign * e.value if sign else abs(e.value)) > errors * e.se


def counted(number: float, noun: str) -> str:
    """Write a number before what it counts."""
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def _estimates(conditions: Iterable[Judged]) -> list[Estimate]:
    return [e for one in conditions for e in one.estimates]
