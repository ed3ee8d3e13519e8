"""The published protocol schema, and the checks that every call passes."""

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mqconform.harness.iut.interface import (
    DatagramCarrier,
    Exchange,
    IutDescription,
    IutErrorAnswer,
    IutFault,
    Json,
    ServerFacts,
)
from mqconform.harness.iut.protocol import InvalidParams, check_params, check_result, checked, methods
from mqconform.harness.iut.role import Capability
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.schema_text import published

ROOT = Path(__file__).parents[2]
DOCS, SCHEMAS = ROOT / "docs", ROOT / "features" / "schemas"
PAGES = [DOCS / f"iut-protocol{name}.md" for name in ("", "-eod", "-queue-manager")]
G, H = "e6eaba61-d1c6-11db-baac-0003ff4e2d22", "E6EABA62-D1C6-11DB-BAAC-0003FF4E2D22"
DIRECTORY = {
    "enterprise": {"id": G},
    "sites": [{"id": G, "name": "Oslo", "site_gates": [H]}],
    "routing_links": [{"id": G, "site1": G, "site2": H, "cost": 0}],
    "queue_managers": [
        {"id": G, "sites": [], "routing_server": False},
        {"id": H, "name": "", "sites": [G], "routing_server": True, "in_routing_servers": [G],
         "out_routing_servers": [], "connected_networks": [H]},
    ],
}  # fmt: skip
EFFECTS: Json = {
    "effects": [{"send": {"network": "192.0.2.1", "datagram": "00ff"}}, {"complete": {"result": "success"}}]
}
INTRODUCTION = {"protocol": 1, "name": "mine", "version": "1.0", "roles": ["router"], "capabilities": []}
ASKED: dict[str, Json] = {
    "reset": {},
    "router.initialize": {"local": G},
    "router.get_next_hops": {"source": G, "destination": H},
    "router.load_directory": {"directory": DIRECTORY},
    "discovery_server.receive": {"network": "ipx", "datagram": ""},
}
"""Right params of some methods; runs of the reference hold those of all methods to the schema."""


class Scripted:
    """An IUT that answers what it is given, or raises it."""

    def __init__(self, answer: Any = None) -> None:
        self.description = IutDescription("scripted", "")
        self.facts: ServerFacts | None = None
        self.answer = answer
        self.calls: list[tuple[str, Json]] = []
        self.closed = False

    def call(self, method: str, params: Json) -> Json:
        self.calls.append((method, params))
        if isinstance(self.answer, Exception):
            raise self.answer
        answer: Json = self.answer
        return answer

    def evidence(self) -> tuple[str, ...]:
        return ("seen",)

    def close(self) -> None:
        self.closed = True


class Carrier(Scripted):
    lossless = True

    def exchange(self, datagrams: Any, fence: bytes, expected: int = 0) -> Exchange:
        self.calls.append(("exchange", {"datagrams": datagrams, "fence": fence, "expected": expected}))
        return Exchange((), alive=True)


def test_the_schema_is_valid_2020_12_and_names_no_foreign_host():
    for name in ("iut_protocol", "facts"):
        document = published(name)
        Draft202012Validator.check_schema(document)
        assert document["$id"] == f"https://mqconform.dev/schemas/{name}.schema.json"


JUDGED = (
    "additionalProperties allOf anyOf const dependentRequired enum exclusiveMinimum if items maxItems maxLength "
    "maxProperties maximum minItems minLength minProperties minimum not oneOf pattern properties propertyNames "
    "required then type uniqueItems"
)
SHOWN = "$defs $id $ref $schema description title"


def words_of(schema: Any) -> set[str]:
    """The words of a schema, those of its parts too; names of properties and values are none."""
    if not isinstance(schema, dict):
        return set().union(*map(words_of, schema)) if isinstance(schema, list) else set()
    named = [part for word in ("properties", "$defs") for part in schema.get(word, {}).values()]
    others = [part for word, part in schema.items() if word not in {"properties", "$defs", "dependentRequired", "enum"}]
    return set(schema) | words_of(named) | words_of(others)


