"""Tables of the coverage study: coverage, width, a close-up of small samples, intervals without width, what was run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.coverage.experiment import (
    METHODS,
    RECOMMENDED,
    Cell,
    LeftOut,
    settings_at,
)
from compendium.guide.coverage.figures import CLOSE_UP, draw_close_up, draw_map, draw_widths
from compendium.guide.coverage.own_inducers import CoverageParameters, illegal, laid_out, made_for
from compendium.guide.coverage.populations import NORMALS, normal_population, population_named
from compendium.guide.coverage.results import FIRST, Coverage, by_size, covered, percent, share
from compendium.guide.names import INTERVALS, POPULATIONS, TARGETS
from errorest.estimation.intervals import fits_of
from errorest.streams import Streams

__all__ = ["close_up", "coverage_map", "degenerate", "how_it_was_run", "widths"]


@artifact("guide-coverage-map", draw=draw_map, matrix=True)
def coverage_map(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage of every interval by sample size, for both targets: mean over the cells and worst cell, in percent."""
    found = covered(p, run)
    groups = list(found.groups(p.sizes))
    rows = [by_size(f"{target}/{method}", n, group.mean * 100) for target, method, n, group in groups]
    rows += [
        by_size(f"worst-cell-{target}/{method}", n, share(group.least, p.repetitions) * 100)
        for target, method, n, group in groups
    ]
    table = pd.DataFrame(
        {
            "target": target,
            "method": method,
            "n": n,
            "coverage": group.mean.value,
            "se": group.mean.se,
            "cells": group.cells,
            "worst": group.least,
            "worst_population": group.worst.population,
            "worst_inducer": group.worst.inducer,
        }
        for target, method, n, group in groups
    )
    return ArtifactResult(
        rows, {"cells": found.cells, "map": table}, findings=[*_extremes(p, table), _behind_a_mean(p, table)]
    )


def _extremes(p: CoverageParameters, table: pd.DataFrame) -> list[str]:
    """Name, for each target, the intervals nearest to and farthest from the nominal share, by size."""
    said = []
    for target, named in TARGETS.items():
        parts = []
        for n in p.sizes:
            own = table[(table["target"] == target) & (table["n"] == n)]
            distance = (own["coverage"] - p.confidence).abs().to_numpy()
            near, far = (
                f"{INTERVALS[one['method']]} "
                f"({percent(Estimate(one['coverage'], one['se'], int(one['cells']) * p.repetitions))})"
                for one in (own.iloc[int(place)] for place in (distance.argmin(), distance.argmax()))
            )
            parts.append(f"at n = {n} {near} is nearest and {far} farthest")
        said.append(f"For {named.words}, against {percent(p.confidence)}: {'; '.join(parts)}.")
    return said


def _behind_a_mean(p: CoverageParameters, table: pd.DataFrame) -> str:
    counts = {n: int(table.loc[table["n"] == n, "cells"].max()) for n in p.sizes}
    text = ", ".join(f"{c} at n = {n}" for n, c in counts.items())
    unlike = " A row therefore compares unlike sets of cells where these numbers differ."
    return f"Cells (a population with an inducer) behind a mean: {text}." + unlike * (len(set(counts.values())) > 1)


