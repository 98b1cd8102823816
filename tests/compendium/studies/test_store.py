"""Chunks are whole or not there, damage is found, and a full disk leaves nothing behind."""

import errno
import json
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from batteries import assert_refused
from compendium.studies import store as store_module
from compendium.studies.columns import Coded
from compendium.studies.store import Store
from errorest.errors import UsageError

KEY = "0123456789abcdef"
ARRAYS = {
    "estimate": np.array([0.1, np.nan, -np.inf, 5e-324]),
    "count": np.array([1, -(2**63), 2**63 - 1, 0]),
    "said": Coded.of(["of \u00fcber", "2-CV*", "of \u00fcber", "2-CV*"]),
}


def written(folder: Path) -> tuple[Store, bytes]:
    store = Store(folder)
    store.put(KEY, ARRAYS, {"study": "coins", "cell": {"n": 3}})
    return store, store.path(KEY).read_bytes()


def files(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def damage_of(store: Store) -> str:
    """Return what is said of a damaged chunk, which is removed."""
    texts: list[str] = []
    assert store.read(KEY, say=texts.append) is None
    assert files(store.root) == []
    (text,) = texts
    return text


@pytest.mark.parametrize("arrays", [ARRAYS, {"no lines": np.zeros(0), "no texts": Coded.of([])}])
def test_what_was_put_comes_back_bit_for_bit(tmp_path: Path, arrays: dict[str, Any]) -> None:
    store = Store(tmp_path / "new" / "store")
    store.put(KEY, arrays)
    result = store.get(KEY)
    assert list(result) == list(arrays)
    for name, array in arrays.items():
        got = result[name]
        if isinstance(array, Coded):
            assert (got.texts, got.codes.tolist(), got.codes.dtype) == (array.texts, array.codes.tolist(), np.int32)
            continue
        assert (got.dtype, got.shape) == (array.dtype, array.shape)
        assert got.tobytes() == array.tobytes()
        assert got.flags.writeable


def test_a_chunk_is_opened_by_numpy_alone_and_says_what_it_is(tmp_path: Path) -> None:
    store, _ = written(tmp_path)
    with np.load(store.path(KEY), allow_pickle=False) as chunk:
        assert json.loads(str(chunk["about"])) == {"key": KEY, "study": "coins", "cell": {"n": 3}}
        assert chunk["lines"]["count"].tolist() == ARRAYS["count"].tolist()


def test_flipped_bytes_truncations_and_appendices_change_no_number(tmp_path: Path) -> None:
    store, content = written(tmp_path)
    flipped = [content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] for at in range(0, len(content), 7)]
    cut = [content[:size] for size in range(0, len(content), 7)]
    for wrong in (*flipped, *cut, content + b"\0", content + content):
        store.path(KEY).write_bytes(wrong)
        texts: list[str] = []
        result = store.read(KEY, say=texts.append)
        assert bool(result) is not bool(texts)
        assert not result or all(repr(column) == repr(ARRAYS[name]) for name, column in result[0].items()), (
            "what the zip format does not check is of no consequence"
        )
        assert result or (not store.path(KEY).exists() and texts[0].endswith("recomputing"))


@pytest.mark.parametrize("error", [MemoryError(), RecursionError("too deep"), OSError(errno.EIO, "I/O error")])
def test_an_error_of_the_machine_removes_nothing(tmp_path: Path, monkeypatch: Any, error: Exception) -> None:
    store, content = written(tmp_path)
    monkeypatch.setattr(store_module, "np", Mock(wraps=np, load=Mock(side_effect=error)))
    assert_refused("cannot be read", store.read, KEY)
    assert store.path(KEY).read_bytes() == content


def test_a_file_that_the_machine_does_not_open_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, content = written(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", Mock(side_effect=OSError(errno.EMFILE, "Too many open files")))
        with pytest.raises(UsageError, match=r"cannot be read \(Too many open files\); raise the limit"):
            store.read(KEY, say=lambda text: None)
    assert store.path(KEY).read_bytes() == content


def test_too_many_open_files_is_no_matter_of_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "write_whole", Mock(side_effect=OSError(errno.EMFILE, "Too many open files")))
        with pytest.raises(UsageError, match=r"cannot be written \(Too many open files\); raise the limit"):
            Store(tmp_path).put(KEY, ARRAYS)


