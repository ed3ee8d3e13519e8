"""Role ``discovery_server``: replies to right, odd and damaged datagrams (MS-MQSD 3.2.5.1)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.compare.triangulate.codec_comparison import codec_objection
from mqconform.harness.compare.triangulate.discovery_server_inputs import (
    DiscoveryServerInput,
    discovery_server_inputs,
    smaller_inputs,
)
from mqconform.harness.compare.triangulate.subjects import Subject
from mqconform.harness.compare.triangulate.votes import CONTRARY, Answer, Ballot, Vote
from mqconform.harness.iut.drivers.discovery_server.port import Answers
from mqconform.harness.iut.drivers.discovery_server.requests import Draft
from mqconform.harness.iut.interface import (
    Datagram,
    DatagramCarrier,
    DirectoryServerFact,
    Iut,
    Json,
    ServerFacts,
    Unreachable,
)
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.judge.bears_on import bearing
from mqconform.harness.judge.independent import mqsd_reply_vote as second_opinion
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.open_choices import allowed_by_entry, allowed_for_malformed
from mqconform.harness.judge.mqsd_server.reply_view import ReplyCheck, view
from mqconform.harness.judge.mqsd_server.service import answered_once
from mqconform.harness.judge.mqsd_server.whole_reply import judge_whole_reply, judgements
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.expected_reply import expected_reply
from mqconform.reference.mqsd.guid import guid_from_text
from mqconform.reference.mqsd.packets import TopologyClientRequest, decode_message
from mqconform.reference.mqsd.reply import name_octets
from mqconform.reference.mqsd.server import Network
from mqconform.reference.mqsd.specification import FACTS

SENDS_REPLY: Final = "MQSD-3.2.5-01"
STEPS: Final = "MQSD-3.2.5.1-01"
MOST_NETWORKS: Final = 32


class DiscoveryServerSubject(Subject[DiscoveryServerInput]):
    """Puts configurations and datagrams to discovery servers."""

    role = "discovery_server"

    def inputs(self) -> st.SearchStrategy[DiscoveryServerInput]:
        return discovery_server_inputs(self.fixed)

    def play(self, iut: Iut, given: DiscoveryServerInput) -> list[Answer]:
        """Configure the server, let the datagrams arrive, and judge what comes back to each."""
        if iut.facts is None:
            iut.call("discovery_server.configure", given.facts.params())
        answers = []
        for number, datagram in enumerate(given.datagrams, 1):
            got = Answers((datagram,), _replies(iut, datagram, given.facts))
            answers.append(self._answer(given.facts, number, datagram, got))
        return answers

    def smaller(self, given: DiscoveryServerInput) -> Iterator[DiscoveryServerInput]:
        return smaller_inputs(given, fixed=self.fixed is not None)

    def size(self, given: DiscoveryServerInput) -> int:
        """Return the number of octets in it."""
        return len(repr(given.facts)) + sum(20 + len(one) for one in given.datagrams)

    def record(self, given: DiscoveryServerInput) -> Json:
        return {"configuration": given.facts.params(), "datagrams": [one.hex() for one in given.datagrams]}

    def read(self, record: Json) -> DiscoveryServerInput:
        known = record["configuration"]
        servers = tuple(DirectoryServerFact(**one) for one in known["directory_servers"])
        networks = tuple(known["connected_networks"])
        facts = ServerFacts(known["enterprise"], known["site"], networks, servers)
        return DiscoveryServerInput(facts, tuple(bytes.fromhex(one) for one in record["datagrams"]))

    def told(self, given: DiscoveryServerInput) -> list[str]:
        facts = given.facts
        names = ", ".join(repr(one.name) for one in facts.directory_servers) or "none"
        head = f"server of site {facts.site}, {len(facts.connected_networks)} connected networks, servers {names}"
        return [head, *(f"datagram {number}: {one.hex()}" for number, one in enumerate(given.datagrams, 1))]

    def _answer(self, facts: ServerFacts, number: int, datagram: bytes, got: Answers) -> Answer:
        ballot = Ballot(self.profile)
        judgement, blamed = _judged(ballot.judge, facts, datagram, got)
        says = " and ".join(one.octets.hex() for one in got.replies) or "silence"
        answer = ballot.answer(f"reply to datagram {number}", says, judgement, blamed)
        return replace(answer, objection=_objection(facts, datagram, got, answer.vote))


def _replies(iut: Iut, datagram: bytes, facts: ServerFacts) -> tuple[Datagram, ...]:
    """Send a datagram by whichever carrier there is.

    Raises:
        Unreachable: nothing was ever heard over a network.
    """
    if not isinstance(iut, DatagramCarrier):
        answer = iut.call("discovery_server.receive", {"network": "ip", "datagram": datagram.hex()})
        return tuple(Datagram(bytes.fromhex(one)) for one in answer["replies"])
    another = bytes(one ^ 0x5A for one in datagram[FACTS.request_id].ljust(16, b"\0"))
    fence = Draft(guid_from_text(facts.enterprise), another, guid_from_text(facts.site)).octets()
    got = iut.exchange((datagram,), fence, expected=int(_is_request(datagram)))
    if got.alive is False and not got.replies:
        raise Unreachable("it was heard before and answers nothing any more")
    return got.replies


def _is_request(datagram: bytes) -> bool:
    try:
        message = decode_message(datagram)
    except MalformedPacket:
        return False
    return isinstance(message, TopologyClientRequest) and not message.ipx_network_number_array


def _judged(judge: Judge, facts: ServerFacts, datagram: bytes, got: Answers) -> tuple[Judgement, tuple[str, ...]]:
    """Return the judgement on what came back, and the requirements that it violates if it is wrong."""
    if not _is_request(datagram):
        return allowed_for_malformed(judge, got), ("MQSD-3.2.5-02",)
    expected = expected_reply(model_of(facts), Network.IP, datagram)
    entry = _open_configuration(facts, foreign=expected.responding_site_id is not None)
    if entry and len(got.replies) < 2:
        return allowed_by_entry(judge, entry, got.replies, expected), (STEPS,)
    if datagram[FACTS.enterprise_id] != guid_from_text(facts.enterprise):
        met = allowed_by_entry(judge, "SD-13", got.replies, expected)
        if met.verdict > Verdict.PASS or not got.replies:
            return met, (SENDS_REPLY,)
    once = answered_once(judge, got)
    if once.verdict > Verdict.PASS:
        return once, (SENDS_REPLY,)
    reply = view(got.replies[0].octets, expected)
    worst = judge_whole_reply(judge, reply)
    return worst, _blamed(judgements(judge, reply)) if worst.verdict is Verdict.FAIL else ()


def _open_configuration(facts: ServerFacts, *, foreign: bool) -> str:
    """Return the register's entry on a configuration that fits no reply, empty where it fits one."""
    if not 1 <= len(facts.connected_networks) <= MOST_NETWORKS:
        return "SD-21"
    return "SD-24" if foreign and not facts.directory_servers else ""


def _blamed(judged: Mapping[ReplyCheck, Judgement]) -> tuple[str, ...]:
    violated = [check for check, judgement in judged.items() if judgement.verdict is Verdict.FAIL]
    requirements = dict.fromkeys(requirement for check in violated for requirement in bearing(check, (STEPS,)))
    return tuple(requirements) or (STEPS,)


def _objection(facts: ServerFacts, datagram: bytes, got: Answers, voted: Vote) -> str:
    """Return where the independent codec, or the vote that stands on it, contradicts the reference."""
    for octets in (datagram, *(one.octets for one in got.replies)):
        if told := codec_objection(octets):
            return told
    if len(got.replies) != 1 or not _is_request(datagram) or datagram[FACTS.type_offset] != 1:
        return ""
    served = second_opinion.Served(
        guid_from_text(facts.site),
        tuple(guid_from_text(one) for one in facts.connected_networks),
        tuple(name_octets(one.name) for one in facts.directory_servers),
    )
    other = second_opinion.vote(served, "ip", datagram, got.replies[0].octets)
    if other == CONTRARY.get(voted):
        return f"the reference votes {voted} on {got.replies[0].octets.hex()}, the second opinion {other}"
    return ""
