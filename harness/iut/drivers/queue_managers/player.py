"""Playing a fault schedule to queue managers: what was sent and received, and what failed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from mqconform.harness.iut.drivers.queue_managers.schedule import MACHINES, Deed, Schedule, Step
from mqconform.harness.iut.interface import Json
from mqconform.reference.mqso.elements import SECOND, Assurance
from mqconform.reference.mqso.promises import DeadLettered, Failure, Received, Refused, Sent
from mqconform.reference.mqso.transfers import SETTLED

Call = Callable[[str, Json], Json]
"""Performs one operation of the IUT protocol, given the method and its parameters."""
SAFE, PLAIN = "safe", "plain"
"""Of each machine the transactional queue and the other one."""
DEAD_LETTERS: Final = "transactional_dead_letter"
"""The queue of each machine for messages of transactions that could not be delivered."""
_CALMS: Final = 2
"""How often all is left alone at the end: what answers what has passed passes as well."""


BRIEF: Final = 20
"""Seconds that a message which is sent briefly has to reach its queue."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a schedule is played.

    Attributes:
        machines: their names; ``ends``: those of them that have queues.
        passed: returns what is to be told of transfers since it was called last.
        waiting: returns what waits at its source.
        built_in: whether it is the built-in system, which can lose single packets.
    """

    machines: tuple[str, ...] = MACHINES
    ends: tuple[str, ...] = MACHINES
    passed: Callable[[], tuple[object, ...]] = tuple
    waiting: Callable[[], tuple[object, ...]] = tuple
    built_in: bool = False


THREE_MACHINES: Final = Stage()
"""Three machines with networks between any two."""


def play(schedule: Schedule, call: Call, stage: Stage = THREE_MACHINES) -> tuple[Any, ...]:
    """Play a schedule from the beginning; at its end all failures end, all messages pass and all queues are emptied.

    Returns:
        What happened, each a ``Happened``, with what passed between where the stage tells it.
    """
    player = _Player(call, stage)
    player.prepare()
    for step in schedule:
        player.take(step)
        player.history += stage.passed()
    player.calm_down()
    return tuple(player.history)


@dataclass(slots=True)
class _Player:
    call: Call
    stage: Stage
    history: list[Any] = field(default_factory=list)
    down: set[str] = field(default_factory=set)
    cut: set[frozenset[str]] = field(default_factory=set)
    messages: int = 0

    def ask(self, method: str, /, **params: object) -> Json:
        return self.call(f"queue_manager.{method}", params)

    def prepare(self) -> None:
        self.call("reset", {})
        self.ask("configure", machines=[{"name": name, "mode": "workgroup"} for name in self.stage.machines])
        for name in self.stage.ends:
            self.ask("create_queue", machine=name, queue=SAFE, properties={"transactional": True})
            self.ask("create_queue", machine=name, queue=PLAIN, properties={"transactional": False})

    def take(self, step: Step) -> None:
        if step.after:
            self.ask("advance_clock", seconds=step.after)
        match step.deed:
            case Deed.SENDS | Deed.SENDS_AND_ABORTS | Deed.SENDS_PLAIN | Deed.SENDS_BRIEFLY if (
                step.machine not in self.down
            ):
                self.send(step)
            case Deed.RECEIVES | Deed.RECEIVES_AND_ABORTS if step.machine not in self.down:
                self.receive(step.machine, SAFE, commit=step.deed is Deed.RECEIVES)
            case Deed.RECEIVES_PLAIN if step.machine not in self.down:
                self.receive(step.machine, PLAIN)
            case Deed.CUT | Deed.LINKED:
                self.link(frozenset({step.machine, step.other}), cut=step.deed is Deed.CUT)
            case Deed.LOSES | Deed.DELAYS:
                mishap = "lost" if step.deed is Deed.LOSES else "late"
                self.ask("destine", source=step.machine, to=step.other, mishap=mishap)
            case Deed.CRASHES if step.machine not in self.down:
                self.ask("crash", machine=step.machine)
                self.down.add(step.machine)
                self.history.append(Failure(frozenset({step.machine})))
            case Deed.STARTS if step.machine in self.down and self.ask("start", machine=step.machine)["started"]:
                self.down.discard(step.machine)
            case _:
                return  # the machine is in the wrong state for this step

    def link(self, pair: frozenset[str], *, cut: bool) -> None:
        if cut is (pair in self.cut):
            return
        self.ask("fail_network", machines=sorted(pair), failing=cut)
        (self.cut.add if cut else self.cut.discard)(pair)
        if cut:
            self.history.append(Failure(pair))

    def opened(self, machine: str, to: str, queue: str, access: str) -> object:
        address: Json = {"direct": {"machine": to, "queue": queue}}
        if queue == DEAD_LETTERS:
            address = {"system": queue}
        return self.ask("open", machine=machine, address=address, access=access).get("handle")

    def send(self, step: Step) -> None:
        plain = step.deed is Deed.SENDS_PLAIN
        brief = step.deed is Deed.SENDS_BRIEFLY
        committed = step.deed is not Deed.SENDS_AND_ABORTS
        self.messages += 1
        key = f"m{self.messages}"
        if self.taken_on(step, key, commit=committed) or not committed:
            assurance = Assurance.RECOVERABLE if plain else Assurance.TRANSACTIONAL
            timer = BRIEF if brief else None
            self.history.append(Sent(key, step.machine, step.other, assurance, committed, timer, dead_letter=brief))
        else:
            self.history.append(Refused(key, step.machine))

    def taken_on(self, step: Step, key: str, *, commit: bool) -> bool:
        """Send a message, and return whether its queue manager has taken it on."""
        plain = step.deed is Deed.SENDS_PLAIN
        handle = self.opened(step.machine, step.other, PLAIN if plain else SAFE, "send")
        transaction = None if plain else self.ask("begin", machine=step.machine, kind="internal").get("transaction")
        if handle is None or (transaction is None and not plain):
            return False
        within: Json = {} if plain else {"transaction": transaction}
        if step.deed is Deed.SENDS_BRIEFLY:
            within |= {"time_to_reach_queue": BRIEF, "dead_letter": True}
        took = "id" in self.ask("send", handle=handle, message=key, assurance="recoverable", **within)
        if not plain:
            took = self.end(transaction, commit=commit) and took
        self.ask("close", handle=handle)
        return took

    def end(self, transaction: object, *, commit: bool) -> bool:
        answer = self.ask("commit" if commit else "abort", transaction=transaction)
        return bool(answer.get("committed"))

    def receive(self, machine: str, queue: str, *, commit: bool = True) -> bool:
        """Receive one message, and return whether there was one."""
        handle = self.opened(machine, machine, queue, "receive")
        if handle is None:
            return False
        within: Json = {}
        if queue == SAFE:
            within = {"transaction": self.ask("begin", machine=machine, kind="internal").get("transaction")}
        got = self.ask("receive", handle=handle, **within)
        committed = self.end(within["transaction"], commit=commit) if within else True
        if "pending" in got:
            self.ask("cancel", operation=got["pending"])
        self.ask("close", handle=handle)
        if "message" in got and committed:
            key = str(got["message"]["message"])
            self.history.append(DeadLettered(key, machine) if queue == DEAD_LETTERS else Received(key, machine))
        return "message" in got

    def calm_down(self) -> None:
        """End all failures, leave all alone, and empty all queues."""
        if self.stage.built_in:
            self.ask("heal")
        for pair in [*self.cut]:
            self.link(pair, cut=False)
        for machine in [*self.down]:
            self.take(Step(machine, Deed.STARTS))
        for _ in range(_CALMS):
            self.ask("advance_clock", seconds=SETTLED // SECOND)
            self.history += self.stage.passed()
        self.history += self.stage.waiting()
        for machine in self.stage.ends:
            for queue in (SAFE, PLAIN, *([DEAD_LETTERS] if self.stage.built_in else [])):
                for _ in range(2 * self.messages + 1):
                    if not self.receive(machine, queue):
                        break
