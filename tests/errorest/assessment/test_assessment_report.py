"""What an estimate says in words, class by class, and on its page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import confusion_matrix

from errorest.assessment import ErrorEstimate, estimate, from_predictions
from errorest.data.reading import read_csv
from errorest.estimation.proportions import wilson_interval

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3))
RARE = np.array(["no"] * 190 + ["yes"] * 10)
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + RNG.normal(size=200) / 2, [-0.5, 0.8])]


def found(y: np.ndarray = THREE, inducer: Any = "naive-bayes", **changes: Any) -> ErrorEstimate:
    return estimate(inducer, X, y, **{"method": "cv(k=10)", "rng": 0, **changes})


def test_a_constant_classifier_shows_no_improvement_over_the_baseline() -> None:
    for inducer, estimator in (("majority", "cv(k=10)"), ("majority", "632+(replicates=50)"), ("svm", "cv(k=10)")):
        report = found(RARE, inducer, method=estimator).verdict
        assert report.startswith(
            "5.0 % error; always answering 'no' gives 5.0 %: no evidence of improvement over the b"
        )
        assert report.endswith("95 % interval +0.0 to +0.0 points), and all ten cases of 'yes' are wrong")
    balanced = found(RARE, "majority", scoring="balanced").verdict
    assert balanced.startswith("50.0 % balanced error; any constant answer gives 50.0 %: no evidence of improvement")


def test_the_verdict_is_a_paired_test_against_the_baseline() -> None:
    good = found()
    table = good.cases
    difference = table["loss"] - (table["class"] != good.constant)
    half = stats.t(199).ppf(0.975) * (2 * difference.var() / 200) ** 0.5
    expected = (difference.mean(), difference.mean() - half, difference.mean() + half)
    assert good.against_baseline == pytest.approx(expected)
    assert good.against_baseline.high < 0
    assert "better than the baseline (paired difference" in good.verdict
    assert good.to_dict()["against_baseline"]["low"] == pytest.approx(expected[1])
    noise = found(RNG.permutation(THREE))
    assert noise.against_baseline.low < 0 < noise.against_baseline.high
    assert "no evidence of improvement over the baseline" in noise.verdict
    wrong = from_predictions(THREE, np.where(THREE == "a", "b", "a"))
    assert "worse than the baseline (paired difference" in wrong.verdict
    # copies of groups are one piece of evidence each
    twice = np.concatenate([np.arange(200)] * 2)
    one, two = (
        from_predictions(THREE[i], table["class"].where(table["loss"] == 0, "b").to_numpy()[i], groups=groups)
        for i, groups in ((np.arange(200), None), (twice, twice))
    )
    assert two.against_baseline == pytest.approx(one.against_baseline)
    untested = found(method="resubstitution", interval=None)
    assert untested.against_baseline is None
    assert untested.verdict.endswith("no paired test of the two, since no cases were tested unseen")


def test_a_class_that_is_mostly_wrong_is_named() -> None:
    shifted = X.copy()
    shifted[193:] += 4
    report = estimate("naive-bayes", shifted, RARE, method="cv(k=10)", rng=0)
    (wrong,) = report.classes.loc[report.classes["class"] == "yes", "error"]
    assert 0 < wrong < 1
    few = replace(report, interval=None)
    assert ("of the ten cases of 'yes' are wrong" in few.verdict) is (wrong > 0.5)


def test_classes_and_confusion_are_those_of_scikit_learn() -> None:
    report = found()
    table = report.losses
    matrix = confusion_matrix(table["class"], table["predicted"])
    shares = report.confusion["share"].to_numpy().reshape(3, 3)
    np.testing.assert_allclose(shares, matrix / matrix.sum(axis=1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(report.classes["error"], 1 - np.diag(shares), atol=1e-12)
    counts = matrix.sum(axis=1)
    for row, count, wrong in zip(report.classes.itertuples(), counts, counts - np.diag(matrix), strict=True):
        low, high = wilson_interval(int(wrong), int(count))
        assert (row.low, row.high) == pytest.approx((float(low), float(high)))
    wider = found(groups=np.arange(200) // 4, method="cv(k=10)").classes
    assert ((wider["high"] - wider["low"]) > (report.classes["high"] - report.classes["low"])).all()
    assert found(method="resubstitution", interval=None).classes.empty
    assert found(method="bs(replicates=5, cloned=True)").confusion.empty


def test_of_the_bootstrap_a_case_counts_by_its_unseen_tests() -> None:
    report = found(method="632+(replicates=30)")
    one = report.cases.groupby("class")["loss"].mean()
    np.testing.assert_allclose(report.classes.set_index("class")["error"], one, atol=1e-12)


def page_of(result: Any, folder: Path, command: str = "") -> str:
    result.to_html(folder / "page.html", command)
    return (folder / "page.html").read_text()


def test_a_page_names_file_lines_columns_and_command(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    rows = "".join(f"{x:.3f},{k}\n\n" for x, k in zip(X[:, 0], THREE, strict=True))
    path.write_text("height <cm>,kind\n" + rows)
    report = estimate("naive-bayes", read_csv(path, "kind", quiet=True), method="cv(k=5)", rng=0)
    page = page_of(report, tmp_path, "errorest estimate some.csv --seed 0")
    for text in ("some.csv, 20", "errorest estimate some.csv --seed 0", "line of some.csv", "errorest 0.", "<details>"):
        assert text in page
    assert "height &lt;cm&gt;" in page
    assert "Columns as understood" in page
    hardest = report.cases.sort_values("loss", ascending=False, kind="stable").iloc[0]
    # every other line is empty
    assert f"<td>{2 * hardest['case'] + 2}</td><td>{hardest['class']}</td>" in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    plain = page_of(found(), tmp_path)
    assert "line of" not in plain
    assert "the same call with rng=0" in plain


def test_a_page_of_a_set_date_has_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    one, two = (page_of(found(), tmp_path) for _ in range(2))
    assert one == two
    assert "1970-01-02" in one
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert "1970" not in page_of(found(), tmp_path)
