"""Which messages a sender sends, and which no more: acknowledgments and expiry (page, section 3)."""

from collections.abc import Sequence

from pytest_bdd import parsers, then

from mqconform.harness.judge.eod.sending import NAMES, OutgoingScene, Transmission, names_in
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.witness import Judgement
from mqconform.reference.eod.sender import Message


@then(parsers.re(rf"(?P<names>{NAMES}) (?:goes|go) out, and nothing else"))
def these_go_out(outgoing: OutgoingScene, names: str) -> None:
    """Judge which messages were sent, and in which order."""
    wanted = names_in(names)
    waiting = [queued.message for queued in outgoing.transmission.stream.queue]
    assert wanted == waiting, f"the feature disagrees with the model: {wanted} against {waiting}"
    outgoing.witness(holds(outgoing.judge, wanted, outgoing.transmission))


def holds(judge: Judge, wanted: Sequence[Message], transmission: Transmission) -> Judgement:
    """Judge that these messages were sent, in this order, and nothing else."""
    expected = ", ".join(map(str, wanted)) or "nothing"
    return judge.says([sent.message for sent in transmission.sent] == [*wanted], expected, f"{transmission}")


@then(parsers.re(rf"(?P<names>{NAMES}) (?:is|are) among what goes out"))
def these_are_among_them(outgoing: OutgoingScene, names: str) -> None:
    """Judge that messages were sent, whatever else was."""
    wanted = names_in(names)
    waiting = {queued.message for queued in outgoing.transmission.stream.queue}
    assert waiting >= {*wanted}, f"the feature disagrees with the model: {wanted} against {waiting}"
    outgoing.witness(sends(outgoing.judge, wanted, outgoing.transmission))


def sends(judge: Judge, wanted: Sequence[Message], transmission: Transmission) -> Judgement:
    """Judge that these messages were among what was sent."""
    missing = {*wanted} - {sent.message for sent in transmission.sent}
    return judge.says(not missing, f"{', '.join(map(str, wanted))} among them", f"{transmission}")


@then(parsers.re(rf"(?P<names>{NAMES}) (?:does|do) not go out"))
def these_do_not_go_out(outgoing: OutgoingScene, names: str) -> None:
    """Judge that messages were not sent, whatever else was."""
    unwanted = names_in(names)
    waiting = {queued.message for queued in outgoing.transmission.stream.queue}
    assert waiting.isdisjoint(unwanted), f"the feature disagrees with the model: {unwanted} against {waiting}"
    outgoing.witness(does_not_send(outgoing.judge, unwanted, outgoing.transmission))


def does_not_send(judge: Judge, unwanted: Sequence[Message], transmission: Transmission) -> Judgement:
    """Judge that none of these messages was sent."""
    right = {*unwanted}.isdisjoint(sent.message for sent in transmission.sent)
    return judge.says(right, f"without {', '.join(map(str, unwanted))}", f"{transmission}")


def judge_unless_empty(judge: Judge, transmission: Transmission, right: bool, expected: str) -> Judgement:  # noqa: FBT001 - the one thing it is about
    """Judge a transmission, unless nothing was sent that could show it."""
    observed = f"{transmission}"
    return judge.says(right, expected, observed) if transmission.sent else judge.undecided(expected, observed)
