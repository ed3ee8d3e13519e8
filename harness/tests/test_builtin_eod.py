"""The reference's roles of exactly-once delivery, through the operations of the protocol."""

from typing import Any

import pytest

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.protocol import check_params, check_result


class Held:
    """The reference with every call held to the schema."""

    def __init__(self) -> None:
        self._iut = ReferenceIut()

    def __call__(self, method: str, **params: object) -> Any:
        check_params(method, params)
        return check_result(method, self._iut.call(method, params))


@pytest.fixture
def call() -> Held:
    return Held()


def test_a_receiver_filters_each_stream_by_itself(call: Held):
    assert call("ordered_receiver.receive", stream="a", sequence=1, previous=0) == {"accepted": True}
    assert call("ordered_receiver.receive", stream="a", sequence=1, previous=0) == {"accepted": False}
    assert call("ordered_receiver.receive", stream="b", sequence=1, previous=0) == {"accepted": True}
    assert call("ordered_receiver.receive", stream="b", sequence=3, previous=2) == {"accepted": False}
    assert call("ordered_receiver.order_ack", stream="b") == {"sequence": 1}
    assert call("ordered_receiver.order_ack", stream="c") == {"sequence": 0}
    call("ordered_receiver.restart")
    assert call("ordered_receiver.order_ack", stream="a") == {"sequence": 1}
    call("ordered_receiver.lose_state")
    assert call("ordered_receiver.order_ack", stream="a") == {"sequence": 0}


def test_a_receiver_acknowledges_by_the_clock(call: Held):
    call("ordered_receiver.receive", stream="a", sequence=1, previous=0)
    assert call("ordered_receiver.advance_clock", seconds=0.4) == {"order_acks": []}
    call("ordered_receiver.receive", stream="b", sequence=1, previous=0)
    shown = call("ordered_receiver.advance_clock", seconds=5)
    assert shown == {"order_acks": [{"stream": "a", "sequence": 1}, {"stream": "b", "sequence": 1}]}


def test_a_receiver_tells_sequences_apart(call: Held):
    def arrives(sequence_id: int, sequence: int, previous: int) -> bool:
        numbers = {"sequence_id": sequence_id, "sequence": sequence, "previous": previous}
        return bool(call("ordered_receiver.receive_in_sequence", stream="a", **numbers)["accepted"])

    assert arrives(1, 1, 0)
    assert not arrives(2, 2, 1)
    assert arrives(2, 5, 0)
    assert not arrives(1, 2, 1)


def test_a_sender_numbers_links_and_releases(call: Held):
    for number in (1, 2, 3):
        assert call("ordered_sender.enqueue", stream="a", message=f"m{number}")["sequence"] == number
    call("ordered_sender.discard", stream="a", message="m2")
    call("ordered_sender.restart")
    assert call("ordered_sender.transmit", stream="a") == {
        "messages": [
            {"message": "m1", "sequence": 1, "previous": 0},
            {"message": "m3", "sequence": 3, "previous": 1},
        ]
    }
    call("ordered_sender.order_ack", stream="a", sequence=1)
    call("ordered_sender.receiver_lost_state", stream="a")
    left = [{"message": "m3", "sequence": 3, "previous": 0}]
    assert call("ordered_sender.transmit", stream="a") == {"messages": left}
    assert call("ordered_sender.transmit", stream="b") == {"messages": []}


def test_a_sender_sends_again_by_the_clock(call: Held):
    for stream in ("a", "b"):
        call("ordered_sender.enqueue", stream=stream, message=1)
        call("ordered_sender.transmit", stream=stream)
    assert call("ordered_sender.advance_clock", seconds=29) == {"messages": []}
    again = call("ordered_sender.advance_clock", seconds=31)["messages"]
    assert [one["stream"] for one in again] == ["a", "b", "a", "b"]


def test_a_transaction_reaches_every_queue_or_none(call: Held):
    queues = [
        {"name": "orders", "machine": "oslo", "transactional": True},
        {"name": "notes", "machine": "rome", "transactional": False},
    ]
    call("transaction.configure", queues=queues, lists=[{"name": "all", "elements": ["orders", "notes"]}])

    def sends(message: str) -> bool:
        begun = call("transaction.begin")["transaction"]
        call("transaction.send", transaction=begun, message=message, destination=["all"], administration_queue="admin")
        return bool(call("transaction.commit", transaction=begun)["committed"])

    call("transaction.fail_queue", queue="notes", failing=True)
    assert not sends("m1")
    call("transaction.fail_queue", queue="notes", failing=False)
    assert sends("m2")
    assert call("transaction.state")["outgoing"] == {"orders": ["m2"], "notes": ["m2"]}
    call("transaction.deliver")
    assert call("transaction.state") == {
        "outgoing": {},
        "queues": {"orders": ["m2"]},
        "dead_letters": {"rome": ["m2"]},
        "acknowledgments": {"admin": [{"message": "m2", "queue": "notes", "class": "not_transactional_queue"}]},
    }
    begun = call("transaction.begin")["transaction"]
    call("transaction.send", transaction=begun, message="m3", destination=["orders"])
    call("transaction.abort", transaction=begun)
    assert call("transaction.state")["outgoing"] == {}
