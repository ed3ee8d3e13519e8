"""Steps of queue managers with a directory: public queues, their changes, and the loss of the directory (5.5.4)."""

from typing import Final

from pytest_bdd import parsers

from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.mqso.network import IN, in_transaction
from mqconform.harness.judge.mqso.network_scene import NetworkScene
from mqconform.harness.judge.mqso.queue_manager_checks import judge, said
from mqconform.harness.judge.mqso.queue_manager_steps import AND, LIST, message_of
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import MachineName, Properties, QueueName
from mqconform.reference.mqso.events import Answer, At, Event, Failed, Found, Shown
from mqconform.reference.mqso.networked_queue_manager import far, public

_ROOM: Final = r"(?: with room for (?P<room>\d+) messages)?"


@given("queue managers with a directory and the queues")
def with_directory(network: NetworkScene, datatable: list[list[str]]) -> None:
    """Configure machines and create queues: machine, its mode, queue or ``none``, and ``public`` or ``private``."""
    rows = datatable[1:]
    network.begin(
        dict.fromkeys(machine for machine, *_ in rows), {machine for machine, mode, *_ in rows if mode == "integrated"}
    )
    for machine, _, queue, kind in rows:
        if queue != "none" and kind == "public":
            network.publish(machine, queue, machine, Properties())
        elif queue != "none":
            network.at(machine).create(queue, Properties())


@when(parsers.re(rf"(?P<machine>\w+) creates public queue (?P<queue>\w+) at (?P<on>\w+){_ROOM}"))
def creates_public(network: NetworkScene, machine: str, queue: str, on: str, room: str | None) -> None:
    """Create a public queue, on the machine that is asked or on another one."""
    network.publish(machine, queue, on, Properties(room=int(room) if room else None))


@when(parsers.re(r"(?P<machine>\w+) gives public queue (?P<queue>\w+) at (?P<on>\w+) room for (?P<room>\d+) messages"))
def changes_public(network: NetworkScene, machine: str, queue: str, on: str, room: str) -> None:
    """Change a public queue, of the machine that is asked or of another one."""
    network.manage(machine, events.SetQueue(QueueName(queue), int(room)), on, public=True)


@when(parsers.re(r"(?P<machine>\w+) creates private queue (?P<queue>\w+)"))
def creates_private(network: NetworkScene, machine: str, queue: str) -> None:
    """Create a private queue on the machine that is asked."""
    network.at(machine).create(queue, Properties())


@when(
    parsers.re(
        rf"machine (?P<machine>\w+) sends (?P<messages>{LIST}) to public queue (?P<queue>\w+) at (?P<to>\w+){IN}"
        r"(?P<wishes>(?:, .+)?)"
    )
)
def sends_by_name(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    network: NetworkScene, machine: str, messages: str, queue: str, to: str, transaction: str | None, wishes: str
) -> None:
    """Send messages to a public queue by its name in the directory."""
    scene = network.at(machine)
    with in_transaction(scene, transaction, f"for {messages}") as label:
        for key in AND.split(messages):
            scene.send(message_of(key, wishes), public(to, queue), label)


@when(parsers.re(r"the directory is (?P<how>lost|back) for (?P<machine>\w+)"))
def directory_is_lost(network: NetworkScene, how: str, machine: str) -> None:
    """Put the directory out of the reach of one machine, or of ``all``, or bring it back."""
    network.lose_directory(machine, lost=how == "lost")


@when(parsers.re(r"(?P<machine>\w+) leaves its domain and is restarted"))
def leaves_domain(network: NetworkScene, machine: str) -> None:
    """Take a machine out of its domain while its queue manager is stopped."""
    network.at(machine).stop(suddenly=False)
    network.perform(events.ChangeDomain(MachineName(machine)))
    network.at(machine).start()


@when(parsers.re(r"the directory has another object for (?P<machine>\w+) and that is restarted"))
def gets_another_object(network: NetworkScene, machine: str) -> None:
    """Give the directory's object of a machine another identifier while its queue manager is stopped."""
    network.at(machine).stop(suddenly=False)
    network.perform(events.PutObject(MachineName(machine)))
    network.at(machine).start()


@when(parsers.re(r"(?P<machine>\w+) looks for (?P<queue>\w+) in the directory"))
def looks(network: NetworkScene, machine: str, queue: str) -> None:
    """Look for public queues of a name."""
    network.look_up(machine, queue)


@when(parsers.re(r"an administrator asks (?P<machine>\w+) for its state"))
def asks_state(network: NetworkScene, machine: str) -> None:
    """Ask for the state."""
    network.at(machine).perform(events.ShowState())


@then(parsers.re(r"(?P<machine>\w+) (?P<what>found|did not find) (?P<queue>\w+) at (?P<at>\w+)" + _ROOM))
def found(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    network: NetworkScene, machine: str, what: str, queue: str, at: str, room: str | None
) -> None:
    """Judge the last look of a machine into the directory; one that failed found nothing."""
    answer = _last(network, machine, events.FindQueues)
    entry = (far(at, queue), int(room) if room else None)
    entries = answer.queues if isinstance(answer, Found) else frozenset()
    as_said = answer is not None and (entry in entries) == (what == "found")
    judge(network, f"{machine} {what} {queue} at {at}", said([answer]) if answer else "no look", holds=as_said)


_CALLS: Final[dict[str, type[Event]]] = {
    "look": events.FindQueues, "creation": events.CreateQueue, "change": events.SetQueue, "send": events.Send,
}  # fmt: skip


@then(parsers.re(r"the (?P<what>look|creation|change|send) of (?P<machine>\w+) (?P<how>failed|succeeded)(?:, or .+)?"))
def call_ended(network: NetworkScene, what: str, machine: str, how: str) -> None:
    """Judge the answer to the last call of a kind; a send of which nothing was asked could not be begun."""
    answer = _last(network, machine, _CALLS[what])
    if answer is None and what == "send":
        answer = _last(network, machine, events.Open)
    as_said = answer is not None and isinstance(answer, Failed) == (how == "failed")
    judge(network, f"the {what} {how}", said([answer]) if answer else "no call", holds=as_said)


@then(parsers.re(r"(?P<machine>\w+) is shown (?P<what>in workgroup mode|integrated|without directory|with directory)"))
def shown_so(network: NetworkScene, machine: str, what: str) -> None:
    """Judge the mode and DirectoryOffline that were shown last.

    Raises:
        Unsupported: the implementation does not show what the step is about.
    """
    answer = _last(network, machine, events.ShowState)
    assert isinstance(answer, Shown)
    of_mode = what in {"in workgroup mode", "integrated"}
    value = answer.mode if of_mode else answer.directory_offline
    if value is None:
        raise Unsupported(f"queue_manager.state: does not show {'the mode' if of_mode else 'directory_offline'}")
    expected = {
        "in workgroup mode": "workgroup", "integrated": "integrated", "without directory": True,
        "with directory": False,
    }  # fmt: skip
    judge(network, f"{machine} is {what}", said([answer]), holds=value == expected[what])


def _last(network: NetworkScene, machine: str, kind: type[Event]) -> Answer | None:
    """Return the last answer to a kind of call at a machine, None without one."""
    for exchange in reversed(network.history):
        event = exchange.event
        if isinstance(event, At) and event.machine == machine and isinstance(event.event, kind):
            return exchange.answer
    return None
