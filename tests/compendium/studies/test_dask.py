"""A Dask cluster on the loopback address computes the same bytes, and a strange one is refused."""

import socket
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import study_measures as measures
from batteries import assert_refused
from compendium import versions
from compendium.studies import digests, workers
from compendium.studies.store import Store
from compendium.studies.study import run_study
from errorest import determinism
from errorest.errors import UsageError
from study_measures import coins, fingerprint

distributed = pytest.importorskip("distributed")
WANTED = fingerprint(run_study(coins()))


def cluster_of(n_workers: int, **options: Any) -> Any:
    return distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
        **options,
    )


@pytest.fixture(autouse=True)
def _busy_machines_answer_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_SECONDS_TO_ANSWER", 60)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with cluster_of(2) as cluster:
        yield cluster.scheduler_address


@pytest.mark.parametrize("chunk", [1, 7])
def test_a_cluster_yields_the_same_bytes_and_chunks(tmp_path: Path, address: str, chunk: int) -> None:
    assert fingerprint(run_study(coins(chunk=chunk), store=Store(tmp_path), dask=address)) == WANTED
    stored = sorted(path.read_bytes() for path in tmp_path.iterdir())
    assert fingerprint(run_study(coins(chunk=chunk), store=Store(tmp_path), dask=address)) == WANTED
    assert sorted(path.read_bytes() for path in tmp_path.iterdir()) == stored


@pytest.mark.parametrize(("measure", "kind", "words"), measures.FAILING)
def test_a_failing_measure_is_named(address: str, measure: Any, kind: type[Exception], words: list[str]) -> None:
    with pytest.raises(kind) as caught:
        run_study(coins(cells=({"n": 3},), replicates=8, measure=measure), dask=address)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert fingerprint(run_study(coins(), dask=address)) == WANTED


@pytest.mark.parametrize(("what", "name"), [("source_digest", "other source"), ("versions_digest", "other versions")])
def test_workers_with_another_source_or_other_versions_are_refused(
    address: str, monkeypatch: pytest.MonkeyPatch, what: str, name: str
) -> None:
    monkeypatch.setattr(digests if what == "source_digest" else versions, what, lambda: "0" * 64)
    assert_refused(rf"worker tcp://.* has {name}.*; install the same", run_study, coins(), dask=address)


def test_a_worker_that_joins_later_is_compared_too(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study = coins()
    task = workers.Task(study.id, study.measure, study.cells[0], 0, {}, 0, 2)
    with workers.Cluster(address) as cluster:
        monkeypatch.setattr(digests, "source_digest", lambda: "0" * 64)
        assert_refused(r"a worker that joined later .*; install the same", list, cluster.compute([task]))


def test_workers_under_other_settings_are_stated(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(determinism, "ENVIRONMENT", {"OMP_NUM_THREADS": "7"})
    texts: list[str] = []
    assert fingerprint(run_study(coins(), dask=address, say=texts.append)) == WANTED
    assert len(texts) == 1
    assert f"env OMP_NUM_THREADS='7' dask worker {address}" in texts[0]


def test_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_SECONDS_TO_ANSWER", 5)
    with cluster_of(0) as cluster, pytest.raises(UsageError, match=r"has no worker; start one with 'dask worker tcp"):
        run_study(coins(), dask=cluster.scheduler_address)


def test_a_cluster_that_goes_away_is_a_clear_mistake(tmp_path: Path) -> None:
    cluster = cluster_of(1)
    study = coins(chunk=1)

    class Closing(Store):
        def put(self, key: str, arrays: Any, description: Any = None) -> None:
            super().put(key, arrays, description)
            cluster.close()

    with pytest.raises(UsageError, match=r"went away .*; start it and run again"):
        run_study(study, store=Closing(tmp_path), dask=cluster.scheduler_address)
    assert len(list(tmp_path.glob("*.npz"))) >= 1


def test_an_address_at_which_no_scheduler_answers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_SECONDS_TO_ANSWER", 0.1)
    with socket.socket() as unheard, socket.socket() as silent:
        for one in (unheard, silent):
            one.bind(("127.0.0.1", 0))
        silent.listen()
        addresses = [f"tcp://127.0.0.1:{one.getsockname()[1]}" for one in (unheard, silent)]
        for wrong in ("", "nonsense", "http://127.0.0.1:80", "tcp://127.0.0.1:99999", *addresses):
            with pytest.raises(
                UsageError, match=rf"no Dask scheduler answers at '{wrong}' \(.*\); give an address such as"
            ):
                run_study(coins(), dask=wrong)


def test_a_cluster_that_is_open_to_all_is_stated_once(address: str) -> None:
    with pytest.warns(UserWarning, match="neither encrypted nor authenticated: anyone who reaches its ports runs code"):
        run_study(coins(), dask=address)
    texts: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run_study(coins(), dask=address, say=texts.append)
    assert workers.unprotected(address)
    assert not workers.unprotected("tls://10.0.0.1:8786")
