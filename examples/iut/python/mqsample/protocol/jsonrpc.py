"""JSON-RPC 2.0 over lines: one object a line in, one object a line out."""

import json
from collections.abc import Callable, Mapping
from typing import BinaryIO

from mqsample.protocol.parameters import InvalidParameters, JsonObject, Parameters

Method = Callable[[Parameters], JsonObject]

LONGEST_LINE = 16 * 1024 * 1024

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603


class MethodError(Exception):
    """An error answer with a code of its own."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def serve(methods: Mapping[str, Method], requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until `shutdown`, the end of input, or a line that has no end."""
    while line := requests.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            _write(answers, _failure(None, INVALID_REQUEST, f"a line has {LONGEST_LINE} octets at most"))
            return
        answer, was_shutdown = _answer(methods, line)
        if answer is not None:
            _write(answers, answer)
        if was_shutdown:
            return


def _answer(methods: Mapping[str, Method], line: bytes) -> tuple[JsonObject | None, bool]:
    """The answer to one line, and whether it was a `shutdown`. A request without id gets no answer."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return _failure(None, PARSE_ERROR, "the line is not JSON in UTF-8"), False
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return _failure(None, INVALID_REQUEST, "a request is an object with a method"), False
    method, request_id = request["method"], request.get("id")
    answer = _call(methods, method, request.get("params", {}), request_id)
    return (answer if "id" in request else None), method == "shutdown"


def _call(methods: Mapping[str, Method], method: str, params: object, request_id: object) -> JsonObject:
    if method not in methods:
        return _failure(request_id, METHOD_NOT_FOUND, f"there is no method {method}")
    try:
        result = methods[method](Parameters(params))
    except MethodError as error:
        return _failure(request_id, error.code, str(error))
    except (InvalidParameters, ValueError) as error:
        return _failure(request_id, INVALID_PARAMS, str(error))
    except Exception as error:  # noqa: BLE001 - whatever is wrong here, the next request still has to be answered
        return _failure(request_id, INTERNAL_ERROR, f"{type(error).__name__}: {error}")
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def _failure(request_id: object, code: int, message: str) -> JsonObject:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}


def _write(answers: BinaryIO, answer: JsonObject) -> None:
    answers.write(json.dumps(answer).encode("ascii") + b"\n")
    answers.flush()
