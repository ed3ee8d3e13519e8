"""Implementations that offer less, or are reached otherwise: what is usual among those that people bring.

``mqconform.harness.iut.configurations:NAME__MUTANT`` is a mutant in a configuration, ``NAME__`` the reference.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from mqconform.harness.iut.all_roles import MutantIut, ReferenceIut
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.queue_managers import BETWEEN_MACHINES
from mqconform.harness.iut.role import Capability, MethodNotFound
from mqconform.harness.iut.roles import CAPABILITIES, CLOCKS, ROLES, all_mutants
from mqconform.harness.records.requirement import RoleName


@dataclass(frozen=True, slots=True)
class Configuration:
    """What an implementation does not offer, and how it is reached.

    Attributes:
        capabilities: not declared; their operations are refused.
        operations: optional ones that are refused besides, with their roles.
        over_udp: whether it is a discovery server that is reached by datagrams and takes no orders.
        real_clock: whether it is a discovery client and a queue manager whose time is that of the world.
        besides: mutants that are tried as well: faulty ones have to be convicted there, others to come out clean.
    """

    capabilities: tuple[Capability, ...] = ()
    operations: tuple[str, ...] = ()
    over_udp: bool = False
    real_clock: bool = False
    besides: tuple[str, ...] = ()

    @property
    def refused(self) -> frozenset[str]:
        """All operations that are refused."""
        calls = [call for role in ROLES.values() for call in role.smoke_calls]
        without = {call.method for call in calls if call.capability in self.capabilities}
        return frozenset({*without, *self.operations})

    @property
    def roles(self) -> frozenset[RoleName]:
        """The roles that are judged otherwise by it."""
        named = {role for capability in self.capabilities for role in CAPABILITIES[capability.value]}
        named |= {role for role in ROLES if any(operation.startswith(f"{role}.") for operation in self.operations)}
        named |= {RoleName.DISCOVERY_SERVER} if self.over_udp else set()
        named |= {RoleName.DISCOVERY_CLIENT, RoleName.QUEUE_MANAGER} if self.real_clock else set()
        return frozenset(named)


TIMED: Final = (
    "queue-never-expires",
    "queue-expires-late",
    "queue-expires-early",
    "queue-time-begins-anew",
    "queue-wait-without-end",
    "queue-dead-letters-unasked",
    "queue-asked-and-lost",
    "queue-expires-when-touched",
    "queue-timer-from-commit",
    "queue-deleted-in-time",
)
"""Queue managers that show by their timers what they are; the last three conform."""
CONFIGURATIONS: Final = MappingProxyType(
    {
        "no_virtual_clock": Configuration((Capability.VIRTUAL_CLOCK,)),
        "no_procedures": Configuration((Capability.PROCEDURES,)),
        "no_directory_faults": Configuration((Capability.DIRECTORY_FAULTS,)),
        "no_routing_table": Configuration(operations=("router.routing_table",)),
        "no_table_and_no_procedures": Configuration((Capability.PROCEDURES,), ("router.routing_table",)),
        "no_restart": Configuration(
            (Capability.RESTART,), ("queue_manager.start", "queue_manager.stop", "queue_manager.crash")
        ),
        "no_transactions": Configuration(
            (Capability.TRANSACTIONS, Capability.EXTERNAL_TRANSACTIONS),
            ("queue_manager.commit", "queue_manager.abort"),
        ),
        "no_external_transactions": Configuration((Capability.EXTERNAL_TRANSACTIONS,)),
        "no_cursors": Configuration(
            (Capability.CURSORS,), ("queue_manager.create_cursor", "queue_manager.close_cursor")
        ),
        "no_management": Configuration((Capability.MANAGEMENT,), ("queue_manager.state",)),
        "no_store_faults": Configuration((Capability.STORE_FAULTS,), ("queue_manager.fail_store",)),
        "no_coordinator_faults": Configuration((Capability.COORDINATOR_FAULTS,), ("queue_manager.fail_coordinator",)),
        "no_several_machines": Configuration(
            BETWEEN_MACHINES, ("queue_manager.fail_network", "queue_manager.outgoing")
        ),
        "no_throttling": Configuration((Capability.THROTTLING,)),
        "no_security": Configuration((Capability.SECURITY,)),
        "no_directory": Configuration(
            (Capability.DIRECTORY, Capability.PROVISIONING, Capability.ROUTING, Capability.CONNECTOR),
            (
                "queue_manager.create_foreign_queue",
                "queue_manager.find_queues",
                "queue_manager.fail_directory",
                "queue_manager.leave_domain",
                "queue_manager.replace_object",
                "queue_manager.join_domain",
                "queue_manager.put_object",
                "queue_manager.provision",
                "queue_manager.directory_objects",
            ),
        ),
        "no_sequences": Configuration((Capability.SEQUENCES,)),
        "no_send_faults": Configuration(
            (Capability.SEND_FAULTS,), ("discovery_server.fail_next_send", "discovery_server.fail_next_open")
        ),
        "no_udp": Configuration((Capability.UDP,), ("discovery_server.listen",)),
        "no_ipx": Configuration((Capability.IPX,)),
        "no_client_state": Configuration(operations=("discovery_client.state",)),
        "core_queue_manager": Configuration(
            tuple(name for name in ROLES[RoleName.QUEUE_MANAGER].capabilities if name not in CLOCKS)
        ),
        "udp_alone": Configuration(over_udp=True),
        "real_clock": Configuration(real_clock=True, besides=TIMED),
    }
)
"""By name; the implementation that offers everything is what ``mqconform mutants`` tries anyway."""


class LimitedIut:
    """An implementation without what a configuration leaves out, in the roles that this concerns."""

    def __init__(self, inner: ReferenceIut, configuration: Configuration) -> None:
        self._inner, self._refused = inner, configuration.refused
        self._without = {capability.value for capability in configuration.capabilities}
        self._roles = configuration.roles

    def call(self, method: str, params: dict[str, Any]) -> Json:
        """Perform one operation of the IUT protocol.

        Raises:
            MethodNotFound: the configuration leaves it out, or the implementation does not have it.
        """
        if method in self._refused:
            raise MethodNotFound(method)
        answer = self._inner.call(method, params)
        if method == "initialize":
            capabilities = [name for name in answer["capabilities"] if name not in self._without]
            return answer | {
                "capabilities": capabilities,
                "roles": [role for role in answer["roles"] if role in self._roles],
            }
        return answer


def target_of(configuration: str, mutant: str = "") -> str:
    """Return the ``module:callable`` of a mutant in a configuration, of the reference without one."""
    return f"{__name__}:{configuration}__{mutant.replace('-', '_')}"


def __getattr__(attribute: str) -> Callable[[], LimitedIut]:
    name, two, mutant = attribute.partition("__")
    if name not in CONFIGURATIONS or not two:
        raise AttributeError(attribute)
    configuration = CONFIGURATIONS[name]
    if not mutant:
        return lambda: LimitedIut(ReferenceIut(), configuration)
    wrong = all_mutants()[mutant.replace("_", "-")]
    return lambda: LimitedIut(MutantIut(wrong), configuration)
