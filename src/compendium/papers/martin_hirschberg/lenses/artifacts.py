"""Section 6's trees without noise: the contact lenses themselves, samples with replacement, counts in the text.

Claims are judged on all samples of a size at once; the printed numbers are compared as
statistics of six samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, clear, equal, near
from compendium.evidence.estimate import Condition, Estimate, every, exact, most, plus_minus, signed, some
from compendium.evidence.regenerated import Erratum, Regenerated, Row, Run, rows_of
from compendium.papers.martin_hirschberg.lenses.complexity import distinct_items, fewest_leaves, largest_tree, nodes_of
from compendium.papers.martin_hirschberg.lenses.experiment import (
    ESTIMATORS,
    INDUCERS,
    READINGS,
    LensesParameters,
    cases_study,
    noise_study,
    sizes_study,
)
from compendium.papers.martin_hirschberg.lenses.figures import draw_correlations, draw_figure_10, draw_table_11
from compendium.papers.martin_hirschberg.lenses.groups import (
    Groups,
    groups_of,
    groups_of_bias,
    means_of_groups,
)
from compendium.papers.martin_hirschberg.lenses.population import CASES, Lenses
from compendium.papers.martin_hirschberg.names import NAMES, worded
from errorest.data.sets import load

__all__ = ["CLAIMS", "figure_10", "lenses_24", "noisy", "table_11", "text_correlations", "tree_counts"]

CLAIMS = "martin-hirschberg-claims"
"""The artifact of numbers that the text states in passing."""

_RESAMPLING = ESTIMATORS[1:]
_SMOOTH = ("bootstrap-632", "loo-star")

_MANY = 25.0
"""A share of samples above this, percent, is many."""

_NEARLY = 0.9
"""A tree with more than this share of the largest one's nodes is nearly saturated."""

_NONE = 0.5
"""A bias up to so many points is none."""

_FOLDS = ("loo", "cv-10")


def clean(p: LensesParameters, run: Run) -> list[Groups]:
    """Return the samples of Table 11, by reading and size."""
    return groups_of(run(sizes_study(p)), p.readings, p.samples, p.realizations)


def noisy(p: LensesParameters, run: Run) -> list[Groups]:
    """Return the samples of Figures 12 to 14 and Table 15, by reading, noise and size."""
    return groups_of(run(noise_study(p)), p.noise_readings, p.samples, p.noise_realizations)


@artifact(
    "martin-hirschberg-figure-10",
    "Figure 10",
    "A correct tree for the contact lenses",
    "The tree of each reading, and its errors on the cases it was made of; all numbers are exact.",
    draw=draw_figure_10,
    enlarge=False,
)
def figure_10(p: LensesParameters, run: Run) -> Regenerated:
    """Figure 10: a correct tree for the contact lenses."""
    sample = load(CASES)
    population = Lenses.with_noise(0.0)
    trees = {name: INDUCERS[name].fit(sample) for name in p.readings}
    rows: list[Row] = []
    for name, tree in trees.items():
        values = {
            "leaves": tree.n_leaves,
            "nodes": tree.n_nodes,
            "depth": tree.depth,
            "true-error-percent": 100 * population.true_error(tree),
            "apparent-error-percent": 100 * (tree.predict(sample.X) != sample.y).mean(),
        }
        rows += rows_of(READINGS[name], "tree", [(k, exact(v)) for k, v in values.items()])
    first = trees[p.readings[0]]
    least = fewest_leaves(sample)
    claim = Claim(
        "The leaves of this tree are necessary and sufficient for a correct tree.",
        [equal(f"leaves of *{READINGS[name]}*", tree.n_leaves, least) for name, tree in trees.items()],
        context="trying all orders of splits for the fewest leaves without error",
    )
    alike = len({tree.to_text() for tree in trees.values()})
    said = (
        f"All {len(trees)} readings grow {'the same tree' if alike == 1 else f'{alike} different trees'} from the "
        f"{sample.n} cases, without error on them. They differ where the cases are fewer: in what a tie or an empty "
        "branch decides."
    )
    return Regenerated(rows, {"tree": nodes_of(first)}, [claim.check()], [said] if len(trees) > 1 else [])


