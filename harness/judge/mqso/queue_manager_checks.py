"""What a scenario says was seen of a queue manager, judged by what its model allows after all that happened.

The model decides. What the sentence says is held against what was seen as well: it is written for the readings that
stand first at each place, and where these explain what was seen and the sentence does not, the sentence is wrong.
"""

from collections.abc import Sequence
from typing import Final

from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.mqso.driven_queue_manager import DrivenQueueManager
from mqconform.harness.judge.mqso.history_text import CHECK, at_odds, said_of, timeline
from mqconform.harness.judge.mqso.messages import MACHINE
from mqconform.harness.judge.mqso.queue_manager_steps import AND, QUEUE, queue_of
from mqconform.harness.judge.mqso.scenes import NetworkScene, QueueManagerScene
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.steps import then
from mqconform.reference.allowed import Standing
from mqconform.reference.history.queue_manager import check_history
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import Key
from mqconform.reference.mqso.explanation import Explanation, Followed, Seen


class HistoryDisagreement(Exception):
    """The check of histories finds a breach in what the model allows: one of them, or the register, is wrong."""


def hold_against_history_check(history: Sequence[Seen], explanation: Explanation) -> None:
    """Compare what the model makes of a history with the check of its properties.

    The check is silent where the text is open, so that it may miss what the model finds, and not the other way round.

    Raises:
        HistoryDisagreement: naming the property, the events and the requirements.
    """
    if explanation.standing is None or explanation.standing > Standing.PERMITTED:
        return
    for broken in check_history(history):
        places = "; ".join(f"{place}: {history[place]}" for place in broken.places)
        raise HistoryDisagreement(
            f"the model explains a history in which {broken.says} ({', '.join(broken.requirements)}): {places}"
        )


THING: Final = r"(?:m\d+|the (?:positive|negative) acknowledgment of m\d+)"
THINGS: Final = rf"{THING}(?:(?:, | and ){THING})*"
MOST: Final = 50
"""The most messages that are taken out of a queue to see what it holds."""


WRONG_SENTENCE: Final = "the specification permits this, so the step is wrong"
"""Ends the observation where a step is wrong about usual readings; tests of the harness look for it."""


Played = QueueManagerScene | NetworkScene
"""A scenario that was played: what happened, and what explains it."""


def judge(scene: Played, expected: str, observed: str, *, holds: bool) -> None:
    """Judge all that was seen until now, and record it for what the scenario is about, or for what is broken."""
    explanation, names = scene.explanation, scene.names()
    if scene.run.plan.second_opinion and isinstance(scene, QueueManagerScene):
        hold_against_history_check(scene.history, explanation)
    if explanation.contradiction is not None and scene.doubt:
        undecided = scene.judge.undecided(expected, f"{observed}; {scene.doubt}")
        scene.witness(undecided)
        return
    if explanation.contradiction is not None:
        text = f"{observed}; first contradiction: {at_odds(explanation.contradiction, names)}"
        judgement = Judgement(Verdict.FAIL, expected, text)
        broken = scene.broken()
        scene.case.timeline = timeline(scene.history, names, explanation.contradiction, broken)
        scene.run.witness(scene.case, broken, judgement)
        return
    if not explanation.undecided and not holds and scene.exact and any(map(_is_usual, explanation.worlds)):
        undecided = scene.judge.undecided(expected, f"{observed}; {WRONG_SENTENCE}")
        scene.witness(undecided)
        return
    judgement = _explained(scene, expected, observed)
    if judgement.verdict is not Verdict.PASS:
        scene.case.timeline = timeline(scene.history, names)
    about = _refused(scene) if judgement.verdict is Verdict.FAIL else scene.case.requirements
    scene.run.witness(scene.case, about, judgement)


def _explained(scene: Played, expected: str, observed: str) -> Judgement:
    """Return what the readings are worth that a history without a contradiction shows."""
    explanation = scene.explanation
    if explanation.undecided:
        return scene.judge.undecided(expected, "too many possible explanations")
    readings = sorted(explanation.readings, key=lambda reading: (-reading.standing, reading))
    judgement = scene.judge.says(True, expected, observed)
    for reading in reversed(readings):
        judgement = scene.judge.reading(reading.register, reading.name, expected, observed)
    if (explanation.standing or Standing.TEXT) <= Standing.TEXT and judgement.verdict is not Verdict.PASS:
        judgement = scene.judge.says(True, expected, observed)
    return judgement


