"""Implementations in containers, for real: what they may do, how they end, and whose fault what is."""

import gc
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from container_images import load

from mqconform.adapters.containers.engine import Engine, EngineFailed
from mqconform.adapters.containers.holder import program
from mqconform.adapters.containers.iut import ImageIut, open_iut
from mqconform.adapters.containers.reaper import LABEL, this_process
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, IutFault

pytestmark = pytest.mark.docker

HELLO = {"protocol": 1, "harness": "tests"}
CYCLES = 20
"""How often one is started and ended: more than the connections to the engine that are kept for later calls."""
Start = Callable[..., ImageIut]


@pytest.fixture
def start(engine: Engine, unruly: str) -> Iterator[Start]:
    """Starts the unruly implementation; nothing of it may be left when its test is over."""
    opened: list[ImageIut] = []

    def starter(behaviour: str, query: str = "", ready: float = 20) -> ImageIut:
        options = AdapterOptions(deadline=min(ready, 10))
        iut = open_iut(f"{unruly}?ready={ready}{query} {behaviour}", options)
        assert isinstance(iut, ImageIut)
        opened.append(iut)
        return iut

    yield starter
    for iut in opened:
        iut.close()
    assert left_behind(engine) == []


def left_behind(engine: Engine) -> list[str]:
    """Containers that this process has made and that are still there."""
    label = f"{LABEL}={this_process().label()}"
    return [str(one["Id"]) for one in engine.api.containers(all=True, filters={"label": label})]


def fault_of(iut: ImageIut, method: str = "initialize") -> IutFault:
    with pytest.raises(IutFault) as caught:
        iut.call(method, HELLO if method == "initialize" else {})
    return caught.value


def test_it_is_spoken_to_over_its_standard_streams_and_ends_as_it_is_told(start: Start, engine: Engine, unruly: str):
    iut = start("")
    assert iut.call("initialize", HELLO)["name"] == "unruly"
    assert iut.call("reset", {})["protocol"] == 1
    assert len(left_behind(engine)) == 1
    assert iut.call("shutdown", {})
    assert left_behind(engine) == []
    said = iut.evidence()
    assert re.fullmatch(
        rf"image {unruly} \([0-9a-f]{{12}}, linux/\w+, user 1000\), with 256 MiB of memory, 256 processes", said[0]
    )
    assert said[1] == "process: exit status 0; connection over: shutdown"


def test_it_may_do_as_little_as_can_be(start: Start):
    iut = start("look", "&env=COLOUR=blue")
    iut.call("initialize", HELLO)
    iut.close()
    told = iut.evidence()[2]
    for line in (
        "uid 1000",
        "CapEff:\t0000000000000000",
        "CapBnd:\t0000000000000000",
        "NoNewPrivs:\t1",
        "tmp writable",
    ):
        assert line in told
    assert "root Read-only file system" in told
    assert re.findall(r"^ *(\w+):", told.partition("Inter-")[2], re.MULTILINE) == ["lo"]
    assert "colour blue" in told


def test_what_an_image_wants_to_write_to_is_in_memory(engine: Engine, unruly_program: Path):
    files, name = {"/unruly": unruly_program.read_bytes()}, "mqconform-tests/volumes:1"
    health = {"Test": ["CMD", "/unruly", "hungry"], "Interval": 1_000_000_000}
    load(engine.api, name, files, Entrypoint=["/unruly"], Volumes={"/cache": {}, "/data": {}}, Healthcheck=health)
    iut = open_iut(name, AdapterOptions(deadline=10))
    try:
        (container,) = left_behind(engine)
        found = engine.api.inspect_container(container)
        assert [one for one in found["Mounts"] if one["Type"] == "volume"] == []
        assert {"/cache", "/data"} < {*found["HostConfig"]["Tmpfs"]}
        assert found["Config"]["Healthcheck"]["Test"] == ["NONE"]
    finally:
        iut.close()
    load(engine.api, name, files, Entrypoint=["/unruly"], Volumes={"x\x1b": {}})
    with pytest.raises(ConfigurationError, match=r"has volumes that cannot be made in memory: one called x\\x1b"):
        open_iut(name, AdapterOptions())


def test_limits_are_the_engine_s_own(start: Start, engine: Engine):
    start("", "&memory=64m&pids=9")
    (container,) = left_behind(engine)
    limits = engine.api.inspect_container(container)["HostConfig"]
    assert (limits["Memory"], limits["MemorySwap"], limits["PidsLimit"]) == (64 << 20, 64 << 20, 9)
    assert limits["NetworkMode"] == "none"
    assert limits["SecurityOpt"] == ["no-new-privileges:true"]
    assert limits["LogConfig"] == {"Type": "json-file", "Config": {"max-size": "1m", "max-file": "1"}}


def test_an_image_that_never_gets_ready_is_at_fault_in_bounded_time(start: Start):
    fault = fault_of(start("silent", ready=0.5))
    assert fault.kind == "deadline"
    assert "never got ready: initialize: no answer within 0.5 s" in str(fault)


def test_an_image_that_dies_at_once_is_at_fault_with_its_last_words(start: Start):
    fault = fault_of(start("dies"))
    assert fault.kind == "exited"
    assert "never got ready" in str(fault)
    assert "exit status 3" in str(fault)
    assert "its last words: cannot open the directory" in str(fault)


