"""Evidence of the errata of Martin & Hirschberg's paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from math import sqrt

import numpy as np
from scipy import stats

from compendium.evidence.errata import Statement, evidence, printed_cells, regenerated_cells, regenerated_row
from compendium.evidence.verdicts import read_words


@evidence("martin-hirschberg-table-4")
def statistics_beyond_three_standard_errors(artifact: str) -> Iterator[Statement]:
    """Count, by reading, the statistics of Table 4 that lie further than three standard errors from the print."""
    z = defaultdict(list)
    for (reading, *key), r in regenerated_cells(artifact).items():
        cell = printed_cells(artifact).get((key[0], key[1]))
        if cell is not None and r.se > 0:
            # the print has the error of its 4,000 samples, too
            z[reading].append((r.value - float(cell.value)) / (r.se * sqrt(1 + r.n / 4000)))
    for reading, values in z.items():
        text = f"*{reading}*: {sum(abs(v) > 3 for v in values)} of {len(values)} statistics"
        yield "Appendix, the test for a class reversal, against Table 4", text


@evidence("martin-hirschberg-table-5c")
def differences_of_differences(artifact: str) -> Iterator[Statement]:
    """Subtract Table 5b from 5a, in print and in ours."""
    tables = [artifact.replace("5c", part) for part in ("5a", "5b", "5c")]
    a, b, c = (float(printed_cells(table)["40", "N=10"].value) for table in tables)
    ours = [{key: r.value for key, r in regenerated_cells(table).items()} for table in tables]
    same = all(np.isclose(ours[0][key] - ours[1][key], value) for key, value in ours[2].items() if "/" not in key[2])
    # each printed number is rounded by .05 at most
    if same and abs(a - b - c) > 3 * 0.05:
        yield "Table 5, N = 10 and 40 %", "In our tables 5a minus 5b is 5c to the last digit, in that cell too."


@evidence("martin-hirschberg-figure-6")
def means_outside_limits(artifact: str) -> Iterator[Statement]:
    """Compute how often one mean lies outside two standard errors of another, equally precise one; and ours."""
    place = "Section 3, on Figure 6c"
    yield place, f"P(|Z| > √2) = {200 * stats.norm.sf(sqrt(2)):.1f} %"
    for reading in ("literal", "fitted:class-0-mean"):
        share = regenerated_row(artifact, "repeated-cv-2/N=10", "outside-interval-percent", reading)
        yield place, f"{share.value:.1f} ± {share.se:.1f} %"


@evidence("martin-hirschberg-figure-7")
def estimates_of_one_half(artifact: str) -> Iterator[Statement]:
    """Look up how the claim of section 3 came out that all estimators are optimistic where they estimate one half."""
    checks = read_words("martin-hirschberg")["martin-hirschberg-claims-section-3"]["checks"]
    outcomes = [c["outcome"] for c in checks if c["claim"].startswith("All estimators are optimistic")]
    if outcomes == ["fails", "fails"]:
        yield "Section 3, after Figure 7", "all estimators are too high on average at N = 10 under both readings"


@evidence("martin-hirschberg-figure-9")
def ratios_of_variances(artifact: str) -> Iterator[Statement]:
    """Compare variances of 632b and LOO*, pooled over every k, with that of leave-one-out."""
    place = "Section 5, on Figure 9"
    for reading in ("literal", "fitted:standard-deviation"):
        column = "632-below-loo-variance-percent-nearest-neighbors"
        lower = regenerated_row("martin-hirschberg-claims", "text", column, reading)
        yield place, f"{lower.value:.1f} ± {lower.se:.1f} %"
    sd = {e: [regenerated_row(artifact, e, f"std-percent/k={k}").value for k in (1, 3)] for e in ("loo-star", "loo")}
    # pooled over every k, the ratio of variances is that of the mean squares of the standard deviations
    yield place, f"{np.square(sd['loo-star']).sum() / np.square(sd['loo']).sum():.2f} ±"


@evidence("martin-hirschberg-table-11")
def smooth_estimators_at_the_smallest_size(artifact: str) -> Iterator[Statement]:
    """Compare the printed means of 632b and LOO* with that of the true error at N = 24."""
    names = ("bootstrap-632", "loo-star", "true-error")
    boot, star, truth = (printed_cells(artifact)[name, "mean-percent/N=24"].value for name in names)
    if max(float(boot), float(star)) < float(truth):
        yield "Section 6, point 1 after the correlations", f"({boot} and {star} against {truth})"


@evidence("martin-hirschberg-figure-12")
def formula_against_exact_error(artifact: str) -> Iterator[Statement]:
    """Find where the exact error exceeds the paper's formula of the true error most."""
    cells = regenerated_cells(artifact)
    further = {
        key: r.value - cells[key[0], "true-error", key[2]].value for key, r in cells.items() if key[1] == "exact-error"
    }
    (_, _, column), most = max(further.items(), key=lambda item: item[1])
    _, noise, size = (part.rpartition("=")[2] for part in column.split("/"))
    yield "Section 6, the formula of TER", f"by {most:.1f} points, at N = {size} and p = {noise}"


@evidence("martin-hirschberg-table-15-regression")
def significant_correlations(artifact: str) -> Iterator[Statement]:
    """Compute from which size on a correlation of 200 pairs is significant, and look at ours."""
    place = "Section 6, on Table 15"
    t = stats.t.ppf([0.975, 0.995], 198)
    at_5, at_1 = t / np.sqrt(198 + t * t)
    yield place, f"significant at 5 % from |r| = {at_5:.3f} on and at 1 % from {at_1:.3f}"
    key = "bootstrap-632 on true-error/N=24"
    ours = {
        (reading, column): r.value for (reading, row, column), r in regenerated_cells(artifact).items() if row == key
    }
    if all(ours[reading, "r"] < 0 and ours[reading, "p-value"] < 0.05 for reading, _ in ours):
        yield place, "that of 632b is negative and significant under every reading"


@evidence("martin-hirschberg-figure-17")
def coefficient_of_no_reading(artifact: str) -> Iterator[Statement]:
    """Compare the fitted k1 of Figure 17b with the printed one, under every reading."""
    row, column = "mean-difference", "k1"
    printed = float(printed_cells(artifact)[row, column].value)
    for (reading, *key), r in regenerated_cells(artifact).items():
        if key == [row, column] and abs(r.value - printed) > max(3 * r.se, 0.95):
            yield "Appendix, model of Figure 17b", f"{r.value:.1f} ± {r.se:.1f} under *{reading}*"


@evidence("martin-hirschberg-conclusions")
def splits_of_a_sample(artifact: str) -> Iterator[Statement]:
    """List all splits of five cases into training and test set."""
    splits = [frozenset(part) for k in range(1, 5) for part in combinations(range(5), k)]
    ways = {frozenset([part, frozenset(range(5)) - part]) for part in splits}
    text = f"Listing all for N = 5: {len(splits)} splits into training and test set, {len(ways)} ways"
    yield "Section 2, footnote 3", text
