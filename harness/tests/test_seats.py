"""``--seat``: a router, sender or receiver as a part of queue managers, whose mistakes show and are told to be its."""

import json
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from long_tier import LONG, long, mostly_long
from sample_iuts import PYTHON

from mqconform.harness.cli import run_command
from mqconform.harness.cli.consent import VARIABLE
from mqconform.harness.cli.simulate import command
from mqconform.harness.iut.interface import AdapterOptions, IutFault, Json
from mqconform.harness.iut.mutants.mutant import Kind
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.iut.seats.forwarded_queue_managers import ForwardedQueueManagers
from mqconform.harness.iut.seats.hooks_of_seats import SEATS, Seats
from mqconform.harness.judge.mqso.schedule_search import Play, Trouble
from mqconform.harness.judge.mqso.seat_search import Culprit, classics, culprit_of, play_with, stage_of
from mqconform.reference.mqso.faults import together
from mqconform.reference.mqso.promises import broken_promises
from mqconform.reference.mqso.topology import SIX_SITES, TOPOLOGIES, TWO_SITES, Topology

ENTERPRISE = {
    "enterprise": {"name": "office"},
    "sites": [{"name": "Oslo", "site_gates": ["hub"]}],
    "routing_links": [],
    "queue_managers": [
        {"name": "desk", "sites": ["Oslo"], "routing_server": False},
        {"name": "hub", "sites": ["Oslo"], "routing_server": True},
    ],
}


def simulate(*options: str) -> Result:
    return CliRunner().invoke(command, ["--system", *options])


def found(*options: str) -> Json:
    """Return what a simulation found, as JSON tells it."""
    ran = simulate("--json", *options)
    answer: Json = json.loads(ran.stdout)
    assert ran.exit_code == (0 if answer["holds"] else 1), ran.output
    return answer


def test_the_reference_keeps_its_promises_in_every_seat() -> None:
    ran = simulate("--seat", "router=ref:", "--schedules", "10")
    assert (ran.exit_code, ran.output.splitlines()[-1]) == (0, "10 schedules: no promise was broken")


@pytest.mark.parametrize(
    ("seat", "enterprise", "schedule", "requirement"),
    mostly_long(
        [
            ("discovery=mutant:size-two-more", "two-sites", "d sends to a", "MQSO-3.2.1-04"),
            ("receiver=mutant:receiver-accepts-duplicates", "two-sites", "a sends to b; a sends to b", "MQSO-3.2.1-04"),
            ("receiver=mutant:receiver-begins-with-one", "two-sites", "d sends to c", "MQSO-3.2.1-04"),
            ("sender=mutant:sender-never-releases", "two-sites", "a sends to b; +31 a sends to b", "MQSO-4.3.1.2-08"),
            ("router=mutant:costs-of-16-bits", "six-sites", "z sends to c", "MQSO-3.3.4.5-07"),
            ("router=mutant:client-by-its-first-site", "six-sites", "c sends to a", "MQSO-3.3.4.5-07"),
        ],
        first=[
            "discovery=mutant:size-two-more",
            "receiver=mutant:receiver-accepts-duplicates",
            "sender=mutant:sender-never-releases",
            "router=mutant:costs-of-16-bits",
        ],
    ),
)
def test_a_mistake_in_a_seat_is_found_made_small_and_attributed(
    seat: str, enterprise: str, schedule: str, requirement: str
) -> None:
    answer = found("--seat", seat, "--enterprise", enterprise, "--schedules", "1")
    assert (answer["schedule"], answer["culprit"]) == (schedule, [seat.partition("=")[0]])
    assert requirement in {one for broken in answer["broken"] for one in broken["requirements"]}


def test_of_two_seats_the_guilty_one_is_named() -> None:
    honest = f"sender=mutant:{_of_kind(Kind.CONFORMING, SEATS['sender'])[0]}"
    seats = ("--seat", honest, "--seat", "receiver=mutant:receiver-accepts-duplicates")
    answer = found(*seats, "--enterprise", "two-sites", "--schedule", "a sends to b; a sends to b")
    assert answer["culprit"] == ["receiver"]


