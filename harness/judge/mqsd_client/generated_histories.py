"""Generated histories of a discovery client: what no reading explains is shrunk and kept as a named case.

A history is a sequence that a run may see, drawn simplest first.
"""

from dataclasses import dataclass

from hypothesis import strategies as st

from mqconform.harness.iut.drivers.discovery_client import script
from mqconform.harness.iut.drivers.discovery_client.script import GROSS, OF_TYPE_1, OWN_SITE, ReplyDraft
from mqconform.harness.iut.interface import IutFault
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.marks import from_seed
from mqconform.harness.judge.mqsd_client.client_scene import ClientScene
from mqconform.harness.judge.mqsd_client.client_under_test import ClientUnderTest, tolerance_of
from mqconform.harness.judge.mqsd_client.whole_history import judge_run
from mqconform.harness.judge.search import search
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.ambiguity import ReadingLog, load_register
from mqconform.harness.suite.steps import then, when
from mqconform.reference.mqsd.client import NetworkAddress

LONGEST = 9
TENTHS = (150, 149, 1, 50, 300)
FLAWS = (script.TO_ANOTHER_REQUEST, "cut in the fixed part", "with the count in big-endian order", *OF_TYPE_1)
assert {*FLAWS} <= {script.TO_ANOTHER_REQUEST, *GROSS, *OF_TYPE_1}
DRAFTS = (
    ReplyDraft(OWN_SITE),
    ReplyDraft("east", ("10alpha",)),
    ReplyDraft("west", ("11beta", "01gamma")),
)
EXAMPLES = 25
CRASH = 15
"""What a crash costs of the bound on failures: a fresh client has to be started each time."""


@st.composite
def networks(draw: st.DrawFn) -> tuple[NetworkAddress, ...]:
    """Draw one, two, three or five networks, seldom one of them for remote access."""
    count = draw(st.sampled_from((1, 2, 3, 5)))
    remote = draw(st.sampled_from((0, 0, count)))
    return tuple(NetworkAddress(script.address_of(f"{number}"), number == remote) for number in range(1, count + 1))


def replies(count: int) -> st.SearchStrategy[script.Brings]:
    """Return replies on any of ``count`` networks, mostly right ones."""
    return st.builds(
        script.Brings,
        st.integers(1, count).map(str),
        st.sampled_from(DRAFTS),
        st.sampled_from(("", "", "", *FLAWS)),
    )


@st.composite
def histories(draw: st.DrawFn) -> tuple[tuple[NetworkAddress, ...], tuple[script.Stimulus, ...]]:
    """Draw the networks of a client, and what happens to it once discovery has started."""
    first = draw(networks())
    stimulus = st.one_of(
        st.sampled_from(TENTHS).map(script.Passes),
        replies(len(first)),
        replies(len(first)),
        st.just(script.Starts()),
        networks().map(script.NetworksBecome),
    )
    return first, (script.Starts(), *draw(st.lists(stimulus, max_size=LONGEST)))


History = tuple[tuple[NetworkAddress, ...], tuple[script.Stimulus, ...]]


@dataclass(frozen=True, slots=True)
class WrongHistory:
    """What convicts a client, and of what."""

    requirements: tuple[str, ...]
    judgement: Judgement
    crashed: bool = False


@when("generated histories are played to it")
@from_seed
def discoveries_are_played(discovery: ClientScene) -> None:
    counterexample = search(
        histories(),
        lambda history: _played(discovery, history),
        seed=discovery.run.plan.seed,
        examples=EXAMPLES * discovery.run.plan.thorough,
        size=lambda history: len(history[1]),
        cost=lambda finding: CRASH if finding.crashed else 1,
    )
    if counterexample is None:
        return
    finding = _played(discovery, counterexample.example, named=True) or counterexample.finding
    discovery.conviction = finding.requirements, finding.judgement
    _save(discovery, finding.requirements[0], counterexample.example)


@then("the specification allows each of them")
def each_history_is_allowed(discovery: ClientScene) -> None:
    if discovery.conviction:
        requirements, judgement = discovery.conviction
        discovery.run.witness(discovery.case, requirements, judgement)
    else:
        observed = f"no violation in {discovery.histories} histories"
        discovery.witness(discovery.judge.says(True, "a permitted reading for every history", observed))


def _played(discovery: ClientScene, history: History, *, named: bool = False) -> WrongHistory | None:
    """Return what convicts the client in one history; readings are weighed without being noted.

    The sentence that is broken is searched for where it is to be ``named``, which takes its time.
    """
    if discovery.run.patience.dead_since:
        return None
    networks, stimuli = history
    run, tagged = discovery.run, discovery.case.requirements
    judge = Judge(load_register(), run.plan.profile, ReadingLog())
    client = ClientUnderTest(run, script.Configuration(networks), tolerance_of(run))
    discovery.histories += 1
    try:
        run.iut.call("reset", {})
        client.configure()
        for stimulus in stimuli:
            client.meet(stimulus)
            if not client.explanation.holds:
                break
    except IutFault as fault:
        run.lose_iut(discovery.case)
        expected = "the implementation keeps answering"
        observed = f"{fault.kind}: {fault}\n{client.timeline()}"
        return WrongHistory(tagged, Judgement(Verdict.FAIL, expected, observed), crashed=True)
    if client.explanation.holds:
        return None
    convicted = client.convicted(judge, tagged) if named else ()
    requirements, judgement = next(judge_run(judge, client.explanation, client.timeline(), tagged, convicted=convicted))
    return WrongHistory(requirements, judgement)


def _save(discovery: ClientScene, requirement: str, history: History) -> None:
    """Save the history as a scenario of its own, beside the results."""
    networks, stimuli = history
    steps = [f"Given a client on networks {script.networks_text(networks)}"]
    steps += [f"When {stimulus}" for stimulus in stimuli]
    steps += ["Then the specification allows every step"]
    tags, title = "@role:discovery_client @needs:clock", "A client that no reading explains"
    discovery.save_case(steps, tags=tags, requirement=requirement, title=title)
