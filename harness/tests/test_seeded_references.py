"""The references that choose by a seed: what they follow, and what is told of a verdict that is wrong or changes."""

import random

import pytest

from mqconform.harness.explore.mutation.trial import Job, Statement, Trial, tried
from mqconform.harness.explore.mutation.variants import differences, false_verdicts
from mqconform.harness.iut.connect import mutant_target
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.iut.sampled import SampledReference, drawn, target_named
from mqconform.reference.allowed import Standing
from mqconform.reference.mqsd.client import UNDISPUTED, Readings
from mqconform.reference.mqsd.client.readings import LaterEvent


def test_what_is_wrong_is_told() -> None:
    (trial,) = tried([Job("late", mutant_target("client-waits-10"), ("last-wait-ends",))])
    assert any("MQSD-3.1.2.1-01 violated" in text for text in false_verdicts(trial))
    fine = Trial("fine", exit_code=0)
    open_one = Statement("one", "MQBR-3.1.3.1-17", "next_hop_is", "inconclusive")
    assert [*false_verdicts(fine)] == []
    assert [*false_verdicts(Trial("open", exit_code=2, statements=(open_one,)))] == ["MQBR-3.1.3.1-17 undecided"]
    assert [*false_verdicts(Trial("left", exit_code=5))] == ["exit code 5"]
    conviction = Statement("one", "MQBR-3.1.3.1-17", "next_hop_is")
    assert len([*false_verdicts(Trial("shot", exit_code=1, statements=(conviction,)))]) == 1


def test_readings_are_those_that_the_default_profile_passes() -> None:
    draws = [drawn(UNDISPUTED, random.Random(seed)) for seed in range(40)]
    assert {one.later_event for one in draws} >= {LaterEvent.NO_PACKET, LaterEvent.NEW_DISCOVERY}
    for one in draws:
        assert isinstance(one, Readings)
        for name, choice in vars(one).items():
            own = getattr(UNDISPUTED, name).reading.standing
            assert choice.reading.standing <= max(Standing.PERMITTED, own)


def test_a_seed_is_one_implementation_and_another_seed_another() -> None:
    assert _hops(SampledReference(1)) == _hops(SampledReference(1))
    assert len({_hops(SampledReference(seed)) for seed in range(8)}) > 1


def _hops(iut: SampledReference) -> str:
    """Return to whom a client turns where three routing servers stand at its site."""
    client, far, here, there, *servers = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "1234567")
    machines = [{"id": client, "sites": [here]}, {"id": far, "sites": [there]}]
    machines += [{"id": one, "sites": [here], "routing_server": True} for one in servers]
    directory = {
        "enterprise": {"id": "88888888-0000-4000-8000-000000000000", "name": "e"},
        "sites": [{"id": here, "site_gates": servers[:1]}, {"id": there, "site_gates": []}],
        "routing_links": [],
        "queue_managers": machines,
    }
    iut.call("router.load_directory", {"directory": directory})
    iut.call("router.initialize", {"local": client})
    asked = [iut.call("router.get_next_hops", {"source": client, "destination": far}) for _ in range(4)]
    return str(asked)


@pytest.mark.parametrize("kind", ["shuffled", "sampled"])
def test_the_seed_is_read_from_the_target(kind: str) -> None:
    assert target_named(f"{kind}?seed=12").endswith(f":{kind}_12")
    for wrong in (kind, f"{kind}?seed=", f"{kind}?seed=-1", "mixed?seed=1", f"{kind}?seed={'9' * 5_000}"):
        with pytest.raises(ConfigurationError, match=r"shuffled\?seed=N or sampled\?seed=N"):
            target_named(wrong)


def test_every_change_of_a_verdict_is_told() -> None:
    plain = Trial("plain", exit_code=0, verified=("MQBR-3.1.3.1-17",), assertions={"one": 2})
    conviction = Statement("one", "MQBR-3.1.3.1-17", "next_hop_is")
    other = Trial("other", exit_code=1, statements=(conviction,), assertions={"one": 1})
    assert [*differences(plain, other)] == [
        "MQBR-3.1.3.1-17 violated in one, `next_hop_is`",
        "MQBR-3.1.3.1-17 verified in one of the two",
        "one: 1 assertions, of the reference 2",
        "exit code 1 instead of 0",
    ]
    assert [*differences(plain, plain)] == []
