"""Nothing from a file commands the terminal that an answer is read on, and no name breaks a line."""

import csv
import io
import sys
import unicodedata
from pathlib import Path

import pytest

HOSTILE = ["\x1b]0;owned\x07", "\x1b[31mred", "a\u202eb", "c\x9bd", "e\r\nf", "g\u2028h"]
COMMANDS = {
    "estimate": ["--model", "naive-bayes", "--methods"],
    "compare": ["--a", "naive-bayes", "--b", "c4.5"],
    "choose": ["--candidates", "naive-bayes", "c4.5"],
    "permutation-test": ["--model", "naive-bayes"],
    "learning-curve": ["--model", "naive-bayes"],
    "from-predictions": ["--prediction", "said"],
}


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    name = "\x1b[1mx\u202e.csv"
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["number\x1b[5m", "kind\u202e", "said", "y"])
    rows.writerows([[i * 37 % 101, "uv\x07"[i % 3], HOSTILE[i % 6], HOSTILE[i // 2 % 6]] for i in range(120)])
    (tmp_path / name).write_text(text.getvalue(), newline="")
    return name


@pytest.mark.parametrize("command", COMMANDS)
def test_answers_hold_no_sign_that_is_not_seen(command, sample, answer, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    given = answer([command, sample, "--target", "y", *COMMANDS[command]])
    seen = given.out + given.err
    kinds = {c: unicodedata.category(c) for c in seen.replace("\n", "")}
    assert [c for c, kind in kinds.items() if kind in ("Cc", "Cf", "Cs", "Zl", "Zp")] == []
    assert "x1b" in seen
    assert not [line for line in seen.splitlines() if line == "f" or line.startswith(("f'", "f "))]
