"""The client of a scenario: its Givens, the When for what happens to it, and what it did, by whichever clock.

What is judged of that stands in ``outcomes`` and ``whole_history``.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import pytest

from mqconform.harness.iut.drivers.discovery_client import script
from mqconform.harness.iut.drivers.discovery_client.observations import Timed
from mqconform.harness.iut.drivers.discovery_client.script import Stimulus
from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import JudgedScene
from mqconform.harness.judge.mqsd_client.client_under_test import (
    ClientUnderTest,
    Expectation,
    ObservedClient,
    RecordedClient,
    tolerance_of,
)
from mqconform.harness.judge.mqsd_client.whole_history import Weighed
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.steps import given, when
from mqconform.harness.suite.telling import OVER_CASES
from mqconform.reference.mqsd.client import Send
from mqconform.reference.mqsd.client.explain.observation import request_ids, without_repetitions
from mqconform.reference.mqsd.guid import GUID_SIZE

OF_NEW_IDS: Final = ("MQSD-2.2.2-04", "MQSD-3.1.4.1-07")


@dataclass(slots=True)
class ClientScene(JudgedScene):
    """The client of a scenario and what it was seen to do.

    Attributes:
        client: made by the Given.
        mark: how many stimuli there were before the last When.
        configured: how many clients there were.
        conviction: what convicts the client in a generated history, with the requirements that it bears on.
        histories: how many histories were generated.
        used_before: RequestIDs of clients before the current one.
    """

    run: Session
    case: Case
    judge: Judge
    client: ObservedClient | None = None
    mark: int = 0
    configured: int = 0
    conviction: Weighed | None = None
    histories: int = 0
    used_before: set[bytes] = field(default_factory=set)

    @property
    def current(self) -> ObservedClient:
        """The client, which the scenario has to have."""
        assert self.client is not None, "the scenario has no Given that configures a client"
        return self.client

    def use(self, client: ObservedClient) -> None:
        """Configure a client and work with it from now on."""
        if self.client is not None:
            self.used_before |= set(request_ids([timed.effect for timed in self.client.effects()]))
        self.client = client
        self.configured += 1
        client.configure()

    def meet(self, stimulus: Stimulus) -> None:
        """Let something happen to the client."""
        self.mark = len(self.current.stimuli)
        self.current.meet(stimulus)

    def effects(self) -> list[Timed]:
        """Return all that the client did, in order, repetitions of a request left out."""
        return essential(self.current.effects())

    def last_effects(self) -> list[Timed]:
        """Return what the client did after the last When."""
        return [effect for effect in self.effects() if effect.stimulus >= self.mark]

    def is_at(self, effect: Timed, seconds: str) -> bool:
        """Return whether an effect was seen at that time, by the clock of the scenario."""
        return self.current.is_at(effect, round(float(seconds) * 10))

    def says(self, met: bool, expected: str, observed: str, *, timed: bool = True) -> None:  # noqa: FBT001 - the one thing it is about
        """Record whether an expectation that the scenario writes out is met, with what led there.

        An unmet one names the sentence that was broken, even if the scenario is about another.
        """
        tagged = self.case.requirements
        judgement = self.current.says(self.judge, Expectation(met, expected, observed, timed))
        convicted = self.current.convicted(self.judge, tagged) if judgement.verdict is Verdict.FAIL else ()
        self.run.witness(self.case, convicted or tagged, judgement)

    def judge_run(self) -> None:
        """Record what the model says of everything that was seen."""
        for requirements, judgement in self.current.judgements(self.judge, self.case.requirements):
            self.run.witness(self.case, requirements, judgement)
        if self.run.recordings is None:
            self._weigh_request_ids()

    def _weigh_request_ids(self) -> None:
        """Record where a RequestID was sent before in this run; no restart is known since then (MS-MQSD 2.2.2)."""
        life = f"{self.case.id}, client {self.configured}"
        ids = (
            request_id
            for request_id in request_ids([timed.effect for timed in self.current.effects()])
            if len(request_id) == GUID_SIZE
        )
        first_uses = {request_id: self.run.request_ids.setdefault(request_id, life) for request_id in ids}
        earlier = {request_id: before for request_id, before in first_uses.items() if before != life}
        again = [f"{request_id.hex()}, already used in {before}" for request_id, before in earlier.items()]
        if again:
            judgement = self.judge.says(False, "RequestIDs of no earlier request", "; ".join(again))
            check, self.case.check = self.case.check, OVER_CASES
            self.run.witness(self.case, OF_NEW_IDS, judgement)
            self.case.check = check


def essential(effects: Sequence[Timed]) -> list[Timed]:
    """Return the effects without requests that repeat the one under way, as the register leaves open (SD-08, SD-14)."""
    timeds: list[Timed] = []
    current: Send | None = None
    used_ids: set[bytes] = set()
    for timed in effects:
        if without_repetitions((timed.effect,), current, used_ids):
            timeds.append(timed)
        current = timed.effect if isinstance(timed.effect, Send) else None
        used_ids.update(request_ids((timed.effect,)))
    return timeds


def effects_text(effects: Iterable[Timed]) -> str:
    """Return effects in words."""
    return "; ".join(f"{timed.seconds} {timed.effect}" for timed in effects) or "nothing"


@pytest.fixture
def discovery(run: Session, case: Case) -> ClientScene:
    """Give a scenario a place for its client."""
    run.patience.check_alive()
    return ClientScene(run, case, run.judge)


def whole(sentences: str) -> str:
    """Return a pattern that hands a sentence on as a whole, for the reader that scripts have in common."""
    return f"(?P<sentence>{re.sub(r'[(][?]P<[a-z]+>', '(?:', sentences)})"


@given(whole(script.CLIENT))
def client_on_networks(discovery: ClientScene, sentence: str) -> None:
    configuration = script.configuration_from(sentence)
    assert configuration is not None, "the sentence has matched"
    _start_afresh(discovery, configuration)


@given("a client on an IPX network")
def client_on_ipx(discovery: ClientScene) -> None:
    del discovery
    raise Unsupported("the protocol names no IPX network numbers, so that a client over IPX cannot be configured")


@when(whole(r"the client is started afresh on networks? (?P<networks>.+)"))
def client_starts_afresh(discovery: ClientScene, sentence: str) -> None:
    configuration = script.configuration_from(f"a client {sentence.partition('afresh ')[2]}")
    assert configuration is not None, "the sentence has matched"
    _start_afresh(discovery, configuration)


@when(whole(script.STIMULUS))
def something_happens(discovery: ClientScene, sentence: str) -> None:
    stimulus = script.stimulus_from(sentence)
    assert stimulus is not None, "the sentence has matched"
    discovery.meet(stimulus)


def _start_afresh(discovery: ClientScene, configuration: script.Configuration) -> None:
    """Work with a client as freshly started, also where the background of the scenario had another one."""
    if discovery.run.recordings is None:
        discovery.run.iut.call("reset", {})
    discovery.use(_client(discovery, configuration))


def _client(discovery: ClientScene, configuration: script.Configuration) -> ObservedClient:
    """Return a client to be driven call by call; with the real clock, the recording of one."""
    recordings = discovery.run.recordings
    if recordings is None:
        return ClientUnderTest(discovery.run, configuration, tolerance_of(discovery.run))
    return RecordedClient(recordings.recording_of(discovery.case.id, discovery.configured, configuration))
