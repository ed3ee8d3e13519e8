"""The role ``queue_manager`` as the reference of one machine has it: what it offers, and how that is tried."""

from typing import Final

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import Call, calls_of
from mqconform.harness.records.requirement import RoleName

_HERE: Final[Json] = {"machine": "smoke"}
_QUEUE: Final[Json] = {**_HERE, "queue": "smoke"}
ONE_MACHINE: Final = Role(
    RoleName.QUEUE_MANAGER,
    "MQSO",
    "18.0",
    folder="mqso",
    reference=ReferenceQueueManager,
    capabilities=(
        Capability.VIRTUAL_CLOCK,
        Capability.REAL_CLOCK,
        Capability.RESTART,
        Capability.TRANSACTIONS,
        Capability.EXTERNAL_TRANSACTIONS,
        Capability.CURSORS,
        Capability.MANAGEMENT,
        Capability.STORE_FAULTS,
        Capability.COORDINATOR_FAULTS,
        Capability.THROTTLING,
        Capability.CONCURRENT,
        Capability.SECURITY,
    ),
    unoffered=(Capability.REAL_CLOCK,),
    smoke_calls=calls_of(
        RoleName.QUEUE_MANAGER,
        Call("configure", {"machines": [{"name": "smoke", "mode": "workgroup"}]}),
        Call("create_queue", {**_QUEUE, "properties": {}}),
        Call("open", {**_HERE, "address": {"direct": _QUEUE}, "access": "receive"}),
        Call("purge", _QUEUE),
        Call("outcomes"),
        Call("advance_clock", {"seconds": 0}, capability="virtual-clock"),
        Call("queue_properties", _QUEUE, capability="management"),
        Call("create_cursor", {"handle": 0}, capability="cursors"),
        Call("begin", {**_HERE, "kind": "internal"}, capability="transactions"),
        Call("begin", {**_HERE, "kind": "external"}, capability="external-transactions"),
        Call("fail_coordinator", {**_HERE, "failing": False}, capability="coordinator-faults"),
        Call("fail_store", {**_HERE, "how": None}, capability="store-faults"),
        Call("throttle", {**_HERE, "on": False}, capability="throttling"),
        Call("start", _HERE, capability="restart"),
        Call("together", {"lanes": [[{"method": "purge", "params": _QUEUE}]]}, capability="concurrent"),
        Call("delete_queue", _QUEUE),
    ),
)
"""The role as a queue manager has it that knows of no other."""
