"""One table whatever the workers, the cutting and the store; mistakes are named."""

import hashlib
import os
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import joblib
import numpy as np
import pandas as pd
import pytest

import study_measures as measures
from batteries import assert_refused
from compendium import versions
from compendium.studies import study as study_module
from compendium.studies import workers
from compendium.studies.columns import Coded
from compendium.studies.replicates import each_replicate
from compendium.studies.store import Store
from compendium.studies.study import Study, StudyError, pieces_of, run_study
from errorest import determinism
from errorest.errors import UsageError
from errorest.streams import Streams
from processes import in_a_child, status_of
from study_measures import coins, every_toss, fingerprint

WANTED = fingerprint(run_study(coins()))


def computed(study: Study, folder: Path, **options: Any) -> tuple[pd.DataFrame, int]:
    """Run a study and count what is computed: every computed chunk is put once."""
    store = Store(folder)
    with patch.object(store, "put", wraps=store.put) as put:
        return run_study(study, store=store, **options), put.call_count


def test_the_table_is_tidy_and_a_replicate_draws_from_the_stream_named_after_what_it_is() -> None:
    frame = run_study(coins())
    assert frame.columns.tolist() == ["n", "rule", "replicate", "mean", "above"]
    assert frame["n"].tolist() == [3] * 23 + [5] * 9
    assert frame["replicate"].tolist() == [*range(23), *range(9)]
    types = {name: str(frame[name].dtype) for name in ("n", "replicate", "mean", "above")}
    assert types == dict.fromkeys(types, "int64") | {"mean": "float64"}
    streams = Streams(5).child("coins", {"n": 5, "rule": "fair"}, 8)
    assert frame["mean"].iloc[-1] == streams.generator("tosses").normal(size=5).mean()


@pytest.mark.parametrize(
    ("measure", "chunk", "jobs"),
    [
        (measures.tosses, 1, 1),
        (measures.tosses, 7, 2),
        (measures.every_toss, 7, 1),
        (measures.every_toss, 100, 2),
        (each_replicate(measures.coins_of), 7, 2),
    ],
)
def test_the_result_depends_on_neither_jobs_store_nor_chunk_size(
    tmp_path: Path, measure: Any, chunk: int, jobs: int
) -> None:
    study, wanted = coins(measure=measure, chunk=chunk), run_study(coins(measure=measure))
    fresh, _ = computed(study, tmp_path, jobs=jobs)
    stored, again = computed(study, tmp_path, jobs=jobs)
    assert again == 0
    for frame in (fresh, stored):
        pd.testing.assert_frame_equal(frame, wanted, check_exact=True, check_categorical=False)


def test_workers_run_under_the_settings_of_bits() -> None:
    tasks = [workers.Task("s", measures.settings_in_force, {"n": n}, 0, {}, 0, 2) for n in (1, 2)]
    assert [columns["in_force"].tolist() for _, columns in workers.in_processes(tasks, 2)] == [[1, 1], [1, 1]]


def test_a_process_without_the_settings_measures_nothing_itself(monkeypatch):
    # other last bits would be stored under the settings of the key
    monkeypatch.setattr(versions, "in_force", lambda: False)
    (task,) = [workers.Task("s", measures.settings_in_force, {"n": 1}, 0, {}, 0, 2)]
    monkeypatch.setattr(workers, "in_process", lambda tasks: iter(()))
    assert [columns["in_force"].tolist() for _, columns in workers.measured([task], 1)] == [[1, 1]]


def test_nothing_is_started_where_everything_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_study(coins(), store=Store(tmp_path), jobs=2)
    monkeypatch.delattr(workers, "measure_chunk")
    monkeypatch.setitem(sys.modules, "joblib.externals.loky", None)
    assert fingerprint(run_study(coins(), store=Store(tmp_path), jobs=2)) == WANTED


