"""What a server does where the text leaves it open: the readings of the ambiguity register."""

from collections.abc import Callable, Sequence

from mqconform.harness.iut.drivers.discovery_server.port import Answers
from mqconform.harness.iut.interface import Datagram, NotApplicable
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.marks import bears_on
from mqconform.harness.judge.mqsd_server.reply import size_counts_the_array, uncountable_networks, without_names
from mqconform.harness.judge.mqsd_server.reply_view import ReplyView, view
from mqconform.harness.judge.mqsd_server.scene import Scene, expectation, first_reply, pick, then_answers, witness
from mqconform.harness.judge.mqsd_server.server_array import read_server_array, renaming_of
from mqconform.harness.judge.mqsd_server.whole_reply import judge_whole_reply
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then
from mqconform.reference.mqsd.expected_reply import ExpectedReply
from mqconform.reference.mqsd.layout import read_reply_layout
from mqconform.reference.mqsd.messages import REPLY

ChoiceCheck = Callable[[Judge, ExpectedReply, ReplyView | None], Judgement]
"""Judges a reply, or the silence in its place."""


@then_answers("what comes back to a malformed datagram is allowed")
def malformed_answer_is_allowed(judge: Judge, answers: Answers) -> Judgement:
    """Judge what came back to what is no request: nothing, or a well-formed reply (register SD-18)."""
    expected = "silence or a well-formed reply"
    for reply in answers.replies:
        problem = ill_formed(reply)
        if problem:
            return judge.reading("SD-18", "ill-formed-reply", expected, problem, situation="ill-formed")
    if answers.replies:
        return judge.reading("SD-18", "well-formed-reply", expected, "a well-formed reply", situation="answered")
    return judge.reading("SD-18", "silent", expected, "silence", situation="silent")


def ill_formed(reply: Datagram) -> str:
    """Return within what a reply ends, so that it cannot be read; empty for one that can (2.2.3)."""
    cut = read_reply_layout(reply.octets).cut
    return f"{len(reply.octets)} octets, which end within {cut.name}" if cut else ""


@bears_on("MQSD-3.2.5-01")
def any_enterprise(judge: Judge, _: ExpectedReply, reply: ReplyView | None) -> Judgement:
    """Judge the answer to a client of another enterprise (register SD-13)."""
    expected = "a reply: no step compares the enterprise"
    if reply is None:
        return judge.reading("SD-13", "silent-for-foreign-enterprise", expected, "silence")
    return judge.reading("SD-13", "any-enterprise", expected, "a reply")


def _sent(reply: ReplyView | None) -> ReplyView:
    """Return a reply that the server was free to send.

    Raises:
        NotApplicable: it sent none.
    """
    if reply is None:
        raise NotApplicable("no reply, which the specification permits")
    return reply


@bears_on("MQSD-3.2.5.1-01")
def whole_if_answered(judge: Judge, _: ExpectedReply, reply: ReplyView | None) -> Judgement:
    """Judge the whole of a reply, where there is one."""
    return judge_whole_reply(judge, _sent(reply))


@bears_on("MQSD-3.2.5.1-14")
def size_if_answered(judge: Judge, _: ExpectedReply, reply: ReplyView | None) -> Judgement:
    """Judge the size of a list that the server was free to shorten or not to send (register SD-07)."""
    return size_counts_the_array(judge, _sent(reply))


def beyond_the_network(judge: Judge, expected: ExpectedReply, reply: ReplyView | None) -> Judgement:
    """Judge whether a reply that exceeds what a network carries at once is there as a whole (2.2, register SD-07).

    What is wrong with its fields is judged elsewhere.
    """
    allowed = "the whole reply; a missing or shortened reply is undecided"
    if reply is None:
        return judge.reading("SD-07", "too-large-not-sent", allowed, "silence")
    there = sum(name in reply.octets for name in expected.names)
    observed = f"{len(reply.octets)} octets with {there} of {len(expected.names)} names"
    if there == len(expected.names):
        return judge.reading("SD-07", "sent-whole", allowed, observed)
    announced = REPLY.length(reply.octets)
    if len(reply.octets) < announced:
        return judge.says(False, allowed, f"{observed}; the reply announces {announced} octets")
    listed = [entry.name for entry in read_server_array(reply.array).entries if entry.units]
    if renaming_of(listed, expected.names):
        return judge.reading("SD-07", "sent-whole", allowed, observed)
    if set(listed) <= set(expected.names):
        return judge.reading("SD-07", "too-large-shortened", allowed, observed)
    return judge.undecided(allowed, f"{observed}, with names that are not the server's")


BY_ENTRY: dict[str, ChoiceCheck] = {
    "SD-07": beyond_the_network,
    "SD-13": any_enterprise,
    "SD-21": uncountable_networks,
    "SD-24": without_names,
}
"""Register entries that leave a server a choice, and how an observation is matched to a reading of them."""
SENTENCES = {f"the server does one of the things that {entry} allows": check for entry, check in BY_ENTRY.items()} | {
    "a reply, where there is one, is as the steps make it": whole_if_answered,
    "DirectoryServiceServerSize counts the octets of the array, where there is a reply": size_if_answered,
}


def allowed_by_entry(judge: Judge, entry: str, replies: Sequence[Datagram], expected: ExpectedReply) -> Judgement:
    """Judge an observation by the readings of one register entry."""
    return BY_ENTRY[entry](judge, expected, view(replies[0].octets, expected) if replies else None)


def _enter(sentence: str, check: ChoiceCheck) -> None:
    @then(sentence, check)
    def choice_is_allowed(scene: Scene) -> None:
        """Judge by the readings of one register entry."""
        answers = scene.answers
        request = answers.requests[0]
        expected, reply = expectation(scene, request), first_reply(answers)
        judgement = check(scene.judge, expected, view(reply.octets, expected) if reply else None)
        witness(scene, check, judgement, request, pick(answers.replies, request))


for _sentence, _check in SENTENCES.items():
    _enter(_sentence, _check)
