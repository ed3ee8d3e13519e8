"""A send that fails: the server opens its socket anew, or stops where it cannot (MS-MQSD 3.2.5)."""

from pytest_bdd import then, when

from mqconform.harness.judge.mqsd_server.requests import fresh_request, send_one
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.judge.mqsd_server.witnessing import silence, witness


@when("the next send meets a network error")
def next_send_fails(scene: Scene) -> None:
    """Make the server's next send fail while it answers a request (3.2.5)."""
    send_one(scene, scene.draft())
    scene.sockets_before = _sockets_opened(scene)
    scene.target.call("discovery_server.fail_next_send", {})
    scene.send(scene.draft().octets(), expected=0)


@when("the next send meets a network error and the socket cannot be opened")
def next_send_and_open_fail(scene: Scene) -> None:
    """Make the server's next send and its next opening of a socket fail (3.2.5)."""
    send_one(scene, scene.draft())
    scene.target.call("discovery_server.fail_next_send", {})
    scene.target.call("discovery_server.fail_next_open", {})
    scene.send(scene.draft().octets(), expected=0)


@then("the server has opened its socket once more")
def socket_reopened(scene: Scene) -> None:
    """Judge the number of sockets that the server says it has opened (3.2.5)."""
    before, after = scene.sockets_before, _sockets_opened(scene)
    expected, observed = f"{before + 1} sockets opened", f"{after} sockets opened"
    _after_failed_send(scene, expected, observed, holds=after == before + 1)


@then("the server listens")
def server_listens(scene: Scene) -> None:
    """Judge what the server says of its state (3.2.5)."""
    listens = _listens(scene)
    _after_failed_send(scene, "it listens", _state_text(listens=listens), holds=listens)


@then("the server does not listen")
def server_does_not_listen(scene: Scene) -> None:
    """Judge that the server has stopped (3.2.5)."""
    listens = _listens(scene)
    _after_failed_send(scene, "it does not listen", _state_text(listens=listens), holds=not listens)


@then("a later request is answered")
def later_request_is_answered(scene: Scene) -> None:
    """Send a right request after the failed send and judge that it is answered (3.2.5)."""
    answers = scene.send(fresh_request(scene), expected=1)
    observed = "answered" if answers.replies else "silence"
    _after_failed_send(scene, "a reply", observed, holds=bool(answers.replies))


def _after_failed_send(scene: Scene, expected: str, observed: str, *, holds: bool) -> None:
    """Judge what follows a failed send; a server that answered nothing before has sent nothing that could fail."""
    usual = scene.asked[0]
    if usual.replies:
        witness(scene, None, scene.judge.says(holds, expected, observed))
        return
    witness(scene, None, scene.judge.undecided(expected, f"{observed}, but it never sends"), usual.requests[0])
    silence(scene, usual.requests[0])


def _sockets_opened(scene: Scene) -> int:
    """Return how many sockets the server has opened so far."""
    return int(scene.target.call("discovery_server.state", {})["sockets_opened"])


def _listens(scene: Scene) -> bool:
    return bool(scene.target.call("discovery_server.state", {})["listening"])


def _state_text(*, listens: bool) -> str:
    return "it listens" if listens else "it does not listen"
