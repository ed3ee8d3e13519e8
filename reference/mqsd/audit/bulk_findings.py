"""What the bulk judgement of packets writes down: one entry of each array for one packet."""

from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Masks, Octets, compiled_reader

PASS, INCONCLUSIVE, FAIL = 1, 2, 3
"""What a finding weighs: the register lets it pass, leaves it open, or it is a violation. 0: nothing was found."""

RULES: Final = 64
"""Numbers of rules that there is room for."""


class Verdicts(NamedTuple):
    """The verdict on each packet, and the finding that decides it."""

    message: Octets
    """Values of ``Message``."""
    rules: Masks
    """One bit for each rule that was found: bit n for rule n."""
    weight: Octets
    """0, ``PASS``, ``INCONCLUSIVE`` or ``FAIL``."""
    rule: Octets
    """The deciding rule, 0 where nothing was found."""
    offset: Int32s
    """First octet of what shows it, counted from the start of the packet."""
    length: Int32s
    """Octets that show it."""


def new_verdicts(rows: int) -> Verdicts:
    """Return verdicts on as many packets, nothing found yet."""
    return Verdicts(
        np.zeros(rows, np.uint8),
        np.zeros(rows, np.uint64),
        np.zeros(rows, np.uint8),
        np.zeros(rows, np.uint8),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
    )


@compiled_reader
def found(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    verdicts: Verdicts, row: int, severities: Octets, rule: int, offset: int, length: int
) -> None:
    """Note a finding; the heaviest, the first among equals, becomes the deciding one."""
    verdicts.rules[row] |= np.uint64(1) << np.uint64(rule)
    weight = severities[rule]
    if weight > verdicts.weight[row]:
        verdicts.weight[row], verdicts.rule[row] = weight, rule
        verdicts.offset[row], verdicts.length[row] = offset, length


@compiled_reader
def clear(verdicts: Verdicts, row: int) -> None:
    """Forget what was found in one packet."""
    verdicts.rules[row] = 0
    verdicts.weight[row] = verdicts.rule[row] = 0
    verdicts.offset[row] = verdicts.length[row] = 0


@compiled_reader
def has(verdicts: Verdicts, row: int, rules: int) -> bool:
    """Tell whether one of the rules, given as bits, was found."""
    return bool(verdicts.rules[row] & np.uint64(rules))
