"""Proofs and comparisons as lines of text for a terminal."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from mqconform.harness.records.requirement import Exclusion, Requirement
from mqconform.harness.suite.spec.check import Alarm, Proof
from mqconform.harness.suite.spec.diff import Comparison, RequirementChange, WordingChange
from mqconform.harness.suite.spec.document import Document
from mqconform.harness.suite.spec.segments import KEYWORDS

_ALWAYS_SHOWN = 5
"""MUST to MAY are totalled even where there is none of them."""


def proof_lines(proof: Proof) -> Iterator[str]:
    """Yield the outcome of a check: totals first, then each alarm, then the verdict in one line."""
    spec = proof.specification
    yield f"{_title(proof.document)}, against the catalogue of revision {spec.revision}"
    yield _counted(proof)
    for alarm in proof.alarms:
        yield ""
        yield from _alarm_lines(alarm)
    yield ""
    cited = [requirement for requirement in spec.requirements if requirement.cited]
    entries = f"{len(spec.requirements) - len(cited)} requirements and {len(spec.exclusions)} exclusions"
    if proof.alarms:
        yield f"{len(proof.alarms)} alarms over {entries}"
    else:
        what = "word" if spec.counted == "words" else "statement"
        yield f"{entries} stand on this text, and every {what} is accounted for"
    if cited:
        texts = ", ".join(dict.fromkeys(requirement.cited for requirement in cited))
        yield f"{len(cited)} further requirements cite {texts} by section: these texts are not compared"


def _counted(proof: Proof) -> str:
    if proof.specification.counted == "statements":
        return f"Statements: {len(proof.document.segments)}"
    counted = [word for index, word in enumerate(KEYWORDS) if index < _ALWAYS_SHOWN or proof.totals[word]]
    return "RFC 2119 words in the normative sections: " + ", ".join(f"{proof.totals[word]} {word}" for word in counted)


def comparison_lines(comparison: Comparison, scenarios: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the outcome of a comparison: requirements changed, new and gone, then wording by section."""
    yield f"{_title(comparison.old)} -> {_title(comparison.new)}"
    for fate in ("changed", "new", "gone"):
        of_fate = [change for change in comparison.requirements if change.fate == fate]
        yield ""
        yield f"Requirements {fate}: {len(of_fate) or 'none'}"
        for change in of_fate:
            yield from _change_lines(change, scenarios)
    if comparison.reworded:
        yield ""
        ids = ", ".join(requirement.id for requirement in comparison.reworded)
        yield f"Requirements unchanged in other words: {ids}"
    if comparison.strangers:
        yield ""
        yield f"In neither text, so not compared: {', '.join(stranger.id for stranger in comparison.strangers)}"
    yield ""
    yield f"Wording changes without effect on requirements: {len(comparison.wordings) or 'none'}"
    for section, wordings in groupby(comparison.wordings, key=lambda wording: wording.section):
        yield f"  section {section}"
        for wording in wordings:
            yield from _wording_lines(wording)


def printable(text: str) -> str:
    """Return ``text`` with every character that a terminal would act on written out."""
    return "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in text)


def _title(document: Document) -> str:
    return f"{document.id} {printable(document.revision or 'of unknown revision')} ({document.path})"


def _alarm_lines(alarm: Alarm) -> Iterator[str]:
    yield f"{alarm.kind.upper()} in section {alarm.section}"
    for entry in alarm.entries:
        match entry:
            case Requirement():
                yield f"  {entry.id}: {entry.summary}"
            case Exclusion():
                yield f"  exclusion: {entry.reason}"
    yield f"  {alarm.detail}"
    if alarm.present:
        yield f"    {printable(alarm.present)}"


def _change_lines(change: RequirementChange, scenarios: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    requirement = change.requirement
    if requirement is None:
        yield f"  section {change.section}, in no catalogue entry"
    else:
        yield f"  {requirement.id}: {requirement.summary}"
    yield from (f"    old: {printable(text)}" for text in change.old)
    yield from (f"    new: {printable(text)}" for text in change.new)
    if requirement is not None:
        yield f"    scenarios: {'; '.join(scenarios.get(requirement.id, ())) or 'none'}"


def _wording_lines(wording: WordingChange) -> Iterator[str]:
    yield from (f"    old: {printable(text)}" for text in wording.old)
    yield from (f"    new: {printable(text)}" for text in wording.new)
