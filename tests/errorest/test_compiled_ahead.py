"""Kernels in three ways: compiled by numba, as plain Python, and ahead for pages."""

import importlib
import importlib.util
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import compendium.methods
import errorest
from errorest import ahead, compiled

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "book" / "_static" / "page"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("kernels", ROOT / ".ci" / "kernels.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_kernels_of_pages_are_those_of_the_sources(script: ModuleType) -> None:
    made = json.loads((PAGE / "kernels.json").read_text())
    stale = [name for name, digest in made["sources"].items() if script.digest(name) != digest]
    assert not stale, "run 'make kernels'"


def test_a_digest_changes_with_kernels_and_constants_and_not_with_the_rest(script: ModuleType) -> None:
    import ast

    kept = ast.parse("LIMIT = 3\n@kernel\ndef f(x): pass\nclass Work(NamedTuple): pass").body
    assert all(map(script.decides, kept))
    others = ast.parse("import numpy\ndef f(x): pass\nclass Model: pass\n@cache\ndef g(): pass").body
    assert not any(map(script.decides, others))


def test_no_record_has_a_field_that_numpys_scalars_have_as_an_attribute() -> None:
    wrong, seen = [], 0
    for package in (errorest, compendium.methods):
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if one.name.rpartition(".")[2] == "__main__":
                continue
            for name, value in vars(importlib.import_module(one.name)).items():
                if isinstance(value, np.dtype) and value.names:
                    seen += 1
                    wrong += [f"{one.name}.{name}.{field}" for field in value.names if hasattr(np.void, field)]
    assert seen >= 7
    assert not wrong


_ANSWERS = """
import json, sys
import numpy as np
import errorest
from errorest import compiled
rng = np.random.default_rng(3)
y = np.arange(24) % 3
X = rng.standard_normal((24, 3)) + y[:, None]
own = ("naive-bayes", "knn", "linear-discriminant", "c4.5", "majority")
made = [errorest.estimate(one, X, y, rng=1, method="cv(k=4)").to_dict() for one in own]
print(compiled.PLAIN, json.dumps([[one["value"], one["interval"]["low"], one["interval"]["high"]] for one in made]))
"""


def test_plain_kernels_answer_as_compiled_ones_do() -> None:
    def answers(**more: str) -> list[str]:
        environment = os.environ | {"PYTHONPATH": str(ROOT / "src")} | more
        run = subprocess.run(
            [sys.executable, "-c", _ANSWERS], env=environment, capture_output=True, text=True, check=True
        )
        return run.stdout.split(maxsplit=1)

    assert compiled.PLAIN is False
    fast, plain = answers(), answers(ERROREST_PLAIN="1")
    assert (fast[0], plain[0]) == ("False", "True")
    np.testing.assert_allclose(json.loads(plain[1]), json.loads(fast[1]), rtol=1e-12)


_BATCHES = """
import importlib.util, os
import numpy as np
found = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == "numba" else found(name)
from sklearn.naive_bayes import GaussianNB
from errorest import ahead, compiled
from errorest.learners.equals import batch_of
X = np.arange(12.0).reshape(6, 2)
one = batch_of(GaussianNB(), X, 2)
ahead._versions["errorest.learners.equals.bayes:gaussian"] = []
print(compiled.PLAIN, one is not None, batch_of(GaussianNB(), X, 2) is not None)
"""


@pytest.mark.parametrize(("asked", "printed"), [("", "True False True"), ("1", "True True True")])
def test_a_batch_in_plain_python_gives_way_to_scikit_learn_unless_plain_python_is_asked_for(
    asked: str, printed: str
) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "ERROREST_PLAIN": asked}
    run = subprocess.run([sys.executable, "-c", _BATCHES], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == printed


def test_what_was_not_compiled_ahead_runs_as_plain_python_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def double(x: np.ndarray) -> np.ndarray:
        return 2 * x

    doubled = ahead.looked_up(double)
    assert doubled(np.ones(1)).tolist() == [2.0]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(ahead, "_versions", {"another": []})
    monkeypatch.setattr(ahead, "_said", set())
    assert doubled(np.ones(1)).tolist() == [2.0]
    assert doubled(np.ones(1)).tolist() == [2.0]
    assert capsys.readouterr().err.count("runs as plain Python") == 1


@pytest.mark.parametrize(
    ("value", "spec"),
    [
        (np.ones(2), {"ndim": 2, "dtype": "float64", "order": "C"}),
        (np.ones(2), {"ndim": 1, "dtype": "int64", "order": "C"}),
        (np.ones((2, 3)).T, {"ndim": 2, "dtype": "float64", "order": "C"}),
        (1.5, {"scalar": "int64"}),
        (1, {"scalar": "bool"}),
        ((1, 2), {"items": [{"scalar": "int64"}]}),
    ],
)
def test_an_argument_of_another_type_is_not_passed(value: object, spec: dict[str, object]) -> None:
    with pytest.raises(ahead._Unlike):
        list(ahead._parts(value, spec, []))


def test_narrower_whole_numbers_are_widened() -> None:
    widened: list[tuple[np.ndarray, np.ndarray]] = []
    parts = list(ahead._parts(np.arange(3, dtype=np.int32), {"ndim": 1, "dtype": "int64", "order": "C"}, widened))
    assert [part.value for part in parts[2:4]] == [3, 8]
    assert [(a.dtype, b.tolist()) for a, b in widened] == [(np.dtype(np.int32), [0, 1, 2])]
