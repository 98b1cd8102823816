"""Digests of code: what decides whether a stored result is still valid.

Code is compared as syntax trees without docstrings, so that a comment changes nothing.  No tool follows the imports,
since those of a reader's module outside the packages count too, and names that a package imports at first use.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from errorest.errors import UsageError

PACKAGES = ("errorest", "compendium")
_SOURCE = Path(__file__).parents[2]
# These carry results and messages and decide none; a layout number in the keys stands for how study.py seeds and cuts.
_CARRIERS = frozenset(
    [f"errorest.{name}" for name in ("determinism", "errors", "extras", "files")]
    + ["compendium.folders", "compendium.versions"]
    + [f"compendium.studies.{name}" for name in ("columns", "digests", "store", "study", "workers")]
)


@lru_cache(maxsize=256)
def _code_digest(modules: tuple[str, ...], folder: Path | None) -> str:
    followed = {*PACKAGES} | {name.partition(".")[0] for name in modules}
    followed |= {path.stem for path in folder.iterdir()} if folder else set()
    for name in modules:
        if _find(name, folder) is None:
            raise UsageError(
                f"the source of module '{name}' cannot be found", "move the function into an importable module"
            )
    trees: dict[str, str] = {}
    waiting = sorted(modules)
    while waiting:
        name = waiting.pop()
        path = None if name in trees or name in _CARRIERS else _find(name, folder)
        if path is not None:
            module = _read(name, path)
            trees[name] = module.digest
            for source, imported in module.imports:
                if source.partition(".")[0] in followed:
                    waiting.extend(_targets(source, imported, folder))
    return _digest(trees)


def code_digest(modules: Iterable[str], *, folder: Path | None = None) -> str:
    """Digest the code of some modules and of all that they import, except modules that only carry results.

    Imports are followed inside errorest and the compendium, inside the packages of the named modules and among what is
    in ``folder``.  Where a name is imported from a package, its ``__init__`` counts.  Without a folder it is computed
    once a process, for the code that was loaded.
    """
    names = tuple(sorted(set(modules)))
    # a reader's modules may change while the process lives
    return _code_digest(names, None) if folder is None else _code_digest.__wrapped__(names, folder)


@lru_cache(maxsize=1)
def source_digest() -> str:
    """Digest the source of both packages, comments included (SHA-256 in hexadecimal)."""
    results = ((name, _find(name, _SOURCE)) for package in PACKAGES for name in _modules(package, _SOURCE))
    return _digest({name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in results if path})


def _find(name: str, folder: Path | None) -> Path | None:
    """Return the source file of a module without importing it (except its parents, outside errorest)."""
    # called ten thousand times by a build, so texts, which are made faster than paths
    parts = name.split(".")
    for base in (folder, _SOURCE if parts[0] in PACKAGES else None):
        if base is not None:
            place = os.path.join(base, *parts)
            for path in (os.path.join(place, "__init__.py"), f"{place}.py"):
                if os.path.isfile(path):
                    return Path(path)
    if parts[0] in PACKAGES:
        return None
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and (spec.origin or "").endswith(".py") else None  # type: ignore[arg-type]


def _modules(package: str, folder: Path) -> Iterator[str]:
    for path in sorted(folder.joinpath(*package.split(".")).rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class _Module(NamedTuple):
    """A module's digest without docstrings, its imports (source, and name or None), and the names that it binds."""

    digest: str
    imports: list[tuple[str, str | None]]
    bound: set[str]


# Modules read so far, by name and content: most are followed from many
_KNOWN: dict[tuple[str, bytes], _Module] = {}


def _read(name: str, path: Path) -> _Module:
    content = path.read_bytes()
    key = (name, hashlib.sha256(content).digest())
    if key not in _KNOWN:
        tree = ast.parse(content, filename=path.name)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        imports: list[tuple[str, str | None]] = []
        bound: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                if ast.get_docstring(node, clean=False) is not None:
                    node.body = node.body[1:]
                if not isinstance(node, ast.Module):
                    bound.add(node.name)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                bound.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
                if isinstance(node, ast.Import):
                    imports += [(alias.name, None) for alias in node.names]
                else:
                    source = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
                    imports += [(source, alias.name) for alias in node.names]
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound.add(node.id)
        _KNOWN[key] = _Module(hashlib.sha256(_spell(tree).encode()).hexdigest(), imports, bound)
    return _KNOWN[key]


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


def _targets(source: str, name: str | None, folder: Path | None) -> Iterator[str]:
    """Yield the modules that an import needs: a submodule, or the package that the name is in."""
    if name is not None and _find(f"{source}.{name}", folder) is not None:
        yield f"{source}.{name}"
        return
    yield source
    path = _find(source, folder)
    package = path if name not in (None, "*") and path is not None and path.name == "__init__.py" else None
    if package is not None and name not in _read(source, package).bound:
        # imported at first use, from an unknown module: the whole package counts
        yield from _modules(source, package.parents[len(source.split("."))])


def _digest(parts: Mapping[str, str]) -> str:
    return hashlib.sha256("\n".join(f"{name} {parts[name]}" for name in sorted(parts)).encode()).hexdigest()
