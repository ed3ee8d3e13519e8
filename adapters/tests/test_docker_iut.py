"""Implementations in containers, for real: what they may do, how they end, and whose fault what is."""

import gc
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from container_images import load
from long_tier import LONG

from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.iut import ImageIut, open_iut
from mqconform.adapters.containers.labels import LABEL, this_process
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, IutFault

pytestmark = [LONG, pytest.mark.docker]

HELLO = {"protocol": 1, "harness": "tests"}
CYCLES = 20
"""How often one is started and ended: more than the connections to the engine that are kept for later calls."""
Start = Callable[..., ImageIut]


@pytest.fixture
def start(engine: Engine, unruly: str) -> Iterator[Start]:
    """Starts the unruly implementation; ``engine`` sees to it that nothing of it is left."""
    opened: list[ImageIut] = []

    def starter(behaviour: str, query: str = "", ready: float = 20, image: str = unruly) -> ImageIut:
        iut = open_iut(f"{image}?ready={ready}{query} {behaviour}", AdapterOptions(deadline=min(ready, 10)))
        assert isinstance(iut, ImageIut)
        opened.append(iut)
        return iut

    assert engine
    yield starter
    for iut in opened:
        iut.close()


def the_container(engine: Engine) -> dict[str, dict[str, object]]:
    """What the engine says of the one container that this process has."""
    (one,) = engine.api.containers(all=True, filters={"label": f"{LABEL}={this_process()}"})
    found: dict[str, dict[str, object]] = engine.api.inspect_container(one["Id"])
    return found


def test_it_may_do_as_little_as_can_be(start: Start):
    iut = start("look", "&env=COLOUR=blue")
    iut.call("initialize", HELLO)
    iut.close()
    told = iut.evidence()[2]
    nothing = "0000000000000000"
    for line in ("uid 1000", f"CapEff:\t{nothing}", f"CapBnd:\t{nothing}", "NoNewPrivs:\t1", "tmp writable"):
        assert line in told
    assert "root Read-only file system" in told
    assert re.findall(r"^ *(\w+):", told.partition("Inter-")[2], re.MULTILINE) == ["lo"]
    assert "colour blue" in told


def test_limits_are_the_engine_s_own_and_what_an_image_wants_to_write_to_is_in_memory(start: Start, engine: Engine):
    name, health = "mqconform-tests/volumes:1", {"Test": ["CMD", "/x"], "Interval": 1_000_000_000}
    load(engine.api, name, {"/x": b""}, Entrypoint=["/x"], Volumes={"/cache": {}, "/data": {}}, Healthcheck=health)
    start("", "&memory=64m&pids=9", image=name)
    found = the_container(engine)
    limits = found["HostConfig"]
    assert (limits["Memory"], limits["MemorySwap"], limits["PidsLimit"]) == (64 << 20, 64 << 20, 9)
    assert (limits["NetworkMode"], limits["SecurityOpt"]) == ("none", ["no-new-privileges:true"])
    assert limits["LogConfig"] == {"Type": "json-file", "Config": {"max-size": "1m", "max-file": "1"}}
    assert found["Mounts"] == []
    assert {"/cache", "/data", "/tmp"} == {*limits["Tmpfs"]}  # noqa: S108 - in the container
    assert found["Config"]["Healthcheck"]["Test"] == ["NONE"]


OUT_OF_MEMORY = "exit status 137, killed for want of memory: it may use 32 MiB"


@pytest.mark.parametrize(
    ("behaviour", "query", "ready", "kind", "told"),
    [
        ("silent", "", 0.5, "deadline", "never got ready: initialize: no answer within 0.5 s"),
        ("dies", "", 20, "exited", "never got ready: .*exit status 3.*; its last words: cannot open the directory"),
        ("escapes", "", 20, "exited", r"its last words: \\x1b\]0;owned\\x07\\x1b\[2J\\u202e bye"),
        ("hungry", "&memory=32m", 20, "exited", OUT_OF_MEMORY),
        ("later-hungry", "&memory=32m", 20, "exited", OUT_OF_MEMORY),
        ("endless", "", 20, "oversize", "longer than 16777216 octets"),
        ("flood", "", 20, "wrong-id", "expected id 1"),
    ],
)
def test_what_an_image_does_wrong_is_its_own_fault(  # noqa: PLR0913, PLR0917 - a table
    start: Start, behaviour: str, query: str, ready: float, kind: str, told: str
):
    iut, method = start(behaviour, query, ready), "initialize"
    if behaviour.startswith("later"):
        iut.call("initialize", HELLO)
        method = "reset"
    with pytest.raises(IutFault, match=told) as fault:
        iut.call(method, HELLO if method == "initialize" else {})
    assert fault.value.kind == kind
    assert str(fault.value).isprintable()


def test_one_that_will_not_end_is_ended_and_starting_and_stopping_leaves_nothing_behind(start: Start):
    iut = start("stays")
    iut.call("initialize", HELLO)
    iut.close()
    assert "process: ended by the harness" in iut.evidence()[1]
    descriptors, threads = held()
    for _ in range(CYCLES):
        iut = start("")
        iut.call("initialize", HELLO)
        iut.close()
    assert held()[0] < descriptors + CYCLES
    assert held()[1] == threads


def held() -> tuple[int, int]:
    """How many descriptors and threads this process has."""
    gc.collect()
    return len([*Path("/proc/self/fd").iterdir()]), len([*Path("/proc/self/task").iterdir()])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("mqconform-tests/unruli:1", "unruli:1: the Docker engine has no such image; there is .*unruly:1.*docker pull"),
        ("UPPER:1", "UPPER:1"),
        ("bad:tag:again", "bad:tag:again"),
        ("\x1b[2J", r"\[2J"),
        ("mqconform-tests/empty:1", "has neither ENTRYPOINT nor CMD"),
        ("mqconform-tests/odd:1", r"has volumes that cannot be made in memory: one called x\\x1b"),
    ],
)
def test_what_cannot_be_started_is_a_matter_of_configuration(engine: Engine, unruly: str, name: str, told: str):
    assert unruly
    load(engine.api, "mqconform-tests/empty:1", {"/readme": b"nothing"})
    load(engine.api, "mqconform-tests/odd:1", {"/x": b""}, Entrypoint=["/x"], Volumes={"x\x1b": {}})
    with pytest.raises(ConfigurationError, match=told) as refused:
        open_iut(name, AdapterOptions())
    assert str(refused.value).isprintable()


def test_an_image_whose_program_is_missing_or_of_another_machine_is_told(start: Start, engine: Engine):
    load(engine.api, "mqconform-tests/missing:1", {"/readme": b"nothing"}, Entrypoint=["/no-such-program"])
    with pytest.raises(IutFault, match="/no-such-program"):
        start("", image="mqconform-tests/missing:1").call("initialize", HELLO)
    other = "arm64" if engine.api.version()["Arch"] == "amd64" else "amd64"
    load(engine.api, "mqconform-tests/other:1", {"/x": b"\x7fELF no program"}, machine=other, Entrypoint=["/x"])
    with pytest.raises(ConfigurationError, match=f"is for linux/{other}, and the engine runs linux/"):
        start("", image="mqconform-tests/other:1").call("initialize", HELLO)
