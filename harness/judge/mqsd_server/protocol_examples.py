"""The protocol examples: their two servers, their request and their two replies, octet by octet (MS-MQSD 4)."""

from dataclasses import replace

from mqconform.harness.iut.server_configurations import EXAMPLE, EXAMPLE_CLIENT_SITE
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.configuration import bring
from mqconform.harness.judge.mqsd_server.reply_view import ReplyView
from mqconform.harness.judge.mqsd_server.scene import Scene, then_reply
from mqconform.harness.judge.mqsd_server.whole_reply import judgements
from mqconform.harness.records.results import Span
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import given, when

REQUEST = bytes.fromhex(
    "0001000061baeae6c6d1db11baac0003ff4e2d2203a191f23ce34faba930be3a33e432ddf61bc5dcadd44345873971568e8f9128"
)
FIRST_REPLY = bytes.fromhex(
    "0002000003a191f23ce34faba930be3a33e432dd01000000000000000000000062baeae6c6d1db11baac0003ff4e2d22"
)
SECOND_REPLY = bytes.fromhex(
    "0002000003a191f23ce34faba930be3a33e432dd010000000000000012000000"
    "62baeae6c6d1db11baac0003ff4e2d2260baeae6c6d1db11baac0003ff4e2d22"
    "310030006e0074003400700065006300"
    "0000"
)
VERSION_AND_RESERVED = frozenset({0, 2, 3})


@given("the discovery server of the protocol examples")
def server_of_the_examples(scene: Scene) -> None:
    """Configure the server of another site of MS-MQSD 4."""
    bring(scene, EXAMPLE, lambda facts: facts == EXAMPLE, "the configuration of MS-MQSD 4")


@given("the local discovery server of the protocol examples")
def local_server_of_the_examples(scene: Scene) -> None:
    """Configure the server of the client's own site of MS-MQSD 4."""
    local = replace(EXAMPLE, site=EXAMPLE_CLIENT_SITE)
    bring(scene, local, lambda facts: facts == local, "the local server of MS-MQSD 4")


@when("the request of the protocol examples arrives")
def request_of_the_examples(scene: Scene) -> None:
    scene.send(REQUEST, expected=1)


@then_reply("the reply has the octets of the first example reply")
def first_example_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge a reply by the one to a client of the server's own site (4)."""
    return _example_reply(judge, FIRST_REPLY, reply)


@then_reply("the reply has the octets of the second example reply")
def second_example_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge a reply by the one to a client of another site, order included: it has one network and one name (4)."""
    return _example_reply(judge, SECOND_REPLY, reply)


def _example_reply(judge: Judge, example: bytes, reply: ReplyView) -> Judgement:
    """Judge a reply by the octets of an example but for what a server may choose (4, 2.2.3).

    Version and Reserved are the server's choice (register SD-11); a reply that differs by a reading that the register
    knows is judged by that.
    """
    judged = judgements(judge, reply).values()
    chosen = [*filter(judge.is_a_choice, judged)]
    wrong = any(judgement.verdict is Verdict.FAIL and judgement not in chosen for judgement in judged)
    octets, longer = reply.octets, max(len(reply.octets), len(example))
    differing = (at for at in range(longer) if octets[at : at + 1] != example[at : at + 1])
    first = next((at for at in differing if at not in VERSION_AND_RESERVED), None)
    if first is None:
        return judge.says(True, example.hex(), octets.hex())
    if chosen and not wrong:
        return max(chosen, key=lambda judgement: judgement.verdict)
    return judge.says(False, example.hex(), f"{octets.hex()}, differs at octet {first}", Span(first, 1, ""))
