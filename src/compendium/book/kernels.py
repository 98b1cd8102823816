"""Kernels that are forked from the process that executes a notebook, which has imported what they need.

A kernel waits as a fork that was made before there was a second thread.  No kernel that a user installed under
the same name takes its place.
"""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from functools import partial
from typing import Any

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from compendium.book.forks import forked

__all__ = ["ForkedKernels", "wait_for_kernels"]

_waiting: list[tuple[int, int]] = []
"""Process number of each kernel that waits, and the pipe by which it is started."""
_SPEC = KernelSpec(argv=["-f", "{connection_file}"], display_name="Python 3", language="python")
"""What a kernel is started with: arguments alone, since it is there already."""


def wait_for_kernels(number: int) -> None:
    """Fork kernels that wait to be started; called while there is one thread."""
    for _ in range(number):
        told, tell = os.pipe()
        pid = forked(partial(_kernel, told, tell))
        os.close(told)
        _waiting.append((pid, tell))


def _kernel(told: int, tell: int) -> int:
    os.setsid()
    for _, other in _waiting:
        os.close(other)
    os.close(tell)
    with os.fdopen(told) as pipe:
        text = pipe.read()
    if not text:
        # another one was enough
        return 0
    asked = json.loads(text)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    from ipykernel.kernelapp import IPKernelApp

    IPKernelApp.launch_instance(argv=asked["arguments"])
    return 0


class _Process:
    """A kernel that was started, as :class:`subprocess.Popen` has it."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._look(os.WNOHANG)

    def wait(self, timeout: float | None = None) -> int | None:
        return self._look(0)

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def _look(self, how: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, how)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


class _Provisioner(LocalProvisioner):
    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        pid, tell = _waiting.pop(0)
        folder = str(kwargs.get("cwd") or os.getcwd())
        asked = {
            "environment": {**kwargs["env"], "JPY_PARENT_PID": str(os.getpid())},
            "folder": folder,
            "arguments": cmd,
        }
        with os.fdopen(tell, "w") as pipe, suppress(BrokenPipeError):
            pipe.write(json.dumps(asked))
        self.process = _Process(pid)  # type: ignore[assignment]
        self.pid = self.pgid = pid
        self.cwd = folder
        return self.connection_info


class ForkedKernels(AsyncKernelManager):
    """Start the kernels that wait, one at a time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.provisioner = _Provisioner(parent=self, kernel_spec=_SPEC, kernel_id="forked")

    @property
    def kernel_spec(self) -> KernelSpec:
        """The same whatever the user has installed."""
        return _SPEC
