"""Mutants of several queue managers: faults between machines, and what may differ there."""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from mqconform.harness.iut.mutants.mqso.conforming import preferring
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.queue_managers import ReferenceQueueManagers
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.choice import Choice
from mqconform.reference.mqso.elements import SECOND, Assurance, MachineName, QueueName
from mqconform.reference.mqso.events import At, Done, Event, Failed, NetworkBecomes, Provision, Stop
from mqconform.reference.mqso.faults.network_fault import FaultTogether
from mqconform.reference.mqso.faults.network_faults import ALL_FAULTS_TOGETHER
from mqconform.reference.mqso.network import Network, cuts_off
from mqconform.reference.mqso.networked_queue_manager import is_far, is_public, parts_of
from mqconform.reference.mqso.readings import (
    AbsentAtStart,
    DeadLetterOfHeld,
    DomainChange,
    HostOutOfReach,
    InternalSendAfar,
    JoinedAgain,
    KnownAfterRestart,
    ObjectOfOldDomain,
    SentAndUnacknowledged,
)
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.transfers import Results


class RetriesEachMinute(ReferenceQueueManagers):
    """Tries to transfer once a minute only."""

    _tried: int

    def transfer(self) -> None:
        minute = 60 * SECOND
        if self.system is not None and self._now // minute != self._tried:
            self._tried = self._now // minute
            super().transfer()

    @property
    def _now(self) -> int:
        return 0 if self.system is None else next(iter(self.system.machines.values())).now

    def reset(self) -> None:
        super().reset()
        self._tried = 0


class AcknowledgedLate(ReferenceQueueManagers):
    """Hears of a transfer at the next call at the earliest, and not at all where that cuts it off."""

    def before(self, event: Event) -> None:
        cutting = event if cuts_off(event) else None
        while self.system is not None and (after := self.network.next_transfer(self.system, cutting)):
            best = max(map(self.rank, after))
            self.system, _ = self.choose([(system, Done()) for system in after if self.rank(system) == best])

    def rank(self, system: System) -> int:
        """Return how much of what may go wrong went wrong."""
        return len(system.unacknowledged)

    def transfer(self) -> None:
        """Let messages wait for the next call."""


class LostOnTheWay(AcknowledgedLate):
    """Loses what is on its way when its source ends."""

    def rank(self, system: System) -> int:
        return SentAndUnacknowledged.LOST in system.followed


class ForgetsStreams(Network):
    """Forgets in a restart of the destination which messages of transactions it has taken."""

    def stopped(self, system: System, machine: MachineName, event: Stop) -> Results:
        to_me = {transfer for transfer in system.unacknowledged if parts_of(transfer[1])[0] == machine}
        yield from super().stopped(replace(system, unacknowledged=system.unacknowledged - to_me), machine, event)


class LosesInOutages(ReferenceQueueManagers):
    """Loses what need not be kept while the network is away."""

    def before(self, event: Event) -> None:
        if self.system is not None and isinstance(event, NetworkBecomes) and not event.cut:
            self.system = _without_what_may_be_lost(self.system)


def _without_what_may_be_lost(system: System) -> System:
    for machine, world in system.machines.items():
        left = system.at(machine)
        for name, queue in world.queues.items():
            if is_far(name) and not system.linked(machine, parts_of(name)[0]):
                transactional = [entry for entry in queue.entries if entry.message.assurance is Assurance.TRANSACTIONAL]
                left = left.with_entries(name, transactional)
        system = system.having(machine, left)
    return system


class DirectGoesOffline(Network):
    """Transfers messages with direct names while the directory is lost."""

    def has_to_transfer(self, system: System, machine: MachineName, name: QueueName) -> bool:
        return not is_public(name) or super().has_to_transfer(system, machine, name)


class GoesOnUntilItMeetsTheLoss(Network):
    """Transfers messages until it has met that the directory is lost."""

    def has_to_transfer(self, system: System, machine: MachineName, name: QueueName) -> bool:
        contact = system.machines[machine].contact
        if contact is not None and not contact.offline:
            system = self.knowing(system, machine, replace(contact, lost=False))
        return super().has_to_transfer(system, machine, name)


class GoesAroundADeadLink(Network):
    """Takes the next best way where a link of the best one is dead."""

    def next_machines(
        self, system: System, machine: MachineName, name: QueueName, *, forced: bool = False
    ) -> tuple[MachineName, ...]:
        best = super().next_machines(system, machine, name, forced=True)
        return best or super().next_machines(system, machine, name)


