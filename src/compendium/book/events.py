"""What the process of a notebook sends to the command that started it: the share that is done, lines, failures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict, Unpack


class Event(TypedDict, total=False):
    """What a notebook's process sends: the share that is done, a line of text, or how a cell failed."""

    share: float
    line: str
    failure: tuple[str, str]


_send: Callable[[Event], None] | None = None


def send_to(listener: Callable[[Event], None]) -> None:
    """Let a notebook's process send its progress to the one that started it."""
    global _send
    _send = listener


def send(**event: Unpack[Event]) -> bool:
    """Send an event to the process that started this one, if one did."""
    if _send is not None:
        _send(event)
    return _send is not None
