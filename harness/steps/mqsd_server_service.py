"""Thens of the discovery-server features about the service: who is answered, how often, and whether it goes on."""

from pytest_bdd import parsers, then

from mqconform.harness.iut import Datagram, DatagramCarrier
from mqconform.harness.mqsd.port import Answers
from mqconform.harness.oracle import open_choices as choices
from mqconform.harness.oracle import service_checks as service
from mqconform.harness.steps.judging import expectation, pick, silence, witness
from mqconform.harness.steps.mqsd_server_when import fresh_request
from mqconform.harness.steps.scene import Scene


@then("exactly one reply comes back")
def answered_once(scene: Scene) -> None:
    """Judge how often the last request was answered."""
    request = scene.answers.requests[0]
    reply = pick(scene.answers.replies, request)
    witness(scene, "answered_once", service.answered_once(scene.judge, scene.answers), request, reply)


@then("each request is answered")
def served_each_time(scene: Scene) -> None:
    """Judge that all requests since the Given were answered."""
    witness(scene, "served_each_time", service.served_each_time(scene.judge, scene.asked), scene.sent)
    for answers in scene.asked:
        if len(answers.replies) < len(answers.requests):
            silence(scene, answers.requests[0])


@then("each arrival is answered")
def each_arrival_answered(scene: Scene) -> None:
    """Judge that a duplicated request is answered each time."""
    judgement = service.each_arrival_answered(scene.judge, scene.answers)
    witness(scene, "each_arrival_answered", judgement, scene.answers.requests[0])


@then("the server still answers")
def still_answers(scene: Scene) -> None:
    """Send a right request and judge that it is answered."""
    answers = scene.send(fresh_request(scene), expected=1)
    witness(
        scene, "still_answers", service.still_answers(scene.judge, answers), answers.requests[0], _first_of(answers)
    )


@then("what comes back to a malformed datagram is allowed")
def allowed_for_malformed(scene: Scene) -> None:
    """Judge silence or a well-formed reply, whichever the server chose."""
    answers = scene.answers
    judgement = choices.allowed_for_malformed(scene.judge, answers)
    witness(scene, "allowed_for_malformed", judgement, answers.requests[0], _first_of(answers))


@then("the server takes it for a request")
def treated_as_request(scene: Scene) -> None:
    """Judge that packets of Type 1 are answered."""
    witness(scene, "treated_as_request", service.treated_as_request(scene.judge, scene.asked), scene.sent)
    for answers in scene.asked:
        if not answers.replies:
            silence(scene, answers.requests[0])


@then("the server treats it as no request")
def treated_as_no_request(scene: Scene) -> None:
    """Judge what came back to another Type."""
    answers = scene.answers
    judgement = service.treated_as_no_request(scene.judge, answers)
    witness(scene, "treated_as_no_request", judgement, answers.requests[0], _first_of(answers))


@then(parsers.parse("the server does one of the things that {entry} allows"))
def allowed_by_entry(scene: Scene, entry: str) -> None:
    """Judge by the readings of one register entry."""
    answers = scene.answers
    request = answers.requests[0]
    judgement = choices.allowed_by_entry(scene.judge, entry, answers.replies, expectation(scene, request))
    witness(scene, "allowed_by_entry", judgement, request, pick(answers.replies, request))


@then("the server is heard on its port")
def heard_over_udp(scene: Scene) -> None:
    """Judge that any of the requests was answered over UDP."""
    witness(scene, "heard_over_udp", service.heard_over_udp(scene.judge, scene.asked), scene.sent)
    for answers in scene.asked:
        if not answers.replies:
            silence(scene, answers.requests[0])


@then("one datagram holds the reply")
def one_datagram_holds_the_reply(scene: Scene) -> None:
    """Judge that the reply is not spread over several datagrams."""
    answers = scene.answers
    judgement = service.one_datagram_holds_the_reply(scene.judge, answers)
    witness(scene, "one_datagram_holds_the_reply", judgement, answers.requests[0], _first_of(answers))


@then("the reply comes from the host that was asked")
def comes_from_the_host(scene: Scene) -> None:
    """Judge the source of the reply."""
    assert isinstance(scene.target, DatagramCarrier)
    request = scene.answers.requests[0]
    reply = pick(scene.answers.replies, request)
    asked = scene.target.description.name.removeprefix("udp ")
    if reply is None:
        witness(scene, "comes_from_the_host", scene.judge.undecided(f"a reply from {asked}", "no reply"), request)
        silence(scene, request)
        return
    witness(scene, "comes_from_the_host", service.comes_from_the_host(scene.judge, reply, asked), request, reply)


@then("each client gets the replies to its own requests")
def each_client_gets_its_own(scene: Scene) -> None:
    """Judge what the two clients heard, who took turns."""
    judgement = service.each_client_gets_its_own(scene.judge, scene.asked, clients=2)
    witness(scene, "each_client_gets_its_own", judgement, scene.sent)
    for answers in scene.asked:
        if not answers.replies:
            silence(scene, answers.requests[0])


@then("the server has opened its socket once more")
def socket_reopened(scene: Scene) -> None:
    """Judge the number of sockets that the server says it has opened (3.2.5)."""
    before, after = scene.sockets_before, scene.sockets_opened()
    expected, observed = f"{before + 1} sockets opened", f"{after} sockets opened"
    _after_failed_send(scene, "socket_reopened", expected, observed, holds=after == before + 1)


@then("the server listens")
def server_listens(scene: Scene) -> None:
    """Judge what the server says of its state (3.2.5)."""
    listening = bool(scene.target.call("discovery_server.state", {})["listening"])
    said = "it listens" if listening else "it does not listen"
    _after_failed_send(scene, "server_listens", "it listens", said, holds=listening)


@then("the server does not listen")
def server_does_not_listen(scene: Scene) -> None:
    """Judge that the server has stopped (3.2.5)."""
    listening = bool(scene.target.call("discovery_server.state", {})["listening"])
    said = "it listens" if listening else "it does not listen"
    _after_failed_send(scene, "server_does_not_listen", "it does not listen", said, holds=not listening)


@then("a later request is answered")
def later_request_is_answered(scene: Scene) -> None:
    """Send a right request after the failed send and judge that it is answered (3.2.5)."""
    answers = scene.send(fresh_request(scene), expected=1)
    observed = "answered" if answers.replies else "silence"
    _after_failed_send(scene, "later_request_is_answered", "a reply", observed, holds=bool(answers.replies))


def _after_failed_send(scene: Scene, check: str, expected: str, observed: str, *, holds: bool) -> None:
    """Judge what follows a failed send; a server that answered nothing before has sent nothing that could fail."""
    usual = scene.asked[0]
    if usual.replies:
        witness(scene, check, scene.judge.says(holds, expected, observed))
        return
    witness(scene, check, scene.judge.undecided(expected, f"{observed}, but it never sends"), usual.requests[0])
    silence(scene, usual.requests[0])


def _first_of(answers: Answers) -> Datagram | None:
    return answers.replies[0] if answers.replies else None
