"""Which requirements an answer violates that no branch gives: those of the branches that give the allowed ones."""

from typing import Final

from mqconform.reference.mqbr.decision import NextHopsDecision

LOOK_UPS: Final = frozenset({"GetDirectoryData", "GetQueueManager", "IsSiteGate"})
"""Procedures that every answer goes through; what is decided is decided behind them."""
TABLE: Final = "RoutingTable Initialization"
LEAST_COST: Final = "MQBR-3.1.3.1-12"


def blamed(decision: NextHopsDecision) -> tuple[str, ...]:
    """Return the requirements along the first allowed answer, the deciding one first."""
    steps = [step for one in list(decision.allowed)[:1] for step in one.derivation if step.procedure not in LOOK_UPS]
    deciding = steps[-1].branches[::-1] if steps else ()
    main = (LEAST_COST,) if any(step.procedure == TABLE for step in steps) else deciding
    rest = (branch for step in reversed(steps) for branch in step.branches)
    return tuple(dict.fromkeys((*main, *rest)))
