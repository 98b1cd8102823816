"""Claims and errata come out as recorded under twelve bends of the studies' results, and every claim can fail."""

import re
import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from math import isfinite

import pandas as pd
import pytest

from bent_claims import LINE, Results, outcomes, parameters_of, recorded
from compendium.book import catalogue
from compendium.book.notebook import Notebook
from compendium.book.session import captioned
from compendium.evidence.claims import Claim, Judged
from compendium.evidence.estimate import Condition
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, printed_errata
from compendium.evidence.verdicts import OWN, read_published
from compendium.papers.parameters import Parameters
from compendium.plots.picture import Drawing
from compendium.studies.study import Study

AGAIN = "if that is meant, record anew: python tests/bent_claims.py {}"


@dataclass
class Bent:
    """A notebook with the bent results of its studies, which are measured once for all tests of it."""

    spec: Notebook
    results: Results = field(default_factory=Results)

    @cached_property
    def parameters(self) -> Parameters:
        return parameters_of(self.spec)

    @cached_property
    def first(self) -> tuple[dict[str, ArtifactResult], list[Claim]]:
        """The artifacts' results under the first bend, and the claims judged for them."""
        claims, check = [], Claim.check

        def collect(claim: Claim) -> Check:
            claims.append(claim)
            return check(claim)

        def run(study: Study) -> pd.DataFrame:
            return self.results.bent(study, 0)

        with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
            warnings.simplefilter("ignore", RuntimeWarning)
            patch.setattr(Claim, "check", collect)
            return {a.id: a.compute(self.parameters, run) for a in self.spec.artifacts}, claims


@pytest.fixture(scope="module", params=catalogue.notebooks(), ids=lambda spec: spec.id)
def bent(request: pytest.FixtureRequest) -> Bent:
    return Bent(request.param)


def test_claims_come_out_as_recorded_however_results_are_bent(bent: Bent) -> None:
    before = pd.read_csv(recorded(bent.spec), dtype=str, keep_default_na=False)
    report = differences(before, outcomes(bent.spec, bent.results))
    assert not report, "\n".join([f"{bent.spec.id}: {AGAIN.format(bent.spec.id)}", *report])


def differences(before: pd.DataFrame, after: pd.DataFrame) -> list[str]:
    """Name each claim and erratum whose letters differ, with the bends, the old letter and the new one."""
    old, new = (
        dict(zip(f[LINE].itertuples(index=False, name=None), f["outcomes"], strict=True)) for f in (before, after)
    )
    messages = []
    for line in dict.fromkeys([*old, *new]):
        pairs = zip_longest(old.get(line, ""), new.get(line, ""), fillvalue="-")
        flips = [f"bend {number}: {was} -> {now}" for number, (was, now) in enumerate(pairs) if was != now]
        messages += [f"{', '.join(filter(None, line))}: {'; '.join(flips)}"] if flips else []
    return messages


def test_every_claim_fails_on_numbers_that_contradict_it(bent: Bent) -> None:
    result, claims = bent.first
    in_print = [check for artifact in result for check in printed_errata(bent.spec.paper, artifact).checks]
    shown = [one for made in result.values() for one in made.checks if not one.vacuous and one not in in_print]
    judged = {claim.check().claim: claim for claim in claims}
    calculated = [one for one in shown if one.claim not in judged]
    assert not calculated or bent.spec.paper == OWN, "checks that are no claims"
    contradicted = {one.claim: contradict(judged[one.claim]).outcome for one in shown if one not in calculated}
    assert [claim for claim, outcome in contradicted.items() if outcome != "fails"] == []


def test_rows_are_numbers_of_their_own(bent: Bent) -> None:
    for artifact, made in bent.first[0].items():
        assert made.rows or made.findings or made.checks, artifact
        keys = [(row.reading, row.row, row.column) for row in made.rows]
        assert len(set(keys)) == len(keys), artifact
        if bent.spec.paper == OWN:
            assert not any("=" in row.column for row in made.rows), "a grid leaves such columns out"


def test_every_figure_is_plotted_with_and_without_the_print(bent: Bent) -> None:
    result, table = bent.first[0], read_published(bent.spec.paper)
    for artifact in (one for one in bent.spec.artifacts if one.draw is not None):
        printed = table[table["artifact"] == artifact.id]
        for scale, known in (("published", printed), ("own", printed.iloc[:0])):
            sampled = artifact.draw(bent.parameters, ResultsByScale({scale: result[artifact.id]}), known)
            if sampled is None:
                continue
            shown = captioned(artifact, sampled, bent.parameters) if isinstance(sampled, Drawing) else sampled
            shown.figure.draw_without_rendering()
            assert not re.search(r"\bnan\b", f"{shown.alt} {shown.caption}"), artifact.id
            assert len(shown.alt) > 40, artifact.id
            assert shown.caption.endswith((".", "%")), artifact.id
            if len(printed) == 0:
                break


def contradict(claim: Claim) -> Claim:
    """Give every condition of a claim a number for which it fails."""

    def opposite(one: Judged) -> Judged:
        if not isinstance(one, Condition):
            return replace(one, cells=[opposite(cell) for cell in one.cells])
        beyond = one.low - 1 if isfinite(one.low) else one.high + 1
        middle = (one.low + one.high) / 2 if isfinite(one.low + one.high) else beyond
        return replace(one, estimate=replace(one.estimate, value=middle if one.outside else beyond, se=0.0))

    return replace(claim, conditions=[opposite(one) for one in claim.conditions])
