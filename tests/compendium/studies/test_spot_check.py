"""Stored results under a version: code that changes asks for a spot check, and other numbers are one clear error."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from batteries import assert_refused
from compendium.studies import spot_check, workers
from compendium.studies.replicates import each_replicate
from compendium.studies.store import CHECKED, Store
from compendium.studies.study import pieces_of, run_study
from study_measures import coins, coins_of, every_toss, fingerprint, tosses

FIRSTS = [[0, 1], [0, 1]]
WANTED = fingerprint(run_study(coins()))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """The finished store of a study, whose code has changed since."""
    store = Store(tmp_path)
    with patch.object(spot_check, "code_of", lambda modules: "before"):
        run_study(coins(), store=store)
    return store


def measured_by(store: Store, **changes: Any) -> list[list[int]]:
    """Run the study, and return the first and last replicate of each chunk that is measured."""
    measured: list[list[int]] = []

    def measure_chunk(task: workers.Task) -> Any:
        measured.append([task.start, task.stop])
        return original(task)

    original = workers.measure_chunk
    with patch.object(workers, "measure_chunk", measure_chunk):
        assert fingerprint(run_study(coins(**changes), store=store)) == WANTED
    return measured


def test_changed_code_asks_for_a_replicate_of_each_cell_once_and_keeps_all_chunks(store: Store) -> None:
    before = {path.name: path.read_bytes() for path in store.root.glob("*.npz")}
    assert measured_by(store) == FIRSTS
    assert measured_by(store) == []
    assert {path.name: path.read_bytes() for path in store.root.glob("*.npz")} == before


def test_code_that_is_as_it_was_asks_for_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spot_check, "code_of", lambda modules: "before")
    assert measured_by(store) == []
    assert not (store.root / CHECKED).exists()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1}'])
def test_a_note_that_says_something_else_is_none(store: Store, text: str) -> None:
    (store.root / CHECKED).write_text(text)
    assert measured_by(store) == FIRSTS
    assert measured_by(store) == []


def test_what_other_code_stored_later_is_checked_too(store: Store) -> None:
    for piece in pieces_of(coins())[:2]:
        store.path(piece.key).unlink()
    # the first cell's first chunk is this code's, so its third is tried
    assert measured_by(store) == [[8, 9], [0, 1], [0, 4], [4, 8]]


def biased(*given: Any) -> dict[str, np.ndarray]:
    columns = tosses(*given)
    return {**columns, "mean": columns["mean"] + 1e-16 * (np.arange(len(columns["mean"])) == 0)}


def test_other_numbers_under_one_version_are_an_error_and_another_version_is_measured(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks = sorted(path.name for path in store.root.glob("*.npz"))
    words = (
        r"study 'coins', cell .*other numbers than were stored .*, in 2 of 2 cells .*; raise the version of the study"
    )
    assert_refused(words, run_study, coins(measure=biased), store=store)
    assert_refused(words, run_study, coins(measure=biased), store=store)
    assert sorted(path.name for path in store.root.glob("*.npz")) == chunks
    run_study(coins(measure=biased, version=2), store=store)
    assert len(list(store.root.glob("*.npz"))) == 2 * len(chunks)
    assert measured_by(store) == FIRSTS, "the first version is still there"


@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_check_as_one_process_does(store: Store, jobs: int) -> None:
    assert fingerprint(run_study(coins(), store=store, jobs=jobs)) == WANTED


def chunks_of(measure: Any) -> Iterator[tuple[workers.Task, Any]]:
    for piece in pieces_of(coins(measure=measure)):
        yield piece.task, workers.measure_chunk(piece.task)


@pytest.mark.parametrize("measure", [tosses, every_toss, each_replicate(coins_of)])
def test_the_first_replicate_of_a_chunk_has_the_digest_that_it_has_alone(measure: Any) -> None:
    digests = set()
    for task, columns in chunks_of(measure):
        alone = workers.measure_chunk(replace(task, stop=task.start + 1))
        assert spot_check.first_of(task) == replace(task, stop=task.start + 1)
        assert spot_check.first_digest(columns, task.start) == spot_check.digest_of(alone)
        digests |= {spot_check.first_digest(columns, task.start), spot_check.digest_of(columns)}
    assert len(digests) > 9


@pytest.mark.parametrize(
    "change", [{"count": np.array([1, 3])}, {"value": np.array([0.25, np.nextafter(0.5, 1)])}, {"more": np.ones(2)}]
)
def test_a_digest_is_of_every_bit(change: dict[str, np.ndarray]) -> None:
    chunk = {"count": np.array([1, 2]), "value": np.array([0.25, 0.5])}
    assert spot_check.digest_of(chunk) == spot_check.digest_of(dict(chunk))
    assert spot_check.digest_of(chunk) != spot_check.digest_of({**chunk, **change})
