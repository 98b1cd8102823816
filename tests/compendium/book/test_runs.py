"""A run from parameters to pages: complete or not at all, found again, the same bytes anywhere."""

import json
import re
import shutil
from pathlib import Path

import pytest

from batteries import assert_refused
from compendium.book import build, catalogue
from compendium.book import notebook as notebook_module
from compendium.book import runs as runs_module
from compendium.book.notebook import read_notebook
from compendium.book.parameters import resolve
from compendium.book.places import FOLDER_MARK
from compendium.book.runs import NotebookError, Options, execute, plan
from compendium.cli import main as cli
from compendium.evidence.texts import texts_of
from compendium.studies import digests
from compendium.studies.spot_check import code_of

pytestmark = pytest.mark.usefixtures("compiled_code")

SMALL = {
    "sizes": [10],
    "inherent_errors": [0.5],
    "samples": 2,
    "repeats": 1,
    "cv_repeats": 2,
    "bootstrap_replicates": 1,
    "estimators": ["loo"],
}
SPEC = catalogue.notebook("martin-hirschberg/02-discriminant")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The same small run in two build folders, with other jobs, through the command line."""
    out = {}
    for name, jobs in (("a", "1"), ("b", "2")):
        build = tmp_path_factory.mktemp(f"build-{name}")
        folder = tmp_path_factory.mktemp(f"out-{name}")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ERROREST_BUILD", str(build))
            given = [f"-p{k}={json.dumps(v)}" for k, v in SMALL.items()]
            assert cli.main(["run", SPEC.id, *given, "--jobs", jobs, "--out", str(folder)]) == 0
        out[name] = (build, folder)
    return out


def test_a_run_leaves_notebook_page_tables_and_provenance(runs):
    folder = runs["a"][1]
    assert (folder / "notebook.ipynb").is_file()
    page = (folder / "html" / "notebooks" / f"{SPEC.id}.html").read_text()
    for artifact in SPEC.artifacts:
        assert (folder / "artifacts" / f"{artifact.id}.csv").is_file()
        assert f'id="artifact-{artifact.id}"' in page
        assert "seed 1996" in (folder / "html" / "artifacts" / f"{artifact.id}.html").read_text()
    assert "sizes=[10]" in page
    assert '<tr class="errorest-changed"><th scope="row"><code>sizes</code></th>' in page
    assert "Run with other parameters; the text speaks of the published run." in page
    assert "sizes: list[int]" not in re.sub(r"<[^>]+>", "", page), "the published cell is not shown"
    assert "Own run." in page
    assert ">reproduced<" not in page, "own parameters carry no verdict"
    assert [p.name for p in folder.glob(".*")] == [FOLDER_MARK], "nothing half-written is left"


def test_equal_runs_are_equal_bytes_whatever_the_jobs_and_the_folder(runs):
    one, other = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for _, folder in runs.values()
    )
    assert one.keys() == other.keys()
    assert [path for path in one if one[path] != other[path]] == []


def test_a_finished_run_is_detected_again_and_a_changed_parameter_is_no_such_run(runs, tmp_path, monkeypatch):
    run = plan(SPEC, resolve(SPEC, SMALL))
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    assert not run.complete
    monkeypatch.setenv("ERROREST_BUILD", str(runs["a"][0]))
    assert run.complete
    messages = []
    execute(run, Options(), messages.append)
    assert messages == [1.0]
    other = plan(SPEC, resolve(SPEC, {**SMALL, "seed": 7}))
    assert not other.complete
    assert {name for name in run.parts if run.parts[name] != other.parts[name]} == {"parameters"}


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A copy of the source that the digests of code are of."""
    shutil.copytree(digests._SOURCE, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "shipped"))
    monkeypatch.setattr(digests, "_SOURCE", tmp_path / "src")
    return tmp_path / "src"


