"""A release has a draft for somebody who checks it, and what people have not filled in is refused."""

import pytest
import yaml

from batteries import assert_refused
from compendium.book.citation import Part, Work
from compendium.book.codecheck import draft, is_orcid, refuse_incomplete

VALID = "0000-0002-1825-0097"
WORK = {"title": "W", "version": "1", "date-released": "2026-01-31", "url": "https://example.org"}
PARTS = [Part("kohavi-table-1", "kohavi", "Table 1", "T"), Part("kohavi-table-1-more", "kohavi", "On Table 1", "M")]


@pytest.fixture
def artifacts(tmp_path):
    folder = tmp_path / "site" / "artifacts"
    folder.mkdir(parents=True)
    for name in ("kohavi-table-1.csv", "kohavi-table-1.svg", "kohavi-table-1-dark.svg", "kohavi-table-1-more.csv",
                 "kohavi-table-1-cells.csv", "kohavi-table-10.csv", "kohavi-table-1.html"):  # fmt: skip
        (folder / name).write_text(name)
    return folder


def people(*authors):
    return Work({**WORK, "authors": authors})


def test_the_draft_lists_each_file_once_with_what_it_is_and_leaves_people_empty(artifacts):
    text = draft(people({"name": "A group"}), PARTS, artifacts, "site/artifacts")
    assert text.startswith("---\n")
    fields = yaml.safe_load(text)
    first, more = "Table 1 of Kohavi (1995), regenerated: T", "On Table 1 of Kohavi (1995), regenerated: M"
    assert [(entry["file"], entry["comment"]) for entry in fields["manifest"]] == [
        ("site/artifacts/kohavi-table-1-cells.csv", first),
        ("site/artifacts/kohavi-table-1.csv", first),
        ("site/artifacts/kohavi-table-1.svg", first),
        ("site/artifacts/kohavi-table-1-more.csv", more),
    ]
    assert fields["paper"] == {
        "title": "W", "authors": [{"name": "", "ORCID": ""}], "reference": "https://example.org"}  # fmt: skip
    assert fields["codechecker"] == [{"name": "", "ORCID": ""}]


def test_known_people_stand_in_the_draft(artifacts):
    one = {"given-names": "Ada", "family-names": "Byron", "orcid": f"https://orcid.org/{VALID}"}
    fields = yaml.safe_load(draft(people(one), PARTS, artifacts, "a"))
    assert fields["paper"]["authors"] == [{"name": "Ada Byron", "ORCID": VALID}]


def complete(artifacts):
    person = {"name": "Ada Byron", "ORCID": VALID}
    fields = yaml.safe_load(draft(people({"name": "A group"}), PARTS, artifacts, "site/artifacts"))
    fields |= dict.fromkeys(("summary", "repository", "check_time", "report"), "given")
    fields["paper"]["authors"] = fields["codechecker"] = [person]
    return {**fields, "certificate": "2026-001"}


def write(fields, artifacts):
    file = artifacts.parents[1] / "codecheck.yml"
    file.write_text("---\n" + yaml.safe_dump(fields))
    return file


def test_a_complete_file_is_accepted(artifacts):
    assert refuse_incomplete(write(complete(artifacts), artifacts)) == 4


def test_a_draft_is_refused_and_says_what_is_empty(artifacts):
    file = artifacts.parents[1] / "codecheck.yml"
    file.write_text(draft(people({"name": "A group"}), PARTS, artifacts, "site/artifacts"))
    assert_refused(r"summary is empty; repository is empty.*and \d more", refuse_incomplete, file)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"certificate": "first"}, r"certificate is first"),
        ({"codechecker": []}, r"codechecker is empty"),
        ({"codechecker": [{"name": "Ada", "ORCID": "0000-0002-1825-0098"}]}, r"ORCID of codechecker 1"),
        ({"codechecker": [{"name": "", "ORCID": VALID}]}, r"name of codechecker 1 is empty"),
        ({"manifest": [{"file": "site/none.csv"}]}, r"site/none\.csv of the manifest is missing"),
        ({"manifest": None}, r"manifest is empty|no configuration"),
        ({"paper": {}}, r"no configuration"),
    ],
)
def test_one_wrong_field_is_named(artifacts, change, why):
    assert_refused(why, refuse_incomplete, write(complete(artifacts) | change, artifacts))


def test_what_is_no_file_or_no_mapping_is_refused_in_one_line(tmp_path):
    assert_refused("cannot be read", refuse_incomplete, tmp_path / "none.yml")
    (tmp_path / "list.yml").write_text("---\n- a\n")
    assert_refused("no configuration", refuse_incomplete, tmp_path / "list.yml")


def test_the_last_digit_of_an_orcid_checks_the_others():
    assert is_orcid(VALID)
    assert is_orcid("0000-0002-1694-233X")
    for wrong in ("0000-0002-1825-0096", "0000-0002-1694-2330", f"https://orcid.org/{VALID}", ""):
        assert not is_orcid(wrong)
