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


MISTAKES = {
    "sample=5": "did you mean 'samples'",
    "samples=many": "expected a whole number, at least 2",
    "samples=1": "expected a whole number, at least 2",
    "samples=2.5": "expected a whole number",
    "bootstrap_replicates=0": "at least 1",
    "seed=-1": "at least 0",
    "samples": "write -p samples=VALUE",
    **dict.fromkeys(("import os; x=1", "1a=2", "a-b=3", "=3"), "is not an identifier"),
    # numbers of thousands of digits
    **{f"{name}={number}": "expected" for name in ("seed", "sizes") for number in ("9" * 5000, "0x" + "f" * 5000)},
    **{f"{name}={number}": "expected" for name in ("seed", "sizes") for number in ("9" * 400, f"[1, 0x{'f' * 5000}]")},
}


@pytest.mark.parametrize(("assignment", "message"), MISTAKES.items(), ids=[name[:30] for name in MISTAKES])
def test_a_wrong_parameter_is_reported_in_one_short_line_with_what_was_expected(assignment, message):
    with pytest.raises(UsageError, match=message) as caught:
        resolve(SPEC, from_assignments([assignment]))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


MALFORMED = {
    "- 1\n": "holds no names",
    "a: [1\n": "is not YAML",
    "seed: 1\nseed: 2\n": "a key twice",
    "a: {b: 1, b: 2}\n": "a key twice",
    f"seed: {'9' * 5000}": "is not YAML",
    "seed: 2001-13-45\n": "is not YAML",
    "a: !!python/object/apply:os.system [ls]\n": "is not YAML",
    "? [a, b]\n: c\n": "is not YAML",
    "sizes: " + "[" * 2000 + "]" * 2000: "more than 20 brackets in one another",
    "seed: " + "{a: " * 2000 + "1" + "}" * 2000: "more than 20 brackets in one another",
    "sizes: &a [1]\nseed: *a\n": "an alias; write the value out",
    "a: &a {b: 1}\nc: {<<: *a}\n": "an alias; write the value out",
    "seed: [" + ", ".join(f"&x{i} [{', '.join([f'*x{i - 1}'] * 9 if i else '1')}]" for i in range(9)) + "]": "an alias",
}


@pytest.mark.parametrize(("text", "message"), MALFORMED.items(), ids=[text[:30] for text in MALFORMED])
def test_a_malformed_parameter_file_is_reported_in_one_line(tmp_path, text, message):
    (tmp_path / "p.yml").write_text(text)
    with pytest.raises(UsageError, match=message) as caught:
        from_assignments([], tmp_path / "p.yml")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
