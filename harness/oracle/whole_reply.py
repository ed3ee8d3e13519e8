"""A whole reply judged at once, for scenarios whose requests are generated."""

from collections.abc import Callable, Iterator

from mqconform.harness.oracle import array_checks as array
from mqconform.harness.oracle import reply_checks as fixed
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import ReplyView
from mqconform.harness.verdict import Verdict
from mqconform.harness.witness import Judgement

Check = Callable[[Judge, ReplyView], Judgement]

ALWAYS: tuple[Check, ...] = (
    fixed.long_enough,
    fixed.type_is_reply,
    fixed.correlation_repeats_request,
    fixed.count_is_number_of_networks,
    fixed.count_in_range,
    fixed.networks_are_the_servers,
    fixed.as_long_as_it_says,
)
FOR_OWN_SITE: tuple[Check, ...] = (fixed.size_is_zero, fixed.nothing_follows_the_networks)
FOR_ANOTHER_SITE: tuple[Check, ...] = (
    fixed.responding_site_is_the_servers,
    fixed.size_counts_the_array,
    array.follows_the_grammar,
    array.each_entry_has_flags,
    array.names_are_the_servers,
)


def checks_for(reply: ReplyView) -> Iterator[Check]:
    """Yield the checks that apply to a reply."""
    yield from ALWAYS
    yield fixed.mask_has_a_bit_for_each_network if reply.expected.mask_ones else fixed.mask_is_zero
    yield from FOR_OWN_SITE if reply.expected.responding_site_id is None else FOR_ANOTHER_SITE


def judge_whole_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Return the worst judgement of all checks that apply, a summary where all pass (MS-MQSD 3.2.5.1)."""
    worst: Judgement | None = None
    for check in checks_for(reply):
        found = check(judge, reply)
        if worst is None or found.verdict > worst.verdict:
            worst = found
    assert worst is not None, "there are checks for every reply"
    if worst.verdict is Verdict.PASS:
        steps = "; ".join(reply.expected.derivation)
        return Judgement(Verdict.PASS, steps, f"{len(reply.octets)} octets as the steps make them")
    return worst
