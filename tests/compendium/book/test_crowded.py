"""Whole commands, with real kernels, where the machine lacks something: an answer or one line; the next one works."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import survival
from errorest import bits
from errorest.cli import main as cli
from survival import LONG, command_in_a_child, counted, is_well

SOURCES = Path(bits.__file__).parents[1]
NOTEBOOK = "scheffer-herbrich/03-calculator"
RUN = ["run", NOTEBOOK, "--scale", "preview", "--no-page"]
ESTIMATE = ["estimate", "data.csv", "--inducer", "majority", "--estimator", "cv(k=3)", "--interval", "none"]
BUILD = ["build", "--only", *RUN[1:4]]

CROWDED = {
    "a tiny TMPDIR": "mkdir tiny && mount -t tmpfs -o size=4k none tiny && export TMPDIR=$PWD/tiny",
    "no loopback": "true",
    "64 open files": "ulimit -n 64",
    "a read-only /dev/shm": "mount -t tmpfs -o ro none /dev/shm",
    "a full disk for what is built": 'mount -t tmpfs -o size=200k none "$ERROREST_BUILD"',
    "a full disk for the results": "mkdir full && mount -t tmpfs -o size=16k none full && cd full && cp ../data.csv .",
    "a package and a home that cannot be written": (
        f"mkdir home && mount -t tmpfs -o ro none home && export HOME=$PWD/home && unset NUMBA_CACHE_DIR && "
        f"mount --bind {SOURCES} {SOURCES} && mount -o remount,bind,ro {SOURCES}"
    ),
}
SHORT = [("64 open files", "estimate"), ("a package and a home that cannot be written", "list")]
EACH = [(lack, name) for lack in CROWDED for name in ("estimate", "run", "build")] if LONG else SHORT


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = "".join(f"{k * k % 97}.5,{'ab'[k % 2]}\n" for k in range(24))
    (tmp_path / "data.csv").write_text("x,class\n" + rows)
    (tmp_path / "build").mkdir()
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("PYTHONPATH", str(SOURCES))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build folder with the notebook's run, and no page."""
    folder = tmp_path_factory.mktemp("run")
    variables = dict(os.environ) | {"ERROREST_BUILD": str(folder / "build"), "PYTHONPATH": str(SOURCES)}
    subprocess.run(command_of("run"), cwd=folder, env=variables, capture_output=True, check=True, timeout=900)
    return folder / "build"


def command_of(name: str) -> list[str]:
    arguments = {"estimate": [*ESTIMATE, "--html", "page.html"], "run": RUN, "build": BUILD, "list": ["list"]}[name]
    return [sys.executable, "-m", "errorest.cli.main", *arguments]


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("unshare") is None, reason="file systems of one's own need root")
@pytest.mark.parametrize(("lack", "name"), EACH)
def test_a_whole_command_answers_or_says_in_one_line_what_the_machine_lacks(lack: str, name: str, place: Path) -> None:
    own = ["unshare", "-m", "--propagation", "private", *(["-n"] if lack == "no loopback" else [])]
    crowded = [*own, "bash", "-c", f'{CROWDED[lack]} && exec "$@"', "bash", *command_of(name)]
    done = subprocess.run(crowded, capture_output=True, text=True, check=False, timeout=900)
    if "mount:" in done.stderr or "unshare:" in done.stderr:
        pytest.skip(f"no file system may be mounted here: {done.stderr.strip()[:80]}")
    assert is_well(done.returncode, done.stderr), (done.returncode, done.stderr[-2000:])
    after = subprocess.run(command_of(name), capture_output=True, text=True, check=False, timeout=900)
    assert after.returncode == 0, after.stderr[-2000:]
    counted("whole commands on crowded machines", 1, 1)


@pytest.mark.skipif(not LONG, reason="Sphinx at work on each of several disks: make torture")
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("unshare") is None, reason="file systems of one's own need root")
@pytest.mark.parametrize("room", [0, 80, 1024, 5120, 10240])
@pytest.mark.parametrize("name", ["run", "build"])
def test_a_disk_that_fills_up_at_any_point_of_a_page_is_one_line(room: int, name: str, place: Path, base: Path) -> None:
    """The notebook's run is there already, with so many KiB beside it; without any it is not, and cannot be made."""
    command = [word for word in command_of(name) if word != "--no-page"]
    shutil.copytree(base, place / "build", dirs_exist_ok=True)
    taken = sum(-(-path.stat().st_size // 4096) * 4 for path in base.rglob("*") if path.is_file())
    filled = f'cp -a {base}/. "$ERROREST_BUILD"/' if room else "true"
    size = f"{taken + room}k" if room else "300k"
    script = f'mount -t tmpfs -o size={size} none "$ERROREST_BUILD" && {filled} && exec "$@"'
    small = ["unshare", "-m", "--propagation", "private", "bash", "-c", script, "bash", *command]
    done = subprocess.run(small, capture_output=True, text=True, check=False, timeout=900)
    if "mount:" in done.stderr or "unshare:" in done.stderr:
        pytest.skip(f"no file system may be mounted here: {done.stderr.strip()[:80]}")
    assert is_well(done.returncode, done.stderr), (done.returncode, done.stderr[-2000:])
    assert done.returncode == 2
    assert "cp:" not in done.stderr
    assert not list(place.glob("03-calculator-run"))
    after = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert after.returncode == 0, after.stderr[-2000:]
    counted("commands on a disk that fills up", 1, 1)


def test_an_estimate_survives_the_failure_of_any_call_of_the_system(place: Path) -> None:
    told = place / "told.txt"
    assert cli.main([*ESTIMATE, "--html", "page.html"]) == 0
    command = [*ESTIMATE, "--html", "page.html"]
    status, calls = command_in_a_child(command, told)
    assert status == 0
    assert calls > 5
    tried = survived = 0
    for code in survival.ERRORS:
        for last in range(1, calls + 1, 1 if LONG else 9):
            status, _ = command_in_a_child(command, told, last, code)
            said = told.read_text()
            tried += 1
            whole = (place / "page.html").read_text().rstrip().endswith("</html>")
            survived += is_well(status, said) and whole
            assert survived == tried, (last, errno.errorcode[code], status, said[-1500:])
            assert not list(place.glob(".*.tmp"))
    counted("estimates with a failing call of the system", tried, survived)
