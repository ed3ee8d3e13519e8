"""A whole reply judged at once: by all checks that apply, beside the reply to a plain request, or by the examples (4).

Checks of single fields are in ``reply`` and ``server_array``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mqconform.harness.iut.drivers.discovery_server.requests import Draft, fresh_guid, ipx_tail
from mqconform.harness.iut.server_configurations import EXAMPLE, EXAMPLE_CLIENT_SITE
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server import reply as fields
from mqconform.harness.judge.mqsd_server import server_array
from mqconform.harness.judge.mqsd_server.configuration import bring
from mqconform.harness.judge.mqsd_server.reply_view import ReplyCheck, ReplyView, view
from mqconform.harness.judge.mqsd_server.requests import send_one
from mqconform.harness.judge.mqsd_server.scene import Scene, expectation, pick, silence, then_reply, witness
from mqconform.harness.records.results import Span
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.mqsd.specification import FACTS

ALWAYS: tuple[ReplyCheck, ...] = (
    fields.long_enough,
    fields.type_is_reply,
    fields.correlation_repeats_request,
    fields.count_is_number_of_networks,
    fields.count_in_range,
    fields.networks_are_the_servers,
)
FOR_OWN_SITE: tuple[ReplyCheck, ...] = (
    fields.size_is_zero,
    fields.nothing_follows_the_networks,
)
FOR_ANOTHER_SITE: tuple[ReplyCheck, ...] = (
    fields.responding_site_is_the_servers,
    fields.size_counts_the_array,
    server_array.array_ends_the_reply,
    server_array.follows_the_grammar,
    server_array.flags_say_which_servers_speak_ip,
    server_array.flags_say_which_servers_speak_ipx,
    server_array.names_are_the_servers,
)


def checks_for(reply: ReplyView) -> Iterator[ReplyCheck]:
    """Yield the checks that apply to a reply."""
    yield from ALWAYS
    mask_ones = reply.expected.mask_ones
    yield fields.mask_has_a_bit_for_each_network if mask_ones else fields.mask_is_zero
    yield from FOR_OWN_SITE if reply.expected.responding_site_id is None else FOR_ANOTHER_SITE


def judgements(judge: Judge, reply: ReplyView) -> Mapping[ReplyCheck, Judgement]:
    """Return what each check that applies says of a reply (MS-MQSD 3.2.5.1)."""
    return {check: check(judge, reply) for check in checks_for(reply)}


@then_reply("the steps allow the reply")
def judge_whole_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Return the worst judgement of all checks that apply, a summary where all pass (MS-MQSD 3.2.5.1)."""
    return worst_of_all(judge, reply)[1]


def worst_of_all(judge: Judge, reply: ReplyView) -> tuple[ReplyCheck | None, Judgement]:
    """Return the worst judgement of all checks that apply, and its check: none, and a summary, where all pass."""
    check, worst = max(judgements(judge, reply).items(), key=lambda judged: judged[1].verdict)
    if worst.verdict is not Verdict.PASS:
        return check, worst
    steps = "; ".join(reply.expected.derivation)
    return None, Judgement(Verdict.PASS, steps, f"{len(reply.octets)} octets of the specified steps")


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


@then(f"the reply is the one a request (?P<what>{'|'.join(PLAIN)}) gets")
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
# What clients set and servers ignore; for a reply the text has no value (2.2.1; SD-11).
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
