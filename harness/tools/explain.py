"""Everything that the project knows of a requirement, a register entry or a mutant, by its id: as JSON and as text."""

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
from mqconform.harness.suite.ambiguity import Ambiguity, Reading, Register, load_register
from mqconform.harness.suite.catalogue import Catalogue, Requirement, load_catalogue
from mqconform.harness.suite.index import IndexedScenario, load_suite_index
from mqconform.harness.suite.telling import failed_in, load_telling

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
    """Those whose tags name it, and ``elsewhere`` others that a faulty implementation is known to fail it in."""
    elsewhere: tuple[IndexedScenario, ...]
    mutants: tuple[Mutant, ...]
    entries: tuple[Ambiguity, ...]

    def record(self) -> Json:
        """Return the explanation as JSON has it."""
        requirement = self.requirement
        return {
            "requirement": requirement.id,
            "specification": self.specification,
            "section": requirement.section,
            "level": requirement.level,
            "kind": requirement.kind,
            "roles": sorted(requirement.roles),
            "summary": requirement.summary,
            "judged": requirement.judged,
            "reason": requirement.reason,
            "passages": len(requirement.anchors),
            "profiles": [profile.value for profile in self.profiles],
            "scenarios": [*map(_scenario_record, self.scenarios)],
            "also_failed_in": [*map(_scenario_record, self.elsewhere)],
            "mutants": [mutant.name for mutant in self.mutants],
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
    """A mutant, the requirements that it breaks, and others that it is known to fail."""

    mutant: Mutant
    requirements: tuple[Requirement, ...]
    also: tuple[str, ...]

    def record(self) -> Json:
        """Return the explanation as JSON has it."""
        mutant = self.mutant
        return {"mutant": mutant.name, "says": mutant.says, "breaks": list(mutant.breaks), "also": list(self.also)}


Explanation = RequirementExplained | EntryExplained | MutantExplained


def explain(name: str) -> tuple[Explanation, ...]:
    """Return what is known under an id, whatever its case: one explanation, for a prefix one per requirement.

    Args:
        name: a requirement, a section or specification of requirements, a register entry with or without one of its
            readings, or a mutant with or without ``mutant:``.

    Raises:
        ConfigurationError: unknown id; the message names those that are close.
    """
    catalogue, register, mutants = load_catalogue(), load_register(), all_mutants()
    upper, lower = name.strip().upper(), name.strip().lower().removeprefix("mutant:")
    requirements = tuple(requirement for requirement in catalogue.values() if covers(upper, requirement.id))
    if requirements:
        return tuple(_requirement(requirement, catalogue, register, mutants) for requirement in requirements)
    entry_id, _, reading = upper.partition("/")
    if entry_id in register:
        entry = register[entry_id]
        if reading and reading.lower() not in (named := [each.id for each in entry.readings]):
            raise ConfigurationError(f"explain {name}: {entry.id} has no such reading; it has {', '.join(named)}")
        return (EntryExplained(entry, _catalogued(entry.requirements, catalogue)),)
    if lower in mutants:
        return (_mutant(mutants[lower], catalogue),)
    hint = _hint(name.strip(), (*catalogue, *(entry.id for entry in register), *mutants))
    raise ConfigurationError(f"explain {visible(name)}: unknown id; {hint}")


def entry_record(entry: Ambiguity) -> Json:
    """Return a register entry as JSON has it."""
    readings = [
        {
            "id": reading.id,
            "literal": reading.literal,
            "situation": reading.situation,
            "summary": reading.summary,
            "because": reading.because,
            "breaks": list(reading.breaks),
            "unseen": reading.unseen,
            "verdict": {profile.value: verdict.word for profile, verdict in reading.verdicts.items()},
        }
        for reading in entry.readings
    ]
    return {
        "entry": entry.id,
        "sections": list(entry.sections),
        "problem": entry.problem,
        "requirements": list(entry.requirements),
        "testable": entry.testable,
        "varies": entry.varies,
        "constant": entry.constant,
        "readings": readings,
    }


def _scenario_record(scenario: IndexedScenario) -> Json:
    return {"feature": scenario.feature, "name": scenario.name, "cases": [case.id for case in scenario.cases]}


def _requirement(
    requirement: Requirement, catalogue: Catalogue, register: Register, mutants: Mapping[str, Mutant]
) -> RequirementExplained:
    return RequirementExplained(
        requirement=requirement,
        specification=_text_of(requirement, catalogue),
        profiles=tuple(profile for profile in Profile if requirement.level in binding_levels(profile)),
        scenarios=load_suite_index().of_requirement(requirement.id),
        elsewhere=tuple(
            scenario
            for scenario in load_suite_index().scenarios
            if requirement.id in failed_in(scenario.id) and requirement.id not in scenario.requirements
        ),
        mutants=tuple(mutant for mutant in mutants.values() if requirement.id in mutant.breaks),
        entries=register.for_requirement(requirement.id),
    )


def _mutant(mutant: Mutant, catalogue: Catalogue) -> MutantExplained:
    failed = {requirement for (*_, requirement), names in load_telling().places.items() if mutant.name in names}
    return MutantExplained(
        mutant, _catalogued(mutant.breaks, catalogue), tuple(sorted(failed.difference(mutant.breaks)))
    )


def _text_of(requirement: Requirement, catalogue: Catalogue) -> str:
    spec = catalogue.specification(requirement.id.partition("-")[0])
    if requirement.cited or spec is None:
        return requirement.cited
    return f"the page on {spec.id}, {spec.revision}" if spec.headings else f"MS-{spec.id} {spec.revision}"


def _catalogued(ids: tuple[str, ...], catalogue: Catalogue) -> tuple[Requirement, ...]:
    return tuple(catalogue[identifier] for identifier in ids if identifier in catalogue)


def _hint(name: str, identifiers: tuple[str, ...]) -> str:
    by_case = {identifier.lower(): identifier for identifier in identifiers}
    begun = [identifier for identifier in by_case if name and identifier.startswith(name.lower())]
    near = begun[:CLOSE] or get_close_matches(name.lower(), by_case, n=CLOSE)
    if near:
        return f"did you mean {', '.join(by_case[identifier] for identifier in near)}?"
    return "`mqconform list` shows the requirements, and register entries look like SD-13"


JUDGED = {
    "wire": "in datagrams",
    "api": "only through the IUT protocol",
    "no": "not at all: nothing that an implementation shows could tell",
    "unseen": "not by this harness",
}
MAX_ROWS = 12


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """Return the lines of an explanation."""
    match explanation:
        case RequirementExplained():
            return _requirement_lines(explanation)
        case EntryExplained():
            return _entry_page(explanation)
        case MutantExplained():
            return _mutant_page(explanation)


def _requirement_lines(explained: RequirementExplained) -> Iterator[str]:
    requirement = explained.requirement
    yield f"{requirement.id}  {requirement.level}, section {requirement.section} of {explained.specification}"
    yield f"  {requirement.summary}"
    yield f"  binds      {', '.join(sorted(requirement.roles))}; {_profiles(explained.profiles)}"
    yield f"  judged     {JUDGED[requirement.judged]}"
    if requirement.reason:
        yield f"  because    {requirement.reason}"
    count = len(requirement.anchors)
    yield f"  stands on  {count} {'passage' if count == 1 else 'passages'} of the text"
    yield from _section("scenarios", (line for scenario in explained.scenarios for line in _scenario_lines(scenario)))
    if explained.elsewhere:
        yield from _section("may also fail in", (f"{each.feature}: {each.name}" for each in explained.elsewhere))
    yield from _section("mutants", (f"{mutant.name}  {mutant.says}".rstrip() for mutant in explained.mutants))
    yield from _section("register", (line for entry in explained.entries for line in _entry_lines(entry)))


def _entry_page(explained: EntryExplained) -> Iterator[str]:
    yield from _entry_lines(explained.entry)
    yield from _section("bears on", map(_requirement_line, explained.requirements))


def _entry_lines(entry: Ambiguity) -> Iterator[str]:
    yield f"{entry.id}  {_place(entry)}"
    yield f"  {entry.problem}"
    if not entry.testable:
        yield "  No behaviour distinguishes its readings."
    if entry.varies:
        yield "  An implementation may choose anew each time."
    if entry.constant:
        yield f"  {entry.constant} asks for one reading throughout."
    reasons = {reading.unseen for reading in entry.readings}
    shared = reasons.pop() if len(reasons) == 1 else ""
    if shared:
        yield f"  No scenario sees its readings: {shared}"
    for reading in entry.readings:
        yield from _reading_lines(reading)
        if reading.unseen and not shared:
            yield f"    No scenario sees it: {reading.unseen}"


def _place(entry: Ambiguity) -> str:
    """Name the sections of an entry; exactly-once delivery stands in two texts, of which one has sections 1 to 4."""
    if entry.spec != "EOD":
        return f"section {', '.join(entry.sections)} of MS-{entry.spec}"
    named = {
        "MS-MQQB": [section for section in entry.sections if "." in section],
        "the page": [section for section in entry.sections if "." not in section],
    }
    return "; ".join(f"section {', '.join(sections)} of {text}" for text, sections in named.items() if sections)


def _mutant_page(explained: MutantExplained) -> Iterator[str]:
    mutant = explained.mutant
    yield f"mutant:{mutant.name}"
    if mutant.says:
        yield f"  {mutant.says}"
    broken = map(_requirement_line, explained.requirements)
    yield from _section("breaks at least one of", broken, none="nothing: it conforms, or the text does not decide")
    if explained.also:
        more = f" and {len(explained.also) - MAX_ROWS} more" if len(explained.also) > MAX_ROWS else ""
        yield f"  also fails      {', '.join(explained.also[:MAX_ROWS])}{more}"
    yield f"  try it          mqconform run --iut mutant:{mutant.name}"


def _section(title: str, below: Iterator[str], none: str = "none") -> Iterator[str]:
    indented = [f"    {line}" for line in below]
    yield from (f"  {title}", *indented) if indented else (f"  {title}  {none}",)


def _scenario_lines(scenario: IndexedScenario) -> Iterator[str]:
    yield f"{scenario.feature}: {scenario.name}"
    if scenario.rows:
        more = f" and {len(scenario.rows) - MAX_ROWS} more" if len(scenario.rows) > MAX_ROWS else ""
        yield f"  rows {', '.join(scenario.rows[:MAX_ROWS])}{more}"
    if scenario.needs:
        yield f"  needs {', '.join(scenario.needs)}"


def _reading_lines(reading: Reading) -> Iterator[str]:
    marks = ["literal"] if reading.literal else []
    marks += [reading.situation] if reading.situation else []
    yield f"  {reading.id}{' (' if marks else ''}{', '.join(marks)}{')' if marks else ''}: {_worth(reading)}"
    yield f"    {reading.summary}"
    if reading.because:
        yield f"    because: {reading.because}"
    if reading.breaks:
        yield f"    breaks {', '.join(reading.breaks)}"


def _worth(reading: Reading) -> str:
    by_verdict: dict[str, list[str]] = {}
    for profile, verdict in reading.verdicts.items():
        by_verdict.setdefault(verdict.word, []).append(profile.value)
    if len(by_verdict) == 1:
        return f"{next(iter(by_verdict))} in every profile"
    return "; ".join(f"{verdict} in {', '.join(profiles)}" for verdict, profiles in by_verdict.items())


def _requirement_line(requirement: Requirement) -> str:
    return f"{requirement.id}  {requirement.level}  {requirement.summary}"


def _profiles(profiles: tuple[Profile, ...]) -> str:
    if len(profiles) == len(Profile):
        return "in every profile"
    return f"in {', '.join(profile.value for profile in profiles)}" if profiles else "in no profile"
