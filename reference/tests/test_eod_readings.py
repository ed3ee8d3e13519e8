"""The readings of both ends of a stream against the register, and the rules that they name against the catalogue."""

import tomllib
from dataclasses import fields
from importlib.resources import files

from mqconform.reference.allowed import Standing
from mqconform.reference.eod.readings_of_receivers import ReceiverReadings, Timers
from mqconform.reference.eod.readings_of_senders import SenderReadings
from mqconform.reference.eod.transaction import Abort, Mentions

READINGS = (ReceiverReadings(), SenderReadings())
CHOICES = [choice for one in READINGS for field in fields(one) for choice in type(getattr(one, field.name))]
CHOICES += [*Mentions, *Abort, *Timers]
REQUIREMENTS = files("mqconform.features") / "requirements"
NOT_MODELLED = {
    "EOD-14": "a resend that keeps its previous number is the reading never-zero of EOD-27",
    "EOD-17": "told apart by the tolerance of a clock",
    "EOD-25": "one reading, which the model follows",
}


def register():
    folder = REQUIREMENTS / "ambiguities"
    texts = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.startswith("eod_")]
    return {entry["id"]: entry for text in texts for entry in tomllib.loads(text)["ambiguity"]}


def test_every_testable_entry_has_its_readings_here():
    theirs = {
        f"{entry['id']}/{reading['id']}"
        for entry in register().values()
        if entry["testable"] and entry["id"] not in NOT_MODELLED
        for reading in entry["reading"]
    }
    assert theirs == {str(choice.reading) for choice in CHOICES}


def test_no_reading_stands_above_the_one_that_is_followed_unless_told_otherwise():
    for readings in READINGS:
        for field in fields(readings):
            chosen = getattr(readings, field.name)
            assert chosen.reading.standing is Standing.TEXT
