"""``api:module:callable``: an implementation that is a Python object in the harness's own process.

The callable, a class or a function, is called without arguments; ``find_operation`` tells which
shapes the object may have. Parameters and results pass through JSON text, as they would over any other carrier:
neither side can alter the other's objects, and what is no JSON is found out. A method that returns None has
answered ``{}``. An exception with an integer ``code`` is a JSON-RPC error; a missing method, ``NotImplementedError``
and -32601 mean "not supported". Code that ends the whole process (a crash in C, ``os._exit``) takes the harness with
it; such an implementation belongs behind ``mqconform serve stdio``.
"""

import inspect
import json
import os
import sys
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from math import inf
from queue import Empty, SimpleQueue
from threading import Thread, current_thread, main_thread
from typing import Any, Generic, NoReturn, TypeVar

from mqconform.adapters.programs.json_rpc import document
from mqconform.harness.iut import interface
from mqconform.harness.iut.contention import Deadline
from mqconform.harness.iut.interface import ConfigurationError, Json, excerpt

Operation = Callable[[Json], Any]


def load_factory(target: str) -> Callable[[], Any]:
    """Import ``module:callable``. This runs the module's code.

    Raises:
        ConfigurationError: there is no such thing, or it cannot be called without arguments.
    """
    module_name, colon, attribute = target.partition(":")
    if not colon or not module_name or not attribute:
        raise ConfigurationError(f"api:{target}: expected api:module:callable, such as api:my_package.iut:MyServer")
    factory = _attribute(_module(module_name, target), attribute, target)
    if not callable(factory):
        raise ConfigurationError(
            f"api:{target}: {attribute} is not a class or function; name a class or function that makes the IUT"
        )
    _require_no_arguments(factory, target)
    makes_iut: Callable[[], Any] = factory
    return makes_iut


def _module(name: str, target: str) -> Any:
    """Import a module, from the current directory too, as ``python -m`` does.

    The directory comes last in the path: a file there must not replace a module that the harness itself imports.
    For an implementation of ours, such as the reference, nothing there is of use.
    """
    here = os.getcwd()  # noqa: PTH109 - sys.path holds text
    if here not in sys.path and "" not in sys.path and not name.startswith("mqconform."):
        sys.path.append(here)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        where = "the environment of the harness or the current directory"
        missing = f"module {error.name} is not found; install it into {where}"
        raise ConfigurationError(f"api:{target}: {missing}") from error
    except BaseException as error:  # a module may raise anything, sys.exit() included; this is not a thread of ours
        remedy = f"see that python -c 'import {name}' works"
        raise ConfigurationError(f"api:{target}: importing {name} raised {exception_text(error)}; {remedy}") from error


def exception_text(error: BaseException) -> str:
    """Return type and text of an exception of the IUT."""
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 (the __str__ of the IUT)
        text = "(its text cannot be had)"
    return f"{type(error).__name__}: {excerpt(text)}" if text else type(error).__name__


def _attribute(module: Any, path: str, target: str) -> Any:
    attribute = module
    for name in path.split("."):
        try:
            attribute = getattr(attribute, name)
        except AttributeError as error:
            origin = getattr(module, "__file__", None) or "a built-in module"
            raise ConfigurationError(f"api:{target}: {module.__name__} ({origin}) has no object {path!r}") from error
    return attribute


def _require_no_arguments(factory: Callable[..., Any], target: str) -> None:
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):
        return  # written in C without a signature: the call itself will tell
    try:
        signature.bind()
    except TypeError as error:
        raise ConfigurationError(
            f"api:{target}: is called without arguments, but {error}; name a class or function that needs none"
        ) from error


