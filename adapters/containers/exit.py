"""The exit of a container: when it was, how it came about, and whether it was the engine that failed instead."""

import os
from threading import Event, Thread

from mqconform.adapters.containers.engine import Engine, EngineFailed, asking, printable
from mqconform.adapters.containers.limits import size

SETTLE_SECONDS = 2.0
"""How much longer than a kernel an engine may take to tell of an exit."""
KILLED = 137
OOM_LOOKS, OOM_EACH_SECONDS = 8, 0.1
"""An engine learns of a lack of memory by another way than of the exit, and may do so a moment later."""


class ExitWatch(Thread):
    """Waits for the exit of a container.

    Attributes:
        notice: a descriptor that becomes readable when the container has exited; the owner closes it.
        exited: set at the same moment.
        status: how it ended, in words.
        out_of_memory: whether it ended for want of memory.
        problem: how the engine failed; empty if it did not.
        of_ours: whether it is ended on purpose.
    """

    def __init__(self, engine: Engine, identity: str, memory: int, output: Thread) -> None:
        super().__init__(name="exit of the container", daemon=True)
        self._engine, self._id, self._memory, self._output = engine, identity, memory, output
        self.of_ours = False
        self.notice, self._writing_end = os.pipe()
        self.exited = Event()
        self.status, self.problem = "still running", ""
        self.out_of_memory = False
        self.start()

    def run(self) -> None:
        """Wait, look how it ended, then tell."""
        try:
            with asking("waiting for a container"):
                self._engine.api.wait(self._id, timeout=None)
                self.status = self._ending()
        except EngineFailed as problem:
            self.status, self.problem = "of unknown state: the Docker engine failed", str(problem)
        self._output.join(SETTLE_SECONDS)  # its last words come by another connection
        self.exited.set()
        os.close(self._writing_end)

    def _ending(self) -> str:
        pause = Event()
        for _ in range(OOM_LOOKS):
            state = self._engine.api.inspect_container(self._id)["State"]
            self.out_of_memory = bool(state.get("OOMKilled"))
            if self.out_of_memory or self.of_ours or state.get("ExitCode") != KILLED:
                break
            pause.wait(OOM_EACH_SECONDS)
        if self.out_of_memory:
            return f"exit status {state['ExitCode']}, killed for want of memory: it may use {size(self._memory)}"
        if self.of_ours:
            return "ended by the harness"
        status = f"exit status {state['ExitCode']}"
        return status + (f" ({printable(str(state['Error']))})" if state.get("Error") else "")
