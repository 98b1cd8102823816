"""Notebooks of a build side by side: heavy ones in pairs, one failure ends all, and no chunk is computed twice."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from compendium.book.schedule import Turns, side_by_side
from compendium.studies.claims import Claims
from compendium.studies.store import Store
from study_measures import coins

KEY = "0123456789abcdef"


class Stage:
    """Notebooks that begin at once and end when they are told to."""

    def __init__(self, turns: Turns, jobs: int) -> None:
        self.begun: list[tuple[int, bool]] = []
        self.ended: list[int] = []
        self._changed = threading.Condition()
        self._may_end: set[int] = set()
        self._thread = threading.Thread(target=side_by_side, args=(self._one, turns, jobs))
        self._thread.start()

    def _one(self, position: int, heavy: bool, goes_on: object) -> None:
        with self._changed:
            self.begun.append((position, heavy))
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: position in self._may_end, 30)
            self.ended.append(position)

    def running(self, number: int) -> list[tuple[int, bool]]:
        """Wait until so many have begun; return them."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.begun) >= number, 30)
            return list(self.begun)

    def end(self, *positions: int) -> None:
        """Let these end."""
        with self._changed:
            self._may_end.update(positions)
            self._changed.notify_all()

    def join(self) -> None:
        """Wait for the end of all."""
        self._thread.join(30)
        assert not self._thread.is_alive()


def test_two_heavy_notebooks_run_at_a_time_and_light_ones_beside_the_last() -> None:
    stage = Stage(Turns([5, 3, 4], [0, 1], pairs=True), jobs=2)
    assert sorted(stage.running(2)) == [(3, True), (5, True)]
    stage.end(3)
    assert stage.running(3)[2] == (4, True)
    stage.end(5)
    # one heavy notebook is left: a light one takes the free place
    assert stage.running(4)[3] == (0, False)
    stage.end(0, 1, 4)
    stage.join()
    assert sorted(stage.ended) == [0, 1, 3, 4, 5]


def test_many_workers_make_no_more_than_two_heavy_notebooks_at_a_time() -> None:
    turns = Turns([1, 2, 3], [], pairs=True)
    assert [turns.take(), turns.take()] == [(1, True), (2, True)]
    taken: list[object] = []
    third = threading.Thread(target=lambda: taken.append(turns.take()))
    third.start()
    third.join(0.2)
    assert taken == []
    turns.done(True)
    third.join(30)
    assert taken == [(3, True)]


def test_no_more_light_notebooks_run_at_a_time_than_there_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2})
    stage = Stage(Turns([], [0, 1, 2, 3, 4], pairs=True), jobs=64)
    stage.running(3)
    time.sleep(0.2)
    at_once = len(stage.begun)
    stage.end(0, 1, 2, 3, 4)
    stage.join()
    assert at_once == 3


def test_timed_notebooks_run_alone() -> None:
    stage = Stage(Turns([1], [0], pairs=False), jobs=2)
    stage.running(1)
    stage.end(1)
    stage.running(2)
    assert (stage.begun, stage.ended) == ([(1, True), (0, False)], [1])
    stage.end(0)
    stage.join()


def test_a_failure_is_told_as_it_was_and_ends_what_runs_beside_it() -> None:
    begun, ended = threading.Event(), []

    def one(position: int, heavy: bool, goes_on: object) -> None:
        if position == 1:
            assert begun.wait(30)
            raise ValueError("notebook 1 failed")
        assert position == 0, "nothing begins after a failure"
        begun.set()
        try:
            while True:
                goes_on()  # type: ignore[operator]
        finally:
            ended.append(position)

    with pytest.raises(ValueError, match="notebook 1 failed"):
        side_by_side(one, Turns([0, 1], [2, 3], pairs=True), 2)
    assert ended == [0]


def _takes(path: Path, key: str) -> bool:
    code = "import sys; from pathlib import Path; from compendium.studies.claims import Claims; "
    code += "print(Claims(Path(sys.argv[1])).take(sys.argv[2]))"
    made = subprocess.run([sys.executable, "-c", code, str(path), key], capture_output=True, text=True, check=True)
    return made.stdout == "True\n"


def test_a_claim_holds_against_other_processes_until_it_is_given_back(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims.lock")
    assert claims.take(KEY)
    assert claims.take(KEY)
    assert not _takes(tmp_path / "claims.lock", KEY)
    assert _takes(tmp_path / "claims.lock", "f" + KEY)
    claims.close()
    assert _takes(tmp_path / "claims.lock", KEY)
    assert (tmp_path / "claims.lock").read_bytes() == b""


def test_a_claim_outlasts_another_opening_of_its_file(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims.lock")
    assert claims.take(KEY)
    other = Claims(tmp_path / "claims.lock")
    assert not other.take(KEY)
    other.close()
    assert not _takes(tmp_path / "claims.lock", KEY)
    claims.close()


def test_without_a_file_to_lock_everything_is_granted(tmp_path: Path) -> None:
    assert Claims(None).take(KEY)
    assert Claims(tmp_path / "missing" / "claims.lock").take(KEY)


def test_two_processes_share_out_what_is_missing_and_compute_no_chunk_twice(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from study_measures import coins, fingerprint; "
        "from compendium.studies import study; from compendium.studies.store import Store; "
        "folder = Path(sys.argv[1]); whole = study._compute; "
        "study._compute = lambda tasks, *a: (print(len(tasks), file=sys.stderr), whole(tasks, *a))[1]; "
        "sys.stdin.read(1); store = Store(folder / 'store', folder / 'claims.lock'); "
        "print(fingerprint(study.run_study(coins(chunk=1), store=store)))"
    )
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", code, str(tmp_path)]
    here = Path(__file__).parents[2]
    runs = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=here) for _ in range(2)]
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("go")
        run.stdin.flush()
    outputs = [run.communicate(timeout=120) for run in runs]
    assert outputs[0][0] == outputs[1][0] != ""
    chunks = len(list((tmp_path / "store").glob("*.chunk")))
    assert sum(int(number) for _, told in outputs for number in told.split()) == chunks == 32


def test_what_a_dead_process_had_claimed_is_computed(tmp_path: Path) -> None:
    from compendium.studies.study import run_study

    ready, go = os.pipe()
    pid = os.fork()
    if pid == 0:
        claims = Claims(tmp_path / "claims.lock")
        from compendium.studies.study import pieces_of

        for piece in pieces_of(coins(chunk=1)):
            claims.take(piece.key)
        os.write(go, b".")
        threading.Event().wait(0.5)
        os._exit(0)
    assert os.read(ready, 1) == b"."
    store = Store(tmp_path / "store", tmp_path / "claims.lock")
    assert len(run_study(coins(chunk=1), store=store)) == 32
    os.waitpid(pid, 0)
