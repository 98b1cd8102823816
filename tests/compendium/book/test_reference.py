"""The reference is complete: every module of the library on a page, every public name with words and an example."""

import importlib
import inspect
import pkgutil
import re
from doctest import DocTestParser
from pathlib import Path

import pytest
from sphinx.ext.napoleon import Config, NumpyDocstring
from sphinx.util.inspect import stringify_signature

import errorest
from compendium.book.extension import leave_colon, public_signature
from compendium.book.look_ups import modules_of
from compendium.book.reference import directives, pages, public_names

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
    "compendium.methods.clones",
    "compendium.methods.conformance",
    "compendium.methods.estimators",
    "compendium.methods.learners",
    "compendium.methods.run",
    "compendium.methods.schemes",
    "compendium.methods.tuning_bias",
    "compendium.papers.parameters",
    "compendium.evidence.artifact",
    "compendium.evidence.results",
    "compendium.book.regenerate",
    "errorest.plots",
}
LIBRARY = {
    *("errorest", "errorest.report"),
    *(f"errorest.{name}" for name in ["conformance", "data", "estimation", "learners", "resampling"]),
    *("errorest.errors", "errorest.spec", "errorest.streams"),
}


def modules_on_pages() -> list[str]:
    pages = sorted((BOOK / "reference").glob("*.md"))
    return [module for page in pages for module in modules_of(page.read_text(encoding="utf-8"))]


def test_what_the_library_exports_stands_on_one_page_of_the_reference() -> None:
    assert sorted(modules_on_pages()) == sorted({*LIBRARY, *COMPENDIUM})
    packages = {m.name for m in pkgutil.iter_modules(errorest.__path__, "errorest.") if m.ispkg}
    assert packages - LIBRARY == {"errorest.assessment", "errorest.cli", "errorest.plots"}


@pytest.mark.parametrize("module", modules_on_pages())
def test_every_public_name_has_words_and_functions_and_classes_an_example(module: str) -> None:
    directives(module)  # refuses a constant that is not explained
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


def test_a_constant_that_a_package_hands_on_is_taken_from_where_it_is_explained() -> None:
    assert ".. autodata:: errorest.estimation.estimators.ESTIMATORS" in directives("errorest.estimation")


def test_every_function_and_class_has_a_page_and_a_line_in_the_list_estimate_first() -> None:
    text = directives("errorest")
    written = dict(pages("errorest"))
    listed = re.findall(r"^\* :py:obj:`\w+ <([\w.]+)>`: \S", text, re.MULTILINE)
    assert listed[0] == "errorest.estimate"
    assert set(listed) == set(written)
    assert ".. autofunction:: errorest.estimate\n" in written["errorest.estimate"]


def test_every_public_function_and_class_of_the_library_has_one_page() -> None:
    written = [name for module in modules_on_pages() for name, _ in pages(module)]
    assert len(written) == len(set(written))
    assert "errorest.test_size_for" in written
    values = [getattr(importlib.import_module(one.rpartition(".")[0]), one.rpartition(".")[2]) for one in written]
    assert len({id(value) for value in values}) == len(values), "no value stands on two pages"
    for module in modules_on_pages():
        loaded = importlib.import_module(module)
        for name in loaded.__all__:
            value = getattr(loaded, name)
            if inspect.isclass(value) or inspect.isroutine(value):
                assert f"{module}.{name}" in written or any(value is other for other in values)


def test_a_signature_shows_no_private_parameter() -> None:
    hidden = set()
    for name in (name for module in modules_on_pages() for name, _ in pages(module)):
        value = getattr(importlib.import_module(name.rpartition(".")[0]), name.rpartition(".")[2])
        try:
            whole = stringify_signature(inspect.signature(value), show_annotation=False)
        except ValueError:
            continue  # of an exception, say, which has none
        shown, _ = public_signature(None, "", name, value, None, whole, None) or (whole, None)
        assert not re.search(r"[(, ]_\w", shown), f"{name}{shown}"
        assert shown.startswith(whole[:10])
        hidden |= {name} if shown != whole else set()
    assert "errorest.Estimate" in hidden
    assert "errorest.estimate" not in hidden


def test_no_two_pages_have_a_title_in_common() -> None:
    titles = [re.findall("^# (.+)$", text, re.M) for module in modules_on_pages() for _, text in pages(module)]
    assert len({title for (title,) in titles}) == len(titles)


@pytest.mark.parametrize("name", [name for name in errorest.__all__ if inspect.isroutine(getattr(errorest, name))])
def test_every_function_has_a_pipeline_or_a_search_with_what_it_prints(name: str) -> None:
    examples = DocTestParser().get_examples(inspect.getdoc(getattr(errorest, name)) or "")
    assert any("make_pipeline(" in one.source or "GridSearchCV(" in one.source for one in examples)
    assert any(one.source.startswith("print(") and one.want for one in examples)


@pytest.mark.parametrize("name", ["class_counts", "against_baseline"])
def test_the_first_line_of_a_property_is_no_type(name: str) -> None:
    value = inspect.getattr_static(errorest.Estimate, name)
    lines = (inspect.getdoc(value) or "").splitlines()
    first = lines[0]
    leave_colon(None, "property", name, value, None, lines)
    settings = Config(napoleon_use_rtype=False)
    shown = NumpyDocstring(lines, settings, None, "property", name, value, None).lines()
    assert first in shown
    assert not [line for line in shown if line.startswith(":type:")]
