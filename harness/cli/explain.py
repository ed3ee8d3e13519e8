"""``mqconform explain``: a requirement, a register entry or a mutant, and all that hangs on it."""

import json
from collections.abc import Iterator

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.requirement import Requirement
from mqconform.harness.suite.ambiguity import Ambiguity, Reading
from mqconform.harness.suite.index import IndexedScenario
from mqconform.harness.tools.explain import EntryExplained, Explanation, MutantExplained, RequirementExplained, explain

JUDGED = {
    "wire": "in datagrams",
    "api": "only through the IUT protocol",
    "no": "not at all: nothing that an implementation shows could tell",
    "unseen": "not by this harness",
}
MAX_ROWS = 12


@click.command("explain")
@click.argument("name", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def command(name: str, *, as_json: bool) -> None:
    """Show ID with its scenarios, the mutants that prove them, and register entries.

    ID is a requirement (MQSD-3.2.5.1-07), a section or specification of requirements (MQSD-3.2.5.1, MQSD), an
    entry of the ambiguity register (SD-13, or SD-13/any-enterprise as a run prints it) or a mutant.
    """
    for number, explanation in enumerate(explain(name)):
        if as_json:
            echo(json.dumps(explanation.record()))
            continue
        if number:
            echo()
        for line in lines(explanation):
            echo(line)


def lines(explanation: Explanation) -> Iterator[str]:
    """Return the lines of an explanation."""
    match explanation:
        case RequirementExplained():
            return requirement_lines(explanation)
        case EntryExplained():
            return entry_page(explanation)
        case MutantExplained():
            return mutant_page(explanation)


def requirement_lines(explained: RequirementExplained) -> Iterator[str]:
    """Yield a requirement with its scenarios, mutants and register entries."""
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
    yield from _section("register", (line for entry in explained.entries for line in entry_lines(entry)))


def entry_page(explained: EntryExplained) -> Iterator[str]:
    """Yield a register entry with the requirements that it bears on."""
    yield from entry_lines(explained.entry)
    yield from _section("bears on", map(_requirement_line, explained.requirements))


def entry_lines(entry: Ambiguity) -> Iterator[str]:
    """Yield a register entry with its readings and what each is worth in each profile."""
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


def mutant_page(explained: MutantExplained) -> Iterator[str]:
    """Yield a mutant with what it breaks."""
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
    """Return the verdicts on a reading, profiles of one verdict together."""
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
