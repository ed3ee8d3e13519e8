"""Does an adapter's author have the connection right? Each cheap operation once, each complaint with its field.

Nothing here judges conformance: an answer only has to have the shape that the protocol gives it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from mqconform.harness.iut import interface
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.iut.roles import ROLES, SMOKE_CALLS
from mqconform.harness.iut.smoke_calls import FENCE, REQUEST, UNKNOWN_METHOD, Call
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import quoted_lines
from mqconform.harness.tools.diagnostics import server_facts

EVIDENCE_SHOWN = 4_000
"""Characters of one piece."""
REMEDIES = {
    "exited": "keep the process running until shutdown; its stderr below may show the reason",
    "deadline": "answer sooner, flush the output after each line, or give a longer --deadline",
    "not-json": "write one JSON object per line to standard output and everything else to standard error",
    "wrong-id": "answer each request once, with its id, and write nothing else",
    "oversize": "answer in less than 16 MiB",
    "schema": "correct the field; features/schemas/iut_protocol.schema.json has every shape",
    "error": "answer with a result; errors are for unsupported methods (-32601) and for failed routing attempts",
    "exception": "return from the operation, or raise NotImplementedError if it is not offered",
    "silent": "check that the server runs and answers",
}


class Result(StrEnum):
    """How one check ended."""

    OK = "ok"
    LEFT_OUT = "left out"
    FAULT = "fault"
    UNREACHABLE = "unreachable"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the smoke test's output."""

    name: str
    result: Result
    text: str = ""

    def line(self) -> str:
        """Return the check as one line of text."""
        text = " ".join(self.text.split())
        return f"{self.result:<11} {self.name}" + (f": {text}" if text else "")


def checked_connection(opening: Callable[[], CheckedIut], say: Callable[[str], None]) -> ExitCode:
    """Open an implementation, try the connection and close it.

    Args:
        opening: opens it.
        say: takes each check as it is made, then the evidence if one failed.
    """
    try:
        iut = opening()
    except interface.IutFault as fault:
        say(faulty("start", fault).line())
        return ExitCode.FAIL
    results = set()
    try:
        for check in smoke(iut):
            results.add(check.result)
            say(check.line())
    finally:
        iut.close()
    if not results & {Result.FAULT, Result.UNREACHABLE}:
        return ExitCode.OK
    for evidence in iut.evidence():
        say("  " + quoted_lines(evidence[-EVIDENCE_SHOWN:].expandtabs(), "  "))
    return ExitCode.INCONCLUSIVE if Result.UNREACHABLE in results else ExitCode.FAIL


def smoke(iut: CheckedIut) -> Iterator[Check]:
    """Try the connection from handshake to shutdown; stops where nothing further can work."""
    handshake = introduced(iut)
    yield handshake
    if handshake.result is not Result.OK:
        return
    for check in role_checks(iut):
        yield check
        if check.result is Result.UNREACHABLE:
            return
    if not isinstance(iut, interface.DatagramCarrier):  # one that takes no orders has no methods
        yield attempt(iut, Call("reset"))
        yield unknown_method(iut)
        yield attempt(iut, Call("shutdown"))


def introduced(iut: CheckedIut) -> Check:
    """Perform the handshake."""
    try:
        description = iut.handshake()
    except interface.Unsupported as problem:
        return Check("initialize", Result.FAULT, f"{problem}; every implementation must answer initialize")
    except interface.IutFault as fault:
        return faulty("initialize", fault)
    roles, capabilities = (
        ", ".join(sorted(names)) or "none" for names in (description.roles, description.capabilities)
    )
    return Check(
        "initialize",
        Result.OK,
        f"{description.name} {description.version}".strip() + f", roles: {roles}; capabilities: {capabilities}",
    )


def role_checks(iut: CheckedIut) -> Iterator[Check]:
    """Try the operations of each declared role."""
    declared = iut.description.roles
    if not declared:
        yield Check("roles", Result.FAULT, f"result.roles is empty; declare at least one of {', '.join(ROLES)}")
    for role in sorted(declared - set(ROLES)):
        yield Check(role, Result.LEFT_OUT, f"unknown role; known are {', '.join(ROLES)}")
    for call in SMOKE_CALLS:
        if call.role not in declared:
            continue
        if call.role == "discovery_server" and isinstance(iut, interface.DatagramCarrier):
            if call.method == "discovery_server.receive":
                yield from datagrams(iut, iut.facts)
            # it takes no orders, so that there is no other operation to try
        elif call.capability and call.capability not in iut.description.capabilities:
            yield Check(call.method, Result.LEFT_OUT, f"capability {call.capability} is not declared")
        else:
            yield attempt(iut, call)


