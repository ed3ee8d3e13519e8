"""Playing a fault schedule to queue managers: what was sent and received, what failed, and what nothing explains."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from mqconform.harness.iut.drivers.queue_managers import (
    COORDINATOR,
    DIRECTORY,
    MACHINES,
    Deed,
    Schedule,
    Step,
    needed_by,
)
from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.mqso.clock import Clock
from mqconform.harness.judge.mqso.driven_network import DrivenMachine, DrivenNetwork
from mqconform.harness.judge.mqso.history_text import at_odds
from mqconform.reference.allowed import Standing
from mqconform.reference.history.system import Aside, EventWord, Failure, Happened, Sent
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import (
    SECOND,
    Asked,
    Assurance,
    Key,
    Kind,
    MachineName,
    Message,
    Properties,
    QueueName,
)
from mqconform.reference.mqso.events import Done, Got, Pending
from mqconform.reference.mqso.explanation import Seen
from mqconform.reference.mqso.networked_queue_manager import far, public
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.transfers import SETTLED

Call = Callable[[str, Json], Json]
"""Performs one operation of the IUT protocol, given the method and its parameters."""
SAFE, PLAIN, REPORTS, OPEN = map(QueueName, ("safe", "plain", "reports", "open"))
"""Of each machine the transactional queue, the other one, that for acknowledgments, and that in the directory."""
BRIEF: Final = 20
"""Seconds that a message which asks has to reach its queue."""
MOST_WORLDS: Final = 50
"""A schedule that may have led to more than these is explained no further: that would take seconds."""
_CALMS: Final = 2
"""How often all is left alone at the end: what answers what has passed passes as well."""
_SENDS: Final = frozenset(
    {
        Deed.SENDS,
        Deed.SENDS_AND_ABORTS,
        Deed.SENDS_PLAIN,
        Deed.SENDS_EXPRESS,
        Deed.SENDS_ASKING,
        Deed.SENDS_WRONG_KIND,
    }
)
_IN_TRANSACTIONS: Final = frozenset({Deed.SENDS, Deed.SENDS_AND_ABORTS})
_ENDS: Final = {
    Deed.CUT: Deed.LINKED,
    Deed.PAUSES: Deed.RESUMES,
    Deed.GOES_OFFLINE: Deed.COMES_ONLINE,
    Deed.FILLS_ITS_STORE: Deed.HAS_ROOM,
    Deed.IS_LOST: Deed.IS_BACK,
}
"""Of each hindrance, what ends it."""
_ENDED_BY: Final = {end: hindrance for hindrance, end in _ENDS.items()}
_RECEIVES: Final = {
    Deed.RECEIVES: (SAFE, Kind.INTERNAL),
    Deed.RECEIVES_AND_ABORTS: (SAFE, Kind.INTERNAL),
    Deed.RECEIVES_PLAIN: (PLAIN, None),
    Deed.RECEIVES_FROM: (SAFE, Kind.INTERNAL),
    Deed.RECEIVES_PLAIN_FROM: (PLAIN, None),
    Deed.RECEIVES_EXTERNALLY_FROM: (SAFE, Kind.EXTERNAL),
    Deed.RECEIVES_EXTERNALLY_AND_ABORTS_FROM: (SAFE, Kind.EXTERNAL),
}
_ABORTS: Final = frozenset({Deed.RECEIVES_AND_ABORTS, Deed.RECEIVES_EXTERNALLY_AND_ABORTS_FROM})
_AT_NO_MACHINE: Final = frozenset({Deed.CUT, Deed.LINKED, Deed.STARTS})
"""What happens as well while the machine is down."""


@dataclass(frozen=True, slots=True)
class Unexplained:
    """An answer that the text does not allow after all that happened before it.

    Attributes:
        says: which answer, and what might have been answered instead.
        place: of the answer in what happened.
        start: the machines before it all.
        calls: all calls with their answers.
    """

    says: str
    place: int
    start: System
    calls: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a schedule.

    Attributes:
        history: what happened, each a ``Happened``.
        unexplained: the first answer that nothing explains, None without.
        explained: whether all answers are.
    """

    history: tuple[Any, ...]
    unexplained: Unexplained | None
    explained: bool


def play(schedule: Schedule, call: Call) -> Played:
    """Play a schedule from the beginning; at its end all failures end, all messages pass and all queues are emptied."""
    call("reset", {})
    network = DrivenNetwork(
        lambda operation, params: call(f"queue_manager.{operation}", params), Clock(real=False), most_worlds=MOST_WORLDS
    )
    schedule_run = _ScheduleRun(network)
    schedule_run.prepare(directory=any("directory" in needed_by(step) for step in schedule))
    for step in schedule:
        schedule_run.take(step)
        schedule_run.note()
    schedule_run.calm_down()
    unexplained = schedule_run.unexplained
    if unexplained is not None:  # what comes after it tells which fault explains it
        unexplained = replace(unexplained, calls=tuple(network.history))
    return Played(tuple(schedule_run.history), unexplained, explained=bool(network.explanation.worlds))


