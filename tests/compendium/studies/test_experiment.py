"""The one experiment: its lines are what the library says of each sample, and its key follows the code it uses."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from compendium.methods.learners.threshold import Threshold
from compendium.studies import digests
from compendium.studies.experiment import TRUE_ERROR, Experiment, Trial, wide
from compendium.studies.populations import TwoNormals, intervals_of
from compendium.studies.replicates import Design, each_replicate
from compendium.studies.sources import DataAsPopulation, DrawnSample, Fixed, FromPopulation, PartOfData, WithTestSet
from compendium.studies.spot_check import code_of, modules_of
from compendium.studies.study import Study, StudyError, run_study
from errorest.data.sample import Sample
from errorest.estimation import estimate
from errorest.estimation.intervals import interval
from errorest.learners import KNN, NaiveBayes
from errorest.streams import Streams
from study_measures import coins_of

POPULATION = TwoNormals(2.0)
PLACE = Streams(5).child("here")
WHOLE = Sample.from_arrays(np.arange(12.0), list("aabababbabab"))


ESTIMATORS = {"loo": "loo", "cv": "cv(k=5)"}


def _cuts(trial: Trial) -> dict[str, float]:
    return {"cuts": len(intervals_of(trial.classifier).cuts)}  # type: ignore[arg-type]


def _of_class_0(drawn: DrawnSample) -> dict[str, float]:
    return {"of-class-0": int(drawn.sample.class_counts()[0])}


def both(cell: Mapping[str, Any]) -> Experiment:
    inducers, source = {"1-nn": KNN(1), "3-nn": KNN(3)}, FromPopulation(POPULATION, cell["n"])
    return Experiment(source, inducers, ESTIMATORS, extras=(_cuts,), of_samples=(_of_class_0,))


def one(cell: Mapping[str, Any]) -> Experiment:
    return Experiment(FromPopulation(POPULATION, cell["n"]), KNN(3), {"loo": "loo"})


def study_of(design: Design) -> Study:
    return Study("both", [{"n": 10}, {"n": 12}], 7, each_replicate(design), chunk=3, seed=4, seed_keys=("n",))


def test_a_line_is_what_the_library_says_of_that_sample() -> None:
    table = run_study(study_of(both))
    assert table.columns.tolist() == ["n", "cell", "replicate", "inducer", "quantity", "value"]
    assert len(table) == 2 * 7 * (1 + 2 * 4)
    place = Streams(4).child("both", {"n": 12}, 6)
    sample = POPULATION.sample(12, place.generator("sample"))
    last = wide(table, "3-nn").iloc[-1]
    assert last[TRUE_ERROR] == POPULATION.true_error(intervals_of(KNN(3).fit(sample)))
    assert last["cuts"] == len(intervals_of(KNN(3).fit(sample)).cuts)
    for name, text in ESTIMATORS.items():
        assert last[name] == estimate(sample, KNN(3), [text], place)[text]
    assert wide(table, "")["of-class-0"].iloc[-1] == sample.class_counts()[0]


def test_an_inducer_without_a_name_needs_no_column() -> None:
    table = run_study(Study("one", [{"n": 10, "inducer": "3-nn"}], 2, each_replicate(one)))
    assert table.columns.tolist() == ["n", "inducer", "cell", "replicate", "quantity", "value"]
    assert table["inducer"].tolist() == ["3-nn"] * 4


def test_intervals_have_a_line_each_with_their_limits() -> None:
    lines = Experiment(FromPopulation(POPULATION, 20), KNN(1), {"loo": "loo"}, {"wald": "cv-wald(k=5)"})(PLACE)
    sample = POPULATION.sample(20, PLACE.generator("sample"))
    wanted = interval(sample, KNN(1), "cv-wald(k=5)", PLACE)
    assert lines["quantity"] == [TRUE_ERROR, "loo", "wald"]
    assert [lines[side][-1] for side in ("value", "low", "high")] == [wanted.estimate, wanted.low, wanted.high]
    assert np.isnan(lines["low"][:2]).all()


def test_further_schemes_have_streams_of_their_own() -> None:
    results: list[float] = []

    def apart(trial: Any) -> Mapping[str, float]:
        scheme = trial.experiment.schemes[0]
        outcomes = [trial.outcomes[scheme], trial.run([scheme])[scheme], trial.run([scheme], "apart")[scheme]]
        results.extend(np.array_equal(outcomes[0].resamples.cases, o.resamples.cases) for o in outcomes[1:])
        return {}

    Experiment(FromPopulation(POPULATION, 20), KNN(1), {"cv": "cv(k=5)"}, extras=(apart,))(PLACE)
    assert results == [True, False]


def test_a_source_draws_from_the_streams_that_are_named() -> None:
    sampled = WithTestSet(POPULATION.sample, 6, 9).draw(PLACE)
    for sample, stream, n in ((sampled.sample, "sample", 6), (sampled.test, "validation", 9)):
        np.testing.assert_array_equal(sample.X, POPULATION.sample(n, PLACE.generator(stream)).X)
    order = PLACE.generator("cases").permutation(12)
    part = PartOfData(WHOLE, 5, stream="cases", most_tested=3).draw(PLACE)
    assert part.sample.X[:, 0].tolist() == order[:5].tolist()
    assert part.test.X[:, 0].tolist() == order[5:8].tolist()
    cases = PLACE.generator("sample").integers(0, 12, size=5)
    assert DataAsPopulation(WHOLE, 5).draw(PLACE).sample.X[:, 0].tolist() == cases.tolist()


def test_the_true_error_on_a_test_set_is_the_share_of_wrong_labels() -> None:
    experiment = Experiment(PartOfData(WHOLE, 8), Threshold())
    (trial,) = experiment.trials(PLACE)
    test = trial.drawn.test
    assert trial.true_error == np.mean(Threshold().fit(trial.sample).predict(test.X) != test.y)


def test_where_nobody_knows_the_truth_no_true_error_stands() -> None:
    assert Experiment(Fixed(WHOLE), Threshold(), {"loo": "loo"})(PLACE)["quantity"] == ["loo"]


def test_what_a_sample_lacks_is_missing_in_the_wide_table_alone() -> None:
    numbers = iter(range(3))
    odd = Experiment(
        FromPopulation(POPULATION, 10), KNN(3), extras=(lambda trial: {"odd": 1.0} if next(numbers) % 2 else {},)
    )
    table = run_study(Study("odd", [{"n": 10}], 3, each_replicate(lambda cell: odd)))
    assert table["quantity"].value_counts().to_dict() == {TRUE_ERROR: 3, "odd": 1}
    assert wide(table)["odd"].isna().tolist() == [True, False, True]


# The code


def test_the_code_of_a_design_is_its_module_and_what_it_uses_of_studies_and_of_the_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[dict[str, str]] = []
    monkeypatch.setattr(digests, "_digest", lambda trees: seen.append(dict(trees)) or "digest")
    code_of(modules_of(each_replicate(both)))
    assert {__name__, *(f"compendium.studies.{name}" for name in ("experiment", "sources", "replicates"))} <= {*seen[0]}
    assert "errorest.streams" in seen[0]
    assert not [name for name in seen[0] if name.startswith(("compendium.evidence", "compendium.book"))]


# The loop over replicates


def test_a_trial_of_numbers_makes_a_line_a_replicate() -> None:
    table = run_study(Study("tosses", [{"n": 9}], 3, each_replicate(coins_of)))
    assert table.columns.tolist() == ["n", "replicate", "heads", "side"]
    assert table["side"].tolist() == ["heads" if h > 4 else "tails" for h in table["heads"]]


@pytest.mark.parametrize(
    ("yielded", "words"),
    [([{"a": 1.0}, {"a": 1.0}, {"b": 1.0}], "yielded"), ([{"a": [1.0], "b": [1.0, 2.0]}], r"of \[1, 2\] lines")],
)
def test_replicates_that_yield_other_columns_are_refused(yielded: list[Any], words: str) -> None:
    results = iter(yielded)
    with pytest.raises(StudyError, match=words):
        run_study(Study("odd", [{"n": 1}], 3, each_replicate(lambda cell: lambda place: next(results))))


def test_intervals_of_a_replicate_are_those_of_the_library_without_the_errors_of_resamples() -> None:
    texts = {"oob": "oob(replicates=20)", "632+": "632+(replicates=20)", "span": "632+span(replicates=20)"}
    (trial,) = Experiment(FromPopulation(POPULATION, 15), NaiveBayes(), intervals=texts).trials(Streams(3))
    for name, text in texts.items():
        result, report = trial.intervals[name], interval(trial.sample, NaiveBayes(), text, Streams(3))
        for part in ("estimate", "low", "high", "se"):
            assert getattr(result, part) == getattr(report, part)
        assert result.monte_carlo is None
        assert report.monte_carlo is not None
