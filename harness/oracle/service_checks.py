"""Judgements on the service: who is answered, how often, and what a server may do where the text leaves it open."""

from collections.abc import Sequence

from mqconform.harness.iut import Datagram
from mqconform.harness.mqsd.port import Answers
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import FIXED, ReplyView, view
from mqconform.harness.verdict import Verdict
from mqconform.harness.witness import Judgement, Span
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.expected_reply import ExpectedReply
from mqconform.reference.mqsd.packets import decode_reply


def answered_once(judge: Judge, answers: Answers) -> Judgement:
    """Judge that each request got one reply and no more (3.2.5, 3.2.5.1)."""
    wanted = len(answers.requests)
    expected = "one reply to each request" if wanted > 1 else "one reply"
    if answers.overflow:
        return judge.says(False, expected, "a flood of datagrams, more than the harness keeps")
    if len(set(answers.requests)) == 1:
        observed = f"{len(answers.replies)} replies to {wanted} arrivals"
        return judge.says(len(answers.replies) == wanted, expected, observed)
    counts = [len(answers.to(request)) for request in answers.requests]
    strays = len(answers.replies) - sum(counts)
    observed = f"{counts.count(1)} of {wanted} requests answered once, {counts.count(0)} not"
    if strays:
        observed += f", {strays} replies with the id of none"
    # A reply with the id of none still is a reply to somebody: its wrong id is judged as such elsewhere.
    return judge.says(len(answers.replies) == wanted, expected, observed)


def each_arrival_answered(judge: Judge, answers: Answers) -> Judgement:
    """Judge that a request that arrives several times is answered each time (3.2.5.1, register SD-36)."""
    wanted, found = len(answers.requests), len(answers.replies)
    expected, observed = f"{wanted} replies, one to each arrival", f"{found} replies"
    if found == wanted:
        return judge.reading("SD-36", "each-answered", expected, observed)
    if 0 < found < wanted:
        return judge.reading("SD-36", "answered-once", expected, observed)
    return judge.says(False, expected, observed)


def still_answers(judge: Judge, answers: Answers) -> Judgement:
    """Judge that a right request is answered after all that went before (3.2.5)."""
    request = answers.requests[-1]
    mine = [one for one in answers.replies if one.octets[4:20] == request[20:36]]
    expected = "a reply to the request that follows"
    if mine:
        return judge.says(True, expected, "answered")
    observed = f"{len(answers.replies)} replies, none with its id" if answers.replies else "silence"
    return judge.says(bool(answers.replies), expected, observed)


def allowed_for_malformed(judge: Judge, answers: Answers) -> Judgement:
    """Judge what came back to what is no request: nothing, or a well-formed reply (register SD-18)."""
    expected = "silence or a well-formed reply"
    for reply in answers.replies:
        problem = ill_formed(reply)
        if problem:
            return judge.reading("SD-18", "ill-formed-reply", expected, problem, situation="ill-formed")
    if answers.replies:
        return judge.reading("SD-18", "well-formed-reply", expected, "a well-formed reply", situation="answered")
    return judge.reading("SD-18", "silent", expected, "silence", situation="silent")


def treated_as_no_request(judge: Judge, answers: Answers) -> Judgement:
    """Judge what came back to a packet of another Type (register SD-12)."""
    kind = answers.requests[-1][1]
    expected = f"silence to Type {kind}"
    if answers.replies:
        return judge.reading("SD-12", "answers-other-type", expected, "a reply", situation=f"Type {kind}")
    return judge.reading("SD-12", "silent-to-other-type", expected, "silence", situation=f"Type {kind}")


def comes_from_the_host(judge: Judge, reply: Datagram, asked: str) -> Judgement:
    """Judge where a reply comes from: the host that was asked, whatever its port (register SD-05)."""
    expected = f"a reply from {asked}"
    reading = "queried-port" if reply.source in ("", asked) else "other-port"
    return judge.reading("SD-05", reading, expected, f"a reply from {reply.source or asked}")