def test_a_last_chunk_is_computed_here_rather_than_by_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in determinism.ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setitem(sys.modules, "joblib.externals.loky", None)
    one = coins(cells=({"n": 3},), replicates=4)
    assert fingerprint(run_study(one, jobs=2)) == fingerprint(run_study(one))


def test_more_replicates_extend_what_is_there(tmp_path: Path) -> None:
    assert computed(coins(replicates=8), tmp_path)[1] == 4
    extended, new = computed(coins(replicates=(23, 9)), tmp_path)
    assert fingerprint(extended) == WANTED
    assert new == 4 + 1


def test_a_new_cell_costs_itself_and_reseeds_no_neighbour(tmp_path: Path) -> None:
    old, _ = computed(coins(replicates=8), tmp_path)
    wider = coins(replicates=8, cells=({"n": 4, "rule": "fair"}, {"n": 3, "rule": "fair"}, {"n": 5, "rule": "fair"}))
    new, count = computed(wider, tmp_path)
    assert count == 2
    assert fingerprint(new.iloc[8:].reset_index(drop=True)) == fingerprint(old)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", 6),
        ("id", "dice"),
        ("data", {"iris": "0" * 64}),
        ("seed_keys", ("n",)),
        ("version", 2),
    ],
)
def test_whatever_decides_the_result_is_in_the_key(tmp_path: Path, name: str, value: Any) -> None:
    assert computed(coins(replicates=4), tmp_path)[1] == 2
    assert computed(coins(replicates=4, **{name: value}), tmp_path)[1] == 2


@pytest.mark.parametrize("what", ["versions_digest", "settings", "processor"])
def test_versions_of_packages_settings_and_processor_are_in_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    computed(coins(), tmp_path)
    monkeypatch.setattr(versions, what, lambda *_: {"OMP_NUM_THREADS": "7"} if what == "settings" else "other")
    assert computed(coins(), tmp_path)[1] == 9


def test_another_version_of_the_results_of_errorest_is_measured_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed(coins(), tmp_path)
    monkeypatch.setattr(determinism, "RESULTS_VERSION", determinism.RESULTS_VERSION + 1)
    assert computed(coins(), tmp_path)[1] == 9


def test_damaged_chunks_are_stated_and_computed_again(tmp_path: Path) -> None:
    run_study(coins(), store=Store(tmp_path))
    chunks = [Store(tmp_path).path(piece.key) for piece in pieces_of(coins())]
    selected = [chunk.read_bytes() for chunk in chunks]
    chunks[0].write_bytes(selected[0][:-3])
    chunks[4].write_bytes(selected[4][:200] + bytes([selected[4][200] ^ 1]) + selected[4][201:])
    chunks[8].write_bytes(b"")
    texts: list[str] = []
    frame, count = computed(coins(), tmp_path, say=texts.append)
    assert fingerprint(frame) == WANTED
    assert count == len(texts) == 3
    assert [chunk.read_bytes() for chunk in chunks] == selected


def test_progress_counts_cost_from_what_is_stored_to_the_whole(tmp_path: Path) -> None:
    seen: list[tuple[float, float]] = []
    study = coins(replicates=8, cost=lambda cell: cell["n"])
    computed(coins(replicates=(8, 4)), tmp_path)
    computed(study, tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(8 * 3 + 4 * 5, 64), (64, 64)]


@pytest.mark.parametrize(("files", "most"), [(64, 16), (3, 1), (1024, 256), (study_module.resource.RLIM_INFINITY, 256)])
def test_no_more_chunks_are_locked_than_files_may_be_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int, most: int
) -> None:
    asked: list[int] = []

    class Asked(Store):
        def claimed(self, keys: Any, most: int) -> Any:
            asked.append(most)
            return super().claimed(keys, most)

    monkeypatch.setattr(study_module.resource, "getrlimit", lambda _: (files, files))
    monkeypatch.setattr(workers, "in_processes", lambda tasks, jobs: workers.in_process(tasks))
    run_study(coins(), store=Asked(tmp_path), jobs=2)
    assert {*asked} == {most}


