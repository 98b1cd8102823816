"""The landing page: the panel and the table of one sample show what is recorded, and nothing else."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from compendium.book import look_ups
from compendium.book.look_ups import BLOCKS, wrapped
from compendium.book.results import MissingError, Results
from compendium.guide.advice_table import DEFAULT_INTERVAL, advice_rows
from compendium.guide.coverage.methods import METHODS
from compendium.guide.names import LEARNERS
from errorest import estimate
from errorest.estimation.intervals import parse_interval

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


POPULATIONS = {"c4.5": 6, "1-nn": 6, "ldf": 3, "naive-bayes": 6, "majority": 5}


def _cells(populations=None):
    """Make cells of the coverage study: trees are covered least, and least of all on the last population."""
    of_size = {20: POPULATIONS, 50: POPULATIONS, 100: {**POPULATIONS, "ldf": 2}, 500: dict.fromkeys(POPULATIONS, 2)}
    of_size[1000] = {"ldf": 1, "c4.5": 1}
    lines = []
    for n, inducers in (populations or of_size).items():
        for inducer, number in inducers.items():
            for k in range(number):
                covered = 0.9 if inducer == "c4.5" else 0.97
                of = {"population": f"p{k}", "inducer": inducer, "n": n, "method": DEFAULT_INTERVAL}
                measured = {"error": 0.1 + k / 50, "width": 2 / n + 0.01 * len(inducer), "samples": 225}
                lines.append({**of, **measured, "this-classifier": covered - 0.02 * k})
    cells = pd.DataFrame(lines)
    return pd.concat([cells, cells.assign(**{"method": "holdout-Wald", "this-classifier": 0.1})])


@pytest.fixture(scope="module")
def cells():
    return _cells()


@pytest.fixture(scope="module")
def rows(manifests, cells):
    return list(advice_rows(manifests["guide-cross-rmse"], cells))


def answer(rows, kind, n):
    (own,) = [a for a in rows if a.kind.startswith(kind) and a.low <= n and (a.high is None or n <= a.high)]
    return own


def test_what_to_use_answers_every_size_for_every_kind_of_classifier_once(rows):
    kinds = dict.fromkeys(a.kind for a in rows)
    assert len(kinds) == len(LEARNERS) + 1
    for kind in kinds:
        for n in (1, 9, 10, 31, 32, 70, 71, 223, 224, 1000, 1001, 10**6):
            assert answer(rows, kind, n).kind == kind


@pytest.mark.parametrize("n", [1, 5, 9, 300, 1000, 100_000])
def test_sizes_that_nothing_was_measured_near_are_answered_with_nothing(rows, n):
    for own in rows:
        if own is answer(rows, own.kind, n):
            assert own.coverage is None
            assert own.problems == ()


def test_neighbouring_sizes_are_answered_by_the_nearest_that_was_measured(rows):
    measured = {n: answer(rows, "pruned tree", n).coverage.n for n in (10, 31, 32, 60, 70, 71, 100, 101, 223, 224, 299)}
    expected = [20, 20, 50, 50, 50, 100, 100, 100, 100, 500, 500]
    assert list(measured.values()) == expected
    for own in (one for one in rows if one.problems):
        assert all(own.low <= p.n <= own.high for p in own.problems)


def test_the_interval_is_that_of_the_kind_of_classifier_and_of_the_size(rows, cells):
    own = cells[(cells.method == DEFAULT_INTERVAL) & (cells.n == 50)]
    seen = {}
    for kind, inducer in (("pruned tree", "c4.5"), ("memorizers", "1-nn"), ("linear", "ldf"), ("Naive", "naive-bayes")):
        report, part = answer(rows, kind, 60).coverage, own[own.inducer == inducer]
        assert not report.pooled
        assert report.cells == len(part)
        assert report.mean == pytest.approx(100 * part["this-classifier"].mean())
        assert report.worst == pytest.approx(100 * part["this-classifier"].min())
        assert report.width == pytest.approx(100 * part["width"].mean())
        seen[kind] = report.mean
    assert seen["pruned tree"] < min(seen["memorizers"], seen["linear"], seen["Naive"])


def test_few_populations_of_a_kind_are_pooled_with_all_kinds_and_few_of_all_are_not_measured(manifests, rows, cells):
    classifiers = cells[(cells.method == DEFAULT_INTERVAL) & (cells.inducer != "majority")]
    for kind, n in (("another", 50), ("RBF", 50), ("linear", 100), ("pruned tree", 250)):
        report = answer(rows, kind, n).coverage
        assert report.pooled
        own = classifiers[classifiers.n == report.n]
        assert report.cells == len(own) >= 8
        assert report.mean == pytest.approx(100 * own["this-classifier"].mean())
    few = advice_rows(manifests["guide-cross-rmse"], _cells({20: {"ldf": 3, "c4.5": 4}}))
    assert {(a.coverage, a.problems) for a in few} == {(None, ())}


def test_measured_rows_have_problems_of_their_kind_alone_and_pooled_rows_all_of_their_size(guide, rows):
    rmse = guide[(guide.artifact == "guide-cross-rmse") & guide.row.str.contains("N=")]
    ratio = rmse.pivot_table(index="row", columns="column", values="value")
    size = ratio.index.str.extract(r"N=(\d+)/")[0].astype(int).to_numpy()
    for a in (one for one in rows if one.problems):
        assert a.pooled or {p.kind for p in a.problems} == {a.kind}
        assert len(a.problems) >= 5
        if a.pooled:
            own = ratio[(size >= a.low) & (size <= a.high)]
            logs = np.log(own["bootstrap-632-plus"] / own["stratified-cv-10"])
            assert a.ratio == pytest.approx(np.exp(logs.mean()))


def default_estimate():
    return estimate("majority", np.arange(60.0)[:, None], [0, 1] * 30, rng=0)


def test_the_interval_of_what_to_use_is_the_librarys_default():
    (study,) = METHODS[DEFAULT_INTERVAL]
    assert parse_interval(study.format(usual=200)).name == default_estimate().interval.method.partition("(")[0]


@pytest.fixture
def shown(manifests, monkeypatch):
    results = Results(list(manifests.values()), "published")
    monkeypatch.setattr(look_ups, "results", lambda: results)


def test_what_was_not_measured_is_said_in_the_table(shown, cells, rows, monkeypatch):
    monkeypatch.setattr(look_ups, "_data_of", lambda artifact, name: cells)
    html = BLOCKS["advice"]()
    tree = answer(rows, "pruned tree", 60).coverage
    assert (
        f">{tree.mean:.0f} % of samples of 50, at worst {tree.worst:.0f} %; width {tree.width:.0f} points (this kind"
        in html
    )
    open_rows = re.findall(r'<tr data-low="300">.*?</tr>', html)
    assert len(open_rows) == len(LEARNERS) + 1
    assert all(row.count("not measured") == 2 for row in open_rows)
    monkeypatch.setattr(look_ups, "_data_of", lambda artifact, name: None)
    with pytest.raises(MissingError, match="advice"):
        BLOCKS["advice"]()


def test_the_default_that_pages_recommend_is_the_librarys():
    result = default_estimate()
    assert [text.partition("(")[0] for text in (result.method, result.interval.method)] == ["632+", "632+wilson"]


def test_the_picture_of_one_sample_has_six_estimates_and_the_truth_and_counts_intervals(guide, shown):
    html = BLOCKS["sample-of-estimates"]()
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


def test_long_lines_of_the_command_are_broken_behind_their_heading():
    text = wrapped("Error rate 2 %\n  verdict   " + "better " * 30 + "\n  ! " + "beware " * 30 + "\n")
    lines = text.splitlines()
    assert max(map(len, lines)) <= 100
    assert [line[:14] for line in lines[:3]] == ["Error rate 2 %", "  verdict   be", "            be"]
    assert lines[-1].startswith("    beware")
