"""The summary that a person reads in ten seconds: what was judged, what is wrong or open and why, what comes next."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from mqconform.harness.iut.protocol import NOT_TRIED
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.judge.mqsd_client.client_under_test import TOO_LOADED
from mqconform.harness.records.case import Case
from mqconform.harness.records.diagnosis_text import BEHAVES_LIKE, likenesses
from mqconform.harness.records.evidence_text import headlines, is_crash
from mqconform.harness.records.exit_codes import WORDS, ExitCode
from mqconform.harness.records.finding import Finding, by_cause
from mqconform.harness.records.printable import quoted_lines, visible, with_guids
from mqconform.harness.records.scope import ONE_ROLE, scope_text, word_of, word_of_green
from mqconform.harness.records.verdict import FAILED, Standing, Verdict
from mqconform.harness.run.bundles.writing import FOLDER, folder_name
from mqconform.harness.run.declaration import declaration_lines
from mqconform.harness.run.plan import Outcome
from mqconform.harness.run.violation_text import MOST_TEXT, failed_on, simplest_case, violation_lines
from mqconform.harness.suite.ambiguity import MixedReadings
from mqconform.harness.suite.selection import of_other_role

MOST_LISTED = 10
"""How many violated requirements, and kinds of undecided cases, are shown in full."""
REASONS = 5
"""How many reasons for cases that were not judged are named."""
MOST_READINGS = 20
"""How many readings are listed."""
IN_PART = "CONFORMS IN WHAT WAS JUDGED"
"""Instead of the word for 0 where something was not."""
MOST_PROBLEM_TEXT = 400
MOST_ADDED = 20
"""Cases added to the baseline that are named."""


def print_summary(outcome: Outcome, console: Console, written: Sequence[Path] = ()) -> None:
    """Print the outcome and where reports were written; everything that came from an IUT is made visible first."""
    for line in summary(outcome):
        console.print(line, soft_wrap=True)
    for path in written:
        console.print(Text(f"report in {visible(str(path))}"), soft_wrap=True)
    for line in next_steps(outcome):
        console.print(line, soft_wrap=True)


def print_brief(outcome: Outcome, console: Console) -> None:
    """Print what the run behaves like, what is wrong, a line for each likely cause, and the verdict."""
    for line in (*_crash(outcome), *_diagnosis(outcome)):
        console.print(line, soft_wrap=True)
    for cause, consequences in _groups(outcome):
        more = f" (and {len(consequences)} more fail in the same cases)" if consequences else ""
        console.print(
            Text(f"VIOLATED {cause.requirement.id}  {cause.requirement.summary}{more}", "red"), soft_wrap=True
        )
    undecided = (*inconclusive_lines(outcome), *_mixed(outcome, outcome.inconstant), *added_lines(outcome))
    for text in (*undecided, *_errors(outcome.cases), *_problems(outcome), _last_line(outcome)):
        console.print(text, soft_wrap=True)


def summary(outcome: Outcome) -> Iterator[Text | Padding]:
    """Yield the lines of the summary."""
    yield _title(outcome)
    yield from _crash(outcome)
    if likeness := [*_diagnosis(outcome)]:
        yield from (Text(), *likeness)
    violated = _violated(outcome)
    yield from _violations(outcome)
    if violated:
        yield from _doubtful_facts(outcome)
    yield from _beyond_selection(violated, outcome)
    yield from inconclusive_lines(outcome)
    yield from _errors(outcome.cases)
    yield from _unverified(outcome)
    yield from _excused(outcome.cases)
    yield from _readings(outcome)
    yield from baseline_lines(outcome)
    if outcome.plan.declaration:
        yield from declaration_lines(outcome.plan.declaration, one_role=_kind(outcome) in ONE_ROLE)
    yield from _totals(outcome)


def _title(outcome: Outcome) -> Text:
    who = outcome.description
    name = visible(" ".join(part for part in (who.vendor, who.name, who.version) if part))
    plan = outcome.plan
    target = f" ({visible(plan.iut)})" if name else visible(plan.iut)
    seed = f"seed {plan.seed}, {plan.thorough} times the generated inputs" if plan.thorough > 1 else f"seed {plan.seed}"
    return Text.assemble((name, "bold"), f"{target}, profile {plan.profile.value}, {seed}")


def _violated(outcome: Outcome) -> list[Finding]:
    """Return the requirements whose violation the baseline does not expect."""
    return [finding for finding in outcome.findings if finding.standing in FAILED and not _expected(finding, outcome)]


def _crash(outcome: Outcome) -> Iterator[Text]:
    """Yield how the implementation ended, hung or broke the protocol, and what is violated in those cases alone."""
    crashed = False
    for word, text, reason in headlines(outcome.cases):
        crashed = True
        yield Text(f"\n{word}: {text}", "bold red")
        yield Text(f"  observed  {quoted_lines(reason, ' ' * 12)}")
    others = _beside_crashes(outcome)
    by_it = [finding.requirement.id for finding in _violated(outcome) if finding not in others]
    if crashed and by_it:
        more = f" and {len(by_it) - MOST_LISTED} more" if len(by_it) > MOST_LISTED else ""
        yield Text(f"  violated in such cases alone: {', '.join(by_it[:MOST_LISTED])}{more}", "dim")


def _beside_crashes(outcome: Outcome) -> list[Finding]:
    """Return the violated requirements that fail in a case in which the implementation neither ended nor hung."""
    sound = [case for case in outcome.cases if not is_crash(case)]
    failed = {w.requirement for case in sound for w in case.witnesses if w.judgement.verdict is Verdict.FAIL}
    return [finding for finding in _violated(outcome) if finding.requirement.id in failed]


def _diagnosis(outcome: Outcome) -> Iterator[Text]:
    """Yield the known faults that explain failed cases, unless the baseline expects all of them."""
    if not _violated(outcome):
        return
    failed = sum(case.verdict is Verdict.FAIL and not case.excused for case in outcome.cases)
    named = [record for explanation in outcome.diagnosis for record in explanation.records()]
    for where, says, others in likenesses(named, failed):
        likeness, rest = where[: len(BEHAVES_LIKE)].upper(), where[len(BEHAVES_LIKE) :]
        yield Text.assemble((likeness, "bold red"), f"{rest}:")
        yield Text.assemble("  ", (says, "bold"))
        yield from (Text(f"  or: {other}", "dim") for other in others)


def _groups(outcome: Outcome) -> list[tuple[Finding, list[Finding]]]:
    """Return what is violated with what fails in the same cases: the likeliest first, as the diagnosis has them."""
    likeliest = [explanation.requirement for explanation in outcome.diagnosis]
    return by_cause(_beside_crashes(outcome), lambda finding: finding.requirement.id, likeliest)


def _violations(outcome: Outcome) -> Iterator[Text]:
    groups = _groups(outcome)
    for cause, consequences in groups[:MOST_LISTED]:
        yield from violation_lines(cause, consequences, outcome.cases)
    rest = [finding.requirement.id for cause, others in groups[MOST_LISTED:] for finding in (cause, *others)]
    if rest:
        yield Text(f"  and {len(rest)} more violated: {', '.join(rest)}", "red")


def _doubtful_facts(outcome: Outcome) -> Iterator[Text]:
    """Say that the facts file may be what is wrong, where the first reply differs from it in values alone."""
    if outcome.doubtful_facts:
        yield Text("\nThe facts file may be wrong instead of the server. The first reply:", "bold yellow")
        for fact in outcome.doubtful_facts:
            yield Text(f"  {visible(fact)}", "yellow")
        yield Text(
            f"  mqconform smoke --check-facts --iut {visible(outcome.plan.iut)} --facts FILE compares them again", "dim"
        )


def _beyond_selection(violated: list[Finding], outcome: Outcome) -> Iterator[Text]:
    others = [finding for finding in violated if not outcome.plan.selection.wants((finding.requirement.id,))]
    beyond = [finding.requirement.id for finding in others if finding.standing is Standing.VIOLATED]
    if not beyond:
        return
    none = "" if len(others) < len(violated) else "; no selected requirement is violated"
    yield Text(f"\nviolated but not selected: {', '.join(beyond)}{none}", "bold red")


def _errors(cases: list[Case]) -> Iterator[Text | Padding]:
    for case in cases:
        if case.error:
            yield Text(
                f"\nERROR in {visible(case.id)}, step {visible(case.step)}: {visible(case.error)[:400]}", "magenta"
            )


def _unverified(outcome: Outcome) -> Iterator[Text | Padding]:
    ids = [finding.requirement.id for finding in outcome.findings if finding.standing is Standing.UNVERIFIED]
    selection = outcome.plan.selection
    if ids and not outcome.problem and not (selection.expression or selection.cases):  # else most are not asked for
        yield Text(f"\nUNVERIFIED, no check ran: {', '.join(ids[:20])}{' ...' if len(ids) > 20 else ''}", "yellow")


def _excused(cases: list[Case]) -> Iterator[Text | Padding]:
    """Yield why cases were not judged, most first; cases of roles that are not declared are left out."""
    reasons = Counter((case.excused, case.reason) for case in cases if case.excused and not of_other_role(case.reason))
    commonest = reasons.most_common(REASONS)
    for (kind, reason), count in commonest:
        yield Text(f"  {kind}: {cases_text(count)}, {visible(reason)[:200]}", "dim")
    left = sum(reasons.values()) - sum(count for _, count in commonest)
    if left:
        others = f"{len(reasons) - len(commonest)} other reasons; see the result file"
        yield Text(f"  {cases_text(left, 'more ')} skipped ({others})", "dim")


def _readings(outcome: Outcome) -> Iterator[Text | Padding]:
    yield from _mixed(outcome, outcome.mixed)
    if outcome.readings:
        left = len(outcome.readings) - MOST_READINGS
        more = f", and {left} more, all in the last line of the result file" if left > 0 else ""
        listed = ", ".join(outcome.readings[:MOST_READINGS])
        yield Text(f"  interpretations used where the specification is ambiguous: {listed}{more}", "dim")


def _mixed(outcome: Outcome, mixed: Sequence[MixedReadings]) -> Iterator[Text]:
    """Yield the readings followed of one entry, with the number of cases; yellow if they change the verdict."""
    for mixture in mixed:
        why = f", but {mixture.constant} permits only one" if mixture.constant else ""
        yield Text(f"  follows {visible(str(mixture))}{why}", "yellow" if mixture in outcome.inconstant else "dim")


def _totals(outcome: Outcome) -> Iterator[Text | Padding]:
    words = Counter(word_of(finding.standing, finding.reason) for finding in outcome.findings)
    own = [case for case in outcome.cases if not of_other_role(case.reason)]
    verdicts = Counter(case.excused or case.verdict.word for case in own)
    yield from _problems(outcome)
    for lost in outcome.lost[:MOST_LISTED]:
        yield Text(f"  lost: {visible(lost)}", "yellow")
    if len(outcome.lost) > MOST_LISTED:
        yield Text(f"  and {len(outcome.lost) - MOST_LISTED} more lost", "yellow")
    yield Text(f"\nrequirements: {_counted(words) or 'none'}")
    yield Text(f"cases of its roles: {_counted(verdicts) or 'none'}")
    if left_out := scope_text(outcome.findings, outcome.plan.profile):
        yield Text(left_out, "yellow")
    if outcome.not_tried:
        left = len(outcome.not_tried) - MOST_LISTED
        more = f" and {left} more" if left > 0 else ""
        yield Text(f"not tried: {visible(', '.join(outcome.not_tried[:MOST_LISTED]))}{more}", "dim")
    yield _last_line(outcome)


def _problems(outcome: Outcome) -> Iterator[Text]:
    if outcome.problem:
        yield Text(f"\n{quoted_lines(outcome.problem)}", "red")


def _last_line(outcome: Outcome) -> Text:
    wording = WORDS[outcome.exit_code]
    word, style = wording.run, wording.style
    left_out = scope_text(outcome.findings, outcome.plan.profile)
    if outcome.exit_code == ExitCode.OK and left_out:
        word = IN_PART
    standings = [finding.standing for finding in outcome.findings]
    if green := word_of_green(outcome.exit_code, standings, outcome.selected_from):
        word, style = green, "bold yellow"
    where = f"  results in {visible(str(outcome.results))}"
    return Text.assemble((word, style), _roles(outcome), _numbers(outcome), where)


def _numbers(outcome: Outcome) -> str:
    """Return how many requirements have which standing, beside the word of a whole run that conforms."""
    standings = [finding.standing for finding in outcome.findings]
    if outcome.exit_code != ExitCode.OK or word_of_green(ExitCode.OK, standings, outcome.selected_from):
        return ""
    return f": {_counted(Counter(word_of(finding.standing, finding.reason) for finding in outcome.findings))}"


def _kind(outcome: Outcome) -> str:
    return outcome.plan.iut.partition(":")[0]


def _roles(outcome: Outcome) -> str:
    """Return as what it conforms, where it does not declare everything that can be judged."""
    declared = sorted(outcome.description.roles.intersection(ROLES))
    conforms = outcome.exit_code == ExitCode.OK and len(declared) < len(ROLES)
    return f" as {', '.join(declared)}" if conforms and declared else ""


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in counter.most_common())


def _expected(finding: Finding, outcome: Outcome) -> bool:
    """Tell whether a requirement is violated in cases alone whose failure was expected."""
    failing = {
        case.id for case in outcome.cases for witness in case.witnesses if failed_on(witness, finding.requirement.id)
    }
    return bool(failing) and failing <= outcome.expected.tolerated


def baseline_lines(outcome: Outcome) -> Iterator[Text]:
    """Yield the lines of the summary about the baseline, if there is one."""
    baseline, expected = outcome.plan.baseline, outcome.expected
    if baseline is None:
        return
    flaked = len(expected.flaked)
    yield Text(f"\nbaseline: {len(expected.tolerated) - flaked} expected failures, {flaked} known flakes failed", "dim")
    violated = (finding for finding in outcome.findings if finding.standing is Standing.VIOLATED)
    if known := [finding.requirement.id for finding in violated if _expected(finding, outcome)]:
        yield Text(f"  violated as expected: {', '.join(known)}", "yellow")
    if expected.others:
        yield Text(f"  {expected.others} entries for other implementations", "dim")
    yield from added_lines(outcome)
    for problem in expected.problems:
        where = f"{baseline.path}:{problem.entry.line}"
        yield Text(f"  {visible(where)}: {problem.entry.case}: {visible(problem.text)[:MOST_PROBLEM_TEXT]}", "yellow")


def added_lines(outcome: Outcome) -> Iterator[Text]:
    """Yield the cases that an update has added to the baseline."""
    for case in outcome.added[:MOST_ADDED]:
        yield Text(f"  added to the baseline: {visible(case)}", "yellow")
    if len(outcome.added) > MOST_ADDED:
        yield Text(f"  and {len(outcome.added) - MOST_ADDED} more added", "yellow")


def next_steps(outcome: Outcome) -> Iterator[Text]:
    """Yield the next commands, ready to be copied, each with its purpose; nothing after a green run."""
    if outcome.exit_code not in {ExitCode.FAIL, ExitCode.INCONCLUSIVE, ExitCode.INCOMPLETE}:
        return
    yield Text("\nnext:")
    for purpose, command in _steps(outcome):
        yield Text.assemble((f"  {purpose:<22}", "dim"), command)


def _steps(outcome: Outcome) -> Iterator[tuple[str, str]]:
    if not outcome.cases:
        yield "try the connection", f"mqconform smoke --iut {quote(outcome.plan.iut)}"
        return
    violated = [finding.requirement.id for finding in outcome.findings if finding.standing is Standing.VIOLATED]
    if violated:
        named = [each.requirement for each in outcome.diagnosis if each.requirement in violated]
        first = (*named, *violated)[0]
        yield "what is required", f"mqconform explain {first}"
        if case := _failed_case(outcome, first):
            folder = outcome.plan.out / FOLDER / folder_name(case)
            yield "run that case again", f"mqconform replay {quote(str(folder))}"
    elif left_open := [case.left_open for case in outcome.cases if case.verdict is Verdict.INCONCLUSIVE]:
        entry = left_open[0].judgement.reading.partition("/")[0]
        yield "what is undecided", f"mqconform explain {entry or left_open[0].requirement}"
    yield "report as a site", f"mqconform report {quote(str(outcome.results))} --out mqconform-report"


def _failed_case(outcome: Outcome, requirement: str) -> str:
    """Return the simplest case that fails a requirement, empty if the run left no bundle of it."""
    failing = [case for case in outcome.cases if any(failed_on(witness, requirement) for witness in case.witnesses)]
    return simplest_case(failing).id if outcome.plan.bundles and failing else ""


def cases_text(number: int, more: str = "") -> str:
    """Return ``3 more cases``."""
    return f"{number} {more}case{'' if number == 1 else 's'}"


def inconclusive_lines(outcome: Outcome) -> Iterator[Text | Padding]:
    """Yield why a run is inconclusive: nothing where it is not, or where its problem says why.

    Outside the profile strict a verdict is left open for one reason alone: the implementation was not seen.
    """
    tolerated = outcome.expected.tolerated
    cases = [case for case in outcome.cases if case.verdict is Verdict.INCONCLUSIVE and case.id not in tolerated]
    if not cases or outcome.problem:
        return
    left_open = sum(bool(case.left_open.judgement.reading) for case in cases)
    not_tried = sum(case.reason == NOT_TRIED for case in cases)
    unseen = len(cases) - left_open - not_tried
    why = {
        "the time limit was reached": not_tried,
        "the behaviour could not be observed": unseen,
        "the specification leaves it open": left_open,
    }
    counted = [(reason, number) for reason, number in why.items() if number]
    reasons = ", ".join(reason if len(counted) == 1 else f"{reason} in {number}" for reason, number in counted)
    yield Text(f"\nINCONCLUSIVE in {cases_text(len(cases))}: {reasons}", "bold yellow")
    alike: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        witness = case.left_open
        what = witness.judgement.reading or witness.judgement.observed
        alike.setdefault(("" if case.reason else witness.requirement, what), []).append(case)
    for first, *others in list(alike.values())[:MOST_LISTED]:
        witness = first.left_open
        reading = f" [{witness.judgement.reading}]" if witness.judgement.reading else ""
        more = f", and {cases_text(len(others), 'more ')}" if others else ""
        yield Text(f"  {witness.requirement}{reading} {first.id}{more}", "yellow")
        observed = quoted_lines(with_guids(witness.judgement.observed), "    ")
        yield Text(f"    {observed[:MOST_TEXT]}{' ...' if len(observed) > MOST_TEXT else ''}")
    if left := sum(map(len, list(alike.values())[MOST_LISTED:])):
        yield Text(f"  and {cases_text(left, 'more ')}, for other reasons", "yellow")
    failed = any(case.verdict is Verdict.FAIL for case in outcome.cases)
    for remedy in dict.fromkeys(_remedy(case, outcome.plan.iut, failed=failed) for case in cases):
        yield Text(f"  {remedy}", "dim")


def _remedy(case: Case, iut: str, *, failed: bool) -> str:
    judgement = case.left_open.judgement
    if judgement.reading:
        return "the other profiles decide ambiguities of the specification"
    if case.reason == NOT_TRIED:
        return "give it more time, or add --resume to continue"
    if case.reason:
        return f"check that it runs and that no other host answers: mqconform smoke --iut {quote(iut)}"
    if TOO_LOADED in judgement.observed:
        return "the machine was overloaded: run it again when it is idle, or with the virtual clock"
    return "fix the failures first" if failed else "run it again: a datagram may have been lost"
