"""The readings of the client against the register, and what each of them changes."""

import tomllib
from dataclasses import fields
from importlib.resources import files

from mqconform.reference.allowed import Standing
from mqconform.reference.mqsd.client import EVERY_READING, LITERAL, PERMITTED, SENSIBLE, UNDISPUTED

CHOICES = [choice for field in fields(LITERAL) for choice in type(getattr(LITERAL, field.name))]
NOT_MODELLED = {
    "SD-42": "one reading, which the model follows",
    "SD-48": "one reading, which the model follows",
    "SD-49": "told apart by the tolerance of a clock",
    "SD-67": "told apart by the tolerance of a clock",
}


def requirements_folder():
    return files("mqconform.features") / "requirements"


def register():
    folder = requirements_folder() / "ambiguities"
    texts = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".toml")]
    return {entry["id"]: entry for text in texts for entry in tomllib.loads(text)["ambiguity"]}


def test_every_testable_entry_of_the_client_has_its_readings_here():
    ours = {str(choice.reading) for choice in CHOICES}
    of_the_client = {
        f"{entry['id']}/{reading['id']}"
        for entry in register().values()
        if 40 <= int(entry["id"][3:]) <= 68 and entry["id"].startswith("SD") and entry["id"] not in NOT_MODELLED
        for reading in entry.get("reading", ())
    }
    assert {one for one in of_the_client if not one.startswith("SD-64/list-")} - ours == set()


def test_the_literal_readings_of_the_register_are_the_literal_ones_here():
    entries = register()
    for field in fields(LITERAL):
        choice = getattr(LITERAL, field.name)
        readings = {one["id"]: one for one in entries[choice.reading.register]["reading"]}
        situation = readings[choice.reading.name].get("situation")
        marked = [name for name, one in readings.items() if one.get("literal") and one.get("situation") == situation]
        assert marked in ([], [choice.reading.name])


def test_no_reading_stands_above_an_undisputed_one():
    for field in fields(UNDISPUTED):
        chosen = getattr(UNDISPUTED, field.name)
        assert chosen.reading.standing == min(choice.reading.standing for choice in type(chosen))


def test_the_presets_are_permitted():
    for readings in (LITERAL, UNDISPUTED, SENSIBLE):
        assert all(getattr(readings, field.name).reading.standing < Standing.REFUSED for field in fields(readings))


def test_the_permitted_space_lacks_the_refused_readings_only():
    refused = {str(one) for place, choices in EVERY_READING.items() for one in choices if one not in PERMITTED[place]}
    assert refused == {
        "SD-12/client-acts-on-requests",
        "SD-52/success (after 15 s)",
        "SD-52/success (at once)",
        "SD-54/remote-access-unknown",
        "SD-58/lists-cleared",
        "SD-59/gross-error-accepted",
        "SD-62/unreachable-names-left-out",
        "SD-64/site-unset",
    }
