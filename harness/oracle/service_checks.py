"""Judgements on the service: who is answered, how often, from where, and whether it goes on (MS-MQSD 2.1, 3.2.5)."""

from collections.abc import Sequence

from mqconform.harness.iut import Datagram
from mqconform.harness.mqsd.port import Answers
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import CORRELATION_AT, FIXED, GUID, ReplyView, little_endian
from mqconform.harness.oracle.whole_reply import judge_whole_reply
from mqconform.harness.verdict import Verdict
from mqconform.harness.witness import Judgement, Span

CORRELATION_ID = slice(CORRELATION_AT, CORRELATION_AT + GUID)
REQUEST_ID = slice(20, 36)


def answered_once(judge: Judge, answers: Answers) -> Judgement:
    """Judge that each request got one reply and no more (3.2.5)."""
    wanted, found = len(answers.requests), len(answers.replies)
    expected = "one reply to each request" if wanted > 1 else "one reply"
    if answers.overflow:
        return judge.says(False, expected, "a flood of datagrams, more than the harness keeps")
    # A reply with the id of none still is a reply to somebody: its wrong id is judged as such elsewhere.
    return judge.says(found == wanted, expected, f"{found} replies to {wanted} requests")


def served_each_time(judge: Judge, exchanges: Sequence[Answers]) -> Judgement:
    """Judge that the server goes on serving: no request is left unanswered where another was not (3.2.5)."""
    wanted = sum(len(answers.requests) for answers in exchanges)
    answered = sum(min(len(answers.requests), len(answers.replies)) for answers in exchanges)
    expected, observed = f"{wanted} requests answered", f"{answered} of {wanted} requests answered"
    if not answered:
        return judge.undecided(expected, observed)
    return judge.says(answered == wanted, expected, observed)


def each_arrival_answered(judge: Judge, answers: Answers) -> Judgement:
    """Judge that a request that arrives several times is answered each time (3.2.5.1, register SD-36)."""
    wanted, found = len(answers.requests), len(answers.replies)
    expected, observed = f"{wanted} replies, one to each arrival", f"{found} replies"
    if found == wanted:
        return judge.reading("SD-36", "each-answered", expected, observed)
    if 0 < found < wanted:
        return judge.reading("SD-36", "answered-once", expected, observed)
    return judge.says(False, expected, observed)


def ids_of_a_burst(judge: Judge, answers: Answers) -> Judgement:
    """Judge that replies to a burst carry the ids of its requests, none of them left out (3.2.5.1)."""
    asked = {request[REQUEST_ID] for request in answers.requests}
    found = [reply.octets[CORRELATION_ID] for reply in answers.replies]
    strays, missing = set(found) - asked, asked - set(found)
    expected = f"the ids of {len(asked)} requests"
    observed = f"{len(found)} replies, {len(missing)} ids missing, {len(strays)} ids of no request"
    if missing and not strays and len(found) < len(asked):
        return judge.undecided(expected, observed)
    return judge.says(not missing and not strays, expected, observed, Span(CORRELATION_AT, GUID, "CorrelationID"))


def still_answers(judge: Judge, answers: Answers) -> Judgement:
    """Judge that a right request is answered after all that went before (3.2.5)."""
    expected = "a reply to the request that follows"
    return judge.says(bool(answers.replies), expected, "answered" if answers.replies else "silence")


def treated_as_request(judge: Judge, exchanges: Sequence[Answers]) -> Judgement:
    """Judge that packets of Type 1 are taken for requests: at least one of them is answered (2.2.1)."""
    taken = any(answers.replies for answers in exchanges)
    return judge.says(taken, "a reply to Type 1", "a reply" if taken else "silence")


def treated_as_no_request(judge: Judge, answers: Answers) -> Judgement:
    """Judge what came back to a packet of another Type (register SD-12)."""
    kind = answers.requests[-1][1]
    expected = f"silence to Type {kind}"
    if answers.replies:
        return judge.reading("SD-12", "answers-other-type", expected, "a reply", situation=f"Type {kind}")
    return judge.reading("SD-12", "silent-to-other-type", expected, "silence", situation=f"Type {kind}")


def heard_over_udp(judge: Judge, exchanges: Sequence[Answers]) -> Judgement:
    """Judge that the server answers datagrams on its port at all (2.1, 3.2.3)."""
    heard = any(answers.replies for answers in exchanges)
    return judge.says(heard, "a datagram from the server", "answered" if heard else "silence on its port")


def one_datagram_holds_the_reply(judge: Judge, answers: Answers) -> Judgement:
    """Judge that a reply is not spread over datagrams (2.2).

    A reply that is cut short and not continued is judged as too short, not as spread.
    """
    expected = "one datagram for each reply"
    if not answers.replies:
        return judge.undecided(expected, "no reply")
    ids = {request[REQUEST_ID] for request in answers.requests}
    datagrams = [reply.octets for reply in answers.replies]
    for begun in (one for one in datagrams if one[CORRELATION_ID] in ids):
        said = FIXED + GUID * little_endian(begun[20:24])
        said += GUID + little_endian(begun[28:32]) if any(begun[28:32]) else 0
        if len(begun) < said and any(len(begun) + len(other) == said for other in datagrams):
            return judge.says(False, expected, f"{len(begun)} of {said} octets in one datagram, the rest in another")
    return judge.says(True, expected, f"{len(datagrams)} datagrams")


def comes_from_the_host(judge: Judge, reply: Datagram, asked: str) -> Judgement:
    """Judge where a reply comes from: the host that was asked, whatever its port (register SD-05)."""
    expected = f"a reply from {asked}"
    reading = "queried-port" if reply.source in ("", asked) else "other-port"
    return judge.reading("SD-05", reading, expected, f"a reply from {reply.source or asked}")


def each_client_gets_its_own(judge: Judge, turns: Sequence[Answers], clients: int) -> Judgement:
    """Judge that each client hears the replies to its own requests, and no other's (3.2.5.1).

    Args:
        judge: the judge.
        turns: what was sent and came back; the clients took turns in a fixed order.
        clients: how many they are.
    """
    expected = "each client gets the replies to its own requests"
    if not any(turn.replies for turn in turns):
        return judge.undecided(expected, "no client got a reply")
    for client in range(clients):
        own = turns[client::clients]
        others = {one[REQUEST_ID] for turn in turns if turn not in own for one in turn.requests}
        got = [reply.octets[CORRELATION_ID] for turn in own for reply in turn.replies]
        if not got:
            return judge.says(False, expected, f"client {client + 1} got no reply, another did")
        if others.intersection(got):
            return judge.says(False, expected, f"client {client + 1} got the reply to another's request")
    return judge.says(True, expected, f"{clients} clients, {len(turns)} requests")


def example_reply(judge: Judge, wanted: bytes, reply: ReplyView) -> Judgement:
    """Judge a reply against the octets of the protocol examples but for what a server may choose (4, 2.2.3).

    Version, Reserved (register SD-11) and the two flags of the entry (SD-25) are the server's choice; a reply that
    differs by a reading that the register knows is judged by that.
    """
    judged = judge_whole_reply(judge, reply)
    if judged.verdict is Verdict.INCONCLUSIVE:
        return judged
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
