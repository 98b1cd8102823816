"""Evidence of the errata of Shakhnarovich, El-Yaniv & Baram (2001)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb, hypot

import numpy as np
import pandas as pd
from scipy import integrate

from compendium.evidence.errata import Statement, evidence, printed_numbers, regenerated_row, regenerated_values
from compendium.papers.shakhnarovich.errata_of_tables import (
    copied_and_exchanged_rows,
    forms_of_the_632plus,
    headers_of_columns,
    leave_one_out_of_table_12,
    significant_lines,
    signs_p_values_and_labels,
    spread_of_samples_in_proportion,
)
from compendium.papers.shakhnarovich.kernel_functions import kernel_values
from compendium.papers.shakhnarovich.names import symbol_of
from compendium.papers.shakhnarovich.uci.data import PUBLISHED

__all__ = [
    "copied_and_exchanged_rows",
    "forms_of_the_632plus",
    "headers_of_columns",
    "leave_one_out_of_table_12",
    "significant_lines",
    "signs_p_values_and_labels",
    "spread_of_samples_in_proportion",
]


def _value(artifact: str, row: str, column: str, reading: str | None = None) -> float:
    return float(regenerated_row(f"shakhnarovich-{artifact}", row, column, reading).value)


@evidence("shakhnarovich-table-1")
def settings(artifact: str) -> Iterator[Statement]:
    """Read the least error of setting 1, and compute how often a coin gives 7 of 14."""
    yield "Table 1, setting 1", f"least error is {_value('table-1', '1', 'least-error'):.4f};"
    yield "Section 6", f"only {100 * comb(14, 7) / 2**14:.1f} %"


@evidence("shakhnarovich-table-9")
def values_not_computed(artifact: str) -> Iterator[Statement]:
    """Compute the RMSE of an estimate of -1 in every trial."""
    mean, std = (_value("table-9", "ldf/true-error", column) for column in ("mean", "std"))
    yield "Table 9, rows of ten folds", f"an RMSE of {hypot(1 + mean, std):.3f}"


@evidence("shakhnarovich-table-2")
def accuracy_and_variance(artifact: str) -> Iterator[Statement]:
    """Read our true errors, and the standard deviation of the differences beside their variance."""
    for row in ("1/ldf", "1/1-nn", "1/3-nn", "1/svm-rbf"):
        yield "Table 2, caption", f"{row} {_value('table-2', row, 'true-error'):.3f}"
    sigma = _value("table-2", "1/ldf", "sigma-d")
    yield "Section 6, the paired test", f"{sigma:.4f} and a variance of {sigma**2:.2g}"


@evidence("shakhnarovich-table-3")
def features_of_vehicle(artifact: str) -> Iterator[Statement]:
    """Count the columns of vehicle that hold whole numbers alone."""
    yield "Table 3", f"{_value('table-3', 'vehicle', 'whole-number-features'):.0f} of the 18 columns"


# ---- Sections 4 and 7: kernels and equations


def _area(f: Callable[[float], float], high: float = 1.0) -> float:
    return float(integrate.quad(f, -1, high)[0])


def _kernel(x: float) -> float:
    return float(kernel_values(x))


@evidence("shakhnarovich-figure-1")
def area_of_the_kernel(artifact: str) -> Iterator[Statement]:
    """Integrate the caption's function, and the kernel of section 4.1."""
    areas = _area(lambda x: 0.75 * (x - 1) ** 2), _area(_kernel)
    text = f"has area {areas[0]:.0f} and is no density; that of section 4.1 has area {areas[1]:.0f},"
    yield "Figure 1, caption", text


@evidence("shakhnarovich-lemma-2")
def trials_of_rejection(artifact: str) -> Iterator[Statement]:
    """Read the counted trials, and compute the proof's probability at x = 0.5."""
    rate, trials, uniforms = (
        _value("lemma-2", "algorithm-2", c) for c in ("acceptance-rate", "expected-trials", "uniforms-for-one-draw")
    )
    yield "Section 4.2, Lemma 2", f"{rate:.4f} of the trials is accepted, {trials:.4f} trials"
    yield "Section 4.2, Lemma 2", f"{uniforms:.2f} of these"
    x = 0.5
    plus, minus = (x / 2 - x**3 / 6 + sign / 3 for sign in (1, -1))
    yield "Section 4.2, proof of Lemma 2", f"2/3 F(x) = {2 / 3 * _area(_kernel, x):.4f} of"
    yield "Section 4.2, proof of Lemma 2", f"+ 1/3 is {plus:.4f}"
    yield "Section 4.2, proof of Lemma 2", f"−{-minus:.4f}"


