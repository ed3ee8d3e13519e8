"""The compiled judgement of plain rows: source, destination, and the hops that were observed.

A row is judged here only where the readable model's verdict follows from few facts; all others come back as
``LEFT_OPEN`` for the readable model, and so do those of gates without a routing table. Each function returns an
outcome; ``judge_row`` returns it together with the rule as ``outcome | rule << 8``.
"""

from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr import bulk_arrays
from mqconform.reference.mqbr import bulk_rules as rules
from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Masks, Octets, compiled_part, compiled_reader
from mqconform.reference.mqbr.bulk_tables import SiteGraph

ALLOWED: Final = 0
BY_REGISTER: Final = 1
NOT_ALLOWED: Final = 2
LEFT_OPEN: Final = 255

NOTHING: Final = -1
"""A hop that is Nothing; in a column of single hops: no route."""
UNKNOWN: Final = -2
"""A machine that the directory names nowhere."""

MOST_HOPS: Final = 64
"""Hops up to which a list is judged here."""


class Tables(NamedTuple):
    """Allowed next sites of the roots that were needed so far."""

    masks: Masks
    """Of each root sites x words of 64 bits: bit n stands for the n-th neighbour of the root."""
    begins: Int64s
    """For each site: where its masks begin, -1 where none were needed."""
    graph: SiteGraph


class Answer(NamedTuple):
    """The observed hops of one row."""

    hops: Int32s
    low: int
    high: int
    """The hops are those from ``low`` to before ``high``."""
    first: int
    """The first hop that is not Nothing, ``NOTHING`` without any."""
    present: int
    """How many are not Nothing."""
    plural: bool
    """Whether two of them differ."""
    single: bool
    """Whether it is of a column of single hops: Nothing is a failed attempt then, else a list without hops (BR-04)."""


Columns = tuple[Int32s, Int32s, Int32s]


@compiled_reader
def judge_rows(  # noqa: PLR0913, PLR0917 - one pass over three columns into two
    machines: bulk_arrays.Machines,
    tables: Tables,
    rows: Columns,
    ends: tuple[Int64s, Int64s],
    single: bool,  # noqa: FBT001 - numba knows no keyword-only parameters
    outcome: Octets,
    rule: Octets,
) -> None:
    """Judge rows of source, destination and hops into ``outcome`` and ``rule``, those that are still ``LEFT_OPEN``.

    Hops lie between their ``ends``.
    In ``single`` answers the one hop is Nothing in a failed attempt.
    """
    source, destination, hops = rows
    for row in range(len(source)):
        if outcome[row] != LEFT_OPEN:
            continue  # judged before, with other tables
        low, high = ends[0][row], ends[1][row]
        answer = _answer(hops, low, high, single)
        verdict = LEFT_OPEN
        if high - low <= MOST_HOPS and (answer.present == 0 or answer.present == high - low):
            verdict = judge_row(machines, tables, source[row], destination[row], answer)
        outcome[row] = verdict & 255
        rule[row] = 0 if verdict == LEFT_OPEN else verdict >> 8


@compiled_part
def _answer(hops: Int32s, low: int, high: int, single: bool) -> Answer:  # noqa: FBT001 - as above
    first, count, plural = NOTHING, 0, False
    for place in range(low, high):
        if hops[place] == NOTHING:
            continue
        if count == 0:
            first = int(hops[place])
        elif hops[place] != first:
            plural = True
        count += 1
    return Answer(hops, low, high, first, count, plural, single)


@compiled_part
def judge_row(  # noqa: PLR0911 - a branch of the specification each
    machines: bulk_arrays.Machines, tables: Tables, source: int, destination: int, answer: Answer
) -> int:
    """Judge one row (GetNextHops, MS-MQBR 3.1.5.1)."""
    machine_count = len(machines.first_server)
    if source < 0 or destination < 0 or source >= machine_count or destination >= machine_count:
        return _no_route(answer, BY_REGISTER, UNKNOWN) | rules.UNKNOWN << 8
    here, there = machines.packed[source], machines.packed[destination]
    if source == destination or (here | there) & bulk_arrays.OPEN:
        return LEFT_OPEN
    if here & bulk_arrays.ROUTER:
        verdict = _from_router(machines, tables, source, destination, answer)
        if here & bulk_arrays.OUT_LIST and verdict & 255 > BY_REGISTER:
            return LEFT_OPEN
        return verdict
    if here & bulk_arrays.OUT_LIST:
        judged = _of_list(machines.out_servers, source, here & bulk_arrays.OUT_LIST_OPEN, answer)
        return judged | rules.OUT_LIST << 8
    if share_a_site(machines, source, destination):
        return _within_the_site(machines, source, destination, answer, rules.CLIENT_IN_LIST)
    return _via_server(machines, source, destination, answer) | rules.VIA_SERVER << 8