def test_two_guilty_seats_are_both_named() -> None:
    """Neither of them, put right alone, keeps all that is broken."""
    seats = ("--seat", "sender=mutant:sender-never-releases", "--seat", "receiver=mutant:receiver-accepts-duplicates")
    schedule = "a sends to b; a sends to b; +31 a sends to b"
    answer = found(*seats, "--enterprise", "two-sites", "--schedule", schedule)
    assert answer["culprit"] == ["sender", "receiver"]


def test_a_fault_of_the_queue_managers_is_the_fault_of_no_seat() -> None:
    """The queue managers take each message twice, whoever sits in a seat."""

    def played_with(specs: Mapping[str, str]) -> Trouble:
        with Seats(specs, AdapterOptions()) as seats:
            managers = ForwardedQueueManagers(seats.hooks, TWO_SITES, together.TakesDuplicates.model)

            def call(method: str, params: Json) -> Json:
                answer: Json = getattr(managers, method.rpartition(".")[2])(**params) or {}
                return answer

            return Play(call, stage_of(TWO_SITES, managers), broken_promises).of(classics(TWO_SITES)[0])

    specs = {"receiver": "mutant:receiver-rejects-gaps"}
    trouble = played_with(specs)
    assert trouble.broken
    assert culprit_of(trouble, specs, played_with) == Culprit(())


def _of_kind(kind: Kind, role: str) -> list[str]:
    return [name for name, mutant in all_mutants().items() if (mutant.kind, mutant.role) == (kind, role)]


@pytest.mark.parametrize("seat", SEATS)
def test_conforming_variants_are_not_convicted(seat: str) -> None:
    assert _convicted(seat, _of_kind(Kind.CONFORMING, SEATS[seat])[:1]) == []


@pytest.mark.parametrize("seat", [pytest.param(seat, marks=LONG) for seat in SEATS])
def test_no_variant_that_may_conform_is_convicted(seat: str) -> None:
    names = {*_of_kind(Kind.CONFORMING, SEATS[seat])}
    # It has no operation by which to tell what it delivers late; the page says so.
    assert _convicted(seat, sorted(names - {"receiver-keeps-what-is-early"})) == []


@pytest.mark.parametrize("seat", [pytest.param(seat, marks=LONG) for seat in SEATS])
def test_every_mistake_is_found_but_for_those_that_the_page_names(seat: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "try-a-part-in-a-system.md").read_text("utf-8")
    unseen = set(re.findall(r"`([a-z0-9-]+)`", page[page.index("| why | mutants |") :]))
    names = _of_kind(Kind.FAULTY, SEATS[seat])
    assert set(_convicted(seat, names)) == {*names} - unseen


def _convicted(seat: str, names: list[str]) -> list[str]:
    """Return who breaks a promise in one of the situations that come first, or fails to answer."""
    return [name for name in names if any(_breaks(seat, name, topology) for topology in TOPOLOGIES.values())]


def _breaks(seat: str, name: str, topology: Topology) -> bool:
    with Seats({seat: f"mutant:{name}"}, AdapterOptions()) as seats:
        plays = play_with(seats, topology)
        try:
            return any(plays.of(schedule).broken for schedule in classics(topology))
        except IutFault:
            return True


def test_what_happened_is_told_hop_by_hop() -> None:
    ran = simulate(
        "--seat", "router=mutant:costs-of-16-bits", "--enterprise", "six-sites", "--schedule", "a sends to m"
    )
    lines = ran.output.splitlines()
    assert ran.exit_code == 1
    assert "> a sends m1 to m, in a transaction" in lines or "  a sends m1 to m, in a transaction" in lines
    assert "n routes to s what is for m, and should to e: MQSO-3.3.4.5-07, MQSO-4.3.1.3-05" in lines
    assert lines[-1] == (
        "Culprit: the router mutant:costs-of-16-bits; with the reference there the same schedule keeps what is broken"
    )


