"""A send that fails: the server closes its socket, opens another and listens, or stops where it cannot (MS-MQSD 3.2.5).

The text gives neither a number of sockets nor a time. What counts is that a later request is answered, while a client
would still wait; how many sockets were opened since, and after how many attempts, is the server's choice.
"""

from pytest_bdd import parsers

from mqconform.harness.judge.mqsd_server.requests import fresh_request, send_one
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.judge.mqsd_server.witnessing import silence, witness
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then, when


@when("the next send meets a network error")
def next_send_fails(scene: Scene) -> None:
    """Make the server's next send fail while it answers a request (3.2.5)."""
    send_one(scene, scene.draft())
    scene.sockets_before = _sockets_opened(scene)
    scene.target.call("discovery_server.fail_next_send", {})
    scene.send(scene.draft().octets(), expected=0)


@when(parsers.parse("{n:d} sends meet a network error, each after the server answers again"))
def sends_fail(scene: Scene, n: int) -> None:
    """Make one send after the other fail; a server that answers no more is left as it is."""
    next_send_fails(scene)
    for _ in range(n - 1):
        scene.ask_until_answered(lambda: fresh_request(scene))
        if not scene.answers.replies:
            return
        next_send_fails(scene)


@when("the next send meets a network error and the socket cannot be opened")
def next_send_and_open_fail(scene: Scene) -> None:
    """Make the server's next send and its next opening of a socket fail (3.2.5)."""
    send_one(scene, scene.draft())
    scene.sockets_before = _sockets_opened(scene)
    scene.target.call("discovery_server.fail_next_send", {})
    scene.target.call("discovery_server.fail_next_open", {})
    scene.send(scene.draft().octets(), expected=0)


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
    usual = scene.asked[0]
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
