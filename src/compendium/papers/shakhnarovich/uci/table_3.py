"""Table 3: what can be counted of each data set."""

from __future__ import annotations

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.uci.data import SetsParameters, sets_of


@artifact("shakhnarovich-table-3", labels=LABELS)
def table_3(p: SetsParameters, run: Run) -> ArtifactResult:
    """Count cases, features and classes of each data set."""
    rows: list[Row] = []
    checks: list[Check] = []
    for one in sets_of(p):
        s = one.sample
        integers = sum(a.kind == "integer" for a in s.attributes)
        whole_numbers = int((np.round(s.X) == s.X).all(axis=0).sum())
        counted = {"size": s.n, "features": s.d, "classes": int(np.count_nonzero(s.class_counts()))}
        if 0 < integers < s.d:
            counted |= {"integer-features": integers, "continuous-features": s.d - integers}
        counted |= {"whole-number-features": whole_numbers, "distinct-points": len(np.unique(s.X, axis=0))}
        rows += [Row.exact("literal", one.name, column, value) for column, value in counted.items()]
        if claimed := s.d - integers:
            other = exact(s.d - whole_numbers, f"columns, of {s.d}, with other than whole numbers")
            words = {"claimed": claimed, "of": s.d, "name": symbol_of(one.name)}
            checks.append(judge_claim("shakhnarovich-table-3", "continuous", other.equals(claimed), **words))
    return ArtifactResult(rows, checks=checks)
