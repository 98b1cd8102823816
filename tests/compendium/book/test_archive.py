"""The archive of a recorded build: the same bytes each time, and refused where it is not the recorded one."""

import gzip
import io
import os
import tarfile

import pytest

from batteries import assert_refused
from compendium.book import archive as archiving
from compendium.book.archive import import_archive, origin_html, read_archive, write_archive
from compendium.book.record import Record, conditions, digest_of_store
from compendium.book.survey import SurveyedStudy
from compendium.studies.spot_check import digest_of
from compendium.studies.store import Store
from compendium.studies.study import pieces_of, run_study
from errorest.errors import UsageError
from study_measures import coins, every_toss

STUDIES = (coins(), coins(id="sides", measure=every_toss))
KEYS = [piece.key for study in STUDIES for piece in pieces_of(study)]


@pytest.fixture
def store(tmp_path, monkeypatch):
    """The finished store of a study of numbers, and of one with texts and several lines a replicate."""
    store = Store(tmp_path / "store")
    asked = {}
    for study in STUDIES:
        run_study(study, store=store)
        asked[study.id] = SurveyedStudy(study.version, study.measure)
        asked[study.id].add(study, "an-artifact")
    monkeypatch.setattr(archiving, "survey", lambda artifacts, run: (asked, None))
    return store


@pytest.fixture
def record(store):
    return Record(1, conditions(), digest_of_store({key: digest_of(store.get(key)) for key in KEYS}), [])


def raised(columns, name, by):
    column = columns[name].copy()
    column[2] += by
    return {**columns, name: column}


@pytest.fixture
def archive(tmp_path, record, store):
    path = tmp_path / "studies.tar.gz"
    assert write_archive(path, record, store) == len(KEYS)
    return path


def rewrite(path, change, store):
    """Change the entries of an archive by name."""
    with tarfile.open(path) as tar:
        files = {entry.name: tar.extractfile(entry).read() for entry in tar}
    with tarfile.open(path, "w:gz") as tar:
        for name, content in change(files, store).items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))


def test_an_archive_brings_every_chunk_back_to_the_byte_and_is_the_same_when_written_again(
    archive, record, store, tmp_path
):
    other = Store(tmp_path / "other")
    read_archive(archive, record, other)
    assert all(other.path(key).read_bytes() == store.path(key).read_bytes() for key in KEYS)
    for key in KEYS:
        os.utime(store.path(key), (1, 1))
    write_archive(tmp_path / "again", record, store)
    assert (tmp_path / "again").read_bytes() == archive.read_bytes()


def test_a_chunk_that_is_not_the_recorded_one_is_not_archived(record, store, tmp_path):
    store.put(KEYS[3], raised(store.get(KEYS[3]), "mean", 0.001))
    assert_refused("are not as recorded", write_archive, tmp_path / "other", record, store)
    store.path(KEYS[3]).unlink()
    with pytest.raises(UsageError, match=r"replicates 12 to 15 is not in .* needs the finished store"):
        write_archive(tmp_path / "other", record, store)
    assert not (tmp_path / "other").exists()


def changed_number(files, store):
    """Another number in a chunk whose checksums are right."""
    store.put(KEYS[7], raised(store.get(KEYS[7]), "mean", 0.001))
    return {**files, store.path(KEYS[7]).name: store.path(KEYS[7]).read_bytes()}


@pytest.mark.parametrize(
    "change",
    [
        lambda files, store: dict(list(files.items())[1:]),
        lambda files, store: {"../outside": b"x", **files},
        lambda files, store: dict(zip(files, [*files.values()][::-1], strict=True)),
        lambda files, store: {name: c[:100] + bytes([c[100] ^ 1]) + c[101:] for name, c in files.items()},
        changed_number,
    ],
)
def test_an_archive_of_other_chunks_is_refused(archive, record, store, tmp_path, change):
    rewrite(archive, change, store)
    with pytest.raises(UsageError, match=r"archive .*studies\.tar\.gz (is refused|cannot be read)"):
        read_archive(archive, record, Store(tmp_path / "unpacked"))
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize(
    "content",
    [0.0, 0.05, 0.3, 0.9, b"no tar", bytes(2048), gzip.compress(b"x" * 999, mtime=0), None],
    ids=["empty", "twentieth", "third", "most", "text", "zeros", "no tar in gzip", "missing"],
)
def test_a_damaged_archive_is_refused(archive, record, tmp_path, content):
    whole = archive.read_bytes()
    archive.unlink()
    if content is not None:
        archive.write_bytes(whole[: int(content * len(whole))] if isinstance(content, float) else content)
    with pytest.raises(UsageError, match=r"archive .*studies\.tar\.gz (is refused|cannot be read)"):
        read_archive(archive, record, Store(tmp_path / "unpacked"))


