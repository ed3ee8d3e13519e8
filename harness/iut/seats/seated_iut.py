"""The built-in queue managers with their seats taken, as an implementation under test of the role ``queue_manager``."""

from collections.abc import Mapping

from mqconform.harness.iut.interface import (
    PROTOCOL_VERSION,
    AdapterOptions,
    IutDescription,
    IutErrorAnswer,
    Json,
    NotApplicable,
    ServerFacts,
    Unsupported,
)
from mqconform.harness.iut.protocol import CheckedIut, checked
from mqconform.harness.iut.reference_iut.method_not_found import MethodNotFound
from mqconform.harness.iut.reference_iut.queue_manager import UnknownMachine
from mqconform.harness.iut.reference_iut.queue_managers import ROLE
from mqconform.harness.iut.seats.forwarded_queue_managers import ForwardedQueueManagers
from mqconform.harness.iut.seats.hooks_of_seats import Seats

NAME = "mqconform reference"
INVALID_PARAMS = -32602


class SeatedIut:
    """Role ``queue_manager``; to be closed, as what sits in the seats may be programs."""

    description = IutDescription(name=NAME, version="1")
    facts: ServerFacts | None = None

    def __init__(self, specs: Mapping[str, str], options: AdapterOptions) -> None:
        self._specs = specs
        self._seats = Seats(specs, options)
        self._managers = ForwardedQueueManagers(self._seats.hooks)

    def check(self) -> None:
        """Reach what takes the seats; raises as ``Seats.check`` does."""
        self._seats.check()

    def call(self, method: str, params: Json) -> Json:
        """Perform one operation of the role.

        Raises:
            Unsupported: the role has none of that name.
            IutProblem: what sits in a seat could not be asked.
        """
        match method:
            case "initialize":
                return self._description()
            case "reset" | "shutdown":
                self._managers.reset()
                return {}
        role, _, operation = method.partition(".")
        if role != ROLE.name or operation not in ROLE.operations:
            raise Unsupported(f"{method}: is no operation of the role {ROLE.name}")
        try:
            answer: Json = getattr(self._managers, operation)(**params)
        except MethodNotFound as absent:
            raise Unsupported(f"{method}: {absent}") from absent
        except Unsupported as absent:
            raise NotApplicable(f"{absent}; the case needs it of what takes a seat") from absent
        except UnknownMachine as unknown:
            raise IutErrorAnswer(INVALID_PARAMS, str(unknown)) from unknown
        return answer

    def evidence(self) -> tuple[str, ...]:
        """Return who sits in which seat."""
        return tuple(f"{seat}: {spec}" for seat, spec in self._specs.items())

    def close(self) -> None:
        """End what sits in the seats; never raises."""
        self._seats.close()

    def _description(self) -> Json:
        seats = ", ".join(f"{seat} {spec}" for seat, spec in self._specs.items())
        return {
            "protocol": PROTOCOL_VERSION,
            "name": f"{NAME} with {seats}",
            "version": "1",
            "roles": [ROLE.name],
            "capabilities": [*ROLE.offered],
            "specs": {ROLE.specification: ROLE.revision},
        }


def connect_seated(specs: Mapping[str, str], options: AdapterOptions) -> CheckedIut:
    """Reach what takes the seats, and return the queue managers that rely on it behind the schema checks.

    Raises:
        ConfigurationError: something cannot be reached so, or does not have the role of its seat.
        IutProblem: nothing answers, or what no answer can be.
    """
    inner = SeatedIut(specs, options)
    try:
        inner.check()
    except BaseException:
        inner.close()
        raise
    iut = checked(inner)
    iut.handshake()
    return iut
