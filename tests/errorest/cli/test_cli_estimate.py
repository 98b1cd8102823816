"""The commands on one's own data print what the functions return; lists of methods; files that stay."""

import csv
import itertools
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

from errorest import choose, compare, estimate, from_predictions, learning_curve, permutation_test, report
from errorest.data.reading import read_csv


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    (tmp_path / "costs.csv").write_text("true,bad,good\nbad,0,1\ngood,4,0\n")
    (tmp_path / "two.txt").write_text("# simplest first\nmajority\n\nnaive-bayes  # with normal densities\n")
    (tmp_path / "mine.py").write_text(
        "from sklearn.model_selection import GridSearchCV\nfrom sklearn.neighbors import KNeighborsClassifier\n"
        "search = GridSearchCV(KNeighborsClassifier(), {'n_neighbors': [1, 3, 5]})\n"
    )
    rng = np.random.default_rng(0)
    lines = ["height,colour,house,grade"]
    for i in range(40):
        height = rng.normal()
        grade = "good" if height + rng.normal() > 0 else "bad"
        lines.append(f"{height:.4f},{rng.choice(['red', 'blue'])},h{i % 10},{grade}")
    path = tmp_path / "data.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


FUNCTIONS = {
    "permutation-test": permutation_test,
    "learning-curve": learning_curve,
    "compare": compare,
    "choose": choose,
}
NAMED = {
    "mine:search": GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3, 5]}),
    "two.txt": ["majority", "naive-bayes"],
    "none": None,
}
COMMANDS = [
    "estimate",
    "estimate --model c4.5 --method cv(k=5) --seed 3 --groups house",
    "estimate --scoring auc --pos-label bad --groups house",
    "estimate --scoring costs.csv",
    "estimate --scoring accuracy --method cv(k=5)",
    "estimate --interval none --method e0(replicates=30) --ignore E301,E101",
    "estimate --model sklearn.svm.SVC(C=2) --method cv(k=3) --encode --stratify class",
    "compare --a naive-bayes --b majority --rope .02 --groups house",
    "compare --a naive-bayes --b c4.5 --scoring mcc",
    "choose --candidates two.txt c4.5 --method cv(k=4) --nested cv(k=3) --groups house",
    "choose --candidates naive-bayes c4.5 --method cv(k=4,stratified=true) --scoring auc --nested auto",
    "choose --candidates mine:search --method cv(k=3) --encode",
    "permutation-test --scoring brier --n-permutations 19 --groups house",
    "learning-curve --scoring fn=5,fp=1,pos_label=good --repeats 3 --at 60 --groups house",
]


def called(line: str, X: Any, houses: Any) -> Any:
    """Call the function of a command line with what its options say."""
    command, *parts = line.split(" --")
    given: dict[str, Any] = {"seed": 0}
    for part in parts:
        name, *values = part.split()
        read = [NAMED.get(value, yaml.safe_load(value)) for value in values] or [True]
        if len(read) > 1:
            read = [[*itertools.chain.from_iterable([one] if isinstance(one, str) else one for one in read)]]
        given[name.replace("-", "_")] = read if name == "at" else read[0]
    given["rng"] = given.pop("seed")
    given["groups"] = houses if "groups" in given else None
    classifiers = [given.pop(name) for name in ("a", "b", "candidates", "model") if name in given]
    return FUNCTIONS.get(command, estimate)(*(classifiers or ["naive-bayes"]), X, **given)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_prints_what_the_function_returns(line: str, data: Path, answer: Any) -> None:
    command, *more = line.split()
    typed = [command, "data.csv", "--target", "grade", *more, *([] if "house" in more else ["--drop", "house"])]
    result = called(line, read_csv("data.csv", "grade", drop=["house"], quiet=True), pd.read_csv("data.csv")["house"])
    expected = json.loads(json.dumps({**result.to_dict(), "methods": report.methods_text(result), "seconds": 0}))
    shown = {**answer([*typed, "--json", "--methods", "--html", "page.html"]).json, "seconds": 0}
    assert {key: shown[key] for key in expected} == expected
    page = Path("page.html").read_text()
    assert (page.count("<svg") > 0, page.endswith("</html>\n")) == (True, True)
    assert f"errorest {command} data.csv" in page
    plain = answer(typed).out
    assert report.verdict(result) in plain
    full = answer([*typed, "--details"]).out
    assert {*re.findall(r"\((E\d\d\d)\)", full)} == {w.id for w in result.warnings}
    assert len(full) > len(plain)


