from collections.abc import Callable
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command

DIES = """
    import multiprocessing, os, signal
    from mqconform.harness.iut.all_roles import ReferenceIut

    class Iut(ReferenceIut):
        def call(self, method, params):
            if multiprocessing.parent_process() and method == "router.get_next_hops" and {condition}:
                {death}
            return super().call(method, params)
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("death", "told"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "was killed by signal 9"),
        ("[os.kill(os.getpid(), signal.SIGSTOP) for _ in range(100)]", "was killed by signal 9"),
        ("os._exit(7)", "ended with code 7"),
    ],
)
def test_a_process_of_a_run_that_dies_is_named_and_the_run_goes_on_from_there(
    death: str, told: str, module: Callable[[str], str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    flag = tmp_path / "well"
    condition = f"not os.path.exists({str(flag)!r})"
    name = module(DIES.format(condition=condition, death=death))
    asked = ["run", "--iut", f"api:{name}:Iut", "--no-probe", "-n", "2", "--req", "MQBR-3.1.5", "--out"]
    assert run_command([*asked, str(tmp_path / "out")]) == 3
    error = capfd.readouterr().err
    assert told in error
    assert "--resume" in error
    assert "Traceback" not in error
    flag.touch()
    assert run_command([*asked, str(tmp_path / "out"), "--resume"]) in {0, 1}
