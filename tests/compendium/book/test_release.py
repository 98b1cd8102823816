"""A release is the same bytes when made twice, and nothing in it says where or when it was made."""

import hashlib
import io
import json
import re
import tarfile
import zipfile
from pathlib import Path

import pytest

from batteries import assert_refused
from compendium.book import pdf, release
from compendium.book.citation import CRATE, Work, crate_json, read_work
from compendium.book.pdf import book_document
from compendium.book.places import root
from compendium.book.source_state import remember, source_files, state, tree_id
from errorest.errors import UsageError

DAY = "2026-01-31"
CONTENTS = {"root": "book/index", "parts": [{"caption": "P", "chapters": [{"file": "notebooks/x/01"}]}]}
WORK = Work(
    {"title": "W", "version": "1", "date-released": "2026-01-31", "authors": [{"name": "They"}]},
    "swh:1:dir:" + "0" * 40,
)


def check_crate(folder: Path) -> None:
    """Check what RO-Crate 1.1 asks for, and that a release's files are as its crate says."""
    crate = json.loads((folder / CRATE).read_text(encoding="utf-8"))
    graph = {entity["@id"]: entity for entity in crate["@graph"]}
    descriptor, whole = graph[CRATE], graph["./"]
    assert len(graph) == len(crate["@graph"])
    assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    assert descriptor["about"] == {"@id": "./"}
    assert all(whole[key] for key in ("name", "description", "datePublished", "license", "author"))
    assert all("@type" in graph[link["@id"]] for link in [whole["license"], *whole["author"], *whole["hasPart"]])
    files = {entity["name"]: entity for entity in graph.values() if entity["@type"] == "File"}
    assert {*files} == {path.name for path in folder.iterdir()} - {CRATE, "SHA256SUMS"}
    for name, entity in files.items():
        content = (folder / name).read_bytes()
        assert (entity["sha256"], entity["contentSize"]) == (hashlib.sha256(content).hexdigest(), str(len(content)))


def test_a_crate_describes_files_state_and_licence(tmp_path):
    for name in ("CITATION.cff", "a b.csv", "x.svg"):
        (tmp_path / name).write_text(name)
    text = crate_json(tmp_path, WORK, "What it does.", "c" * 40)
    (tmp_path / CRATE).write_text(text, encoding="utf-8")
    check_crate(tmp_path)
    graph = {entity["@id"]: entity for entity in json.loads(text)["@graph"]}
    assert graph["a%20b.csv"]["encodingFormat"] == "text/csv"
    assert {WORK.tree, "c" * 40} <= {*graph["./"]["identifier"]}
    assert crate_json(tmp_path, WORK, "What it does.", "c" * 40) == text, "it does not describe itself"


def tarred(seconds, owner, names):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.uname = len(name), seconds, owner
            entry.mode = 0o775 if name == "run" else 0o664
            archive.addfile(entry, io.BytesIO(name.encode()))
    return packed.getvalue()


def test_a_tar_loses_times_owners_and_order_and_keeps_what_can_be_run():
    one, two = (
        release.normalize_sdist(tarred(*given), DAY) for given in [(1, "a", ["x", "run"]), (2, "b", ["run", "x"])]
    )
    assert one == two
    with tarfile.open(fileobj=io.BytesIO(one)) as archive:
        assert [(m.name, m.mode, m.uname) for m in archive.getmembers()] == [("run", 0o755, ""), ("x", 0o644, "")]
        assert archive.extractfile("x").read() == b"x"


