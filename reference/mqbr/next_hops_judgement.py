"""Judging an answer to GetNextHops (MS-MQBR 3.1.5.1); all forms of "no route" are one, lists compare as sets."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from mqconform.reference.allowed import Alternative, Reading
from mqconform.reference.directory.elements import QueueManagerId
from mqconform.reference.mqbr import next_hops, readings
from mqconform.reference.mqbr.decision import NextHopsDecision
from mqconform.reference.mqbr.judgement import Judgement, expected, judged
from mqconform.reference.mqbr.latitude import tolerated
from mqconform.reference.mqbr.next_hops import NextHops

NextHopsJudgement: TypeAlias = Judgement[NextHops]

NOTHING_ADDED = frozenset({next_hops.VIA_SERVER, next_hops.VIA_GATE, next_hops.VIA_NEXT_SITE})
"""Branches that add a look-up's result to the list even where it is Nothing (BR-05)."""


def judge_next_hops(decision: NextHopsDecision, observed: Sequence[str | None] | None) -> NextHopsJudgement:
    """Return what the model says about an answer to GetNextHops.

    Args:
        decision: the question with its allowed outcomes.
        observed: identifiers in either case and in their order; None for a failed routing attempt. A list that is
            empty, or holds nothing but None, is "no route" as well. No branch adds Nothing to a list with hops.
    """
    if observed and None in observed and any(hop is not None for hop in observed):
        return judged((), _hops_text(observed), expected(decision.allowed, _hops_text))
    hops = tuple(QueueManagerId(hop.lower()) for hop in observed or () if hop is not None)
    matches = [
        replace(explanation, readings=explanation.readings | _form(explanation, hops, observed))
        for explanation in _explanations(decision, hops)
    ]
    return judged(matches, _hops_text(observed), expected(decision.allowed, _hops_text))


def _explanations(decision: NextHopsDecision, hops: NextHops) -> Iterator[Alternative[NextHops]]:
    yield from (alternative for alternative in decision.allowed.alternatives if set(alternative.outcome) == set(hops))
    yield from tolerated(decision, hops)


def _form(
    alternative: Alternative[NextHops], hops: NextHops, observed: Sequence[str | None] | None
) -> frozenset[Reading]:
    """Return the readings that the form of the answer rests on: how it says "no route", how it orders a list."""
    if not hops:
        return frozenset({_form_of_no_route(alternative, observed)})
    if len(alternative.outcome) < 2 or set(hops) != set(alternative.outcome):
        return frozenset()
    in_order = tuple(dict.fromkeys(hops)) == tuple(dict.fromkeys(alternative.outcome))
    return frozenset({readings.LIST_IN_ORDER if in_order else readings.LIST_IN_ANOTHER_ORDER})


def _form_of_no_route(alternative: Alternative[NextHops], observed: Sequence[str | None] | None) -> Reading:
    if NOTHING_ADDED.isdisjoint(alternative.derivation):
        return readings.NO_ROUTE_AS_EXCEPTION if observed is None else readings.NO_ROUTE_AS_EMPTY_LIST
    if observed is None:
        return readings.NOTHING_RAISED
    return readings.LIST_HOLDING_NOTHING if observed else readings.NOTHING_DROPPED


def _hops_text(observed: Sequence[str | None] | None) -> str:
    if not observed or all(hop is None for hop in observed):
        return "no route"
    return ", ".join(str(hop) for hop in observed[:10]) + (" and more" if len(observed) > 10 else "")
