"""JSON-RPC 2.0 on the asking side: one request line out, one answer line in."""

import json
import math
from typing import Any

from mqconform.harness.iut.interface import METHOD_NOT_FOUND, IutErrorAnswer, IutFault, Json, Unsupported, excerpt

MAX_VALUES = 500_000
"""JSON values in one answer, counted by their punctuation: a line of 16 MiB could hold millions, at 60 octets each."""

MAX_BLANKS = 4096
"""Blanks around one answer: they say nothing, and a line full of them keeps the harness busy at every call."""


def request_line(identity: int, method: str, params: Json) -> bytes:
    """Return a request as one line of UTF-8."""
    request = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
    return json.dumps(request, separators=(",", ":")).encode() + b"\n"


def result_in(line: bytes, identity: int, method: str) -> Json:
    """Return the result in an answer line.

    Raises:
        Unsupported: the answer is error -32601.
        IutErrorAnswer: it is another error.
        IutFault: ``not-json``, ``wrong-id`` or ``schema``.
    """
    answer = _parsed(line, method)
    if not isinstance(answer, dict):
        raise IutFault("not-json", f"{method}: answered {excerpt(answer)}; expected one JSON-RPC object per line")
    if type(answer.get("id")) is not int or answer["id"] != identity:
        identity_text = "a notification" if "method" in answer else f"id {excerpt(answer.get('id'))}"
        reason = f" ({excerpt(answer['error'])})" if "error" in answer else ""
        raise IutFault(
            "wrong-id", f"{method}: answered with {identity_text}{reason}; expected id {identity} and nothing else"
        )
    if answer.get("jsonrpc") != "2.0":
        raise IutFault("schema", f"{method}: jsonrpc: is {excerpt(answer.get('jsonrpc'))}; expected '2.0'")
    if ("result" in answer) == ("error" in answer):
        raise IutFault(
            "schema", f"{method}: the answer has the fields {excerpt(list(answer))}; expected result or error"
        )
    if "error" in answer:
        raise _error(answer["error"], method)
    result: Json = answer["result"]
    return result


def _error(error: Any, method: str) -> Exception:
    """Return what an ``error`` member means, as something to raise."""
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, float) and code.is_integer():
        code = int(code)  # languages of one number type write -32601.0, which JSON Schema takes for an integer
    if type(code) is not int:
        return IutFault("schema", f"{method}: error: is {excerpt(error)}; expected an object with an integer code")
    message = excerpt(error.get("message", ""))
    if code == METHOD_NOT_FOUND:
        return Unsupported(f"{method}: {message}")
    return IutErrorAnswer(code, message)


def _parsed(line: bytes, method: str) -> Any:
    values = line.count(b",") + line.count(b"[") + line.count(b"{")
    if values > MAX_VALUES:
        raise IutFault("oversize", f"{method}: the answer has about {values} values; at most {MAX_VALUES} are read")
    if (blanks := len(line) - len(line.strip())) > MAX_BLANKS:
        raise IutFault("oversize", f"{method}: {blanks} blanks stand around the answer; at most {MAX_BLANKS} are read")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        tell = f"octet {error.start} of the line is not UTF-8"
        raise IutFault("not-json", f"{method}: {tell}: {excerpt(line)}") from error
    try:
        return document(text)
    except RecursionError as error:
        raise IutFault("not-json", f"{method}: the answer is nested too deeply: {excerpt(text)}") from error
    except ValueError as error:
        raise IutFault("not-json", f"{method}: {error}; the line is {excerpt(text)}") from error


def document(text: str) -> Any:
    """Parse JSON.

    An integer that Python refuses to read for its length is as good as infinite. Half of a surrogate pair, which
    an escape can spell, is not text and could not be written down again.

    Raises:
        ValueError: it is not valid JSON.
        RecursionError: it is nested too deeply.
    """
    try:
        parsed = json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        parsed = json.loads(text, parse_int=lambda digits: int(digits) if len(digits) < 4_000 else math.inf)
    if "\\u" in text:
        json.dumps(parsed, ensure_ascii=False).encode()
    return parsed
