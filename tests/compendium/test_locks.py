"""Locks hold between processes, and end with the one that holds them."""

import subprocess
import sys
from pathlib import Path

import pytest

from compendium.folders import locked
from errorest.errors import UsageError


def test_what_is_contained_is_refused_to_another_process_and_free_when_that_ends(tmp_path: Path) -> None:
    code = (
        "import sys; from compendium.folders import locked\n"
        "with locked(sys.argv[1]): print('holding', flush=True); sys.stdin.read()"
    )
    for place in (tmp_path, tmp_path / "a.lock"):
        other = subprocess.Popen(
            [sys.executable, "-c", code, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert other.stdout is not None
        assert other.stdout.readline() == b"holding\n"
        with pytest.raises(UsageError, match="wait"), locked(place, "in use; wait"):
            raise AssertionError("two hold it")
        other.kill()
        other.communicate()
        with locked(place, "in use"):
            pass
