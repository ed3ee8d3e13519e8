"""The stdio adapter against real child processes, most of them hostile."""

import json
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from mqconform.adapters.programs.stdio import StdioIut, open_iut
from mqconform.harness.iut.interface import MAX_LINE, AdapterOptions, IutFault, Unsupported

PRELUDE = """
import json, os, select, signal, sys
def ask():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit(0)
def say(text, end="\\n"):
    sys.stdout.write(text + end)
    sys.stdout.flush()
def answer(request, **members):
    say(json.dumps({"jsonrpc": "2.0", "id": request["id"], **members}))
def echo_for_ever():
    while True:
        request = ask()
        answer(request, result={"method": request["method"], **request["params"]})
        if request["method"] == "shutdown":
            sys.exit(0)
"""
ECHO = "echo_for_ever()"
PATIENT = 20.0
"""Deadline where the answer is expected: it costs nothing, however busy the machine."""
SHORT = 0.4

Start = Callable[..., StdioIut]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a script as an IUT; all are closed at the end."""
    opened: list[StdioIut] = []

    def starter(body: str, arguments: str = "") -> StdioIut:
        opened.append(open_iut(f"{command(tmp_path, body)} {arguments}", AdapterOptions(deadline=PATIENT)))
        return opened[-1]

    yield starter
    for iut in opened:
        iut.close()


def command(directory: Path, body: str) -> str:
    script = directory / "iut.py"
    script.write_text(PRELUDE + body)
    return shlex.join([sys.executable, "-I", "-S", str(script)])


def hurry(iut: StdioIut) -> None:
    """From now on the answer is not expected to come: wait for it only shortly."""
    iut._deadline = iut._first = SHORT


def fault_of(iut: StdioIut, method: str = "reset") -> IutFault:
    with pytest.raises(IutFault) as caught:
        iut.call(method, {})
    return caught.value


def is_gone(pid: int) -> bool:
    """Whether a process has ended; who inherits it may not have reaped it yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def comes_true(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    until, pause = monotonic() + seconds, threading.Event()
    while not condition() and monotonic() < until:
        pause.wait(0.01)
    return condition()


def test_calls_and_answers_pass_in_both_directions(start: Start):
    iut = start(ECHO)
    assert iut.call("router.initialize", {"local": "Ω"}) == {"method": "router.initialize", "local": "Ω"}
    assert iut.call("reset", {}) == {"method": "reset"}


def test_megabytes_pass_in_both_directions_without_a_deadlock(start: Start):
    directory = {"text": "x" * 3_000_000}
    assert start(ECHO).call("router.load_directory", directory)["text"] == directory["text"]


def test_arguments_are_split_as_a_shell_splits_them_and_no_shell_runs(start: Start):
    iut = start("answer(ask(), result={'argv': sys.argv[1:]})\nask()", arguments="'$HOME; echo' a\\ b \"c\"")
    assert iut.call("reset", {}) == {"argv": ["$HOME; echo", "a b", "c"]}


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        ("ask()\nsay('Listening on port 1801')\nask()", "not-json", "^reset: .*Listening on port 1801"),
        ("ask()\nsay('\\x1b[31mhello')", "not-json", r"\\x1b\[31mhello"),
        ("ask()\nanswer({'id': 2}, result={})\nask()", "wrong-id", "expected id 1"),
        ("ask()\nwhile True: os.write(1, b'x' * 65536)", "oversize", "longer than 16777216 octets"),
        (
            "ask()\nsay('{\"jsonrpc\":', end='')\nsys.exit(7)",
            "exited",
            "exit status 7, in the middle of .* 11 octets",
        ),
        ("sys.exit(3)", "exited", "exit status 3"),
        ("ask()\nos.kill(os.getpid(), signal.SIGKILL)", "exited", "killed by SIGKILL"),
        ("ask()\nos.close(1)\nsignal.pause()", "exited", "still running"),
    ],
)
def test_what_is_no_answer_is_a_fault_that_tells_what_came(start: Start, body: str, kind: str, told: str):
    iut = start(body)
    fault = fault_of(iut)
    assert fault.kind == kind
    assert re.search(told, str(fault))
    again = fault_of(iut)  # at once, and with the reason
    assert (again.kind, str(fault) in str(again)) == ("exited", True)


def test_a_second_answer_to_one_request_is_found_at_the_next_call(start: Start):
    iut = start("request = ask()\nanswer(request, result={})\nanswer(request, result={})\nask()")
    assert iut.call("reset", {}) == {}
    assert fault_of(iut).kind == "wrong-id"


@pytest.mark.parametrize(("surplus", "fits"), [(0, True), (1, False)])
def test_the_longest_line_has_16_mib(start: Start, surplus: int, fits: bool):  # noqa: FBT001 (a parameter of the case)
    around = len(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"a": ""}}))
    iut = start(f"answer(ask(), result={{'a': 'x' * ({MAX_LINE} - {around} + {surplus})}})\nask()")
    if fits:
        assert len(iut.call("reset", {})["a"]) == MAX_LINE - around
    else:
        assert fault_of(iut).kind == "oversize"


@pytest.mark.parametrize(
    "body",
    ["ask()\nsignal.pause()", "signal.pause()", "while True:\n  say(' ', end='')\n  select.select([], [], [], 0.02)"],
    ids=["hangs", "never-reads", "dribbles"],
)
def test_a_call_without_an_answer_ends_with_its_deadline_and_the_process(start: Start, body: str):
    iut = start(f"answer(ask(), result={{'pid': os.getpid()}})\n{body}")
    pid = iut.call("reset", {})["pid"]
    hurry(iut)
    began = monotonic()
    with pytest.raises(IutFault, match="no answer within") as caught:
        iut.call("router.load_directory", {"text": "x" * 1_000_000})
    assert caught.value.kind == "deadline"
    assert monotonic() - began < SHORT + 5
    assert not Path(f"/proc/{pid}").exists(), "it was not even reaped"


