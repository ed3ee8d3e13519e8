"""What a server does where the text leaves it open: the readings of the ambiguity register."""

from collections.abc import Sequence

from pytest_bdd import parsers, then

from mqconform.harness.iut.drivers.discovery_server.port import Answers
from mqconform.harness.iut.interface import Datagram
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import COUNT, GUID, SIZE, ReplyView, view
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.judge.mqsd_server.witnessing import expectation, first_reply, pick, witness
from mqconform.harness.records.witness import Judgement, Span
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.expected_reply import ExpectedReply
from mqconform.reference.mqsd.packets import decode_reply
from mqconform.reference.mqsd.specification import FACTS


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


@then("what comes back to a malformed datagram is allowed")
def malformed_answer_is_allowed(scene: Scene) -> None:
    """Judge silence or a well-formed reply, whichever the server chose."""
    answers = scene.answers
    judgement = allowed_for_malformed(scene.judge, answers)
    witness(scene, allowed_for_malformed, judgement, answers.requests[0], first_reply(answers))


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
    length = len(reply.octets)
    if not reply.whole:
        return judge.says(False, expected, f"a reply of {length} octets", Span(0, FACTS.reply_size))
    observed = f"count {reply.count} in a reply of {length} octets"
    behind = length - (FACTS.reply_size + GUID * reply.count + (GUID + reply.size if reply.size else 0))
    if reply.count > 1 or not 0 <= behind < GUID:
        return judge.says(False, expected, observed, Span(COUNT.start, 4, "ConnectedNetworkCount"))
    if behind:
        return judge.reading("SD-32", "trailing-octets", expected, observed)
    return judge.reading("SD-21", "placeholder" if reply.count else "count-zero", expected, observed)


def without_names(judge: Judge, reply: ReplyView | None) -> Judgement:
    """Judge the answer to a client of another site by a server without names to list (register SD-24)."""
    expected = "no reply, size 0 with or without RespondingSiteID, or a lone terminator"
    if reply is None:
        return judge.reading("SD-24", "no-reply", expected, "silence")
    behind = reply.octets[reply.networks_end :]
    observed = f"size {reply.size} and {len(behind)} octets behind the networks"
    for reading, size, wanted in _listing_nothing(reply.expected.responding_site_id or b""):
        if reply.size == size and behind == wanted:
            return judge.reading("SD-24", reading, expected, observed)
        if reply.size == size and behind.startswith(wanted) and len(behind) - len(wanted) < GUID:
            return judge.reading("SD-32", "trailing-octets", expected, observed)
    return judge.says(False, expected, observed, Span(SIZE.start, 4, "DirectoryServiceServerSize"))


def _listing_nothing(site: bytes) -> tuple[tuple[str, int, bytes], ...]:
    """Return the readings of SD-24 that are a reply: size, and what follows the networks."""
    return (
        ("size-zero-with-site", 0, site),
        ("size-zero-without-site", 0, b""),
        ("terminator-only", 2, site + b"\0\0"),
    )


BY_ENTRY = {"SD-13": any_enterprise, "SD-21": without_networks, "SD-24": without_names}
"""Register entries that leave a server a choice, and how an observation is matched to a reading of them."""


def allowed_by_entry(judge: Judge, entry: str, replies: Sequence[Datagram], expected: ExpectedReply) -> Judgement:
    """Judge an observation by the readings of one register entry."""
    return BY_ENTRY[entry](judge, view(replies[0].octets, expected) if replies else None)


@then(parsers.parse("the server does one of the things that {entry} allows"))
def choice_is_allowed(scene: Scene, entry: str) -> None:
    """Judge by the readings of one register entry."""
    answers = scene.answers
    request = answers.requests[0]
    judgement = allowed_by_entry(scene.judge, entry, answers.replies, expectation(scene, request))
    witness(scene, allowed_by_entry, judgement, request, pick(answers.replies, request))
