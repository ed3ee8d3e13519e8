"""The judge: verdicts on observations, with the ambiguity register where the text decides nothing."""

from dataclasses import dataclass

from mqconform.harness.records.profile import Profile
from mqconform.harness.records.results import Span
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.ambiguity import ReadingLog, Register


@dataclass(frozen=True, slots=True)
class Judge:
    """Makes judgements for one profile and remembers which readings the IUT followed."""

    register: Register
    profile: Profile
    readings: ReadingLog

    def says(self, holds: bool, expected: str, observed: str, span: Span | None = None) -> Judgement:  # noqa: FBT001 - the one thing it is about
        """Return pass where the expectation holds, fail where not."""
        return Judgement(Verdict.PASS if holds else Verdict.FAIL, expected, observed, span)

    def undecided(self, expected: str, observed: str) -> Judgement:
        """Return inconclusive: nothing was seen that could be judged."""
        return Judgement(Verdict.INCONCLUSIVE, expected, observed)

    def is_a_choice(self, judgement: Judgement) -> bool:
        """Tell whether a judgement rests on a reading that not every profile passes."""
        ambiguity, _, reading = judgement.reading.partition("/")
        return bool(reading) and bool(self.register.reading(ambiguity, reading).because)

    def reading(  # noqa: PLR0913 - a judgement and the reading that explains it
        self,
        ambiguity: str,
        reading: str,
        expected: str,
        observed: str,
        *,
        situation: str = "",
        span: Span | None = None,
    ) -> Judgement:
        """Return what the register says of a reading in this profile, and remember that the IUT followed it.

        Args:
            ambiguity: id of the register entry.
            reading: id of the reading that explains the observation.
            expected: what the text wants, in words.
            observed: what the IUT did.
            situation: what distinguishes occasions on which an IUT may differ without mixing readings.
            span: the octets that decided.
        """
        self.readings.record(ambiguity, reading, situation)
        verdict = self.register.verdict_of(ambiguity, reading, self.profile)
        return Judgement(verdict, expected, observed, span, f"{ambiguity}/{reading}")
