"""What tests share: one Spark session for a whole run, packages from the npm registry, and a small enterprise."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from mqconform.reference.directory import Directory, directory_from_document
from mqconform.reports.pipeline.session import SessionSettings, spark_session

NODE = Path(__file__).parent / "node"


def _install(npm: str, folder: Path) -> None:
    """Install the packages that a folder asks for; skip where the registry does not answer."""
    patience = ["--fetch-timeout=20000", "--fetch-retries=1"]
    command = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", *patience, "--prefix", str(folder)]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=150)
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not install the consumers within 150 s")
    if done.returncode:
        pytest.skip(f"npm could not install the consumers: {done.stderr.strip()[-300:]}")


@pytest.fixture(scope="session")
def tools(request: pytest.FixtureRequest) -> Path:
    """The folder of node packages, installed once from the npm registry."""
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not on PATH, so schemas and consumers from the npm registry cannot be had")
    folder = request.config.cache.mkdir("mqconform-node")
    with FileLock(folder / "lock"):
        wanted = (NODE / "package.json").read_text("utf-8")
        installed = folder / "package.json"
        if not installed.exists() or installed.read_text("utf-8") != wanted:
            draft = folder / "draft"
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            shutil.copy(NODE / "package.json", draft)
            _install(npm, draft)
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            (draft / "node_modules").rename(folder / "node_modules")
            installed.write_text(wanted, "utf-8")
    return folder / "node_modules"


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    """A session on two cores of this machine."""
    pytest.importorskip("pyspark", reason="the extra spark is not installed")
    settings = SessionSettings("local[2]", {"spark.sql.shuffle.partitions": "2"})
    with spark_session(settings, "mqconform tests") as session:
        yield session


def guid(number: int) -> str:
    """Return the GUID of a machine of ``three_sites``: 0 to 2 gates, 3 to 5 clients, 6 a client with an Out list."""
    return f"0000000{number}-abcd-4000-8000-00000000beef"


@pytest.fixture(scope="session")
def three_sites() -> Directory:
    """Oslo - Bergen - Tromso in a line; the gates are machines 0 to 2, clients 3 to 5, and 6 has Oslo's gate as Out."""
    places = ("Oslo", "Bergen", "Tromso")
    machines = [
        {"id": guid(number), "name": f"{kind}-{place}", "sites": [place], "routing_server": kind == "gate"}
        for number, (kind, place) in enumerate((kind, place) for kind in ("gate", "client") for place in places)
    ]
    bound = {
        "id": guid(6),
        "name": "bound",
        "sites": ["Oslo"],
        "routing_server": False,
        "out_routing_servers": [guid(0)],
    }
    return directory_from_document(
        {
            "enterprise": {"name": "Nordic"},
            "sites": [{"name": place, "site_gates": [guid(number)]} for number, place in enumerate(places)],
            "routing_links": [
                {"id": "a", "site1": "Oslo", "site2": "Bergen", "cost": 1},
                {"id": "b", "site1": "Bergen", "site2": "Tromso", "cost": 1},
            ],
            "queue_managers": [*machines, bound],
        }
    )
