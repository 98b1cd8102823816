"""The catalogue knows notebooks and artifacts without importing what computes them."""

import subprocess
import sys

import pytest

from compendium.book import catalogue
from compendium.book.parameters import describe
from compendium.evidence.texts import read_data, texts_of
from compendium.evidence.verdicts import PAPERS


@pytest.mark.parametrize("name", catalogue.NOTEBOOKS)
def test_what_is_read_of_a_notebook_is_what_its_modules_say(name: str) -> None:
    spec, outline = catalogue.notebook(name), catalogue.outline(name)
    assert spec.id == name
    assert spec.parameters is catalogue.parameters(name)
    assert list(outline.parameters) == [one.name for one in describe(spec.parameters)]
    assert outline.parameters == {n: v for n, v in spec.parameters.published().items() if n in outline.parameters}
    assert catalogue.headings(name) == {a.id: (a.number, spec.title_of(a)) for a in spec.artifacts}


def test_every_artifact_of_a_paper_has_texts_and_no_text_is_left_over() -> None:
    assert {name.partition("/")[0] for name in catalogue.NOTEBOOKS} == {*PAPERS}
    for paper in PAPERS:
        shown = [one for n in catalogue.NOTEBOOKS if n.startswith(f"{paper}/") for one in catalogue.outline(n).shown]
        written = read_data(f"artifacts/{paper}")
        assert sorted(written) == sorted(shown)
        assert all(one.startswith(f"{paper}-") for one in shown)
        assert all(texts_of(paper, one).number and texts_of(paper, one).title for one in written)


def test_a_command_imports_no_section_but_the_one_that_it_is_about() -> None:
    code = """
import sys
from compendium.cli.main import main
for command in (["list"], ["params", "kohavi/01"], ["cite", "kohavi-example-1"]):
    main(command)
    sections = [m for m in sys.modules if m.startswith(("compendium.papers", "compendium.guide"))]
    print(*sorted(m for m in sections if m.endswith((".artifacts", ".experiment"))), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    experiment, artifacts = (f"compendium.papers.kohavi.iris.{name}" for name in ("experiment", "artifacts"))
    assert done.stderr.splitlines() == ["", experiment, f"{artifacts} {experiment}"]


@pytest.mark.parametrize("text", ["kohavi/01-iris", "01-iris", "kohavi/01", "notebooks/kohavi/01-iris.ipynb"])
def test_a_notebook_is_called_by_id_name_number_or_path(text: str) -> None:
    assert catalogue.notebook_id(text) == "kohavi/01-iris"
