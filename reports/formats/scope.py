"""What a run judged and what not, in words that no reader of a report can miss.

An implementation that declares little has little judged: what is left out is said beside every verdict, and a run with
something left out never has the word of a run without.
"""

from collections import Counter
from typing import Final

from mqconform.harness.records.exit_codes import WORDS, ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.result_file import ResultFile
from mqconform.harness.records.results import Feature, Finding, Remark
from mqconform.harness.records.scope import ONE_ROLE, UNSEEN, is_left_out, word_of_green
from mqconform.harness.records.scope import word_of as word_of_standing
from mqconform.harness.records.verdict import Standing

IN_PART: Final = ("conforms in what was judged", "yellowgreen")
"""Instead of the word for ``ExitCode.OK`` where something was not judged."""
MOST_ROLES: Final = 2
"""Roles that are named; more are counted."""


def unjudged(run: ResultFile) -> tuple[Finding, ...]:
    """Return the requirements that should have been judged and were not: unsupported, or not brought about."""
    return tuple(
        finding
        for finding in run.findings
        if is_left_out(Standing(finding.standing), finding.level, finding.reason, Profile.of(run.header.profile))
    )


def word_of(run: ResultFile) -> tuple[str, str]:
    """Return what a run came to in words, and a colour."""
    if run.footer is None:
        return "run did not end", "lightgrey"
    standings = [Standing(finding.standing) for finding in run.findings]
    if green := word_of_green(run.footer.exit_code, standings, run.footer.selected_from):
        return green, "yellow"
    if run.footer.exit_code == ExitCode.OK and unjudged(run):
        return IN_PART
    try:
        words = WORDS[ExitCode(run.footer.exit_code)]
    except ValueError:
        return "unknown", "lightgrey"
    return words.report, words.colour


def roles_text(run: ResultFile) -> str:
    """Return as what an implementation was judged: its roles by name, or their number."""
    bound = {role for finding in run.findings for role in finding.roles}
    roles = sorted(bound.intersection(run.header.iut.roles))
    return ", ".join(map(visible, roles)) or "no role" if len(roles) <= MOST_ROLES else f"{len(roles)} roles"


def standings(run: ResultFile) -> Counter[str]:
    """Return how many requirements of a run that ended have which standing; unseen ones are apart."""
    return Counter(word_of_standing(Standing(finding.standing), finding.reason) for finding in run.findings)


def scope_text(run: ResultFile) -> str:
    """Return in words what was not judged, empty where everything was."""
    left = unjudged(run)
    if not left:
        return ""
    counted = Counter(word_of_standing(Standing(finding.standing), finding.reason) for finding in left)
    kinds = ", ".join(f"{count} {word}" for word, count in counted.most_common())
    return f"{len(left)} requirements of its roles were not judged ({kinds})"


def scope_lines(run: ResultFile) -> list[str]:
    """Return a line for each reason why requirements were not judged."""
    reasons: dict[str, list[str]] = {}
    for finding in unjudged(run):
        # The reason of what the harness does not see says so itself.
        reason = finding.reason if finding.reason.startswith(UNSEEN) else f"{finding.standing}: {finding.reason}"
        reasons.setdefault(reason, []).append(finding.id)
    return [f"{reason}: {', '.join(ids)}" for reason, ids in reasons.items()]


def remarks_on_declaration(run: ResultFile) -> tuple[Remark, ...]:
    """Return what review and probes said of the declaration."""
    return run.header.declaration.remarks if run.header.declaration else ()


def declaration_rows(run: ResultFile) -> tuple[Feature, ...]:
    """Return what review and probes found of each role and capability.

    Roles that are not declared are left out where the connection is one to a single role.
    """
    features = run.header.declaration.features if run.header.declaration else ()
    one_role = run.header.iut.kind in ONE_ROLE
    return tuple(feature for feature in features if feature.declared or feature.kind != "role" or not one_role)
