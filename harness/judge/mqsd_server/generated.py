"""Steps whose datagrams and configurations are generated, coarsely drawn and shrunk by structure: one witness a search.

A counterexample is kept as a feature file that a later run can include with ``--features``; steps here play it again.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from hypothesis import strategies as st

from mqconform.harness.iut import interface
from mqconform.harness.iut.drivers.discovery_server.requests import REQUEST_TYPE, Draft, ipx_tail
from mqconform.harness.iut.interface import DirectoryServerFact, ServerFacts
from mqconform.harness.iut.role import Capability
from mqconform.harness.iut.server_configurations import USUAL, configured
from mqconform.harness.judge.marks import from_seed, own_requirements
from mqconform.harness.judge.mqsd_server.configuration import may_be_refused
from mqconform.harness.judge.mqsd_server.open_choices import malformed_answer_is_allowed
from mqconform.harness.judge.mqsd_server.reply_view import view
from mqconform.harness.judge.mqsd_server.requests import fresh_request, send_one
from mqconform.harness.judge.mqsd_server.scene import Scene, expectation, first_reply, pick, witness
from mqconform.harness.judge.mqsd_server.service import answered_once, still_answers
from mqconform.harness.judge.mqsd_server.whole_reply import worst_of_all
from mqconform.harness.judge.search import MAX_FAILURES, Counterexample, search
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reference.mqsd.specification import FACTS

GUIDS = st.binary(min_size=16, max_size=16)
# Every code unit but comma and null; unpaired surrogates have their own scenarios, since JSON may lose them.
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters=",\0")
FEW_IDS = (bytes(range(16)), bytes(range(240, 256)))
MAX_NETWORKS, MAX_NAMES, MAX_NAME = 32, 6, 20


def requests(enterprise: bytes, site: bytes) -> st.SearchStrategy[Draft]:
    """Return right requests: any Version and Reserved, own site, one nearly alike, another or none, a short tail.

    A few identifiers come again and again: what was answered before has no effect.
    """
    return st.builds(
        Draft,
        enterprise=st.just(enterprise),
        request_id=st.sampled_from(FEW_IDS) | GUIDS,
        site=st.sampled_from((site, *sites_alike(site), bytes(16))) | GUIDS,
        version=st.integers(0, 255),
        reserved=st.integers(0, 65535),
        tail=st.binary(max_size=7),
    )


def over_ipx(drafts: st.SearchStrategy[Draft]) -> st.SearchStrategy[tuple[Draft, str]]:
    """Return requests, each with the network that carries it; over IPX they have the fields that belong there."""
    return st.builds(
        lambda draft, count: (replace(draft, tail=ipx_tail(count, count)), "ipx") if count else (draft, "ip"),
        drafts,
        st.just(0) | st.integers(0, MAX_NETWORKS),
    )


def sites_alike(site: bytes) -> tuple[bytes, ...]:
    """Return identifiers that are another one only for who compares all octets in their order."""
    return (
        bytes([site[0] ^ 1]) + site[1:],
        site[:15] + bytes([site[15] ^ 1]),
        site[:7] + bytes([site[7] ^ 0x80]) + site[8:],
        site[:8] + bytes([site[8] ^ 0x80]) + site[9:],
        site[8:] + site[:8],
        site[::-1],
    )


def malformed(right: bytes) -> st.SearchStrategy[bytes]:
    """Return datagrams that are no right request: noise, requests cut short, other Types, wrong IPX counts."""
    other_types = st.integers(0, 255).filter(lambda kind: kind != REQUEST_TYPE)
    wrong_count = (st.just(0) | st.integers(33, 2**32 - 1)).map(
        lambda count: right + count.to_bytes(4, "little") + bytes(4)
    )
    return (
        st.binary(max_size=FACTS.request_size - 1)
        | st.integers(0, FACTS.request_size - 1).map(lambda end: right[:end])
        | other_types.map(lambda kind: right[:1] + bytes([kind]) + right[2:])
        | wrong_count
    )


def configurations() -> st.SearchStrategy[ServerFacts]:
    """Return servers with 1 to 32 networks and 1 to 6 distinct names; sites may hold a null of two octets.

    A few coarse draws are cut into pieces: a draw for each attribute would take several times as long.
    """
    return st.builds(
        lambda count, octets, characters, cuts, site: replace(
            USUAL,
            site=guid_text(site[:6] + bytes(2) + site[8:] if cuts[0] % 2 else site),
            connected_networks=_networks(octets[: 16 * count]),
            directory_servers=_directory_servers(characters, cuts),
        ),
        st.integers(1, MAX_NETWORKS),
        st.binary(min_size=16 * MAX_NETWORKS, max_size=16 * MAX_NETWORKS),
        st.text(CHARACTERS, min_size=MAX_NAMES * MAX_NAME, max_size=MAX_NAMES * MAX_NAME),
        st.binary(min_size=1, max_size=MAX_NAMES),
        GUIDS,
    )


def _networks(octets: bytes) -> tuple[str, ...]:
    """Cut octets into distinct identifiers."""
    whole = (octets[at : at + 16] for at in range(0, len(octets), 16))
    return tuple(dict.fromkeys(guid_text(network) for network in whole))


def _directory_servers(characters: str, cuts: bytes) -> tuple[DirectoryServerFact, ...]:
    """Cut letters into distinct names, an octet of ``cuts`` giving the length and the protocols of each.

    Each server speaks a protocol, as one that is any use does.
    """
    servers, rest = {}, characters
    for cut in cuts:
        length = 1 + cut % MAX_NAME
        name, rest = rest[:length], rest[length:]
        protocols = 1 + cut // MAX_NAME % 3
        servers[name] = DirectoryServerFact(name, ip=bool(protocols & 1), ipx=bool(protocols & 2))
    return tuple(servers.values())


EXAMPLES = 60
EXAMPLES_OVER_A_NETWORK = 25
RESTARTS_OF_A_SEARCH = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WrongReply:
    """What a generated datagram led to.

    Attributes:
        restarted: whether the IUT had to be started again, which a run does not do without end.
        requirements: what it violates; those of the scenario where there are none.
    """

    judgement: Judgement
    request: bytes
    reply: interface.Datagram | None = None
    restarted: bool = False
    requirements: tuple[str, ...] = ()


@when("generated malformed datagrams arrive")
@from_seed
def generated_malformed(scene: Scene) -> None:
    right = scene.draft().octets()
    scene.counterexample = look_for(scene, malformed(right), lambda octets: _after_malformed(scene, octets), len)
    if scene.counterexample:
        save_malformed(scene, scene.counterexample.example)


@when("generated topology requests arrive")
@from_seed
def generated_requests(scene: Scene) -> None:
    drafts = requests(bytes(scene.server.enterprise), bytes(scene.server.site))
    ipx = scene.target is scene.run.iut and Capability.IPX in scene.run.iut.description.capabilities
    carried = over_ipx(drafts) if ipx else drafts.map(lambda draft: (draft, "ip"))
    scene.counterexample = look_for(
        scene, carried, lambda drawn: _after_request(scene, *drawn), lambda drawn: _weight(drawn[0])
    )
    if scene.counterexample:
        draft, network = scene.counterexample.example
        finding: WrongReply = scene.counterexample.finding
        if not finding.restarted:
            violated = _of_ignored_field(scene, draft, network) or finding.requirements
            scene.counterexample = replace(scene.counterexample, finding=replace(finding, requirements=violated))
        save_request(scene, draft.octets(), network)


def _of_ignored_field(scene: Scene, draft: Draft, network: str) -> tuple[str, ...]:
    """Return the requirement on the field without whose value the request would be answered rightly."""
    plain = draft.plain()
    fields = {"version": "MQSD-2.2.1-04", "reserved": "MQSD-2.2.1-10"}
    for name, requirement in fields.items():
        if _after_request(scene, replace(draft, **{name: getattr(plain, name)}), network) is None:
            return (requirement,)
    return ()


@when("generated topology requests arrive at generated configurations")
@from_seed
def generated_configurations(scene: Scene) -> None:
    if scene.target.facts is not None:
        raise interface.NotApplicable(
            "needs a server that the harness can configure; the facts file states one configuration"
        )

    def attempt(drawn: tuple[interface.ServerFacts, int]) -> WrongReply | None:
        scene.use(_configured(scene, drawn[0]))
        return _after_request(scene, _draft_of_site(scene, drawn[1]))

    pairs = st.tuples(configurations(), st.integers(0, 8))
    scene.counterexample = look_for(scene, pairs, attempt, lambda drawn: len(repr(drawn)))
    if scene.counterexample:
        scene.use(scene.counterexample.example[0])
        save_request(scene, _draft_of_site(scene, scene.counterexample.example[1]).octets())


def _draft_of_site(scene: Scene, choice: int) -> Draft:
    """Return a request of the own site, of the same other one each time, or of one nearly alike to the own one."""
    own = bytes(scene.server.site)
    sites = (own, own, FEW_IDS[0], *sites_alike(own))
    return replace(scene.draft(), site=sites[choice])


def _configured(scene: Scene, configuration: interface.ServerFacts) -> interface.ServerFacts:
    """Configure the server; where it refuses names that it may refuse, with plain names in their places."""
    try:
        scene.target.call("discovery_server.configure", configuration.params())
    except interface.IutFault as fault:
        if fault.kind != "error" or not may_be_refused(configuration):
            raise
    else:
        return configuration
    servers = (
        replace(directory_server, name=f"server-{at}")
        for at, directory_server in enumerate(configuration.directory_servers)
    )
    plain = replace(configuration, directory_servers=tuple(servers))
    scene.target.call("discovery_server.configure", plain.params())
    return plain


@then("none of them stops the service")
@then("the steps allow every reply")
def no_wrong_reply_was_found(scene: Scene) -> None:
    if scene.counterexample is None:
        judgement = scene.judge.says(
            True, "no counterexample", f"no violation in {scene.examples_tried} generated inputs"
        )
        witness(scene, None, judgement)
        return
    finding: WrongReply = scene.counterexample.finding
    witness(scene, None, finding.judgement, finding.request, finding.reply, finding.requirements)


def look_for(
    scene: Scene, strategy: st.SearchStrategy[T], test: Callable[[T], WrongReply | None], size: Callable[[T], int]
) -> Counterexample[T, WrongReply] | None:
    """Search with the seed of the run; a crash of the IUT is a finding and costs a restart."""
    over_network = isinstance(scene.target, interface.DatagramCarrier)
    scene.examples_tried = (EXAMPLES_OVER_A_NETWORK if over_network else EXAMPLES) * scene.run.plan.thorough

    def guarded(example: T) -> WrongReply | None:
        try:
            return test(example)
        except interface.IutFault as fault:
            request = scene.sent
            _start_again(scene)
            expected = "the implementation keeps answering"
            return WrongReply(Judgement(Verdict.FAIL, expected, f"{fault.kind}: {fault}"), request, restarted=True)
        finally:
            del scene.exchanges[:-1]  # only the last exchange is ever looked at

    return search(strategy, guarded, seed=scene.run.plan.seed, examples=scene.examples_tried, size=size, cost=_cost)


def _cost(finding: WrongReply) -> int:
    return MAX_FAILURES // RESTARTS_OF_A_SEARCH if finding.restarted else 1


def _start_again(scene: Scene) -> None:
    """Replace the crashed IUT and bring it back into the configuration of the scenario."""
    scene.run.lose_iut(scene.case)
    scene.target = scene.run.iut
    if scene.facts is not None and not scene.run.patience.dead_since:
        scene.target.call("discovery_server.configure", scene.facts.params())


def _weight(draft: Draft) -> int:
    """Return how far a request is from the plainest one."""
    zeros = draft.request_id.count(0) + draft.site.count(0)
    return (draft.version > 0) + (draft.reserved > 0) + len(draft.tail) - zeros


def _after_malformed(scene: Scene, octets: bytes) -> WrongReply | None:
    answers = scene.send(octets, expected=0)
    judgement = malformed_answer_is_allowed(scene.judge, answers)
    if judgement.verdict > Verdict.PASS:
        return WrongReply(judgement, octets, first_reply(answers))
    alive = still_answers(scene.judge, scene.send(fresh_request(scene), expected=1))
    return WrongReply(alive, octets) if alive.verdict > Verdict.PASS else None


def _after_request(scene: Scene, draft: Draft, network: str = "ip") -> WrongReply | None:
    send_one(scene, draft, network)
    answers, request = scene.answers, draft.octets()
    reply = pick(answers.replies, request)
    once = answered_once(scene.judge, answers)
    if reply is None or once.verdict > Verdict.PASS:
        return WrongReply(once, request, reply)
    check, judgement = worst_of_all(scene.judge, view(reply.octets, expectation(scene, request)))
    if judgement.verdict is Verdict.PASS:
        return None
    own = own_requirements(check)
    of_steps = [requirement for requirement in own if requirement.startswith("MQSD-3.2.5.1-")]
    return WrongReply(judgement, request, reply, requirements=(*of_steps, *own)[:1])


def save_malformed(scene: Scene, datagram: bytes) -> None:
    """Save a malformed datagram that stops the service or draws what is not allowed."""
    _save(scene, "A malformed datagram", f"a malformed datagram arrives: {datagram.hex()}", "the server still answers")


def save_request(scene: Scene, request: bytes, network: str = "ip") -> None:
    """Save a right request whose reply no step makes."""
    over = " over IPX" if network == "ipx" else ""
    _save(scene, "A request", f"a topology request arrives{over}: {request.hex()}", "the steps allow the reply")


@given("a discovery server configured as {facts}")
def server_configured_as(scene: Scene, facts: str) -> None:
    """Configure exactly this, written as the parameters of ``discovery_server.configure``."""
    params = json.loads(facts)
    configuration = interface.ServerFacts(
        params["enterprise"],
        params["site"],
        tuple(params["connected_networks"]),
        tuple(interface.DirectoryServerFact(**server) for server in params["directory_servers"]),
    )
    scene.use(
        configured(
            scene.target, configuration, lambda facts: facts == configuration, "the configuration of a saved case"
        )
    )


@when(r"a topology request arrives(?P<ipx> over IPX)?: (?P<octets>[0-9a-f]+)")
def request_arrives(scene: Scene, ipx: str | None, octets: str) -> None:
    scene.send(bytes.fromhex(octets), expected=1, network="ipx" if ipx else "ip")


def _save(scene: Scene, title: str, stimulus: str, outcome: str) -> None:
    """Write one scenario with literal octets beside the results."""
    assert scene.facts is not None
    facts = json.dumps(scene.facts.params(), sort_keys=True)
    steps = (f"Given a discovery server configured as {facts}", f"When {stimulus}", f"Then {outcome}")
    scene.save_case(steps, tags="@role:discovery_server", requirement=scene.case.requirements[0], title=title)
