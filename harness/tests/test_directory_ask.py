"""``directory ask``: routers that read a directory by themselves, judged while it changes."""

import json
from pathlib import Path

import directory_routers
import pytest

from mqconform.harness.cli import directory_ask, run_command
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.facts import load_all_facts, load_router_facts
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, Json
from mqconform.harness.iut.reference_iut.router import ReferenceRouterRole
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.real_directory import Answer, Phase, RouterOnDirectory, Versions
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.ambiguity import ReadingLog, load_register
from mqconform.harness.tools.enterprise.source import SourceOptions, versions_of
from mqconform.reference.directory import QueueManagerId

EXPORT = Path(__file__).parents[2] / "examples" / "directories" / "contoso.ldf"
CHEAPER = ("mSMQSiteGates: CN=msmq,CN=gate-o,CN=Computers,DC=contoso,DC=test\n", "")
"""A change that leaves Oslo without a gate."""


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """An export that a test may change."""
    file = tmp_path / "served.ldf"
    file.write_bytes(EXPORT.read_bytes())
    return file


def facts(served: Path, more: str = "") -> str:
    file = served.parent / "facts.toml"
    file.write_text(f'[router]\ndirectory_server = "ldif:{served}"\n{more}', "utf-8")
    return str(file)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def asking(served: Path, target: str, clock: Clock, *machines: str, questions: int = 100) -> RouterOnDirectory:
    judge = Judge(load_register(), Profile.DEFAULT, ReadingLog())
    router = connect(f"api:directory_routers:{target}", AdapterOptions())
    router.call("router.use_directory_server", {"server": f"ldif:{served}"})
    known = {one.name: one.identifier for one in look(served)["links-and-members"].queue_managers}
    local = [QueueManagerId(known[name]) for name in machines]
    return RouterOnDirectory(router, judge, lambda: look(served), clock, local, questions, seed=1)


def look(served: Path) -> Versions:
    return versions_of(f"ldif:{served}", SourceOptions())


def change(served: Path, old: str, new: str) -> None:
    text = served.read_text("utf-8")
    assert old in text
    served.write_text(text.replace(old, new), "utf-8")


def verdicts(answers: tuple[Answer, ...], phase: Phase | None = None) -> set[Verdict]:
    return {one.judgement.verdict for one in answers if phase in {None, one.phase}}


def move_link(served: Path) -> None:
    """Let the link to Lima begin in Oslo instead of Rome."""
    records = served.read_text("utf-8").split("\n\n")
    place = next(place for place, record in enumerate(records) if "mSMQCost: 3" in record)
    moved = records[place].replace("mSMQSite1: CN=Rome", "mSMQSite1: CN=Oslo").replace("CN=gate-rome", "CN=gate-o")
    assert moved != records[place]
    served.write_text("\n\n".join([*records[:place], moved, *records[place + 1 :]]), "utf-8")


def test_a_router_that_reads_the_directory_itself_passes(served: Path, capsys: pytest.CaptureFixture[str]):
    out = served.parent / "answers.ndjson"
    code = run_command(
        ["directory", "ask", "--iut", "api:directory_routers:Reading", "--facts", facts(served), "--out", str(out)]
    )
    said = capsys.readouterr().out
    assert (code, said) == (0, "round 1: 81 answers: 81 pass\n")
    records = [json.loads(line) for line in out.read_text("ascii").splitlines()]
    assert len(records) == 81
    assert {one["verdict"] for one in records} == {"pass"}