@compiled_part
def _from_router(machines: bulk_arrays.Machines, tables: Tables, source: int, destination: int, answer: Answer) -> int:
    """Judge an answer of a routing server or gate (MS-MQBR 3.1.5.2, 3.1.5.3)."""
    gate = machines.packed[source] & bulk_arrays.GATE
    in_list = rules.GATE_IN_LIST if gate else rules.ROUTER_IN_LIST
    if machines.packed[destination] & bulk_arrays.IN_LIST and in_list_of(machines.in_servers, destination, source):
        right = answer.first == destination and not answer.plural
        return (ALLOWED if right else NOT_ALLOWED) | (in_list - 1) << 8
    if share_a_site(machines, source, destination):
        return _within_the_site(machines, source, destination, answer, in_list)
    if gate:
        return _via_next_site(machines, tables, source, destination, answer)
    return _via_gate(machines, source, answer) | rules.VIA_GATE << 8


@compiled_part
def _no_route(answer: Answer, empty_list: int, direct: int) -> int:
    """Judge an answer where there is no route; a list of Nothing counts as ``empty_list`` says."""
    if answer.present == 0:
        return ALLOWED if answer.single else empty_list
    return BY_REGISTER if not answer.plural and answer.first == direct and direct >= 0 else NOT_ALLOWED


@compiled_part
def _within_the_site(
    machines: bulk_arrays.Machines, source: int, destination: int, answer: Answer, in_list: int
) -> int:
    there = machines.packed[destination]
    if there & bulk_arrays.IN_LIST:
        itself = in_list_of(machines.in_servers, destination, source)
        return (
            _of_list(machines.in_servers, destination, there & bulk_arrays.IN_LIST_OPEN or itself, answer)
            | in_list << 8
        )
    direct = (in_list + 1) << 8
    if answer.first == destination and not answer.plural:
        return ALLOWED | direct
    if machines.packed[source] & there & bulk_arrays.NETWORKS:
        return LEFT_OPEN
    if answer.first != destination:
        return NOT_ALLOWED | direct
    for place in range(answer.low, answer.high):  # the destination first, routing servers after it (BR-52)
        hop = answer.hops[place]
        is_other = hop != NOTHING and hop != destination  # noqa: PLR1714 - of two types, which numba puts in no tuple
        if is_other and not is_server(machines, hop, source):
            return NOT_ALLOWED | direct
    return BY_REGISTER | direct


@compiled_part
def _of_list(  # noqa: C901 - one pass over the answer
    lists: bulk_arrays.Lists, owner: int, left_open: int, answer: Answer
) -> int:
    """Judge an answer that has to be a configured list, in any order (BR-61)."""
    if left_open:
        return LEFT_OPEN
    low, high = lists.offsets[owner], lists.offsets[owner + 1]
    if not answer.plural:
        return ALLOWED if high - low == 1 and lists.values[low] == answer.first else NOT_ALLOWED
    reached = low
    in_order = True
    for place in range(answer.low, answer.high):
        hop = answer.hops[place]
        if hop == NOTHING:
            continue
        if reached < high and lists.values[reached] == hop:
            reached += 1
        elif not among(lists.values, low, reached, hop):
            in_order = False
            if not among(lists.values, low, high, hop):
                return NOT_ALLOWED
    if in_order and reached == high:
        return ALLOWED
    for entry in range(low, high):
        if not among(answer.hops, answer.low, answer.high, lists.values[entry]):
            return NOT_ALLOWED
    return BY_REGISTER


