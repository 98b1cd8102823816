"""How kernels are compiled; the only module that knows numba, without which they run as plain Python.

Numba counts a reference to every array that a function is passed or reads, a tenth to a half of the time of small
training sets.  A function that makes no array needs no count; the compiler refuses to make one without it.  Where numba
is not installed, or ``ERROREST_PLAIN`` is set, the same functions run uncompiled: slower, with the same results; those
that Python calls take what :func:`load_ahead` has made known.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from errorest.ahead import load_ahead, looked_up, was_compiled_ahead

__all__ = [
    "PLAIN",
    "bits_of",
    "both",
    "float_of",
    "inner",
    "is_slow",
    "kernel",
    "load_ahead",
    "maker",
    "numpy_kernel",
    "records",
    "start_compiler",
    "when_compiling",
    "within",
]

_PLAIN_ASKED = bool(os.environ.get("ERROREST_PLAIN"))
PLAIN = _PLAIN_ASKED or find_spec("numba") is None
"""Whether kernels run as plain Python."""


def is_slow(function: Callable[..., Any]) -> bool:
    """Whether a kernel that is not compiled runs as plain Python although ``ERROREST_PLAIN`` does not ask for that."""
    return not _PLAIN_ASKED and not was_compiled_ahead(function)


if PLAIN:

    def _as_it_is(function: Any) -> Any:
        return function

    kernel: Any = looked_up
    numpy_kernel: Any = looked_up
    both: Any = looked_up
    inner: Any = _as_it_is
    maker: Any = _as_it_is
    within: Any = _as_it_is

    def records(n: int, fields: np.dtype) -> np.ndarray:
        """Return ``n`` uninitialized records, whose fields are read as attributes."""
        return np.recarray((n,), fields)

    def bits_of(value: float) -> Any:
        """Return the bits of a float as a whole number."""
        return struct.unpack("<q", struct.pack("<d", value))[0]

    def float_of(bits: int) -> float:
        """Return the float that has these bits."""
        return struct.unpack("<d", struct.pack("<q", bits))[0]

    def when_compiling(react: Callable[[], None]) -> None:
        """Call a function when a kernel starts to be compiled; plain kernels never are."""

    def start_compiler() -> None:
        """Let the compiler set itself up; there is none."""

else:
    import numba
    from numba import types
    from numba.core import event
    from numba.core.options import DefaultOptions
    from numba.extending import intrinsic

    def _references(counted: bool) -> dict[str, Any]:
        """Tell numba whether to count references; one that no longer takes that compiles slower code."""
        return {"_nrt": counted} if hasattr(DefaultOptions, "_nrt") else {}

    # Wrappers, by which Python calls what is compiled, would take half of the time of compiling it
    _WITHOUT_WRAPPERS: dict[str, Any] = {
        "cache": True,
        "error_model": "numpy",
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
    }

    # Compile a function that Python calls; a division by zero raises
    kernel = numba.njit(cache=True)

    # Compile a function that Python calls; a division by zero gives inf or nan
    numpy_kernel = numba.njit(cache=True, error_model="numpy")

    # Compile a function that makes no array, for compiled callers and for Python
    both = numba.njit(cache=True, error_model="numpy", **_references(counted=False))

    # Compile a function that makes no array, for compiled callers alone
    inner = numba.njit(**_WITHOUT_WRAPPERS, **_references(counted=False))

    # Compile a function that makes arrays, such as the working memory of a batch, for compiled callers alone
    maker = numba.njit(**_WITHOUT_WRAPPERS, **_references(counted=True))

    # Inline a function into each caller, so that its loops are optimized with the code around them
    within = numba.njit(inline="always")

    @within
    def records(n, fields):  # type: ignore[no-untyped-def]
        """Return ``n`` uninitialized records, whose fields are read as attributes."""
        return np.empty(n, fields)

    def _cast(given: Any, wanted: Any) -> Any:
        """Make a compiled function that reads the bits of a number of one type as one of another."""

        def read(typing_context: Any, value: Any) -> Any:
            def convert(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return builder.bitcast(arguments[0], context.get_value_type(wanted))

            return wanted(given), convert

        return intrinsic(read)

    bits_of = _cast(types.float64, types.int64)
    float_of = _cast(types.int64, types.float64)

    class _Listener(event.Listener):
        """Hears of functions that are really compiled, and not read from the cache."""

        def __init__(self, react: Callable[[], None]) -> None:
            self.react = react

        def on_start(self, event: event.Event) -> None:
            self.react()

        def on_end(self, event: event.Event) -> None:
            pass

    def when_compiling(react: Callable[[], None]) -> None:
        """Call a function when a kernel starts to be compiled."""
        event.register("numba:compile", _Listener(react))

    def start_compiler() -> None:
        """Let the compiler set itself up, which it does with the first function that it compiles."""
        numba.njit(lambda x: x + 1)(np.zeros(1))
