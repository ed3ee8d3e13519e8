"""The reference client behind the operations of the IUT protocol."""

import json
from typing import Any

import pytest

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.protocol import check_params, check_result
from mqconform.harness.iut.reference_iut.discovery_client import NotConfigured, ReferenceDiscoveryClient
from mqconform.reference.mqsd.client import LITERAL

ENTERPRISE, SITE = "e6eaba61-d1c6-11db-baac-0003ff4e2d22", "dcc51bf6-d4ad-4543-8739-71568e8f9128"
A = "192.0.2.0"
# From section 4: what stands before the RequestID of a request and behind it, then before and behind a reply's
# CorrelationID.
BEFORE_ID, BEHIND_ID = "0001000061baeae6c6d1db11baac0003ff4e2d22", "f61bc5dcadd44345873971568e8f9128"
REPLY = "00020000"
LOCAL = "01000000000000000000000062baeae6c6d1db11baac0003ff4e2d22"
SUCCESS = {"complete": {"result": "success"}}


def call(client: ReferenceDiscoveryClient, operation: str, **params: Any) -> Json:
    """Perform one operation, held to the published schema on the way in, through JSON and on the way out."""
    check_params(f"discovery_client.{operation}", params)
    answer = getattr(client, operation)(**params)
    return check_result(f"discovery_client.{operation}", json.loads(json.dumps(answer)))


def configured(*networks: str, **options: Any) -> ReferenceDiscoveryClient:
    client = ReferenceDiscoveryClient(**options)
    call(client, "configure", enterprise=ENTERPRISE, site=SITE, networks=[{"address": one} for one in networks])
    return client


def effects(client: ReferenceDiscoveryClient, operation: str, **params: Any) -> list[Json]:
    found: list[Json] = call(client, operation, **params)["effects"]
    return found


def started(client: ReferenceDiscoveryClient) -> str:
    """Return the RequestID of the request with which an event starts."""
    (request,) = effects(client, "start")
    datagram: str = request["send"]["datagram"]
    assert datagram.startswith(BEFORE_ID)
    assert datagram.endswith(BEHIND_ID)
    assert len(datagram) == 2 * 52
    return datagram[40:72]


def test_readings_are_chosen_with_the_constructor():
    for readings, again in ((None, []), (LITERAL, [SUCCESS])):
        client = configured(A, **({"readings": readings} if readings else {}))
        request_id = started(client)
        assert effects(client, "receive", network=A, datagram=REPLY + request_id + LOCAL) == [SUCCESS]
        assert effects(client, "receive", network=A, datagram=REPLY + request_id + LOCAL) == again


def test_a_client_that_is_not_configured_says_so():
    client = ReferenceDiscoveryClient()
    with pytest.raises(NotConfigured, match=r"call discovery_client\.configure first"):
        client.start()
    configured_once = configured(A)
    configured_once.reset()
    with pytest.raises(NotConfigured):
        configured_once.state()