STOPS = """
supervisor, stopper = os.getppid(), 0
def stop(): os.kill(supervisor, signal.SIGSTOP)
def stop_always():
    global stopper
    stopper = os.fork()
    while stopper == 0: stop()
"""


@pytest.mark.parametrize("stop", ["os.kill(os.getpid(), signal.SIGSTOP)", "stop()", "stop_always()"])
def test_a_process_that_is_stopped_or_stops_its_supervisor_ends_with_the_deadline(start: Start, stop: str):
    tell = "answer(ask(), result={'pids': [os.getpid(), supervisor, stopper]})"
    iut = start(f"{STOPS}{stop if 'always' in stop else ''}\n{tell}\nask()\n{stop}\nsignal.pause()")
    pids = iut.call("reset", {})["pids"]
    hurry(iut)
    assert fault_of(iut).kind == "deadline"
    assert comes_true(lambda: all(is_gone(pid) for pid in pids if pid))
    assert "killed" in iut.evidence()[0]


def test_method_not_found_is_unsupported_and_the_conversation_goes_on(start: Start):
    iut = start("answer(ask(), error={'code': -32601, 'message': 'no such'})\n" + ECHO)
    with pytest.raises(Unsupported, match=r"router\.routing_table: 'no such'"):
        iut.call("router.routing_table", {})
    assert iut.call("reset", {}) == {"method": "reset"}


def test_a_flood_on_stderr_neither_blocks_nor_is_kept_whole(start: Start):
    iut = start(
        "request = ask()\nos.write(2, b'first ')\nfor _ in range(64): os.write(2, b'y' * 65536)\n"
        "os.write(2, b'\\xff last words')\nanswer(request, result={})\n" + ECHO
    )
    iut.call("reset", {})
    iut.close()
    status, stderr = iut.evidence()
    assert "exit status 0" in status
    assert len(stderr) < 70_000
    assert stderr.endswith("\\xff last words")
    assert "octets before this are omitted" in stderr


def test_shutdown_holds_the_process_to_exit_status_zero(start: Start):
    iut = start("answer(ask(), result={})\nsys.exit(5)")
    fault = fault_of(iut, "shutdown")
    assert (fault.kind, "exit status 5" in str(fault)) == ("exited", True)


def test_close_ends_what_ignores_end_of_input_and_sigterm(start: Start):
    iut = start(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nanswer(ask(), result={'pid': os.getpid()})\n"
        "while True: signal.pause()",
    )
    pid = iut.call("reset", {})["pid"]
    hurry(iut)
    iut.close()
    iut.close()
    assert not Path(f"/proc/{pid}").exists()
    assert "killed by SIGKILL" in iut.evidence()[0]


FORK = """
child = os.fork()
if child == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True: signal.pause()
answer(ask(), result={'child': child})
"""


DETACHED = """
reading, writing = os.pipe()
if os.fork() == 0:
    os.setsid()  # a session of its own, and below it one that nobody waits for
    if os.fork() == 0:
        os.setpgid(0, 0)
        os.write(writing, str(os.getpid()).encode())
        while True: time.sleep(0.01)
    os._exit(0)
grandchild = int(os.read(reading, 20))
os.wait()
"""


@pytest.mark.parametrize("end", [ECHO, "answer(ask(), result={'child': grandchild})\nos._exit(3)"])
def test_a_process_that_left_session_and_group_goes_with_it(start: Start, end: str):
    iut = start("import time\n" + DETACHED + "answer(ask(), result={'child': grandchild})\n" + end)
    child = iut.call("reset", {})["child"]
    assert not is_gone(child)
    if end != ECHO:
        iut.call("reset", {})
    iut.close()
    assert comes_true(lambda: is_gone(child))


def test_a_child_that_holds_the_pipes_does_not_hide_an_exit(start: Start):
    iut = start(FORK + "ask()\nsys.exit(4)")
    child = iut.call("reset", {})["child"]
    fault = fault_of(iut)
    assert (fault.kind, "exit status 4" in str(fault)) == ("exited", True)
    assert comes_true(lambda: is_gone(child))


def test_a_harness_that_is_killed_leaves_nothing(tmp_path: Path):
    stubborn = command(
        tmp_path, "import time\n" + DETACHED + "answer(ask(), result={'child': grandchild})\nsignal.pause()"
    )
    killed = (
        "import os\nfrom mqconform.adapters.programs.stdio import open_iut\n"
        "from mqconform.harness.iut import AdapterOptions\n"
        f"iut = open_iut({stubborn!r}, AdapterOptions(deadline=20))\n"
        "print(iut.call('reset', {})['child'], flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", killed], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == -9
    assert comes_true(lambda: is_gone(int(done.stdout)))


def test_nothing_is_left_open(start: Start):
    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    start(ECHO).close()
    before = descriptors()
    for _ in range(3):
        iut = start(ECHO)
        with suppress(IutFault):
            iut.call("reset", {})
        iut.close()
    assert comes_true(lambda: descriptors() <= before)
    assert comes_true(lambda: not [one for one in threading.enumerate() if one.name.endswith("of the IUT")])
