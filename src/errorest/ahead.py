"""Kernels that were compiled ahead to WebAssembly, for a Python without a compiler, such as that of a web page.

``make kernels`` compiles the kernels for the types of the arguments that pages pass to them.  A call with such types
goes to the library; any other runs the same function as plain Python, which is said once on standard error.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import Any

import numpy as np

Spec = Mapping[str, Any]
"""A type in ``kernels.json``: an array's ``ndim``, ``dtype`` and ``order``, a tuple's ``items``, or a ``scalar``."""

LIBRARY, INDEX = "kernels.wasm", "kernels.json"

_SCALARS: dict[str, Any] = {
    "bool": ctypes.c_uint8,
    "int8": ctypes.c_int8,
    "int32": ctypes.c_int32,
    "uint32": ctypes.c_uint32,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float64": ctypes.c_double,
}
# What a kernel returns: 0, or this where its value is None; anything else is an exception
_NOTHING = -2
_versions: dict[str, list[_Version]] = {}
_said: set[str] = set()


class _Unlike(Exception):
    """An argument is not of the type that was compiled for."""


class _Raised(Exception):
    """A kernel raised an exception, of which it says nothing more."""


def load_ahead(folder: str | Path) -> None:
    """Make kernels that were compiled ahead known.

    Parameters
    ----------
    folder : str or Path
        Where ``kernels.wasm`` and ``kernels.json`` are.

    Raises
    ------
    OSError
        If a file cannot be read, or the library is for another kind of machine.

    Notes
    -----
    It has an effect in plain mode only (:data:`errorest.compiled.PLAIN`).

    Examples
    --------
    >>> load_ahead("/files/page")  # doctest: +SKIP
    """
    index = json.loads((Path(folder) / INDEX).read_text(encoding="utf-8"))
    library = ctypes.CDLL(str(Path(folder) / LIBRARY))
    _versions.clear()
    for name, compiled in index["kernels"].items():
        _versions[name] = [_Version(library, one["symbol"], one["arguments"], one["returns"]) for one in compiled]


def was_compiled_ahead(function: Callable[..., Any]) -> bool:
    """Whether a kernel was compiled ahead, for whatever types."""
    return _name_of(function) in _versions


def looked_up(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls what was compiled ahead for its arguments, and else the function itself."""
    name = _name_of(function)

    @wraps(function)
    def call(*arguments: Any) -> Any:
        for version in _versions.get(name, ()):
            try:
                return version(arguments)
            except _Unlike:
                continue
            except _Raised:  # plain Python raises it again, with its text
                return function(*arguments)
        if _versions and name not in _said:
            _said.add(name)
            print(f"errorest: {name} runs as plain Python; it was not compiled for these types", file=sys.stderr)
        return function(*arguments)

    return call


def _name_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


