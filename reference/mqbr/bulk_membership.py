"""Compiled questions about machines and their sites, for the judgement of rows."""

from mqconform.reference.mqbr.bulk_arrays import GATE_OF_SEVERAL, OPEN, ROUTER, SEVERAL, SITE_BITS, Lists, Machines
from mqconform.reference.mqbr.bulk_compiled import Int32s, compiled_part


@compiled_part
def is_gate_of(machines: Machines, hop: int, site: int) -> bool:
    """Return whether a machine is a gate of a site, all of whose gates are routing servers of it."""
    if hop < 0 or machines.site_open[site]:
        return False
    gate_of = (machines.packed[hop] >> 40) - 2
    return bool(gate_of == site) if gate_of != GATE_OF_SEVERAL else in_list_of(machines.gates, hop, site)


@compiled_part
def is_server(machines: Machines, hop: int, machine: int) -> bool:
    """Return whether a hop is a routing server that shares a site with a machine."""
    if hop < 0 or hop >= len(machines.first_server) or not machines.packed[hop] & ROUTER:
        return False
    return share_a_site(machines, hop, machine)


@compiled_part
def share_a_site(machines: Machines, machine: int, other: int) -> bool:
    """Return whether two queue managers have a known site in common."""
    left, right = machines.packed[machine], machines.packed[other]
    if not (left | right) & (SEVERAL | OPEN):
        return bool((left >> 16) & SITE_BITS == (right >> 16) & SITE_BITS)
    sites = machines.sites
    a, b = sites.offsets[machine], sites.offsets[other]
    while a < sites.offsets[machine + 1] and b < sites.offsets[other + 1]:
        if sites.values[a] == sites.values[b]:
            return True
        if sites.values[a] < sites.values[b]:
            a += 1
        else:
            b += 1
    return False


@compiled_part
def in_list_of(lists: Lists, owner: int, number: int) -> bool:
    """Return whether the list of an owner holds a number."""
    return among(lists.values, lists.offsets[owner], lists.offsets[owner + 1], number)


@compiled_part
def among(values: Int32s, low: int, high: int, number: int) -> bool:
    """Return whether values from ``low`` to before ``high`` hold a number."""
    for place in range(low, high):  # noqa: SIM110 - compiled code knows no generators
        if values[place] == number:
            return True
    return False
