"""Role ``discovery_client``: whole histories, with every effect and its time (MS-MQSD 3.1)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from mqconform.harness.explore.inputs.codec_comparison import codec_objection
from mqconform.harness.explore.inputs.role_inputs import Inputs, with_one_less, with_one_plainer
from mqconform.harness.explore.votes import Answer, Ballot
from mqconform.harness.iut.connect import Reached
from mqconform.harness.iut.drivers.discovery_client import script
from mqconform.harness.iut.drivers.discovery_client.called import TOLERANCE
from mqconform.harness.iut.drivers.discovery_client.observations import Timed
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
    stimuli: tuple[script.Stimulus, ...]


class DiscoveryClientInputs(Inputs[DiscoveryClientInput]):
    """Plays histories to discovery clients under the virtual clock."""

    role = "discovery_client"

    def inputs(self) -> st.SearchStrategy[DiscoveryClientInput]:
        return histories().map(lambda drawn: DiscoveryClientInput(*drawn))

    def play(self, iut: Iut, role_input: DiscoveryClientInput) -> list[Answer]:
        """Play a history up to what no reading explains, and judge it as a whole."""
        client = ClientUnderTest(Reached(iut), script.Configuration(role_input.networks), round(TOLERANCE * SECOND))
        client.configure()
        for stimulus in role_input.stimuli:
            client.meet(stimulus)
            if not client.explanation.holds:
                break
        ballot = Ballot(self.profile)
        judgement, blamed = _judged(ballot, client)
        effects = client.effects()
        says = "; ".join(_canonical(effects)) or "nothing"
        sent = [effect.effect.datagram for effect in effects if isinstance(effect.effect, Send)]
        objection = next(filter(None, map(codec_objection, sent)), "")
        answers = [ballot.answer(DOES, says, judgement, blamed, objection)]
        if client.shown and client.explanation.holds:
            answers.append(ballot.answer(SHOWS, _shown(client), judgement, blamed))
        return answers

    def smaller(self, role_input: DiscoveryClientInput) -> Iterator[DiscoveryClientInput]:
        for stimuli in with_one_less(role_input.stimuli, first_stays=True):
            yield replace(role_input, stimuli=stimuli)
        if len(role_input.networks) > 1:
            yield replace(role_input, networks=role_input.networks[:1])
            yield replace(role_input, networks=role_input.networks[:-1])
        for stimuli in with_one_plainer(role_input.stimuli, _plainer):
            yield replace(role_input, stimuli=stimuli)

    def size(self, role_input: DiscoveryClientInput) -> int:
        """Return the number of stimuli first, then of networks."""
        return 10 * len(role_input.stimuli) + len(role_input.networks)

    def record(self, role_input: DiscoveryClientInput) -> Json:
        """Return sentences as scenarios say them."""
        return {"networks": script.networks_text(role_input.networks), "stimuli": list(map(str, role_input.stimuli))}

    def read(self, record: Json) -> DiscoveryClientInput:
        stimuli = [(sentence, script.stimulus_from(sentence)) for sentence in record["stimuli"]]
        if wrong := [sentence for sentence, stimulus in stimuli if stimulus is None]:
            raise ValueError(f"stimuli: {wrong[0]!r} is not a stimulus of a client")
        networks = script.networks_named(record["networks"])
        return DiscoveryClientInput(networks, tuple(stimulus for _, stimulus in stimuli if stimulus))

    def told(self, role_input: DiscoveryClientInput) -> list[str]:
        return [f"a client on networks {script.networks_text(role_input.networks)}", *map(str, role_input.stimuli)]


def _judged(ballot: Ballot, client: ClientUnderTest) -> tuple[Judgement, tuple[str, ...]]:
    """Return the worst judgement on the run and the requirements that it bears on."""
    weighed = list(judge_run(ballot.judge, client.explanation, client.timeline(), ()))
    fine = ballot.judge.says(True, "what one permitted combination of readings explains", "")
    if not weighed:
        return fine, ()
    requirements, worst = max(weighed, key=lambda pair: pair[1].verdict)
    return worst, requirements


def _canonical(effects: list[Timed]) -> Iterator[str]:
    """Yield effects with each RequestID, which is a client's own choice, replaced by its number."""
    numbers: dict[bytes, int] = {}
    for effect in effects:
        match effect.effect:
            case Send(network=network, datagram=datagram):
                number = numbers.setdefault(datagram[FACTS.request_id], len(numbers) + 1)
                before, behind = datagram[: FACTS.request_id.start], datagram[FACTS.request_id.stop :]
                rest = f"{before.hex()} RequestID {number} {behind.hex()}"
                yield f"{effect.seconds} to {network}: {rest}"
            case complete:
                yield f"{effect.seconds} {complete}"


def _shown(client: ClientUnderTest) -> str:
    lists = client.shown or {}
    servers = ", ".join(lists["directory_servers"]) or "none" if "directory_servers" in lists else "not shown"
    networks = lists.get("connected_networks")
    return f"{servers}; {'not shown' if networks is None else ', '.join(map(guid_text, networks)) or 'none'}"


def _plainer(stimulus: script.Stimulus) -> Iterator[script.Stimulus]:
    match stimulus:
        case script.Passes(tenths=tenths) if tenths != 150:
            yield script.Passes(150)
        case script.NetworksBecome(networks=networks) if len(networks) > 1:
            yield script.NetworksBecome(networks[:1])
