"""The command line: each mistake is one line, status 2, no traceback, nothing half-written."""

import json
import os

import pytest

from compendium.book import catalogue
from compendium.cli import main as cli


def run(capsys, *arguments):
    status = cli.main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_list_as_json_names_notebooks_and_artifacts(capsys):
    status, out, _ = run(capsys, "list", "--json")
    listed = json.loads(out)
    assert status == 0
    assert set(listed) == {"notebooks", "artifacts"}
    assert {"id", "paper", "title", "parameters"} == set(listed["notebooks"][0])
    assert {"id", "paper", "title", "notebook", "status"} == set(listed["artifacts"][0])
    assert [n["id"] for n in listed["notebooks"]] == list(catalogue.NOTEBOOKS)


def test_params_shows_names_types_bounds_defaults_meaning_and_run_options(capsys):
    status, out, _ = run(capsys, "params", "02-discriminant")
    assert status == 0
    for word in ("sizes", "whole number", "at least 2", "100", "samples of each size", "--jobs", "--dask", "--out"):
        assert word in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "03-discriminant"], "did you mean"),
        (["run", "02-discriminant", "-p", "sizs=[10]"], "did you mean 'sizes'"),
        (["run", "02-discriminant", "--jobs", "0"], "from 1"),
        (["run", "02-discriminant", "--scale", "huge"], "invalid choice"),
        (["run", "02-discriminant", "-f", "no-such-file.yml"], "cannot be read"),
        (["cite", "kohavi-table-1", "--format", "cff"], "describes the whole work"),
        (["cite", "kohavi-table-one"], "did you mean 'kohavi-table-1"),
        (["run", "nonsense"], "known names"),
        (["params"], "NOTEBOOK"),
        (["frobnicate"], "invalid choice"),
        (["verdicts", "--artifact", "martin-hirschberg-table-44"], "did you mean"),
        (["run", "02-discriminant", "--scale", "preview", "--dask", "tcp://127.0.0.1:9"], "127.0.0.1:9"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err
    assert "Traceback" not in err
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("notebook", "assignment", "message"),
    [
        ("lis/01", "sizes=[5,30]", "N = 5 is too small"),
        ("lis/01", "inherent_errors=[.9,.1]", "0.9 is outside (0, .5]"),
        ("scheffer-herbrich/03", "gains=[.nan]", "parameter gains of scheffer-herbrich/03-calculator was given"),
    ],
)
def test_what_a_study_would_refuse_is_refused_before_the_run(
    capsys, tmp_path, monkeypatch, notebook, assignment, message
):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "run", notebook, "-p", assignment)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_clean_keeps_finished_studies_unless_reported(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    for name in ("store", "runs", "html"):
        (tmp_path / name).mkdir()
    assert run(capsys, "clean")[0] == 0
    # a process that waits for a lock holds its file
    assert sorted(p.name for p in tmp_path.iterdir()) == ["build.lock", "store"]
    assert run(capsys, "clean", "--store")[0] == 0
    assert [p.name for p in tmp_path.iterdir()] == ["build.lock"]


def test_clean_removes_what_was_built_and_nothing_of_a_person(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    key, work = "0123456789abcdef", ".pages.0123456789ab.tmp"
    (tmp_path / "thesis.txt").write_text("years")
    foreign = ["thesis.txt", ".old.tmp/a", "runs/2024/b", "store/notes.npz", "preview/c", "numba/mine/d", "lab/e"]
    foreign += [
        "release/f",
        "release/errorest-notes/f",
        "release/errorest-1-notes.txt",
        "stage/g",
        "interactive/h",
        "ipython/i",
        "html/index.html",
        "pages/j",
    ]
    ours = [
        f"runs/kohavi--01-iris/{key}01234567/key.json",
        "preview/html/edition.json",
        "preview/html.json",
        f"stage/{work}/x",
        ".doctrees/environment.pickle",
        "preview/jupyter_execute/x",
        "pages/published/notes/look",
    ]
    ours += [f"interactive/kohavi--01-iris/{key[:12]}/y", "release/errorest-1.0/z", "ipython/profile_default/log"]
    stored = [f"store/{key}.npz", "store/origin.json", "store/checked.json", f"numba/{key}/code"]
    for name in (*foreign, *ours, *stored):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")

    def there():
        found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
        return found - {"build.lock"}

    status, out, _ = run(capsys, "clean")
    assert (status, there()) == (0, {*foreign, *stored})
    assert "what errorest did not make stays" in out
    assert run(capsys, "clean", "--store")[0] == 0
    assert there() == {*foreign}


def test_a_build_puts_no_pages_over_a_folder_of_a_person(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    place = tmp_path / "preview" / "html"
    place.mkdir(parents=True)
    (place / "index.html").write_text("mine")
    status, _, err = run(capsys, "build", "--scale", "preview")
    assert status == 2
    assert "errorest did not make it; move it" in err
    assert (place / "index.html").read_text() == "mine"


def test_the_verdicts_of_an_artifact_have_both_errors_the_readings_and_why_numbers_differ(capsys):
    _, out, _ = run(capsys, "verdicts", "--artifact", "kohavi-table-1")
    lines = out[out.index("vehicle | c4.5: printed 60.11") :].splitlines()[1:5]
    assert [line.split(":")[0].strip() for line in lines] == [
        "literal, published",
        "unstated",
        "literal, enlarged",
        "unstated",
    ]
    assert "59.809 ± 0.17; print ± 0.17; z -1.26; reproduced" in lines[0]
    assert lines[1].endswith("differs; Explained by literal: C4.5 without the changes of Release 8 agrees.")


def test_verdicts_are_counted_by_artifact_and_by_kind_of_reading(capsys):
    status, out, _ = run(capsys, "verdicts")
    assert status == 0
    lines = {line.split("  ")[0]: line.split() for line in out.splitlines()}
    kinds = [line for line in lines if line.startswith(("literal,", "unstated,", "fitted,", "no number of ours"))]
    whole = [int(n) for n in lines["all"][1:]]
    parts = [[int(n) if n != "·" else 0 for n in lines[kind][-6:]] for kind in kinds]
    assert [sum(column) for column in zip(*parts, strict=True)] == whole
    report = json.loads(run(capsys, "verdicts", "--json")[1])
    assert list(report["counts"].values()) == whole
    assert sum(sum(v for k, v in row.items() if k not in ("kind", "basis")) for row in report["by_reading"]) == sum(
        whole
    )


def test_ctrl_c_says_that_finished_chunks_are_preserved(capsys, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("compendium.cli.run.planned", stop)
    status, _, err = run(capsys, "run", "02-discriminant")
    assert status == 130
    assert "finished chunks are kept" in err
