"""Built pages are checked: pages and artifacts there, no error output, links whole, nothing from elsewhere."""

import pytest
import yaml

from compendium.book import page_checks
from compendium.book.results import anchor

MANIFEST = {
    "id": "x-figure-1",
    "notebook": "x/01-y",
    "scale": "published",
    "files": ["x-figure-1.csv"],
    "figure": {"alt": "a " * 40},
}

TAGS = "".join(f'<meta name="{tag}" content="x" />' for tag in ("description", "citation_title", "citation_author"))


@pytest.fixture
def site(tmp_path, monkeypatch):
    (tmp_path / "book").mkdir()
    toc = {"root": "book/index", "parts": [{"chapters": [{"file": "notebooks/x/01-y"}]}]}
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(toc))
    monkeypatch.setattr(page_checks, "root", lambda: tmp_path)
    html = tmp_path / "html"
    for folder in ("book", "notebooks/x", "artifacts"):
        (html / folder).mkdir(parents=True)
    (html / "book" / "index.html").write_text(
        f'{TAGS}<h1>Book</h1><a href="../notebooks/x/01-y.html#{anchor("x-figure-1")}">to</a>'
    )
    (html / "notebooks" / "x" / "01-y.html").write_text(f'{TAGS}<h1>Y</h1><h2 id="{anchor("x-figure-1")}">F</h2>')
    (html / "artifacts" / "x-figure-1.csv").write_text("a\n")
    (html / "artifacts" / "x-figure-1.html").write_text(f"{TAGS}<h1>F</h1>")
    return html


@pytest.mark.parametrize(
    ("page", "added", "fault"),
    [
        ("book/index.html", '<a href="gone.html">x</a>', "broken link to gone.html"),
        ("book/index.html", '<a href="../notebooks/x/01-y.html#no">x</a>', "broken anchor"),
        ("book/index.html", '<script src="https://elsewhere.example/a.js"></script>', "from another host"),
        (
            "notebooks/x/01-y.html",
            '<a href="../../book/">its index</a><a href="../../artifacts/">none</a>',
            "broken link to ../../artifacts/",
        ),
        ("notebooks/x/01-y.html", '<div class="output traceback">x</div>', "an output is an error"),
        ("bare.html", TAGS.replace("description", "other"), "has no description"),
    ],
)
def test_each_fault_is_named(site, page, added, fault):
    with (site / page).open("a") as file:
        file.write(added)
    (result,) = page_checks.check_site(site, [MANIFEST])
    assert result.startswith(f"{page}: ")
    assert fault in result


def test_a_missing_page_download_or_artifact_is_named(site):
    (site / "artifacts" / "x-figure-1.csv").unlink()
    (site / "artifacts" / "x-figure-1.html").unlink()
    (site / "notebooks" / "x" / "01-y.html").unlink()
    faults = " ".join(page_checks.check_site(site, [{**MANIFEST, "figure": {"alt": "short"}}]))
    missing = ("page notebooks/x/01-y.html is missing", "not on the page of its notebook", "has no page", "download")
    assert all(text in faults for text in (*missing, "alternative text of figure x-figure-1: 5 characters"))


def test_a_figure_that_cannot_be_read_is_named_at_the_published_scale(site):
    good = {"alt": "Bias (points) by learner. Lowest: 1-NN, −33.8; highest: C4.5, 1.1.", "svg": "x-figure-1.svg"}
    figure = {**good, "others": [{**good, "svg": "x-figure-1-2.svg", "faults": ["12 panels, on a phone"]}]}
    published = {**MANIFEST, "figure": figure}
    assert page_checks.check_site(site, [published]) == ["figure x-figure-1-2.svg: 12 panels, on a phone"]
    assert page_checks.check_site(site, [{**published, "scale": "preview"}]) == []


def test_a_whole_site_has_no_fault_and_is_looked_at_again(site):
    path = site / "notebooks" / "x" / "01-y.html"
    page, download = path.read_text(), site / "artifacts" / "x-figure-1.csv"
    path.write_text(page + '<a href="../../artifacts/x-figure-1.csv">data</a><a href="#more">more</a>')
    assert page_checks.check_site(site, [MANIFEST]) == ["notebooks/x/01-y.html: broken anchor #more"]
    path.write_text(path.read_text() + '<p id="more">More.</p>')
    assert page_checks.check_site(site, [MANIFEST]) == []
    download.unlink()
    assert any("broken link to ../../artifacts/" in f for f in page_checks.check_site(site, [MANIFEST]))


def test_a_page_with_too_many_bytes_is_named_and_the_index_of_the_search_has_its_own_limit(site):
    page, static = site / "book" / "index.html", site / "_static"
    static.mkdir()
    half = page_checks.HEAVIEST // 2
    for name in ("a.css", "b.js", "searchindex.js"):
        (static / name).write_text("x" * half)
    links = '<link rel="stylesheet" href="../_static/a.css"/><script src="../_static/searchindex.js"></script>'
    drawing = f"<svg>{'x' * half}</svg>"
    page.write_text(page.read_text() + links + drawing)
    assert page_checks.check_site(site, [MANIFEST]) == []
    page.write_text(page.read_text() + '<script src="../_static/b.js"></script>')
    assert page_checks.check_site(site, [MANIFEST]) == ["book/index.html: 615 kB without figures are too many"]
    page.write_text(page.read_text().replace('<script src="../_static/b.js"></script>', ""))
    (static / "searchindex.js").write_text("x" * 2 * page_checks.HEAVIEST)
    assert page_checks.check_site(site, [MANIFEST]) == ["book/index.html: 1229 kB of the search's index are too many"]
