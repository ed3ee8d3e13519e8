"""Everything that the project knows of a requirement, a register entry or a mutant, by its id."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.records.printable import visible
from mqconform.harness.records.profile import Profile, binding_levels
from mqconform.harness.records.requirement import covers
from mqconform.harness.suite.ambiguity import Ambiguity, Register, load_register
from mqconform.harness.suite.catalogue import Catalogue, Requirement, load_catalogue
from mqconform.harness.suite.index import IndexedScenario, load_suite_index

CLOSE = 4
"""How many ids an unknown one is held against in a message."""
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RequirementExplained:
    """A requirement, how it is judged, and what may be said against the judgement."""

    requirement: Requirement
    specification: str
    """Its specification and revision, ``MS-MQSD 13.0``."""
    profiles: tuple[Profile, ...]
    """Those in which it binds."""
    scenarios: tuple[IndexedScenario, ...]
    mutants: tuple[Mutant, ...]
    entries: tuple[Ambiguity, ...]

    def record(self) -> Json:
        """Return the explanation as JSON has it."""
        known = self.requirement
        return {
            "requirement": known.id,
            "specification": self.specification,
            "section": known.section,
            "level": known.level,
            "kind": known.kind,
            "roles": sorted(known.roles),
            "summary": known.summary,
            "judged": known.judged,
            "reason": known.reason,
            "passages": len(known.anchors),
            "profiles": [profile.value for profile in self.profiles],
            "scenarios": [
                {"feature": one.feature, "name": one.name, "cases": [case.id for case in one.cases]}
                for one in self.scenarios
            ],
            "mutants": [one.name for one in self.mutants],
            "register": [entry_record(entry) for entry in self.entries],
        }


@dataclass(frozen=True, slots=True)
class EntryExplained:
    """An entry of the ambiguity register."""

    entry: Ambiguity
    requirements: tuple[Requirement, ...]

    def record(self) -> Json:
        """Return the explanation as JSON has it."""
        return entry_record(self.entry)


@dataclass(frozen=True, slots=True)
class MutantExplained:
    """A mutant and the requirements that it breaks."""

    mutant: Mutant
    requirements: tuple[Requirement, ...]

    def record(self) -> Json:
        """Return the explanation as JSON has it."""
        known = self.mutant
        return {"mutant": known.name, "says": known.says, "breaks": list(known.breaks), "also": list(known.also)}


Explanation = RequirementExplained | EntryExplained | MutantExplained


def explain(name: str) -> tuple[Explanation, ...]:
    """Return what is known under an id, whatever its case: one explanation, for a prefix one per requirement.

    Args:
        name: a requirement, a section or specification of requirements, a register entry, or a mutant with or
            without ``mutant:``.

    Raises:
        ConfigurationError: nothing has that id; the message names those that are close.
    """
    catalogue, register, mutants = load_catalogue(), load_register(), all_mutants()
    upper, lower = name.strip().upper(), name.strip().lower().removeprefix("mutant:")
    found = tuple(one for one in catalogue.values() if covers(upper, one.id))
    if found:
        return tuple(_requirement(one, catalogue, register, mutants) for one in found)
    if upper in register:
        entry = register[upper]
        return (EntryExplained(entry, _known(entry.requirements, catalogue)),)
    if lower in mutants:
        return (MutantExplained(mutants[lower], _known(mutants[lower].breaks, catalogue)),)
    raise ConfigurationError(_nothing(name, (*catalogue, *(entry.id for entry in register), *mutants)))


def entry_record(entry: Ambiguity) -> Json:
    """Return a register entry as JSON has it."""
    readings = [
        {
            "id": one.id,
            "literal": one.literal,
            "situation": one.situation,
            "summary": one.summary,
            "verdict": {profile.value: verdict.word for profile, verdict in one.verdicts.items()},
        }
        for one in entry.readings
    ]
    return {
        "entry": entry.id,
        "sections": list(entry.sections),
        "problem": entry.problem,
        "requirements": list(entry.requirements),
        "testable": entry.testable,
        "varies": entry.varies,
        "readings": readings,
    }


def _requirement(
    known: Requirement, catalogue: Catalogue, register: Register, mutants: Mapping[str, Mutant]
) -> RequirementExplained:
    return RequirementExplained(
        requirement=known,
        specification=_text_of(known, catalogue),
        profiles=tuple(profile for profile in Profile if known.level in binding_levels(profile)),
        scenarios=load_suite_index().of_requirement(known.id),
        mutants=tuple(one for one in mutants.values() if known.id in one.breaks),
        entries=register.for_requirement(known.id),
    )


def _text_of(known: Requirement, catalogue: Catalogue) -> str:
    spec = catalogue.specification(known.id.partition("-")[0])
    if known.cited or spec is None:
        return known.cited
    return f"the page on {spec.id}, {spec.revision}" if spec.headings else f"MS-{spec.id} {spec.revision}"


def _known(ids: tuple[str, ...], catalogue: Catalogue) -> tuple[Requirement, ...]:
    return tuple(catalogue[one] for one in ids if one in catalogue)


def _nothing(name: str, known: tuple[str, ...]) -> str:
    return f"explain {visible(name)}: nothing has that id{''.join(_hint(name.strip(), known))}"


def _hint(name: str, known: tuple[str, ...]) -> Iterator[str]:
    by_case = {one.lower(): one for one in known}
    begun = [one for one in by_case if name and one.startswith(name.lower())]
    near = begun[:CLOSE] or get_close_matches(name.lower(), by_case, n=CLOSE)
    if near:
        yield f"; did you mean {', '.join(by_case[one] for one in near)}?"
    else:
        yield "; `mqconform list` shows the requirements, and register entries look like SD-13"
