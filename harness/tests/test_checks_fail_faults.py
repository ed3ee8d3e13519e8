"""Each check of the suite fails a known fault: the fewest plays that show it. `mqconform mutants` tries the rest."""

from collections import defaultdict

import pytest

from mqconform.harness.explore.mutation.kills import Kills, place_of
from mqconform.harness.explore.mutation.trial import Job, perform
from mqconform.harness.iut.connect import mutant_target
from mqconform.harness.iut.mutants.mutant import Kind
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.suite.telling import Place


def plays() -> dict[str, dict[str, set[Place]]]:
    """Return by fault the scenarios to play, each with the places that fail; together they reach every check."""
    convicted: dict[tuple[str, str], set[Place]] = defaultdict(set)
    for place, names in Kills.load().convicts.items():
        for name in names:
            convicted[name, place[0]].add(place)
    checks = {play: {check for _, check, _ in places} for play, places in convicted.items()}
    missing, chosen = set().union(*checks.values()), defaultdict(dict)
    while missing:
        name, scenario = play = max(sorted(checks), key=lambda play: len(checks[play] & missing))
        chosen[name][scenario] = convicted[play]
        missing -= checks[play]
    return chosen


ROLES = {fault.name: fault.role for fault in all_mutants().values() if fault.kind is Kind.FAULTY}


@pytest.mark.parametrize("role", sorted({*ROLES.values()}))
def test_each_check_fails_a_known_fault(role: str) -> None:
    of_role = {name: scenarios for name, scenarios in plays().items() if ROLES[name] == role}
    missed = {}
    for name, scenarios in of_role.items():
        trial = perform(Job(name, mutant_target(name), tuple(scenarios)))
        missed[name] = set().union(*scenarios.values()) - {*map(place_of, trial.convictions)}
        assert not trial.errors
    assert of_role
    assert not {name: places for name, places in missed.items() if places}