def test_several_metrics_are_one_run_and_one_table(data: Path, answer: Any) -> None:
    typed = ["estimate", "data.csv", "--target", "grade", "--drop", "house", "--method", "cv(k=5,stratified=true)"]
    many = ["--scoring", "error, sensitivity(specificity=0.8), brier"]
    result = estimate(
        "naive-bayes",
        read_csv("data.csv", "grade", drop=["house"], quiet=True),
        method="cv(k=5,stratified=true)",
        scoring=["error", "sensitivity(specificity=0.8)", "brier"],
        rng=0,
    )
    assert [shown["value"] for shown in answer([*typed, *many, "--json"]).json.values()] == [e.value for e in result]
    assert repr(result).splitlines()[0] in answer([*typed, *many]).out
    assert "describe one metric" in answer([*typed, *many, "--html", "page.html"], 2).err


def test_files_of_costs_are_not_written_over_and_a_mistake_writes_nothing(data: Path, answer: Any) -> None:
    before = Path("costs.csv").read_bytes()
    typed = ["data.csv", "--target", "grade", "--html"]
    answer(["estimate", *typed, "costs.csv", "--scoring", "costs.csv", "--force"], 2)
    assert Path("costs.csv").read_bytes() == before
    pair = ["--a", "naive-bayes", "--b", "knn"]
    for command in (["estimate"], ["compare", *pair], ["choose", "--candidates", pair[1], pair[3]], ["learning-curve"]):
        for wrong in (["--scoring", "acu"], ["--pos-label", "c7"], ["--scoring", "auc", "--pos-label", "c7"]):
            assert answer([command[0], *typed, "page.html", *command[1:], *wrong], 2).err.count("error:") == 1
            assert not Path("page.html").exists()


def test_predictions_are_read_as_r_writes_them(data: Path, answer: Any) -> None:
    table = pd.DataFrame({"truth": ["a", "b"] * 20, "response": (["a"] * 5 + ["b"] * 3) * 5, "fold": [1, 2, 3, 4] * 10})
    table.to_csv("r.csv", quoting=csv.QUOTE_NONNUMERIC)
    typed = ["from-predictions", "r.csv", "--target", "truth", "--prediction", "response"]
    shown = answer([*typed, "--fold", "fold", "--json", "--methods"]).json
    result = from_predictions(table["truth"], table["response"], fold=table["fold"])
    assert (shown["value"], shown["interval"]["low"]) == (result.value, result.interval.low)
    assert shown["methods"] == report.methods_text(result)
    assert "no column 'p'" in answer([*typed[:-1], "p"], 2).err


@pytest.mark.parametrize(
    ("lines", "encoding"),
    [
        ("truth;no;yes\nyes;0,1;0,9\nno;0,8;0,2\nyes;0,4;0,6\nno;0,3;0,7\n", "utf-8-sig"),
        ("truth,no,yes\nyes,.1,.9\nno, .8, .2\nyes , 0.4,0.6\n no,0.3,.7\n", "cp1252"),
        ("note\ttruth\tno\tyes\n\u00e9\tyes\t.1\t.9\n\u00fc\tno\t.8\t.2\nx\tyes\t.4\t.6\ny\tno\t.3\t.7\n", "cp1252"),
    ],
    ids=["decimal commas", "blanks", "Windows-1252"],
)
def test_predictions_are_read_by_the_reader_of_data(lines: str, encoding: str, data: Path, answer: Any) -> None:
    Path("p.csv").write_bytes(lines.encode(encoding))
    typed = ["from-predictions", "p.csv", "--target", "truth", "--scoring", "auc", "--json", "--prediction"]
    for columns in (["yes", "no"], ["no", "yes"], ["yes"], ["no"]):
        assert answer([*typed, *columns]).json["value"] == 0.75
    assert answer([*typed, "yes", "no", "--pos-label", "no"]).json["value"] == 0.75
    assert "twice" in answer([*typed, "yes", "yes"], 2).err
    both = [*typed[:4], "--prediction", "truth", "--probability", "yes", "--json", "--scoring", "error,auc"]
    assert {name: shown["value"] for name, shown in answer(both).json.items()} == {"error": 0.0, "auc": 0.75}
    assert "no predictions were named" in answer(typed[:4], 2).err


