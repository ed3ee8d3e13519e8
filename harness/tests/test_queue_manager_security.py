"""Senders and access over the protocol: it is judged only if declared, and silence is not a fault."""

from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.mqso.messages import Messages
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.reference.mqso.elements import Key, Message, QueueName, Seal, User
from mqconform.reference.mqso.events import Got

FEATURE = "7_4_security"


def judged(out: Path, iut: str) -> ResultFile:
    run_command(["run", "--iut", iut, "--req", "MQSO-7", "-k", FEATURE, "--second-opinion", "--out", str(out)])
    return read_result_file(out / "results.ndjson")


def outcomes(found: ResultFile) -> set[str]:
    return {one.excused or str(one.verdict) for one in found.cases}


QUIET = """\
from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.role import MethodNotFound


class {name}(ReferenceIut):
    def call(self, method, params):
        if params.keys() & {{"altered", "encrypt"}}:
            raise MethodNotFound(method)
        answer = super().call(method, params)
        if {silent} and "authenticated" in (answer.get("message") or {{}}):
            del answer["message"]["authenticated"]
        return answer
"""


@pytest.mark.parametrize(
    ("silent", "judged_still"), [(False, "who-signs-with-a-certificate"), (True, "who-may-not-receive")]
)
def test_what_is_not_offered_or_not_told_is_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, silent: bool, judged_still: str
) -> None:
    name = f"Quiet{int(silent)}"
    (tmp_path / f"{name.lower()}.py").write_text(QUIET.format(name=name, silent=silent))
    monkeypatch.syspath_prepend(tmp_path)
    found = judged(tmp_path / "out", f"api:{name.lower()}:{name}")
    left_out = {one.id for one in found.cases if one.excused == "unsupported"}
    assert any("what-was-altered" in one for one in left_out)
    assert any("who-signs-with-a-certificate" in one for one in left_out) is silent
    assert any(judged_still in one.id for one in found.cases if one.id not in left_out)
    assert outcomes(found) <= {"unsupported", "pass"}


def test_silence_does_not_excuse_a_forged_message() -> None:
    messages = Messages(registered=frozenset({User("ann")}))
    for key, signed_by in (("forged", "ann"), ("doubtful", "eve")):
        messages.asked_of(Message(Key(key), seal=Seal(User(signed_by), User("bob"))))
    received = {key: {"message": {"message": key, "id": key}} for key in ("forged", "doubtful")}
    assert messages.handed_out(received["forged"], QueueName("inbox")) == Got(Key("forged"), authenticated=False)
    with pytest.raises(Unsupported, match="whether the sender is authenticated"):
        messages.handed_out(received["doubtful"], QueueName("inbox"))
