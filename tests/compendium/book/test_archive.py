"""The archive of studies: equal bytes, every entry checked, hostile ones refused, other conditions said."""

import gzip
import io
import json
import tarfile
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

from compendium.book import build, origin
from compendium.book.archive import read_archive, write_archive
from compendium.book.ledger import describe_study, read_ledger, write_ledger
from compendium.book.runner import Options
from compendium.book.verify import BYTE
from compendium.studies.store import Store
from compendium.studies.study import pieces_of, run_study
from errorest import bits
from errorest.errors import UsageError
from study_measures import coins

KEYS = [piece.key for piece in pieces_of(coins())]


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "store")
    run_study(coins(), store=store)
    return store


@pytest.fixture
def ledger(tmp_path, store):
    path = tmp_path / "studies.json"
    write_ledger("9.9", [describe_study(coins())], [], {}, store, path)
    return read_ledger(path)


@pytest.fixture
def archive(tmp_path, ledger, store):
    path = tmp_path / "studies.tar"
    assert write_archive(path, ledger, store) == len(KEYS)
    return path


def entries(path):
    with tarfile.open(path) as tar:
        return [(entry, tar.extractfile(entry).read()) for entry in tar]


def write(path, found):
    with tarfile.open(path, "w") as tar:
        for entry, content in found:
            entry.size = len(content) if entry.isreg() else 0
            tar.addfile(entry, io.BytesIO(content))


def test_an_archive_brings_every_chunk_back_to_the_byte(archive, store, tmp_path):
    other = Store(tmp_path / "other")
    head = read_archive(archive, other)
    assert sorted(head.chunks) == sorted(KEYS)
    assert all(other.path(key).read_bytes() == store.path(key).read_bytes() for key in KEYS)


def test_an_archive_made_twice_is_the_same_bytes(archive, ledger, store, tmp_path):
    write_archive(tmp_path / "again.tar", ledger, store)
    assert (tmp_path / "again.tar").read_bytes() == archive.read_bytes()
    assert {entry.mtime for entry, _ in entries(archive)} == {0}


def test_an_archive_of_an_unfinished_store_is_refused(ledger, store, tmp_path):
    store.path(KEYS[3]).unlink()
    with pytest.raises(UsageError, match=r"is not in .* expected the finished store"):
        write_archive(tmp_path / "studies2.tar", ledger, store)
    assert not (tmp_path / "studies2.tar").exists()


def test_an_entry_twice_or_missing_is_refused(archive, tmp_path):
    found = entries(archive)
    write(archive, [*found, found[2]])
    with pytest.raises(UsageError, match="is not what the archive's list says of it"):
        read_archive(archive, Store(tmp_path / "a"))
    write(archive, found[:-1])
    with pytest.raises(UsageError, match=rf"1 of {len(KEYS)} chunks are missing"):
        read_archive(archive, Store(tmp_path / "b"))


def test_an_altered_or_strange_entry_is_refused(archive, tmp_path):
    found = entries(archive)
    content = bytearray(gzip.decompress(found[1][1]))
    content[-1] ^= 1
    altered = found[1][0].name, gzip.compress(bytes(content))
    for place, (name, packed) in enumerate(
        (altered, ("0" * 64 + ".chunk.gz", found[1][1]), ("x", gzip.compress(b"x")))
    ):
        write(archive, [found[0], (tarfile.TarInfo(name), packed), *found[2:]])
        with pytest.raises(UsageError, match="is not what the archive's list says of it"):
            read_archive(archive, Store(tmp_path / str(place)))


def test_an_archive_is_written_chunk_by_chunk(tmp_path):
    size, number = 2**20, 16

    class Large:
        def content(self, key):
            return np.random.default_rng(int(key, 16)).bytes(size)

    pieces = [(SimpleNamespace(key=f"{k:064x}", task=""), None) for k in range(number)]
    ledger = SimpleNamespace(studies=[{"id": "large", "code": ""}], pieces=lambda described: pieces, made={})
    tracemalloc.start()
    try:
        assert write_archive(tmp_path / "large.tar", ledger, Large()) == number
        assert tracemalloc.get_traced_memory()[1] < number / 2 * size
    finally:
        tracemalloc.stop()
    assert (tmp_path / "large.tar").stat().st_size > number * size


@pytest.mark.parametrize("content", [b"", b"no tar at all", b"\0" * 2048, bytes(range(256)) * 40])
def test_what_is_no_archive_is_refused(tmp_path, content):
    (tmp_path / "no.tar").write_bytes(content)
    with pytest.raises(UsageError, match="is refused"):
        read_archive(tmp_path / "no.tar", Store(tmp_path / "a"))
    with pytest.raises(UsageError, match="cannot be read"):
        read_archive(tmp_path / "absent.tar", Store(tmp_path / "a"))


