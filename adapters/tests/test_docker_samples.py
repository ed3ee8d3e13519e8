"""Sample implementations in containers, built without a registry, held to what they are held to outside of them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from long_tier import LONG
from sample_iuts import (
    CONFIGURED,
    CONFORMING,
    EXAMPLES,
    FACTS,
    ROLES,
    Judged,
    build,
    excuses_of_calls,
    judge,
)

from mqconform.adapters.containers.clients import why_no_holders
from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.labels import LABEL, lives

# Whole runs, beside those of other workers.
pytestmark = [LONG, pytest.mark.docker, pytest.mark.samples, pytest.mark.timeout(900)]
SERVER = " ".join(("discovery-server --host 0.0.0.0 --port 1801", *(f"{name} {value}" for name, value in CONFIGURED)))
CLIENT = """\
[discovery_client]
start = ["discovery-client", "--enterprise", "{enterprise}", "--site", "{site}", "{networks}"]
network = ["--network", "{address}/{prefix}"]
outcome = "json"
"""
Image = Callable[[str], str]


@pytest.fixture
def image(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Builds the image of a sample as a user would, of what the other tests have compiled."""

    def built(language: str) -> str:
        folder = build(language, tmp_path_factory).parent
        name = f"mqsample-{language}"
        if not engine.api.images(name=name):
            script = [sys.executable, str(EXAMPLES / "iut" / "build_images.py"), language, "--build", str(folder)]
            done = subprocess.run(script, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        return name

    return built


def assert_nothing_left(engine: Engine) -> None:
    """See that no sample is left; tests beside this one may just have killed a harness of their own images."""
    listed = [
        one for one in engine.api.containers(all=True, filters={"label": LABEL}) if one["Image"].startswith("mqsample-")
    ]
    assert [one for one in listed if lives(one["Labels"][LABEL]) is False] == []


def assert_conforms(done: Judged) -> None:
    assert done.exit_code == 0, done.text
    assert "CONFORMS" in done.text
    assert not done.requirements("violated")


def test_a_sample_in_a_container_conforms_in_every_role_it_has(image: Image, engine: Engine, tmp_path: Path):
    done = judge(tmp_path / "out", "--iut", f"image:{image('python')}", "--deadline", "20")
    assert_conforms(done)
    assert set(done.of("header")[0]["iut"]["roles"]) == ROLES | {"queue_manager"}
    unsupported = [one for one in done.of("case") if one.get("excused") == "unsupported"]
    assert {one["reason"] for one in unsupported} <= excuses_of_calls()
    if not why_no_holders(engine):  # the port that it opens in its container is reached by entering that
        assert {one["standing"] for one in done.of("requirement")} <= CONFORMING
    assert_nothing_left(engine)


@pytest.mark.parametrize("via", ["veth", "port"])
def test_a_server_in_a_container_is_judged_by_datagrams(image: Image, engine: Engine, tmp_path: Path, via: str):
    if via == "veth" and (reason := why_no_holders(engine)):
        pytest.skip(f"a container on a network of ours is not tried: {reason}")
    if via == "port" and not (inside := inside_the_engine_s_network(engine)):
        pytest.skip("a port published by an engine elsewhere is out of reach")
    target = f"image:{image('go')}?udp&via={via} {SERVER}"
    options = ["--iut", target, "--facts", str(FACTS), "--out", str(tmp_path / "out")]
    command = [sys.executable, "-c", "from mqconform.harness.cli import main; main()", "run", *options]
    command = command if via == "veth" else [*inside, *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "CONFORMS" in done.stdout
    assert_nothing_left(engine)


def inside_the_engine_s_network(engine: Engine) -> list[str]:
    """The words that start a command where published ports are: an engine of the tests has a network of its own."""
    own, address = Path("/proc/self/ns/net").stat().st_ino, os.environ["DOCKER_HOST"]
    folder = Path(address.removeprefix("unix://")).parent
    pids = [path for path in folder.glob("*.pid") if address.startswith("unix://")]
    pid = pids[0].read_text("ascii").strip() if pids else ""
    if not pid:
        return ["env"] if engine.on_this_machine else []
    return ["env"] if Path(f"/proc/{pid}/ns/net").stat().st_ino == own else ["nsenter", f"--net=/proc/{pid}/ns/net"]


def test_a_client_in_a_container_broadcasts_on_networks_of_its_own(image: Image, engine: Engine, tmp_path: Path):
    if reason := why_no_holders(engine):
        pytest.skip(f"clients in containers are not tried: {reason}")
    facts = tmp_path / "client.toml"
    facts.write_text(CLIENT, "utf-8")
    target = f"image:{image('python')}?discovery-client"
    options = ["--iut", target, "--facts", str(facts), "--req", "MQSD", "-k", "version-is-zero or turn-at-once"]
    done = judge(tmp_path / "out", *options)
    loaded = {one["case"] for one in done.of("witness") if "too loaded to tell" in one["observed"]}
    found = {one["id"]: one["verdict"] for one in done.of("case") if "excused" not in one}
    assert found, done.text
    assert {verdict for case, verdict in found.items() if case not in loaded} == {"pass"}, done.text
    assert (tmp_path / "out" / "captures").is_dir()
    assert_nothing_left(engine)


def test_what_cannot_be_built_is_told_without_a_traceback(tmp_path: Path):
    script = str(EXAMPLES / "iut" / "build_images.py")
    nowhere = os.environ | {"DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    for words in (["c"], ["python", "--build", str(tmp_path / "python")]):
        done = subprocess.run(
            [sys.executable, script, *words], capture_output=True, text=True, env=nowhere, check=False
        )
        assert done.returncode != 0
        assert "Traceback" not in done.stderr
        assert words[0] in done.stderr
