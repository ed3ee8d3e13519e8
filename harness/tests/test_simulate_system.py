"""``mqconform simulate --system``: schedules that break a promise are found, made small and played again."""

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mqconform.harness.cli import run_command
from mqconform.harness.cli.simulate import command
from mqconform.harness.iut.drivers.ordered_delivery.schedule import written
from mqconform.harness.iut.drivers.queue_managers import parse_schedule
from mqconform.harness.iut.interface import ConfigurationError, Json
from mqconform.harness.iut.reference_iut.queue_managers import ReferenceQueueManagers
from mqconform.harness.judge.mqso.schedule_player import Call, play
from mqconform.harness.judge.mqso.schedule_search import Play, find_trouble_in, steps_of_three, well_known
from mqconform.reference.history.system import Aside, EventWord, Failure, Happened, Sent, broken_promises
from mqconform.reference.mqso.elements import Assurance
from mqconform.reference.mqso.faults import transfers
from mqconform.reference.mqso.faults.network_fault import FaultTogether

EXPRESS, RECOVERABLE, TRANSACTIONAL = Assurance
received, put_back, dead_lettered, acknowledged, waits = (
    partial(Happened, EventWord(word)) for word in ("received", "put_back", "dead_lettered", "acknowledged", "waits")
)
TIMED = Sent("m1", "a", "b", TRANSACTIONAL, timer=20, dead_letter=True)
TWO = (Sent("m1", "a", "b", TRANSACTIONAL), Sent("m2", "a", "b", TRANSACTIONAL))


def simulate(*options: str) -> Result:
    return CliRunner().invoke(command, ["--system", *options])


def test_the_reference_keeps_its_promises() -> None:
    ran = simulate("--schedules", "10")
    told = "10 schedules: no promise was broken, and nothing is wrong with the answers"
    assert ran.output.splitlines()[-1] == f"{told}; in 7 all of them could be explained"
    assert json.loads(simulate("--every", "1", "--json").output) == {"states": 363, "problem": "", "path": []}


@pytest.mark.parametrize(
    ("fault", "schedule", "says"),
    [
        (transfers.TakesDuplicates, "a sends to c", "m1 was received 2 times"),
        (transfers.GivesUpAfterACut, "a is cut from b; a sends to b", "m1 was never received"),
        (transfers.SendsNeedTheNetwork, "a is cut from b; a sends plain to b", "a runs and refuses m1"),
    ],
)
def test_a_fault_is_found_and_made_small(fault: FaultTogether, schedule: str, says: str) -> None:
    call = calls_of(fault)
    found = find_trouble_in(Play(call), steps_of_three(), first=well_known(), schedules=100)
    assert found is not None
    assert written(found.schedule) == schedule
    assert says in {one.says for one in found.all_broken()}
    assert play(found.schedule, call).history == found.history


def calls_of(fault: FaultTogether) -> Call:
    iut = ReferenceQueueManagers(fault.model)

    def call(method: str, params: Json) -> Json:
        answer: Json = getattr(iut, method.rpartition(".")[2])(**params) or {}
        return answer

    return call


def test_an_answer_that_nothing_explains_is_told_with_what_it_breaks() -> None:
    schedule = parse_schedule("a pauses for b; a sends to b; +21600 b receives; a resumes for b")
    trouble = Play(calls_of(transfers.PAUSE_WITHOUT_EFFECT)).of(schedule)
    (broken,) = trouble.all_broken()
    assert broken.says.endswith("m1 (allowed: failure or waits)")
    assert broken.requirements == ("MQSO-5.1.1.2-23",)
    assert trouble.history[broken.places[0]] == Aside(broken.says)


def test_a_wrong_step_is_named(subtests: pytest.Subtests) -> None:
    for text, says in [
        ("a sends to d", "d is not a machine; they are a, b, c"),
        ("a sends to a", "expected another machine after 'sends to'"),
        ("a crashes b", "expected nothing after 'crashes'"),
        ("a b", "expected [+SECONDS] MACHINE, then one of sends to"),
        ("+99999999 a crashes", "expected at most 10000000 seconds"),
        ("a is lost", "a is not a service; they are coordinator, directory"),
    ]:
        with subtests.test(text=text):
            with pytest.raises(ConfigurationError, match="step 2 of the schedule") as fault:
                parse_schedule(f"a starts; {text}")
            assert says in str(fault.value)


