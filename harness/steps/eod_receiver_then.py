"""Thens for a receiver of streams: what is accepted, what an acknowledgment carries, and when it goes out."""

import re

from pytest_bdd import parsers, then

from mqconform.harness.oracle import eod_order_acks as acks
from mqconform.harness.oracle.eod_receiver import Answer, judge_answer
from mqconform.harness.steps.eod_receiver_scene import IncomingScene

_ACK = re.compile(r"(\d+) at ([\d.]+) s")


def judge_as(incoming: IncomingScene, answer: Answer, expected: dict[str, object]) -> None:
    """Judge an answer; the words of the feature have to be what the model says."""
    told = f"the feature disagrees with the model about {answer.what}"
    assert answer.expected == expected, f"{told}: {expected} against {answer.expected}"
    incoming.witness(judge_answer(incoming.judge, answer))


@then(parsers.re(r"the message is (?P<verdict>accepted|rejected)"))
def message_is(incoming: IncomingScene, verdict: str) -> None:
    """Judge what became of the last message."""
    judge_as(incoming, incoming.answers[-1], {"accepted": verdict == "accepted"})


@then(parsers.re(r"each of the messages is (?P<verdict>accepted|rejected)"))
def each_message_is(incoming: IncomingScene, verdict: str) -> None:
    """Judge what became of each message of the last When."""
    for answer in incoming.answers:
        judge_as(incoming, answer, {"accepted": verdict == "accepted"})


@then(parsers.re(r"an order acknowledgment of stream (?P<stream>\w+) carries (?P<number>\d+)"))
def order_ack_carries(incoming: IncomingScene, stream: str, number: str) -> None:
    """Judge what an acknowledgment would carry now."""
    answer = incoming.ask("order_ack", {"stream": stream}, f"an order acknowledgment of stream {stream}")
    judge_as(incoming, answer, {"sequence": int(number)})


@then(
    parsers.re(
        r"order acknowledgments? of stream (?P<stream>\w+) went out: (?P<wanted>\d+ at [\d.]+ s(?:, \d+ at [\d.]+ s)*)"
    )
)
def order_acks_went_out(incoming: IncomingScene, stream: str, wanted: str) -> None:
    """Judge when acknowledgments of a stream went out, and what they carried."""
    times = [(round(float(at) * 10), int(number)) for number, at in _ACK.findall(wanted)]
    seen = [one for one in incoming.acks if one.stream == stream]
    incoming.witness(acks.acks_go_out(incoming.judge, times, seen))


@then("no order acknowledgment went out")
def no_order_ack_went_out(incoming: IncomingScene) -> None:
    """Judge that none did."""
    incoming.witness(acks.acks_go_out(incoming.judge, (), incoming.acks))


@then(parsers.re(r"zero was acknowledged at (?P<at>[\d.]+) s, or nothing"))
def zero_was_acknowledged(incoming: IncomingScene, at: str) -> None:
    """Judge what acknowledges a stream of which nothing was accepted."""
    incoming.witness(acks.acks_while_nothing_is_accepted(incoming.judge, round(float(at) * 10), incoming.acks))


@then(parsers.re(r"the rejected message was acknowledged with (?P<number>\d+) at (?P<at>[\d.]+) s"))
def rejected_message_was_acknowledged(incoming: IncomingScene, number: str, at: str) -> None:
    """Judge what followed a rejected message after everything before it had been acknowledged."""
    tenths = round(float(at) * 10)
    seen = [one for one in incoming.acks if one.at > incoming.arrivals[-1].at]
    incoming.witness(acks.acks_for_rejected(incoming.judge, tenths, int(number), seen))


@then("steady arrivals put the order acknowledgment off for about ten seconds")
def steady_arrivals_put_off(incoming: IncomingScene) -> None:
    """Judge that each arrival began the wait anew."""
    incoming.witness(acks.steady_arrivals_put_off(incoming.judge, incoming.arrivals, incoming.acks))


@then("steady arrivals put it off no longer")
def steady_arrivals_are_acknowledged(incoming: IncomingScene) -> None:
    """Judge that an acknowledgment went out all the same."""
    incoming.witness(acks.steady_arrivals_are_acknowledged(incoming.judge, incoming.arrivals, incoming.acks))
