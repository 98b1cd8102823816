"""The record of the studies: what changed is measured again, faults are found, and what is as recorded is noted."""

import errno
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from batteries import assert_refused
from compendium import versions
from compendium.book import catalogue
from compendium.book import record as recording
from compendium.book import verify as verifying
from compendium.book.notebook import Notebook
from compendium.book.record import Record, read_record, record_studies
from compendium.book.survey import OneReplicate, SurveyedStudy, every_artifact, survey
from compendium.book.verify import draw_share, report, verify
from compendium.cli import main as cli
from compendium.evidence.artifact import Artifact
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Row
from compendium.papers.parameters import Parameters, parameter
from compendium.studies import spot_check, workers
from compendium.studies.store import Store
from compendium.studies.study import run_study
from errorest import determinism
from errorest.estimation import estimators
from errorest.learners.c45.inducer import C45
from errorest.resampling import draw
from study_measures import coins, every_toss

SIDES = coins(id="sides", measure=every_toss)


class Tosses(Parameters, notebook="kohavi/00-tosses", repeated="samples"):
    samples: int = parameter(8, "tosses")
    repeats: int = parameter(2, "times as many")


def mean_of_tosses(p: Tosses, run: Any) -> ArtifactResult:
    table = run(coins(replicates=p.samples))
    sds = {n: part["mean"].std(ddof=1) / (len(part) - 1) for n, part in parts(table, "n").items()}
    if not all(np.isfinite(list(sds.values()))):
        raise ZeroDivisionError("one toss has no spread")
    return ArtifactResult([Row("literal", f"n={n}", "sd", sd, 0.1, p.samples) for n, sd in sds.items()])


def number_of_sides(p: Tosses, run: Any) -> ArtifactResult:
    return ArtifactResult([Row.exact("literal", "sides", "count", run(SIDES)["side"].nunique())])


def counted(p: Tosses, run: Any) -> ArtifactResult:
    return ArtifactResult([Row.exact("literal", "coins", "count", 2)])


