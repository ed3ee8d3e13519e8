"""Which cases each mutant runs: all, or those that are known to tell plus a sample of the others."""

from collections.abc import Iterator, Sequence
from zlib import crc32

from mqconform.harness.compare.mutation.job import Job
from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.trial import GENERATED
from mqconform.harness.iut.connect import REFERENCE_TARGET, mutant_target
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.suite.index import IndexedScenario, load_suite_index
from mqconform.harness.suite.telling import scenario_of

REFERENCE = "the reference"
"""The name of the trial that all others are compared with; no mutant can have it."""
SAMPLE = 8
"""One of so many of the other scenarios runs as well, another choice for each mutant."""


def reference_job() -> Job:
    """Return the run on the reference itself."""
    return Job(REFERENCE, REFERENCE_TARGET)


def whole_jobs(specimens: Sequence[Mutant]) -> Iterator[Job]:
    """Yield whole runs."""
    for one in specimens:
        yield Job(one.name, mutant_target(one.name))


def quick_jobs(specimens: Sequence[Mutant], kills: Kills) -> Iterator[Job]:
    """Yield runs of what is known to convict, of what bears on the fault, and of a sample; the innocent run whole."""
    scenarios = load_suite_index().scenarios
    for one in specimens:
        if one.kind is Kind.FAULTY:
            yield Job(one.name, mutant_target(one.name), tuple(sorted(telling(one, kills, scenarios))))
        else:
            yield Job(one.name, mutant_target(one.name))


def telling(mutant: Mutant, kills: Kills, scenarios: Sequence[IndexedScenario]) -> set[str]:
    """Return the scenarios that a quick run on a mutant takes."""
    taken = kills.scenarios_against(mutant.name)
    for scenario in scenarios:
        name = scenario_of(scenario.cases[0].id)
        if GENERATED in name or (scenario.roles and mutant.role not in scenario.roles):
            continue
        bears = not set(mutant.breaks).isdisjoint(scenario.requirements)
        if bears or crc32(f"{mutant.name} {name}".encode()) % SAMPLE == 0:
            taken.add(name)
    return taken
