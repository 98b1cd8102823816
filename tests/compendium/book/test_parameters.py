"""Parameters are checked before a kernel starts, and each mistake is told in one line."""

import pytest

from compendium.book import catalogue
from compendium.book.parameters import from_assignments, resolve, scale_of
from errorest.errors import UsageError

SPEC = catalogue.notebook("martin-hirschberg/02-discriminant")


def test_values_are_read_as_yaml():
    values = from_assignments(["sizes=[10, 20]", "samples=5", "estimators=[loo]"])
    assert values == {"sizes": [10, 20], "samples": 5, "estimators": ["loo"]}


def test_a_file_is_overridden_by_the_command_line(tmp_path):
    (tmp_path / "p.yml").write_text("samples: 5\nseed: 3\n")
    assert from_assignments(["seed=4"], tmp_path / "p.yml") == {"samples": 5, "seed": 4}


def test_defaults_are_the_published_scale_and_previews_are_named():
    assert scale_of(SPEC, resolve(SPEC, {})) == "published"
    assert scale_of(SPEC, resolve(SPEC, {}, "preview")) == "preview"
    assert scale_of(SPEC, resolve(SPEC, {"seed": 5})) == "own"


def test_what_a_person_gives_wins_over_the_scale():
    assert resolve(SPEC, {"samples": 7}, "preview").samples == 7


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sample": 5}, "did you mean 'samples'"),
        ({"samples": "many"}, "expected a whole number, at least 2"),
        ({"samples": 1}, "expected a whole number, at least 2"),
        ({"samples": 2.5}, "expected a whole number"),
        ({"sizes": [1]}, "N = 1 is too small"),
        ({"sizes": [5], "estimators": ["cv-10"]}, "k = 10 folds of N = 5"),
        ({"inherent_errors": [0.6]}, "0.6 is outside"),
        ({"inherent_errors": [0.0]}, "0.0 is outside"),
        ({"bootstrap_replicates": 0}, "at least 1"),
        ({"estimators": ["bootstrap-623"]}, "did you mean 'bootstrap-632'"),
        ({"reversal_rules": ["litteral"]}, "literal"),
        ({"seed": -1}, "at least 0"),
    ],
)
def test_a_wrong_parameter_is_reported_with_what_was_expected(given, message):
    with pytest.raises(UsageError) as error:
        resolve(SPEC, given)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, "is not an identifier") for text in ("import os; x=1", "1a=2", "a-b=3", "=3")),
        ("samples", "write -p samples=VALUE"),
    ],
)
def test_an_assignment_without_an_identifier_or_a_value_is_refused(text, message):
    with pytest.raises(UsageError, match=message):
        from_assignments([text])
