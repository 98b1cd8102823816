"""Workers of a command end with it, however it ends, and let go of what its reader waits for."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from processes import ends

ENDLESS = """
import os
from sklearn.naive_bayes import GaussianNB

class Slow(GaussianNB):
    # a worker says its number and stays for ever; so slow in the command's own process that workers are started
    def fit(self, X, y):
        if os.getpid() != int(os.environ["MAIN"]):
            with open(os.environ["PIPE"], "w") as pipe:
                print(os.getpid(), file=pipe)
            while True:
                os.read(os.open(os.environ["NEVER"], os.O_RDONLY), 1)
        return super().fit(X, y)
"""
RUN = """
import os
os.environ["MAIN"] = str(os.getpid())
from errorest.assessment import workers
from errorest.cli.main import main
workers._WORTH_WORKERS = 0.0
main(["estimate", "sample.csv", "--target", "y", "--model", "endless:Slow", "--method", "cv(k=5)", "--n-jobs", "2"])
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux's process descriptors")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_workers_end_with_a_command_that_is_ended(tmp_path: Path, number: int) -> None:
    (tmp_path / "endless.py").write_text(ENDLESS)
    (tmp_path / "sample.csv").write_text("x,y\n" + "".join(f"{i * 37 % 101},{'ab'[i % 2]}\n" for i in range(40)))
    for name in ("pipe", "never"):
        os.mkfifo(tmp_path / name)
    paths = {"PIPE": str(tmp_path / "pipe"), "NEVER": str(tmp_path / "never")}
    with subprocess.Popen(
        [sys.executable, "-c", RUN],
        cwd=tmp_path,
        env=os.environ | paths,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        numbers: set[int] = set()
        signal.alarm(300)  # a command that fails before it has workers writes nothing
        while len(numbers) < 2:
            numbers |= {int(line) for line in (tmp_path / "pipe").read_text().split()}
        signal.alarm(0)
        process.send_signal(number)
        assert process.stdout is not None
        # the end of the output comes when no process is left that could write to it
        assert [pid for pid in numbers if not ends(pid)] == []
        assert process.stdout.read() == b""
    assert process.returncode == -number
