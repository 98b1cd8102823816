"""The one experiment: its lines are what the library says of each sample, and its key follows the code it uses."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import experiment_designs as designs
from compendium.studies import digests
from compendium.studies.experiment import TRUE_ERROR, Experiment, wide
from compendium.studies.populations import TwoNormals, intervals_of
from compendium.studies.replicates import each_replicate
from compendium.studies.sources import DataAsPopulation, Fixed, FromPopulation, PartOfData, WithTestSet
from compendium.studies.store import Store
from compendium.studies.study import Study, StudyError, run_study
from errorest.data.sample import Sample
from errorest.estimation import estimate
from errorest.estimation.intervals import interval
from errorest.inducers import KNN, NaiveBayes, Threshold
from errorest.streams import Streams

POPULATION = TwoNormals(2.0)
PLACE = Streams(5).child("here")
WHOLE = Sample.from_arrays(np.arange(12.0), list("aabababbabab"))


def both(**changes: Any) -> Study:
    given: dict[str, Any] = {"chunk": 3, "seed": 4, "seed_keys": ("n",)}
    given["measure"] = each_replicate(designs.both)
    return Study("both", [{"n": 10}, {"n": 12}], 7, **{**given, **changes})


def sample_of(n: int, replicate: int) -> tuple[Sample, Streams]:
    place = Streams(4).child("both", {"n": n}, replicate)
    return POPULATION.sample(n, place.generator("sample")), place


def test_a_line_is_what_the_library_says_of_that_sample() -> None:
    table = run_study(both())
    assert table.columns.tolist() == ["n", "cell", "replicate", "inducer", "quantity", "value"]
    assert len(table) == 2 * 7 * (1 + 2 * 4)
    sample, place = sample_of(12, 6)
    last = wide(table, "3-nn").iloc[-1]
    assert last[TRUE_ERROR] == POPULATION.true_error(intervals_of(KNN(3).fit(sample)))
    assert last["cuts"] == len(intervals_of(KNN(3).fit(sample)).cuts)
    for name, text in designs.ESTIMATORS.items():
        assert last[name] == estimate(sample, KNN(3), [text], place)[text]
    assert wide(table, "")["of-class-0"].iloc[-1] == sample.class_counts()[0]


@pytest.mark.parametrize("options", [{"jobs": 2}, {"chunk": 100}, {"store": True}])
def test_the_table_depends_on_neither_workers_chunks_nor_store(tmp_path: Path, options: dict[str, Any]) -> None:
    wanted = run_study(both())
    if "chunk" in options:
        result = run_study(both(**options))
    else:
        given = {"store": Store(tmp_path)} if "store" in options else options
        run_study(both(), **given)
        result = run_study(both(), **given)
    pd.testing.assert_frame_equal(result, wanted, check_exact=True)


def test_fewer_inducers_and_estimators_leave_the_other_numbers_alone() -> None:
    whole = wide(run_study(both()), "3-nn")
    part = wide(run_study(both(measure=each_replicate(designs.one))))
    for name in (TRUE_ERROR, "loo"):
        assert part[name].tolist() == whole[name].tolist()


def test_an_inducer_without_a_name_needs_no_column() -> None:
    table = run_study(Study("one", [{"n": 10, "inducer": "3-nn"}], 2, each_replicate(designs.one)))
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
        assert sample is not None
        np.testing.assert_array_equal(sample.X, POPULATION.sample(n, PLACE.generator(stream)).X)
    order = PLACE.generator("cases").permutation(12)
    part = PartOfData(WHOLE, 5, stream="cases", most_tested=3).draw(PLACE)
    assert part.sample.X[:, 0].tolist() == order[:5].tolist()
    assert part.test is not None
    assert part.test.X[:, 0].tolist() == order[5:8].tolist()
    cases = PLACE.generator("sample").integers(0, 12, size=5)
    assert DataAsPopulation(WHOLE, 5).draw(PLACE).sample.X[:, 0].tolist() == cases.tolist()


def test_the_true_error_on_a_test_set_is_the_share_of_wrong_labels() -> None:
    experiment = Experiment(PartOfData(WHOLE, 8), Threshold())
    (trial,) = experiment.trials(PLACE)
    test = trial.drawn.test
    assert test is not None
    assert trial.true_error == np.mean(Threshold().fit(trial.sample).predict(test.X) != test.y)


def test_where_nobody_knows_the_truth_no_true_error_stands() -> None:
    assert Experiment(Fixed(WHOLE), Threshold(), {"loo": "loo"})(PLACE)["quantity"] == ["loo"]


def test_what_a_sample_lacks_is_missing_in_the_wide_table_alone() -> None:
    table = run_study(Study("odd", [{"n": 10}], 3, each_replicate(designs.odd)))
    assert table["quantity"].value_counts().to_dict() == {TRUE_ERROR: 3, "loo": 3, "odd": 1}
    assert wide(table)["odd"].isna().tolist() == [True, False, True]


# The key


def test_the_key_follows_the_code_of_design_sources_and_extras(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    requested: list[list[str]] = []
    monkeypatch.setattr(digests, "code_digest", lambda modules: requested.append(list(modules)) or "digest")
    run_study(both(), store=Store(tmp_path))
    assert requested == [["compendium.studies.replicates", "experiment_designs"]]


@pytest.mark.parametrize("changed", ["design", "extra", "source"])
def test_a_change_of_what_the_design_imports_changes_the_digest(tmp_path: Path, changed: str) -> None:
    (tmp_path / "paper").mkdir()
    texts = {
        "__init__": "",
        "design": "from paper.extra import size\nfrom paper.source import draw\nfrom errorest.inducers import KNN\n",
        "extra": "def size(trial):\n    return {'n': trial.sample.n}\n",
        "source": "def draw(place):\n    return None\n",
        "sentences": "SAID = 'once'\n",
    }
    results = []
    for more in ({}, {"sentences": "SAID = 'twice'\n"}, {changed: texts[changed] + "MORE = 1\n"}):
        for name, text in {**texts, **more}.items():
            (tmp_path / "paper" / f"{name}.py").write_text(text)
        digests._code_digest.cache_clear()
        results.append(digests.code_digest(["paper.design"], folder=tmp_path))
    assert results[0] == results[1] != results[2]


def test_the_library_that_an_experiment_uses_is_in_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, str]] = []
    monkeypatch.setattr(digests, "_digest", lambda trees: seen.append(dict(trees)) or "digest")
    digests._code_digest.cache_clear()
    digests.code_digest(["compendium.studies.replicates", "experiment_designs"])
    digests._code_digest.cache_clear()
    assert {f"compendium.studies.{name}" for name in ("experiment", "sources", "replicates")} <= set(seen[0])
    assert {"errorest.inducers.neighbors", "errorest.estimation.run"} <= set(seen[0])


def test_a_design_that_workers_cannot_import_is_refused(tmp_path: Path) -> None:
    study = both(measure=each_replicate(lambda cell: designs.both(cell)))
    pd.testing.assert_frame_equal(run_study(study), run_study(both()))
    with pytest.raises(Exception, match="workers cannot import"):
        run_study(study, store=Store(tmp_path))


# The loop over replicates


def test_a_trial_of_numbers_makes_a_line_a_replicate() -> None:
    table = run_study(Study("tosses", [{"n": 9}], 3, each_replicate(designs.tosses)))
    assert table.columns.tolist() == ["n", "replicate", "heads", "side"]
    assert table["side"].tolist() == ["heads" if h > 4 else "tails" for h in table["heads"]]


@pytest.mark.parametrize(
    ("design", "words"), [(designs.other_names, "yielded"), (designs.ragged, "of \\[1, 2\\] lines")]
)
def test_replicates_that_yield_other_columns_are_refused(design: Any, words: str) -> None:
    with pytest.raises(StudyError, match=words):
        run_study(Study("odd", [{"n": 1}], 3, each_replicate(design)))


def test_intervals_of_a_replicate_are_those_of_the_library_without_the_errors_of_resamples() -> None:
    texts = {"oob": "oob(replicates=20)", "632+": "632+(replicates=20)", "span": "632+span(replicates=20)"}
    (trial,) = Experiment(FromPopulation(POPULATION, 15), NaiveBayes(), intervals=texts).trials(Streams(3))
    for name, text in texts.items():
        result, report = trial.intervals[name], interval(trial.sample, NaiveBayes(), text, Streams(3))
        for part in ("estimate", "low", "high", "se"):
            assert getattr(result, part) == getattr(report, part)
        assert result.monte_carlo is None
        assert report.monte_carlo is not None
