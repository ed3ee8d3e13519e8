"""Witnesses: executed assertions that name the requirement they bear on."""

from dataclasses import dataclass, field
from typing import Any

from mqconform.harness.records.verdict import Verdict

MAX_TEXT = 2_000
"""Longest expected or observed text that a witness keeps, in characters."""


@dataclass(frozen=True, slots=True)
class Span:
    """A run of octets that a judgement is about."""

    offset: int
    length: int
    field: str = ""


@dataclass(frozen=True, slots=True)
class Timing:
    """What times are worth that were taken with a real clock.

    Attributes:
        tolerance: seconds by which the end of a wait was allowed to be early or late.
        lag: seconds by which the harness itself was woken late at most, meanwhile.
        pressure: share of the time in which some process waited for a processor; None where the kernel does not say.
        capture: file in the results' directory with all that passed, empty where there is none.
    """

    tolerance: float
    lag: float
    pressure: float | None = None
    capture: str = ""

    def record(self) -> dict[str, Any]:
        """Return it as the result schema has it."""
        line: dict[str, Any] = {"tolerance": self.tolerance, "lag": self.lag}
        if self.pressure is not None:
            line["pressure"] = self.pressure
        return line | ({"capture": self.capture} if self.capture else {})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the oracle says about one observation, before it is tied to requirements.

    Attributes:
        verdict: pass, inconclusive or fail.
        expected: the allowed outcomes, in words or literally.
        observed: what the IUT did.
        span: the octets of the reply that decided, where octets did.
        reading: ``AMBIGUITY/reading`` that explains the observation, where the register was asked.
        timing: what its times are worth, where the clock was real.
    """

    verdict: Verdict
    expected: str
    observed: str
    span: Span | None = None
    reading: str = ""
    timing: Timing | None = None


@dataclass(frozen=True, slots=True)
class Traffic:
    """The datagrams that a judgement is about, as evidence."""

    request: bytes = b""
    reply: bytes = b""
    network: str = "ip"
    source: str = ""


@dataclass(frozen=True, slots=True)
class Witness:
    """One executed assertion: a requirement, what was allowed, what was seen."""

    case: str
    requirement: str
    step: str
    judgement: Judgement
    traffic: Traffic = field(default_factory=Traffic)

    def record(self) -> dict[str, Any]:
        """Return the witness as the result schema has it; octets as lower-case hexadecimal text."""
        judged = self.judgement
        line: dict[str, Any] = {
            "record": "witness",
            "case": self.case,
            "requirement": self.requirement,
            "verdict": judged.verdict.word,
            "step": self.step,
            "expected": clip(judged.expected),
            "observed": clip(judged.observed),
        }
        if judged.span:
            line["span"] = {"offset": judged.span.offset, "length": judged.span.length, "field": judged.span.field}
        if judged.reading:
            line["reading"] = judged.reading
        if judged.timing:
            line["timing"] = judged.timing.record()
        if self.traffic.request:
            line["network"] = self.traffic.network
            line["request"] = self.traffic.request.hex()
        if self.traffic.reply:
            line["reply"] = self.traffic.reply.hex()
        if self.traffic.source:
            line["source"] = self.traffic.source
        return line


def clip(text: str) -> str:
    """Return ``text``, shortened in the middle when an IUT made it too long to keep."""
    if len(text) <= MAX_TEXT:
        return text
    half = MAX_TEXT // 2
    return f"{text[:half]} ... {len(text) - MAX_TEXT} characters left out ... {text[-half:]}"
