"""Witnesses: executed assertions that name the requirement they bear on."""

from dataclasses import dataclass, field
from typing import Self, cast

from mqconform.harness.records import results
from mqconform.harness.records.results import Span, Timing
from mqconform.harness.records.verdict import Verdict

MAX_TEXT = 2_000
"""Longest expected or observed text that a witness keeps, in characters."""


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
    """One executed assertion: a requirement, what was allowed, what was seen; ``check`` is its name.

    It was made ``seconds`` after its case began, which makes it no other witness.
    """

    case: str
    requirement: str
    step: str
    judgement: Judgement
    traffic: Traffic = field(default_factory=Traffic)
    check: str = ""
    seconds: float = field(default=0.0, compare=False)

    def record(self) -> results.Witness:
        """Return the witness as the result file has it."""
        judged, traffic = self.judgement, self.traffic
        return results.Witness(
            self.case,
            self.requirement,
            cast("results.WitnessVerdict", judged.verdict.word),
            self.step,
            clip(judged.expected),
            clip(judged.observed),
            span=judged.span,
            reading=judged.reading,
            timing=judged.timing,
            network=cast("results.Network", traffic.network if traffic.request else ""),
            request=traffic.request.hex(),
            reply=traffic.reply.hex(),
            source=traffic.source,
            check=self.check,
            seconds=self.seconds or 0,
        )

    @classmethod
    def of(cls, record: results.Witness) -> Self:
        """Return the witness in a record."""
        judged = Judgement(
            Verdict.of(record.verdict), record.expected, record.observed, record.span, record.reading, record.timing
        )
        octets = bytes.fromhex(record.request), bytes.fromhex(record.reply)
        traffic = Traffic(*octets, record.network or "ip", record.source)
        return cls(record.case, record.requirement, record.step, judged, traffic, record.check, record.seconds)


def clip(text: str) -> str:
    """Return ``text``, shortened in the middle when an IUT made it too long to keep."""
    if len(text) <= MAX_TEXT:
        return text
    half = MAX_TEXT // 2
    return f"{text[:half]} ... {len(text) - MAX_TEXT} characters omitted ... {text[-half:]}"
