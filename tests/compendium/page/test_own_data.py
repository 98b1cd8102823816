"""The page on the reader's own data gives what the command line gives, and nothing of a file is HTML."""

import contextlib
import io
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compendium.page import CALLS, answer, own_data
from compendium.page.learners import LEARNERS, as_code, as_text, learner
from errorest.cli.main import main
from errorest.errors import UsageError
from errorest.learners.named import named


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    return tmp_path


def call(name: str, /, **arguments: Any) -> Any:
    """Ask as the worker asks; the answer, or the text of the problem."""
    result = json.loads(answer(f"compendium.page.own_data:{name}", json.dumps(arguments)))
    return result["answer"] if "answer" in result else result["problem"]


def strangers_file(path: Path) -> dict[str, Any]:
    """Write semicolons, decimal commas, umlauts in Windows-1252, gaps, an identifier, 30 groups; what is chosen."""
    rng = np.random.default_rng(5)
    lines = ["Kennung;Größe;Färbung;Bäckerei;Güte"]
    for i in range(90):
        size = rng.normal()
        quality = "süß" if size + rng.normal() > 0 else "öde"
        cell = "" if i % 11 == 3 else f"{size:.3f}".replace(".", ",")
        lines.append(f"{1000 + i};{cell};{rng.choice(['grün', 'rot'])};Haus {i // 3};{quality}")
    path.write_bytes("\r\n".join(lines).encode("cp1252"))
    return {"name": path.name, "target": "Güte", "groups": "Bäckerei", "method": "cv(k=5)", "seed": "3"}


def without_package(name: str) -> Any:
    """Find no module of a package."""

    class Without:
        def find_spec(self, module: str, path: Any = None, target: Any = None) -> None:
            if module.partition(".")[0] == name:
                raise ModuleNotFoundError(f"no {name}", name=module)

    return Without()


TASKS: dict[str, dict[str, Any]] = {
    "built-in": {"task": "estimate", "learners": ["naive-bayes"]},
    "scaled": {"task": "estimate", "learners": ["sklearn-logistic"], "encode": True, "confidence_level": "0.9"},
    "metrics": {"task": "estimate", "learners": ["sklearn-lda"], "encode": True, "scoring": ["error", "brier"]},
    "compare": {"task": "compare", "learners": ["naive-bayes", "sklearn-lda"], "encode": True, "pos_label": "öde"},
    "auc": {"task": "estimate", "learners": ["c4.5"], "scoring": ["auc"], "pos_label": "öde"},
    "choose": {"task": "choose", "learners": ["majority", "c4.5", "sklearn-bayes"], "encode": True},
    "dropped": {"task": "estimate", "learners": ["c4.5"], "reading": {"kinds": {"Färbung": "left out"}, "sep": ";"}},
}


