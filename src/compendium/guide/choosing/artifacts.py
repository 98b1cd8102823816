"""The best of many: how far its error is off, as found, corrected and by nested folds, and how often intervals hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, clear, within
from compendium.evidence.estimate import Condition, Estimate, every, plus_minus
from compendium.evidence.monte_carlo import mean, share
from compendium.evidence.records import each
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.choosing.experiment import METHODS, TRUTH, ChoosingParameters, choosing_study
from compendium.guide.choosing.figures import draw_biases, draw_coverages
from compendium.guide.choosing.words import FULL, LABELS, METHOD_TITLES, POPULATION_TITLES
from compendium.guide.held import held
from compendium.guide.names import TARGETS

__all__ = ["bias_claims", "biases", "coverage_claims", "coverages"]

READING = "literal"
_SLACK = 1.0
"""Points that a bias may have and still be none to speak of."""

_SHORT = 2.0
"""Points that a coverage may lack."""


class _Best(NamedTuple):
    """The best of so many candidates in every sample of a cell, by one method."""

    population: str
    n: int
    number: int
    method: str
    truth: np.ndarray
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def bias(self) -> Estimate:
        """Mean of estimate less truth, in points."""
        return mean(self.value - self.truth) * 100

    def coverage(self, target: str) -> Estimate:
        """Share of the samples whose interval holds the target, in percent."""
        hits = held(self.low, self.high, self.truth, target)
        return share(float(hits.sum()), hits.size) * 100


def _measured(p: ChoosingParameters, run: Run) -> list[_Best]:
    table = run(choosing_study(p))
    out = []
    for (population, n), (_, lines) in zip(product(p.populations, p.sizes), table.groupby("cell"), strict=True):
        for number in p.candidates:
            of = lines[lines["number"] == number]
            truth = of.loc[of["method"] == TRUTH, "value"].to_numpy()
            for method in METHODS:
                made = of[of["method"] == method]
                columns = (made[c].to_numpy() for c in ("value", "low", "high"))
                out.append(_Best(population, n, number, method, truth, *columns))
    return out


def _row(best: _Best, measured: Estimate, before: str = "") -> Row:
    place = f"{before}{best.population}/{best.n}-cases/{best.method}"
    return Row.of(READING, place, f"{best.number}-candidates", measured)


@artifact("guide-choosing-bias", draw=draw_biases, labels=LABELS, matrix=True)
def biases(p: ChoosingParameters, run: Run) -> ArtifactResult:
    """Mean of estimate less truth by number of candidates (points)."""
    measured = _measured(p, run)
    frame = pd.DataFrame(
        {
            "population": one.population,
            "n": one.n,
            "candidates": one.number,
            "method": one.method,
            "bias": one.bias.value,
            "se": one.bias.se,
            "samples": one.truth.size,
            "truth": 100 * float(one.truth.mean()),
            "rms": 100 * float(np.sqrt(((one.value - one.truth) ** 2).mean())),
        }
        for one in measured
    )
    return ArtifactResult(
        [_row(one, one.bias) for one in measured],
        {"biases": frame},
        [claim.check() for claim in bias_claims(frame)],
        [*_on_noise(p, frame), *_farthest(frame), _advice(frame), *_what_it_costs(p, frame)],
    )


def _cells(
    frame: pd.DataFrame, method: str, part: Callable[[str, Estimate], Condition], column: str
) -> Iterator[Condition]:
    for one in each(frame[frame["method"] == method]):
        m = Estimate(float(getattr(one, column)), float(one.se), int(one.samples))
        yield part(f"n = {one.n}, {one.candidates} candidates", m)


def _claim(
    text: str, frame: pd.DataFrame, method: str, part: Callable[[str, Estimate], Condition], column: str
) -> Claim:
    """Ask the same of every cell; each population is a part of its own."""
    populations = dict.fromkeys(frame["population"])
    return Claim(
        text,
        [every(FULL[k], list(_cells(frame[frame["population"] == k], method, part, column))) for k in populations],
    )


def bias_claims(frame: pd.DataFrame) -> list[Claim]:
    """Say what a correction is for, and ask it of every cell."""

    def low(name: str, m: Estimate) -> Condition:
        return below(name, m, unit="points")

    def none(name: str, m: Estimate) -> Condition:
        return within(name, m, _SLACK, "points")

    def not_low(name: str, m: Estimate) -> Condition:
        return above(name, m, -_SLACK, "points")

    return [
        _claim("The error of the best, as it was found, is too low.", frame, "minimum", low, "bias"),
        _claim("The bootstrap's correction leaves no bias of more than a point.", frame, "bbc", none, "bias"),
        _claim("The bootstrap's correction is not too low by more than a point.", frame, "bbc", not_low, "bias"),
        _claim("Nested cross-validation is not too low by more than a point.", frame, "nested", not_low, "bias"),
    ]


def _words(one: pd.Series) -> str:
    return plus_minus(Estimate(float(one["bias"]), float(one["se"]), int(one["samples"])))


def _on_noise(p: ChoosingParameters, frame: pd.DataFrame) -> list[str]:
    if "noise" not in p.populations:
        return []
    texts = []
    for n in p.sizes:
        parts = []
        for number in sorted({min(p.candidates), max(p.candidates)}):
            at = frame[(frame["population"] == "noise") & (frame["n"] == n) & (frame["candidates"] == number)]
            message = ", ".join(f"{METHOD_TITLES[one['method']]} {_words(one)}" for _, one in at.iterrows())
            parts.append(f"of {number} candidates {message}")
        texts.append(
            f"On labels that are noise, where every classifier errs in 50 %, n = {n}, estimate less truth in points: "
            f"{'; '.join(parts)}."
        )
    return texts


def _worst(frame: pd.DataFrame, method: str) -> pd.Series:
    own = frame[frame["method"] == method]
    return own.iloc[int(own["bias"].abs().to_numpy().argmax())]


def _farthest(frame: pd.DataFrame) -> list[str]:
    parts = []
    for method in METHODS:
        one = _worst(frame, method)
        place = f"{FULL[one['population']]}, n = {one['n']}, {one['candidates']} candidates"
        parts.append(f"{METHOD_TITLES[method]} {_words(one)} points ({place})")
    return [f"The cell in which each is farthest off: {'; '.join(parts)}."]


def _off(frame: pd.DataFrame, method: str, side: int) -> int:
    """Count the cells that are clearly off to one side by more than the slack."""
    own = frame[frame["method"] == method]
    return sum(
        clear(Estimate(side * one.bias - _SLACK, one.se, int(one.samples)), 1, 2.0) if one.se > 0 else False
        for one in each(own)
    )


def _advice(frame: pd.DataFrame) -> str:
    """Say which correction to trust, by what came out."""
    number = len(frame[frame["method"] == "bbc"])
    results = {m: (_off(frame, m, -1), _off(frame, m, 1), abs(float(_worst(frame, m)["bias"]))) for m in METHODS[1:]}
    counts = "; ".join(
        f"{METHOD_TITLES[m]} lies clearly more than a point below the truth in {down} and above it in {up} of {number} "
        f"cells, at the most {size:.1f} points off"
        for m, (down, up, size) in results.items()
    )
    bbc, nested = (results[m] for m in ("bbc", "nested"))
    if bbc[0] > nested[0]:
        advice = "trust nested cross-validation where the number itself matters"
    elif bbc[2] <= nested[2]:
        advice = "the corrected error will do, and nested cross-validation is not worth its fits"
    else:
        advice = "neither looks better than it is more often than the other; the corrected error costs no further fits"
    return f"Which to trust: {counts}. So {advice}."


def _what_it_costs(p: ChoosingParameters, frame: pd.DataFrame) -> list[str]:
    few, many = min(p.candidates), max(p.candidates)
    own = frame[frame["method"] == "minimum"].set_index(["population", "n", "candidates"])["truth"]
    parts = [
        f"{POPULATION_TITLES[k]}, n = {n}, {own[k, n, few]:.1f} and {own[k, n, many]:.1f} %"
        for k, n in product(p.populations, p.sizes)
        if k != "noise"
    ]
    if not parts or few == many:
        return []
    return [f"What is chosen of {few} and of {many} candidates truly errs: {'; '.join(parts)}."]


@artifact("guide-choosing-coverage", draw=draw_coverages, labels=LABELS, matrix=True)
def coverages(p: ChoosingParameters, run: Run) -> ArtifactResult:
    """Coverage by number of candidates, for both targets (percent)."""
    measured = _measured(p, run)
    rows, table = [], []
    for target, one in product(TARGETS, measured):
        result = one.coverage(target)
        rows.append(_row(one, result, f"{target}/"))
        table.append(
            {
                "target": target,
                "population": one.population,
                "n": one.n,
                "candidates": one.number,
                "method": one.method,
                "coverage": result.value,
                "se": result.se,
                "samples": result.n,
                "width": 100 * float((one.high - one.low).mean()),
            }
        )
    frame = pd.DataFrame(table)
    checks = [claim.check() for claim in coverage_claims(frame, 100 * p.confidence)]
    return ArtifactResult(rows, {"coverages": frame}, checks, _coverage_words(p, frame))


def coverage_claims(frame: pd.DataFrame, nominal: float) -> list[Claim]:
    """Ask of every cell that the interval holds the error of what is chosen as often as it says, to two points."""

    def enough(name: str, m: Estimate) -> Condition:
        return above(name, m, nominal - _SHORT, "%", 1, "")

    own = frame[frame["target"] == next(iter(TARGETS))]
    texts = {
        "minimum": "The interval of the best as found holds the error of what is chosen as often as it says.",
        "bbc": "The interval of the corrected error holds the error of what is chosen as often as it says.",
        "nested": "The interval of nested cross-validation holds the error of what is chosen as often as it says.",
    }
    return [_claim(text, own, method, enough, "coverage") for method, text in texts.items()]


def _coverage_words(p: ChoosingParameters, frame: pd.DataFrame) -> list[str]:
    texts = []
    for target, named in TARGETS.items():
        own = frame[frame["target"] == target]
        parts = [_ends(own[own["method"] == method], METHOD_TITLES[method]) for method in METHODS]
        texts.append(f"Intervals of {100 * p.confidence:g} % for {named.words}: {'; '.join(parts)}.")
    first = frame[frame["target"] == next(iter(TARGETS))]
    widths = first.groupby(["n", "method"])["width"].mean()
    parts = [", ".join(f"{METHOD_TITLES[m]} {widths[n, m]:.0f}" for m in METHODS) + f" at n = {n}" for n in p.sizes]
    return [*texts, f"Mean width in points: {'; '.join(parts)}.", _interval_advice(p, first)]


def _interval_advice(p: ChoosingParameters, first: pd.DataFrame) -> str:
    """Say which interval to trust, by the cells that fall short."""
    least = 100 * p.confidence - _SHORT
    short = {m: sum(one.coverage + 2 * one.se < least for one in each(first[first["method"] == m])) for m in METHODS}
    number = len(first) // len(METHODS)
    message = ", ".join(f"{METHOD_TITLES[m]} in {count} of {number}" for m, count in short.items())
    selected = [METHOD_TITLES[m] for m, count in short.items() if not count]
    advice = (
        f"So take the interval of: {', '.join(selected)}." if selected else "So none of them can be taken everywhere."
    )
    return f"Cells in which an interval clearly holds less than {least:g} %: {message}. {advice}"


def _ends(own: pd.DataFrame, title: str) -> str:
    """Name the mean and the worst cell."""
    least = own.iloc[int(own["coverage"].to_numpy().argmin())]
    place = f"{FULL[least['population']]}, n = {least['n']}, {least['candidates']} candidates"
    return f"{title} {own['coverage'].mean():.1f} % on the average and {least['coverage']:.1f} % at the least ({place})"
