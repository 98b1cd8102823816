"""The landing page: the panel and the table of one sample show what is recorded, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from compendium.book.pages import advice_html, advice_rows, kept, sample_table
from compendium.guide.advice.experiment import AdviceParameters, bands_of
from compendium.guide.names import INTERVALS, LEARNERS, unbroken

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def guide():
    return pd.read_csv(ROOT / "data" / "regenerated" / "guide.csv")


@pytest.fixture(scope="module")
def manifests(guide):
    own = guide.astype(object).where(guide.notna(), None)
    return {
        str(artifact): {
            "id": artifact,
            "notebook": "guide/01-your-own-data",
            "rows": rows.to_dict("records"),
            "labels": {},
            "findings": [],
        }
        for artifact, rows in own.groupby("artifact", sort=False)
    }


def recorded(guide, artifact, row, column):
    found = guide[(guide.artifact == artifact) & (guide.row == row) & (guide.column == column)]
    return float(found.iloc[0].value)


def test_every_row_of_what_to_use_equals_what_is_recorded(guide, manifests):
    advised = guide[guide.artifact == "guide-which-estimator"]
    rows = iter(advice_rows(manifests))
    seen = 0
    for learner in LEARNERS.values():
        for band in bands_of(AdviceParameters()):
            kind, cases, told, fits, off, held, _, settings = next(rows)
            assert (kind.lower(), cases) == (learner.title.lower(), band.title)
            place = unbroken(f"{learner.title}/{band.title}: ")
            own = advised[advised.row.str.startswith(place)]
            if own.empty:
                assert (told, fits, settings) == ("nothing was measured here", "–", "0")
                continue
            seen += 1
            numbers = dict(zip(own.column, own.value, strict=True))
            assert own.row.iloc[0] == place + ("use " if "fits" in numbers else "") + told
            assert float(settings) == numbers["cases"]
            if "fits" in numbers:
                assert fits == f"{numbers['fits']:,.0f} fits"
                assert abs(float(off.split(" ")[0]) - numbers["off-by-percent"]) < 0.06
            if "coverage-percent" in numbers:
                assert abs(float(held.split(" ")[5]) - numbers["coverage-percent"]) < 0.06
    assert seen > 10
    assert next(rows, None) is None


def test_the_interval_of_any_estimator_is_the_narrowest_that_keeps_its_promise(guide, manifests):
    width = guide[(guide.artifact == "guide-coverage-width") & guide.row.str.startswith("points/")]
    for said, n in zip([row[6] for row in advice_rows(manifests)], (20, 50, 100, 500), strict=False):
        assert f"samples of {n}" in said
        name = next(key for key, short in INTERVALS.items() if said.startswith(f"{short}: "))
        column = f"{n}-cases"
        own = recorded(guide, "guide-coverage-width", f"points/{name}", column)
        assert recorded(guide, "guide-coverage-map", f"this-classifier/{name}", column) >= 93
        narrower = width[(width.column == column) & (width.value < own)].row.str.removeprefix("points/")
        assert all(recorded(guide, "guide-coverage-map", f"this-classifier/{m}", column) < 93 for m in narrower)


def test_the_panel_is_a_whole_table_and_opens_on_advice(manifests):
    html = advice_html(manifests)
    assert html.count("<tr") == 1 + len(list(advice_rows(manifests)))
    start = html.partition("<tr data-start>")[2].partition("</tr>")[0]
    assert " fits</td>" in start
    assert "\n" not in html, "it stands in a page of Markdown"


def test_what_was_not_run_is_not_shown():
    assert advice_html({}) == ""
    assert sample_table({}) == ""


def test_the_table_of_one_sample_has_the_extremes_and_the_truth_and_counts_the_intervals_that_hold_it(guide, manifests):
    html = sample_table(manifests)
    own = guide[guide.artifact == "guide-own-estimates"]
    wide = own.pivot_table(index="row", columns="column", values="value")
    errors = wide["error-percent"].dropna()
    for shown in (errors["chosen"], errors.min(), errors.max()):
        assert f">{shown:.1f}</a>" in html
    truth = recorded(guide, "guide-own-truth", "this classifier", "error-percent")
    assert f">{truth:.1f}</a>" in html
    limits = wide.dropna(subset=["low-percent", "high-percent"])
    held = int(((limits["low-percent"] <= truth) & (truth <= limits["high-percent"])).sum())
    assert f"{len(errors)} estimates" in html
    assert f"Of their {len(limits)} intervals that promise 95 %, {held} hold" in html


def test_a_duration_does_not_reach_the_landing_page():
    assert kept("a  1\nfits  201 in 3 s\nb  2\n") == "a  1\nb  2"