def test_workers_get_the_longest_chunks_first(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    def here(tasks: list[workers.Task], jobs: int) -> Any:
        given.extend(task.cell["n"] for task in tasks)
        return workers.in_process(tasks)

    monkeypatch.setattr(workers, "in_processes", here)
    run_study(coins(replicates=8, cost=lambda cell: cell["n"]), jobs=2)
    assert given == [5, 5, 3, 3]


def test_lists_become_tuples_and_lacking_parameters_none() -> None:
    frame = run_study(coins(cells=({"n": 3, "k": [2, [3]]}, {"n": 4, "flag": True}), replicates=1))
    assert frame["k"].tolist() == [(2, (3,)), None]
    assert frame["flag"].tolist() == [None, True]


@pytest.mark.parametrize(
    ("jobs", "measure", "kind", "words"),
    [
        *((jobs, *failing) for jobs in (1, 2) for failing in measures.FAILING),
        (1, measures.one_column_too_short, StudyError, ["column 'mean' has shape (3,)", "replicates "]),
    ],
)
def test_a_failing_measure_is_named_with_study_cell_and_replicates(
    jobs: int, measure: Any, kind: type[Exception], words: list[str]
) -> None:
    with pytest.raises(kind) as caught:
        run_study(coins(cells=({"n": 3}, {"n": 4}), replicates=(8, 4), measure=measure), jobs=jobs)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_what_was_finished_before_a_failure_is_preserved(tmp_path: Path) -> None:
    with pytest.raises(StudyError):
        computed(coins(measure=measures.fails_at_seven), tmp_path)
    assert len(list(tmp_path.glob("*.npz"))) == 1


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_workers_are_replaced_when_one_dies_or_a_chunk_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="a worker process ended unexpectedly"):
        run_study(coins(measure=measures.dies), jobs=2)
    store = Store(tmp_path)
    full = patch.object(store, "put", side_effect=UsageError("the disk is full"))
    with full, pytest.raises(UsageError, match="the disk is full"):
        run_study(coins(chunk=1), store=store, jobs=2)
    assert fingerprint(run_study(coins(), jobs=2)) == WANTED


def test_an_unwritable_store_is_detected_before_anything_is_measured(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert_refused("is not a folder", run_study, coins(measure=measures.dies), store=Store(tmp_path / "file"))


def test_two_runs_at_once_on_one_store_do_not_harm_one_another(tmp_path: Path) -> None:
    waits, starts = os.pipe()

    def work(folder: Path) -> None:
        warnings.simplefilter("error", UserWarning)
        os.read(waits, 1)
        assert fingerprint(run_study(coins(chunk=1), store=Store(folder))) == WANTED

    for attempt in range(10):
        folder = tmp_path / str(attempt)
        both = [in_a_child(partial(work, folder)) for _ in range(2)]
        os.write(starts, b"go")
        assert [status_of(pid) for pid in both] == [0, 0]
        assert len(list(folder.iterdir())) == len(list(folder.glob("*.npz"))) == 32


@pytest.mark.parametrize("jobs", [0, -2, 1.5, True, "2"])
def test_an_impossible_number_of_jobs_is_refused(jobs: Any) -> None:
    assert_refused(r"jobs must be a whole number from 1, or -1 for all cores; got", run_study, coins(), jobs=jobs)
    assert workers.number_of_jobs(-1) >= 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cells": ()}, "no cell"),
        ({"cells": ({"n": 3}, {"n": 3}), "replicates": 1}, "name each value of a parameter once"),
        ({"cells": ({"n": float("nan")},), "replicates": 1}, "finite numbers"),
        ({"cells": ({"n": object()},), "replicates": 1}, "finite numbers"),
        ({"cells": ({"replicate": 3},), "replicates": 1}, "called 'replicate'"),
        ({"replicates": (1, 2, 3)}, "3 numbers of replicates for 2 cells"),
        ({"replicates": 0}, "replicates = 0"),
        ({"replicates": 1.5}, "replicates = 1.5"),
        ({"chunk": 0}, "chunk = 0"),
        ({"seed": -1}, "seed = -1"),
        ({"version": 0}, "version = 0"),
        ({"seed_keys": ("m",)}, "seed key 'm'"),
    ],
)
def test_a_study_that_makes_no_sense_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=r"study 'coins' has ") as caught:
        coins(**change)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("local", "same"),
    [
        (lambda cell, replicates, streams: measures.tosses(cell, replicates, streams), measures.tosses),
        (each_replicate(lambda cell: measures.coins_of(cell)), each_replicate(measures.coins_of)),
    ],
)
def test_a_measure_that_workers_cannot_import_runs_here_only(tmp_path: Path, local: Any, same: Any) -> None:
    study = coins(measure=local)
    assert fingerprint(run_study(study)) == fingerprint(run_study(coins(measure=same)))
    for options in ({"jobs": 2}, {"store": Store(tmp_path)}):
        assert_refused(r"that workers cannot import .*; move it to the top", run_study, study, **options)


