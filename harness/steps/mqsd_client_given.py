"""Givens and Whens of the discovery-client features: the client's configuration, and what happens to it."""

import re

from pytest_bdd import given, parsers, when

from mqconform.harness.iut import Unsupported
from mqconform.harness.mqsd.client_script import CLIENT, STIMULUS, configuration_from, stimulus_from
from mqconform.harness.steps.client_scene import ClientScene
from mqconform.harness.steps.client_scene import discovery as discovery  # noqa: PLC0414 - pytest finds the fixture so


def whole(sentences: str) -> parsers.re:
    """Return a parser that hands a sentence on as a whole, for the reader that scripts have in common."""
    return parsers.re(f"(?P<sentence>{re.sub(r'[(][?]P<[a-z]+>', '(?:', sentences)})")


@given(whole(CLIENT))
def client_on_networks(discovery: ClientScene, sentence: str) -> None:
    """Configure a client, with identifiers of its own where the sentence has some."""
    configuration = configuration_from(sentence)
    assert configuration is not None, "the sentence has matched"
    discovery.use(configuration)


@given("a client on an IPX network")
def client_on_ipx(discovery: ClientScene) -> None:
    """Say that there is no way to configure one."""
    del discovery
    raise Unsupported("the protocol names no IPX network numbers, so that a client over IPX cannot be configured")


@when(whole(STIMULUS))
def something_happens(discovery: ClientScene, sentence: str) -> None:
    """Let it happen to the client."""
    stimulus = stimulus_from(sentence)
    assert stimulus is not None, "the sentence has matched"
    discovery.meet(stimulus)
