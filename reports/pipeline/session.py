"""The Spark session of a command: embedded in one machine unless a master is named, and quiet."""

import ipaddress
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from rich.console import Console

from mqconform.harness.records.printable import visible
from mqconform.reports.pipeline.java import find_java, java_home_for_spark
from mqconform.reports.pipeline.problems import NoSpark, UnusableInput

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


LOCAL: Final = "local[*]"

QUIET: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",  # a stream 01 is not the stream 1
    "spark.sql.maxConcurrentOutputFileWriters": "8",  # else rows are sorted before they are written by their kind
}

ON_LOOPBACK: Final = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}

EMBEDDED: Final = {
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "8",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
}
"""For one machine and a moderate number of rows: a quick start counts for more than fast code."""

ROWS_IN_SPARK: Final = {
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
}
"""For many rows: fast code, and large batches for Python.

Without the optimising compiler the JVM takes several times as long for each row.
"""

FEW_ROWS: Final = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""For little work: compiling the queries and handing out many tasks would take longer than that."""
FEW_OCTETS: Final = 2**25
MANY_OCTETS: Final = 2**27
"""Octets of input from which on the optimising compiler of the JVM is worth its time: 1 M entries of CSV took 24 s of
processors without it and 30 s with it, start included."""

LONGEST_SOCKET_FOLDER: Final = 50
"""Characters; the name of a Unix domain socket has at most 107, and Spark's has up to 50 of its own."""


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """What a user may say about the session.

    Attributes:
        master: Spark's master URL; None for what ``spark-submit`` gave, else for all cores of this machine.
        conf: Spark configuration, which goes before all that is set here.
    """

    master: str | None = None
    conf: Mapping[str, str] = field(default_factory=dict)


def settings_of(master: str | None, conf: tuple[str, ...]) -> SessionSettings:
    """Return the settings in the options ``--master`` and ``--conf KEY=VALUE``.

    Raises:
        UnusableInput: an entry has no ``=``, or its key is not one of Spark's.
    """
    pairs = {}
    for entry in conf:
        key, equals, value = entry.partition("=")
        if not equals or not key.startswith("spark."):
            raise UnusableInput(f"--conf {entry}: give KEY=VALUE with a key of Spark, such as spark.executor.memory=2g")
        pairs[key] = value
    return SessionSettings(master, pairs)


@contextmanager
def session_for(octets: int, settings: SessionSettings, application: str) -> "Iterator[SparkSession]":
    """Give a session that suits an input of some octets; see ``spark_session``."""
    suited = FEW_ROWS if octets < FEW_OCTETS else ROWS_IN_SPARK if octets >= MANY_OCTETS else {}
    with spark_session(SessionSettings(settings.master, suited | dict(settings.conf)), application) as spark:
        yield spark


@contextmanager
def spark_session(settings: SessionSettings, application: str = "mqconform") -> "Iterator[SparkSession]":
    """Give a Spark session, which is stopped when the context ends.

    Under ``spark-submit`` the session is the one that was submitted, and only what the settings name is changed. Later
    sessions of this process run in the JVM of the first one; beside a session that runs, in its context, which stays.

    Raises:
        NoSpark: pyspark is not installed, no Java works, or the session does not start.
        UnusableInput: a session with another master runs in this process.
    """
    try:
        from pyspark import SparkConf  # noqa: PLC0415 - the extra may be missing, and the import takes a second
    except ImportError as absent:
        raise NoSpark(f"this needs {absent.name}; run in a checkout of mqconform: pip install '.[spark]'") from absent
    if running := _running():
        try:
            yield _made_active(_beside(running, settings))
        finally:
            _made_active(running)
        return
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    environment: dict[str, str] = {}
    chosen = dict(settings.conf) | ({"spark.master": settings.master} if settings.master else {})
    if not submitted:
        chosen = _configuration(settings)
        place = visible(chosen["spark.master"])
        Console(stderr=True).print(f"starting Spark, {place}", markup=False, highlight=False, soft_wrap=True)
        environment = _environment(chosen["spark.master"])
    with _set(environment):
        session = _started(SparkConf().setAppName(application).setAll(list(chosen.items())))
    try:
        yield session
    finally:
        session.stop()


@cache
def _scratch() -> "TemporaryDirectory[str]":
    """Return a folder that lasts as long as the JVM, which puts its sockets where its first session said."""
    return TemporaryDirectory(prefix="mqconform-spark-", ignore_cleanup_errors=True)


@cache
def _java_home() -> str:
    return str(java_home_for_spark(find_java(os.environ), Path(_scratch().name)))


@contextmanager
def _set(environment: Mapping[str, str]) -> Iterator[None]:
    """Set variables until Spark has started, which keeps them: other programs of this process may be anybody's."""
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            os.environ.update({} if value is None else {name: value})


def _running() -> "SparkSession | None":
    """Return the session that runs in this process, in whichever thread."""
    from py4j.protocol import Py4JError  # noqa: PLC0415 - known to be there now
    from pyspark.errors import PySparkException  # noqa: PLC0415
    from pyspark.sql import SparkSession  # noqa: PLC0415

    with suppress(PySparkException, Py4JError, AttributeError):  # none, or a context that was stopped by itself
        session = SparkSession.active()
        if session.sparkContext.defaultParallelism:
            return session
    return None


