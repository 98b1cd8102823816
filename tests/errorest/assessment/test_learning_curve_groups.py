"""Learning curves of whole groups and of losses of one's own: against loops, by hand, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errorest import learning_curve
from errorest.assessment.inputs import prepare
from errorest.assessment.runs import draw
from errorest.cli.main import main
from errorest.errors import UsageError
from errorest.inducers import KNN
from errorest.resampling.schemes import NestedSubsetFolds
from errorest.streams import Streams

RAW_1NN = "knn(k=1, standardize=none)"
RAW_3NN = "knn(k=3, standardize=none)"

RNG = np.random.default_rng(9)
X = RNG.normal(size=(48, 2))
Y = np.where(X[:, 0] + 0.8 * RNG.normal(size=48) > 0, "yes", "no")
GROUPS = np.repeat(np.arange(16), [1, 2, 3, 4, 5, 3, 2, 4, 3, 3, 1, 5, 4, 2, 3, 3])
COSTS = {"fn": 5, "fp": 1}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=4, max_size=12), st.data())
def test_no_group_is_parted_and_training_sets_grow_by_whole_groups(sizes: list[int], data: st.DataObject) -> None:
    groups = np.repeat(np.arange(len(sizes)), sizes)
    groups = groups[data.draw(st.permutations(range(groups.size)))]
    n, number = groups.size, len(sizes)
    k = data.draw(st.integers(2, number))
    left = number - -(-number // k)
    trained = tuple(sorted(data.draw(st.sets(st.integers(1, left), min_size=1, max_size=3))))
    scheme = NestedSubsetFolds(trained, k, 2)
    problem = prepare("majority", np.arange(n)[:, None] * 1.5, np.arange(n) % 2, groups=groups)
    made = draw(problem, [scheme], Streams(3))[0][scheme]
    counts = made.training_counts()
    for r in range(made.n_rows):
        inside = [counts[r, groups == g] for g in range(number)]
        assert all(np.unique(c).size == 1 for c in inside)
        assert sum(int(c[0]) for c in inside) == trained[r % len(trained)]
        tested = made.cases[made.start[r] : made.start[r + 1]]
        assert not set(groups[tested]) & set(groups[counts[r] > 0])
        assert np.isin(groups, groups[tested]).sum() == tested.size


def test_twins_that_stay_together_by_hand() -> None:
    """Twelve pairs of equal cases on a line, classes in turn: a twin's label is known only from the twin itself.

    Folds of one pair, learnt from all the others: the nearest pair is the one beside it, which has the other class.
    """
    pair = np.repeat(np.arange(12), 2)
    values, y = pair[:, None].astype(float), np.where(pair % 2, "b", "a")
    options: dict[str, Any] = {"folds": 12, "repeats": 2, "at": [], "rng": 0}
    whole = learning_curve(RAW_1NN, values, y, groups=pair, train_sizes=[3, 11], **options)
    assert whole.points.errors[-1] == 1.0
    assert whole.points.sizes.tolist() == [3, 11]
    assert whole.n == 24
    assert whole.points.n == 12
    parted = learning_curve(RAW_1NN, values, y, train_sizes=[3, 22], **options)
    assert parted.points.errors[-1] < 0.2


@pytest.mark.parametrize("loss", ["error", "balanced", COSTS])
@pytest.mark.parametrize("groups", [GROUPS, None])
def test_points_equal_those_of_a_plain_loop(loss: Any, groups: Any) -> None:
    scheme = NestedSubsetFolds((3, 7, 12), 4, 5)
    options: dict[str, Any] = {"train_sizes": [3, 7, 12], "folds": 4, "repeats": 5, "at": [40], "rng": 2}
    made = learning_curve(RAW_3NN, X, Y, groups=groups, scoring=loss, **options)
    unit = np.arange(48) if groups is None else groups
    number = unit.max() + 1
    problem = prepare(RAW_3NN, X, Y, groups=groups)
    streams = Streams.from_generator(np.random.default_rng(2))
    resamples = draw(problem, [scheme], streams)[0][scheme]
    yes, sample = Y == "yes", problem.sample
    right = {"error": (1, 1), "balanced": (24 / yes.sum(), 24 / (~yes).sum())}
    fn, fp = right[loss] if isinstance(loss, str) else (5, 1)
    total = np.zeros((number, 3))
    for r in range(resamples.n_rows):
        trained = np.flatnonzero(resamples.training_counts(r, r + 1)[0])
        cases = resamples.cases[resamples.start[r] : resamples.start[r + 1]]
        output = KNN(3).fit(sample.take(trained)).predict(sample.X[cases])
        for case, label in zip(cases.tolist(), output.tolist(), strict=True):
            cost = 0.0 if label == sample.y[case] else fn if yes[case] else fp
            total[unit[case], r % 3] += cost / 5
    size = np.bincount(unit)
    mean = total.sum(axis=0) / 48
    excess = (total - size[:, None] * mean) * number / 48
    covariance = 2 * np.array(
        [[sum(excess[:, i] * excess[:, j]) / (number - 1) / number for i in range(3)] for j in range(3)]
    )
    worst = (fn * yes.sum() + fp * (~yes).sum()) / 48
    assert made.worst == pytest.approx(worst)
    np.testing.assert_allclose(made.table["error"], mean, rtol=0, atol=1e-12)
    np.testing.assert_allclose(made.points.covariance * worst**2, covariance, rtol=0, atol=1e-12)
    np.testing.assert_allclose(made.table["se"], np.sqrt(np.diag(covariance)), rtol=0, atol=1e-12)


def test_groups_of_one_case_change_nothing() -> None:
    options: dict[str, Any] = {"train_sizes": [6, 20], "folds": 4, "repeats": 3, "at": [100], "rng": 1}
    plain, alone = (learning_curve(RAW_1NN, X, Y, groups=g, **options) for g in (None, np.arange(48)))
    assert plain.points.errors.tolist() == alone.points.errors.tolist()
    np.testing.assert_allclose(plain.points.covariance, alone.points.covariance, rtol=0, atol=1e-15)
    assert plain.expected[0].error == pytest.approx(alone.expected[0].error, abs=1e-9)
    assert (plain.unit, alone.unit) == ("cases", "groups")


def test_a_loss_in_another_unit_is_the_same_curve_in_that_unit() -> None:
    options: dict[str, Any] = {"train_sizes": [6, 20, 40], "repeats": 3, "at": [100], "rng": 1}
    one, fourfold, errors = (
        learning_curve(RAW_1NN, X, Y, scoring=loss, **options)
        for loss in ({"fn": 1, "fp": 1}, {"fn": 4, "fp": 4}, "error")
    )
    for name in ("error", "low", "high", "se"):
        assert (4 * one.table[name]).tolist() == pytest.approx(fourfold.table[name].tolist())
        assert errors.table[name].tolist() == pytest.approx(one.table[name].tolist())
    assert fourfold.expected[0].high == pytest.approx(4 * errors.expected[0].high)
    assert fourfold.majority_error == pytest.approx(4 * errors.majority_error)
    assert fourfold.cases_for(0.8) == errors.cases_for(0.2)
    costly = learning_curve(RAW_1NN, X, Y, scoring=COSTS, **options)
    assert costly.worst == pytest.approx((5 * (Y == "yes").sum() + (Y == "no").sum()) / 48)
    mean = costly.table["error"].to_numpy()
    assert (mean > errors.table["error"]).all()
    assert (costly.table["high"] <= costly.worst).all()


def test_it_tells_groups_and_costs_in_their_units() -> None:
    curve = learning_curve(RAW_1NN, X, Y, groups=GROUPS, scoring=COSTS, repeats=3, at=[400], rng=1)
    assert curve.verdict.startswith("classifiers made of 14 groups have a mean cost of ")
    assert "with 400 groups expect " in curve.verdict
    assert dict(curve.lines())["cases"] == "48 in 16 groups"
    assert [w.split(": ")[0] for w in curve.warnings] == ["400 groups are more than 10 times the 16 of the sample"]
    axes = curve.drawn().figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("training groups", "Mean cost")
    with pytest.raises(UsageError, match="of groups or of losses"):
        curve.test_cases(0.1)
    with pytest.raises(UsageError, match=r"expected a mean cost between 0 and"):
        curve.cases_for(6.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": np.arange(48) % 9}, "there are 9 groups; expected at least 10"),
        ({"groups": GROUPS, "train_sizes": [5, 20]}, "10 folds of 16 groups leave 14"),
        ({"scoring": lambda true, said: np.where(true == said, -1.0, 1.0)}, "no loss below 0"),
        ({"scoring": [[0, 0], [0, 0]]}, "0 for every answer|cost"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as report:
        learning_curve(RAW_1NN, X, Y, rng=0, **options)
    assert "\n" not in str(report.value)


def test_the_command_takes_groups_and_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "data.csv", tmp_path / "curve.html"
    rows = zip(X.tolist(), GROUPS.tolist(), Y, strict=True)
    file.write_text("u,v,who,class\n" + "".join(f"{u!r},{v!r},g{g},{y}\n" for (u, v), g, y in rows))
    given = ["learning-curve", str(file), "--model", RAW_1NN, "--repeats", "3", "--at", "60", "--groups", "who"]
    assert main([*given, "--scoring", "fn=5,fp=1", "--json", "--html", str(page)]) == 0
    result = json.loads(capsys.readouterr().out)
    # the library numbers groups in the order of their names
    own = learning_curve(RAW_1NN, X, Y, groups=[f"g{g}" for g in GROUPS], scoring=COSTS, repeats=3, at=[60], rng=0)
    assert result["points"] == own.to_dict()["points"]
    text = page.read_text(encoding="utf-8")
    assert "What would more groups bring knn(k=1)?" in text
    assert "The curve in numbers" in text
    assert main([*given, "--scoring", "fn=5,fp=1", "--error", "1.2"]) == 0
    report = capsys.readouterr().out
    assert "For a mean loss of 1.2:" in report
    assert " groups likely, " in report
    for wrong in (["--error", "1.2"], ["--train-sizes", "5", "99"]):
        assert main([*given, *wrong]) == 2