@compiled_part
def _via_server(machines: bulk_arrays.Machines, source: int, destination: int, answer: Answer) -> int:
    """Judge an answer that has to be a routing server of an own site (3.1.5.5; BR-23, BR-62)."""
    first = machines.first_server[source]
    if first < 0:
        return _no_route(answer, ALLOWED, destination)
    if not answer.plural:
        if answer.first == first:
            return ALLOWED
        return BY_REGISTER if is_server(machines, answer.first, source) else NOT_ALLOWED
    for place in range(answer.low, answer.high):
        if answer.hops[place] != NOTHING and not is_server(machines, answer.hops[place], source):
            return NOT_ALLOWED
    return BY_REGISTER


@compiled_part
def _via_gate(machines: bulk_arrays.Machines, source: int, answer: Answer) -> int:
    """Judge an answer that has to be a gate of an own site, first of all of the first one (3.1.5.6; BR-30, BR-34)."""
    low, high = machines.sites.offsets[source], machines.sites.offsets[source + 1]
    for place in range(low, high):
        if machines.site_open[machines.sites.values[place]]:
            return LEFT_OPEN
    if not answer.plural:
        return _gate_of_own(machines, low, high, answer.first)
    for place in range(answer.low, answer.high):
        hop = answer.hops[place]
        if hop != NOTHING and _gate_of_own(machines, low, high, hop) == NOT_ALLOWED:
            return NOT_ALLOWED
    return BY_REGISTER


@compiled_part
def _gate_of_own(machines: bulk_arrays.Machines, low: int, high: int, hop: int) -> int:
    for place in range(low, high):
        if is_gate_of(machines, hop, machines.sites.values[place]):
            return ALLOWED if place == low else BY_REGISTER
    return NOT_ALLOWED


@compiled_part
def _via_next_site(  # noqa: PLR0911 - what the register leaves open ends it early
    machines: bulk_arrays.Machines, tables: Tables, source: int, destination: int, answer: Answer
) -> int:
    """Judge an answer that has to be a gate of a next site (MS-MQBR 3.1.5.3)."""
    here = machines.packed[source]
    root = (here >> 16) & bulk_arrays.SITE_BITS
    if here & bulk_arrays.SEVERAL or tables.begins[root] < 0:
        return LEFT_OPEN
    low, high = machines.sites.offsets[destination], machines.sites.offsets[destination + 1]
    reachable = 0
    for place in range(low, high):
        reachable += _is_reached(tables, root, machines.sites.values[place])
    if reachable == 0:
        return _no_route(answer, BY_REGISTER, destination) | rules.NO_NEXT_SITE << 8
    if reachable < high - low:
        return LEFT_OPEN
    if not answer.plural:
        return _next_gate(machines, tables, root, destination, answer.first) | rules.VIA_NEXT_SITE << 8
    for place in range(answer.low, answer.high):
        hop = answer.hops[place]
        judged = ALLOWED if hop == NOTHING else _next_gate(machines, tables, root, destination, hop)
        if judged == LEFT_OPEN or (judged == NOT_ALLOWED and hop != answer.first):
            return LEFT_OPEN  # gates on dearer ways may follow the first hop (BR-71)
        if judged == NOT_ALLOWED:
            return NOT_ALLOWED | rules.VIA_NEXT_SITE << 8
    return BY_REGISTER | rules.VIA_NEXT_SITE << 8


@compiled_part
def _next_gate(machines: bulk_arrays.Machines, tables: Tables, root: int, destination: int, hop: int) -> int:
    """Judge one hop: allowed by the row that stands last, by the register if another row gives it (BR-45)."""
    low, high = machines.sites.offsets[destination], machines.sites.offsets[destination + 1]
    left_open, in_other_row = False, False
    for place in range(high - 1, low - 1, -1):
        site = machines.sites.values[place]
        if _is_gate_of_next(machines, tables, root, site, hop):
            if place == high - 1:
                return ALLOWED
            in_other_row = True
        if _is_next_open(machines, tables, root, site):
            left_open = True
    if left_open:
        return LEFT_OPEN
    return BY_REGISTER if in_other_row else NOT_ALLOWED