@pytest.mark.parametrize(
    ("truth", "predicted", "error"),
    [
        (["yes", "no", "yes ", "no"], ["yes", "no", " yes", "yes"], 0.25),
        (["01", "02", "01", "02"], ["01", "02", "01", "01"], 0.25),
        (["1", "0", "1", "0"], ["1.0", "0.0", "1.0", "1.0"], 0.25),
        (["TRUE", "FALSE"] * 2, ["TRUE", "FALSE", "TRUE", "TRUE"], 0.25),
        (["2", "10"] * 2, ["2", "10", "2", "2"], 0.25),
    ],
)
def test_labels_of_a_file_stay_what_they_are(
    truth: list[str], predicted: list[str], error: float, data: Path, answer: Any
) -> None:
    Path("p.csv").write_text("t,p\n" + "".join(f"{t},{p}\n" for t, p in zip(truth, predicted, strict=True)))
    typed = ["from-predictions", "p.csv", "--target", "t", "--prediction", "p", "--json"]
    assert answer(typed).json["value"] == error
    # the one wrong prediction is of the second class of the file's
    shown = [answer([*typed, "--scoring", "sensitivity", "--pos-label", one.strip()]).json for one in truth[:2]]
    assert [result["value"] for result in shown] == [1, 0.5]
    last = answer([*typed, "--scoring", "sensitivity"]).json["pos_label"]
    assert last == {"yes": "yes", "01": "02", "1": "1", "TRUE": "TRUE", "2": "10"}[truth[0]]


def test_what_a_file_of_predictions_lacks_is_refused(data: Path, answer: Any) -> None:
    typed = ["from-predictions", "p.csv", "--target", "t", "--prediction", "p"]
    for text, message in (
        ("t,p,p\na,a,a\nb,b,b\n", "are both called 'p'"),
        ("t,p\na,a\nNA,b\nb,b\n", "line 3 has no value in column 't' ('NA' marks a missing value)"),
        ("t,p\na,a\nb,\n", "line 3 has no value in column 'p'"),
        ("t,p\na,a\nb,b,b\n", "line 3 has 3 cells"),
        ("t,P\na,a\nb,b\n", "no column 'p'; expected one of t, P; did you mean 'P'?"),
    ):
        Path("p.csv").write_text(text)
        assert message in answer(typed, 2).err
    Path("p.csv").write_text("t;p\nNA;NA\nb;b\n")
    assert answer([*typed, "--missing", "-", "--json"]).json["value"] == 0
    assert "decimal sign 'x' was stated" in answer([*typed, "--missing", "-", "--decimal", "x"], 2).err


def test_cases_that_an_error_or_an_interval_takes_are_told(data: Path, answer: Any) -> None:
    typed = ["learning-curve", "data.csv", "--target", "grade", "--drop", "house", "--repeats", "2"]
    shown = answer([*typed, "--scoring", "fn=5,fp=1,pos_label=good", "--error", "1.2"]).out
    assert re.search(r"\nFor mean cost 1\.2: (\d+|more than ten million) cases \(upper limit ", shown)
    for wrong in (["--error", "1.2"], ["--train-sizes", "5", "99"]):
        answer([*typed, *wrong], 2)
    assert "164 test cases" in answer(["test-cases", "--width", "0.1", "--error", "0.12"]).out
    answer(["test-cases", "--width", "2"], 2)


def test_the_lists_say_what_is_legal_with_what_and_what_it_costs(answer: Any) -> None:
    estimators = {e["name"]: e for e in answer(["estimators", "--json"]).json["estimators"]}
    intervals = {i["name"]: i for i in answer(["intervals", "--json"]).json["intervals"]}
    assert [name for name, e in estimators.items() if e["default"]] == ["632+"]
    assert estimators["loo"]["fits_at_40"] == 40
    for name, e in estimators.items():
        assert e["intervals"] == [i for i, row in intervals.items() if name in row["estimators"]]
    assert {i["target"] for i in intervals.values()} == {"classifier", "procedure"}
    metrics = {row["name"]: row for row in answer(["metrics", "--json"]).json["metrics"]}
    assert {"accuracy", "auc", "brier", "calibration-slope"} <= set(metrics)
    assert {name: metrics[name]["greater_is_better"] for name in ("auc", "brier")} == {"auc": True, "brier": False}
    for command in ("estimators", "intervals", "metrics"):
        assert f"\n    {'settings':<18} " in answer([command]).out
    assert set(answer(["warnings", "E203", "--json"]).json) == {"E203"}
