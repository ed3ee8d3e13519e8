"""Destinations of a transaction: lists may hold lists and themselves, and a name that is neither is told."""

import pytest

from mqconform.reference.eod.transaction import Network, Queue, Send, UnknownDestination, commit, targets

QUEUES = {name: Queue(name, "rome", transactional=True) for name in ("orders", "bills")}
NETWORK = Network(QUEUES, lists={"all": ("orders", "more"), "more": ("bills", "all")})


def test_a_list_is_opened_once_even_if_it_holds_itself():
    assert targets(NETWORK, ("all", "bills")) == ("orders", "bills")


def test_an_unknown_destination_is_named():
    with pytest.raises(UnknownDestination, match="'nowhere' is not a queue"):
        commit(NETWORK, [Send("m", ("nowhere",))])
