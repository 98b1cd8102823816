"""A plain Jupyter Book builds from the sources, without runs, and an edit builds its page alone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from compendium.book import site
from compendium.book.places import root
from compendium.book.site import build_site, without_other_pages
from errorest.errors import UsageError

NOTEBOOK = "notebooks/lis/01-field-guide"
TOC = {"format": "jb-book", "root": "book/papers/lis", "parts": [{"caption": "All", "chapters": [
    {"file": NOTEBOOK}, {"file": "book/cite"}, {"file": "book/glossary"}, {"file": "book/bibliography"}]}]}  # fmt: skip


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of one paper: the project's own settings and sources, without what they say of other pages."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "_toc.yml").write_text(yaml.safe_dump(TOC))
    shutil.copy(root() / "_config.yml", folder)
    for name in ("_static", "_templates"):
        shutil.copytree(root() / "book" / name, folder / "book" / name)
    shutil.copy(root() / "book" / "references.bib", folder / "book")
    for page in ("book/papers/lis.md", f"{NOTEBOOK}.ipynb", "book/cite.md", "book/glossary.md", "book/bibliography.md"):
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        text = (root() / page).read_text(encoding="utf-8")
        (folder / page).write_text(text if page.endswith(("glossary.md", "hy.md")) else without_other_pages(text))
    return folder


def jupyter_book(source: Path) -> set[str]:
    """Build as a person would; return the pages that were written."""
    html = source / "_build" / "html"
    before = {page: page.stat().st_mtime_ns for page in html.rglob("*.html")}
    variables = os.environ | {"ERROREST_BUILD": str(source / "_build")}
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", str(source), "-W", "--keep-going", "-q"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, cwd=root())
    assert done.returncode == 0, done.stderr[-3000:]
    written = [page for page in html.rglob("*.html") if before.get(page) != page.stat().st_mtime_ns]
    return {page.relative_to(html).as_posix() for page in written}


@pytest.mark.slow
def test_jupyter_book_builds_without_runs_and_then_what_was_edited(source: Path) -> None:
    html = source / "_build" / "html"
    assert {f"{NOTEBOOK}.html", "artifacts/lis-table-5.html", "index.html"} <= jupyter_book(source)
    page = (html / "book" / "papers" / "lis.html").read_text(encoding="utf-8")
    assert "Printed numbers: " in page
    assert 'title="computed by make book"' not in page, "the record has every number and outcome of the page"
    story = (html / f"{NOTEBOOK}.html").read_text(encoding="utf-8")
    assert 'id="artifact-lis-table-5"' in story
    assert "Computed by <code>compendium run lis/01-field-guide</code>" in story
    assert "<!-- " not in story.partition("<article")[2].partition("</article")[0]
    assert "errorest" in (html / "book" / "cite.html").read_text(encoding="utf-8").partition("@software")[2]
    with (source / "book" / "papers" / "lis.md").open("a") as file:
        file.write("\nOne sentence more.\n")
    written = jupyter_book(source)
    assert "book/papers/lis.html" in written
    assert not any(page.startswith(("artifacts/", "notebooks/")) for page in written)
    index = (html / "searchindex.js").read_text(encoding="utf-8")
    assert '"leave-one-out"' in index.partition('"indexentries"')[2].partition("}")[0], "of pages not read again, too"


def test_a_build_afresh_takes_the_place_of_the_old_site_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    old = tmp_path / "html"
    (old / "book").mkdir(parents=True)
    (old / "edition.json").write_text("old")
    (old / "book" / "removed.html").write_text("a page that is no more")

    def fail(source: Path, out: Path, *given: object) -> None:
        out.mkdir()
        raise UsageError("a link leads nowhere")

    monkeypatch.setattr(site, "_run_sphinx", fail)
    with pytest.raises(UsageError, match="leads nowhere"):
        build_site("published", afresh=True)
    assert (old / "book" / "removed.html").is_file()

    def succeed(source: Path, out: Path, *given: object) -> None:
        out.mkdir()
        (out / "edition.json").write_text("new")

    monkeypatch.setattr(site, "_run_sphinx", succeed)
    build_site("published", afresh=True)
    assert [path.name for path in tmp_path.iterdir()] == ["html"]
    assert (old / "edition.json").read_text() == "new"
    assert not (old / "book").exists()
