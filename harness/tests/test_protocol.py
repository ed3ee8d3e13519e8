"""The published protocol schema, and the checks that every call passes."""

import json
import re
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
    Unsupported,
)
from mqconform.harness.iut.protocol import CheckedIut, InvalidParams, check_params, check_result, checked, methods
from mqconform.harness.iut.role import Capability
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.schema_text import published, validator

DOCS = Path(__file__).parents[2] / "docs"
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
SERVER = {"enterprise": G, "site": H, "connected_networks": [G, H],
          "directory_servers": [{"name": "nt4pec", "ip": True, "ipx": False}]}  # fmt: skip
NETWORKS = [{"address": "192.0.2.1"}, {"address": "x", "remote_access": True, "port": 1801, "broadcast": "192.0.2.255"}]
EFFECTS: Json = {
    "effects": [{"send": {"network": "192.0.2.1", "datagram": "00ff"}}, {"complete": {"result": "success"}}]
}
CLIENT_STATE = {"directory_servers": ["a"], "connected_networks": [G], "valid_last_successful_network_address": True,
                "last_successful_network_address": None, "request_id": G, "current_network_index": 0}  # fmt: skip
INTRODUCTION = {"protocol": 1, "name": "mine", "version": "1.0", "roles": ["router"], "capabilities": []}

QUEUE = {"machine": "oslo", "queue": "orders"}
MESSAGE = {"message": "o1", "id": 7}
EXAMPLES_OF_QUEUE_MANAGERS: dict[str, tuple[Json, list[Json]]] = {
    "configure": ({"machines": [{"name": "oslo", "mode": "workgroup"}], "coordinator": True}, [{}]),
    "start": ({"machine": "oslo"}, [{"started": True}]),
    "stop": ({"machine": "oslo"}, [{}]),
    "crash": ({"machine": "oslo"}, [{}]),
    "state": ({"machine": "oslo"}, [{}, {"state": "running", "throttled": False}]),
    "create_queue": (QUEUE | {"properties": {"transactional": True, "room": 2}}, [{"queue": 1}, {"failed": {}}]),
    "set_queue": (QUEUE | {"properties": {"room": None}}, [{}, {"failed": {"code": "0xC00E0005"}}]),
    "delete_queue": (QUEUE, [{}, {"failed": {}}]),
    "purge": (QUEUE, [{}, {"failed": {"says": "no rights"}}]),
    "queue_properties": (QUEUE, [{"properties": {}, "messages": 3}, {"failed": {}}]),
    "open": ({"machine": "oslo", "address": {"direct": QUEUE}, "access": "send"}, [{"handle": 1}, {"failed": {}}]),
    "close": ({"handle": 1}, [{}]),
    "send": ({"handle": 1, "message": "o1", "assurance": "express"}, [{"id": "a"}, {"failed": {}}]),
    "receive": ({"handle": 1}, [{"message": MESSAGE}, {"pending": 3}, {"failed": {}}]),
    "peek": ({"handle": 1}, [{"message": MESSAGE | {"acknowledgment": {"of": 6, "positive": False}}}]),
    "cancel": ({"operation": 3}, [{}]),
    "outcomes": ({}, [{"outcomes": []}, {"outcomes": [{"operation": 3, "failed": {}}]}]),
    "create_cursor": ({"handle": 1}, [{"cursor": 2}, {"failed": {}}]),
    "close_cursor": ({"cursor": 2}, [{}]),
    "begin": ({"machine": "oslo", "kind": "internal"}, [{"transaction": 4}, {"failed": {}}]),
    "commit": ({"transaction": 4}, [{"committed": True}, {"failed": {}}]),
    "abort": ({"transaction": 4}, [{}]),
    "advance_clock": ({"seconds": 0.5}, [{}]),
    "fail_store": ({"machine": "oslo", "how": "full"}, [{}]),
    "fail_coordinator": ({"failing": True}, [{}]),
    "throttle": ({"machine": "oslo", "on": True}, [{}]),
    "fail_directory": ({"failing": True, "machine": "oslo"}, [{}]),
    "leave_domain": ({"machine": "oslo"}, [{}]),
    "create_foreign_queue": (QUEUE, [{"queue": 7}]),
    "replace_object": ({"machine": "oslo"}, [{}]),
    "join_domain": ({"machine": "oslo", "domain": "north"}, [{}]),
    "put_object": ({"machine": "oslo", "domain": "north", "own": True}, [{}]),
    "provision": ({"machine": "oslo"}, [{}, {"failed": {"code": "0xC00E0040"}}]),
    "directory_objects": (
        {},
        [
            {"objects": []},
            {"objects": [{"machine": "oslo", "domain": "north", "id": "6f1e1f5c", "routing_server": False}]},
        ],
    ),
    "find_queues": (
        {"machine": "oslo", "queue": "inbox"},
        [{"queues": [{"machine": "oslo", "queue": "inbox", "id": 7, "properties": {"room": 2}}]}, {"failed": {}}],
    ),
    "fail_network": ({"machines": ["oslo", "bergen"], "failing": True}, [{}]),
    "take_offline": ({"machine": "oslo", "on": True}, [{}]),
    "pause": ({"machine": "oslo", "address": {"direct": QUEUE}, "on": True}, [{}]),
    "outgoing": (
        {"machine": "oslo"},
        [{"queues": []}, {"queues": [{"address": {"direct": QUEUE}, "messages": 2}]}, {"failed": {}}],
    ),
    "together": (
        {"lanes": [[{"method": "receive", "params": {"handle": 1}}]]},
        [{"lanes": [[{"began": 1, "ended": 2, "result": {"failed": {}}}]]}],
    ),
}

