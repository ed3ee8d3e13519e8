"""What each rule weighs in a profile: where the text is open the ambiguity register decides, else the text."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Octets
from mqconform.reference.mqsd.audit.bulk_packets import FAIL, INCONCLUSIVE, PASS, RULES
from mqconform.reference.mqsd.audit.conversation_rules import CONVERSATION_RULES
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES

PROFILES: Final = ("must", "default", "strict", "windows")
_WEIGHT: Final = {"pass": PASS, "inconclusive": INCONCLUSIVE, "fail": FAIL}
VERDICTS: Final = ("none", "pass", "inconclusive", "fail")
"""Verdicts in rising order, as everywhere in this project; ``none`` is what could not be judged."""


@cache
def _register() -> dict[tuple[str, str], dict[str, str]]:
    folder = files("mqconform.features").joinpath("requirements", "ambiguities")
    verdicts = {}
    for file in folder.iterdir():
        if not file.name.endswith(".toml"):
            continue
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["ambiguity"]:
            for reading in entry.get("reading", ()):
                verdicts[entry["id"], reading["id"]] = reading["verdict"]
    return verdicts


def wire_weights(profile: str) -> Octets:
    """Return the weights of the rules of single packets."""
    return _weights({int(rule): rule.reading for rule in WIRE_RULES}, profile)


def conversation_weights(profile: str) -> Octets:
    """Return the weights of the rules of conversations; what a capture cannot show is inconclusive in every profile."""
    weights = _weights({int(rule): rule.reading for rule in CONVERSATION_RULES}, profile)
    weights[[rule for rule in CONVERSATION_RULES if rule.undecided]] = INCONCLUSIVE
    return weights


def _weights(readings: dict[int, tuple[str, str] | None], profile: str) -> Octets:
    """Return for each rule what a finding weighs: 1 pass, 2 inconclusive, 3 fail; 0 where there is no such rule.

    Args:
        readings: for each rule the register's entry and reading that decide, None where the text does.
        profile: one of ``PROFILES``.

    Raises:
        KeyError: the register has no such reading, which is a defect of ours.
    """
    weights = np.zeros(RULES, np.uint8)
    for rule, reading in readings.items():
        weights[rule] = FAIL if reading is None else _WEIGHT[_register()[reading][profile]]
    return weights