def find_operation(iut: Any, method: str) -> Operation | None:
    """Return what performs a method, in the first of the shapes that the object has; None where it has none.

    1. ``iut.call(method, params)``: one door for all methods;
    2. ``iut.discovery_server_configure(**params)``: one method each, the dot as an underscore;
    3. ``iut.discovery_server.configure(**params)``: one object per role.

    ``initialize``, ``reset`` and ``shutdown`` have no role: ``iut.reset()`` in shapes 2 and 3.
    """
    door = getattr(iut, "call", None)
    if callable(door):
        return lambda params: door(method, params)
    operation = getattr(iut, method.replace(".", "_"), None)
    role, dot, name = method.partition(".")
    if operation is None and dot:
        operation = getattr(getattr(iut, role, None), name, None)
    if not callable(operation):
        return None
    function: Callable[..., Any] = operation
    return lambda params: function(**params)


IMPORT_SECONDS = 60.0
"""Importing may read thousands of files and compile: not a matter of the deadline for a call."""
CLOSE_SECONDS = 1.0
TRACEBACK_KEPT = 4_096
ENTRY_KEPT = 500
FAULTS_KEPT = 8


@dataclass(frozen=True, slots=True)
class Answered:
    """A call that returned."""

    result: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """A call that did not return, or not with JSON: what to raise in the harness's thread, and the traceback."""

    problem: Exception
    trace: str = ""


Outcome = Answered | Raised


def open_iut(target: str, options: interface.AdapterOptions) -> "PythonApiIut":
    """Import ``module:callable`` and call it.

    Raises:
        ConfigurationError: the module or the callable cannot be had.
        IutFault: ``exception`` or ``deadline`` while the object was made.
    """
    return PythonApiIut(target, options)


class PythonApiIut:
    """A Python object behind the IUT interface; its code runs in a thread of its own."""

    def __init__(self, target: str, options: interface.AdapterOptions) -> None:
        self.description = interface.IutDescription(name=f"api {target}", version="")
        self.facts: interface.ServerFacts | None = None
        self._deadline = options.deadline
        self._recent_faults: deque[str] = deque(maxlen=FAULTS_KEPT)
        self._worker: DeadlineWorker[Outcome] = DeadlineWorker(f"api {target}")
        try:
            factory = self._run("import", lambda: _loaded(target), IMPORT_SECONDS)
            self._object = self._run(f"api:{target}", lambda: _guarded(f"api:{target}", factory), options.deadline)
        except BaseException:
            self._worker.stop()
            raise

    def call(self, method: str, params: interface.Json) -> interface.Json:
        """Perform one operation; see ``Iut.call``. The result is JSON, but not yet held to the schema."""
        text = json.dumps(params)
        result: interface.Json = self._run(method, lambda: _performed(self._object, method, text), self._deadline)
        return result

    def evidence(self) -> tuple[str, ...]:
        """Return the tracebacks of the latest exceptions."""
        return tuple(self._recent_faults)

    def close(self) -> None:
        """Call ``shutdown`` if the object has it, and let the thread end."""
        try:
            self._run(
                "shutdown", lambda: _performed(self._object, "shutdown", "{}"), min(CLOSE_SECONDS, self._deadline)
            )
        except interface.Unsupported:
            pass  # nothing to end
        except Exception as error:  # noqa: BLE001 (close never raises; what the object did is evidence)
            self._recent_faults.append(f"shutdown: {error}")
        self._worker.stop()

    def _run(self, what: str, task: Callable[[], Outcome], seconds: float) -> Any:
        abandoned = self._worker.given_up
        try:
            outcome = self._worker.run(task, seconds)
        except DeadlineMissed:
            tell = "was abandoned after an earlier call hung" if abandoned else f"did not return within {seconds:g} s"
            raise interface.IutFault("deadline", f"{what}: the IUT {tell}") from None
        if isinstance(outcome, Raised):
            self._raise(what, outcome)
        return outcome.result

    def _raise(self, what: str, raised: Raised) -> NoReturn:
        if raised.trace:
            self._recent_faults.append(f"{what}: {raised.trace}")
        raise raised.problem


def _loaded(target: str) -> Outcome:
    try:
        return Answered(load_factory(target))
    except interface.ConfigurationError as problem:
        return Raised(problem)


