"""The one registry of roles: what an implementation can be.

What there is to say of a role stands beside its reference, as ``ROLE``, or here where the model itself is that;
docs/how-to/add-a-role.md tells how to add one.
"""

from collections.abc import Container, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Final

from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut import (
    discovery_client,
    discovery_server,
    queue_managers,
    router,
)
from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import FIRST, QUEUES, STREAM, Call
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.receiver import OrderedReceiver
from mqconform.reference.eod.sender import OrderedSender
from mqconform.reference.eod.specification import FACTS
from mqconform.reference.eod.transaction import TransactionalSends

CLOCKS: Final = (Capability.VIRTUAL_CLOCK, Capability.REAL_CLOCK)
"""Of which a discovery client needs either."""
# The model of exactly-once delivery has a method for each operation: it is the implementation as it stands.
_RECEIVER: Final = Role(
    RoleName.ORDERED_RECEIVER,
    "EOD",
    "Windows Server 2003",
    folder="eod",
    reference=OrderedReceiver,
    capabilities=(Capability.VIRTUAL_CLOCK, Capability.RESTART, Capability.SEQUENCES),
    cheap=(
        Call("receive", {"stream": STREAM, **FIRST}),
        Call("order_ack", {"stream": STREAM}),
        Call("receive_in_sequence", {"stream": STREAM, "sequence_id": 1, **FIRST}, capability="sequences"),
        Call("advance_clock", {"seconds": 1}, capability="virtual-clock"),
        Call("restart", capability="restart"),
        Call("lose_state"),
    ),
    inputs="ordered_receiver:OrderedReceiverInputs",
)
_SENDER: Final = Role(
    RoleName.ORDERED_SENDER,
    "EOD",
    "Windows Server 2003",
    folder="eod",
    reference=OrderedSender,
    capabilities=(Capability.VIRTUAL_CLOCK, Capability.RESTART),
    cheap=(
        Call("enqueue", {"stream": STREAM, "message": "m1"}),
        Call("transmit", {"stream": STREAM}),
        Call("order_ack", {"stream": STREAM, "sequence": 1}),
        Call("enqueue", {"stream": STREAM, "message": "m2"}),
        Call("discard", {"stream": STREAM, "message": "m2"}),
        Call("receiver_lost_state", {"stream": STREAM}),
        Call("advance_clock", {"seconds": FACTS.resend_intervals[0]}, capability="virtual-clock"),
        Call("restart", capability="restart"),
    ),
    inputs="ordered_sender:OrderedSenderInputs",
)
_TRANSACTION: Final = Role(
    RoleName.TRANSACTION,
    "EOD",
    "Windows Server 2003",
    folder="eod",
    reference=TransactionalSends,
    capabilities=(Capability.SEND_FAULTS,),
    cheap=(
        Call("configure", {"queues": QUEUES, "lists": [{"name": "list", "elements": ["queue"]}]}),
        Call("fail_queue", {"queue": "queue", "failing": False}, capability="send-faults"),
        Call("deliver"),
        Call("state"),
    ),
)
_ROLES: Final = (
    router.ROLE,
    discovery_server.ROLE,
    discovery_client.ROLE,
    _RECEIVER,
    _SENDER,
    _TRANSACTION,
    queue_managers.ROLE,
)
ROLES: Final[Mapping[RoleName, Role]] = MappingProxyType({role.name: role for role in _ROLES})
"""Every role that this version of the protocol knows."""

CAPABILITIES: Final[Mapping[str, tuple[RoleName, ...]]] = MappingProxyType(
    {
        capability.value: tuple(role.name for role in ROLES.values() if capability in role.capabilities)
        for capability in Capability
    }
)
"""Capability -> roles about which it says something."""
SMOKE_CALLS: Final = tuple(call for role in ROLES.values() for call in role.smoke_calls)


def step_modules(roles: Container[str] = frozenset(ROLES)) -> tuple[str, ...]:
    """Return the modules with the steps of the scenarios of some roles, by default of all, each once."""
    chosen = (role for name, role in ROLES.items() if name in roles)
    return tuple(dict.fromkeys(module for role in chosen for module in role.step_modules))


def mutants_of(role: Role) -> tuple[Mutant, ...]:
    """Return the mutants of a role, the faulty ones first."""
    of_folder: tuple[Mutant, ...] = import_module(f"mqconform.harness.iut.mutants.{role.folder}").MUTANTS
    return tuple(mutant for mutant in of_folder if mutant.role is role.name)


@cache
def all_mutants() -> Mapping[str, Mutant]:
    """Return the mutants of all roles by name."""
    mutants = [mutant for role in ROLES.values() for mutant in mutants_of(role)]
    by_name = {mutant.name: mutant for mutant in mutants}
    assert len(by_name) == len(mutants), "two mutants have one name"
    return MappingProxyType(by_name)