def test_a_machine_without_directory_server_is_told() -> None:
    """It reaches whom it reaches without a router, and nobody else."""
    seat = ("--seat", "discovery=mutant:size-two-more", "--enterprise", "two-sites")
    assert found(*seat, "--schedule", "a sends to c")["holds"]
    history = found(*seat, "--schedule", "a sends to b")["history"]
    assert [line for line in history if "finds" in line] == [f"{name} finds no directory server" for name in "abcd"]


def test_a_schedule_is_saved_and_played_again(tmp_path: Path) -> None:
    file = tmp_path / "lost.json"
    seat = ("--seat", "receiver=mutant:receiver-accepts-duplicates")
    assert simulate(*seat, "--enterprise", "two-sites", "--save", str(file)).exit_code == 1
    again = found("--replay", str(file))
    assert (again["schedule"], again["culprit"]) == ("a sends to b; a sends to b", ["receiver"])
    assert found("--replay", str(file), "--seat", "receiver=ref:")["holds"]


def test_programs_that_a_saved_schedule_names_are_not_started_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    file, trace = tmp_path / "lost.json", tmp_path / "started"
    program = f"stdio:touch {shlex.quote(str(trace))}"
    saved = {"seats": {"router": program}, "enterprise": TWO_SITES.document, "schedule": "a sends to b"}
    file.write_text(json.dumps(saved))
    ran = simulate("--replay", str(file))
    assert "names commands that would run with your rights" in str(ran.exception)
    assert not trace.exists()
    assert found("--replay", str(file), "--seat", "router=ref:")["holds"]


def test_a_program_takes_a_seat(tmp_path: Path) -> None:
    file = tmp_path / "office.json"
    file.write_text(json.dumps(ENTERPRISE))
    answer = found("--seat", f"router={PYTHON}", "--enterprise", str(file), "--schedule", "desk sends to hub")
    assert (answer["holds"], answer["history"][-1]) == (True, "hub receives m1")


MUTE = """
import json, sys
for line in sys.stdin:
    call = json.loads(line)
    if call["method"] == "router.get_next_hops":
        sys.exit(7)
    result = {}
    if call["method"] == "initialize":
        result = {"protocol": 1, "name": "mute", "version": "1", "roles": ["router"], "capabilities": []}
    print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}), flush=True)
"""


