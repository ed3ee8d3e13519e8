"""The IUT protocol as the harness speaks it: every parameter and every result held to the published schema.

Adapters hand on what an implementation said; here it is judged, so that a wrong field is named once, in the same
words, whichever carrier it came by.
"""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from math import inf
from time import monotonic, time
from typing import TYPE_CHECKING

from mqconform.harness.iut import interface
from mqconform.harness.records.schema_text import complaint, published, validator

if TYPE_CHECKING:
    from mqconform.harness.iut.conversation import Conversation

SCHEMA = "iut_protocol"
MAX_TEXT = 131_070
"""Longest text in an answer, in characters: 65,535 octets in hexadecimal."""

NOT_TRIED = "not completed: the time limit of the run was reached (--timeout)"


class InvalidParams(ValueError):
    """The harness was about to send parameters that the protocol does not allow: its own defect."""


@cache
def methods() -> tuple[str, ...]:
    """Return the names of all methods of the protocol, in the schema's order."""
    suffix = ".params"
    return tuple(name.removesuffix(suffix) for name in published(SCHEMA)["$defs"] if name.endswith(suffix))


def check_params(method: str, params: interface.Json) -> None:
    """Raise InvalidParams unless the protocol allows these parameters."""
    if wrong := complaint_about(method, "params", params):
        raise InvalidParams(f"{method}: {wrong}")


def check_result(method: str, result: object) -> interface.Json:
    """Return a result that fits the protocol.

    Raises:
        IutFault: ``schema``, with the path of the field, what it is and what it should be.
    """
    if not isinstance(result, dict):
        raise interface.IutFault("schema", f"{method}: result: is a {type(result).__name__}; expected an object")
    if longest := overlong(result):
        complaint = f"has a text of {longest} characters; at most {MAX_TEXT} make a datagram"
        raise interface.IutFault("oversize", f"{method}: result: {complaint}")
    if wrong := complaint_about(method, "result", result):
        raise interface.IutFault("schema", f"{method}: {wrong}")
    return result


def complaint_about(method: str, part: str, document: interface.Json) -> str:
    """Return what is wrong with a method's ``params`` or ``result``, empty where nothing is."""
    judge = validator(SCHEMA, f"{method}.{part}")
    return complaint(judge, document, part) if judge else ""  # none for a method outside the protocol


def overlong(value: object) -> int:
    """Return the length of a text in a JSON value that is longer than any may be, 0 where there is none.

    Told before the schema is asked: its patterns take memory and time by the character.
    """
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text if len(text) > MAX_TEXT:
                return len(text)
            case dict() as found:
                waiting += found.values()
            case list() as found:
                waiting += found
    return 0


def harness_name() -> str:
    """Return ``mqconform VERSION``, as ``initialize`` carries it."""
    try:
        return f"mqconform {version('mqconform')}"
    except PackageNotFoundError:  # run from a plain checkout
        return "mqconform (not installed)"


class CheckedIut:
    """An IUT whose every call is held to the published schema."""

    def __init__(self, inner: interface.Iut) -> None:
        self.inner = inner
        self.description: interface.IutDescription = inner.description
        self.facts: interface.ServerFacts | None = inner.facts
        self.conversation: Conversation | None = None
        """Conversation recorder, or None."""
        self.until = inf
        """Time of the monotonic clock from which on nothing is asked: a generated case asks hundreds of times."""

    def handshake(self) -> interface.IutDescription:
        """Introduce the harness, and keep and return what the IUT says of itself.

        Raises:
            IutFault: it answers what no answer can be, another protocol version included.
        """
        answer = self.call("initialize", {"protocol": interface.PROTOCOL_VERSION, "harness": harness_name()})
        self.description = interface.describe(answer)
        return self.description

    def call(self, method: str, params: interface.Json) -> interface.Json:
        """Perform one operation; see ``Iut.call``.

        An error answer reaches the caller as such only where the protocol knows one: any code in answer to
        ``router.get_next_hops``, and "routing attempt failed". Elsewhere it is a fault, ``error``.

        Raises:
            InvalidParams: the harness's own mistake.
            Unreachable: the time of the run is over.
        """
        check_params(method, params)
        self._check_time()
        try:
            result = self._answer(method, params)
        except interface.IutProblem as problem:
            if self.conversation is not None:
                self.conversation.failed(method, params, problem)
            raise
        if self.conversation is not None:
            self.conversation.answered(method, params, result)
        return result

    def _check_time(self) -> None:
        if monotonic() > self.until:
            raise interface.Unreachable(NOT_TRIED)

    def _answer(self, method: str, params: interface.Json) -> interface.Json:
        try:
            result = self.inner.call(method, params)
        except interface.IutErrorAnswer as answer:
            if method == "router.get_next_hops" or answer.code == interface.ROUTING_FAILED:
                raise
            raise interface.IutFault(
                "error", f"{method}: answered {answer}; the protocol has no error here"
            ) from answer
        return check_result(method, result)

    def evidence(self) -> tuple[str, ...]:
        """Return what else was seen of the IUT."""
        return self.inner.evidence()

    def close(self) -> None:
        """End the connection; never raises."""
        self.inner.close()


class CheckedCarrier(CheckedIut):
    """A checked IUT that is reached by datagrams."""

    def __init__(self, inner: interface.Iut, carrier: interface.DatagramCarrier) -> None:
        super().__init__(inner)
        self.carrier = carrier
        self.lossless = carrier.lossless

    def exchange(self, datagrams: Sequence[bytes], fence: bytes, expected: int = 0) -> interface.Exchange:
        """Send datagrams and return what came back; see ``DatagramCarrier.exchange``."""
        self._check_time()
        sent, began = (*datagrams, fence), time()
        try:
            got = self.carrier.exchange(datagrams, fence, expected)
        except interface.IutProblem as problem:
            if self.conversation is not None:
                self.conversation.exchanged(self._endpoint, sent, problem, began)
            raise
        if self.conversation is not None:
            self.conversation.exchanged(self._endpoint, sent, got, began)
        return got

    @property
    def _endpoint(self) -> str:
        return self.description.name.removeprefix("udp ")


def checked(iut: interface.Iut) -> CheckedIut:
    """Return the IUT behind the schemas; one that carries datagrams still does."""
    return CheckedCarrier(iut, iut) if isinstance(iut, interface.DatagramCarrier) else CheckedIut(iut)
