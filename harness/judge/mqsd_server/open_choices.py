"""What a server does where the text leaves it open: the readings of the ambiguity register."""

from collections.abc import Callable, Sequence

from pytest_bdd import parsers, then

from mqconform.harness.iut.drivers.discovery_server.port import Answers
from mqconform.harness.iut.interface import Datagram
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply import without_names, without_networks
from mqconform.harness.judge.mqsd_server.reply_view import ReplyView, view
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.judge.mqsd_server.witnessing import expectation, first_reply, pick, witness
from mqconform.harness.records.witness import Judgement
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.expected_reply import ExpectedReply
from mqconform.reference.mqsd.packets import decode_reply

ChoiceCheck = Callable[[Judge, ReplyView | None], Judgement]
"""Judges a reply, or the silence in its place."""


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


BY_ENTRY: dict[str, ChoiceCheck] = {"SD-13": any_enterprise, "SD-21": without_networks, "SD-24": without_names}
"""Register entries that leave a server a choice, and how an observation is matched to a reading of them."""
SENTENCES = {f"the server does one of the things that {entry} allows": check for entry, check in BY_ENTRY.items()}


def allowed_by_entry(judge: Judge, entry: str, replies: Sequence[Datagram], expected: ExpectedReply) -> Judgement:
    """Judge an observation by the readings of one register entry."""
    return BY_ENTRY[entry](judge, view(replies[0].octets, expected) if replies else None)


@then(parsers.re(f"(?P<sentence>{'|'.join(SENTENCES)})"))
def choice_is_allowed(scene: Scene, sentence: str) -> None:
    """Judge by the readings of one register entry."""
    answers = scene.answers
    request, check = answers.requests[0], SENTENCES[sentence]
    reply = answers.replies[0] if answers.replies else None
    judgement = check(scene.judge, view(reply.octets, expectation(scene, request)) if reply else None)
    witness(scene, check, judgement, request, pick(answers.replies, request))
