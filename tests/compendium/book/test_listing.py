"""What `list` and `params` tell is kept, and told anew as soon as anything that it follows from has changed."""

import os
import subprocess
import sys

import pytest

from compendium.book import called, listing
from errorest.errors import UsageError


@pytest.fixture
def told(monkeypatch, tmp_path):
    """Count how often the notebooks' code is asked, with an empty build folder."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    asked = []
    real = listing._told
    monkeypatch.setattr(listing, "_told", lambda: asked.append(1) or real())
    return asked


def test_the_second_listing_is_the_first_without_asking_again(told, tmp_path):
    first = listing.listed()
    assert listing.listed() == first
    assert len(told) == 1
    assert len(list(tmp_path.glob("listing-*.json"))) == 1


def test_a_damaged_listing_is_told_anew(told, tmp_path):
    first = listing.listed()
    [file] = tmp_path.glob("listing-*.json")
    file.write_text(file.read_text().replace("kohavi", "Kohavi", 1))
    assert listing.listed() == first
    assert len(told) == 2


def test_a_listing_follows_the_numbers_and_replaces_the_last(told, monkeypatch, tmp_path):
    listing.listed()
    monkeypatch.setattr(listing, "_digest", lambda: "another")
    listing.listed()
    assert len(told) == 2
    assert [f.name for f in tmp_path.glob("listing-*.json")] == ["listing-another.json"]


@pytest.mark.parametrize("changed", ["notebooks/kohavi/01-iris.ipynb", "data/regenerated/kohavi.csv"])
def test_its_digest_follows_notebooks_and_rows(monkeypatch, tmp_path, changed):
    monkeypatch.setattr(listing, "root", lambda: tmp_path)
    file = tmp_path / changed
    file.parent.mkdir(parents=True)
    file.write_text("one")
    before = listing._digest()
    file.write_text("two")
    assert listing._digest() != before


def test_where_nothing_can_be_kept_it_is_told_each_time(told, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "file" / "below"))
    assert listing.listed() == listing.listed()
    assert len(told) == 2


def test_a_kept_listing_imports_no_notebook_and_nothing_heavy(tmp_path):
    environment = {**os.environ, "ERROREST_BUILD": str(tmp_path)}
    code = (
        "import sys\nfrom compendium.cli.main import main\nmain(['list']); main(['params', 'kohavi/01'])\n"
        "print(*({'numba', 'pandas', 'sklearn', 'matplotlib', 'scipy'} & set(sys.modules)), file=sys.stderr)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout
    assert "numba" in runs[0].stderr
    assert runs[1].stderr.strip() == ""


def test_an_unknown_notebook_is_told_with_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'kohavi/01-iris'"):
        called.one_of(["kohavi/01-iris"], "kohavi/01-irs")