@compiled_part
def _is_gate_of_next(machines: bulk_arrays.Machines, tables: Tables, root: int, site: int, hop: int) -> bool:
    """Return whether a machine is a gate of an allowed next site to a site, all of whose gates are its routers."""
    if hop < 0:
        return False
    gate_of = (machines.packed[hop] >> 40) - 2
    if gate_of != bulk_arrays.GATE_OF_SEVERAL:
        return gate_of >= 0 and _is_next(tables, root, site, gate_of)
    for place in range(machines.gates.offsets[hop], machines.gates.offsets[hop + 1]):
        own = machines.gates.values[place]
        if not machines.site_open[own] and _is_next(tables, root, site, own):
            return True
    return False


@compiled_part
def _is_next_open(machines: bulk_arrays.Machines, tables: Tables, root: int, site: int) -> bool:
    """Return whether the gates of an allowed next site are left open."""
    first = tables.graph.offsets[root]
    for edge in range(first, tables.graph.offsets[root + 1]):
        if machines.site_open[tables.graph.neighbours[edge]] and _has_bit(tables, root, site, edge - first):
            return True
    return False


@compiled_part
def _is_next(tables: Tables, root: int, site: int, other: int) -> bool:
    """Return whether the other site is an allowed next site from the root to a site; neighbours rise."""
    low, high = tables.graph.offsets[root], tables.graph.offsets[root + 1]
    while low < high:
        middle = (low + high) >> 1
        if tables.graph.neighbours[middle] < other:
            low = middle + 1
        else:
            high = middle
    number = low - tables.graph.offsets[root]
    is_neighbour = low < tables.graph.offsets[root + 1] and tables.graph.neighbours[low] == other
    return is_neighbour and _has_bit(tables, root, site, number)


@compiled_part
def _has_bit(tables: Tables, root: int, site: int, number: int) -> bool:
    word = tables.masks[tables.begins[root] + site * _words(tables.graph, root) + (number >> 6)]
    return bool(word >> np.uint64(number & 63) & np.uint64(1))


@compiled_part
def _is_reached(tables: Tables, root: int, site: int) -> bool:
    words = _words(tables.graph, root)
    begin = tables.begins[root] + site * words
    for place in range(begin, begin + words):  # noqa: SIM110 - compiled code knows no generators
        if tables.masks[place]:
            return True
    return False


@compiled_part
def _words(graph: SiteGraph, root: int) -> int:
    return max(1, int(graph.offsets[root + 1] - graph.offsets[root] + 63) >> 6)


@compiled_part
def is_gate_of(machines: bulk_arrays.Machines, hop: int, site: int) -> bool:
    """Return whether a machine is a gate of a site, all of whose gates are routing servers of it."""
    if hop < 0 or machines.site_open[site]:
        return False
    gate_of = (machines.packed[hop] >> 40) - 2
    return bool(gate_of == site) if gate_of != bulk_arrays.GATE_OF_SEVERAL else in_list_of(machines.gates, hop, site)


@compiled_part
def is_server(machines: bulk_arrays.Machines, hop: int, machine: int) -> bool:
    """Return whether a hop is a routing server that shares a site with a machine."""
    if hop < 0 or hop >= len(machines.first_server) or not machines.packed[hop] & bulk_arrays.ROUTER:
        return False
    return share_a_site(machines, hop, machine)


@compiled_part
def share_a_site(machines: bulk_arrays.Machines, machine: int, other: int) -> bool:
    """Return whether two queue managers have a known site in common."""
    left, right = machines.packed[machine], machines.packed[other]
    if not (left | right) & (bulk_arrays.SEVERAL | bulk_arrays.OPEN):
        return bool((left >> 16) & bulk_arrays.SITE_BITS == (right >> 16) & bulk_arrays.SITE_BITS)
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
def in_list_of(lists: bulk_arrays.Lists, owner: int, number: int) -> bool:
    """Return whether the list of an owner holds a number."""
    return among(lists.values, lists.offsets[owner], lists.offsets[owner + 1], number)


@compiled_part
def among(values: Int32s, low: int, high: int, number: int) -> bool:
    """Return whether values from ``low`` to before ``high`` hold a number."""
    for place in range(low, high):  # noqa: SIM110 - compiled code knows no generators
        if values[place] == number:
            return True
    return False
