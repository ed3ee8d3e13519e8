"""Answer lines as an implementation might write them, right and wrong."""

import json

import pytest

from mqconform.adapters.programs.json_rpc import request_line, result_in
from mqconform.harness.iut.interface import IutErrorAnswer, IutFault, Unsupported


def test_a_request_is_one_line_of_utf_8():
    line = request_line(7, "reset", {"name": "a\nb\u2028Ω"})
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"jsonrpc": "2.0", "id": 7, "method": "reset", "params": {"name": "a\nb\u2028Ω"}}


def test_the_result_of_a_right_answer_is_returned():
    for line in (
        b'{"jsonrpc":"2.0","id":1,"result":{"a":[1]}}',
        b'  {"result":{"a":[1]},"id":1,"jsonrpc":"2.0","more":true}\r',
        '{"jsonrpc":"2.0","id":1,"result":{"a":[1]},"Ω":"Ω"}'.encode(),
        b'{"jsonrpc":"2.0","id":1,"result":{"a":[1]},"pair":"\\ud83d\\ude00"}',
    ):
        assert result_in(line, 1, "reset") == {"a": [1]}, line


def test_blanks_around_an_answer_are_limited():
    answer = b'{"jsonrpc":"2.0","id":1,"result":{}}'
    assert result_in(b" " * 2_000 + answer + b" " * 2_000, 1, "reset") == {}
    with pytest.raises(IutFault, match="reset: 5000 blanks stand around the answer; at most 4096 are read"):
        result_in(b" " * 2_500 + answer + b" " * 2_500, 1, "reset")


WRONG = {
    "not-json": (
        b"",
        b"42",
        b"{",
        b'{"jsonrpc":"2.0","id":1,"result":{}} {}',
        b"\xff\xfe{}",
        b"[" * 200_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"jsonrpc":"2.0","id":1,"result":{"name":"\\ud800"}}',
    ),
    "wrong-id": (
        b"{}",
        b'{"jsonrpc":"2.0","id":"1","result":{}}',
        b'{"jsonrpc":"2.0","id":true,"result":{}}',
        b'{"jsonrpc":"2.0","id":1.0,"result":{}}',
        b'{"jsonrpc":"2.0","id":0,"result":{}}',
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}',
    ),
    "schema": (
        b'{"id":1,"result":{}}',
        b'{"jsonrpc":2.0,"id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
        b'{"jsonrpc":"2.0","id":1,"error":"no"}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":"1"}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":true}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601.5}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1e999}}',
    ),
}


def test_a_line_that_is_no_answer_is_a_fault_that_names_the_method():
    for kind, lines in WRONG.items():
        for line in lines:
            with pytest.raises(IutFault, match=r"^reset: ") as caught:
                result_in(line, 1, "reset")
            assert caught.value.kind == kind, line[:80]
            assert len(str(caught.value)) < 1_000, line[:80]


def test_errors_are_told_apart_by_their_code():
    for code, kind in ((-32601, Unsupported), (-32601.0, Unsupported), (-32010, IutErrorAnswer), (5, IutErrorAnswer)):
        answer = {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "told"}}
        with pytest.raises(kind, match="told"):
            result_in(json.dumps(answer).encode(), 1, "reset")


def test_numbers_without_bound_are_no_fault():
    result = result_in(b'{"jsonrpc":"2.0","id":1,"result":{"a":NaN,"b":1' + b"0" * 9_000 + b',"c":7}}', 1, "reset")
    assert str(result["a"]) == "nan"
    assert (result["b"], result["c"]) == (float("inf"), 7)
