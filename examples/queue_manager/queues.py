"""A queue manager for tests: started with `mqconform serve queue-manager`, called line by line, gone after the test."""

import json
import subprocess
from typing import Any, Self

MACHINE = "here"


class QueueManager:
    """A freshly installed queue manager of one machine; `arguments` are those of `mqconform serve queue-manager`."""

    def __init__(self, *arguments: str) -> None:
        command = ["mqconform", "serve", "queue-manager", *arguments]
        self._process = subprocess.Popen(  # noqa: S603 - no shell
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._calls = 0
        self.call("configure", machines=[{"name": MACHINE, "mode": "workgroup"}])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def call(self, operation: str, **params: Any) -> dict[str, Any]:
        """Perform one operation of docs/iut-protocol-queue-manager.md; a result may say `failed`."""
        assert self._process.stdin
        assert self._process.stdout
        self._calls += 1
        request = {"jsonrpc": "2.0", "id": self._calls, "method": f"queue_manager.{operation}", "params": params}
        print(json.dumps(request), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"]["message"])
        result: dict[str, Any] = answer["result"]
        return result

    def create(self, queue: str, **properties: Any) -> None:
        """Create a queue: `transactional=True`, `room=10`."""
        self.call("create_queue", machine=MACHINE, queue=queue, properties=properties)

    def open(self, queue: str, access: str) -> Any:
        """Open a queue to `send` to or `receive` from."""
        return self.call("open", machine=MACHINE, address=address(queue), access=access)["handle"]

    def all_of(self, queue: str) -> list[dict[str, Any]]:
        """Receive all messages of a queue."""
        handle = self.open(queue, "receive")
        messages = []
        while "message" in (answer := self.call("receive", handle=handle)):
            messages.append(answer["message"])
        return messages


def address(queue: str) -> dict[str, Any]:
    """The address of a queue."""
    return {"direct": {"machine": MACHINE, "queue": queue}}
