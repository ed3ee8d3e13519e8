"""Rules about the ambiguity register: each reading is followed by an implementation, or the register says why none is.

Where it passes, that implementation conforms; where it fails, it breaks the sentence that the register names.

What is followed was found out by ``mqconform mutants --whole --update-kills``. Here it is looked up, which is fast.
"""

from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Final

from mqconform.harness.records.profile import Profile, binds
from mqconform.harness.records.requirement import Requirement
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.ambiguity import Ambiguity, Reading, Register
from mqconform.harness.suite.feature_text import Finding

LENIENT: Final = (Profile.MUST, Profile.DEFAULT)
"""Profiles in which all that the text leaves open passes; what binds in the first binds in the second."""


def check_readings(
    register: Register, followed: Mapping[str, str], breaks: Mapping[str, tuple[str, ...]], folder: Path
) -> Iterator[Finding]:
    """Yield readings of testable entries that nothing follows and nothing excuses, and those excused though followed.

    Args:
        register: what there is.
        followed: ``AMBIGUITY/reading`` -> name of an implementation that was seen to follow it.
        breaks: name of an implementation that is wrong on purpose -> the requirements that it breaks.
        folder: of the register's files.
    """
    places = _places(folder)
    for entry in register:
        for reading in entry.readings if entry.testable else ():
            name = f"{entry.id}/{reading.id}"
            path, line = places.get(entry.id, (str(folder), 1))
            is_followed = name in followed or (reading is entry.literal and _has_rival(entry, followed))
            if is_followed and reading.unseen:
                text = f"{name} has an implementation that follows it; remove `unseen` from it or its entry"
                yield Finding(path, line, "needless-unseen", text)
            elif not is_followed and not reading.unseen:
                text = (
                    f"no implementation follows {name}; write a mutant and run "
                    "`mqconform mutants --whole --update-kills`, or say why not: `unseen`"
                )
                yield Finding(path, line, "unread-reading", text)
            elif name in followed and not _is_shown_by(reading, breaks.get(followed[name], ())):
                variant = f"breaks {' or '.join(reading.breaks)}" if reading.breaks else "conforms"
                text = f"{name} is followed by {followed[name]}, and by no implementation that {variant}"
                yield Finding(path, line, "reading-variant", text)


def check_verdicts(register: Register, catalogue: Mapping[str, Requirement], folder: Path) -> Iterator[Finding]:
    """Yield readings that a profile fails for sentences none of which binds there, or ``must`` alone fails."""
    places = _places(folder)
    for entry in register:
        for reading in entry.readings:
            levels = [catalogue[requirement].level for requirement in reading.breaks]
            failing = [profile for profile in LENIENT if reading.verdicts[profile] is Verdict.FAIL]
            for profile in failing:
                if Profile.DEFAULT not in failing or not any(binds(level, profile) for level in levels):
                    text = (
                        f"{entry.id}/{reading.id} fails in {profile.value}, and breaks nothing that binds there alone"
                    )
                    yield Finding(*places.get(entry.id, (str(folder), 1)), "reading-binds", text)


def _is_shown_by(reading: Reading, broken: tuple[str, ...]) -> bool:
    fails = reading.verdicts[Profile.DEFAULT] is Verdict.FAIL
    return not set(broken).isdisjoint(reading.breaks) if fails else not broken


def _has_rival(entry: Ambiguity, followed: Container[str]) -> bool:
    """Return whether another answer to the literal reading's question is followed.

    The reference follows the text's own words, so that what tells the other answer from it shows the literal one too.
    """
    literal = entry.literal
    return literal is not None and any(
        f"{entry.id}/{reading.id}" in followed
        for reading in entry.readings
        if reading is not literal and reading.situation == literal.situation
    )


def _places(folder: Path) -> dict[str, tuple[str, int]]:
    places = {}
    for file in sorted(folder.glob("*.toml")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            if line.startswith('id = "') and line[6:7].isupper():
                places[line[6:-1]] = (f"requirements/ambiguities/{file.name}", number)
    return places
