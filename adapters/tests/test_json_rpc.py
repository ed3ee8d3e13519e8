"""Answer lines as an implementation might write them, right and wrong."""

import json

import pytest

from mqconform.adapters.programs.json_rpc import request_line, result_in
from mqconform.harness.iut.interface import IutErrorAnswer, IutFault, IutProblem, Unsupported


def test_a_request_is_one_line_of_utf_8():
    line = request_line(7, "reset", {"name": "a\nb\u2028Ω"})
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"jsonrpc": "2.0", "id": 7, "method": "reset", "params": {"name": "a\nb\u2028Ω"}}


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"result":{"a":[1]}}',
        b'  {"result":{"a":[1]},"id":1,"jsonrpc":"2.0","more":true}\r',
        '{"jsonrpc":"2.0","id":1,"result":{"a":[1]},"Ω":"Ω"}'.encode(),
        b'{"jsonrpc":"2.0","id":1,"result":{"a":[1]},"pair":"\\ud83d\\ude00"}',
    ],
)
def test_the_result_of_a_right_answer_is_returned(line: bytes):
    assert result_in(line, 1, "reset") == {"a": [1]}


def test_blanks_around_an_answer_are_limited():
    answer = b'{"jsonrpc":"2.0","id":1,"result":{}}'
    assert result_in(b" " * 2_000 + answer + b" " * 2_000, 1, "reset") == {}
    with pytest.raises(IutFault, match="reset: 5000 blanks stand around the answer; at most 4096 are read"):
        result_in(b" " * 2_500 + answer + b" " * 2_500, 1, "reset")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"", "not-json"),
        (b"42", "not-json"),
        (b"[]", "not-json"),
        (b"null", "not-json"),
        (b'"text"', "not-json"),
        (b"{", "not-json"),
        (b'{"jsonrpc":"2.0","id":1,"result":{}} {}', "not-json"),
        (b"\xff\xfe{}", "not-json"),
        (bytes(100), "not-json"),
        (b"[" * 200_000, "not-json"),
        (b'{"a":' * 200_000, "not-json"),
        (b"[" * 100_000 + b"]" * 100_000, "not-json"),
        (b'{"jsonrpc":"2.0","id":1,"result":{"name":"\\ud800"}}', "not-json"),
        (b"{}", "wrong-id"),
        (b'{"jsonrpc":"2.0","id":"1","result":{}}', "wrong-id"),
        (b'{"jsonrpc":"2.0","id":true,"result":{}}', "wrong-id"),
        (b'{"jsonrpc":"2.0","id":1.0,"result":{}}', "wrong-id"),
        (b'{"jsonrpc":"2.0","id":[1],"result":{}}', "wrong-id"),
        (b'{"jsonrpc":"2.0","id":0,"result":{}}', "wrong-id"),
        (b'{"jsonrpc":"2.0","method":"log","params":{}}', "wrong-id"),
        (b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}', "wrong-id"),
        (b'{"id":1,"result":{}}', "schema"),
        (b'{"jsonrpc":2.0,"id":1,"result":{}}', "schema"),
        (b'{"jsonrpc":"2.0","id":1}', "schema"),
        (b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}', "schema"),
        (b'{"jsonrpc":"2.0","id":1,"error":"no"}', "schema"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":"1"}}', "schema"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":true}}', "schema"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601.5}}', "schema"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1e999}}', "schema"),
        (b'{"jsonrpc":"2.0","id":1,"error":null}', "schema"),
    ],
)
def test_a_line_that_is_no_answer_is_a_fault_that_names_the_method(line: bytes, kind: str):
    with pytest.raises(IutFault, match=r"^reset: ") as caught:
        result_in(line, 1, "reset")
    assert caught.value.kind == kind
    assert len(str(caught.value)) < 1_000


def test_what_a_refusing_peer_said_is_in_the_message():
    with pytest.raises(IutFault, match="parse error"):
        result_in(b'{"id":null,"error":{"code":-32700,"message":"parse error"}}', 1, "reset")


@pytest.mark.parametrize(
    ("code", "kind"), [(-32601, Unsupported), (-32601.0, Unsupported), (-32010, IutErrorAnswer), (5, IutErrorAnswer)]
)
def test_errors_are_told_apart_by_their_code(code: float, kind: type[IutProblem]):
    with pytest.raises(kind, match="told"):
        result_in(
            json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "told"}}).encode(), 1, "reset"
        )


def test_numbers_without_bound_are_no_fault():
    result = result_in(b'{"jsonrpc":"2.0","id":1,"result":{"a":NaN,"b":1' + b"0" * 9_000 + b',"c":7}}', 1, "reset")
    assert str(result["a"]) == "nan"
    assert (result["b"], result["c"]) == (float("inf"), 7)
