"""Artifacts with other parameters in a page: the packed library alone, and the rows of the notebook."""

import json
import re
import subprocess
import sys
import zipfile
from io import BytesIO

import pytest

from compendium.book import catalogue, panels
from compendium.book.in_page import library
from compendium.book.parameters import resolve
from compendium.book.session import regenerated_frame, yielded
from compendium.page.panel import read_texts
from compendium.studies.study import run_here
from errorest.errors import UsageError

# What a page has not
ABSENT = (
    *("papermill", "sphinx", "nbclient", "nbformat", "IPython", "yaml", "tqdm", "docutils", "jupyter_book", "myst_nb"),
    *("numba", "fcntl", "resource", "_multiprocessing", "distributed"),
)
REDUCED = ("scheffer-herbrich-calculator", "kohavi-example-1", "kohavi-text-632")
CALLS = {
    "changed": ("scheffer-herbrich-calculator", {"sizes": "50, 100", "accuracy": "0.9"}),
    "figure": ("kohavi-equation-3", {"test_sizes": "[20, 50]", "trials": "200"}),
    "published": ("scheffer-herbrich-calculator", {}),
    "bound": ("scheffer-herbrich-calculator", {"accuracy": "1.5"}),
    "word": ("kohavi-example-1", {"repeats": "many"}),
    "list": ("scheffer-herbrich-calculator", {"sizes": "[50, (100]"}),
    "name": ("kohavi-example-1", {"repeat": "1"}),
    "file": ("kohavi-example-1", {"data": "/etc/passwd"}),
    "import": ("guide-own-estimates", {"inducer": "os.system"}),
    "artifact": ("kohavi-table-1", {}),
    "forecast": ("martin-hirschberg-table-4", {"samples": "99"}),
}
SCRIPT = """
import json, os, sys
from pathlib import Path

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
from compendium import page
from compendium.book.parameters import resolve
from compendium.page import panel

asked = json.loads(sys.argv[2])
result = {"rows": {}, "calls": {}}
for artifact in asked["reduced"]:
    spec = panel.notebook_of(artifact)
    out = Path("out", artifact)
    panel.PageSession(spec, resolve(spec, {}, "preview"), out, confirmed=True).make(artifact)
    result["rows"][artifact] = (out / "artifacts" / f"{artifact}.csv").read_text()
for name, (artifact, parameters) in asked["calls"].items():
    values = {"artifact": artifact, "parameters": parameters}
    result["calls"][name] = json.loads(page.answer("compendium.page.panel:run", json.dumps(values)))
print(json.dumps(result))
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Run everything once in a process that has the packed library and no more than a page."""
    folder = tmp_path_factory.mktemp("page")
    zipfile.ZipFile(BytesIO(library())).extractall(folder)
    asked = json.dumps({"reduced": REDUCED, "calls": CALLS})
    done = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-c", SCRIPT, ",".join(ABSENT), asked],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "ERROREST_PLAIN": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("artifact", REDUCED)
def test_a_page_gives_the_rows_of_the_notebook_at_the_reduced_scale(page, artifact):
    spec, one = catalogue.artifact(artifact)
    made = yielded(one, spec.paper, resolve(spec, {}, "preview"), "preview", run_here)
    expected = regenerated_frame(artifact, made).to_csv(index=False, lineterminator="\n")
    assert page["rows"][artifact] == expected


def test_other_parameters_give_another_table_below_a_banner(page):
    html = page["calls"]["changed"]["answer"]["html"]
    assert "Run with other parameters" in html
    assert "Not as published: <code>accuracy</code>, <code>sizes</code>" in html
    assert "m = 50" in html
    assert "m = 10000" not in html


def test_a_result_brings_its_pictures_and_no_links_to_files(page):
    html = page["calls"]["figure"]["answer"]["html"]
    assert 'src="data:image/svg+xml' in html
    assert re.search(r'<source [^>]*data-dark="screen" srcset="data:image/svg', html)
    assert "download" not in html
    assert 'href="artifacts/' not in html


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("published", "these are the published parameters"),
        (
            "bound",
            "accuracy of scheffer-herbrich/03-calculator was given 1.5; expected a number, above 0.0 and below 1.0",
        ),
        ("word", "repeats of kohavi/01-iris was given 'many'; expected a whole number"),
        ("list", "sizes was given '[50, (100]'; expected a list; write it as [10, 20]"),
        ("name", "notebook kohavi/01-iris has no parameter 'repeat'"),
        ("file", "/etc/passwd"),
        ("import", "would be imported, which runs code, and a page runs no code but the book's"),
        ("artifact", "a page cannot run 'kohavi-table-1'"),
    ],
)
def test_what_a_page_refuses_is_said_in_one_line(page, call, words):
    problem = page["calls"][call]["problem"]
    assert words in problem
    assert "\n" not in problem
    assert "unexpected error" not in problem


def test_a_long_run_is_forecast_and_not_begun(page):
    assert page["calls"]["forecast"]["answer"]["forecast"] > 20


@pytest.mark.parametrize("notebook", catalogue.NOTEBOOKS)
def test_what_the_form_writes_is_read_as_the_parameters(notebook):
    spec = catalogue.notebook(notebook)
    controls = panels.controls(spec)
    published = resolve(spec, read_texts(spec, {one.name: one.published for one in controls}))
    assert published == spec.parameters()
    resolve(spec, read_texts(spec, {one.name: one.reduced for one in controls}))


def test_a_list_is_read_with_and_without_brackets():
    spec = catalogue.notebook("kohavi/01-iris")
    for text in ("[20, 50]", "20, 50", "20,50", " [20,50] "):
        assert read_texts(spec, {"test_sizes": text}) == {"test_sizes": [20, 50]}
    with pytest.raises(UsageError, match="expected a list"):
        read_texts(spec, {"test_sizes": '20, "50'})


def test_a_panel_offers_to_run_what_is_declared_and_else_the_command():
    parts = {"megabytes": 50, "host": "example.org"}
    there = panels.panel_html("kohavi/01-iris", **parts)
    assert '<option value="kohavi-text-632">' in there
    assert "compendium run kohavi/01-iris" in there
    alone = panels.panel_html("shakhnarovich/04-uci", **parts)
    assert "compendium run shakhnarovich/04-uci" in alone
    assert 'type="submit"' not in alone
