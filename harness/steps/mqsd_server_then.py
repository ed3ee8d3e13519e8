"""Thens of the discovery-server features: one judgement each on what came back."""

from mqconform.harness.oracle import array_checks as array
from mqconform.harness.oracle import reply_checks as fixed
from mqconform.harness.oracle.whole_reply import judge_whole_reply
from mqconform.harness.steps.judging import ReplyCheck, judge_replies, judge_reply
from mqconform.harness.steps.scene import Scene
from pytest_bdd import parsers, then

SENTENCES: dict[str, ReplyCheck] = {
    "the reply is long enough for the header and the fixed fields": fixed.long_enough,
    "the reply's Type is 2": fixed.type_is_reply,
    "the CorrelationID repeats the RequestID": fixed.correlation_repeats_request,
    "ConnectedNetworkCount is the number of connected networks": fixed.count_is_number_of_networks,
    "ConnectedNetworkCount lies between 1 and 32": fixed.count_in_range,
    "ConnectedNetworkArray holds the server's connected networks": fixed.networks_are_the_servers,
    "ConnectedNetworkMask is zero": fixed.mask_is_zero,
    "ConnectedNetworkMask has as many ones as there are networks": fixed.mask_has_a_bit_for_each_network,
    "DirectoryServiceServerSize is zero": fixed.size_is_zero,
    "neither RespondingSiteID nor DirectoryServiceServerArray is present": fixed.nothing_follows_the_networks,
    "RespondingSiteID is the server's site": fixed.responding_site_is_the_servers,
    "DirectoryServiceServerSize counts the octets of the array": fixed.size_counts_the_array,
    "the reply is as long as its counts and sizes say": fixed.as_long_as_it_says,
    "the array names every directory server": array.names_are_the_servers,
    "each entry begins with two flag digits": array.each_entry_has_flags,
    "each entry has two flags and a name": array.each_entry_has_a_name,
    "no name holds a comma or a null": array.names_hold_no_delimiter,
    "commas stand between the entries and only there": array.commas_stand_between_entries,
    "one null ends the array": array.one_null_ends_the_array,
    "the array follows the grammar": array.follows_the_grammar,
}
"""Each sentence of the features that is about one reply, and the check that it stands for."""


@then(parsers.re("(?P<sentence>" + "|".join(SENTENCES) + ")"))
def judge_sentence(scene: Scene, sentence: str) -> None:
    """Judge the reply to the last request by the check that the sentence stands for."""
    judge_reply(scene, SENTENCES[sentence])


@then(parsers.re("the reply is the one a request (?P<what>with Version 0|with Reserved 0|without the tail) gets"))
def reply_as_to_a_plain_request(scene: Scene, what: str) -> None:
    """Judge the whole reply against what a plain request gets; the server has to ignore the difference."""
    del what
    judge_reply(scene, judge_whole_reply)


@then("the replies carry the ids of their requests")
def replies_carry_ids(scene: Scene) -> None:
    """Judge the CorrelationID of each reply of a burst."""
    judge_replies(scene, fixed.correlation_repeats_request)
