"""Regular expressions in files that users write: read by RE2, whose time grows only with the length of the text.

Python's own expressions search backwards and forwards; a short one can take longer than a run.
"""

from dataclasses import dataclass, field
from typing import Any

from mqconform.harness.records.problem import ConfigurationError


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression as it was written.

    Raises:
        ConfigurationError: RE2 does not take it; the message says why, not where it stands.
    """

    text: str
    _compiled: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        import re2  # noqa: PLC0415 - runs without a baseline or deviations do not wait for it

        options = re2.Options()
        options.log_errors = False  # to the terminal, with the expression as it stands
        try:
            compiled = re2.compile(_octets(self.text), options)
        except re2.error as error:
            reason = error.args[0].decode("utf-8", "replace")
            remedy = "write it in the syntax of RE2, which has no look-around and no back references"
            raise ConfigurationError(f"is not a regular expression: {reason}; {remedy}") from error
        object.__setattr__(self, "_compiled", compiled)

    def occurs_in(self, text: str) -> bool:
        """Tell whether it matches any part of a text; ``^`` and ``$`` are its beginning and end.

        A line break at the end is not part of the text, so that ``$`` holds before it as in Python.
        """
        return self._compiled.search(_octets(text.removesuffix("\n"))) is not None


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "replace")  # unpaired surrogates, which RE2 does not know, become question marks
