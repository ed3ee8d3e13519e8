"""An implementation whose every answer is noted, so that two of them can be compared case by case.

What passes over sockets is not noted: ports differ from run to run.
"""

import json
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from typing import Any

UNTOLD = frozenset({"initialize", "shutdown", "reset", "discovery_server.listen"})
"""Operations whose answers say nothing of what an implementation does, or name a port."""


class Notebook:
    """What was answered since the last page was torn off."""

    def __init__(self) -> None:
        self._digest = sha256()
        self.pages: dict[str, str] = {}

    def note(self, method: str, answer: object) -> None:
        """Add one answer."""
        if method not in UNTOLD:
            self._digest.update(json.dumps([method, answer], sort_keys=True, default=repr).encode())

    def turn(self, case: str) -> None:
        """Begin a new page; what stands on the old one belongs to a case."""
        self.pages[case] = self._digest.hexdigest()[:16]
        self._digest = sha256()


class WatchedIut:
    """Passes every call on and notes what comes back."""

    def __init__(self, inner: Any, notebook: Notebook) -> None:
        self._inner, self._notebook = inner, notebook

    def call(self, method: str, params: dict[str, Any]) -> Any:
        """Perform one operation."""
        try:
            answer = self._inner.call(method, params)
        except Exception as problem:
            self._notebook.note(method, f"{type(problem).__name__} {getattr(problem, 'code', '')}")
            raise
        self._notebook.note(method, answer)
        return answer


watched: Callable[[], WatchedIut]
"""What makes the implementation of this process; ``watch`` sets it. One process tries one implementation."""


def watch(target: str) -> Notebook:
    """Let ``api:THIS MODULE:watched`` reach ``module:callable`` and return where its answers are noted."""
    module, _, attribute = target.partition(":")
    notebook = Notebook()

    def opened() -> WatchedIut:
        return WatchedIut(getattr(import_module(module), attribute)(), notebook)

    globals()["watched"] = opened
    return notebook
