"""What holds of the benchmark's recommendations on samples smaller than any that it drew.

The largest comparison of such intervals (Schulz-Kuempel et al., arXiv 2409.18836) starts at
n = 100 and recommends the corrected resampled t, the conservative z and nested cross-validation.
"""

from __future__ import annotations

from collections.abc import Sequence

from errorest.papers.guide.coverage import (
    RECOMMENDED,
    TARGETS,
    TITLES,
    Coverage,
    CoverageParameters,
    Group,
    covered,
    of_cases,
)
from errorest.papers.guide.coverage_tables import percent
from errorest.papers.regenerated import Check, Regenerated, Row, Run

__all__ = ["BENCHMARK_FROM", "benchmark"]

BENCHMARK_FROM = 100
"""The smallest samples of the benchmark."""


def benchmark(p: CoverageParameters, run: Run) -> Regenerated:
    """The recommended intervals, cell by cell: how many fall short of the nominal share, and where.

    A cell falls short if its coverage, and Wilson's upper limit of it, lies below the nominal
    share by more than ``slack``.

    Returns
    -------
    Regenerated
        Own rows: ``cells-short-<target>/<interval>`` by ``<n>-cases``, counts, and ``of-all-cells/<interval>``.
    """
    found = covered(p, run)
    rows = []
    short = found.cells[found.cells["high"] < p.confidence - p.slack]
    for target in TARGETS:
        for method in found.methods:
            for n in p.sizes:
                if found.keys(method, target, [n]):
                    own = short[(short["target"] == target) & (short["method"] == method) & (short["n"] == n)]
                    rows.append(
                        Row(
                            "literal",
                            f"cells-short-{target}/{method}",
                            of_cases(n),
                            float(len(own)),
                            0.0,
                            p.repetitions,
                        )
                    )
    first = next(iter(TARGETS))
    for method in found.methods:
        for n in p.sizes:
            count = len(found.keys(method, first, [n]))
            if count:
                rows.append(Row("literal", f"of-all-cells/{method}", of_cases(n), float(count), 0.0, p.repetitions))
    small = [n for n in p.sizes if n < BENCHMARK_FROM]
    large = [n for n in p.sizes if n >= BENCHMARK_FROM]
    checks = []
    for target in TARGETS:
        checks += [
            _enough(p, found, target, small),
            _everywhere(p, found, target, small),
            _alone(p, found, target, small),
        ]
    checks.append(_conservative(p, found, small))
    return Regenerated(
        rows,
        checks=checks,
        findings=[
            "Where the benchmark went itself, "
            + "; ".join(f"for {TARGETS[t]}: {_listed(found, t, large)}" for t in TARGETS)
            + "."
        ],
    )


def _reaches(p: CoverageParameters, group: Group) -> bool:
    """Whether a mean is not short of the nominal share by more than ``slack``, two standard errors allowed."""
    return group.mean.value + 2 * group.mean.se >= p.confidence - p.slack


def _groups(found: Coverage, method: str, target: str, sizes: Sequence[int]) -> dict[int, Group]:
    return {n: group for n in sizes if (group := found.at(method, target, n)) is not None}


def _listed(found: Coverage, target: str, sizes: Sequence[int]) -> str:
    parts = []
    for method in RECOMMENDED:
        groups = _groups(found, method, target, sizes)
        if groups:
            at = ", ".join(f"{percent(g.mean.value, g.mean.se)} at n = {n}" for n, g in groups.items())
            parts.append(f"{TITLES[method]} {at}")
    return ", ".join(parts) or "none was made"


def _outcome(held: Sequence[bool]) -> str:
    if not held:
        return "not decided"
    return "holds" if all(held) else "holds in part" if any(held) else "fails"


def _enough(p: CoverageParameters, found: Coverage, target: str, sizes: Sequence[int]) -> Check:
    held = [_reaches(p, g) for m in RECOMMENDED for g in _groups(found, m, target, sizes).values()]
    return Check(
        f"Below n = {BENCHMARK_FROM} the recommended intervals hold {TARGETS[target]} as often as they say, on average.",
        f"{_listed(found, target, sizes)}; within {100 * p.slack:g} points of {percent(p.confidence)}, or above: "
        f"{sum(held)} of {len(held)}",
        _outcome(held),  # type: ignore[arg-type]
    )


def _everywhere(p: CoverageParameters, found: Coverage, target: str, sizes: Sequence[int]) -> Check:
    held, said = [], []
    for method in RECOMMENDED:
        keys = found.keys(method, target, sizes)
        if keys:
            own = found.cells
            own = own[(own["method"] == method) & (own["target"] == target) & own["n"].isin(sizes)]
            short = int((own["high"] < p.confidence - p.slack).sum())
            group = found.mean(keys)
            held.append(short == 0)
            said.append(
                f"{TITLES[method]} falls short in {short} of {len(keys)}, worst with {group.worst.inducer} on "
                f"{group.worst.population} at n = {group.worst.n} ({percent(group.least)})"
            )
    return Check(
        f"They do so for {TARGETS[target]} with every inducer and in every population.",
        "; ".join(said) or "none was made",
        _outcome(held),  # type: ignore[arg-type]
    )


def _alone(p: CoverageParameters, found: Coverage, target: str, sizes: Sequence[int]) -> Check:
    equal, others = [], 0
    for method in found.methods:
        groups = _groups(found, method, target, sizes)
        if method in RECOMMENDED or len(groups) < len(sizes) or not groups:
            continue
        others += 1
        if all(_reaches(p, g) for g in groups.values()):
            least = min(g.mean.value for g in groups.values())
            equal.append(f"{TITLES[method]} (at least {percent(least)}, {_width(found, method, sizes)})")
    three = ", ".join(f"{TITLES[m]} {_width(found, m, sizes)}" for m in RECOMMENDED if _groups(found, m, target, sizes))
    return Check(
        f"Below n = {BENCHMARK_FROM} no other interval reaches the nominal share for {TARGETS[target]}.",
        f"of {others} others that were made at all these sizes, these do: {'; '.join(equal) or 'none'}. Beside them: "
        f"{three or 'none was made'}",
        "not decided" if not others else "fails" if equal else "holds",
    )


def _width(found: Coverage, method: str, sizes: Sequence[int]) -> str:
    own = found.cells
    own = own[(own["method"] == method) & (own["target"] == next(iter(TARGETS))) & own["n"].isin(sizes)]
    return f"{100 * float(own['width'].mean()):.0f} points wide"


def _conservative(p: CoverageParameters, found: Coverage, sizes: Sequence[int]) -> Check:
    """Judge the name of the conservative z, by the target that it aims at."""
    groups = _groups(found, "conservative-z", "the-procedure", sizes)
    held = [g.mean.value + 2 * g.mean.se >= p.confidence for g in groups.values()]
    spread = ", ".join(f"{percent(g.mean.value, g.mean.se)} at n = {n}" for n, g in groups.items())
    return Check(
        f"Below n = {BENCHMARK_FROM} the conservative z lives up to its name: it holds {TARGETS['the-procedure']} more "
        "often than it says.",
        spread or "it was not made",
        _outcome(held),  # type: ignore[arg-type]
    )
