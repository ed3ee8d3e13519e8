"""The Docker engine, as DOCKER_HOST or the current context names it, and what it means where it fails.

An engine that cannot be used before a run is a matter of configuration; one that fails in mid-run is an error of the
surroundings. Neither is ever the implementation's fault.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from mqconform.harness.iut.interface import ConfigurationError

CALL_SECONDS = 30.0
"""What one call of the engine may take."""
REMEDY = "start an engine, or set DOCKER_HOST to one that you may use"
LONGEST = 600


class EngineFailed(ConfigurationError):
    """The engine could not be used, or failed; exit code 4 before a run, 3 within one."""


class EngineRefused(EngineFailed):
    """The engine works and refused a call.

    Attributes:
        status: of HTTP.
        explanation: the engine's own words, made printable.
    """

    def __init__(self, doing: str, status: int, explanation: str) -> None:
        super().__init__(f"{doing}: the Docker engine refused: {explanation}")
        self.status = status
        self.explanation = explanation


class Engine:
    """One engine and how to speak to it.

    Attributes:
        api: the low-level client of the SDK, safe to use from several threads.
    """

    def __init__(self, api: Any) -> None:
        self.api = api

    @property
    def on_this_machine(self) -> bool:
        """Whether it is reached by a socket or a loopback address of this machine, not over a network."""
        return urlsplit(str(self.api.base_url)).hostname in {"localhost", "127.0.0.1", "::1"}

    def answers(self) -> bool:
        """Whether it still does."""
        try:
            with asking("ping"):
                return bool(self.api.ping())
        except EngineFailed:
            return False


@cache
def engine() -> Engine:
    """Return the engine, asked once in a process whether it is there.

    Raises:
        EngineFailed: the SDK is missing, or no engine answers.
    """
    try:
        from docker import APIClient  # noqa: PLC0415 - the extra docker need not be installed
    except ImportError as error:
        raise EngineFailed(
            f"image: needs the Docker SDK ({error}); run in a checkout of mqconform: pip install '.[docker]'"
        ) from error
    with asking("finding the engine"):
        return Engine(APIClient(version="auto", timeout=CALL_SECONDS, **_where()))


def _where() -> dict[str, Any]:
    """Return where the engine is, as the arguments of ``APIClient``: DOCKER_HOST goes before the current context."""
    from docker.context import ContextAPI  # noqa: PLC0415
    from docker.utils import kwargs_from_env  # noqa: PLC0415

    if os.environ.get("DOCKER_HOST"):
        arguments: dict[str, Any] = kwargs_from_env()
        return arguments
    name = os.environ.get("DOCKER_CONTEXT")
    context = ContextAPI.get_context(name) if name else ContextAPI.get_current_context()
    if name and context is None:
        raise EngineFailed(f"DOCKER_CONTEXT: there is no context {printable(name)}; docker context ls names all")
    if context is None or context.Name == "default":
        return {}
    return {"base_url": context.Host} | ({"tls": context.TLSConfig} if context.TLSConfig else {})


@contextmanager
def asking(doing: str) -> Iterator[None]:
    """Turn whatever the SDK raises into an error that says what was being done and what to do now.

    Raises:
        EngineRefused: the engine answered with an error.
        EngineFailed: it did not answer.
    """
    from docker.errors import APIError, DockerException  # noqa: PLC0415
    from requests.exceptions import RequestException  # noqa: PLC0415
    from urllib3.exceptions import HTTPError  # noqa: PLC0415

    try:
        yield
    except APIError as error:
        status = error.response.status_code if error.response is not None else 0
        raise EngineRefused(doing, status, printable(str(error.explanation or error))) from error
    except (DockerException, RequestException, HTTPError, OSError, ValueError) as error:
        where = printable(os.environ.get("DOCKER_HOST") or "its usual socket")
        message = f"{doing}: no Docker engine answers at {where}: {printable(str(error))}; {REMEDY}"
        raise EngineFailed(message) from error


def printable(text: str) -> str:
    """Return the beginning of a text that others wrote, in one line that acts on no terminal."""
    line = "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in text.strip()[:LONGEST]
    )
    return line + ("..." if len(text.strip()) > LONGEST else "")
