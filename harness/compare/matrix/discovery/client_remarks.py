"""Whether what the capture shows of a client, and what it told, is a search that the model explains (MS-MQSD 3.1)."""

from collections.abc import Iterator, Sequence
from typing import Final

from mqconform.harness.compare.matrix.discovery.discovery_stage import Performance, Search
from mqconform.harness.compare.matrix.discovery.packet_remarks import CLIENT, Remark
from mqconform.harness.iut.drivers.discovery_client.observations import Arrived, Done
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_client.discovery_trace import explain_seen
from mqconform.harness.judge.mqsd_client.whole_history import judge_run
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.tools.packets.discovery_capture import seen_of_client
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram
from mqconform.reference.mqsd.client import (
    SECOND,
    Explanation,
    NetworkAddress,
    explanation_from,
    initialize,
)
from mqconform.reference.mqsd.client.discovery import RESPONSE_TIMEOUT
from mqconform.reference.mqsd.guid import guid_from_text

GET_LIST: Final = "MQSD-3.1.4.1-01"
"""A search begins with a request on the first network."""


def client_remarks(
    judge: Judge, seen: Performance, number: int, datagrams: Sequence[CapturedDatagram], tolerance: int
) -> Iterator[Remark]:
    """Yield what is wrong with one search of the client, or left open by what was seen.

    Args:
        judge: weighs readings, and notes them.
        seen: what was seen beside the capture.
        number: of the search.
        datagrams: all of the protocol that were captured during it.
        tolerance: nanoseconds.
    """
    search = seen.searches[number]
    if search.client_fault:
        yield fault_remark(CLIENT, seen, search, search.client_fault)
        return
    own = {each["address"]: each["network"] for each in seen.each}
    try:
        trace = seen_of_client(datagrams, own)
    except ValueError:
        yield Remark(CLIENT, GET_LIST, Verdict.FAIL, "the client asked nobody: it sent no request on its networks")
        return
    try:
        yield from _explained(judge, seen, (*trace, *([search.told] if search.told else [])), tolerance)
    except ValueError as too_much:
        yield Remark(CLIENT, GET_LIST, Verdict.FAIL, str(too_much))


def fault_remark(side: str, seen: Performance, search: Search, says: str) -> Remark:
    """Return the remark that a side broke its contract; of a deadline on a loaded machine that is not known."""
    held_up = search.missed_deadline and seen.contention.spoils_deadlines
    if held_up:
        return Remark(side, "", Verdict.INCONCLUSIVE, f"{says}; the machine was too loaded to tell whose doing that is")
    return Remark(side, "", Verdict.FAIL, says)


def _explained(judge: Judge, seen: Performance, trace: Sequence[Arrived | Done], tolerance: int) -> Iterator[Remark]:
    explanation = explain_seen(_before(seen, tolerance), trace)
    wider = min(tolerance + 2 * seen.contention.lag, RESPONSE_TIMEOUT - 1)
    if not explanation.holds and wider > tolerance and explain_seen(_before(seen, wider), trace).holds:
        late = f"the machine was too loaded to tell, and let a canary wait {seen.contention.lag / SECOND:.2f} s"
        yield Remark(CLIENT, "", Verdict.INCONCLUSIVE, late)
        return
    for requirements, judgement in judge_run(judge, explanation, "", ()):
        if judgement.verdict is not Verdict.PASS:
            says = f"{judgement.expected}; reading {judgement.reading}" if judgement.reading else judgement.expected
            yield Remark(CLIENT, requirements[0] if requirements else "", judgement.verdict, says)


def _before(seen: Performance, tolerance: int) -> Explanation:
    enterprise = seen.scenario.servers[0].enterprise
    networks = [NetworkAddress(one) for one in seen.scenario.networks]
    client = initialize(guid_from_text(enterprise), guid_from_text(seen.scenario.site), networks)
    return explanation_from(client, tolerance=tolerance, completions=seen.shows_completion)
