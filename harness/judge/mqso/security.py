"""Users of a queue manager in a domain: who signs, who may use a queue, who is taken for authenticated (7.3, 7.4)."""

from collections.abc import Mapping
from typing import Final

from mqconform.harness.judge.mqso.messages import MACHINE
from mqconform.harness.judge.mqso.queue_manager_checks import judge
from mqconform.harness.judge.mqso.queue_manager_steps import with_queues
from mqconform.harness.judge.mqso.scenes import QueueManagerScene
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import Properties, User
from mqconform.reference.mqso.events import Done, Got

GIVEN_USERS: Final = "a queue manager of a domain that knows the users ann and bob, and not eve, with the queues"


@given("a queue manager of a domain with the users")
def in_a_domain(queue_manager: QueueManagerScene, datatable: list[list[str]]) -> None:
    """Configure the machine anew, in Directory-Integrated mode: names, and whether the directory has a certificate."""
    configure(queue_manager, {name: has == "yes" for name, has in datatable[1:]})


@given(GIVEN_USERS)
def in_a_domain_with_queues(queue_manager: QueueManagerScene, datatable: list[list[str]]) -> None:
    """Configure the machine with the users of drawn histories, and create queues."""
    configure(queue_manager, {"ann": True, "bob": True, "eve": False})
    with_queues(queue_manager, datatable)


def configure(queue_manager: QueueManagerScene, has_certificate: Mapping[str, bool]) -> None:
    """Configure the machine anew, in Directory-Integrated mode.

    Args:
        queue_manager: the machine.
        has_certificate: name of each user -> whether the directory has a certificate of that user.
    """
    users = [{"name": name} | ({"certificate": f"{name}-1"} if has else {}) for name, has in has_certificate.items()]
    queue_manager.ask("configure", {"machines": [{"name": MACHINE, "mode": "integrated"}], "users": users})
    registered = frozenset(User(user["name"]) for user in users if "certificate" in user)
    queue_manager.add(events.JoinDomain(registered), Done())


@given(r"a transactional queue (?P<queue>\w+) for writers (?P<writers>\w+) and readers (?P<readers>\w+)")
def with_transactional_list(queue_manager: QueueManagerScene, queue: str, writers: str, readers: str) -> None:
    lists = frozenset({User(writers)}), frozenset({User(readers)})
    queue_manager.create(queue, Properties(True, None, False, *lists))


@when(
    r"(?P<user>\w+) (?P<how>receives|looks at) (?P<number>a|\d+) messages? (?:from|of) (?P<queue>\w+)"
    r"(?: in (?P<transaction>t\d+))?"
)
def user_receives(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    queue_manager: QueueManagerScene, user: str, how: str, number: str, queue: str, transaction: str | None
) -> None:
    for _ in range(1 if number == "a" else int(number)):
        queue_manager.receive(queue, takes=how == "receives", transaction=transaction, user=User(user))


@when(r"(?P<user>\w+) receives (?P<message>m\d+) of (?P<queue>\w+) by its identifier")
def user_receives_by_identifier(queue_manager: QueueManagerScene, user: str, message: str, queue: str) -> None:
    queue_manager.receive(queue, message=message, user=User(user))


@when(r"(?P<user>ann|bob|eve) waits (?P<seconds>\d+) seconds for (?P<queue>\w+)")
def user_waits(queue_manager: QueueManagerScene, user: str, seconds: str, queue: str) -> None:
    queue_manager.receive(queue, wait=int(seconds), user=User(user))


@then(r"(?P<key>m\d+) (?P<how>is|is not) handed out as authenticated")
def as_authenticated(queue_manager: QueueManagerScene, key: str, how: str) -> None:
    """Judge the mark of a message's sender; a message that was not handed out has no mark."""
    answers = [exchange.answer for exchange in queue_manager.history]
    marks = [answer.authenticated for answer in answers if isinstance(answer, Got) and answer.key == key]
    observed = (
        ", ".join("authenticated" if authenticated else "unauthenticated" for authenticated in marks)
        or "not handed out"
    )
    as_said = bool(marks) and all(marks) if how == "is" else not any(marks)
    judge(queue_manager, f"{key} {how} handed out as authenticated", observed, holds=as_said)
