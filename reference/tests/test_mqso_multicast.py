"""Messages to a multicast address: once in each queue that has it, on whatever machine."""

from mqso_played import contradicts, played

from mqconform.reference.mqso import elements
from mqconform.reference.mqso.events import At, CreateQueue, Event, Failed, Got, Open, Receive, Send, TimePassed
from mqconform.reference.mqso.explanation import Seen
from mqconform.reference.mqso.networked_queue_manager import multicast
from mqconform.reference.mqso.system import system_of

LAPTOP, OFFICE, SHOP = map(elements.MachineName, ("laptop", "office", "shop"))
START = system_of((LAPTOP, OFFICE, SHOP))
ADDRESS = "234.1.1.1:8001"
PRICES, SPARE, OTHERS, LATER = map(elements.QueueName, ("prices", "spare", "others", "later"))
MESSAGE = elements.Message(elements.Key("m1"))
SETTLES = TimePassed(6 * elements.HOUR)
SENT: list[Event] = [
    *(At(OFFICE, CreateQueue(name, elements.Properties(multicast=ADDRESS))) for name in (PRICES, SPARE)),
    At(SHOP, CreateQueue(PRICES, elements.Properties(multicast=ADDRESS))),
    At(SHOP, CreateQueue(OTHERS, elements.Properties(multicast="234.1.1.2:8001"))),
    At(LAPTOP, Open(elements.Handle(1), multicast(ADDRESS), elements.Access.SEND)),
    At(LAPTOP, Send(elements.Handle(1), MESSAGE)),
]


def received(machine: elements.MachineName, name: elements.QueueName, handle: int) -> list[Event]:
    look = At(machine, Receive(elements.Operation(handle), elements.Handle(handle)))
    return [At(machine, Open(elements.Handle(handle), name, elements.Access.RECEIVE)), look, look]


def test_a_multicast_message_is_once_in_each_queue_of_its_address() -> None:
    queues = [(OFFICE, PRICES), (OFFICE, SPARE), (SHOP, PRICES), (SHOP, OTHERS)]
    looks = [event for handle, (machine, name) in enumerate(queues, 2) for event in received(machine, name, handle)]
    history = played([*SENT, SETTLES, *looks], START)
    got = [place for place, seen in enumerate(history) if isinstance(seen.answer, Got)]
    assert len(got) == 3
    assert not contradicts(history, START)
    for place in got:
        assert contradicts([*history[:place], Seen(history[place].event, Failed())], START)
        again = Seen(history[place + 1].event, history[place].answer)
        assert contradicts([*history[: place + 1], again], START)


def test_a_queue_that_comes_between_a_send_and_its_transfer_may_have_the_message() -> None:
    created = At(LAPTOP, CreateQueue(LATER, elements.Properties(multicast=ADDRESS)))
    *before, last = [*SENT, created, SETTLES, *received(LAPTOP, LATER, 9)[:2]]
    history = played(before, START)
    for answer in (Failed(), Got(MESSAGE.key)):
        assert not contradicts([*history, Seen(last, answer)], START)