def _performed(iut: Any, method: str, text: str) -> Outcome:
    """Perform an operation in the IUT's thread, parameters and result as JSON text."""

    def work() -> Any:
        operation = find_operation(iut, method)
        if operation is None:
            raise interface.Unsupported(f"{method}: the object has no such method")
        return operation(json.loads(text))

    outcome = _guarded(method, work)
    return _as_json(method, outcome.result) if isinstance(outcome, Answered) else outcome


def _as_json(method: str, result: Any) -> Outcome:
    try:
        text = json.dumps({} if result is None else result)
        if len(text) > interface.MAX_LINE:
            return Raised(
                interface.IutFault(
                    "oversize", f"{method}: the result has {len(text)} octets as JSON, over {interface.MAX_LINE}"
                )
            )
        return Answered(document(text))
    except BaseException as error:  # the object's own code runs here too: __iter__, __repr__
        if _means_stop(error):
            raise
        return Raised(
            interface.IutFault("not-json", f"{method}: the result cannot be written as JSON: {exception_text(error)}")
        )


def _guarded(what: str, work: Callable[[], Any]) -> Outcome:
    """Run code of the IUT; anything it raises, SystemExit and KeyboardInterrupt included, is an outcome."""
    try:
        return Answered(work())
    except interface.Unsupported as problem:
        return Raised(problem)
    except NotImplementedError as error:
        return Raised(interface.Unsupported(f"{what}: {exception_text(error)}"))
    except BaseException as error:
        if _means_stop(error):
            raise
        return _raised(what, error)


def _means_stop(error: BaseException) -> bool:
    """Return whether the user wants to stop: an interrupt of the main thread, where code runs without a deadline."""
    return isinstance(error, KeyboardInterrupt) and current_thread() is main_thread()


def _raised(what: str, error: BaseException) -> Raised:
    text = f"{what}: {exception_text(error)}"
    code = _error_code(error)
    if code == interface.METHOD_NOT_FOUND:
        return Raised(interface.Unsupported(text))
    if code is not None:
        return Raised(interface.IutErrorAnswer(code, exception_text(error)))
    entries = traceback.format_exception(error, limit=-12)
    trace = "".join(entry if len(entry) <= ENTRY_KEPT else f"{entry[:ENTRY_KEPT]} ...\n" for entry in entries)
    (innermost,) = traceback.extract_tb(error.__traceback__, limit=-1)
    place = f" at line {innermost.lineno} of {innermost.filename}"
    return Raised(interface.IutFault("exception", text + place), trace[-TRACEBACK_KEPT:])


def _error_code(error: BaseException) -> int | None:
    """Return the JSON-RPC code that an exception carries. The ``code`` of SystemExit is an exit status."""
    try:
        code = error.code if isinstance(error, Exception) and hasattr(error, "code") else None
    except BaseException:  # noqa: BLE001 (a property of a class of the IUT)
        return None
    return code if type(code) is int else None


T = TypeVar("T")


class DeadlineMissed(Exception):
    """The task did not end in time, or an earlier one did not: the thread is given up."""


class DeadlineWorker(Generic[T]):
    """Runs tasks one after the other, each against a deadline.

    A Python thread cannot be ended from outside. After a missed deadline it is left behind, as a daemon, and
    every later task is refused at once.
    """

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[Callable[[], T] | None] = SimpleQueue()
        self._answers: SimpleQueue[T] = SimpleQueue()
        self.given_up = False
        Thread(target=self._work, name=name, daemon=True).start()

    def run(self, task: Callable[[], T], seconds: float) -> T:
        """Return what the task returns. The task itself must not raise.

        Without a deadline, ``inf``, it runs where it is called: changing threads takes longer than a short task.

        Raises:
            DeadlineMissed: it took longer than ``seconds``, or the worker was given up before.
        """
        if self.given_up:
            raise DeadlineMissed
        if seconds == inf:
            return task()
        deadline = Deadline(seconds)
        self._tasks.put(task)
        while (left := deadline.left()) > 0:
            try:
                return self._answers.get(timeout=left)
            except Empty:
                continue
        self.given_up = True
        raise DeadlineMissed

    def stop(self) -> None:
        """Let the thread end once it has nothing left to do."""
        self._tasks.put(None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            self._answers.put(task())
