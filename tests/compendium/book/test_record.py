"""The record of a complete build: written, compared with new measurements, and archived with its chunks."""

import errno
import gzip
import io
import json
import os
import tarfile

import numpy as np
import pandas as pd
import pytest

from batteries import assert_refused
from compendium.book import archive as archiving
from compendium.book import catalogue
from compendium.book import record as recording
from compendium.book.archive import import_archive, origin_html, read_archive, write_archive
from compendium.book.notebook import Notebook
from compendium.book.record import BYTE, DIFFERS, NEARLY, line_of, read_ledger, verify
from compendium.book.row_diff import digests_of_rows, recorded_rows
from compendium.book.session import regenerated_frame, yielded
from compendium.cli import main as cli
from compendium.evidence.artifact import Artifact
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row
from compendium.evidence.verdicts import REGENERATED_COLUMNS
from compendium.papers.parameters import Parameters
from compendium.studies.store import Store
from compendium.studies.study import describe_study, design_of, pieces_of, run_study
from errorest.errors import UsageError
from study_measures import coins, every_toss

SIDES = coins(id="sides", measure=every_toss)
STUDIES = (coins(), SIDES)
KEYS = [piece.key for study in STUDIES for piece in pieces_of(study)]


def write_record(path, store, *studies):
    recording.write_ledger("9.9", map(describe_study, studies), ["an-artifact"], {"an-artifact": "0" * 16}, store, path)
    return path


@pytest.fixture
def store(tmp_path):
    """The finished store of a study of numbers, and of one with texts and several lines a replicate."""
    store = Store(tmp_path / "store")
    for study in STUDIES:
        run_study(study, store=store)
    return store


@pytest.fixture
def record(tmp_path, store):
    return write_record(tmp_path / "studies.json", store, *STUDIES)


@pytest.fixture
def ledger(record):
    return read_ledger(record)


def again(ledger, share=1.0, **options):
    return verify(ledger, share=share, seed=3, with_rows=False, **options)


def edited(record, **changes):
    record.write_text(json.dumps(json.loads(record.read_text()) | changes))
    return read_ledger(record)


def with_other_line(record, change):
    """Change the line of the third chunk of the first study."""
    studies = json.loads(record.read_text())["studies"]
    lines = studies[0]["cells"][0]["lines"]
    lines[2] = change(*lines[2])
    return edited(record, studies=studies)


# the ledger


def test_studies_have_one_design_if_nothing_but_their_replicates_differ():
    assert design_of(coins(replicates=8)) == design_of(coins(replicates=20, chunk=3))
    others = [{"measure": every_toss}, {"data": {"x": "0"}}, {"seed_keys": ("n",)}, {"seed": 2}, {"id": "x"}]
    assert design_of(coins()) not in [design_of(coins(**one)) for one in others]


def test_a_record_is_the_same_bytes_when_written_again(record, store, tmp_path):
    assert write_record(tmp_path / "again.json", store, *STUDIES).read_bytes() == record.read_bytes()


def test_a_chunk_that_several_notebooks_need_is_recorded_once():
    studies = [coins(replicates=number) for number in (8, 20, 7, 20)]
    result = recording.merge_studies(map(describe_study, studies))
    assert [[entry["replicates"] for entry in one["cells"]] for one in result] == [[20, 20], [7, 7]]


@pytest.mark.parametrize("text", ["", "[]", '{"scale": "published"}', None])
def test_a_record_of_another_kind_or_scale_is_refused(record, text):
    record.write_text(record.read_text().replace('"published"', '"preview"') if text is None else text)
    assert_refused("cannot be read" if text is not None else "scale 'preview'", read_ledger, record)


@pytest.mark.parametrize(
    ("column", "digest", "exact"),
    [
        ({"count": np.array([1, 3])}, False, False),
        ({"value": np.array([0.25, np.nextafter(0.5, 1)])}, False, True),
        ({"value": np.array([0.25, np.nan])}, False, False),
        ({}, True, True),
    ],
)
def test_a_last_digit_is_distinguished_from_another_count(column, digest, exact):
    chunk = {"count": np.array([1, 2]), "value": np.array([0.25, 0.5])}
    one, other = line_of(chunk), line_of({**chunk, **column})
    assert (one.digest == other.digest, one.exact == other.exact) == (digest, exact)


