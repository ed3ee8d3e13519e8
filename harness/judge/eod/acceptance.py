"""Which messages a receiver accepts, and which number it acknowledges (page, sections 2 and 4; MS-MQQB 3.1.5.8.6)."""

from pytest_bdd import parsers, then

from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.eod.receiver_models import Answer, Choice
from mqconform.harness.judge.eod.receiving import IncomingScene
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.witness import Judgement


@then(parsers.re(r"the message is (?P<verdict>accepted|rejected)"))
def message_is(incoming: IncomingScene, verdict: str) -> None:
    """Judge what became of the last message."""
    _judge_as(incoming, incoming.answers[-1], {"accepted": verdict == "accepted"})


@then(parsers.re(r"each of the messages is (?P<verdict>accepted|rejected)"))
def each_message_is(incoming: IncomingScene, verdict: str) -> None:
    """Judge what became of each message of the last When."""
    for answer in incoming.answers:
        _judge_as(incoming, answer, {"accepted": verdict == "accepted"})


@then(parsers.re(r"an order acknowledgment of stream (?P<stream>\w+) carries (?P<number>\d+)"))
def order_ack_carries(incoming: IncomingScene, stream: str, number: str) -> None:
    """Judge what an acknowledgment would carry now."""
    answer = incoming.ask("order_ack", {"stream": stream}, f"an order acknowledgment of stream {stream}")
    _judge_as(incoming, answer, {"sequence": int(number)})


def judge_answer(judge: Judge, answer: Answer) -> Judgement:
    """Judge one answer: the model's own, one that a reading explains, or a wrong one."""
    expected, observed = (f"{answer.what}: {_in_words(result)}" for result in (answer.expected, answer.seen))
    if answer.seen == answer.expected and not answer.astray:
        for other in answer.telling:
            return judge.reading(*_register_entry(other.instead), expected, observed)
        return judge.says(True, expected, observed)
    for other in answer.fitting:
        return judge.reading(*_register_entry(other.follows), expected, observed)
    if answer.astray:
        return judge.undecided(expected, f"{observed}; what went before was not answered as it should be")
    return judge.says(False, expected, observed)


def _judge_as(incoming: IncomingScene, answer: Answer, expected: dict[str, object]) -> None:
    """Judge an answer; the words of the feature have to be what the model says."""
    disagreement = f"the feature disagrees with the model about {answer.what}"
    assert answer.expected == expected, f"{disagreement}: {expected} against {answer.expected}"
    incoming.witness(judge_answer(incoming.judge, answer))


def _register_entry(choice: Choice) -> tuple[str, str]:
    return choice.reading.register, choice.reading.name


def _in_words(answer: Json) -> str:
    match answer:
        case {"accepted": bool(accepted)}:
            return "accepted" if accepted else "rejected"
        case {"sequence": number}:
            return f"carries {number}"
    return "done"
