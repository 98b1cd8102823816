"""Runs of a reader's own: what they say is true of them, and how they lie to the print is said."""

import json
import re
import warnings

import nbformat
import numpy as np
import pytest

from batteries import assert_refused
from compendium.book import catalogue
from compendium.book.notebook import Notebook
from compendium.book.parameters import edited_parameters
from compendium.book.render import artifact_html
from compendium.book.session import Session, borne_checks, open_notebook
from compendium.cli import main as cli
from compendium.evidence.artifact import Artifact
from compendium.evidence.claims import check
from compendium.evidence.estimate import Estimate, every
from compendium.evidence.results import ArtifactResult, Check, Erratum, Row, read_errata
from compendium.evidence.verdicts import read_published
from compendium.papers.parameters import Parameters, parameter
from study_measures import coins, every_toss, tosses

pytestmark = pytest.mark.usefixtures("compiled_code")

PRINTED = read_published("kohavi").query("kind == 'result' and artifact == 'kohavi-table-1'").iloc[0]


class Sampled(Parameters):
    samples: int = parameter(100, "samples")


@pytest.fixture(autouse=True)
def _folders(tmp_path, monkeypatch):
    monkeypatch.setenv("ERROREST_OUT", str(tmp_path))
    monkeypatch.setenv("ERROREST_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))


def notebook_of(compute, model=Parameters, artifact=PRINTED.artifact, **declared):
    """A notebook of one artifact, with the print's id unless another is given."""
    one = Artifact(artifact, "Table 1", "Made of {seed}", compute=compute, **declared)
    return Notebook("kohavi/00-made-up", "Made up", model, (one,))


def shown(made, tmp_path, model=Parameters, artifact=PRINTED.artifact, name_rows=None, **given):
    """The manifest and the page of an artifact that computes what is given."""
    spec = notebook_of(lambda p, run: made, model, artifact, name_rows=name_rows)
    Session(spec, model(**given)).show(artifact)
    manifest = json.loads((tmp_path / "artifacts" / f"{artifact}.json").read_text())
    return manifest, re.sub(r"<[^>]+>", "", artifact_html(manifest, ""))


def row(value, se=0.5, n=100):
    return Row("literal", PRINTED.row, PRINTED.column, value, se, n)


def test_another_seed_stands_with_the_print_without_a_verdict(tmp_path):
    manifest, page = shown(ArtifactResult([row(float(PRINTED.value) + 1)]), tmp_path, seed=7)
    assert "Same experiment, other seed" in page
    assert PRINTED.value in page
    assert manifest["comparison"][0]["z"] is not None
    assert not re.search("reproduced|close|differs", page)


def test_another_design_is_not_compared(tmp_path):
    manifest, page = shown(ArtifactResult([row(50.0)]), tmp_path, Sampled, samples=7)
    assert "Other design than the paper's (samples): not comparable" in page
    assert manifest["comparison"] == []
    assert "Published" not in page


def test_few_samples_decide_no_claim_and_vacuous_ones_are_left_out():
    few = check("More.", [Estimate(3.0, 0.0, 2, "it") > 0])
    many = check("More.", [Estimate(3.0, 0.1, 50, "it") > 0])
    none = check("All more.", [every("them", [])])
    undefined = check("More.", [Estimate(float("nan"), float("nan"), 0, "it") > 0])
    assert few.outcome == "holds"
    outcomes = [c.outcome for c in borne_checks(ArtifactResult(checks=[few, many, none, undefined]))]
    assert outcomes == ["not decided", "holds"]
    exact = check("Less.", [Estimate(3.0, 0.0, 1, "it") > 0], exact=True)
    assert borne_checks(ArtifactResult([row(1.0, n=3)], checks=[exact]))[0].outcome == "holds"
    counted = Check("It is.", "counted", "holds")
    half = check("All, and it.", [every("them", []), Estimate(3.0, 0.1, 50, "it") > 0])
    assert borne_checks(ArtifactResult(checks=[half])) == [], "a part of which nothing was run"
    assert borne_checks(ArtifactResult([row(1.0, n=3)], checks=[counted]))[0].outcome == "not decided"
    assert borne_checks(ArtifactResult([row(1.0, 0.0, 1)], checks=[counted]))[0].outcome == "holds"


@pytest.mark.parametrize("context", ["exact; largest distance", "largest distance, computed exactly", ""])
def test_how_a_context_is_worded_decides_no_claim(context):
    conditions = [Estimate(3.0, 0.0, 2, "it") > 0]
    for exact, outcome in ((False, "not decided"), (True, "holds")):
        result = check("More.", conditions, context=context, exact=exact)
        assert borne_checks(ArtifactResult([row(1.0, n=3)], checks=[result]))[0].outcome == outcome


def test_a_claim_that_comes_out_is_so_in_this_run_alone(tmp_path):
    made = ArtifactResult(
        [row(1.0)], checks=[Check("It is.", "counted", "holds")], errata=[Erratum("a", "b", "c", "d")]
    )
    _, page = shown(made, tmp_path, seed=7)
    assert "so in this run" in page
    assert "holds" not in page
    assert "Errors in print" in page
    assert "Errors in print" not in shown(made, tmp_path, Sampled, samples=7)[1]
    assert "holds" in shown(made, tmp_path)[1]


def test_what_is_not_defined_is_stated_in_words_and_warns_nobody(tmp_path):
    nan = float("nan")

    def compute(p, run):
        assert np.isnan(np.mean(np.array([])))
        return ArtifactResult(
            [row(nan, nan, 2), Row("literal", "x", "y", 0.0, 0.0, 20), Row.exact("literal", "x", "z", 3)]
        )

    session = Session(notebook_of(compute), Parameters(seed=7))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page = re.sub(r"<[^>]+>", "", session.show(PRINTED.artifact).data)
    assert "not defined: 2 samples" in page
    assert "0 n = 20" in page
    assert "3 exact" in page
    made = ArtifactResult(
        [row(1.0)], findings=[f"a bias of {nan:+.1f} ± {nan:.1f} points, a share of {nan:.0f} %, or {nan}."]
    )
    assert "a bias of not defined points, a share of not defined, or not defined." in shown(made, tmp_path, seed=7)[1]


@pytest.fixture
def copied(tmp_path):
    """A person's copy of a cheap notebook, with another value in its parameters cell."""
    spec = catalogue.notebook("guide/08-other-packages")
    path = tmp_path / spec.file.name
    path.write_text(spec.file.read_text().replace("labels: list[int] = [0, 0,", "labels: list[int] = [1, 0,"))
    return path


def test_a_copy_with_an_edited_cell_is_run_as_it_stands_and_shows_what_was_used(copied, tmp_path, capsys):
    assert cli.main(["run", str(copied), "--no-page", "--out", str(tmp_path / "out")]) == 0
    assert "as its parameters cell has it, labels" in capsys.readouterr().err
    executed = nbformat.read(tmp_path / "out" / "notebook.ipynb", as_version=4)
    outputs = [output for cell in executed.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "stream"]
    html = "".join(output.data.get("text/html", "") for output in outputs)
    assert '<tr class="errorest-changed"><th scope="row"><code>labels</code></th>' in html
    assert "<strong>1, 0, 1, 0, 1, 1, 0, 1</strong>" in html


def test_a_copy_that_is_none_or_holds_no_plain_values_is_refused(copied, tmp_path):
    spec = catalogue.notebook(str(copied))
    assert edited_parameters(spec) == {"labels": [1, 0, 1, 0, 1, 1, 0, 1]}
    text = copied.read_text()
    copied.write_text(text.replace("seed: int = 1996", "seed: int = 2 * 998"))
    assert_refused("holds what is no plain value", edited_parameters, catalogue.notebook(str(copied)))
    copied.write_text(text.replace('"parameters"', '"other"'))
    assert_refused("has 0 cells tagged 'parameters'", edited_parameters, catalogue.notebook(str(copied)))
    copied.write_text(text.replace("open_notebook(", "print("))
    assert_refused("opens no notebook", catalogue.notebook, str(copied))


def test_values_set_behind_the_parameters_cell_are_refused(monkeypatch):
    spec = catalogue.notebook("guide/08-other-packages")
    monkeypatch.setenv("ERROREST_PARAMETERS", json.dumps(spec.parameters().model_dump()))
    open_notebook(spec.id, {})
    assert_refused("sets seed outside its parameters cell", open_notebook, spec.id, {"seed": 3})


def test_what_the_paper_does_not_print_is_not_called_incomparable_and_no_sentence_stands_twice(tmp_path):
    made = ArtifactResult([row(1.0)], findings=["The same.", "The same."])
    _, page = shown(made, tmp_path, Sampled, "kohavi-made-up", samples=7)
    assert "The paper prints none here" in page
    assert "not comparable" not in page
    assert page.count("The same.") == 1


@pytest.mark.parametrize(("seed", "scale"), [(1996, "published"), (7, "own")])
def test_what_is_recorded_of_a_print_stands_at_the_published_scale_alone(tmp_path, seed, scale):
    def name_rows(result, published):
        assert result.findings == ["computed"]
        return [Row.exact("literal", "all", "printed", len(published))]

    manifest, _ = shown(ArtifactResult(findings=["computed"]), tmp_path, seed=seed, name_rows=name_rows)
    seen, recorded = scale == "published", read_errata("kohavi")[PRINTED.artifact]
    assert manifest["scale"] == scale
    assert [e["place"] for e in manifest["errata"]] == ([e["place"] for e in recorded["errata"]] if seen else [])
    assert len(manifest["findings"]) == 1 + seen * len(recorded["findings"])
    printed = read_published("kohavi")
    assert [r["value"] for r in manifest["rows"]] == [sum(printed["artifact"] == PRINTED.artifact)] * seen


def test_studies_that_share_an_id_and_cells_are_distinguished_by_all_that_decides_their_numbers():
    session = Session(Notebook("kohavi/00-made-up", "Made up", Parameters, ()), Parameters())
    assert session._run(coins(measure=tosses)).columns[-2:].tolist() == ["mean", "above"]
    assert session._run(coins(measure=every_toss, version=2)).columns[-2:].tolist() == ["toss", "side"]
    assert len(session._studies) == len(session._largest) == 2
    session._run(coins(measure=every_toss, version=2, data={"iris": "another digest"}))
    assert len(session._largest) == 3
