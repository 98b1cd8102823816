"""What holds of the benchmark's recommendations on samples smaller than any that it drew.

The largest comparison of such intervals (Schulz-Kuempel et al., arXiv 2409.18836) starts at
n = 100 and recommends the corrected resampled t, the conservative z and nested cross-validation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.guide.coverage.artifacts import (
    RECOMMENDED,
    TARGETS,
    TITLES,
    Coverage,
    CoverageParameters,
    Group,
    covered,
    of_cases,
)
from errorest.guide.coverage.tables import percent

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
            *_by_inducer(p, found, small),
            "Where the benchmark went itself, "
            + "; ".join(f"for {TARGETS[t]}: {_listed(found, t, large)}" for t in TARGETS)
            + ".",
        ],
    )


def _reaches(share: float, group: Group) -> bool | None:
    """Whether a mean coverage is at least a share; None where it is within two standard errors of it."""
    distance = group.mean.value - share
    return None if abs(distance) < 2 * group.mean.se else distance >= 0


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


def _outcome(held: Sequence[bool | None]) -> Literal["holds", "fails", "holds in part", "not decided"]:
    if True in held and False in held:
        return "holds in part"
    if None in held or not held:
        return "not decided"
    return "holds" if True in held else "fails"


def _enough(p: CoverageParameters, found: Coverage, target: str, sizes: Sequence[int]) -> Check:
    least = p.confidence - p.slack
    held = [_reaches(least, g) for m in RECOMMENDED for g in _groups(found, m, target, sizes).values()]
    return Check(
        f"Below n = {BENCHMARK_FROM} the recommended intervals hold {TARGETS[target]} as often as they say, on "
        "average.",
        f"{_listed(found, target, sizes)}; at least {percent(least)}: {held.count(True)} of {len(held)}, less: "
        f"{held.count(False)}, within two standard errors of it: {held.count(None)}",
        _outcome(held),
    )


def _everywhere(p: CoverageParameters, found: Coverage, target: str, sizes: Sequence[int]) -> Check:
    held: list[bool | None] = []
    said = []
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
        f"Below n = {BENCHMARK_FROM} the recommended intervals hold {TARGETS[target]} so with every inducer and in "
        "every population.",
        "; ".join(said) or "none was made",
        _outcome(held),
    )


def _alone(p: CoverageParameters, found: Coverage, target: str, sizes: Sequence[int]) -> Check:
    equal: list[str] = []
    verdicts: list[bool | None] = []
    for method in found.methods:
        groups = _groups(found, method, target, sizes)
        if method in RECOMMENDED or len(groups) < len(sizes) or not groups:
            continue
        held = [_reaches(p.confidence - p.slack, g) for g in groups.values()]
        verdicts.append(False if False in held else None if None in held else True)
        if verdicts[-1]:
            least = min(g.mean.value for g in groups.values())
            equal.append(f"{TITLES[method]} (at least {percent(least)}, {_width(found, method, sizes)})")
    three = ", ".join(f"{TITLES[m]} {_width(found, m, sizes)}" for m in RECOMMENDED if _groups(found, m, target, sizes))
    return Check(
        f"Below n = {BENCHMARK_FROM} no other interval reaches the nominal share for {TARGETS[target]}.",
        f"of {len(verdicts)} others that were made at all these sizes, these do: {'; '.join(equal) or 'none'}. "
        f"Beside them: {three or 'none was made'}",
        "fails" if equal else "not decided" if None in verdicts or not verdicts else "holds",
    )


def _width(found: Coverage, method: str, sizes: Sequence[int]) -> str:
    own = found.cells
    own = own[(own["method"] == method) & (own["target"] == next(iter(TARGETS))) & own["n"].isin(sizes)]
    return f"{100 * float(own['width'].mean()):.0f} points wide"


def _by_inducer(p: CoverageParameters, found: Coverage, sizes: Sequence[int]) -> list[str]:
    """Take the averages apart by inducer, since a single one can spoil them."""
    said = []
    for target, words in TARGETS.items():
        parts = []
        for inducer in p.inducers:
            keys = {m: [k for k in found.keys(m, target, sizes) if k.inducer == inducer] for m in RECOMMENDED}
            means = {m: found.mean(own).mean for m, own in keys.items() if own}
            if means:
                parts.append(
                    f"{inducer} " + ", ".join(f"{TITLES[m]} {percent(v.value, v.se)}" for m, v in means.items())
                )
        if parts:
            said.append(f"Below n = {BENCHMARK_FROM} by inducer, for {words}: {'; '.join(parts)}.")
    return said


def _conservative(p: CoverageParameters, found: Coverage, sizes: Sequence[int]) -> Check:
    """Judge the name of the conservative z, by the target that it aims at."""
    groups = _groups(found, "conservative-z", "the-procedure", sizes)
    held = [_reaches(p.confidence, g) for g in groups.values()]
    spread = ", ".join(f"{percent(g.mean.value, g.mean.se)} at n = {n}" for n, g in groups.items())
    return Check(
        f"Below n = {BENCHMARK_FROM} the conservative z lives up to its name: it holds {TARGETS['the-procedure']} more "
        "often than it says.",
        spread or "it was not made",
        _outcome(held),
    )
