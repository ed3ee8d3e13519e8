"""What is verified of an implementation that offers less convicts a faulty one that offers as little."""

import pytest

from mqconform.harness.compare.mutation import limited
from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.limited import Unshown, unshown
from mqconform.harness.iut import configurations
from mqconform.harness.iut.configurations import CONFIGURATIONS, target_of
from mqconform.harness.iut.reference_iut.method_not_found import MethodNotFound

WHERE = "no_sequences"
"""The one with the fewest requirements; the gate tries all."""


def test_each_verified_requirement_has_convicted_somebody() -> None:
    assert unshown([WHERE]) == ()


def test_one_that_convicts_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Kills.load()
    monkeypatch.setattr(limited.Kills, "load", lambda: Kills(whole.assertions, {}))
    monkeypatch.setattr(limited, "TRIES", 1)
    found = unshown([WHERE])
    assert Unshown(WHERE, "EOD-4-04", ()) in found
    assert "EOD-4-04 is verified, and no mutant is known to be convicted" in "\n".join(map(str, found))


@pytest.mark.parametrize("name", [*CONFIGURATIONS])
def test_what_is_left_out_is_neither_declared_nor_answered(name: str) -> None:
    iut = getattr(configurations, target_of(name).partition(":")[2])()
    said = iut.call("initialize", {})
    assert not {one.value for one in CONFIGURATIONS[name].capabilities}.intersection(said["capabilities"])
    assert said["roles"]
    assert CONFIGURATIONS[name].refused or CONFIGURATIONS[name].capabilities
    for operation in CONFIGURATIONS[name].refused:
        with pytest.raises(MethodNotFound):
            iut.call(operation, {})
