"""From a check of the oracle to witnesses: which reply it looks at, and which requirements it bears on."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mqconform.harness.iut.drivers.discovery_server.port import Answers
from mqconform.harness.iut.interface import Datagram
from mqconform.harness.judge.bears_on import bearing
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import CORRELATION_ID, REQUEST_ID, ReplyCheck, view
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.records.witness import Judgement, Traffic
from mqconform.reference.mqsd.expected_reply import ExpectedReply, expected_reply
from mqconform.reference.mqsd.server import Network

SEND_REPLY = "MQSD-3.2.5-01"
"""The requirement that an unanswered request violates in every scenario."""

ExchangesCheck = Callable[[Judge, Sequence[Answers]], Judgement]
"""Judges all that was sent and came back since the Given."""


def witness(  # noqa: PLR0913, PLR0917 - what a witness holds
    scene: Scene,
    check: Callable[..., Judgement] | None,
    judgement: Judgement,
    request: bytes = b"",
    reply: Datagram | None = None,
    requirements: tuple[str, ...] = (),
) -> None:
    """Record a judgement for some requirements, or those of the scenario that the check bears on; else for all."""
    network = scene.asked[-1].network if scene.asked else "ip"
    octets, source = (reply.octets, scene.lasting(reply.source)) if reply else (b"", "")
    expected, observed = scene.lasting(judgement.expected), scene.lasting(judgement.observed)
    lasting = replace(judgement, expected=expected, observed=observed)
    requirements = requirements or bearing(check, scene.case.requirements)
    scene.run.witness(scene.case, requirements, lasting, Traffic(request, octets, network, source))


def judge_reply(scene: Scene, check: ReplyCheck) -> None:
    """Judge the reply to the last request; without one the check is inconclusive and the silence a violation."""
    request = scene.answers.requests[0]
    reply = pick(scene.answers.to(request), request)
    if reply is None:
        witness(scene, check, scene.judge.undecided("a reply to judge", "no reply came back"), request)
        silence(scene, request)
        return
    judgement = check(scene.judge, view(reply.octets, expectation(scene, request)))
    witness(scene, check, judgement, request, reply)


def judge_all(scene: Scene, check: ExchangesCheck) -> None:
    """Judge all that was sent since the Given; a request that drew no reply is a violation as well."""
    witness(scene, check, check(scene.judge, scene.asked), scene.sent)
    for answers in scene.asked:
        if not answers.replies:
            silence(scene, answers.requests[0])


def silence(scene: Scene, request: bytes) -> None:
    """Record once that a request which must be answered was not."""
    if scene.silence_recorded:
        return
    scene.silence_recorded = True
    judgement = scene.judge.says(False, "a reply to the request", "no reply came back")
    scene.run.witness(scene.case, (SEND_REPLY,), judgement, Traffic(request, network=scene.answers.network))


def pick(replies: tuple[Datagram, ...], request: bytes) -> Datagram | None:
    """Return the reply that repeats the request's id, else the first there is."""
    for reply in replies:
        if reply.octets[CORRELATION_ID] == request[REQUEST_ID]:
            return reply
    return replies[0] if replies else None


def first_reply(answers: Answers) -> Datagram | None:
    """Return the first reply that came back, None where there is none."""
    return answers.replies[0] if answers.replies else None


def expectation(scene: Scene, request: bytes) -> ExpectedReply:
    """Return what the reference model expects of a reply to this request."""
    return expected_reply(scene.server, Network(scene.answers.network), request)
