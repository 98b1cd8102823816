"""The record of a complete build: each chunk once, measured again from its description alone, another scale refused."""

import json

import numpy as np
import pytest

from compendium.book.ledger import describe_study, ledger_path, line_of, merged, read_ledger, study_of, write_ledger
from compendium.studies.store import Store
from compendium.studies.study import pieces_of, run_study
from compendium.studies.workers import measure_chunk
from errorest.errors import UsageError
from study_measures import coins, every_toss


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def record(tmp_path, store):
    """Write the record of two studies, one of numbers and one of several lines a replicate, and read it again."""
    for study in (coins(), coins(id="sides", measure=every_toss)):
        run_study(study, store=store, jobs=2)
    path = tmp_path / "studies.json"
    described = [describe_study(coins()), describe_study(coins(id="sides", measure=every_toss))]
    write_ledger("9.9", described, ["an-artifact"], {"an-artifact": "0" * 16}, store, path)
    return path


def test_a_study_is_made_again_from_its_description_with_the_same_keys():
    study = coins(seed_keys=("n",))
    again = study_of(json.loads(json.dumps(describe_study(study))))
    assert [piece.key for piece in pieces_of(again)] == [piece.key for piece in pieces_of(study)]


def test_the_record_has_a_line_a_chunk_that_measuring_it_again_gives(record):
    ledger = read_ledger(record)
    assert (ledger.made["version"], ledger.calculated) == ("9.9", ["an-artifact"])
    assert [one["id"] for one in ledger.studies] == ["coins", "sides"]
    for one in ledger.studies:
        pieces = ledger.pieces(one)
        assert [(p.task.start, p.task.stop) for p, _ in pieces][:2] == [(0, 4), (4, 8)]
        assert all(line_of(measure_chunk(piece.task)) == line for piece, line in pieces)


def test_a_record_is_the_same_bytes_when_written_again(record, store, tmp_path):
    described = [describe_study(coins()), describe_study(coins(id="sides", measure=every_toss))]
    write_ledger("9.9", described, ["an-artifact"], {"an-artifact": "0" * 16}, store, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == record.read_bytes()


def test_chunks_that_several_notebooks_need_are_recorded_once():
    short, long = coins(replicates=8), coins(replicates=20)
    odd = coins(replicates=7)
    found = merged([describe_study(s) for s in (short, long, odd, long)])
    assert [[entry["replicates"] for entry in one["cells"]] for one in found] == [[20, 20], [7, 7]]


def test_a_chunk_that_the_store_does_not_have_is_named(store, tmp_path):
    with pytest.raises(UsageError, match=r"study 'coins', cell .* is not in"):
        write_ledger("9.9", [describe_study(coins())], [], {}, store, tmp_path / "studies.json")
    assert not (tmp_path / "studies.json").exists()


def test_a_record_of_a_preview_is_refused(record):
    record.write_text(record.read_text().replace('"scale": "published"', '"scale": "preview"'))
    with pytest.raises(UsageError, match="scale 'preview'; expected published"):
        read_ledger(record)


@pytest.mark.parametrize("text", ["", "[]", '{"scale": "published"}'])
def test_a_record_that_is_none_is_refused(tmp_path, text):
    (tmp_path / "studies.json").write_text(text)
    with pytest.raises(UsageError, match="cannot be read; expected the record"):
        read_ledger(tmp_path / "studies.json")


@pytest.mark.parametrize(
    ("column", "seal", "exact"),
    [
        ({"count": np.array([1, 3])}, False, False),
        ({"value": np.array([0.25, np.nextafter(0.5, 1)])}, False, True),
        ({"value": np.array([0.25, np.nan])}, False, False),
        ({}, True, True),
    ],
)
def test_a_last_digit_is_told_from_another_count(column, seal, exact):
    chunk = {"count": np.array([1, 2]), "value": np.array([0.25, 0.5])}
    one, other = line_of(chunk), line_of({**chunk, **column})
    assert (one.seal == other.seal, one.exact == other.exact) == (seal, exact)


@pytest.mark.skipif(not ledger_path().is_file(), reason="no complete build was recorded yet")
def test_the_record_belongs_to_the_rows_beside_it():
    from compendium.book.build import recorded_rows
    from compendium.book.changes import digests_of_rows

    assert read_ledger().rows == digests_of_rows(recorded_rows())
    assert ledger_path().stat().st_size < 1_000_000