def without_seconds(result: dict[str, Any]) -> dict[str, Any]:
    return {
        key: without_seconds(value) if isinstance(value, dict) else value
        for key, value in result.items()
        if key != "seconds"
    }


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.filterwarnings("ignore::errorest.data.reading.ReadingWarning")
def test_the_page_the_command_and_the_lines_of_python_give_the_same_numbers(
    task: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = {**strangers_file(folder / "Käse und Brot.csv"), **TASKS[task]}
    shown = call("assess", **chosen)
    typed = shlex.split(shown["command"])
    assert typed[:3] == ["errorest", chosen["task"], "Käse und Brot.csv"]
    capsys.readouterr()
    assert main([*typed[1:], "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert without_seconds(printed) == without_seconds(json.loads(shown["json"]))
    assert len(shown["reports"]) == len(chosen.get("scoring", ["error"]))
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(shown["python"], {})
    assert output.getvalue().rstrip() == shown["summary"].rstrip()


def test_predictions_made_elsewhere_are_judged_as_on_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(1)
    lines = ["y;ja;p;Teil"] + [
        f"{'ja' if i % 2 else 'nein'};{rng.uniform():.2f};{rng.choice(['ja', 'nein'])};{i % 5}".replace(".", ",")
        for i in range(60)
    ]
    (folder / "cv.csv").write_text("\n".join(lines))
    chosen = {"target": "y", "prediction": "p", "probability": ["ja"], "fold": "Teil", "scoring": ["error", "auc"]}
    shown = call("assess", task="from-predictions", name="cv.csv", pos_label="ja", **chosen)
    capsys.readouterr()
    assert main([*shlex.split(shown["command"])[1:]]) == 0
    assert capsys.readouterr().out.rstrip() == shown["summary"].rstrip()
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(shown["python"], {})
    assert output.getvalue().rstrip() == shown["summary"].rstrip()


def test_columns_are_shown_as_read_with_the_reason_of_what_is_left_out(folder: Path) -> None:
    chosen = strangers_file(folder / "data.csv")
    shown = call("read", name="data.csv")
    assert shown["target"] == chosen["target"]  # guessed: the last column has few values
    kinds = {column["name"]: (column["kind"], column["missing"], bool(column["note"])) for column in shown["columns"]}
    assert kinds["Kennung"] == ("left out", 0, True)
    assert kinds["Größe"] == ("continuous", 8, False)
    assert "separator semicolon, decimal comma" in shown["taken"][1]
    assert sum(cases for _, cases in shown["classes"]) == shown["cases"] == 90


def test_odd_files_are_read_with_the_reason_of_what_is_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Dates, identifiers, a class of two cases, sixty columns: the numbers of the command."""
    rng = np.random.default_rng(3)
    lines = [f"visit,patient_id,seen,{','.join(f'm{j}' for j in range(60))},diagnosis"]
    for i in range(60):
        label = "unclear" if i in (3, 9) else "ill" if i % 2 else "well"
        cells = ",".join(f"{v:.3f}" for v in rng.normal(label == "ill", 3, 60))
        lines.append(f"2024-01-{1 + i % 28:02d},P{i:04d},{1 + i % 28:02d}.03.2024 10:30,{cells},{label}")
    (folder / "odd.csv").write_text("\n".join(lines))
    shown = call("read", name="odd.csv")
    assert shown["target"] == "diagnosis"
    assert shown["classes"] == [["ill", 28], ["unclear", 2], ["well", 30]]
    left = {one["name"]: one["note"] for one in shown["columns"] if one["kind"] == "left out"}
    assert {name: note.partition(";")[0].partition(":")[0] for name, note in left.items()} == {
        "visit": "dates or times",
        "patient_id": "an identifier or free text",
        "seen": "dates or times",
    }
    told = call("assess", task="estimate", name="odd.csv", target="diagnosis", learners=["naive-bayes"])
    capsys.readouterr()
    assert main([*shlex.split(told["command"])[1:], "--json"]) == 0
    assert without_seconds(json.loads(capsys.readouterr().out)) == without_seconds(json.loads(told["json"]))


HOSTILE = "<img src=x onerror=alert(1)>"


def test_nothing_of_a_file_is_html(folder: Path) -> None:
    name = f"{HOSTILE.replace('/', '')}.csv"
    rows = [f"{i % 7},{HOSTILE if i % 3 else 'b'},{HOSTILE if i % 2 else '</script>'}" for i in range(40)]
    (folder / name).write_text("\n".join([f'{HOSTILE},b,"{HOSTILE} &amp;"', *rows]))
    target = f"{HOSTILE} &amp;"
    assert call("read", name=name, target=target)["header"][0] == HOSTILE
    for learners, task in ((["naive-bayes"], "estimate"), (["naive-bayes", "majority"], "choose")):
        shown = call("assess", task=task, name=name, target=target, learners=learners, method="cv(k=4)")
        (report,) = shown["reports"]
        for html in (report["html"], report["document"]):
            assert not re.search(r"<(img|/script)", html)
            assert "&lt;img" in html


BROKEN: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty"),
    "blank": (b"\n \n", "the file is empty"),
    "one column": (b"class\na\nb\n", "no attribute"),
    "binary": (bytes(range(256)) * 9, "null character"),
    "null": (b"a,class\n1\0,x\n", "null character"),
    "open quote": (b'a,class\n"1,x\n2,y\n', "cannot be parsed"),
    "workbook": (b"PK\x03\x04rest", "Excel workbook"),
    "old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "an Excel workbook of before 2007"),
    "no header": (b"1.5,red\n2.5,blue\n3,red\n", "the first line looks like a case"),
    "no header, words": (b"x,o,won\no,x,lost\nx,o,won\n", "the first line looks like a case"),
    "header alone": (b"a,b,class\n", "no case below the header"),
    "one class": (b"a,class\n1,x\n2,x\n", "all cases are of class"),
    "ragged": (b"a,class\n1,x,3\n2,y\n", "line 2 has 3 cells"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_file_that_cannot_be_read_is_one_clear_line(what: str, folder: Path) -> None:
    content, problem = BROKEN[what]
    (folder / "bad.csv").write_bytes(content)
    shown = call("read", name="bad.csv")
    text = shown if isinstance(shown, str) else shown["problem"]
    assert problem in text
    assert "\n" not in text


def test_two_classes_of_one_case_are_refused_in_one_line(folder: Path) -> None:
    (folder / "few.csv").write_text("a,class\n1,x\n2,y\n")
    shown = call("assess", task="estimate", name="few.csv", learners=["naive-bayes"])
    assert isinstance(shown, dict) or "\n" not in shown


def test_only_listed_functions_learners_metrics_and_files_are_reached(folder: Path) -> None:
    (folder / "data.csv").write_text("a,class\n1,x\n2,y\n3,x\n4,y\n")
    assert "cannot call" in json.loads(answer("os:getcwd", "{}"))["problem"]
    assert all(name.startswith("compendium.page.") for name in CALLS)
    given = {"task": "estimate", "name": "data.csv"}
    assert "no classifier of this page" in call("assess", **given, learners=["antigravity:x"])
    assert "no metric of this page" in call("assess", **given, learners=["majority"], scoring=["costs.csv"])
    assert "no predictions were chosen" in call("assess", **{**given, "task": "from-predictions"})
    assert "no task" in call("assess", task="check", name="data.csv")
    assert "cannot be called" in call("read", name="../data.csv")


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_of_the_list_is_the_same_in_commands_and_in_code(name: str) -> None:
    scope: dict[str, Any] = {}
    exec("\n".join(learner(name).imports), scope)
    made = eval(as_code(name), scope)
    assert repr(named(made) if isinstance(made, str) else made) == repr(named(as_text(name)))


def test_a_long_run_is_forecast_before_it_begins_unless_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("compendium.page.own_data.time.perf_counter", lambda: clock[0])

    def run(seconds_a_fit: float, confirmed: bool, n_models: int = 1) -> int:
        watch = own_data._Watch(n_models, confirmed)
        for done in range(1, 101):
            clock[0] += seconds_a_fit
            watch("knn", done, 100)
        return done

    assert run(0.1, False) == run(1.0, True) == 100
    with pytest.raises(own_data.LongRunError) as caught:
        run(1.0, False)
    assert caught.value.seconds == pytest.approx(99.0)
    # three classifiers of 100 fits of a tenth of a second
    with pytest.raises(own_data.LongRunError) as caught:
        run(0.1, False, n_models=3)
    assert caught.value.seconds == pytest.approx(29.9)


def test_an_answer_takes_no_pandas_and_a_package_that_is_not_there_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(2)
    lines = ["a,word,class", *(f"{rng.normal(i % 2):.3f},{'uv'[i % 3 > 1]},{'xy'[i % 2]}" for i in range(40))]
    (folder / "data.csv").write_text("\n".join(lines))
    chosen = {"name": "data.csv", "target": "class", "method": "cv(k=3)"}
    asked: list[dict[str, Any]] = [
        {"task": "estimate", "learners": ["naive-bayes"], "scoring": ["error", "auc", "brier"], "pos_label": "y"},
        {"task": "compare", "learners": ["naive-bayes", "c4.5"]},
        {"task": "choose", "learners": ["naive-bayes", "majority"]},
    ]
    expected = [call("assess", **chosen, **one) for one in asked]
    for module in [one for one in sys.modules if one.partition(".")[0] == "pandas"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr("sys.meta_path", [without_package("pandas"), *sys.meta_path])
    assert [call("assess", **chosen, **one)["summary"] for one in asked] == [one["summary"] for one in expected]
    predicted = {"task": "from-predictions", "name": "data.csv", "target": "class", "prediction": "class"}
    lacking = json.loads(answer("compendium.page.own_data:assess", json.dumps(predicted)))
    assert lacking == {"lacking": "pandas"}


def test_the_package_that_a_problem_stems_from_is_named_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        try:
            raise ModuleNotFoundError("no sklearn", name="sklearn.tree")
        except ModuleNotFoundError:
            raise UsageError("a parameter cannot be imported") from None

    monkeypatch.setattr("compendium.page.resolve_name", lambda name: refuse)
    assert json.loads(answer("compendium.page.panel:run", "{}")) == {
        "problem": "a parameter cannot be imported",
        "lacking": "sklearn",
    }