def test_a_change_executes_the_notebook_again_and_asks_for_a_check_of_a_changed_measure_alone(source):
    section = "compendium.papers.martin_hirschberg.reversal"
    spec = catalogue.notebook("martin-hirschberg/06-reversal")

    def keys():
        return plan(spec, spec.parameters()).key, code_of([f"{section}.study"])

    run, study = keys()
    assert keys() == (run, study)
    for module, checked in (("figure_17_drawing", False), ("figure_16", False), ("study", True)):
        with source.joinpath(*section.split("."), f"{module}.py").open("a") as file:
            file.write("MORE = 1\n")
        before, (run, study) = (run, study), keys()
        assert (run != before[0], study != before[1]) == (True, checked), module


@pytest.mark.parametrize(
    ("module", "executed"),
    [("render", False), ("citation", False), ("site", False), ("extension", False), ("session", True)],
)
def test_how_pages_are_rendered_executes_no_notebook(source, module, executed):
    def keys():
        return {spec.id: plan(spec, spec.parameters()).key for spec in catalogue.notebooks()}

    before = keys()
    with (source / "compendium" / "book" / f"{module}.py").open("a") as file:
        file.write("MORE = 1\n")
    after = keys()
    assert [name for name in before if before[name] != after[name]] == (list(before) if executed else [])


def test_another_version_of_the_results_of_errorest_executes_every_notebook(monkeypatch):
    before = plan(SPEC, SPEC.parameters()).key
    monkeypatch.setattr(runs_module.determinism, "RESULTS_VERSION", 7)
    assert plan(SPEC, SPEC.parameters()).key != before


def test_a_run_uses_the_store_that_the_environment_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("ERROREST_STORE", "elsewhere")
    requested = []

    def run_notebook(request, *given, **how):
        requested.append(request.environment["ERROREST_STORE"])
        raise KeyboardInterrupt

    monkeypatch.setattr("compendium.book.engine.run_notebook", run_notebook)
    with pytest.raises(KeyboardInterrupt):
        execute(plan(SPEC, resolve(SPEC, SMALL)), Options())
    assert requested == [str(tmp_path / "elsewhere")]


def test_a_fault_in_a_notebook_names_it_and_leaves_no_run(tmp_path, monkeypatch):
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    run = plan(SPEC, resolve(SPEC, SMALL))
    # a store that is a file cannot be written: the notebook says so as a person's mistake
    (tmp_path / "store").write_text("")
    with pytest.raises((ValueError, NotebookError)):
        execute(run, Options())
    assert not run.complete
    assert not [p for p in run.folder.parent.iterdir() if p.is_dir()]


def test_a_notebook_that_fails_is_kept_and_the_message_says_where(tmp_path, monkeypatch):
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    copy = json.loads(SPEC.file.read_text())
    copy["cells"].insert(2, {"cell_type": "code", "source": "1 / 0", "metadata": {}, "outputs": []})
    (tmp_path / "copy.ipynb").write_text(json.dumps(copy))
    spec = catalogue.notebook(str(tmp_path / "copy.ipynb"))
    with pytest.raises(NotebookError, match="ZeroDivisionError") as caught:
        execute(plan(spec, resolve(spec, SMALL)), Options())
    kept = Path(str(caught.value).rpartition(": ")[2])
    assert "ZeroDivisionError" in kept.read_text()


def test_only_a_published_build_may_be_preserved(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "root", lambda: tmp_path)
    row = {"artifact": "kohavi-x", "reading": "literal", "scale": "preview", "row": "r", "column": "c"}
    assert_refused("another scale", build.write_regenerated, [{"rows": [{**row, "value": 1.0, "se": 0.0, "n": 1}]}])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "part", ["number", "title", "caption", "figure", "figure_printed", "alt", "read_names", "read_errata"]
)
def test_a_changed_text_name_or_recorded_erratum_executes_the_notebook_again(monkeypatch, part):
    before = plan(SPEC, SPEC.parameters()).key
    if part.startswith("read_"):
        monkeypatch.setattr(runs_module, part, lambda source: {"loo": f"another of {source}"})
    else:
        monkeypatch.setattr(notebook_module, "texts_of", lambda *of: texts_of(*of)._replace(**{part: "Another."}))
    changed = read_notebook(SPEC.parameters, {a.id: a for a in SPEC.artifacts})
    assert plan(changed, changed.parameters()).key != before
