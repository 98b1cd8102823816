"""Settings for results that are equal to the bit: threads, processor kernels, and the cache of compiled code.

This module never imports numpy: the settings must be in force before it is imported.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tomllib
from collections.abc import Mapping, MutableMapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

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

RESULTS_VERSION = 2
"""Version of the numbers that errorest yields: raised with every change of a number for the same input and seed.

It is in the key of every stored result.  Edits that leave all numbers alone leave it alone.
"""

# Packages with compiled code, beside the top modules; the compendium exists in a checkout only
_COMPILED = (
    *(f"errorest/{name}" for name in ("data", "resampling", "learners", "estimation")),
    "compendium/methods",
)


def apply(environment: MutableMapping[str, str] | None = None) -> MutableMapping[str, str]:
    """Write :data:`ENVIRONMENT` into an environment: that of a process to be started, or of this one.

    Where this process has imported numpy, its environment stays: numpy and its BLAS have read theirs, and the settings
    would be reported as in force although they are not.
    """
    if environment is None and "numpy" in sys.modules:
        return os.environ
    target = os.environ if environment is None else environment
    target.update(ENVIRONMENT)
    return target


@cache
def project_root() -> Path | None:
    """Find the folder of the project that this package belongs to, None where it is installed apart."""
    for folder in Path(__file__).resolve().parents:
        described = folder / "pyproject.toml"
        if described.is_file():
            named = tomllib.loads(described.read_text(encoding="utf-8")).get("project", {}).get("name")
            if named == "errorest":
                return folder
    return None


def numba_cache_dir(root: Path) -> Path:
    """Return the folder for compiled code, one for each state of its modules: numba does not see edited callees."""
    here = Path(__file__).parent
    compiled = (path for part in _COMPILED for path in (here.parent / part).rglob("*.py"))
    digest = hashlib.sha256()
    for path in (*sorted(compiled), *sorted(here.glob("*.py"))):
        digest.update(f"{path.relative_to(here.parent)}\0".encode() + path.read_bytes())
    return root / "_build" / "numba" / digest.hexdigest()[:16]