def test_a_chunk_under_another_name_is_not_believed(tmp_path: Path) -> None:
    store, content = written(tmp_path)
    other = KEY[::-1]
    store.path(other).write_bytes(content)
    assert store.read(other, say=lambda line: None) is None


def test_damage_is_a_warning_where_nobody_listens(tmp_path: Path) -> None:
    store, content = written(tmp_path)
    store.path(KEY).write_bytes(content[:-1])
    with pytest.warns(UserWarning, match=r"chunk 0123456789abcdef is damaged .*; recomputing"):
        assert store.get(KEY) is None


def test_only_plain_numbers_are_stored(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="float64, int64 and coded texts"):
        Store(tmp_path).put(KEY, {"text": np.array(["a"])})


@pytest.mark.parametrize("key", ["", "short", "../../../../etc/passwd", KEY.upper(), KEY + "\n"])
def test_a_key_is_hexadecimal(tmp_path: Path, key: str) -> None:
    with pytest.raises(ValueError, match="hexadecimal"):
        Store(tmp_path).path(key)


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_a_clear_mistake_and_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, before: bool
) -> None:
    store, content = written(tmp_path)
    if not before:
        store.path(KEY).unlink()
    with monkeypatch.context() as patch:
        patch.setattr(store_module.os, "replace", Mock(side_effect=OSError(code, os.strerror(code))))
        with pytest.raises(UsageError, match=r"is full, and another \d+ bytes are needed; free some space"):
            store.put(KEY, {"other": np.ones(3)})
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [content] * before


def test_a_folder_of_another_user_is_a_clear_mistake(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    if os.access(tmp_path, os.W_OK):
        tmp_path = Path("/proc/self")  # the superuser may write anywhere but here
    assert_refused(r"cannot be written \(.*\); check the permissions", Store(tmp_path / "store").put, KEY, ARRAYS)


@pytest.mark.parametrize("below", [".", "store"])
def test_a_file_where_the_folder_should_be_is_a_clear_mistake(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("here")
    store = Store(tmp_path / "file" / below)
    assert store.get(KEY) is None
    assert_refused("is not a folder; choose another place", store.put, KEY, ARRAYS)
    assert (tmp_path / "file").read_text() == "here"


LINES = np.zeros(2, dtype=[("a", "<i4")])
OF_KEY = {"lines": LINES, "texts": "{}", "about": json.dumps({"key": KEY})}


@pytest.mark.parametrize(
    "arrays",
    [
        {"lines": LINES, "texts": "{}"},
        {**OF_KEY, "about": "{}"},
        {**OF_KEY, "texts": '{"a": []}'},
        {**OF_KEY, "texts": "no JSON"},
        {**OF_KEY, "lines": np.array([print])},
    ],
)
def test_a_file_of_other_arrays_is_damaged_and_nothing_is_unpickled(tmp_path: Path, arrays: dict[str, Any]) -> None:
    store = Store(tmp_path)
    np.savez(store.path(KEY), **arrays)
    assert damage_of(store)


def test_of_two_processes_each_locks_chunks_of_its_own(tmp_path: Path) -> None:
    store, keys = Store(tmp_path), [f"{number:016x}" for number in range(5)]
    with store.claimed(keys, 2) as first, store.claimed(keys, 9) as second:
        assert (first, second) == (keys[:2], keys[2:])
        with store.claimed(keys, 9) as third:
            assert third == []
    assert files(tmp_path) == []
    with store.claimed(keys, 9) as all_of_them:
        assert all_of_them == keys


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_chunk_that_is_no_file_is_damaged_and_keeps_nobody_waiting(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    store = Store(tmp_path)
    make(store.path(KEY))
    signal.alarm(300)
    try:
        assert damage_of(store) == "chunk 0123456789abcdef is damaged (it is no regular file); recomputing"
    finally:
        signal.alarm(0)


def test_many_writers_and_readers_of_one_key_never_meet_half_a_chunk(tmp_path: Path) -> None:
    start = threading.Barrier(8)
    trouble: list[str] = []

    def work(number: int) -> None:
        store = Store(tmp_path)
        start.wait()
        for _ in range(30):
            if number % 2:
                store.read(KEY, say=trouble.append)
            else:
                store.put(KEY, ARRAYS)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [None] * 8
    assert trouble == []
    assert files(tmp_path) == [f"{KEY}.npz"]
