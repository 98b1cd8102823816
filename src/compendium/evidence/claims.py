"""Claims: what a paper says, and the conditions under which it holds in a run.

The texts stand in ``artifacts.yaml``, under the artifact's ``claims:``, each with a short name, perhaps
the context of its evidence, and ``exact: true`` where exact numbers decide it.  A section has the conditions, functions
of the same names (strokes for underscores), in the order in which they are shown::

    TABLE_11 = Claims("martin-hirschberg-table-11")

    @TABLE_11.claim
    def pessimistic(t: Trials) -> Conditions:
        # bias above 0 for every smooth estimator at every size
        return every("bias", [t.at(n=n).bias(e) > 0 for n in t.levels("n") for e in SMOOTH])

    @TABLE_11.claim
    def two_fold(t: Trials) -> Condition: ...

    checks = judge_claims(TABLE_11, t, reading=t.reading, n=t.levels("n"))

A claim whose condition asks for what the run did not measure raises :class:`NotRun` and is left out.  Where the
condition is at hand, :func:`judge_claim` takes one claim by its name.

A claim *holds* if all its conditions hold, holds *in part* if some hold and others fail, *fails* if some fail and none
holds, and is *not decided* in all other cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import groupby
from math import isfinite
from typing import Any, TypeVar

from compendium.evidence.estimate import Condition, Conditions, Estimate, Outcome
from compendium.evidence.results import Check
from compendium.evidence.texts import claim_texts
from errorest.errors import UsageError

Judged = Condition | Conditions
Function = TypeVar("Function", bound=Callable[..., Any])


class NotRun(LookupError):
    """A claim speaks of something that this run did not measure."""


@dataclass(frozen=True)
class Claims:
    """Conditions of claims of an artifact by name: rows with the texts of ``artifacts.yaml``."""

    artifact: str
    conditions: dict[str, Callable[..., Any]] = field(default_factory=dict)

    def claim(self, condition: Function) -> Function:
        """Add a function as the condition of the claim of its name; the function itself stays as it is."""
        self.conditions[condition.__name__.replace("_", "-")] = condition
        return condition


_judging: ContextVar[bool] = ContextVar("judging", default=True)


@contextmanager
def rows_alone() -> Iterator[None]:
    """Judge no table of claims: reruns of an artifact, of which only the rows are read, take half the time."""
    before = _judging.set(False)
    try:
        yield
    finally:
        _judging.reset(before)


def judge_claims(claims: Claims, /, *about: Any, reading: str = "", **values: Any) -> list[Check]:
    """Judge a table of claims by what ``about`` gives; ``values`` fill the braces of texts and contexts."""
    checks: list[Check] = []
    if not _judging.get():
        return checks
    for name, condition in claims.conditions.items():
        try:
            checks.append(judge_claim(claims.artifact, name, condition(*about), reading, **values))
        except NotRun:
            continue
    return checks


def judge_claim(
    artifact: str, name: str, conditions: Judged | Iterable[Judged], reading: str = "", /, **values: Any
) -> Check:
    """Judge one claim by its name in ``artifacts.yaml``; ``values`` fill the braces of its text and context."""
    own = [conditions] if isinstance(conditions, Condition | Conditions) else list(conditions)
    words = claim_texts(artifact)[name]
    try:
        text, context, of = (one.format(**values) for one in (words.text, words.context, words.reading))
    except KeyError as exc:
        raise UsageError(
            f"nothing fills {{{exc.args[0]}}} in claim '{name}' of {artifact}; expected one of {', '.join(values)}; "
            "write braces that are not to be filled twice"
        ) from None
    return check(text, own, context=context, name=name, reading=reading or of, exact=words.exact)


def check(
    text: str,
    conditions: Sequence[Judged],
    *,
    context: str = "",
    name: str = "",
    reading: str = "",
    exact: bool = False,
) -> Check:
    """Execute a claim in our words; ``context`` says what the values are of."""
    values = _estimates(conditions)
    sampled = [e.n for e in values if e.n > 1 or e.se != 0]
    nothing = any(isinstance(one, Conditions) and not one.cells for one in conditions)
    return Check(
        f"{text} [{reading}]" if reading else text,
        evidence_of(conditions, context),
        judged(one.outcome for one in conditions),
        0 if exact else min(sampled, default=None),
        nothing or not any(isfinite(e.value) for e in values),
        name,
        reading,
        exact,
    )


def evidence_of(conditions: Sequence[Judged], context: str = "") -> str:
    """Write values with standard errors, numbers of replicates, and what was asked of them."""
    texts = []
    for criterion, group in groupby(conditions, key=lambda one: one.criterion):
        own = list(group)
        numbers = sorted({e.n for e in _estimates(own) if e.se > 0})
        counts = "" if not numbers else f"; n = {numbers[0]:,}" + (f" to {numbers[-1]:,}" if numbers[1:] else "")
        texts.append(f"{', '.join(one.words for one in own)} (asked: {criterion}{counts})")
    return (f"{context}: " if context and texts else context) + "; ".join(texts)


def judged(outcomes: Iterable[Outcome]) -> Outcome:
    """Judge a claim by the outcomes of its conditions; this is what "holds in part" means."""
    results = set(outcomes)
    if results == {"holds"}:
        return "holds"
    if "fails" in results:
        return "holds in part" if results & {"holds", "holds in part"} else "fails"
    return "holds in part" if "holds in part" in results else "not decided"


def counted(number: float, noun: str) -> str:
    """Write a number before what it counts."""
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def _estimates(conditions: Iterable[Judged]) -> list[Estimate]:
    return [e for one in conditions for e in one.estimates]