def test_answers_are_kept_when_the_directory_goes(served: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(directory_ask.time, "sleep", lambda _: served.unlink())
    out = served.parent / "answers.ndjson"
    command = ["directory", "ask", "--iut", "api:directory_routers:Reading", "--facts", facts(served)]
    assert run_command([*command, "--rounds", "2", "--out", str(out)]) == 4
    assert len(out.read_text("ascii").splitlines()) == 81


def test_a_change_between_rounds_is_followed(served: Path):
    clock = Clock()
    router = asking(served, "Reading", clock)
    assert verdicts(router.round()) == {Verdict.PASS}
    change(served, *CHEAPER)
    clock.now += 60
    second = router.round()
    assert {one.phase for one in second} == {Phase.RUNNING, Phase.INITIALISED}
    assert Verdict.FAIL not in verdicts(second)


def test_a_router_that_does_not_see_a_change_when_it_is_initialised_fails(served: Path):
    clock = Clock()
    router = asking(served, "Stale", clock)
    assert verdicts(router.round()) == {Verdict.PASS}
    move_link(served)
    clock.now += 60
    assert Verdict.FAIL in verdicts(router.round(), Phase.INITIALISED)


def test_a_change_in_mid_round_permits_either_content(served: Path):
    router = asking(served, "Stale", Clock())
    looks = iter([None, move_link])

    def look_and_change() -> Versions:
        action = next(looks, None)
        if action:
            action(served)
        return look(served)

    router.look = look_and_change
    assert Verdict.FAIL not in verdicts(router.round())
    assert router.versions["links-and-members"] == look(served)["links-and-members"]


def test_a_running_router_may_go_by_its_old_table_until_the_timer_fires(served: Path):
    clock = Clock()
    router = asking(served, "Reading", clock, "gate-o")
    router.round()
    move_link(served)
    clock.now += 10
    running = [one for one in router.round() if one.phase is Phase.RUNNING]
    assert Verdict.FAIL not in verdicts(tuple(running))
    lima = {one.name: one.identifier for one in router.versions["links-and-members"].queue_managers}["gate-l"]
    stale = [one for one in running if one.destination == lima]
    assert "gate-rome" in stale[0].judgement.observed


def test_gates_by_another_policy_pass_and_are_told(served: Path):
    answers = asking(served, "OwnGates", Clock()).round()
    assert set(verdicts(answers)) == {Verdict.PASS}
    assert any(answer.judgement.reading.startswith("BR-27/") for answer in answers)


def test_a_router_that_is_one_queue_manager_has_to_be_named(served: Path, monkeypatch: pytest.MonkeyPatch):
    class Fixed(directory_routers.ReadingRouter):
        """Is gate-o, and cannot be made another one."""

        def use_directory_server(self, server: str) -> Json:
            super().use_directory_server(server)
            local = {one.name: one.identifier for one in look(served)["links-and-members"].queue_managers}["gate-o"]
            ReferenceRouterRole.load_directory(self, directory_routers.document_of(self.directory.entries()))
            ReferenceRouterRole.initialize(self, local)
            return {}

        def initialize(self, local: str) -> Json:
            raise NotImplementedError

    monkeypatch.setattr(directory_routers.Reading, "kind", Fixed)
    router = asking(served, "Reading", Clock())
    with pytest.raises(ConfigurationError, match="name the one that it is: machines in the table router"):
        router.round()
    router = asking(served, "Reading", Clock(), "gate-o")
    assert verdicts(router.round()) == {Verdict.PASS}
    assert {one.phase for one in router.round()} == {Phase.RUNNING}


def test_facts_of_a_router_are_read(served: Path):
    path = facts(served, 'machines = ["gate-o"]\n')
    assert load_router_facts(path).machines == ("gate-o",)
    assert load_all_facts(path) == (None, None)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "router: is missing"),
        ("[router]\n", "directory_server"),
        ('[router]\ndirectory_server = "ldap://a"\nother = 1\n', "other"),
        ('[router]\ndirectory_server = "a.yaml"\n', "is no directory; write ldaps://HOST"),
    ],
)
def test_facts_that_cannot_be_used_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, complaint: str
):
    file = tmp_path / "facts.toml"
    file.write_text(text, "utf-8")
    code = run_command(["directory", "ask", "--iut", "ref:", "--facts", str(file)])
    said = capsys.readouterr().err
    assert code == 4
    assert complaint in said


def test_unknown_machines_are_told(served: Path, capsys: pytest.CaptureFixture[str]):
    code = run_command(["directory", "ask", "--iut", "ref:", "--facts", facts(served, 'machines = ["gate-x"]\n')])
    assert (code, "no queue manager has the name gate-x" in capsys.readouterr().err) == (4, True)
