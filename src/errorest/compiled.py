"""How functions are compiled that compiled code calls.

Numba counts a reference to every array that a function is passed or reads, a tenth to a half of the time of small
training sets.  A function that makes no array needs no count; the compiler refuses to make one without it.
"""

from __future__ import annotations

from typing import Any

import numba as nb
from numba.core.options import DefaultOptions

# Wrappers, by which Python calls what is compiled, would take half of the time of compiling it
_WITHOUT_WRAPPERS: dict[str, Any] = {
    "cache": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def _references(counted: bool) -> dict[str, Any]:
    """Tell numba whether to count references; where it no longer takes that, all is compiled as ever, and slower."""
    return {"_nrt": counted} if hasattr(DefaultOptions, "_nrt") else {}


# Compile a function that makes no array, for compiled callers alone
inner = nb.njit(**_WITHOUT_WRAPPERS, **_references(counted=False))

# Compile a function that makes no array, for compiled callers and for Python
both = nb.njit(cache=True, error_model="numpy", **_references(counted=False))

# Compile a function that makes arrays, such as the working memory of a batch, for compiled callers alone
maker = nb.njit(**_WITHOUT_WRAPPERS, **_references(counted=True))

# Inline a function into each caller, so that its loops are optimized with the code around them
within = nb.njit(inline="always")
