"""Faults of what comes from other machines, each in a history that the text explains without it."""

import pytest
from msgspec.structs import replace
from test_mqso_faults_together import ACKS, AFAR, DOWN, LATE, SHOP, UP, contradicts, played
from test_mqso_network import (
    CUT,
    LAPTOP,
    M1,
    M2,
    MENDED,
    OFFICE,
    SETTLES,
    Step,
    orders,
    received_in_transaction,
    receives,
    reopened,
    restarted,
    sends,
    sent_in_transaction,
)

from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    JOURNAL,
    SECOND,
    Access,
    Asked,
    Assurance,
    Handle,
    Key,
    Message,
    QueueName,
    TransactionId,
)
from mqconform.reference.mqso.events import (
    At,
    Begin,
    CreateQueue,
    Done,
    Event,
    Failed,
    Open,
    Start,
    Stop,
    StoreBecomes,
    Throttle,
    TimePassed,
)
from mqconform.reference.mqso.faults.fault_together import FaultTogether
from mqconform.reference.mqso.faults.on_the_way import ON_THE_WAY_FAULTS
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.station import far

LATER: Step = (TimePassed(601 * SECOND), Done())
SAFE = orders(transactional=True)
SAFE_HAS_M1, SAFE_HAS_M2 = received_in_transaction("m1"), received_in_transaction("m2")
TOLD = Message(Key("m1"), asked=frozenset({Asked.RECEIVE}), administration=far(LAPTOP, "acks"))
BRIEF = Message(Key("m1"), Assurance.RECOVERABLE, reach_within=600 * SECOND, dead_letter=True)


def at(machine: str, event: Event) -> Step:
    return At(LAPTOP if machine == "laptop" else OFFICE if machine == "office" else SHOP, event), Done()


def opened(machine: str, queue: str, handle: int) -> Step:
    return at(machine, Open(Handle(handle), QueueName(queue), Access.RECEIVE))


HISTORIES: dict[str, list[Step]] = {
    "acknowledges-to-its-source": [
        *orders(), at("shop", CreateQueue(QueueName("acks"))), opened("shop", "acks", 9),
        sends(replace(TOLD, administration=far(SHOP, "acks"))), SETTLES, receives(Failed()), SETTLES,
        receives(Failed(), 9, SHOP),
    ],
    "remote-receive-untold": [
        *orders(), *ACKS, *AFAR, sends(TOLD), SETTLES, receives(Failed(), 3, LAPTOP), SETTLES,
        receives(Failed(), 7, LAPTOP),
    ],
    "journals-where-it-arrives": [
        *orders(), opened("laptop", JOURNAL, 9), sends(Message(Key("m1"), journal=True)), SETTLES, receives(Failed()),
        SETTLES, receives(Failed(), 9, LAPTOP),
    ],
    "plain-letters-lost-in-transit": [
        *orders(), opened("laptop", DEAD_LETTERS, 9), (DOWN, Done()), sends(BRIEF), LATER,
        receives(Failed(), 9, LAPTOP),
    ],
    "expiry-in-transit-untold": [
        *orders(), *ACKS, (DOWN, Done()),
        sends(replace(BRIEF, asked=frozenset({Asked.NEGATIVE}), administration=far(LAPTOP, "acks"))), LATER,
        (UP, Done()), SETTLES, receives(Failed(), 7, LAPTOP),
    ],
    "arrives-as-express": [*orders(), sends(M1), SETTLES, *restarted(OFFICE), reopened(), receives(Failed())],
    "sends-what-was-open": [
        *SAFE, at("laptop", Begin(TransactionId(1))), sends(M1, 1), *restarted(LAPTOP), SETTLES, *SAFE_HAS_M1,
    ],
    "timers-sleep-while-down": [
        *SAFE, CUT, *sent_in_transaction(LATE), at("laptop", Stop()), LATER, at("laptop", Start()), MENDED, SETTLES,
        *SAFE_HAS_M1,
    ],
    "expiry-stops-the-rest": [
        *SAFE, CUT, *sent_in_transaction(LATE), *sent_in_transaction(M2), LATER, MENDED, SETTLES, *SAFE_HAS_M2,
    ],
    "refusal-stops-the-rest": [*SAFE, sends(M1), *sent_in_transaction(M2), SETTLES, *SAFE_HAS_M2],
    "full-store-loses-arrivals": [
        *SAFE, at("office", StoreBecomes(full=True)), *sent_in_transaction(M1), SETTLES,
        at("office", StoreBecomes(full=False)), SETTLES, *SAFE_HAS_M1,
    ],
    "throttling-loses-arrivals": [
        *SAFE, at("office", Throttle(on=True)), *sent_in_transaction(M1), SETTLES, at("office", Throttle(on=False)),
        SETTLES, *SAFE_HAS_M1,
    ],
}  # fmt: skip
"""What is done; the answers are those that a system of such rules gives."""
HISTORIES["journals-nothing-sent-afar"] = HISTORIES["journals-where-it-arrives"]


@pytest.mark.parametrize("fault", ON_THE_WAY_FAULTS, ids=lambda fault: fault.name)
def test_a_fault_shows_in_its_history_and_the_text_explains_that(fault: FaultTogether) -> None:
    events = [event for event, _ in HISTORIES[fault.name]]
    assert not contradicts(played(Network(), events))
    assert contradicts(played(fault.model, events))
