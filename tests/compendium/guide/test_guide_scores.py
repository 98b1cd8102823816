"""The study of scores: known truths, the design, averages over cells that share samples, what is shipped."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import ndtr

from compendium.guide.scores.populations import INDUCERS, POPULATIONS
from compendium.guide.scores.results import compared
from compendium.guide.scores.score_coverage import score_coverage
from compendium.guide.scores.study import ScoresParameters, cells_of
from compendium.papers.validation import ValidationError
from errorest.estimation.intervals.coverage_table import SCORE_TABLE, counted, measured_coverage_of_score
from errorest.learners import LinearDiscriminant, NaiveBayes


@pytest.mark.parametrize(("name", "distance"), [("normal", 1.0), ("far", 2.0), ("noise", 0.0), ("skewed", 1.0)])
def test_the_truth_of_an_attribute_is_that_of_its_two_normals(name, distance):
    # of two attributes each has the distance over the root of two; exponentials keep the order
    first = SimpleNamespace(predict_proba=lambda X: ndtr(np.stack([-X[:, 0], X[:, 0]], axis=1)))
    assert POPULATIONS[name].truths(first, ["auc"], 0.5)["auc"] == pytest.approx(ndtr(distance / 2), abs=0.002)


def test_a_brier_score_weighs_classes_by_their_shares():
    constant = SimpleNamespace(predict_proba=lambda X: np.tile([0.7, 0.3], (len(X), 1)))
    assert POPULATIONS["normal"].truths(constant, ["brier"], 0.2)["brier"] == pytest.approx(0.2 * 0.49 + 0.8 * 0.09)


def test_cases_of_a_group_share_half_of_their_variance_and_their_class():
    sample, groups = POPULATIONS["grouped"].sample(6000, 0.2, np.random.default_rng(0))
    assert (np.bincount(groups) == 3).all()
    assert (sample.y.reshape(-1, 3).std(axis=1) == 0).all()
    assert sample.y.mean() == 0.2
    own = sample.X[sample.y == 0, 0].reshape(-1, 3)
    # standard error .02
    assert np.corrcoef(own[:, 0], own[:, 1])[0, 1] == pytest.approx(0.5, abs=0.06)
    assert own.var() == pytest.approx(1, abs=0.06)


def test_the_first_population_is_run_in_full_and_the_others_at_few_sizes():
    cells = cells_of(ScoresParameters())
    full = {(c.n, c.share) for c in cells if c.population == "normal" and c.inducer == "ldf"}
    # one case in twenty of 20 cases is no class to train on and to test
    assert full == {(n, s) for n in (20, 50, 57, 100) for s in (0.05, 0.2, 0.5)} - {(20, 0.05)}
    assert {(c.n, c.share) for c in cells if c.population == "skewed"} == {(20, 0.5), (57, 0.2), (100, 0.05)}
    assert {c.population for c in cells if c.inducer == "svm"} == {"normal", "wide"}
    assert len(cells_of(ScoresParameters(all_cells=True))) > 3 * len(cells)
    with pytest.raises(ValidationError, match="no cell has 2 positive cases"):
        ScoresParameters(sizes=[20], shares=[0.05])


SMALL = ScoresParameters(
    populations=["normal", "grouped"], inducers=["naive-bayes", "ldf"], sizes=[20, 57], repetitions=3
)


@pytest.fixture(scope="module")
def covered(run):
    return score_coverage(SMALL, run)


def test_intervals_of_ranks_need_four_cases_of_a_class_and_coverages_are_means_of_cells(run, covered):
    lines = compared(SMALL, run)
    undefined = lines["low"].isna()
    assert (undefined == (lines["method"].isin(["AUC", "average-precision"]) & (lines["rarer"] < 4))).all()
    made = {r.row: r for r in covered.rows if r.column == "all-shares"}
    own = lines[(lines["method"] == "AUC") & ~undefined]
    assert made["this-classifier/AUC/all"].value == pytest.approx(100 * own["this-classifier"].mean())
    cells = own.groupby(["population", "inducer", "n", "share"])["this-classifier"].mean()
    assert made["worst-cell-this-classifier/AUC/all"].value == pytest.approx(100 * cells.min())


def test_the_library_ships_counts_of_the_auc_interval(covered):
    table = covered.data["table"]
    assert list(table.columns) == SCORE_TABLE.read_text().splitlines()[0].split(",")
    assert set(table["interval"]) == {
        "auc",
        "brier",
        "log-loss",
        "average-precision",
        "auc-difference",
        "error-difference",
    }
    assert set(table.loc[table["interval"] == "auc", "n"]) == {4, 10, 11, 28}
    assert set(table.loc[table["interval"] == "brier", "n"]) == {20, 57}
    assert set(table["population"]) == {"normal"}


def test_the_measured_coverage_is_reported_by_cases_of_the_smaller_class():
    auc = ("auc", "cv-hanley-mcneil(k=5)", "classifier")
    result = measured_coverage_of_score(*auc, [10, 30], NaiveBayes())
    lines = [c for c in counted(SCORE_TABLE) if (c.interval, c.n) == ("auc", 10)]
    assert result.coverage == pytest.approx(np.mean([c.classifier / c.samples for c in lines]))
    assert "with 10 cases of the smaller class the interval contained the AUC of the classifier" in result.sentence
    assert result.inside
    assert measured_coverage_of_score("auc", "cv-influence", "classifier", [10, 30]) is None
    outside = measured_coverage_of_score(*auc, [1000, 2000], LinearDiscriminant())
    assert outside.sentence.startswith("1,000 cases of the smaller class are outside the measured range (4 to 50)")
    assert "svm" in INDUCERS
