"""The book's controls: every position shows what its row has recorded, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from compendium.book.explore import Choice, Control, Output, advice_control, coverage_control, write_control
from compendium.book.front import kept, sample_table
from compendium.guide.advice.experiment import AdviceParameters, bands_of
from compendium.guide.names import INTERVALS, LEARNERS, TARGETS, unbroken

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


def test_every_position_of_what_to_use_equals_its_row(guide, manifests):
    control = advice_control(manifests)
    sizes = [int(text.replace(",", "")) for text in control.choices[0].options]
    tried = [int(text.replace(",", "")) for text in control.choices[3].options]
    advised = guide[guide.artifact == "guide-which-estimator"]
    assert not control.answer([c.start for c in control.choices])[1].startswith("–"), "it opens on advice"
    seen = 0
    for a, n in enumerate(sizes):
        band = next(band.title for band in bands_of(AdviceParameters()) if band.holds(n))
        for b, learner in enumerate(LEARNERS):
            place = unbroken(f"{LEARNERS[learner].title}/{band}: ")
            own = advised[advised.row.str.startswith(place)]
            for d, t in enumerate(tried):
                said = control.answer([a, b, 0, d])
                assert len(said) == len(control.outputs)
                price = 0.0 if t == 1 else recorded(guide, "guide-price-of-tuning", f"m={n}", f"{t} settings")
                assert said[6].startswith("nothing") if t == 1 else f" {price:.1f} points" in said[6]
            if own.empty:
                assert said[0] == "nothing was measured here"
                continue
            seen += 1
            numbers = dict(zip(own.column, own.value, strict=True))
            assert own.row.iloc[0] == place + ("use " if "fits" in numbers else "") + said[0]
            assert said[5].startswith(f"{numbers['cases']:.0f}, of samples of {band}")
            if "fits" in numbers:
                assert said[1] == f"{numbers['fits']:,.0f} classifiers made"
                assert abs(float(said[2].split(" ")[0]) - numbers["off-by-percent"]) < 0.06
            if "coverage-percent" in numbers:
                assert abs(float(re.search(r"in ([\d.]+)", said[3])[1]) - numbers["coverage-percent"]) < 0.06
    assert seen > 10


def test_two_and_more_than_two_classes_share_the_cases(manifests):
    control = advice_control(manifests)
    for a in range(len(control.choices[0].options)):
        for b in range(len(LEARNERS)):
            two, more = (control.answer([a, b, c, 0])[5] for c in (0, 1))
            if two != "0":
                counts = [int(re.search(r"; (\d+) of them", text)[1]) for text in (two, more)]
                assert sum(counts) == int(two.split(",")[0])


def test_the_interval_of_any_estimator_is_the_narrowest_that_keeps_its_promise(guide, manifests):
    control = advice_control(manifests)
    width = guide[(guide.artifact == "guide-coverage-width") & guide.row.str.startswith("points/")]
    for a, n in enumerate(int(text.replace(",", "")) for text in control.choices[0].options):
        said = control.answer([a, 0, 0, 0])[4]
        name = next(key for key, short in INTERVALS.items() if said.startswith(f"{short}: "))
        column = f"{n}-cases"
        own = recorded(guide, "guide-coverage-width", f"points/{name}", column)
        assert recorded(guide, "guide-coverage-map", f"this-classifier/{name}", column) >= 93
        narrower = width[(width.column == column) & (width.value < own)].row.str.removeprefix("points/")
        assert all(recorded(guide, "guide-coverage-map", f"this-classifier/{m}", column) < 93 for m in narrower)


CELL = {
    "population": "lenses", "inducer": "1-nn", "n": "20", "method": "corrected-t", "interval": "corrected-t",
    "coverage": "0.9", "low": "0.87", "high": "0.92", "width": "0.4", "width_se": "0.01", "error": "0.25",
    "samples": "500",
}  # fmt: skip


def test_a_cell_of_the_coverage_study_is_told_with_its_limits_and_a_mean_with_its_worst(guide, manifests):
    cells = [{**CELL, "target": target} for target in TARGETS] + [{**CELL, "n": "50", "target": next(iter(TARGETS))}]
    control = coverage_control(manifests, cells)
    assert control.answer([0, 0, 1, 0]) == [
        "in 90.0 % of samples (95 % limits 87.0 to 92.0 %)",
        "40.0 ± 1.0 points",
        "500 samples; mean true error 25.0 %",
    ]
    assert control.answer([0, 1, 1, 1]) == [control.missing] * 3
    mean = recorded(guide, "guide-coverage-map", "this-classifier/corrected-t", "20-cases")
    assert abs(float(re.search(r"in ([\d.]+)", control.answer([0, 0, 0, 0])[0])[1]) - mean) < 0.06


def test_the_page_shows_the_first_answer_and_its_script_holds_all(tmp_path):
    asked = [Choice("n", "Cases", ("20", "<50>"), 1, slider=True), Choice("k", "Kind", ("a", "b"))]
    control = Control("x", "What", asked, [Output("Fits", (1, 0), {"0/0": "10", "0/1": "<20>"})])
    html = write_control(control, tmp_path, "../")
    assert "&lt;20&gt;" in html
    assert "\n" not in html
    assert '<script src="../explore/x.js" defer></script>' in html
    text = (tmp_path / "extra" / "explore" / "x.js").read_text(encoding="utf-8")
    data = json.loads(text[text.index("] = ") + 4 : -2])
    assert data["outputs"] == [{"of": [1, 0], "texts": {"0/0": "10", "0/1": "<20>"}}]
    assert control.answer([0, 1]) == ["not measured"]


def test_what_was_not_run_makes_no_control():
    assert advice_control({}) is None
    assert coverage_control({}, []) is None
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
