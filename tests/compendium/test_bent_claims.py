"""Claims and errata come out as recorded under twelve bends of the studies' results, and every claim can fail."""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

import pandas as pd
import pytest

from bent_claims import LINE, Results, outcomes, recorded
from compendium.book import catalogue
from compendium.book.look_ups import ROLE, fields_of
from compendium.book.notebook import Notebook
from compendium.book.places import root
from compendium.evidence import claims
from compendium.evidence.claims import Judged
from compendium.evidence.estimate import Condition
from compendium.evidence.papers import PAPERS
from compendium.evidence.results import Check, printed_errata
from compendium.plots.alt_text import alt_text_faults

AGAIN = "if that is meant, record again: python tests/bent_claims.py {}"


class Bent:
    """A notebook whose artifacts were computed from bent results, and the claims that were judged, by their texts."""

    def __init__(self, spec: Notebook) -> None:
        self.spec = spec
        self.claims: dict[str, Sequence[Judged]] = {}
        results, check = Results(), claims.check

        def collect(text: str, conditions: Sequence[Judged], **more: Any) -> Check:
            result = check(text, conditions, **more)
            self.claims.setdefault(result.claim, conditions)
            return result

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(claims, "check", collect)
            self.outcomes = outcomes(spec, results)
        self.first = {artifact: made.published for artifact, made in results.first.items()}
        self.figures = results.figures


@pytest.fixture(scope="module", params=catalogue.notebooks(), ids=lambda spec: spec.id)
def bent(request: pytest.FixtureRequest) -> Bent:
    return Bent(request.param)


def test_claims_come_out_as_recorded_however_results_are_bent(bent: Bent) -> None:
    before = pd.read_csv(recorded(bent.spec), dtype=str, keep_default_na=False)
    report = differences(before, bent.outcomes)
    assert not report, "\n".join([f"{bent.spec.id}: {AGAIN.format(bent.spec.id)}", *report])


def differences(before: pd.DataFrame, after: pd.DataFrame) -> list[str]:
    """Name each claim and erratum whose letters differ, and artifacts whose digests do, with the old and the new."""
    both = before.merge(after, on=LINE, how="outer", suffixes=("_before", "_after")).fillna("none")
    changed = both[both["outcomes_before"] != both["outcomes_after"]]
    return [
        f"{', '.join(filter(None, line))}: {was} -> {now}"
        for *line, was, now in changed.itertuples(index=False, name=None)
    ]


def test_every_claim_fails_on_numbers_that_contradict_it(bent: Bent) -> None:
    in_print = [check for artifact in bent.first for check in printed_errata(bent.spec.paper, artifact).checks]
    shown = [one for made in bent.first.values() for one in made.checks if not one.vacuous and one not in in_print]
    calculated = [one for one in shown if one.claim not in bent.claims]
    assert not calculated or not PAPERS[bent.spec.paper].printed, "checks that are no claims"
    contradicted = {one.claim: contradict(bent.claims[one.claim]) for one in shown if one not in calculated}
    assert [claim for claim, outcome in contradicted.items() if outcome != "fails"] == []


def test_rows_are_numbers_of_their_own(bent: Bent) -> None:
    for artifact, made in bent.first.items():
        assert made.rows or made.findings or made.checks, artifact
        keys = [(row.reading, row.row, row.column) for row in made.rows]
        assert len(set(keys)) == len(keys), artifact


def test_every_figure_is_plotted_with_and_without_the_print(bent: Bent) -> None:
    for artifact, shown in ((artifact, one) for artifact, both in bent.figures.items() for one in both):
        shown.figure.draw_without_rendering()
        assert not re.search(r"\bnan\b", shown.caption), artifact
        assert alt_text_faults(shown.alt) == [], artifact
        assert shown.caption.endswith((".", "%")), artifact


def quoted() -> list[tuple[str, ...]]:
    """Collect what pages and notebooks quote: a finding or an outcome, the artifact, and parts of the text."""
    pages = [page.read_text(encoding="utf-8") for page in (root() / "book").rglob("*.md")]
    notebooks = [path.read_text(encoding="utf-8") for path in (root() / "notebooks").rglob("*.ipynb")]
    roles = [found.group("role", "fields") for found in ROLE.finditer("\n".join(pages))]
    comments = re.findall(r"<!-- (finding|outcome): (.*?) -->", "\n".join(notebooks))
    named = [(what, fields_of(text)[0]) for what, text in (*roles, *comments) if what in ("finding", "outcome")]
    return [
        (what, artifact, *(part for part in parts if not part.startswith("["))) for what, (artifact, *parts) in named
    ]


def test_every_finding_and_outcome_that_a_page_quotes_is_one_that_the_run_yields(bent: Bent) -> None:
    for what, artifact, *parts in quoted():
        if artifact in bent.first:
            made = bent.first[artifact]
            if what == "finding":
                fits = [text for text in made.findings if all(part in text for part in parts)]
            else:
                fits = [
                    one.claim for one in made.checks if one.name == parts[0] and all(p in one.claim for p in parts[1:])
                ]
            assert fits, (artifact, parts)


def contradict(conditions: Sequence[Judged]) -> str:
    """Give every condition of a claim a number for which it fails, and return what follows for the claim."""

    def opposite(one: Judged) -> Judged:
        if not isinstance(one, Condition):
            return replace(one, cells=[opposite(cell) for cell in one.cells])
        beyond = one.low - 1 if isfinite(one.low) else one.high + 1
        middle = (one.low + one.high) / 2 if isfinite(one.low + one.high) else beyond
        return replace(one, estimate=replace(one.estimate, value=middle if one.outside else beyond, se=0.0))

    return claims.judged(opposite(one).outcome for one in conditions)
