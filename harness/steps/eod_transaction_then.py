"""Thens for transactional sends: whether a transaction goes through, and where its copies are."""

from pytest_bdd import parsers, then

from mqconform.harness.oracle import eod_transaction as check
from mqconform.harness.steps.eod_transaction_scene import SendingScene
from mqconform.harness.steps.eod_transaction_when import names_in
from mqconform.reference.eod.transaction import Network


def held(model: Network, part: str) -> dict[str, list[str]]:
    """Return the messages of one part of the model's state, empty places left out."""
    contents = {"outgoing": model.outgoing, "queues": model.delivered, "dead_letters": model.dead_letters}[part]
    return {place: [str(one.message) for one in copies] for place, copies in contents.items() if copies}


@then(parsers.re(r"the transaction (?P<end>commits|aborts)"))
def transaction_ends(sending: SendingScene, end: str) -> None:
    """Judge whether the last transaction went through."""
    seen, wanted = sending.committed
    assert wanted == (end == "commits"), f"the feature disagrees with the model: the transaction {end}"
    sending.witness(check.committed(sending.judge, wanted, seen))


@then(parsers.re(r"copies of (?P<messages>m[\w, ]+) wait for (?P<queues>.+), and for no other queue"))
def copies_wait(sending: SendingScene, messages: str, queues: str) -> None:
    """Judge that the same messages wait for each of some queues."""
    _judge_places(sending, "outgoing", messages, names_in(queues))


@then("no copy waits for any queue")
def no_copy_waits(sending: SendingScene) -> None:
    """Judge that nothing waits."""
    assert not held(sending.model, "outgoing"), "the feature disagrees with the model: copies wait"
    sending.witness(check.only_in(sending.judge, sending.state(), "outgoing", ()))


@then(
    parsers.re(
        r"(?P<queues>[\w-]+(?:(?:, | and )[\w-]+)*) (?:has|have) taken in (?P<messages>m[\w, ]+), "
        r"and no other queue anything"
    )
)
def queues_have_taken_in(sending: SendingScene, queues: str, messages: str) -> None:
    """Judge that the same messages were taken in by each of some queues."""
    _judge_places(sending, "queues", messages, names_in(queues))


@then(parsers.re(r"queue (?P<queue>[\w-]+) has taken in nothing"))
def queue_has_taken_in_nothing(sending: SendingScene, queue: str) -> None:
    """Judge that one queue took in nothing."""
    assert queue not in held(sending.model, "queues"), f"the feature disagrees with the model about {queue}"
    sending.witness(check.holds(sending.judge, sending.state(), "queues", queue, ()))


@then(
    parsers.re(
        r"the transactional dead-letter queue of (?P<machine>[\w-]+) holds (?P<messages>m[\w, ]+), "
        r"and no other anything"
    )
)
def dead_letters_are(sending: SendingScene, machine: str, messages: str) -> None:
    """Judge where refused copies went."""
    _judge_places(sending, "dead_letters", messages, (machine,))


@then("no dead-letter queue holds anything")
def no_dead_letters(sending: SendingScene) -> None:
    """Judge that nothing was refused."""
    assert not held(sending.model, "dead_letters"), "the feature disagrees with the model: copies were refused"
    sending.witness(check.only_in(sending.judge, sending.state(), "dead_letters", ()))


@then(
    parsers.re(
        r"(?P<administration>[\w-]+) is told that "
        r"(?P<refusals>m\d+ by [\w-]+(?:(?:, | and )m\d+ by [\w-]+)*) was refused"
    )
)
def refusals_are_told(sending: SendingScene, administration: str, refusals: str) -> None:
    """Judge the negative acknowledgments in an administration queue."""
    pairs = [tuple(one.split(" by ", 1)) for one in names_in(refusals)]
    wanted = [(message, queue) for message, queue in pairs]
    model = [(str(one.message), one.queue) for one in sending.model.acknowledgments.get(administration, ())]
    assert sorted(model) == sorted(wanted), f"the feature disagrees with the model: {wanted} against {model}"
    sending.witness(check.negative_acknowledgments(sending.judge, sending.state(), administration, wanted))


@then(parsers.re(r"(?P<administration>[\w-]+) is told of no refusal"))
def no_refusal_is_told(sending: SendingScene, administration: str) -> None:
    """Judge that an administration queue got nothing."""
    assert not sending.model.acknowledgments.get(administration), "the feature disagrees with the model"
    sending.witness(check.negative_acknowledgments(sending.judge, sending.state(), administration, ()))


def _judge_places(sending: SendingScene, part: str, messages: str, places: tuple[str, ...]) -> None:
    """Judge that each of some places holds these messages, and no other place of its kind any."""
    wanted = names_in(messages)
    model = held(sending.model, part)
    agreed = {place: [*wanted] for place in places}
    assert model == agreed, f"the feature disagrees with the model: {agreed} against {model}"
    state = sending.state()
    for place in places:
        sending.witness(check.holds(sending.judge, state, part, place, wanted))
    sending.witness(check.only_in(sending.judge, state, part, places))
