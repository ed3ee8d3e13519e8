"""Cases of queue managers that wait by the real clock share one machine, and are judged as if each had it alone."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from long_tier import long

from mqconform.harness.cli import run_command
from mqconform.harness.iut.conversation import Conversation
from mqconform.harness.iut.drivers.queue_manager.recording import Recording, Replay
from mqconform.harness.iut.drivers.queue_manager.shared_machine import Mixed, Part, SharedMachine
from mqconform.harness.iut.drivers.queue_manager.turns import Play, take_turns
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.protocol import check_params, check_result
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.run import waiting_cases

DIRECT: Json = {"direct": {"machine": "oslo", "queue": "inbox"}}
DEAD: Json = {"system": "dead_letter", "machine": "oslo"}


def test_while_one_waits_the_others_go_on_and_of_a_lane_one_at_a_time() -> None:
    log: list[str] = []
    plays: list[Play] = []

    def add(name: str, lane: str = "") -> None:
        def does() -> None:
            log.append(f"{name} begins")
            plays[place].wait(0.3)
            log.append(f"{name} ends")

        place = len(plays)
        plays.append(Play(does, lane))

    for name, lane in (("a", "narrow"), ("b", "narrow"), ("c", ""), ("d", "")):
        add(name, lane)
    seen: list[tuple[int, int]] = []
    take_turns(plays, lambda over, of: seen.append((over, of)))
    assert log.index("c begins") < log.index("a ends") < log.index("b begins")
    assert log.index("d begins") < log.index("c ends")
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert not any(one.problem for one in plays)


def test_what_a_play_raises_ends_it_and_nothing_else() -> None:
    def breaks() -> None:
        raise ValueError("no")

    log: list[str] = []
    broken, other = Play(breaks), Play(lambda: log.append("other"))
    take_turns([broken, other])
    assert isinstance(broken.problem, ValueError)
    assert log == ["other"]


class Shared:
    """The reference, used by several cases."""

    def __init__(self) -> None:
        self.part, self.asked = ReferenceQueueManager(), list[str]()
        self.machine = SharedMachine(self.call, ticks=False)

    def call(self, operation: str, params: Json, conversation: Conversation) -> Json:  # noqa: ARG002
        self.asked.append(operation)
        check_params(f"queue_manager.{operation}", params)
        return check_result(f"queue_manager.{operation}", getattr(self.part, operation)(**params))

    def case(self) -> "Driver":
        return Driver(self.machine.part(Conversation()))


class Driver:
    """A case with its queue."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self("configure", machines=[{"name": "oslo", "mode": "workgroup"}])
        self("create_queue", machine="oslo", queue="inbox", properties={})
        self.send, self.inbox, self.dead = (
            self("open", machine="oslo", address=address, access=access)["handle"]
            for address, access in ((DIRECT, "send"), (DIRECT, "receive"), (DEAD, "receive"))
        )

    def __call__(self, operation: str, **params: Any) -> Json:
        return self.part.call(operation, params)

    def sends(self, message: str, **wishes: Any) -> None:
        assert "id" in self("send", handle=self.send, message=message, assurance="express", **wishes)

    def dies(self, *messages: str) -> None:
        """Send messages that become dead letters."""
        for message in messages:
            self.sends(message, time_to_be_received=1, dead_letter=True)
        self("advance_clock", seconds=2)

    def got(self, operation: str = "receive", **asked: Any) -> object:
        answer = self(operation, **({"handle": self.inbox} | asked))
        return answer["message"]["message"] if "message" in answer else "nothing"


def test_the_queues_and_messages_of_a_case_are_its_own() -> None:
    shared = Shared()
    one, two = shared.case(), shared.case()
    one.sends("m1", response_queue=DIRECT)
    assert two.got() == "nothing"
    two.sends("m1")
    answer = one("receive", handle=one.inbox)["message"]
    assert (answer["message"], answer["response_queue"]) == ("m1", DIRECT)
    assert (one.got(), two.got()) == ("nothing", "m1")
    assert shared.asked.count("configure") == 1


def test_who_is_told_of_anothers_wait_keeps_it_for_that_one() -> None:
    shared = Shared()
    one, two = shared.case(), shared.case()
    waits = one("receive", handle=one.inbox, wait=30)["pending"]
    one.sends("m1")
    assert two("outcomes") == {"outcomes": []}
    (ended,) = one("outcomes")["outcomes"]
    assert (ended["operation"], ended["message"]["message"]) == (waits, "m1")
    assert one("outcomes") == {"outcomes": []}


