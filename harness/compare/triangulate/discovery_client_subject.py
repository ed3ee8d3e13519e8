"""Role ``discovery_client``: whole histories, with every effect and its time (MS-MQSD 3.1)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from mqconform.harness.compare.triangulate.codec_comparison import codec_objection
from mqconform.harness.compare.triangulate.subjects import Subject, with_one_less, with_one_plainer
from mqconform.harness.compare.triangulate.votes import Answer, Ballot
from mqconform.harness.iut.connect import Reached
from mqconform.harness.iut.drivers.discovery_client.called import TOLERANCE
from mqconform.harness.iut.drivers.discovery_client.observations import Timed
from mqconform.harness.iut.drivers.discovery_client.script import (
    Configuration,
    NetworksBecome,
    Passes,
    Stimulus,
    networks_named,
    networks_text,
    stimulus_from,
)
from mqconform.harness.iut.interface import Iut, Json
from mqconform.harness.judge.mqsd_client.client_under_test import ClientUnderTest
from mqconform.harness.judge.mqsd_client.generated_histories import histories
from mqconform.harness.judge.mqsd_client.whole_history import judge_run
from mqconform.harness.records.witness import Judgement
from mqconform.reference.mqsd.client import SECOND, NetworkAddress, Send
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reference.mqsd.specification import FACTS

DOES = "what the client does"
SHOWS = "its directory servers and connected networks at the end"


@dataclass(frozen=True)
class DiscoveryClientInput:
    """The networks of a client and what happens to it, in order."""

    networks: tuple[NetworkAddress, ...]
    stimuli: tuple[Stimulus, ...]


class DiscoveryClientSubject(Subject[DiscoveryClientInput]):
    """Plays histories to discovery clients under the virtual clock."""

    role = "discovery_client"

    def inputs(self) -> st.SearchStrategy[DiscoveryClientInput]:
        return histories().map(lambda drawn: DiscoveryClientInput(*drawn))

    def play(self, iut: Iut, given: DiscoveryClientInput) -> list[Answer]:
        """Play a history up to what no reading explains, and judge it as a whole."""
        client = ClientUnderTest(Reached(iut), Configuration(given.networks), round(TOLERANCE * SECOND))
        client.configure()
        for stimulus in given.stimuli:
            client.meet(stimulus)
            if not client.explanation.holds:
                break
        ballot = Ballot(self.profile)
        judgement, blamed = _judged(ballot, client)
        effects = client.effects()
        says = "; ".join(_canonical(effects)) or "nothing"
        answers = [ballot.answer(DOES, says, judgement, blamed, _objection(effects))]
        if client.shown and client.explanation.holds:
            answers.append(ballot.answer(SHOWS, _shown(client), judgement, blamed))
        return answers

    def smaller(self, given: DiscoveryClientInput) -> Iterator[DiscoveryClientInput]:
        for stimuli in with_one_less(given.stimuli, first_stays=True):
            yield replace(given, stimuli=stimuli)
        if len(given.networks) > 1:
            yield replace(given, networks=given.networks[:1])
            yield replace(given, networks=given.networks[:-1])
        for stimuli in with_one_plainer(given.stimuli, _plainer):
            yield replace(given, stimuli=stimuli)

    def size(self, given: DiscoveryClientInput) -> int:
        """Return the number of stimuli first, then of networks."""
        return 10 * len(given.stimuli) + len(given.networks)

    def record(self, given: DiscoveryClientInput) -> Json:
        """Return sentences as scenarios say them."""
        return {"networks": networks_text(given.networks), "stimuli": list(map(str, given.stimuli))}

    def read(self, record: Json) -> DiscoveryClientInput:
        return DiscoveryClientInput(networks_named(record["networks"]), tuple(map(_stimulus, record["stimuli"])))

    def told(self, given: DiscoveryClientInput) -> list[str]:
        return [f"a client on networks {networks_text(given.networks)}", *map(str, given.stimuli)]


def _stimulus(sentence: str) -> Stimulus:
    stimulus = stimulus_from(sentence)
    if stimulus is None:
        raise ValueError(f"stimuli: {sentence!r} is nothing that happens to a client")
    return stimulus


def _judged(ballot: Ballot, client: ClientUnderTest) -> tuple[Judgement, tuple[str, ...]]:
    """Return the worst judgement on the run and the requirements that it bears on."""
    weighed = list(judge_run(ballot.judge, client.explanation, client.timeline(), ()))
    fine = ballot.judge.says(True, "what one permitted combination of readings explains", "")
    if not weighed:
        return fine, ()
    requirements, worst = max(weighed, key=lambda one: one[1].verdict)
    return worst, requirements


def _canonical(effects: list[Timed]) -> Iterator[str]:
    """Yield effects with each RequestID, which is a client's own choice, replaced by its number."""
    numbers: dict[bytes, int] = {}
    for one in effects:
        match one.effect:
            case Send(network=network, datagram=datagram):
                number = numbers.setdefault(datagram[FACTS.request_id], len(numbers) + 1)
                before, behind = datagram[: FACTS.request_id.start], datagram[FACTS.request_id.stop :]
                rest = f"{before.hex()} RequestID {number} {behind.hex()}"
                yield f"{one.seconds} to {network}: {rest}"
            case complete:
                yield f"{one.seconds} {complete}"


def _objection(effects: list[Timed]) -> str:
    told = (codec_objection(one.effect.datagram) for one in effects if isinstance(one.effect, Send))
    return next(filter(None, told), "")


def _shown(client: ClientUnderTest) -> str:
    shown = client.shown or {}
    servers = ", ".join(shown["directory_servers"]) or "none" if "directory_servers" in shown else "not shown"
    networks = shown.get("connected_networks")
    return f"{servers}; {'not shown' if networks is None else ', '.join(map(guid_text, networks)) or 'none'}"


def _plainer(stimulus: Stimulus) -> Iterator[Stimulus]:
    match stimulus:
        case Passes(tenths=tenths) if tenths != 150:
            yield Passes(150)
        case NetworksBecome(networks=networks) if len(networks) > 1:
            yield NetworksBecome(networks[:1])
