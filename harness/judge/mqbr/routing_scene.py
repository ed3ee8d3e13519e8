"""What the steps of one router scenario share: the enterprise, the router, and the model that keeps pace with it."""

from dataclasses import dataclass, field

import pytest

from mqconform.harness.iut.drivers.router import Hops, next_hops, with_names
from mqconform.harness.judge.independent.routing_opinion import hold_against_second_opinion
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import JudgedScene, fresh_judge
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, NamedEnterprise, guid_of
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.reference.allowed import Standing
from mqconform.reference.directory import DirectoryView, QueueManagerId, ReadEvent
from mqconform.reference.mqbr import clock
from mqconform.reference.mqbr.clock import RouterState
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops


@dataclass(frozen=True, slots=True)
class Asked:
    """One question for next hops with the answer of the IUT and the model's allowed ones."""

    source: str
    destination: str
    decision: NextHopsDecision
    hops: Hops


@dataclass(slots=True)
class RoutingScene(JudgedScene):
    """The router of a scenario, driven together with the model.

    Attributes:
        enterprise: what the directory holds now.
        state: what the model knows of the initialised router; None before that.
        contents: every content that the directory had, the first at initialisation.
        changes: seconds since initialisation at which each content came.
    """

    run: Session
    case: Case
    judge: Judge
    enterprise: NamedEnterprise = field(default_factory=NamedEnterprise)
    view: DirectoryView | None = None
    state: RouterState | None = None
    asked: list[Asked] = field(default_factory=list)
    contents: list[NamedEnterprise] = field(default_factory=list)
    changes: list[float] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    @property
    def last(self) -> Asked:
        """The question that was asked last."""
        return self.asked[-1]

    @property
    def loaded(self) -> DirectoryView:
        """The directory as the router reads it now; loaded if it was not."""
        if self.view is None:
            self.load()
        assert self.view is not None
        return self.view

    @property
    def started(self) -> RouterState:
        """The state of the router, which has to be initialised."""
        assert self.state is not None, "the scenario has no router that started"
        return self.state

    @property
    def _just_built(self) -> bool:
        """Whether the router's table is that of the directory as it stands, and no reading fails."""
        return self.started.now == 0 and len(self.contents) == 1 and not self.loaded.faults

    def load(self) -> None:
        """Give the router the whole directory."""
        self.run.iut.call("router.load_directory", {"directory": self.enterprise.document})
        self.view = DirectoryView(self.enterprise.directory)
        self.state = None

    def start(self, machine: str) -> None:
        """Let the IUT become a queue manager and initialise its table."""
        view = self.loaded
        self.run.iut.call("router.initialize", {"local": guid_of(MACHINE, machine)})
        self.state = clock.initialize(view, QueueManagerId(guid_of(MACHINE, machine)))
        self.contents, self.changes = [self.enterprise], [0.0]

    def change(self, enterprise: NamedEnterprise) -> None:
        """Change what the directory holds while the router runs."""
        self.names |= self.enterprise.names  # a name may vanish from the directory and still be answered
        self.enterprise = enterprise
        state = self.started
        self.run.iut.call("router.change_directory", {"directory": enterprise.document})
        self.state = clock.change_directory(state, enterprise.directory)
        self.view = self.state.view
        self.contents.append(enterprise)
        self.changes.append(state.now)

    def fail(self, object_type: str, at: str | None) -> None:
        """Let readings of an object type fail from now on."""
        view = self.loaded
        self.run.iut.call("router.fail_directory", {"object_type": object_type, "at": at})
        event = None if at is None else ReadEvent(at)
        self.view = view.failing(object_type, event)
        if self.state is not None:
            self.state = clock.fail_directory(self.state, object_type, event)

    def wait(self, seconds: float) -> None:
        """Let virtual time pass."""
        state = self.started
        self.run.iut.call("router.advance_clock", {"seconds": seconds})
        self.state = clock.advance_clock(state, seconds)

    def ask(self, source: str, destination: str) -> Asked:
        """Ask the router for the next hops to a machine's name."""
        return self.ask_by_guid(source, destination, guid_of(MACHINE, destination))

    def ask_by_guid(self, source: str, destination: str, guid: str) -> Asked:
        """Ask the router, initialised as the source, for the next hops to an identifier."""
        local = guid_of(MACHINE, source)
        if self.state is None or self.state.local != local:
            self.start(source)
        decision = decide_next_hops(self.started, QueueManagerId(guid))
        if self.run.plan.second_opinion and self._just_built:
            by_text, permitted = decision.allowed.outcomes(Standing.TEXT), decision.allowed.outcomes()
            hold_against_second_opinion(self.enterprise.document, local, guid, by_text, permitted)
        self.names.setdefault(guid, destination)
        self.names.setdefault(local, source)
        made = Asked(source, destination, decision, next_hops(self.run.iut, local, guid))
        self.asked.append(made)
        return made

    def model(self, source: str, destination: str) -> NextHopsDecision:
        """Return what a router that starts now as the source may answer; the IUT is not asked."""
        state = clock.initialize(self.loaded, QueueManagerId(guid_of(MACHINE, source)))
        return decide_next_hops(state, QueueManagerId(guid_of(MACHINE, destination)))

    def naming(self, text: str) -> str:
        """Return a text with names in place of GUIDs."""
        return with_names(text, self.names | self.enterprise.names)


@pytest.fixture
def routing(run: Session, case: Case) -> RoutingScene:
    """Give a scenario a router as freshly started."""
    return RoutingScene(run, case, fresh_judge(run))
