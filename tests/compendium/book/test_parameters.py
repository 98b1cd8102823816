"""Parameters are checked before a kernel starts, and each mistake is told in one line."""

import numpy as np
import pytest

from compendium.book import catalogue
from compendium.book.assignments import from_assignments
from compendium.book.parameters import describe, resolve, scale_of
from errorest.errors import UsageError

SPEC = catalogue.notebook("martin-hirschberg/02-discriminant")


def test_values_are_read_as_yaml():
    values = from_assignments(["sizes=[10, 20]", "samples=5", "estimators=[loo]"])
    assert values == {"sizes": [10, 20], "samples": 5, "estimators": ["loo"]}


READ = {
    **{"0100": 100, "-010": -10, "08": 8, "1_000": 1000, "0x1F": 31, "1e3": 1000, "+2E2": 200, "5": 5},
    **{"1.5e3": 1500.0, "1e-3": 0.001, "010.5": 10.5, ".5": 0.5, "2.": 2.0, "1e30": 1e30, "-.inf": -np.inf},
    **{"1:30": "1:30", "1:30.5": "1:30.5", "2024-01-01": "2024-01-01", "2001-13-45": "2001-13-45", "=": "="},
    **{word: word for word in ("yes", "No", "on", "OFF", "y", "1.2.3", "1_a", "e3")},
    **{"true": True, "False": False, "null": None, "~": None, "": None, "'0100'": "0100", '"1e3"': "1e3"},
}


@pytest.mark.parametrize("text", READ)
def test_values_are_read_as_people_mean_them(text, tmp_path):
    (tmp_path / "p.yml").write_text(f"a: {text}\nb: [{text}]\n")
    read = from_assignments([f"samples={text}"], tmp_path / "p.yml")
    for value in (read["samples"], read["a"], *(read["b"] or [None])):
        assert (type(value), value) == (type(READ[text]), READ[text])


@pytest.mark.parametrize(("word", "value"), [("yes", True), ("ON", True), ("no", False), ("off", False)])
def test_a_parameter_that_is_true_or_false_takes_words_and_a_text_keeps_them(word, value):
    estimates = catalogue.notebook("kohavi/04-another-data-set")
    assert resolve(estimates, from_assignments([f"strict_strata={word}"])).strict_strata is value
    own = catalogue.notebook("guide/01-your-own-data")
    assert resolve(own, from_assignments([f"class_column={word}"])).class_column == word


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
    **dict.fromkeys(("seed=1:30", "seed=2024-01-01", "seed=yes", "seed=1e999"), "expected a"),
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
    "seed: 1e999\n": "is not YAML",
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


NUMBERS = [
    (n.id, d.name, d.default)
    for n in catalogue.notebooks()
    for d in describe(n.parameters)
    if isinstance(d.default, float) or (isinstance(d.default, list) and d.default and isinstance(d.default[0], float))
]


@pytest.mark.parametrize("text", [".nan", ".inf", "-.inf"])
def test_no_parameter_takes_what_is_no_finite_number(text):
    for notebook, name, default in NUMBERS:
        value = ", ".join([text, *map(str, default[1:])]) if isinstance(default, list) else text
        given = from_assignments([f"{name}=[{value}]" if isinstance(default, list) else f"{name}={value}"])
        with pytest.raises(UsageError) as refused:
            resolve(catalogue.notebook(notebook), given)
        assert f"parameter {name} of {notebook}" in str(refused.value)
        assert "\n" not in str(refused.value)


