"""Tables judged as wholes: against reruns of themselves, with the covariance of their cells."""

import numpy as np
import pandas as pd
import pytest

from compendium.evidence import agreement
from compendium.evidence.agreement import TableAgreement, agreement_sentence, rerun, resample_replicates
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.results import ArtifactResult, Row
from compendium.evidence.verdicts import REGENERATED_COLUMNS, compare
from compendium.studies.study import Study, run_study

CELLS = 24
SAMPLES = 100


def lines(cell, replicates, streams):
    """Two lines a replicate, and the same samples whatever the label of the cell."""
    numbers = [streams.child(r).generator("x").random() for r in replicates]
    return {"replicate": np.repeat(list(replicates), 2), "value": np.repeat(numbers, 2), "line": [0, 1] * len(numbers)}


# Replicates drawn again


def test_replicates_are_sampled_whole_and_cells_of_one_stream_share_the_draw():
    cells = [{"n": 10, "k": 1}, {"n": 10, "k": 2}, {"n": 20, "k": 1}]
    small, large = (Study("a", cells, n, lines, seed_keys=["n"]) for n in (6, 40))
    table = run_study(large)
    sampled = resample_replicates(small, table, large.counts, np.random.default_rng(1))
    assert len(sampled) == 3 * 6 * 2
    assert sampled["replicate"].tolist() == [r for _ in cells for r in range(6) for _ in "ab"]
    assert sampled["line"].tolist() == [0, 1] * 18
    value = sampled["value"].to_numpy().reshape(3, 6, 2)
    assert (value[:, :, 0] == value[:, :, 1]).all()
    assert (value[0] == value[1]).all()
    assert not set(value[0].ravel()) & set(value[2].ravel())
    # with replacement: two sets out of one pool are as independent as two runs
    again = [resample_replicates(small, run_study(small), small.counts, np.random.default_rng(s)) for s in range(5)]
    assert min(len(set(one["value"])) for one in again) < 12


def some(cell, replicates, streams):
    """As many lines a replicate as its number says, from none to two."""
    selected = [r for r in replicates for _ in range(r % 3)]
    return {"replicate": selected, "own": [10 * cell["k"] + r for r in selected]}


def test_a_replicate_without_lines_is_stored_as_one_without_lines():
    study = Study("a", [{"k": 1}, {"k": 2}], 6, some)
    sampled = resample_replicates(study, run_study(study), study.counts, np.random.default_rng(4))
    for (cell, _), lines in sampled.groupby(["cell", "replicate"]):
        (own,) = set(lines["own"])
        assert own // 10 == cell + 1
        assert len(lines) == own % 10 % 3
    assert len(set(zip(sampled["cell"], sampled["replicate"], strict=True))) < 12


def test_an_artifact_is_computed_again_from_other_replicates():
    study = Study("a", [{"n": 10}], 30, lines)
    table = run_study(study)

    judged = []

    def compute(p, run):
        checks = judge_claims(Claims("kohavi-figure-1", {"two-folds": judged.append}), p)
        return ArtifactResult([Row("literal", "r", "c", float(run(study)["value"].mean()), 0.1, 30)], checks=checks)

    result = rerun(compute, None, lambda _: (table, study.counts), 40, np.random.default_rng(2))
    values = np.array([rows[0].value for rows in result])
    own = table["value"].to_numpy()[::2]
    assert len(values) == 40
    assert judged == [], "of reruns the rows alone are read"
    assert values.std(ddof=1) == pytest.approx(own.std() / np.sqrt(30), rel=0.35)
    assert (
        rerun(lambda p, run: ArtifactResult(), None, lambda _: (table, study.counts), 3, np.random.default_rng(2)) == []
    )


# Wholes


def samples(rng, shared):
    """Means of a table's cells over samples; ``shared`` of the variance is common to all cells of a sample."""
    common, own = rng.normal(size=(SAMPLES, 1)), rng.normal(size=(SAMPLES, CELLS))
    return 10 + np.sqrt(shared) * common + np.sqrt(1 - shared) * own


def rows_of(x):
    return [
        Row("literal", f"r{i}", "mean", v.mean(), v.std(ddof=1) / np.sqrt(len(v)), len(v)) for i, v in enumerate(x.T)
    ]


def compared(print_of, own, more=()):
    """Compare a table of ours, and further rows by reading and scale, with what is printed."""
    ours = [("a-table-1", "literal", "published", r.row, r.column, r.value, r.se, r.n) for r in own]
    printed = pd.DataFrame(
        [("a-table-1", f"r{i}", "mean", f"{v:.2f}", 2.0, np.nan, "result", "=", "") for i, v in enumerate(print_of)],
        columns=["artifact", "row", "column", "value", "decimals", "halfwidth", "kind", "relation", "note"],
    )
    further = [("a-table-1", *one) for one in more]
    return compare(printed, pd.DataFrame([*ours, *further], columns=list(REGENERATED_COLUMNS)))


def judged(print_of, x, rng, times=60):
    """Judge a table of ours against what is printed, with new replicates of ours."""
    reruns = [rows_of(x[rng.integers(0, SAMPLES, SAMPLES)]) for _ in range(times)]
    return agreement.test_agreement("a-table-1", compared(print_of, rows_of(x)), reruns)


