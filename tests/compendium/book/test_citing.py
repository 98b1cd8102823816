"""The work and its artifacts can be cited: identifiers, references, tags, and the way from a table to its source."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from docutils.core import publish_doctree
from pybtex.database import parse_string

from compendium.book import catalogue
from compendium.book.citation import Work, apa, bibtex, cff, codemeta, meta_tags, part_of, read_work, ris
from compendium.book.extension import first_words
from compendium.book.source_state import check_committed, commit_of, short, tree_id
from compendium.cli.main import main
from errorest.errors import UsageError

ROOT = Path(__file__).resolve().parents[3]
TREE = "swh:1:dir:" + "0f" * 20
PERSON = {"given-names": "Ada Maria", "family-names": "Byron", "orcid": "0"}


def git(folder, *arguments):
    settings = ("-c", "user.name=x", "-c", "user.email=x", "-c", "init.defaultBranch=main")
    return subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def checkout(tmp_path):
    """A tree whose names sort differently as files and as folders."""
    folder = tmp_path / "project"
    for name in ("a/b", "a.txt", "a-b", "z", "deep/er/x", "run"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "run").chmod(0o755)
    (folder / "link").symlink_to("a.txt")
    (folder / ".gitignore").write_text("# made by a build or by z\n_build/\n*.egg-info/\n\n/studies.tar\n")
    (folder / "studies.tar").write_text("made")
    (folder / "_build").mkdir()
    (folder / "_build" / "made").write_text("made")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder


def test_the_identifier_is_the_hash_that_git_gives_the_tree_and_the_same_when_unpacked(checkout):
    before = tree_id(checkout)
    assert before == "swh:1:dir:" + git(checkout, "rev-parse", "HEAD^{tree}").strip()
    shutil.rmtree(checkout / ".git")
    (checkout / "PKG-INFO").write_text("added by packaging")
    (checkout / "x.egg-info").mkdir()
    (checkout / "x.egg-info" / "SOURCES.txt").write_text("added by packaging")
    assert tree_id(checkout) == before
    (checkout / "a.txt").write_text("another")
    assert tree_id(checkout) != before


def test_a_state_without_git_is_named_by_its_source_even_inside_another_checkout(checkout):
    assert short(commit_of(checkout)) == ("commit", git(checkout, "rev-parse", "HEAD").strip()[:12])
    inside = checkout / "unpacked"
    inside.mkdir()
    kind, digest = short(commit_of(inside))
    assert kind == "source"
    assert re.fullmatch("[0-9a-f]{12}", digest)


def test_a_checkout_with_changes_is_refused(checkout):
    check_committed(checkout)
    (checkout / "z").write_text("changed")
    with pytest.raises(UsageError, match=r"1 changes that are not committed, first z"):
        check_committed(checkout)


def test_codemeta_json_says_what_the_citation_file_says():
    assert (ROOT / "codemeta.json").read_text(encoding="utf-8") == codemeta(read_work(ROOT))


def test_the_citation_file_of_a_release_has_the_identifier_and_loses_nothing():
    work = read_work(ROOT, TREE)
    fields = yaml.safe_load(cff(work))
    (identifier,) = fields.pop("identifiers")
    assert (identifier["type"], identifier["value"]) == ("swh", TREE)
    assert fields == work.fields
    assert TREE in json.loads(codemeta(work))["identifier"]


def test_what_people_give_stands_everywhere():
    fields = {**read_work(ROOT).fields, "doi": "10.1234/5", "authors": [PERSON, {"name": "A group"}]}
    work = Work(fields, TREE)
    assert apa(work).startswith("Byron, A. M., & A group. (")
    assert "https://doi.org/10.1234/5" in apa(work)
    assert "author = {Byron, Ada Maria and {A group}}" in bibtex(work)
    assert "AU  - Byron, Ada Maria" in ris(work)
    assert '<meta name="citation_doi" content="10.1234/5" />' in meta_tags(work, "T", "D")


def test_every_artifact_has_a_reference_that_bibtex_reads():
    work = read_work(ROOT, TREE)
    parts = [part_of(n, a) for n in catalogue.notebooks() for a in n.artifacts]
    entries = parse_string("\n".join([bibtex(work), *(bibtex(work, part) for part in parts)]), "bibtex").entries
    assert len(entries) == len(parts) + 1 > 100
    assert all(part.number in apa(work, part) for part in parts)
    for part in parts:
        assert not re.search("[{}]", part.named), part.id
    assert entries["errorest:kohavi-table-1"].fields["title"].startswith("Table 1 of Kohavi (1995), regenerated: ")


def test_tags_are_escaped_and_a_page_without_words_is_described_by_the_work():
    work = Work({"title": "W", "abstract": "All of it.", "version": "1", "date-released": "2026-01-31", "authors": []})
    assert '<meta property="og:title" content="a &lt; &#34;b&#34;" />' in meta_tags(work, 'a < "b"', "")
    assert '<meta name="description" content="All of it." />' in meta_tags(work, "T", "")


def test_a_page_is_described_by_its_first_paragraph_that_says_something():
    doctree = publish_doctree("Short.\n\n" + "This is the *first* paragraph that says something. " * 9)
    assert first_words(doctree).startswith("This is the first paragraph")
    assert len(first_words(doctree)) <= 200


def test_the_command_cites_the_work_and_an_artifact(capsys):
    assert main(["cite", "kohavi-table-1", "--format", "bibtex"]) == 0
    assert "@misc{errorest:kohavi-table-1," in capsys.readouterr().out
