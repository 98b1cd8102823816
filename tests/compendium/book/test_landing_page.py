"""The landing page: the panel and the table of one sample show what is recorded, and nothing else."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from compendium.book.advice_table import DEFAULT_INTERVAL, advice_html, advice_rows
from compendium.book.landing_page import kept, sample_table
from compendium.guide.names import LEARNERS
from errorest.assessment.plan import make_plan

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def guide():
    return pd.read_csv(ROOT / "data" / "regenerated" / "guide.csv")


@pytest.fixture(scope="module")
def manifests(guide):
    own = guide.astype(object).where(guide.notna(), None)
    more = {"notebook": "guide/01-your-own-data", "labels": {}, "findings": []}
    by_artifact = own.groupby("artifact", sort=False)
    return {str(artifact): {"id": artifact, "rows": rows.to_dict("records"), **more} for artifact, rows in by_artifact}


def recorded(guide, artifact, row, column):
    result = guide[(guide.artifact == artifact) & (guide.row == row) & (guide.column == column)]
    return float(result.iloc[0].value)


def test_what_to_use_answers_every_size_for_every_kind_of_classifier(manifests):
    rows = list(advice_rows(manifests))
    kinds = dict.fromkeys(a.kind for a in rows)
    assert len(kinds) == len(LEARNERS) + 1
    for kind in kinds:
        for n in (10, 24, 25, 60, 61, 100, 101, 500, 501, 1000, 1001, 2000):
            assert len([a for a in rows if a.kind == kind and a.low <= n <= a.high]) == 1
    assert all(a.problems for a in rows)


def test_measured_rows_have_problems_of_their_kind_alone_and_pooled_rows_all_of_their_size(guide, manifests):
    rmse = guide[(guide.artifact == "guide-cross-rmse") & guide.row.str.contains("N=")]
    ratio = rmse.pivot_table(index="row", columns="column", values="value")
    size = ratio.index.str.extract(r"N=(\d+)/")[0].astype(int).to_numpy()
    for a in advice_rows(manifests):
        if a.high <= 100:
            assert all(a.low <= p.n <= a.high for p in a.problems)
        assert a.pooled or {p.kind for p in a.problems} == {a.kind}
        assert len(a.problems) >= 5
        if a.pooled:
            own = ratio[(size >= a.low) & (size <= a.high)] if a.high <= 100 else ratio[size > 100]
            logs = np.log(own["bootstrap-632-plus"] / own["stratified-cv-10"])
            assert a.ratio == pytest.approx(np.exp(logs.mean()))


def test_the_interval_of_what_to_use_is_the_default_with_its_recorded_coverage(guide, manifests):
    seen, html = {a.coverage.n: a.coverage for a in advice_rows(manifests)}, advice_html(manifests)
    assert list(seen) == [20, 50, 100, 500, 1000, 2000]
    for n, report in seen.items():
        row = f"this-classifier/{DEFAULT_INTERVAL}"
        assert report.mean == recorded(guide, "guide-coverage-map", row, f"{n}-cases")
        assert report.worst <= recorded(guide, "guide-coverage-map", f"worst-cell-{row}", f"{n}-cases")
    assert all(f">{c.mean:.0f} % of samples of {c.n:,}, at worst {c.worst:.0f} %;" in html for c in seen.values())


def test_the_default_that_pages_recommend_is_the_librarys():
    plan = make_plan("auto", "auto", n=60)
    assert (plan.estimator.name, plan.method.name) == ("632+", "632+wilson")


def test_the_picture_of_one_sample_has_six_estimates_and_the_truth_and_counts_intervals(guide, manifests):
    html = sample_table(manifests)
    own = guide[guide.artifact == "guide-own-estimates"]
    wide = own.pivot_table(index="row", columns="column", values="value")
    errors = wide["error-percent"].dropna()
    assert html.count('class="errorest-dot"') == 6
    for shown in ("chosen", "resubstitution", "oob"):
        assert f">{errors[shown]:.1f}</a>" in html
    end = 40
    assert f'class="errorest-dot" style="left: {100 * errors["chosen"] / end:.2f}%"' in html
    truth = recorded(guide, "guide-own-truth", "this classifier", "error-percent")
    assert f">{truth:.1f}</a>" in html
    assert html.count(f'class="errorest-truth" style="left: {100 * truth / end:.2f}%"') == 6
    limits = wide.dropna(subset=["low-percent", "high-percent"])
    covered = int(((limits["low-percent"] <= truth) & (truth <= limits["high-percent"])).sum())
    assert f"All {len(errors)} estimates" in html
    assert f"Of their {len(limits)} nominal 95 % intervals, {covered} contain" in html


def test_a_duration_does_not_reach_the_landing_page():
    assert kept("a  1\nfits  201 in 3 s\nb  2\n") == "a  1\nb  2"