def test_a_replicate_may_have_several_lines_or_none() -> None:
    frame = run_study(coins(measure=measures.every_toss, replicates=(5, 3), chunk=2))
    assert frame.columns.tolist() == ["n", "rule", "cell", "replicate", "toss", "side"]
    tossed = {(c, r): len(part) for (c, r), part in frame.groupby(["cell", "replicate"])}
    assert tossed == {(c, r): r for c, count in ((0, 5), (1, 3)) for r in range(1, count)}
    assert frame["n"].tolist() == [3] * 10 + [5] * 3
    assert set(frame["side"]) == {"heads", "tails"}


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"replicate": [1, 0], "one": [1.0, 2.0]}, "not in the order of 0 to 3"),
        ({"replicate": [0, 4], "one": [1.0, 2.0]}, "not in the order of 0 to 3"),
        ({"replicate": [0, 0, 1], "side": Coded.of(["heads", "tails"])}, "one a line"),
        ({"replicate": [0, 0], "one": np.array([object(), object()])}, "expected numbers or texts"),
    ],
)
def test_lines_of_no_replicate_and_columns_of_no_lines_are_refused(columns: dict[str, Any], words: str) -> None:
    with pytest.raises(StudyError, match=words):
        run_study(coins(measure=lambda *_: columns))


def test_studies_and_what_joblib_runs_with_them_do_not_take_one_anothers_workers() -> None:
    for _ in range(2):
        assert joblib.Parallel(n_jobs=2)(joblib.delayed(abs)(-n) for n in range(3)) == [0, 1, 2]
        assert fingerprint(run_study(coins(), jobs=2)) == WANTED


LAYOUTS = {1: "63a8734368c4bac69a0e884757a323746e61b01bdc5730d2dc7b8c80794174d8"}
"""For each layout the digest of what a few designs yield and how they are cut."""


def test_other_seeds_other_cutting_or_other_columns_are_another_layout() -> None:
    """The code of study.py is in no key: its layout number represents it, and is raised when this test fails."""
    cells = ({"n": 3, "rule": "fair"}, {"n": 3, "rule": "loaded"})
    designs = [
        coins(),
        coins(chunk=100, seed=6),
        coins(id="shared", cells=cells, seed_keys=("n",)),
        coins(id="sides", measure=every_toss),
    ]
    result = hashlib.sha256()
    for study in designs:
        tasks = [piece.task for piece in pieces_of(study)]
        cut = [(task.study, dict(task.cell), dict(task.seed_cell), task.seed, task.start, task.stop) for task in tasks]
        result.update(f"{cut} {fingerprint(run_study(study))}".encode())
    assert LAYOUTS[study_module._LAYOUT] == result.hexdigest()