@pytest.mark.skipif(not recording.ledger_path().is_file(), reason="no complete build was recorded yet")
def test_the_record_belongs_to_the_recorded_rows():
    assert read_ledger().rows == digests_of_rows(recorded_rows())
    assert recording.ledger_path().stat().st_size < 1_000_000


# verifying


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_chunk_measured_again_is_equal_to_the_byte(ledger, jobs):
    assert (ledger.made["version"], ledger.calculated) == ("9.9", ["an-artifact"])
    result = again(ledger, jobs=jobs)
    assert (result.outcome, result.status, result.differences) == (BYTE, 0, [])
    counted = [(one.name, one.checked, one.of, one.replicates) for one in result.studies]
    assert counted == [("coins", 9, 9, 32), ("sides", 9, 9, 32)]


def test_a_share_of_every_study_is_sampled_from_the_seed(ledger):
    assert [one.checked for one in again(ledger, share=0.2).studies] == [2, 2]
    draws = {tuple(recording.draw_share(100, 0.05, np.random.default_rng(seed))) for seed in range(20)}
    assert len(draws) > 5
    assert all(len(draw) == 5 and len(set(draw)) == 5 and max(draw) < 100 for draw in draws)
    requested = [[one.checked for one in verify(ledger, share=0.3, seed=s, with_rows=False, n_studies=1).studies]
             for s in range(8)]  # fmt: skip
    assert {tuple(one) for one in requested} == {(3, 0), (0, 3)}


@pytest.mark.parametrize(
    ("change", "outcome", "text"),
    [
        (lambda digest, means: [digest, [means[0] + 0.001]], DIFFERS, "mean of 'mean'"),
        (lambda digest, means: [digest, [means[0] * (1 + 1e-11)]], NEARLY, "mean of 'mean'"),
        (lambda digest, means: ["0" * 10 + digest[10:], means], NEARLY, "last digits"),
        (lambda digest, means: [digest[:10] + "0" * 6, means], DIFFERS, "other whole numbers, texts or gaps"),
        (lambda digest, means: [digest, []], DIFFERS, "other whole numbers"),
    ],
)
def test_a_chunk_that_differs_from_its_line_is_named(record, change, outcome, text):
    result = again(with_other_line(record, change))
    assert (result.outcome, result.status) == (outcome, {NEARLY: 3, DIFFERS: 1}[outcome])
    (difference,) = result.differences
    assert difference.where.startswith("study 'coins', cell {'n': 3")
    assert difference.where.endswith("replicates 8 to 11")
    assert text in difference.said


def raised(columns, name, by):
    column = columns[name].copy()
    column[2] += by
    return {**columns, name: column}


def test_rows_changed_after_they_were_recorded_are_named_by_artifact(record, monkeypatch):
    row = ("kohavi-x", "literal", "published", "iris", "accuracy", 95.125, 0.5, 500)
    frame = pd.DataFrame([row], columns=list(REGENERATED_COLUMNS))
    ledger = edited(record, rows=digests_of_rows(frame), calculated=[])
    for value, named in ((95.125, []), (95.126, ["kohavi-x"])):
        monkeypatch.setattr(recording, "recorded_rows", lambda value=value: frame.assign(value=value))
        result = verify(ledger, share=0.1, seed=1)
        assert (result.outcome == BYTE, [one.where for one in result.files]) == (not named, named)


