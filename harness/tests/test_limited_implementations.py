"""What is verified of an implementation that offers less convicts a faulty one that offers as little."""

from dataclasses import fields

import pytest

from mqconform.harness.explore.mutation import variants
from mqconform.harness.explore.mutation.kills import Kills
from mqconform.harness.explore.mutation.trial import Statement, Trial
from mqconform.harness.explore.mutation.variants import Line, configured
from mqconform.harness.iut import configurations
from mqconform.harness.iut.configurations import CONFIGURATIONS, Configuration, target_of
from mqconform.harness.iut.role import MethodNotFound

WHERE = "no_sequences"
"""The one with the fewest requirements; the gate tries all."""


def test_one_that_convicts_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Kills.load()
    monkeypatch.setattr(variants.Kills, "load", lambda: Kills(whole.assertions, {}))
    monkeypatch.setattr(variants, "TRIES", 1)
    assert Line(f"{WHERE}: EOD-4-04 is verified, and no mutant is known to fail it") in configured([WHERE])


def test_of_those_tried_besides_the_faulty_are_convicted_and_the_others_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    expires = Statement("mqso/one", "MQSO-5.1.1.3-04", "is_gone")
    found = {"queue-expires-late": (), "queue-expires-early": (expires,), "queue-timer-from-commit": (expires,)}
    trials = {name: Trial(name, statements=statements) for name, statements in found.items()}
    alone = Configuration(real_clock=True, besides=tuple(found))
    monkeypatch.setattr(variants, "CONFIGURATIONS", {"real_clock": alone})
    monkeypatch.setattr(variants, "tried", lambda jobs, *_: (trials.get(job.name, Trial(job.name)) for job in jobs))
    breaks = "MQSO-5.1.1.3-04, MQSO-4.3.1.2-16, MQSO-5.1.1.3-05"
    assert [line.text for line in configured(["real_clock"]) if line.wrong] == [
        f"real_clock: queue-expires-late fails nothing that it breaks: {breaks}",
        "real_clock: queue-timer-from-commit fails MQSO-5.1.1.3-04",
    ]


def test_what_is_left_out_is_neither_declared_nor_answered(subtests: pytest.Subtests) -> None:
    for name in [*CONFIGURATIONS]:
        with subtests.test(name=name):
            iut = getattr(configurations, target_of(name).partition(":")[2])()
            said = iut.call("initialize", {})
            assert not {one.value for one in CONFIGURATIONS[name].capabilities}.intersection(said["capabilities"])
            assert said["roles"]
            assert any(getattr(CONFIGURATIONS[name], one.name) for one in fields(CONFIGURATIONS[name]))
            for operation in CONFIGURATIONS[name].refused:
                with pytest.raises(MethodNotFound):
                    iut.call(operation, {})
