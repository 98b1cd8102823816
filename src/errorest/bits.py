"""What keeps results equal to the bit, and digests of what decides them.

Thread counts and processor kernels change the last bits of a sum, so
processes that compute start under :data:`ENVIRONMENT`.  Digests of the code
and of the installed versions tell whether a stored result still stands; code is
compared as syntax trees without docstrings, so that a comment costs nothing.
Importing this module never imports numpy: the settings must be there before it is.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import os
import platform
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from errorest.errors import UsageError

__all__ = [
    "COMPUTING",
    "ENVIRONMENT",
    "apply",
    "code_digest",
    "in_force",
    "installed",
    "numba_cache_dir",
    "processor",
    "project_root",
    "recall",
    "recalled",
    "settings",
    "source_digest",
    "versions_digest",
]

ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "NUMBA_NUM_THREADS": "1",
        # the one set of BLAS kernels that every machine with AVX2 and FMA can run
        "OPENBLAS_CORETYPE": "Haswell",
        # every AVX-512 group that numpy 2.4 dispatches on; naming any other draws a warning
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    }
)

_SOURCE = Path(__file__).parent.parent
# These carry results and messages and decide none.  How study.py seeds and cuts is
# stated by the layout number in its keys.
_CARRIERS = frozenset(
    f"errorest.{name}"
    for name in (
        "bits",
        "errors",
        "extras",
        "faces",
        "files",
        "orphans",
        "study",
        "study.columns",
        "study.store",
        "study.study",
        "study.workers",
    )
)
_NOT_NUMERICAL = frozenset(
    {"__init__", "__main__", "bits", "errors", "extras", "faces", "files", "folders", "orphans", "study"}
) | {*("cli", "compendium", "evidence", "guide", "papers", "plots")}
COMPUTING = ("numpy", "scipy", "scikit-learn", "numba", "llvmlite", "pandas")
"""Packages whose versions decide results."""


def apply(environment: MutableMapping[str, str] | None = None) -> MutableMapping[str, str]:
    """Write :data:`ENVIRONMENT` into the environment of a process that is about to start.

    Parameters
    ----------
    environment : mutable mapping, optional
        A copy of ``os.environ`` for a subprocess; by default ``os.environ`` itself, which
        helps only as long as numpy has not been imported.

    Returns
    -------
    mutable mapping
        The same object.

    Examples
    --------
    >>> apply({"HOME": "/home/me"})["OMP_NUM_THREADS"]
    '1'
    """
    target = os.environ if environment is None else environment
    target.update(ENVIRONMENT)
    return target


def settings(environment: Mapping[str, str] | None = None) -> dict[str, str | None]:
    """Read the settings that decide bits, None where one is not set.

    Examples
    --------
    >>> settings({"OMP_NUM_THREADS": "4"})["OMP_NUM_THREADS"]
    '4'
    """
    source = os.environ if environment is None else environment
    return {name: source.get(name) for name in ENVIRONMENT}


def in_force(environment: Mapping[str, str] | None = None) -> bool:
    """Tell whether a process (by default this one) runs under :data:`ENVIRONMENT`.

    Examples
    --------
    >>> in_force({}), in_force(apply({}))
    (False, True)
    """
    return settings(environment) == dict(ENVIRONMENT)


@lru_cache(maxsize=256)
def _code_digest(modules: tuple[str, ...], folder: Path | None) -> str:
    followed = {"errorest"} | {name.partition(".")[0] for name in modules}
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
    errorest and inside the packages of the named modules.  A package's ``__init__`` counts
    where a name is imported from it.  Modules that only carry results (store, study, ...)
    are left out.  The digest is computed once a process, for the code that it has loaded.

    Parameters
    ----------
    modules : iterable of str
        Full names, such as ``errorest.papers.kohavi``.
    folder : path, optional
        Where to look for modules first; by default where errorest stands, then ``sys.path``.

    Returns
    -------
    str
        SHA-256 in hexadecimal; comments and docstrings do not change it.

    Raises
    ------
    UsageError
        If one of the named modules has no readable source.

    Examples
    --------
    >>> code_digest(["errorest.streams"]) == code_digest(["errorest.streams", "errorest.errors"])
    True
    """
    return _code_digest(tuple(sorted(set(modules))), folder)


@lru_cache(maxsize=1)
def source_digest() -> str:
    """Digest the source of the whole package, comments included (SHA-256 in hexadecimal).

    Examples
    --------
    >>> len(source_digest())
    64
    """
    found = ((name, _find(name, _SOURCE)) for name in _modules("errorest", _SOURCE))
    return _digest({name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found if path})


def numba_cache_dir(root: Path) -> Path:
    """Name the folder for numba's compiled code, one for each state of the numerical floors.

    Numba notices an edit of the function it compiled and not of one that it calls in
    another module; a fresh folder after every edit of the numerical floors mends that.

    Parameters
    ----------
    root : path
        The project's folder.

    Returns
    -------
    path
        ``<root>/_build/numba/<digest>``, the value for NUMBA_CACHE_DIR; it is not made here.

    Examples
    --------
    >>> numba_cache_dir(Path("project")).parent.as_posix()
    'project/_build/numba'
    """
    numerical = (name for name in _modules("errorest", _SOURCE) if _floor_name(name) not in _NOT_NUMERICAL)
    found = ((name, _find(name, _SOURCE)) for name in numerical)
    trees = {name: _read(path, path.read_bytes())[0] for name, path in found if path}
    return root / "_build" / "numba" / _digest(trees)[:16]


