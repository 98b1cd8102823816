"""What holds of the benchmark's recommendations on samples smaller than any that it drew.

The largest comparison of such intervals (Schulz-Kuempel et al., arXiv 2409.18836) starts at
n = 100 and recommends the corrected resampled t, the conservative z and nested cross-validation.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate, Outcome
from compendium.evidence.results import ArtifactResult, Check, Run
from compendium.guide.coverage.experiment import RECOMMENDED
from compendium.guide.coverage.own_inducers import CoverageParameters
from compendium.guide.coverage.results import FIRST, Coverage, Group, by_size, covered, percent
from compendium.guide.names import INTERVALS, TARGETS

__all__ = ["benchmark"]

BENCHMARK_FROM = 100
"""The smallest samples of the benchmark."""

_BELOW = f"Below n = {BENCHMARK_FROM}"


@artifact("guide-coverage-benchmark", matrix=True)
def benchmark(p: CoverageParameters, run: Run) -> ArtifactResult:
    """The recommended intervals, cell by cell: how many fall short of the nominal share, and where.

    A cell falls short if its coverage, and Wilson's upper limit of it, lies below the nominal
    share by more than ``slack``.
    """
    found = covered(p, run)
    groups = list(found.groups(p.sizes))
    rows = [
        by_size(f"cells-short-{t}/{m}", n, Estimate(float(len(_short(p, found, m, t, [n]))), 0.0, p.repetitions))
        for t, m, n, _ in groups
    ]
    rows += [
        by_size(f"of-all-cells/{m}", n, Estimate(float(group.cells), 0.0, p.repetitions))
        for t, m, n, group in groups
        if t == FIRST
    ]
    small = [n for n in p.sizes if n < BENCHMARK_FROM]
    large = [n for n in p.sizes if n >= BENCHMARK_FROM]
    checks = [claim(p, found, target, small) for target in TARGETS for claim in (_enough, _everywhere, _alone)]
    where_it_went = "; ".join(f"for {TARGETS[t].words}: {_listed(found, t, large)}" for t in TARGETS)
    return ArtifactResult(
        rows,
        checks=[*checks, _conservative(p, found, small)],
        findings=[*_by_inducer(p, found, small), f"Where the benchmark went itself, {where_it_went}."],
    )


def _cells(found: Coverage, method: str, target: str, sizes: Sequence[int]) -> pd.DataFrame:
    own = found.cells
    return own[(own["method"] == method) & (own["target"] == target) & own["n"].isin(sizes)]


def _short(p: CoverageParameters, found: Coverage, method: str, target: str, sizes: Sequence[int]) -> pd.DataFrame:
    """Cells that fall short."""
    own = _cells(found, method, target, sizes)
    return own[own["high"] < p.confidence - p.slack]


def _reaches(share: float, group: Group) -> bool | None:
    """Whether a mean coverage is at least a share; None where it is within two standard errors of it."""
    distance = group.mean.value - share
    return None if abs(distance) < 2 * group.mean.se else distance >= 0


def _outcome(held: Sequence[bool | None]) -> Outcome:
    if True in held and False in held:
        return "holds in part"
    if None in held or not held:
        return "not decided"
    return "holds" if True in held else "fails"


def _at_sizes(groups: dict[int, Group]) -> str:
    return ", ".join(f"{percent(g.mean)} at n = {n}" for n, g in groups.items())


def _listed(found: Coverage, target: str, sizes: Sequence[int]) -> str:
    made = {method: found.at(method, target, sizes) for method in RECOMMENDED}
    return ", ".join(f"{INTERVALS[m]} {_at_sizes(g)}" for m, g in made.items() if g) or "none was made"


def _enough(p: CoverageParameters, found: Coverage, target: str, sizes: Sequence[int]) -> Check:
    least = p.confidence - p.slack
    held = [_reaches(least, g) for m in RECOMMENDED for g in found.at(m, target, sizes).values()]
    return Check(
        f"{_BELOW} the recommended intervals hold {TARGETS[target].words} as often as they say, on average.",
        f"{_listed(found, target, sizes)}; at least {percent(least)}: {held.count(True)} of {len(held)}, less: "
        f"{held.count(False)}, within two standard errors of it: {held.count(None)}",
        _outcome(held),
    )


def _everywhere(p: CoverageParameters, found: Coverage, target: str, sizes: Sequence[int]) -> Check:
    held, said = [], []
    for method in RECOMMENDED:
        keys = found.keys(method, target, sizes)
        if keys:
            short = len(_short(p, found, method, target, sizes))
            group = found.mean(keys)
            held.append(short == 0)
            said.append(
                f"{INTERVALS[method]} falls short in {short} of {len(keys)}, worst with {group.worst.inducer} on "
                f"{group.worst.population} at n = {group.worst.n} ({percent(group.least)})"
            )
    return Check(
        f"{_BELOW} the recommended intervals hold {TARGETS[target].words} so with every inducer and in every "
        "population.",
        "; ".join(said) or "none was made",
        _outcome(held),
    )


def _alone(p: CoverageParameters, found: Coverage, target: str, sizes: Sequence[int]) -> Check:
    equal: list[str] = []
    verdicts: list[bool | None] = []
    for method in found.methods:
        groups = found.at(method, target, sizes)
        if method in RECOMMENDED or len(groups) < len(sizes) or not groups:
            continue
        held = [_reaches(p.confidence - p.slack, g) for g in groups.values()]
        verdicts.append(False if False in held else None if None in held else True)
        if verdicts[-1]:
            least = min(g.mean.value for g in groups.values())
            equal.append(f"{INTERVALS[method]} (at least {percent(least)}, {_width(found, method, sizes)})")
    made = [m for m in RECOMMENDED if found.at(m, target, sizes)]
    three = ", ".join(f"{INTERVALS[m]} {_width(found, m, sizes)}" for m in made)
    return Check(
        f"{_BELOW} no other interval reaches the nominal share for {TARGETS[target].words}.",
        f"of {len(verdicts)} others that were made at all these sizes, these do: {'; '.join(equal) or 'none'}. "
        f"Beside them: {three or 'none was made'}",
        "fails" if equal else "not decided" if None in verdicts or not verdicts else "holds",
    )


def _width(found: Coverage, method: str, sizes: Sequence[int]) -> str:
    return f"{100 * float(_cells(found, method, FIRST, sizes)['width'].mean()):.0f} points wide"


def _by_inducer(p: CoverageParameters, found: Coverage, sizes: Sequence[int]) -> list[str]:
    """Take the averages apart by inducer, since a single one can spoil them."""
    said = []
    for target, named in TARGETS.items():
        parts = []
        for inducer in p.inducers:
            keys = {m: [k for k in found.keys(m, target, sizes) if k.inducer == inducer] for m in RECOMMENDED}
            means = [f"{INTERVALS[m]} {percent(found.mean(own).mean)}" for m, own in keys.items() if own]
            if means:
                parts.append(f"{inducer} {', '.join(means)}")
        if parts:
            said.append(f"{_BELOW} by inducer, for {named.words}: {'; '.join(parts)}.")
    return said


def _conservative(p: CoverageParameters, found: Coverage, sizes: Sequence[int]) -> Check:
    """Judge the name of the conservative z, by the target that it aims at."""
    groups = found.at("conservative-z", "the-procedure", sizes)
    return Check(
        f"{_BELOW} the conservative z lives up to its name: it holds {TARGETS['the-procedure'].words} more often than "
        "it says.",
        _at_sizes(groups) or "it was not made",
        _outcome([_reaches(p.confidence, g) for g in groups.values()]),
    )
