"""Notebooks as people run them: by papermill, whose engine is nbclient as Jupyter's, from any folder; a Python call."""

import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import papermill
import pytest

import compendium
from batteries import assert_refused
from compendium.book import catalogue
from compendium.book.places import root
from compendium.cli.main import main

pytestmark = pytest.mark.usefixtures("compiled_code")

SPEC = catalogue.notebook("shakhnarovich/05-cost")
SMALL = {"bootstrap_samples": 2}


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.delenv("ERROREST_OUT", raising=False)
    return tmp_path


def test_papermill_embeds_pictures_and_tables_and_a_second_run_keeps_the_first(
    elsewhere: Path, caplog: pytest.LogCaptureFixture
) -> None:
    done = papermill.execute_notebook(
        str(root() / SPEC.path), "one.ipynb", SMALL, kernel_name="python3", progress_bar=False
    )
    assert "unknown parameter" not in caplog.text
    html = "\n".join("".join(o["data"].get("text/html", "")) for c in done.cells for o in c.get("outputs", []))
    assert "bootstrap_samples=2" in html, "the provenance says what was run"
    assert "artifacts/" not in html, "nothing is looked for beside the notebook"
    pictures = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]+)" alt="[^"]', html)
    assert pictures
    assert "<source" not in html, "a notebook shows each picture once"
    assert all(b"<svg" in b64decode(picture) for picture in pictures)
    tables = re.findall(r'href="data:text/csv;base64,([^"]+)" download="[^"]+\.csv"', html)
    assert len(tables) >= len(SPEC.artifacts)
    first = sorted((elsewhere / "build" / "interactive").rglob("*.csv"))
    before = [path.read_bytes() for path in first]
    second = compendium.open_notebook(SPEC.id, {**SMALL, "seed": 7})
    second.show("shakhnarovich-table-7")
    assert [path.read_bytes() for path in first] == before
    assert len(list((elsewhere / "build" / "interactive").rglob("*.csv"))) == 2 * len(first)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ({"sharpness": 20, "__annotations__": {"sharpness": int}}, "no parameter 'sharpness'"),
        ({"sharpness": 20, "In": ["# Parameters\nsharpness = 20\n"]}, "no parameter 'sharpness'"),
    ],
)
def test_a_name_that_is_no_parameter_is_refused(elsewhere: Path, cell: dict[str, Any], words: str) -> None:
    assert_refused(words, compendium.open_notebook, SPEC.id, cell)


def test_parameters_are_reported_to_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["params", "martin-hirschberg/02-discriminant", "--json"]) == 0
    of = {p["name"]: p for p in json.loads(capsys.readouterr().out)["parameters"]}
    assert of["samples"] == {
        "name": "samples",
        "type": "a whole number",
        "minimum": 2,
        "default": 100,
        "preview": 20,
        "meaning": "samples of each size and inherent error",
    }
    assert of["reversal_rules"]["allowed"] == ["literal", "class-0-mean"]
    assert of["estimators"]["min_entries"] == 1


def test_a_call_from_python_gives_readings_errors_and_provenance(elsewhere: Path) -> None:
    small = {"sizes": [10], "inherent_errors": [0.25], "samples": 3, "repeats": 2, "cv_repeats": 2}
    result = compendium.regenerate("martin-hirschberg-table-4", **small, bootstrap_replicates=2, estimators=["loo"])
    assert set(result["reading"]) == {"literal", "fitted:class-0-mean"}
    assert set(result["scale"]) == {"own", "own, enlarged"}
    assert (result[result.column == "bias-percent"]["se"] >= 0).all()
    assert result.attrs["provenance"]["parameters"]["samples"] == 3
    assert not (elsewhere / "build" / "interactive").exists(), "a call writes no pages"
    assert_refused("did you mean 'samples'", compendium.regenerate, "martin-hirschberg-table-4", sample=3)
    assert_refused("did you mean 'martin-hirschberg-table-4'", compendium.regenerate, "martin-hirschberg-tabel-4")
