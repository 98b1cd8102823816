"""A classifier that ends the program is a mistake in one line, not the quiet end of the caller."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from batteries import Scripted, assert_refused
from errorest import compare, estimate, learning_curve, permutation_test
from errorest.assessment import workers
from errorest.conformance import check_classifier

X = np.arange(40.0)[:, None] * 37 % 101
Y = np.array(["a", "b"] * 20)


def leave(*_: Any) -> None:
    sys.exit(0)


def leaving(method: str) -> Any:
    return Scripted(fitting=leave) if method == "fit" else Scripted(answer=leave)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("method", ["fit", "predict"])
def test_every_call_refuses_a_classifier_that_exits(method: str, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_WORTH_WORKERS", 0.0)
    model, words = leaving(method), "SystemExit: 0"
    assert_refused(words, estimate, model, X, Y, method="cv(k=5)", rng=1, n_jobs=jobs)
    if jobs == 1:
        assert_refused(words, compare, model, "naive-bayes", X, Y, rng=1)
        assert_refused(words, permutation_test, model, X, Y, method="cv(k=5)", rng=1)
        assert_refused(words, learning_curve, model, X, Y, rng=1)


@pytest.mark.parametrize("method", ["fit", "predict"])
def test_a_check_of_a_classifier_that_exits_is_refused(method: str) -> None:
    assert_refused("SystemExit: 0", check_classifier, leaving(method))


@pytest.mark.parametrize("status", [0, 9])
def test_a_command_whose_classifier_exits_ends_with_a_mistake(
    status: int, answer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving.py").write_text(
        "import sys\nfrom sklearn.naive_bayes import GaussianNB\n"
        f"class Leaving(GaussianNB):\n    def fit(self, X, y):\n        sys.exit({status})\n"
    )
    (tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in zip(X[:, 0], Y, strict=True)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "leaving", raising=False)
    for name in ("estimate", "permutation-test", "check"):
        data = ["x.csv", "--target", "y"] if name != "check" else []
        given = answer([name, *data, "--model", "leaving:Leaving"], status=2)
        assert given.out == ""
        assert given.err.splitlines()[-1].startswith("error: ")
        assert f"SystemExit: {status}" in given.err.splitlines()[-1]
