"""The declaration of an implementation: asked for, reviewed, probed, and counted."""

from collections.abc import Iterator, Mapping

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions, Iut, IutDescription, IutProblem
from mqconform.harness.iut.roles import CAPABILITIES, CLOCKS, ROLES
from mqconform.harness.records.results import Declaration, Feature, Probe
from mqconform.harness.run.declaration.probing import Prober, Tried, undeclared
from mqconform.harness.run.declaration.review import review
from mqconform.harness.suite.catalogue import Catalogue, load_catalogue
from mqconform.harness.suite.tagged_scenarios import tagged_scenarios

MUTANT = "mutant:"
"""What needs no probe: each mutant is the reference, and declares the one role that it is wrong in."""


def declared_by(target: str, options: AdapterOptions) -> Declaration | None:
    """Reach an implementation for a moment, and return what it declares, reviewed and probed.

    None where it cannot be reached or does not introduce itself: the run that follows says why.
    """
    try:
        iut = connect(target, options)
    except IutProblem:
        return None
    try:
        return declaration_of(iut, probed=not target.startswith(MUTANT))
    finally:
        iut.close()


def declaration_of(iut: Iut, *, probed: bool = True) -> Declaration:
    """Return what an implementation that has introduced itself declares, reviewed, and probed where that is wanted."""
    description, catalogue = iut.description, load_catalogue()
    prober = Prober(iut)
    if probed:
        prober.probe()
    remarks = [*review(description, catalogue), *prober.remarks]
    remarks += undeclared(prober, description.roles, description.capabilities)
    return Declaration(tuple(_features(description, prober.tried, catalogue)), tuple(dict.fromkeys(remarks)))


def _features(description: IutDescription, tried: Tried, catalogue: Catalogue) -> Iterator[Feature]:
    for role in ROLES:
        bound = sum(role in requirement.roles and requirement.is_judged for requirement in catalogue.values())
        yield Feature("role", role, role in description.roles, tried.get(role, Probe.NOT_PROBED), bound)
    needing = _needing(description, catalogue)
    for name, roles in CAPABILITIES.items():
        if name in description.capabilities or description.roles.intersection(roles):
            came = _joined(tried, name)
            yield Feature("capability", name, name in description.capabilities, came, needing.get(name, 0))


def _joined(tried: Tried, capability: str) -> Probe:
    """Return the result of the probes of a capability in all roles: one answer is enough."""
    probes = [came for name, came in tried.items() if name.partition(":")[2] == capability]
    return next((probe for probe in (Probe.ANSWERS, Probe.BROKEN, Probe.REFUSED) if probe in probes), Probe.NOT_PROBED)


def _needing(description: IutDescription, catalogue: Catalogue) -> Mapping[str, int]:
    """Return how many requirements of the declared roles have no scenario that does without a capability."""
    without: dict[str, set[str]] = {}
    touched: dict[str, set[str]] = {name: set() for name in CAPABILITIES}
    for scenario in tagged_scenarios():
        if not description.roles.intersection(scenario.roles):
            continue
        clocks = () if description.capabilities.intersection(CLOCKS) else CLOCKS
        needs = {each for need in scenario.needs for each in (clocks if need == "clock" else (need,))}
        for requirement in scenario.requirements:
            if not catalogue[requirement].is_judged:
                continue
            for name in CAPABILITIES:
                (touched[name] if name in needs else without.setdefault(name, set())).add(requirement)
    return {name: len(requirements - without.get(name, set())) for name, requirements in touched.items()}
