"""Programs that do not outlive the harness, even where it is killed: a shell beside them waits for its end of input.

The words of the command are the shell's arguments; it makes nothing of them and starts them as they are.
"""

from collections.abc import Sequence

SCRIPT = 'exec 3<&0; (cat <&3 >/dev/null; kill -9 0) & "$@" 3<&- </dev/null; exit "$?"'
"""The input ends with the process that holds the pipe, and ``kill -9 0`` ends the whole group."""


def tethered(words: Sequence[str]) -> list[str]:
    """Return a command that starts another one, which ends with whoever holds the pipe to its standard input."""
    return ["sh", "-c", SCRIPT, "sh", *words]