@artifact(
    "martin-hirschberg-text-lenses-24",
    "In the text, section 6",
    "Estimates of the error of a perfect tree",
    "Mean and standard deviation of {samples} repetitions on the same cases, in percent.",
)
def lenses_24(p: LensesParameters, run: Run) -> Regenerated:
    """The estimates of the error of the 24 cases' tree, mean and standard deviation of six repetitions, percent."""
    sample = load(CASES)
    results = run(cases_study(p)).assign(noise=0.0, n=sample.n)
    rows: list[Row] = []
    means: dict[str, dict[str, Estimate]] = {}
    for g in groups_of(results, p.readings, p.samples, p.realizations):
        error = 100 * Lenses.with_noise(0.0).true_error(INDUCERS[g.inducer].fit(sample))
        truth = Estimate(error, 0.0, p.samples * p.realizations)
        rows.append(Row.of(g.reading, "true-error", "mean-percent", truth))
        for e in ESTIMATORS:
            rows += g.rows(e, "")
        means[g.reading] = {"true-error": truth, **{e: g.of(e) for e in ESTIMATORS}}
    reading = READINGS[p.readings[0]]
    own = means[reading]
    claim = Claim(
        "All resampling estimates are pessimistic here, and the apparent error alone is right.",
        [
            *(above(NAMES[e].markdown, own[e] - own["true-error"], unit="%", digits=1) for e in _RESAMPLING),
            near(NAMES["resubstitution"].markdown, own["resubstitution"] - own["true-error"], 0.0, "%", digits=1),
        ],
        reading,
        "estimate minus true error",
    )
    said = ", ".join(f"{m['loo'].value * sample.n / 100:.0f} of {sample.n} by *{r}*" for r, m in means.items())
    boot = ", ".join(f"{plus_minus(m['bootstrap-632'], '', 2)} by *{r}*" for r, m in means.items())
    counted = f"Leave-one-out errs on {said}: an exact number, so it can reject a reading. 632b is {boot}."
    searched = (
        "The paper does not say how its ID3 decides. These readings were found by searching for what fits these "
        "numbers and those of Tables 11 and 15, so their agreement flatters them, and the search leaves no reading "
        "that fits everything."
    )
    return Regenerated(rows, checks=[claim.check()], findings=[counted, searched])


@artifact(
    "martin-hirschberg-lens-counts",
    "In the text, footnote 21 and on complexity",
    "Distinct items, saturated trees",
    "Expected distinct items in a sample, the largest and the smallest correct tree (exact); mean numbers of nodes.",
)
def tree_counts(p: LensesParameters, run: Run) -> Regenerated:
    """The counts in section 6's text: distinct items of a sample, the largest tree, the smallest correct one."""
    sample = load(CASES)
    first = p.readings[0]
    arity = [len(a.categories) for a in sample.attributes]
    nodes, leaves = largest_tree(arity)
    items = {n: distinct_items(n, sample.n) for n in p.sizes}
    counted = {f"distinct-items-N={n}": v for n, v in list(items.items())[:3]}
    counted |= {"saturation-nodes": float(nodes), "saturation-leaves": float(leaves)}
    rows = [Row.of("literal", "text", column, exact(v), CLAIMS) for column, v in counted.items()]
    smallest = exact(INDUCERS[first].fit(sample).n_leaves)
    rows.append(Row.of(READINGS[first], "text", "correct-tree-leaves", smallest, CLAIMS))
    cells = {g.n: g.whole for g in clean(p, run) if g.inducer == first}
    correct = {n: accuracy.mean(100.0 * (g["true-error"] == 0)) for n, g in cells.items()}
    for n, g in cells.items():
        rows += rows_of(g.reading, f"N={n}", [("correct-trees-percent", correct[n]), ("nodes", g.count("nodes"))])
    noise_rows, complexity = _complexity(p, run, nodes)
    large = {n: m for n, m in correct.items() if n >= 3 * sample.n}
    claim = Claim(
        "A correct tree can be inferred for many, but not all, samples of three times the items or more.",
        [m.named(f"N = {n}", "%", 1, "").within(_MANY, 100.0) for n, m in large.items()],
        READINGS[first],
        "samples with a correct tree",
    )
    drawn = {n: plus_minus(g.count("distinct"), "", 2) for n, g in cells.items()}
    expected = ", ".join(f"{v:.2f} of N = {n} (drawn: {drawn[n]})" for n, v in items.items())
    distinct = f"Expected distinct items, k(1 − (1 − 1/k)^N) for k = {sample.n}: {expected}."
    saturated = (
        f"A tree that tests everything everywhere has {leaves} leaves, and {nodes} nodes (inner nodes and leaves) if "
        f"the attribute of {max(arity)} values stands at the root; with it further down there are fewer, so "
        f"{nodes} is the largest of the possible counts, not the only one."
    )
    return Regenerated(rows + noise_rows, checks=[claim.check(), complexity.check()], findings=[distinct, saturated])