@pytest.mark.parametrize("shared", [0.0, 0.8])
def test_a_right_print_is_rarely_called_wrong_however_its_cells_share_their_samples(shared):
    rng = np.random.default_rng(7)
    results = [judged(samples(rng, shared).mean(axis=0), samples(rng, shared), rng, 40)[0] for _ in range(40)]
    # of 40 right tables more than 7 are called wrong at .05 with probability .001
    assert sum(w.p < 0.05 for w in results) <= 7
    assert sum(w.side_p < 0.05 for w in results) <= 7
    assert np.mean([w.expected for w in results]) == pytest.approx(np.mean([w.share for w in results]), abs=0.06)
    assert np.mean([w.p for w in results]) == pytest.approx(0.5, abs=0.2)


def test_a_wrong_print_is_detected():
    rng = np.random.default_rng(8)
    x = samples(rng, 0.3)
    off = samples(rng, 0.3).mean(axis=0) + 0.5 * rng.choice([-1, 1], CELLS)
    (whole,) = judged(off, x, rng)
    assert whole.p <= 1 / 60
    assert whole.share < whole.least < whole.expected
    assert "are larger than those between reruns (p ≤ .02)" in agreement_sentence(whole)


def test_a_column_on_one_side_is_no_finding_where_its_rows_share_their_noise():
    rng = np.random.default_rng(9)
    alone, together = samples(rng, 0.0), samples(rng, 0.98)
    (flagged,) = judged(alone.mean(axis=0) + 0.11, alone, rng)
    (spared,) = judged(together.mean(axis=0) + 0.11, together, rng)
    assert (flagged.below, spared.below) == (CELLS, CELLS)
    assert flagged.side_p < 0.05 < spared.side_p
    assert " and more one-sided (24 of 24 numbers of column mean lie below" in agreement_sentence(flagged)
    assert " and no more one-sided (24 of 24 numbers of column mean lie below" in agreement_sentence(spared)


def test_the_share_that_agrees_varies_more_where_cells_share_their_samples():
    rng = np.random.default_rng(10)
    least = [judged(np.full(CELLS, 10.0), samples(rng, shared), rng)[0].least for shared in (0.0, 0.98)]
    assert least[1] < least[0]


def test_more_replicates_than_the_paper_had_leave_less_noise_on_our_side():
    rng = np.random.default_rng(11)
    own = rows_of(samples(rng, 0.0))
    more = [("literal", "enlarged", r.row, r.column, 10.0, 0.02, 2500) for r in own]
    reruns = [rows_of(samples(rng, 0.0)) for _ in range(60)]
    comparison = compared([10.15] * CELLS, own, more)
    published, enlarged = agreement.test_agreement("a-table-1", comparison, reruns)
    assert (published.scale, enlarged.scale) == ("published", "enlarged")
    # .15 is 1.5 standard errors of the print alone, and 1.06 of both together
    assert np.abs(published.z).mean() < 1.3 < np.abs(enlarged.z).mean()
    assert enlarged.p < 0.05


def test_further_readings_stand_with_the_headline_and_few_numbers_make_no_table():
    rng = np.random.default_rng(12)
    x = samples(rng, 0.0)
    own = rows_of(x)
    fitted = [("fitted:x", "published", r.row, r.column, r.value + 1, r.se, r.n) for r in own[:3]]
    more = [[*own, *(r._replace(reading="fitted:x") for r in own[:3])] for _ in range(10)]
    comparison = compared([r.value for r in own], own, fitted)
    wholes = agreement.test_agreement("a-table-1", comparison, more)
    assert [(w.reading, w.within) for w in wholes] == [("headline", CELLS), ("fitted:x", CELLS - 3)]
    assert agreement.test_agreement("a-table-1", comparison[comparison.row.isin(["r1", "r2"])], more) == []
    assert agreement.test_agreement("a-table-1", comparison, []) == []


@pytest.mark.parametrize(
    ("p", "below", "side_p", "words"),
    [
        (0.4, 8, 0.3, ["are no larger than those between reruns (p = .40) and no more one-sided (8 of 8", "lie below"]),
        (0.05, 8, 0.05, ["are no larger than those between reruns (p = .05)", "no more one-sided"]),
        (0.049, 8, 0.049, ["are larger than those between reruns (p = .05) and more one-sided", "the print, p = .05)"]),
        (0.01, 0, 0.3, ["are larger", "(p ≤ .01) and no more one-sided (8 of 8 numbers of column mean lie above"]),
    ],
)
def test_the_sentence_about_a_table_follows_from_its_numbers(p, below, side_p, words):
    output = agreement_sentence(
        TableAgreement("headline", "published", 8, 6, 0.95, 0.8, p, "mean", below, 8, side_p, 100, ())
    )
    for word in [*words, "6 of 8 simulated numbers (75 %)", "agree in 95 % on average, and in at least 80 %"]:
        assert word in output


def test_p_values_of_several_tables_are_corrected_for_their_number():
    assert agreement.correct_by_holm([0.04, 0.01, 0.03, 0.5]) == pytest.approx([0.09, 0.04, 0.09, 0.5])
    assert agreement.correct_by_holm([0.02, 0.9]) == pytest.approx([0.04, 0.9])
    assert agreement.correct_by_holm([0.6, 0.7]) == [1.0, 1.0]
    # of twenty independent tables that are right any is below .05 in 1 - (1 - .05 / 20)^20 of all cases
    rng = np.random.default_rng(6)
    families = rng.random((4000, 20))
    assert np.mean([min(agreement.correct_by_holm(list(p))) < 0.05 for p in families]) == pytest.approx(
        0.049, abs=0.012
    )