EXAMPLES: dict[str, tuple[Json, list[Json]]] = {
    "initialize": ({"protocol": 1, "harness": "mqconform 1"},
                   [INTRODUCTION, INTRODUCTION | {"vendor": "me", "specs": {"MQBR": "18.0"}, "declined": ["MQBR-1"]}]),
    "reset": ({}, [{}, {"more": 1}]),
    "shutdown": ({}, [{}]),
    "router.load_directory": ({"directory": DIRECTORY}, [{}]),
    "router.use_directory_server": ({"server": "ldaps://dc1.example.net"}, [{}]),
    "router.initialize": ({"local": G}, [{}]),
    "router.change_directory": ({"directory": DIRECTORY}, [{}]),
    "router.advance_clock": ({"seconds": 3_600.5}, [{}]),
    "router.get_next_hops": ({"source": G, "destination": H}, [{"next_hops": []}, {"next_hops": [G, H]}]),
    "router.routing_table": ({}, [{"rows": [{"destination_site": G, "next_hop_site": H, "cost": 3}]}]),
    "router.is_site_gate": ({"machine": G}, [{"value": 0}, {"value": 1}]),
    "router.get_routing_server": ({"machine": G}, [{"value": None}, {"value": G}]),
    "router.get_site_gate": ({"machine": G}, [{"value": None}, {"value": G}]),
    "router.get_site_gate_for_site": ({"site": G}, [{"value": None}, {"value": G}]),
    "router.fail_directory": ({"object_type": "Site", "at": None}, [{}]),
    "discovery_server.configure": (SERVER, [{}]),
    "discovery_server.receive": ({"network": "ipx", "datagram": ""}, [{"replies": []}, {"replies": ["", "00aF"]}]),
    "discovery_server.listen": ({"host": "127.0.0.1", "port": 0}, [{"host": "127.0.0.1", "port": 1801}]),
    "discovery_server.fail_next_send": ({}, [{}]),
    "discovery_server.fail_next_open": ({}, [{}]),
    "discovery_server.state": ({}, [{"listening": False, "sockets_opened": 2}]),
    "discovery_client.configure": ({"enterprise": G, "site": H, "networks": NETWORKS}, [{}]),
    "discovery_client.change_networks": ({"networks": []}, [{}]),
    "discovery_client.start": ({}, [EFFECTS, {"effects": []}]),
    "discovery_client.receive": ({"network": "192.0.2.1", "datagram": "00"}, [EFFECTS]),
    "discovery_client.advance_clock": ({"seconds": 15}, [EFFECTS]),
    "discovery_client.state": ({}, [{}, CLIENT_STATE]),
    "ordered_receiver.receive": ({"stream": "s", "sequence": 2, "previous": 1}, [{"accepted": True}]),
    "ordered_receiver.order_ack": ({"stream": "s"}, [{"sequence": 0}]),
    "ordered_receiver.lose_state": ({}, [{}]),
    "ordered_sender.enqueue": ({"stream": "s", "message": "m"}, [{"sequence": 1, "previous": 0}]),
    "ordered_sender.transmit": ({"stream": 7}, [{"messages": [{"message": "m", "sequence": 1, "previous": 0}]}]),
    "ordered_sender.order_ack": ({"stream": "s", "sequence": 1}, [{}]),
    "ordered_sender.discard": ({"stream": "s", "message": 5}, [{}]),
    "ordered_sender.receiver_lost_state": ({"stream": "s"}, [{}]),
    "ordered_receiver.restart": ({}, [{}]),
    "ordered_receiver.advance_clock": (
        {"seconds": 0.5}, [{"order_acks": []}, {"order_acks": [{"stream": "s", "sequence": 3}]}],
    ),
    "ordered_receiver.receive_in_sequence": (
        {"stream": "s", "sequence_id": 2**63, "sequence": 2, "previous": 0}, [{"accepted": False}],
    ),
    "ordered_sender.restart": ({}, [{}]),
    "ordered_sender.advance_clock": (
        {"seconds": 30}, [{"messages": [{"stream": "s", "message": "m", "sequence": 1, "previous": 0}]}],
    ),
    "transaction.configure": (
        {"queues": [{"name": "q", "machine": "oslo", "transactional": False}],
         "lists": [{"name": "l", "elements": ["q"]}]}, [{}],
    ),
    "transaction.begin": ({}, [{"transaction": 1}]),
    "transaction.send": (
        {"transaction": 1, "message": "m", "destination": ["l", "q"], "administration_queue": "a"}, [{}],
    ),
    "transaction.commit": ({"transaction": 1}, [{"committed": True}]),
    "transaction.abort": ({"transaction": 1}, [{}]),
    "transaction.fail_queue": ({"queue": "q", "failing": True}, [{}]),
    "transaction.deliver": ({}, [{}]),
    "transaction.state": (
        {}, [{}, {"outgoing": {"q": ["m"]}, "queues": {}, "dead_letters": {"oslo": [7]},
                  "acknowledgments": {"a": [{"message": "m", "queue": "q", "class": "not_transactional_queue"}]}}],
    ),
    **{f"queue_manager.{name}": example for name, example in EXAMPLES_OF_QUEUE_MANAGERS.items()},
}  # fmt: skip


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