def test_rows_that_need_no_study_are_calculated_again(record, monkeypatch):
    name = "scheffer-herbrich-one-shot"
    notebook, spec = catalogue.artifact(name)
    frame = regenerated_frame(name, yielded(spec, notebook.paper, notebook.parameters(), "published", None))
    monkeypatch.setattr(recording, "recorded_rows", lambda: frame)
    ledger = edited(record, calculated=[name], rows=digests_of_rows(frame))
    same = verify(ledger, share=0.1, seed=1)
    assert (same.outcome, same.rows.checked) == (BYTE, len(frame))
    frame.loc[3, "value"] += 0.01
    (difference,) = verify(ledger, share=0.1, seed=1).differences
    assert (difference.where, difference.outcome) == (name, DIFFERS)
    assert f"{frame.row[3]}, {frame.column[3]}: value " in difference.said


def _mean_of_tosses(p, run):
    means = {n: (part["mean"].mean(), 0.1, len(part)) for n, part in parts(run(coins()), "n").items()}
    return ArtifactResult([Row("literal", f"n={n}", "mean", *measured) for n, measured in means.items()])


def test_a_share_of_1_makes_every_row_from_what_was_measured_again(record, tmp_path, monkeypatch):
    one = Artifact("kohavi-made-up", "Table 0", "Made up", compute=_mean_of_tosses)
    spec = Notebook("kohavi/00-made-up", "Made up", Parameters, (one,))
    monkeypatch.setattr(catalogue, "notebooks", lambda: (spec,))
    monkeypatch.setattr(catalogue, "artifact", lambda name: (spec, spec.artifact(name)))
    frame = regenerated_frame(one.id, ResultsByScale(published=_mean_of_tosses(None, run_study)))
    ledger, selected = edited(record, rows=digests_of_rows(frame)), Store(tmp_path / "kept")

    def outcome(rows):
        monkeypatch.setattr(recording, "recorded_rows", lambda: rows)
        return verify(ledger, share=1, seed=1, kept=selected)

    same = outcome(frame)
    assert (same.outcome, same.rows.checked) == (BYTE, 2)
    assert all(selected.get(key) for key in KEYS)
    (difference,) = outcome(frame.assign(value=frame.value.add([0, 0.001]))).differences
    assert difference.said.startswith("kohavi-made-up [literal, published] n=5, mean: ")
    fewer = outcome(frame.iloc[:1]).differences
    assert [one.said for one in fewer] == ["kohavi-made-up literal published n=5 mean: not recorded"]


def test_other_conditions_are_named(ledger):
    assert recording.other_conditions(ledger.made) == []
    installed = {**ledger.made["installed"], "numpy": "1.0"}
    numpy, processor = recording.other_conditions({**ledger.made, "installed": installed, "processor": ["z80"]})
    assert numpy.startswith("numpy 1.0 there, ")
    assert processor.startswith("the processor (here without z80")


def test_one_process_verifies_where_no_worker_can_start(ledger, monkeypatch):
    def none(*_):
        raise OSError(errno.EACCES, "no semaphores")

    monkeypatch.setattr("multiprocessing.context.BaseContext.Lock", none)
    monkeypatch.setattr(recording.versions, "in_force", lambda: True)
    monkeypatch.setattr(recording, "in_processes", none)
    texts = []
    assert again(ledger, share=0.5, jobs=2, say=texts.append).outcome == BYTE
    assert "one process computes" in texts[0]