class TrustsAStrangeObjectLater(Network):
    """Works by the directory in the end although its object there is another's."""

    def meetings(self, system: System, *, forced: bool) -> Iterator[System]:
        yield from super().meetings(system, forced=False)


class ProvisionsWithDirectoryOnly(Network):
    """Does not provision a queue manager without directory, nor where that has another object of its name."""

    def happens(self, event: Event, system: System) -> Results:
        results = [*super().happens(event, system)]
        provisions = isinstance(event, At) and isinstance(event.event, Provision)
        failed = [result for result in results if provisions and isinstance(result[1], Failed)]
        yield from failed or results


def _faulty(fault: FaultTogether) -> Mutant:
    make = partial(ReferenceQueueManagers, fault.model)
    return Mutant(f"queues-{fault.name}", fault.says, RoleName.QUEUE_MANAGER, make, fault.breaks)


def _conforming(
    name: str,
    says: str,
    make: type[ReferenceQueueManagers] = ReferenceQueueManagers,
    *preferred: Choice,
    network: type[Network] = Network,
    breaks: tuple[str, ...] = (),
) -> Mutant:
    made = partial(make, network(), preferring(*preferred))
    return Mutant(f"queues-{name}", says, RoleName.QUEUE_MANAGER, made, breaks)


MUTANTS = (
    *map(_faulty, ALL_FAULTS_TOGETHER),
    Mutant("queues-forgets-streams-at-restart",
        "After a restart a queue manager takes messages of transactions that it had taken before.",
        RoleName.QUEUE_MANAGER, partial(AcknowledgedLate, ForgetsStreams()), ("MQSO-3.2.1-04", "MQSO-1.1-02")),
    _conforming("retries-each-minute", "Messages are transferred once a minute.", RetriesEachMinute),
    _conforming("loses-in-outages", "What is not transactional is lost in an outage.", LosesInOutages),
    _conforming("dead-letters-where-held", "What its destination held or refused is a dead letter there.",
        ReferenceQueueManagers, DeadLetterOfHeld.AT_THE_HOLDER),
    _conforming("recoverable-lost-after-sent", "What was sent and not acknowledged is lost in a restart.",
        LostOnTheWay, SentAndUnacknowledged.LOST),
    _conforming("forgets-known-ids-at-restart", "After a restart a queue manager takes what it had taken before.",
        AcknowledgedLate, KnownAfterRestart.FORGOTTEN),
    _conforming("direct-goes-offline", "Messages with direct names are transferred while the directory is lost.",
        network=DirectGoesOffline),
    _conforming("goes-on-until-it-meets-the-loss",
        "Messages are transferred until a queue manager has met that the directory is lost.",
        network=GoesOnUntilItMeetsTheLoss),
    _conforming("goes-around-a-dead-link", "Around a dead link a message takes another way.",
        network=GoesAroundADeadLink),
    _conforming("internal-sends-stay-here",
        "An internal transaction sends nothing to a queue of another queue manager.",
        ReferenceQueueManagers, InternalSendAfar.FAILS),
    _conforming("changes-need-the-host", "A public queue cannot be changed while its host is unreachable.",
        ReferenceQueueManagers, HostOutOfReach.REFUSED),
    _conforming("trusts-a-strange-object-later",
        "A queue manager whose object in the directory is another's works by the directory after a while.",
        network=TrustsAStrangeObjectLater),
    _conforming("takes-a-change-for-leaving", "A queue manager in another domain than before is in Workgroup mode.",
        ReferenceQueueManagers, DomainChange.AS_LEFT),
    _conforming("waits-for-its-object", "The object of the old domain stays there until an administrator moves it.",
        ReferenceQueueManagers, ObjectOfOldDomain.WAITS),
    _conforming("makes-another-object", "A queue manager that is moved makes another object of itself.",
        ReferenceQueueManagers, DomainChange.MET, ObjectOfOldDomain.CREATED, breaks=("MQSO-6.6.2.1-07",)),
    _conforming("stays-out-of-domains", "A queue manager that left its domain stays in Workgroup mode in another one.",
        ReferenceQueueManagers, JoinedAgain.WORKGROUP),
    _conforming("runs-only-as-provisioned", "Provisioning without directory fails.",
        network=ProvisionsWithDirectoryOnly),
    _conforming("start-needs-the-directory", "A start without directory fails and is tried again.",
        ReferenceQueueManagers, AbsentAtStart.START_FAILS),
)  # fmt: skip
