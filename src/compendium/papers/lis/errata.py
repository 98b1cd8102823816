"""Evidence of the errata of the course page."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from compendium.evidence.errata import Statement, evidence
from compendium.papers.bootstrap import distinct_share


@evidence("lis-claims")
def share_of_distinct_cases(artifact: str) -> Iterator[Statement]:
    """Compute the expected share of distinct cases in a bootstrap sample: in the limit, and of the page's 100 cases."""
    limit, example = 100 * (1 - exp(-1)), 100 * distinct_share(100)
    yield "section on bootstrapping", f"{limit:.1f} %"
    yield "section on bootstrapping", f"1 - 1/e is {limit:.2f} %"
    yield "section on bootstrapping", f"100 cases gives {example:.2f} %"