@pytest.fixture
def command(tmp_path, record, monkeypatch):
    """``compendium verify`` of the record without rows."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR", str(tmp_path)))
    monkeypatch.setattr(recording, "ledger_path", lambda: record)
    monkeypatch.setattr(recording, "digests_of_rows", lambda _: read_ledger(record).rows)
    monkeypatch.setattr(recording, "_rows", lambda *_: recorded_rows().iloc[:0])
    return lambda *options: cli.main(["verify", "--seed", "1", "--jobs", "1", *options])


def test_the_command_reports_and_exits_with_the_status_of_the_outcome(command, record, tmp_path, capsys):
    paths = [tmp_path / f"report.{ending}" for ending in ("txt", "json")]
    reports = [word for path in paths for word in ("--report", str(path))]
    assert command("--share", ".5") == 0
    assert capsys.readouterr().out.endswith("outcome: equal to the byte\n")
    with_other_line(record, lambda digest, means: [digest, [means[0] + 0.001]])
    assert command("--share", ".99", *reports) == 1
    text, report = paths[0].read_text(), json.loads(paths[1].read_text())
    assert text in capsys.readouterr().out
    assert "seed 1" in text.splitlines()[0]
    assert "packages: numpy " in text
    assert "replicates 8 to 11: differs: mean of 'mean'" in text
    assert text.endswith("outcome: differs\n")
    assert (report["outcome"], report["status"], report["seed"]) == ("differs", 1, 1)
    assert report["installed"] == read_ledger(record).made["installed"]
    assert {"system", "processor", "features", "python"} == set(report["machine"])
    assert [(s["name"], s["checked"], s["differs"]) for s in report["studies"]] == [("coins", 9, 1), ("sides", 9, 0)]
    assert report["differences"][0]["outcome"] == "differs"
    assert command("--share", ".99", *reports) == 2, "no report is written over"


def test_two_commands_side_by_side_do_not_disturb_each_other(command, tmp_path, monkeypatch):
    stores = []

    def nested(ledger, *, kept, **options):
        kept.put(KEYS[0], {"x": np.ones(1)})
        stores.append(kept)
        assert len(stores) == 2 or command("--share", "1") == 0
        assert kept.get(KEYS[0]) is not None
        return recording.Verification(1.0, 1, [recording.Stratum("one", 1)])

    monkeypatch.setattr(recording, "verify", nested)
    assert command("--share", "1") == 0
    assert len(stores) == 2
    assert not any(store.root.exists() for store in stores)


# the archive


@pytest.fixture
def archive(tmp_path, ledger, store):
    path = tmp_path / "studies.tar.gz"
    assert write_archive(path, ledger, store) == len(KEYS)
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
    archive, ledger, store, tmp_path
):
    other = Store(tmp_path / "other")
    read_archive(archive, ledger, other)
    assert all(other.path(key).read_bytes() == store.path(key).read_bytes() for key in KEYS)
    for key in KEYS:
        os.utime(store.path(key), (1, 1))
    write_archive(tmp_path / "again", ledger, store)
    assert (tmp_path / "again").read_bytes() == archive.read_bytes()


def test_a_chunk_that_is_not_the_recorded_one_is_not_archived(ledger, store, tmp_path):
    store.put(KEYS[3], raised(store.get(KEYS[3]), "mean", 0.001))
    assert_refused("is not as recorded", write_archive, tmp_path / "other", ledger, store)
    store.path(KEYS[3]).unlink()
    with pytest.raises(UsageError, match=r"replicates 12 to 15 is not in .* needs the finished store"):
        write_archive(tmp_path / "other", ledger, store)
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
        lambda files, store: {name: content[:-1] + bytes([content[-1] ^ 1]) for name, content in files.items()},
        changed_number,
    ],
)
def test_an_archive_of_other_chunks_is_refused(archive, ledger, store, tmp_path, change):
    rewrite(archive, change, store)
    with pytest.raises(UsageError, match=r"archive .*studies\.tar\.gz (is refused|cannot be read)"):
        read_archive(archive, ledger, Store(tmp_path / "unpacked"))
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize(
    "content",
    [0.0, 0.05, 0.3, 0.9, b"no tar", bytes(2048), gzip.compress(b"x" * 999, mtime=0), None],
    ids=["empty", "twentieth", "third", "most", "text", "zeros", "no tar in gzip", "missing"],
)
def test_a_damaged_archive_is_refused(archive, ledger, tmp_path, content):
    whole = archive.read_bytes()
    archive.unlink()
    if content is not None:
        archive.write_bytes(whole[: int(content * len(whole))] if isinstance(content, float) else content)
    with pytest.raises(UsageError, match=r"archive .*studies\.tar\.gz (is refused|cannot be read)"):
        read_archive(archive, ledger, Store(tmp_path / "unpacked"))


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
def test_a_crafted_archive_is_refused_and_nothing_is_written_but_chunks(archive, ledger, tmp_path, crafted, whole):
    (tmp_path / "outside").write_text("mine")
    with tarfile.open(archive) as tar:
        chunks = [(entry, tar.extractfile(entry).read()) for entry in tar] if whole else []
    with tarfile.open(archive, "w:gz") as tar:
        for entry, content in (*chunks, *crafted):
            tar.addfile(entry, io.BytesIO(content))
    before = sorted(tmp_path.iterdir())
    folder = tmp_path / "unpacked"
    with pytest.raises(UsageError, match=r"studies\.tar\.gz is refused: it cannot be unpacked \(it holds '.*'"):
        read_archive(archive, ledger, Store(folder))
    assert (tmp_path / "outside").read_text() == "mine"
    assert {*tmp_path.iterdir()} - {*before} == {folder}
    assert [path for path in folder.iterdir() if path.stem not in KEYS or not path.is_file()] == []


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK])
def test_a_huge_part_of_an_archive_is_refused_before_it_is_read(archive, ledger, tmp_path, kind):
    entry = tarfile.TarInfo("0" * 64 + ".npz")
    entry.type, entry.size = kind, 1 << 32
    with gzip.open(archive, "wb", compresslevel=1) as file:
        file.write(entry.tobuf() + bytes(70 << 20))
    with pytest.raises(UsageError, match="a part of it is too large"):
        read_archive(archive, ledger, Store(tmp_path / "unpacked"))


def test_an_archive_made_under_other_conditions_is_refused(archive, ledger, tmp_path, monkeypatch):
    monkeypatch.setattr(recording.versions, "installed", lambda: {**ledger.made["installed"], "numpy": "1.0"})
    with pytest.raises(UsageError, match=r"under other conditions: numpy .* there, 1\.0 here"):
        read_archive(archive, ledger, Store(tmp_path / "unpacked"))


@pytest.fixture
def fresh(tmp_path, ledger, monkeypatch):
    """A machine without results."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(archiving, "read_ledger", lambda: ledger)
    return tmp_path / "build" / "store"


