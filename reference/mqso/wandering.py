"""Messages that wander: each hop is held against what MS-MQBR allows at that machine (3.3.4.5, 4.3.1.3)."""

from collections.abc import Callable
from functools import cache
from typing import Final

from mqconform.reference.allowed import Standing
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reference.mqso.elements import MachineName
from mqconform.reference.mqso.topology import Topology
from mqconform.reference.mqso.ways import Ways

HOP_BY_HOP = ("MQSO-3.3.4.5-07", "MQSO-4.3.1.3-05")
MOST_NAMES: Final = 10

NextHops = tuple[str | None, ...]
"""Identifiers of machines, or Nothing, as a router answers."""


def strays_in(topology: Topology) -> Callable[[MachineName, MachineName, NextHops | None, MachineName], str]:
    """Return what says how a packet strays at a machine of an enterprise; it says nothing where a reading allows it.

    It takes the machine, the destination, what the router there answered, and the machine that the packet was handed
    to, empty where it stays. Where it was handed on and the answer is None, the hop alone is known and judged.
    """
    ways = Ways(topology)

    @cache
    def stray(at: MachineName, to: MachineName, answer: NextHops | None, hop: MachineName) -> str:
        permitted = ways.decision(at, to).allowed.outcomes(Standing.PERMITTED)
        if answer is None and hop:
            permitted_hops = {(machine or "").lower() for outcome in permitted for machine in outcome or ()}
            wrong = str(topology.identifiers[hop]).lower() not in permitted_hops
        else:
            wrong = judge_next_hops(ways.decision(at, to), answer).outcome is Outcome.NOT_ALLOWED
        if not wrong:
            return ""
        allowed = " or ".join(sorted({words(outcome) for outcome in permitted}))
        return f"{at} routes to {hop or words(answer)} what is for {to}, and should to {allowed}"

    def words(hops: NextHops | None) -> str:
        return " and ".join(_names_of(hops, topology)) or "nobody"

    return stray


def _names_of(hops: NextHops | None, topology: Topology) -> list[str]:
    """Return the machines that a router names, each once and no more than are worth reading."""
    names = dict.fromkeys(topology.names.get((hop or "").lower(), "nobody known") for hop in hops or ())
    return [*names][:MOST_NAMES]