@artifact("guide-coverage-width", draw=draw_widths, matrix=True)
def widths(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Mean width of the intervals (points), and as a multiple of the binomial width of n independent tests."""
    found = covered(p, run)
    cells = found.cells[(found.cells["target"] == FIRST) & found.cells["width"].notna()]
    rows, multiples, table = [], [], []
    for method in found.methods:
        for n in p.sizes:
            own = cells[(cells["method"] == method) & (cells["n"] == n)]
            if not len(own):
                continue
            width, binomial = float(own["width"].to_numpy().mean()), float(own["binomial"].to_numpy().mean())
            count = int(own["samples"].sum())
            # inducers share samples: their errors are added up as if they moved together, which is the most they can
            se = float(np.sqrt((own.groupby("population")["width_se"].sum() ** 2).sum())) / len(own)
            rows.append(by_size(f"points/{method}", n, Estimate(width, se, count) * 100))
            multiple = Estimate(width / binomial, se / binomial, count)
            multiples.append(by_size(f"multiple-of-binomial/{method}", n, multiple))
            table.append({"method": method, "n": n, "width": width, "multiple": multiple.value, "cells": len(own)})
    frame = pd.DataFrame(table)
    return ArtifactResult(rows + multiples, {"widths": frame}, findings=[_width_words(p, frame)])


def _width_words(p: CoverageParameters, table: pd.DataFrame) -> str:
    parts = []
    for n in p.sizes:
        known = table[(table["n"] == n) & table["multiple"].notna()]
        multiples = dict(zip(known["method"], known["multiple"], strict=True))
        low, high = min(multiples, key=lambda m: multiples[m]), max(multiples, key=lambda m: multiples[m])
        three = ", ".join(f"{INTERVALS[m]} {value:.2f}" for m, value in multiples.items() if m in RECOMMENDED)
        parts.append(
            f"n = {n}: narrowest {INTERVALS[low]} {multiples[low]:.2f}, widest {INTERVALS[high]} {multiples[high]:.2f}"
            + (f" ({three})" if three else "")
        )
    return (
        "Width as a multiple of the binomial one (Wald's for n independent tests of a classifier of the same error): "
        f"{'; '.join(parts)}."
    )


@artifact("guide-coverage-close-up", draw=draw_close_up, matrix=True)
def close_up(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage by population and inducer of the recommended intervals and some others, at small sizes (percent)."""
    found = covered(p, run)
    shown = [m for m in CLOSE_UP if m in found.methods]
    cells = found.cells[found.cells["n"].isin(p.close_up) & found.cells["method"].isin(shown)]
    own = cells[cells["target"] == FIRST]
    rows = [
        Row.of("literal", f"{c['population']}-at-{n}/{c['inducer']}", c["method"], _coverage_of(c) * 100)
        for n in p.close_up
        for _, c in own[own["n"] == n].iterrows()
    ]
    return ArtifactResult(rows, {"cells": cells}, findings=[_close_up_words(p, found, n) for n in p.close_up])


def _coverage_of(cell: pd.Series) -> Estimate:
    return share(cell["coverage"], int(cell["samples"]))


def _close_up_words(p: CoverageParameters, found: Coverage, n: int) -> str:
    parts = []
    for method in RECOMMENDED:
        keys = found.keys(method, FIRST, [n])
        if keys:
            group = found.mean(keys)
            short = sum(found.hits[k].mean() < p.confidence - p.slack for k in keys)
            parts.append(
                f"{INTERVALS[method]} {percent(group.mean)}, short by more than {100 * p.slack:g} points in {short} of "
                f"{len(keys)} cells, worst with {group.worst.inducer} on {group.worst.population} "
                f"({percent(group.least)})"
            )
    return f"n = {n}, {TARGETS[FIRST].words}: {'; '.join(parts) or 'none of the recommended intervals was made'}."


@artifact("guide-coverage-degenerate", matrix=True)
def degenerate(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Share of intervals without width, and of samples on which an interval is undefined (percent)."""
    found = covered(p, run)
    cells = found.cells[found.cells["target"] == FIRST]
    rows = []
    for column, name in (("degenerate", "no-width"), ("undefined", "undefined")):
        for method in found.methods:
            own = cells[cells["method"] == method]
            if not (own[column] > 0).any():
                continue
            for n in (n for n in p.sizes if (own["n"] == n).any()):
                q, r = (own.loc[own["n"] == n, c].to_numpy() for c in (column, "samples"))
                se = float(np.sqrt((q * (1 - q) / r).sum())) / len(q)
                rows.append(by_size(f"{name}/{method}", n, Estimate(float(q.mean()), se, int(r.sum())) * 100))
    kept = ["population", "inducer", "n", "method", "interval", "degenerate", "undefined", "error", "samples"]
    return ArtifactResult(rows, {"cells": cells[kept]}, findings=_degenerate_words(found, cells))


def _degenerate_words(found: Coverage, cells: pd.DataFrame) -> list[str]:
    ever = set(cells.loc[(cells[["degenerate", "undefined"]] > 0).any(axis=1), "method"])
    clean = ", ".join(INTERVALS[m] for m in found.methods if m not in ever)
    said = [f"Never without width and never undefined in any cell: {clean or 'no interval'}."]
    if (cells["degenerate"] > 0).any():
        worst = cells.iloc[int(cells["degenerate"].to_numpy().argmax())]
        by = cells.groupby("inducer", sort=False)["degenerate"].mean().sort_values(ascending=False, kind="stable")
        said.append(
            f"Most often without width: {INTERVALS[worst['method']]} with {worst['inducer']} on {worst['population']} "
            f"at n = {worst['n']}, {percent(worst['degenerate'])} of the samples. By inducer, over all intervals and "
            f"sizes: {', '.join(f'{name} {percent(part)}' for name, part in by.items())}."
        )
    return said


class _Setting(NamedTuple):
    """The settings of an interval at one size; no id where it is left out."""

    method: str
    n: int
    interval: str
    classifiers: int


@artifact("guide-coverage-run", matrix=True)
def how_it_was_run(p: CoverageParameters, run: Run) -> ArtifactResult:
    """What was run and what was left out, with the reason, and how exact the true errors are."""
    cells, left_out = laid_out(p)
    ids = {(method, c.n): text for c in cells for method, text in c.methods.items()}
    settings = []
    for method in METHODS:
        for n in p.sizes:
            text = ids.get((method, n), "")
            settings.append(_Setting(method, n, text, fits_of([text or settings_at(method, n)[-1]], n)))
    rows = [
        by_size(f"{group}/{s.method}", s.n, Estimate(float(s.classifiers), 0.0, 1))
        for group, is_made in (("classifiers-of-a-sample", True), ("left-out-for-cost", False))
        for s in settings
        if bool(s.interval) == is_made
    ]
    run_of = {(c.population, c.inducer, c.n) for c in cells}
    rows += [
        by_size(f"{name}/{inducer}", n, Estimate(float(p.repetitions * ((name, inducer, n) in run_of)), 0.0, 1))
        for name in p.populations
        for inducer in p.inducers
        for n in p.sizes
    ]
    named = [(name, POPULATIONS[name]) for name in p.populations]
    return ArtifactResult(
        rows,
        {
            "left-out": pd.DataFrame(left_out, columns=list(LeftOut._fields)),
            "settings": pd.DataFrame(settings, columns=list(_Setting._fields)),
            "populations": pd.DataFrame(named, columns=["population", "what it is"]),
        },
        findings=[
            "Populations: " + "; ".join(f"*{name}*: {words}" for name, words in named) + ".",
            *_reasons(p, settings, left_out),
            *_bootstraps(p, cells),
            *_integration(p),
        ],
    )


def _reasons(p: CoverageParameters, settings: list[_Setting], left_out: list[LeftOut]) -> list[str]:
    """Say what was left out and why, a sentence a reason."""
    by_size = {n: [INTERVALS[s.method] for s in settings if s.n == n and not s.interval] for n in p.sizes}
    said = [
        f"Left out because each would train on more than {p.most_trained:,} cases of a sample (`most_trained`): "
        + ("; ".join(f"n = {n}: {', '.join(names)}" for n, names in by_size.items() if names) or "nothing")
        + "."
    ]
    reduced = sorted({s.interval for s in settings if s.interval and s.interval != settings_at(s.method, s.n)[0]})
    if reduced:
        said.append(
            f"With fewer repeats than usual, for the same reason: {', '.join(f'`{text}`' for text in reduced)}."
        )
    for kind, words in (("illegal", "Not legal"), ("cost", "Left out for their cost")):
        reasons: dict[str, dict[str, set[str]]] = {}
        for one in left_out:
            if one.kind == kind:
                reasons.setdefault(one.reason, {}).setdefault(one.population, set()).add(one.inducer)
        for reason, where in reasons.items():
            text = "; ".join(
                f"{name}: {', '.join(i for i in p.inducers if i in those)}" for name, those in where.items()
            )
            said.append(f"{words} ({reason}): {text}.")
    return said


def _bootstraps(p: CoverageParameters, cells: list[Cell]) -> list[str]:
    """Say in how many cells the intervals of bootstrap samples were made, where not in all."""
    made = {n: [".632+" in c.methods for c in cells if c.n == n] for n in p.sizes}
    parts = [f"{sum(of)} of {len(of)} cells at n = {n}" for n, of in made.items() if not all(of)]
    if not parts:
        return []
    told = (
        "Out-of-bag and .632+ intervals, both forms, where the classifiers of a sample take at most "
        f"{p.bootstrap_cost:g} ms by a rough count (`bootstrap_cost`): {', '.join(parts)}."
    )
    return [told]


def _integration(p: CoverageParameters) -> list[str]:
    """Compare the numerical true errors with ones of sixteen times the points, on a few samples."""
    names = [name for name in p.populations if name in NORMALS]
    differences, samples, n = [], 3, max(p.close_up)
    for name in names:
        coarse, fine = population_named(name), normal_population(NORMALS[name](), 15)
        for number in range(samples):
            sample = coarse.sample(n, Streams(p.seed).child("guide-integration", name, number).generator("sample"))
            legal = [inducer for inducer in p.inducers if not illegal(name, inducer)]
            classifiers = [made_for(i, coarse).fit(sample, np.random.default_rng(p.seed)) for i in legal]
            differences += [100 * (coarse.true_error(c) - fine.true_error(c)) for c in classifiers]
    if not names:
        return ["All true errors are exact."]
    spread = float(np.sqrt(np.mean(np.square(differences))))
    return [
        (
            f"True errors are exact but on {', '.join(names)}, where they are numerical integrals. On {samples} "
            f"samples of {n} cases of each, sixteen times the points move them by {spread:.3f} points (root mean "
            f"square), at most by {np.abs(differences).max():.3f}."
        )
    ]