@dataclass(slots=True)
class _ScheduleRun:
    network: DrivenNetwork
    history: list[Any] = field(default_factory=list)
    down: set[str] = field(default_factory=set)
    hindered: list[Step] = field(default_factory=list)
    queues: tuple[QueueName, ...] = ()
    messages: int = 0
    transactions: int = 0
    unexplained: Unexplained | None = None

    def prepare(self, *, directory: bool) -> None:
        """Configure the machines, in a directory where the schedule needs one, and create their queues."""
        self.network.begin(MACHINES, MACHINES if directory else ())
        own = (SAFE, PLAIN, REPORTS)
        for name in MACHINES:
            for queue in own:
                self.network.at(name).create(queue, Properties(transactional=queue == SAFE))
            if directory:
                self.network.publish(name, OPEN, name, Properties())
        self.queues = (*own, OPEN) if directory else own

    def note(self, happened: Sequence[Any] = ()) -> None:
        """Add what happened to the history, and the first answer that nothing explains."""
        self.history += happened
        explanation = self.network.explanation
        wrong = explanation.contradiction is not None or explanation.standing is Standing.REFUSED
        if self.unexplained is not None or not wrong or self.network.doubt:
            return
        says = "only readings that the register forbids explain it"
        if explanation.contradiction is not None:
            says = at_odds(explanation.contradiction, self.network.names())
        self.unexplained = Unexplained(says, len(self.history), self.network.start, ())
        self.history.append(Aside(says))

    def take(self, step: Step) -> None:
        """Take a step, unless the machine is in the wrong state for it."""
        if step.after:
            self.network.advance(step.after)
        machine, other, deed = step.machine, step.other, step.deed
        if machine in self.down and deed not in _AT_NO_MACHINE:
            return
        if deed in _SENDS:
            self.send(step)
        elif deed in _RECEIVES:
            self.receive(machine, *_RECEIVES[deed], other, commit=deed not in _ABORTS)
        elif deed in _ENDS:
            self.hinder(replace(step, after=0))
        elif deed in _ENDED_BY:
            self.hinder(replace(step, after=0, deed=_ENDED_BY[deed]), on=False)
        else:
            self.happen(step)
        self.note()

    def happen(self, step: Step) -> None:
        machine, other = step.machine, step.other
        match step.deed:
            case Deed.COUNTS:
                self.network.manage(machine, events.Count(PLAIN), other)
            case Deed.SHOWS:
                self.network.at(machine).perform(events.ShowState())
            case Deed.LOOKS_UP:
                self.network.look_up(machine, OPEN)
            case Deed.CRASHES:
                self.end_before_crash(machine)
                self.network.at(machine).stop(suddenly=True)
                self.down.add(machine)
                self.note([Failure(frozenset({machine}))])
            case Deed.STARTS if machine in self.down and self.network.at(machine).start():
                self.down.discard(machine)

    def end_before_crash(self, machine: str) -> None:
        """End what an administrator has told a machine: whether that outlives a restart is left open."""
        for hindrance in self.hindered.copy():
            if hindrance.machine == machine and hindrance.deed in {Deed.PAUSES, Deed.GOES_OFFLINE}:
                self.hinder(hindrance, on=False)

    def hinder(self, hindrance: Step, *, on: bool = True) -> None:
        """Begin or end a hindrance, unless that is the case already."""
        machine, other, deed = hindrance.machine, hindrance.other, hindrance.deed
        if deed is Deed.CUT:
            machine, other = sorted((machine, other))
            hindrance = replace(hindrance, machine=machine, other=other)
        if on is (hindrance in self.hindered):
            return
        (self.hindered.append if on else self.hindered.remove)(hindrance)
        self.change(hindrance, on=on)
        if deed is not Deed.CUT:
            self.note([Aside(str(hindrance if on else replace(hindrance, deed=_ENDS[deed])))])
        elif on:
            self.note([Failure(frozenset({machine, other}))])

    def change(self, hindrance: Step, *, on: bool) -> None:
        machine, other = map(MachineName, (hindrance.machine, hindrance.other))
        match hindrance.deed:
            case Deed.CUT:
                self.network.perform(events.NetworkBecomes(frozenset({machine, other}), on))
            case Deed.PAUSES:
                for queue in (SAFE, PLAIN):
                    self.network.perform(events.Pause(machine, far(other, queue), on))
            case Deed.GOES_OFFLINE:
                self.network.perform(events.TakeOffline(machine, on))
            case Deed.FILLS_ITS_STORE:
                self.network.at(machine).perform(events.StoreBecomes(on))
            case Deed.IS_LOST if machine == COORDINATOR:
                self.network.perform(events.CoordinatorBecomes(on))
            case Deed.IS_LOST:
                assert machine == DIRECTORY
                self.network.lose_directory("all", lost=on)

    def send(self, step: Step) -> None:
        self.messages += 1
        key = f"m{self.messages}"
        committed = step.deed is not Deed.SENDS_AND_ABORTS
        if step.deed is Deed.SENDS_WRONG_KIND:
            self.taken_on(step, key, commit=True)
            self.note([Aside(f"{step.machine} sends {key} to {step.other}, of the wrong kind for its queue")])
        elif self.taken_on(step, key, commit=committed) or not committed:
            assurance = Assurance.TRANSACTIONAL if step.deed in _IN_TRANSACTIONS else Assurance.RECOVERABLE
            assurance = Assurance.EXPRESS if step.deed is Deed.SENDS_EXPRESS else assurance
            timer = BRIEF if step.deed is Deed.SENDS_ASKING else None
            self.note([Sent(key, step.machine, step.other, assurance, committed, timer)])
        elif self.may_refuse(step):
            self.note([Aside(f"{step.machine} refuses {key}")])
        else:
            self.note([Happened(EventWord.REFUSED, key, step.machine)])

    def may_refuse(self, step: Step) -> bool:
        """Return whether something may keep a machine from taking a message on."""
        full = Step(step.machine, Deed.FILLS_ITS_STORE) in self.hindered
        # By one reading (register QM-25) nothing commits without the external coordinator.
        uncoordinated = step.deed in _IN_TRANSACTIONS and Step(COORDINATOR, Deed.IS_LOST) in self.hindered
        return full or uncoordinated or step.deed is Deed.SENDS_BY_NAME

    def taken_on(self, step: Step, key: str, *, commit: bool) -> bool:
        """Send a message, and return whether its queue manager has taken it on."""
        machine = self.network.at(step.machine)
        queue = far(step.other, SAFE if step.deed in _IN_TRANSACTIONS | {Deed.SENDS_WRONG_KIND} else PLAIN)
        queue = public(step.other, OPEN) if step.deed is Deed.SENDS_BY_NAME else queue
        label = self.begin(machine, Kind.INTERNAL) if step.deed in _IN_TRANSACTIONS else None
        took = isinstance(machine.send(self.message(step, key), queue, label), Done)
        return took if label is None else machine.end(label, commit=commit) and took

    def message(self, step: Step, key: str) -> Message:
        reports = far(step.machine, REPORTS)
        asked = {
            Deed.SENDS_ASKING: frozenset({Asked.REACH, Asked.RECEIVE, Asked.NEGATIVE}),
            Deed.SENDS_WRONG_KIND: frozenset({Asked.NEGATIVE}),
        }.get(step.deed, frozenset[Asked]())
        return Message(
            Key(key),
            Assurance.EXPRESS if step.deed is Deed.SENDS_EXPRESS else Assurance.RECOVERABLE,
            reach_within=BRIEF * SECOND if step.deed is Deed.SENDS_ASKING else None,
            asked=asked,
            administration=reports if asked else None,
            response=reports if step.deed is Deed.SENDS_ASKING else None,
        )

    def begin(self, machine: DrivenMachine, kind: Kind) -> str:
        """Begin a transaction, and return what it is called."""
        self.transactions += 1
        label = f"t{self.transactions}"
        machine.begin_transaction(label, kind)
        return label

    def receive(
        self, machine: str, queue: QueueName, kind: Kind | None = None, other: str = "", *, commit: bool = True
    ) -> bool:
        """Receive one message, from another machine where one is named; return whether there was one."""
        scene = self.network.at(machine)
        label = None if kind is None else self.begin(scene, kind)
        reader = f"r{len(self.network.history)}"
        name = far(other, queue) if other else queue
        answer = scene.receive(name, transaction=label, label=reader)
        committed = True if label is None else scene.end(label, commit=commit)
        if isinstance(answer, Pending):
            scene.cancel(reader)
        if isinstance(answer, Got) and committed and queue != REPORTS:
            self.note([Happened(EventWord.RECEIVED, str(answer.key), other or machine)])
        return isinstance(answer, Got)

    def calm_down(self) -> None:
        """End all failures, leave all alone, and empty all queues."""
        for hindrance in self.hindered.copy():
            if hindrance.machine not in self.down or hindrance.deed in _AT_NO_MACHINE:
                self.hinder(hindrance, on=False)
        for machine in [*self.down]:
            self.take(Step(machine, Deed.STARTS))
        for hindrance in self.hindered.copy():
            self.hinder(hindrance, on=False)
        for _ in range(_CALMS):
            self.network.advance(SETTLED // SECOND)
            self.note()
        for machine in MACHINES:
            for queue in self.queues:
                self.empty(machine, queue)

    def empty(self, machine: str, queue: QueueName) -> None:
        """Receive all messages of a queue."""
        for _ in range(4 * self.messages + 1):
            if not self.receive(machine, queue, Kind.INTERNAL if queue == SAFE else None):
                break
            self.note()
        self.note()
