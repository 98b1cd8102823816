"""What section 6 says in its text of the 24 cases' tree, and of distinct cases, nodes and leaves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import Condition, Conditions, Estimate, exact, most
from compendium.evidence.results import ArtifactResult, Check, Row, Run, rows_of
from compendium.papers.martin_hirschberg.estimators import NAMES
from compendium.papers.martin_hirschberg.lenses.blocks import block_mean, block_sd, blocks_of, clean, noisy
from compendium.papers.martin_hirschberg.lenses.population import CASES, Lenses
from compendium.papers.martin_hirschberg.lenses.study import (
    APPARENT,
    ESTIMATORS,
    INDUCERS,
    READINGS,
    RESAMPLING,
    TEXT,
    LensesParameters,
    cases_study,
)
from errorest.data.sets import load

MANY = 25.0  # Percent of samples from which on they are "many, but not all"
NEARLY = 0.9  # A tree with more than this share of the largest one's nodes is nearly saturated


def distinct_items(n: int, items: int) -> float:
    """Expected number of distinct items among n draws with replacement."""
    return items * (1.0 - (1.0 - 1.0 / items) ** n)


def largest_tree(arity: Sequence[int]) -> tuple[int, int]:
    """Nodes and leaves of the largest tree in which every path tests every attribute.

    The largest one tests the attribute of most values first.
    """
    values = sorted(arity, reverse=True)
    return 1 + sum(prod(values[: i + 1]) for i in range(len(values))), prod(values)


def nodes_grow(nodes: list[list[Estimate]], largest: int) -> list[Condition | Conditions]:
    """Ask for more nodes in larger samples and under more noise, and for nearly the largest tree in the end."""
    end = nodes[-1][-1].named(f"nodes in the end, of {largest} at most", digits=1, sign="")
    return [
        most("steps in size that add nodes", [b - a > 0 for row in nodes for a, b in pairwise(row)]),
        most(
            "steps in noise that add nodes",
            [b > a for rows in pairwise(nodes) for a, b in zip(*rows, strict=True)],
        ),
        end > NEARLY * largest,
    ]


@artifact("martin-hirschberg-text-lenses-24")
def lenses_24(p: LensesParameters, run: Run) -> ArtifactResult:
    """The estimates of the error of the 24 cases' tree, mean and standard deviation of six repetitions, percent."""
    sample = load(CASES)
    results = run(cases_study(p)).assign(noise=0.0, n=sample.n)
    rows: list[Row] = []
    checks: list[Check] = []
    for t in blocks_of(results, p.readings, p.samples, p.realizations):
        error = 100 * Lenses.with_noise(0.0).true_error(INDUCERS[t.inducer].fit(sample))
        truth = Estimate(error, 0.0, p.samples * p.realizations)
        rows.append(Row.of(t.reading, "true-error", "mean-percent", truth))
        rows += t.rows(ESTIMATORS, {"mean-percent": block_mean, "std-percent": block_sd})
        if t.inducer == p.readings[0]:
            too_high = {e: (block_mean(t, e) - truth).named(NAMES[e].markdown, digits=1) for e in ESTIMATORS}
            conditions = [*(too_high[e] > 0 for e in RESAMPLING), too_high[APPARENT].equals(0)]
            checks = [judge_claim("martin-hirschberg-text-lenses-24", "pessimistic", conditions, t.reading)]
    return ArtifactResult(rows, checks=checks)


@artifact("martin-hirschberg-lens-counts")
def tree_counts(p: LensesParameters, run: Run) -> ArtifactResult:
    """The counts in section 6's text: distinct items of a sample, the largest tree, the smallest correct one."""
    sample = load(CASES)
    nodes, leaves = largest_tree([len(a.categories) for a in sample.attributes])
    counts = {f"distinct-items-N={n}": distinct_items(n, sample.n) for n in p.sizes[:3]}
    counts |= {"saturation-nodes": nodes, "saturation-leaves": leaves}
    rows = [Row.of("literal", "text", column, exact(value), TEXT) for column, value in counts.items()]
    smallest = exact(INDUCERS[p.readings[0]].fit(sample).n_leaves)
    rows.append(Row.of(READINGS[p.readings[0]], "text", "correct-tree-leaves", smallest, TEXT))
    first = clean(p, run)[0]
    correct = {}
    for cell in first.cells("n"):
        n = cell.level("n")
        correct[n] = monte_carlo.mean(100.0 * (cell["true-error"] == 0))
        columns = [("correct-trees-percent", correct[n]), ("nodes", cell.count("nodes"))]
        rows += rows_of(first.reading, f"N={n}", columns)
    under_noise = noisy(p, run)[0]
    cells = under_noise.cells("noise", "n")
    grown = [cell.count("nodes") for cell in cells]
    rows += [Row.of(cell.reading, cell.key, "nodes", e) for cell, e in zip(cells, grown, strict=True)]
    sizes = len(p.noise_sizes)
    grid = [grown[i : i + sizes] for i in range(0, len(grown), sizes)]
    many = [e.named(f"N = {n}", "%", 1, "").within(MANY, 100) for n, e in correct.items() if n >= 3 * sample.n]
    grow = nodes_grow(grid, nodes)
    checks = [
        judge_claim("martin-hirschberg-lens-counts", "correct-trees", many, first.reading),
        judge_claim("martin-hirschberg-lens-counts", "nodes", grow, under_noise.reading),
    ]
    return ArtifactResult(rows, checks=checks)