def test_an_archive_is_imported_after_a_share_was_measured_again(archive, fresh):
    result = import_archive(archive, 1, share=0.3)
    assert (result.outcome, [one.checked for one in result.studies]) == (BYTE, [3, 3])
    assert all(Store(fresh).get(key) for key in KEYS)
    page = origin_html()
    assert "<code>studies.tar.gz</code>" in page
    assert '<td class="num">9</td><td class="num">9</td><td class="num">3</td><td class="num">3</td>' in page
    (fresh / "origin.json").write_text((fresh / "origin.json").read_text()[:-1])
    assert "was damaged" in origin_html()
    assert len(list(fresh.iterdir())) == len(KEYS) + 1
    assert import_archive(archive, 1, share=0.3).seed == result.seed, "a book built twice is the same"


def test_an_archive_that_this_machine_does_not_compute_is_not_imported(archive, ledger, store, fresh, monkeypatch):
    store.put(KEYS[7], raised(store.get(KEYS[7]), "mean", 0.001))
    other = read_ledger(write_record(archive.with_name("other.json"), store, *STUDIES))
    monkeypatch.setattr(archiving, "read_ledger", lambda: other)
    write_archive(archive, other, store)
    with pytest.raises(UsageError, match=r"computes other results(.|\n)*mean of 'mean' .* recorded, .* here"):
        import_archive(archive, 1, share=1.0)
    assert list(fresh.iterdir()) == []
    assert "none was taken from an archive" in origin_html()


def test_a_study_whose_code_has_changed_is_not_taken_from_an_archive(archive, ledger, fresh, capsys):
    ledger.studies[0]["code"] = "0" * 64
    import_archive(archive, 1, share=0.3)
    assert "study coins is computed, not taken from the archive" in capsys.readouterr().out
    assert {path.stem for path in fresh.glob("*.*") if path.name != "origin.json"} == {*KEYS[9:]}
