#!/usr/bin/env python3
"""Compile the kernels that pages call to WebAssembly: ``.ci/kernels.py FOLDER`` writes kernels.wasm and kernels.json.

The calls of ``.ci/pages/page_calls.py`` are run, for which numba finds the types of the kernels' arguments and writes
LLVM's intermediate code.  That is joined with a runtime of a few functions, ``kernels.ll``, compiled for wasm32 by the
LLVM in llvmlite, and linked by ``wasm-ld`` (Debian's lld) to a library that Pyodide's ctypes loads.  The same sources
and versions give the same bytes.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TRIPLE = "wasm32-unknown-emscripten"
# Unoptimized code for a plain processor, since it is optimized for another; sets in the same order each time
SETTINGS = {
    "PYTHONHASHSEED": "0",
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_DISABLE_INTEL_SVML": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
MOST_BYTES = 400_000


def main() -> None:
    """Run the calls, compile, link and write."""
    if sys.argv[1:2] == ["--same-versions"]:
        one, other = (json.loads((Path(name) / "kernels.json").read_text())["versions"] for name in sys.argv[2:])
        sys.exit(None if one == other else f"not compared: made with {other}; these are {one}")
    if len(sys.argv) != 2:
        sys.exit("usage: .ci/kernels.py FOLDER")
    if shutil.which("wasm-ld") is None:
        sys.exit("error: wasm-ld is missing; install Debian's package lld")
    if any(os.environ.get(name) != value for name, value in SETTINGS.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | SETTINGS)
    folder = Path(sys.argv[1])
    run_calls()
    module, kernels = joined()
    with tempfile.TemporaryDirectory() as scratch:
        library = linked(module, kernels, Path(scratch))
    if len(library) > MOST_BYTES:
        sys.exit(f"error: the library has {len(library)} bytes; expected {MOST_BYTES} at most; compile fewer types")
    index = {"versions": versions(), "sources": sources(), "kernels": kernels}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernels.wasm").write_bytes(library)
    (folder / "kernels.json").write_text(json.dumps(index, separators=(",", ":"), sort_keys=True) + "\n")
    n = sum(map(len, kernels.values()))
    print(f"{len(kernels)} kernels for {n} lists of types: {len(library)} bytes")


def versions() -> dict[str, str]:
    """Return what the bytes depend on beside the sources."""
    import llvmlite
    import numba

    linker = subprocess.run(["wasm-ld", "--version"], check=True, capture_output=True, text=True).stdout.split()
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "wasm-ld": next(word for word in linker if word[0].isdigit()),
    }


def run_calls() -> None:
    """Run what pages call, with nothing read from the cache: what lies there has no intermediate code."""
    from numba.core import caching, callconv

    caching.FunctionCache.load_overload = lambda self, signature, context: None
    caching.FunctionCache.save_overload = lambda self, signature, data: None
    # an exception's description, which nobody reads, would name a file of this machine
    describe = callconv.CPUCallConv.build_excinfo_struct
    callconv.CPUCallConv.build_excinfo_struct = lambda self, kind, arguments, place, name: describe(
        self, kind, arguments, None, None
    )
    sys.path.insert(0, str(HERE / "pages"))
    from page_calls import all_calls

    warnings.simplefilter("ignore")
    for name, call in all_calls().items():
        print(name, file=sys.stderr)
        call()


def joined() -> tuple[Any, dict[str, list[dict[str, Any]]]]:
    """Join the intermediate code of all kernels; returns the module, and symbols and types by kernel."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = machine_of(llvm)
    head = f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
    module = llvm.parse_assembly(head + (HERE / "kernels.ll").read_text())
    kernels: dict[str, list[dict[str, Any]]] = {}
    number = 0
    for name, signature, overload in overloads():
        arguments, returns = [spec_of(one) for one in signature.args], spec_of(signature.return_type)
        if any(map(unknown, [*arguments, returns or {}])):
            print(f"not compiled: {name}{signature}", file=sys.stderr)
            continue
        symbol = f"kernel_{number}"
        number += 1
        text = overload.library.get_llvm_str()
        text = re.sub('target (triple|datalayout) = ".*"\n', "", text)
        one = llvm.parse_assembly(head + text)
        one.verify()
        for function in one.functions:
            if function.name == overload.fndesc.llvm_func_name:
                function.name, function.linkage = symbol, "external"
            elif not function.is_declaration:
                function.linkage = "internal"
        for variable in one.global_variables:
            if not variable.is_declaration:
                variable.linkage = "internal"
        remove_unused(llvm, one)
        module.link_in(one)
        kernels.setdefault(name, []).append({"symbol": symbol, "arguments": arguments, "returns": returns})
    return module, kernels


def overloads() -> list[tuple[str, Any, Any]]:
    """List the kernels that Python calls, by name, narrow types first, with their compiled forms.

    Of two forms that differ in the order of arrays, one for any order stands for both; so does one of those that differ
    in whether arrays may be written.
    """
    from numba.core.registry import CPUDispatcher

    found = {}
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").partition(".")[0] in ("errorest", "compendium"):
            for value in list(vars(module).values()):
                # what compiled code alone calls has no wrapper, or is inlined
                if isinstance(value, CPUDispatcher) and not (
                    value.targetoptions.get("no_cpython_wrapper") or value.targetoptions.get("inline")
                ):
                    name = f"{value.py_func.__module__}:{value.py_func.__qualname__}"
                    for signature, overload in value.overloads.items():
                        found[name, width(signature), general(signature)] = overload
    kept = [one for one in found if not any(other != one and covers(other, one) for other in found)]
    return [(one[0], found[one].signature, found[one]) for one in sorted(kept)]


