"""The subcommand tuning-bias: what it prints, its JSON, and one line for every mistake."""

from collections.abc import Callable

import pytest

from compendium.cli.main import main
from compendium.methods.tuning_bias import needed_test_size, tuning_bias
from conftest import Answer

LAND_SAT = "--test-size 2000 --hits 1700 --classes 6 --entropy 2.5 --trials 360 --extra 6"


@pytest.fixture
def calculate(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run the subcommand, compare its status, and return what it printed."""

    def run(text: str, status: int = 0) -> Answer:
        assert main(["tuning-bias", *text.split()]) == status
        return Answer(*capsys.readouterr())

    return run


def test_the_papers_example_is_answered_under_three_ways_of_seeing_it(calculate):
    lines = calculate(LAND_SAT).out.splitlines()
    greedy = next(line for line in lines if line.startswith("greedy"))
    assert greedy.split()[-5:] == ["90.66", "%", "0.450", "360", "150.0"]
    assert any(line.startswith("best of 360 independent") for line in lines)
    assert sum(line.startswith("bound") and "≤" in line and "≥" in line for line in lines) == 2
    assert "60 labels" in lines[1]
    assert max(map(len, lines)) < 120


def test_json_holds_what_the_function_returns(calculate):
    answer = tuning_bias(2000, hits=1700, classes=6, entropy=2.5, trials=360, extra=6)
    result = calculate(LAND_SAT + " --json").json
    assert (result["asked"]["m"], result["asked"]["accuracy"]) == (2000, 0.85)
    for one in result["scenarios"]:
        assert one["probability"] == answer[one["name"]].probability
        assert one["expected_bias"] == answer[one["name"]].expected_bias
    assert [one["kind"] for one in result["scenarios"]] == ["exact", "exact", "bound", "bound"]


def test_numbers_without_bound_are_null_in_json_and_dashes_in_words(calculate):
    text = "--test-size 10 --hits 9 --trials 2 --extra 2"
    result = calculate(text + " --json").json
    assert {one["trials_needed"] for one in result["scenarios"]} == {None}
    assert "–" in calculate(text).out


def test_accuracy_and_hits_say_the_same(calculate):
    by_hits = calculate("--test-size 200 --hits 160 --trials 20").out
    assert calculate("--test-size 200 --accuracy 0.8 --trials 20").out == by_hits
    assert calculate("--test-size 200.0 --hits 160.0 --trials 20").out == by_hits


@pytest.mark.parametrize("setting", ["per-fold", "fixed"])
def test_folds_are_tuned_apart_or_together(setting, calculate):
    out = calculate(f"--test-size 120 --hits 90 --folds 6 --trials 8 --setting {setting}").out
    assert "6 folds of 20" in out
    assert ("in each fold" in out) == (setting == "per-fold")


def test_the_inverse_asks_for_the_test_size_under_every_scenario(calculate):
    text = "--accuracy 0.85 --trials 100 --gain 0.02 --probability 0.05"
    sizes = calculate(text + " --json").json["test_sizes"]
    assert sizes["independent"] == needed_test_size(100, 0.02, accuracy=0.85)
    assert sizes["greedy"] == needed_test_size(100, 0.02, accuracy=0.85, scenario="greedy", classes=2)
    assert sizes["independent"] <= sizes["listed"] <= sizes["adaptive"]
    out = calculate(text).out
    assert all(str(size) in out for size in sizes.values())


def test_a_size_beyond_reach_is_stated_so_and_leaves_the_others(calculate):
    text = "--accuracy 0.8 --trials 100000 --gain 0.01"
    assert calculate(text + " --json").json["test_sizes"]["adaptive"] is None
    assert "over 20 million" in calculate(text).out


MISTAKES = {
    "--test-size 10 --hits 11 --trials 3": "11 hits on m = 10",
    "--test-size 10.5 --hits 4 --trials 3": "whole number",
    "--test-size 10 --hits 4 --trials 3 --extra 1.5": "round up, to 2",
    "--test-size 10 --hits 4 --trials 3 --setting fxed": "did you mean 'fixed'",
    "--test-size 9 --hits 4 --folds 3 --classes 3 --trials 3": "expected two",
    "--test-size 10 --hits 4 --accuracy 0.4 --trials 3": "exactly one",
    "--test-size 10 --trials 3": "exactly one",
    "--hits 4 --trials 3": "no test size",
    "--accuracy 0.8 --trials 3 --gain 0.1 --test-size 10": "leave out --test-size",
    "--accuracy 0.8 --trials 3 --gain 0.1 --extra 2": "leave out --extra",
    "--accuracy 0.8 --gain 0.1": "--trials was not given",
    "--accuracy 0.8 --trials 3 --probability 0.1": "--gain was not given",
    "--accuracy 0.8 --trials 3 --gain 1.5": "between 0 and 1",
    "--accuracy 0.8 --trials 3 --gain 0.1 --probability 2": "in [0, 1]",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_one_line_that_says_what_was_expected(text, calculate):
    (error,) = calculate(text, 2).err.splitlines()
    assert MISTAKES[text] in error
    assert "expected" in error