def test_a_folder_is_packed_alike_whatever_its_times(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.html").write_text("c")
    (tmp_path / "a.html").write_text("a")
    before = release.zip_folder(tmp_path, "book", DAY)
    (tmp_path / "a.html").unlink()
    (tmp_path / "a.html").write_text("a")
    assert release.zip_folder(tmp_path, "book", DAY) == before == release.normalize_wheel(before, DAY)
    with zipfile.ZipFile(io.BytesIO(before)) as archive:
        assert archive.namelist() == ["book/a.html", "book/b/c.html"]
        assert {entry.date_time for entry in archive.infolist()} == {(2026, 1, 31, 0, 0, 0)}


def test_a_pdf_loses_the_time_of_printing_and_no_byte_of_its_length():
    printed = b"x /CreationDate (D:20260203040506+00'00') /ModDate (D:20260203040506-05'30') y"
    normal = release.normalize_pdf(printed, DAY)
    assert len(normal) == len(printed)
    assert normal.count(b"(D:20260131000000+00'00')") == 2


def test_the_notes_hold_the_version_and_what_came_since():
    log = "# Changelog\n\n## Unreleased\n\nNewer.\n\n## 1.1 (2026)\n\nNew.\n\n## 1.0\n\nOld.\n"
    notes = release.release_notes(log, "1.1")
    assert notes.startswith("# errorest 1.1\n")
    assert notes.index("Newer.") < notes.index("New.\n")
    assert "Old." not in notes
    with pytest.raises(UsageError, match=r"has no part .## 2"):
        release.release_notes(log, "2")


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    (folder / "book").mkdir(parents=True)
    (folder / "notebooks" / "x").mkdir(parents=True)
    (folder / "book" / "index.html").write_text(
        '<article class="bd-article"><h1 id="top">The book<a class="headerlink" href="#top">#</a></h1>'
        '<a href="../notebooks/x/01.html#top">to</a> <a href="#top">up</a> <a href="../artifacts/a.csv">data</a>'
        '<a href="https://doi.org/1">out</a><script>alert(1)</script></article>'
    )
    (folder / "notebooks" / "x" / "01.html").write_text(
        '<article class="bd-article"><h1 id="top">First</h1><img src="../../artifacts/a.svg" alt="a"/>'
        "<details><summary>More</summary>m</details><details><summary>kohavi-table-1: 20 numbers</summary>n</details>"
        '<details class="errorest-citation"><summary>Cite</summary>c</details></article>'
    )
    for name in pdf._STYLES:
        (folder / "_static" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "_static" / name).write_text(f"/* {name} */ @media print {{ td {{ background: url(../a.png); }} }}")
    return folder


def test_the_printed_book_is_one_document_whose_links_stay_inside_under_the_rules_for_paper(site):
    text = book_document(site, CONTENTS, "errorest 1")
    assert all(f"/* {name} */ @media all" in text for name in pdf._STYLES)
    assert "@media print" not in text
    assert f"url({(site / '_static').as_uri()}/styles/../a.png)" in text
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids)) == 4
    assert '<a href="#sheet-1-top">to</a> <a href="#sheet-0-top">up</a> <a >data</a>' in text
    assert set(re.findall(r'<a href="#([^"]+)"', text)) <= set(ids)
    assert '<a href="https://doi.org/1">out</a>' in text
    assert "alert(1)" not in text
    assert "headerlink" not in text
    assert "Cite" not in text
    assert "<details open><summary>More" in text
    assert "<details><summary>kohavi-table-1: 20 numbers" in text
    assert 'margin-left: 1em"><a href="#sheet-1">First</a>' in text
    (site / "book" / "index.html").unlink()
    assert_refused(r"page book/index\.html of the book is missing", book_document, site, CONTENTS, "errorest 1")


def test_the_paper_keeps_nothing_that_only_the_book_understands():
    page = (root() / "book" / "paper.md").read_text(encoding="utf-8")
    text = release.journal_paper(page, read_work(root()))
    assert text.startswith("---\ntitle: 'errorest: how far")
    assert "[@martin1996; @kohavi1995;" in text
    assert not re.search(r"\{(cite|doc|term)", text)


def built(folder, tree):
    """Lay out a book of a page as a build leaves it."""
    site = folder / "preview" / "html"
    (site / "_sources" / "book").mkdir(parents=True)
    (site / "_sources" / "book" / "paper.md").write_text("# T\n\nWords.\n")
    (site / "edition.json").write_text(json.dumps({"tree": tree}))
    (site / "index.html").write_text("<p>The book</p>")
    (site / "artifacts").mkdir()
    (site / "artifacts" / "kohavi-table-1.csv").write_text("row")
    remember("preview", state("preview"), "all is well")
    return site


@pytest.mark.slow
def test_a_release_made_twice_has_the_same_checksums_and_its_source_is_the_tree(tmp_path, monkeypatch):
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    monkeypatch.setattr(release, "check_committed", lambda folder: None)
    monkeypatch.setattr(release, "print_book", lambda *_: b"%PDF /CreationDate (D:20260203040506+00'00')")
    built(tmp_path, tree_id(root()))
    folder = release.make_release("preview")
    sums = (folder / "SHA256SUMS").read_text()
    names = {path.name for path in folder.iterdir()} - {"SHA256SUMS"}
    digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    assert sums == "".join(f"{digests[name]}  {name}\n" for name in sorted(names))
    assert {"CITATION.cff", "RELEASE-NOTES.md", "codecheck.yml", "paper.md", "ro-crate-metadata.json"} < names
    kinds = ("-book.zip", "-book.pdf", ".tar.gz", ".whl")
    assert {kind for kind in kinds for name in names if name.endswith(kind)} == {*kinds}
    assert "swh:1:dir:" in (folder / "CITATION.cff").read_text()
    check_crate(folder)
    (packed,) = folder.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert source_files(unpacked) == source_files(root())
    assert tree_id(unpacked) == tree_id(root())
    assert release.make_release("preview") == folder
    assert (folder / "SHA256SUMS").read_text() == sums


def test_a_book_of_another_state_or_a_damaged_one_is_not_released(tmp_path, monkeypatch):
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    monkeypatch.setattr(release, "check_committed", lambda folder: None)
    site = built(tmp_path, "swh:1:dir:" + "0" * 40)
    assert_refused("the preview book of this state is not built", release.make_release, "preview")
    (site / "index.html").write_text("<p>Another</p>")
    assert_refused("the preview book of this state is not built", release.make_release, "preview")
