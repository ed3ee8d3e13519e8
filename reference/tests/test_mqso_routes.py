"""Next hops between the machines of a domain: names of the directory are routed, direct names are not."""

from mqconform.reference.mqso.elements import MachineName
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import far, public
from mqconform.reference.mqso.routes import Routes, topology_of
from mqconform.reference.mqso.system import system_of

CLERK, NORTH, MIDDLE, SOUTH, STOCK = map(MachineName, ("clerk", "north", "middle", "south", "stock"))
SITES = {CLERK: "N", NORTH: "N", MIDDLE: "M", SOUTH: "S", STOCK: "S"}
GATES = {"N": NORTH, "M": MIDDLE, "S": SOUTH}
LINKS = (("N", "M", 1), ("M", "S", 1), ("N", "S", 5))
WAYS = Routes(
    topology_of(
        {
            "enterprise": {"name": "domain"},
            "sites": [{"name": site, "site_gates": [gate]} for site, gate in GATES.items()],
            "routing_links": [
                {"id": f"{one}{other}", "site1": one, "site2": other, "cost": cost} for one, other, cost in LINKS
            ],
            "queue_managers": [
                {"name": name, "sites": [site], "routing_server": name in GATES.values()}
                for name, site in SITES.items()
            ],
        }
    )
)


def test_each_machine_is_told_the_next_one_of_the_cheapest_way() -> None:
    ways = {at: WAYS.answers(at, STOCK) for at in (CLERK, NORTH, MIDDLE, SOUTH)}
    assert ways == {CLERK: ((NORTH,),), NORTH: ((MIDDLE,),), MIDDLE: ((SOUTH,),), SOUTH: ((STOCK,),)}
    assert WAYS.without_links(NORTH, frozenset({MIDDLE})).answers(NORTH, STOCK) == ((SOUTH,),)


def test_direct_names_are_not_routed() -> None:
    network, domain = Network(), system_of(SITES, SITES, WAYS)
    assert network.onward(domain, CLERK, public(STOCK, "orders")) == ((NORTH,),)
    assert network.onward(domain, CLERK, far(STOCK, "orders")) == ((STOCK,),)