def _beside(running: "SparkSession", settings: SessionSettings) -> "SparkSession":
    """Return another session of a context: a process has one, whose master and memory are settled."""
    master = running.sparkContext.master
    if settings.master and settings.master != master:
        asked, place = visible(settings.master), visible(str(master))
        raise UnusableInput(f"--master {asked}: a session on {place} runs in this process; stop it first")
    session = running.newSession()
    for key, value in (QUIET | dict(settings.conf)).items():
        if session.conf.isModifiable(key):
            session.conf.set(key, value)
    return session


def _made_active(session: "SparkSession") -> "SparkSession":
    """Return a session after making it the one in which Spark looks for data sources."""
    of_java: Any = session
    of_java._jvm.SparkSession.setActiveSession(of_java._jsparkSession)  # noqa: SLF001 - no function of Python does it
    return session


def _configuration(settings: SessionSettings) -> dict[str, str]:
    master = settings.master or settings.conf.get("spark.master") or LOCAL
    chosen = {"spark.master": master} | QUIET
    if master.startswith("local"):
        chosen |= EMBEDDED | _sockets(_scratch().name)
    if _stays_here(master):
        chosen |= ON_LOOPBACK
    chosen |= {key: value for key, value in settings.conf.items() if key != "spark.master"}
    with as_file(files("mqconform.reports.pipeline").joinpath("log4j2.properties")) as quiet_log:
        java_options = f"-Dlog4j2.configurationFile={quiet_log} {chosen.get('spark.driver.extraJavaOptions', '')}"
    return chosen | {"spark.driver.extraJavaOptions": java_options.strip()}


def _sockets(folder: str) -> dict[str, str]:
    """Return how JVM and workers meet: through files rather than TCP, whose delayed acknowledgements cost each task."""
    if not hasattr(socket, "AF_UNIX") or len(os.fsencode(folder)) > LONGEST_SOCKET_FOLDER:
        return {}
    return {"spark.python.unix.domain.socket.enabled": "true", "spark.python.unix.domain.socket.dir": folder}


def _environment(master: str) -> dict[str, str]:
    """Return what the JVM and its Python workers take from the environment."""
    environment = {"JAVA_HOME": _java_home()}
    environment["PYTHONSAFEPATH"] = "1"  # for what plans the reading of sources, which takes nothing from the context
    if _stays_here(master):
        environment["SPARK_LOCAL_IP"] = "127.0.0.1"
        environment["PYSPARK_PYTHON"] = os.environ.get("PYSPARK_PYTHON", sys.executable)
    return environment


def _stays_here(master: str) -> bool:
    """Return whether driver and executors are all on this machine."""
    if master.startswith("local"):
        return True
    host = urlsplit(master).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _started(conf: Any) -> "SparkSession":
    from pyspark import SparkContext  # noqa: PLC0415 - known to be there now
    from pyspark.sql import SparkSession  # noqa: PLC0415

    log = _log()
    try:
        safe = {"PYTHONSAFEPATH": "1"}  # the workers import nothing from the folder where the user stands
        return SparkSession(SparkContext(conf=conf, environment=safe, gateway=_gateway(conf)))
    except Exception as error:  # a failure in the JVM has a class that only py4j knows
        lines = str(getattr(error, "java_exception", error)).strip().splitlines() or [type(error).__name__]
        raise NoSpark(f"Spark does not start: {lines[0][:300]}{_end_of(log)}") from error


_JVM: Final[list[Any]] = []
"""The gateway to the JVM of this process, started with the configuration of the first session, once there is one."""


def _gateway(conf: Any) -> Any:
    from pyspark.java_gateway import launch_gateway  # noqa: PLC0415

    if not _JVM:
        launch: Any = launch_gateway
        _JVM.append(launch(conf, {"stdout": _log(), "stderr": subprocess.STDOUT}))
    return _JVM[0]


@cache
def _log() -> IO[bytes]:
    """Return the file to which the JVM writes."""
    return TemporaryFile()


def _end_of(log: IO[bytes]) -> str:
    """Return the last lines that the JVM wrote, on a line of their own each."""
    log.flush()
    log.seek(0)
    lines = log.read().decode("utf-8", "replace").strip().splitlines()[-8:]
    return "".join(f"\n    {line[:200]}" for line in lines)


INTERVAL = 0.2
"""Seconds between two looks at Spark's state."""


@contextmanager
def watched(spark: "SparkSession", doing: str, console: Console | None = None) -> Iterator[None]:
    """Show how many tasks of the running stages are done while the context lasts."""
    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    done = Event()
    tracker = spark.sparkContext.statusTracker()
    with console.status(doing) as status:

        def look() -> None:
            while not done.wait(INTERVAL):
                stages = [stage for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()) if stage]
                completed, total = (
                    sum(stage.numCompletedTasks for stage in stages),
                    sum(stage.numTasks for stage in stages),
                )
                status.update(f"{doing}: {completed} of {total} tasks" if total else doing)

        watcher = Thread(target=look, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()
