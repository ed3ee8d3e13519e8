"""What the reference model refuses, and whose fault it is.

Every failure that an input can cause derives from ``ModelError``; any other exception that leaves the reference
is a defect of the reference itself.
"""


class ModelError(Exception):
    """Base of all that the reference model refuses on account of what it was given."""


class MalformedPacket(ModelError):
    """Received octets violate the message syntax; the fault is the sender's.

    Attributes:
        offset: octet at which the violation shows, counted from the start of the packet.
        field: the specification's name of the field.
        rule: section of the violated rule, with the ABNF rule's name where there is one.
        explanation: what the rule wants and what was found.
    """

    def __init__(self, offset: int, field: str, rule: str, explanation: str) -> None:
        super().__init__(offset, field, rule, explanation)
        self.offset = offset
        self.field = field
        self.rule = rule
        self.explanation = explanation

    def __str__(self) -> str:
        """Name the octet, the field, the rule and what is wrong."""
        return f"octet {self.offset}, {self.field} ({self.rule}): {self.explanation}"


class UnencodablePacket(ModelError):
    """A packet was to be built with a value that the message syntax cannot carry; the fault is the caller's.

    Attributes:
        field: the specification's name of the field.
        rule: section of the rule that forbids the value.
        explanation: what the rule wants, what was given, and what to give instead.
    """

    def __init__(self, field: str, rule: str, explanation: str) -> None:
        super().__init__(field, rule, explanation)
        self.field = field
        self.rule = rule
        self.explanation = explanation

    def __str__(self) -> str:
        """Name the field, the rule and what is wrong."""
        return f"{self.field} ({self.rule}): {self.explanation}"


class MalformedGuid(ModelError):
    """A text that should be a GUID in the form 8-4-4-4-12 is not."""
