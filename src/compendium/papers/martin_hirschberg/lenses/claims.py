"""What section 6 claims of its trees: tables of (text, condition, context), judged on all samples that were run."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import isfinite

import numpy as np
from scipy import stats

from compendium.evidence.claims import Claims, NotRun
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, exact, most, plus_minus, some
from compendium.evidence.monte_carlo import average, correlation
from compendium.papers.martin_hirschberg.lenses.blocks import Blocks, noise_key
from compendium.papers.martin_hirschberg.lenses.experiment import ESTIMATORS
from compendium.papers.martin_hirschberg.names import NAMES

RESAMPLING = ESTIMATORS[1:]
APPARENT, TWO_FOLDS, B632 = "resubstitution", "repeated-cv-2", "bootstrap-632"
FOLDS = ("loo", "cv-10")
SMOOTH = (B632, "loo-star")
STARS = (TWO_FOLDS, "loo-star")

MANY = 25.0  # Percent of samples from which on they are "many, but not all"
NEARLY = 0.9  # A tree with more than this share of the largest one's nodes is nearly saturated
NO_BIAS = 0.5  # Points up to which the apparent error is unbiased
NEGLIGIBLE = 1.0  # Points up to which a mean bias over all sizes and noise levels is none
ALIKE = 0.1  # A ratio of standard deviations this close to one is about one
WEAK = 0.5  # A correlation nearer to none than this is weak, one above it strong
SPLIT = 10.0  # The true error, percent, at which the paper says that 632b's bias changes its sign


def bias(t: Blocks, size: int, estimator: str) -> Estimate:
    """Bias at the smallest size (0), the next one (1), ..., points."""
    return t.at(n=t.levels("n")[size]).bias(estimator).named(digits=1)


TABLE_11 = Claims(
    "martin-hirschberg-table-11",
    {
        "smallest-samples": lambda t: [
            bias(t, 0, TWO_FOLDS) > 0,
            every("bias of the others", [bias(t, 0, e) < 0 for e in RESAMPLING if e != TWO_FOLDS]),
        ],
        "smooth-pessimistic": lambda t: every("bias", [cell.bias(e) > 0 for cell in t.cells("n") for e in SMOOTH]),
        "smooth-not-more-biased": lambda t: some(
            "size of the bias of LOO or 10-CV beyond that of 632b or LOO\\*",
            [abs(cell.bias(f)) > abs(cell.bias(s)) for cell in t.cells("n") for s in SMOOTH for f in FOLDS],
        ),
        "apparent-zero": lambda t: [
            exact(c[APPARENT].max(), f"largest at {c.label}", "%", 1).equals(0) for c in t.cells("n")
        ],
        "larger-samples": lambda t: every(
            "bias", [bias(t, i, e) > 0 for i in range(1, len(t.levels("n"))) for e in RESAMPLING]
        ),
        "turn": lambda t: [*(bias(t, 0, e) < 0 for e in FOLDS), *(bias(t, 1, e) > 0 for e in FOLDS)],
        "apparent-bias": lambda t: [
            bias(t, 0, APPARENT) < 0,
            abs(bias(t, max(1, len(t.levels("n")) - 1), APPARENT)) <= NO_BIAS,
        ],
    },
)


def r(t: Blocks, size: int, estimator: str) -> Estimate:
    """Correlation with the true error at the smallest size (0) or the next one (1)."""
    return t.at(n=t.levels("n")[size]).corr(estimator)


CORRELATIONS = Claims(
    "martin-hirschberg-text-lenses-correlation",
    {
        "stronger": lambda t: [
            abs(r(t, i, s)) > abs(r(t, i, f)) for i in first_two(t) for s in (B632, TWO_FOLDS) for f in FOLDS
        ],
        "negative": lambda t: every("correlations", [r(t, i, e) < 0 for i in first_two(t) for e in RESAMPLING]),
        "sign": lambda t: [*(r(t, 0, e) < 0 for e in FOLDS), *(r(t, 1, e) > 0 for e in FOLDS)],
    },
)


def first_two(t: Blocks) -> range:
    """The places of the two smallest sizes, which the text speaks of."""
    return range(min(2, len(t.levels("n"))))


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


def mean_error(t: Blocks, noise: float, size: int, column: str) -> Estimate:
    """Mean over blocks, in points above the inherent error, at the first (0) or the last size (-1)."""
    cell = t.at(noise=noise, n=sorted(t.levels("n"))[size])
    return (cell.of_blocks(np.mean, column) - 100 * noise).named(noise_key(noise), "points")


def falls(t: Blocks, column: str, sign: int = 1) -> list[Condition]:
    """Ask that each curve's distance from its limit is smaller at its end than at its beginning."""
    ends = {q: mean_error(t, q, -1, column) - mean_error(t, q, 0, column) for q in t.levels("noise")}
    return [(e * sign).named(noise_key(q)) < 0 for q, e in ends.items()]


def rises(t: Blocks, column: str) -> int:
    """Count the steps in size that rise by more than three standard errors."""
    means = [[t.at(noise=q, n=n).of_blocks(np.mean, column) for n in t.levels("n")] for q in t.levels("noise")]
    steps = [b - a for row in means for a, b in pairwise(row)]
    return sum(e.value > 3 * e.se for e in steps)


def excess_grows(t: Blocks) -> list[Condition]:
    """Ask that the more noise, the more is left above the inherent error at the largest size."""
    left = [mean_error(t, q, -1, "true-error") for q in t.levels("noise")]
    return [(b - a).named(b.label) > 0 for a, b in pairwise(left)]


