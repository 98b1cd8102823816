"""What may be written over, and what never is."""

from pathlib import Path

import pytest

from batteries import assert_refused
from errorest.cli.main import main
from errorest.files import PAGE_MARK, check_output, write_output

ROWS = "x,class\n" + "".join(f"{k % 7},{'ab'[k % 2]}\n" for k in range(20))
QUICK = ["--target", "class", "--model", "majority", "--method", "holdout(test=1/3)", "--interval", "none"]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.csv"
    path.write_text(ROWS)
    return path


def test_a_file_that_exists_is_written_over_with_force_alone_unless_it_is_a_page_of_ours(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["estimate", "x.csv", *QUICK, "--html"]
    out = data.parent / "notes.txt"
    out.write_text("a week of work")
    assert main([*command, str(out)]) == 2
    assert "--force" in capsys.readouterr().err
    assert out.read_text() == "a week of work"
    assert main([*command, str(out), "--force"]) == 0
    assert PAGE_MARK in out.read_text()
    # a page of ours is replaced without it
    first = out.stat().st_ino
    assert main([*command, str(out)]) == 0
    assert out.stat().st_ino != first


def test_a_device_that_is_no_stream_is_refused() -> None:
    assert_refused("is a device", check_output, "/dev/full", force=True)
    write_output("/dev/null", "text")