# What a study or a figure refused, or counted twice, after the run had begun
IMPOSSIBLE = [
    ("lis/01-field-guide", "sizes=[5, 30]", "at least 10 cases"),
    ("lis/01-field-guide", "sizes=[-1, 30]", "at least 10 cases"),
    ("lis/01-field-guide", "sizes=[20, 20]", "20 is named twice"),
    ("lis/01-field-guide", "inherent_errors=[0.9, 0.1]", "0.9 is outside (0, .5]"),
    ("lis/01-field-guide", "inherent_errors=[0.1, 0.1]", "0.1 is named twice"),
    ("martin-hirschberg/01-populations", "sizes=[10, 10]", "10 is named twice"),
    ("martin-hirschberg/01-populations", "inherent_errors=[0.1, 0.1]", "0.1 is named twice"),
    ("martin-hirschberg/03-bias-against-true-error", "sizes=[10, 10]", "10 is named twice"),
    ("martin-hirschberg/03-bias-against-true-error", "inherent_errors=[0.1, 0.1]", "0.1 is named twice"),
    ("martin-hirschberg/03-bias-against-true-error", "reversal_rules=[literal, literal]", "literal is named twice"),
    ("martin-hirschberg/04-nearest-neighbors", "sizes=[10, 10]", "10 is named twice"),
    ("martin-hirschberg/04-nearest-neighbors", "inherent_errors=[0.1, 0.1]", "0.1 is named twice"),
    ("martin-hirschberg/06-reversal", "sizes=[10, 10]", "10 is named twice"),
    ("martin-hirschberg/06-reversal", "distances=[0.5, 0.5]", "0.5 is named twice"),
    ("martin-hirschberg/06-reversal", "figure_16_sizes=[10, 10]", "10 is named twice"),
    ("martin-hirschberg/06-reversal", "figure_16_distances=[0.5, 0.5]", "0.5 is named twice"),
    ("martin-hirschberg/06-reversal", "reversal_rules=[literal, literal]", "literal is named twice"),
    ("kohavi/01-iris", "test_sizes=[20, 20]", "20 is named twice"),
    ("kohavi/01-iris", "accuracies=[0.5, 0.5]", "0.5 is named twice"),
    ("shakhnarovich/03-kernels-and-clones", "pairs=[[6, 1], [6, 1]]", "[6, 1] is named twice"),
    ("shakhnarovich/06-conclusions", "synthetic_trials=[1, 1, 1, 1, 1]", "1 trial is too few"),
    ("shakhnarovich/06-conclusions", "uci_trials=[-1, 5, 5]", "-1 trial is too few"),
    ("shakhnarovich/06-conclusions", "validation=2001", "2001 is odd"),
    ("scheffer-herbrich/02-measured", "told=[-1]", "from 0 to 30"),
    ("scheffer-herbrich/02-measured", "told=[31]", "from 0 to 30"),
    ("scheffer-herbrich/02-measured", "data=[pima, pima]", "pima is named twice"),
    ("scheffer-herbrich/02-measured", "inducers=[k-nn, k-nn]", "k-nn is named twice"),
    ("scheffer-herbrich/03-calculator", "sizes=[0]", "0 is too small"),
    ("scheffer-herbrich/03-calculator", "trials=[0, 3]", "0 is too small"),
    ("scheffer-herbrich/03-calculator", "trials=[3, 3]", "3 is named twice"),
    ("scheffer-herbrich/03-calculator", "gains=[1.5]", "1.5 is outside (0, 1)"),
    ("guide/07-cross-examination", "noises=[0.6]", "0.6 is outside [0, .5]"),
    ("guide/07-cross-examination", "settings=[1, 1]", "1 is named twice"),
    ("guide/04-scores", "sizes=[3]", "no cell has 2 positive cases"),
    ("guide/02-which-estimator", "test_cases=[-1, 20]", "-1 is too small"),
    ("guide/02-which-estimator", "settings_tried=[2, 2]", "2 is named twice"),
]


@pytest.mark.parametrize(
    ("notebook", "assignment", "message"), IMPOSSIBLE, ids=[" ".join(one[:2]) for one in IMPOSSIBLE]
)
def test_what_no_study_can_take_is_refused_before_a_run(notebook, assignment, message):
    name = assignment.partition("=")[0]
    with pytest.raises(UsageError) as refused:
        resolve(catalogue.notebook(notebook), from_assignments([assignment]))
    assert message in str(refused.value)
    assert notebook in str(refused.value)
    assert name in str(refused.value)
    assert "\n" not in str(refused.value)
