"""The service: who is answered, how often, and whether the server goes on, also after a send that fails (2.2.1, 3.2.5).

After a failed send the server closes its socket, opens another and listens, or stops where it cannot. The text gives
neither a number of sockets nor a time. What counts is that a later request is answered, while a client would still
wait; how many sockets were opened since, and after how many attempts, is the server's choice.
"""

from collections.abc import Sequence

from mqconform.harness.iut.drivers.discovery_server.port import Answers
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.marks import bears_on
from mqconform.harness.judge.mqsd_server.reply_view import CORRELATION_ID, REQUEST_ID, span
from mqconform.harness.judge.mqsd_server.requests import fresh_request, send_one
from mqconform.harness.judge.mqsd_server.scene import (
    Scene,
    first_reply,
    pick,
    silence,
    then_answers,
    then_exchanges,
    witness,
)
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then, when
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
    witness(scene, served_each_time, served_each_time(scene.judge, scene.exchanges), scene.sent)
    for answers in scene.exchanges:
        if len(answers.replies) < len(answers.requests):
            silence(scene, answers.requests[0])


def each_arrival_answered(judge: Judge, answers: Answers) -> Judgement:
    """Judge that a request that arrives several times is answered each time (3.2.5.1, register SD-36)."""
    arrivals, replies = len(answers.requests), len(answers.replies)
    expected, observed = f"{arrivals} replies, one to each arrival", f"{replies} replies"
    if replies == arrivals:
        return judge.reading("SD-36", "each-answered", expected, observed)
    # A server keeps no memory of requests; one that does still answers (3.2.1.2; SD-36).
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
    answers = scene.send(fresh_request(scene), expected=1)
    witness(scene, still_answers, still_answers(scene.judge, answers), answers.requests[0], first_reply(answers))


@then_exchanges("the server takes it for a request")
def taken_for_a_request(judge: Judge, exchanges: Sequence[Answers]) -> Judgement:
    """Judge that packets of Type 1 are taken for requests: at least one of them is answered (2.2.1)."""
    answered = any(answers.replies for answers in exchanges)
    return judge.says(answered, "a reply to Type 1", "a reply" if answered else "silence")


@then_answers("the server treats it as no request")
def taken_for_no_request(judge: Judge, answers: Answers) -> Judgement:
    """Judge what came back to a packet of another Type (register SD-12)."""
    kind = answers.requests[-1][1]
    expected = f"silence to Type {kind}"
    if answers.replies:
        return judge.reading("SD-12", "answers-other-type", expected, "a reply", situation=f"Type {kind}")
    return judge.reading("SD-12", "silent-to-other-type", expected, "silence", situation=f"Type {kind}")


@when(r"the next send meets a network error(?P<for_good> and the socket cannot be opened)?")
def next_send_fails(scene: Scene, for_good: str | None = None) -> None:
    """Make the server's next send fail while it answers a request, and its next opening of a socket (3.2.5)."""
    send_one(scene, scene.draft())
    scene.sockets_before = _sockets_opened(scene)
    scene.target.call("discovery_server.fail_next_send", {})
    if for_good:
        scene.target.call("discovery_server.fail_next_open", {})
    scene.send(scene.draft().octets(), expected=0)


@when("{n:d} sends meet a network error, each after the server answers again")
def sends_fail(scene: Scene, n: int) -> None:
    """Make one send after the other fail; a server that answers no more is left as it is."""
    next_send_fails(scene)
    for _ in range(n - 1):
        scene.ask_until_answered(lambda: fresh_request(scene))
        if not scene.answers.replies:
            return
        next_send_fails(scene)


@then("a later request is answered")
def later_request_is_answered(scene: Scene) -> None:
    """Ask until a request is answered, for as long as a client waits (3.2.5, register SD-35)."""
    asked = scene.ask_until_answered(lambda: fresh_request(scene))
    reading = "answers-a-later-request" if scene.answers.replies else "no-later-answer"
    observed = "answered" if scene.answers.replies else f"silence to {asked} requests"
    expected, situation = "a reply to a later request", "a later request"
    _after_failed_send(scene, scene.judge.reading("SD-35", reading, expected, observed, situation=situation))


@then("the server has opened another socket")
def socket_reopened(scene: Scene) -> None:
    """Judge the number of sockets that the server says it has opened: more than before (3.2.5)."""
    before, after = scene.sockets_before, _sockets_opened(scene)
    expected, observed = f"more than {before} sockets opened", f"{after} sockets opened"
    _after_failed_send(scene, scene.judge.says(after > before, expected, observed))


@then("the server listens")
def server_listens(scene: Scene) -> None:
    """Judge what the server says of its state (3.2.5)."""
    listens = _listens(scene)
    _after_failed_send(scene, scene.judge.says(listens, "it listens", _state_text(listens=listens)))


@then("the server does not listen")
def server_does_not_listen(scene: Scene) -> None:
    """Judge that the server has stopped; one that opened a socket at a later attempt could open it (3.2.5, SD-35)."""
    listens, expected = _listens(scene), "it does not listen"
    opened = _sockets_opened(scene) - scene.sockets_before
    judgement = scene.judge.says(not listens, expected, _state_text(listens=listens))
    if listens and opened > 0:
        observed = f"it listens on a new socket; {opened} opened after the failure"
        judgement = scene.judge.reading("SD-35", "opened-at-a-later-attempt", expected, observed, situation="opening")
    _after_failed_send(scene, judgement)


def _after_failed_send(scene: Scene, judgement: Judgement) -> None:
    """Record what follows a failed send; a server that answered nothing before has sent nothing that could fail."""
    usual = scene.exchanges[0]
    if usual.replies:
        witness(scene, None, judgement)
        return
    undecided = scene.judge.undecided(judgement.expected, f"{judgement.observed}, but it never sends")
    witness(scene, None, undecided, usual.requests[0])
    silence(scene, usual.requests[0])


def _sockets_opened(scene: Scene) -> int:
    """Return how many sockets the server has opened so far."""
    return int(scene.target.call("discovery_server.state", {})["sockets_opened"])


def _listens(scene: Scene) -> bool:
    return bool(scene.target.call("discovery_server.state", {})["listening"])


def _state_text(*, listens: bool) -> str:
    return "it listens" if listens else "it does not listen"
