"""Evidence of the errata of Kohavi's paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compendium.evidence.errata import (
    FINDINGS,
    Statement,
    evidence,
    printed_cells,
    regenerated_cells,
    regenerated_row,
)
from compendium.evidence.judging import judge


@evidence("kohavi-table-1")
def probabilities_of_unseen_values(artifact: str) -> Iterator[Statement]:
    """Count the data sets on which each reading of Naive Bayes differs from Table 1."""
    differing: Counter[tuple[str, str]] = Counter()
    for (reading, row, column), r in regenerated_cells(artifact).items():
        if column in ("c4.5", "naive-bayes"):
            cell = printed_cells(artifact)[row, column]
            differing[reading, column] += judge(r.value, r.se, cell.value, cell.decimals).verdict == "differs"
    for (reading, column), number in differing.items():
        text = f"(*{reading}*) differs on {number} of 7 data sets"
        yield FINDINGS, text
        if column == "naive-bayes" and not reading.startswith("unstated:"):
            yield "Section 4 against Table 1", text


@evidence("kohavi-text-632")
def cases_of_a_bootstrap_sample(artifact: str) -> Iterator[Statement]:
    """Compute the expected share of a sample's cases that a bootstrap sample contains: 1 - (1 - 1/n)^n."""
    n = 100
    share = 100 * (1 - (1 - 1 / n) ** n)
    yield "Section 2.3", f"{share:.1f} % at n = {n}; {100 - share:.1f} % are left to test"


@evidence("kohavi-text-bootstrap")
def sign_of_the_bias(artifact: str) -> Iterator[Statement]:
    """Compare the .632 bootstrap's accuracy of C4.5 on rand with the true one."""
    bias = regenerated_row(artifact, "rand/c4.5", "bias-percent")
    if bias.value > 3 * bias.se:
        yield "Section 5.1", "gives C4.5 on rand a far higher accuracy than the true one"
