"""An implementation that the harness can reach, served as an IUT on standard input and output.

The answering side of JSON-RPC 2.0, one object per line: it wraps a Python object for harnesses in other processes
and containers.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from mqconform.harness.iut import interface
from mqconform.harness.records.exit_codes import ExitCode

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
SERVER_ERROR = -32000


def serve_on_standard_streams(opening: Callable[[], interface.Iut], note: Callable[[str], None]) -> ExitCode:
    """Open an implementation and serve it on standard input and output; what it prints goes to standard error.

    Args:
        opening: opens it.
        note: takes what is to be said of the end.
    """
    with answers_apart_from_prints() as answers:
        try:
            iut = opening()
        except interface.IutProblem as problem:
            note(f"serve stdio: {problem}")
            return ExitCode.USAGE if isinstance(problem, interface.ConfigurationError) else ExitCode.FAIL
        try:
            serve(iut, sys.stdin.buffer, answers)
        except BrokenPipeError:
            note("serve: the reader of the answers is gone")
        finally:
            iut.close()
        return ExitCode.OK


def serve(iut: interface.Iut, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer request lines until ``shutdown`` was answered or the requests end."""
    while line := requests.readline(interface.MAX_LINE + 1):
        answer, over = answer_line(iut, line)
        if answer is not None:
            answers.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
            answers.flush()
        if over:
            return


def answer_line(iut: interface.Iut, line: bytes) -> tuple[interface.Json | None, bool]:
    """Return the answer to one line, None to a notification, and whether it was the last one."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        return failure(PARSE_ERROR, f"not JSON: {interface.excerpt(str(error))}"), False
    if not is_request(request):
        return failure(INVALID_REQUEST, f"no JSON-RPC 2.0 request: {interface.excerpt(request)}"), False
    answer = {"jsonrpc": "2.0", "id": request.get("id"), **performed(iut, request["method"], request.get("params", {}))}
    over = request["method"] == "shutdown" and "result" in answer
    return (answer if "id" in request else None), over


def is_request(request: Any) -> bool:
    """Return whether a document is a request or notification with named parameters."""
    if not isinstance(request, dict):
        return False
    named = isinstance(request.get("params", {}), dict)
    return request.get("jsonrpc") == "2.0" and isinstance(request.get("method"), str) and named


def performed(iut: interface.Iut, method: str, params: interface.Json) -> interface.Json:
    """Perform one operation and return the answer's ``result`` or ``error`` member."""
    try:
        return {"result": iut.call(method, params)}
    except interface.IutErrorAnswer as answer:
        return error_member(answer.code, answer.text)
    except (interface.Unsupported, interface.NotApplicable) as problem:
        return error_member(interface.METHOD_NOT_FOUND, str(problem))
    except interface.IutProblem as problem:
        return error_member(SERVER_ERROR, str(problem))


def failure(code: int, message: str) -> interface.Json:
    """Return an answer to what is no request, and so has no identity."""
    return {"jsonrpc": "2.0", "id": None, **error_member(code, message)}


def error_member(code: int, message: str) -> interface.Json:
    """Return the ``error`` member of an answer."""
    return {"error": {"code": code, "message": message}}


@contextmanager
def answers_apart_from_prints() -> Iterator[BinaryIO]:
    """Yield the real standard output; whatever else the process prints meanwhile goes to standard error."""
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        try:
            yield answers
        finally:
            sys.stdout.flush()
            os.dup2(answers.fileno(), 1)
