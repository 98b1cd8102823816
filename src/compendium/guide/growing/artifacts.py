"""How often what a learning curve expects holds, how far off its middle lies, and what its test cases tell."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot, sqrt

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, within
from compendium.evidence.estimate import Estimate, every, plus_minus
from compendium.evidence.monte_carlo import mean
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.guide.growing.experiment import GrowingParameters
from compendium.guide.growing.figures import INDUCER_TITLES, SET_TITLES, draw_growing_coverage, draw_growing_offsets
from compendium.guide.growing.results import END, KINDS, TWICE, Foretold, averaged, foretold, places, tested
from errorest.estimation.learning_curves import PowerLaws

__all__ = ["curve_coverage", "curve_offsets", "curve_test_cases"]

_SLACK = 5.0
"""Points of coverage up to which a promise counts as kept."""

_TOO_WIDE = 50.0
"""Points from which on an interval of an error rate tells next to nothing."""


def _groups(p: GrowingParameters, all_: list[Foretold]) -> Iterator[tuple[str, int, str, list[Foretold]]]:
    for kind in KINDS:
        for n in p.cases:
            for place in places(p):
                own = [f for f in all_ if (f.kind, f.cell.n, f.place) == (kind, n, place)]
                if own:
                    yield kind, n, place, own


def _share(own: list[Foretold]) -> Estimate:
    return averaged(own, [f.held() for f in own], [f.doubt for f in own]) * 100


def _of_cell(one: Foretold) -> Estimate:
    """Coverage of a cell (percent); that all intervals of a few held is no proof that all do."""
    held = one.held()
    smoothed = (held.sum() + 1) / (held.size + 2)
    return Estimate(float(held.mean()), hypot(sqrt(smoothed * (1 - smoothed) / held.size), one.doubt), held.size) * 100


def _named(one: Foretold) -> str:
    return f"{INDUCER_TITLES[one.cell.inducer]} on {SET_TITLES[one.cell.data]}"


@artifact("guide-growing-coverage", draw=draw_growing_coverage, matrix=True)
def curve_coverage(p: GrowingParameters, run: Run) -> ArtifactResult:
    """Coverage of the extrapolation by how far it goes: mean over the cells, the worst cell, and each (percent)."""
    found = foretold(p, run)
    rows, worst_rows, each_rows, table, cells = [], [], [], [], []
    for kind, n, place, own in _groups(p, found):
        group = _share(own)
        rows.append(Row.of("literal", f"{kind}/{n}-cases", place, group))
        each = [_of_cell(f) for f in own]
        least = int(np.argmin([m.value for m in each]))
        worst_rows.append(Row.of("literal", f"worst/{kind}/{n}-cases", place, each[least]))
        width = 100 * float(np.mean([np.mean(f.high - f.low) for f in own]))
        first = {"kind": kind, "n": n, "place": place}
        table.append(
            {**first, "coverage": group.value, "se": group.se, "width": width, "worst": each[least].value}
            | {"worst_cell": _named(own[least]), "cells": len(own)}
        )
        for one, share in zip(own, each, strict=True):
            each_rows.append(Row.of("literal", f"{one.cell.data}/{one.cell.inducer}/{kind}/{n}-cases", place, share))
            cells.append({**first, "set": one.cell.data, "inducer": one.cell.inducer, "coverage": share.value})
    frame = pd.DataFrame(table)
    return ArtifactResult(
        rows + worst_rows + each_rows,
        {"map": frame, "cells": pd.DataFrame(cells)},
        checks=_coverage_checks(p, found),
        findings=_coverage_words(p, frame),
    )


def _coverage_checks(p: GrowingParameters, found: list[Foretold]) -> list[Check]:
    least = 100 * p.confidence - _SLACK
    beyond = [place for place in places(p) if place != END]
    expected = {(n, place): own for kind, n, place, own in _groups(p, found) if kind == KINDS[0]}
    plain = {(n, place): own for kind, n, place, own in _groups(p, found) if kind == KINDS[1]}
    means = [
        above(f"{_at(place)} from {n}", _share(expected[n, place]), least, "%", digits=1, sign="")
        for n in p.cases
        for place in beyond
        if (n, place) in expected
    ]
    gains = []
    for key, own in expected.items():
        if key[1] != END:
            values = [a.held() - b.held() for a, b in zip(own, plain[key], strict=True)]
            # another sample might differ where none did
            gain = averaged(own, values, [1 / (p.samples + 2)] * len(own)) * 100
            gains.append(above(f"{_at(key[1])} from {key[0]}", gain))
    cells = [
        above(f"{_named(f)}, {_at(f.place)} from {f.cell.n}", _of_cell(f), least - _SLACK, "%", 1, "")
        for own in expected.values()
        for f in own
        if f.place != END
    ]
    return [
        Claim(
            f"On the average of sets and inducers the interval of what is expected holds the truth in at least "
            f"{least:g} % of samples, however far it looks.",
            [every("places", means)],
        ).check(),
        Claim(
            f"It does so with every inducer on every set, in at least {least - _SLACK:g} % of samples.",
            [every("cells", cells)],
        ).check(),
        Claim(
            "Taken at their word, without room for a slope that wanders, the laws hold it less often.",
            [every("differences in points", gains)],
        ).check(),
    ]


def _at(place: str) -> str:
    return {END: "the largest measured size", TWICE: "twice the cases"}.get(place, place.replace("-", " "))


def _coverage_words(p: GrowingParameters, table: pd.DataFrame) -> list[str]:
    out = []
    for n in p.cases:
        own = table[(table["n"] == n) & (table["kind"] == KINDS[0]) & (table["place"] != END)]
        parts = [
            f"at {_at(str(r.place))} {r.coverage:.1f} ± {r.se:.1f} % (intervals {r.width:.0f} points wide)"
            for r in own.itertuples()
        ]
        out.append(f"From {n} cases, against {100 * p.confidence:g} %, intervals hold the truth {', '.join(parts)}.")
        low = own.iloc[int(own["worst"].to_numpy().argmin())]
        plain = table[(table["n"] == n) & (table["kind"] == KINDS[1]) & (table["place"] != END)]
        out.append(
            f"The worst cell from {n} cases is {low['worst_cell']} at {_at(low['place'])} with {low['worst']:.0f} %; "
            f"the laws at their word hold {plain['coverage'].min():.1f} to {plain['coverage'].max():.1f} % on the "
            "average."
        )
        wide = own[own["width"] > _TOO_WIDE]
        if len(wide):
            where = " and ".join(_at(place) for place in wide["place"])
            out.append(f"From {n} cases nothing worth telling is known of {where}: intervals are over 50 points wide.")
    out.append(
        f"The slope wanders by {PowerLaws.drift:g}, a standard deviation, while cases grow by a factor e; a number set "
        "by hand, the same for all sets."
    )
    return out


@artifact("guide-growing-offsets", draw=draw_growing_offsets, matrix=True)
def curve_offsets(p: GrowingParameters, run: Run) -> ArtifactResult:
    """Mean of expected less true error (points), and shares of intervals above and below the truth (percent)."""
    found = [f for f in foretold(p, run) if f.kind == KINDS[0]]
    rows, sides, table = [], [], []
    for one in found:
        off = mean(one.middle - one.truth.value)
        off = Estimate(off.value, hypot(off.se, one.truth.se), off.n) * 100
        rows.append(Row.of("literal", f"offset/{one.cell.data}/{one.cell.inducer}/{one.cell.n}-cases", one.place, off))
        table.append(
            {"set": one.cell.data, "inducer": one.cell.inducer, "n": one.cell.n, "place": one.place, "m": one.m}
            | {"truth": 100 * one.truth.value, "offset": off.value, "se": off.se}
        )
    words = []
    for _, n, place, own in _groups(p, found):
        high = averaged(own, [(f.low > f.truth.value).astype(float) for f in own], [0.0] * len(own)) * 100
        low = averaged(own, [(f.high < f.truth.value).astype(float) for f in own], [0.0] * len(own)) * 100
        sides += [
            Row.of("literal", f"{side}/{n}-cases", place, m) for side, m in (("too-high", high), ("too-low", low))
        ]
        if place == TWICE:
            words.append(
                f"From {n} to {2 * n} cases {high.value:.1f} ± {high.se:.1f} % of intervals lie above the truth, which "
                f"is too pessimistic, and {low.value:.1f} ± {low.se:.1f} % below it."
            )
    frame = pd.DataFrame(table)
    twice = frame[frame["place"] == TWICE]
    for pick, word in ((twice["offset"].to_numpy().argmax(), "high"), (twice["offset"].to_numpy().argmin(), "low")):
        r = twice.iloc[int(pick)]
        words.append(
            f"Most to the {word} side at twice the cases is {INDUCER_TITLES[r['inducer']]} on "
            f"{SET_TITLES[r['set']]} from {r['n']} cases: {plus_minus(Estimate(r['offset'], r['se'], 2))} points of a "
            f"truth of {r['truth']:.1f} %."
        )
    return ArtifactResult(rows + sides, {"offsets": frame}, findings=words)


@artifact("guide-growing-test-cases", matrix=True)
def curve_test_cases(p: GrowingParameters, run: Run) -> ArtifactResult:
    """Test cases asked for, widths measured on as many (points), shares as narrow as wanted and holding (percent)."""
    found, rows, words, parts = tested(p, run), [], [], []
    for n in p.cases:
        own = [t for t in found if t.cell.n == n]
        strata = np.concatenate([np.full(t.cases.size, i) for i, t in enumerate(own)])
        narrow = [(t.width <= p.width + 1e-9).astype(float) for t in own]
        measured = {
            "test-cases": mean(np.concatenate([t.cases for t in own]), strata),
            "width-points": mean(np.concatenate([t.width for t in own]), strata) * 100,
            "as-narrow-percent": mean(np.concatenate(narrow), strata) * 100,
            "held-percent": mean(np.concatenate([t.held for t in own]), strata) * 100,
        }
        rows += [Row.of("literal", f"{n}-cases", name, m) for name, m in measured.items()]
        width, share, held = (measured[k] for k in ("width-points", "as-narrow-percent", "held-percent"))
        words.append(
            f"From {n} cases {measured['test-cases'].value:.0f} test cases are asked for on the average; Wilson's "
            f"interval is then {width.value:.1f} ± {width.se:.1f} points wide where {100 * p.width:g} are wanted, no "
            f"wider in {share.value:.0f} % of samples, and holds the error of the classifier in {held.value:.1f} ± "
            f"{held.se:.1f} %."
        )
        parts.append((n, width, held))
    wanted, sure = 100 * p.width, 100 * p.confidence
    checks = [
        Claim(
            f"The mean width on as many test cases as asked for is at most a tenth above the {wanted:g} points wanted.",
            [below(f"from {n}", width, 1.1 * wanted, "points", 1, "") for n, width, _ in parts],
        ).check(),
        Claim(
            f"That interval holds the error of the classifier as often as it says, within {_SLACK - 2:g} points.",
            [within(f"from {n}", held, _SLACK - 2, "%", sure, 1, "") for n, _, held in parts],
        ).check(),
    ]
    return ArtifactResult(rows, checks=checks, findings=words)
