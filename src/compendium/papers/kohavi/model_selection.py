"""Section 6: how often each estimate picks the better of two inducers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Estimate
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.evidence.trials import Trials
from compendium.papers.kohavi.data import RAND
from compendium.papers.kohavi.drawing import SCHEME_LOOKS, SCHEME_NAMES
from compendium.papers.kohavi.estimates import ADVISED, HOLDOUT, LOO, estimates_of
from compendium.papers.kohavi.inducers import title_of
from compendium.papers.kohavi.parameters import EstimateParameters
from compendium.plots.picture import Drawing, Picture
from errorest.plots import COLOURS


def draw_model_selection(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing | None:
    scale, result = made.shown
    if "selection" not in result.data:
        return None
    table = result.data["selection"].assign(scheme=[q.scheme for q in p.points])
    panels = {"rms": "distance from the truth", "right": "choosing an inducer"}
    if table["right"].isna().all():
        del panels["right"]
    picture = Picture(
        1.2 + 0.24 * len(table),
        panels,
        "panel",
        letters=len(panels) > 1,
        x={"rms": "rms error (points)", "right": "right choices (%)"},
        y_levels={q: q.replace("=", " = ").replace("stratified-", "stratified ") for q in table["point"]},
        sharey=True,
    )
    errors = {"rms": "rms_se", "right": "se"}
    long = pd.concat([table.assign(panel=name, value=table[name], error=table[errors[name]]) for name in panels])
    looks = {scheme: SCHEME_LOOKS[scheme] for scheme in ("plain", "stratified")}
    looks["bootstrap"] = {"color": COLOURS[2], "marker": "^"}
    names = SCHEME_NAMES
    picture.scatter(
        long, "value", "point", x_se="error", by="scheme", looks=looks, names=names, markersize=5, elinewidth=1
    )
    pair = " and ".join(title_of(i) for i in p.inducers[:2])
    first = table[table["right"] == table["right"].max()]["point"].tolist()
    best = f"; {', '.join(first)} {'pick' if len(first) > 1 else 'picks'} the better inducer most often"
    choices = f" (b) How often the estimate picks the better of {pair}."
    if "right" not in panels:
        best = choices = ""
    nearest = table["point"].iloc[table["rms"].argmin()]
    return picture.done(nearest=nearest, best=best, pair=pair, choices=choices, scale=scale.capitalize())


SELECTION = Claims("kohavi-model-selection")


@SELECTION.claim
def best(right: dict[str, Estimate]) -> Condition:
    others = [share for point, share in right.items() if point != ADVISED]
    if ADVISED not in right or not others:
        raise NotRun("nothing to compare")
    return right[ADVISED] > max(others, key=attrgetter("value"))


@SELECTION.claim
def better_than_loo(right: dict[str, Estimate]) -> Condition:
    if not {ADVISED, LOO} <= set(right):
        raise NotRun("one of the two was not run")
    return right[ADVISED] > right[LOO]


@artifact("kohavi-model-selection", draw=draw_model_selection)
@artifact("kohavi-another-choice", draw=draw_model_selection)
def model_selection(p: EstimateParameters, run: Run) -> ArtifactResult:
    """How often each estimate picks the better of the first two inducers, and how near it comes to the truth.

    The truth is the accuracy on all cases outside the sample.  Data without information are left out.
    """
    estimates = estimates_of(p, run)
    pairs = [[estimates[s, i] for i in p.inducers[:2]] for s in dict.fromkeys(s for s, _ in estimates) if s != RAND]
    if not pairs:
        return ArtifactResult()
    n = min(t.n for t in estimates.values())
    rows, table = [], []
    right: dict[str, Estimate] = {}
    for point in (q.name for q in p.points):
        # mean square over both inducers and all samples of data sets that are fixed
        squares = [np.mean([t.difference(point, HOLDOUT) ** 2 for t in pair], axis=0) for pair in pairs]
        rms = monte_carlo.root_of(monte_carlo.average(map(monte_carlo.mean, squares)))
        rows.append(Row("literal", point, "rms-percent", rms.value, rms.se, n))
        chosen = monte_carlo.average([share for pair in pairs if (share := _right_choices(pair, point)) is not None])
        if chosen.n:
            rows.append(Row("literal", point, "right-choices-percent", chosen.value, chosen.se, n))
            right[point] = replace(chosen, n=n).named(point, "points", 1)
        line = {"point": point, "rms": rms.value, "rms_se": rms.se, "right": chosen.value, "se": chosen.se}
        table.append({**line, "n": n})
    return ArtifactResult(rows, {"selection": pd.DataFrame(table)}, judge_claims(SELECTION, right))


def _right_choices(pair: Sequence[Trials], point: str) -> Estimate | None:
    """Share of samples in which an estimate picks the better inducer, percent; an equal estimate counts half."""
    if len(pair) < 2:
        return None
    truly, seen = ((pair[0][column] - pair[1][column]).round(9) for column in (HOLDOUT, point))
    right = np.where(seen == 0, 0.5, np.sign(seen) == np.sign(truly))[truly != 0]
    return pair[0].average(100.0 * right) if right.size else None
