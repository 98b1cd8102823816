"""Claims and errata come out as recorded under twelve bends of the studies' results, and every claim can fail."""

import re
import warnings
from dataclasses import replace
from functools import cache
from itertools import zip_longest
from math import isfinite

import pandas as pd
import pytest

from bent_claims import LINE, SMALLER, Results, outcomes, recorded
from compendium.book import catalogue
from compendium.book.notebook import Notebook
from compendium.book.parameters import resolve
from compendium.book.session import captioned
from compendium.evidence.claims import Claim, Judged
from compendium.evidence.errata import printed_errata
from compendium.evidence.estimate import Condition
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale
from compendium.evidence.verdicts import read_published
from compendium.papers.parameters import Parameters
from compendium.plots.picture import Drawing

AGAIN = "if that is meant, record anew: python tests/bent_claims.py {}"


@pytest.mark.parametrize("spec", catalogue.notebooks(), ids=lambda spec: spec.id)
def test_claims_come_out_as_recorded_however_results_are_bent(spec: Notebook) -> None:
    before = pd.read_csv(recorded(spec), dtype=str, keep_default_na=False)
    report = differences(before, outcomes(spec))
    assert not report, "\n".join([f"{spec.id}: {AGAIN.format(spec.id)}", *report])


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


PAPERS = [one for one in catalogue.notebooks() if one.paper != "guide"]


@cache
def computed(notebook: str) -> tuple[Parameters, dict[str, ArtifactResult], list[Claim]]:
    """Return a notebook's parameters, its artifacts' results under the first bend, and the claims judged for them."""
    spec, results, claims = catalogue.notebook(notebook), Results(), []
    parameters = resolve(spec, SMALLER.get(spec.id, {}), "preview")
    check = Claim.check

    def collect(claim: Claim) -> Check:
        claims.append(claim)
        return check(claim)

    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore", RuntimeWarning)
        patch.setattr(Claim, "check", collect)
        matches = {a.id: a.compute(parameters, lambda study: results.bent(study, 0)) for a in spec.artifacts}
    return parameters, matches, claims


@pytest.mark.parametrize("spec", PAPERS, ids=lambda one: one.id)
def test_every_claim_fails_on_numbers_that_contradict_it(spec: Notebook) -> None:
    _, result, claims = computed(spec.id)
    in_print = [check for artifact in result for check in printed_errata(spec.paper, artifact).checks]
    shown = [one for made in result.values() for one in made.checks if not one.vacuous and one not in in_print]
    judged = {claim.check().claim: claim for claim in claims}
    assert [one.claim for one in shown if one.claim not in judged] == [], "checks that are no claims"
    contradicted = {one.claim: contradict(judged[one.claim]).outcome for one in shown}
    assert [claim for claim, outcome in contradicted.items() if outcome != "fails"] == []


@pytest.mark.parametrize("spec", PAPERS, ids=lambda one: one.id)
def test_every_figure_is_plotted_with_and_without_the_print(spec: Notebook) -> None:
    parameters, result, _ = computed(spec.id)
    table = read_published(spec.paper)
    for artifact in (one for one in spec.artifacts if one.draw is not None):
        printed = table[table["artifact"] == artifact.id]
        for scale, known in (("published", printed), ("own", printed.iloc[:0])):
            sampled = artifact.draw(parameters, ResultsByScale({scale: result[artifact.id]}), known)
            if sampled is None:
                continue
            shown = captioned(artifact, sampled, parameters) if isinstance(sampled, Drawing) else sampled
            shown.figure.draw_without_rendering()
            assert not re.search(r"\bnan\b", f"{shown.alt} {shown.caption}"), artifact.id
            assert len(shown.alt) > 40, artifact.id
            assert shown.caption.endswith((".", "%")), artifact.id


def contradict(claim: Claim) -> Claim:
    """Give every condition of a claim a number for which it fails."""

    def opposite(one: Judged) -> Judged:
        if not isinstance(one, Condition):
            return replace(one, cells=[opposite(cell) for cell in one.cells])
        beyond = one.low - 1 if isfinite(one.low) else one.high + 1
        middle = (one.low + one.high) / 2 if isfinite(one.low + one.high) else beyond
        return replace(one, estimate=replace(one.estimate, value=middle if one.outside else beyond, se=0.0))

    return replace(claim, conditions=[opposite(one) for one in claim.conditions])
