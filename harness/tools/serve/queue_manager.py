"""The reference queue manager as a test double: programs that use message queues call it by the IUT protocol."""

from typing import Final

from mqconform.harness.iut import interface
from mqconform.harness.iut.protocol import complaint_about
from mqconform.harness.iut.reference_iut.choosers import least_convenient, most_usual
from mqconform.harness.iut.reference_iut.queue_manager import ONE_MACHINE, ReferenceQueueManager, UnknownMachine
from mqconform.harness.records.printable import excerpt

INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603


class QueueManagerPeer:
    """One queue manager that takes orders from anybody; an order that makes no sense is refused."""

    def __init__(self, seed: int | None = None) -> None:
        choose = most_usual if seed is None else least_convenient(seed)
        self.name = "mqconform queue manager" + ("" if seed is None else f", least convenient by {seed}")
        self.description: interface.IutDescription = interface.describe(self._introduction())
        self.facts: interface.ServerFacts | None = None
        self._manager = ReferenceQueueManager(choose=choose)

    def call(self, method: str, params: interface.Json) -> interface.Json:
        """Perform one operation of the IUT protocol.

        Raises:
            Unsupported: there is no such operation.
            IutErrorAnswer: the parameters are wrong; the message names the field.
        """
        if method == "initialize":
            return self._introduction()
        if method in {"reset", "shutdown"}:
            self._manager.reset()
            return {}
        role, _, operation = method.partition(".")
        if role != ONE_MACHINE.name or operation not in ONE_MACHINE.operations:
            raise interface.Unsupported(f"{excerpt(method)}: there is no such operation")
        if wrong := complaint_about(method, "params", params):
            raise interface.IutErrorAnswer(INVALID_PARAMS, f"{method}: {wrong}")
        return self._performed(operation, params)

    def evidence(self) -> tuple[str, ...]:
        """Return nothing: all that can be seen is in the answers."""
        return ()

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def _performed(self, operation: str, params: interface.Json) -> interface.Json:
        try:
            answer: interface.Json = getattr(self._manager, operation)(**params)
        except UnknownMachine as problem:
            raise interface.IutErrorAnswer(INVALID_PARAMS, str(problem)) from problem
        except Exception as defect:
            # One line that it cannot take must not end a service that others rely on.
            raise interface.IutErrorAnswer(
                INTERNAL_ERROR, f"{operation}: {type(defect).__name__}: {defect}"
            ) from defect
        return answer

    def _introduction(self) -> interface.Json:
        return {
            "protocol": interface.PROTOCOL_VERSION,
            "name": self.name,
            "version": "1",
            "roles": [ONE_MACHINE.name],
            "capabilities": ONE_MACHINE.offered,
            "specs": {ONE_MACHINE.specification: ONE_MACHINE.revision},
        }