def project_root() -> Path | None:
    """Find the folder of the project that this package belongs to, None where it is installed apart.

    Examples
    --------
    >>> root = project_root()
    >>> root is None or (root / "pyproject.toml").is_file()
    True
    """
    return _project_of(Path(__file__))


@lru_cache(maxsize=8)
def _project_of(file: Path) -> Path | None:
    for folder in file.resolve().parents:
        described = folder / "pyproject.toml"
        if described.is_file():
            named = tomllib.loads(described.read_text(encoding="utf-8")).get("project", {}).get("name")
            if named == "errorest":
                return folder
    return None


def installed(packages: Iterable[str] = COMPUTING) -> dict[str, str]:
    """Return the installed version of packages and of Python; "none" where one is missing.

    Parameters
    ----------
    packages : iterable of str
        Names of distributions; by default those that decide results.

    Examples
    --------
    >>> sorted(installed(["numpy", "no-such-package"])), installed(["no-such-package"])["no-such-package"]
    (['no-such-package', 'numpy', 'python'], 'none')
    """
    found = {"python": ".".join(str(part) for part in sys.version_info[:2])}
    return found | {name: _version_of(name) for name in packages}


@lru_cache(maxsize=256)
def _version_of(package: str) -> str:
    # a distribution's whole description is read for it
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"


def processor(environment: Mapping[str, str | None] = ENVIRONMENT) -> tuple[str, ...]:
    """Name the kind of processor, and the features that numpy would choose kernels by under some settings.

    Under :data:`ENVIRONMENT` all machines with AVX2 and FMA are one.

    Parameters
    ----------
    environment : mapping
        Settings; what they switch off is left out.

    Examples
    --------
    >>> set(processor()) & {"X86_V4", "AVX512_ICL"}
    set()
    """
    import numpy as np

    found = np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])
    off = (environment.get("NPY_DISABLE_CPU_FEATURES") or "").split()
    return (platform.machine(), *sorted(set(found) - set(off)))


@lru_cache(maxsize=1)
def versions_digest() -> str:
    """Digest what computes: the installed versions of Python and of :data:`COMPUTING`.

    Examples
    --------
    >>> len(versions_digest())
    64
    """
    return _digest(installed())


def _digest(parts: Mapping[str, str]) -> str:
    return hashlib.sha256("\n".join(f"{name} {parts[name]}" for name in sorted(parts)).encode()).hexdigest()


def _floor_name(module: str) -> str:
    """Return the part of a module's name below the package; the package itself is ``__init__``."""
    return module.split(".")[1] if "." in module else "__init__"


def _find(name: str, folder: Path | None) -> Path | None:
    """Return the source file of a module without importing it (its parents apart, outside errorest)."""
    # asked some ten thousand times by a build, so texts, which are made faster than paths
    parts = name.split(".")
    for base in (folder, _SOURCE if parts[0] == "errorest" else None):
        if base is not None:
            place = os.path.join(base, *parts)
            for path in (os.path.join(place, "__init__.py"), f"{place}.py"):
                if os.path.isfile(path):
                    return Path(path)
    if parts[0] == "errorest":
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
"""Modules by the digest of their content: those read so far, and those of :func:`recall`."""


def recall(text: str) -> None:
    """Take over what another process of the same sources and Python found out about modules.

    Parameters
    ----------
    text : str
        From :func:`recalled`; one of another Python, a damaged one, or none at all, is passed over.

    Examples
    --------
    >>> recall("no such text")
    """
    try:
        told = json.loads(text)
        if told["by"] != _reader() or told["sha256"] != _checksum(told["modules"]):
            return
        read = {
            key: _Module(digest, tuple(_Import(level, source, tuple(names)) for level, source, names in imports), bound)
            for key, (digest, imports, bound) in ((k, (d, i, frozenset(b))) for k, (d, i, b) in told["modules"].items())
        }
    except (ValueError, TypeError, KeyError):
        return
    _KNOWN.update(read)


def recalled() -> str:
    """Write down what this process knows of modules, which takes long to find out: a second for all.

    Examples
    --------
    >>> digest = code_digest(["errorest.streams"])
    >>> "modules" in recalled()
    True
    """
    modules = {key: (one.digest, one.imports, sorted(one.bound)) for key, one in sorted(_KNOWN.items())}
    return json.dumps({"by": _reader(), "sha256": _checksum(modules), "modules": modules})


def _checksum(modules: object) -> str:
    return hashlib.sha256(json.dumps(modules).encode()).hexdigest()


@lru_cache(maxsize=1)
def _reader() -> str:
    """Name who reads: this module and this Python."""
    return f"{sys.version} {hashlib.sha256(Path(__file__).read_bytes()).hexdigest()}"


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
