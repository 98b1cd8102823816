"""``errorest estimate``, ``compare``, ``estimators`` and ``intervals``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errorest import files
from errorest.assessment import estimate
from errorest.data.reading import read_csv


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    lines = ["height,colour,house,grade"]
    for i in range(40):
        height = rng.normal()
        grade = "good" if height + rng.normal() > 0 else "bad"
        lines.append(f"{height:.4f},{rng.choice(['red', 'blue'])},h{i % 8},{grade}")
    path = tmp_path / "data.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_an_estimate_tells_its_cost_first_and_then_the_answer(data: Path, answer: Any) -> None:
    out, err = answer(["estimate", str(data), "--target", "grade"])
    assert "\ncost: 201 fits, about " in err
    assert out.startswith("error rate")
    assert "● estimate" in out
    expected = estimate("naive-bayes", read_csv(data, "grade"), rng=0)
    assert f"{100 * expected.estimate:.1f} %" in out


def test_json_and_a_page_hold_the_same_numbers(data: Path, answer: Any) -> None:
    page = data.parent / "report.html"
    command = ["estimate", str(data), "--target", "grade", "--model", "c4.5", "--method", "cv(k=5)"]
    report = answer([*command, "--groups", "house", "--seed", "3", "--json", "--html", str(page)]).json
    assert (report["interval"]["method"], report["seed"]) == ("cv-wald(k=5)", 3)
    text = page.read_text()
    assert f"{100 * report['estimate']:.1f} %" in text
    assert f"errorest estimate {data}" in text
    assert text.count("<svg") == 1
    assert text.endswith("</html>\n")
    assert sorted(p.name for p in data.parent.iterdir()) == ["data.csv", "report.html"]


def test_groups_are_no_attribute(data: Path, answer: Any) -> None:
    path = data.parent / "telling.csv"
    path.write_text("house,noise,class\n" + "".join(f"h{i % 8},{i * 7 % 5},{'ab'[i % 2]}\n" for i in range(40)))
    with_groups = answer(["estimate", str(path), "--groups", "house", "--json"]).json["estimate"]
    without = answer(["estimate", str(path), "--json"]).json["estimate"]
    # the house tells the class
    assert without < 0.05
    assert with_groups > 0.2


def test_a_scikit_learn_classifier_with_encoded_text(data: Path, answer: Any) -> None:
    command = ["estimate", str(data), "--target", "grade", "--method", "cv(k=3)", "--json"]
    name = "sklearn.neighbors.KNeighborsClassifier(n_neighbors=1)"
    encoded = answer([*command, "--model", name, "--encode", "--stratify", "class"]).json
    assert encoded["classifier"].endswith("encoded")
    assert "'colour' holds text" in answer([*command, "--model", name], 2).err


def test_a_classifier_of_ones_own_is_detected_with_the_data(
    data: Path, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data.parent / "tree_of_mine.py").write_text(
        "from sklearn.compose import make_column_transformer\nfrom sklearn.pipeline import make_pipeline\n"
        "from sklearn.tree import DecisionTreeClassifier\n"
        "pipeline = make_pipeline(make_column_transformer(('passthrough', ['height'])), DecisionTreeClassifier())\n"
    )
    monkeypatch.chdir(data.parent)
    monkeypatch.setattr("sys.path", list(sys.path))
    command = ["estimate", "data.csv", "--target", "grade", "--model", "tree_of_mine:pipeline"]
    assert answer([*command, "--method", "cv(k=3)", "--interval", "none", "--json"]).json["interval"] is None


def test_a_comparison_tells_both_rates_and_the_sign_test(data: Path, answer: Any) -> None:
    page = data.parent / "compared.html"
    command = ["compare", str(data), "--target", "grade", "--a", "naive-bayes", "--b", "majority"]
    out, err = answer([*command, "--html", str(page)])
    assert "\ncost: 52 fits" in err
    assert "sign test" in out
    assert "<svg" in page.read_text()
    report = answer([*command, "--json"]).json
    assert report["difference"] == pytest.approx(report["a"]["error"] - report["b"]["error"])


def test_the_lists_say_what_is_legal_with_what_and_what_it_costs(answer: Any) -> None:
    estimators = {e["name"]: e for e in answer(["estimators", "--json"]).json["estimators"]}
    intervals = {i["name"]: i for i in answer(["intervals", "--json"]).json["intervals"]}
    assert [name for name, e in estimators.items() if e["default"]] == ["632+"]
    assert estimators["loo"]["fits_at_40"] == 40
    for name, e in estimators.items():
        assert e["intervals"] == [i for i, row in intervals.items() if name in row["estimators"]]
    assert {i["target"] for i in intervals.values()} == {"classifier", "procedure"}
    for command in ("estimators", "intervals"):
        assert "at n = 40" in answer([command]).out


def test_a_page_that_fails_half_way_leaves_the_old_one(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = data.parent / "page.html"
    page.write_text("old")

    def full(new: object, old: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "replace", full)
    with pytest.raises(ValueError, match="No space left"):
        estimate("majority", [[0], [1], [2]], ["a", "a", "b"], method="loo", rng=0).to_html(page)
    assert page.read_text() == "old"
    assert sorted(p.name for p in data.parent.iterdir()) == ["data.csv", "page.html"]