def attempt(iut: CheckedIut, call: Call) -> Check:
    """Perform one operation and say how it went."""
    try:
        answer = iut.call(call.method, call.params)
    except interface.Unsupported as problem:
        return missing(call, problem)
    except interface.NotApplicable as problem:
        return Check(call.method, Result.LEFT_OUT, str(problem))
    except interface.IutErrorAnswer as answered:
        return Check(call.method, Result.OK, f"answered {answered}")
    except interface.IutFault as fault:
        return faulty(call.method, fault)
    return Check(call.method, Result.OK, fields_text(answer))


def missing(call: Call, problem: interface.Unsupported) -> Check:
    """Say what it means that a method is not offered."""
    reason = str(problem).removeprefix(f"{call.method}: ")
    if call.optional:
        return Check(call.method, Result.LEFT_OUT, f"not offered, and optional ({reason})")
    if not call.role:
        return Check(call.method, Result.FAULT, f"{reason}; every implementation must answer {call.method}")
    declared = f"capability {call.capability}" if call.capability else f"role {call.role}"
    return Check(
        call.method, Result.FAULT, f"{reason}; the {declared} is declared: offer the method, or remove the declaration"
    )


def datagrams(carrier: interface.DatagramCarrier, facts: interface.ServerFacts | None) -> Iterator[Check]:
    """Ask by a real datagram, with a second one behind it to see that the server goes on, and read the reply."""
    request, fence = (
        (server_facts.plain_request(facts, 0), server_facts.plain_request(facts, 1)) if facts else (REQUEST, FENCE)
    )
    try:
        got = carrier.exchange((request,), fence, expected=1)
    except interface.Unreachable as problem:
        yield Check("datagrams", Result.UNREACHABLE, str(problem))
        return
    yield arrived(got)
    if got.replies and facts:
        yield from reply_checks(got.replies[0].octets, request, facts)


def reply_checks(reply: bytes, request: bytes, facts: interface.ServerFacts) -> Iterator[Check]:
    """Say which fields of a reply are not as the facts have them."""
    wrong = server_facts.differences(reply, request, facts)
    for difference in wrong:
        yield Check(
            f"reply, {difference.field}",
            Result.FAULT,
            f"{difference.text}; correct the server, or the facts if they are wrong",
        )
    if not wrong:
        yield Check("reply", Result.OK, "each field matches the facts")
    for hidden in server_facts.hidden_octet_orders(facts):
        yield Check("facts", Result.NOTICE, f"{hidden} {server_facts.SAME_IN_BOTH_ORDERS}")


def arrived(got: interface.Exchange) -> Check:
    """Say what came back to two requests."""
    name = "datagrams"
    others = ", ".join(sorted({arrival.source for arrival in got.foreign})[:5])
    if others:
        return Check(name, Result.FAULT, f"{others} answered too; test where no other server receives the requests")
    if got.overflow:
        return Check(name, Result.FAULT, "a flood of datagrams came back; expected is one reply per request")
    if got.alive is not True:
        text = f"{len(got.replies)} replies came"
        return Check(name, Result.FAULT, f"{text}, none with octets 4 to 20 as octets 20 to 36 of the second request")
    if not got.replies:
        return Check(name, Result.FAULT, "the first of two requests was not answered, the second one was")
    first = got.replies[0]
    return Check(name, Result.OK, f"{len(first.octets)} octets from {first.source}")


def unknown_method(iut: CheckedIut) -> Check:
    """Check that an unknown method is refused as the protocol wants it: probing depends on it."""
    name = "unknown method"
    try:
        answer = iut.call(UNKNOWN_METHOD, {})
    except interface.Unsupported:
        return Check(name, Result.OK, "refused with -32601")
    except interface.IutFault as fault:
        return Check(name, Result.FAULT, f"{fault}; answer an unsupported method with error -32601")
    except (interface.IutErrorAnswer, interface.NotApplicable) as problem:
        return Check(name, Result.FAULT, f"{problem}; answer an unsupported method with error -32601")
    return Check(name, Result.FAULT, f"{UNKNOWN_METHOD} answered {fields_text(answer)}; answer error -32601 instead")


def faulty(name: str, fault: interface.IutFault) -> Check:
    """Return the line for a fault, with what to do about it."""
    reason = str(fault).removeprefix(f"{name}: ")
    return Check(name, Result.FAULT, f"{reason}; {REMEDIES.get(fault.kind, 'see the evidence below')}")


def fields_text(answer: interface.Json) -> str:
    """Return which fields an answer has."""
    return f"fields {', '.join(map(repr, list(answer)[:8]))}" if answer else ""
