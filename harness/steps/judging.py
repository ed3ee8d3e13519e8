"""From a check of the oracle to witnesses: which reply it looks at, and which requirements it bears on."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut import Datagram
from mqconform.harness.oracle.bearing import bearing
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import ReplyView, view
from mqconform.harness.steps.scene import Scene
from mqconform.harness.witness import Judgement, Traffic
from mqconform.reference.mqsd.expected_reply import ExpectedReply, expected_reply
from mqconform.reference.mqsd.server import Network

SEND_REPLY = "MQSD-3.2.5-01"
"""The requirement that a request left unanswered violates, whatever else the scenario is about."""

ReplyCheck = Callable[[Judge, ReplyView], Judgement]


def witness(
    scene: Scene, check: str, judgement: Judgement, request: bytes = b"", reply: Datagram | None = None
) -> None:
    """Record a judgement for the requirements of the scenario that the check bears on."""
    network = scene.asked[-1].network if scene.asked else "ip"
    octets, source = (reply.octets, scene.lasting(reply.source)) if reply else (b"", "")
    said = replace(judgement, expected=scene.lasting(judgement.expected), observed=scene.lasting(judgement.observed))
    scene.run.witness(
        scene.case, bearing(check, scene.case.requirements), said, Traffic(request, octets, network, source)
    )


def judge_reply(scene: Scene, name: str, check: ReplyCheck) -> None:
    """Judge the reply to the last request; without one the check is inconclusive and the silence a violation."""
    request = scene.answers.requests[0]
    reply = pick(scene.answers.to(request), request)
    if reply is None:
        witness(scene, name, scene.judge.undecided("a reply to judge", "no reply came back"), request)
        silence(scene, request)
        return
    judgement = check(scene.judge, view(reply.octets, expectation(scene, request)))
    witness(scene, name, judgement, request, reply)


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
        if reply.octets[4:20] == request[20:36]:
            return reply
    return replies[0] if replies else None


def expectation(scene: Scene, request: bytes) -> ExpectedReply:
    """Return what the reference model expects of a reply to this request."""
    return expected_reply(scene.server, Network(scene.answers.network), request)
