"""What a triangulation comes to as an exit code: those of a run."""

from collections.abc import Collection, Iterable

from mqconform.harness.gate.exit_codes import EXIT_ERROR, EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_NOTHING, EXIT_OK
from mqconform.harness.triangulation.classes import Kind
from mqconform.harness.triangulation.participant import Participant
from mqconform.harness.triangulation.triangulation import RoleTally

CODES = (
    f"{EXIT_OK} nobody leaves the allowed set, {EXIT_FAIL} an implementation does, {EXIT_INCONCLUSIVE} a question to "
    f"the specification or an implementation that cannot be reached, {EXIT_ERROR} the oracles disagree or the harness "
    f"failed, 4 usage, {EXIT_NOTHING} a role was compared by fewer than two"
)


def exit_code(tallies: Collection[RoleTally], participants: Iterable[Participant], wanted: Collection[str]) -> int:
    """Return the exit code.

    Args:
        tallies: what came of each role.
        participants: the implementations, after all was asked.
        wanted: roles that the user asked for by name; each has to have been compared.
    """
    kinds = {kind for tally in tallies for kind in tally.kinds}
    compared = {tally.subject.role for tally in tallies if tally.questions}
    if Kind.ORACLES in kinds:
        return EXIT_ERROR
    if Kind.IUT in kinds:
        return EXIT_FAIL
    if Kind.REFERENCE_ALONE in kinds or any(one.gone for one in participants):
        return EXIT_INCONCLUSIVE
    return EXIT_OK if compared and compared >= {*wanted} else EXIT_NOTHING
