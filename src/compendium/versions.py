"""What a stored result was computed with: settings in force, installed versions, the processor."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import metadata

from errorest import determinism

# Packages whose versions decide results
COMPUTING = ("numpy", "scipy", "scikit-learn", "numba", "llvmlite", "pandas")


def settings(environment: Mapping[str, str] | None = None) -> dict[str, str | None]:
    """Read the settings that decide bits, None where one is not set."""
    source = os.environ if environment is None else environment
    return {name: source.get(name) for name in determinism.ENVIRONMENT}


def in_force(environment: Mapping[str, str] | None = None) -> bool:
    """Tell whether a process (by default this one) runs under :data:`errorest.determinism.ENVIRONMENT`."""
    return settings(environment) == dict(determinism.ENVIRONMENT)


def installed(packages: Iterable[str] = COMPUTING) -> dict[str, str]:
    """Return the installed version of packages and of Python; "none" where one is missing."""
    results = {"python": ".".join(str(part) for part in sys.version_info[:2])}
    return results | {name: _version_of(name) for name in packages}


@lru_cache(maxsize=256)
def _version_of(package: str) -> str:
    # a distribution's whole description is read for it
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"


def processor(environment: Mapping[str, str | None] = determinism.ENVIRONMENT) -> tuple[str, ...]:
    """Return the kind of processor with the features that numpy may choose kernels by."""
    import numpy as np

    result = np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])
    off = (environment.get("NPY_DISABLE_CPU_FEATURES") or "").split()
    return (platform.machine(), *sorted(set(result) - set(off)))


@lru_cache(maxsize=1)
def versions_digest() -> str:
    """Digest what computes: the installed versions of Python and of :data:`COMPUTING`."""
    result = installed()
    return hashlib.sha256("\n".join(f"{name} {result[name]}" for name in sorted(result)).encode()).hexdigest()
