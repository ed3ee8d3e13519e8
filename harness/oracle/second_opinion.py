"""The second routing oracle beside the first: their disagreement is an error of ours, never of an IUT."""

from typing import Any

from mqconform.harness.iut import ConfigurationError
from mqconform.harness.oracle.mqbr_next_hops import text_level
from mqconform.harness.second_opinion.routing import allowed_next_hops, compare
from mqconform.harness.second_opinion.routing_graph import SecondOpinionMissing, rustworkx
from mqconform.reference.mqbr.decision import NextHopsDecision


def checked_second_opinion(*, asked: bool) -> bool:
    """Return whether a second opinion is asked for, once it is sure that it can be had.

    Raises:
        ConfigurationError: its library is missing; the message names what to install.
    """
    if asked:
        try:
            rustworkx()
        except SecondOpinionMissing as error:
            raise ConfigurationError(f"--second-opinion: {error}") from error
    return asked


def hold_against_second_opinion(
    document: dict[str, Any], source: str, destination: str, decision: NextHopsDecision
) -> None:
    """Compare what both oracles allow a router whose table was just built (MS-MQBR 3.1.5.1).

    Raises:
        OracleDisagreement: naming the question and both answers.
    """
    _, permitted = text_level(decision.allowed)
    compare(permitted, allowed_next_hops(document, source, destination))
