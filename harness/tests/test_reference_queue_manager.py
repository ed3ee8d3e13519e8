"""The reference queue manager over the protocol: what it answers fits the schema, and is what its model allows."""

from enum import Enum
from itertools import permutations

import pytest
from msgspec.structs import fields

from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.iut.operations.queue_managers import OPERATIONS, answer_of, call_of, event_of
from mqconform.harness.iut.protocol import SCHEMA, check_params, methods
from mqconform.harness.iut.reference_iut.choosers import Result, most_usual, text_of
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.schema_text import published
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.events import Done
from mqconform.reference.mqso.immutable import FrozenMap
from mqconform.reference.mqso.world import World

INBOX = elements.QueueName("inbox")

USERS = frozenset({elements.User("ann")})
EVENTS: list[events.Event] = [
    events.CreateQueue(INBOX, elements.Properties(room=2, in_kilobytes=True, writers=USERS), public=True),
    events.SetQueue(INBOX, 3),
    events.SetQueue(INBOX, None),
    events.Open(elements.Handle(7), INBOX, elements.Access.PEEK, elements.User("ann")),
    events.Receive(elements.Operation(7), elements.Handle(1), wait=elements.SECOND, key=elements.Key("m1")),
    events.Receive(elements.Operation(7), elements.Handle(1), takes=False, transaction=elements.TransactionId(2)),
    events.Begin(elements.TransactionId(7), elements.Kind.EXTERNAL),
    *(events.End(elements.TransactionId(2), commit) for commit in (True, False)),
    *(events.Stop(suddenly) for suddenly in (True, False)),
    *(events.StoreBreaks(beyond_repair) for beyond_repair in (True, False)),
    events.StoreBecomes(full=True),
    events.TimePassed(elements.SECOND // 2),
    events.NetworkBecomes(frozenset({elements.MachineName("oslo"), elements.MachineName("rome")}), cut=True),
    events.Pause(elements.MachineName("oslo"), INBOX, on=False),
    *(events.ChangeDomain(elements.MachineName("oslo"), domain) for domain in ("", "north")),
    *(events.PutObject(elements.MachineName("oslo"), domain) for domain in ("", "north")),
]


@pytest.mark.parametrize("role", ROLES)
def test_the_reference_offers_each_operation_of_the_protocol(role: str) -> None:
    assert {f"{role}.{name}" for name in ROLES[role].operations} == {
        method for method in methods() if method.startswith(f"{role}.")
    }


def test_each_operation_of_queue_managers_is_an_event_and_its_call_is_that_event() -> None:
    """Nothing that an event says is lost on its way, but for ``configure``, which comes before all events."""
    named = {method.removeprefix("queue_manager.") for method in methods() if method.startswith("queue_manager.")}
    assert {*OPERATIONS} == named - {"configure"}
    for name in OPERATIONS:
        said = published(SCHEMA)["$defs"][f"queue_manager.{name}.params"].get("properties", {})
        for field in fields(OPERATIONS[name][0]):
            if isinstance(field.type, type) and issubclass(field.type, Enum) and field.encode_name in said:
                assert said[field.encode_name]["enum"] == [word.value for word in field.type]
    address = {"address": lambda queue: {"direct": {"machine": "oslo", "queue": queue}}}
    queue = {"address": lambda address: address["direct"]["queue"]}
    for event in EVENTS:
        name, params = call_of(event, address, "oslo")
        check_params(f"queue_manager.{name}", params)
        assert event_of(name, params, queue, lambda: 7) == event


def test_what_a_result_says_besides_is_no_answer() -> None:
    """Results may have further keys: only what the operation is asked for counts."""
    assert answer_of(events.Purge(INBOX), {"committed": True, "started": False}) == Done()
    assert answer_of(events.Stop(), {"failed": {}}) == Done()
    with pytest.raises(Unsupported):
        answer_of(events.ShowState(), {"failed": {}})


def test_results_alike_in_every_reading_are_chosen_by_their_content() -> None:
    """Neither the order of the results nor that of a set within them decides: it differs in each process."""
    results: list[Result] = [(World(now=at), Done()) for at in (1, 2, 3)]
    assert {most_usual([*order])[0].now for order in permutations(results)} == {1}
    assert (
        text_of((frozenset({"b", "c", "a"}), FrozenMap({"two": 2, "one": 1})))
        == "({'a' 'b' 'c'} {('one' 1) ('two' 2)})"
    )
    ended = events.Ended(frozenset((elements.Operation(number), events.Failed()) for number in (3, 1, 2)))
    assert text_of(ended) == "Ended({(1 Failed()) (2 Failed()) (3 Failed())})"