ARTIFACTS = tuple(
    Artifact(f"kohavi-{compute.__name__}", "Table 0", "Made up", compute=compute, enlarge=compute is mean_of_tosses)
    for compute in (counted, mean_of_tosses, number_of_sides)
)


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one notebook, whose three artifacts ask for no study and for two, one of them at two scales."""
    spec = Notebook("kohavi/00-tosses", "Tosses", Tosses, ARTIFACTS)
    monkeypatch.setattr(catalogue, "notebooks", lambda: (spec,))
    monkeypatch.setattr(catalogue, "artifact", lambda name: (spec, spec.artifact(name)))
    monkeypatch.setattr(recording, "root", lambda: tmp_path)
    _, rows = survey([ARTIFACTS[0].id], run_study)
    monkeypatch.setattr(verifying, "recorded_rows", lambda: rows)
    return tmp_path


@pytest.fixture
def record(book: Path) -> Record:
    store = Store(book / "store")
    for study in (coins(replicates=8), coins(replicates=16), SIDES):
        run_study(study, store=store)
    assert record_studies(store) == read_record()
    return read_record()


def differences(record: Record, **options: Any) -> list[str]:
    return [f"{one.name}: {said}" for one in verify(record, **options) for said in one.differences]


def edited(record: Record, name: str, **changes: Any) -> Record:
    return replace(record, studies=[replace(one, **changes) if one.id == name else one for one in record.studies])


# recording


def test_a_record_has_a_line_a_study_and_each_cell_and_chunk_once(record: Record) -> None:
    found = {one.id: (one.version, list(one.artifacts), len(one.firsts), len(one.chunks)) for one in record.studies}
    assert found == {
        "coins": (1, ["kohavi-mean_of_tosses"], 2, 8),
        "sides": (1, ["kohavi-number_of_sides"], 2, 9),
    }
    assert record.made["installed"] == versions.installed()
    text = recording.record_path().read_text()
    assert len([line for line in text.splitlines() if '"id"' in line]) == 2
    record_studies(Store(recording.record_path().parents[1] / "store"))
    assert recording.record_path().read_text() == text


def test_what_a_store_lacks_is_not_recorded(record: Record, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "get", lambda *_: None)
    assert_refused("needs the finished store", record_studies, Store(book / "store"))


@pytest.mark.parametrize("text", ["", "[]", '{"studies": []}', '{"studies": [{}]}'])
def test_a_record_of_another_kind_is_refused(record: Record, text: str) -> None:
    recording.record_path().write_text(text)
    assert_refused("cannot be read", read_record)


def test_two_measures_under_one_id_are_refused(book: Path) -> None:
    asked = SurveyedStudy(1, every_toss)
    assert_refused("two studies are called 'coins'", asked.add, coins(), "one")
    assert_refused("two studies are called 'sides'", asked.add, coins(id="sides", measure=every_toss, version=2), "one")


def test_other_conditions_are_named(record: Record) -> None:
    assert recording.other_conditions(record.made) == []
    installed = {**record.made["installed"], "numpy": "1.0"}
    numpy, processor = recording.other_conditions({**record.made, "installed": installed, "processor": ["z80"]})
    assert numpy.startswith("numpy 1.0 there, ")
    assert processor.startswith("the processor z80 there")


# verifying


def test_nothing_is_measured_where_no_code_has_changed(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(workers, "measure_chunk")
    assert verify(record) == []
    assert report([], record) == "the code of all studies is as recorded"


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_cells_chunks_and_rows_are_as_recorded(record: Record, jobs: int) -> None:
    found = [(one.name, one.cells, one.chunks) for one in verify(record, every=True, jobs=jobs)]
    assert found == [("coins", 2, 0), ("sides", 2, 0), ("1 rows that need no study", 0, 0)]
    found = [(one.name, one.cells, one.chunks) for one in verify(record, share=0.3, jobs=jobs)]
    assert found == [("coins", 2, 3), ("sides", 2, 3), ("1 rows that need no study", 0, 0)]
    assert differences(record, share=1) == []


def test_changed_code_is_checked_and_noted(record: Record) -> None:
    for changes in ({"code": "0" * 16}, {"modules": ["compendium.moved_away"]}):
        (result,) = verify(edited(record, "sides", **changes))
        assert (result.name, result.cells, result.differences) == ("sides", 2, [])
        assert read_record() == record


def test_other_numbers_are_named_and_their_code_is_not_noted(
    record: Record, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    firsts = [record.studies[0].firsts[0], "0" * 6]
    other = edited(record, "coins", code="0" * 16, firsts=firsts)
    (said,) = differences(other)
    assert said.startswith("coins: study 'coins', cell {'n': 5")
    assert said.endswith("replicates 0 to 0: other numbers than recorded")
    assert read_record() == record, "nothing was noted"
    text = report(verify(other), other)
    assert text.endswith(spot_check.RAISE)
    recording.write_record(other)
    assert cli.main(["verify", "--jobs", "1"]) == 1
    assert said.partition(": ")[2] in capsys.readouterr().out


def test_a_chunk_that_differs_is_found_by_a_share(record: Record) -> None:
    chunks = [*record.studies[1].chunks[:8], "0000"]
    other = edited(record, "sides", chunks=chunks)
    assert differences(other, every=True) == []
    (said,) = differences(other, share=1)
    assert said.endswith("cell {'n': 5, 'rule': 'fair'}, replicates 8 to 8: other numbers than recorded")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda r: edited(r, "coins", version=2),
            "coins: version 2 of 2 cells in 8 chunks is recorded, this is version 1",
        ),
        (lambda r: edited(r, "coins", firsts=["0" * 6]), "coins: version 1 of 1 cells in 8 chunks is recorded"),
        (lambda r: replace(r, studies=r.studies[1:]), "coins: it is not recorded; run: compendium build --record"),
        (lambda r: replace(r, studies=[*r.studies, replace(r.studies[0], id="gone")]), "gone: no artifact asks for it"),
    ],
)
def test_studies_that_are_not_the_recorded_ones_are_named(
    record: Record, change: Callable[[Record], Record], words: str
) -> None:
    (said,) = differences(change(record), every=True)
    assert said.startswith(words)


def test_a_record_of_another_version_of_results_is_refused(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(determinism, "RESULTS_VERSION", 7)
    assert_refused(f"version {record.results} of errorest's results, which are at 7 now", verify, record)


def test_rows_that_need_no_study_are_compared(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = verifying.recorded_rows()
    monkeypatch.setattr(verifying, "recorded_rows", lambda: rows.assign(value=3.0))
    (said,) = differences(record, every=True)
    assert "coins, count: value 3 recorded, 2 here" in said
    monkeypatch.setattr(verifying, "recorded_rows", lambda: rows.iloc[:0])
    (said,) = differences(record, every=True)
    assert said.endswith("coins count: not recorded")


def test_a_share_is_drawn_evenly() -> None:
    draws = {tuple(draw_share(100, 0.05, np.random.default_rng(seed))) for seed in range(20)}
    assert len(draws) > 5
    assert all(len(draw) == 5 and len(set(draw)) == 5 and max(draw) < 100 for draw in draws)
    assert draw_share(1, 0.05, np.random.default_rng(0)) == [0]


def test_one_process_verifies_where_no_worker_can_start(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any) -> None:
        raise OSError(errno.EACCES, "no semaphores")

    monkeypatch.setattr("multiprocessing.context.BaseContext.Lock", none)
    monkeypatch.setattr(versions, "in_force", lambda: True)
    monkeypatch.setattr(workers, "in_processes", none)
    texts: list[str] = []
    assert differences(record, every=True, jobs=2, say=texts.append) == []
    assert "one process computes" in texts[0]


# The project's own record, and faults that are put into the code


def test_the_project_has_a_line_of_each_study_and_no_more() -> None:
    record = read_record()
    assert len({one.id for one in record.studies}) == len(record.studies) == 31
    assert (sum(len(one.firsts) for one in record.studies), sum(len(one.chunks) for one in record.studies)) == (
        1378,
        6204,
    )
    known = set(every_artifact())
    assert all(set(one.artifacts) <= known for one in record.studies)
    assert recording.record_path().stat().st_size < 50_000


def with_another_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weigh the apparent error by .3680001 in place of .368."""
    original = estimators.point_632_plus

    def other(apparent: float, *rest: Any) -> float:
        return original(apparent, *rest) + 1e-7 * apparent

    monkeypatch.setattr(estimators, "point_632_plus", other)