def _refused(scene: Played) -> tuple[str, ...]:
    """Return what a reading breaks that the register refuses: what its entry is about."""
    worst = max(scene.explanation.readings, key=lambda reading: reading.standing)
    entry = load_register()[worst.register].requirements
    return tuple(requirement for requirement in scene.case.requirements if requirement in entry) or tuple(entry[:1])


def _is_usual(world: Followed) -> bool:
    return all(choice is next(iter(type(choice))) for choice in world.followed)


def keys_of(things: str) -> list[Key]:
    """Return the messages that a step names, none for ``nothing``."""
    named = [] if things == "nothing" else AND.split(things)
    return [Key(name.removeprefix("the ")) for name in named]


@then(rf"(?P<things>{THINGS}|nothing)(?: and then (?P<end>nothing))? (?:was|were) received(?:, in this order)?")
def were_received(queue_manager: QueueManagerScene, things: str, end: str | None) -> None:
    answers = [exchange.answer for exchange in queue_manager.history if isinstance(exchange.event, events.Receive)]
    ended = [answer for answer in answers if not isinstance(answer, events.Pending)]
    got = [answer.key for answer in ended if isinstance(answer, events.Got)]
    nothing = end is not None or things == "nothing"
    expected = f"{things}{' and then nothing' if end else ''}"
    holds = got == keys_of(things) and all(isinstance(answer, events.Failed) for answer in ended[len(got) :])
    holds = holds and (len(ended) > len(got) or not ended if nothing else len(ended) == len(got))
    judge(queue_manager, expected, answers_text(ended) or "nothing", holds=holds)


def answers_text(answers: Sequence[events.Answer]) -> str:
    """Return several answers in a few words."""
    return ", ".join(map(said_of, answers))


@then(
    rf"(?P<queue>{QUEUE}) holds (?P<things>{THINGS}|nothing)(?:, in this order)?"
    rf"(?:, or (?P<others>{THINGS}|nothing) where .+)?"
)
def holds(queue_manager: QueueManagerScene, queue: str, things: str, others: str | None) -> None:
    """Take all messages out of a queue, and judge what it held; ``where`` tells readers what it depends on."""
    keys = emptied(queue_manager, queue)
    observed = f"{queue} holds {', '.join(keys) or 'nothing'}"
    as_said = keys in [keys_of(names) for names in (things, others) if names]
    judge(queue_manager, f"{queue} holds {things}{f' or {others}' if others else ''}", observed, holds=as_said)


def emptied(scene: DrivenQueueManager, queue: str) -> list[Key]:
    """Take all messages out of a queue, and return them in the order in which they came."""
    label = f"{CHECK} {scene.moment()}"
    transactional = scene.is_transactional(queue_of(queue))
    if transactional:
        scene.begin_transaction(label)
    keys: list[Key] = []
    for _ in range(MOST):
        answer = scene.receive(queue_of(queue), transaction=label if transactional else None)
        if not isinstance(answer, events.Got):
            if isinstance(answer, events.Pending):
                scene.outcomes()  # it has no time to wait; as long as its end is not known, each world is two
            break
        keys.append(answer.key)
    if transactional:
        scene.end(label, commit=True)
    return keys


@then(rf"(?P<reader>r\d+) (?P<what>still waits|got nothing|has got (?P<thing>{THING}))")
def reader_has(queue_manager: QueueManagerScene, reader: str, what: str, thing: str | None) -> None:
    queue_manager.outcomes()
    outcomes = {label: queue_manager.ended.get(operation) for label, operation in queue_manager.operations.items()}
    observed = ", ".join(
        f"{label}: {said_of(outcome) if outcome else 'still waits'}" for label, outcome in outcomes.items()
    )
    outcome = outcomes.get(reader)
    match what:
        case "still waits":
            as_said = reader in outcomes and outcome is None
        case "got nothing":
            as_said = isinstance(outcome, events.Failed)
        case _:
            as_said = isinstance(outcome, events.Got) and [outcome.key] == keys_of(thing or "nothing")
    judge(queue_manager, f"{reader} {what}", observed or "no reader waits", holds=as_said)


@then(r"one of the readers has got (?P<thing>m\d+), and the others (?P<rest>still wait|got nothing)")
def one_has(queue_manager: QueueManagerScene, thing: str, rest: str) -> None:
    """Ask what became of those who wait; which of them was served does not matter."""
    ended = [*queue_manager.outcomes().values()]
    got = [outcome.key for outcome in ended if isinstance(outcome, events.Got)]
    as_said = got == keys_of(thing) and len(ended) == (len(queue_manager.operations) if rest == "got nothing" else 1)
    judge(
        queue_manager,
        f"one reader has {thing}, the others {rest}",
        answers_text(ended) or "all still wait",
        holds=as_said,
    )


