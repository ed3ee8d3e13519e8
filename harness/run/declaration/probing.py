"""Probes: each role and optional operation tried once, whether it was declared or not.

An implementation is probed over a connection of its own, before the run opens another: what a probe leaves behind, or
breaks, is gone by then. No probe arms a fault or opens a port.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from mqconform.harness.iut.interface import (
    DatagramCarrier,
    Iut,
    IutErrorAnswer,
    IutFault,
    IutProblem,
    LiveClients,
    NotApplicable,
    Unsupported,
    excerpt,
)
from mqconform.harness.iut.role import Capability
from mqconform.harness.iut.roles import CAPABILITIES, CLOCKS, SMOKE_CALLS
from mqconform.harness.iut.smoke_calls import UNKNOWN_METHOD, Call
from mqconform.harness.records.results import Probe, Remark

Tried = dict[str, Probe]
"""Role, or role and capability joined by a colon -> what came of it."""
FATAL = ("exited", "deadline", "not-json", "wrong-id", "oversize", "silent")
"""Faults after which nothing more can be asked over the same connection."""
ANSWER = "answer unsupported methods with error -32601"


class Prober:
    """Tries every operation once and keeps the results.

    Attributes:
        tried: role or ``role:capability`` -> what came of it.
        refused_operations: the same names -> the operation whose refusal stands in ``tried``.
        remarks: what is to be said about how it was refused.
    """

    def __init__(self, iut: Iut) -> None:
        """Keep the implementation; nothing is asked yet."""
        self._iut = iut
        self.tried: Tried = {}
        self.refused_operations: dict[str, str] = {}
        self.remarks: list[Remark] = []
        self._over = False

    def probe(self) -> None:
        """Try everything; stops where the implementation breaks."""
        if isinstance(self._iut, DatagramCarrier | LiveClients) or self._iut.facts is not None:
            return  # no calls over this carrier
        if self._unknown_method() is not Probe.REFUSED:
            return  # answers to an unknown method, so that answers prove nothing
        for role, calls in groupby(SMOKE_CALLS, key=lambda call: call.role):
            if not self._over:
                self._role(role, calls)

    def _unknown_method(self) -> Probe:
        came = self._try(UNKNOWN_METHOD, Call(UNKNOWN_METHOD))
        if came is Probe.ANSWERS:
            text = f"{UNKNOWN_METHOD} is answered, so probes prove nothing; {ANSWER}"
            self.remarks.append(Remark("probe", "unknown method", text))
        return came

    def _role(self, role: str, calls: Iterable[Call]) -> None:
        self._reset()
        declared = role in self._iut.description.roles
        for call in calls:
            if self._over:
                return
            came = self._try(call.method, call)
            if call.capability:
                self._note(f"{role}:{self._shown_by(call)}", call.method, came)
            elif not call.optional:
                self._note(role, call.method, came)
                if came is not Probe.ANSWERS and not declared:
                    return  # the rest of a role that is not there

    def _shown_by(self, call: Call) -> str:
        """Return the capability that an answer shows: time passes by the clock that is declared for the role."""
        has = self._iut.description.capabilities
        of_its_own = Capability.REAL_CLOCK in has and Capability.VIRTUAL_CLOCK not in has
        may_be = call.capability in CLOCKS and call.role in CAPABILITIES[Capability.REAL_CLOCK]
        return Capability.REAL_CLOCK.value if of_its_own and may_be else call.capability

    def _note(self, name: str, method: str, came: Probe) -> None:
        """Keep the worst result of an operation, the first among equals."""
        before = self.tried.get(name, Probe.ANSWERS)
        if before is not Probe.ANSWERS:
            return
        self.tried[name] = came
        if came is Probe.REFUSED:
            self.refused_operations[name] = method

    def _reset(self) -> None:
        try:
            self._iut.call("reset", {})
        except IutProblem:
            self._over = True

    def _try(self, method: str, call: Call) -> Probe:
        try:
            self._iut.call(method, call.params)
        except Unsupported:
            return Probe.REFUSED
        except NotApplicable:
            return Probe.NOT_PROBED
        except IutErrorAnswer:
            return Probe.ANSWERS
        except IutFault as fault:
            self._over = fault.kind in FATAL
            self._broken(method, fault)
            return Probe.BROKEN
        except IutProblem:
            self._over = True
            return Probe.NOT_PROBED
        return Probe.ANSWERS

    def _broken(self, method: str, fault: IutFault) -> None:
        text = excerpt(str(fault).removeprefix(f"{method}: ")).strip("'\"")
        after = "; nothing was probed after it" if self._over else ""
        self.remarks.append(Remark("probe", method, f"{fault.kind}: {text}{after}; {ANSWER}"))


def undeclared(prober: Prober, roles: Iterable[str], capabilities: Iterable[str]) -> Iterator[Remark]:
    """Yield what answers although it was not declared, and what was declared and refuses."""
    known_roles, known_capabilities = {*roles}, {*capabilities}
    for name, came in prober.tried.items():
        role, _, capability = name.partition(":")
        within = f" as {role}" if capability else ""
        declared = capability in known_capabilities if capability else role in known_roles
        if came is Probe.ANSWERS and not declared and (not capability or role in known_roles):
            text = f"answers{within} although it is not declared; declare it to have it judged"
            yield Remark("undeclared", capability or role, text)
        elif came is Probe.REFUSED and declared and role in known_roles:
            method = prober.refused_operations[name]
            text = (
                f"is declared{within}, but {method} is refused with -32601; without it, its requirements are not judged"
            )
            yield Remark("contradiction", capability or role, text)
