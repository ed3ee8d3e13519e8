"""A whole reply judged at once, for scenarios whose requests are generated or compared."""

from collections.abc import Callable, Iterator, Mapping

from mqconform.harness.oracle import array_checks as array
from mqconform.harness.oracle import flag_checks as flags
from mqconform.harness.oracle import name_checks as names
from mqconform.harness.oracle import network_checks as networks
from mqconform.harness.oracle import reply_checks as fixed
from mqconform.harness.oracle import site_checks as site
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import ReplyView
from mqconform.harness.verdict import Verdict
from mqconform.harness.witness import Judgement

Check = Callable[[Judge, ReplyView], Judgement]

ALWAYS: tuple[Check, ...] = (
    fixed.long_enough,
    fixed.type_is_reply,
    fixed.correlation_repeats_request,
    networks.count_is_number_of_networks,
    networks.count_in_range,
    networks.networks_are_the_servers,
)
FOR_OWN_SITE: tuple[Check, ...] = (site.size_is_zero, site.nothing_follows_the_networks)
FOR_ANOTHER_SITE: tuple[Check, ...] = (
    site.responding_site_is_the_servers,
    site.size_counts_the_array,
    site.array_ends_the_reply,
    array.follows_the_grammar,
    flags.each_entry_has_flags,
    names.names_are_the_servers,
)


def checks_for(reply: ReplyView) -> Iterator[Check]:
    """Yield the checks that apply to a reply."""
    yield from ALWAYS
    yield fixed.mask_has_a_bit_for_each_network if reply.expected.mask_ones else fixed.mask_is_zero
    yield from FOR_OWN_SITE if reply.expected.responding_site_id is None else FOR_ANOTHER_SITE


def judgements(judge: Judge, reply: ReplyView) -> Mapping[str, Judgement]:
    """Return what each check that applies says of a reply, by the name of the check (MS-MQSD 3.2.5.1)."""
    return {check.__name__: check(judge, reply) for check in checks_for(reply)}


def judge_whole_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Return the worst judgement of all checks that apply, a summary where all pass (MS-MQSD 3.2.5.1)."""
    worst = max(judgements(judge, reply).values(), key=lambda judgement: judgement.verdict)
    if worst.verdict is not Verdict.PASS:
        return worst
    steps = "; ".join(reply.expected.derivation)
    return Judgement(Verdict.PASS, steps, f"{len(reply.octets)} octets as the steps make them")


def judge_alike(judge: Judge, reply: ReplyView, plain: ReplyView) -> Judgement:
    """Judge that what a server has to ignore made no difference to its reply (2.2.1, 3.2.5.1, register SD-17).

    Both are replies to one client, so that the same checks apply. What is wrong with the reply to the plain request
    too is judged elsewhere.
    """
    usual = judgements(judge, plain)
    for name, found in judgements(judge, reply).items():
        if found.verdict is Verdict.FAIL and usual[name].verdict is not Verdict.FAIL:
            return found
    return judge.says(True, "what a plain request gets", f"{len(reply.octets)} octets, judged alike")
