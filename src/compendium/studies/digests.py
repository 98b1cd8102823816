"""Digests of code: what decides whether a stored result is still valid.

Code is compared as syntax trees without docstrings, so that a comment costs nothing.
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

__all__ = ["code_digest", "source_digest"]

PACKAGES = ("errorest", "compendium")
_SOURCE = Path(__file__).parents[2]
# These carry results and messages and decide none.  How study.py seeds and cuts is
# stated by the layout number in its keys.
_CARRIERS = frozenset(f"errorest.{name}" for name in ("bits", "errors", "extras", "faces", "files")) | frozenset(
    f"compendium.studies.{name}" for name in ("columns", "digests", "store", "study", "workers")
)


@lru_cache(maxsize=256)
def _code_digest(modules: tuple[str, ...], folder: Path | None) -> str:
    followed = {*PACKAGES} | {name.partition(".")[0] for name in modules}
    followed |= {path.stem for path in folder.iterdir()} if folder else set()
    for name in modules:
        if _find(name, folder) is None:
            raise UsageError(
                f"the source of module '{name}' cannot be found; expected an importable module with a .py file; "
                "move the function into one"
            )
    trees: dict[str, str] = {}
    waiting = sorted(modules)
    while waiting:
        name = waiting.pop()
        path = None if name in trees or name in _CARRIERS else _find(name, folder)
        if path is not None:
            known = _read(path, path.read_bytes())
            trees[name] = known.digest
            waiting.extend(_imports(name, path, known.imports, followed, folder))
    return _digest(trees)


def code_digest(modules: Iterable[str], *, folder: Path | None = None) -> str:
    """Digest the code of some modules and of all that they import from errorest.

    Imports are read from the source, wherever in a module they stand, and followed inside
    errorest, inside the packages of the named modules and among what stands in ``folder``.  A
    package's ``__init__`` counts where a name is imported from it.  Modules that only carry
    results (store, study, ...) are left out.  Without a folder it is computed once a process, for the
    code that it has loaded.
    """
    names = tuple(sorted(set(modules)))
    # a reader's own modules may change while the process lives
    return _code_digest(names, None) if folder is None else _code_digest.__wrapped__(names, folder)


@lru_cache(maxsize=1)
def source_digest() -> str:
    """Digest the source of the whole package, comments included (SHA-256 in hexadecimal)."""
    found = ((name, _find(name, _SOURCE)) for package in PACKAGES for name in _modules(package, _SOURCE))
    return _digest({name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found if path})


def _find(name: str, folder: Path | None) -> Path | None:
    """Return the source file of a module without importing it (its parents apart, outside errorest)."""
    # asked some ten thousand times by a build, so texts, which are made faster than paths
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
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)


def _modules(package: str, folder: Path) -> Iterator[str]:
    base = folder.joinpath(*package.split("."))
    for path in sorted(base.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class _Import(NamedTuple):
    """An import: of the names themselves at level -1, else of names from a source so many packages up."""

    level: int
    source: str
    names: tuple[str, ...]


class _Module(NamedTuple):
    """What a module's source says: its digest without docstrings, its imports, the names that it binds."""

    digest: str
    imports: tuple[_Import, ...]
    bound: frozenset[str]


_KNOWN: dict[str, _Module] = {}
"""Modules read so far, by the digest of their content."""


def _read(path: Path, content: bytes) -> _Module:
    """Read what the content of a module says, once: most modules are followed from many."""
    key = hashlib.sha256(content).hexdigest()
    if key not in _KNOWN:
        tree = _tree(path, content)
        found = [_import(node) for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        _KNOWN[key] = _Module(hashlib.sha256(_spell(tree).encode()).hexdigest(), tuple(found), _bound(tree))
    return _KNOWN[key]


def _import(node: ast.Import | ast.ImportFrom) -> _Import:
    names = tuple(alias.name for alias in node.names)
    if isinstance(node, ast.Import):
        return _Import(-1, "", names)
    return _Import(node.level, node.module or "", names)


def _tree(path: Path, content: bytes) -> ast.Module:
    """Parse a module and take the docstrings out."""
    tree = ast.parse(content, filename=path.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:] if isinstance(first.value.value, str) else node.body
    return tree


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


def _imports(
    name: str,
    path: Path,
    imports: Iterable[_Import],
    followed: set[str],
    folder: Path | None,
) -> Iterator[str]:
    """Name the modules inside the followed packages that a module imports."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in imports:
        if node.level < 0:
            yield from (one for one in node.names if one.partition(".")[0] in followed)
        else:
            source = node.source
            if node.level:
                base = package.split(".")[: len(package.split(".")) - node.level + 1]
                source = ".".join([*base, source] if source else base)
            if source.partition(".")[0] in followed:
                yield from _imported_from(source, list(node.names), folder)


def _imported_from(source: str, names: list[str], folder: Path | None) -> Iterator[str]:
    """Tell submodules from names that stand in a package's ``__init__``."""
    rest = [name for name in names if _find(f"{source}.{name}", folder) is None]
    yield from (f"{source}.{name}" for name in names if name not in rest)
    path = _find(source, folder)
    if not rest or path is None:
        return
    yield source
    if path.name == "__init__.py" and not set(rest) <= _read(path, path.read_bytes()).bound | {"*"}:
        # made on demand by the package, nobody can tell from what: the whole package counts
        yield from _modules(source, path.parents[len(source.split("."))])


def _bound(tree: ast.Module) -> frozenset[str]:
    """Collect the names that a module binds by import, definition or assignment."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return frozenset(names)


def _digest(parts: Mapping[str, str]) -> str:
    return hashlib.sha256("\n".join(f"{name} {parts[name]}" for name in sorted(parts)).encode()).hexdigest()
