"""Digests of code, which a comment does not change and a constant does."""

from pathlib import Path

import pytest

from batteries import assert_refused
from compendium.studies import digests

MODULE = '''
"""What it is for."""
from toy.means import mean


def estimate(values):
    """Halve the mean."""
    return mean(values) / 2.0
'''
MEANS = "def mean(values):\n    return sum(values) / len(values)\n"


def toy(folder: Path, **sources: str) -> Path:
    package = folder / "toy"
    for name, text in {"__init__": "", "estimates": MODULE, "means": MEANS, "unused": "x = 1\n", **sources}.items():
        path = package.joinpath(*name.split("__in__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def digest(folder: Path, **sources: str) -> str:
    return digests.code_digest(["toy.estimates"], folder=toy(folder, **sources))


@pytest.fixture
def plain(tmp_path: Path) -> str:
    return digest(tmp_path / "plain")


NO_DOCSTRING = MODULE.replace("    return", "    'no docstring'; print('x')\n    return")
EDITED = {
    "docstring of the module": (MODULE.replace("What it is for.", "Something else."), True),
    "docstring of a function": (MODULE.replace("Halve the mean.", "Other words\n\n    in more lines."), True),
    "comment": (MODULE.replace("    return", "    # why it is halved\n    return"), True),
    "layout": (MODULE.replace("    return", "\n    return").replace("values) / 2.0", "values)  /  2.0"), True),
    "no docstring": (MODULE.replace('    """Halve the mean."""\n', ""), True),
    "constant": (MODULE.replace("2.0", "2.5"), False),
    "type of a constant": (MODULE.replace("2.0", "2"), False),
    "operator": (MODULE.replace("mean(values) /", "mean(values) *"), False),
    "text that is no docstring": (NO_DOCSTRING.replace('"""Halve the mean."""', "pass"), False),
}


@pytest.mark.parametrize(("edited", "same"), EDITED.values(), ids=EDITED)
def test_all_but_comments_docstrings_and_layout_alters_the_digest(
    tmp_path: Path, plain: str, edited: str, same: bool
) -> None:
    assert edited != MODULE
    assert (digest(tmp_path / "edited", estimates=edited) == plain) == same


def test_what_is_imported_counts_and_what_is_not_does_not(tmp_path: Path, plain: str) -> None:
    assert digest(tmp_path / "a", means=MEANS.replace("len(values)", "(len(values) - 1)")) != plain
    assert digest(tmp_path / "b", unused="x = 2\n") == plain


@pytest.mark.parametrize(
    "line",
    [
        "from toy.deep.rule import K",
        "import toy.deep.rule",
        "import toy.deep.rule as r",
        "from toy.deep import rule",
        "from .deep.rule import K",
        "from .deep import rule",
        "from . import deep",
        "def later():\n    from toy.deep import rule",
        "from toy.deep import *",
    ],
)
def test_every_form_of_import_is_followed_and_a_relative_one_climbs_as_python_does(tmp_path: Path, line: str) -> None:
    package = "from toy.deep.rule import K\n" if "deep import *" in line or line == "from . import deep" else ""
    sources = {"estimates": line + "\n", "deep__in____init__": package, "deep__in__rule": "from ..top import K\n"}
    results = [digest(tmp_path / str(k), **sources, top=f"K = {k}\n") for k in (1, 2)]
    assert results[0] != results[1]


def test_modules_that_only_carry_results_are_left_out() -> None:
    rng = digests.code_digest(["errorest.streams"])
    assert digests.code_digest(["errorest.streams", "compendium.studies.store"]) == rng
    assert digests.code_digest(["errorest.data.sample"]) != rng


def test_a_module_outside_the_package_is_read_with_what_it_imports_from_it() -> None:
    assert digests.code_digest(["study_measures"]) != digests.code_digest(["errorest.streams"])


@pytest.mark.parametrize("name", ["errorest.no_such", "no_such_module", "math", "__main__.nothing"])
def test_a_module_without_source_is_a_clear_mistake(name: str) -> None:
    assert_refused(r"cannot be found; move", digests.code_digest, [name])