def test_the_published_schemas_have_no_word_that_the_quick_judge_skips():
    names = [file.name.partition(".")[0] for file in SCHEMAS.iterdir()]
    assert set().union(*(words_of(published(name)) for name in names)) <= {*JUDGED.split(), *SHOWN.split()}


def test_every_method_role_and_capability_is_on_a_page():
    text = "".join(page.read_text("utf-8") for page in PAGES)
    names = [*methods(), *ROLES, *(one.value for one in Capability)]
    assert [name for name in names if f"`{name}`" not in text] == []


def test_the_whole_schema_judges_requests_as_the_compiled_parts_do():
    whole = Draft202012Validator(published("iut_protocol"))
    for method, params in ASKED.items():
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        check_params(method, params)
        assert whole.is_valid(request), method
        assert not whole.is_valid(request | {"params": params | {"surplus": 1}}), method
        for required in published("iut_protocol")["$defs"][f"{method}.params"].get("required", ()):
            less = {key: value for key, value in params.items() if key != required}
            assert not whole.is_valid(request | {"params": less}), (method, required)


def test_envelopes():
    lines: list[tuple[Any, bool]] = [
        ({"jsonrpc": "2.0", "id": "a", "method": "mine.own", "params": {"any": 1}}, True),
        ({"jsonrpc": "2.0", "id": 1, "method": "reset"}, False),
        ({"jsonrpc": "2.0", "method": "reset", "params": {}}, False),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no", "data": []}}, True),
        ({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no"}}, True),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": "x", "message": "no"}}, False),
        ({"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": "no"}}, False),
        ({"jsonrpc": "2.0", "id": 1, "result": []}, False),
        ({"jsonrpc": "1.0", "id": 1, "result": {}}, False),
        ([], False),
    ]
    whole = Draft202012Validator(published("iut_protocol"))
    assert [line for line, valid in lines if whole.is_valid(line) is not valid] == []


def test_a_wrong_result_is_a_fault_that_names_the_field(subtests: pytest.Subtests):
    for method, result, told in [
        ("reset", None, "reset: result: is a NoneType; expected an object"),
        ("initialize", {}, "result.protocol: is missing; expected the protocol version 1"),
        ("initialize", INTRODUCTION | {"protocol": 2}, "result.protocol: is 2; expected the protocol version 1"),
        ("initialize", INTRODUCTION | {"roles": "router"}, "result.roles: is 'router'; expected a list of at most"),
        ("initialize", INTRODUCTION | {"specs": {"a b": 1}}, "result.specs.'a b': is 1; expected text"),
        ("discovery_server.receive", {}, "result.replies: is missing; expected a list, each entry 65,535 octets"),
        ("discovery_server.receive", {"replies": ["00", "0"]}, "result.replies[1]: is '0'; expected 65,535 octets at"),
        ("discovery_server.receive", {"replies": ["00\n"]}, "result.replies[0]"),
        ("discovery_server.receive", {"replies": ["\u0660\u0660"]}, "result.replies[0]"),
        ("router.get_next_hops", {"next_hops": [G, G + "\n"]}, "result.next_hops[1]"),
        ("router.is_site_gate", {"value": True}, "result.value: is True; expected 0 or 1"),
        ("router.routing_table", {"rows": [{}]}, "result.rows[0].destination_site: is missing; expected a GUID"),
        ("discovery_server.listen", {"host": "h", "port": 0}, "result.port: is 0; expected a UDP port, 1 to 65535"),
        ("discovery_server.state", {"listening": 1, "sockets_opened": 0}, "result.listening: is 1; expected true or"),
        ("discovery_client.start", {"effects": [EFFECTS["effects"][0] | EFFECTS["effects"][1]]}, "result.effects[0]"),
        (
            "discovery_client.start",
            {"effects": [{"complete": {"result": "ok"}}]},
            "result.effects[0].complete.result: is 'ok'; expected success or failure",
        ),
        ("ordered_receiver.receive", {"accepted": "yes"}, "result.accepted: is 'yes'; expected true or false"),
        ("ordered_sender.enqueue", {"sequence": -1, "previous": 0}, "result.sequence: is -1; expected a sequence"),
    ]:
        with subtests.test(method=method, told=told):
            with pytest.raises(IutFault) as caught:
                check_result(method, result)
            assert caught.value.kind == "schema"
            assert told in str(caught.value)