def test_what_is_broken_is_told(subtests: pytest.Subtests) -> None:
    for history, says in [
        ([received("m1", "b")], "m1 was received and never sent"),
        (
            [Sent("m1", "a", "b", TRANSACTIONAL, committed=False), received("m1", "b")],
            "m1 was received, and its transaction aborted",
        ),
        ([Sent("m1", "a", "b", TRANSACTIONAL), received("m1", "c")], "m1 was received elsewhere than it was sent to"),
        ([Sent("m1", "a", "b", RECOVERABLE)], "m1 was never received"),
        (
            [
                Sent("m1", "a", "b", TRANSACTIONAL),
                Sent("m2", "a", "b", TRANSACTIONAL),
                received("m2", "b"),
                received("m1", "b"),
            ],
            "m1 was sent before m2 and received after it",
        ),
        ([Sent("m1", "a", "b", RECOVERABLE), Failure(frozenset("a"))], ""),
        ([Sent("m1", "a", "b", RECOVERABLE), received("m1", "b"), Failure(frozenset("b")), received("m1", "b")], ""),
        (
            [Sent("m1", "a", "b", RECOVERABLE), received("m1", "b"), Failure(frozenset("c")), received("m1", "b")],
            "m1 was received 2 times",
        ),
        ([Sent("m1", "a", "b", EXPRESS), Failure(frozenset("c"))], ""),
        ([Sent("m1", "a", "b", EXPRESS)], "m1 was never received"),
        ([Sent("m1", "a", "b", TRANSACTIONAL, timer=20)], ""),
        ([TIMED], "m1 was neither received nor dead-lettered"),
        ([TIMED, dead_lettered("m1", "a")], ""),
        ([Sent("m1", "a", "b", TRANSACTIONAL), dead_lettered("m1", "a")], "m1 was never received"),
        (
            [*TWO, put_back("m1", "b"), received("m2", "b"), received("m1", "b")],
            "m1 was sent before m2 and received after it",
        ),
        ([*TWO, received("m2", "b"), put_back("m1", "b"), received("m1", "b")], ""),
        (
            [*TWO[:1], acknowledged("m1", "a"), waits("m1", "a"), received("m1", "b")],
            "m1 was received and still waits at a",
        ),
    ]:
        with subtests.test(history=history):
            assert [one.says for one in broken_promises(history)] == ([says] if says else [])


def test_every_schedule_leaves_its_history_in_the_log(tmp_path: Path) -> None:
    log = tmp_path / "system.jsonl"
    assert simulate("--schedules", "3", "--log", str(log)).exit_code == 0
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert [*dict.fromkeys(row["history"] for row in rows)] == ["1", "2", "3"]
    assert simulate("--schedule", "a sends plain to b", "--log", str(log)).exit_code == 0
    sent, received = [json.loads(line) for line in log.read_text().splitlines()]
    assert received == {"history": "1", "position": 1, "event": "received", "message": "m1", "machine": "b"}
    assert sent == {
        "history": "1", "position": 0, "event": "sent", "message": "m1", "machine": "a", "to": "b",
        "assurance": "recoverable", "committed": True, "dead_letter": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("simulate", "--system", "--every", "1", "--log", "x.jsonl"), "which --every does not play; leave one out"),
        (("simulate", "--system", "--schedules", "1", "--log", "/nowhere/x.jsonl"), "name a file in a folder of yours"),
        (("audit", "deliveries", "--log", "x", "--out", "y", "--enterprise", "two-sites"), "add --system"),
    ],
)
def test_options_that_do_not_fit_are_named(
    words: tuple[str, ...], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_command([*words]) == 4
    assert says in capfd.readouterr().err
