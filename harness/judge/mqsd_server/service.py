"""The service: who is answered, how often, and whether the server goes on (MS-MQSD 2.2.1, 3.2.5)."""

from collections.abc import Sequence

from mqconform.harness.iut.drivers.discovery_server.port import Answers
from mqconform.harness.judge.bears_on import bears_on
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import CORRELATION_ID, REQUEST_ID, span
from mqconform.harness.judge.mqsd_server.requests import fresh_request
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.judge.mqsd_server.witnessing import first_reply, judge_all, pick, silence, witness
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then
from mqconform.reference.mqsd.messages import REPLY


@bears_on("MQSD-3.2.5-01")
def answered_once(judge: Judge, answers: Answers) -> Judgement:
    """Judge that each request got one reply and no more (3.2.5)."""
    requests, replies = len(answers.requests), len(answers.replies)
    expected = "one reply to each request" if requests > 1 else "one reply"
    if answers.overflow:
        return judge.says(False, expected, "a flood of datagrams")
    # A reply with a wrong id still is a reply; another check judges the id.
    return judge.says(replies == requests, expected, f"{replies} replies to {requests} requests")


@then("exactly one reply comes back")
def exactly_one_reply(scene: Scene) -> None:
    """Judge how often the last request was answered."""
    request = scene.answers.requests[0]
    reply = pick(scene.answers.replies, request)
    witness(scene, answered_once, answered_once(scene.judge, scene.answers), request, reply)


@bears_on("MQSD-3.2.5-02")
def served_each_time(judge: Judge, exchanges: Sequence[Answers]) -> Judgement:
    """Judge that the server goes on serving: no request is left unanswered where another was not (3.2.5)."""
    requests = sum(len(answers.requests) for answers in exchanges)
    answered = sum(min(len(answers.requests), len(answers.replies)) for answers in exchanges)
    expected, observed = f"{requests} requests answered", f"{answered} of {requests} requests answered"
    if not answered:
        return judge.undecided(expected, observed)
    return judge.says(answered == requests, expected, observed)


@then("each request is answered")
def each_request_is_answered(scene: Scene) -> None:
    """Judge that all requests since the Given were answered."""
    witness(scene, served_each_time, served_each_time(scene.judge, scene.asked), scene.sent)
    for answers in scene.asked:
        if len(answers.replies) < len(answers.requests):
            silence(scene, answers.requests[0])


def each_arrival_answered(judge: Judge, answers: Answers) -> Judgement:
    """Judge that a request that arrives several times is answered each time (3.2.5.1, register SD-36)."""
    arrivals, replies = len(answers.requests), len(answers.replies)
    expected, observed = f"{arrivals} replies, one to each arrival", f"{replies} replies"
    if replies == arrivals:
        return judge.reading("SD-36", "each-answered", expected, observed)
    if 0 < replies < arrivals:
        return judge.reading("SD-36", "answered-once", expected, observed)
    return judge.says(False, expected, observed)


@then("each arrival is answered")
def each_arrival_is_answered(scene: Scene) -> None:
    """Judge that a duplicated request is answered each time."""
    judgement = each_arrival_answered(scene.judge, scene.answers)
    witness(scene, each_arrival_answered, judgement, scene.answers.requests[0])


def ids_of_a_burst(judge: Judge, answers: Answers) -> Judgement:
    """Judge that replies to a burst carry the ids of its requests, none of them left out (3.2.5.1)."""
    request_ids = {request[REQUEST_ID] for request in answers.requests}
    correlation_ids = [reply.octets[CORRELATION_ID] for reply in answers.replies]
    strays, missing = set(correlation_ids) - request_ids, request_ids - set(correlation_ids)
    expected = f"the ids of {len(request_ids)} requests"
    observed = f"{len(correlation_ids)} replies, {len(missing)} ids missing, {len(strays)} ids of no request"
    if missing and not strays and len(correlation_ids) < len(request_ids):
        return judge.undecided(expected, observed)
    return judge.says(not missing and not strays, expected, observed, span(REPLY["CorrelationID"]))


@then("the replies carry the ids of their requests")
def replies_carry_ids(scene: Scene) -> None:
    """Judge the CorrelationID of each reply of a burst."""
    answers = scene.answers
    witness(scene, ids_of_a_burst, ids_of_a_burst(scene.judge, answers), answers.requests[0])
    if len(answers.replies) < len(answers.requests):
        silence(scene, answers.requests[0])


@bears_on("MQSD-3.2.5-02")
def still_answers(judge: Judge, answers: Answers) -> Judgement:
    """Judge that a right request is answered after all that went before (3.2.5)."""
    expected = "a reply to the next request"
    return judge.says(bool(answers.replies), expected, "answered" if answers.replies else "silence")


@then("the server still answers")
def server_still_answers(scene: Scene) -> None:
    """Send a right request and judge that it is answered."""
    answers = scene.send(fresh_request(scene), expected=1)
    witness(scene, still_answers, still_answers(scene.judge, answers), answers.requests[0], first_reply(answers))


def treated_as_request(judge: Judge, exchanges: Sequence[Answers]) -> Judgement:
    """Judge that packets of Type 1 are taken for requests: at least one of them is answered (2.2.1)."""
    answered = any(answers.replies for answers in exchanges)
    return judge.says(answered, "a reply to Type 1", "a reply" if answered else "silence")


@then("the server takes it for a request")
def taken_for_a_request(scene: Scene) -> None:
    """Judge that packets of Type 1 are answered."""
    judge_all(scene, treated_as_request)


def treated_as_no_request(judge: Judge, answers: Answers) -> Judgement:
    """Judge what came back to a packet of another Type (register SD-12)."""
    kind = answers.requests[-1][1]
    expected = f"silence to Type {kind}"
    if answers.replies:
        return judge.reading("SD-12", "answers-other-type", expected, "a reply", situation=f"Type {kind}")
    return judge.reading("SD-12", "silent-to-other-type", expected, "silence", situation=f"Type {kind}")


@then("the server treats it as no request")
def taken_for_no_request(scene: Scene) -> None:
    """Judge what came back to another Type."""
    answers = scene.answers
    judgement = treated_as_no_request(scene.judge, answers)
    witness(scene, treated_as_no_request, judgement, answers.requests[0], first_reply(answers))