def test_every_method_of_the_protocol_has_a_schema_and_an_example():
    assert sorted(methods()) == sorted(EXAMPLES)


def test_every_method_role_and_capability_is_on_a_page():
    text = "".join(page.read_text("utf-8") for page in PAGES)
    names = [*methods(), *ROLES, *(one.value for one in Capability)]
    assert [name for name in names if f"`{name}`" not in text] == []


def test_what_the_page_of_queue_managers_shows_fits_the_schema():
    requests: dict[int, str] = {}
    for direction, line in re.findall(r"^(->|<-) (.+)$", PAGES[-1].read_text("utf-8"), re.MULTILINE):
        shown = json.loads(line)
        if direction == "->":
            requests[shown["id"]] = shown["method"]
            check_params(shown["method"], shown["params"])
        else:
            check_result(requests.pop(shown["id"]), shown["result"])
    assert not requests


def test_right_params_and_results_pass_the_compiled_parts_and_the_whole_schema():
    whole = Draft202012Validator(published("iut_protocol"))
    for method, (params, results) in EXAMPLES.items():
        check_params(method, params)
        for result in results:
            assert check_result(method, result) is result
        assert whole.is_valid(request_of(method, params)), method
        assert whole.is_valid({"jsonrpc": "2.0", "id": 1, "result": results[0]}), method


