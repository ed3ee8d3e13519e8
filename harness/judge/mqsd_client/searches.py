"""A discovery client in a scenario: Givens for its configuration, and the When for what happens to it."""

import re

import pytest
from pytest_bdd import parsers

from mqconform.harness.iut.drivers.discovery_client import script
from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.mqsd_client.client_scene import ClientScene
from mqconform.harness.judge.mqsd_client.client_under_test import (
    ClientUnderTest,
    ObservedClient,
    RecordedClient,
    tolerance_of,
)
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.suite.steps import given, when


@pytest.fixture
def discovery(run: Session, case: Case) -> ClientScene:
    """Give a scenario a place for its client."""
    run.patience.check_alive()
    return ClientScene(run, case, run.judge)


def whole(sentences: str) -> parsers.re:
    """Return a parser that hands a sentence on as a whole, for the reader that scripts have in common."""
    return parsers.re(f"(?P<sentence>{re.sub(r'[(][?]P<[a-z]+>', '(?:', sentences)})")


@given(whole(script.CLIENT))
def client_on_networks(discovery: ClientScene, sentence: str) -> None:
    """Configure a client, with identifiers of its own where the sentence has some."""
    configuration = script.configuration_from(sentence)
    assert configuration is not None, "the sentence has matched"
    _start_afresh(discovery, configuration)


@given("a client on an IPX network")
def client_on_ipx(discovery: ClientScene) -> None:
    """Say that there is no way to configure one."""
    del discovery
    raise Unsupported("the protocol names no IPX network numbers, so that a client over IPX cannot be configured")


@when(whole(r"the client is started afresh on networks? (?P<networks>.+)"))
def client_starts_afresh(discovery: ClientScene, sentence: str) -> None:
    """Let the implementation start again, with another configuration."""
    configuration = script.configuration_from(f"a client {sentence.partition('afresh ')[2]}")
    assert configuration is not None, "the sentence has matched"
    _start_afresh(discovery, configuration)


@when(whole(script.STIMULUS))
def something_happens(discovery: ClientScene, sentence: str) -> None:
    """Let it happen to the client."""
    stimulus = script.stimulus_from(sentence)
    assert stimulus is not None, "the sentence has matched"
    discovery.meet(stimulus)


def _start_afresh(discovery: ClientScene, configuration: script.Configuration) -> None:
    """Work with a client as freshly started, also where the background of the scenario had another one."""
    if discovery.run.recordings is None:
        discovery.run.iut.call("reset", {})
    discovery.use(_client(discovery, configuration))


def _client(discovery: ClientScene, configuration: script.Configuration) -> ObservedClient:
    """Return a client to be driven call by call; with the real clock, the recording of one."""
    recordings = discovery.run.recordings
    if recordings is None:
        return ClientUnderTest(discovery.run, configuration, tolerance_of(discovery.run))
    return RecordedClient(recordings.recording_of(discovery.case.id, discovery.configured, configuration))
