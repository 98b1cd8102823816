"""The settings that keep results equal to the bit, and where compiled code is kept."""

import os
import shutil
from pathlib import Path

import pytest

from errorest import determinism
from errorest.cli import compiling
from processes import run_python

ROOT = Path(__file__).parents[2]


def test_numpy_starts_under_the_settings_without_a_warning_and_without_avx512() -> None:
    code = (
        "import numpy\n"
        "from numpy._core._multiarray_umath import __cpu_features__ as f\n"
        "assert not any(f[name] for name in ('X86_V4', 'AVX512_ICL', 'AVX512_SPR'))\n"
    )
    done = run_python("-W", "error", "-c", code, env=determinism.apply(dict(os.environ)))
    assert (done.returncode, done.stderr) == (0, "")


def test_the_settings_name_every_avx512_group_that_numpy_dispatches_on() -> None:
    from numpy._core._multiarray_umath import __cpu_dispatch__ as groups

    wide = {name for name in groups if name == "X86_V4" or name.startswith("AVX512")}
    assert set(determinism.ENVIRONMENT["NPY_DISABLE_CPU_FEATURES"].split()) == wide


@pytest.mark.parametrize("module", ["errorest.determinism", "errorest.cli.main", "compendium.cli.main"])
def test_nothing_that_runs_before_the_settings_are_applied_imports_numpy(module: str) -> None:
    code = f"import sys, {module}; sys.exit('numpy' in sys.modules)"
    done = run_python("-W", "error", "-c", code)
    assert (done.returncode, done.stderr) == (0, "")


def test_settings_that_come_after_numpy_are_not_said_to_be_in_force() -> None:
    code = (
        "import os, numpy\n"
        "from errorest import determinism\n"
        "determinism.apply()\n"
        "assert 'OPENBLAS_CORETYPE' not in os.environ\n"
        "assert determinism.apply({})['OPENBLAS_CORETYPE']\n"
    )
    without = {name: text for name, text in os.environ.items() if name not in determinism.ENVIRONMENT}
    done = run_python("-W", "error", "-c", code, env=without)
    assert (done.returncode, done.stderr) == (0, "")


def test_numbas_folder_changes_with_a_module_that_computes_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, ignored = Path(determinism.__file__).parents[1], shutil.ignore_patterns("__pycache__")

    def folder(edited: str) -> Path:
        copied = tmp_path / edited
        for package in ("errorest", "compendium/methods", "compendium/studies"):
            shutil.copytree(source / package, copied / package, ignore=ignored)
        with (copied / edited).open("a") as module:
            module.write("K = 1\n")
        monkeypatch.setattr(determinism, "__file__", str(copied / "errorest" / "determinism.py"))
        return determinism.numba_cache_dir(Path("project"))

    plain = determinism.numba_cache_dir(Path("project"))
    assert plain.parent == Path("project/_build/numba")
    for edited in ("errorest/cli/main.py", "errorest/assessment/options.py", "compendium/studies/study.py"):
        assert folder(edited) == plain
    for edited in ("errorest/estimation/run.py", "compendium/methods/learners/id3.py"):
        assert folder(edited) != plain


def test_a_checkout_keeps_compiled_code_where_its_tests_and_its_book_look_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    compiling.keep_compiled()
    assert os.environ["NUMBA_CACHE_DIR"] == str(determinism.numba_cache_dir(ROOT))


def test_a_second_estimate_compiles_nothing(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "numba"), "PYTHONPATH": str(ROOT / "src")}
    estimate = [
        *("-m", "errorest.cli.main", "estimate"),
        *(str(ROOT / "data" / "examples" / "wine.csv"), "--target", "class", "--model", "knn(k=3)"),
        *("--method", "cv(k=3)", "--interval", "none"),
    ]
    for output in (True, False):
        done = run_python(*estimate, env=environment, cwd=tmp_path)
        assert (done.returncode, "compiling once" in done.stderr) == (0, output)
