"""Role ``discovery_server``: replies to right, odd and damaged datagrams (MS-MQSD 3.2.5.1)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.iut import Datagram, DatagramCarrier, DirectoryServerFact, Iut, Json, ServerFacts, Unreachable
from mqconform.harness.mqsd.configurations import model_of
from mqconform.harness.mqsd.port import Answers
from mqconform.harness.mqsd.requests import Draft
from mqconform.harness.oracle.bearing import bearing
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.open_choices import allowed_by_entry, allowed_for_malformed
from mqconform.harness.oracle.reply_view import view
from mqconform.harness.oracle.service_checks import answered_once
from mqconform.harness.oracle.whole_reply import judge_whole_reply, judgements
from mqconform.harness.profile import Profile
from mqconform.harness.second_opinion import serving as second_opinion
from mqconform.harness.triangulation.answer import Answer, Vote
from mqconform.harness.triangulation.codecs import codec_objection
from mqconform.harness.triangulation.judging import Ballot
from mqconform.harness.triangulation.serving_inputs import ServingInput, serving_inputs, smaller_inputs
from mqconform.harness.verdict import Verdict
from mqconform.harness.witness import Judgement
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.directory_server import name_octets
from mqconform.reference.mqsd.expected_reply import expected_reply
from mqconform.reference.mqsd.guid import guid_from_text
from mqconform.reference.mqsd.header import TYPE_OFFSET
from mqconform.reference.mqsd.packets import TopologyClientRequest, decode_message
from mqconform.reference.mqsd.server import Network

SENDS_REPLY: Final = "MQSD-3.2.5-01"
STEPS: Final = "MQSD-3.2.5.1-01"
CONTRARY: Final = {Vote.ALLOWED: "not allowed", Vote.REFUSED: "allowed"}
MOST_NETWORKS: Final = 32


@dataclass(slots=True)
class Serving:
    """Puts configurations and datagrams to discovery servers.

    Attributes:
        fixed: the configuration of servers that the harness cannot give another, None where it can.
    """

    profile: Profile
    fixed: ServerFacts | None = None
    role: str = field(default="discovery_server", init=False)

    def inputs(self) -> st.SearchStrategy[ServingInput]:
        """Return where inputs come from."""
        return serving_inputs(self.fixed)

    def play(self, iut: Iut, given: ServingInput) -> list[Answer]:
        """Configure the server, let the datagrams arrive, and judge what comes back to each."""
        if iut.facts is None:
            iut.call("discovery_server.configure", given.facts.params())
        answers = []
        for number, datagram in enumerate(given.datagrams, 1):
            got = Answers((datagram,), _replies(iut, datagram, given.facts))
            answers.append(self._answer(given.facts, number, datagram, got))
        return answers

    def smaller(self, given: ServingInput) -> Iterator[ServingInput]:
        """Yield smaller inputs."""
        return smaller_inputs(given, fixed=self.fixed is not None)

    def size(self, given: ServingInput) -> int:
        """Return the number of octets in it."""
        return len(repr(given.facts)) + sum(20 + len(one) for one in given.datagrams)

    def record(self, given: ServingInput) -> Json:
        """Return an input as JSON."""
        return {"configuration": given.facts.params(), "datagrams": [one.hex() for one in given.datagrams]}

    def read(self, record: Json) -> ServingInput:
        """Return the input of a record."""
        known = record["configuration"]
        servers = tuple(DirectoryServerFact(**one) for one in known["directory_servers"])
        networks = tuple(known["connected_networks"])
        facts = ServerFacts(known["enterprise"], known["site"], networks, servers)
        return ServingInput(facts, tuple(bytes.fromhex(one) for one in record["datagrams"]))

    def told(self, given: ServingInput) -> list[str]:
        """Return the input in words."""
        facts = given.facts
        names = ", ".join(repr(one.name) for one in facts.directory_servers) or "none"
        head = f"server of site {facts.site}, {len(facts.connected_networks)} connected networks, servers {names}"
        return [head, *(f"datagram {number}: {one.hex()}" for number, one in enumerate(given.datagrams, 1))]

    def _answer(self, facts: ServerFacts, number: int, datagram: bytes, got: Answers) -> Answer:
        ballot = Ballot(self.profile)
        judgement, blamed = _judged(ballot.judge, facts, datagram, got)
        says = " and ".join(one.octets.hex() for one in got.replies) or "silence"
        place = f"reply to datagram {number}"
        answer = ballot.answer(place, says, judgement, blamed)
        return ballot.answer(place, says, judgement, blamed, _objection(facts, datagram, got, answer.vote))


def _replies(iut: Iut, datagram: bytes, facts: ServerFacts) -> tuple[Datagram, ...]:
    """Send a datagram by whichever carrier there is.

    Raises:
        Unreachable: nothing was ever heard over a network.
    """
    if not isinstance(iut, DatagramCarrier):
        answer = iut.call("discovery_server.receive", {"network": "ip", "datagram": datagram.hex()})
        return tuple(Datagram(bytes.fromhex(one)) for one in answer["replies"])
    another = bytes(one ^ 0x5A for one in datagram[20:36].ljust(16, b"\0"))
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
    if datagram[4:20] != guid_from_text(facts.enterprise):
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


def _blamed(judged: Mapping[str, Judgement]) -> tuple[str, ...]:
    wrong = [name for name, one in judged.items() if one.verdict is Verdict.FAIL]
    return tuple(dict.fromkeys(one for name in wrong for one in bearing(name, (STEPS,)))) or (STEPS,)


def _objection(facts: ServerFacts, datagram: bytes, got: Answers, voted: Vote) -> str:
    """Return where the independent codec, or the vote that stands on it, contradicts the reference."""
    for octets in (datagram, *(one.octets for one in got.replies)):
        if told := codec_objection(octets):
            return told
    if len(got.replies) != 1 or not _is_request(datagram) or datagram[TYPE_OFFSET] != 1:
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
