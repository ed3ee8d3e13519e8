"""One saved disagreement again: what each implementation says now, and what that makes."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from mqconform.harness.gate.exit_codes import EXIT_ERROR, EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_NOTHING, EXIT_OK
from mqconform.harness.iut import ConfigurationError, ServerFacts
from mqconform.harness.triangulation import text
from mqconform.harness.triangulation.classes import Kind, disagreements
from mqconform.harness.triangulation.participant import Participant
from mqconform.harness.triangulation.saved import SavedCase
from mqconform.harness.triangulation.subjects import SUBJECTS
from mqconform.harness.triangulation.triangulation import asked_of

EXIT = {
    Kind.ORACLES: EXIT_ERROR,
    Kind.IUT: EXIT_FAIL,
    Kind.REFERENCE_ALONE: EXIT_INCONCLUSIVE,
    Kind.OPEN: EXIT_OK,
}


def replayed(case: SavedCase, participants: Sequence[Participant], facts: ServerFacts | None, console: Console) -> int:
    """Put a saved input to the implementations, print what comes of it, and return the exit code.

    Raises:
        ConfigurationError: the input is none of its role.
    """
    subject = SUBJECTS[case.role](case.profile, facts)
    try:
        given = subject.read(case.given)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigurationError(
            f"{case.path}: input: {type(error).__name__}: {error}; replay the file as it was saved"
        ) from error
    for line in text.participant_lines(participants):
        console.print(line, soft_wrap=True)
    votes = asked_of(participants, subject, given)
    for one in participants:
        if reason := one.gone or one.lacks.get(case.role, ""):
            console.print(Text(f"  {one.label} was not asked: {text.short(reason)}", "dim"), soft_wrap=True)
    found = list(disagreements(votes, {one.label for one in participants if one.is_reference}))
    for seen in found:
        console.print(text.heading(case.role, seen), soft_wrap=True)
        for line in text.disagreement_lines(seen):
            console.print(line, soft_wrap=True)
    if not votes:
        console.print(Text("NOTHING WAS COMPARED", "bold yellow"))
        return EXIT_NOTHING
    if not found:
        console.print(Text.assemble(("AGREED", "bold green"), f": one allowed answer of {', '.join(votes)}"))
        return EXIT_OK
    order = list(Kind)
    return EXIT[min((one.kind for one in found), key=order.index)]
