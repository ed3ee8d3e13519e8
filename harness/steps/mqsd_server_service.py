"""Thens of the discovery-server features about the service: who is answered, how often, and whether it goes on."""

from mqconform.harness.iut import DatagramCarrier
from mqconform.harness.oracle import service_checks as service
from mqconform.harness.steps.judging import expectation, pick, silence, witness
from mqconform.harness.steps.mqsd_server_when import fresh_request
from mqconform.harness.steps.scene import Scene
from pytest_bdd import parsers, then


@then("exactly one reply comes back")
@then("each request is answered once")
@then("each client gets the replies to its own requests")
def answered_once(scene: Scene) -> None:
    """Judge how often the requests since the Given were answered."""
    for answers in scene.asked:
        judgement = service.answered_once(scene.judge, answers)
        request = answers.requests[0]
        witness(scene, "answered_once", judgement, request, pick(answers.replies, request))
        if not answers.replies:
            silence(scene, request)


@then("each arrival is answered")
def each_arrival_answered(scene: Scene) -> None:
    """Judge that a duplicated request is answered each time."""
    judgement = service.each_arrival_answered(scene.judge, scene.answers)
    witness(scene, "each_arrival_answered", judgement, scene.answers.requests[0])


@then("the server still answers")
def still_answers(scene: Scene) -> None:
    """Send a right request and judge that it is answered."""
    answers = scene.send(fresh_request(scene), expected=1)
    reply = answers.replies[0] if answers.replies else None
    judgement = service.still_answers(scene.judge, answers)
    witness(scene, "still_answers", judgement, answers.requests[0], reply)


@then("what comes back to a malformed datagram is allowed")
def allowed_for_malformed(scene: Scene) -> None:
    """Judge silence or a well-formed reply, whichever the server chose."""
    for answers in scene.asked:
        reply = answers.replies[0] if answers.replies else None
        witness(
            scene,
            "allowed_for_malformed",
            service.allowed_for_malformed(scene.judge, answers),
            answers.requests[0],
            reply,
        )


@then("the server treats it as no request")
def treated_as_no_request(scene: Scene) -> None:
    """Judge what came back to another Type."""
    answers = scene.answers
    reply = answers.replies[0] if answers.replies else None
    witness(
        scene, "treated_as_no_request", service.treated_as_no_request(scene.judge, answers), answers.requests[0], reply
    )


@then(parsers.parse("the server does one of the things that {entry} allows"))
def allowed_by_entry(scene: Scene, entry: str) -> None:
    """Judge by the readings of one register entry."""
    answers = scene.answers
    request = answers.requests[0]
    judgement = service.allowed_by_entry(scene.judge, entry, answers.replies, expectation(scene, request))
    witness(scene, "allowed_by_entry", judgement, request, pick(answers.replies, request))


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


@then(parsers.re("the reply has the octets of the (?P<which>first|second) example reply"))
def octets_of_the_example(scene: Scene, which: str) -> None:
    """Judge the reply octet by octet against MS-MQSD 4, flags and order included as there is one name only."""
    request = scene.answers.requests[0]
    reply = pick(scene.answers.replies, request)
    wanted = EXAMPLE_REPLIES[which]
    if reply is None:
        witness(scene, "octets_of_the_example", scene.judge.undecided(wanted.hex(), "no reply"), request)
        silence(scene, request)
        return
    judgement = service.example_reply(scene.judge, wanted, reply)
    witness(scene, "octets_of_the_example", judgement, request, reply)


EXAMPLE_REPLIES = {
    "first": bytes.fromhex(
        "0002000003a191f23ce34faba930be3a33e432dd01000000000000000000000062baeae6c6d1db11baac0003ff4e2d22"
    ),
    "second": bytes.fromhex(
        "0002000003a191f23ce34faba930be3a33e432dd010000000000000012000000"
        "62baeae6c6d1db11baac0003ff4e2d2260baeae6c6d1db11baac0003ff4e2d22"
        "310030006e0074003400700065006300"
        "0000"
    ),
}


@then("the server has opened its socket once more")
def socket_reopened(scene: Scene) -> None:
    """Judge the number of sockets that the server says it has opened (3.2.5)."""
    before, after = scene.sockets_before, scene.sockets_opened()
    judgement = scene.judge.says(after == before + 1, f"{before + 1} sockets opened", f"{after} sockets opened")
    witness(scene, "socket_reopened", judgement)


@then("the server listens")
def server_listens(scene: Scene) -> None:
    """Judge what the server says of its state (3.2.5)."""
    listening = bool(scene.target.call("discovery_server.state", {})["listening"])
    said = "it listens" if listening else "it does not listen"
    witness(scene, "server_listens", scene.judge.says(listening, "it listens", said))


@then("the server does not listen")
def server_does_not_listen(scene: Scene) -> None:
    """Judge that the server has stopped (3.2.5)."""
    listening = bool(scene.target.call("discovery_server.state", {})["listening"])
    said = "it listens" if listening else "it does not listen"
    witness(scene, "server_does_not_listen", scene.judge.says(not listening, "it does not listen", said))
