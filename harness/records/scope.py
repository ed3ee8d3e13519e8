"""What a run did not judge of the roles that an implementation declares: it never looks like full conformance."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from mqconform.harness.records.case import Case
from mqconform.harness.records.exit_codes import WORDS, ExitCode
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.profile import Profile, binds
from mqconform.harness.records.verdict import Standing

UNSEEN: Final = "not seen by this harness"
"""Word for a requirement that the harness has no means to judge: the implementation lacks nothing there."""

OPTION: Final = "optional in the specification, not used by the implementation"
"""Begins the reason why a requirement on optional behaviour is not applicable."""

NO_ROLE: Final = "the implementation has no role"
"""Begins the reason why a case for another role is not judged."""

NOT_OFFERED: Final = "the implementation does not offer "
"""Begins the reason why a case is not judged, before the capabilities that it lacks."""

LIMITS: Final = (UNSEEN, OPTION, NO_ROLE)
"""Begin the reasons for which an implementation is short of nothing: the suite sees or asks no more."""

ONE_ROLE: Final = frozenset({"udp", "mutant"})
"""Kinds of connection that always reach exactly one role: reports need not mention others."""


def word_of(standing: Standing, reason: str) -> str:
    """Return the word for a standing; it distinguishes limits of the implementation from limits of the harness."""
    return UNSEEN if standing is Standing.UNSUPPORTED and reason.startswith(UNSEEN) else standing.value


def unjudged(findings: Iterable[Finding], profile: Profile) -> list[Finding]:
    """Return the requirements that should have been judged in this run and were not: unsupported, or not brought about.

    What no harness can see, and what this one has no means to see, is the limit of the suite and not among them.
    """
    return [
        finding
        for finding in findings
        if is_left_out(finding.standing, finding.requirement.level, finding.reason, profile)
    ]


def is_left_out(standing: Standing, level: str, reason: str, profile: Profile) -> bool:
    """Tell whether a requirement should have been judged and was not, by its standing, level and the reason for it."""
    if reason.startswith(LIMITS):
        return False
    return standing is Standing.UNSUPPORTED or (standing is Standing.NOT_APPLICABLE and binds(level, profile))


def scope_text(findings: Collection[Finding], profile: Profile) -> str:
    """Return in words what was not judged, empty where everything was."""
    left = unjudged(findings, profile)
    if not left:
        return ""
    counted = Counter(word_of(finding.standing, finding.reason) for finding in left)
    kinds = ", ".join(f"{count} {word}" for word, count in counted.most_common())
    of = sum(_could_be_judged(finding, profile) for finding in findings)
    return f"{len(left)} of {of} requirements of its roles were not judged ({kinds})"


def not_tried(cases: Iterable[Case]) -> tuple[str, ...]:
    """Return the capabilities and the kinds of operations that cases would have tried if they were offered."""
    lacks: dict[str, None] = {}
    refused: dict[str, None] = {}
    for case in cases:
        if case.excused and case.reason.startswith(NOT_OFFERED):
            lacks |= dict.fromkeys(case.reason.removeprefix(NOT_OFFERED).split(", "))
        refused |= dict.fromkeys(case.refused)
    return (*lacks, *refused)


def partial_text(standings: Iterable[Standing], selected_from: int) -> str:
    """Return the word for a run of selected requirements without a failure, which differs from that of a whole run."""
    judged = sum(standing in {Standing.VERIFIED, Standing.VIOLATED, Standing.INCONCLUSIVE} for standing in standings)
    return f"PARTIAL: {judged} of {selected_from} requirements"


def word_of_green(exit_code: int | None, standings: Collection[Standing], selected_from: int) -> str:
    """Return the word for a run without new failures that has known ones, judged a part or has an outdated baseline.

    It is empty for any other run.
    """
    if exit_code not in {ExitCode.OK, ExitCode.BASELINE}:
        return ""
    partial = partial_text(standings, selected_from) if selected_from else ""
    outdated = WORDS[ExitCode.BASELINE].run if exit_code == ExitCode.BASELINE else ""
    return "; ".join(filter(None, (known_text(standings), partial, outdated)))


def known_text(standings: Iterable[Standing]) -> str:
    """Return the word for a run whose failures the baseline expects, empty where nothing failed."""
    counted = Counter(standings)
    known_to_fail = [
        f"{count} known {word}{'' if count == 1 else 's'}"
        for standing, word in ((Standing.VIOLATED, "violation"), (Standing.INCONCLUSIVE, "inconclusive requirement"))
        if (count := counted[standing])
    ]
    return f"NO NEW FAILURES: {', '.join(known_to_fail)}" if known_to_fail else ""


def _could_be_judged(finding: Finding, profile: Profile) -> bool:
    if finding.reason.startswith(LIMITS):
        return False
    if finding.standing is Standing.NOT_APPLICABLE:
        return binds(finding.requirement.level, profile)
    return finding.standing is not Standing.UNOBSERVABLE
