"""The one registry of roles: what an implementation can be, and where everything about each role stands.

A role has one folder of a name in each place: its judges in ``harness/judge``, its mutants in ``harness/iut/mutants``.
docs/how-to/add-a-role.md tells how to add one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Final, Protocol

from mqconform.harness.iut import smoke_calls
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut import (
    discovery_client,
    discovery_server,
    ordered_receiver,
    ordered_sender,
    router,
    transaction,
)
from mqconform.harness.records.requirement import RoleName


class Capability(StrEnum):
    """What can be tried of a role and need not be offered."""

    VIRTUAL_CLOCK = "virtual-clock"
    REAL_CLOCK = "real-clock"
    PROCEDURES = "procedures"
    DIRECTORY_FAULTS = "directory-faults"
    UDP = "udp"
    IPX = "ipx"
    IPX_CLIENT = "ipx-client"
    SEND_FAULTS = "send-faults"
    RESTART = "restart"
    SEQUENCES = "sequences"


CLOCKS: Final = (Capability.VIRTUAL_CLOCK, Capability.REAL_CLOCK)
"""Of which a discovery client needs either."""


class RolePart(Protocol):
    """An object that plays a role: it has a method for each operation, and can begin anew."""

    def reset(self) -> None:
        """Reset to the initial state."""


@dataclass(frozen=True, slots=True)
class Role:
    """One role of the IUT protocol.

    Attributes:
        specification: id of its specification in the catalogue; ``revision`` is the one that the reference follows.
        folder: name of its folder in ``harness/judge`` and ``harness/iut/mutants``; roles may share one.
        reference: makes the reference in this role, with a method for each operation.
        operations: what the reference can be called for.
        capabilities: those that say something about the role.
        unoffered: those of them that the reference does not offer.
        smoke_calls: the cheap operations, in an order that any implementation can follow.
        subject: ``module:callable`` that makes generated inputs for several implementations, empty where there is none.
    """

    name: RoleName
    specification: str
    revision: str
    folder: str
    reference: Callable[[], RolePart]
    operations: frozenset[str]
    capabilities: tuple[Capability, ...]
    smoke_calls: tuple[smoke_calls.Call, ...]
    unoffered: tuple[Capability, ...] = ()
    subject: str = ""

    @property
    def offered(self) -> list[str]:
        """The capabilities that the reference offers."""
        return [capability.value for capability in self.capabilities if capability not in self.unoffered]

    @property
    def step_modules(self) -> tuple[str, ...]:
        """The modules with the steps of its scenarios."""
        modules: tuple[str, ...] = import_module(f"mqconform.harness.judge.{self.folder}").STEP_MODULES
        return modules

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """Its mutants, the faulty ones first."""
        of_folder: tuple[Mutant, ...] = import_module(f"mqconform.harness.iut.mutants.{self.folder}").MUTANTS
        return tuple(mutant for mutant in of_folder if mutant.role is self.name)


_TRIANGULATED = "mqconform.harness.compare.triangulate"

ROLES: Final[Mapping[RoleName, Role]] = MappingProxyType(
    {
        role.name: role
        for role in (
            Role(
                RoleName.ROUTER,
                "MQBR",
                "18.0",
                folder="mqbr",
                reference=router.ReferenceRouterRole,
                operations=router.OPERATIONS,
                capabilities=(Capability.VIRTUAL_CLOCK, Capability.PROCEDURES, Capability.DIRECTORY_FAULTS),
                smoke_calls=smoke_calls.ROUTER_CALLS,
                subject=f"{_TRIANGULATED}.router_subject:RouterSubject",
            ),
            Role(
                RoleName.DISCOVERY_SERVER,
                "MQSD",
                "13.0",
                folder="mqsd_server",
                reference=discovery_server.ReferenceDiscoveryServer,
                operations=discovery_server.OPERATIONS,
                capabilities=(Capability.UDP, Capability.IPX, Capability.SEND_FAULTS),
                smoke_calls=smoke_calls.DISCOVERY_SERVER_CALLS,
                subject=f"{_TRIANGULATED}.discovery_server_subject:DiscoveryServerSubject",
            ),
            Role(
                RoleName.DISCOVERY_CLIENT,
                "MQSD",
                "13.0",
                folder="mqsd_client",
                reference=discovery_client.ReferenceDiscoveryClient,
                operations=discovery_client.OPERATIONS,
                capabilities=(Capability.VIRTUAL_CLOCK, Capability.REAL_CLOCK, Capability.IPX_CLIENT),
                unoffered=(Capability.REAL_CLOCK, Capability.IPX_CLIENT),
                smoke_calls=smoke_calls.DISCOVERY_CLIENT_CALLS,
                subject=f"{_TRIANGULATED}.discovery_client_subject:DiscoveryClientSubject",
            ),
            Role(
                RoleName.ORDERED_RECEIVER,
                "EOD",
                "Windows Server 2003",
                folder="eod",
                reference=ordered_receiver.ReferenceOrderedReceiver,
                operations=ordered_receiver.OPERATIONS,
                capabilities=(Capability.VIRTUAL_CLOCK, Capability.RESTART, Capability.SEQUENCES),
                smoke_calls=smoke_calls.ORDERED_RECEIVER_CALLS,
                subject=f"{_TRIANGULATED}.ordered_receiver_subject:OrderedReceiverSubject",
            ),
            Role(
                RoleName.ORDERED_SENDER,
                "EOD",
                "Windows Server 2003",
                folder="eod",
                reference=ordered_sender.ReferenceOrderedSender,
                operations=ordered_sender.OPERATIONS,
                capabilities=(Capability.VIRTUAL_CLOCK, Capability.RESTART),
                smoke_calls=smoke_calls.ORDERED_SENDER_CALLS,
                subject=f"{_TRIANGULATED}.ordered_sender_subject:OrderedSenderSubject",
            ),
            Role(
                RoleName.TRANSACTION,
                "EOD",
                "Windows Server 2003",
                folder="eod",
                reference=transaction.ReferenceTransaction,
                operations=transaction.OPERATIONS,
                capabilities=(Capability.SEND_FAULTS,),
                smoke_calls=smoke_calls.TRANSACTION_CALLS,
            ),
        )
    }
)
"""Every role that this version of the protocol knows."""

CAPABILITIES: Final[Mapping[str, tuple[RoleName, ...]]] = MappingProxyType(
    {
        capability.value: tuple(role.name for role in ROLES.values() if capability in role.capabilities)
        for capability in Capability
    }
)
"""Capability -> roles about which it says something."""
SMOKE_CALLS: Final = tuple(call for role in ROLES.values() for call in role.smoke_calls)


@cache
def step_modules() -> tuple[str, ...]:
    """Return the modules with the steps of all scenarios, each once."""
    return tuple(dict.fromkeys(module for role in ROLES.values() for module in role.step_modules))


@cache
def all_mutants() -> Mapping[str, Mutant]:
    """Return the mutants of all roles by name."""
    mutants = [mutant for role in ROLES.values() for mutant in role.mutants]
    by_name = {mutant.name: mutant for mutant in mutants}
    assert len(by_name) == len(mutants), "two mutants have one name"
    return MappingProxyType(by_name)
