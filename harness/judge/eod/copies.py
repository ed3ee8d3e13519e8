"""Where the copies of transactional messages are: in which queues and dead-letter queues, and who is told (page, 1)."""

from collections.abc import Sequence

from pytest_bdd import parsers, then

from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.eod.transactions import TransactionScene, names_in
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.witness import Judgement
from mqconform.reference.eod.transaction import NOT_TRANSACTIONAL_QUEUE, Network


@then(parsers.re(r"copies of (?P<messages>m[\w, ]+) wait for (?P<queues>.+), and for no other queue"))
def copies_wait(transactions: TransactionScene, messages: str, queues: str) -> None:
    """Judge that the same messages wait for each of some queues."""
    _judge_places(transactions, "outgoing", messages, names_in(queues))


@then("no copy waits for any queue")
def no_copy_waits(transactions: TransactionScene) -> None:
    """Judge that nothing waits."""
    assert not _contents(transactions.model, "outgoing"), "the feature disagrees with the model: copies wait"
    transactions.witness(only_in(transactions.judge, transactions.state(), "outgoing", ()))


@then(
    parsers.re(
        r"(?P<queues>[\w-]+(?:(?:, | and )[\w-]+)*) (?:has|have) taken in (?P<messages>m[\w, ]+), "
        r"and no other queue anything"
    )
)
def queues_have_taken_in(transactions: TransactionScene, queues: str, messages: str) -> None:
    """Judge that the same messages were taken in by each of some queues."""
    _judge_places(transactions, "queues", messages, names_in(queues))


@then(parsers.re(r"queue (?P<queue>[\w-]+) has taken in nothing"))
def queue_has_taken_in_nothing(transactions: TransactionScene, queue: str) -> None:
    """Judge that one queue took in nothing."""
    contents = _contents(transactions.model, "queues")
    assert queue not in contents, f"the feature disagrees with the model about {queue}"
    transactions.witness(holds(transactions.judge, transactions.state(), "queues", queue, ()))


@then(
    parsers.re(
        r"the transactional dead-letter queue of (?P<machine>[\w-]+) holds (?P<messages>m[\w, ]+), "
        r"and no other anything"
    )
)
def dead_letters_are(transactions: TransactionScene, machine: str, messages: str) -> None:
    """Judge where refused copies went."""
    _judge_places(transactions, "dead_letters", messages, (machine,))


@then("no dead-letter queue holds anything")
def no_dead_letters(transactions: TransactionScene) -> None:
    """Judge that nothing was refused."""
    contents = _contents(transactions.model, "dead_letters")
    assert not contents, "the feature disagrees with the model: copies were refused"
    transactions.witness(only_in(transactions.judge, transactions.state(), "dead_letters", ()))


def holds(judge: Judge, state: Json, part: str, place: str, wanted: Sequence[str]) -> Judgement:
    """Judge which messages are in one place, in order."""
    expected = f"{place}: {_listed(wanted)}"
    return judge.says(_messages(state, part, place) == [*wanted], expected, _in_words(state, part))


def only_in(judge: Judge, state: Json, part: str, places: Sequence[str]) -> Judgement:
    """Judge that messages are in these places of a kind, and in no other."""
    filled = sorted(place for place in state.get(part, {}) if _messages(state, part, place))
    return judge.says(filled == sorted(places), f"messages in {_listed(sorted(places))}", _in_words(state, part))


@then(
    parsers.re(
        r"(?P<administration>[\w-]+) is told that "
        r"(?P<refusals>m\d+ by [\w-]+(?:(?:, | and )m\d+ by [\w-]+)*) was refused"
    )
)
def refusals_are_told(transactions: TransactionScene, administration: str, refusals: str) -> None:
    """Judge the negative acknowledgments in an administration queue."""
    pairs = [tuple(refusal.split(" by ", 1)) for refusal in names_in(refusals)]
    wanted = [(message, queue) for message, queue in pairs]
    model = [(str(ack.message), ack.queue) for ack in transactions.model.acknowledgments.get(administration, ())]
    assert sorted(model) == sorted(wanted), f"the feature disagrees with the model: {wanted} against {model}"
    transactions.witness(negative_acknowledgments(transactions.judge, transactions.state(), administration, wanted))


@then(parsers.re(r"(?P<administration>[\w-]+) is told of no refusal"))
def no_refusal_is_told(transactions: TransactionScene, administration: str) -> None:
    """Judge that an administration queue got nothing."""
    assert not transactions.model.acknowledgments.get(administration), "the feature disagrees with the model"
    transactions.witness(negative_acknowledgments(transactions.judge, transactions.state(), administration, ()))


def negative_acknowledgments(
    judge: Judge, state: Json, administration_queue: str, wanted: Sequence[tuple[str, str]]
) -> Judgement:
    """Judge the negative acknowledgments in an administration queue: message and queue, in any order."""
    shown = state.get("acknowledgments", {}).get(administration_queue, [])
    seen = sorted((str(ack["message"]), ack["queue"], ack["class"]) for ack in shown)
    expected = sorted((message, queue, NOT_TRANSACTIONAL_QUEUE) for message, queue in wanted)
    return judge.says(seen == expected, _acknowledgments(expected), _acknowledgments(seen))


def _judge_places(transactions: TransactionScene, part: str, messages: str, places: tuple[str, ...]) -> None:
    """Judge that each of some places holds these messages, and no other place of its kind any."""
    wanted = names_in(messages)
    model = _contents(transactions.model, part)
    agreed = {place: [*wanted] for place in places}
    assert model == agreed, f"the feature disagrees with the model: {agreed} against {model}"
    state = transactions.state()
    for place in places:
        transactions.witness(holds(transactions.judge, state, part, place, wanted))
    transactions.witness(only_in(transactions.judge, state, part, places))


def _contents(model: Network, part: str) -> dict[str, list[str]]:
    """Return the messages of one part of the model's state, empty places left out."""
    contents = {"outgoing": model.outgoing, "queues": model.delivered, "dead_letters": model.dead_letters}[part]
    return {place: [str(copy.message) for copy in copies] for place, copies in contents.items() if copies}


def _in_words(state: Json, part: str) -> str:
    """Return one part of the state in words."""
    places = [f"{place}: {_listed(_messages(state, part, place))}" for place in sorted(state.get(part, {}))]
    return f"{part.replace('_', ' ')}: {'; '.join(places) or 'empty'}"


def _messages(state: Json, part: str, place: str) -> list[str]:
    return [str(message) for message in state.get(part, {}).get(place, [])]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"


def _acknowledgments(several: Sequence[tuple[str, str, str]]) -> str:
    return "; ".join(f"{message} from {queue}: {reason}" for message, queue, reason in several) or "none"
