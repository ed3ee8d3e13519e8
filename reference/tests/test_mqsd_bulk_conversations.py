"""What conversations of discovery are found to be: cadence and networks of clients, replies and whom they answer."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mqconform.reference.mqsd.audit.bulk_conversations import (
    COMPLETE,
    FOLLOWED,
    HAS_SITE,
    LISTS,
    NO_TIME,
    Exchange,
    Judged,
    judge_conversations,
)
from mqconform.reference.mqsd.audit.bulk_packets import RULES
from mqconform.reference.mqsd.audit.conversation_rules import CONVERSATION_RULES
from mqconform.reference.mqsd.audit.conversation_rules import ConversationRule as Rule

SECOND = 1_000_000_000
REQUEST, REPLY = 1, 2
OWN, FOREIGN = 7, 8
BROADCAST = 255


@dataclass(frozen=True)
class Packet:
    message: int
    at: float
    client: int = 10
    server: int = BROADCAST
    id: int = 1
    port: int = 5000
    site: int = OWN
    shown: int = HAS_SITE | COMPLETE
    enterprise: int = 3
    number: int = 0
    known_server: int = -1
    length: int = field(default=52)
    capture: int = 0

    @property
    def time(self) -> int:
        return NO_TIME if self.at < 0 else int(self.at * SECOND)


def asks(at: float, client: int = 10, **more: int) -> Packet:
    return Packet(REQUEST, at, client, **more)


def answers(at: float, server: int = 99, *, lists: bool = False, site: int = FOREIGN, **more: int) -> Packet:
    shown = COMPLETE | ((LISTS | HAS_SITE) if lists else 0)
    return replace(Packet(REPLY, at, server=server, shown=shown, site=site if lists else 0, length=48), **more)


def exchange(packets: list[Packet], answered: tuple[int, ...] = (), *, lists: bool = True) -> Exchange:
    numbered = [replace(one, number=one.number or place + 1) for place, one in enumerate(packets)]

    def column(name: str, kind: type = np.int32) -> np.ndarray:
        return np.array([getattr(one, name) for one in numbered], kind)

    known = column("known_server") >= 0
    return Exchange(
        id=column("id"),
        message=column("message", np.uint8),
        time=column("time", np.int64),
        client=column("client"),
        client_port=column("port"),
        server=column("server"),
        server_port=np.full(len(packets), 1801, np.int32),
        identification=column("number"),
        length=column("length"),
        site=column("site"),
        enterprise=column("enterprise", np.int64),
        shown=column("shown", np.uint8),
        heard=np.isin(column("client"), answered),
        known_site=np.where(known, FOREIGN, -1).astype(np.int32),
        known_lists=known & lists,
        capture=column("capture"),
    )


def judged(
    *packets: Packet, answered: tuple[int, ...] = (), until: float = 1000, lists: bool = True, since: float = -1000
) -> Judged:
    severities = np.frombuffer(bytes([3] * RULES), np.uint8)  # read-only, as the audits have it: compiled once for both
    times = int(since * SECOND), int(until * SECOND)
    return judge_conversations(exchange([*packets], answered, lists=lists), *times, severities)


def found(*packets: Packet, **more: Any) -> list[Rule]:
    return [Rule(rule) for rule in judged(*packets, **more).findings.what.tolist()]


def test_a_request_that_is_answered_is_all_right():
    conversations = judged(asks(0), answers(1)).conversations
    assert (conversations.requests[0], conversations.replies[0], conversations.weight[0]) == (1, 1, 0)
    assert (conversations.networks[0], conversations.servers[0]) == (1, 1)


class TestCadence:
    def test_the_next_network_after_15_seconds(self):
        assert found(asks(0, 10), asks(15, 11), asks(30.2, 12), answered=(10,), until=31) == []

    def test_half_a_second_is_granted_and_no_more(self):
        assert found(asks(0, 10), asks(14.5, 11), until=20) == []
        assert found(asks(0, 10), asks(14.4, 11), answered=(10,), until=20) == [Rule.EARLY_REQUEST]
        assert found(asks(0, 10), asks(15.6, 11), until=20) == [Rule.LATE_REQUEST]

    def test_early_convicts_only_where_replies_would_have_been_seen(self):
        assert found(asks(0, 10), asks(3, 11), answered=(11,), until=10) == [Rule.EARLY_REQUEST_UNSEEN]

    def test_early_by_the_clocks_of_two_captures_convicts_nobody(self):
        late_clock = asks(5, 11, capture=1)
        assert found(asks(0, 10), late_clock, answered=(10,), until=10) == [Rule.EARLY_REQUEST_UNSEEN]

    def test_a_reply_of_the_own_site_ends_the_wait(self):
        assert found(asks(0, 10), answers(1, client=10), asks(1.1, 11), until=10) == []

    def test_one_reply_of_another_site_begins_the_wait_anew(self):
        first = asks(0, 10), answers(10, lists=True, client=10)
        assert found(*first, asks(25, 11), until=30) == []
        assert found(*first, asks(10.1, 11), until=30) == [Rule.EARLY_REQUEST]
        assert found(*first, asks(25.6, 11), until=30) == [Rule.LATE_REQUEST]

    def test_two_replies_of_other_sites_end_the_wait(self):
        replies = answers(1, 98, lists=True, client=10), answers(2, 99, lists=True, client=10)
        assert found(asks(0, 10), *replies, asks(2.1, 11), until=10) == []

    def test_a_client_that_does_not_move_on_after_a_reply_is_late(self):
        assert found(asks(0, 10), answers(1, client=10), asks(15, 11), until=20) == [Rule.LATE_REQUEST]

    def test_a_request_again_on_the_same_network_is_a_repetition(self):
        assert found(asks(0), asks(3), answers(4), until=10) == [Rule.REQUEST_REPEATED]

    def test_frames_without_times_have_no_cadence(self):
        assert found(asks(-1, 10), asks(-1, 11), answers(-1, client=10)) == []


class TestNetworks:
    def test_the_whole_list_again_is_what_the_text_says_of_a_second_event(self):
        rules = found(asks(0, 10), asks(15, 11), asks(30, 10), asks(45, 11), until=46)
        assert rules == [Rule.LIST_TWICE, Rule.LIST_TWICE]

    def test_a_network_out_of_turn_fits_no_list(self):
        rules = found(asks(0, 10), asks(15, 11), asks(30, 12), asks(45, 11), until=46)
        assert rules == [Rule.NETWORK_ORDER]

    def test_a_new_network_behind_a_second_round_fits_no_list(self):
        rules = found(asks(0, 10), asks(15, 11), asks(30, 10), asks(45, 12), until=46)
        assert rules == [Rule.LIST_TWICE, Rule.NETWORK_ORDER]


class TestFields:
    def test_an_identifier_used_again_after_an_hour(self):
        assert found(asks(0, 10), asks(3601, 10), until=3602) == [Rule.ID_REUSED, Rule.LIST_TWICE]

    def test_clients_of_two_enterprises_share_an_identifier(self):
        assert found(asks(0, 10), asks(15, 11, enterprise=4), until=16) == [Rule.ID_SHARED]

    def test_one_address_that_names_two_sites(self):
        assert found(asks(0, 10), asks(15, 10, server=254, site=5), until=16) == [Rule.SITE_CHANGED]


class TestReplies:
    def test_nobody_asked(self):
        assert found(answers(1), answers(2, 98)) == [Rule.REPLY_TO_NOBODY, Rule.REPLY_TO_NOBODY]

    def test_nobody_answered(self):
        assert found(asks(0), until=15) == [Rule.UNANSWERED]
        assert found(asks(0), until=14.9) == []

    def test_answered_twice_by_one_server(self):
        assert found(asks(0), answers(1), answers(2, 98)) == []
        assert found(asks(0), answers(1), answers(2)) == [Rule.ANSWERED_TWICE]
        assert found(asks(0), asks(1), answers(2), answers(3)) == [Rule.REQUEST_REPEATED]

    def test_one_of_two_answers_may_be_to_a_request_before_the_capture_began(self):
        assert found(asks(0), answers(1), answers(2), since=-15) == [Rule.ANSWERED_TWICE_UNSEEN]
        assert found(asks(0), answers(1), answers(2), since=-15.1) == [Rule.ANSWERED_TWICE]

    def test_one_answer_in_two_captures_whose_clocks_differ_is_no_second(self):
        assert found(asks(0), answers(1), answers(6, capture=1)) == []

    def test_the_answer_went_elsewhere(self):
        assert found(asks(0), answers(1, client=11)) == [Rule.REPLY_ELSEWHERE]
        assert found(asks(0), answers(1, port=5001)) == [Rule.REPLY_ELSEWHERE]

    def test_too_late_and_too_early(self):
        assert found(asks(0), answers(15)) == []
        assert found(asks(0), answers(15.1)) == [Rule.REPLY_LATE]
        assert found(asks(5), answers(3.9)) == [Rule.REPLY_BEFORE_REQUEST]
        assert found(asks(5), answers(4.1)) == []

    def test_a_list_for_a_client_of_the_site_that_it_names(self):
        assert found(asks(0, site=FOREIGN), answers(1, lists=True)) == [Rule.OWN_SITE_LISTED]

    def test_a_known_server_and_its_own_site(self):
        known = {"known_server": 0}
        assert found(asks(0, site=FOREIGN), answers(1, **known)) == []
        assert found(asks(0, site=FOREIGN), answers(1, lists=True, site=5, **known)) == [Rule.OWN_SITE_SIZE]

    def test_a_site_behind_the_networks_where_none_may_be(self):
        followed = answers(1, site=FOREIGN, shown=COMPLETE | FOLLOWED | HAS_SITE)
        followed = replace(followed, site=FOREIGN)
        assert found(asks(0, site=FOREIGN), followed) == [Rule.OWN_SITE_FOLLOWED]
        assert found(asks(0, site=OWN), followed) == []
        more = answers(1, shown=COMPLETE | FOLLOWED, known_server=0)
        assert found(asks(0, site=FOREIGN), more) == [Rule.OWN_SITE_FOLLOWED]

    def test_a_known_server_and_another_site(self):
        known = {"known_server": 0}
        assert found(asks(0), answers(1, lists=True, **known)) == []
        assert found(asks(0), answers(1, **known)) == [Rule.OTHER_SITE_UNLISTED]
        assert found(asks(0), answers(1, **known), lists=False) == [Rule.NOTHING_TO_LIST]

    def test_so_many_packets_of_one_identifier_are_not_matched_one_by_one(self):
        replies = [answers(1 + number / 1000, number) for number in range(600)]
        assert found(asks(0), *replies) == [Rule.CROWDED]


class TestCopies:
    def test_a_packet_captured_twice_counts_once(self):
        again = asks(0.5, number=77)
        conversations = judged(asks(0, number=77), again, answers(1, number=5), answers(1.2, number=5)).conversations
        assert (conversations.requests[0], conversations.replies[0], conversations.copies[0]) == (1, 1, 2)
        assert not conversations.weight[0]

    def test_another_number_is_another_packet(self):
        assert found(asks(0), answers(1, number=5), answers(1.0001, number=6)) == [Rule.ANSWERED_TWICE]


def test_thousands_of_requests_with_one_identifier_are_judged_as_far_as_order_is_followed():
    packets = [asks(20 * number) for number in range(3000)]
    assert Rule.LIST_TWICE in found(*packets, answers(1))


def test_every_rule_says_whose_doing_it_is():
    assert {rule.at_fault for rule in CONVERSATION_RULES} == {"client", "server"}
