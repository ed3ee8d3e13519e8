import pytest

from mqconform.reference.eod.transaction import (
    Copy,
    NegativeAcknowledgment,
    Network,
    Queue,
    Send,
    UnknownDestination,
    commit,
    deliver,
)

QUEUES = {
    "orders": Queue("orders", "oslo", transactional=True),
    "bills": Queue("bills", "rome", transactional=True),
    "notes": Queue("notes", "rome", transactional=False),
}
NETWORK = Network(QUEUES, lists={"all": ("orders", "more"), "more": ("bills", "notes", "all")})


def test_one_failing_queue_aborts_the_whole_transaction():
    failing = Network(QUEUES, failing=frozenset({"bills"}))
    network, committed = commit(failing, [Send("m1", ("orders",)), Send("m2", ("orders", "bills"))])
    assert not committed
    assert network == failing


def test_copies_of_a_transaction_keep_their_order():
    network, _ = commit(NETWORK, [Send("m1", ("orders",)), Send("m2", ("orders", "bills"))])
    network, _ = commit(network, [Send("m3", ("orders",))])
    assert [one.message for one in deliver(network).delivered["orders"]] == ["m1", "m2", "m3"]


def test_a_nontransactional_queue_refuses_at_its_own_computer_and_the_sender_is_told():
    network, _ = commit(NETWORK, [Send("m", ("all",), administration_queue="admin")])
    after = deliver(network)
    copy = Copy("m", "admin")
    assert after.delivered == {"orders": (copy,), "bills": (copy,)}
    assert after.dead_letters == {"rome": (copy,)}
    assert after.acknowledgments == {"admin": (NegativeAcknowledgment("m", "notes", "not_transactional_queue"),)}
    assert after.outgoing == {}


def test_an_unknown_destination_is_named():
    with pytest.raises(UnknownDestination, match="'nowhere' is not a queue"):
        commit(NETWORK, [Send("m", ("nowhere",))])