def test_a_program_that_ends_is_told_with_its_seat(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    office, program = tmp_path / "office.json", tmp_path / "mute.py"
    office.write_text(json.dumps(ENTERPRISE))
    program.write_text(MUTE)
    seat = f"router=stdio:{shlex.join([sys.executable, str(program)])}"
    code = run_command(["simulate", "--system", "--seat", seat, "--enterprise", str(office), "--schedules", "1"])
    assert code == 1
    assert f"the implementation is at fault: exited: --seat {seat}: router.get_next_hops" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ("--seat", "gate=ref:"),
            "--seat gate=ref:: expected SEAT=KIND:ID; the seats are discovery, router, sender, receiver",
        ),
        (("--seat", "router"), "expected SEAT=KIND:ID"),
        (("--seat", "router=ref:", "--seat", "router=ref:"), "the router is named twice"),
        (("--seat", "router=mutant:receiver-accepts-gaps"), "is no router; the roles it declares are ordered_receiver"),
        (("--seat", "router=ref:", "--iut", "mutant:x"), "leave out --iut"),
        (("--seat", "router=ref:", "--every", "1"), "leave out --iut and --every"),
        (("--seat", "router=ref:", "--sender", "mutant:x"), "leave out --sender"),
        (("--seat", "router=ref:", "--enterprise", "three"), "is neither a file nor one of two-sites, six-sites"),
        (("--seat", "router=ref:", "--schedule", "a sends to q"), "q is no machine; they are a, b, c, d"),
        (("--seat", "router=ref:", "--enterprise", "six-sites", "--schedule", "a sends to x"), "x has no queues"),
        (("--replay", "file", "--schedule", "a sends to b"), "the file has enterprise and schedule"),
        (("--schedule", "a loses a packet for b"), "happens in the built-in system alone; give it with --seat"),
    ],
)
def test_wrong_options_are_named(options: tuple[str, ...], says: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command(["simulate", "--system", *options]) == 4
    assert says in capfd.readouterr().err


@pytest.mark.parametrize(
    ("saved", "says"),
    [
        ("[]", "seats: is missing or wrong"),
        ("{", "give a file that simulate --save wrote"),
        ('{"seats": {"gate": "ref:"}, "enterprise": {}, "schedule": ""}', "seats: 'gate' is no seat"),
        ('{"seats": {"router": 1}, "enterprise": {}, "schedule": ""}', "'router' is no seat"),
        ('{"seats": {}, "enterprise": {}, "schedule": ""}', "enterprise: "),
    ],
)
def test_a_bad_file_is_named(saved: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "saved.json"
    file.write_text(saved)
    assert run_command(["simulate", "--system", "--replay", str(file)]) == 4
    told = capfd.readouterr().err
    assert str(file) in told
    assert says in told


def test_names_that_no_schedule_can_have_are_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    machines = [{**ENTERPRISE["queue_managers"][0], "name": "front desk"}, ENTERPRISE["queue_managers"][1]]  # type: ignore[index]
    file = tmp_path / "office.json"
    file.write_text(json.dumps({**ENTERPRISE, "queue_managers": machines}))
    assert run_command(["simulate", "--system", "--seat", "router=ref:", "--enterprise", str(file)]) == 4
    assert "each needs a name of its own of letters, digits and _" in capfd.readouterr().err


SOME_CASES = ("-k", "3_3_4_several_machines and transaction")


def run(out: Path, *options: str) -> int:
    return run_command(["run", "--out", str(out), *options])


def test_a_run_with_the_reference_in_a_seat_passes(tmp_path: Path) -> None:
    assert run(tmp_path, "--seat", "router=ref:", *SOME_CASES) == 0
    assert not (tmp_path / "culprits.json").exists()


def _conforming_specs() -> list[str]:
    """Return who takes a seat in whole runs; of discovery servers a few, since a run asks each the same."""
    names = {seat: _of_kind(Kind.CONFORMING, role) for seat, role in SEATS.items()}
    names["discovery"] = names["discovery"][::6]
    return [f"{seat}=mutant:{name}" for seat in SEATS for name in names[seat]]


@long
@pytest.mark.parametrize("spec", _conforming_specs())
def test_a_run_convicts_nothing_that_conforms(spec: str, tmp_path: Path) -> None:
    assert run(tmp_path, "--seat", spec) == 0


def test_a_run_tells_whose_fault_a_failed_case_is(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    seats = ("--seat", "sender=ref:", "--seat", "receiver=mutant:receiver-begins-with-one")
    assert run(tmp_path, *seats, *SOME_CASES) == 1
    blamed = json.loads((tmp_path / "culprits.json").read_text())["cases"]
    assert blamed
    assert {tuple(names) for names in blamed.values()} == {("receiver",)}
    told = capfd.readouterr().out
    assert all(f"culprit of {case}: the receiver mutant:receiver-begins-with-one" in told for case in blamed)


def test_a_router_in_a_seat_routes_the_cases_of_a_domain(tmp_path: Path) -> None:
    seat = ("--seat", "router=mutant:hop-count-for-cost")
    assert run(tmp_path, *seat, "-k", "4_3_1_3_routing") == 1
    case = "mqso/4_3_1_3_routing/of-two-ways-a-message-takes-that-of-least-cost-although-it-has-more-links"
    assert json.loads((tmp_path / "culprits.json").read_text())["cases"] == {case: ["router"]}


@pytest.mark.parametrize("options", [("--iut", "mutant:queues-takes-duplicates"), ("-n", "2"), ("--shard", "1/2")])
def test_a_run_with_a_seat_takes_no_other_implementation(
    options: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--seat", "router=ref:", *options) == 4
    assert "--seat: " in capfd.readouterr().err


def test_every_machine_of_an_enterprise_can_be_reached() -> None:
    with Seats({}, AdapterOptions()) as seats:
        assert play_with(seats, SIX_SITES).of(classics(SIX_SITES)[0]).broken == ()
