"""What is verified of an implementation that offers less convicts a faulty one that offers as little."""

from dataclasses import fields

import pytest
from long_tier import long

from mqconform.harness.compare.mutation import limited
from mqconform.harness.compare.mutation.job import Job
from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.limited import Unjudged, Unshown, cases_of, left_out, unshown
from mqconform.harness.compare.mutation.nursery import tried
from mqconform.harness.compare.mutation.trial import Conviction, Trial
from mqconform.harness.iut import configurations
from mqconform.harness.iut.configurations import CONFIGURATIONS, target_of
from mqconform.harness.iut.reference_iut.method_not_found import MethodNotFound

WHERE = "no_sequences"
"""The one with the fewest requirements; the gate tries all."""


@long
def test_each_verified_requirement_has_convicted_somebody() -> None:
    assert unshown([WHERE]) == ()


def test_one_that_convicts_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Kills.load()
    monkeypatch.setattr(limited.Kills, "load", lambda: Kills(whole.assertions, {}))
    monkeypatch.setattr(limited, "TRIES", 1)
    found = unshown([WHERE])
    assert Unshown(WHERE, "EOD-4-04", ()) in found
    assert "EOD-4-04 is verified, and no mutant is known to be convicted" in "\n".join(map(str, found))


CONVICTION = Conviction("one", "EOD-4-04", "Then it is acknowledged")


@pytest.mark.parametrize(
    "trial", [Trial(WHERE, "crash"), Trial(WHERE, errors=("broken",)), Trial(WHERE, convictions=(CONVICTION,))]
)
def test_a_reference_that_was_not_judged_is_told(monkeypatch: pytest.MonkeyPatch, trial: Trial) -> None:
    monkeypatch.setattr(limited, "tried", lambda *_: iter([trial]))
    (found,) = unshown([WHERE])
    assert isinstance(found, Unjudged)
    assert str(found).startswith("no_sequences: the reference ")


def test_with_the_real_clock_what_waits_for_minutes_is_left_out_unless_asked_for() -> None:
    usual, all_cases = cases_of("real_clock"), cases_of("real_clock", 1_000.0)
    assert set(usual) < set(all_cases)
    assert len(usual) + left_out("real_clock") == len(all_cases)
    assert left_out("real_clock", 1_000.0) == 0
    assert (cases_of(WHERE), left_out(WHERE)) == ((), 0)


@pytest.mark.parametrize(
    ("name", "mutant", "scenario"),
    [
        ("udp_alone", "mask-over-ip", "over-ip-the-mask-is-all-zeros"),
        ("real_clock", "client-heeds-other-ids", "a-reply-to-another-request-has-no-effect"),
    ],
)
def test_a_server_is_reached_by_datagrams_alone_and_a_client_lives_by_the_real_clock(
    name: str, mutant: str, scenario: str
) -> None:
    jobs = [
        Job(one, target_of(name, one), (scenario,), over_udp=name == "udp_alone", real_clock=name == "real_clock")
        for one in ("", mutant)
    ]
    fine, convicted = sorted(tried(jobs), key=lambda trial: trial.name)
    assert (fine.ended, fine.convictions, convicted.ended) == ("run", (), "run")
    assert fine.verified
    assert convicted.violated


@pytest.mark.parametrize("name", [*CONFIGURATIONS])
def test_what_is_left_out_is_neither_declared_nor_answered(name: str) -> None:
    iut = getattr(configurations, target_of(name).partition(":")[2])()
    said = iut.call("initialize", {})
    assert not {one.value for one in CONFIGURATIONS[name].capabilities}.intersection(said["capabilities"])
    assert said["roles"]
    assert any(getattr(CONFIGURATIONS[name], one.name) for one in fields(CONFIGURATIONS[name]))
    for operation in CONFIGURATIONS[name].refused:
        with pytest.raises(MethodNotFound):
            iut.call(operation, {})
