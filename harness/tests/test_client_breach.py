"""A wrong discovery client is convicted of the sentence that it breaks, and of no other that its scenario is about."""

from typing import Any

import pytest

from mqconform.harness.iut.drivers.discovery_client.script import configuration_from, stimulus_from
from mqconform.harness.iut.mutants.mqsd_client import MUTANTS
from mqconform.harness.judge.mqsd_client.breach import broken
from mqconform.harness.judge.mqsd_client.client_under_test import ClientUnderTest
from mqconform.harness.suite.ambiguity import load_register
from mqconform.reference.mqsd.client import SECOND

BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
TWO, START = "a client on networks 1 and 2", "the client starts discovery"
OWN = "network 1 brings a reply from its own site"
COURSE = (TWO, START, "10 seconds pass", OWN, "14 seconds pass", "20 seconds pass")


class Called:
    """A client in this process, behind the methods of the protocol."""

    def __init__(self, name: str) -> None:
        self.iut = self
        self.part: Any = BY_NAME[name].make()

    def call(self, method: str, params: dict[str, Any]) -> Any:
        return getattr(self.part, method.partition(".")[2])(**params)


def seen(name: str, client: str, *sentences: str, tolerance: int = SECOND // 2) -> ClientUnderTest:
    configuration = configuration_from(client)
    assert configuration is not None
    driven = ClientUnderTest(Called(name), configuration, tolerance)  # type: ignore[arg-type]  # it has what is called
    driven.configure()
    for stimulus in map(stimulus_from, sentences):
        assert stimulus is not None
        driven.meet(stimulus)
    return driven


def test_the_sentence_that_is_broken_is_named(subtests: pytest.Subtests) -> None:
    for name, sentences, tagged, requirements in [
        ("client-waits-17", COURSE, ("MQSD-2.1-01", "MQSD-2.2-01"), ["3.1.2.1-03"]),
        ("client-waits-14", COURSE, ("MQSD-3.1.4.1-07",), ["3.1.2.1-01"]),
        ("client-wait-not-restarted", COURSE, ("MQSD-3.1.5.1-03",), ["3.1.5.1-03"]),
        ("client-deaf-to-own-site", COURSE, (), ["3.1.5.2-04"]),
        ("client-networks-reversed", COURSE, (), ["3.1.5.1-01"]),
        ("client-heeds-other-ids", (TWO, START, f"{OWN}; to another request"), (), ["3.1.5.2-03"]),
        ("client-heeds-cut-replies", (TWO, START, f"{OWN}; cut by one octet"), (), ["3.1.5.2-02"]),
        ("client-cut-request", (TWO, START), (), []),
        ("client-never-completes", COURSE, ("MQSD-3.1.2.1-03",), ["3.1.4.1-02"]),
        ("client-never-completes", (*COURSE, START), ("MQSD-3.1.4.1-06",), ["3.1.4.1-06"]),
        ("client-one-request-id", (TWO, START, "5 seconds pass", START, "90 seconds pass"), (), ["3.1.4.1-07"]),
        ("client-site-zero", (TWO, START), (), ["2.2.2-06"]),
        ("client-two-datagrams", (TWO, START), ("MQSD-2.2-01",), ["2.2-01"]),
    ]:
        with subtests.test(name=name):
            client = seen(name, *sentences)
            named = broken(client, client.explanation, load_register(), tagged)
            assert named == tuple(f"MQSD-{one}" for one in requirements)


@pytest.mark.parametrize("name", ["client-waits-14-8", "client-waits-15-01", "client-sends-50-ms-later"])
def test_within_the_tolerance_a_client_is_as_good_as_punctual(name: str) -> None:
    assert seen(name, *COURSE).explanation.holds
    assert not seen(name, *COURSE, tolerance=0).explanation.holds