class _Version:
    """A kernel compiled for one list of types.

    The machine's convention is numba's: the addresses of the result and of a description of the exception come first,
    then the arguments, arrays and tuples taken apart; a status is returned.
    """

    def __init__(self, library: ctypes.CDLL, symbol: str, arguments: Sequence[Spec], returns: Spec | None) -> None:
        self.library, self.symbol, self.arguments, self.returns = library, symbol, arguments, returns
        self.result = ctypes.c_void_p if returns is None else _c_type(returns)
        self.entry: Any = None

    def __call__(self, arguments: Sequence[Any]) -> Any:
        """Call the kernel; :class:`_Unlike` if an argument has another type."""
        if len(arguments) != len(self.arguments):
            raise _Unlike
        widened: list[tuple[np.ndarray, np.ndarray]] = []
        passed = [part for pair in zip(arguments, self.arguments, strict=True) for part in _parts(*pair, widened)]
        if self.entry is None:
            self.entry = getattr(self.library, self.symbol)
            self.entry.restype = ctypes.c_int32
            self.entry.argtypes = [ctypes.c_void_p] * 2 + [type(part) for part in passed]
        result, exception = self.result(), ctypes.c_void_p()
        status = self.entry(ctypes.addressof(result), ctypes.addressof(exception), *passed)
        if status not in (0, _NOTHING):
            raise _Raised
        for given, wide in widened:
            if given.flags.writeable:
                given[...] = wide
        return None if self.returns is None or status == _NOTHING else self._value(result, self.returns)

    def _value(self, result: Any, spec: Spec) -> Any:
        """Turn what a kernel returned into Python's and numpy's; arrays are copied, and the kernel's given back."""
        if "items" in spec:
            values = [self._value(getattr(result, f"_{i}"), one) for i, one in enumerate(spec["items"])]
            return tuple(values)
        if "scalar" in spec:
            value = result if isinstance(result, int | float) else result.value
            return bool(value) if spec["scalar"] == "bool" else value
        dtype, shape = _dtype(spec), tuple(result.shape)
        n_bytes = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
        content = ctypes.string_at(result.data, n_bytes) if n_bytes else b""
        array = np.frombuffer(bytearray(content), dtype).reshape(shape)
        if result.owner:
            self.library.errorest_release(ctypes.c_void_p(result.owner))
        return array if dtype.names is None else array.view(np.recarray)


def _parts(value: Any, spec: Spec, widened: list[tuple[np.ndarray, np.ndarray]]) -> Iterator[Any]:
    """Take an argument apart as the machine passes it; arrays of narrower whole numbers are widened, and listed."""
    if "items" in spec:
        if not isinstance(value, tuple) or len(value) != len(spec["items"]):
            raise _Unlike
        for one, of in zip(value, spec["items"], strict=True):
            yield from _parts(one, of, widened)
    elif "scalar" in spec:
        yield _scalar(value, spec["scalar"])
    else:
        array = _array(value, spec, widened)
        # nobody counts references to it: no owner, no parent
        yield from (ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int64(array.size), ctypes.c_int64(array.itemsize))
        yield ctypes.c_void_p(array.ctypes.data)
        yield from map(ctypes.c_int64, (*array.shape, *array.strides))


def _scalar(value: Any, wanted: str) -> Any:
    if not isinstance(value, int | float | np.generic) or isinstance(value, np.void):
        raise _Unlike
    real = isinstance(value, float | np.floating)
    if real and wanted != "float64":
        raise _Unlike
    if wanted == "bool" and not isinstance(value, bool | np.bool_):
        raise _Unlike
    return _SCALARS[wanted](float(value) if wanted == "float64" else int(value))


def _array(value: Any, spec: Spec, widened: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    if not isinstance(value, np.ndarray) or value.ndim != spec["ndim"]:
        raise _Unlike
    wanted = _dtype(spec)
    if value.dtype != wanted:
        narrower = value.dtype.kind == wanted.kind and value.dtype.kind in "iu" and value.itemsize < wanted.itemsize
        if not narrower:
            raise _Unlike
        widened.append((value, value.astype(wanted)))
        value = widened[-1][1]
    if spec["order"] == "C" and not value.flags.c_contiguous:
        raise _Unlike
    return value


def _dtype(spec: Spec) -> np.dtype:
    return _dtype_of(json.dumps(spec["dtype"]))


@cache
def _dtype_of(text: str) -> np.dtype:
    described: Any = json.loads(text)
    return np.dtype(described)


def _c_type(spec: Spec) -> Any:
    """Return the C type of a result: numba's array is a structure, a tuple one of its items."""
    if "scalar" in spec:
        return _SCALARS[spec["scalar"]]
    if "items" in spec:
        fields = [(f"_{i}", _c_type(one)) for i, one in enumerate(spec["items"])]
    else:
        lengths = ctypes.c_int64 * spec["ndim"]
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        fields = [("owner", pointer), ("parent", pointer), ("n_items", number), ("item_bytes", number)]
        fields += [("data", pointer), ("shape", lengths), ("strides", lengths)]
    return type("Result", (ctypes.Structure,), {"_fields_": fields})
