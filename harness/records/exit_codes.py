"""How commands end: the exit codes, what each means, and what each is called wherever it is shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Final


class ExitCode(IntEnum):
    """What ``mqconform`` ends with: a run with any of them, other commands with some."""

    OK = 0
    """A run: the implementation conforms, in its profile and in what was judged. Others: nothing is wrong."""
    FAIL = 1
    """A run: at least one violation. Others: something is wrong with what was given to judge."""
    INCONCLUSIVE = 2
    """Nothing failed, and something could not be decided, or no IUT answered."""
    ERROR = 3
    """The harness itself failed, or what it runs on, such as a Docker engine."""
    USAGE = 4
    """Wrong usage or configuration; nothing was judged."""
    INCOMPLETE = 5
    """Nothing failed, but not all was judged that should have been."""
    BASELINE = 7
    """Nothing else is wrong, but a list of expected failures or known deviations is out of date."""
    STOPPED = 130
    """The user stopped it: 128 and the number of SIGINT, as shells have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What one exit code is called, by who says it; empty where that cannot end so."""

    usage: str = ""
    """In the help of ``mqconform run``."""
    run: str = ""
    """On the last line of a run."""
    report: str
    """In reports of a run."""
    matrix: str = ""
    """On the last line of a matrix."""
    matrix_page: str = ""
    """On the page of a matrix."""
    triangulation: str = ""
    """On the last line of a triangulation."""
    style: str = ""
    """Of last lines on a terminal."""
    colour: str
    """In reports."""


ALL_PLAYED: Final = "THOSE THAT WERE PLAYED WORK TOGETHER"
"""Of a matrix with cells that were not played and need not have been."""

WORDS: Final[Mapping[ExitCode, Wording]] = MappingProxyType(
    {
        ExitCode.OK: Wording(
            usage="conformant",
            run="CONFORMS",
            report="conforms",
            matrix="ALL WORK TOGETHER",
            matrix_page="all work together",
            triangulation="NO IMPLEMENTATION LEAVES THE ALLOWED SET",
            style="bold green",
            colour="brightgreen",
        ),
        ExitCode.FAIL: Wording(
            usage="not conformant",
            run="DOES NOT CONFORM",
            report="does not conform",
            matrix="DEVIATIONS",
            matrix_page="deviations",
            triangulation="AN IMPLEMENTATION LEAVES THE ALLOWED SET",
            style="bold red",
            colour="red",
        ),
        ExitCode.INCONCLUSIVE: Wording(
            usage="inconclusive",
            run="INCONCLUSIVE",
            report="inconclusive",
            matrix="INCONCLUSIVE",
            matrix_page="inconclusive",
            triangulation="INCONCLUSIVE",
            style="bold yellow",
            colour="yellow",
        ),
        ExitCode.ERROR: Wording(
            usage="harness error",
            run="ERROR OF THE HARNESS",
            report="harness error",
            matrix="ERROR OF THE HARNESS",
            matrix_page="error of the harness",
            triangulation="THE ORACLES DISAGREE: AN ERROR OF THE HARNESS",
            style="bold magenta",
            colour="orange",
        ),
        ExitCode.USAGE: Wording(usage="usage", report="not run", colour="lightgrey"),
        ExitCode.INCOMPLETE: Wording(
            usage="not all judged",
            run="NOT ALL WAS JUDGED",
            report="not all judged",
            matrix="NOT ALL WAS PLAYED",
            matrix_page="not all was played",
            triangulation="NOT ALL WAS COMPARED",
            style="bold yellow",
            colour="yellow",
        ),
        ExitCode.BASELINE: Wording(
            usage="baseline",
            run="BASELINE OUT OF DATE",
            report="baseline out of date",
            matrix="ALL WORK TOGETHER BUT FOR THE LIST OF KNOWN DEVIATIONS",
            matrix_page="all work together; the list of known deviations is out of date",
            style="bold yellow",
            colour="orange",
        ),
        ExitCode.STOPPED: Wording(run="stopped", report="stopped", colour="lightgrey"),
    }
)
"""What every exit code is called."""
