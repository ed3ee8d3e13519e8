"""Thens for a sender of streams: numbers, links, and what is sent and sent again."""

import re

from pytest_bdd import parsers, then

from mqconform.harness.oracle import eod_resends as resends
from mqconform.harness.oracle import eod_sender as check
from mqconform.harness.steps.eod_sender_scene import OutgoingScene

_NAME = re.compile(r"m\d+")
NAMES = r"m\d+(?:(?:, | and )m\d+)*"


@then(parsers.re(rf"(?P<names>{NAMES}) (?:goes|go) out, and nothing else"))
def these_go_out(outgoing: OutgoingScene, names: str) -> None:
    """Judge which messages were sent, and in which order."""
    wanted = _NAME.findall(names)
    waiting = [one.message for one in outgoing.transmission.stream.queue]
    assert wanted == waiting, f"the feature disagrees with the model: {wanted} against {waiting}"
    outgoing.witness(check.holds(outgoing.judge, wanted, outgoing.transmission))


@then(parsers.re(rf"(?P<names>{NAMES}) (?:is|are) among what goes out"))
def these_are_among_them(outgoing: OutgoingScene, names: str) -> None:
    """Judge that messages were sent, whatever else was."""
    wanted = _NAME.findall(names)
    waiting = {one.message for one in outgoing.transmission.stream.queue}
    assert waiting >= {*wanted}, f"the feature disagrees with the model: {wanted} against {waiting}"
    outgoing.witness(check.sends(outgoing.judge, wanted, outgoing.transmission))


@then(parsers.re(rf"(?P<names>{NAMES}) (?:does|do) not go out"))
def these_do_not_go_out(outgoing: OutgoingScene, names: str) -> None:
    """Judge that messages were not sent, whatever else was."""
    unwanted = _NAME.findall(names)
    waiting = {one.message for one in outgoing.transmission.stream.queue}
    assert waiting.isdisjoint(unwanted), f"the feature disagrees with the model: {unwanted} against {waiting}"
    outgoing.witness(check.does_not_send(outgoing.judge, unwanted, outgoing.transmission))


@then(parsers.re(r"each message goes out under the number that it was given in stream (?P<stream>\w+)"))
def numbers_are_those_given(outgoing: OutgoingScene, stream: str) -> None:
    """Judge that no number changed."""
    given = outgoing.given[stream]
    outgoing.witness(check.numbers_are_those_given(outgoing.judge, given, outgoing.transmission))


@then("numbers rise from message to message")
def numbers_rise(outgoing: OutgoingScene) -> None:
    """Judge the numbers of what was sent."""
    outgoing.witness(check.numbers_rise(outgoing.judge, outgoing.transmission))


@then("each message is linked to the one before it")
def links_lead_to_the_one_before(outgoing: OutgoingScene) -> None:
    """Judge the previous numbers of what was sent, but for the first."""
    outgoing.witness(check.links_lead_to_the_one_before(outgoing.judge, outgoing.transmission))


@then("the first message has previous number zero")
def first_has_previous_zero(outgoing: OutgoingScene) -> None:
    """Judge the previous number of the first message that was sent."""
    outgoing.witness(check.first_has_previous_zero(outgoing.judge, outgoing.transmission))


@then(parsers.re(r"(?P<name>m\d+) is linked to (?P<before>m\d+) in stream (?P<stream>\w+)"))
def is_linked_to(outgoing: OutgoingScene, name: str, before: str, stream: str) -> None:
    """Judge the previous number of a message by name."""
    given = outgoing.given[stream]
    outgoing.witness(check.is_linked_to(outgoing.judge, name, before, given, outgoing.transmission))


@then(parsers.re(r"each message of stream (?P<stream>\w+) gets a number, and that of the one before it"))
def carries_its_numbers(outgoing: OutgoingScene, stream: str) -> None:
    """Judge what messages got when they were queued."""
    outgoing.witness(check.carries_its_numbers(outgoing.judge, outgoing.given[stream]))


@then(parsers.re(r"the numbers given in stream (?P<stream>\w+) rise"))
def given_numbers_rise(outgoing: OutgoingScene, stream: str) -> None:
    """Judge the numbers that messages got."""
    outgoing.witness(check.given_numbers_rise(outgoing.judge, outgoing.given[stream]))


@then(parsers.re(r"the numbers given in stream (?P<stream>\w+) follow one another"))
def given_numbers_have_no_gap(outgoing: OutgoingScene, stream: str) -> None:
    """Judge that no number is left out."""
    outgoing.witness(check.given_numbers_have_no_gap(outgoing.judge, outgoing.given[stream]))


@then(parsers.re(r"the first message of stream (?P<stream>\w+) gets number 1"))
def first_given_is_1(outgoing: OutgoingScene, stream: str) -> None:
    """Judge the number of the first message."""
    outgoing.witness(check.first_given_is_1(outgoing.judge, outgoing.given[stream]))


@then(parsers.re(r"the first message of stream (?P<stream>\w+) gets previous number zero"))
def first_given_has_previous_zero(outgoing: OutgoingScene, stream: str) -> None:
    """Judge the previous number of the first message."""
    outgoing.witness(check.first_given_has_previous_zero(outgoing.judge, outgoing.given[stream]))


@then("it sends again when it may, and not otherwise")
def sends_again_when_it_may(outgoing: OutgoingScene) -> None:
    """Judge all resends by the models."""
    outgoing.witness(resends.judge_resends(outgoing.judge, outgoing.models))


@then(parsers.re(rf"the first resend holds (?P<names>{NAMES}), in order"))
def first_resend_holds(outgoing: OutgoingScene, names: str) -> None:
    """Judge what was sent again first."""
    outgoing.witness(resends.first_resend_holds(outgoing.judge, _NAME.findall(names), outgoing.models))


@then("nothing was sent again")
def nothing_was_sent_again(outgoing: OutgoingScene) -> None:
    """Judge that nothing was."""
    outgoing.witness(resends.nothing_was_resent(outgoing.judge, outgoing.models))
