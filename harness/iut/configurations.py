"""Implementations that offer less, or are reached otherwise: what is usual among those that people bring.

``mqconform.harness.iut.configurations:NAME__MUTANT`` is a mutant in a configuration, ``NAME__`` the reference.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from mqconform.harness.iut.all_roles import MutantIut, ReferenceIut
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.method_not_found import MethodNotFound
from mqconform.harness.iut.role import Capability
from mqconform.harness.iut.roles import CAPABILITIES, ROLES, all_mutants
from mqconform.harness.records.requirement import RoleName


@dataclass(frozen=True, slots=True)
class Configuration:
    """What an implementation does not offer, and how it is reached.

    Attributes:
        capabilities: not declared; their operations are refused.
        operations: optional ones that are refused besides, with their roles.
        over_udp: whether it is a discovery server that is reached by datagrams and takes no orders.
        real_clock: whether it is a discovery client whose time is that of the world.
    """

    capabilities: tuple[Capability, ...] = ()
    operations: tuple[str, ...] = ()
    over_udp: bool = False
    real_clock: bool = False

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
        named |= {role for role in ROLES if any(one.startswith(f"{role}.") for one in self.operations)}
        named |= {RoleName.DISCOVERY_SERVER} if self.over_udp else set()
        named |= {RoleName.DISCOVERY_CLIENT} if self.real_clock else set()
        return frozenset(named)


CONFIGURATIONS: Final = MappingProxyType(
    {
        "no_virtual_clock": Configuration((Capability.VIRTUAL_CLOCK,)),
        "no_procedures": Configuration((Capability.PROCEDURES,)),
        "no_directory_faults": Configuration((Capability.DIRECTORY_FAULTS,)),
        "no_routing_table": Configuration(operations=("router.routing_table",)),
        "no_table_and_no_procedures": Configuration((Capability.PROCEDURES,), ("router.routing_table",)),
        "no_restart": Configuration((Capability.RESTART,)),
        "no_sequences": Configuration((Capability.SEQUENCES,)),
        "no_send_faults": Configuration(
            (Capability.SEND_FAULTS,), ("discovery_server.fail_next_send", "discovery_server.fail_next_open")
        ),
        "no_udp": Configuration((Capability.UDP,), ("discovery_server.listen",)),
        "no_ipx": Configuration((Capability.IPX,)),
        "no_client_state": Configuration(operations=("discovery_client.state",)),
        "udp_alone": Configuration(over_udp=True),
        "real_clock": Configuration(real_clock=True),
    }
)
"""By name; the implementation that offers everything is what ``mqconform mutants`` tries anyway."""


class LimitedIut:
    """An implementation without what a configuration leaves out, in the roles that this concerns."""

    def __init__(self, inner: ReferenceIut, configuration: Configuration) -> None:
        self._inner, self._refused = inner, configuration.refused
        self._without = {one.value for one in configuration.capabilities}
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
            kept = [one for one in answer["capabilities"] if one not in self._without]
            return answer | {"capabilities": kept, "roles": [one for one in answer["roles"] if one in self._roles]}
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