def test_a_dead_letter_of_another_is_kept_for_it() -> None:
    shared = Shared()
    one, two = shared.case(), shared.case()
    one.dies("m1")
    two.dies("m2")
    assert two.got(handle=two.dead) == "m2"
    assert two.got(handle=two.dead) == "nothing"
    assert one.got(handle=one.dead) == "m1"
    assert one.got(handle=one.dead) == "nothing"
    assert not one.part.mixed
    assert not two.part.mixed


def test_of_several_dead_letters_that_another_took_the_order_is_not_known() -> None:
    shared = Shared()
    one, two = shared.case(), shared.case()
    one.dies("m1", "m2")
    assert two.got(handle=two.dead) == "nothing"
    assert (one.part.mixed, two.part.mixed) == (True, False)
    with pytest.raises(Mixed):
        one.got(handle=one.dead)


def test_nobody_looks_past_a_letter_of_another_nor_waits_for_his_own() -> None:
    shared = Shared()
    one, two = shared.case(), shared.case()
    one.dies("m1")
    with pytest.raises(Mixed):
        two.got("peek", handle=two.dead)
    three = shared.case()
    with pytest.raises(Mixed):
        three.got(handle=three.dead, wait=5)
    assert one.got("peek", handle=one.dead) == "m1"
    assert one.got(handle=one.dead) == "m1"


def test_a_letter_that_another_took_in_a_transaction_may_come_back() -> None:
    shared = Shared()
    one, two = shared.case(), shared.case()
    one.dies("m1")
    within = two("begin", machine="oslo", kind="internal")["transaction"]
    two.got(handle=two.dead, transaction=within)
    assert one.part.mixed


@pytest.mark.parametrize(
    ("operation", "params"),
    [
        ("stop", {"machine": "oslo"}),
        ("throttle", {"machine": "oslo", "on": True}),
        ("configure", {"machines": [{"name": "oslo", "mode": "workgroup"}], "coordinator": False}),
    ],
)
def test_what_concerns_the_whole_machine_reaches_no_shared_one(operation: str, params: Json) -> None:
    shared = Shared()
    one = shared.case()
    asked = len(shared.asked)
    with pytest.raises(Mixed):
        one(operation, **params)
    assert len(shared.asked) == asked


def test_a_message_in_the_queue_of_another_case_mixes_both() -> None:
    shared = Shared()
    one, two = shared.case(), shared.case()
    handle = shared.part.open("oslo", {"direct": {"machine": "oslo", "queue": "inbox-2"}}, "send")["handle"]
    shared.part.send(handle, "m1-1", "express")
    with pytest.raises(Mixed):
        two.got()
    assert one.part.mixed


@pytest.mark.parametrize("name", ["m1", "-", "m-", "m1-1234567", "m1-77", "m1-" + "9" * 9_000])
def test_a_message_that_nobody_sent_is_handed_out_as_it_is(name: str) -> None:
    shared = Shared()
    one = shared.case()
    handle = shared.part.open("oslo", {"direct": {"machine": "oslo", "queue": "inbox-1"}}, "send")["handle"]
    shared.part.send(handle, name, "express")
    try:
        assert one.got() == name
    except Mixed:
        assert name == "m1-77"


def test_a_virtual_clock_is_told_what_time_has_passed_for_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = Shared()
    shared.machine.ticks = True
    now = 0
    monkeypatch.setattr("mqconform.harness.iut.drivers.queue_manager.shared_machine.time.monotonic_ns", lambda: now)
    one, two = shared.case(), shared.case()
    now = 4_000_000_000
    one.sends("m1", time_to_be_received=2)
    one("advance_clock", seconds=4)
    assert two("advance_clock", seconds=4) == {}
    assert one.got("peek") == "m1"
    now = 7_000_000_000
    assert one.got() == "nothing"


def test_a_replay_tells_what_was_told_and_takes_no_other_call() -> None:
    recording = Recording()
    at = recording.now()
    recording.note("purge", {"queue": "inbox"}, {"failed": {}})
    replay = Replay(recording)
    assert replay.now() == at
    with pytest.raises(AssertionError, match="purge"):
        replay.call("receive", {"handle": 1})
    assert Replay(recording).call("purge", {"queue": "inbox"}) == {"failed": {}}


