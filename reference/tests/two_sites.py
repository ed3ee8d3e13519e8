"""Two sites, each with a client and a gate: the enterprise that several tests play in."""

from typing import Any

from mqconform.reference.mqso.routes import topology_of

DOCUMENT: dict[str, Any] = {
    "enterprise": {"name": "two-sites"},
    "sites": [{"name": "North", "site_gates": ["c"]}, {"name": "South", "site_gates": ["d"]}],
    "routing_links": [{"id": "North-South", "site1": "North", "site2": "South", "cost": 1}],
    "queue_managers": [
        {"name": "a", "sites": ["North"], "routing_server": False},
        {"name": "b", "sites": ["South"], "routing_server": False},
        {"name": "c", "sites": ["North"], "routing_server": True},
        {"name": "d", "sites": ["South"], "routing_server": True},
    ],
}
TWO_SITES = topology_of(DOCUMENT)
