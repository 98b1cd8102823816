"""Modules, classes and functions of the library are called by the field's names."""

import ast
import inspect
import re
from pathlib import Path

import errorest

LIBRARY = Path(__file__).parents[2] / "src" / "errorest"
RETIRED = frozenset(
    re.findall(
        r"\w+",
        """
    Asked AskedOwn Contest Growing Luck OwnClassifier Question Ran Refused Reruns Rival Told Understood Whole additive
    apart beside beside_rows by_hand called companion demand dicts each ends exact_sign_test executed faces front
    in_short inherent_error judge_wholes marks memory near needed_test_cases orphans pictured rows_alone seals
    sides standing tried undrawn watching
    """,
    )
)
"""Names for which the field has a term; a leading underscore does not matter."""


def retired_in(folder: Path) -> list[str]:
    """List retired names of modules, classes and functions with their files."""
    results = []
    for path in sorted(folder.rglob("*.py")):
        place = str(path.relative_to(folder))
        results += [place] if path.stem in RETIRED else []
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name.strip("_") in RETIRED:
                results.append(f"{place}: {node.name.strip('_')}")
    return results


def test_no_name_of_the_library_is_a_retired_one() -> None:
    assert retired_in(LIBRARY) == []


def test_a_retired_name_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "faces.py").write_text("class Told:\n    def _tried(self): ...\n")
    assert retired_in(tmp_path) == ["faces.py", "faces.py: Told", "faces.py: tried"]


def test_an_option_has_one_type_and_one_default_in_all_functions() -> None:
    functions = ["estimate", "resample", "compare", "choose", "permutation_test", "learning_curve"]
    parameters = [p for name in functions for p in inspect.signature(getattr(errorest, name)).parameters.values()]
    assert not [p for p in parameters if p.annotation == "Any"]
    options = "cv error_score encode fit_params groups n_jobs threads compiled progress ignore rng confidence_level"
    for name in options.split():
        assert len({(p.annotation, p.default) for p in parameters if p.name == name}) == 1, name