def _complexity(p: LensesParameters, run: Run, largest: int) -> tuple[list[Row], Claim]:
    """Mean number of nodes by size and noise, and whether it grows with both towards the largest tree."""
    cells = [g.whole for g in noisy(p, run) if g.inducer == p.noise_readings[0]]
    nodes = [g.count("nodes") for g in cells]
    rows = [Row.of(g.reading, g.key, "nodes", m) for g, m in zip(cells, nodes, strict=True)]
    grid = np.array(nodes, dtype=object).reshape(len(p.noise_levels), len(p.noise_sizes))
    grown = {
        "in size": zip(grid[:, :-1].ravel(), grid[:, 1:].ravel(), strict=True),
        "in noise": zip(grid[:-1].ravel(), grid[1:].ravel(), strict=True),
    }
    return rows, Claim(
        "Trees grow with the sample and with the noise, and are nearly saturated at most noise and the largest sample.",
        [
            *(
                most(f"steps {what} that add nodes", [above("", b - a) for a, b in pairs])
                for what, pairs in grown.items()
            ),
            above(f"nodes in the end, of {largest} at most", nodes[-1], _NEARLY * largest, digits=1, sign=""),
        ],
        cells[0].reading,
    )


@artifact(
    "martin-hirschberg-table-11",
    "Table 11",
    "Trees of samples with replacement",
    "Mean and standard deviation of {samples} samples, in percent; with more repeats, the mean of these statistics"
    " over many groups of {samples}.",
    draw=draw_table_11,
)
def table_11(p: LensesParameters, run: Run) -> Regenerated:
    """Table 11: mean and standard deviation of true and estimated errors over six samples, percent."""
    cells = clean(p, run)
    rows = [row for g in cells for e in ("true-error", *ESTIMATORS) for row in g.rows(e, f"/N={g.n}")]
    own = [g for g in cells if g.inducer == p.readings[0]]
    groups = groups_of_bias(own)
    biases = {g.n: {e: g.whole.bias(e) for e in ESTIMATORS} for g in own}
    return Regenerated(
        rows,
        {"groups": groups, "whole": means_of_groups(groups)},
        [replace(c, reading=own[0].reading).check() for c in _claims_11(biases, own)],
        _findings_11(groups, biases, p),
        _errata_11(biases) if p.realizations > 1 else [],
    )


