"""A whole reply judged at once, for scenarios whose requests are generated or compared."""

from collections.abc import Iterator, Mapping

from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server import reply as fields
from mqconform.harness.judge.mqsd_server import server_array
from mqconform.harness.judge.mqsd_server.reply_view import ReplyCheck, ReplyView
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement

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


SENTENCES: dict[str, ReplyCheck] = {"the steps allow the reply": judge_whole_reply}
