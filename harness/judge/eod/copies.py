"""Where copies of transactional messages are: queues, dead-letter queues, and negative acknowledgments (page, 1)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.eod.transactions import TransactionScene, names_in
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import then_judged
from mqconform.harness.judge.marks import bears_on
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then
from mqconform.reference.eod.transaction import NOT_TRANSACTIONAL_QUEUE, Abort, Mentions, Network, commit, mentions


@then(r"copies of (?P<messages>m[\w, ]+) wait for (?P<queues>.+), and for no other queue")
def copies_wait(transactions: TransactionScene, messages: str, queues: str) -> None:
    _judge_places(transactions, "outgoing", messages, names_in(queues))


@then_judged(
    r"copies of (?P<message>m\d+) wait for (?P<queues>.+), and for no other queue, at most as many as it was named"
)
def copies_wait_by_mentions(transactions: TransactionScene, message: str, queues: str) -> Judgement:
    """Judge that each queue has a copy, or several where it was named several times (EOD-1-02; register EOD-31)."""
    named = mentions(transactions.model, transactions.sends[-1].destination)
    assert {*named} == {*names_in(queues)}, f"the feature disagrees with the model: {named}"
    judge, state = transactions.judge, transactions.state()
    expected = "; ".join(f"{queue}: {message}, at most {count} times" for queue, count in sorted(named.items()))
    waiting = {place: _messages(state, "outgoing", place) for place in {*state.get("outgoing", {}), *named}}
    counts = {place: len(messages) for place, messages in waiting.items() if messages}
    right = counts.keys() == named.keys() and all(1 <= counts[queue] <= named[queue] for queue in named)
    if not right or any({*messages} - {message} for messages in waiting.values()):
        return judge.says(False, expected, _in_words(state, "outgoing"))
    choice = Mentions.ONE_COPY if {*counts.values()} == {1} else Mentions.SEVERAL
    return judge.reading(choice.reading.register, choice.reading.name, expected, _in_words(state, "outgoing"))


@then(r"copies of (?P<message>m\d+) wait for (?P<queues>.+) if the transaction committed, and for no queue if not")
def all_or_nothing(transactions: TransactionScene, message: str, queues: str) -> None:
    """Judge the copies by what the implementation says of its transaction: it may go through or not."""
    committed, _ = transactions.committed
    due = {queue: {message} for queue in names_in(queues)} if committed else {}
    transactions.witness(copies_are(transactions.judge, transactions.state(), due, [committed]))


@then("each of them has sent all that it should")
def each_has_sent_all(transactions: TransactionScene) -> None:
    """Judge the copies of several transactions; those that send to a queue that takes no copies have to abort."""
    due: dict[str, set[str]] = {}
    for sends, _ in transactions.ended:
        network, _ = commit(replace(transactions.model, outgoing={}), sends)
        for queue, copies in network.outgoing.items():
            due.setdefault(queue, set()).update(str(copy.message) for copy in copies)
    ends = [committed for _, committed in transactions.ended]
    transactions.witness(copies_are(transactions.judge, transactions.state(), due, ends))


def copies_are(judge: Judge, state: Json, due: Mapping[str, Collection[str]], ends: Sequence[bool]) -> Judgement:
    """Judge that queues have one copy each of these messages, in any order, and no other (EOD-1-03)."""
    waiting = {place: sorted(_messages(state, "outgoing", place)) for place in state.get("outgoing", {})}
    right = {place: messages for place, messages in waiting.items() if messages} == {
        place: sorted(messages) for place, messages in due.items() if messages
    }
    expected = "; ".join(f"{place}: {_listed(sorted(messages))}" for place, messages in sorted(due.items()))
    observed = f"{_in_words(state, 'outgoing')}; {sum(ends)} of {len(ends)} committed"
    return judge.says(right, expected or "no copy waits", observed)


@then_judged("the aborted transaction has sent nothing")
def aborted_transaction_sent_nothing(transactions: TransactionScene) -> Judgement:
    """Judge what a transaction sent that its user aborted (register EOD-32)."""
    state = transactions.state()
    anything = any(messages for part in ("outgoing", "queues") for messages in state.get(part, {}).values())
    reading = (Abort.SOMETHING if anything else Abort.NOTHING).reading
    observed = f"{_in_words(state, 'outgoing')}; {_in_words(state, 'queues')}"
    return transactions.judge.reading(reading.register, reading.name, "nothing is sent", observed)


@then("no copy waits for any queue")
def no_copy_waits(transactions: TransactionScene) -> None:
    assert not contents(transactions.model, "outgoing"), "the feature disagrees with the model: copies wait"
    transactions.witness(only_in(transactions.judge, transactions.state(), "outgoing", ()))


@then(
    r"(?P<queues>[\w-]+(?:(?:, | and )[\w-]+)*) (?:has|have) taken in (?P<messages>m[\w, ]+), "
    r"and no other queue anything"
)
def queues_have_taken_in(transactions: TransactionScene, queues: str, messages: str) -> None:
    _judge_places(transactions, "queues", messages, names_in(queues))


@then(r"queue (?P<queue>[\w-]+) has taken in nothing")
def queue_has_taken_in_nothing(transactions: TransactionScene, queue: str) -> None:
    assert queue not in contents(transactions.model, "queues"), f"the feature disagrees with the model about {queue}"
    transactions.witness(holds(transactions.judge, transactions.state(), "queues", queue, ()))


@then(
    r"the transactional dead-letter queue of (?P<machine>[\w-]+) holds (?P<messages>m[\w, ]+), "
    r"and no other anything"
)
def dead_letters_are(transactions: TransactionScene, machine: str, messages: str) -> None:
    _judge_places(transactions, "dead_letters", messages, (machine,))


@then("no dead-letter queue holds anything")
def no_dead_letters(transactions: TransactionScene) -> None:
    assert not contents(transactions.model, "dead_letters"), "the feature disagrees with the model: copies were refused"
    transactions.witness(only_in(transactions.judge, transactions.state(), "dead_letters", ()))


@then("every copy waits where it should")
def every_copy_waits(transactions: TransactionScene) -> None:
    check = waiting_copies_are
    due = contents(transactions.model, "outgoing")
    transactions.witness(check(transactions.judge, transactions.state(), due), check)


@then("every copy that arrived is where it should be, and every refusal is acknowledged")
def every_copy_is_there(transactions: TransactionScene) -> None:
    judge, state, model = transactions.judge, transactions.state(), transactions.model
    for part, check in {"queues": copies_taken_in_are, "dead_letters": dead_letters_hold}.items():
        transactions.witness(check(judge, state, contents(model, part)), check)
    for place, acknowledgments in model.acknowledgments.items():
        pairs = [(str(ack.message), ack.queue) for ack in acknowledgments]
        transactions.witness(negative_acknowledgments(judge, state, place, pairs), negative_acknowledgments)


@bears_on("EOD-1-02", "EOD-1-01")
def waiting_copies_are(judge: Judge, state: Json, due: Mapping[str, Sequence[str]]) -> Judgement:
    """Judge that each queue that is addressed has one copy of each message (page, section 1)."""
    return _contents_are(judge, state, "outgoing", due)


@bears_on("EOD-1-04")
def copies_taken_in_are(judge: Judge, state: Json, due: Mapping[str, Sequence[str]]) -> Judgement:
    """Judge that transactional queues took their copies in, and no other queue any (page, section 1)."""
    return _contents_are(judge, state, "queues", due)


@bears_on("EOD-1-07")
def dead_letters_hold(judge: Judge, state: Json, due: Mapping[str, Sequence[str]]) -> Judgement:
    """Judge that each refused copy is in the dead-letter queue of its computer (page, section 1)."""
    return _contents_are(judge, state, "dead_letters", due)


def _contents_are(judge: Judge, state: Json, part: str, due: Mapping[str, Sequence[str]]) -> Judgement:
    """Judge which messages are in all places of a kind, in any order; the observation names where they differ."""
    places = sorted({*due, *state.get(part, {})})
    pairs = {place: (sorted(due.get(place, ())), sorted(_messages(state, part, place))) for place in places}
    wrong = {place: pair for place, pair in pairs.items() if pair[0] != pair[1]}
    expected = "; ".join(f"{place}: {_listed(want)}" for place, (want, _) in wrong.items())
    observed = "; ".join(f"{place}: {_listed(messages)}" for place, (_, messages) in wrong.items())
    summary = f"all of {sum(map(len, due.values()))} copies in {len(due)} places"
    return judge.says(not wrong, expected or summary, observed or summary)


def holds(judge: Judge, state: Json, part: str, place: str, due: Sequence[str]) -> Judgement:
    """Judge which messages are in one place, in order; no text says in what order dead letters lie."""
    ordered: Callable[[Iterable[str]], list[str]] = sorted if part == "dead_letters" else list
    expected = f"{place}: {_listed(due)}"
    return judge.says(ordered(_messages(state, part, place)) == ordered(due), expected, _in_words(state, part))


def only_in(judge: Judge, state: Json, part: str, places: Sequence[str]) -> Judgement:
    """Judge that messages are in these places of a kind, and in no other."""
    filled = sorted(place for place in state.get(part, {}) if _messages(state, part, place))
    return judge.says(filled == sorted(places), f"messages in {_listed(sorted(places))}", _in_words(state, part))


@then(
    r"(?P<administration>[\w-]+) receives the refusals of "
    r"(?P<refusals>m\d+ by [\w-]+(?:(?:, | and )m\d+ by [\w-]+)*)"
)
def refusals_are_told(transactions: TransactionScene, administration: str, refusals: str) -> None:
    pairs = [tuple(refusal.split(" by ", 1)) for refusal in names_in(refusals)]
    refused = [(message, queue) for message, queue in pairs]
    model = [(str(ack.message), ack.queue) for ack in transactions.model.acknowledgments.get(administration, ())]
    assert sorted(model) == sorted(refused), f"the feature disagrees with the model: {refused} against {model}"
    transactions.witness(negative_acknowledgments(transactions.judge, transactions.state(), administration, refused))


@then(r"(?P<administration>[\w-]+) receives no refusal")
def no_refusal_is_told(transactions: TransactionScene, administration: str) -> None:
    assert not transactions.model.acknowledgments.get(administration), "the feature disagrees with the model"
    transactions.witness(negative_acknowledgments(transactions.judge, transactions.state(), administration, ()))


@bears_on("EOD-1-08")
def negative_acknowledgments(
    judge: Judge, state: Json, administration_queue: str, refused: Sequence[tuple[str, str]]
) -> Judgement:
    """Judge the negative acknowledgments in an administration queue: message and queue, in any order."""
    acknowledgments = state.get("acknowledgments", {}).get(administration_queue, [])
    observed = sorted((str(ack["message"]), ack["queue"], ack["class"]) for ack in acknowledgments)
    expected = sorted((message, queue, NOT_TRANSACTIONAL_QUEUE) for message, queue in refused)
    return judge.says(observed == expected, _acknowledgments(expected), _acknowledgments(observed))


def _judge_places(transactions: TransactionScene, part: str, messages: str, places: tuple[str, ...]) -> None:
    """Judge that each of some places holds these messages, and no other place of its kind any."""
    due = names_in(messages)
    model = contents(transactions.model, part)
    agreed = {place: [*due] for place in places}
    assert model == agreed, f"the feature disagrees with the model: {agreed} against {model}"
    state = transactions.state()
    for place in places:
        transactions.witness(holds(transactions.judge, state, part, place, due))
    transactions.witness(only_in(transactions.judge, state, part, places))


def contents(model: Network, part: str) -> dict[str, list[str]]:
    """Return the messages of one part of the model's state, empty places left out."""
    parts = {"outgoing": model.outgoing, "queues": model.delivered, "dead_letters": model.dead_letters}[part]
    return {place: [str(copy.message) for copy in copies] for place, copies in parts.items() if copies}


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