def ill_formed(reply: Datagram) -> str:
    """Return what is wrong with the syntax of a reply, nothing if it is well-formed (2.2.3)."""
    try:
        decode_reply(reply.octets)
    except MalformedPacket as problem:
        return str(problem)
    return ""


def any_enterprise(judge: Judge, reply: ReplyView | None) -> Judgement:
    """Judge the answer to a client of another enterprise (register SD-13)."""
    expected = "a reply: no step compares the enterprise"
    if reply is None:
        return judge.reading("SD-13", "silent-for-foreign-enterprise", expected, "silence")
    return judge.reading("SD-13", "any-enterprise", expected, "a reply")


def without_networks(judge: Judge, reply: ReplyView | None) -> Judgement:
    """Judge the answer of a server whose list of connected networks is empty (register SD-21)."""
    expected = "no reply, a reply with count 0, or a placeholder network"
    if reply is None:
        return judge.reading("SD-21", "no-reply", expected, "silence")
    if not reply.whole:
        return judge.says(False, expected, f"a reply of {len(reply.octets)} octets", Span(0, FIXED))
    observed = f"count {reply.count}, {reply.entries} networks"
    if reply.count == reply.entries == 0:
        return judge.reading("SD-21", "count-zero", expected, observed)
    if reply.count == reply.entries == 1:
        return judge.reading("SD-21", "placeholder", expected, observed)
    return judge.says(False, expected, observed, Span(20, 4, "ConnectedNetworkCount"))


def without_names(judge: Judge, reply: ReplyView | None) -> Judgement:
    """Judge the answer to a client of another site by a server without names to list (register SD-24)."""
    expected = "no reply, size 0 with or without RespondingSiteID, or a lone terminator"
    if reply is None:
        return judge.reading("SD-24", "no-reply", expected, "silence")
    behind = reply.octets[reply.networks_end :]
    site = reply.expected.responding_site_id or b""
    observed = f"size {reply.size} and {len(behind)} octets behind the networks"
    if reply.size == 0 and not behind:
        return judge.reading("SD-24", "size-zero-without-site", expected, observed)
    if reply.size == 0 and behind == site:
        return judge.reading("SD-24", "size-zero-with-site", expected, observed)
    if reply.size == 2 and behind == site + b"\0\0":
        return judge.reading("SD-24", "terminator-only", expected, observed)
    return judge.says(False, expected, observed, Span(28, 4, "DirectoryServiceServerSize"))


BY_ENTRY = {"SD-13": any_enterprise, "SD-21": without_networks, "SD-24": without_names}
"""Register entries that leave a server a choice, and how an observation is matched to a reading of them."""


def allowed_by_entry(judge: Judge, entry: str, replies: Sequence[Datagram], expected: ExpectedReply) -> Judgement:
    """Judge an observation by the readings of one register entry."""
    reply = view(replies[0].octets, expected) if replies else None
    found = BY_ENTRY[entry](judge, reply)
    if len(replies) > 1 and found.verdict is not Verdict.FAIL:
        return judge.says(False, found.expected, f"{len(replies)} replies to one request")
    return found


def example_reply(judge: Judge, wanted: bytes, reply: Datagram) -> Judgement:
    """Judge a reply against the octets of the protocol examples but for what a server may choose (4, 2.2.3).

    Version, Reserved (register SD-11) and the two flags of the entry (SD-25) are the server's choice.
    """
    found = reply.octets
    free = {0, 2, 3, *((64, 66) if len(wanted) > 64 else ())}
    first = next(
        (at for at in range(max(len(found), len(wanted))) if at not in free and _differ(found, wanted, at)), None
    )
    if first is None:
        return judge.says(True, wanted.hex(), found.hex())
    return judge.says(False, wanted.hex(), f"{found.hex()}, differs at octet {first}", Span(first, 1))


def _differ(found: bytes, wanted: bytes, at: int) -> bool:
    return found[at : at + 1] != wanted[at : at + 1]