def general(signature: tuple[Any, ...]) -> str:
    """Write types without what does not matter to the loader."""
    return str(signature).replace("readonly ", "").replace("', True, aligned", "', False, aligned")


def covers(one: tuple[str, int, str], other: tuple[str, int, str]) -> bool:
    """Tell whether a form of a kernel takes whatever another takes, since its arrays may have any order."""
    alike = len(one[2]) == len(other[2]) and one[:2] == other[:2]
    return alike and all(a == b or (a, b) == ("A", "C") for a, b in zip(one[2], other[2], strict=True))


def width(signature: tuple[Any, ...]) -> int:
    """Return a number that is lower for narrower types, floats being the widest."""
    return sum(sum({"int64": 2, "float64": 3}.get(word, 1) for word in re.findall(r"\w+", str(t))) for t in signature)


def spec_of(kind: Any) -> dict[str, Any] | None:
    """Describe a type as ``errorest.ahead`` reads it; None of a result that is None."""
    from numba import types

    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, types.Array):
        dtype: Any = str(kind.dtype)
        if isinstance(kind.dtype, types.Record):
            of = kind.dtype.dtype
            names = list(of.names)
            formats, offsets = [of.fields[name][0].str for name in names], [of.fields[name][1] for name in names]
            dtype = {"names": names, "formats": formats, "offsets": offsets, "itemsize": of.itemsize}
        return {"ndim": kind.ndim, "dtype": dtype, "order": kind.layout}
    if isinstance(kind, types.BaseTuple):
        return {"items": [spec_of(one) for one in kind]}
    if kind == types.none:
        return None
    if kind == types.boolean:
        return {"scalar": "bool"}
    return {"scalar": str(kind) if isinstance(kind, types.Integer | types.Float) else f"unknown {kind}"}


def unknown(spec: dict[str, Any] | None) -> bool:
    """Tell whether the loader cannot pass a type."""
    if spec is None:
        return True
    return str(spec.get("scalar", "")).startswith("unknown") or any(map(unknown, spec.get("items", ())))


def machine_of(llvm: Any) -> Any:
    """Return the target: a library, whose code does not depend on its place."""
    return llvm.Target.from_triple(TRIPLE).create_target_machine(reloc="pic", codemodel="default", opt=3)


def remove_unused(llvm: Any, module: Any) -> None:
    """Remove what no kernel uses."""
    machine = machine_of(llvm)
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))


def linked(module: Any, kernels: dict[str, list[dict[str, Any]]], scratch: Path) -> bytes:
    """Optimize the module, compile it, and link the library."""
    import llvmlite.binding as llvm

    machine = machine_of(llvm)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    # vectors need a switch of the machine's, and unrolled loops room
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    used = set(re.findall(r"call [^@\n]*@\"?([\w.$]+)", str(module)))
    declared = {one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")}
    missing = sorted((declared & used) - GIVEN)
    if missing:
        sys.exit(f"error: no code for {', '.join(missing)}; add it to .ci/kernels.ll")
    (scratch / "kernels.o").write_bytes(machine.emit_object(module))
    symbols = ["errorest_release", *(one["symbol"] for compiled in kernels.values() for one in compiled)]
    command = ["wasm-ld", "-shared", "--experimental-pic", "--no-entry", "--strip-all", "-O2"]
    command += [f"--export={symbol}" for symbol in symbols]
    subprocess.run([*command, "kernels.o", "-o", "kernels.wasm"], cwd=scratch, check=True)
    return (scratch / "kernels.wasm").read_bytes()


# What Pyodide's own module has
GIVEN = {"malloc", "free", "memcpy", "memmove", "memset", "exp", "log", "log2", "log1p", "expm1", "pow", "fmod", "sqrt"}


def sources() -> dict[str, str]:
    """Return the digest of the kernels' sources of each module that has compiled ones."""
    from numba.core.registry import CPUDispatcher

    modules = {
        value.py_func.__module__
        for module in list(sys.modules.values())
        if getattr(module, "__name__", "").partition(".")[0] in ("errorest", "compendium")
        for value in list(vars(module).values())
        if isinstance(value, CPUDispatcher) and (value.overloads or value.targetoptions.get("inline"))
    }
    return {name: digest(name) for name in sorted(modules)}


def digest(module: str) -> str:
    """Return the SHA-256 of what decides on a module's kernels: these, its constants, and its named tuples."""
    text = (HERE.parent / "src" / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8")
    kept = [ast.get_source_segment(text, node) or "" for node in ast.parse(text).body if decides(node)]
    return hashlib.sha256("\n".join(kept).encode()).hexdigest()


def decides(node: ast.stmt) -> bool:
    """Tell whether a statement of a module is a kernel, a constant or a named tuple."""
    if isinstance(node, ast.FunctionDef):
        return bool(KINDS & {getattr(one, "id", "") for one in node.decorator_list})
    if isinstance(node, ast.ClassDef):
        return "NamedTuple" in {getattr(one, "id", "") for one in node.bases}
    return isinstance(node, ast.Assign | ast.AnnAssign)


KINDS = {"kernel", "numpy_kernel", "both", "inner", "maker", "within"}


if __name__ == "__main__":
    main()
