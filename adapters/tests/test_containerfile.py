"""The image of mqconform itself, built by the Containerfile and run: no registry and no network is asked."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docker import DockerClient
from docker.errors import ContainerError
from long_tier import LONG

pytestmark = [LONG, pytest.mark.docker, pytest.mark.timeout(900)]
ROOT = Path(__file__).parents[2]
BASE, IMAGE = "mqconform-tests-base", "mqconform-tests-tool"
OFFLINE = "--no-index --find-links=/wheels"


LIBRARIES = ("pthread", "dl", "rt", "m", "util", "gcc_s", "stdc++", "z")
"""What wheels of any image expect."""


def c_library() -> Path:
    """The C library of this machine."""
    told = subprocess.run(["ldd", sys.executable], capture_output=True, text=True, check=True).stdout
    return Path(next(line.split()[2] for line in told.splitlines() if "libc.so" in line))


def base_image() -> Any:
    """The module of the samples that makes images of this machine's own Python."""
    spec = importlib.util.spec_from_file_location("base_image", ROOT / "examples" / "iut" / "base_image.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheels of what mqconform needs, and of what builds it."""
    folder = tmp_path_factory.mktemp("wheels")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--dest", str(folder)]
    done = subprocess.run([*command, *wanted], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the wheels cannot be had: {done.stderr[-300:]}")
    return folder


@pytest.fixture
def client(docker_host: str) -> Iterator[DockerClient]:
    found = DockerClient(base_url=docker_host, timeout=300)
    yield found
    found.close()


@pytest.fixture
def image(client: DockerClient, docker_host: str, wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The image, on a base of this machine's Python with pip, a shell, and the wheels."""
    made = base_image()
    files = made.python_files
    more = {f"/wheels/{path.name}": path for path in wheels.iterdir()}
    more["/bin/sh"] = Path(shutil.which("sh") or "").resolve()
    for name in LIBRARIES:  # beside the C library, where compiled wheels look for them
        more |= {str(path): path.resolve() for path in c_library().parent.glob(f"lib{name}.so.*")}
    more |= {str(path): path for path in Path("/usr/share/python-wheels").glob("*.whl")}  # of Debian's ensurepip
    monkeypatch.setattr(made, "LEFT_OUT", made.LEFT_OUT - {"ensurepip"})
    monkeypatch.setitem(made.FILES, "python", lambda: files() | more)
    monkeypatch.setenv("DOCKER_HOST", docker_host)
    made.make("python", BASE)
    arguments = {"BASE": BASE, "PIP_OPTIONS": OFFLINE}
    options = {"rm": True, "forcerm": True, "decode": True, "network_mode": "none"}
    told = [*client.api.build(path=str(ROOT), dockerfile="Containerfile", tag=IMAGE, buildargs=arguments, **options)]
    assert not [line for line in told if "error" in line], "".join(line.get("stream", "") for line in told[-20:])
    yield IMAGE
    for name in (IMAGE, BASE):
        client.images.remove(name, force=True)


def run(client: DockerClient, image: str, folder: Path, *arguments: str) -> str:
    """Run the tool as the page has it: without a network, and with a folder of the user's."""
    folder.chmod(0o777)  # the tool runs as nobody
    options = {"network_mode": "none", "remove": True, "volumes": {str(folder): {"bind": "/work", "mode": "rw"}}}
    told: bytes = client.containers.run(image, list(arguments), **options)
    return told.decode()


def test_the_image_judges_and_leaves_its_results_in_the_folder_of_the_user(
    client: DockerClient, image: str, tmp_path: Path
) -> None:
    assert run(client, image, tmp_path, "--version").startswith("mqconform, version ")
    told = run(client, image, tmp_path, "run", "--req", "MQSD-3.2.5.1", "--report", "junit")
    assert re.search(r"^PARTIAL: \d+ of \d+ requirements", told, re.MULTILINE), told  # and exit code 0, or it raises
    assert (tmp_path / "mqconform-results" / "junit.xml").is_file()
    first = (tmp_path / "mqconform-results" / "results.ndjson").read_text("utf-8").partition("\n")[0]
    assert json.loads(first)["selection"]["requirements"] == ["MQSD-3.2.5.1"]
    with pytest.raises(ContainerError) as failed:
        run(client, image, tmp_path, "run", "--iut", "mutant:zero-site-is-own", "--req", "MQSD-3.2.5.1-12")
    assert failed.value.exit_status == 1
    assert client.images.get(image).attrs["Config"]["User"] == "65534:65534"
