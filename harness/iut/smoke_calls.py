"""The operations that the smoke test tries: the cheap ones of each role, in an order that any IUT can follow."""

from dataclasses import dataclass, field

from mqconform.harness.iut.interface import Json
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod import specification as eod
from mqconform.reference.mqbr import specification as mqbr
from mqconform.reference.mqsd import specification as mqsd

ENTERPRISE = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
SITE = "e6eaba60-d1c6-11db-baac-0003ff4e2d22"
NETWORK = "e6eaba62-d1c6-11db-baac-0003ff4e2d22"
HERE, THERE = "aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"
FAR_SITE = "cccccccc-0000-4000-8000-000000000003"
LINK = "dddddddd-0000-4000-8000-000000000004"

REQUEST = bytes.fromhex(
    "00010000 61BAEAE6C6D1DB11BAAC0003FF4E2D22 03A191F23CE34FABA930BE3A33E432DD F61BC5DCADD44345873971568E8F9128"
)
"""The example request of MS-MQSD section 4: a client of another site."""
_ID = mqsd.FACTS.request_id
FENCE = REQUEST[: _ID.start] + bytes.fromhex("03A191F23CE34FABA930BE3A33E432DE") + REQUEST[_ID.stop :]

UNKNOWN_METHOD = "mqconform.no_such_method"


@dataclass(frozen=True, slots=True)
class Call:
    """One operation to try.

    Attributes:
        role: the role that has to offer it; empty for what every IUT offers.
        capability: tried only where this is declared.
        optional: need not be offered.
    """

    method: str
    params: Json = field(default_factory=dict)
    role: str = ""
    capability: str = ""
    optional: bool = False


DIRECTORY: Json = {
    "enterprise": {"id": ENTERPRISE, "name": "smoke"},
    "sites": [{"id": SITE, "site_gates": [HERE]}, {"id": FAR_SITE, "site_gates": [THERE]}],
    "routing_links": [{"id": LINK, "site1": SITE, "site2": FAR_SITE, "cost": 1}],
    "queue_managers": [
        {"id": HERE, "sites": [SITE], "routing_server": True},
        {"id": THERE, "sites": [FAR_SITE], "routing_server": True},
    ],
}
SERVER: Json = {
    "enterprise": ENTERPRISE,
    "site": SITE,
    "connected_networks": [NETWORK],
    "directory_servers": [{"name": "nt4pec", "ip": True, "ipx": False}],
}
CLIENT_NETWORK = "192.0.2.1"
STREAM = "smoke"
FIRST: Json = {"sequence": 1, "previous": 0}
QUEUES: list[Json] = [{"name": "queue", "machine": "computer", "transactional": True}]


def _of(role: RoleName, *calls: Call) -> tuple[Call, ...]:
    return tuple(Call(f"{role}.{call.method}", call.params, role, call.capability, call.optional) for call in calls)


ROUTER_CALLS = _of(
    RoleName.ROUTER,
    Call("load_directory", {"directory": DIRECTORY}),
    Call("initialize", {"local": HERE}),
    Call("get_next_hops", {"source": HERE, "destination": THERE}),
    Call("routing_table", optional=True),
    Call("is_site_gate", {"machine": HERE}, capability="procedures"),
    Call("get_routing_server", {"machine": HERE}, capability="procedures"),
    Call("get_site_gate", {"machine": HERE}, capability="procedures"),
    Call("get_site_gate_for_site", {"site": SITE}, capability="procedures"),
    Call("fail_directory", {"object_type": "Site", "at": None}, capability="directory-faults"),
    Call("change_directory", {"directory": DIRECTORY}),
    Call("advance_clock", {"seconds": mqbr.FACTS.query_timer}, capability="virtual-clock"),
)
DISCOVERY_SERVER_CALLS = _of(
    RoleName.DISCOVERY_SERVER,
    Call("configure", SERVER),
    Call("receive", {"network": "ip", "datagram": REQUEST.hex()}),
    Call("state", capability="send-faults"),
)
DISCOVERY_CLIENT_CALLS = _of(
    RoleName.DISCOVERY_CLIENT,
    Call("configure", {"enterprise": ENTERPRISE, "site": SITE, "networks": [{"address": CLIENT_NETWORK}]}),
    Call("change_networks", {"networks": [{"address": CLIENT_NETWORK}]}),
    Call("start"),
    Call("receive", {"network": CLIENT_NETWORK, "datagram": REQUEST.hex()}),
    Call("state"),
    Call("advance_clock", {"seconds": mqsd.FACTS.response_timeout}, capability="virtual-clock"),
)
ORDERED_RECEIVER_CALLS = _of(
    RoleName.ORDERED_RECEIVER,
    Call("receive", {"stream": STREAM, **FIRST}),
    Call("order_ack", {"stream": STREAM}),
    Call("receive_in_sequence", {"stream": STREAM, "sequence_id": 1, **FIRST}, capability="sequences"),
    Call("advance_clock", {"seconds": 1}, capability="virtual-clock"),
    Call("restart", capability="restart"),
    Call("lose_state"),
)
ORDERED_SENDER_CALLS = _of(
    RoleName.ORDERED_SENDER,
    Call("enqueue", {"stream": STREAM, "message": "m1"}),
    Call("transmit", {"stream": STREAM}),
    Call("order_ack", {"stream": STREAM, "sequence": 1}),
    Call("enqueue", {"stream": STREAM, "message": "m2"}),
    Call("discard", {"stream": STREAM, "message": "m2"}),
    Call("receiver_lost_state", {"stream": STREAM}),
    Call("advance_clock", {"seconds": eod.FACTS.resend_intervals[0]}, capability="virtual-clock"),
    Call("restart", capability="restart"),
)
TRANSACTION_CALLS = _of(
    RoleName.TRANSACTION,
    Call("configure", {"queues": QUEUES, "lists": [{"name": "list", "elements": ["queue"]}]}),
    Call("fail_queue", {"queue": "queue", "failing": False}, capability="send-faults"),
    Call("deliver"),
    Call("state"),
)