def _claims_11(biases: dict[int, dict[str, Estimate]], own: list[Groups]) -> list[Claim]:
    small, *larger = sorted(biases)

    def each(names: Iterable[str], sizes: Iterable[int], side: Callable[..., Condition]) -> list[Condition]:
        return [
            side(f"{NAMES[e].markdown} at N = {n}", biases[n][e], unit="points", digits=1) for n in sizes for e in names
        ]

    low = [e for e in _RESAMPLING if e != "repeated-cv-2"]
    claims = [
        Claim(
            f"At N = {small} 2-CV\\* is pessimistic and all other resampling estimates are optimistic.",
            [*each(["repeated-cv-2"], [small], above), every("bias of the others", each(low, [small], below))],
        ),
        Claim("632b and LOO\\* are consistently pessimistic.", [every("bias", each(_SMOOTH, biases, above))]),
        Claim(
            "632b and LOO\\* are not always more biased than LOO and 10-CV.",
            [
                some(
                    "size of the bias of LOO or 10-CV beyond that of 632b or LOO\\*",
                    _further(biases),
                )
            ],
        ),
        Claim(
            "The apparent error is zero for every tree, and so can tell no tree from another.",
            [equal(f"largest at N = {g.n}", float(g["resubstitution"].max()), 0, "%", digits=1) for g in own],
        ),
    ]
    if not larger:
        return claims
    last = larger[-1]
    return [
        *claims,
        Claim(
            f"From N = {larger[0]} on all resampling estimates are pessimistic.",
            [every("bias", each(_RESAMPLING, larger, above))],
        ),
        Claim(
            "LOO and 10-CV turn from optimistic to pessimistic as N grows.",
            [*each(_FOLDS, [small], below), *each(_FOLDS, [larger[0]], above)],
            context="bias",
        ),
        Claim(
            "The apparent error is biased for the smaller samples and unbiased for the larger.",
            [
                *each(["resubstitution"], [small], below),
                near(
                    f"{NAMES['resubstitution'].markdown} at N = {last}", biases[last]["resubstitution"], _NONE, "points"
                ),
            ],
        ),
    ]


def _further(biases: dict[int, dict[str, Estimate]]) -> list[Condition]:
    return [
        above(
            f"{NAMES[f].markdown} and {NAMES[s].markdown} at N = {n}",
            _size(own[f]) - _size(own[s]),
            0,
            "points",
            1,
        )
        for n, own in biases.items()
        for s in _SMOOTH
        for f in _FOLDS
    ]


def _size(m: Estimate) -> Estimate:
    return m * (1.0 if m.value >= 0 else -1.0)


def _findings_11(groups: pd.DataFrame, biases: dict[int, dict[str, Estimate]], p: LensesParameters) -> list[str]:
    small = min(biases)
    own = groups[groups["n"] == small]
    if len(own) < 2:
        return []
    named = [*_FOLDS, *_SMOOTH]
    whole = {e: biases[small][e] for e in named}
    if any(clear(m, -1) for m in whole.values()):
        return [f"At N = {small} the biases over all samples are {worded(whole)}."]
    below = int((own[named] < 0).all(axis=1).sum())
    spread = ", ".join(f"{NAMES[e].markdown} {signed(own[e].min())} to {signed(own[e].max())}" for e in named)
    found = (
        f"Over {len(own)} groups of {p.samples} samples at N = {small}, the mean bias in points ranges: {spread}. "
        f"In {below} of the groups all four come out optimistic, as in the print; over all samples "
        f"({READINGS[p.readings[0]]}) the biases are {worded(whole)}: none is clearly optimistic, so that the "
        f"optimism in print may be the chance of {p.samples} samples."
    )
    return [found]


def _errata_11(biases: dict[int, dict[str, Estimate]]) -> list[Erratum]:
    small = min(biases)
    return [
        Erratum(
            "Section 6, point 1 after the correlations",
            "632b and LOO* are consistently pessimistic",
            "Table 11 itself prints both below the true error at its smallest size (10.0 and 10.6 against 12.5), and "
            "the paragraph before calls them optimistic there",
            f"With more samples, at N = {small}: {worded({e: biases[small][e] for e in _SMOOTH})} points.",
        )
    ]