FIGURE_12 = Claims(
    "martin-hirschberg-figure-12",
    {
        "falls": lambda t: [
            every("last size minus first", falls(t, "true-error")),
            exact(rises(t, "true-error"), "steps that rise by more than three standard errors:").equals(0),
        ],
        "slower": lambda t: every(
            "points above p that are left at the last size, minus those at the noise before", excess_grows(t)
        ),
    },
)


def distances(t: Blocks, column: str) -> list[Estimate]:
    """Mean minus the inherent error in every cell, points."""
    return [
        (cell.of_blocks(np.mean, column) - 100 * cell.level("noise")).named(cell.label, "points")
        for cell in t.cells("noise", "n")
    ]


FIGURE_13 = Claims(
    "martin-hirschberg-figure-13",
    {
        "from-below": lambda t: [
            most("mean minus p", [e < 0 for e in distances(t, APPARENT)]),
            every("distance, last size minus first", falls(t, APPARENT, -1)),
        ],
        "from-above": lambda t: [
            most("mean minus p", [e > 0 for e in distances(t, "loo")]),
            every("distance, last size minus first", falls(t, "loo")),
        ],
    },
)


def overall(t: Blocks, estimator: str) -> Estimate:
    """Mean bias over all sizes and noise levels, points."""
    return t.named(average(cell.bias(estimator) for cell in t.cells("noise", "n")), estimator, unit="points")


def sd_over_cv10(t: Blocks, estimator: str) -> Estimate:
    """Ratio of an estimate's standard deviation to that of 10-CV, averaged over the cells."""
    cells = [cell for cell in t.cells("noise", "n") if cell.sd("cv-10").value > 0]
    return t.named(average(cell.sd(estimator) / cell.sd("cv-10") for cell in cells), estimator).named(sign="")


def sides(t: Blocks) -> tuple[list[Estimate], list[Estimate]]:
    """Biases of 632b in the cells whose true error lies below 10 %, and in those above."""
    below: list[Estimate] = []
    above: list[Estimate] = []
    for cell in t.cells("noise", "n"):
        (above if cell["true-error"].mean() >= SPLIT else below).append(cell.bias(B632).named(cell.label))
    if not (below and above):
        raise NotRun("no cells on one side of the limit")
    return below, above


def of_means(t: Blocks, estimator: str) -> Estimate:
    """Correlation of an estimator's mean with the mean true error over the cells."""
    cells = t.cells("noise", "n")
    true = np.array([cell["true-error"].mean() for cell in cells])
    bias_of_cell = np.array([cell.bias(estimator).value for cell in cells])
    return t.named(correlation(bias_of_cell + true, true), estimator)


FIGURE_14 = Claims(
    "martin-hirschberg-figure-14",
    {
        "unbiased": lambda t: [abs(overall(t, e)) <= NEGLIGIBLE for e in FOLDS],
        "biased": lambda t: [abs(overall(t, e)) > NEGLIGIBLE for e in STARS],
        "same-precision": lambda t: sd_over_cv10(t, "loo").within(1 - ALIKE, 1 + ALIKE),
        "lower-spread": lambda t: [
            most(f"cells, {NAMES[e].markdown} minus 632b", [c.sd(e) > c.sd(B632) for c in t.cells("noise", "n")])
            for e in FOLDS
        ],
        "variable": lambda t: [sd_over_cv10(t, e) > 1 for e in STARS],
        "632-bias": lambda t: [
            most("cells below", [e > 0 for e in sides(t)[0]]),
            most("cells above", [e < 0 for e in sides(t)[1]]),
        ],
        "means": lambda t: [of_means(t, e) > WEAK for e in RESAMPLING],
    },
)


def mean_r(cells: Iterable[Blocks], estimator: str, other: str = "true-error") -> Estimate:
    """Mean of a correlation over the cells in which both sides vary."""
    results = [cell.corr(estimator, other) for cell in cells]
    return average(e for e in results if isfinite(e.value))


TABLE_15 = Claims(
    "martin-hirschberg-table-15",
    {
        "weak": lambda t: every(
            "mean correlation over the sizes",
            [
                abs(mean_r(t.at(noise=q).cells("n"), e).named(f"{NAMES[e].markdown}, {noise_key(q)}")) <= WEAK
                for q in t.levels("noise")
                for e in ("cv-10", *SMOOTH)
            ],
        ),
        "negative": lambda t: [
            mean_r([t.at(noise=t.levels("noise")[0], n=n) for n in t.levels("n")[:2]], e).named(NAMES[e].markdown) < 0
            for e in ("cv-10", *SMOOTH)
        ],
        "with-one-another": lambda t: every(
            "correlation with 10-CV over all samples of a cell",
            [
                e > WEAK
                for cell in t.cells("noise", "n")
                for e in (cell.corr(s, "cv-10").named(cell.label) for s in SMOOTH)
                if isfinite(e.value)
            ],
        ),
    },
)


def p_value(cell: Blocks, one: str, other: str, text: str) -> Estimate:
    """p-value of no correlation, labelled with the correlation."""
    return exact(
        float(stats.pearsonr(cell[other], cell[one]).pvalue),
        f"{text}, r {plus_minus(cell.corr(one, other), '+', 2)}, p-value",
        digits=-2,
    )


REGRESSION = Claims(
    "martin-hirschberg-table-15-regression",
    {
        "significance": lambda cells: [
            *(
                p_value(c, e, "true-error", f"{NAMES[e].markdown} and true error at {c.label}") > 0.05
                for c in cells
                for e in ("cv-10", B632)
                if isfinite(c.corr(e).value)
            ),
            *(
                p_value(c, B632, "cv-10", "between the estimates") < 0.05
                for c in cells
                if isfinite(c.corr(B632, "cv-10").value)
            ),
        ]
    },
)
