"""Role ``discovery_server``: replies to right, odd and damaged datagrams (MS-MQSD 3.2.5.1)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from hypothesis import strategies as st

from mqconform.harness.explore.inputs.codec_comparison import codec_objection
from mqconform.harness.explore.inputs.role_inputs import Inputs, with_one_less, with_one_plainer
from mqconform.harness.explore.votes import CONTRARY, Answer, Ballot, Vote
from mqconform.harness.iut import interface
from mqconform.harness.iut.drivers.discovery_server.port import Answers, replies_to
from mqconform.harness.iut.drivers.discovery_server.requests import Draft
from mqconform.harness.iut.server_configurations import EXAMPLE_ENTERPRISE, model_of
from mqconform.harness.judge.independent import mqsd_messages as second_opinion
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.marks import bearing
from mqconform.harness.judge.mqsd_server.generated import GUIDS, configurations, malformed, requests
from mqconform.harness.judge.mqsd_server.open_choices import allowed_by_entry, malformed_answer_is_allowed
from mqconform.harness.judge.mqsd_server.reply_view import ReplyCheck, view
from mqconform.harness.judge.mqsd_server.service import answered_once
from mqconform.harness.judge.mqsd_server.whole_reply import judge_whole_reply, judgements
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.expected_reply import expected_reply
from mqconform.reference.mqsd.guid import guid_from_text
from mqconform.reference.mqsd.messages import name_octets
from mqconform.reference.mqsd.packets import TopologyClientRequest, decode_message
from mqconform.reference.mqsd.server import Network
from mqconform.reference.mqsd.specification import FACTS

MOST_DATAGRAMS: Final = 4
SENDS_REPLY: Final = "MQSD-3.2.5-01"
STEPS: Final = "MQSD-3.2.5.1-01"
MOST_NETWORKS: Final = 32


@dataclass(frozen=True)
class DiscoveryServerInput:
    """A configuration and the datagrams that arrive, in order, over IP."""

    facts: interface.ServerFacts
    datagrams: tuple[bytes, ...]


@st.composite
def discovery_server_inputs(draw: st.DrawFn, fixed: interface.ServerFacts | None = None) -> DiscoveryServerInput:
    """Draw an input; of the configuration that is fixed where servers cannot be given another."""
    facts = fixed or draw(_configured())
    enterprise, site = guid_from_text(facts.enterprise), guid_from_text(facts.site)
    right = requests(enterprise, site)
    strangers = requests(guid_from_text(EXAMPLE_ENTERPRISE), site)
    plain = Draft(enterprise, draw(GUIDS), site).octets()
    datagrams = st.one_of(
        right.map(Draft.octets), right.map(Draft.octets), strangers.map(Draft.octets), malformed(plain), _changed(plain)
    )
    return DiscoveryServerInput(facts, tuple(draw(st.lists(datagrams, min_size=1, max_size=MOST_DATAGRAMS))))


@st.composite
def _configured(draw: st.DrawFn) -> interface.ServerFacts:
    """Draw a configuration, seldom one of those that fit no reply (register SD-21, SD-24)."""
    facts = draw(configurations())
    emptied: dict[int, Any] = {8: {"connected_networks": ()}, 9: {"directory_servers": ()}}
    return replace(facts, **emptied.get(draw(st.integers(0, 9)), {}))


def _changed(right: bytes) -> st.SearchStrategy[bytes]:
    """Return a right request with one octet changed."""
    return st.tuples(st.integers(0, len(right) - 1), st.integers(0, 255)).map(
        lambda drawn: right[: drawn[0]] + bytes([drawn[1]]) + right[drawn[0] + 1 :]
    )


def _smaller_facts(facts: interface.ServerFacts) -> Iterator[interface.ServerFacts]:
    networks, servers = facts.connected_networks, facts.directory_servers
    if len(networks) > 1:
        yield replace(facts, connected_networks=networks[:1])
        yield replace(facts, connected_networks=networks[: len(networks) // 2])
        yield replace(facts, connected_networks=networks[1:])
    if len(servers) > 1:
        yield replace(facts, directory_servers=servers[:1])
        yield replace(facts, directory_servers=servers[1:])
    taken = {server.name for server in servers}
    for fewer in with_one_plainer(servers, lambda server: _shorter_named(server, taken)):
        yield replace(facts, directory_servers=fewer)


def _shorter_named(
    server: interface.DirectoryServerFact, taken: Collection[str]
) -> Iterator[interface.DirectoryServerFact]:
    for name in ("A", server.name[:1], server.name[: len(server.name) // 2]):
        if name and name not in taken and len(name) <= len(server.name):
            yield replace(server, name=name)


def _plainer(datagram: bytes) -> Iterator[bytes]:
    if len(datagram) > FACTS.request_size:
        yield datagram[: FACTS.request_size]
    if len(datagram) > 1 and len(datagram) < FACTS.request_size:
        yield datagram[: len(datagram) // 2]
    for at, plain in ((0, 0), (2, 0), (3, 0)):
        if len(datagram) > at and datagram[at] != plain:
            yield datagram[:at] + bytes([plain]) + datagram[at + 1 :]


class DiscoveryServerInputs(Inputs[DiscoveryServerInput]):
    """Puts configurations and datagrams to discovery servers."""

    role = "discovery_server"

    def inputs(self) -> st.SearchStrategy[DiscoveryServerInput]:
        return discovery_server_inputs(self.fixed)

    def play(self, iut: interface.Iut, role_input: DiscoveryServerInput) -> list[Answer]:
        """Configure the server, let the datagrams arrive, and judge what comes back to each."""
        if iut.facts is None:
            iut.call("discovery_server.configure", role_input.facts.params())
        answers = []
        for number, datagram in enumerate(role_input.datagrams, 1):
            got = Answers((datagram,), _replies(iut, datagram, role_input.facts))
            answers.append(self._answer(role_input.facts, number, datagram, got))
        return answers

    def smaller(self, role_input: DiscoveryServerInput) -> Iterator[DiscoveryServerInput]:
        """Yield inputs with less in them; the configuration stays where it is fixed."""
        for datagrams in with_one_less(role_input.datagrams):
            yield replace(role_input, datagrams=datagrams)
        for facts in _smaller_facts(role_input.facts) if self.fixed is None else ():
            yield replace(role_input, facts=facts)
        for datagrams in with_one_plainer(role_input.datagrams, _plainer):
            yield replace(role_input, datagrams=datagrams)

    def size(self, role_input: DiscoveryServerInput) -> int:
        """Return the number of octets in it."""
        return len(repr(role_input.facts)) + sum(20 + len(datagram) for datagram in role_input.datagrams)

    def record(self, role_input: DiscoveryServerInput) -> interface.Json:
        return {
            "configuration": role_input.facts.params(),
            "datagrams": [datagram.hex() for datagram in role_input.datagrams],
        }

    def read(self, record: interface.Json) -> DiscoveryServerInput:
        configuration = record["configuration"]
        servers = tuple(interface.DirectoryServerFact(**server) for server in configuration["directory_servers"])
        networks = tuple(configuration["connected_networks"])
        facts = interface.ServerFacts(configuration["enterprise"], configuration["site"], networks, servers)
        return DiscoveryServerInput(facts, tuple(bytes.fromhex(datagram) for datagram in record["datagrams"]))

    def told(self, role_input: DiscoveryServerInput) -> list[str]:
        facts = role_input.facts
        names = ", ".join(repr(directory_server.name) for directory_server in facts.directory_servers) or "none"
        head = f"server of site {facts.site}, {len(facts.connected_networks)} connected networks, servers {names}"
        return [head, *(f"datagram {number}: {each.hex()}" for number, each in enumerate(role_input.datagrams, 1))]

    def _answer(self, facts: interface.ServerFacts, number: int, datagram: bytes, got: Answers) -> Answer:
        ballot = Ballot(self.profile)
        judgement, blamed = _judged(ballot.judge, facts, datagram, got)
        says = " and ".join(reply.octets.hex() for reply in got.replies) or "silence"
        answer = ballot.answer(f"reply to datagram {number}", says, judgement, blamed)
        return replace(answer, objection=_objection(facts, datagram, got, answer.vote))


def _replies(iut: interface.Iut, datagram: bytes, facts: interface.ServerFacts) -> tuple[interface.Datagram, ...]:
    """Send a datagram by whichever carrier there is.

    Raises:
        Unreachable: nothing was ever heard over a network.
    """
    if not isinstance(iut, interface.DatagramCarrier):
        return tuple(map(interface.Datagram, replies_to(datagram, iut)))
    another = bytes(octet ^ 0x5A for octet in datagram[FACTS.request_id].ljust(16, b"\0"))
    fence = Draft(guid_from_text(facts.enterprise), another, guid_from_text(facts.site)).octets()
    got = iut.exchange((datagram,), fence, expected=int(_is_request(datagram)))
    if got.alive is False and not got.replies:
        raise interface.Unreachable("it answered before and has stopped answering")
    return got.replies


def _is_request(datagram: bytes) -> bool:
    try:
        message = decode_message(datagram)
    except MalformedPacket:
        return False
    return isinstance(message, TopologyClientRequest) and not message.ipx_network_number_array


def _judged(
    judge: Judge, facts: interface.ServerFacts, datagram: bytes, got: Answers
) -> tuple[Judgement, tuple[str, ...]]:
    """Return the judgement on what came back, and the requirements that it violates if it is wrong."""
    if not _is_request(datagram):
        return malformed_answer_is_allowed(judge, got), ("MQSD-3.2.5-02",)
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


def _open_configuration(facts: interface.ServerFacts, *, foreign: bool) -> str:
    """Return the register's entry on a configuration that fits no reply, empty where it fits one."""
    if not 1 <= len(facts.connected_networks) <= MOST_NETWORKS:
        return "SD-21"
    return "SD-24" if foreign and not facts.directory_servers else ""


def _blamed(judged: Mapping[ReplyCheck, Judgement]) -> tuple[str, ...]:
    violated = [check for check, judgement in judged.items() if judgement.verdict is Verdict.FAIL]
    requirements = dict.fromkeys(requirement for check in violated for requirement in bearing(check, (STEPS,)))
    return tuple(requirements) or (STEPS,)


def _objection(facts: interface.ServerFacts, datagram: bytes, got: Answers, voted: Vote) -> str:
    """Return where the independent codec, or the vote that stands on it, contradicts the reference."""
    for octets in (datagram, *(reply.octets for reply in got.replies)):
        if objection := codec_objection(octets):
            return objection
    if len(got.replies) != 1 or not _is_request(datagram) or datagram[FACTS.type_offset] != 1:
        return ""
    served = second_opinion.Served(
        guid_from_text(facts.site),
        tuple(guid_from_text(connected_network) for connected_network in facts.connected_networks),
        tuple(name_octets(directory_server.name) for directory_server in facts.directory_servers),
    )
    other = second_opinion.vote(served, "ip", datagram, got.replies[0].octets)
    if other == CONTRARY.get(voted):
        return f"the reference votes {voted} on {got.replies[0].octets.hex()}, the second opinion {other}"
    return ""
