"""What the first exchange of a run shows, before minutes are spent on a wrong address or a wrong facts file."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from mqconform.harness.iut.interface import DatagramCarrier, IutFault, NotApplicable, ServerFacts, Unreachable
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.verdict import Standing
from mqconform.harness.tools.diagnostics import server_facts
from mqconform.harness.tools.packets.packet import packet_summary

OCTET_ORDER: Final = "MQSD-2-01"
"""The requirement about the order of a GUID's octets."""


def first_exchange(iut: CheckedIut, tell: Callable[[str], None]) -> tuple[str, ...]:
    """Send a datagram server one request and return the decoded exchange, without a judgement.

    Returns:
        What differs from the facts and may be wrong there as well as in the server.
    """
    if not isinstance(iut, DatagramCarrier) or (facts := iut.facts) is None:
        return ()
    for hidden in server_facts.hidden_octet_orders(facts):
        tell(f"warning: {hidden} {server_facts.SAME_IN_BOTH_ORDERS}")
    request = server_facts.plain_request(facts, 0)
    tell(f"first exchange: request of {len(request)} octets to {iut.description.name}")
    try:
        got = iut.exchange((request,), server_facts.plain_request(facts, 1), expected=1)
    except (Unreachable, NotApplicable) as problem:
        tell(f"  no reply: {problem}")
        return ()
    if not got.replies:
        tell("  no reply to the request of a client of another site")
        return ()
    reply = got.replies[0]
    tell(f"  from {reply.source}: {packet_summary(reply.octets)}")
    wrong = server_facts.differences(reply.octets, request, facts)
    for difference in wrong:
        tell(f"  differs from the facts file: {difference.field} {difference.text}")
    return tuple(f"{difference.field} {difference.text}" for difference in wrong if difference.from_facts)


def with_hidden_order(established: Iterable[Finding], facts: ServerFacts | None) -> Iterator[Finding]:
    """Yield the findings; the order of octets is not verified by GUIDs that read the same in both orders."""
    hidden = server_facts.hidden_octet_orders(facts) if facts else []
    for finding in established:
        unseen = hidden and finding.requirement.id == OCTET_ORDER and finding.standing is Standing.VERIFIED
        reason = f"{hidden[0]} {server_facts.SAME_IN_BOTH_ORDERS}" if unseen else finding.reason
        yield replace(finding, standing=Standing.UNSUPPORTED, reason=reason) if unseen else finding


def why_nothing_was_judged(problem: IutFault | Unreachable) -> str:
    """Return why a run ended before its first case."""
    reason = f"{getattr(problem, 'kind', 'unreachable')}: {problem}"
    if isinstance(problem, IutFault):
        reason += "\nIt does not speak the protocol, so nothing was judged; see docs/iut-protocol.md."
    return reason


def silence_text(iut: str) -> str:
    """Return why a run gave up an implementation that never answered."""
    return (
        f"silent: {iut} has never answered, and the remaining cases were not played; check that the server runs, "
        "that it listens at that address, that no firewall blocks it, and that the facts have its enterprise; "
        "--reply-timeout and --give-up-after set how long to wait"
    )