def without_subtree_raising(monkeypatch: pytest.MonkeyPatch) -> None:
    original = C45._rule
    monkeypatch.setattr(C45, "_rule", lambda self: original(self)._replace(subtree_raising=False))


def with_a_fold_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    original = draw.k_fold
    monkeypatch.setattr(draw, "k_fold", lambda n, k, *given, **more: original(n, min(k + 1, n), *given, **more))


FAULTS = {
    "a constant of .632+": (with_another_constant, "shakhnarovich-table-8"),
    "a rule of C4.5's pruning": (without_subtree_raising, "kohavi-learning-curves"),
    "an off-by-one in folds": (with_a_fold_too_many, "kohavi-another-folds"),
}


@pytest.mark.parametrize(("fault", "artifact"), FAULTS.values(), ids=FAULTS)
def test_a_fault_in_the_code_is_found_by_the_spot_check(
    monkeypatch: pytest.MonkeyPatch, fault: Callable[[pytest.MonkeyPatch], None], artifact: str
) -> None:
    recorded = {digest for line in read_record().studies for digest in line.firsts}

    def unknown() -> int:
        one = OneReplicate()
        survey([artifact], one)
        return sum(spot_check.digest_of(columns)[:6] not in recorded for columns in one.columns.values())

    assert unknown() == 0
    fault(monkeypatch)
    assert unknown() > 0


def test_chunks_have_one_order_whoever_asks_first() -> None:
    few, more = coins(), coins(cells=({"n": 4, "rule": "fair"}, {"n": 3, "rule": "fair"}), replicates=(9, 30))
    orders = []
    for studies in ((few, more), (more, few)):
        asked = SurveyedStudy(few.version, few.measure)
        for study in studies:
            asked.add(study, "one")
        orders.append((list(asked.pieces), list(asked.firsts)))
    assert orders[0] == orders[1]