def test_wrong_params_are_the_harness_s_own_mistake_and_are_not_sent(subtests: pytest.Subtests):
    for method, params, told in [
        ("reset", {"x": 1}, "params.x: is not a field here; the fields are none"),
        ("router.initialize", {}, "params.local: is missing; expected a GUID"),
        ("router.advance_clock", {"seconds": -1}, "params.seconds: is -1; expected seconds, 0 or more"),
        (
            "discovery_server.receive",
            {"network": "udp", "datagram": ""},
            "params.network: is 'udp'; expected ip or ipx",
        ),
    ]:
        with subtests.test(method=method, told=told):
            inner = Scripted({})
            with pytest.raises(InvalidParams) as caught:
                checked(inner).call(method, params)
            assert told in str(caught.value)
            assert inner.calls == []


def test_a_hostile_result_is_judged_quickly_and_told_briefly():
    deep: Any = {}
    for _ in range(500):
        deep = [deep]
    for result in ({"replies": [0] * 200_000}, {"replies": "x" * 5_000_000}, {"replies": deep}, {"replies": [deep]}):
        with pytest.raises(IutFault) as caught:
            check_result("discovery_server.receive", result)
        assert len(str(caught.value)) < 500


def test_the_handshake_keeps_what_the_iut_says_of_itself():
    inner = Scripted(INTRODUCTION | {"vendor": "me", "declined": ["MQBR-1"], "later": True})
    iut = checked(inner)
    said = iut.handshake()
    assert said is iut.description
    assert (said.name, said.vendor, said.roles, said.declined) == ("mine", "me", {"router"}, {"MQBR-1"})
    method, params = inner.calls[0]
    assert (method, params["protocol"]) == ("initialize", 1)
    assert params["harness"].startswith("mqconform ")


def test_an_error_is_an_answer_where_the_protocol_knows_one_and_else_a_fault(subtests: pytest.Subtests):
    for method, code, is_answer in [
        ("router.get_next_hops", -32010, True),
        ("router.get_next_hops", 17, True),
        ("router.initialize", -32010, True),
        ("router.initialize", 17, False),
        ("reset", -32602, False),
    ]:
        with subtests.test(method=method, code=code):
            iut = checked(Scripted(IutErrorAnswer(code, "told")))
            with pytest.raises(IutErrorAnswer if is_answer else IutFault, match="told") as caught:
                iut.call(method, ASKED[method])
            if isinstance(caught.value, IutFault):
                assert caught.value.kind == "error"


def test_a_carrier_of_datagrams_stays_one_behind_the_checks():
    carrier, plain = checked(Carrier()), checked(Scripted())
    assert isinstance(carrier, DatagramCarrier)
    assert not isinstance(plain, DatagramCarrier)
    assert carrier.lossless
    assert carrier.exchange((b"x",), b"fence", expected=1).alive is True


def test_what_fitted_is_remembered_and_what_only_looks_like_it_is_judged_anew() -> None:
    assert check_result("router.is_site_gate", {"value": 1}) == {"value": 1}
    for wrong in ({"value": True}, {"value": "1"}, {"value": 2}):
        for _ in range(2):
            with pytest.raises(IutFault, match="value"):
                check_result("router.is_site_gate", wrong)
    assert check_result("router.is_site_gate", {"value": 1}) == {"value": 1}
    with pytest.raises(InvalidParams):
        check_params("router.is_site_gate", {"value": 1})
