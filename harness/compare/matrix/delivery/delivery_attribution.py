"""Whose fault lost, doubled or overtaken messages are: the reference stands in for one end, then for the other."""

from collections.abc import Callable, Iterator

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.drivers.ordered_delivery.ends import Call, operations_of
from mqconform.harness.iut.interface import IutProblem
from mqconform.harness.judge.eod.fault_schedules.schedule_search import Ends, Trouble

SENDER, RECEIVER = "sender", "receiver"
SIDE_OF = {"ordered_sender": SENDER, "ordered_receiver": RECEIVER}


class EndProblem(Exception):
    """One end broke its contract, or cannot be asked what a simulation has to ask."""

    def __init__(self, side: str, problem: IutProblem) -> None:
        super().__init__(f"{side}: {problem}")
        self.side, self.problem = side, problem


def watched(side: str, call: Call) -> Call:
    """Return the operations of an end; what goes wrong there bears its name."""

    def perform(method: str, params: dict[str, object]) -> dict[str, object]:
        try:
            return call(method, params)
        except IutProblem as problem:
            if method.endswith(".restart"):
                raise  # an end that cannot restart is known by that; see ``SenderEnd.restart``
            raise EndProblem(side, problem) from problem

    return perform


def sides_at_fault(ends: Ends, trouble: Trouble) -> tuple[str, ...]:
    """Return who is to blame for trouble, nobody where the history alone does not tell and neither end shows it alone.

    Raises:
        EndProblem: an end broke its contract meanwhile.
    """
    told = {SIDE_OF[one.role] for one in trouble.violations if one.role}
    if not told:
        told = set(_by_substitution(ends, trouble))
    return tuple(side for side in (SENDER, RECEIVER) if side in told)


def _by_substitution(ends: Ends, trouble: Trouble) -> Iterator[str]:
    reference: Callable[[], Call] = lambda: operations_of(ReferenceIut())  # noqa: E731 - a fresh one each time
    if Ends(ends.sender, reference()).run(trouble.schedule):
        yield SENDER
    if Ends(reference(), ends.receiver).run(trouble.schedule):
        yield RECEIVER