def member(name, kind=tarfile.REGTYPE, link="", content=b"planted"):
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname, entry.size = kind, link, len(content) if kind == tarfile.REGTYPE else 0
    return entry, content


def escaping():
    """Links so long that a resolved path is cut, behind which a name leaves the folder (CVE-2025-4517)."""
    steps, long = [], "d" * 247
    here = ""
    for letter in "abcdefghijklmnop":
        steps += [member(here + long, tarfile.DIRTYPE), member(here + letter, tarfile.SYMTYPE, long)]
        here += f"{long}/"
    way = "/".join("abcdefghijklmnop") + "/" + "l" * 254
    steps += [member(way, tarfile.SYMTYPE, "../" * 16), member("escape", tarfile.SYMTYPE, way + "/../outside")]
    return [*steps, member("hard", tarfile.LNKTYPE, "escape"), member("hard")]


CRAFTED = {
    "links that leave the folder": escaping(),
    "a link": [member("0" * 64 + ".npz", tarfile.SYMTYPE, "/etc/passwd")],
    "a hard link": [member("0" * 64 + ".npz", tarfile.LNKTYPE, "outside")],
    "a device": [member("0" * 64 + ".npz", tarfile.CHRTYPE)],
    "a pipe": [member("0" * 64 + ".npz", tarfile.FIFOTYPE)],
    "a folder": [member("inside", tarfile.DIRTYPE)],
    "an absolute name": [member("/tmp/errorest-outside.npz")],
    "a name upwards": [member("../outside")],
    "another file": [member("planted.txt")],
    "a name twice": [member("0" * 64 + ".npz"), member("0" * 64 + ".npz")],
}


@pytest.mark.parametrize("crafted", CRAFTED.values(), ids=CRAFTED)
@pytest.mark.parametrize("whole", [True, False], ids=["beside the chunks", "alone"])
def test_a_crafted_archive_is_refused_and_nothing_is_written_but_chunks(archive, record, tmp_path, crafted, whole):
    (tmp_path / "outside").write_text("mine")
    with tarfile.open(archive) as tar:
        chunks = [(entry, tar.extractfile(entry).read()) for entry in tar] if whole else []
    with tarfile.open(archive, "w:gz") as tar:
        for entry, content in (*chunks, *crafted):
            tar.addfile(entry, io.BytesIO(content))
    before = sorted(tmp_path.iterdir())
    folder = tmp_path / "unpacked"
    with pytest.raises(UsageError, match=r"studies\.tar\.gz is refused: (it cannot be unpacked \(it holds '|chunk 0)"):
        read_archive(archive, record, Store(folder))
    assert (tmp_path / "outside").read_text() == "mine"
    assert {*tmp_path.iterdir()} - {*before} == {folder}
    assert [path for path in folder.iterdir() if path.stem not in KEYS or not path.is_file()] == []


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK])
def test_a_huge_part_of_an_archive_is_refused_before_it_is_read(archive, record, tmp_path, kind):
    entry = tarfile.TarInfo("0" * 64 + ".npz")
    entry.type, entry.size = kind, 1 << 32
    with gzip.open(archive, "wb", compresslevel=1) as file:
        file.write(entry.tobuf() + bytes(70 << 20))
    with pytest.raises(UsageError, match="a part of it is too large"):
        read_archive(archive, record, Store(tmp_path / "unpacked"))


def test_an_archive_made_under_other_conditions_is_refused(archive, record, tmp_path, monkeypatch):
    installed = {**record.made["installed"], "numpy": "1.0"}
    monkeypatch.setattr("compendium.book.record.versions.installed", lambda: installed)
    with pytest.raises(UsageError, match=r"under other conditions: numpy .* there, 1\.0 here"):
        read_archive(archive, record, Store(tmp_path / "unpacked"))


@pytest.fixture
def fresh(tmp_path, record, monkeypatch):
    """A machine without results."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(archiving, "read_record", lambda: record)
    return tmp_path / "build" / "store"


def test_an_archive_is_imported_and_a_page_says_so(archive, fresh, store):
    assert "none was taken from an archive" in origin_html()
    import_archive(archive)
    assert {path.name for path in fresh.iterdir()} == {"origin.json", *(store.path(key).name for key in KEYS)}
    assert all(Store(fresh).path(key).read_bytes() == store.path(key).read_bytes() for key in KEYS)
    assert "<code>studies.tar.gz</code>" in origin_html()
    (fresh / "origin.json").write_text((fresh / "origin.json").read_text()[:-1])
    assert "was damaged" in origin_html()


def test_a_refused_archive_leaves_the_store_as_it_was(archive, fresh, store):
    rewrite(archive, changed_number, store)
    with pytest.raises(UsageError, match="its chunks are not those of the recorded build"):
        import_archive(archive)
    assert list(fresh.iterdir()) == []
