"""What one process found out about modules, taken over by another."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from errorest import bits
from errorest.compendium import places
from errorest.compendium.places import keep_code, recall_code

SECTION = "errorest.papers.kohavi.truth.artifacts"
ASKED = f"from errorest import bits; print(bits.code_digest(['{SECTION}']))"


@pytest.fixture
def unread(monkeypatch):
    """A process that has read no module yet."""
    monkeypatch.setattr(bits, "_KNOWN", {})
    bits._code_digest.cache_clear()
    yield
    bits._code_digest.cache_clear()


def never(*_):
    raise AssertionError("a module was read again")


def test_what_was_read_is_not_read_again(unread, monkeypatch):
    first, told = bits.code_digest([SECTION]), bits.recalled()
    bits._code_digest.cache_clear()
    monkeypatch.setattr(bits, "_KNOWN", {})
    monkeypatch.setattr(bits, "_tree", never)
    bits.recall(told)
    assert bits.code_digest([SECTION]) == first
    alone = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True)
    assert alone.stdout.strip() == first


def test_another_content_is_read_whatever_is_recalled(unread, tmp_path):
    module = tmp_path / "mine.py"
    module.write_text("def half(x):\n    return x / 2\n")
    first = bits.code_digest(["mine"], folder=tmp_path)
    bits.recall(bits.recalled())
    bits._code_digest.cache_clear()
    module.write_text("def half(x):\n    return x / 3\n")
    assert bits.code_digest(["mine"], folder=tmp_path) != first


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"by": 1}', '{"by": "BY", "modules": {"x": 3}}', "other", "bit"])
def test_what_cannot_be_believed_is_passed_over(unread, damage):
    bits.code_digest(["errorest.streams"])
    told = json.loads(bits.recalled())
    text = json.dumps({**told, "by": "another Python"}) if damage == "other" else damage.replace("BY", "x")
    if "BY" in damage:
        text = json.dumps({**told, "modules": {"x": 3}})
    if damage == "bit":
        digit = told["modules"][next(iter(told["modules"]))][0][0]
        text = bits.recalled().replace(f'["{digit}', f'["{"1" if digit == "0" else "0"}', 1)
    bits._KNOWN.clear()
    bits.recall(text)
    assert not bits._KNOWN


def test_the_build_folder_keeps_it(unread, monkeypatch, tmp_path):
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path))
    recall_code()
    bits.code_digest([SECTION])
    keep_code()
    known = dict(bits._KNOWN)
    bits._KNOWN.clear()
    places._recall.cache_clear()
    recall_code()
    assert known == bits._KNOWN
    before = Path(tmp_path / "code.json").stat()
    keep_code()
    assert Path(tmp_path / "code.json").stat().st_mtime_ns == before.st_mtime_ns
    Path(tmp_path / "code.json").write_bytes(b"\xff")
    recall_code()
