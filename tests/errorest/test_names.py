"""Modules, classes and functions of the library are called by the field's names."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

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


def defined(source: str) -> Iterator[str]:
    """Yield the names of the classes and functions of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name.strip("_")


def retired_in(folder: Path) -> list[str]:
    """List retired names with their files."""
    files = sorted(folder.rglob("*.py"))
    modules = [f"{path.relative_to(folder)}" for path in files if path.stem in RETIRED]
    return modules + [
        f"{path.relative_to(folder)}: {name}"
        for path in files
        for name in defined(path.read_text(encoding="utf-8"))
        if name in RETIRED
    ]


def test_no_name_of_the_library_is_a_retired_one() -> None:
    assert retired_in(LIBRARY) == []


def test_a_retired_name_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "faces.py").write_text("class Told:\n    def _tried(self): ...\n")
    assert retired_in(tmp_path) == ["faces.py", "faces.py: Told", "faces.py: tried"]