IUT = """
from mqconform.harness.iut.all_roles import MutantIut, ReferenceIut
from mqconform.harness.iut.roles import all_mutants
RESETS = []
class Right(ReferenceIut):
    def call(self, method, params):
        RESETS.append(method) if method == "reset" else None
        return super().call(method, params)
class Breaks(Right):
    def call(self, method, params):
        if params.get("time_to_be_received") == 4:
            raise RuntimeError("it broke")
        return super().call(method, params)
def late():
    return MutantIut(all_mutants()["queue-expires-late"])
"""
WAITING = "a-wait-ends-in-its-time or a-message-whose-time-is-not-up or a-second-after-its-time"
NOT_UP_IN_A_TRANSACTION = "mqso/4_3_1_2_transactions/a-transactional-message-whose-time-is-not-up-is-there"
NOT_UP = "mqso/5_1_1_3_messages/a-message-whose-time-is-not-up-is-there"
LATE = "mqso/5_1_1_3_messages/a-second-after-its-time-it-is-gone/express"


class Ran:
    """A run with the real clock: exit code, records, and verdicts of the cases that were judged, by their ids."""

    def __init__(self, target: str, out: Path, *options: str) -> None:
        asked = ["run", "--iut", target, "--no-probe", "--clock", "real", "--req", "MQSO", "--out", str(out), *options]
        self.code = run_command(asked)
        lines = (out / "results.ndjson").read_text("ascii").splitlines()[1:]
        self.records: list[dict[str, Any]] = [json.loads(line) for line in lines]
        cases = [one for one in self.records if one["record"] == "case" and not one.get("excused")]
        self.verdicts = {one["id"]: one["verdict"] for one in cases}
        witnesses = [one for one in self.records if one["record"] == "witness" and one["verdict"] == "fail"]
        self.convictions = {(one["case"], one["requirement"]) for one in witnesses}


def test_cases_that_wait_need_the_machine_once(module: Callable[[str], str], tmp_path: Path) -> None:
    name = module(IUT)
    ran = Ran(f"api:{name}:Right", tmp_path / "out", "-k", WAITING)
    assert (ran.code, {*ran.verdicts.values()}, len(ran.verdicts)) == (0, {"pass"}, 5)
    assert len(sys.modules[name].RESETS) < len(ran.verdicts)  # more than once where the machine is very busy


def test_who_is_late_is_convicted_with_its_calls_as_evidence(module: Callable[[str], str], tmp_path: Path) -> None:
    ran = Ran(f"api:{module(IUT)}:late", tmp_path / "out", "-k", WAITING)
    assert (ran.code, ran.verdicts[LATE], ran.verdicts[NOT_UP]) == (1, "fail", "pass")
    (case,) = (one for one in ran.records if one.get("id") == LATE)
    assert "4." in str(case["timeline"])
    (calls,) = (tmp_path / "out" / "bundles").glob("*express*/calls.ndjson")
    assert "queue_manager.receive" in calls.read_text()


def test_what_breaks_it_side_by_side_is_found_again_alone(module: Callable[[str], str], tmp_path: Path) -> None:
    ran = Ran(f"api:{module(IUT)}:Breaks", tmp_path / "out", "-k", "time-is-not-up-is-there")
    assert ran.verdicts == {NOT_UP: "fail", NOT_UP_IN_A_TRANSACTION: "fail"}
    assert "it broke" in str([one for one in ran.records if one.get("id") == NOT_UP])


@long
@pytest.mark.parametrize("fault", ["", "expires-late", "dead-letters-in-one-queue", "timer-from-commit"])
def test_side_by_side_the_verdicts_are_those_of_one_by_one(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    iut = f"mutant:queue-{fault}" if fault else "ref:"
    serve = f"from mqconform.harness.cli import main; main(['serve', 'stdio', '--iut', '{iut}'])"
    target = f"stdio:{shlex.join([sys.executable, '-c', serve])}"
    beside = Ran(target, tmp_path / "beside")
    monkeypatch.setattr(waiting_cases, "waits_beside_others", lambda _: False)
    alone = Ran(target, tmp_path / "alone")
    assert len(alone.verdicts) > 50
    assert beside.verdicts == alone.verdicts
    assert beside.code == alone.code
    assert beside.convictions == alone.convictions