@pytest.mark.parametrize("cut", [0.05, 0.3, 0.5])
def test_an_archive_cut_short_is_refused(archive, tmp_path, cut):
    whole = archive.read_bytes().rstrip(b"\0")
    archive.write_bytes(whole[: int(cut * len(whole))])
    with pytest.raises(UsageError, match="is refused"):
        read_archive(archive, Store(tmp_path / "a"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scale": "preview"}, "scale 'preview' and not of the published one"),
        ({"format": 2}, "is of another kind"),
        ({"made": {}}, "is of another kind"),
        ({"chunks": 3}, "cannot be read"),
    ],
)
def test_a_preview_and_other_lists_are_refused(archive, tmp_path, change, said):
    found = entries(archive)
    head = {**json.loads(gzip.decompress(found[0][1])), **change}
    write(archive, [(found[0][0], gzip.compress(json.dumps(head).encode())), *found[1:]])
    with pytest.raises(UsageError, match=said):
        read_archive(archive, Store(tmp_path / "a"))


@pytest.fixture
def fresh(tmp_path, ledger, monkeypatch):
    """A machine without results."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(origin, "read_ledger", lambda: ledger)
    return tmp_path / "build"


def test_an_archive_is_taken_in_after_a_share_was_computed_again(archive, fresh):
    (fresh / "store").mkdir(parents=True)
    found = origin.restore(archive, 1, share=0.3)
    assert (found.outcome, [one.checked for one in found.studies]) == (BYTE, [3])
    assert all(Store(fresh / "store").get(key) for key in KEYS)
    page = origin.origin_html()
    assert "<code>studies.tar</code>" in page
    assert '<td class="num">9</td><td class="num">9</td><td class="num">3</td><td class="num">3</td>' in page
    note = fresh / "store" / "origin.json"
    note.write_text(note.read_text()[:-1])
    assert "was damaged" in origin.origin_html()
    assert [path.name for path in fresh.iterdir()] == ["store"]
    again = origin.restore(archive, 1, share=0.3)
    assert again.seed == found.seed, "the share goes by the archive, so that a book built twice is the same"


@pytest.fixture
def altered(archive, ledger, store):
    """An archive in which one digit is another, though every checksum of it is right."""
    columns = store.get(KEYS[7])
    store.put(KEYS[7], {**columns, "mean": columns["mean"] + np.array([0, 0.001, 0, 0])})
    write_archive(archive, ledger, store)
    return archive


def test_one_altered_digit_in_any_chunk_is_no_result_of_the_recorded_build(altered, fresh):
    # of nine chunks one alone is measured again
    with pytest.raises(
        UsageError, match=r"studies\.tar is refused: study 'coins'.*mean of 'mean' .* recorded, .* archived"
    ):
        origin.restore(altered, 1, share=0.01)
    assert not list((fresh / "store").glob("*.chunk"))
    assert "none was taken from an archive" in origin.origin_html()


def test_a_digit_that_was_altered_in_the_record_too_is_not_what_this_machine_computes(
    altered, store, tmp_path, fresh, monkeypatch
):
    write_ledger("9.9", [describe_study(coins())], [], {}, store, tmp_path / "studies.json")
    monkeypatch.setattr(origin, "read_ledger", lambda: read_ledger(tmp_path / "studies.json"))
    with pytest.raises(UsageError, match=r"not what this machine computes(.|\n)*line 1: mean .* archived, .* here"):
        origin.restore(altered, 1, share=1.0)
    assert not list((fresh / "store").glob("*.chunk"))


def test_an_archive_made_under_other_conditions_says_which(archive, fresh, monkeypatch):
    here = bits.installed()
    monkeypatch.setattr(bits, "installed", lambda *_: {**here, "numpy": "1.0"})
    with pytest.raises(UsageError, match=r"under other conditions, .*numpy .* there, 1\.0 here; expected the pinned"):
        origin.restore(archive, 1)


def test_a_study_whose_code_is_another_is_said_to_be_computed_anew(archive, ledger, tmp_path):
    head = read_archive(archive, Store(tmp_path / "a"))
    assert origin.others(head, ledger) == []
    head.codes["coins"] = "0" * 64
    assert origin.others(head, ledger) == ["study coins is computed anew: its code is not that of the archive"]


def test_a_preview_is_not_built_from_an_archive(archive):
    with pytest.raises(UsageError, match="a preview is not built from an archive"):
        build.build_book("preview", Options(), archive=archive)
