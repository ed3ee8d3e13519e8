"""What tests share: a Spark session and a browser for a whole run, packages from npm, and a small enterprise."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from result_records import guid
from surroundings import pytest_configure

from mqconform.reference.directory import Directory, directory_from_document
from mqconform.reports.pipeline.session import FEW_ROWS, SessionSettings, spark_session

__all__ = ["pytest_configure"]
NODE = Path(__file__).parent / "node"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what opens a browser into the long lane."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.long)
            item.add_marker(pytest.mark.browser)


def _installed(npm: str, folder: Path) -> str:
    """Install the packages that a folder asks for; return why that failed, empty where it did not."""
    patience = ["--fetch-timeout=20000", "--fetch-retries=1"]
    command = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", *patience, "--prefix", str(folder)]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=150)
    except subprocess.TimeoutExpired:
        return "npm did not install the consumers within 150 s"
    told = " ".join(done.stderr.split())[:200]
    return f"npm could not install the consumers: {told}" if done.returncode else ""


@pytest.fixture(scope="session")
def tools(request: pytest.FixtureRequest) -> Path:
    """The folder of node packages, installed once from the npm registry; where it does not answer, asked once a run."""
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not on PATH, so schemas and consumers from the npm registry cannot be had")
    folder = request.config.cache.mkdir("mqconform-node")
    with FileLock(folder / "lock"):
        wanted = (NODE / "package.json").read_text("utf-8")
        installed = folder / "package.json"
        if not installed.exists() or installed.read_text("utf-8") != wanted:
            refused = folder / f"refused-{os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())}"
            if refused.exists():
                pytest.skip(refused.read_text("utf-8"))
            draft = folder / "draft"
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            shutil.copy(NODE / "package.json", draft)
            if why := _installed(npm, draft):
                refused.write_text(why, "utf-8")
                pytest.skip(why)
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            (draft / "node_modules").rename(folder / "node_modules")
            installed.write_text(wanted, "utf-8")
    return folder / "node_modules"


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    """A session on two cores of this machine, which compiles no query: each is asked once, of few rows."""
    pytest.importorskip("pyspark", reason="the extra spark is not installed")
    settings = SessionSettings("local[2]", FEW_ROWS)
    with spark_session(settings, "mqconform tests") as session:
        yield session


@pytest.fixture(scope="session")
def running_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A standalone cluster of Spark for a whole run."""
    from standalone_cluster import Cluster, why_workers_are_not_alone

    if reason := why_workers_are_not_alone():
        pytest.skip(reason)
    held = Cluster(tmp_path_factory.mktemp("cluster"))
    yield held
    held.stop()


@pytest.fixture
def cluster(running_cluster: Any) -> Any:
    """The cluster, with both of its workers whatever the test before has killed."""
    running_cluster.fill()
    return running_cluster


BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium without a window."""
    playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        pytest.skip(f"no browser on PATH: none of {', '.join(BROWSERS)}; Debian's package is chromium")
    with playwright_api.sync_playwright() as tool:
        started = tool.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that fails the test if it logs an error or asks for anything but files."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    complaints: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("request", lambda request: _only_files(request.url, complaints))
    yield opened
    opened.close()
    assert complaints == []


@pytest.fixture
def accessible(browser: Any, tools: Path) -> Iterator[Callable[..., None]]:
    """Holds a page to the rules of axe in a colour scheme, as it opens or with all of it unfolded.

    Of the dark scheme only the contrast: the rest is of the same elements.
    """
    rules = (tools / "axe-core" / "axe.min.js").read_text("utf-8")
    page = browser.new_page(bypass_csp=True)  # axe reads the style sheets, which pages themselves must not

    def check(address: str, scheme: str, *, unfolded: bool = False) -> None:
        page.emulate_media(color_scheme=scheme)
        page.goto(address)
        if unfolded:
            page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true; })")
        page.evaluate(rules)
        options = {} if scheme == "light" else {"runOnly": ["color-contrast"]}
        found = page.evaluate("options => axe.run(document, options)", options)
        wrong = [(address, scheme, one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]]
        assert wrong == []
        assert found["passes"]

    yield check
    page.close()


def _only_files(url: str, complaints: list[str]) -> None:
    if not url.startswith(("file:", "data:")):
        complaints.append(f"asks for {url}")


@pytest.fixture
def shot(page: Any, request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Keeps screenshots for people to look at."""
    kept = os.environ.get("MQCONFORM_SCREENSHOTS")
    folder = Path(kept) if kept else request.config.cache.mkdir("mqconform-screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return lambda name: page.screenshot(path=folder / f"{name}.png")


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
