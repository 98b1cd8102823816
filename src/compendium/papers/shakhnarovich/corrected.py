"""Both forms of the .632+ on the same trials: as the text describes it, and as it gives the printed tables.

The text cuts the relative overfitting rate R to [0, 1], as Efron & Tibshirani (1997) do; the printed numbers come out
if R is set to 0 outside.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.records import distinct, parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.parameters import Parameters
from compendium.papers.shakhnarovich.case_counts import better_than_all
from compendium.papers.shakhnarovich.cases import Case, first_of_each, reading_of, zero_reading
from compendium.papers.shakhnarovich.figures import mark, ratio_dots, ratio_panel
from compendium.papers.shakhnarovich.methods import PLUS, TO_ZERO
from compendium.papers.shakhnarovich.names import LABELS, case_title, words_for
from compendium.papers.shakhnarovich.synthetic.study import SyntheticParameters, cases_of
from compendium.plots.panels import legend_of
from compendium.plots.picture import Drawing
from errorest.plots import BLUE, VERMILION, in_style, new_figure
from errorest.streams import Streams

_PLAIN, _CLONED = PLUS
_ZERO = TO_ZERO[_CLONED]
_COMPARED = (_PLAIN, TO_ZERO[_PLAIN], _CLONED, _ZERO, "cloned-loo", "cloned-bscv-10", "cloned-bscv-5")

_COMPARISONS = {
    "cloned-632plus-beats-cloned-632plus-to-zero": (_CLONED, _ZERO),
    "bootstrap-632plus-beats-bootstrap-632plus-to-zero": (_PLAIN, TO_ZERO[_PLAIN]),
    "cloned-632plus-beats-632plus": (_CLONED, _PLAIN),
    "cloned-632plus-beats-cloned-loo": (_CLONED, "cloned-loo"),
    "cloned-loo-beats-cloned-632plus-to-zero": ("cloned-loo", _ZERO),
    "cloned-bscv-10-beats-cloned-bscv-5": ("cloned-bscv-10", "cloned-bscv-5"),
}

_LOOKS = {".632+ as in the text": (_CLONED, _PLAIN, BLUE, "o"), "R set to 0": (_ZERO, TO_ZERO[_PLAIN], VERMILION, "s")}


class CorrectedParameters(SyntheticParameters, notebook="shakhnarovich/02-correct-632plus"):
    """The design of the synthetic half, whose trials these are."""


def compare_forms(cases: Sequence[Case], streams: Streams, group: str) -> ArtifactResult:
    """Compare both forms of the .632+, plain and on clones, with one another and with BS(1)*."""
    rows: list[Row] = []
    table = []
    for case in cases:
        for estimator in filter(case.has, _COMPARED):
            m = case.rms(estimator)
            reading = zero_reading(case.reading) if estimator in TO_ZERO.values() else case.reading
            rows.append(Row.of(reading, f"{case.row}/{estimator}", "rmse", m))
            table.append({"row": case.row, "estimator": estimator, "rmse": m.value, "se": m.se})
    counts = {name: better_than_all(cases, one, [other], streams) for name, (one, other) in _COMPARISONS.items()}
    # ten folds were made in none of the cases of a small sample
    rows += [count.row(reading_of(cases), group, name) for name, count in counts.items() if count.cases]
    places = "setting" if group == "synthetic" else ""
    headline = counts["cloned-632plus-beats-632plus"]
    lost = words_for([case.row for case in headline.cases if case.row not in headline.rows], places)
    checks = [judge_claim("shakhnarovich-corrected-all", "better", headline.in_most(), lost=lost)]
    # the classes of settings 2 and 4 do not depend on the attributes
    if blind := [case for case in cases if case.place in ("2", "4")]:
        won = better_than_all(blind, _CLONED, ["cloned-loo"], streams)
        words = {"won": words_for(won.rows, places)}
        checks.append(judge_claim("shakhnarovich-corrected-all", "without-information", won.in_most(), **words))
    return ArtifactResult(rows, {"forms": pd.DataFrame(table)}, checks)


@in_style
def draw_forms(p: Parameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the RMSE on clones over the plain one, in both forms of the .632+, by case."""
    scale, result = made.shown
    table = result.data["forms"].drop_duplicates(["row", "estimator"])
    cases = distinct(table["row"])
    of = {name: lines.set_index("row") for name, lines in parts(table, "estimator").items()}
    figure, grid = new_figure(1, 1, 1.5 + 0.27 * len(cases))
    counts = []
    for shift, (title, (cloned, plain, colour, marker)) in zip((-0.14, 0.14), _LOOKS.items(), strict=True):
        both = of[cloned].index.intersection(of[plain].index, sort=False)
        at = [cases.index(row) + shift for row in both]
        ratio = ratio_dots(grid[0, 0], of[cloned].loc[both], of[plain].loc[both], at, colour, marker)
        counts.append(f"{title} in {int((ratio < 1).sum())} of {len(both)} cases")
    ratio_panel(grid[0, 0], [case_title(row) for row in cases], "RMSE on clones over the plain one (log scale)")
    legend_of(figure, {title: mark(*look[2:]) for title, look in _LOOKS.items()})
    return Drawing(figure, facts={"counts": " and ".join(counts), "scale": scale})


@artifact("shakhnarovich-corrected-synthetic", draw=draw_forms, labels=LABELS)
def corrected_synthetic(p: CorrectedParameters, run: Run) -> ArtifactResult:
    """Compare the forms over the synthetic cases."""
    return compare_forms(first_of_each(cases_of(p, run)), Streams(p.seed).child("shakhnarovich-corrected"), "synthetic")