def request_of(method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def test_the_whole_schema_refuses_a_request_with_more_or_less_than_its_params():
    whole = Draft202012Validator(published("iut_protocol"))
    for method, (params, _) in EXAMPLES.items():
        assert not whole.is_valid(request_of(method, params | {"surplus": 1})), method
        for required in published("iut_protocol")["$defs"][f"{method}.params"].get("required", ()):
            less = {key: value for key, value in params.items() if key != required}
            assert not whole.is_valid(request_of(method, less)), (method, required)


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
        ("reset", [], "reset: result: is a list; expected an object"),
        ("initialize", {}, "result.protocol: is missing; expected the protocol version 1"),
        ("initialize", INTRODUCTION | {"protocol": 2}, "result.protocol: is 2; expected the protocol version 1"),
        ("initialize", INTRODUCTION | {"roles": "router"}, "result.roles: is 'router'; expected a list, each entry te"),
        ("initialize", INTRODUCTION | {"roles": [1]}, "result.roles[0]: is 1; expected text"),
        ("initialize", INTRODUCTION | {"name": ""}, "result.name: is ''; expected text that is not empty"),
        ("initialize", INTRODUCTION | {"specs": {"a b": 1}}, "result.specs.'a b': is 1; expected text"),
        ("discovery_server.receive", {}, "result.replies: is missing; expected a list, each entry 65,535 octets"),
        ("discovery_server.receive", {"replies": ["00", "0"]}, "result.replies[1]: is '0'; expected 65,535 octets at"),
        ("discovery_server.receive", {"replies": ["zz"]}, "result.replies[0]: is 'zz'; expected 65,535 octets at"),
        ("discovery_server.receive", {"replies": ["00 00"]}, "result.replies[0]"),
        ("discovery_server.receive", {"replies": ["00\n"]}, "result.replies[0]"),
        ("discovery_server.receive", {"replies": ["\u0660\u0660"]}, "result.replies[0]"),
        ("router.get_next_hops", {"next_hops": [G, G + "\n"]}, "result.next_hops[1]"),
        ("router.get_next_hops", {"next_hops": ["{" + G + "}"]}, "result.next_hops[0]"),
        ("router.get_next_hops", {"next_hops": [0]}, "result.next_hops[0]: is 0"),
        ("router.is_site_gate", {"value": True}, "result.value: is True; expected 0 or 1"),
        ("router.get_site_gate", {"value": ""}, "result.value: is ''; expected a GUID as text"),
        ("router.routing_table", {"rows": [{}]}, "result.rows[0].destination_site: is missing; expected a GUID"),
        ("discovery_server.listen", {"host": "h", "port": 0}, "result.port: is 0; expected a UDP port, 1 to 65535"),
        ("discovery_server.state", {"listening": 1, "sockets_opened": 0}, "result.listening: is 1; expected true or"),
        ("discovery_client.start", {"effects": [{}]}, "result.effects[0]"),
        ("discovery_client.start", {"effects": [EFFECTS["effects"][0] | EFFECTS["effects"][1]]}, "result.effects[0]"),
        (
            "discovery_client.start",
            {"effects": [{"complete": {"result": "ok"}}]},
            "result.effects[0].complete.result: is 'ok'; expected success or failure",
        ),
        ("ordered_receiver.receive", {"accepted": "yes"}, "result.accepted: is 'yes'; expected true or false"),
        ("ordered_sender.enqueue", {"sequence": -1, "previous": 0}, "result.sequence: is -1; expected a sequence"),
        ("ordered_sender.enqueue", {"sequence": float("inf"), "previous": 0}, "result.sequence: is inf"),
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
        (
            "router.load_directory",
            {"directory": DIRECTORY | {"sites": [{"id": G}]}},
            "params.directory.sites[0].site_gates",
        ),
        ("router.advance_clock", {"seconds": -1}, "params.seconds: is -1; expected seconds, 0 or more"),
        (
            "discovery_server.receive",
            {"network": "udp", "datagram": ""},
            "params.network: is 'udp'; expected ip or ipx",
        ),
        (
            "router.fail_directory",
            {"object_type": "Site", "at": "end"},
            "params.at: is 'end'; expected begin, next or null",
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


def test_methods_and_keys_of_somebody_s_own_are_allowed():
    check_params("mine.own", {"any": "thing"})
    assert check_result("mine.own", {"any": ["thing"]}) == {"any": ["thing"]}
    with pytest.raises(IutFault):
        check_result("mine.own", [])


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
                iut.call(method, EXAMPLES[method][0])
            if isinstance(caught.value, IutFault):
                assert caught.value.kind == "error"


def test_unsupported_and_faults_pass_as_they_are():
    with pytest.raises(Unsupported):
        checked(Scripted(Unsupported("no"))).call("reset", {})
    with pytest.raises(IutFault, match="gone") as caught:
        checked(Scripted(IutFault("exited", "gone"))).call("reset", {})
    assert caught.value.kind == "exited"


def test_a_carrier_of_datagrams_stays_one_behind_the_checks():
    carrier, plain = checked(Carrier()), checked(Scripted())
    assert isinstance(carrier, DatagramCarrier)
    assert not isinstance(plain, DatagramCarrier)
    assert carrier.lossless
    assert carrier.exchange((b"x",), b"fence", expected=1).alive is True


def test_evidence_and_close_reach_the_iut():
    inner = Scripted()
    iut = CheckedIut(inner)
    assert iut.evidence() == ("seen",)
    iut.close()
    assert inner.closed


def test_an_unknown_definition_has_no_validator():
    assert validator("iut_protocol", "no.such.params") is None
    assert json.dumps(published("iut_protocol")).count("$ref") > 50


def test_what_fitted_is_remembered_and_what_only_looks_like_it_is_judged_anew() -> None:
    assert check_result("router.is_site_gate", {"value": 1}) == {"value": 1}
    for wrong in ({"value": True}, {"value": "1"}, {"value": 2}):
        for _ in range(2):
            with pytest.raises(IutFault, match="value"):
                check_result("router.is_site_gate", wrong)
    assert check_result("router.is_site_gate", {"value": 1}) == {"value": 1}
    with pytest.raises(InvalidParams):
        check_params("router.is_site_gate", {"value": 1})
