"""Tables of the coverage study: coverage, width, a close-up of small samples, intervals without width, what was run."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd

from errorest.estimation.intervals import fits_of
from errorest.evidence.regenerated import Regenerated, Row, Run
from errorest.guide.coverage.artifacts import (
    RECOMMENDED,
    TARGETS,
    TITLES,
    Coverage,
    CoverageParameters,
    covered,
    laid_out,
    of_cases,
)
from errorest.guide.coverage.designs import METHODS, LeftOut, inducer_named
from errorest.guide.coverage.populations import NORMALS, POPULATIONS, normal_population, population_named
from errorest.streams import Streams

__all__ = ["CLOSE_UP", "close_up", "coverage_map", "degenerate", "how_it_was_run", "percent", "widths"]

_READING = "literal"


class _Setting(NamedTuple):
    """The settings of an interval at one size; no id where it is left out."""

    method: str
    n: int
    interval: str
    classifiers: int


CLOSE_UP = (*RECOMMENDED, "holdout-Wilson", "10-fold-CV-Wald", "out-of-bag", ".632+")
"""What the close-up shows: the recommended three and what people use instead."""


def percent(share: float, se: float | None = None) -> str:
    """Write a proportion in percent, with two standard errors where one is given.

    Examples
    --------
    >>> percent(0.934, 0.002)
    '93.4 ± 0.4 %'
    """
    return f"{100 * share:.1f} %" if se is None else f"{100 * share:.1f} ± {200 * se:.1f} %"


def coverage_map(p: CoverageParameters, run: Run) -> Regenerated:
    """Coverage of every interval by sample size, for both targets: mean over the cells, and the worst cell (percent).

    Returns
    -------
    Regenerated
        Own rows: ``<target>/<interval>`` and ``worst-cell-<target>/<interval>`` by ``<n>-cases``.  Data
        ``cells`` (every cell with Wilson's limits) and ``map``.
    """
    found = covered(p, run)
    rows, worst, table = [], [], []
    for target in TARGETS:
        for method in found.methods:
            for n in p.sizes:
                group = found.at(method, target, n)
                if group is None:
                    continue
                m = group.mean
                rows.append(Row(_READING, f"{target}/{method}", of_cases(n), 100 * m.value, 100 * m.se, m.n))
                se = sqrt(group.least * (1 - group.least) / p.repetitions)
                worst.append(
                    Row(
                        _READING,
                        f"worst-cell-{target}/{method}",
                        of_cases(n),
                        100 * group.least,
                        100 * se,
                        p.repetitions,
                    )
                )
                table.append(
                    {
                        "target": target,
                        "method": method,
                        "n": n,
                        "coverage": m.value,
                        "se": m.se,
                        "cells": group.cells,
                        "worst": group.least,
                        "worst_population": group.worst.population,
                        "worst_inducer": group.worst.inducer,
                    }
                )
    frame = pd.DataFrame(table)
    return Regenerated(
        rows + worst, {"cells": found.cells, "map": frame}, findings=[*_extremes(p, frame), _unlike(p, frame)]
    )


def _extremes(p: CoverageParameters, table: pd.DataFrame) -> list[str]:
    """Name, for each target, the intervals nearest to and farthest from the nominal share, by size."""
    said = []
    for target, words in TARGETS.items():
        parts = []
        for n in p.sizes:
            own = table[(table["target"] == target) & (table["n"] == n)]
            distance = (own["coverage"] - p.confidence).abs().to_numpy()
            near, far = (own.iloc[int(place)] for place in (distance.argmin(), distance.argmax()))
            parts.append(
                f"at n = {n} {TITLES[near['method']]} ({percent(near['coverage'], near['se'])}) is nearest and "
                f"{TITLES[far['method']]} ({percent(far['coverage'], far['se'])}) farthest"
            )
        said.append(f"For {words}, against {percent(p.confidence)}: {'; '.join(parts)}.")
    return said


def _unlike(p: CoverageParameters, table: pd.DataFrame) -> str:
    counts = {n: int(table.loc[table["n"] == n, "cells"].max()) for n in p.sizes}
    text = ", ".join(f"{c} at n = {n}" for n, c in counts.items())
    if len(set(counts.values())) > 1:
        return (
            f"Cells (a population with an inducer) behind a mean: {text}. A row therefore compares unlike sets of "
            "cells where these numbers differ."
        )
    return f"Cells (a population with an inducer) behind a mean: {text}."


def widths(p: CoverageParameters, run: Run) -> Regenerated:
    """Mean width of the intervals (points), and as a multiple of the binomial width of n independent tests.

    Returns
    -------
    Regenerated
        Own rows: ``points/<interval>`` and ``multiple-of-binomial/<interval>`` by ``<n>-cases``.  Data ``widths``.
    """
    found = covered(p, run)
    cells = found.cells[(found.cells["target"] == next(iter(TARGETS))) & found.cells["width"].notna()]
    rows, multiples, table = [], [], []
    for method in found.methods:
        for n in p.sizes:
            own = cells[(cells["method"] == method) & (cells["n"] == n)]
            if not len(own):
                continue
            w, b = own["width"].to_numpy(), own["binomial"].to_numpy()
            ratio = float(w.mean() / b.mean())
            count = int(own["samples"].sum())
            # inducers share samples: their errors are added up as if they moved together, which is the most they can
            se = float(np.sqrt((own.groupby("population")["width_se"].sum() ** 2).sum())) / len(own)
            rows.append(Row(_READING, f"points/{method}", of_cases(n), 100 * float(w.mean()), 100 * se, count))
            multiples.append(
                Row(_READING, f"multiple-of-binomial/{method}", of_cases(n), ratio, se / float(b.mean()), count)
            )
            table.append({"method": method, "n": n, "width": float(w.mean()), "multiple": ratio, "cells": len(own)})
    frame = pd.DataFrame(table)
    return Regenerated(rows + multiples, {"widths": frame}, findings=[_width_words(p, frame)])


def _width_words(p: CoverageParameters, table: pd.DataFrame) -> str:
    parts = []
    for n in p.sizes:
        own = table[table["n"] == n]
        low, high = (own.iloc[int(f(own["multiple"].to_numpy()))] for f in (np.nanargmin, np.nanargmax))
        three = ", ".join(
            f"{TITLES[r['method']]} {r['multiple']:.2f}" for _, r in own.iterrows() if r["method"] in RECOMMENDED
        )
        parts.append(
            f"n = {n}: narrowest {TITLES[low['method']]} {low['multiple']:.2f}, widest {TITLES[high['method']]} "
            f"{high['multiple']:.2f}" + (f" ({three})" if three else "")
        )
    return (
        "Width as a multiple of the binomial one (Wald's for n independent tests of a classifier of the same error): "
        f"{'; '.join(parts)}."
    )


def close_up(p: CoverageParameters, run: Run) -> Regenerated:
    """Coverage by population and inducer of the recommended intervals and some others, at small sizes (percent).

    Returns
    -------
    Regenerated
        Own rows: ``<population>-at-<n>/<inducer>`` by interval, for the error of this classifier.  Data
        ``cells``, for both targets.
    """
    found = covered(p, run)
    shown = [m for m in CLOSE_UP if m in found.methods]
    cells = found.cells[found.cells["n"].isin(p.close_up) & found.cells["method"].isin(shown)]
    first = next(iter(TARGETS))
    own = cells[cells["target"] == first].copy()
    own["place"] = own["n"].map(p.close_up.index)
    rows = [
        Row(
            _READING,
            f"{c['population']}-at-{c['n']}/{c['inducer']}",
            c["method"],
            100 * c["coverage"],
            100 * sqrt(c["coverage"] * (1 - c["coverage"]) / c["samples"]),
            int(c["samples"]),
        )
        for _, c in own.sort_values("place", kind="stable").iterrows()
    ]
    said = []
    for n in p.close_up:
        parts = []
        for method in [m for m in shown if m in RECOMMENDED]:
            keys = found.keys(method, first, [n])
            if keys:
                group = found.mean(keys)
                short = sum(found.hits[k].mean() < p.confidence - p.slack for k in keys)
                parts.append(
                    f"{TITLES[method]} {percent(group.mean.value, group.mean.se)}, short by more than "
                    f"{100 * p.slack:g} points in {short} of {len(keys)} cells, worst with {group.worst.inducer} on "
                    f"{group.worst.population} ({percent(group.least)})"
                )
        said.append(f"n = {n}, {TARGETS[first]}: {'; '.join(parts) or 'none of the recommended intervals was made'}.")
    return Regenerated(rows, {"cells": cells}, findings=said)


def degenerate(p: CoverageParameters, run: Run) -> Regenerated:
    """Share of intervals without width, and of samples on which an interval is undefined (percent).

    Returns
    -------
    Regenerated
        Own rows: ``no-width/<interval>`` and ``undefined/<interval>`` by ``<n>-cases``; intervals that never
        are either are left out.  Data ``cells``.
    """
    found = covered(p, run)
    cells = found.cells[found.cells["target"] == next(iter(TARGETS))]
    rows = []
    for column, name in (("degenerate", "no-width"), ("undefined", "undefined")):
        for method in found.methods:
            own = cells[cells["method"] == method]
            if not (own[column] > 0).any():
                continue
            for n in p.sizes:
                at = own[own["n"] == n]
                if len(at):
                    q, r = at[column].to_numpy(), at["samples"].to_numpy()
                    se = float(np.sqrt((q * (1 - q) / r).sum())) / len(at)
                    rows.append(
                        Row(
                            _READING,
                            f"{name}/{method}",
                            of_cases(n),
                            100 * float(q.mean()),
                            100 * se,
                            int(r.sum()),
                        )
                    )
    kept = ["population", "inducer", "n", "method", "interval", "degenerate", "undefined", "error", "samples"]
    return Regenerated(rows, {"cells": cells[kept]}, findings=_degenerate_words(p, found, cells))


def _degenerate_words(p: CoverageParameters, found: Coverage, cells: pd.DataFrame) -> list[str]:
    clean = [
        TITLES[m]
        for m in found.methods
        if not (cells.loc[cells["method"] == m, ["degenerate", "undefined"]] > 0).any(axis=None)
    ]
    said = [f"Never without width and never undefined in any cell: {', '.join(clean) or 'no interval'}."]
    if (cells["degenerate"] > 0).any():
        worst = cells.iloc[int(cells["degenerate"].to_numpy().argmax())]
        by = cells.groupby("inducer", sort=False)["degenerate"].mean().sort_values(ascending=False, kind="stable")
        said.append(
            f"Most often without width: {TITLES[worst['method']]} with {worst['inducer']} on {worst['population']} at "
            f"n = {worst['n']}, {percent(worst['degenerate'])} of the samples. By inducer, over all intervals and "
            f"sizes: {', '.join(f'{name} {percent(share)}' for name, share in by.items())}."
        )
    return said


def how_it_was_run(p: CoverageParameters, run: Run) -> Regenerated:
    """What was run and what was left out, with the reason, and how exact the true errors are.

    Returns
    -------
    Regenerated
        Own rows: ``classifiers-of-a-sample/<interval>`` and ``left-out-for-cost/<interval>`` (classifiers that
        it would have taken) by ``<n>-cases``; ``<population>/<inducer>``: samples drawn, 0 where left out.
        Data ``left-out``, ``settings``.
    """
    cells, left_out = laid_out(p)
    ids = {c.n: c.methods for c in cells}
    rows, missing = [], []
    settings: list[_Setting] = []
    for method, texts in METHODS.items():
        for n in p.sizes:
            text = ids.get(n, {}).get(method, "")
            made = fits_of([text or texts[-1]], n)
            group = "classifiers-of-a-sample" if text else "left-out-for-cost"
            rows.append(Row(_READING, f"{group}/{method}", of_cases(n), float(made), 0.0, 1))
            settings.append(_Setting(method, n, text, made))
    rows.sort(key=lambda r: r.row.startswith("left-out"))
    run_of = {(c.population, c.inducer, c.n) for c in cells}
    for name in p.populations:
        for inducer in p.inducers:
            for n in p.sizes:
                drawn = p.repetitions if (name, inducer, n) in run_of else 0
                missing.append(Row(_READING, f"{name}/{inducer}", of_cases(n), float(drawn), 0.0, 1))
    return Regenerated(
        rows + missing,
        {
            "left-out": pd.DataFrame(left_out, columns=list(LeftOut._fields)),
            "settings": pd.DataFrame(settings, columns=list(_Setting._fields)),
            "populations": pd.DataFrame(
                [(name, POPULATIONS[name][1]) for name in p.populations], columns=["population", "what it is"]
            ),
        },
        findings=[
            "Populations: " + "; ".join(f"*{name}*: {POPULATIONS[name][1]}" for name in p.populations) + ".",
            *_reasons(p, settings, left_out),
            *_integration(p),
        ],
    )


def _reasons(p: CoverageParameters, settings: list[_Setting], left_out: list[LeftOut]) -> list[str]:
    """Say what was left out and why, a sentence a reason."""
    by_size = {n: [TITLES[s.method] for s in settings if s.n == n and not s.interval] for n in p.sizes}
    said = [
        f"Left out because each would train on more than {p.most_trained:,} cases of a sample (`most_trained`): "
        + ("; ".join(f"n = {n}: {', '.join(names)}" for n, names in by_size.items() if names) or "nothing")
        + "."
    ]
    reduced = sorted({s.interval for s in settings if s.interval and s.interval != METHODS[s.method][0]})
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


def _integration(p: CoverageParameters) -> list[str]:
    """Compare the numerical true errors with ones of sixteen times the points, on a few samples."""
    names = [name for name in p.populations if name in NORMALS]
    differences, samples, n = [], 3, max(p.close_up)
    for name in names:
        coarse, fine = population_named(name), normal_population(name, NORMALS[name](), 15)
        for number in range(samples):
            sample = coarse.draw(n, Streams(p.seed).child("guide-integration", name, number).generator("sample"))
            for text in p.inducers:
                inducer = inducer_named(text, coarse)
                differences.append(100 * (coarse.error(inducer, sample) - fine.error(inducer, sample)))
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
