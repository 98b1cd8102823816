"""Digests of code: whether what computes is what computed before.

Code is compared as syntax trees without docstrings, so that a comment changes nothing.  No tool follows the imports,
since those of a reader's module outside the packages count too.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from errorest.errors import UsageError

PACKAGES = ("errorest", "compendium")
_SOURCE = Path(__file__).parents[2]
# These carry results and messages and decide none; a layout number in the keys says how study.py seeds and cuts.
_CARRIERS = tuple(
    ["compendium.folders", "compendium.versions"]
    + [f"errorest.{name}" for name in ("determinism", "errors", "extras", "files")]
    + [f"compendium.studies.{name}" for name in ("columns", "digests", "spot_check", "store", "study", "workers")]
)


def code_digest(modules: Iterable[str], *, folder: Path | None = None, without: Sequence[str] = ()) -> str:
    """Digest the code of some modules and of all that they import, except modules that only carry results.

    Imports are followed inside errorest and the compendium, inside the packages of the named modules and among what is
    in ``folder``; not into what begins like a name of ``without``.
    """
    waiting = sorted({*modules})
    followed = {*PACKAGES, *(name.partition(".")[0] for name in waiting)}
    followed |= {path.stem for path in folder.iterdir()} if folder else set()
    for name in waiting:
        if _find(name, folder) is None:
            raise UsageError(
                f"the source of module '{name}' cannot be found", "move the function into an importable module"
            )
    digests: dict[str, str] = {}
    while waiting:
        name = waiting.pop()
        path = None if name in digests or name in _CARRIERS else _find(name, folder)
        if path is not None:
            digests[name], imports = _read(name, path, path.stat().st_mtime_ns, path.stat().st_size)
            for source, imported in imports:
                if source.partition(".")[0] in followed:
                    # a name is a module of the package, or the package has it
                    inner = f"{source}.{imported}"
                    target = inner if imported and _find(inner, folder) is not None else source
                    waiting += [] if target.startswith(tuple(without)) else [target]
    return _digest(digests)


def source_digest() -> str:
    """Digest the source of both packages, comments included (SHA-256 in hexadecimal)."""
    files = (path for package in PACKAGES for path in (_SOURCE / package).rglob("*.py"))
    return _digest({str(path.relative_to(_SOURCE)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files})


def _find(name: str, folder: Path | None) -> Path | None:
    """Return the source file of a module without importing it (except its parents, outside the packages)."""
    ours = name.partition(".")[0] in PACKAGES
    for base in (folder, _SOURCE if ours else None):
        if base is not None:
            place = base.joinpath(*name.split("."))
            for path in (place / "__init__.py", place.with_name(f"{place.name}.py")):
                if path.is_file():
                    return path
    try:
        spec = None if ours else importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and (spec.origin or "").endswith(".py") else None  # type: ignore[arg-type]


@cache
def _read(name: str, path: Path, changed: int, size: int) -> tuple[str, list[tuple[str, str]]]:
    """Return the digest of a module without docstrings, and its imports: source, and name or nothing."""
    tree = ast.parse(path.read_bytes(), filename=path.name)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    imports: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:]
        elif isinstance(node, ast.Import):
            imports += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            imports += [(source, alias.name) for alias in node.names]
    return hashlib.sha256(_spell(tree).encode()).hexdigest(), imports


def _spell(node: object) -> str:
    """Write a syntax tree out alike on every Python (``ast.dump`` changed with 3.13)."""
    if isinstance(node, ast.Constant):
        return f"{type(node.value).__name__}:{node.value!r}"
    if isinstance(node, ast.AST):
        fields = ((name, value) for name, value in ast.iter_fields(node) if value is not None and value != [])
        return f"{type(node).__name__}({','.join(f'{name}={_spell(value)}' for name, value in fields)})"
    if isinstance(node, list):
        return f"[{','.join(_spell(item) for item in node)}]"
    return repr(node)


def _digest(parts: dict[str, str]) -> str:
    return hashlib.sha256("\n".join(f"{name} {parts[name]}" for name in sorted(parts)).encode()).hexdigest()
