"""Givens and Whens for transactional sends: queues, lists, transactions, failures and delivery."""

import re

from pytest_bdd import given, parsers, when

from mqconform.harness.steps.eod_transaction_scene import SendingScene
from mqconform.harness.steps.eod_transaction_scene import sending as sending  # noqa: PLC0414 - pytest finds the fixture so
from mqconform.reference.eod.transaction import Queue, Send

_AND = re.compile(r", | and ")
_SENDS = r"m\d+ to [\w-]+(?:(?:, | and )[\w-]+)*(?:; m\d+ to [\w-]+(?:(?:, | and )[\w-]+)*)*"


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a list such as ``a, b and c``."""
    return tuple(_AND.split(text))


@given("target queues")
def target_queues(sending: SendingScene, datatable: list[list[str]]) -> None:
    """Let there be target queues: name, computer, and whether they are transactional."""
    rows = [(name, machine, kind == "yes") for name, machine, kind in datatable[1:]]
    sending.with_queues({name: Queue(name, machine, transactional) for name, machine, transactional in rows})


@given(parsers.re(r"a distribution list (?P<name>[\w-]+) of (?P<elements>.+)"))
def distribution_list(sending: SendingScene, name: str, elements: str) -> None:
    """Let there be a list of queues and of other lists."""
    sending.with_list(name, names_in(elements))


@when(parsers.re(rf"a transaction sends (?P<sends>{_SENDS})(?:, with acknowledgments to (?P<administration>[\w-]+))?"))
def transaction_sends(sending: SendingScene, sends: str, administration: str | None) -> None:
    """Send within one transaction, and commit it."""
    sending.transact(_sends(sends, administration))


@when(parsers.re(rf"a transaction that sends (?P<sends>{_SENDS}) is aborted"))
def transaction_is_aborted(sending: SendingScene, sends: str) -> None:
    """Send within one transaction, and abort it."""
    sending.transact(_sends(sends, None), abort=True)


@when(parsers.re(r"the outgoing queue for (?P<queue>[\w-]+) takes no copies"))
def outgoing_queue_fails(sending: SendingScene, queue: str) -> None:
    """Let an outgoing queue fail from now on."""
    sending.fail(queue, failing=True)


@when(parsers.re(r"the outgoing queue for (?P<queue>[\w-]+) takes copies again"))
def outgoing_queue_heals(sending: SendingScene, queue: str) -> None:
    """Let it work again."""
    sending.fail(queue, failing=False)


@when("the copies reach their computers")
def copies_arrive(sending: SendingScene) -> None:
    """Deliver what waits."""
    sending.deliver()


def _sends(text: str, administration: str | None) -> list[Send]:
    pairs = (one.split(" to ", 1) for one in text.split("; "))
    return [Send(message, names_in(destination), administration) for message, destination in pairs]