@evidence("shakhnarovich-figure-3")
def weights_of_integers(artifact: str) -> Iterator[Statement]:
    """Read the weights, and compute that at a distance, and a squared distance, of one standard deviation."""
    weights = regenerated_values(artifact)
    h, sigma = weights.pop(("sample", "bandwidth")), float(np.std([0, 2, 3, 4, 10], ddof=1))
    yield "Section 7.2, equation 20", f"from {min(weights.values()):.2g} to {max(weights.values()):.2f}"
    text = f"σ = {sigma:.2f} and h = {h:.3f}: at a squared distance of σ the unscaled weight is {h**sigma:.3f}"
    yield "Section 7.2, below equation 20", text
    yield "Section 7.2, below equation 20", f"at a distance of σ it is {h ** (sigma**2):.3f}"


@evidence("shakhnarovich-equations")
def bandwidth_and_sums(artifact: str) -> Iterator[Statement]:
    """Read the bandwidths of equation 11 and the sums of equation 24."""
    root, printed = (_value("equations", "equation-11", "bandwidth", r) for r in ("fitted:power-one-fifth", "literal"))
    times = _value("equations", "equation-11", "error-over-least")
    text = f"fifth root, {root:.4f}; the printed value, {printed:.4f}, has {times:.1f} times the least error"
    yield "Section 4.1, equation 11", text
    conditional, joint, rest = (
        _value("equations", "equation-24", f"{c}")
        for c in ("sum-of-conditional", "sum-of-joint", "density-without-the-last")
    )
    yield "Section 7.3, equation 24", f"sum to {conditional:.3f}, the joint ones to {joint:.5f},"
    yield "Section 7.3, equation 24", f"({rest:.5f})"


# ---- Table 7: cost


@evidence("shakhnarovich-table-7")
def seconds_and_classifiers(artifact: str) -> Iterator[Statement]:
    """Compare the printed seconds with the classifiers made, and the printed formulas with counts."""
    seconds, counts = printed_numbers(artifact).T, pd.Series(regenerated_values(artifact))
    times = seconds["bootstrap-loo"] / seconds["bootstrap-naive"]
    fits = [counts["bootstrap-loo", f"{case.split('/')[0]}/fits-over-bootstrap"] for case in seconds.index]
    yield "Section 2.3.2", f"{min(fits):.0f} to {max(fits):.0f} times the classifiers"
    yield "Section 2.3.2", f"{min(times):.0f} to {max(times):.0f} times the seconds"
    for name in ("cloned-loo", "cloned-bscv-10"):
        less = sum(seconds[name] < seconds["cloned-naive"])
        yield f"Table 7, row {symbol_of(name)}", f"{min(seconds[name]):.2f} to {max(seconds[name]):.2f} seconds"
        yield f"Table 7, row {symbol_of(name)}", f"in {less} of {len(seconds)} columns"
    ratios = seconds["repeated-cv-10"] / seconds["repeated-cv-5"]
    yield "Table 7, rows RCV×10 and RCV×5", f"{min(ratios):.2f} to {max(ratios):.2f} times"
    for name, (n, _) in PUBLISHED.items():
        fits_of, labelled = (counts.xs(f"{name}/{what}", level=1).astype(int) for what in ("fits", "labelled"))
        title, square = symbol_of(name), f"n² is {n * n:,}"
        further = labelled["bootstrap-632plus"] - labelled["bootstrap-loo"]
        yield "Section 2.2", f"{title} {labelled['cv-10']}"
        yield "Section 2.3.4", f"{title} {further} ({square})"
        yield "Section 2.3.4", f"{title} {fits_of['bootstrap-632plus']:,} against {fits_of['loo']}"
        yield "Section 9", f"{title} {fits_of['bscv-5']} to {fits_of['bscv-loo']:,}, where {square}"
