"""The operations that the smoke test tries: the cheap ones of each role, in an order that any IUT can follow."""

from dataclasses import dataclass, field

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.server_configurations import EXAMPLE
from mqconform.reference.mqsd import specification as mqsd

ENTERPRISE, SITE = EXAMPLE.enterprise, EXAMPLE.site
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
SERVER: Json = EXAMPLE.params()
CLIENT_NETWORK = "192.0.2.1"
STREAM = "smoke"
FIRST: Json = {"sequence": 1, "previous": 0}
QUEUES: list[Json] = [{"name": "queue", "machine": "computer", "transactional": True}]
