"""RespondingSiteID of a topology reply (MS-MQSD 2.2.3, 3.2.5.1).

A client of another site is told the server's site and its directory servers, a client of the server's own site
neither: nothing then stands behind the connected networks.
"""

from mqconform.harness.judge.bears_on import bears_on
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import GUID, ReplyCheck, ReplyView
from mqconform.harness.records.witness import Judgement, Span


@bears_on("MQSD-2.2.3-17", "MQSD-3.2.5.1-12")
def responding_site_is_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge RespondingSiteID (2.2.3, 3.2.5.1)."""
    configured = reply.expected.responding_site_id or b""
    site = reply.responding_site
    span = Span(reply.networks_end, len(site), "RespondingSiteID")
    return judge.says(site == configured, configured.hex(), site.hex() or "absent", span)


@bears_on("MQSD-2.2.3-13", "MQSD-2.2.3-18", "MQSD-3.2.5.1-11")
def nothing_follows_the_networks(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that neither RespondingSiteID nor the array is there (2.2.3, 3.2.5.1, register SD-32).

    Fewer octets than an identifier has, or a padding of zeros, are neither.
    """
    expected = "nothing behind the networks"
    if not reply.whole:
        return judge.undecided(expected, "the reply ends before the networks")
    behind = reply.octets[reply.networks_end :]
    observed = f"{len(behind)} octets behind the networks"
    span = Span(reply.networks_end, len(behind), "RespondingSiteID")
    padding = len(behind) < GUID or (len(behind) > GUID and not any(behind))
    if behind and padding and reply.size == 0:
        return judge.reading("SD-32", "trailing-octets", expected, observed, span=span)
    return judge.says(not behind, expected, observed, span)


SENTENCES: dict[str, ReplyCheck] = {
    "RespondingSiteID is the server's site": responding_site_is_the_servers,
    "neither RespondingSiteID nor DirectoryServiceServerArray is present": nothing_follows_the_networks,
}
