"""Thens of the discovery-server features: one judgement each on what came back."""

from pytest_bdd import parsers, then

from mqconform.harness.mqsd.requests import ipx_tail
from mqconform.harness.oracle import array_checks as array
from mqconform.harness.oracle import flag_checks as flags
from mqconform.harness.oracle import name_checks as names
from mqconform.harness.oracle import network_checks as networks
from mqconform.harness.oracle import reply_checks as fixed
from mqconform.harness.oracle import site_checks as site
from mqconform.harness.oracle.reply_view import view
from mqconform.harness.oracle.service_checks import example_reply, ids_of_a_burst
from mqconform.harness.oracle.whole_reply import judge_alike
from mqconform.harness.steps.judging import ReplyCheck, expectation, judge_reply, pick, silence, witness
from mqconform.harness.steps.mqsd_server_when import plain_twin
from mqconform.harness.steps.scene import Scene

SENTENCES: dict[str, ReplyCheck] = {
    "the reply begins with the header": fixed.begins_with_header,
    "the reply is long enough for the header and the fixed fields": fixed.long_enough,
    "the reply's Type is 2": fixed.type_is_reply,
    "the CorrelationID repeats the RequestID": fixed.correlation_repeats_request,
    "ConnectedNetworkCount has its low octet first": networks.count_is_little_endian,
    "ConnectedNetworkCount is the number of connected networks": networks.count_is_number_of_networks,
    "ConnectedNetworkCount lies between 1 and 32": networks.count_in_range,
    "ConnectedNetworkArray is as long as the count says": networks.networks_are_as_long_as_the_count,
    "ConnectedNetworkArray holds the server's connected networks": networks.networks_are_the_servers,
    "ConnectedNetworkArray holds its identifiers in packet order": networks.networks_are_in_packet_order,
    "ConnectedNetworkMask is zero": fixed.mask_is_zero,
    "ConnectedNetworkMask has as many ones as there are networks": fixed.mask_has_a_bit_for_each_network,
    "DirectoryServiceServerSize is zero": site.size_is_zero,
    "neither RespondingSiteID nor DirectoryServiceServerArray is present": site.nothing_follows_the_networks,
    "RespondingSiteID is the server's site": site.responding_site_is_the_servers,
    "DirectoryServiceServerSize has its low octet first": site.size_is_little_endian,
    "DirectoryServiceServerSize counts the octets of the array": site.size_counts_the_array,
    "the array ends the reply": site.array_ends_the_reply,
    "the array is written in UTF-16": names.characters_are_utf_16,
    "the array names every directory server": names.names_are_the_servers,
    "the array lists the name between as it is": names.name_between_is_unchanged,
    "each entry begins with a flag for IP": flags.each_entry_has_an_ip_flag,
    "each entry has a flag for IPX behind that": flags.each_entry_has_an_ipx_flag,
    "each entry begins with two flag digits": flags.each_entry_has_flags,
    "each entry has two flags and a name": flags.each_entry_has_a_name,
    "no name holds a comma or a null": array.names_hold_no_delimiter,
    "commas stand between the entries and only there": array.commas_stand_between_entries,
    "one null ends the array": array.one_null_ends_the_array,
    "the array follows the grammar": array.follows_the_grammar,
}
"""Each sentence of the features that is about one reply, and the check that it stands for."""

PLAIN = {"with Version 0": b"", "with Reserved 0": b"", "without the tail": b"", "with IPX fields": ipx_tail(2, 2)}
"""What a request is compared with, and the tail of that."""

EXAMPLE_REPLIES = {
    "first": bytes.fromhex(
        "0002000003a191f23ce34faba930be3a33e432dd01000000000000000000000062baeae6c6d1db11baac0003ff4e2d22"
    ),
    "second": bytes.fromhex(
        "0002000003a191f23ce34faba930be3a33e432dd010000000000000012000000"
        "62baeae6c6d1db11baac0003ff4e2d2260baeae6c6d1db11baac0003ff4e2d22"
        "310030006e0074003400700065006300"
        "0000"
    ),
}


@then(parsers.re("(?P<sentence>" + "|".join(SENTENCES) + ")"))
def judge_sentence(scene: Scene, sentence: str) -> None:
    """Judge the reply to the last request by the check that the sentence stands for."""
    check = SENTENCES[sentence]
    judge_reply(scene, check.__name__, check)


@then(parsers.re(f"the reply is the one a request (?P<what>{'|'.join(PLAIN)}) gets"))
def reply_as_to_a_plain_request(scene: Scene, what: str) -> None:
    """Judge the reply beside the one that a plain request gets; the server has to ignore the difference."""
    unusual = scene.answers
    request, plain = unusual.requests[0], plain_twin(scene, unusual.requests[0], PLAIN[what])
    reply, usual = pick(unusual.replies, request), pick(scene.answers.replies, plain)
    expected = "what a plain request gets"
    if usual is None:
        witness(scene, "alike", scene.judge.undecided(expected, "no reply to a plain request"), plain)
        silence(scene, plain)
        return
    if reply is None:
        witness(scene, "alike", scene.judge.says(False, expected, "no reply; a plain request got one"), request)
        silence(scene, request)
        return
    judgement = judge_alike(
        scene.judge, view(reply.octets, expectation(scene, request)), view(usual.octets, expectation(scene, plain))
    )
    witness(scene, "alike", judgement, request, reply)


@then("the replies carry the ids of their requests")
def replies_carry_ids(scene: Scene) -> None:
    """Judge the CorrelationID of each reply of a burst."""
    answers = scene.answers
    witness(scene, "ids_of_a_burst", ids_of_a_burst(scene.judge, answers), answers.requests[0])
    if len(answers.replies) < len(answers.requests):
        silence(scene, answers.requests[0])


@then(parsers.re("the reply has the octets of the (?P<which>first|second) example reply"))
def octets_of_the_example(scene: Scene, which: str) -> None:
    """Judge the reply octet by octet against MS-MQSD 4, order included as there is one network and one name."""
    judge_reply(
        scene, "octets_of_the_example", lambda judge, reply: example_reply(judge, EXAMPLE_REPLIES[which], reply)
    )
