"""The reference is complete: every module of the library on a page, every public name with words and an example."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import jinja2
import pytest

import errorest
from compendium.book.reference import directives, public_names

BOOK = Path(__file__).resolve().parents[3] / "book"
# what a new paper builds on; the rest of the compendium is internal
COMPENDIUM = {
    "compendium.studies.study",
    "compendium.studies.replicates",
    "compendium.studies.columns",
    "compendium.studies.store",
    "compendium.studies.experiment",
    "compendium.studies.sources",
    "compendium.studies.populations",
    "compendium.papers.parameters",
    "compendium.evidence.artifact",
    "compendium.evidence.regenerated",
    "compendium.book.regenerate",
    "errorest.plots",
}
ABOVE = re.compile(r"errorest\.(cli|plots|__main__)\b")
# packages whose own __init__ says what is public
WHOLE = re.compile(
    r"errorest\.(assessment|conformance|tuning_bias|resampling\.clones|estimation\.(estimators|intervals|scores)"
    r"|inducers\.(c45|svm))\."
)
# settings of the process and the compiler, how files and lazy imports are made, and what inducers share
LEFT_OUT = {
    "errorest.bits",
    "errorest.compiled",
    "errorest.faces",
    "errorest.files",
    "errorest.inducers.id3_merit",
    "errorest.inducers.inputs",
    "errorest.inducers.linear_scores",
    "errorest.inducers.linear_sums",
    "errorest.inducers.near_cases",
    "errorest.inducers.neighbor_stacks",
    "errorest.inducers.trees",
    "errorest.inducers.wide_scores",
    "errorest.probabilities",
    "errorest.symmetric_matrices",
}


ROOMS = {f"errorest.{room}" for room in ("data", "estimation", "inducers", "resampling")}


def modules_on_pages() -> list[str]:
    found: list[str] = []
    engine = jinja2.Environment(
        block_start_string="[%", block_end_string="%]", variable_start_string="[[", variable_end_string="]]"
    )
    for page in sorted((BOOK / "reference").glob("*.md")):
        engine.from_string(page.read_text(encoding="utf-8")).render(
            api=lambda m: found.append(m) or "", measured_html=lambda _: ""
        )
    return found


def modules_of_the_library() -> list[str]:
    names = [m.name for m in pkgutil.walk_packages(errorest.__path__, "errorest.")]
    kept = [n for n in names if not ABOVE.match(n) and not WHOLE.match(n) and "._" not in n]
    return [n for n in kept if n not in {*LEFT_OUT, *ROOMS}]


def test_every_module_of_the_library_stands_on_one_page_of_the_reference() -> None:
    assert sorted(modules_on_pages()) == sorted({*modules_of_the_library(), *COMPENDIUM})


@pytest.mark.parametrize("module", modules_on_pages())
def test_every_public_name_has_words_and_functions_and_classes_an_example(module: str) -> None:
    loaded = importlib.import_module(module)
    assert loaded.__doc__
    for name in public_names(module):
        value = getattr(loaded, name)
        if inspect.isclass(value) or inspect.isroutine(value) or hasattr(value, "py_func"):
            words = inspect.getdoc(value) or ""
            assert words, f"{module}.{name} has no docstring"
            # a protocol is what others implement, an exception what others raise
            if not getattr(value, "_is_protocol", False) and not (
                inspect.isclass(value) and issubclass(value, Exception)
            ):
                assert ">>>" in words, f"{module}.{name} has no example"


def test_a_public_constant_is_written_out_by_name_and_a_borrowed_one_is_not() -> None:
    text = directives("errorest.estimation.estimators")
    assert "ESTIMATORS" in text
    assert "errorest.estimation.estimators.Scheme" not in text


def test_a_constant_that_a_package_hands_on_is_taken_from_where_it_is_explained() -> None:
    assert ".. autodata:: errorest.estimation.estimators.registry.ESTIMATORS" in directives(
        "errorest.estimation.estimators"
    )


@pytest.mark.parametrize("module", modules_on_pages())
def test_every_public_constant_is_explained(module: str) -> None:
    directives(module)  # refuses one that is not