@pytest.mark.parametrize("when", ["hungry", "later-hungry"])
def test_one_that_eats_memory_is_killed_and_the_want_of_memory_named(start: Start, when: str):
    iut = start(when, "&memory=32m")
    if when.startswith("later"):
        iut.call("initialize", HELLO)
    fault = fault_of(iut, "reset" if when.startswith("later") else "initialize")
    assert fault.kind == "exited"
    assert "exit status 137, killed for want of memory: it may use 32 MiB" in str(fault)


def test_one_that_floods_its_output_is_at_fault(start: Start):
    assert fault_of(start("endless")).kind == "oversize"
    assert fault_of(start("flood")).kind == "wrong-id"


def test_one_that_floods_its_standard_error_is_judged_by_its_answers(start: Start):
    iut = start("later-talkative", ready=2)
    iut.call("initialize", HELLO)
    assert fault_of(iut, "reset").kind == "deadline"
    told = iut.evidence()[-1]
    assert "octets before this are left out" in told
    assert len(told) < 70_000


def test_one_that_will_not_end_is_ended(start: Start, engine: Engine):
    iut = start("stays")
    iut.call("initialize", HELLO)
    iut.close()
    assert left_behind(engine) == []


def test_what_it_says_acts_on_no_terminal(start: Start):
    told = str(fault_of(start("escapes")))
    assert told.isprintable()
    assert "\\x1b]0;owned\\x07\\x1b[2J\\u202e bye" in told


@pytest.mark.usefixtures("engine")
def test_an_image_that_is_not_there_is_named_with_those_like_it(unruly: str):
    with pytest.raises(
        ConfigurationError, match=r"mqconform-tests/unruli:1: .*no such image; there is .*unruly:1"
    ) as it:
        open_iut(unruly.replace("unruly", "unruli"), AdapterOptions())
    assert "docker pull mqconform-tests/unruli:1" in str(it.value)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    "name", ["UPPER:1", "nobody b", "bad:tag:again", "-v", "\x1b[2J", "x?memory=1", "x?nonsense=1"]
)
def test_a_name_that_is_none_is_told(name: str):
    with pytest.raises(ConfigurationError) as caught:
        open_iut(name, AdapterOptions())
    assert str(caught.value).isprintable()


def test_an_image_without_a_program_is_told(engine: Engine):
    load(engine.api, "mqconform-tests/empty:1", {"/readme": b"nothing"})
    with pytest.raises(ConfigurationError, match="has neither ENTRYPOINT nor CMD"):
        open_iut("mqconform-tests/empty:1", AdapterOptions())


def test_an_image_whose_program_is_missing_is_at_fault(engine: Engine):
    load(engine.api, "mqconform-tests/missing:1", {"/readme": b"nothing"}, Entrypoint=["/no-such-program"])
    iut = open_iut("mqconform-tests/missing:1", AdapterOptions())
    with pytest.raises(IutFault, match="/no-such-program"):
        iut.call("initialize", HELLO)


def test_an_image_for_another_machine_is_told(engine: Engine):
    other = "arm64" if engine.api.version()["Arch"] == "amd64" else "amd64"
    load(engine.api, "mqconform-tests/other:1", {"/p": program(other)}, machine=other, Entrypoint=["/p"])
    iut = open_iut("mqconform-tests/other:1?ready=5", AdapterOptions())
    try:
        with pytest.raises(ConfigurationError, match=f"is for linux/{other}, and the engine runs linux/"):
            iut.call("initialize", HELLO)
    finally:
        iut.close()
    assert left_behind(engine) == []


def test_an_engine_that_fails_meanwhile_is_not_the_implementation_s_fault(
    start: Start, monkeypatch: pytest.MonkeyPatch
):
    iut = start("later-dies")
    iut.call("initialize", HELLO)
    monkeypatch.setattr(type(iut._engine), "answers", lambda _: False)
    with pytest.raises(EngineFailed, match="the Docker engine failed: it does not answer any more"):
        iut.call("reset", {})


def test_starting_and_stopping_leaves_nothing_behind(start: Start, engine: Engine):
    start("").close()
    descriptors, threads = held()
    for _ in range(CYCLES):
        iut = start("")
        iut.call("initialize", HELLO)
        iut.close()
    assert left_behind(engine) == []
    assert networks(engine) == set()
    assert held()[0] < descriptors + CYCLES
    assert held()[1] == threads


def held() -> tuple[int, int]:
    """How many descriptors and threads this process has."""
    gc.collect()
    return len([*Path("/proc/self/fd").iterdir()]), len([*Path("/proc/self/task").iterdir()])


def networks(engine: Engine) -> set[str]:
    label = f"{LABEL}={this_process().label()}"
    return {one["Id"] for one in engine.api.networks(filters={"label": label})}


def test_cgroups_of_containers_are_gone_with_them(start: Start, engine: Engine):
    start("")
    (container,) = left_behind(engine)
    pid = engine.api.inspect_container(container)["State"]["Pid"]
    group = Path(f"/proc/{pid}/cgroup").read_text("utf-8")
    assert container in group
    engine.api.remove_container(container, force=True)
    assert not Path(f"/proc/{pid}").exists()
