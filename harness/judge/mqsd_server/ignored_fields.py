"""What a server has to ignore in a request: Version, Reserved, octets behind the fields (MS-MQSD 2.2.1, 3.2.5.1)."""

from pytest_bdd import parsers

from mqconform.harness.iut.drivers.discovery_server.requests import Draft, fresh_guid, ipx_tail
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import ReplyView, view
from mqconform.harness.judge.mqsd_server.requests import send_one
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.judge.mqsd_server.whole_reply import judgements
from mqconform.harness.judge.mqsd_server.witnessing import expectation, pick, silence, witness
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then
from mqconform.reference.mqsd.specification import FACTS

PLAIN = {"with Version 0": b"", "with Reserved 0": b"", "without the tail": b"", "with IPX fields": ipx_tail(2, 2)}
"""What a request is compared with, and the tail of that."""


def judge_alike(judge: Judge, reply: ReplyView, plain: ReplyView) -> Judgement:
    """Judge that what a server has to ignore made no difference to its reply (2.2.1, 3.2.5.1, register SD-17).

    Both are replies to one client, so that the same checks apply. What is wrong with the reply to the plain request
    too is judged elsewhere.
    """
    usual = judgements(judge, plain)
    for check, judgement in judgements(judge, reply).items():
        if judgement.verdict is Verdict.FAIL and usual[check].verdict is not Verdict.FAIL:
            return judgement
    return judge.says(True, "the same reply as to a plain request", f"{len(reply.octets)} octets, the same judgement")


@then(parsers.re(f"the reply is the one a request (?P<what>{'|'.join(PLAIN)}) gets"))
def reply_as_to_a_plain_request(scene: Scene, what: str) -> None:
    """Judge the reply beside the one that a plain request gets; the server has to ignore the difference."""
    unusual = scene.answers
    request, plain = unusual.requests[0], plain_twin(scene, unusual.requests[0], PLAIN[what])
    reply, usual = pick(unusual.replies, request), pick(scene.answers.replies, plain)
    expected = "the same reply as to a plain request"
    if usual is None:
        witness(scene, judge_alike, scene.judge.undecided(expected, "no reply to a plain request"), plain)
        silence(scene, plain)
        return
    if reply is None:
        witness(scene, judge_alike, scene.judge.says(False, expected, "no reply, unlike to a plain request"), request)
        silence(scene, request)
        return
    judgement = judge_alike(
        scene.judge, view(reply.octets, expectation(scene, request)), view(usual.octets, expectation(scene, plain))
    )
    witness(scene, judge_alike, judgement, request, reply)


def plain_twin(scene: Scene, request: bytes, tail: bytes = b"") -> bytes:
    """Send and return the request that has an id of its own and else differs in what a server has to ignore only."""
    plain = Draft(request[FACTS.enterprise_id], fresh_guid(scene.rng), request[FACTS.site_id], tail=tail)
    send_one(scene, plain, scene.answers.network)
    return plain.octets()