@artifact(
    "martin-hirschberg-text-lenses-correlation",
    "In the text, after Table 11",
    "Correlation with the true error, {samples} samples",
    "Correlation coefficients of {samples} pairs; with more repeats, their mean over many groups of {samples}, and the "
    "coefficient over all samples.",
    draw=draw_correlations,
)
def text_correlations(p: LensesParameters, run: Run) -> Regenerated:
    """Correlation of each estimate with the true error over six samples, where both vary."""
    cells = clean(p, run)
    rows: list[Row] = []
    for g in cells:
        for e in _RESAMPLING:
            found = {f"N={g.n}": g.over(accuracy.coefficient, e, "true-error")}
            if p.realizations > 1:
                found[f"N={g.n}/all-samples"] = g.whole.correlation(e)
            rows += rows_of(g.reading, e, [(k, m) for k, m in found.items() if np.isfinite(m.value)])
    own = [g for g in cells if g.inducer == p.readings[0]]
    groups = pd.DataFrame(
        {"n": g.n, "estimator": e, "group": i, "r": r}
        for g in own
        for e in _RESAMPLING
        for i, r in enumerate(g.each(accuracy.coefficient, e, "true-error"))
    )
    if p.realizations == 1:
        return Regenerated(rows, {"groups": groups})
    pooled = {g.n: {e: g.whole.correlation(e) for e in _RESAMPLING} for g in own[:2]}
    findings = _findings_correlations(groups, pooled, p)
    if findings:
        findings.append(_why_negative(own[0].whole))
    checks = [replace(c, reading=own[0].reading).check() for c in _claims_correlations(pooled)]
    return Regenerated(rows, {"groups": groups}, checks, findings)


def _claims_correlations(pooled: dict[int, dict[str, Estimate]]) -> list[Claim]:
    smooth = ("bootstrap-632", "repeated-cv-2")
    least, last = min(pooled), max(pooled)
    return [
        Claim(
            "632b and 2-CV\\* are more strongly correlated with the true error than LOO and 10-CV.",
            [
                above(f"{NAMES[s].markdown} than {NAMES[f].markdown} at N = {n}", _size(m[s]) - _size(m[f]))
                for n, m in pooled.items()
                for s in smooth
                for f in _FOLDS
            ],
        ),
        Claim(
            "The correlations are negative.",
            [
                every(
                    "correlations",
                    [below(f"{NAMES[e].markdown} at N = {n}", r) for n, own in pooled.items() for e, r in own.items()],
                )
            ],
        ),
        Claim(
            "The correlations of LOO and 10-CV change their sign between the two sizes.",
            [
                side(f"{NAMES[e].markdown} at N = {n}", pooled[n][e])
                for n, side in ((least, below), (last, above))
                for e in _FOLDS
            ],
        ),
    ]


def _findings_correlations(
    groups: pd.DataFrame, pooled: dict[int, dict[str, Estimate]], p: LensesParameters
) -> list[str]:
    spread = groups[groups["n"].isin(list(pooled))].groupby(["n", "estimator"])["r"].std()
    if spread.isna().all():
        return []
    most = max(pooled)
    own = groups[groups["n"] == most].dropna()
    above = {e: 100 * float((own.loc[own["estimator"] == e, "r"] > 0).mean()) for e in _FOLDS}
    last = {e: pooled[most][e] for e in _FOLDS}
    text = (
        f"A correlation of {p.samples} pairs has a standard deviation of {spread.min():.2f} to {spread.max():.2f} "
        f"here. At N = {most} it comes out positive in "
        + " and ".join(f"{v:.0f} % of the groups for {NAMES[e].markdown}" for e, v in above.items())
        + f"; over all samples it is {worded(last, 2)}."
    )
    if all(clear(own[e], -1) for own in pooled.values() for e in _FOLDS):
        text += " The correlation stays clearly negative at both sizes: the change of sign in the print is noise."
    return [text]


def _why_negative(cell: Groups) -> str:
    """Correlate what a sample covers with its true error and its estimates."""
    found = {e: cell.correlation("distinct", e) for e in ("true-error", *_RESAMPLING)}
    true = found.pop("true-error")
    text = (
        f"At N = {cell.n} the number of distinct items in a sample has a correlation of {plus_minus(true, '+', 2)} "
        f"with the true error, and of {worded(found, 2)} with the estimates."
    )
    if not clear(true, -1) or not all(clear(m, 1) for m in found.values()):
        return text
    return (
        f"{text} A sample that repeats itself leaves out much of the population, and its repeats, tested on their own "
        "copies, look easy."
    )
