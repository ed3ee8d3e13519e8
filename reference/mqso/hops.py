"""Which machine takes a message next, on its way from one queue manager to another (3.3.4.5, 4.3.1.3, 5.1.2)."""

from mqconform.reference.mqso.elements import MachineName, QueueName
from mqconform.reference.mqso.networked_queue_manager import is_public, parts_of
from mqconform.reference.mqso.system import System, meets

Answers = tuple[tuple[MachineName, ...], ...]
"""What a router may answer: each the machines that it may name together."""


class Hops:
    """Which machines may take a message, and whether one can now."""

    def may_transfer(self, system: System, machine: MachineName, name: QueueName) -> bool:
        """Return whether messages of an outgoing queue can pass now.

        Sections 5.1.1.1, 5.1.1.2, 5.2.1.2.2 and 5.5.2 (MQSO-5.1.1.1-11, MQSO-5.1.1.1-14, MQSO-5.1.1.2-23,
        MQSO-5.2.1.2.2-01, MQSO-5.5.2-02).
        """
        hindered = not system.machines[machine].running or (machine, name) in system.paused
        return not hindered and bool(self.next_machines(system, machine, name))

    def onward(self, system: System, machine: MachineName, name: QueueName) -> Answers:
        """Return the answers that a router may give for a queue, as machines of which any may take the message.

        Direct names are not routed (MS-MQQB 3.1.5.8.1). Sections 3.3.4.5, 4.3.1.3 and 5.1.2 (MQSO-3.3.4.5-07,
        MQSO-4.3.1.3-05, MQSO-4.3.1.3-06, MQSO-4.3.1.3-08, MQSO-5.1.2-05, MQSO-5.1.2-07).
        """
        to = parts_of(name)[0]
        if system.ways is None or not is_public(name):
            return ((to,),)
        return system.ways.answers(machine, to)

    def next_machines(
        self, system: System, machine: MachineName, name: QueueName, *, forced: bool = False
    ) -> tuple[MachineName, ...]:
        """Return the machines that may take a message for a queue now; around a dead link, the next best.

        Args:
            system: at this moment.
            machine: has the message.
            name: the queue.
            forced: none where a permitted answer of the router names nobody who can take it.
        """
        if parts_of(name)[0] not in system.machines:
            return ()
        answers = self.onward(system, machine, name)
        ready = [[hop for hop in answer if meets(system, machine, hop)] for answer in answers]
        if forced:
            return tuple(dict.fromkeys(hop for hops in ready for hop in hops)) if all(ready) else ()
        reached = [hop for hops in ready for hop in hops]
        others = () if len(reached) == sum(map(len, answers)) else self.around(system, machine, name, answers)
        return tuple(dict.fromkeys([*reached, *others]))

    def around(
        self, system: System, machine: MachineName, name: QueueName, answers: Answers
    ) -> tuple[MachineName, ...]:
        """Return who may be tried around a machine that cannot be reached: those of the next best way.

        Section 6.1.5.5 (register QM-28). Two routers that hand a message to each other for want of another way drop it
        after some hops (MS-MQQB 3.1.5.8.2); that is not followed here, and no scenario leads there.
        """
        if system.ways is None or not is_public(name):
            return ()
        hops = {hop for answer in answers for hop in answer if hop in system.machines}
        dead = frozenset(hop for hop in hops if not meets(system, machine, hop))
        next_best = system.ways.without_links(machine, dead).answers(machine, parts_of(name)[0])
        return tuple(hop for answer in next_best for hop in answer if meets(system, machine, hop))
