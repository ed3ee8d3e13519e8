"""The reference of exactly-once delivery as an implementation under test: its three roles of the IUT protocol."""

from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import FIRST, QUEUES, STREAM, Call, calls_of
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.receiver import OrderedReceiver
from mqconform.reference.eod.sender import OrderedSender
from mqconform.reference.eod.specification import FACTS
from mqconform.reference.eod.transaction import TransactionalSends

RECEIVER = Role(
    RoleName.ORDERED_RECEIVER,
    "EOD",
    "Windows Server 2003",
    folder="eod",
    reference=OrderedReceiver,
    capabilities=(Capability.VIRTUAL_CLOCK, Capability.RESTART, Capability.SEQUENCES),
    smoke_calls=calls_of(
        RoleName.ORDERED_RECEIVER,
        Call("receive", {"stream": STREAM, **FIRST}),
        Call("order_ack", {"stream": STREAM}),
        Call("receive_in_sequence", {"stream": STREAM, "sequence_id": 1, **FIRST}, capability="sequences"),
        Call("advance_clock", {"seconds": 1}, capability="virtual-clock"),
        Call("restart", capability="restart"),
        Call("lose_state"),
    ),
    inputs="ordered_receiver:OrderedReceiverInputs",
)
SENDER = Role(
    RoleName.ORDERED_SENDER,
    "EOD",
    "Windows Server 2003",
    folder="eod",
    reference=OrderedSender,
    capabilities=(Capability.VIRTUAL_CLOCK, Capability.RESTART),
    smoke_calls=calls_of(
        RoleName.ORDERED_SENDER,
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
TRANSACTION = Role(
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
