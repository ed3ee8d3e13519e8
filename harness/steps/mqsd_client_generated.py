"""Steps that drive reference model and client with generated histories and shrink what no reading explains."""

from dataclasses import dataclass

from pytest_bdd import then, when

from mqconform.harness.ambiguity import ReadingLog
from mqconform.harness.iut import IutFault
from mqconform.harness.mqsd.client_case import save_client_case
from mqconform.harness.mqsd.client_generators import histories
from mqconform.harness.mqsd.client_script import Configuration
from mqconform.harness.mqsd.client_stimuli import Stimulus
from mqconform.harness.mqsd.client_under_test import ClientUnderTest
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.mqsd_client import judge_run
from mqconform.harness.search import search
from mqconform.harness.steps.client_scene import ClientScene
from mqconform.harness.verdict import Verdict
from mqconform.harness.witness import Judgement
from mqconform.reference.mqsd.client import NetworkAddress

EXAMPLES = 25
CRASH = 15
"""What a crash costs of the bound on failures: a fresh client has to be started each time."""

History = tuple[tuple[NetworkAddress, ...], tuple[Stimulus, ...]]


@dataclass(frozen=True, slots=True)
class Finding:
    """What convicts a client, and of what."""

    requirements: tuple[str, ...]
    judgement: Judgement
    crashed: bool = False


@when("generated histories are played to it")
def histories_are_played(discovery: ClientScene) -> None:
    """Search for the shortest history in which the client does what no reading explains."""
    found = search(
        histories(),
        lambda history: _played(discovery, history),
        seed=discovery.run.seed,
        examples=EXAMPLES,
        size=lambda history: len(history[1]),
        cost=lambda finding: CRASH if finding.crashed else 1,
    )
    if found is None:
        return
    discovery.found = found.finding.requirements, found.finding.judgement
    directory = discovery.run.writer.path.parent
    path = save_client_case(directory, found.finding.requirements[0], *found.example, discovery.run.seed)
    discovery.case.saved.append(path)


@then("each of them is one that the text allows")
def nothing_was_found(discovery: ClientScene) -> None:
    """Record what the search came to."""
    if discovery.found:
        requirements, judgement = discovery.found
        discovery.run.witness(discovery.case, requirements, judgement)
    else:
        observed = f"none in {discovery.played} histories"
        discovery.witness(discovery.judge.says(True, "no history that no reading explains", observed))


def _played(discovery: ClientScene, history: History) -> Finding | None:
    """Return what convicts the client in one history; readings are weighed without being noted."""
    if discovery.run.dead_since:
        return None
    networks, stimuli = history
    run, tagged = discovery.run, discovery.case.requirements
    judge = Judge(run.register, run.profile, ReadingLog(run.register))
    client = ClientUnderTest(run, Configuration(networks))
    discovery.played += 1
    try:
        run.iut.call("reset", {})
        client.configure()
        for stimulus in stimuli:
            client.meet(stimulus)
            if not client.explanation.holds:
                break
    except IutFault as fault:
        run.lose_iut(discovery.case)
        expected = "the implementation goes on and answers"
        observed = f"{fault.kind}: {fault}\n{client.timeline()}"
        return Finding(tagged, Judgement(Verdict.FAIL, expected, observed), crashed=True)
    if client.explanation.holds:
        return None
    return next(Finding(*one) for one in judge_run(judge, client.explanation, client.timeline(), tagged))