@then(rf"the readers have got (?P<things>{THINGS}), one each")
def each_has(queue_manager: QueueManagerScene, things: str) -> None:
    """Ask what became of those who wait; who got what does not matter."""
    ended = [*queue_manager.outcomes().values()]
    got = sorted(outcome.key for outcome in ended if isinstance(outcome, events.Got))
    judge(
        queue_manager,
        f"the readers have {things}",
        answers_text(ended) or "all still wait",
        holds=got == keys_of(things),
    )


@then(r"the (?:last )?(?P<what>send|sends|creation|change|start) (?P<how>failed|succeeded)")
def ended_so(queue_manager: QueueManagerScene, what: str, how: str) -> None:
    kinds: dict[str, type[events.Event]] = {
        "creation": events.CreateQueue,
        "change": events.SetQueue,
        "start": events.Start,
    }
    answers = [
        exchange.answer
        for exchange in queue_manager.history
        if isinstance(exchange.event, kinds.get(what, events.Send))
    ]
    answers = answers if what == "sends" else answers[-1:]
    as_said = [isinstance(answer, events.Failed) == (how == "failed") for answer in answers]
    judge(
        queue_manager, f"the {what} {how}", answers_text(answers) or f"no {what}", holds=all(as_said) and bool(as_said)
    )


@then(r"(?P<transaction>t\d+) (?P<how>has committed|has not committed)")
def has_committed(queue_manager: QueueManagerScene, transaction: str, how: str) -> None:
    number = queue_manager.number_of(transaction)
    ends = [
        exchange
        for exchange in queue_manager.history
        if isinstance(exchange.event, events.End) and exchange.event.transaction == number
    ]
    committed = any(isinstance(exchange.answer, events.Committed) and exchange.answer.committed for exchange in ends)
    observed = answers_text([exchange.answer for exchange in ends]) or "it did not end"
    judge(queue_manager, f"{transaction} {how}", observed, holds=committed == (how == "has committed"))


@then(r"the counts are (?P<numbers>\d+(?:, \d+)*)")
def numbers_told(queue_manager: QueueManagerScene, numbers: str) -> None:
    counted = [
        str(exchange.answer.messages)
        for exchange in queue_manager.history
        if isinstance(exchange.answer, events.Counted)
    ]
    judge(queue_manager, numbers, ", ".join(counted) or "none", holds=counted == numbers.split(", "))


@then(r"(?P<queue>\w+) is shown as transactional with room for (?P<room>\d+) messages")
def properties_shown(queue_manager: QueueManagerScene, queue: str, room: str) -> None:
    """Judge what is shown of a queue; what is not shown is not judged."""
    answer = queue_manager.ask("queue_properties", {"machine": MACHINE, "queue": queue})
    expected = {"transactional": True, "room": int(room), "room_unit": "messages"}
    shown = {name: value for name, value in answer.get("properties", {}).items() if name in expected}
    holds = "failed" not in answer and all(value == expected[name] for name, value in shown.items())
    judgement = queue_manager.judge.says(holds, f"transactional, room for {room} messages", str(shown))
    queue_manager.witness(judgement)


@then(r"the states shown are (?P<states>\w+(?:, \w+)*)")
def states_shown(queue_manager: QueueManagerScene, states: str) -> None:
    observed = [
        exchange.answer.state.value for exchange in queue_manager.history if isinstance(exchange.answer, events.Shown)
    ]
    judge(queue_manager, states, ", ".join(observed) or "none", holds=observed == states.split(", "))


@then(r"the mode shown is (?P<mode>\w+)")
def mode_shown(queue_manager: QueueManagerScene, mode: str) -> None:
    """Judge the mode that the queue manager reported.

    Raises:
        Unsupported: it reported none.
    """
    modes = [exchange.answer.mode for exchange in queue_manager.history if isinstance(exchange.answer, events.Shown)]
    if None in modes:
        raise Unsupported("queue_manager.state: does not show the mode")
    judge(queue_manager, mode, ", ".join(filter(None, modes)), holds=modes == [mode])


@then(r"the answer to (?P<question>m\d+) names it")
def answer_names(queue_manager: QueueManagerScene, question: str) -> None:
    answers = [exchange.answer for exchange in queue_manager.history if isinstance(exchange.answer, events.Got)]
    named = [str(answer.correlation) for answer in answers if answer.correlation is not None]
    expected = f"an answer to {question}"
    judge(queue_manager, expected, f"answers to {', '.join(named) or 'nothing'}", holds=named == [question])
