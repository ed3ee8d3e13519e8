"""The reference of several queue managers: what is sent on one machine is received on another."""

import pytest

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.queue_manager import UnknownMachine
from mqconform.harness.iut.reference_iut.queue_managers import ReferenceQueueManagers

NAMES = ("laptop", "office")


def address(machine: str, queue: str) -> Json:
    return {"direct": {"machine": machine, "queue": queue}}


@pytest.fixture
def system() -> ReferenceQueueManagers:
    """Two machines, with queues orders and safe at the office and acks on the laptop."""
    made = ReferenceQueueManagers()
    made.configure([{"name": name, "mode": "workgroup"} for name in NAMES])
    made.create_queue("office", "orders", {})
    made.create_queue("office", "safe", {"transactional": True})
    made.create_queue("laptop", "acks", {})
    return made


def opened(system: ReferenceQueueManagers, at: str, machine: str, queue: str, access: str) -> int:
    handle: int = system.open(at, address(machine, queue), access)["handle"]
    return handle


def test_a_message_arrives_with_all_that_was_said_of_it_and_is_acknowledged(system: ReferenceQueueManagers) -> None:
    sends = opened(system, "laptop", "office", "orders", "send")
    asked = {"acknowledgments": ["reach"], "administration_queue": address("laptop", "acks")}
    identity = system.send(sends, "m1", "express", response_queue=address("laptop", "acks"), **asked)["id"]
    message = system.receive(opened(system, "office", "office", "orders", "receive"))["message"]
    assert message == {"message": "m1", "id": identity, "response_queue": address("laptop", "acks")}
    report = system.receive(opened(system, "laptop", "laptop", "acks", "receive"))["message"]
    assert report["acknowledgment"] == {"of": identity, "positive": True}


def test_a_message_waits_for_the_network(system: ReferenceQueueManagers) -> None:
    system.fail_network([*NAMES], failing=True)
    within = system.begin("laptop", "internal")["transaction"]
    system.send(opened(system, "laptop", "office", "safe", "send"), "m1", "express", transaction=within)
    assert system.outgoing("laptop") == {"queues": []}
    assert system.commit(within) == {"committed": True}
    assert system.outgoing("laptop") == {"queues": [{"address": address("office", "safe"), "messages": 1}]}
    system.fail_network([*NAMES], failing=False)
    assert system.outgoing("laptop") == {"queues": []}
    received = system.begin("office", "internal")["transaction"]
    reads = opened(system, "office", "office", "safe", "receive")
    assert system.receive(reads, transaction=received)["message"]["message"] == "m1"


def test_a_queue_is_managed_and_read_from_afar(system: ReferenceQueueManagers) -> None:
    assert system.create_queue("laptop", "work", {"room": 3}, on="office") == {"queue": "work"}
    system.send(opened(system, "office", "office", "work", "send"), "m1", "express")
    shown = system.queue_properties("laptop", "work", on="office")
    assert shown == {"properties": {"transactional": False, "room": 3, "room_unit": "messages"}, "messages": 1}
    reads = opened(system, "laptop", "office", "work", "receive")
    assert system.receive(reads)["message"]["message"] == "m1"
    system.fail_network(["office"], failing=True)
    assert "failed" in system.receive(reads)
    assert "failed" in system.queue_properties("laptop", "work", on="office")


def test_a_paused_queue_and_an_offline_machine_wait(system: ReferenceQueueManagers) -> None:
    sends = opened(system, "laptop", "office", "orders", "send")
    waits = {"queues": [{"address": address("office", "orders"), "messages": 1}]}
    system.pause("laptop", address("office", "orders"), on=True)
    system.take_offline("office", on=True)
    system.send(sends, "m1", "recoverable")
    assert system.outgoing("laptop") == waits
    system.pause("laptop", address("office", "orders"), on=False)
    assert system.outgoing("laptop") == waits
    system.take_offline("office", on=False)
    assert system.outgoing("laptop") == {"queues": []}


@pytest.fixture
def domain() -> ReferenceQueueManagers:
    """Two machines with a directory, and one in Workgroup mode."""
    made = ReferenceQueueManagers()
    modes = {"admin": "integrated", "host": "integrated", "shop": "workgroup"}
    made.configure([{"name": name, "mode": mode} for name, mode in modes.items()])
    return made


def test_a_public_queue_is_created_changed_and_found_through_another_machine(domain: ReferenceQueueManagers) -> None:
    name = domain.create_queue("admin", "stock", {}, on="host", public=True)["queue"]
    entry = {"machine": "host", "queue": "stock", "id": name}
    assert domain.find_queues("host", "stock") == {"queues": [entry | {"properties": {"room": None}}]}
    assert domain.set_queue("admin", "stock", {"room": 1}, on="host") == {}
    assert domain.find_queues("admin", "stock") == {"queues": [entry | {"properties": {"room": 1}}]}
    sends = domain.open("admin", {"public": name}, "send")["handle"]
    for message in ("m1", "m2"):
        domain.send(sends, message, "recoverable")
    assert domain.queue_properties("host", "stock")["messages"] == 1


def test_without_directory_nothing_is_found_and_a_start_leads_to_workgroup_mode(domain: ReferenceQueueManagers) -> None:
    domain.fail_directory(failing=True, machine="admin")
    assert "failed" in domain.find_queues("admin", "stock")
    assert domain.state("admin")["directory_offline"] is True
    assert domain.find_queues("host", "stock") == {"queues": []}
    domain.stop("admin")
    assert domain.start("admin") == {"started": True}
    assert domain.state("admin")["mode"] == "workgroup"
    domain.fail_directory(failing=False)
    assert "failed" in domain.find_queues("admin", "stock")
    assert "failed" in domain.find_queues("shop", "stock")


def test_a_machine_that_is_not_there_is_named(system: ReferenceQueueManagers) -> None:
    with pytest.raises(UnknownMachine, match="bergen: is not configured"):
        system.create_queue("bergen", "orders", {})
    alone = ReferenceQueueManagers()
    alone.configure([{"name": "oslo", "mode": "workgroup"}])
    with pytest.raises(UnknownMachine, match="laptop: is not configured"):
        alone.outgoing("laptop")
