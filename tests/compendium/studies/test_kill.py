"""kill -9 at any moment of a run: the next run ends with the same bytes, and no worker lives on.

The moments are those when a chunk is written and has not got its name: the n-th of a run kills the whole process
group, so nothing depends on time.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from compendium.studies.store import Store
from compendium.studies.study import run_study
from processes import ends
from study_measures import coins, fingerprint

HERE = Path(__file__).parents[2]
WANTED = fingerprint(run_study(coins()))

KILLED = """
import os, signal, sys
from compendium.studies.store import Store
from compendium.studies.study import run_study
from study_measures import coins

folder, last = sys.argv[1], int(sys.argv[2])

calls, replace = 0, os.replace

def killing(*arguments):
    global calls
    calls += 1
    if calls == last:
        os.killpg(0, signal.SIGKILL)
    replace(*arguments)

os.replace = killing
run_study(coins(), store=Store(folder), jobs=2)
"""


def test_a_run_whose_workers_are_killed_too_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    undisturbed, folder = tmp_path / "undisturbed", tmp_path / "killed"
    run_study(coins(), store=Store(undisturbed))
    for last in (1, 3):
        command = [sys.executable, "-c", KILLED, str(folder), str(last)]
        done = subprocess.run(command, cwd=HERE, start_new_session=True, capture_output=True, text=True, check=False)
        assert done.returncode == -signal.SIGKILL, done.stderr
    finished = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    assert len(finished) == 2
    assert fingerprint(run_study(coins(), store=Store(folder), jobs=2)) == WANTED
    after = {path.name: path for path in folder.glob("*.npz")}
    assert {name: path.read_bytes() for name, path in after.items()} == {
        path.name: path.read_bytes() for path in undisturbed.iterdir()
    }
    assert {name: after[name].stat().st_mtime_ns for name in finished} == finished


ORPHANING = """
import os, signal, sys, threading
import psutil
from compendium.studies.store import Store
from compendium.studies.study import Study, run_study
from study_measures import never_ends

class Last(Store):
    def put(self, key, arrays, description=None):
        print(*[child.pid for child in psutil.Process().children(recursive=True)], flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

pipe, folder = sys.argv[1:]
cells = ({"pipe": pipe, "first": True}, {"pipe": pipe, "first": False})
study = Study("never", cells=cells, replicates=1, measure=never_ends)
# workers that a thread has started, as in a notebook
thread = threading.Thread(target=run_study, args=(study,), kwargs={"store": Last(folder), "jobs": 2})
thread.start()
thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux's process descriptors")
def test_no_worker_outlives_a_killed_parent_even_in_the_midst_of_a_chunk(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-c", ORPHANING, str(tmp_path / "pipe"), str(tmp_path / "store")]
    # a file, not a pipe: orphans that hold the other end must not keep us waiting
    with open(tmp_path / "pids", "w+") as output:
        done = subprocess.run(command, cwd=HERE, stdout=output, check=False)
        output.seek(0)
        children = [int(pid) for pid in output.read().split()]
    assert done.returncode == -signal.SIGKILL
    assert len(children) >= 2
    assert [pid for pid in children if not ends(pid)] == []
