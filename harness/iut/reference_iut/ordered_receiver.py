"""The reference receiver as an implementation under test: role ``ordered_receiver`` of the IUT protocol."""

from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import FIRST, STREAM, Call, calls_of
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.receiver import OrderedReceiver

ROLE = Role(
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
