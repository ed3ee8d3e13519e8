"""The reference sender as an implementation under test: role ``ordered_sender`` of the IUT protocol."""

from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import STREAM, Call, calls_of
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.sender import OrderedSender
from mqconform.reference.eod.specification import FACTS

ROLE = Role(
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
