"""A whole reply judged at once, by all checks that apply or beside the reply to a plain request (2.2.1, 3.2.5.1)."""

from collections.abc import Iterator, Mapping

from pytest_bdd import parsers

from mqconform.harness.iut.drivers.discovery_server.requests import Draft, fresh_guid, ipx_tail
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server import reply as fields
from mqconform.harness.judge.mqsd_server import server_array
from mqconform.harness.judge.mqsd_server.reply_view import ReplyCheck, ReplyView, view
from mqconform.harness.judge.mqsd_server.requests import send_one
from mqconform.harness.judge.mqsd_server.scene import Scene, expectation, pick, silence, then_reply, witness
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then
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
