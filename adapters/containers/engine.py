"""The Docker engine that DOCKER_HOST or the current context names, and what its failures mean.

An engine that cannot be used before a run is a matter of configuration; one that fails during a run is an error of the
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
REMEDY = "start an engine, or set DOCKER_HOST"
MOST_ERROR_TEXT = 600


class EngineFailed(ConfigurationError):
    """The engine could not be used, or failed; exit code 4 before a run, 3 within one."""


class EngineRefused(EngineFailed):
    """The engine works and refused a call.

    Attributes:
        status: of HTTP.
        explanation: the engine's own words, made printable.
    """

    def __init__(self, activity: str, status: int, explanation: str) -> None:
        super().__init__(f"{activity}: the Docker engine refused: {explanation}")
        self.status = status
        self.explanation = explanation


class Engine:
    """An engine that has answered.

    Attributes:
        client: the SDK's client, safe to use from several threads.
        api: its calls, one for each of the engine's.
    """

    def __init__(self, client: Any) -> None:
        self.client, self.api = client, client.api

    @property
    def on_this_machine(self) -> bool:
        """Whether it is reached by a socket or a loopback address of this machine, not over a network."""
        return urlsplit(str(self.api.base_url)).hostname in {"localhost", "127.0.0.1", "::1"}

    def answers(self) -> bool:
        """Whether it still does."""
        try:
            with asking("ping"):
                return bool(self.client.ping())
        except EngineFailed:
            return False


@cache
def engine() -> Engine:
    """Return the engine, asked once in a process whether it is there.

    Raises:
        EngineFailed: the SDK is missing, or no engine answers.
    """
    try:
        from docker import ContextAPI, DockerClient  # noqa: PLC0415 - the extra docker need not be installed
    except ImportError as error:
        raise EngineFailed(
            f"image: needs the Docker SDK ({error}); run in a checkout of mqconform: pip install '.[docker]'"
        ) from error
    with asking("finding the engine"):
        context = os.environ.get("DOCKER_CONTEXT")
        if context and not os.environ.get("DOCKER_HOST") and ContextAPI.get_context(context) is None:
            # The SDK would take the engine of the usual socket instead.
            raise EngineFailed(f"DOCKER_CONTEXT: there is no context {printable(context)}; docker context ls names all")
        return Engine(DockerClient.from_env(version="auto", timeout=CALL_SECONDS))


@contextmanager
def asking(activity: str) -> Iterator[None]:
    """Turn what the SDK raises into an error that says what was being done and what to do now.

    Raises:
        EngineRefused: the engine answered with an error.
        EngineFailed: it did not answer.
    """
    from docker.errors import APIError, DockerException  # noqa: PLC0415
    from requests.exceptions import RequestException  # noqa: PLC0415
    from urllib3.exceptions import HTTPError  # noqa: PLC0415

    try:
        yield
    except EngineFailed:
        raise
    except APIError as error:
        status = error.response.status_code if error.response is not None else 0
        raise EngineRefused(activity, status, printable(str(error.explanation or error))) from error
    except (DockerException, RequestException, HTTPError, OSError, ValueError) as error:
        where = printable(os.environ.get("DOCKER_HOST") or "its usual socket")
        message = f"{activity}: no Docker engine answers at {where}: {printable(str(error))}; {REMEDY}"
        raise EngineFailed(message) from error


def printable(text: str) -> str:
    """Return the beginning of a foreign text, in one line that acts on no terminal."""
    line = "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in text.strip()[:MOST_ERROR_TEXT]
    )
    return line + ("..." if len(text.strip()) > MOST_ERROR_TEXT else "")
