"""The reference of transactional sends as an implementation under test: role ``transaction`` of the IUT protocol."""

from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import QUEUES, Call, calls_of
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.transaction import TransactionalSends

ROLE = Role(
    RoleName.TRANSACTION,
    "EOD",
    "Windows Server 2003",
    folder="eod",
    reference=TransactionalSends,
    capabilities=(Capability.SEND_FAULTS,),
    smoke_calls=calls_of(
        RoleName.TRANSACTION,
        Call("configure", {"queues": QUEUES, "lists": [{"name": "list", "elements": ["queue"]}]}),
        Call("fail_queue", {"queue": "queue", "failing": False}, capability="send-faults"),
        Call("deliver"),
        Call("state"),
    ),
)
